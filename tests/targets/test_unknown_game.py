"""A window whose game no theme knows is played by what all Minesweepers share."""

from __future__ import annotations

from dataclasses import replace

from playing import INTERVAL_S, Told, no_record, screen_with, session

from bot.board import Cell, Result
from bot.game_line import GameLine
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import PlaySettings, WindowTarget
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.sighting import Sighting, View
from bot.vision.grid_readers import reader_for
from bot.vision.grids import find_grids


def played(seed: int) -> tuple[GameLine, Told]:
    """One beginner game in our own window, without its theme."""
    screen, told = screen_with(session(seed=seed)), Told()
    (window,) = screen.windows()
    picture = screen.grab(window.rect)
    grid = find_grids(picture)[0].grid
    reading = reader_for(None, grid).read(picture, header=True)
    sighting = Sighting(View(window.rect, grid), reading, window)
    pointer = Pointer(screen, INTERVAL_S)
    target = WindowTarget(sighting, screen, screen, pointer, PlaySettings(mines=10), tell=told.texts.append)
    run_games(target, strategy("best"), Play(), no_record, told)
    (line,) = told.lines
    return line, told


def test_cells_beyond_the_picture_are_not_read() -> None:
    screen = screen_with(session())
    (window,) = screen.windows()
    picture = screen.grab(window.rect)
    grid = find_grids(picture)[0].grid
    wider = replace(grid, columns=grid.columns + 4)
    board = reader_for(None, wider).read(picture).board
    beyond = [cell for cell in board.where(Cell.UNREAD) if wider.center(cell).x >= picture.shape[1]]
    assert len(beyond) == 3 * grid.rows
    assert board.where(Cell.COVERED)


def test_a_game_without_a_theme_is_played_to_its_end() -> None:
    lines = [played(seed)[0] for seed in range(3)]
    assert {line.theme for line in lines} == {None}
    assert all(line.outcome in (Result.WON, Result.LOST) for line in lines), [line.reason for line in lines]
    assert all(line.guesses for line in lines if line.outcome is Result.LOST)
    assert any(line.outcome is Result.WON for line in lines)
