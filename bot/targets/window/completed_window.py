"""A window whose game may be won: what wins it, and the dialogs that come then."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Action, Board, Cell, Coordinate, Move, Observation, Phase
from bot.errors import BotError, Stopped, WindowLost
from bot.screen.windows import Window
from bot.targets.board_changes import continues, filled_from
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.clicked_window import ClickedWindow, Done
from bot.targets.window.events import dialogs
from bot.targets.window.events.hidden_win import may_be_won
from bot.targets.window.events.new_game_places import changed_cells, changed_places, is_browser
from bot.targets.window.observe.own_windows import end_told_by
from bot.targets.window.track.pending_clicks import PendingClick
from bot.targets.window.track.tracker import Tracker, Waiting
from bot.targets.window.track.unknown_end import UnknownGameEnd
from bot.vision.grid import Grid, Image, part, same_pixels
from bot.vision.words import Meaning, end_said, end_told

POLL_S = 0.01
"""Between two looks while a flag, or all of a won board, is awaited, in seconds."""

FLAG_S, MAX_FLAG_S = 0.5, 5.0
"""How long a flag may take to show without a theme, in seconds: twice as long as the slowest click."""

UNLIT_S, MARK_PART = 0.4, 0.01
"""How long a cell may stay lit once the pointer has left it, in seconds; and the least part of a cell, 0 to
1, that a flag draws otherwise: one of Tk is a thin letter in a wide cell."""

MIN_DRAWN_ANEW = 2
"""Minimum number of cells that look otherwise at a win: one may be lit under the pointer."""

MENU_CELLS, MENU_S, MENU_RESTS_S = 6.0, 0.5, 0.15
"""Least area of a menu, in cells, as far as it lies over its window: a flag changes one. How long it may take
to open, and must then be seen, in seconds."""

LAID_OVER = 0.25
"""The part of the cells, 0 to 1, that look otherwise where something was laid over the board."""

MAX_FLAG_ROUNDS = 3
"""How often mines are flagged at most where flags win: an odd number, for where a flag is taken for a covered
cell the next click takes it away."""

MAX_FLAG_TRIES = 5
"""How often a flag that asks whether flags win is tried where something keeps it back."""

DIALOG_S = 0.05
"""Between two looks for the dialog of a game that the last clicks may have won, in seconds."""

END_S = 1.0
"""How long the board of a won game is waited for once its dialogs are answered, in seconds."""


@dataclass(frozen=True)
class Clicked:
    """What was seen when cells were opened last."""

    frame: Image
    grid: Grid
    """Where the cells lay in that picture."""
    board: Board


class CompletedWindow(ClickedWindow):
    """One window, and what is done there once all that is covered are mines, or may be."""

    def __init__(
        self,
        controls: WindowControls,
        tracker: Tracker,
        tell: Callable[[str], None],
        unknown_end: UnknownGameEnd | None,
        *,
        pieces: bool,
    ) -> None:
        """`unknown_end`: what recognises the end of a game without a theme; None for others. The rest as
        `ClickedWindow` has it."""
        super().__init__(controls, tracker, tell, pieces=pieces)
        self._unknown_end = unknown_end
        self._clicked: Clicked | None = None
        """What was seen when cells were opened last in this game."""
        self._began: Image | None = None
        """The picture in which cells were opened first in this game."""
        self._read: tuple[Image, Meaning | None] | None = None
        """The picture in which a text was looked for last that tells the end, and what it says."""
        self._dialog_at = 0.0
        """When a dialog is looked for next, on `time.perf_counter`, after clicks that may have won."""
        self._flag_rounds = 0
        """How often all mines have been flagged in this game, where flags win it."""
        self._flag_tries = 0
        """How often the flag that asks whether flags win could not be set in this game."""
        self._flagged: set[Coordinate] = set()
        """The mines that were flagged in this round of flags: a board that moves meanwhile ends no round."""
        self._win_was_sought = False
        """Whether the dialog of a won game was looked for in this game, where none is listed."""

    def begin_game(self) -> None:
        """Another game begins."""
        super().begin_game()
        self._clicked = self._began = self._read = None
        self._win_was_sought = False
        self._flag_rounds = self._flag_tries = 0
        self._flagged = set()

    def _note_picture(self) -> None:
        """Cells are being opened: keep what is seen before that."""
        frame, board = self._tracker.frame, self._board
        if frame is None or board is None:
            return
        self._clicked = Clicked(frame, self.view.grid, board)
        if self._began is None or self.fresh:
            self._began = frame

    def complete(self, mines: Sequence[Coordinate]) -> bool:
        """All that is covered are mines: the game is won, or will be once they are flagged.

        A game without a theme is asked by one flag, once: where it takes that, it wants all of them. One that
        has drawn all its mines in another way is won.
        """
        if self._unknown_end is None or self._board is None:
            return False
        if self._unknown_end.has_hit_one_of(set(mines) - self._flagged, self._board):
            self._unknown_end.declare(Phase.LOST, "a mine that a guess has opened")
            return True
        covered = [cell for cell in mines if self._board[cell] == Cell.COVERED]
        before, by_flags = self._clicked, self._observer.knows_wins and self.behaviour.wins == "flagged"
        if before is not None and not by_flags and self._are_drawn_anew(covered, before):
            self._observer.take_wins("opened")
            self._observer.learn_marks(covered, Cell.MINE, before.frame)
            self._unknown_end.declare(Phase.WON, "mines that look otherwise than before")
            return True
        unflagged = covered
        if self._board.count(Cell.FLAG):
            # A click that came late, after it was made again, turns a flag into a question mark. The next
            # click takes it away, another one sets the flag. Where there is no flag the game marks so.
            unflagged = [*covered, *(cell for cell in mines if self._board[cell] == Cell.QUESTION)]
        if not self._observer.knows_wins and covered:
            flagged = self._takes_flag(covered[0])
            if flagged is None and self._flag_tries < MAX_FLAG_TRIES:
                self._flag_tries += 1
                return True  # the board is looked at again first
            self._flagged.update(covered[: bool(flagged)])
            self._observer.take_wins("flagged" if flagged else "opened")
            if not flagged and self._controls.seen()[1].board.all_covered:
                # Any button opens a cell in some games, and a mine that is opened, or a win, deals anew.
                self._unknown_end.declare(Phase.WON, "all that holds no mine opened, and a new board")
            return True  # the next board counts under what is known now
        if unflagged and self.behaviour.wins == "flagged":
            left = [cell for cell in unflagged if cell not in self._flagged]
            if not left:
                # A second click on a cell takes its flag away.
                self._flag_rounds, self._flagged, left = self._flag_rounds + 1, set(), unflagged
            if self._flag_rounds < MAX_FLAG_ROUNDS:
                made = self._batch([Move(Action.FLAG, *cell) for cell in left])
                self._flagged.update(move.cell for move in made)
                return bool(made)
        if unflagged and self._flag_rounds and self._observer.looks is not None:
            self._observer.looks.forget(Cell.FLAG)  # what comes and goes is none
        self._unknown_end.declare(Phase.WON, "all that holds no mine opened")
        return True

    def _are_drawn_anew(self, cells: Sequence[Coordinate], before: Clicked) -> bool:
        """Whether each of some cells looks otherwise than `before` the last clicks, which were on others, and
        hardly one does that was open by then: what dims a page changes them all."""
        now, opened = self._tracker.frame, before.board.codes <= 8
        if now is None or before.frame.shape != now.shape or before.grid != self.view.grid:
            return False
        if len(cells) < MIN_DRAWN_ANEW or not opened.any() or self._observer.is_dimmed:
            return False
        changed = changed_cells(self.view.grid, before.frame, now)
        return all(changed[cell] for cell in cells) and float(changed[opened].mean()) <= LAID_OVER

    def _takes_flag(self, cell: Coordinate) -> bool | None:
        """Whether a right click on a covered cell does something to that cell: what the end of the game lays
        over the board meanwhile changes the others too. None if the click could not be made."""
        assert self._board is not None
        flag = Move(Action.FLAG, *cell)
        before = self._observer.grab()
        if not self._batch([flag]):
            return None
        took = self._flag_shows(cell)
        if self._closes_menu(before):
            return False
        if took is not False and self._is_hardly_read(cell) and self._is_marked(cell, before):
            self._observer.learn_marks([cell], Cell.FLAG, before)
            took = True
        if took is None:
            # A busy window loses a click: it is made again, slowly. One that came late changes the cell too.
            again = self._click(PendingClick(flag, self._board[cell], attempt=2)) is Done.SENT
            self._controls.park()
            took = self._flag_shows(cell) if again else None
        return bool(took)

    def _is_hardly_read(self, cell: Coordinate) -> bool:
        """Whether nothing is seen on a cell: no mark, and no mine that the right button has opened."""
        board = self._controls.seen()[1].board
        return board.codes.shape == self.view.grid.shape and board[cell] in (Cell.COVERED, Cell.UNREAD)

    def _is_marked(self, cell: Coordinate, before: Image) -> bool:
        """Whether a cell that is not read as a mark looks otherwise than in the picture `before` a right
        click, and hardly another one does, once the pointer has left it: a flag of a strange form."""
        self._controls.park()
        changed = np.zeros(self.view.grid.shape, np.bool_)
        for _ in self._pointer.looks(UNLIT_S, POLL_S):
            frame, _ = self._controls.seen()
            if frame.shape == before.shape:
                changed = changed_cells(self.view.grid, before, frame, MARK_PART)
        return bool(changed[cell] and changed.mean() <= LAID_OVER)

    def _closes_menu(self, before: Image) -> bool:
        """Close what has come over a large part of a browser's window since the picture `before` a right
        click; whether there is such a thing: a menu, in which a letter would choose something. Other programs
        may quit at Escape, and a message that dims the page tells the end of the game."""
        pitch, since = self.view.grid.pitch, 0.0
        for now in self._pointer.looks(MENU_S if is_browser(self._observer.window) else 0.0, POLL_S):
            frame, _ = self._controls.seen()
            if self._observer.is_dimmed:
                return False
            places = changed_places(before, frame)[:1] if frame.shape == before.shape else []
            if not any(place.area >= MENU_CELLS * pitch[0] * pitch[1] for place in places):
                since = 0.0
                continue
            since = since or now
            if now - since >= MENU_RESTS_S:
                self._say("what a right click opened is closed by Escape")
                self._controls.strike(["escape"], self._observer.window)
                self._controls.park()
                return True
        return False

    def _flag_shows(self, cell: Coordinate) -> bool | None:
        """Whether a cell is flagged soon, and hardly another one changes; None if nothing does. What is read
        as no mark may be a cell that stays lit for a while after the pointer has left it."""
        assert self._board is not None
        self._tracker.pending.forget()
        patience_s = min(max(FLAG_S, 2 * self._tracker.pending.slowest_s), MAX_FLAG_S)
        since: float | None = None
        for now in self._pointer.looks(patience_s + UNLIT_S, POLL_S):
            codes = self._controls.seen()[1].board.codes
            if codes.shape != self._board.codes.shape or self._observer.is_dimmed:
                return False
            changed = codes != self._board.codes
            if not changed[cell]:
                since = None
                continue
            since = now if since is None else since
            if codes[cell] in (Cell.FLAG, Cell.QUESTION) or now - since >= UNLIT_S:
                return bool(changed.mean() <= LAID_OVER)
        return None

    def _hidden_end(self, before: Board, board: Board) -> bool:
        """Whether something hides cells of a board that could be read `before` the last clicks, and tells the
        end of the game."""
        if before.codes.shape != board.codes.shape:
            return False
        end, hidden = self._unknown_end, (board.codes == Cell.UNREAD) & (before.codes != Cell.UNREAD)
        if end is None or not hidden.any():
            return False
        over = {window.id for window in self._observer.covering()}
        opened = [window for window in self._observer.opened_windows() if window.id in over]
        return self._told_by(opened, before, board)

    def _told_by_window(self, before: Board | None, board: Board) -> bool:
        """Whether a window of the program that opened right after a click tells the end of a game without a
        theme, which showed a board `before` it and shows this one now."""
        end = self._unknown_end
        if end is None or not end.may_be_over(before, self.rules):
            return False
        return self._told_by(self._observer.opened_windows(), before, board)

    def _shows_what_was_there(self, cell: Coordinate) -> bool:
        """Whether a cell looks otherwise than when the game began, but as another one did then: a click has
        opened it, and it is no mine, whatever it is read as."""
        began, now, grid = self._began, self._observer.grab(), self.view.grid
        if began is None or began.shape != now.shape:
            return False
        shown, before = (part(picture, grid.cell_rect(*cell)) for picture in (now, began))
        if same_pixels(shown, before):
            return False
        others = (part(began, grid.cell_rect(row, column)) for row, column in np.ndindex(grid.shape))
        return any(one.shape == shown.shape and same_pixels(one, shown) for one in others)

    def _told_by_text(self) -> bool:
        """Whether a text that has come into the window in this game says how one without a theme ended, and
        the last clicks can have ended it. What was certain has not lost."""
        end, began = self._unknown_end, self._began
        if end is None or began is None or not end.may_be_over(self._board, self.rules):
            return False
        frame = self._observer.grab()
        if self._read is None or not same_pixels(frame, self._read[0]):
            self._read = frame, end_told(frame, began, self.view.grid)
        told = self._read[1]
        if told is Meaning.WON and end.may_be_won(self.rules):
            end.declare(Phase.WON, "a text in the window")
        elif told is Meaning.LOST and end.by_logic is Phase.LOST:
            end.declare(Phase.LOST, "a text in the window")
        return end.phase is not None

    def _told_by(self, opened: Sequence[Window], before: Board | None, board: Board) -> bool:
        """The same by these windows. What they do not say themselves is no win where the last clicks cannot
        have won: somebody may have opened the settings."""
        end = self._unknown_end
        if end is None or not opened or not end.may_be_over(before, self.rules):
            return False
        told = Phase.LOST if end.shows_hit(board) else self._said_by(opened, end)
        judged = end.judged_by(board)
        if told is None and judged is Phase.WON and not end.may_be_won(self.rules):
            return False
        end.declare(told or judged, "a window of the program that opened")
        return True

    def _said_by(self, opened: Sequence[Window], end: UnknownGameEnd) -> Phase | None:
        """What these windows say of the end of a game: their titles, else a text in one of them. A text that
        a game which may be won is over says little: some say so after every game."""
        own = "" if self._observer.window is None else self._observer.window.title
        told = end_told_by(opened, own)
        if told is not None:
            return told
        said = {end_said(dialogs.drawn_window(self._controls, window)[1]) for window in opened} - {None}
        if len(said) != 1:
            return None
        if said == {Meaning.WON}:
            return Phase.WON
        is_doubtful = end.by_logic is Phase.WON and end.may_be_won(self.rules)
        return None if is_doubtful else Phase.LOST

    def others_click(self) -> None:
        """Somebody else clicks from now on, until we do again: that is what may end the game."""
        if self._unknown_end is not None:
            self._unknown_end.others_click()

    def answer_dialogs(self) -> bool:
        """Answer the dialogs that the game has opened, but for those that begin another game; whether there
        was one. Raises WindowError for one that stays. In a game without a theme that goes on, what came
        without a click of ours is left alone: somebody has opened it."""
        end, clicked = self._unknown_end, self._tracker.pending.sent
        left_alone = end is not None and self.ended is None and not clicked and end.goes_on(self.rules)
        return not left_alone and dialogs.answer_all(self._controls)

    def after_win(self, seen: Observation) -> Observation:
        """Answer the dialogs of a game just seen to be won; gives its end, as far as it is seen then. It is
        won whatever becomes of them: one that stays is told, and met again where another game is begun."""
        try:
            return self._end_uncovered(seen) if self.answer_dialogs() else seen
        except Stopped:
            raise
        except BotError as error:
            if not isinstance(error, WindowLost):  # its program may close the window by itself
                self._say(str(error))
            return seen

    def _end_uncovered(self, seen: Observation) -> Observation:
        """The end of a won game, once its dialogs are answered: all of its board, where no theme knows it."""
        if not self._observer.is_unknown or not seen.board.count(Cell.UNREAD):
            return seen
        for _ in self._pointer.looks(END_S, POLL_S):
            frame, reading = self._controls.seen()
            if not continues(seen.board, filled_from(seen.board, reading.board)):
                continue  # the next game may be there already
            if not reading.board.count(Cell.UNREAD) and self._observer.totals.learn(reading.board):
                self.keep(frame, reading, seen.phase)
                return replace(seen, board=reading.board)
        return seen

    def _won_behind_dialog(self, seen: Waiting, now: float) -> bool:
        """Whether the last clicks may have won, and a dialog that asks for a name lay over the board: it is
        answered, and the game ended when it was seen."""
        if seen.possible or now < self._dialog_at or not self._may_be_complete():
            return False
        dialog = self._observer.dialog(reporting_end=False)
        self._dialog_at = time.perf_counter() + DIALOG_S
        if dialog is None or dialog[1].kind != "name":
            return False
        self.ended = now
        return self.answer_dialogs()

    def _may_be_complete(self) -> bool:
        """Whether no cell but mines is covered once the last clicks have opened theirs."""
        before, mines = self._board, self.rules.mines
        if before is None or mines is None or not self.behaviour.dialogs:
            return False
        opened = {move.cell for move in self._tracker.pending.sent if move.action is Action.OPEN}
        covered = set(before.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION)) - opened
        return bool(opened) and len(covered) <= mines

    def _may_have_won(self, frame: Image, board: Board) -> bool:
        """Whether the dialog of a game that the last clicks have won may lie over this board, and be seen in
        its picture, where no windows are listed. Once a game: what else may lie there is left alone then."""
        before, sent, mines = self._board, self._tracker.pending.sent, self.rules.mines
        if self._win_was_sought or before is None or self._controls.windows.known or not sent:
            return False
        self._win_was_sought = may_be_won(before, board, mines, len(sent), asks=dialogs.has_entry(frame))
        return self._win_was_sought
