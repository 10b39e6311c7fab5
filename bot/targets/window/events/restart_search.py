"""Finds out how a game that no theme knows is started again: ways are tried, the harmless ones first.

Each way is told by its effect: a board that is covered again, another window, nothing. What it opened is
closed again. The way that worked is kept; which of the others are tried again, `TriedWays` says.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from bot.board import Board, Cell
from bot.errors import WindowError, WindowLost
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
from bot.targets.window.events.start_menu import press_in_menu
from bot.targets.window.events.tried_ways import Effect, TriedWays
from bot.targets.window.observe.trouble import no_minesweeper
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

REPLACED_S, MOST_MENUS = 6.0, 3
"""How long it may take until another window shows the next game, in seconds, where that of the last one is
gone; and how many menus may come in between."""

AGAIN_S = 2.0
"""While somebody else is waited for, the board is searched on the whole screen so often."""

MENU = 0.03
"""Part of the cells that a menu or a card must hide to be something over the board."""

MOST_WAYS = 16
"""The most ways that are tried in one window."""

AROUND = 8
"""Half the width of what must look as it did where something is clicked, in pixels."""


def by_search(controls: WindowControls, tracker: Tracker, _: float) -> None:
    """Start a game by the way that worked before, else by the first that works; where none does, say so and
    wait until somebody else has started one.

    Raises NoWay where the game is half played and cannot be thrown away, WindowError where nobody starts one.
    """
    observer = controls.observer
    tried = TriedWays(observer.useless, observer.behaviour.new_game)
    search = Search(controls, tracker, tried, before=controls.seen()[1].board, over=tracker.was_over)
    if search.is_followed() or search.answer_end() or search.try_ways():
        return
    if not search.over:
        tried.free_retried()
        raise NoWay(f"no way was found to throw the game of {observer.title!r} away")
    _ask_person(controls, tracker)


@dataclass(frozen=True)
class Moment:
    """What was seen right before a way was tried."""

    window_ids: set[int]
    """Those of all windows of the desktop."""
    picture: Image
    """The window of the game."""
    board: Board
    """What was read in the picture."""


@dataclass
class Search:
    """Tries one way to a new game after the other in one window."""

    controls: WindowControls
    tracker: Tracker
    tried: TriedWays
    before: Board
    """The board that was there when the search began."""
    over: bool
    """Whether the game of that board is over; otherwise it is to be thrown away."""
    only_reload: bool = False
    """Whether something lies over the page that goes only when it is loaded again."""

    def is_followed(self) -> bool:
        """Whether the window of the game is gone, as the last click may have been one too many, and the next
        game has begun in another one. Raises WindowLost where it has not."""
        try:
            self.controls.observer.has_moved()
        except WindowLost:
            if self.over and self._is_replaced():
                return comes(self.controls, self.tracker, self.before, TAKES_S)
            raise
        return False

    def answer_end(self) -> bool:
        """Answer what the end of the game has opened; whether the next one has begun by that."""
        dialogs.answer_all(self.controls, start=True)
        if self.over and self.tracker.in_play is not None:
            dialogs.answer_in_page(self.controls, self.tracker.in_play)
        seen = self.tracker.look(*self.controls.seen(), time.perf_counter())
        return has_begun(seen, self.before, self.tracker.played)

    def try_ways(self) -> bool:
        """Try ways until one starts a game, and keep that one; whether one did. Where something stays over
        the board, only a page can go on: it is loaded again."""
        while (found := self._next_way()) is not None:
            way, picture = found
            moment = self._moment()
            if not _do(self.controls, way, picture):
                self._refuse(way)
                continue
            if self._has_started(way, moment):
                self._keep(way)
                return True
            self.tried.fail(way)  # at once: what follows raises an error where the window is gone
            effect = self._take_back(way, moment)
            self.tried.judge(way, effect)
            if effect is Effect.SPOILT:
                if self.only_reload or not is_browser(self.controls.observer.window):
                    return False
                self.only_reload = True
        return False

    def _next_way(self) -> tuple[NewGameWay, Image | None] | None:
        """The way to try next, as `_untried` has it. What did nothing is tried once more before the page is
        loaded again, and where no other way is left."""
        found = self._untried()
        if (found is None or found[0].key == RELOAD_KEY) and self.tried.retry():
            return self._untried()
        return found

    def _untried(self) -> tuple[NewGameWay, Image | None] | None:
        """The likeliest way that may be tried, and the picture in which it was found if that is at rest; None
        where there is no other.

        Each is looked for in a new picture: the one before may have shown a window that was just closed, or
        buttons that were not drawn yet.
        """
        picture, rests = _rested(self.controls)
        if len(self.tried.useless) >= MOST_WAYS:
            return None
        # In some games a mine that is opened deals the next board, also after a win.
        left = self.before.where(Cell.COVERED) if self.over else []
        observer, in_play = self.controls.observer, self.tracker.in_play
        for way in restart_ways(observer, picture, in_play, left, over=self.over):
            if self.tried.may_try(way) and (way.key == RELOAD_KEY or not self.only_reload):
                return way, picture if rests else None
        return None

    def _moment(self) -> Moment:
        """What is seen now."""
        window_ids = {window.id for window in self.controls.windows.windows()}
        picture, reading = self.controls.seen()
        return Moment(window_ids, picture, reading.board)

    def _refuse(self, way: NewGameWay) -> None:
        """Note that a way could not be tried, and follow the board if that is why."""
        if self.controls.observer.has_moved():
            self.controls.follow(None)
        self.tried.refuse(way)

    def _has_started(self, way: NewGameWay, moment: Moment) -> bool:
        """Whether a way that was just tried starts a game, by itself or by a button of what it opens."""
        takes_s = min(max(TAKES_S, 2 * self.tracker.pending.slowest_s), MOST_S)
        limit_s = RELOAD_S if way.key == RELOAD_KEY else takes_s
        try:
            return comes(self.controls, self.tracker, self.before, limit_s) or _goes_on(
                self.controls, self.tracker, self.before, way, moment.picture, limit_s
            )
        except WindowLost:
            if not self._is_replaced():
                raise
            return comes(self.controls, self.tracker, self.before, limit_s)

    def _is_replaced(self) -> bool:
        """Whether the window of the game, which is gone, was replaced by another one with the same title that
        shows a new board, or a menu that leads to such a window."""
        controls, again_at, left = self.controls, dict[int, float](), MOST_MENUS
        for now in controls.pointer.looks(REPLACED_S, POLL_S):
            opened = controls.observer.opened_windows()
            there = [one for one in opened if one.title == controls.observer.title][-1:]
            if any(controls.follow_into(one) for one in there):
                return True
            for one in there:
                # A window that has just opened may take no click yet.
                if left and now >= again_at.get(one.id, 0.0) and press_in_menu(controls, one):
                    controls.say(f"{one.title!r} shows a menu: clicked what starts a game")
                    again_at[one.id], left = now + TAKES_S, left - 1
        return False

    def _keep(self, way: NewGameWay) -> None:
        """Keep the way that has started a game for the next games, and whether they begin half open."""
        observer = self.controls.observer
        if not self.tried.is_known(way):
            observer.behaviour = replace(observer.behaviour, new_game=way)
            self.controls.say(f"a new game is started by {described(way)}")
        if is_one_opening(self.controls.seen()[1].board):
            observer.behaviour = replace(observer.behaviour, opened_at_start=True)

    def _take_back(self, way: NewGameWay, moment: Moment) -> Effect:
        """Take back what a way did that started no game, where that is possible; returns what it did. Raises
        WindowLost where another window has come in place of the game's."""
        controls, in_play = self.controls, self.tracker.in_play
        opened = [one for one in controls.windows.windows() if one.id not in moment.window_ids]
        is_click = way.kind != "key"
        has_uncovered = is_click and _has_uncovered(controls, in_play, moment.picture, moment.board)
        if opened:
            controls.observer.has_moved()  # raises WindowLost: what came in place of the game gets no key
            again = "closed" if self.tried.may_try(way) else "not tried again"
            controls.say(f"{described(way)} opened {opened[-1].title or 'a window'!r}: {again}")
            dialogs.dismiss(controls, opened)
            return Effect.OPENED_WINDOW
        if not _undone(controls, [moment.picture, in_play], moment.board, way):
            return Effect.SPOILT
        if has_uncovered and self.tried.may_be_swallowed(way):
            return Effect.UNCOVERED
        if is_click and controls.seen()[1].board == moment.board:
            return Effect.NOTHING
        return Effect.ANOTHER


def _ask_person(controls: WindowControls, tracker: Tracker) -> None:
    """Say that no way was found, and wait until somebody has started a game. Raises WindowError where nobody
    did within the time of the settings, or where the next game could not be read either."""
    observer, wait_s = controls.observer, controls.settings.wait_s
    nothing = f"no way was found to start a new game in {observer.title!r}"
    if observer.contradicted:
        # Of what is no Minesweeper the next board is not read either.
        raise WindowError(f"after numbers that cannot all be right {nothing}{no_minesweeper(observer)}")
    if not wait_s:
        raise WindowError(nothing)
    controls.say(
        f"{nothing}: start the next one, I go on when I see it (--restart KEY or X,Y says how it is started)"
    )
    if not wait_for_person(controls, tracker, wait_s):
        raise WindowError(
            f"{nothing} and nobody did within {wait_s / 60:.3g} minutes: start one, then minebot again"
        )


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
    own, now = observer.window, observer.window_now()
    if (
        own is not None
        and now is not None
        and (own.rect.width, own.rect.height) != (now.rect.width, now.rect.height)
    ):
        return press_in_menu(controls, now) and comes(controls, tracker, before, limit_s)
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
