"""What untouched boards and other grids cost the reader."""

from __future__ import annotations

import numpy as np

from bot.board import Board
from bot.vision.general.labelling import Labelling
from bot.vision.grid import Grid
from training.reader.checks.untouched import cost_of_untouched, looks_untouched, table
from training.reader.variety.skins import drawn, skins


def labelling(text: str) -> Labelling:
    return Labelling(Board.parse(text.replace("/", "\n")).codes, 0.0, 0)


def test_only_what_shows_nothing_opened_is_untouched() -> None:
    assert looks_untouched(labelling("####/#F?#/####"))
    assert not looks_untouched(labelling("####/#.##/####"))
    assert not looks_untouched(labelling("####/#!##/####"))


def test_a_drawn_board_costs_little_and_an_opened_one_is_left_out() -> None:
    picture, grid = drawn(skins()["classic"], Board.covered(9, 9), 24.0, 14)
    cost = cost_of_untouched(picture, grid)
    assert cost is not None
    assert cost < 0.02
    opened = Board.parse("\n".join(["1#######"] * 8))
    assert cost_of_untouched(*drawn(skins()["classic"], opened, 24.0, 14)) is None
    flat = np.full((200, 200, 3), 200, np.uint8)
    assert cost_of_untouched(flat, Grid(10, 10, 20, 20, 9, 9)) is None


def test_the_table_says_how_many_are_within_each_bound() -> None:
    lines = table([0.001, 0.001, 0.015, 0.5], [0.04])
    assert lines[0].split() == ["cost", "at", "most", "4", "boards", "1", "others"]
    shares = {line.split()[0]: line.split()[1:] for line in lines[1:]}
    assert shares["0.002"] == ["50.0%", "0.0%"]
    assert shares["0.03"] == ["75.0%", "0.0%"]
    assert shares["0.06"] == ["75.0%", "100.0%"]
