"""Finds out how a game that no theme knows is started again: ways are tried, the harmless ones first.

Each way is told by its effect: a board that is covered again, another window, nothing. What opened a window
is closed again and not tried a second time; so is what did nothing. The way that worked is kept.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from bot.board import Board, Cell, Coordinate
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.targets.board_changes import is_one_opening
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.events import dialogs
from bot.targets.window.events.begun import POLL_S, comes, has_begun
from bot.targets.window.events.buttons import has_changed, seen_buttons
from bot.targets.window.events.new_game_places import (
    changed_cells,
    changed_pixels,
    described,
    is_browser,
)
from bot.targets.window.events.restart_ways import RELOAD_KEY, may_be_clicked, place_of, restart_ways
from bot.targets.window.observe.trouble import NO_MINESWEEPER
from bot.targets.window.track.tracker import Tracker
from bot.vision.grid import Image, part, same_pixels
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.words import Meaning

TAKES_S = 2.0
"""How long a way may take to show a new board, in seconds: at 1.2, pages on a busy machine (a load of ten for
each core) had not drawn it in two of twelve tests, and the next way was taken for the one that works."""

RELOAD_S = 4.0
"""How long it may take to load a page again, in seconds."""

MOST_S = 5.0
"""How long it may take at most, in seconds: twice as long as the slowest click of the game took to show."""

REST_S, REST_LIMIT_S = 0.25, 1.5
"""How long the window must rest before its buttons are looked for, and how long that is waited for at most,
in seconds: clocks run and confetti falls for ever."""

AGAIN_S = 2.0
"""While somebody else is waited for, the board is searched on the whole screen so often."""

MENU = 0.03
"""Part of the cells that a menu or a card must hide to be something over the board."""

MOST_WAYS = 16
"""The most ways that are tried in one window."""

REFUSALS = 3
"""After so many ways that could not be tried, since a person had the mouse or what was to be clicked looked
otherwise, the last of them is given up."""

ONE_PLACE = 6
"""How far apart places of one button lie at most, in pixels: its edges may be found otherwise."""

AROUND = 8
"""Half the width of what must look as it did where something is clicked, in pixels."""

KNOWN_TRIES = 3
"""How often a way that has started a game before is tried: a busy window loses a click or a key, and what
tells the end of a game may come late."""


def by_search(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Start a game by the way that worked before, else by the first that works; where none does, say so and
    wait until somebody else has started one."""
    observer = controls.observer
    known = observer.behaviour.new_game
    over, before = tracker.was_over, controls.seen()[1].board
    dialogs.answer_all(controls, start=True)
    if over and tracker.in_play is not None:
        dialogs.answer_in_page(controls, tracker.in_play)
    if has_begun(tracker.look(*controls.seen(), time.perf_counter()), before, tracker.played):
        return
    refused, failures, is_spoilt = 0, 0, False
    in_vain, retried, swallowed = list[NewGameWay](), list[NewGameWay](), list[NewGameWay]()
    # In some games a mine that is opened deals the next board, also after a win.
    left = before.where(Cell.COVERED) if over else []
    while True:
        found = _next_way(controls, tracker.in_play, left, over=over, only_reload=is_spoilt)
        if found is None and not in_vain:
            break
        if in_vain and (found is None or found[0].key == RELOAD_KEY):
            # A game may take no click at once after its end, and a busy machine loses some; to load its page
            # again starts one in any case, and forgets more than the game.
            observer.useless = [way for way in observer.useless if way not in in_vain]
            retried, in_vain = retried + in_vain, []
            continue
        assert found is not None
        way, at = found
        there, (seen_in, reading) = {window.id for window in controls.windows.windows()}, controls.seen()
        shown = reading.board
        if not _do(controls, way, at):
            if observer.has_moved():
                controls.follow(None)
            refused += 1
            if refused % REFUSALS == 0:
                observer.useless.append(way)
            continue
        takes_s = min(max(TAKES_S, 2 * tracker.pending.slowest_s), MOST_S)
        limit_s = RELOAD_S if way.key == RELOAD_KEY else takes_s
        if comes(controls, tracker, before, limit_s) or _goes_on(
            controls, tracker, before, way, seen_in, limit_s
        ):
            if way != known:
                observer.behaviour = replace(observer.behaviour, new_game=way)
                controls.say(f"a new game is started by {described(way)}")
            if is_one_opening(controls.seen()[1].board):
                observer.behaviour = replace(observer.behaviour, opened_at_start=True)
            return
        failures += way == known
        if way != known or failures >= KNOWN_TRIES:
            observer.useless.append(way)
        opened = [window for window in controls.windows.windows() if window.id not in there]
        uncovered = way.kind != "key" and _has_uncovered(controls, tracker.in_play, seen_in, shown)
        if opened:
            controls.observer.has_moved()  # raises WindowLost: what came in place of the game gets no key
            again = "not tried again" if way in observer.useless else "closed"
            controls.say(f"{described(way)} opened {opened[-1].title or 'a window'!r}: {again}")
            dialogs.dismiss(controls, opened)
        elif not _undone(controls, [seen_in, tracker.in_play], shown, way):
            if is_spoilt or not is_browser(observer.window):
                break
            is_spoilt = True  # what lies over a page goes when the page is loaded again
        elif uncovered and not any(_are_one(way, other) for other in swallowed):
            # What lay over the board has taken the click, wherever that was, and is gone.
            observer.useless = [other for other in observer.useless if other != way]
            swallowed.append(way)
        elif way.kind != "key" and controls.seen()[1].board == shown:
            in_vain += [] if any(_are_one(way, other) for other in retried) else [way]
    if not over:
        # A button that keeps a half-played game may be the one that starts the next game at its end.
        observer.useless = [way for way in observer.useless if way not in retried]
        raise NoWay(f"no way was found to throw the game of {observer.title!r} away")
    nothing = f"no way was found to start a new game in {observer.title!r}"
    if observer.contradicted:
        # Of what is no Minesweeper the next board is not read either.
        raise WindowError(f"after numbers that cannot all be right {nothing}{NO_MINESWEEPER}")
    wait_s = controls.settings.wait_s
    if not wait_s:
        raise WindowError(nothing)
    controls.say(
        f"{nothing}: start the next one, I go on when I see it (--restart KEY or X,Y says how it is started)"
    )
    if not wait_for_person(controls, tracker, wait_s):
        raise WindowError(
            f"{nothing} and nobody did within {wait_s / 60:.3g} minutes: start one, then minebot again"
        )


def _next_way(
    controls: WindowControls,
    in_play: Image | None,
    left: Sequence[Coordinate],
    *,
    over: bool,
    only_reload: bool,
) -> tuple[NewGameWay, Image | None] | None:
    """The likeliest way that was not tried yet, and the picture in which it was found if that is at rest;
    None where there is no other. With `only_reload` it is to load the page again.

    Each is looked for in a new picture: the one before may have shown a window that was just closed, or
    buttons that were not drawn yet.
    """
    observer = controls.observer
    picture, rests = _rested(controls)
    if len(observer.useless) < MOST_WAYS:
        for way in restart_ways(observer, picture, in_play, left, over=over):
            if only_reload and way.key != RELOAD_KEY:
                continue
            if not any(_are_one(way, other) for other in observer.useless):
                return way, picture if rests else None
    return None


def _are_one(way: NewGameWay, other: NewGameWay) -> bool:
    """Whether two ways are the same key, or places of one button."""
    if way.kind == "key" or other.kind == "key":
        return way.key == other.key
    return max(abs(way.x - other.x), abs(way.y - other.y)) <= ONE_PLACE


def _rested(controls: WindowControls) -> tuple[Image, bool]:
    """A picture of the window once it rests, and whether it does: things may move in it for ever."""
    last, since = controls.observer.grab(), time.perf_counter()
    for now in controls.pointer.looks(REST_LIMIT_S, POLL_S):
        frame = controls.observer.grab()
        if not same_pixels(frame, last):
            last, since = frame, now
        elif now - since >= REST_S:
            return last, True
    return last, False


def _undone(
    controls: WindowControls, pictures: Sequence[Image | None], shown: Board, way: NewGameWay
) -> bool:
    """Take back what a way did that started no game, as opening a menu over the board that showed `shown`;
    whether the window is as it was. Cells that look as in one of some pictures of it lie under nothing,
    though a board that cannot be leaves them unread; and what blinks is not what the way did."""

    def is_as_it_was() -> bool:
        frame, reading = controls.seen()
        board = reading.board
        if board.codes.shape != shown.codes.shape:
            return False
        hidden = (board.codes == Cell.UNREAD) & (shown.codes != Cell.UNREAD)
        for picture in pictures:
            if picture is not None and picture.shape == frame.shape:
                hidden &= changed_cells(controls.observer.view.grid, picture, frame)
        return bool(hidden.sum() <= MENU * hidden.size)

    def is_soon_as_it_was() -> bool:
        return any(is_as_it_was() for _ in controls.pointer.looks(TAKES_S / 2, POLL_S))

    if is_soon_as_it_was():
        return True
    controls.say(f"{described(way)} laid something over the board: taken back by Escape")
    controls.strike(["escape"], controls.observer.window)
    return is_soon_as_it_was()


def _has_uncovered(controls: WindowControls, in_play: Image | None, before: Image, shown: Board) -> bool:
    """Whether cells are seen that something lay over in the picture `before`, in which the board was `shown`:
    they were unread and are not any more, or look as in the picture of the game `in_play` now and did not."""
    (frame, reading), grid = controls.seen(), controls.observer.view.grid
    board = reading.board
    if board.codes.shape != shown.codes.shape:
        return False
    read = (shown.codes == Cell.UNREAD) & (board.codes != Cell.UNREAD)
    if read.mean() > MENU:
        return True
    if in_play is None or not in_play.shape == before.shape == frame.shape:
        return False
    hidden, left = (float(changed_cells(grid, in_play, one).mean()) for one in (before, frame))
    return hidden - left > MENU


class NoWay(WindowError):
    """A half-played game cannot be thrown away."""


def by_person(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Ask for the next game, and wait until it is there."""
    controls.say(f"start the next game in {controls.observer.title!r}: I go on when I see it")
    wait_for_person(controls, tracker)


def wait_for_person(controls: WindowControls, tracker: Tracker, limit_s: float = inf) -> bool:
    """Wait until somebody has started another game, and whether it came within a time, in seconds; the mouse
    is theirs. Raises Stopped in a corner."""
    rest = controls.pointer.give()
    begin = searched = time.perf_counter()
    before = controls.seen()[1].board
    while True:
        resting = rest.lasts()
        now = time.perf_counter()
        if controls.observer.has_moved() or now - searched > AGAIN_S:
            searched = now
            controls.relocator.search(None, played=False)
        if has_begun(tracker.look(*controls.seen(), now), before, tracker.played) and resting:
            return True
        if now - begin > limit_s:
            return False
        time.sleep(POLL_S)


def _do(controls: WindowControls, way: NewGameWay, at: Image | None) -> bool:
    """Click the place or strike the key; False where that was not possible, or where the place does not look
    as in the picture `at` any more: something else may lie there."""
    if way.kind == "key":
        controls.pointer.undisturbed()
        return controls.strike([way.key], controls.observer.window)
    if at is not None:
        around = Rect(way.x - AROUND, way.y - AROUND, 2 * AROUND, 2 * AROUND)
        around = around.clipped(Rect(0, 0, at.shape[1], at.shape[0]))
        if not same_pixels(part(controls.observer.grab(), around), part(at, around)):
            return False
    point = controls.observer.view.on_screen(Point(way.x, way.y))
    if controls.covering(point):
        return False
    clicked = controls.click(point, slow=True)
    controls.park()
    return clicked


def _goes_on(
    controls: WindowControls, tracker: Tracker, before: Board, way: NewGameWay, seen_in: Image, limit_s: float
) -> bool:
    """Whether what a way has laid over the window, which looked as in the picture `seen_in` before it, starts
    a game by a button of its own, as a menu does that asks for the level. `limit_s` as `comes` has it."""
    observer = controls.observer
    picture, rests = _rested(controls)
    if not rests or picture.shape != seen_in.shape:
        return False
    there = [one for one in seen_buttons(picture, seen_in, observer.view.grid) if one.changed]
    if tracker.in_play is not None and tracker.in_play.shape == picture.shape:
        # A dialog that lay over a button of the game, and was answered meanwhile, has laid nothing over it.
        since = changed_pixels(picture, tracker.in_play)
        there = [one for one in there if has_changed(since, one.box)]
    starts = (Meaning.NEW, Meaning.LEVEL)
    there = [one for one in there if one.meaning in starts and not one.box.contains(Point(way.x, way.y))]
    # What was there before may only have moved a little.
    there.sort(key=lambda one: (one.meaning is not Meaning.NEW, not one.over_board))
    ways = [place_of(one.box, at_end=True) for one in there]
    ways = [one for one in ways if may_be_clicked(observer, one)]
    return bool(ways) and _do(controls, ways[0], picture) and comes(controls, tracker, before, limit_s)
