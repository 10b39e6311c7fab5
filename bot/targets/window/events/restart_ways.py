"""What may start a new game in a window that no theme knows: its buttons, its keys, the finished board.

`Group` lists the kinds of ways; `IN_PROGRAM` and `IN_PAGE` say in which order they are tried, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto

import numpy as np

from bot.board import Coordinate
from bot.geometry import Point, Rect
from bot.targets.window.events.buttons import Button, does_something_else, faces, seen_buttons, toolbar
from bot.targets.window.events.new_game_places import BUTTON_WAIT_S, changed_pixels, is_browser
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.grid import Grid, Image, part
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.words import Meaning, restart_lines

RELOAD_KEY = "f5"
"""What loads a page again."""

CARD_CELLS = 1.3
"""Least width of what lies over the board, in cells."""

MOST_PICTURES = 2
"""How many pictures of a toolbar are clicked, never the last: the one that starts a game comes first, and
what quits last."""

MOST_LEVELS = 3
"""How many buttons are clicked that name a level: each may start a game of that kind."""

MOST_FACES = 3
"""How many places are clicked that may be the face."""

TITLE_CORNERS = 56, 0.25
"""Height, in points, of the top right corner of a window in which only what says that it starts a game is
clicked, and its part of the width: windows that draw their own title keep there what closes them."""


class Group(Enum):
    """Ways of one kind to start a new game: what they are, and what else they may do."""

    KNOWN = auto()
    """The way that started the game before, unless its button says something else now."""
    SAYS_NEW = auto()
    """Buttons that say that they start a game."""
    CAME_WITH_END = auto()
    """Buttons that the end of the game has brought: those that confirm, those that name a level, and the only
    answer to a card over the board. One of several answers may quit."""
    TOLD = auto()
    """Texts that came with the end and say what a click starts: `Click to restart`."""
    FACE = auto()
    """The likeliest place of the face."""
    OTHER_FACES = auto()
    """Further places of pictures that may be the face."""
    FINISHED_BOARD = auto()
    """A cell of the finished board, and one of those that are still covered: in some games a mine that is
    opened deals the next board. None where a card lies over the board."""
    F2 = auto()
    """The key that starts a game in most Minesweepers."""
    CTRL_N = auto()
    """The key for anything new. In some programs it leads to a choice of levels, a browser opens another
    window."""
    LETTERS = auto()
    """N and R, which some programs take for new and restart."""
    PRESSES = auto()
    """Space and Enter, which press the button that has the keyboard: only in a window without buttons that
    may do something else, and without a toolbar."""
    LEVELS = auto()
    """Buttons that were there during the game and name a level: each may start a game of that level."""
    RELOAD = auto()
    """To load a page again: it starts a game in any case, and forgets more than the game."""
    TOOLBAR = auto()
    """The first pictures of a toolbar: nothing says what they do."""


IN_PROGRAM = (
    Group.KNOWN,
    # What most Minesweepers have in common.
    Group.FACE,
    Group.F2,
    # A button that says what it does is surer than Ctrl+N, which leads to a choice of levels in some.
    Group.SAYS_NEW,
    Group.CAME_WITH_END,
    Group.TOLD,
    Group.CTRL_N,
    # Guesses by which hardly anything is lost.
    Group.OTHER_FACES,
    Group.FINISHED_BOARD,
    Group.LETTERS,
    # These may press a button that was not found, or change the level.
    Group.PRESSES,
    Group.LEVELS,
    # What these do is not known at all: last.
    Group.TOOLBAR,
)
"""The order in which the ways are tried in the window of a program, the most likely and harmless first."""

IN_PAGE = (
    Group.KNOWN,
    # What is seen comes before all keys: the page may take none.
    Group.SAYS_NEW,
    Group.CAME_WITH_END,
    Group.TOLD,
    Group.FACE,
    Group.OTHER_FACES,
    Group.FINISHED_BOARD,
    # Ctrl+N is left out: it opens another window.
    Group.F2,
    Group.LETTERS,
    # These may press a button that was not found, or change the level.
    Group.PRESSES,
    Group.LEVELS,
    # It forgets more than the game: after all that the page is known to offer.
    Group.RELOAD,
    # What these do is not known at all: last.
    Group.TOOLBAR,
)
"""The same in the window of a browser."""


def restart_ways(
    observer: WindowObserver,
    at_end: Image,
    in_play: Image | None,
    left: Sequence[Coordinate] = (),
    *,
    over: bool,
) -> Iterator[NewGameWay]:
    """What may start a new game in the window of an observer, in the order of `IN_PROGRAM` or `IN_PAGE`, each
    way once; nothing that lies outside the window, or where a click may close it.

    `at_end` and `in_play` show the window now and in the middle of the game, None where no picture of that
    is kept. `left`: the cells that are covered at the end. Unless the game is `over`, what may come with its
    end only is left out.
    """
    if in_play is None or in_play.shape != at_end.shape:
        in_play = at_end
    is_page = is_browser(observer.window)
    groups = _groups(observer, at_end, in_play, left)
    # What says so is no button of a title bar; but that of a browser may offer to start it again.
    told = [] if is_page else groups[Group.SAYS_NEW]
    given: list[NewGameWay] = []
    for group in IN_PAGE if is_page else IN_PROGRAM:
        for way in groups[group]:
            may_be = may_be_clicked(observer, way, is_told=way in told)
            if way not in given and (over or way.kind != "end place") and may_be:
                given.append(way)
                yield way


def _groups(
    observer: WindowObserver, at_end: Image, in_play: Image, left: Sequence[Coordinate]
) -> dict[Group, list[NewGameWay]]:
    """The ways of each group that two pictures of a window of the same size show; arguments as in
    `restart_ways`.

    A text is clicked only if it says that it starts a game: among those that are not known may be one that
    quits.
    """
    grid, known = observer.view.grid, observer.behaviour.new_game
    buttons = seen_buttons(at_end, in_play, grid)
    cards = _cards(buttons, grid)
    every_cell = [*np.ndindex(grid.shape)]
    on_board = [*_on_board(at_end, in_play, grid, every_cell), *_on_board(at_end, in_play, grid, left)]
    pictures = toolbar(buttons, grid.rect)
    alone = [box for box in faces(at_end, in_play, grid) if not any(box.intersects(one) for one in pictures)]
    smiles = [place_of(box, at_end=False) for box in alone[:MOST_FACES]]
    is_safe_to_press = not pictures and not any(one.may_do_harm for one in buttons)
    return {
        Group.KNOWN: [known] if known is not None and not _is_another_button(known, at_end, grid) else [],
        Group.SAYS_NEW: [
            place_of(one.box, at_end=one.over_board) for one in buttons if one.meaning is Meaning.NEW
        ],
        Group.CAME_WITH_END: _came_with_end(buttons, cards),
        Group.TOLD: [place_of(box, at_end=True) for box in restart_lines(at_end, in_play, grid)],
        Group.FACE: smiles[:1],
        Group.OTHER_FACES: smiles[1:],
        Group.FINISHED_BOARD: on_board if not cards else [],
        Group.F2: _keys("f2"),
        Group.CTRL_N: _keys("ctrl+n"),
        Group.LETTERS: _keys("n", "r"),
        Group.PRESSES: _keys("space", "enter") if is_safe_to_press else [],
        Group.LEVELS: _levels(buttons),
        Group.RELOAD: _keys(RELOAD_KEY),
        Group.TOOLBAR: [place_of(box, at_end=False) for box in pictures[:-1][:MOST_PICTURES]],
    }


def _keys(*names: str) -> list[NewGameWay]:
    """The ways to strike the keys of these names."""
    return [NewGameWay("key", key=name) for name in names]


def _is_another_button(known: NewGameWay, at_end: Image, grid: Grid) -> bool:
    """Whether the button at the known place, in a picture of the end, says that it starts no game."""
    return known.kind != "key" and does_something_else(at_end, grid, Point(known.x, known.y))


def _cards(buttons: Sequence[Button], grid: Grid) -> list[Button]:
    """The buttons that lie over the board and say something. The end shows mines and flags in single cells:
    what is wider lies over them."""
    wide = [one for one in buttons if one.over_board and one.box.width > CARD_CELLS * grid.cell_width]
    return [one for one in wide if one.meaning is not Meaning.NOTHING]


def _came_with_end(buttons: Sequence[Button], cards: Sequence[Button]) -> list[NewGameWay]:
    """The ways of `Group.CAME_WITH_END`; `cards` as `_cards` finds them."""
    came = [one for one in buttons if one.meaning is Meaning.CONFIRM and one.changed]
    came += [one for one in buttons if one.meaning is Meaning.LEVEL and one.changed]
    if len(cards) == 1 and cards[0].meaning in (Meaning.UNKNOWN, Meaning.PICTURE):
        came += cards
    return [place_of(one.box, at_end=True) for one in came]


def _levels(buttons: Sequence[Button]) -> list[NewGameWay]:
    """The ways of `Group.LEVELS`. One word alone may stand in a title, or name a bookmark, unless it has a
    frame."""
    levels = [one for one in buttons if one.meaning is Meaning.LEVEL]
    there = [one for one in levels if not one.changed and (one.framed or len(levels) > 1)]
    return [place_of(one.box, at_end=False) for one in there[:MOST_LEVELS]]


def place_of(box: Rect, *, at_end: bool) -> NewGameWay:
    """A click on the middle of a box; `at_end`: it may come with the end of a game only."""
    if at_end:
        return NewGameWay("end place", box.center.x, box.center.y, wait_s=BUTTON_WAIT_S)
    return NewGameWay("place", box.center.x, box.center.y)


def _on_board(at_end: Image, in_play: Image, grid: Grid, cells: Sequence[Coordinate]) -> list[NewGameWay]:
    """A click on the finished board: on the one of some cells nearest to its middle that the end has not
    changed, for nothing lies over that one."""
    middle = grid.rows / 2 - 0.5, grid.columns / 2 - 0.5
    changed = changed_pixels(at_end, in_play)
    for cell in sorted(cells, key=lambda cell: abs(cell[0] - middle[0]) + abs(cell[1] - middle[1])):
        box = grid.cell_rect(*cell)
        if not part(changed, box).any():
            return [NewGameWay("end place", box.center.x, box.center.y)]
    return []


def may_be_clicked(observer: WindowObserver, way: NewGameWay, *, is_told: bool = False) -> bool:
    """Whether a place lies inside the window, and not where it may be closed; `is_told`: unless what is there
    says that it starts a game."""
    if way.kind == "key":
        return observer.window is not None
    view = observer.view
    point = view.on_screen(Point(way.x, way.y))
    window = view.rect if observer.window is None else observer.window.rect
    height, share = TITLE_CORNERS
    corner = Rect(window.right - int(share * window.width), window.y, int(share * window.width), height)
    cells = view.grid_on_screen()
    return window.contains(point) and (is_told or not corner.contains(point) or cells.contains(point))
