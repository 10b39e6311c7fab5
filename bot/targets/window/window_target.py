"""A Minesweeper window on the screen as a target: grab, read, doubt, click, look again.

Nothing is clicked on a board that cannot be. Waiting is always looking: a frame counts once the next one
shows the same cells, has no faults, and shows what the last clicks must have done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.board import Action, Board, Cell, Constraint, Fault, Move, Observation, Phase
from bot.errors import UnreadableBoard, WindowError
from bot.screen.capture import Capture
from bot.screen.windows import Windows
from bot.targets.board_changes import continues, differ_only_at
from bot.targets.window.click_guard import SeedInterval, seen_before
from bot.targets.window.events import dialogs, new_game, pause
from bot.targets.window.game_window import GameWindow
from bot.targets.window.glyph_learner import GlyphLearner
from bot.targets.window.locate.board_finder import Sighting
from bot.targets.window.locate.relocate import Relocator, SearchResult
from bot.targets.window.observer import WindowObserver, save_picture
from bot.targets.window.pending_clicks import PendingClick, PendingClicks
from bot.targets.window.play_settings import PlaySettings as PlaySettings
from bot.targets.window.pointer import Pointer, PointerRest
from bot.targets.window.settling import Settling
from bot.targets.window.spectator import Spectator
from bot.vision.grid import Image, same_pixels
from bot.vision.reading import Reading

POLL_S = 0.001
"""Between two looks while something is awaited."""

TROUBLE_S = 0.25
"""A board that cannot be is looked at for so long before anything is suspected."""

ATTEMPTS = 8
"""So often a click that does nothing is sent."""


class WindowTarget(GameWindow):
    """One window, game after game."""

    def __init__(
        self,
        sighting: Sighting,
        capture: Capture,
        windows: Windows,
        pointer: Pointer,
        play_settings: PlaySettings | None = None,
        *,
        tell: Callable[[str], None] = lambda text: None,
        glyph_learner: GlyphLearner | None = None,
    ) -> None:
        """Play the board of a sighting. `tell` is given a line for people when something happens;
        `newcomers` works out what looks mean that the theme does not know."""
        self._windows = windows
        self._pointer = pointer
        self._play_settings = play_settings or PlaySettings()
        observer = WindowObserver(
            sighting,
            capture,
            windows,
            mines=self._play_settings.mines,
            first_click=self._play_settings.first_click,
        )
        super().__init__(observer)
        self._tell = tell
        self._glyph_learner = glyph_learner
        self._pending = PendingClicks(self.behaviour.timing.resend_after_ms / 1000)
        self._takeovers = 0
        """How often a person had had the mouse when we asked last."""
        self._moves = self.behaviour.timing.rest_ms / 1000
        """So long a game that moves its pieces about must rest before it counts, in seconds."""
        self._flawless = 0
        """Clicks since the last board was taken, none of them lost."""
        self._frame: Image | None = None
        self._board: Board | None = None
        self._phase: Phase | None = None
        """Where the game stood at the last rest."""
        self.fresh = False
        """Whether nothing has been played yet in the game that was seen last."""
        self._rejected_since: float | None = None
        self._seeds = SeedInterval(self.behaviour.timing.new_game_interval_s)
        self._relocator = Relocator(observer)

    @property
    def chords(self) -> bool:
        """Whether a click on a number opens the cells around it in this game."""
        return self.behaviour.chord != "none"

    # A person beside us

    def spectator(self) -> Spectator:
        """Eyes on the same window for the time in which a person plays."""
        return Spectator(self._observer, self._tell)

    def give_mouse(self) -> PointerRest:
        """Let a person have the mouse until the next click; what is returned says when they let go of it."""
        return self._pointer.give()

    def find_again(self) -> None:
        """Before a game that somebody else began: a board of another size may lie where the old one did."""
        if self._relocator.doubtful(new=True):
            self._follow()

    # Looking

    def observe(self) -> Observation:
        """The board at rest: possible, seen twice, and with the effect of the last clicks."""
        begin = time.perf_counter()
        suspected = begin + TROUBLE_S
        rest = Settling(self._observer, self._moves, begin)
        while True:
            if self._person_came():
                begin = time.perf_counter()
                rest.forget()
            frame = self._observer.grab()
            reading = self._observer.reader.read(frame)
            now = time.perf_counter()
            seen_twice = rest.look(frame, now)
            over = self._observer.over(reading.board, frame, now)
            if over is not None:
                return self._taken(frame, reading, over, now)
            if seen_twice and not self._observer.reader.changed:
                faults = self._observer.faults(reading.board)
                phase = self._observer.phase(reading.board, frame)
                another = self._is_another_game(reading.board)
                doubt = not faults and self._is_doubtful(reading.board, phase, another)
                if not (faults or phase is None or doubt):
                    rested = rest.lasts(phase, reading.board, another, now)
                    if another and rested:
                        self._pending.forget()
                    settled = rested or not another
                    if (phase.over or (settled and self._all_took_effect(reading.board, now))) and rested:
                        if self._observer.opened and self._meet(frame, reading.board):
                            rest.forget()
                            continue
                        return self._taken(frame, reading, phase, now)
                    if not phase.over:
                        # The window is fine, it is only slow: what is lost is sent again, so often.
                        begin, suspected = now, now + TROUBLE_S
                elif now > suspected:
                    if self._mend(frame, reading, faults, now - begin, doubt):
                        begin = time.perf_counter()
                        rest.forget()
                    suspected = time.perf_counter() + 2 * TROUBLE_S
            if now - begin > self._play_settings.look_limit_s:
                faults = self._observer.faults(reading.board)
                doubt = not faults and self._relocator.doubtful(new=True)
                self._observer.give_up(
                    frame, reading.board, faults, self._play_settings.look_limit_s, doubt=doubt
                )
            time.sleep(POLL_S)

    def _person_came(self) -> bool:
        """Whether a person has had the mouse since this was asked last.

        What we clicked before may then belong to a game that is gone: none of it is sent again.
        """
        self._pointer.undisturbed()
        if self._pointer.takeovers == self._takeovers:
            return False
        self._takeovers = self._pointer.takeovers
        self._pending.forget()
        return True

    def _is_another_game(self, board: Board) -> bool:
        """Whether a new game was started by somebody else: what was opened is not opened any more."""
        return self._board is not None and not continues(self._board, board)

    def _is_doubtful(self, board: Board, phase: Phase | None, another: bool) -> bool:
        """Whether a board may be a part of another one: a game that has just begun may be of another size."""
        new = another or self.fresh or self._board is None or self._observer.is_fresh(board)
        return self._relocator.doubtful(new=new and not (phase is not None and phase.over))

    def _taken(self, frame: Image, reading: Reading, phase: Phase, now: float) -> Observation:
        if phase.over and self.ended is None:
            self.ended = now
        self.fresh = not phase.over and self._observer.is_fresh(reading.board)
        if self.fresh:
            self._observer.take_rules(frame)
        if not phase.over:
            self._observer.tell_unknown(self._say)
        self._pending.forget()
        if self._flawless > 2:  # fewer prove nothing
            self._pointer.quicker()
        self._flawless = 0
        board = self._observer.at_end(reading.board, self._board) if phase.over else reading.board
        self._frame, self._board, self._phase = frame, board, phase
        self.keep(frame, reading, phase)
        # What cannot be read here is opened, though nobody knows with which number.
        known = tuple(Constraint(frozenset([cell]), 0) for cell in board.where(Cell.UNREAD))
        return Observation(board, phase, self.rules, () if phase.over else known)

    def _all_took_effect(self, board: Board, now: float) -> bool:
        """Whether the board shows what the clicks must have done; sends again what seems to be lost."""
        again = self._pending.lost(board, now)
        for sent in again:
            if sent.attempt >= ATTEMPTS:
                raise WindowError(
                    f"{sent.attempt} clicks on row {sent.move.row}, column {sent.move.column} did nothing:"
                    " does the window run with more rights (Windows), or does it lag?"
                )
            sent.attempt += 1
            if not self._click(sent):
                break  # something is there that was not: look again before anything is sent
        if again:
            self._pointer.slower()
            self._flawless = 0
            self._park()
        return not self._pending.any

    # Trouble

    def _mend(
        self, frame: Image, reading: Reading, faults: Sequence[Fault], for_s: float, doubt: bool
    ) -> bool:
        """Something is wrong for a while: a dialog, a closed or moved window, a board of which there may be
        more (`doubt`). True where it was mended."""
        paused = self._observer.is_paused(frame)
        self.keep(frame, reading, Phase.PAUSED if paused else Phase.HIDDEN, faults)
        if self.answer_dialogs():
            return True
        if self._observer.has_moved() and self._follow():
            return True
        if self.view.grid_on_screen().contains(self._pointer.mouse.position()):
            self._park()  # the pointer may change what a cell looks like
            return True
        if paused:
            self._say(pause.resume(self._observer, self._windows, self._pointer, self._park))
            return True
        if self._observer.covering() or self._observer.has_moved():
            return False
        if not doubt and self._meet(frame, reading.board):
            return True
        return (doubt or for_s > 2 * TROUBLE_S) and self._follow()

    def _meet(self, frame: Image, board: Board) -> bool:
        """Have cells worked out that cannot be read; whether the board can now be taken further."""
        unread = frozenset(board.where(Cell.UNREAD))
        if self._glyph_learner is None or self.skin is None or not unread:
            return False
        met = self._glyph_learner.meet(self.skin, self.view.grid, frame, board, self._board, self.rules)
        if met.text:
            self._say(met.text)
        if met.skin is not None:
            self._observer.take(met.skin)
        more = not unread <= self._observer.opened and unread <= met.opened
        self._observer.opened = met.opened
        return met.skin is not None or more

    def _follow(self) -> bool:
        """Look for the board on the whole screen; True where it, or another one, was found elsewhere."""
        found = self._relocator.search(self._board, played=False)
        if not found.elsewhere:
            return False
        if found is SearchResult.ANOTHER:
            self._pending.forget()
        self._park()
        grid = self.view.grid
        self._say(
            f"{found.value}; playing on with {grid.columns}x{grid.rows} cells at {self.view.grid_on_screen()}"
        )
        return True

    def answer_dialogs(self, *, start: bool = False) -> bool:
        """Answer the dialogs that the game has opened, one after the other; whether there was one.

        One that asks whether to throw the present game away, or tells its end, is answered so only where
        another is to `start`.
        Raises WindowError for one that stays: what is typed may go to another window.
        """
        return dialogs.answer_all(
            lambda: self._observer.dialog(telling=start),
            self._windows,
            self._pointer,
            self._say,
            name=self._play_settings.name,
            records=self._play_settings.records,
            start=start,
        )

    def reject(self, reason: str) -> None:
        """The strategy found a contradiction: read everything afresh, and give up after a while."""
        now = time.perf_counter()
        if self._rejected_since is None:
            self._rejected_since = now
            self._say(f"looking again: {reason}")
            self._follow()
        self._observer.reader.forget()
        if now - self._rejected_since > self._play_settings.look_limit_s and self._frame is not None:
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
            self._seeds.wait(self._pointer.undisturbed)
        flags = [move for move in moves if move.action is Action.FLAG]
        others = [move for move in moves if move.action is not Action.FLAG]
        made = self._batch(flags)
        if made < len(flags) or not others:
            return made
        if flags:
            before = self._board
            after = self.observe()
            if after.phase.over or not differ_only_at(flags, before, after.board):
                return made
        return made + self._batch(others)

    def _batch(self, moves: Sequence[Move]) -> int:
        """Send clicks of one kind; gives how many were sent, or were no longer needed."""
        assert self._board is not None
        if not moves or not self._still_the_same():
            return 0
        made = 0
        for move in moves:
            sent = PendingClick(move, self._board[move.cell])
            if not self._click(sent):
                break
            if sent.at:
                self._pending.add(sent)
                self._flawless += 1
            made += 1
        self._park()
        return made

    def _click(self, sent: PendingClick) -> bool:
        """Make a click, unless a click before it has opened its cell.

        False, and no click, where there is something else than what the click was meant for: another game,
        a dialog, a flag; or where a person has the mouse.
        """
        assert self._board is not None
        self._pointer.wait_for_turn()
        board = seen_before(self._observer, sent.move.cell, self._board, pieces=self._moves > 0)
        there = board[sent.move.cell]
        if self._relocator.doubtful(new=self.fresh):
            return False
        if there != sent.before or not continues(self._board, board):
            return there <= 8 and continues(self._board, board)
        point = self.view.cell_on_screen(sent.move.cell)
        assert self.view.grid_on_screen().contains(point), "clicks go only to cells inside the board"
        if not self._pointer.click(point, sent.move.action, self.behaviour.chord, slow=sent.attempt > 1):
            return False
        sent.at = time.perf_counter()
        self.clicks += 1
        if self.started is None:
            self.started = sent.at
        self.record.click(sent.move, point, sent.attempt)
        return True

    def _still_the_same(self) -> bool:
        """Whether the cells are still those that the last observation showed."""
        assert self._frame is not None
        if not self._pointer.undisturbed():
            return False
        return same_pixels(self.view.cells_of(self._observer.grab()), self.view.cells_of(self._frame))

    def _park(self) -> None:
        """Leave the pointer where it hides nothing."""
        self._pointer.park(self._observer.beside_board())

    def new_game(self) -> None:
        """Start another game as this window does, and wait until the board is covered."""
        self._pending.forget()
        at_end = self._observer.ending is not None or self.behaviour.dialog_tells_end
        if at_end and (self._phase or self.observe().phase) is Phase.PLAYING:
            raise WindowError("this game starts another one only at its end: --resume plays this one on")
        self._phase = None
        self._observer.opened = frozenset()
        self._board = self._rejected_since = None
        self.begin_game()
        new_game.start(
            self._observer,
            self._pointer,
            self._windows,
            self._park,
            self.answer_dialogs,
            self._follow,
            look_limit_s=self._play_settings.look_limit_s,
        )

    def let_go(self) -> None:
        """Leave no button down, whatever happened."""
        self._pointer.let_go()

    def _say(self, text: str) -> None:
        self.record.note(text)
        self._tell(text)
