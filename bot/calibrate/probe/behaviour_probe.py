"""Finds out a window's customs: its marks, how games end, what protects the first click, what wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bot.board import Action, Board, Cell, Coordinate, FirstClick, Spread, neighbour_sums
from bot.calibrate.infer.end_labels import end_codes, end_looks
from bot.calibrate.infer.findings import ClusterLabel, Findings
from bot.calibrate.infer.number_inference import last_before_veil, was_won
from bot.calibrate.probe.new_game_search import changed_spots
from bot.calibrate.probe.probe_player import KnownLabels, ProbePlayer, solved
from bot.calibrate.probe.throwaway_games import Mask, PlayedGame, anywhere, right_click
from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.schema import Mood

if TYPE_CHECKING:
    from bot.calibrate.lesson import Lesson

SURE = 0.05
"""A custom is believed where chance alone would show the same so seldom."""

OFTEN = 1 / 3
"""What more than this part of the games show is the custom of a window, and not a picture in between."""

LEAVE_S = 3.0
"""Seconds of the budget that are left for keeping what was learned."""

LOGIC_S = 45.0
"""While more of the budget is left, games are played on until 5 has been seen."""

LAST_FRAMES = 12
"""So many pictures of a game's end are searched for mines: a veil or a dialog may soon lie over them."""

CLICKS_OF_MARKS = 4
"""Right clicks on one cell until it must be covered again."""


class BehaviourProbe:
    """What a window does besides showing numbers."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self.flag: int | None = None
        self.question: int | None = None
        self.wrong_flag: int | None = None
        self._marked = 0
        self._wrong_tries = 0
        self.flags_to_win: bool | None = None
        self.won_frame: Image | None = None
        self.first: list[int] = []
        """What first clicks opened: codes of `Cell`, MINE for a lost one."""
        self._ends: dict[int, ClusterLabel] = {}

    # Meanings of looks that are no numbers

    def add_meanings(self, meanings: KnownLabels) -> None:
        """Add what is known besides the numbers, after the numbers were worked out anew."""
        lesson, found = self._lesson, self._lesson.disclosed
        assert found is not None
        thrower = lesson.thrower
        self._ends = end_codes(thrower, found)
        thrower.ends = end_looks(self._ends) - thrower.usual - thrower.covered
        for look, meaning in self._ends.items():
            meanings.codes.setdefault(look, meaning.code)
        for look, code in self._marks().items():
            meanings.codes[look] = code

    def _marks(self) -> dict[int, int]:
        known = {self.flag: Cell.FLAG, self.question: Cell.QUESTION, self.wrong_flag: Cell.WRONG_FLAG}
        return {look: int(code) for look, code in known.items() if look is not None}

    def is_lost(self, game: PlayedGame) -> bool:
        """Whether a game that was played to its end was lost."""
        if not game.over:
            return False
        thrower, mines = self._lesson.thrower, self._lesson.mines
        if thrower.ends:
            ends = list(thrower.ends)
            return any(np.isin(thrower.looks.of(frame), ends).any() for frame in game.after[-LAST_FRAMES:])
        return not was_won(game, thrower.looks, thrower.covered, thrower.usual, thrower.ends, mines)

    # Flags

    def marks(self, frame: Image) -> Image:
        """See what right clicks on one covered cell do, in the middle of a game. Gives the last picture."""
        lesson = self._lesson
        live, looks = lesson.live, lesson.thrower.looks
        frame = self._middle(frame)
        hidden = np.argwhere(lesson.thrower.hidden(frame)).tolist()
        if not hidden:
            return frame
        row, column = hidden[lesson.rng.randrange(len(hidden))]
        cell = (int(row), int(column))
        covered = int(looks.of(frame)[cell])
        shown: list[int] = []
        for _ in range(CLICKS_OF_MARKS):
            rest = right_click(live, cell, frame)
            look = int(looks.of(rest.frame)[cell])
            frame = rest.frame
            if look == covered:
                break
            shown.append(look)
            self._marked += 1
        else:
            lesson.notes.append("right clicks never gave back a covered cell: its marks were not learned")
            return frame
        if not shown:
            lesson.notes.append("a right click does nothing: this window has no flags, or wants another way")
            return frame
        self.flag = shown[0]
        if len(shown) == 2:
            self.question = shown[1]
        lesson.thrower.marks |= set(shown)
        lesson.thrower.usual -= set(shown)
        return frame

    def _middle(self, frame: Image) -> Image:
        """A game in which one cell was opened, and the game goes on."""
        lesson = self._lesson
        for _ in range(8):
            game = lesson.thrower.play(anywhere(lesson.rng, clicks=1), frame)
            if game is None:
                return frame
            lesson.thrower.games.pop()
            self._count_first(game)
            if (
                not game.over
                and not np.isin(lesson.thrower.looks.of(game.after[-1]), list(lesson.thrower.ends)).any()
            ):
                return game.after[-1]
            frame = lesson.restart.again(lesson.live.grab(), game.before)
        return frame

    def practise(self, frame: Image) -> Image:
        """Lose a game on purpose with a wrong flag in it, to see what becomes of that. Gives a new board."""
        lesson = self._lesson
        if self.flag is None or self.wrong_flag is not None or self._wrong_tries >= 3:
            return frame
        self._wrong_tries += 1
        thinker = ProbePlayer(lesson.thrower.looks, lesson.meanings, lesson.rules)
        wrong: list[Coordinate] = []

        def choose(picture: Image, hidden: Mask) -> Coordinate | None:
            if wrong:
                return None
            found = solved(lesson.meanings.board(lesson.thrower.looks, picture), lesson.rules)
            if found is not None:
                safe = [cell for cell in found.safe if hidden[cell]]
                mines = [cell for cell in found.mines if hidden[cell]]
                if safe and mines:
                    wrong.append(safe[0])
                    right_click(lesson.live, safe[0], picture)
                    return mines[0]
            return thinker.choose(picture, hidden)

        game = lesson.thrower.play(choose, frame)
        if game is None:
            return frame
        lesson.thrower.games.pop()  # flags were set in it: its numbers are counted no more
        self._count_first(game)
        end = lesson.live.rest(end=True).frame
        if wrong:
            look = int(lesson.thrower.looks.of(end)[wrong[0]])
            if look not in lesson.meanings.codes and look not in lesson.thrower.usual:
                self.wrong_flag = look
                lesson.meanings.codes[look] = int(Cell.WRONG_FLAG)
        return lesson.restart.again(lesson.live.grab(), game.before)

    # Winning

    def all_opened(self, game: PlayedGame) -> Image:
        """Every cell without a mine is opened: see whether that is enough. Gives a new board's picture."""
        lesson = self._lesson
        live, thrower = lesson.live, lesson.thrower
        rest = live.rest(end=True)
        if live.dialogs():
            lesson.restart.close_dialogs()
            rest = live.rest(end=True)
        frame = rest.frame
        hidden = [(int(r), int(c)) for r, c in np.argwhere(thrower.hidden(frame))]
        if self.flags_to_win is None:
            self.flags_to_win = False
            if hidden and not live.dialogs():
                before = frame
                live.click(hidden[0], slow=True)
                after = live.rest(before)
                self.flags_to_win = bool(
                    after.changed and int(thrower.looks.of(after.frame)[hidden[0]]) in thrower.ends
                )
                if self.flags_to_win:
                    return lesson.restart.again(live.grab(), game.before)
        elif self.flags_to_win:
            for cell in hidden:
                live.click(cell, Action.FLAG)
                live.rest(frame)
            frame = live.rest(end=True).frame
        self.won_frame = frame
        # Every cell that is left is a mine: that counts as shown.
        thrower.games[-1] = replace(game, over=True, covered=False, after=(frame,))
        lesson._work_out()
        return lesson.restart.again(live.grab(), game.before)

    def won_at_once(self, game: PlayedGame) -> None:
        """A game was over with its last safe cell, and something lies over the board, or nothing changed."""
        thrower = self._lesson.thrower
        self.flags_to_win = False
        hidden = thrower.hidden(game.before)
        kept = last_before_veil(game, thrower.looks, hidden)
        if kept is None or game.covered:
            # What lies over the board teaches nothing about its cells.
            thrower.games[-1] = replace(game, over=False)

    def satisfied(self) -> bool:
        """Whether there is nothing left to see but rare numbers."""
        lesson = self._lesson
        known = set(lesson.meanings.codes.values())
        marks = self.flag is None or self.wrong_flag is not None or self._wrong_tries >= 3
        won = self.flags_to_win is not None
        # Rare numbers turn up in time; what is left of it is better spent on the first click.
        numbers = {0, 1, 2, 3, 4, 5} if lesson.left_s() > LOGIC_S else {0, 1, 2}
        return won and marks and numbers <= known

    # The first click

    def _count_first(self, game: PlayedGame) -> None:
        lesson = self._lesson
        thrower = lesson.thrower
        if not game.new or lesson.disclosed is None:
            return
        code = lesson.meanings.codes.get(int(thrower.looks.of(game.opened_first)[game.first]), Cell.UNREAD)
        lost = game.clicks == 1 and game.over and self.is_lost(game)
        if lost or code in (Cell.EXPLODED, Cell.MINE):
            self.first.append(int(Cell.MINE))
        elif code <= 8:
            self.first.append(int(code))

    def probe_first_clicks(self, frame: Image) -> None:
        """Open the first cell of game after game until it is plain what protects it, or time is up."""
        lesson = self._lesson
        for game in lesson.thrower.games:
            self._count_first(game)
        way = lesson.restart.way
        if way is None or way.kind == "button":
            return
        last: Coordinate | None = None
        while lesson.left_s() > LEAVE_S and not self._first_is_plain():
            hidden = np.argwhere(lesson.thrower.hidden(frame)).tolist()
            cells = [(int(r), int(c)) for r, c in hidden if (int(r), int(c)) != last]
            if not cells:
                return
            last = cells[lesson.rng.randrange(len(cells))]
            calm = frame
            lesson.live.click(last)
            rest = lesson.live.rest(frame)
            code = lesson.meanings.codes.get(int(lesson.thrower.looks.of(rest.frame)[last]), Cell.UNREAD)
            if code in (Cell.EXPLODED, Cell.MINE):
                self.first.append(int(Cell.MINE))
            elif code <= 8:
                self.first.append(int(code))
            frame = lesson.restart.again(rest.frame, calm)

    def _density(self) -> float:
        lesson = self._lesson
        grid = lesson.live.view.grid
        mines = lesson.mines
        return 0.12 if mines is None else mines / (grid.columns * grid.rows)

    def _first_is_plain(self) -> bool:
        return int(Cell.MINE) in self.first or self.first_click() is not FirstClick.ANY

    def first_click(self) -> FirstClick:
        """What protects it, as far as that is plain; where it is not, nothing does.

        That many cells hold no mine by chance takes many games to rule out, most of all on small numbers of
        mines; that the cells around them are all free as well is soon no chance any more.
        """
        tries, free = len(self.first), 1 - self._density()
        if not tries or int(Cell.MINE) in self.first:
            return FirstClick.ANY
        if not any(self.first) and free ** (8 * tries) < SURE:
            return FirstClick.ZERO
        return FirstClick.SAFE if free**tries < SURE else FirstClick.ANY

    # What is told

    def tell(self, learned: Findings) -> None:
        """Add all this to the result."""
        for look, meaning in self._ends.items():
            learned.meanings.setdefault(look, meaning)
        why = {Cell.FLAG: "a right click made it", Cell.QUESTION: "a second right click made it"}
        for look, code in self._marks().items():
            seen = self._marked if code == Cell.FLAG else 1
            learned.meanings[look] = ClusterLabel(
                code, seen, why.get(Cell(code), "a flag on a cell that was safe")
            )
        learned.first_click = self.first_click()
        learned.first_clicks = len(self.first)
        learned.first_lost = self.first.count(int(Cell.MINE))
        learned.flags_to_win = self.flags_to_win
        learned.spread = self._spread()
        learned.lost = sum(self.is_lost(game) for game in self._lesson.thrower.games)
        self._faces(learned)

    def _spread(self) -> Spread:
        thrower, meanings = self._lesson.thrower, self._lesson.meanings
        return spread_of([meanings.board(thrower.looks, game.before) for game in thrower.games])

    def _faces(self, learned: Findings) -> None:
        """The pictures of the button above the board: at play, lost and won, where it tells them apart."""
        lesson = self._lesson
        way, won = lesson.restart.way, self.won_frame
        if way is None or way.place is None or way.kind != "face":
            return
        lost = [game for game in lesson.thrower.games if self.is_lost(game)]
        if not lost:
            return
        calm, over = lost[-1].before, lost[-1].after[-1]
        spots = [spot for spot in changed_spots(over, calm) if spot.contains(way.place)]
        box = way.box or (spots[0] if spots else None)
        if box is None or not spots:
            return
        box = _wider(box, 2, calm)
        learned.face = box
        happy = {_cut(game.before, box).tobytes() for game in lesson.thrower.games}
        sad = Counter(_cut(game.after[-1], box).tobytes() for game in lost)
        if won is None or len(happy) > 1 or len(sad) > 1:
            return
        faces: dict[Mood, Image] = {"happy": _cut(calm, box), "lost": _cut(over, box), "won": _cut(won, box)}
        if len({picture.tobytes() for picture in faces.values()}) == 3:
            learned.faces = faces


def spread_of(boards: Sequence[Board]) -> Spread:
    """Over which neighbours openings spread, by the zeros that lie beside covered cells: one board a game.

    In few games that proves nothing: some windows draw the number of a cell later than its ground.
    """
    shown = straight = diagonal = 0
    for board in boards:
        zeros, covered = board.codes == Cell.EMPTY, board.codes == Cell.COVERED
        if not zeros.any():
            continue
        shown += 1
        straight += bool((zeros & beside(covered)).any())
        diagonal += bool((zeros & (neighbour_sums(covered) > 0) & ~beside(covered)).any())
    if straight > OFTEN * shown:
        return Spread.NONE
    return Spread.FOUR if diagonal > OFTEN * shown else Spread.EIGHT


def beside(cells: Mask) -> Mask:
    """Which cells have one of some cells to the left, to the right, above or below."""
    around = np.pad(cells, 1)
    found: Mask = around[1:-1, :-2] | around[1:-1, 2:] | around[:-2, 1:-1] | around[2:, 1:-1]
    return found


def _wider(box: Rect, by: int, frame: Image) -> Rect:
    return Rect(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by).clipped(
        Rect(0, 0, frame.shape[1], frame.shape[0])
    )


def _cut(frame: Image, box: Rect) -> Image:
    return np.ascontiguousarray(frame[box.y : box.bottom, box.x : box.right])
