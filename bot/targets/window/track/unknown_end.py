"""The end of a game that no theme knows, by what holds for all: whoever opens a mine has lost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from bot.board import UNOPENED, Board, Cell, Coordinate, FaultKind, Phase, Rules
from bot.geometry import Rect
from bot.targets.board_changes import filled_from, is_unread_opening, mask
from bot.targets.window.track.game_end import HIDDEN_S, GameEnd
from bot.targets.window.track.out_of_sight import MANY_HIDDEN, is_wiped, shows_some
from bot.targets.window.track.shown_whole import is_lost_with_flags, is_shown_whole
from bot.targets.window.track.won_unseen import cells_left, may_have_won
from bot.vision.grid import Image

HIT_S, CERTAIN_HIT_S = 0.1, 0.6
"""How long a cell that was opened must show a mine, in seconds; and the same where it could not be one."""

SHOWN_S = 0.4
"""How long mines must be seen elsewhere, in seconds: pieces that fly about may look like some."""

MISREAD_S = 1.0
"""Mines that are shown for this long, in seconds, though the game cannot be over, are something else."""


MAX_DENSITY = 0.25
"""The part of the cells, 0 to 1, that are mines at most where nobody knows how many."""

MAX_COVERED = 0.5
"""The part of the cells, 0 to 1, that was covered at most before the clicks that won a game whose end hides
its board."""

SEARCHES = 3
"""So many searches of the whole screen must find no board before a hidden one tells the end: a page that is
being zoomed is drawn step by step."""

LOOKS_AGAIN = 3
"""So many times a board whose cells turned unread is read anew before that tells the end."""

LAPSE_S = 0.3
"""A hidden board may be taken for that of the game again for so long, in seconds: an end moves, and on a busy
machine one of its pictures is looked at between two searches."""

VAIN = 3
"""So many times in a row cells must have been clicked and no more come to look otherwise, before others are,
for a guess that cannot be read to have lost: a game that is over takes no clicks, but each may light its cell
for a moment."""

DIMMED_S = 0.5
"""How long a sheet must lie over the board, in seconds, to tell the end of the game."""


class _Signs(NamedTuple):
    """How long each sign of an end has been seen without a break, in seconds; below 0 if it is not now."""

    hit: float
    """A cell that was opened last shows a mine."""
    guess: float
    """The same of any guess: mines may go off one by one, so that more is clicked before that is seen."""
    dealt: float
    """The board is covered right after clicks that can have ended the game."""
    flag: float
    """A cell that was guessed looks flagged on a board that is shown."""
    vain: float
    """No click opens anything after a guess that cannot be read."""
    dimmed: float
    """A sheet lies over the board."""
    shown: float
    """Mines are shown."""
    hidden: float
    """The board cannot be seen, but for a moment here and there."""


class UnknownGameEnd(GameEnd):
    """Follows one game by what was clicked and by what the cells that were clicked show."""

    def __init__(
        self, is_dimmed: Callable[[], bool] = lambda: False, is_cut: Callable[[], bool] = lambda: False
    ) -> None:
        """`is_dimmed` says whether a half-transparent sheet lies over the board now, `is_cut` whether a part
        of the board was seen in another size where it was looked for last: it has not ended."""
        self._is_dimmed, self._is_cut = is_dimmed, is_cut
        super().__init__()

    def forget(self) -> None:
        """Another game begins."""
        super().forget()
        self._rules = Rules(1, 1)
        self.clicked: tuple[Coordinate, ...] = ()
        """The cells that were opened last."""
        self.certain = True
        """Whether none of them could be a mine."""
        self._acted_before: tuple[tuple[Coordinate, ...], bool, int, int] = (), True, 0, 0
        """The clicks before the last ones, whether they were certain, how many guesses there were, and how
        often in a row clicks had been in vain."""
        self._guesses: list[Coordinate] = []
        """All cells that were opened on a guess."""
        self.searches = 0
        """How often the board was looked for on the whole screen and not found: it may have been zoomed."""
        self.misread = False
        """Whether something that is no mine is taken for one."""
        self._opened = self._vain = 0
        """How many cells were open before the last clicks, and how often in a row some were clicked and none
        more came to look otherwise."""
        self._are_in_vain = False
        """Whether so many clicks had been made in vain before the last ones."""
        self._least_closed: int | None = None
        """The least number of cells that were not opened in a picture of this game."""
        self._looks_again = 0
        """How often the board was read anew, as cells that nothing opened had turned unread."""
        self.sign = ""
        """By what the end was told, in a few words; empty where the cells of the board say it."""

    def acted(
        self, cells: Sequence[Coordinate], *, certain: bool, unflagged: Sequence[Coordinate] = ()
    ) -> None:
        """These cells are being opened, and the flags taken away from those `unflagged`; `certain`: none of
        them is a mine, by logic.

        A flag on a cell that a guess has opened may be the mine that was hit: no click takes it away, and
        one for that counts as one that is to open its cell.
        """
        self._acted_before = self.clicked, self.certain, len(self._guesses), self._vain
        self._opened = 0 if self.seen is None else int((self.seen.codes <= 8).sum())
        self._are_in_vain = self._vain >= VAIN
        self._vain += bool(cells) or not set(self._guesses).isdisjoint(unflagged)
        self.clicked, self.certain = tuple(cells), certain
        self._guesses += [] if certain else cells
        self.misread, self.searches, self._looks_again = False, 0, 0
        self._since.clear()

    def not_sent(self) -> None:
        """None of those clicks was made: what counts are those before them."""
        self.clicked, self.certain, guesses, self._vain = self._acted_before
        del self._guesses[guesses:]

    def others_click(self) -> None:
        """Nobody tells what is clicked from now on."""
        self.clicked, self.certain, self._guesses = (), True, []

    def declare(self, phase: Phase, sign: str) -> None:
        """The game is known to be won or lost, by a sign in a few words."""
        self.phase, self.sign = phase, sign

    def _told(self, phase: Phase, sign: str) -> Phase:
        """The phase, and by which sign it was told."""
        self.sign = sign
        return phase

    def is_open(self, board: Board) -> bool:
        """Whether a cell that was guessed cannot be read, or looks like a flag: it may be the mine that was
        hit."""
        return any(board[cell] in (Cell.UNREAD, Cell.FLAG) for cell in self._guesses)

    def has_hit_one_of(self, mines: Collection[Coordinate], board: Board) -> bool:
        """Whether a cell that was guessed is one of the `mines` that are certain, and looks opened, whatever
        it shows: some games go on after that."""
        return any(
            cell in mines and board[cell] in (Cell.UNREAD, Cell.FLAG, Cell.MINE, Cell.EXPLODED)
            for cell in self._guesses
        )

    def look_again(self, board: Board) -> bool:
        """Cells that nothing opened have turned unread, and the board is read anew; whether it has been often
        enough, and the game is lost: what was guessed cannot be read either, and all that was opened can. It
        is not where what turned unread hangs together with what was clicked, as in a game whose openings have
        other rules."""
        self._looks_again += 1
        if self.certain or self.seen is None or self._looks_again <= LOOKS_AGAIN:
            return False
        hidden = (self.seen.codes <= 8) & (board.codes == Cell.UNREAD)
        unread = all(board[cell] > 8 and board[cell] not in UNOPENED for cell in self.clicked)
        if hidden.any() or not unread or is_unread_opening(self.seen, board, self.clicked):
            return False
        self.declare(Phase.LOST, "cells that cannot be read any more")
        return True

    @property
    def lost_on_guess(self) -> bool:
        """Whether the game was lost by the last clicks, which were a guess."""
        return self.phase is Phase.LOST and bool(self.clicked) and not self.certain

    @property
    def is_sought(self) -> bool:
        """Whether the board is being looked for on the whole screen, to tell the end: on a busy machine each
        search takes seconds."""
        return 0 < self.searches <= SEARCHES and not self._is_cut()

    @property
    def by_logic(self) -> Phase:
        """How a game ended whose end shows nothing: what was certain cannot have lost it, a guess that was
        never seen to open has."""
        seen = self.seen
        failed = [cell for cell in self._guesses if seen is None or seen[cell] > 8]
        return Phase.LOST if failed else Phase.WON

    def goes_on(self, rules: Rules) -> bool:
        """Whether no click can have ended the game: every guess was seen to open, and too much is left."""
        return self.phase is None and self.by_logic is Phase.WON and not self.may_be_won(rules)

    def judged_by(self, board: Board) -> Phase:
        """The same, by a board of which something is hidden."""
        shown = [board[cell] for cell in self.clicked]
        if self.shows_hit(board):
            return Phase.LOST
        if not self.certain and board.finished and board.count(Cell.COVERED, Cell.QUESTION):
            # A won game has nothing covered but its mines: where these are shown, what is covered is none,
            # and what was clicked is misread.
            return Phase.LOST
        return Phase.WON if shown and all(code <= 8 for code in shown) else self.by_logic

    def watch(self, board: Board, rules: Rules, frame: Image, grid: Rect, now: float) -> Phase | None:
        """Take in a frame and its board at a time in seconds; returns WON or LOST once that is known."""
        self._rules = rules
        if self.seen is not None and self.seen.codes.shape != board.codes.shape:
            # What was clicked lay on a board of another size.
            self.clicked, self.certain, self._opened, self._vain = (), True, 0, 0
            self._guesses.clear()
        return super().watch(board, rules, frame, grid, now)

    def _begins(self, board: Board) -> bool:
        return board.all_covered and not self._is_dealt_anew(board)

    def _is_dealt_anew(self, board: Board) -> bool:
        """Whether a board is covered right after clicks of which one was not seen to open its cell, and that
        were guesses or may have won, though cells were open before them: some games deal the next board at
        once. A click that was made again may have opened its cell on that one."""
        seen = self.seen
        if seen is None or not self.clicked or not self._opened or seen.codes.shape != board.codes.shape:
            return False
        others = ~mask(board, self.clicked)
        covers = (board.codes == Cell.COVERED)[others].all() and (seen.codes <= 8)[others].any()
        if not covers or all(seen[cell] <= 8 for cell in self.clicked):
            return False
        return not self.certain or self.may_be_won(self._rules)

    def _adds(self, board: Board, hidden: bool) -> bool:
        if self._is_dealt_anew(board):
            return False
        if hidden or self.seen is None:
            return not hidden
        if is_wiped(self.seen, board):
            return False
        # A won game may wipe its numbers off here and there before it hides its board, or fade a card in over
        # them whose parts are read as numbers.
        faults = filled_from(self.seen, board).faults(Rules(board.columns, board.rows))
        return all(
            one.kind not in (FaultKind.ZERO_BESIDE_COVERED, FaultKind.TOO_FEW_MINES_POSSIBLE)
            for one in faults
        )

    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        gone = hidden or is_wiped(seen, board)
        if not hidden:
            self._count_open(board)
        signs = self._signs(board, rules, hidden, gone, now)
        return (
            self._by_what_was_clicked(signs)
            or self._by_sheet(signs, board)
            or self._by_mines(signs, board)
            or self._by_hidden_board(signs, rules, gone)
        )

    def _count_open(self, board: Board) -> None:
        """Where more cells are open than in any picture before, the last clicks were not in vain."""
        closed = board.count(*UNOPENED)
        if self._least_closed is None or closed < self._least_closed:
            self._least_closed, self._vain, self._are_in_vain = closed, 0, False

    def _signs(self, board: Board, rules: Rules, hidden: bool, gone: bool, now: float) -> _Signs:
        """Look for each sign of an end in a board that may be `hidden`, or `gone`: wiped as well."""
        lapse = "hidden" in self._since and self._lasts("seen", not gone, now) <= LAPSE_S
        dealt = self._is_dealt_anew(board) and (self.certain or not self.may_be_won(rules))
        vain = self._are_in_vain and not hidden and self.is_open(board)
        left = not self.clicked and is_lost_with_flags(board, rules.mines)
        return _Signs(
            hit=self._lasts("hit", not hidden and _has_hit(board, self.clicked), now),
            guess=self._lasts("guess", not hidden and _has_hit(board, self._guesses), now),
            dealt=self._lasts("dealt", dealt, now),
            flag=self._lasts("flag", not hidden and self.shows_hit_as_flag(board), now),
            vain=self._lasts("vain", vain, now),
            dimmed=self._lasts("dimmed", bool(self.clicked) and self._is_dimmed(), now),
            shown=self._lasts("shown", not hidden and (board.finished or left), now),
            hidden=self._lasts("hidden", (gone or lapse) and bool(self.clicked), now),
        )

    def _by_what_was_clicked(self, signs: _Signs) -> Phase | None:
        """By what the cells that were clicked, or the board after these clicks, come to show."""
        if signs.hit >= (CERTAIN_HIT_S if self.certain else HIT_S) or signs.guess >= HIT_S:
            return self._told(Phase.LOST, "a mine on a cell that was opened")
        if signs.dealt >= HIT_S and self.certain:
            return self._told(Phase.WON, "a new board right after the last clicks")
        if signs.dealt >= HIT_S:
            return self._told(Phase.LOST, "a new board right after a guess")
        if signs.flag >= SHOWN_S:
            return self._told(Phase.LOST, "what looks like a flag on a cell that was opened")
        if signs.vain >= HIT_S:
            return self._told(Phase.LOST, "clicks that open nothing after a guess that cannot be read")
        return None

    def _by_sheet(self, signs: _Signs, board: Board) -> Phase | None:
        """By a half-transparent sheet over the board."""
        return (
            self._told(self.judged_by(board), "a sheet over the board") if signs.dimmed >= DIMMED_S else None
        )

    def _by_mines(self, signs: _Signs, board: Board) -> Phase | None:
        """By mines that the board shows elsewhere than where it was clicked."""
        if signs.shown < SHOWN_S:
            return None
        if not self.clicked:
            # It was over before anything was clicked, or somebody else has clicked.
            lost = board.count(Cell.COVERED, Cell.EXPLODED, Cell.WRONG_FLAG) or not board.finished
            return self._told(Phase.LOST if lost else Phase.WON, "mines that are shown")
        if signs.hit >= 0:
            return None
        clicked = [board[cell] for cell in self.clicked]
        opened = all(code <= 8 for code in clicked)
        if board.count(Cell.EXPLODED) and not opened:
            return self._told(Phase.LOST, "a mine that exploded")
        if not board.count(Cell.COVERED, Cell.QUESTION):
            ended = Phase.WON if opened or self.certain else Phase.LOST
            return self._told(ended, "mines that are shown, with nothing covered")
        if not opened and not self.certain and Cell.COVERED not in clicked:
            return self._told(Phase.LOST, "mines that are shown")
        self.misread = signs.shown >= MISREAD_S
        return None

    def _by_hidden_board(self, signs: _Signs, rules: Rules, gone: bool) -> Phase | None:
        """By a board that cannot be seen any more, nor found anywhere on the screen."""
        if not gone or signs.hidden < HIDDEN_S or self.searches < SEARCHES or self._is_cut():
            return None
        ended = self.by_logic
        # A board that was zoomed is not seen where it was either: nobody wins with most of it covered.
        if ended is Phase.WON and not self.may_be_won(rules):
            return None
        return self._told(ended, "a board that is hidden, and what was seen of it")

    def ends_unread(self, board: Board, rules: Rules) -> bool:
        """Whether a game whose board cannot be read for too long has ended, as what cannot be read since the
        last clicks is no opening: they were certain and may have won, or a guess that cannot have won, or has
        left some cells covered and others not, and was never seen to open its cell."""
        seen = self.seen
        if self.phase is not None or seen is None or not self.clicked:
            return False
        if seen.codes.shape != board.codes.shape or is_unread_opening(seen, board, self.clicked):
            return False
        may_be_won = self.may_be_won(rules) and (self.certain or not shows_some(seen, board))
        if self.certain is not may_be_won:
            return False
        hidden = (board.codes == Cell.UNREAD) & (seen.codes != Cell.UNREAD)
        if hidden.sum() < MANY_HIDDEN:
            return False
        if self.certain:
            self.declare(Phase.WON, "a board that cannot be read after the last clicks")
            return True
        if any(min(board[cell], seen[cell]) <= 8 for cell in self.clicked):
            return False
        self.declare(Phase.LOST, "a board that cannot be read after a guess")
        return True

    def shows_hit(self, board: Board) -> bool:
        """Whether a cell that was opened shows a mine."""
        return _has_hit(board, (*self.clicked, *self._guesses))

    def shows_hit_as_flag(self, board: Board) -> bool:
        """Whether all of a board is shown and can be, but for wrong flags, and a cell that was guessed looks
        flagged: a mine of a lost game. Nobody flags what was opened, and a misread number would be too much
        for those around."""
        if not any(board[cell] == Cell.FLAG for cell in self._guesses):
            return False
        return is_shown_whole(board, self.seen)

    def may_be_over(self, board: Board | None, rules: Rules) -> bool:
        """Whether the last clicks, on this board, can have ended the game."""
        if board is None or not self.clicked:
            return False
        left = board.count(*UNOPENED) - len(self.clicked)
        return rules.mines is None or left <= rules.mines or not self.certain

    def may_be_won(self, rules: Rules) -> bool:
        """Whether the last clicks can have opened all that was covered and holds no mine, by what was seen
        of the game."""
        seen = self.seen
        if seen is None or not may_have_won(seen, self.clicked, rules.mines):
            return False
        # One click can open all the rest, but hardly ever does; a page that was zoomed hides its board too.
        most = max(MAX_COVERED * seen.codes.size, rules.mines or 0)
        if seen.count(*UNOPENED) - len(self.clicked) > most:
            return False
        return rules.mines is not None or cells_left(seen, self.clicked) <= MAX_DENSITY * seen.codes.size


def _has_hit(board: Board, cells: Sequence[Coordinate]) -> bool:
    """Whether any of some cells that were clicked shows a mine."""
    return any(board[cell] in (Cell.MINE, Cell.EXPLODED) for cell in cells)
