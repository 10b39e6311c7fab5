"""In which order ways to start a game are tried in a window that no theme knows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.targets.window.events.restart_ways import restart_ways
from bot.targets.window.sighting import View
from bot.vision.grid import Grid, Image
from bot.vision.themes.behaviour import GameBehaviour, NewGameWay

PICTURE = np.full((300, 300, 3), 220, np.uint8)


def tried(
    program: str,
    *,
    over: bool = True,
    known: NewGameWay | None = None,
    picture: Image = PICTURE,
    in_play: Image | None = None,
) -> list[NewGameWay]:
    view = View(Rect(0, 0, 300, 300), Grid(50, 60, 20, 20, 10, 10))
    observer: Any = SimpleNamespace(
        view=view,
        window=Window(1, "Mines", Rect(0, 0, 300, 300), program),
        behaviour=GameBehaviour(new_game=known),
    )
    return list(restart_ways(observer, picture, in_play, over=over))


def keys(ways: list[NewGameWay]) -> list[str]:
    return [way.key for way in ways if way.kind == "key"]


@pytest.mark.parametrize("program", ["chromium", "Navigator", "localhost__mines", "home_me_mines.html"])
def test_a_page_is_loaded_again_last_and_no_window_is_opened(program: str) -> None:
    ways = tried(program)
    assert keys(ways) == ["f2", "n", "r", "space", "enter", "f5"]
    assert ways[-1].key == "f5"


def test_a_program_is_asked_by_its_keys_first() -> None:
    ways = tried("kmines")
    assert keys(ways) == ["f2", "ctrl+n", "n", "r", "space", "enter"]
    assert ways[0].key == "f2"


def test_the_board_is_clicked_only_once_the_game_is_over() -> None:
    assert any(way.kind == "end place" for way in tried("kmines"))
    assert not any(way.kind == "end place" for way in tried("kmines", over=False))


def with_button(text: str, x: int = 60) -> Image:
    """The window with a button above its board."""
    picture = Pillow.fromarray(PICTURE)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(19)
    pen.rectangle((x, 14, x + 130, 48), (200, 200, 200), outline=(40, 40, 40))
    pen.text((x + 12, 20), text, (0, 0, 0), font)
    drawn: Image = np.asarray(picture).copy()
    return drawn


@pytest.mark.parametrize(("program", "after"), [("chromium", "f5"), ("kmines", "")])
def test_a_level_is_chosen_where_no_key_starts_a_game(program: str, after: str) -> None:
    """Before the page is loaded again; what came with the end is clicked at once."""
    ways = tried(program, picture=with_button("Beginner"))
    place = next(number for number, way in enumerate(ways) if way.kind == "place")
    assert keys(ways[:place])[-1] == "r"
    assert [way.key for way in ways[place + 1 :]] == ([after] if after else [])
    came = tried(program, picture=with_button("Beginner"), in_play=PICTURE)
    first = next(number for number, way in enumerate(came) if way.kind == "end place")
    assert keys(came[:first]) == ([] if after else ["f2"])
    assert (came[first].x // 10, came[first].y // 10) == (12, 3)


@pytest.mark.parametrize("program", ["chromium", "kmines"])
def test_a_button_is_clicked_only_for_what_it_says(program: str) -> None:
    new = tried(program, picture=with_button("New game"))
    assert [(way.x // 10, way.y // 10) for way in new if way.kind == "place"] == [(12, 3)]
    assert {"space", "enter"} <= set(keys(new))
    for text in ("Quit", "Exit", "Scores", "Wurzel"):
        ways = tried(program, picture=with_button(text))
        assert not [way for way in ways if way.kind == "place"], text
        assert not {"space", "enter"} & set(keys(ways)), "they would press it if it has the keyboard"


@pytest.mark.parametrize(
    ("program", "text", "is_clicked"),
    [("saper", "New game", True), ("saper", "Beginner", False), ("chromium", "New game", False)],
)
def test_only_what_says_that_it_starts_a_game_is_clicked_where_a_title_may_be(
    program: str, text: str, is_clicked: bool
) -> None:
    right = PICTURE.shape[1] - 140
    ways = tried(program, picture=with_button(text, x=right))
    assert any(way.kind == "place" and way.x > right for way in ways) is is_clicked


def test_a_button_that_says_what_it_does_comes_before_a_key_that_may_offer_other_levels() -> None:
    ways = tried("gnome-mines", picture=with_button("Play again"))
    kinds = [way.key or way.kind for way in ways]
    assert kinds.index("f2") < kinds.index("place") < kinds.index("ctrl+n")


def test_mines_that_are_shown_are_no_card_over_the_board() -> None:
    shown = PICTURE.copy()
    shown[100:120, 88:113] = 60
    shown[105:115, 95:105] = 250
    clicked = [way for way in tried("kmines", picture=shown, in_play=PICTURE) if way.kind == "end place"]
    assert len(clicked) == 1
    assert not (88 <= clicked[0].x < 113 and 100 <= clicked[0].y < 120), "a cell that has not changed"


def test_what_lies_at_a_known_place_is_read_again() -> None:
    known = NewGameWay("place", x=120, y=30)
    assert known in tried("kmines", known=known, picture=with_button("New game"))
    assert known not in tried("kmines", known=known, picture=with_button("Quit"))


def test_what_is_known_comes_first() -> None:
    assert tried("kmines", known=NewGameWay("key", key="q"))[0].key == "q"


def with_toolbar(count: int) -> Image:
    """The window with a row of pictures above its board, one in its middle, as a face would be."""
    picture = Pillow.fromarray(PICTURE)
    pen = ImageDraw.Draw(picture)
    for number in range(count):
        left = 150 + 30 * (number - count // 2) - 11
        pen.ellipse((left, 20, left + 22, 42), (40, 60 + 40 * number, 200), outline=(0, 0, 0))
        pen.rectangle((left + 8, 26, left + 12 + number, 34), (250, 250, 250))
    drawn: Image = np.asarray(picture).copy()
    return drawn


@pytest.mark.parametrize("program", ["chromium", "kmines"])
def test_of_a_toolbar_the_first_pictures_are_clicked_last_of_all_and_the_last_one_never(program: str) -> None:
    for count in (3, 4, 5):
        ways = tried(program, picture=with_toolbar(count))
        first = 150 - 30 * (count // 2)
        assert [round(way.x / 10) * 10 for way in ways[-2:]] == [first, first + 30]
        assert len([way for way in ways if way.kind == "place"]) == 2
        assert not {"space", "enter"} & set(keys(ways)), "they would press the one that has the keyboard"


def test_one_picture_alone_is_a_face_and_two_are_no_toolbar() -> None:
    (face,) = [way for way in tried("kmines", picture=with_toolbar(1)) if way.kind == "place"]
    assert abs(face.x - 150) <= 2
    assert len([way for way in tried("kmines", picture=with_toolbar(2)) if way.kind == "place"]) <= 1
