"""Clustering cells, working out their numbers, and refining the grid: with pictures painted by a theme."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell, Coordinate, neighbours
from bot.calibrate.infer.cell_clusters import CellClusters, ClusterRoles
from bot.calibrate.infer.grid_refinement import fit_to_changes
from bot.calibrate.infer.number_inference import InferredNumbers, infer_numbers
from bot.calibrate.infer.played_game import PlayedGame
from bot.errors import FormatError, UsageError
from bot.files import user_data
from bot.targets.window.calibration import (
    Calibration,
    GridPlace,
    NewGame,
    WindowPlace,
    load_calibration,
    read_calibration,
    write_calibration,
)
from bot.vision.grid import Grid, Image
from bot.vision.themes.theme import load_theme

ROWS, COLUMNS, MINES = 9, 12, 16
THEME = load_theme("practice")
GRID = Grid(0, 0, 16, 16, COLUMNS, ROWS)


def picture(board: Board) -> Image:
    cut = THEME.skin.glyph_sets[0]
    rows = [np.concatenate([cut.glyph(int(code)) for code in row], axis=1) for row in board.codes]
    return np.concatenate(rows, axis=0)


def lost_game(rng: random.Random, *, only_hit: bool = False, veil: bool = False, lie: int = 0) -> PlayedGame:
    """A game in which some safe cells were opened and then a mine; `lie` mines are not shown."""
    cells = [(r, c) for r in range(ROWS) for c in range(COLUMNS)]
    mines = set(rng.sample(cells, MINES))
    safe = [cell for cell in cells if cell not in mines]
    opened = rng.sample(safe, 40)
    covered = Board.covered(COLUMNS, ROWS)
    codes = covered.codes.copy()
    for cell in opened:
        codes[cell] = sum(near in mines for near in neighbours(*cell, ROWS, COLUMNS))
    before = Board(codes)
    hit = rng.choice(sorted(mines))
    shown = [] if only_hit else sorted(mines - {hit})[lie:]
    after = before.replaced(shown, Cell.MINE).replaced([hit], Cell.EXPLODED)
    ended = picture(after)
    pictures: tuple[Image, ...] = (ended,)
    if veil:
        pictures = (ended, (ended // 2).astype(np.uint8))
    return PlayedGame(
        picture(covered), picture(before), pictures, hit, 2, opened[0], picture(before), True, False, True
    )


def inferred(games: Sequence[PlayedGame]) -> tuple[InferredNumbers | None, CellClusters]:
    clusters = CellClusters(GRID)
    covered = {int(clusters.map_of(games[0].start)[0, 0])}
    midgame = {one for game in games for one in clusters.map_of(game.before).ravel().tolist()}
    return infer_numbers(games, clusters, ClusterRoles(covered, midgame=midgame)), clusters


def check(found: InferredNumbers | None, clusters: CellClusters, games: Sequence[PlayedGame]) -> None:
    assert found is not None
    assert found.total == MINES
    glyphs = THEME.skin.glyph_sets[0]
    for cluster, number in found.labels.items():
        assert np.array_equal(clusters.exemplars[cluster], glyphs.glyph(number)), number
    assert len(found.mines) == len(games)


@pytest.mark.parametrize("veil", [False, True])
def test_numbers_follow_from_the_mines_that_lost_games_show(veil: bool) -> None:
    rng = random.Random(4)
    games = [lost_game(rng, veil=veil) for _ in range(4)]
    found, clusters = inferred(games)
    check(found, clusters, games)


def test_a_window_that_shows_only_the_mine_that_was_hit_teaches_nothing_false() -> None:
    rng = random.Random(4)
    found, _ = inferred([lost_game(rng, only_hit=True) for _ in range(6)])
    assert found is None


def test_a_game_that_does_not_fit_is_left_out() -> None:
    rng = random.Random(4)
    games = [lost_game(rng) for _ in range(6)] + [lost_game(rng, lie=5)]
    found, clusters = inferred(games)
    assert found is not None
    assert set(found.mines) == set(range(6))
    for cluster, number in found.labels.items():
        assert np.array_equal(clusters.exemplars[cluster], THEME.skin.glyph_sets[0].glyph(number))


def test_cells_of_one_meaning_are_one_cluster_under_noise_and_digits_are_not() -> None:
    rng = np.random.default_rng(3)
    board = Board.parse("\n".join(["012345678#F?".replace("0", ".")] * ROWS))
    clusters = CellClusters(GRID)
    clean = clusters.map_of(picture(board))
    assert len(clusters) == 12
    noisy = np.clip(picture(board).astype(int) + rng.integers(-2, 3, (ROWS * 16, COLUMNS * 16, 3)), 0, 255)
    assert np.array_equal(clusters.map_of(noisy.astype(np.uint8)), clean)
    assert len(clusters) == 12


def opened_one(cell: Coordinate) -> tuple[Image, Image]:
    covered = Board.covered(COLUMNS, ROWS)
    codes = covered.codes.copy()
    codes[cell] = 1
    margin = ((20, 20), (20, 20), (0, 0))
    before, after = picture(covered), picture(Board(codes))
    return np.pad(before, margin), np.pad(after, margin)


@pytest.mark.parametrize(("dx", "dy", "stretch"), [(0.5, -0.6, 0), (-1.2, 0.4, 0), (0.3, 0.3, 0.05)])
def test_a_grid_is_put_where_the_changed_cells_end(dx: float, dy: float, stretch: float) -> None:
    rng = random.Random(1)
    steps = [opened_one((rng.randrange(ROWS), rng.randrange(COLUMNS))) for _ in range(10)]
    off = Grid(20 + dx, 20 + dy, 16 - stretch, 16 + stretch, COLUMNS, ROWS)
    grid = fit_to_changes(off, steps)
    assert (grid.x, grid.y, grid.cell_width, grid.cell_height) == (20, 20, 16, 16)


def test_a_grid_stays_where_nothing_speaks_against_it() -> None:
    grid = Grid(20, 20, 16, 16, COLUMNS, ROWS)
    assert fit_to_changes(grid, []) == grid
    moved = [(np.zeros((200, 240, 3), np.uint8), np.full((200, 240, 3), 90, np.uint8))] * 9
    assert fit_to_changes(grid, moved) == grid


def calibration() -> Calibration:
    return Calibration(
        schema=1,
        theme="practice",
        window=WindowPlace("a game", "virtual", 164, 216),
        grid=GridPlace(10, 51, 16.5, 16.5, 9, 9),
        new_game=NewGame("face", 82, 24),
        park=(80, 205),
        screen=(1280, 1024),
        mines=None,
    )


def test_a_calibration_is_read_back_as_it_was_written() -> None:
    path = write_calibration("mine", calibration())
    assert path == user_data() / "calibration" / "mine.toml"
    assert load_calibration("mine") == calibration()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 3", "schema 3"),
        ("columns = 9", "columns = 0", "cannot be"),
        ("columns = 9", "colums = 9", "colums"),
        ("[grid]", "[grid", "no TOML"),
    ],
)
def test_a_calibration_that_is_no_good_is_refused_by_name(old: str, new: str, message: str) -> None:
    path = write_calibration("mine", calibration())
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FormatError, match=message) as refused:
        read_calibration(path)
    assert "mine.toml" in str(refused.value)


def test_a_calibration_that_there_is_not_is_named() -> None:
    with pytest.raises(UsageError, match="'nobody'"):
        load_calibration("nobody")


def test_the_shipped_example_is_a_calibration() -> None:
    from bot.files import shipped

    files = sorted(Path(shipped("calibration")).glob("*.toml"))
    assert files
    for file in files:
        assert load_theme(read_calibration(file).theme)
