"""What counts as a found grid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.vision.grid import Grid
from bot.vision.grids.grid_search import FoundGrid
from training.reader.checks.grids import outcome, spread

WANTED = Grid(100, 50, 20, 30, 10, 8)
REACH = Grid(40, 20, 20, 30, 20, 12)


def found(grid: Grid, reach: Grid = REACH) -> FoundGrid:
    return FoundGrid(grid, reach, 1.0)


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([], ("none", 0)),
        ([found(replace(WANTED, x=102.0, y=47.0))], ("first", 0)),
        ([found(replace(WANTED, x=103.0))], ("wrong", 0)),
        ([found(replace(WANTED, cell_width=20.3))], ("wrong", 0)),
        ([found(replace(WANTED, rows=7))], ("lattice", 0)),
        ([found(replace(WANTED, x=120.0, columns=9))], ("lattice", 0)),
        ([found(replace(WANTED, rows=7), replace(REACH, columns=9))], ("wrong", 0)),
        ([found(replace(WANTED, rows=7)), found(WANTED)], ("among", 1)),
    ],
)
def test_outcomes(candidates: list[FoundGrid], expected: tuple[str, int]) -> None:
    assert outcome(WANTED, candidates, []) == expected


def test_another_board_of_the_picture_does_not_count_as_coming_before() -> None:
    other = replace(WANTED, x=500.0)
    assert outcome(WANTED, [found(other), found(WANTED)], [other]) == ("first", 0)


def test_some_of_the_pictures_are_spread_over_all() -> None:
    paths = [Path(str(number)) for number in range(150)]
    assert spread(paths, 0) == paths
    assert spread(paths[:3], 14) == paths[:3]
    assert all(len(spread(paths[:count], 14)) == 14 for count in range(14, 150))
    assert spread(paths, 3) == [paths[0], paths[50], paths[100]]
