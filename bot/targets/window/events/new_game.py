"""Starting the next game, in the way that its window has for it.

Each way is one function; `WAYS` lists them, each with the games that it fits. To add a way, write its
function and list it there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.board import Board, Cell, Rules
from bot.errors import WindowError, WindowLost
from bot.geometry import Point, Rect
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.events import dialogs
from bot.targets.window.events.hidden_win import HIDDEN, hides_win
from bot.targets.window.events.new_game_places import described
from bot.targets.window.events.restart_search import NoWay, by_person, by_search
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.track.motion import Motion
from bot.targets.window.track.tracker import Tracker
from bot.vision.header.button import find_any_button, find_button
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.themes.palette import Ending
from bot.vision.themes.schema import DialogKind

__all__ = ["WAYS", "NoWay", "Way", "start"]

POLL_S = 0.05
"""Between two looks at a window whose next game takes its time."""

FACE_POLL_S = 0.001
"""The same after a click on a face, which starts a game at once."""

FACE_ATTEMPTS = 8
"""How often a face that does nothing is clicked."""

FACE_TAKES_S = 0.5
"""How long the new board may take to show after a click on a face."""

FACE_HIDDEN_S = 0.25
"""How long neither face nor board must be seen before the board is looked for elsewhere."""

UNREAD = 0.5
"""The part of the cells that may be unreadable at the end of a game whose board is where it was."""

ATTEMPTS = 4
"""How often a button over the board, or a learned way, is tried."""

STILL_S = 0.25
"""How long a button must have been in its place: it may fade in or fly in."""

PLAYED_S = 2.0
"""Once nothing has moved for this long, in seconds, the end has been played, and a button of any colour is
one too."""

TAKEN_S = 3.0
"""How long the new board may take to show after a button over the board was clicked."""

DIALOG_S = 20.0
"""How long a dialog may take to come with the end of a game: mines go off one after the other before it."""

LEARNED_TAKES_S = 1.0
"""How long the new board may take to show after a learned click or key that always starts a game."""


@dataclass(frozen=True)
class Way:
    """One way to start a game."""

    fits: Callable[[WindowObserver], bool]
    """Whether the game of a window is started so."""
    start: Callable[[WindowControls, Tracker, float], None]
    """Starts a game and waits until its board is seen; the last argument is for how many seconds what starts
    it is looked for. Raises WindowLost and WindowError where no game can be started."""


def start(controls: WindowControls, tracker: Tracker, look_limit_s: float) -> None:
    """Start another game and see its board.

    `look_limit_s`: for how many seconds a face is looked for. Raises WindowLost and WindowError where no game
    can be started.
    """
    for way in WAYS:
        if way.fits(controls.observer):
            return way.start(controls, tracker, look_limit_s)
    raise WindowError(f"the theme {controls.observer.name} does not say how a new game is started")


def by_face(controls: WindowControls, tracker: Tracker, look_limit_s: float) -> None:
    """Click the face above the board, or the button beside it."""
    observer = controls.observer
    for _ in range(FACE_ATTEMPTS):
        dialogs.answer_all(controls, start=True)
        face = _find_face(controls, tracker, look_limit_s)
        before = controls.seen()[1].board
        controls.click(face)
        controls.park()
        if _new_board_comes(controls, tracker, before) or (
            dialogs.answer_all(controls, start=True) and _new_board_comes(controls, tracker, before)
        ):
            return
        kind: DialogKind = "name" if tracker.was_over else "confirm"
        if _is_hidden(controls, before) and dialogs.answer_unlisted(controls, kind, start=True):
            tracker.restart(time.perf_counter())
            if _new_board_comes(controls, tracker, before):
                return
    raise WindowError(f"{FACE_ATTEMPTS} clicks on the face of {observer.title!r} started no new game")


def _find_face(controls: WindowControls, tracker: Tracker, look_limit_s: float) -> Point:
    """The point to click for a new game, once a face is seen there.

    Between two games a person may have moved the window or chosen another level: the board is looked for, in
    a window that has not moved once, after a while.
    """
    observer, searched, begin = controls.observer, False, time.perf_counter()
    answered = not tracker.was_over
    for now in controls.pointer.looks(look_limit_s, 10 * FACE_POLL_S):
        face = observer.face_on_screen()
        if face is None:
            raise WindowError(f"the theme {observer.name} does not say how a new game is started")
        moved = observer.has_moved()
        # Not every face has looks that are known: where the board is not, something else lies there.
        if not moved and observer.face_is_seen() and _board_is_there(controls):
            return face
        hidden = now - begin > FACE_HIDDEN_S and not searched
        if hidden and not answered:
            answered = True
            if hides_win(controls.seen()[1].board, observer.rules.mines):
                dialogs.answer_unlisted(controls, "name")
                continue
        if not dialogs.answer_all(controls, start=True) and (moved or hidden):
            searched = not moved
            controls.follow(None)
    raise WindowLost(
        f"the face of {observer.title!r}, which starts a new game, cannot be seen:"
        " show the whole window and start once more"
    )


def _is_hidden(controls: WindowControls, before: Board) -> bool:
    """Whether something lies over a board since the face was clicked."""
    unread = controls.seen()[1].board.count(Cell.UNREAD)
    return unread - before.count(Cell.UNREAD) >= HIDDEN * before.codes.size


def _board_is_there(controls: WindowControls) -> bool:
    """Whether cells are read where the board should be: most of them, for something may lie over it."""
    board = controls.seen()[1].board
    return board.count(Cell.UNREAD) < UNREAD * board.codes.size


def _new_board_comes(controls: WindowControls, tracker: Tracker, before: Board) -> bool:
    """Whether a board on which nothing has been played is seen soon; `before` is the one that was there."""
    takeovers = controls.pointer.takeovers
    for now in controls.pointer.looks(FACE_TAKES_S, FACE_POLL_S):
        if controls.pointer.takeovers != takeovers:
            return False
        seen = tracker.look(*controls.seen(), now)
        # A board that the game itself has opened looks like none other: the same one is the old one.
        fresh = seen.steady and controls.observer.is_fresh(seen.board)
        if fresh and (seen.board.all_covered or seen.board != before):
            return True
    return False


def by_end_button(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Wait for the button that comes over the finished board, and click it; nothing is done where the board
    is covered already."""
    observer = controls.observer
    ending = observer.behaviour.ending
    assert ending is not None, "the end of the game says what its button looks like"
    for _attempt in range(ATTEMPTS):
        controls.park()
        if not _click_end_button(controls, ending):
            return
        if _new_game_comes(controls, TAKEN_S):
            return
        # The page may have been zoomed meanwhile: the new board is there, but of another size.
        if controls.follow(None).elsewhere and controls.seen()[1].board.all_covered:
            return
    raise WindowError(f"{ATTEMPTS} clicks on the button for another game in {observer.title!r} started none")


def _click_end_button(controls: WindowControls, ending: Ending) -> bool:
    """Click the button once it rests; False where no click is needed, for the board is covered."""
    observer = controls.observer
    place: Rect | None = None
    since = 0.0
    motion = Motion(observer.view.cells_of, time.perf_counter())
    for now in controls.pointer.looks(ending.within_s, POLL_S):
        frame, reading = controls.seen()
        motion.update(frame, now)
        board_rect = observer.view.grid.rect
        button = find_button(frame, board_rect, ending.button)
        if button is None and motion.at_rest_for(now) > PLAYED_S:
            button = find_any_button(frame, board_rect)
        if button is None and reading.board.all_covered:
            return False
        if button != place:
            place, since = button, now
        elif button is not None and now - since >= STILL_S:
            clicked = controls.click(observer.view.on_screen(button.center))
            controls.park()
            if clicked:
                return True
            place = None
        if observer.has_moved() and not controls.follow(None).elsewhere:
            observer.move_along()  # the end of the game may hide the board
    raise WindowLost(
        f"the button that starts another game in {observer.title!r} did not appear within"
        f" {ending.within_s:g} s: start a new game yourself, then start once more"
    )


def by_end_dialog(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Answer the dialog that comes with the end of a game."""
    controls.park()
    limit_s = DIALOG_S
    while limit_s:
        next_limit_s = 0.0
        for _now in controls.pointer.looks(limit_s, POLL_S):
            if dialogs.answer_all(controls, start=True):
                next_limit_s = TAKEN_S
                break
            if controls.seen()[1].board.all_covered:
                return
        limit_s = next_limit_s
    raise WindowLost(
        f"no dialog of {controls.observer.title!r} that starts another game was seen: start a new game"
        " yourself, then start once more"
    )


def as_learned(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Click a place of the window, or strike a key, as its calibration says."""
    observer, way = controls.observer, controls.observer.behaviour.new_game
    assert way is not None, "a calibration says how a game is started"
    over_board = way.kind == "end place"
    covered = ""
    for attempt in range(2 * ATTEMPTS):
        dialogs.answer_all(controls)
        if over_board and attempt % 2 == 0 and attempt:
            for _now in controls.pointer.looks(way.wait_s, POLL_S):
                pass  # a button that comes with the end of a game may still be on its way
        if observer.has_moved() and not observer.move_along():
            before = "before" if observer.calibration is None else "its calibration is for"
            raise WindowLost(
                f"the window {observer.title!r} has another size than {before}, or lies partly off the"
                " screen: put it back and start once more"
            )
        if way.kind == "key":
            controls.pointer.undisturbed()
            controls.strike([way.key], observer.window)
        else:
            at = _place_on_screen(observer, way)
            covered = ", ".join(one.called for one in controls.covering(at))
            if not covered:
                controls.click(at, slow=bool(attempt))
                controls.park()
        for now in controls.pointer.looks(way.wait_s if over_board else LEARNED_TAKES_S, POLL_S):
            seen = tracker.look(*controls.seen(), now)
            if not seen.faults and _has_begun(seen.board):
                return
    if covered:
        raise WindowLost(
            f"{described(way)}, which starts a new game in {observer.title!r}, is covered by {covered}: move"
            " that away and start once more"
        )
    mend = (
        "give another key or place with --restart"
        if observer.way_is_given
        else "run `minebot calibrate` again"
    )
    raise WindowError(
        f"{2 * ATTEMPTS} tries to start a new game in {observer.title!r} by {described(way)} started none:"
        f" start one yourself, or {mend}"
    )


def _place_on_screen(observer: WindowObserver, way: NewGameWay) -> Point:
    """The point of the desktop at the place of a way. Raises WindowLost where it is not in the window."""
    scale, own = observer.view.scale, observer.window
    inside = observer.view.rect if own is None else own.rect
    at = Point(inside.x + int(way.x / scale), inside.y + int(way.y / scale))
    if not inside.contains(at):
        raise WindowLost(
            f"{described(way)} lies outside {observer.title!r}, which is"
            f" {inside.width}x{inside.height} points now: give the window its size again and start once more"
        )
    return at


def _has_begun(board: Board) -> bool:
    """Whether a new board is seen: covered, or half open as some windows begin, and nothing unread."""
    if board.finished or board.count(Cell.UNREAD, Cell.FLAG):
        return False
    return board.count(Cell.COVERED) > 0.5 * board.codes.size


def _new_game_comes(controls: WindowControls, limit_s: float) -> bool:
    """Whether a board with nothing opened is seen within a time, in seconds, or one in play, twice in a row
    the same: a click that comes twice starts a game and opens a cell of it."""
    before: Board | None = None
    for _ in controls.pointer.looks(limit_s, POLL_S):
        board = controls.seen()[1].board
        if board.all_covered or (board == before and _is_in_play(board, controls.observer.rules)):
            return True
        before = board
    return False


def _is_in_play(board: Board, rules: Rules) -> bool:
    """Whether all of a board is read and can be, and more cells are covered than hold mines."""
    if board.finished or rules.mines is None or board.faults(rules):
        return False
    return board.count(Cell.COVERED) > rules.mines and not board.count(Cell.FLAG)


WAYS = (
    Way(lambda observer: observer.asks_for_games, by_person),
    Way(lambda observer: observer.is_unknown and not observer.way_is_given, by_search),
    Way(lambda observer: observer.behaviour.new_game is not None, as_learned),
    Way(lambda observer: observer.behaviour.ending is not None, by_end_button),
    Way(lambda observer: observer.behaviour.dialog_tells_end, by_end_dialog),
    Way(lambda observer: observer.face_on_screen() is not None, by_face),
)
"""The ways to start a game; the first one that fits is taken."""
