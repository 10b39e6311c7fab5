"""A menu that is seen before there is any board is gone through, and nothing else is clicked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.geometry import Point
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.targets.window.events import start_menu
from bot.targets.window.events.start_menu import start_menus
from bot.vision.grid import Image

WIDTH, TOP, STEP, TALL = 300, 60, 60, 34
"""Of a menu, and where its buttons lie, in pixels."""


class Menus:
    """Menus of buttons with texts, one after the other: any button but one that quits leads to the next."""

    def __init__(
        self, *menus: Sequence[str], framed: bool = True, board: bool = False, dead: bool = False
    ) -> None:
        self.pressed: list[str] = []
        self._menus, self._framed, self._board, self._dead = [*menus], framed, board, dead

    def image(self) -> Image:
        picture = Pillow.new("RGB", (WIDTH, 420), (236, 236, 236))
        pen, font = ImageDraw.Draw(picture), ImageFont.load_default(19)
        pen.text((60, 15), "A game of mines", (0, 0, 0), font)
        for number, text in enumerate(self._menus[0] if self._menus else ()):
            y = TOP + number * STEP
            if self._framed:
                pen.rectangle((70, y, 230, y + TALL), (225, 225, 225), outline=(60, 60, 60))
            pen.text((90, y + 5), text, (0, 0, 0), font)
        if self._board:
            for x in range(40, 240, 24):
                for y in range(220, 400, 24):
                    pen.rectangle((x, y, x + 23, y + 23), (150, 170, 190), outline=(90, 90, 90))
        drawn: Image = np.asarray(picture)[..., ::-1].copy()
        return drawn

    def press(self, x: int, y: int, button: int) -> None:
        number = (y - TOP) // STEP
        assert button == 1
        assert 70 <= x <= 230, "beside the buttons"
        self.pressed.append(self._menus[0][number])
        if not self._dead:
            del self._menus[0]

    def release(self, x: int, y: int, button: int) -> None: ...

    def move(self, x: int, y: int) -> None: ...

    def key(self, name: str) -> None: ...


def gone_through(menus: Menus, named: str | None = None, title: str = "Minesweeper") -> list[str]:
    screen = VirtualScreen()
    screen.open(VirtualWindow(menus, title, Point(200, 150)))
    return list(start_menus(screen, screen, screen, named))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_menu, "CHANGES_S", 0.1)


def test_the_button_that_starts_a_game_is_clicked_and_told() -> None:
    menus = Menus(["Options", "Start", "Quit"])
    assert gone_through(menus) == [
        "'Minesweeper' shows no board yet: clicked what starts a game, at 150,137 of the window"
    ]
    assert menus.pressed == ["Start"]


def test_the_pointer_is_left_beside_the_window() -> None:
    """A cell under it would look otherwise, and an untouched board be none."""
    screen = VirtualScreen()
    window = screen.open(VirtualWindow(Menus(["Start"]), "Minesweeper", Point(200, 150)))
    assert len(list(start_menus(screen, screen, screen, None))) == 1
    assert not window.rect.contains(screen.pointer)
    filling = VirtualScreen(WIDTH, 420)
    filling.open(VirtualWindow(Menus(["Start"]), "Minesweeper", Point(0, 0)))
    assert len(list(start_menus(filling, filling, filling, None))) == 1
    assert filling.pointer.x == 1


def test_a_person_who_takes_the_pointer_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, there = VirtualScreen(), Point(300, 200)
    screen.open(VirtualWindow(Menus(["Start"]), "Minesweeper", Point(200, 150)))

    def taken(*_: object) -> bool:
        screen.pointer = there
        return True

    monkeypatch.setattr(start_menu, "_changes", taken)
    assert len(list(start_menus(screen, screen, screen, None))) == 1
    assert screen.pointer == there


def test_of_levels_the_first_is_clicked_and_a_menu_after_a_menu_too() -> None:
    menus = Menus(["Quit", "New game"], ["Easy", "Medium", "Hard"])
    assert len(gone_through(menus)) == 2
    assert menus.pressed == ["New game", "Easy"]


def pills(*texts: tuple[str, str]) -> Image:
    """A picture with round buttons of two lines each, on a ground that goes from blue to red."""
    picture = np.full((60 + 70 * len(texts), 300, 3), 236, np.uint8)
    ground = np.linspace((255, 230, 40), (200, 40, 255), 240).astype(np.uint8)
    for number, lines in enumerate(texts):
        pill = Pillow.new("L", (240, 56))
        ImageDraw.Draw(pill).rounded_rectangle((0, 0, 239, 55), 28, 255)
        drawn = Pillow.fromarray(np.broadcast_to(ground, (56, 240, 3)))
        for text, y, size in zip(lines, (8, 33), (17, 12), strict=True):
            ImageDraw.Draw(drawn).text((120, y), text, (10, 10, 20), ImageFont.load_default(size), "mt")
        place = picture[40 + 70 * number : 96 + 70 * number, 30:270]
        place[:] = np.where(np.asarray(pill)[..., None] > 0, np.asarray(drawn), place)
    return picture


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        ([("EASY", "8x8, 10 of them"), ("HARD", "12x12, 30 of them")], 2),
        ([("Play", "8x8, 10 of them")], 0),
        ([("EASY", "8x8, 10 of them"), ("Quit", "12x12, 30 of them")], 0),
        ([("Start", "Quit")], 0),
        ([("Continue", "8x8, 10 of them")], 0),
    ],
)
def test_a_button_of_two_lines_names_a_level_where_one_of_them_does(
    texts: list[tuple[str, str]], count: int
) -> None:
    """What starts something in one line may be a tutorial in the other."""
    found = start_menu.menu_buttons(pills(*texts))
    assert len(found) == count
    assert all(abs(box.center.x - 150) <= 3 for box in found)


@pytest.mark.parametrize(
    ("text", "height", "is_button"),
    [("New game", 48, True), ("New game", 200, False), ("Reset       all scores", 48, False)],
    ids=["a button", "a panel", "a word of a longer text"],
)
def test_a_text_alone_on_a_low_ground_of_its_own_is_a_button_however_wide(
    text: str, height: int, is_button: bool
) -> None:
    """As a toolkit draws it that gives a button all the width there is."""
    picture = Pillow.new("RGB", (700, 300))
    pen, middle = ImageDraw.Draw(picture), 150
    pen.rectangle((100, middle - height // 2, 600, middle + height // 2), (88, 88, 88))
    pen.text((350, middle), text, (255, 255, 255), ImageFont.load_default(19), "mm")
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    found = start_menu.menu_buttons(drawn)
    assert [box.contains(Point(350, middle)) for box in found] == [True] * is_button


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (["EASY (9x9)", "HARD (16x16)"], 2),
        (["Easy Quit", "Hard Quit"], 0),
        (["So easy", "So hard"], 0),
        (["EASY (9x9)", "Quit"], 0),
    ],
)
def test_a_level_may_be_named_with_its_size_behind_it(texts: list[str], count: int) -> None:
    picture = Pillow.new("RGB", (400, 350), (240, 240, 240))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(26)
    for number, text in enumerate(texts):
        y = 80 + 90 * number
        pen.rounded_rectangle((50, y, 350, y + 60), 8, (200 - 50 * number, 100 + 50 * number, 100))
        pen.text((200, y + 30), text, (255, 255, 255), font, "mm")
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    assert len(start_menu.menu_buttons(drawn)) == count


@pytest.mark.parametrize(
    ("title", "named", "is_clicked"),
    [
        ("Minesweeper", None, True),
        ("Démineur", None, True),
        ("A game", None, False),
        ("A game", "a GAME", True),
        ("Minesweeper", "another", False),
        ("Level 2", "2", False),
    ],
)
def test_only_a_window_that_is_named_or_says_that_it_is_one_is_clicked(
    title: str, named: str | None, is_clicked: bool
) -> None:
    menus = Menus(["Start"])
    assert bool(gone_through(menus, named, title)) == is_clicked
    assert bool(menus.pressed) == is_clicked


@pytest.mark.parametrize(
    "menus",
    [
        Menus(["Quit", "Scores"]),
        Menus(["Easy"]),
        Menus(["Start"], framed=False),
        Menus(["New game"], board=True),
    ],
    ids=["no word for it", "one level", "a text", "a board that is not read"],
)
def test_nothing_else_is_clicked(menus: Menus) -> None:
    assert gone_through(menus) == []
    assert menus.pressed == []


def test_a_button_that_does_nothing_is_clicked_once() -> None:
    menus = Menus(["Start", "Play"], dead=True)
    assert gone_through(menus) == []
    assert menus.pressed == ["Start", "Play"]


def test_a_button_that_another_window_covers_is_left_alone() -> None:
    below, above = Menus(["Quit", "Scores", "Start"]), Menus(["Quit"])
    screen = VirtualScreen()
    screen.open(VirtualWindow(below, "Minesweeper", Point(200, 150)))
    screen.open(VirtualWindow(above, "Notes", Point(190, 240)))
    assert list(start_menus(screen, screen, screen, None)) == []
    assert below.pressed == above.pressed == []
