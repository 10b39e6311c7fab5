"""The end of a game that no theme knows, told by a window that its program opens over a part of the board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from misbehaving import Wrapped, window_of
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from playing import Told, guess_a_mine, session, unknown_target

from bot.board import Action, Cell, Move, Phase
from bot.errors import WindowLost
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window import PlaySettings
from bot.targets.window.observe.own_windows import end_told_by
from bot.vision.grid import Image


@pytest.mark.parametrize(
    ("title", "phase"),
    [
        ("Parabéns", Phase.WON),
        ("You win!", Phase.WON),
        ("Gratulation", Phase.WON),
        ("Поздравляем!", Phase.WON),
        ("Вы проиграли", Phase.LOST),
        ("BOOM", Phase.LOST),
        ("Perdu", Phase.LOST),
        ("Game Over", None),
        ("You did not win", None),
        ("Nicht gewonnen", None),
        ("Non hai vinto", None),
        ("You won't believe it", None),
        ("Superdraft", None),
        ("Victor's Mines - Game over", None),
        ("О программе", None),
        ("Explorer", None),
        ("Window", None),
        ("You lost, she won", None),
        ("", None),
    ],
)
def test_titles_tell_how_a_game_ended(title: str, phase: Phase | None) -> None:
    assert end_told_by([Window(1, title, Rect(0, 0, 9, 9))], "Victor's Mines") is phase


class Message:
    """A message over some cells."""

    def __init__(self, size: Point, text: str = "") -> None:
        self.size, self.text = size, text
        self.keys: list[str] = []

    def image(self) -> Image:
        picture = Pillow.new("RGB", (self.size.x, self.size.y), (235, 235, 235))
        font = ImageFont.load_default(0.2 * self.size.x)
        ImageDraw.Draw(picture).text((self.size.x / 2, self.size.y / 2), self.text, (0, 0, 0), font, "mm")
        return np.asarray(picture)

    def press(self, x: int, y: int, button: int) -> None:
        """It takes the clicks that fall on it."""

    release = press

    def move(self, x: int, y: int) -> None:
        """The pointer does nothing to it."""

    def key(self, name: str) -> None:
        """It stays."""
        self.keys.append(name)


@dataclass
class Tells(Wrapped):
    """Opens a message over opened cells at the end of a game. What was clicked last cannot be read, and all
    else stays as it was."""

    content: PracticeSession
    screen: VirtualScreen
    title: str
    text: str = ""
    last: Image | None = None

    def release(self, x: int, y: int, button: int) -> None:
        was, board, layout = self.content.image().copy(), self.content.game.board, self.content.layout
        super().release(x, y, button)
        if not self.content.game.phase.over or self.last is not None:
            return
        self.last = was
        for row, column in np.ndindex(board.rows - 1, board.columns - 2):
            if (board.codes[row : row + 2, column : column + 3] <= 8).all():
                first, last = layout.cell(row, column), layout.cell(row + 1, column + 2)
                message = Message(Point(last.right - first.x, last.bottom - first.y), self.text)
                own = self.screen.stack[0].at
                at = Point(own.x + first.x, own.y + first.y)
                self.screen.open(VirtualWindow(message, self.title, at, program="practice"))
                break
        cells = [layout.cell(*cell) for cell in np.ndindex(board.codes.shape)]
        clicked = next(cell for cell in cells if cell.contains(Point(x, y)))
        noise = np.random.default_rng(1).integers(0, 256, (clicked.height, clicked.width, 3), np.uint8)
        self.last[clicked.y : clicked.bottom, clicked.x : clicked.right] = noise

    def image(self) -> Image:
        return self.content.image() if self.last is None else self.last


@pytest.mark.parametrize(
    ("title", "text", "phase"),
    [
        ("Congratulations", "", Phase.WON),
        ("Mines", "", Phase.LOST),
        ("Dialog", "You won!", Phase.WON),
        ("Dialog", "Your time", Phase.LOST),
        ("You win", "You lost!", Phase.WON),
    ],
)
def test_a_message_over_a_few_cells_tells_the_end(title: str, text: str, phase: Phase) -> None:
    """A game in Java was played on under its message, and told as lost, though it said Congratulations. The
    text counts where the title says nothing."""
    screen, told = VirtualScreen(), Told()
    window = Tells(session(seed=2), screen, title, text)
    screen.open(window_of(window))
    target = unknown_target(screen, told)
    guess_a_mine(target, window.content)
    assert len(screen.stack) == 2
    assert target.observe().phase is phase


def test_a_window_beside_the_board_and_a_board_that_cannot_be_won_yet_tell_nothing() -> None:
    """A window about the program that lay beside the board was taken for the message of a won game."""
    screen, told = VirtualScreen(), Told()
    content = session(seed=2)
    window = screen.open(window_of(content))
    target = unknown_target(screen, told)
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)], certain=False)
    before = target.observe().board
    hidden = before.replaced([(0, 0)], Cell.UNREAD)
    board = content.layout.board
    about = Message(Point(30, 20))
    at = Point(window.at.x + board.x, window.at.y + board.y - 22)
    screen.open(VirtualWindow(about, "About", at, program="practice"))
    assert not target._hidden_end(before, hidden)
    screen.stack[-1].at = Point(window.at.x + board.x, window.at.y + board.y)
    assert not target._hidden_end(before, hidden), "too much is covered"
    screen.stack[-1].title = "You lost"
    assert target._hidden_end(before, hidden)


@pytest.mark.slow
@pytest.mark.parametrize("certain", [True, False], ids=["certain", "guess"])
def test_a_window_that_somebody_opens_in_the_middle_of_a_game_is_left_alone(certain: bool) -> None:
    """The settings of the program were taken for the message of a won game, and got keys."""
    screen, content = VirtualScreen(), session("intermediate", seed=2)
    window = screen.open(window_of(content))
    target = unknown_target(screen, Told(), PlaySettings(look_limit_s=0.3))
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)], certain=certain)
    target.observe()
    board = content.layout.board
    settings = Message(Point(board.width, board.height // 2))
    at = Point(window.at.x + board.x, window.at.y + board.y)
    screen.open(VirtualWindow(settings, "Settings", at, program="practice"))
    with pytest.raises(WindowLost, match="is covered by 'Settings'"):
        target.observe()
    assert not target.answer_dialogs()
    assert not settings.keys
