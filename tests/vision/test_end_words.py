"""Whether a text says how a game ended, in a font of which no picture is known."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.vision.grid import Grid, Image
from bot.vision.words import Meaning, end_told, end_words, restart_lines
from bot.vision.words.end_words import end_of, end_said


def window(*lines: str, size: int = 18, y: int = 330, card: bool = False) -> Image:
    """A window with a board in it, and lines of text below it or on a card over it."""
    picture = Pillow.new("RGB", (640, 420), (236, 236, 236))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size)
    pen.rectangle((40, 80, 327, 295), (150, 170, 190))
    for edge in range(0, 289, 24):
        pen.line((40 + edge, 80, 40 + edge, 295), (90, 90, 90))
        pen.line((40, min(295, 80 + edge), 327, min(295, 80 + edge)), (90, 90, 90))
    if card:
        y = 130
        pen.rectangle((60, 110, 600, 250), (250, 250, 250), outline=(60, 60, 60))
    for number, line in enumerate(lines):
        pen.text((76, y + round(1.7 * size) * number), line, (10, 10, 10), font)
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    return drawn


GRID = Grid(40, 80, 24, 24, 12, 9)

WON = (
    "You won!",
    "Congratulations! You won in 12 seconds",
    "Game: you win",
    "Du hast gewonnen!",
    "¡Ganaste!",
)
LOST = ("Game over", "Game over, try again", "Boom! You lost.", "Has perdido", "Perdu !")
NEITHER = (
    "Time: 12",
    "Mines left: 10",
    "Play again",
    "New game",
    "Good luck!",
    "You are on level 2",
    "Your turn",
    "Games won: 3",
    "Best time",
    "Options",
)


@pytest.mark.parametrize("size", [16, 18, 26])
@pytest.mark.parametrize("card", [False, True])
@pytest.mark.parametrize(
    ("texts", "meaning"),
    [(WON, Meaning.WON), (LOST, Meaning.LOST), (NEITHER, None)],
    ids=["won", "lost", "-"],
)
def test_what_comes_into_a_window_is_read(
    texts: tuple[str, ...], meaning: Meaning | None, size: int, card: bool
) -> None:
    told = {text: end_told(window(text, size=size, card=card), window(), GRID) for text in texts}
    other = [text for text, one in told.items() if one not in (None, meaning)]
    assert not other, "never the other way round"
    assert meaning is None or list(told.values()).count(meaning) >= len(texts) - 1, told


@pytest.mark.parametrize(("texts", "meaning"), [(WON, Meaning.WON), (LOST, Meaning.LOST), (NEITHER, None)])
def test_what_a_message_says_is_read(texts: tuple[str, ...], meaning: Meaning | None) -> None:
    told = [end_said(window(text, size=18)) for text in texts]
    assert set(told) <= {None, meaning}
    assert meaning is None or told.count(meaning) >= len(texts) - 1
    assert end_said(window("You won!", "Game over")) is None
    assert end_said(np.zeros((0, 0, 3), np.uint8)) is None


@pytest.mark.parametrize("card", [False, True])
@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Click to restart", True),
        ("CLICK TO RESTART", True),
        ("Tap here to play again", True),
        ("Press Q to quit or R to restart", False),
        ("Quit or restart", False),
        ("Restart in 12 seconds", False),
        ("You won!", False),
        ("Game over", False),
        ("Click to see your scores", False),
    ],
)
def test_a_text_that_has_come_and_ends_with_what_starts_a_game_is_found(
    text: str, is_told: bool, card: bool
) -> None:
    now = window("Game over", text, card=card)
    lines = restart_lines(now, window(), GRID)
    assert bool(lines) == is_told
    y = 160 if card else 360  # of the second line, and not of the first
    assert all(box.y < y + 18 and box.bottom > y for box in lines)
    assert restart_lines(now, now, GRID) == []
    assert restart_lines(now, window()[:-1], GRID) == []


def test_what_was_there_before_tells_nothing() -> None:
    assert end_told(window("You won!", "Time: 12"), window("You won!", "Time: 11"), GRID) is None
    assert end_told(window("You won!", "Time: 12"), window("", "Time: 11"), GRID) is Meaning.WON


def test_what_says_both_says_nothing() -> None:
    assert end_told(window("You won!", "Game over"), window(), GRID) is None


def test_a_window_of_another_size_tells_nothing() -> None:
    assert end_told(window("You won!"), window()[:-1], GRID) is None


def test_a_board_that_is_opened_is_no_text() -> None:
    opened = window()
    opened[81:295:2, 41:327:3] = (20, 120, 20)
    assert end_told(opened, window(), GRID) is None


def test_no_line_is_read_where_there_is_nothing() -> None:
    assert end_of(np.full((20, 60, 3), 99, np.uint8)) is None


def expert(*, is_over: bool) -> Image:
    """A window with a board of 30x16 cells; at its end numbers and a text below."""
    picture = Pillow.new("RGB", (800, 560), (236, 236, 236))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(21)
    for row, column in np.ndindex(16, 30):
        x, y = 40 + 24 * column, 60 + 24 * row
        pen.rectangle((x, y, x + 23, y + 23), (240, 240, 240) if is_over else (150, 170, 190), (90, 90, 90))
        if is_over and (number := (3 * row + 7 * column) % 5):
            pen.text((x + 12, y + 12), str(number), (20, 20, 60 * number), font, "mm")
    if is_over:
        pen.text((300, 470), "You won!", (10, 10, 10), ImageFont.load_default(40))
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    return drawn


def test_a_text_beside_a_large_board_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has come over the board is read later."""
    monkeypatch.setattr(end_words, "MOST_LINES", 3)
    assert end_told(expert(is_over=True), expert(is_over=False), Grid(40, 60, 24, 24, 30, 16)) is Meaning.WON


def test_a_text_that_has_moved_or_blinked_was_there_before() -> None:
    assert end_told(window("You won!", y=334), window("You won!"), GRID) is None
    paler = np.asarray(255 - (255 - window("You won!").astype(np.int16)) // 2, np.uint8)
    assert end_told(window("You won!"), paler, GRID) is None


def test_a_line_that_says_both_says_nothing() -> None:
    assert end_told(window("Game over! You won!"), window(), GRID) is None


def test_a_long_line_is_no_message() -> None:
    assert (
        end_told(window("You won this one and he won that one and all is well now"), window(), GRID) is None
    )
