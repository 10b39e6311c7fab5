"""Painted boards: what is labelled is what is drawn, where it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.vision.grid import Grid
from training.reader import written
from training.reader.families import FAMILIES
from training.reader.paint import fonts
from training.reader.paint.bitmaps import BITMAPS
from training.reader.paint.boards import paint_board
from training.reader.paint.effects import FILTERS, scaled
from training.reader.paint.readable import are_edges_seen, are_told_apart, is_end_seen, is_readable
from training.reader.paint.surroundings import surround
from training.reader.paint.tiles import tile_look, tile_pixels
from training.reader.painted import main, paint
from training.reader.samples import read_samples
from training.reader.toolkits import hershey
from training.reader.widgets import PAINTERS, until_readable

BOARD = Board.parse("##1F\n?#21\n112*\n345X\n678x")


@pytest.mark.parametrize("seed", range(12))
def test_a_board_lies_where_its_surroundings_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = paint_board(rng, BOARD, 23, 21)
    picture, left, top, _ = surround(rng, board)
    height, width = board.picture.shape[:2]
    assert (height, width) == (21 * BOARD.rows, 23 * BOARD.columns)
    assert np.array_equal(picture[top : top + height, left : left + width], board.picture)


@pytest.mark.parametrize("seed", range(30))
def test_lines_between_covered_cells_lie_half_on_each_side_of_the_lattice(seed: int) -> None:
    look = tile_look(np.random.default_rng(seed), 40, 40)
    first, behind = look.covered.gap
    # The line reaches from `behind` pixels before the edge of a tile to `first` pixels after it.
    assert look.lattice == (first - behind) / 2


@pytest.mark.parametrize("way", list(FILTERS))
@pytest.mark.parametrize("factor", [0.437, 0.81, 1.73])
def test_an_edge_is_where_the_factors_of_scaling_say(way: str, factor: float) -> None:
    picture = np.zeros((90, 120, 3), np.uint8)
    picture[:, 60:] = 200
    result, across, _ = scaled(picture, factor, factor, way)
    edge = result.shape[1] - result[10, :, 0].astype(float).sum() / 200
    assert abs(edge - 60 * across) < 0.4


def test_the_digits_of_every_bitmap_design_have_one_size_and_differ() -> None:
    for name, digits in BITMAPS.items():
        assert len(digits) == 8
        assert len({(len(rows), len(row)) for rows in digits for row in rows}) == 1, name
        for first, second in combinations(digits, 2):
            dots = [
                sum(a != b for a, b in zip(x, y, strict=True)) for x, y in zip(first, second, strict=True)
            ]
            assert sum(dots) >= 1, name


@pytest.mark.parametrize("seed", range(40))
def test_covered_and_opened_tiles_of_a_look_differ(seed: int) -> None:
    look = tile_look(np.random.default_rng(seed), 24, 24)
    apart = tile_pixels(look.covered, 24, 24, 0) - tile_pixels(look.opened, 24, 24, 0)
    assert look.needs_sign or np.percentile(np.abs(apart).max(2), 97) >= 10


def test_covered_cells_that_look_like_opened_ones_bear_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.reader.paint.tiles.TEXT_BOARDS", 1.0)
    for seed in range(5):
        picture = paint_board(np.random.default_rng(seed), Board.parse("#."), 24, 24).picture.astype(int)
        assert np.abs(picture[:, :24] - picture[:, 24:]).max() >= 20


def test_a_board_whose_meanings_look_alike_is_not_readable() -> None:
    board, grid = Board.parse("#1\n1#"), Grid(0, 0, 20, 20, 2, 2)
    plain = np.full((40, 40, 3), 120, np.uint8)
    assert not is_readable(plain, grid, board)
    plain[5:15, 25:35] = plain[25:35, 5:15] = 200
    assert is_readable(plain, grid, board)


@pytest.mark.parametrize("turn", range(4))
def test_a_board_whose_edge_is_not_to_be_seen_is_not_readable(turn: int) -> None:
    grid, picture = Grid(20, 20, 20, 20, 4, 4), np.full((120, 120, 3), 30, np.uint8)
    picture[45:55, 20:100:2] = 200  # the numbers of the second row
    picture[60:100, 20:100] = 120  # covered cells below them
    board = Board(np.ascontiguousarray(np.rot90(Board.parse("....\n1111\n####\n####").codes, turn)))
    turned = np.ascontiguousarray(np.rot90(picture, turn))
    assert are_told_apart(turned, grid, board)
    assert not is_readable(turned, grid, board)
    picture[18:20] = 90  # a frame
    assert is_readable(np.ascontiguousarray(np.rot90(picture, turn)), grid, board)


def test_a_board_ends_where_the_picture_does() -> None:
    picture = np.full((60, 120, 3), 30, np.uint8)
    picture[25:35, 20:100:2] = 200
    picture[40:60, 20:100] = 120
    assert is_readable(picture, Grid(20, 0, 20, 20, 4, 3), Board.parse("....\n1111\n####"))


def test_a_board_that_begins_beyond_the_picture_has_edges_that_are_seen_or_not() -> None:
    picture = np.full((120, 100, 3), 30, np.uint8)
    picture[45:55, ::2] = 200
    picture[60:100, :79] = 120
    grid, board = Grid(-1, 20, 20, 20, 4, 4), Board.parse("....\n1111\n####\n####")
    assert not are_edges_seen(picture, grid, board)
    picture[18:20] = 90
    assert are_edges_seen(picture, grid, board)


def lost(cells: str, colours: dict[str, int]) -> tuple[np.ndarray, Grid, Board]:
    """A row of cells, each in a grey; a letter for each that shows a mine, `X` for one that exploded."""
    picture = np.repeat(np.array([colours[one] for one in cells], np.uint8), 20)[None, :, None]
    board = Board.parse("".join("*" if one.islower() else one for one in cells))
    return (
        np.ascontiguousarray(np.broadcast_to(picture, (20, picture.shape[1], 3))),
        Grid(0, 0, 20, 20, len(cells), 1),
        board,
    )


@pytest.mark.parametrize(
    ("cells", "is_seen"),
    [
        ("aaaX", True),
        ("aabX", False),  # another mine is drawn like the one that exploded
        ("aaaa", True),
        ("aaab", False),  # that mine may have exploded, or none
        ("a###", False),
        ("abc#", True),  # each has a colour of its own
        ("####", True),
    ],
)
def test_which_mine_exploded_is_seen(cells: str, is_seen: bool) -> None:
    assert is_end_seen(*lost(cells, {"a": 30, "b": 205, "c": 100, "X": 210, "#": 160})) == is_seen


def test_widgets_draws_all_its_families() -> None:
    assert set(PAINTERS) == {name for name, family in FAMILIES.items() if family.painter == "widgets"}


def test_no_painted_look_belongs_to_a_family_that_is_only_for_judging() -> None:
    held_out = {kind: set(FAMILIES[kind].members) for kind in ("flags", "mines", "cells", "fonts")}
    for seed in range(30):
        look = paint_board(np.random.default_rng(seed), BOARD, 20, 20).look
        assert look["flag"] not in held_out["flags"]
        assert look["mine"] not in held_out["mines"]
        assert look["font"] not in held_out["fonts"]
        assert look["cells"].split(",")[0] not in held_out["cells"]


def test_fonts_that_are_missing_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = "".join(f"{family},{family} Light\n" for family in fonts.DEBIAN_PACKAGES)
    monkeypatch.setattr(fonts, "listed_fonts", lambda *_: there)
    fonts.name_missing_fonts()
    assert capsys.readouterr().err == ""
    less = there.replace("Symbola,", "Symbols,").replace("Hack,", "Sack,")
    monkeypatch.setattr(fonts, "listed_fonts", lambda *_: less)
    fonts.name_missing_fonts()
    assert capsys.readouterr().err.endswith(": apt-get install fonts-hack fonts-symbola\n")


def test_pictures_come_again_from_their_seed() -> None:
    first, second = (paint(np.random.default_rng([3, 4]), "a", largest=100) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.boards == second.boards


def test_pictures_that_are_there_are_kept(tmp_path: Path) -> None:
    main(["--pictures", "2", "--seed", "5", "--largest", "80", "--out", str(tmp_path)])
    kept = tmp_path / "painted-5-00000.png"
    kept.write_bytes(kept.read_bytes() + b"\0")
    size = kept.stat().st_size
    main(["--pictures", "3", "--seed", "5", "--largest", "80", "--out", str(tmp_path)])
    assert kept.stat().st_size == size
    assert len(list(read_samples(tmp_path))) == 3


@pytest.mark.parametrize("painter", [main, written.main])
def test_only_games_at_the_stage_that_is_asked_for_are_drawn(
    tmp_path: Path, painter: Callable[[list[str]], None]
) -> None:
    painter(["--pictures", "3", "--largest", "80", "--stage", "lost", "--out", str(tmp_path)])
    boards = [one.board.codes for sample in read_samples(tmp_path) for one in sample.boards]
    assert len(boards) == 3
    assert all(np.isin(codes, (Cell.MINE, Cell.EXPLODED)).any() for codes in boards)


@pytest.mark.parametrize("seed", range(6))
def test_opencv_draws_its_lines_on_the_grid(seed: int) -> None:
    sample = until_readable(hershey.draw, np.random.default_rng(seed), "a", 100)
    (labels,) = sample.boards
    grid = labels.grid
    inside = sample.image[int(grid.y) : int(grid.y + grid.rows * grid.cell_height) + 1].astype(float)
    changes = np.abs(np.diff(inside, axis=1)).sum((0, 2))
    # Pixel columns before and after each line between two cells, against all columns.
    lines = [round(grid.x - 0.5 + place * grid.cell_width) for place in range(1, grid.columns)]
    beside = [max(changes[line - 1], changes[line]) for line in lines]
    assert np.mean(beside) > 1.5 * np.median(changes)
