"""Mine counters that are written as text: read exactly in many fonts, or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from meadow import fonts
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.header.text_counter import CounterText, read_text_counter
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_skin

PAPER = (244, 245, 246)
"""Blue, green, red."""
PICTURES = Path(__file__).parent / "pictures"


def written(text: str, font: str, size: float, *, finer: int = 1, ink: int = 50, right: float = 0.0) -> Image:
    """A picture of a line of text, moved to the right. Drawn larger and shrunk it has no hinting."""
    whole, large = round(size), round(size * finer)
    face = ImageFont.truetype(font, size * finer) if font else ImageFont.load_default(large)
    picture = Pillow.new("RGB", (10 * whole * finer, 3 * whole * finer), PAPER[::-1])
    place = large + right * finer, large // 2
    ImageDraw.Draw(picture).text(place, text, fill=(ink, ink, ink + 4), font=face)
    drawn = np.asarray(picture)[:, :, ::-1]
    return np.asarray(cv2.resize(drawn, (10 * whole, 3 * whole), interpolation=cv2.INTER_AREA), np.uint8)


def read(picture: Image) -> CounterText | None:
    return read_text_counter(picture, Rect(0, 0, picture.shape[1], picture.shape[0]), PAPER)


@pytest.mark.parametrize("finer", [1, 4])
@pytest.mark.parametrize("font", fonts())
def test_a_counter_is_read_in_any_font_or_not_at_all(font: str, finer: int) -> None:
    rng = np.random.default_rng(1)
    exact = wrong = 0
    for size in (12, 13, 15, 16, 19, 24):
        for _ in range(5):
            flags, mines = int(rng.integers(0, 30)), int(rng.integers(1, 300))
            found = read(written(f"{flags}/{mines}", font, size, finer=finer))
            exact += found is not None and (found.flags, found.mines) == (flags, mines)
            wrong += found is not None and (found.flags, found.mines) != (flags, mines)
    assert wrong == 0
    assert exact >= 17, f"{exact} of 30"


@pytest.mark.parametrize(
    ("text", "font", "points", "finer"),
    [
        ("0/34", "DejaVuSansMono.ttf", 9, 1),  # a dot inside the 0
        ("26/20", "DejaVuSansMono.ttf", 12, 1),
        ("1/26", "DejaVuSansMono.ttf", 9, 4),  # a stroke that is much like a 7
        ("9/134", "DejaVuSerif.ttf", 11, 1),  # a 3 and a 4 that touch, and are as wide as three letters
        ("21/294", "DejaVuSerif.ttf", 11, 1),
    ],
)
def test_what_fonts_do_with_small_letters_is_read(text: str, font: str, points: float, finer: int) -> None:
    try:
        picture = written(text, font, points * 96 / 72, finer=finer, right=0.25 if finer > 1 else 0.0)
    except OSError:
        pytest.skip(f"there is no {font}")
    flags, mines = (int(number) for number in text.split("/"))
    found = read(picture)
    assert found is not None
    assert (found.flags, found.mines) == (flags, mines)
    assert found.certain or finer > 1


@pytest.mark.parametrize("text", ["00:00", "40", "0/", "/40", "0/0", "1/2/3", "01/40", "0/4a", "Mines"])
def test_other_text_is_no_counter(text: str) -> None:
    assert read(written(text, "", 16)) is None


def test_what_is_written_faintly_or_cut_off_is_not_read() -> None:
    assert read(written("0/40", "", 16)) == CounterText(0, 40, True)
    assert read(written("0/40", "", 16, ink=225)) is None
    picture = written("0/88", "", 16)
    inked = np.flatnonzero((picture < 200).any(axis=(1, 2)))
    assert read(picture[: (inked[0] + inked[-1]) // 2]) is None
    assert read_text_counter(picture, Rect(500, 500, 40, 40), PAPER) is None


def test_a_faint_letter_is_not_left_out() -> None:
    picture = written("0/1M9", "", 20)
    columns = np.flatnonzero((picture < 200).any(axis=(0, 2)))
    letters = np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1)
    faint = picture[:, letters[3][0] - 1 : letters[3][-1] + 2]
    faint[:] = 245 - (245 - faint.astype(int)) * 55 // 100
    assert read(picture) is None


def test_two_counters_in_one_place_are_none() -> None:
    one, other = written("0/40", "", 16), written("0/99", "", 16)
    assert read(np.concatenate([one, other])) is None


@pytest.mark.parametrize(("name", "mines"), [("default_23", 23), ("bgcolors_17", 17)])
def test_the_counter_of_gnome_mines(name: str, mines: int) -> None:
    picture = np.asarray(cv2.imread(str(PICTURES / f"gnome_mines_{name}.png")), np.uint8)
    skin = load_skin("gnome-mines")
    (found,) = find_boards(picture, [skin])
    assert str(found.reading.board) == (PICTURES / f"gnome_mines_{name}.txt").read_text().strip()
    flags = str(found.reading.board).count("F")
    assert found.reading.counter == mines - flags
    # A flag less on the board, and the counter is not that of this board.
    board = found.reading.board
    at, other = (found.grid.cell_rect(*board.where(code)[0]) for code in (Cell.FLAG, Cell.COVERED))
    picture[at.y : at.bottom, at.x : at.right] = cv2.resize(
        picture[other.y : other.bottom, other.x : other.right], (at.width, at.height)
    )
    (fewer,) = find_boards(picture, [skin])
    assert fewer.reading.board == board.replaced([board.where(Cell.FLAG)[0]], Cell.COVERED)
    assert fewer.reading.counter is None
