"""What the text of a button says, in a font of which no picture is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.vision.grid import Image
from bot.vision.words import Meaning, is_framed, read_button
from bot.vision.words.word_reader import ASPECT, KINDS, _bent, ink_of, known_words, likenesses

SIZES = (12, 16, 18, 24)


def button(text: str, size: int, *, frame: str = "line", dark: bool = True) -> Image:
    """A button (height, width, 3) in the font that comes with Pillow."""
    font = ImageFont.load_default(size)
    left, top, right, bottom = (int(side) for side in font.getbbox(text))
    wide, high = right - left + 24, bottom - top + 16
    around, ground, ink = (244, 241, 234), (239, 239, 239), (10, 10, 10)
    if not dark:
        ground, ink = (20, 80, 180), (255, 255, 255)
    picture = Pillow.new("RGB", (wide, high), around)
    pen = ImageDraw.Draw(picture)
    box = (1, 1, wide - 2, high - 2)
    if frame == "line":
        pen.rectangle(box, ground, outline=(110, 110, 110))
    elif frame == "bevel":
        pen.rectangle(box, ground)
        pen.line([(1, high - 2), (wide - 2, high - 2), (wide - 2, 1)], (90, 90, 90), 1)
    elif frame == "pill":
        pen.rounded_rectangle(box, high // 2 - 1, ground)
    pen.text((12 - left, 8 - top), text, ink, font)
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    return drawn


@pytest.mark.parametrize("size", SIZES[2:])
@pytest.mark.parametrize("text", ["New game", "New", "Restart", "Play again", "Neues Spiel"])
def test_what_starts_a_game_is_read(text: str, size: int) -> None:
    assert read_button(button(text, size)) is Meaning.NEW


@pytest.mark.parametrize(
    ("frame", "dark"), [("bevel", True), ("pill", True), ("pill", False), ("none", True)]
)
def test_whatever_is_around_it(frame: str, dark: bool) -> None:
    assert read_button(button("New game", 15, frame=frame, dark=dark)) is Meaning.NEW
    assert read_button(button("Quit", 15, frame=frame, dark=dark)) is Meaning.QUIT


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ["Quit", "Exit", "EXIT", "Beenden", "Leave", "Quitter", "Give up"])
def test_what_quits_is_never_taken_for_something_else(text: str, size: int) -> None:
    assert read_button(button(text, size)) in (Meaning.QUIT, Meaning.UNKNOWN)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "text",
    [
        "Scores",
        "Options",
        "News",
        "Stats",
        "Settings",
        "Wurzelwerk",
        "Reload page",
        "Mines: 10",
        "Status bar",
        "Pause game",
        "Close game",
        "Delete game",
        "Resume game",
    ],
)
def test_no_other_text_is_pressed(text: str, size: int) -> None:
    assert read_button(button(text, size)) not in (Meaning.NEW, Meaning.CONFIRM)


def test_a_drawing_is_no_text() -> None:
    picture = Pillow.new("RGB", (32, 32), (200, 200, 200))
    ImageDraw.Draw(picture).ellipse((5, 5, 26, 26), (250, 220, 0), outline=(0, 0, 0))
    assert read_button(np.asarray(picture)[..., ::-1].copy()) is Meaning.PICTURE
    assert read_button(np.full((20, 60, 3), 99, np.uint8)) is Meaning.NOTHING


def test_a_label_has_no_frame() -> None:
    assert is_framed(button("Mines: 10", 15))
    assert is_framed(button("Mines: 10", 15, dark=False, frame="pill"))
    label = button("Mines: 10", 15, frame="none")
    assert not is_framed(label)


def test_a_frame_with_round_corners_is_no_part_of_the_text() -> None:
    """Its four lines do not touch each other, so that no one of them surrounds the text."""
    text = np.full((38, 116, 3), 240, np.uint8)
    cv2.putText(text, "New", (30, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    framed = text.copy()
    framed[[2, 35], 5:111] = 60
    framed[5:33, 2] = framed[5:33, 113] = 60
    alone, inside = ink_of(text), ink_of(framed)
    assert alone is not None
    assert inside is not None
    assert inside.shape == alone.shape


def test_specks_of_the_corners_of_a_faint_frame_are_no_part_of_the_text() -> None:
    """Of the frame of GTK's buttons, which is paler above, the lower line and its ends alone are seen."""
    text = np.full((38, 116, 3), 240, np.uint8)
    cv2.putText(text, "New", (30, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    framed = text.copy()
    framed[35, 5:111] = framed[34, [3, 112]] = 60
    alone, inside = ink_of(text), ink_of(framed)
    assert alone is not None
    assert inside is not None
    assert inside.shape == alone.shape


def spaced(text: str, size: int, gaps: int) -> Image:
    """A button whose letters are not smoothed, those of its first half so many pixels further apart."""
    font = ImageFont.load_default(size)
    picture = Pillow.new("RGB", (20 * size, 3 * size), (239, 239, 239))
    pen, x = ImageDraw.Draw(picture), 12
    pen.fontmode = "1"
    for place, letter in enumerate(text):
        pen.text((x, 8), letter, (10, 10, 10), font)
        x += round(font.getlength(letter)) + (gaps if 2 * place < len(text) else 0)
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    return drawn


@pytest.mark.parametrize(
    ("text", "size", "gaps"), [("Restart", 18, 0), ("Play again", 18, 2), ("Neues Spiel", 16, 2)]
)
def test_letters_that_lie_a_little_elsewhere_are_read(text: str, size: int, gaps: int) -> None:
    """xbomb has a font without smoothing, in which the letters of Restart lie a pixel beside their place."""
    assert read_button(spaced(text, size, gaps)) is Meaning.NEW


@pytest.mark.parametrize("text", ["New game", "Beginner", "Game over", "Zxq vyp", "Flags: 10", "I", "m" * 40])
def test_to_compare_few_words_in_full_tells_what_to_compare_all_would(text: str) -> None:
    ink, words = ink_of(button(text, 15)), known_words()
    assert ink is not None
    near = np.abs(words.aspects - np.log(ink.shape[1] / ink.shape[0])) <= ASPECT
    like = (words.vectors @ _bent(ink).T).max(axis=1)
    most = [like[near & (words.kinds == kind)].max(initial=-1) for kind in range(len(KINDS))]
    np.testing.assert_allclose(likenesses(ink, words), most, atol=1e-5)
