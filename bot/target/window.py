"""A Minesweeper window on the screen as a target: grab, read, doubt, click, look again.

Nothing is clicked on a board that cannot be. Waiting is always looking: a frame counts once the next one
shows the same cells, has no faults, and shows what the last clicks must have done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np

from bot.board import Action, Board, Cell, Fault, FaultKind, FirstClick, Move, Observation, Phase, Rules
from bot.errors import UnreadableBoard, UsageError, WindowError, WindowLost
from bot.files import user_data, write_whole
from bot.geometry import Point, Rect
from bot.recording.record import NullRecorder, Record
from bot.screen.capture import Capture
from bot.screen.windows import Window, Windows
from bot.target import dialogs
from bot.target.effects import Patience, Sent, continues
from bot.target.hands import Hands
from bot.target.sighting import Sighting, View, look_around
from bot.vision.grid import Image
from bot.vision.reader import Reader
from bot.vision.reading import Reading

POLL_S = 0.001
"""Between two looks while something is awaited."""

TROUBLE_S = 0.25
"""A board that cannot be is looked at for so long before anything is suspected."""

REST_S = 0.03
"""How long the end of a game must look the same: windows show their mines one by one."""

ATTEMPTS = 8
"""So often a click that does nothing is sent."""


@dataclass(frozen=True)
class Manner:
    """How a window is played, as the user set it."""

    name: str = "minebot"
    """What is entered where a game asks for a name after a record."""
    records: bool = True
    """Whether it is entered at all."""
    look_limit_s: float = 3.0
    """How long a board that cannot be is looked at again before the bot stops."""
    mines: int | None = None
    """The mine total where the user gave it; it wins over the counter."""
    first_click: FirstClick | None = None
    """How the first click is protected where the user said so; it wins over the theme."""


class WindowTarget:
    """One window, game after game."""

    def __init__(
        self,
        sighting: Sighting,
        capture: Capture,
        windows: Windows,
        hands: Hands,
        manner: Manner | None = None,
        *,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Play the board of a sighting. `tell` is given a line for people when something happens."""
        self.theme = sighting.theme
        self.view: View = sighting.view
        self.window: Window | None = sighting.window
        self.title = sighting.title
        self.record: Record = NullRecorder()
        self._capture = capture
        self._windows = windows
        self._hands = hands
        self._manner = manner or Manner()
        self._tell = tell
        self._reader = Reader(self.theme, self.view.grid)
        self._rules = self._rules_of(sighting.reading)
        self._sent: list[Sent] = []
        self._patience = Patience(self.theme.spec.timing.resend_after_ms / 1000)
        self._flawless = 0
        """Clicks since the last board was taken, none of them lost."""
        self._frame: Image | None = None
        self._board: Board | None = None
        self._rejected_since: float | None = None
        self._last_first_click = -1e9
        self.begin_game()

    def begin_game(self) -> None:
        """Count clicks and seconds from here."""
        self.clicks = 0
        self.started: float | None = None
        """When the first click of the game was sent, on `time.perf_counter`."""
        self.ended: float | None = None
        """When the end of the game was seen."""

    @property
    def rules(self) -> Rules:
        """The size and the mines of the game in the window."""
        return self._rules

    def _rules_of(self, reading: Reading) -> Rules:
        grid, manner = self.view.grid, self._manner
        mines = manner.mines
        if mines is None and reading.counter is not None and not reading.board.finished:
            mines = reading.counter + reading.board.count(Cell.FLAG)
        if mines is None or mines < 0:
            mines = self.theme.usual_mines(grid.columns, grid.rows)
        first_click = manner.first_click or self.theme.spec.first_click
        try:
            return Rules(grid.columns, grid.rows, mines, first_click)
        except UsageError:
            return Rules(grid.columns, grid.rows, None, first_click)

    # Looking

    def observe(self) -> Observation:
        """The board at rest: possible, seen twice, and with the effect of the last clicks."""
        begin = rest_since = time.perf_counter()
        suspected = begin + TROUBLE_S
        looked = False
        while True:
            if not self._hands.undisturbed():
                # A person had the mouse: what we clicked before may belong to a game that is gone.
                self._sent.clear()
                begin, looked = time.perf_counter(), False
            frame = self._grab()
            reading = self._reader.read(frame)
            now = time.perf_counter()
            if self._reader.changed or not looked:
                looked, rest_since = True, now
            else:
                faults = self._faults(reading.board)
                phase = self._phase(reading.board, frame)
                if not faults and phase is not None:
                    if phase.over and now - rest_since >= REST_S:
                        return self._taken(frame, reading, phase, now)
                    if not phase.over and self._all_took_effect(reading.board, now):
                        return self._taken(frame, reading, phase, now)
                    if not phase.over:
                        # The window is fine, it is only slow: what is lost is sent again, so often.
                        begin, suspected = now, now + TROUBLE_S
                elif now > suspected:
                    if self._mend(frame, reading, faults, now - begin):
                        begin, rest_since = time.perf_counter(), time.perf_counter()
                    suspected = time.perf_counter() + 2 * TROUBLE_S
            if now - begin > self._manner.look_limit_s:
                self._give_up(frame, reading, self._faults(reading.board))
            time.sleep(POLL_S)

    def _grab(self) -> Image:
        return self._capture.grab(self.view.rect)

    def _faults(self, board: Board) -> list[Fault]:
        return board.faults(self._rules)

    def _phase(self, board: Board, frame: Image) -> Phase | None:
        """Where the game stands; None where all is opened but the face does not say that it is won."""
        if board.finished:
            return Phase.LOST
        covered = board.count(Cell.COVERED, Cell.QUESTION)
        flags = board.count(Cell.FLAG)
        if covered + flags == board.codes.size:
            return Phase.READY
        if covered == 0 or covered + flags == self._rules.mines:
            if self._reader.face_rect() is None or not self._reader.cut.faces:
                return Phase.WON
            # A cell that is only pressed looks opened: the face knows better.
            return Phase.WON if self._reader.face(frame) == "won" else None
        return Phase.PLAYING

    def _taken(self, frame: Image, reading: Reading, phase: Phase, now: float) -> Observation:
        if phase.over and self.ended is None:
            self.ended = now
        if phase is Phase.READY:
            with_header = self._reader.read(frame, header=True)
            self._rules = self._rules_of(with_header)
        self._sent.clear()
        if self._flawless > 2:  # fewer prove nothing
            self._hands.quicker()
        self._flawless = 0
        self._frame, self._board = frame, reading.board
        number = self.record.frame(frame, self.view.rect.x, self.view.rect.y)
        self.record.board(number, reading, phase, self._rules.mines)
        return Observation(reading.board, phase, self._rules)

    def _last_sent(self) -> float:
        return max((sent.at for sent in self._sent), default=0.0)

    def _all_took_effect(self, board: Board, now: float) -> bool:
        """Whether the board shows what the clicks must have done; sends again what seems to be lost."""
        waiting: list[Sent] = []
        taken_last = 0.0
        for sent in self._sent:
            if sent.took_effect(board):
                self._patience.saw(sent, now)
                taken_last = max(taken_last, sent.at)
            else:
                waiting.append(sent)
        self._sent = waiting
        last = self._last_sent()
        again = [sent for sent in waiting if self._patience.is_over(sent, last, sent.at < taken_last, now)]
        for sent in again:
            if sent.attempt >= ATTEMPTS:
                raise WindowError(
                    f"{sent.attempt} clicks on row {sent.move.row}, column {sent.move.column} did nothing:"
                    " does the window run with more rights (Windows), or does it lag?"
                )
            sent.attempt += 1
            if not self._click(sent):
                self._sent.clear()
                return False
        if again:
            self._hands.slower()
            self._flawless = 0
            self._park()
        return not waiting

    # Trouble

    def _mend(self, frame: Image, reading: Reading, faults: Sequence[Fault], for_s: float) -> bool:
        """Something is wrong for a while: a dialog, a closed or moved window. True where it was mended."""
        number = self.record.frame(frame, self.view.rect.x, self.view.rect.y)
        self.record.board(number, reading, Phase.HIDDEN, self._rules.mines, faults=faults)
        if self.answer_dialogs():
            return True
        listed = self._windows.windows()
        if self.window is not None and self._windows.known:
            now = next((window for window in listed if window.id == self.window.id), None)
            if now is None:
                raise WindowLost(f"the window {self.title!r} was closed: open it again and start once more")
            if now.rect != self.window.rect:
                return self._follow()
        covering = dialogs.above(listed, self.window, self.view.grid_on_screen())
        if not covering and for_s > 2 * TROUBLE_S:
            return self._follow()
        return False

    def answer_dialogs(self) -> bool:
        """Answer the dialogs that the game has opened; whether there was one."""
        listed = self._windows.windows()
        for window in reversed(listed):
            spec = dialogs.dialog_of(window, self.window, self.theme)
            if spec is not None:
                did = dialogs.answer(
                    window,
                    spec,
                    self._windows,
                    self._hands.mouse,
                    name=self._manner.name,
                    records=self._manner.records,
                )
                self._say(did)
                self._wait_until_gone(window)
                return True
        return False

    def _wait_until_gone(self, window: Window) -> None:
        until = time.perf_counter() + 1.0
        while time.perf_counter() < until:
            if all(other.id != window.id for other in self._windows.windows()):
                return
            time.sleep(0.02)

    def _follow(self) -> bool:
        """Look for our board on the whole screen; True where it was found elsewhere and is the same game."""
        grid = self.view.grid
        same = [
            sighting
            for sighting in look_around(self._capture, self._windows, [self.theme])
            if (sighting.view.grid.columns, sighting.view.grid.rows) == (grid.columns, grid.rows)
            and sighting.view.grid.cell_width == grid.cell_width
            and (self.window is None or sighting.window is None or sighting.window.id == self.window.id)
        ]
        if len(same) != 1 or same[0].problem or same[0].view == self.view:
            return False
        if self._board is not None and not continues(self._board, same[0].reading.board):
            return False
        self.view, self.window = same[0].view, same[0].window
        self._reader = Reader(self.theme, self.view.grid)
        self._park()
        self._say(f"the window moved; playing on at {self.view.grid_on_screen()}")
        return True

    def _give_up(self, frame: Image, reading: Reading, faults: Sequence[Fault]) -> None:
        saved = save_picture(frame)
        listed = self._windows.windows()
        covering = dialogs.above(listed, self.window, self.view.grid_on_screen())
        if any(fault.kind is FaultKind.UNREAD for fault in faults) and covering:
            names = ", ".join(repr(window.title or window.program) for window in covering)
            raise WindowLost(f"the board is covered by {names}: move it away (what was seen: {saved})")
        if not faults:
            faults = [Fault(FaultKind.MINE_TOTAL, None, "the board does not come to rest")]
        raise UnreadableBoard(
            f"no possible board was seen for {self._manner.look_limit_s:g} s: {faults[0].text}"
            f" (what was seen: {saved})"
        )

    def reject(self, reason: str) -> None:
        """The strategy found a contradiction: read everything afresh, and give up after a while."""
        now = time.perf_counter()
        if self._rejected_since is None:
            self._rejected_since = now
            self._say(f"looking again: {reason}")
        self._reader.forget()
        if now - self._rejected_since > self._manner.look_limit_s and self._frame is not None:
            saved = save_picture(self._frame)
            raise UnreadableBoard(f"the board cannot be right: {reason} (what was seen: {saved})")

    # Acting

    def act(self, moves: Sequence[Move]) -> int:
        """Click, paced, unless the board is no longer what `observe` gave.

        Flags are seen in their place before anything is opened: under a window manager a click can land
        where the pointer goes next, and what is opened must never land where a flag was meant.
        """
        assert self._board is not None
        self._rejected_since = None
        if self.started is None and self._board.count(Cell.COVERED, Cell.FLAG) == self._board.codes.size:
            self._wait_for_another_seed()
        flags = [move for move in moves if move.action is Action.FLAG]
        others = [move for move in moves if move.action is not Action.FLAG]
        made = self._batch(flags)
        if made < len(flags) or not others:
            return made
        if flags and self.observe().phase.over:
            return made
        return made + self._batch(others)

    def _batch(self, moves: Sequence[Move]) -> int:
        """Send clicks of one kind; gives how many were sent."""
        assert self._board is not None
        if not moves or not self._still_the_same():
            return 0
        made = 0
        for move in moves:
            now_there = self._glance(move)
            if now_there == self._board[move.cell]:
                sent = Sent(move, now_there)
                if not self._click(sent):
                    return made
                self._sent.append(sent)
                self._flawless += 1
            elif now_there > 8:
                break  # something else is there, a dialog perhaps: look at the whole board again
            made += 1
        self._park()
        return made

    def _glance(self, move: Move) -> int:
        """What one cell shows now: a click before this one may have opened it, or a dialog may cover it."""
        rect = self.view.grid.cell_rect(*move.cell)
        corner = self.view.on_screen(Point(rect.x, rect.y))
        width, height = int(rect.width / self.view.scale), int(rect.height / self.view.scale)
        return self._reader.look(self._capture.grab(Rect(corner.x, corner.y, width, height)))

    def _still_the_same(self) -> bool:
        """Whether the cells are still those that the last observation showed."""
        assert self._frame is not None
        rect = self.view.grid.rect
        part = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
        return self._hands.undisturbed() and np.array_equal(self._grab()[part], self._frame[part])

    def _wait_for_another_seed(self) -> None:
        """Some games are seeded by the clock: a first click too soon gives the same minefield again."""
        interval = self.theme.spec.timing.new_game_interval_s
        while time.perf_counter() - self._last_first_click < interval and self._hands.undisturbed():
            time.sleep(0.005)
        self._last_first_click = time.perf_counter()

    def _click(self, sent: Sent) -> bool:
        point = self.view.cell_on_screen(sent.move.cell)
        assert self.view.grid_on_screen().contains(point), "clicks go only to cells inside the board"
        if not self._hands.click(point, sent.move.action, self.theme.spec.chord, slow=sent.attempt > 1):
            return False
        sent.at = time.perf_counter()
        self.clicks += 1
        if self.started is None:
            self.started = sent.at
        self.record.click(sent.move, point, sent.attempt)
        return True

    def _park(self) -> None:
        """Leave the pointer beside the face, or above the board: it hides nothing there."""
        face, grid = self._reader.face_rect(), self.view.grid.rect
        if face is None:
            place = Point(grid.x + grid.width // 3, grid.y - 2)
        else:
            place = Point(face.x - max(4, face.width // 4), face.center.y)
        self._hands.park(self.view.on_screen(place))

    def new_game(self) -> None:
        """Start another game with the face, and wait until the board is covered."""
        self.answer_dialogs()
        rect = self._reader.face_rect()
        if rect is None:
            raise WindowError(f"the theme {self.theme.name} does not say how a new game is started")
        self._sent.clear()
        self._board = None
        self.begin_game()
        for _ in range(ATTEMPTS):
            self._hands.click(self.view.on_screen(rect.center), Action.OPEN)
            self._park()
            if self._covered_within(0.5):
                return
            self.answer_dialogs()
        raise WindowError(f"{ATTEMPTS} clicks on the face of {self.title!r} started no new game")

    def _covered_within(self, limit_s: float) -> bool:
        until = time.perf_counter() + limit_s
        while time.perf_counter() < until:
            reading = self._reader.read(self._grab())
            if not self._reader.changed and reading.board.count(Cell.COVERED) == reading.board.codes.size:
                return True
            time.sleep(POLL_S)
        return False

    def let_go(self) -> None:
        """Leave no button down, whatever happened."""
        self._hands.let_go()

    def close_record(self) -> None:
        """Close the recording of the game and record nothing until another one is set."""
        self.record.close()
        self.record = NullRecorder()

    def _say(self, text: str) -> None:
        self.record.note(text)
        self._tell(text)


def save_picture(frame: Image) -> Path:
    """Keep a picture of what could not be understood, in the user's folder; gives its place."""
    path = user_data() / "trouble" / f"{datetime.now():%Y%m%d-%H%M%S-%f}.png"
    written, data = cv2.imencode(".png", frame)
    if written:
        write_whole(path, data.tobytes())
    return path
