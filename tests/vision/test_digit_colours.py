"""Numbers in another colour than the rest of their kind."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from looks import unlike_thumbnails

from bot.board import Cell
from bot.vision.general import general_grid_reader
from bot.vision.general.cell_reader import CellReader, CellScores
from bot.vision.general.digit_colours import SAME_COLOUR, Inks, ink_of, without_other_colours
from bot.vision.general.labelling import Labelling
from bot.vision.general.network import LABELS
from bot.vision.grid import Grid, Image

SIDE = 40
GREEN, RED, PALE = (0, 100, 0), (0, 0, 139), (190, 190, 190)
GROUND = (255, 255, 255)

Colour = tuple[int, int, int]


def drawn(colours: list[Colour], grounds: list[Colour], shift: float = 0.0) -> tuple[Image, Grid]:
    """A row of cells that each show a digit, the last one moved by a part of a pixel."""
    picture = np.empty((SIDE, SIDE * len(colours), 3), np.uint8)
    for column, (colour, ground) in enumerate(zip(colours, grounds, strict=True)):
        cell = np.full((SIDE, SIDE, 3), ground, np.uint8)
        cv2.putText(cell, "2", (14, 25), cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour)
        if shift and column == len(colours) - 1:
            move = np.array([[1, 0, shift], [0, 1, shift]], np.float32)
            cell = np.asarray(cv2.warpAffine(cell, move, (SIDE, SIDE), borderValue=ground), np.uint8)
        picture[:, SIDE * column : SIDE * (column + 1)] = cell
    return picture, Grid(0, 0, SIDE, SIDE, len(colours), 1)


def codes(
    colours: list[Colour],
    sure: list[float],
    shift: float = 0.0,
    ground: Colour = GROUND,
    known: Inks | None = None,
) -> list[int]:
    """What is left of cells that are all taken for a 2, with these probabilities."""
    picture, grid = drawn(colours, [GROUND] * (len(colours) - 1) + [ground], shift)
    scores = np.full((1, len(sure), LABELS), -14.0, np.float32)
    scores[0, :, 2] = np.log(sure)
    twos = np.full((1, len(sure)), 2, np.int8)
    left: list[int] = without_other_colours(twos, scores, picture, grid, known)[0].tolist()
    return left


def test_an_unsure_number_in_another_colour_is_not_read() -> None:
    """XBomb's 3 of nine pixels in cells of fifty was read as a 2."""
    assert codes([GREEN, GREEN, RED], [0.97, 0.9, 0.9]) == [2, 2, Cell.UNREAD]


def test_the_surest_cells_tell_the_colour_of_a_number() -> None:
    assert codes([RED, RED, RED, GREEN], [0.4, 0.4, 0.4, 0.97]) == [Cell.UNREAD] * 3 + [2]


def test_most_cells_tell_the_colour_of_a_number() -> None:
    assert codes([RED, GREEN, GREEN], [0.94, 0.9, 0.9]) == [Cell.UNREAD, 2, 2]


def test_a_number_that_is_sure_may_be_pale() -> None:
    assert codes([GREEN, GREEN, PALE], [0.9, 0.9, 0.97]) == [2, 2, 2]


@pytest.mark.parametrize("shift", [0.3, 0.5, 0.8])
def test_a_number_that_is_drawn_between_pixels_has_its_colour(shift: float) -> None:
    assert codes([GREEN, GREEN, GREEN], [0.97, 0.9, 0.9], shift) == [2, 2, 2]


def test_a_number_on_another_ground_has_its_colour() -> None:
    assert codes([GREEN, GREEN, GREEN], [0.97, 0.9, 0.9], ground=(225, 225, 225)) == [2, 2, 2]


def ink(colour: Colour) -> Inks:
    """The colour of a 2 that is known."""
    return {2: [ink_of(drawn([colour], [GROUND])[0])]}


def test_a_number_whose_colour_is_known_is_not_read_in_another_one() -> None:
    """The first 6 of xdemineur was read as a 5, and the 5 of the games before had another colour."""
    assert codes([RED], [0.94], known=ink(GREEN)) == [Cell.UNREAD]
    assert codes([RED], [0.98], known=ink(GREEN)) == [Cell.UNREAD]
    assert codes([RED, RED, RED], [0.98, 0.98, 0.98], known=ink(GREEN)) == [Cell.UNREAD] * 3
    assert codes([GREEN], [0.6], known=ink(GREEN)) == [2]
    assert codes([RED], [0.6], known={2: [*ink(GREEN)[2], *ink(RED)[2]]}) == [2]
    assert codes([RED], [0.6], known={3: ink(GREEN)[2]}) == [2]


def test_a_number_that_is_very_sure_may_have_another_colour_than_is_known() -> None:
    assert codes([PALE], [0.995], known=ink(GREEN)) == [2]


def test_a_digit_that_fills_its_cell_has_the_colour_of_its_ink() -> None:
    thick = np.full((21, 21, 3), 179, np.uint8)
    thick[4:17, 4:17] = (87, 139, 46)
    thick[9:12, 9:12] = 179
    thin = np.full((21, 21, 3), 179, np.uint8)
    thin[4:17, 10] = (87, 139, 46)
    assert float(ink_of(thick) @ ink_of(thin)) > SAME_COLOUR


def test_what_is_played_is_read_so(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, grid = drawn([GREEN, GREEN, GREEN, RED], [GROUND] * 4)
    twos = Labelling(np.full((1, 4), 2, np.int8), 0.0, 0)
    monkeypatch.setattr(general_grid_reader, "label_cells", lambda *_, **__: twos)
    scores = np.full((1, 4, LABELS), np.log(0.9), np.float32)
    looks = np.arange(4).reshape(1, 4)
    told = CellScores(scores[None], looks, np.eye(4, dtype=np.float32), unlike_thumbnails(looks))
    monkeypatch.setattr(CellReader, "read", lambda *_, **__: told)
    read = general_grid_reader.read_cells(picture, grid)
    assert read[0].tolist() == [2, 2, 2, Cell.UNREAD]
    known = general_grid_reader.read_cells(picture, grid, ink(RED))
    assert known[0].tolist() == [Cell.UNREAD, Cell.UNREAD, Cell.UNREAD, 2]
