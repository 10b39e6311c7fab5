"""Which boxes of a window are taken for buttons, for what they say, and which for the face of the game."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.geometry import Rect
from bot.targets.window.events import buttons as button_places
from bot.targets.window.events.buttons import faces, read_boxes, seen_buttons
from bot.vision.grid import Grid, Image
from bot.vision.words import Meaning, read_button

GRID = Grid(40, 80, 24, 24, 12, 9)

SAID = (Meaning.NEW, Meaning.CONFIRM, Meaning.CLOSE, Meaning.QUIT, Meaning.OTHER, Meaning.UNKNOWN)


def window(texts: Sequence[str] = (), *, y: int = 24, panel: bool = False, face: bool = False) -> Image:
    """A window with a board in it and buttons with these texts in a row."""
    picture = Pillow.new("RGB", (370, 380), (236, 236, 236))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(19)
    if panel:
        pen.rectangle((20, y - 8, 250, y + 38), outline=(90, 90, 90))
    x = 30
    for text in texts:
        wide = int(font.getlength(text)) + 20
        pen.rectangle((x, y, x + wide, y + 30), (225, 225, 225), outline=(60, 60, 60))
        pen.text((x + 10, y + 5), text, (0, 0, 0), font)
        x += wide + 14
    if face:
        pen.rectangle((170, 20, 198, 48), (210, 210, 210), outline=(60, 60, 60))
        pen.ellipse((174, 24, 194, 44), (250, 220, 0), outline=(0, 0, 0))
    pen.rectangle((40, 80, 327, 295), (150, 170, 190))
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    for edge in range(0, 289, 24):
        cv2.line(drawn, (40 + edge, 80), (40 + edge, 295), (90, 90, 90))
    return drawn


def said(picture: Image, in_play: Image | None = None) -> list[Meaning]:
    found = seen_buttons(picture, picture if in_play is None else in_play, GRID)
    return [one.meaning for one in found if one.meaning in SAID]


def test_buttons_are_read_from_the_left_wherever_they_stand() -> None:
    assert said(window(["Quit", "New game"])) == [Meaning.QUIT, Meaning.NEW]
    assert said(window(["Play again", "Exit"], y=320)) == [Meaning.NEW, Meaning.QUIT]
    assert said(window()) == []


def full_of_text(picture: Image) -> Image:
    """The same window, wider, with many words beside it that say nothing known."""
    height, width = picture.shape[:2]
    wider = Pillow.new("RGB", (width + 600, height), (236, 236, 236))
    wider.paste(Pillow.fromarray(picture[..., ::-1].copy()), (0, 0))
    pen, font = ImageDraw.Draw(wider), ImageFont.load_default(28)
    for place in np.ndindex(9, 7):
        pen.text((width + 20 + 80 * place[1], 6 + 40 * place[0]), "Zxqy", (0, 0, 0), font)
    drawn: Image = np.asarray(wider)[..., ::-1].copy()
    return drawn


def test_no_button_is_left_out_for_the_words_of_a_page() -> None:
    """On a page with a long text the button that starts a game was behind all boxes that are looked at."""
    picture = full_of_text(window(["Quit", "New game"]))
    assert len(read_boxes(picture)) == button_places.MOST
    known = [meaning for _, meaning in read_boxes(picture) if meaning in (Meaning.NEW, Meaning.QUIT)]
    assert sorted(one.value for one in known) == ["new", "quit"]
    assert [one for one in said(picture) if one is not Meaning.UNKNOWN] == [Meaning.QUIT, Meaning.NEW]
    card = full_of_text(window())
    card[150:200, 60:300] = window(["New game"])[14:64, 20:260]
    assert Meaning.NEW in said(card, full_of_text(window()))


def test_a_frame_around_several_is_looked_into() -> None:
    assert said(window(["New game", "Exit"], panel=True)) == [Meaning.NEW, Meaning.QUIT]


def test_a_letter_that_looks_like_a_sign_is_no_button_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a button in Chinese, in a font without its signs, one of the boxes in their place was left: it read
    as a sign that closes."""

    def read(picture: Image) -> Meaning:
        return Meaning.CLOSE if picture.shape[1] < 30 else Meaning.UNKNOWN

    monkeypatch.setattr(button_places, "read_button", read)
    [(box, meaning)] = read_boxes(window(["QWQWQW"]), GRID.rect)
    assert (box.height > 25, meaning) == (True, Meaning.UNKNOWN)


def test_a_button_that_came_with_the_end_is_told_from_one_that_stands() -> None:
    at_end = window(["Quit", "New game"])
    found = {one.meaning: one.changed for one in seen_buttons(at_end, window(["Quit"]), GRID)}
    assert found[Meaning.NEW]
    assert not found[Meaning.QUIT]


def test_a_face_is_a_picture_above_the_middle() -> None:
    plain, smiling = window(), window(face=True)
    assert [box.center.x // 10 for box in faces(smiling, smiling, GRID)] == [18]
    assert faces(plain, plain, GRID) == []


def test_a_face_with_sunglasses_is_one_though_they_are_as_wide_as_a_text() -> None:
    at_end = window(face=True)
    at_end[24:46, 173:196] = (0, 220, 250)
    at_end[30:36, 174:195] = 0
    assert read_button(at_end[20:49, 170:199]) is Meaning.UNKNOWN
    assert [box.center.x // 10 for box in faces(at_end, window(face=True), GRID)] == [18]
    assert faces(at_end, at_end, GRID) == [], "the end has not changed it: it may be a text"


def test_a_face_on_a_dithered_ground_is_one() -> None:
    """As in black and white Minesweepers."""
    picture = window()
    cv2.rectangle(picture, (170, 20), (198, 48), (0, 0, 0))
    dots = np.indices((27, 27)).sum(axis=0) % 2 == 0
    picture[21:48, 171:198] = np.where(dots[..., None], 0, 255)
    cv2.circle(picture, (184, 34), 9, (255, 255, 255), -1)
    assert read_button(picture[19:49, 169:199]) is Meaning.NOTHING
    assert [box.center.x // 10 for box in faces(picture, picture, GRID)] == [18]


def test_a_short_text_above_the_middle_is_no_face() -> None:
    picture = window()
    picture[20:50, 166:204] = window(["Quit"])[24:54, 30:68]
    assert faces(picture, picture, GRID) == []


@pytest.mark.parametrize("outside", [0, 4])
def test_a_button_on_a_card_is_read_whichever_edge_of_its_frame_was_found(
    outside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_play = window()
    picture = Pillow.fromarray((in_play[..., ::-1] // 2).copy())
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(17)
    pen.rounded_rectangle((90, 120, 280, 260), 8, (255, 255, 255))
    pen.rounded_rectangle((120, 190, 260, 221), 3, (239, 239, 239), outline=(118, 118, 118))
    pen.text((142, 195), "Play again", (0, 0, 0), font)
    at_end: Image = np.asarray(picture)[..., ::-1].copy()
    frame = Rect(120 - outside, 190 - outside, 141 + 2 * outside, 32 + 2 * outside)
    monkeypatch.setattr("bot.targets.window.events.buttons.buttons", lambda at_end, in_play: [frame])
    assert said(at_end, in_play)[-1] is Meaning.NEW


def test_a_dialog_says_what_its_buttons_do() -> None:
    picture = window(["Quit", "Play again"])[0:70]
    assert {meaning for _, meaning in read_boxes(picture) if meaning in SAID} == {Meaning.QUIT, Meaning.NEW}
    assert all(isinstance(box, Rect) for box, _ in read_boxes(picture))


def test_a_text_on_a_ground_that_becomes_darker_is_read() -> None:
    """The weak edges of such a ground hang together with the letters, and with a frame over the whole width
    of the window, which is too large for a button."""
    picture = Pillow.new("RGB", (370, 380), (236, 236, 236))
    pen = ImageDraw.Draw(picture)
    for y in range(40):
        # As Swing draws its buttons.
        shade = int(np.interp(y, (0, 10, 20, 40), (221, 255, 255, 184)))
        pen.line((20, 20 + y, 350, 20 + y), (shade, shade, 255))
    pen.rectangle((20, 20, 350, 60), outline=(60, 60, 60))
    pen.text((185, 40), "New game", (30, 30, 30), ImageFont.load_default(19), "mm")
    drawn: Image = np.asarray(picture)[..., ::-1].copy()
    assert [meaning for _, meaning in read_boxes(drawn) if meaning in SAID] == [Meaning.NEW]


def test_the_letters_of_a_large_text_are_no_pictures() -> None:
    """A Restart of twenty points over the whole width of a window was not found: it is larger than buttons
    are, and its letters are as large as some."""
    picture = np.full((500, 1100, 3), 217, np.uint8)
    drawn = Pillow.fromarray(picture)
    pen, font = ImageDraw.Draw(drawn), ImageFont.load_default(30)
    pen.rectangle((20, 400, 1075, 470), outline=(120, 120, 120))
    pen.text((490, 415), "Restart", (0, 0, 0), font)
    pen.text((490, 340), "Game Over!", (0, 0, 0), font)
    image: Image = np.asarray(drawn).copy()
    assert [meaning for _, meaning in read_boxes(image) if meaning is Meaning.NEW] == [Meaning.NEW]


@pytest.mark.parametrize(("left", "is_found"), [(145, True), (190, False)])
def test_a_face_above_the_very_middle_may_lie_in_a_wider_button(left: int, is_found: bool) -> None:
    """As the emoji of a game in Racket, in a button of GTK."""
    picture = window()
    cv2.rectangle(picture, (left, 20), (left + 77, 70), (60, 60, 60))
    cv2.circle(picture, (left + 38, 45), 18, (0, 220, 250), -1)
    cv2.circle(picture, (left + 38, 45), 18, (0, 0, 0))
    found = faces(picture, picture, GRID)
    assert {round(box.center.x, -1) for box in found} == ({180} if is_found else set())
