"""Games that lead to the next one by a text over their board, and by a menu in a window of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from misbehaving import Wrapped
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from playing import Told, no_record, session, unknown_target

from bot.board import Result
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.events import restart_search
from bot.vision.grid import Image

AT, TITLE = Point(90, 120), "Minesweeper"


def drawn(picture: Image, *, texts: list[tuple[int, str]], middle: int) -> Image:
    """A picture with texts written on it, each at a height, around a middle."""
    page = Pillow.fromarray(picture[..., ::-1])
    for y, text in texts:
        ImageDraw.Draw(page).text((middle, y), text, (20, 20, 20), ImageFont.load_default(15), "mm")
    written: Image = np.asarray(page)[..., ::-1].copy()
    return written


@dataclass
class Menu:
    """A menu of two levels, the first of which opens a game. It has a window of its own, as pygame makes one
    for each size."""

    screen: VirtualScreen
    texts: tuple[str, str] = ("Easy", "Hard")
    deaf: int = 0
    """How many clicks it does not take at first."""
    pressed: int = 0

    def image(self) -> Image:
        page = Pillow.new("RGB", (300, 260), (240, 240, 240))
        pen = ImageDraw.Draw(page)
        for number, text in enumerate(self.texts):
            pen.rectangle((60, 60 + 90 * number, 240, 110 + 90 * number), (150, 150, 220), (40, 40, 40))
            pen.text((150, 85 + 90 * number), text, (0, 0, 0), ImageFont.load_default(19), "mm")
        picture: Image = np.asarray(page)[..., ::-1].copy()
        return picture

    def press(self, x: int, y: int, button: int) -> None:
        assert 60 <= y <= 110, "beside the first button"
        self.pressed += 1
        if self.pressed <= self.deaf:
            return
        self.screen.stack[:] = [VirtualWindow(Covered(session(seed=4), self.screen, self), TITLE, AT)]

    def release(self, x: int, y: int, button: int) -> None: ...

    def move(self, x: int, y: int) -> None: ...

    def key(self, name: str) -> None: ...


@dataclass
class Covered(Wrapped):
    """Writes two texts over its board at the end, a click on the lower of which leads to the menu."""

    content: PracticeSession
    screen: VirtualScreen
    menu: Menu
    text: str = "Click to restart"

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        if not self.content.game.phase.over:
            return picture
        board = self.content.layout.board
        picture[board.y : board.bottom, board.x : board.right] //= 2
        for y in (board.center.y - 40, board.center.y + 40):
            picture[y - 14 : y + 14, board.x + 4 : board.right - 4] = 240
        said = "You won!" if self.content.game.phase.name == "WON" else "Game over"
        texts = [(board.center.y - 40, said), (board.center.y + 40, self.text)]
        return drawn(picture, texts=texts, middle=board.center.x)

    def press(self, x: int, y: int, button: int) -> None:
        if self.content.game.phase.over:
            if abs(y - self.content.layout.board.center.y - 40) > 14:
                return
            self.screen.stack[:] = [VirtualWindow(self.menu, TITLE, AT)]
        elif y >= self.content.layout.board.y:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if self.screen.stack[-1].content is self:
            super().release(x, y, button)

    def key(self, name: str) -> None: ...


@dataclass
class Sudden(Covered):
    """Shows its menu right after the last click."""

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, button)
        if self.content.game.phase.over:
            self.screen.stack[:] = [VirtualWindow(self.menu, TITLE, AT)]


def played(menu: Menu, kind: type[Covered] = Covered) -> list[Result]:
    screen, told = menu.screen, Told()
    screen.open(VirtualWindow(kind(session(seed=2), screen, menu), TITLE, AT))
    lines = run_games(unknown_target(screen, told), strategy("best"), Play(3), no_record, told)
    return [line.outcome for line in lines]


@pytest.mark.parametrize("deaf", [0, 1])
def test_a_text_that_says_restart_is_clicked_and_the_menu_after_it_gone_through(deaf: int) -> None:
    menu = Menu(VirtualScreen(), deaf=deaf)
    assert Result.FAILED not in played(menu)
    assert menu.pressed == 2 + deaf


def test_a_game_that_is_won_is_told_as_won_though_its_window_is_gone() -> None:
    """The last of several certain clicks came after the win, and led to the menu."""
    menu = Menu(VirtualScreen())
    assert played(menu, Sudden)[0] is Result.WON
    assert menu.pressed >= 1


def test_a_menu_that_starts_nothing_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restart_search, "REPLACED_S", 0.5)
    menu = Menu(VirtualScreen(), texts=("Scores", "Quit"))
    assert played(menu)[-1] is Result.FAILED
    assert menu.pressed == 0
