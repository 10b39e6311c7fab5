"""Digits that are much smaller than their cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np
import pytest
from PIL import ImageFont

from bot.vision.general.cell_windows import cell_looks
from bot.vision.general.closer_look import looked_closer
from bot.vision.general.general_reader import read_any_boards
from bot.vision.grid import Grid, Image
from training.reader.checks.small import Font, drawn, outcome, without_closer_look

FONTS: list[Font] = [ImageFont.load_default]
"""The one that comes with Pillow: other machines have other fonts."""


@pytest.mark.parametrize("are_long", [False, True], ids=["small digits", "long cells"])
@pytest.mark.parametrize(("is_closer", "least", "most"), [(True, 19, 20), (False, 0, 17)])
def test_small_digits_and_long_cells_are_read_closer(
    is_closer: bool, least: int, most: int, are_long: bool
) -> None:
    with nullcontext() if is_closer else without_closer_look():
        told = Counter(outcome(seed, FONTS, are_long=are_long) for seed in range(20))
    assert least <= told["exact"] <= most, told
    assert not is_closer or not told["wrong"]


@pytest.mark.parametrize(("are_long", "seeds"), [(False, range(40, 46)), (True, (100, 102, 103, 111, 120))])
def test_such_a_board_is_found(are_long: bool, seeds: Sequence[int]) -> None:
    """Of long cells 57 boards of 100 are: what repeats is half as wide, or twice as high."""
    for seed in seeds:
        image, _, board = drawn(seed, FONTS, are_long=are_long)
        found = read_any_boards(image)
        assert [one.board for one in found] == [board], seed


def cells(size: int) -> tuple[Image, Grid]:
    """Cells of 40 pixels, with a square of a size in the middle of each of the first row."""
    image = np.full((120, 160, 3), 200, np.uint8)
    image[::40] = image[:, ::40] = 90
    for column in range(4):
        x = 40 * column + 21 - size // 2
        image[21 - size // 2 : 21 - size // 2 + size, x : x + size] = 10
    return image, Grid(0, 0, 40, 40, 4, 3)


@pytest.mark.parametrize(("size", "is_closer"), [(6, True), (8, True), (16, False), (24, False)])
def test_what_is_cut_out_lies_around_a_small_drawing(size: int, is_closer: bool) -> None:
    looks = cell_looks(*cells(size))
    closer = looked_closer(looks, looks.windows([*range(len(looks.keys))]))
    changed = [(one, other) for one, other in zip(looks.places, closer.places, strict=True) if one != other]
    assert bool(changed) == is_closer
    assert len(closer.keys) == len(set(closer.keys))
    for (x, y, width, height), (inner_x, inner_y, inner_width, inner_height) in changed:
        assert x <= inner_x <= inner_x + inner_width <= x + width
        assert y <= inner_y <= inner_y + inner_height <= y + height
        assert size < inner_width < width
        assert abs(inner_x + inner_width / 2 - (x + 21)) <= 1, "it lies in the middle"
