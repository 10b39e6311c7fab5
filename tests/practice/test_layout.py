from __future__ import annotations

import math

import pytest

from bot.errors import UsageError
from bot.geometry import Rect
from bot.practice.layout import Layout

SIZES = [(9, 9), (30, 16), (2, 1), (1, 2), (100, 100)]
SCALES = [1.0, 1.25, 1.37, 1.5, 2.0, 2.5, 3.0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", SCALES)
def test_parts_lie_inside_and_apart(size: tuple[int, int], scale: float) -> None:
    layout = Layout(*size, scale)
    whole = Rect(0, 0, layout.width, layout.height)
    for part in (layout.header, layout.board_frame, layout.status):
        assert whole.encloses(part)
    assert layout.board_frame.encloses(layout.board)
    assert layout.header.bottom < layout.board_frame.y
    assert layout.board_frame.bottom < layout.status.y
    in_header = (layout.counter, layout.face, layout.timer)
    for part in in_header:
        assert layout.header.encloses(part)
    assert layout.counter.right < layout.face.x
    assert layout.face.right < layout.timer.x
    assert (layout.board.width, layout.board.height) == (size[0] * layout.pitch, size[1] * layout.pitch)


@pytest.mark.parametrize("scale", SCALES)
def test_every_pixel_of_a_cell_is_that_cell(scale: float) -> None:
    layout = Layout(7, 5, scale)
    assert layout.pitch == round(16 * scale)
    for row, column in ((0, 0), (4, 6), (2, 3)):
        place = layout.cell(row, column)
        assert layout.cell_at(place.x, place.y) == (row, column)
        assert layout.cell_at(place.right - 1, place.bottom - 1) == (row, column)
    board = layout.board
    assert layout.cell_at(board.x - 1, board.y) is None
    assert layout.cell_at(board.x, board.y - 1) is None
    assert layout.cell_at(board.right, board.y) is None
    assert layout.cell_at(board.x, board.bottom) is None


def test_a_counter_of_more_digits_makes_room() -> None:
    narrow, wide = Layout(9, 9), Layout(9, 9, counter_digits=4)
    assert wide.counter.width == narrow.counter.width // 3 * 4
    assert wide.counter.right < wide.face.x


@pytest.mark.parametrize("scale", [0.99, 3.01, 0.0, -1.0, math.nan, math.inf])
def test_scales_that_cannot_be_are_refused(scale: float) -> None:
    with pytest.raises(UsageError, match="1 to 3"):
        Layout(9, 9, scale)
