"""What may start a new game in a window that no theme knows: its buttons, its keys, the finished board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bot.board import Coordinate
from bot.geometry import Point, Rect
from bot.targets.window.events.buttons import does_something_else, faces, seen_buttons, toolbar
from bot.targets.window.events.new_game_places import BUTTON_WAIT_S, changed_pixels, is_browser
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.grid import Grid, Image, part
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.words import Meaning

RELOAD_KEY = "f5"
"""What loads a page again."""

CARD_CELLS = 1.3
"""Least width of what lies over the board, in cells."""

MOST_PICTURES = 2
"""How many pictures of a toolbar are clicked: the one that starts a game comes first, and what quits last."""

MOST_LEVELS = 3
"""How many buttons are clicked that name a level: each may start a game of that kind."""

MOST_FACES = 3
"""How many places are clicked that may be the face."""

TITLE_CORNERS = 56, 0.25
"""Height, in points, of the top right corner of a window in which only what says that it starts a game is
clicked, and its part of the width: windows that draw their own title keep there what closes them."""


def restart_ways(
    observer: WindowObserver,
    at_end: Image,
    in_play: Image | None,
    left: Sequence[Coordinate] = (),
    *,
    over: bool,
) -> Iterator[NewGameWay]:
    """What may start a new game, the most likely and harmless first, each once.

    A text is clicked only if it says that it starts a game: among those that are not known may be one that
    quits. Space and Enter press the button that has the keyboard, so they are for windows without others.
    `left`: the cells that are covered at the end.
    """
    grid = observer.view.grid
    if in_play is None or in_play.shape != at_end.shape:
        in_play = at_end
    is_page = is_browser(observer.window)
    buttons = seen_buttons(at_end, in_play, grid)
    texts = [place_of(one.box, at_end=one.over_board) for one in buttons if one.meaning is Meaning.NEW]
    # What says so is no button of a title bar; but that of a browser may offer to start it again.
    told = [] if is_page else [*texts]
    texts += [
        place_of(one.box, at_end=True) for one in buttons if one.meaning is Meaning.CONFIRM and one.changed
    ]
    levels = [one for one in buttons if one.meaning is Meaning.LEVEL]
    texts += [place_of(one.box, at_end=True) for one in levels if one.changed]
    # One word alone may stand in a title, or name a bookmark.
    levels = [one for one in levels if not one.changed and (one.framed or len(levels) > 1)][:MOST_LEVELS]
    others = [one for one in buttons if one.may_do_harm]
    # The end shows mines and flags in single cells: what is wider lies over them.
    wide = [one for one in buttons if one.over_board and one.box.width > CARD_CELLS * grid.cell_width]
    card = [one for one in wide if one.meaning is not Meaning.NOTHING]
    if len(card) == 1 and card[0].meaning in (Meaning.UNKNOWN, Meaning.PICTURE):
        texts.append(place_of(card[0].box, at_end=True))  # the only answer to what lies over the board
    row = toolbar(buttons, grid.rect)
    pictures = [place_of(box, at_end=False) for box in row[:-1][:MOST_PICTURES]]
    alone = [box for box in faces(at_end, in_play, grid) if not any(box.intersects(one) for one in row)]
    smiles = [place_of(box, at_end=False) for box in alone[:MOST_FACES]]
    keys = [NewGameWay("key", key=key) for key in ("f2", "ctrl+n", "n", "r")]
    presses = [NewGameWay("key", key=key) for key in ("space", "enter")] if not (others or row) else []
    presses += [place_of(one.box, at_end=False) for one in levels]
    cells = [*np.ndindex(grid.shape)]
    on_board = [*_on_board(at_end, in_play, grid, cells), *_on_board(at_end, in_play, grid, left)]
    on_board = on_board if not card else []
    if is_page:
        del keys[1]  # it opens another window
        order = [*texts, *smiles, *on_board, *keys, *presses, NewGameWay("key", key=RELOAD_KEY), *pictures]
    else:
        # Ctrl+N leads to a choice of levels in some, and a button that says what it does is surer.
        order = [
            *smiles[:1],
            keys[0],
            *texts,
            keys[1],
            *smiles[1:],
            *on_board,
            *keys[2:],
            *presses,
            *pictures,
        ]
    known = observer.behaviour.new_game
    if known is not None and (
        known.kind == "key" or not does_something_else(at_end, grid, Point(known.x, known.y))
    ):
        order.insert(0, known)
    tried: list[NewGameWay] = []
    for way in order:
        may_be = may_be_clicked(observer, way, is_told=way in told)
        if way not in tried and (over or way.kind != "end place") and may_be:
            tried.append(way)
            yield way


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
