"""A Minesweeper window on the screen as a target: grab, read, doubt, click, look again.

Nothing is clicked on a board that cannot be. Waiting is always looking: the tracker says when a board counts,
and until then this target does what helps: it sends lost clicks again, answers dialogs, follows the window.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.board import Action, Board, Cell, Move, Observation, Phase
from bot.errors import UnreadableBoard, WindowError
from bot.screen.capture import Capture
from bot.screen.windows import Windows
from bot.targets.base import Wanted
from bot.targets.board_changes import differ_only_at
from bot.targets.window.act.click_guard import SeedInterval
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.act.pointer import CHECK_S, Pointer, PointerRest
from bot.targets.window.clicked_window import Done
from bot.targets.window.completed_window import CompletedWindow
from bot.targets.window.events import dialogs, new_game, pause
from bot.targets.window.locate.relocate import Relocator, SearchResult
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.observe.trouble import give_up, save_picture, useless_click, why_impossible
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.sighting import Sighting
from bot.targets.window.spectator import Spectator
from bot.targets.window.track.game_end import game_end_for
from bot.targets.window.track.pending_clicks import DOUBLE_CLICK_S, PendingClick
from bot.targets.window.track.settle_times import SettleTimes
from bot.targets.window.track.tracker import Tracker, Waiting
from bot.targets.window.track.unknown_end import UnknownGameEnd
from bot.vision.grid import Image
from bot.vision.reading import Reading

TROUBLE_S = 0.25
"""How long a board must be impossible before anything is suspected, in seconds."""

UNKNOWN_PATIENCE = 4
"""How many times as long a board without a theme may be impossible: the general reader takes its time on a
busy machine."""

UNKNOWN_ATTEMPTS = 4
"""How often a click that does nothing is sent in a game whose end may show nothing."""

SILENT_S = 6.0
"""How long a guess must have done nothing to be a mine in a game whose end shows nothing, in seconds: on a
busy machine a window may stand still for two or three, and then show what it opened."""

MANY_LATE = 2
"""After so many times in a row that clicks worked at a late attempt alone, each is held as long as those."""

LOOKS = 10
"""How often a board must be looked at, besides, before it is given up."""

ATTEMPTS = 8
"""How often a click that does nothing is sent."""


class WindowTarget(CompletedWindow):
    """One window, game after game."""

    def __init__(
        self,
        sighting: Sighting,
        capture: Capture,
        windows: Windows,
        pointer: Pointer,
        settings: PlaySettings | None = None,
        *,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Play the board of a sighting. `tell` is given a line for people when something happens."""
        self._settings = settings or PlaySettings()
        observer = WindowObserver(
            sighting,
            capture,
            windows,
            mines=self._settings.mines,
            first_click=self._settings.first_click,
            way=self._settings.restart,
            asks_for_games=self._settings.asks_for_games,
        )
        relocator = Relocator(observer)
        controls = WindowControls(observer, pointer, windows, relocator, self._settings, self._say)
        timing = observer.behaviour.timing
        unknown_end = UnknownGameEnd(lambda: observer.is_dimmed, lambda: relocator.is_cut)
        own_end = unknown_end if observer.is_unknown else None
        self._game_end = own_end or game_end_for(observer.skin, observer.behaviour, observer.view.grid)
        times = SettleTimes.of_unknown() if observer.is_unknown else SettleTimes.of_bot(timing.rest_ms / 1000)
        tracker = Tracker(
            observer,
            times,
            self._game_end,
            lambda new: relocator.is_partial(new=new),
            resend_after_s=timing.resend_after_ms / 1000,
            apart_s=DOUBLE_CLICK_S if observer.is_unknown else 0.0,
        )
        observer.clicked = lambda: tracker.pending.clicked
        super().__init__(controls, tracker, tell, own_end, pieces=timing.rest_ms > 0 or observer.is_unknown)
        if observer.is_unknown:
            pointer.stay()
        self._takeovers = 0
        """How often a person had had the mouse when we asked last."""
        self._person_at = 0.0
        """When who moves the pointer is looked at next, on `time.perf_counter`; each click looks too."""
        self._suspect_at = 0.0
        """When the next look at what may be wrong is due, on `time.perf_counter`."""
        self._rejected_since: float | None = None
        self._seeds = SeedInterval(timing.new_game_interval_s)

    @property
    def chords(self) -> bool:
        """Whether a click on a number opens the cells around it in this game."""
        return self.behaviour.chord != "none"

    # A person beside us

    def spectator(self) -> Spectator:
        """Eyes on the same window for the time in which a person plays."""
        return Spectator(self._observer, self._tell, end=self._game_end)

    def give_mouse(self) -> PointerRest:
        """Let a person have the mouse until the next click; what is returned says when they let go of it."""
        return self._pointer.give()

    def find_again(self) -> None:
        """Before a game that somebody else began: a board of another size may lie where the old one did."""
        if self._relocator.is_partial(new=True):
            self._follow()

    # Looking

    def observe(self, wanted: Wanted | None = None) -> Observation:
        """The board at rest, possible and with the effect of the last clicks; or an early, `wanted` one."""
        asked: Board | None = None
        self._restart_tracker()
        if wanted is None:
            self._leave_board()
        while True:
            if time.perf_counter() > self._person_at and self._person_came():
                self._restart_tracker()
            frame, reading = self._controls.seen()
            now, before = time.perf_counter(), self._board
            seen = self._tracker.update(frame, reading, now)
            if isinstance(seen, Observation):
                if before is not None and not seen.phase.over and self._hidden_end(before, reading.board):
                    continue
                return self._taken(frame, reading, seen, now)
            early = None if wanted is None else self._tracker.early(frame, seen, now)
            if early is not None and wanted is not None and early.board != asked:
                asked = early.board
                # In the picture of a window that is being moved other cells lie where the clicked ones were.
                if wanted(early) and not self._observer.has_moved():
                    return self._taken_early(frame, reading, early, now)
            if self._pointer.wait_s <= 0:
                # Before its turn something that is certain may be seen, and clicked without a detour.
                self._leave_board()
            if early is not None:
                self._resend(self._tracker.lost_early(seen, now))
            self._wait(frame, reading, seen, now)
            time.sleep(self._tracker.motion.until_next_look(now))

    def _restart_tracker(self) -> None:
        """Look again from scratch: something happened in between."""
        now = time.perf_counter()
        self._tracker.restart(now)
        self._suspect_at = now + TROUBLE_S

    def _wait(self, frame: Image, reading: Reading, seen: Waiting, now: float) -> None:
        """Do what helps a board to count: send lost clicks again, or look for what is wrong.

        Raises WindowLost, WindowError or UnreadableBoard where nothing helps for too long.
        """
        end = self._unknown_end
        if end is not None and end.misread and self._observer.looks is not None:
            for code in (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG):
                self._observer.looks.forget(code)
            self._observer.reader.forget()
        if seen.impossible_s > TROUBLE_S and self._observer.doubt_mines(seen.faults):
            self._say("the number of mines that was read or learned is wrong: playing without it")
        if seen.possible and seen.steady:
            self._resend(seen.lost)
            self._suspect_at = now + TROUBLE_S
        elif self._won_behind_dialog(seen, now):
            self._restart_tracker()
        elif seen.steady and now > self._suspect_at:
            if self._repair(frame, reading, seen):
                self._restart_tracker()
            self._suspect_at = time.perf_counter() + 2 * TROUBLE_S
        limit_s = self._patience_s
        if seen.unsteady_s > limit_s and seen.unsteady_looks >= LOOKS and not (end and end.is_sought):
            partial = self._relocator.is_cut or (not seen.faults and self._relocator.is_partial(new=True))
            board, faults = reading.board, seen.faults
            hidden = partial or self._observer.has_moved() or self._observer.covering()
            # Numbers that contradict each other tell of other rules, and not that a guess has lost.
            told = not hidden and not self._observer.contradicts(frame)
            if end is not None and told and end.ends_unread(board, self.rules):
                return
            # Opened cells are unread too where what they mean cannot be by the rules.
            turned = self._tracker.has_turned(board)
            give_up(self._observer, frame, board, faults, limit_s, partial=partial, turned=turned)

    @property
    def _patience_s(self) -> float:
        """How long a board may be impossible, or take no click, in seconds."""
        return self._settings.look_limit_s * (UNKNOWN_PATIENCE if self._observer.is_unknown else 1)

    def _person_came(self) -> bool:
        """Whether a person has had the mouse since this was asked last.

        What we clicked before may then belong to a game that is gone: none of it is sent again.
        """
        self._pointer.undisturbed()
        self._person_at = time.perf_counter() + CHECK_S
        if self._pointer.takeovers == self._takeovers:
            return False
        self._takeovers = self._pointer.takeovers
        self._tracker.pending.forget()
        return True

    def _taken(self, frame: Image, reading: Reading, seen: Observation, now: float) -> Observation:
        """A board counts: note the end of a game, and record it."""
        was_over = self.ended is not None
        if not seen.phase.over:
            self.ended = None
        elif self.ended is None:
            self.ended = now
            if self._unknown_end is not None and self._unknown_end.sign:
                self.record.note(f"the end is told by {self._unknown_end.sign}")
        end = self._unknown_end
        if seen.phase is Phase.WON and end is not None and not was_over:
            hidden = seen.board.count(Cell.UNREAD) and end.seen is not None
            self._observer.totals.learn(end.seen if hidden and end.seen else seen.board, end.clicked)
            self._observer.contradicted = False
        if not seen.phase.over:
            self._observer.tell_unknown(self._say)
        self._keep_pace()
        self._flawless = 0
        if self._observer.is_unknown and self._tracker.pending.late >= MANY_LATE:
            self._pointer.hold(self._tracker.pending.late_attempt)
        self.keep_counted(frame, reading, seen)
        return seen

    def _resend(self, lost: Sequence[PendingClick]) -> None:
        """Send again the clicks that had no effect. Raises WindowError for one that was sent too often."""
        if lost and self._told_by_text():
            return
        for pending in lost:
            if self._unknown_end is not None and pending.attempt >= UNKNOWN_ATTEMPTS and not self.fresh:
                # A game that is over takes no clicks, whatever it shows.
                ended = self._unknown_end.by_logic
                if ended is Phase.LOST and time.perf_counter() - pending.first_at < SILENT_S:
                    return
                is_hit = ended is Phase.LOST and not self._shows_what_was_there(pending.move.cell)
                if is_hit or (ended is Phase.WON and self._unknown_end.may_be_won(self.rules)):
                    self._unknown_end.declare(ended, "clicks that do nothing any more")
                    return
            if pending.attempt >= ATTEMPTS:
                raise useless_click(self._observer, pending.move, pending.attempt, self._tracker.frame)
            self._doubt_look(pending)
            pending.attempt += 1
            if self._click(pending) in (Done.REFUSED, Done.HIDDEN):
                pending.attempt, now = pending.attempt - 1, time.perf_counter()
                pending.refused_at = pending.refused_at or now
                if now - pending.refused_at > self._patience_s:
                    raise useless_click(self._observer, pending.move, pending.attempt, self._tracker.frame)
                return  # something is there that was not: look again before anything is sent
            pending.refused_at = 0.0
        if lost:
            self._pointer.slower()
            self._flawless = 0
            self._is_over_board = True
            self._leave_board()

    # Trouble

    def _repair(self, frame: Image, reading: Reading, seen: Waiting) -> bool:
        """Something has been wrong for a while: a dialog, a closed or moved window, a board that may be a
        part of another one. True where something was done about it."""
        paused = self._observer.is_paused(frame)
        self.keep(frame, reading, Phase.PAUSED if paused else Phase.HIDDEN, seen.faults)
        end = self._unknown_end
        if self._told_by_window(self._board, reading.board) or self._told_by_text() or self.answer_dialogs():
            return True
        if self._may_have_won(frame, reading.board):
            # A window that was moved shows its board elsewhere.
            return self._follow() or dialogs.answer_unlisted(self._controls, "name")
        if self._observer.has_moved() and (self._follow() or pause.follow(self._controls)):
            return True
        if self.view.grid_on_screen().contains(self._pointer.mouse.position()):
            self._controls.park()  # the pointer may change what a cell looks like
            return True
        if paused:
            self._say(pause.resume(self._controls))
            return True
        if self._observer.covering() or self._observer.has_moved():
            self._tracker.note_search(elsewhere=False)
            if end is not None:
                end.searches = 0  # it is known what hides the board, and that is not waited for without end
            return False
        if end is not None and self._tracker.has_turned(reading.board):
            self._observer.reader.forget()
            if end.look_again(reading.board):
                return True
        searched = seen.partial or seen.unsteady_s > 2 * TROUBLE_S
        found = searched and self._follow()
        if end is not None:
            end.searches += searched and not found
        return found

    def _follow(self) -> bool:
        """Look for the board on the whole screen; True where it, or another one, was found elsewhere."""
        grid = self.view.grid
        found = self._controls.follow(self._board, self._tracker.shown)
        self._tracker.note_search(elsewhere=found.elsewhere)
        if found.elsewhere:
            self._tracker.pending.disturb()
        # A click that was lost while the cells went elsewhere in their window cannot be held against the
        # picture from before it: what to click is decided again.
        if found is SearchResult.ANOTHER or self.view.grid != grid:
            self._tracker.pending.forget()
            self._tracker.forget_misplaced()
        return found.elsewhere

    def reject(self, reason: str) -> None:
        """The strategy found a contradiction: read everything from scratch, and give up after a while."""
        if self._observer.doubt_learned_mines():
            self._say("the number of mines that was learned may be wrong: playing without it")
            return
        now = time.perf_counter()
        if self._rejected_since is None:
            self._rejected_since = now
            self._observer.contradicted = True
            self._say(f"looking again: {reason}")
            self._follow()
            # What was kept of earlier pictures may be wrong, and all that is read now be right.
            self._observer.reader.forget()
        else:
            self._observer.doubt()
        if self._observer.is_unknown:
            self._tracker.doubt()
        too_long = now - self._rejected_since > self._settings.look_limit_s
        if too_long and self._tracker.frame is not None:
            saved = save_picture(self._tracker.frame)
            why = why_impossible(self._observer, reason)
            raise UnreadableBoard(f"the board cannot be right: {why} (what was seen: {saved})")

    # Acting

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
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
        if self._unknown_end is not None:
            opened = [move.cell for move in others if move.action is Action.OPEN]
            unflagged = [move.cell for move in flags if self._board[move.cell] == Cell.FLAG]
            self._unknown_end.acted(opened, certain=certain, unflagged=unflagged)
            self._observer.forget_motion()
        if others:
            self._note_picture()
        made = len(self._batch(flags))
        made_then = len(self._batch(others)) if others and made == len(flags) and self._show(flags) else 0
        if not (made_then if others else made) and self._unknown_end is not None:
            self._unknown_end.not_sent()
        return made + made_then

    def _show(self, flags: Sequence[Move]) -> bool:
        """Whether flags that were just set are seen in their places, and nothing else has changed."""
        if not flags:
            return True
        assert self._board is not None
        before = self._board
        after = self.observe()
        return not after.phase.over and differ_only_at(flags, before, after.board)

    def new_game(self) -> None:
        """Start another game as this window does, and wait until the board is covered."""
        at_end = (self._game_end is not None and self._unknown_end is None) or self.behaviour.dialog_tells_end
        last = self._tracker.last
        if at_end and (last or self.observe()).phase is Phase.PLAYING:
            raise WindowError("this game starts another one only at its end: --resume plays this one on")
        self._rejected_since = None
        self._tracker.forget_game()
        self.begin_game()
        try:
            new_game.start(self._controls, self._tracker, self._settings.look_limit_s)
        except new_game.NoWay as error:
            self._say(f"{error}: it is played on")
