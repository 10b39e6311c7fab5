"""What one window shows: its board, the rules, how the game stands, and what the desktop says of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from bot.board import (
    UNOPENED,
    Board,
    Cell,
    Coordinate,
    Fault,
    FaultKind,
    FirstClick,
    Phase,
    Rules,
)
from bot.errors import UsageError
from bot.geometry import Point, Rect
from bot.screen.capture import Capture, desktop
from bot.screen.windows import Window, Windows
from bot.targets.board_changes import is_one_opening
from bot.targets.window.looks import LooksReader
from bot.targets.window.observe.mine_totals import MineTotals
from bot.targets.window.observe.observed_window import ObservedWindow
from bot.targets.window.sighting import UNKNOWN, Sighting, View
from bot.vision.cells.colour_reader import ColourReader
from bot.vision.cells.grid_reader import GridReader
from bot.vision.grid import Image, same_pixels
from bot.vision.grid_readers import reader_for
from bot.vision.grids.two_tones import is_under_card
from bot.vision.reading import Reading
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.themes.schema import WinsBy
from bot.vision.themes.skin import Skin

PAUSED = 0.9
"""Minimum share of a paused board that has the colour of its cover; the rest is a word."""

MAX_UNREAD = 0.25
"""Maximum share of unread cells, 0 to 1, of what is taken for a board of a game without a theme. None of them
is opened, and a number that was there before counts only where others show that it is the same game."""

MIN_DENSITY, MAX_DENSITY = 0.05, 0.35
"""The part of the cells that are mines, where a display above an unknown game is believed to count them."""

TOLERANCE = 6
"""Maximum difference of a pixel from that colour, 0 to 255."""


class WindowObserver(ObservedWindow):
    """Looks at one window and clicks nothing."""

    def __init__(
        self,
        sighting: Sighting,
        capture: Capture,
        windows: Windows,
        *,
        mines: int | None = None,
        first_click: FirstClick | None = None,
        way: NewGameWay | None = None,
        asks_for_games: bool = False,
    ) -> None:
        """Look at the board of a sighting. `mines`, `first_click` and `way`, how a game is started, win over
        what the window shows; with `asks_for_games` somebody else starts them."""
        super().__init__(sighting, capture, windows)
        self.skin: Skin | None = sighting.skin
        """How the game looks; None where nobody knows it."""
        self.calibration = sighting.calibration
        """The calibration by which the board was found; None where its theme was recognised."""
        self.calibration_name = sighting.calibration_name
        self.looks = sighting.looks
        """The looks of cells that are known of a game without a theme."""
        self.clicked: Callable[[], Collection[Coordinate]] = tuple
        """Gives the cells with a click under way, for whoever clicks."""
        self.openings_stop = False
        """Whether openings of a game without a theme were seen to stop beside covered cells."""
        self.reader = self._reader()
        self._grabbed: Image | None = None
        """The picture of the view that was given last."""
        self.given_mines = mines
        """The mine total that the user gave; None: it is read, or the usual one."""
        self._first_click = first_click
        self._told_unknown = False
        self._judged = deque[tuple[Board, Rules, tuple[Fault, ...]]](maxlen=2)
        """The boards whose faults were asked for last, the rules, and the faults."""
        self.asks_for_games = asks_for_games
        """Whether somebody else starts the games."""
        self.way_is_given = way is not None
        """Whether the user has said how a game is started."""
        if way is not None:
            self.behaviour = replace(self.behaviour, new_game=way)
        self.useless: list[NewGameWay] = []
        """What did not start a new game in a window whose game no theme knows."""
        self.contradicted = False
        """Whether the numbers have contradicted each other since a game was won."""
        self.knows_wins = not self.is_unknown
        """Whether it is known if the mines must be flagged to win."""
        self.totals = MineTotals(mines, (self.view.grid.columns, self.view.grid.rows))
        """The mines of each size, as games that were won have shown them, or the user gave them."""
        self.rules = self.rules_of(sighting.reading)
        """The size and the mines of the game in the window."""

    def grab(self) -> Image:
        """A picture of the view; the very object that was given last, where it shows the same: whoever
        compares pictures sees that at once."""
        picture = self.capture.grab(self.view.rect)
        if self._grabbed is None or not same_pixels(picture, self._grabbed):
            picture.flags.writeable = False
            self._grabbed = picture
        return self._grabbed

    def grab_around(self, reach: int) -> Image:
        """A ring of this many points around the cells, within window and screen; the cells are black."""
        cells, scale, whole = self.view.grid_on_screen(), self.view.scale, desktop(self.capture.monitors())
        area = Rect(cells.x - reach, cells.y - reach, cells.width + 2 * reach, cells.height + 2 * reach)
        area = area.clipped(whole if self.window is None else self.window.rect.clipped(whole))
        picture: Image = self.capture.grab(area).copy()  # a capture may cut its next pictures from that one
        left, top = (max(0, int(points * scale)) for points in (cells.x - area.x, cells.y - area.y))
        wide, high = (ceil((points + 1) * scale) for points in (cells.width, cells.height))
        picture[top : top + high, left : left + wide] = 0
        return picture

    def rules_of(self, reading: Reading) -> Rules:
        """The rules of the game that a reading with its header shows."""
        grid = self.view.grid
        mines = given = self.totals.given((grid.columns, grid.rows))
        if mines is None and self.is_unknown:
            mines = self.totals.get((grid.columns, grid.rows))
        if mines is None and reading.counter is not None and not reading.board.finished:
            mines = reading.counter + reading.board.count(Cell.FLAG)
            if self.is_unknown and not MIN_DENSITY <= mines / reading.board.codes.size <= MAX_DENSITY:
                mines = None  # it may be a clock
        # A finished game need not show all its mines, and its level need not be a usual one. If there is a
        # counter that cannot be read, the total stays unknown: a wrong one would make guesses certain.
        if mines is None and not self.has_counter and not reading.board.finished:
            mines = self._usual_mines(grid.columns, grid.rows)
        if self.totals.is_doubted((grid.columns, grid.rows)):
            mines = given
        first_click = self._first_click or self.behaviour.first_click
        spread = self.behaviour.spread
        try:
            return Rules(grid.columns, grid.rows, mines, first_click, spread)
        except UsageError:
            return Rules(grid.columns, grid.rows, None, first_click, spread)

    def tell_unknown(self, tell: Callable[[str], None]) -> None:
        """Say, once, that the game shows its mine total but it cannot be read: none is assumed."""
        if self.rules.mines is not None or not self.has_counter or self._told_unknown:
            return
        self._told_unknown = True
        usual = self._usual_mines(self.rules.columns, self.rules.rows)
        often = f" (often {usual} at this size)" if usual is not None else ""
        tell(
            f"the mine counter cannot be read: playing without the total; say --mines N{often} if you know it"
        )

    def faults(self, board: Board) -> list[Fault]:
        """What is wrong with a board, under the rules of this game; in one without a theme, unread cells are
        no fault while they are few."""
        # Most pictures show the board of the picture before, or one that was decided on early.
        known = next((known for known in self._judged if known[:2] == (board, self.rules)), None)
        if known is None:
            known = board, self.rules, tuple(board.faults(self.rules))
            self._judged.append(known)
        faults = list(known[2])
        if self.is_unknown and board.count(Cell.UNREAD) <= MAX_UNREAD * board.codes.size:
            # What is unread is never opened; it may be a mine.
            faults = [fault for fault in faults if fault.kind is not FaultKind.UNREAD]
        return faults

    @property
    def name(self) -> str:
        """That of the game's theme; `unknown` where there is none."""
        return UNKNOWN if self.skin is None else self.skin.name

    @property
    def has_counter(self) -> bool:
        """Whether the game shows how many mines there are."""
        return self.skin is not None and self.skin.has_counter

    @property
    def assumes_mines(self) -> bool:
        """Whether the mine total is that of the usual level: neither the user nor a counter gives it."""
        return self.given_mines is None and not self.has_counter

    @property
    def is_unknown(self) -> bool:
        """Whether no theme knows the game: its cells are read by what all Minesweepers share."""
        return self.skin is None or self.looks is not None

    @property
    def is_dimmed(self) -> bool:
        """Whether a sheet lies over the board of a game without a theme, through which its cells are seen."""
        return isinstance(self.reader, LooksReader) and self.reader.is_dimmed

    def half_hidden(self, board: Board, known: Board) -> Board:
        """The board that was read last. Where the game has a palette, cells that pieces hide in part are told
        in it, but for those that are opened in the `known` one."""
        if not isinstance(self.reader, ColourReader) or board.codes.shape != known.codes.shape:
            return board
        return Board(self.reader.half_hidden(known.codes > 8))

    @property
    def has_new_looks(self) -> bool:
        """Whether a cell of a game without a theme has a look that has hardly been met."""
        return isinstance(self.reader, LooksReader) and self.reader.is_new

    def contradicts(self, frame: Image) -> bool:
        """Whether cells of a game without a theme are unread because of what the others would mean."""
        return isinstance(self.reader, LooksReader) and self.reader.contradicts(frame)

    def is_odd(self, cell: Coordinate) -> bool:
        """Whether a cell of a game without a theme was read as covered, but looks as hardly another one."""
        return isinstance(self.reader, LooksReader) and self.reader.is_odd(cell)

    def learn_marks(self, cells: Collection[Coordinate], code: Cell, before: Image) -> None:
        """Some cells of a game without a theme are mines or flags, drawn otherwise than in the picture
        `before`."""
        if isinstance(self.reader, LooksReader):
            self.reader.learn_marks(cells, code, before)

    def is_proven_empty(self, cell: Coordinate) -> bool:
        """Whether a cell of a game without a theme looks as cells do that are surely empty."""
        return isinstance(self.reader, LooksReader) and self.reader.are_empty([cell])

    def take_stopped_openings(self, stop: bool) -> None:
        """Whether openings stop beside covered cells: an empty cell there is no fault by itself then."""
        self.openings_stop = stop
        if isinstance(self.reader, LooksReader):
            self.reader.openings_stop = stop

    def begin_game(self) -> None:
        """Another game begins, in which no cell has been clicked."""
        if isinstance(self.reader, LooksReader):
            self.reader.begin_game()

    def forget_motion(self) -> None:
        """A click was made: what the cells showed before it does not count for what they show."""
        if isinstance(self.reader, LooksReader):
            self.reader.forget_motion()

    def doubt(self) -> None:
        """The numbers of the board contradict each other: read them again, and not in the same way."""
        if isinstance(self.reader, LooksReader):
            self.reader.doubt()
        else:
            self.reader.forget()

    def doubt_covered(self, cell: Coordinate, before: Image | None) -> None:
        """Clicks on a cell that looks covered do nothing: in a game without a theme it may have been opened
        since the picture `before` them."""
        if isinstance(self.reader, LooksReader) and before is not None:
            self.reader.doubt_covered(cell, before)

    def doubt_flag(self, cell: Coordinate) -> None:
        """Clicks that are to take a flag away do nothing: in a game without a theme it may be none."""
        if isinstance(self.reader, LooksReader):
            self.reader.doubt_flag(cell)

    def doubt_mines(self, faults: Sequence[Fault]) -> bool:
        """Play a game without a theme without its mine total where that is among the `faults` of its board;
        whether it was, and nobody has given it."""
        wrong = any(fault.kind is FaultKind.MINE_TOTAL for fault in faults)
        return wrong and self.is_unknown and self._forget_mines()

    def doubt_learned_mines(self) -> bool:
        """Play a game without a theme without the mine total that earlier games have shown, of this run or of
        those that its calibration was made of; whether there was one, and nobody has given it."""
        size = self.rules.columns, self.rules.rows
        learned = self.rules.mines in (self.totals.get(size), self._usual_mines(*size))
        return self.is_unknown and learned and self._forget_mines()

    def _forget_mines(self) -> bool:
        size = self.rules.columns, self.rules.rows
        if self.rules.mines is None or self.totals.given(size) is not None:
            return False
        self.totals.doubt(size)
        self.rules = replace(self.rules, mines=None)
        return True

    def _reader(self) -> GridReader:
        """The reader of the cells in the view."""
        if not self.is_unknown:
            return reader_for(self.skin, self.view.grid)
        reader = LooksReader(self.view.grid, self.looks, lambda: self.clicked())
        self.looks = reader.looks
        reader.openings_stop = self.openings_stop
        return reader

    @property
    def is_learned(self) -> bool:
        """Whether `minebot calibrate` has learned how the game looks."""
        return self.skin is not None and self.skin.learned

    def _usual_mines(self, columns: int, rows: int) -> int | None:
        """The mines of the game's level of this size; None if it has no such level."""
        return None if self.skin is None else self.skin.usual_mines(columns, rows)

    def take_wins(self, wins: WinsBy) -> None:
        """It was seen what wins the game."""
        self.behaviour = replace(self.behaviour, wins=wins)
        self.knows_wins = True

    def phase(self, board: Board, frame: Image, *, end_hides_board: bool) -> Phase | None:
        """How the game stands; None if that is not sure yet: all is opened but the face does not say that the
        game is won, or mines are seen in a game whose end hides its board."""
        if board.finished:
            return None if end_hides_board else Phase.LOST
        covered = board.count(Cell.COVERED, Cell.QUESTION)
        flags = board.count(Cell.FLAG)
        if covered + flags == board.codes.size:
            return Phase.READY
        all_opened = covered + flags == self.rules.mines and self.behaviour.wins == "opened"
        all_opened = all_opened and self.knows_wins
        if covered == 0 or all_opened:
            if not self._has_face:
                return Phase.WON
            # A cell that is only pressed looks opened: the face knows better.
            return Phase.WON if self.reader.face.mood(frame) == "won" else None
        return Phase.PLAYING

    def is_fresh(self, board: Board) -> bool:
        """Whether nothing has been played: all is covered, or only the game's own opening is made. In a game
        without a theme a card may lie over some of the covered cells."""
        if board.count(*UNOPENED) == board.codes.size:
            return True
        if self.is_unknown and board.count(*UNOPENED, Cell.UNREAD) == board.codes.size:
            return is_under_card(board.codes == Cell.UNREAD)
        return self.behaviour.opened_at_start and is_one_opening(board)

    @property
    def _has_face(self) -> bool:
        return self.reader.face.rect is not None and self.reader.face.has_moods

    def face_on_screen(self) -> Point | None:
        """The point to click for a new game; None where the theme has no face."""
        face = self.reader.face.rect
        return None if face is None else self.view.on_screen(face.center)

    def face_is_seen(self) -> bool:
        """Whether a face is seen at its place; True if nobody knows what it looks like."""
        return not self._has_face or self.reader.face.mood(self.grab()) is not None

    def beside_board(self) -> Point:
        """A point beside the face, or above the board, where the pointer hides nothing."""
        if self.calibration is not None:
            return self.view.on_screen(Point(*self.calibration.park))
        face, grid = self.reader.face.rect, self.view.grid.rect
        if face is None:
            place = Point(grid.x + grid.width // 3, grid.y - 2)
        elif face.x >= grid.right:
            place = Point((grid.right + face.x) // 2, face.center.y)
        else:
            place = Point(face.x - max(4, face.width // 4), face.center.y)
        return self.view.on_screen(place)

    def is_paused(self, frame: Image) -> bool:
        """Whether the game is paused and covers its board."""
        pause = self.behaviour.pause
        if pause is None:
            return False
        grid = self.view.grid.rect
        part = frame[grid.y : grid.bottom : 3, grid.x : grid.right : 3].astype(np.int16)
        shares = [
            (np.abs(part - np.array(colour.bgr)).max(axis=2) <= TOLERANCE).mean() for colour in pause.colours
        ]
        return bool(max(shares) > PAUSED)

    def resume_on_screen(self) -> Point | None:
        """The point to click to resume a paused game; None if it has no such button."""
        pause = self.behaviour.pause
        if pause is None:
            return None
        grid = self.view.grid
        scale = 1.0 if self.skin is None else self.skin.scale_of(grid)
        return self.view.on_screen(pause.resume.rect(grid, scale).center)

    def lie_on(self, view: View, window: Window) -> None:
        """The same board lies so in its window from now on, where that was seen."""
        self.view, self.window = view, window
        self.reader = self._reader()

    def look_there(self, sighting: Sighting, *, new_rules: bool) -> None:
        """Look at the board of a sighting from now on; with `new_rules` it is of another game."""
        self.view, self.window = sighting.view, sighting.window
        if new_rules:
            self.rules = self.rules_of(sighting.reading)
        self.reader = self._reader()
