"""Finds out how a game that no theme knows is started again: ways are tried, the harmless ones first.

Each way is told by its effect: a board that is covered again, another window, nothing. What opened a window
is closed again and not tried a second time; so is what did nothing. The way that worked is kept.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

from bot.board import Board, Cell
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.targets.board_changes import covers_again
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.events import dialogs
from bot.targets.window.events.new_game_places import NewGameCandidate, new_game_candidates, standing_buttons
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.track.tracker import Tracker, Waiting
from bot.vision.grid import Image
from bot.vision.themes.behaviour import NewGameWay

TAKES_S = 1.2
"""How long a way may take to show a new board, in seconds."""

RELOAD_S = 4.0
"""The same for a page that is loaded again."""

POLL_S = 0.03
"""Between two looks, in seconds."""

AGAIN_S = 2.0
"""While somebody else is waited for, the board is searched on the whole screen so often."""

BROWSERS = r"chrom|firefox|navigator|brave|edge|opera|vivaldi|safari|epiphany|\.html?\b|__|localhost|^www\."
"""In the names of programs that show pages; Chromium names the window of a page after its address. There
Ctrl+N opens another window, and F5 loads the page again."""

TITLE_CORNERS = 56, 0.25
"""Height, in points, of the top right corner of a window that is never clicked, and its part of the width:
windows that draw their own title keep the button there that closes them."""


def by_search(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Start a game by the way that worked before, else by the first that works; where none does, say so and
    wait until somebody else has started one."""
    observer = controls.observer
    known = observer.behaviour.new_game
    at_end, over, before = observer.grab(), tracker.was_over, controls.seen()[1].board
    dialogs.answer_all(controls, start=True)
    if _comes(controls, tracker, before, POLL_S):
        return
    for way in _ways(observer, at_end, tracker.in_play, over=over):
        if way in observer.useless:
            continue
        there = {window.id for window in controls.windows.windows()}
        if not _do(controls, way):
            continue
        reload = way.key == "f5"
        if _comes(controls, tracker, before, RELOAD_S if reload else TAKES_S):
            if way != known:
                observer.behaviour = replace(observer.behaviour, new_game=way)
                controls.say(f"a new game is started by {NewGameCandidate(way)}")
            return
        observer.useless.append(way)
        opened = [window for window in controls.windows.windows() if window.id not in there]
        if opened:
            controls.say(
                f"{NewGameCandidate(way)} opened {opened[-1].title or 'a window'!r}: not tried again"
            )
            dialogs.dismiss(controls, opened)
    if not over:
        raise NoWay(f"no way was found to throw the game of {observer.title!r} away")
    controls.say(
        f"no way was found to start a new game in {observer.title!r}: start the next one, I go on when I see"
        " it (--restart KEY or X,Y says how it is started)"
    )
    wait_for_person(controls, tracker)


class NoWay(WindowError):
    """A half-played game cannot be thrown away."""


def by_person(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Ask for the next game, and wait until it is there."""
    controls.say(f"start the next game in {controls.observer.title!r}: I go on when I see it")
    wait_for_person(controls, tracker)


def wait_for_person(controls: WindowControls, tracker: Tracker) -> None:
    """Wait until somebody has started another game; the mouse is theirs. Raises Stopped in a corner."""
    rest = controls.pointer.give()
    searched, before = time.perf_counter(), controls.seen()[1].board
    while True:
        resting = rest.lasts()
        now = time.perf_counter()
        if controls.observer.has_moved() or now - searched > AGAIN_S:
            searched = now
            controls.relocator.search(None, played=False)
        if _has_begun(tracker.look(*controls.seen(), now), before) and resting:
            return
        time.sleep(POLL_S)


def _ways(
    observer: WindowObserver, at_end: Image, in_play: Image | None, *, over: bool
) -> Iterator[NewGameWay]:
    """What may start a new game, the most likely and harmless first, each once."""
    grid = observer.view.grid
    if in_play is None or in_play.shape != at_end.shape:
        in_play = at_end
    program = "" if observer.window is None else observer.window.program.lower()
    is_page = re.search(BROWSERS, program) is not None
    candidates = [one.way for one in new_game_candidates(at_end, in_play, grid)]
    faces = [way for way in candidates if way.kind == "place"]
    over_board = [way for way in candidates if way.kind == "end place"]
    middle = grid.center((grid.rows // 2, grid.columns // 2))
    on_board = [NewGameWay("end place", middle.x, middle.y)]
    texts = [NewGameWay("place", box.center.x, box.center.y) for box in standing_buttons(at_end, grid)]
    keys = [NewGameWay("key", key=key) for key in ("n", "r", "space", "enter")]
    if is_page:
        order = [*faces[:3], *over_board, *on_board, *texts, NewGameWay("key", key="f2"), *keys]
        order.append(NewGameWay("key", key="f5"))
    else:
        quick = [NewGameWay("key", key="f2"), NewGameWay("key", key="ctrl+n")]
        order = [*faces[:1], *quick, *faces[1:3], *on_board, *over_board, *keys, *texts]
    if observer.behaviour.new_game is not None:
        order.insert(0, observer.behaviour.new_game)
    tried: list[NewGameWay] = []
    for way in order:
        if way not in tried and (over or way.kind != "end place") and _may_be_clicked(observer, way):
            tried.append(way)
            yield way


def _may_be_clicked(observer: WindowObserver, way: NewGameWay) -> bool:
    """Whether a place lies inside the window, and not where it may be closed."""
    if way.kind == "key":
        return observer.window is not None
    view = observer.view
    point = view.on_screen(Point(way.x, way.y))
    window = view.rect if observer.window is None else observer.window.rect
    height, part = TITLE_CORNERS
    corner = Rect(window.right - int(part * window.width), window.y, int(part * window.width), height)
    cells = view.grid_on_screen()
    return window.contains(point) and (not corner.contains(point) or cells.contains(point))


def _do(controls: WindowControls, way: NewGameWay) -> bool:
    """Click the place or strike the key; False where that was not possible."""
    if way.kind == "key":
        controls.pointer.undisturbed()
        return controls.strike([way.key], controls.observer.window)
    clicked = controls.click(controls.observer.view.on_screen(Point(way.x, way.y)), slow=True)
    controls.park()
    return clicked


def _comes(controls: WindowControls, tracker: Tracker, before: Board, limit_s: float) -> bool:
    """Whether a new board, and not the one `before`, is seen within a time, in seconds.

    Dialogs that come with it are answered.
    """
    begin, followed = time.perf_counter(), False
    for now in controls.pointer.looks(limit_s, POLL_S):
        if _has_begun(tracker.look(*controls.seen(), now), before):
            return True
        dialogs.answer_all(controls, start=True)
        moved = controls.observer.has_moved()
        if moved or (now - begin > limit_s / 2 and not followed):
            followed = True
            if _is_blank(controls.seen()[1].board) or moved:
                controls.follow(None)
    return False


def _is_blank(board: Board) -> bool:
    """Whether hardly a cell can be read: a page that was loaded again may lie elsewhere."""
    return bool((board.codes == Cell.UNREAD).mean() > 0.5)


def _has_begun(seen: Waiting, before: Board) -> bool:
    """Whether a new board is seen: covered, or half open as some games begin, but covered where the one
    `before` was opened."""
    board = seen.board
    if not seen.steady or board.finished or board.count(Cell.UNREAD, Cell.FLAG):
        return False
    return board.all_covered or covers_again(before, board)
