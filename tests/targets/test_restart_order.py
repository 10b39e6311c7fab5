"""In which order ways to start a game are tried in a window that no theme knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import Coordinate
from bot.geometry import Point, Rect
from bot.screen.windows import Window
from bot.targets.window.events import restart_ways as ways_module
from bot.targets.window.events.buttons import Button
from bot.targets.window.events.restart_ways import place_of, restart_ways
from bot.targets.window.sighting import View
from bot.vision.grid import Grid, Image
from bot.vision.themes.behaviour import GameBehaviour, NewGameWay
from bot.vision.words import Meaning

PICTURE = np.full((300, 300, 3), 220, np.uint8)


def tried(
    program: str,
    *,
    over: bool = True,
    left: Sequence[Coordinate] = (),
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
    return list(restart_ways(observer, picture, in_play, left, over=over))


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


def at(x: int, y: int) -> Rect:
    """A box around a place."""
    return Rect(x - 15, y - 8, 30, 16)


EVERYTHING = {
    "new": Button(at(40, 20), Meaning.NEW, over_board=False, changed=False, framed=True),
    "new in the corner": Button(at(280, 20), Meaning.NEW, over_board=False, changed=False, framed=True),
    "OK that came": Button(at(80, 20), Meaning.CONFIRM, over_board=False, changed=True, framed=True),
    "OK that was there": Button(at(80, 40), Meaning.CONFIRM, over_board=False, changed=False, framed=True),
    "level that came": Button(at(120, 20), Meaning.LEVEL, over_board=False, changed=True, framed=True),
    "level 1": Button(at(20, 280), Meaning.LEVEL, over_board=False, changed=False, framed=False),
    "level 2": Button(at(60, 280), Meaning.LEVEL, over_board=False, changed=False, framed=False),
    "level 3": Button(at(100, 280), Meaning.LEVEL, over_board=False, changed=False, framed=False),
    "level 4": Button(at(140, 280), Meaning.LEVEL, over_board=False, changed=False, framed=False),
    "quit": Button(at(180, 280), Meaning.QUIT, over_board=False, changed=False, framed=True),
}
CARD = Button(at(150, 150), Meaning.UNKNOWN, over_board=True, changed=True, framed=True)
SECOND_CARD = Button(at(150, 200), Meaning.QUIT, over_board=True, changed=True, framed=True)
FACES = {f"face {number}": at(140 + 10 * number, 240 + 10 * number) for number in range(1, 5)}
TOOLBAR = {f"picture {number}": at(20 + 40 * number, 50) for number in range(1, 5)}


def named(
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    *,
    buttons: dict[str, Button],
    toolbar: bool = False,
    over: bool = True,
    known: NewGameWay | None = None,
) -> list[str]:
    """The ways by name, in the window that shows these buttons, four faces, and a toolbar or none."""
    monkeypatch.setattr(ways_module, "seen_buttons", lambda *_: [*buttons.values()])
    monkeypatch.setattr(ways_module, "faces", lambda *_: [*FACES.values()])
    monkeypatch.setattr(ways_module, "toolbar", lambda *_: [*TOOLBAR.values()] if toolbar else [])
    boxes = {name: button.box for name, button in buttons.items()} | FACES | TOOLBAR
    names = {box.center: name for name, box in boxes.items()}
    ways = tried(program, over=over, known=known, left=[(0, 0)])
    return [way.key or names.get(Point(way.x, way.y), f"cell at {way.x},{way.y}") for way in ways]


CELLS = ["cell at 140,150", "cell at 60,70"]
LEVELS = ["level 1", "level 2", "level 3"]


def test_the_order_in_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert named(monkeypatch, "kmines", buttons=EVERYTHING, toolbar=True) == [
        "face 1",
        "f2",
        "new",
        "new in the corner",
        "OK that came",
        "level that came",
        "ctrl+n",
        "face 2",
        "face 3",
        *CELLS,
        "n",
        "r",
        *LEVELS,
        "picture 1",
        "picture 2",
    ]


def test_the_order_in_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the corner of its window a browser may offer to start itself again."""
    assert named(monkeypatch, "chromium", buttons=EVERYTHING, toolbar=True) == [
        "new",
        "OK that came",
        "level that came",
        "face 1",
        "face 2",
        "face 3",
        *CELLS,
        "f2",
        "n",
        "r",
        *LEVELS,
        "f5",
        "picture 1",
        "picture 2",
    ]


def test_space_and_enter_are_struck_where_they_can_press_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new = {"new": EVERYTHING["new"]}
    faces = ["face 2", "face 3", *CELLS]
    program = ["face 1", "f2", "new", "ctrl+n", *faces, "n", "r", "space", "enter"]
    assert named(monkeypatch, "kmines", buttons=new) == program
    assert named(monkeypatch, "chromium", buttons=new)[-5:] == ["n", "r", "space", "enter", "f5"]
    assert "space" not in named(monkeypatch, "kmines", buttons=new, toolbar=True)
    quits = new | {"quit": EVERYTHING["quit"]}
    assert named(monkeypatch, "kmines", buttons=quits) == [
        name for name in program if name not in ("space", "enter")
    ]


@pytest.mark.parametrize("meaning", [Meaning.UNKNOWN, Meaning.PICTURE, Meaning.QUIT, Meaning.NOTHING])
def test_the_only_answer_to_a_card_over_the_board_is_clicked_last_of_what_came(
    monkeypatch: pytest.MonkeyPatch, meaning: Meaning
) -> None:
    """The board below the card is not clicked; what says nothing is no card."""
    card = replace(CARD, meaning=meaning)
    names = named(monkeypatch, "kmines", buttons=EVERYTHING | {"card": card})
    assert ("card" in names) is (meaning in (Meaning.UNKNOWN, Meaning.PICTURE))
    assert (CELLS[1] in names) is (meaning is Meaning.NOTHING)
    if "card" in names:
        assert names[names.index("card") - 1] == "level that came"
    two = named(monkeypatch, "kmines", buttons=EVERYTHING | {"card": card, "second": SECOND_CARD})
    assert not {"card", "second", *CELLS} & set(two), "one of two answers may quit"
    narrow = replace(card, box=Rect(140, 140, 20, 16))
    assert CELLS[1] in named(monkeypatch, "kmines", buttons=EVERYTHING | {"mine": narrow})


def test_before_the_end_nothing_is_clicked_that_may_come_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = named(monkeypatch, "kmines", buttons=EVERYTHING | {"card": CARD}, over=False)
    assert not {"OK that came", "level that came", "card", *CELLS} & set(names)
    assert {"new", "face 1", "level 1"} <= set(names)


def test_one_level_alone_is_a_button_only_if_it_has_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    level = EVERYTHING["level 1"]
    assert "level 1" not in named(monkeypatch, "kmines", buttons={"level 1": level})
    framed = {"level 1": replace(level, framed=True)}
    assert named(monkeypatch, "kmines", buttons=framed)[-1] == "level 1"


@pytest.mark.parametrize("program", ["chromium", "kmines"])
def test_a_known_way_comes_first_and_once(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    for known in (NewGameWay("key", key="r"), place_of(FACES["face 2"], at_end=False)):
        names = named(monkeypatch, program, buttons=EVERYTHING, known=known)
        first = known.key or "face 2"
        assert (names[0], names.count(first)) == (first, 1)
    known = place_of(EVERYTHING["new in the corner"].box, at_end=False)
    names = named(monkeypatch, program, buttons=EVERYTHING, known=known)
    assert (names[0] == "new in the corner") is (program == "kmines"), "where it says so it is clicked there"
