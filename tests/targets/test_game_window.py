"""The recording of a window in which the next game has a board of another size."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell, Fault, FaultKind, Observation, Phase, Rules
from bot.geometry import Point, Rect
from bot.recording.format import BoardEvent, Header
from bot.recording.read import load
from bot.recording.record import Record
from bot.recording.store import start
from bot.strategy.registry import strategy
from bot.targets.window.game_window import GameWindow
from bot.vision.grid import Grid
from bot.vision.reading import Reading

SMALL, LARGE = Grid(0, 0, 10, 10, 4, 3), Grid(0, 0, 10, 10, 6, 5)


class Window(GameWindow):
    """A window that shows what the test says, and is recorded in a folder."""

    def __init__(self, folder: Path) -> None:
        seen: Any = SimpleNamespace(view=SimpleNamespace(rect=Rect(5, 7, 60, 50), grid=SMALL))
        tracker: Any = SimpleNamespace(forget_end=lambda: None)
        seen.rules, seen.is_unknown, self.seen = Rules(4, 3, 2), True, seen
        super().__init__(seen, tracker)
        self._folder = folder
        self.record_by(self._begin)

    def _begin(self) -> Record:
        grid = self.view.grid
        header = Header.of(
            target="unknown",
            theme="unknown",
            theme_fingerprint="",
            grid=grid,
            rules=Rules(grid.columns, grid.rows, None),
            strategy=strategy("exact"),
            options={},
            origin=Point(5, 7),
        )
        return start(self._folder, header)

    def shows(self, grid: Grid, board: Board, *faults: Fault) -> None:
        self.seen.view.grid = grid
        reading = Reading(board, np.zeros(board.codes.shape, np.float32))
        self.keep(np.zeros((50, 60, 3), np.uint8), reading, Phase.PLAYING, faults)

    def counts(self, read: Board, board: Board) -> None:
        """A board counts, of which so much was read."""
        reading = Reading(read, np.zeros(read.codes.shape, np.float32))
        self.keep_counted(
            np.zeros((50, 60, 3), np.uint8), reading, Observation(board, Phase.PLAYING, self.rules)
        )


def sizes(folder: Path) -> list[tuple[int, int, int]]:
    """Columns, rows and frames of each recording."""
    games = [load(one) for one in sorted(folder.iterdir())]
    return [(game.header.rules.columns, game.header.rules.rows, len(game.frames)) for game in games]


def test_a_game_whose_board_turns_out_larger_is_recorded_as_such(tmp_path: Path) -> None:
    """Its decisions lay beside the board of the recording, which could not be read any more."""
    window = Window(tmp_path)
    window.shows(SMALL, Board.covered(4, 3))
    refused = Fault(FaultKind.UNREAD, (0, 0), "a part of another board may be misread")
    window.shows(SMALL, Board.covered(4, 3).replaced([(0, 0)], 1), refused)
    window.shows(LARGE, Board.covered(6, 5))
    window.shows(LARGE, Board.covered(6, 5).replaced([(4, 5)], 1))
    window.close_record()
    until = time.monotonic() + 5
    while len([*tmp_path.iterdir()]) > 1 and time.monotonic() < until:
        time.sleep(0.01)  # what is thrown away goes beside the game
    assert sizes(tmp_path) == [(6, 5, 2)]


@pytest.mark.parametrize("clicked", [True, False])
def test_what_was_recorded_of_a_game_is_kept(tmp_path: Path, clicked: bool) -> None:
    window = Window(tmp_path)
    window.shows(SMALL, Board.covered(4, 3) if clicked else Board.covered(4, 3).replaced([(0, 0)], 1))
    window.clicks += clicked
    window.shows(LARGE, Board.covered(6, 5))
    window.close_record()
    assert sizes(tmp_path) == [(4, 3, 1)]


@pytest.mark.parametrize("is_unknown", [True, False])
def test_what_is_known_of_opened_cells_is_recorded_where_no_theme_knows_the_game(
    tmp_path: Path, is_unknown: bool
) -> None:
    window, board = Window(tmp_path), Board.covered(4, 3).replaced([(0, 0)], 1)
    window.seen.is_unknown = is_unknown
    read = board.replaced([(0, 0), (2, 2)], Cell.UNREAD)
    window.counts(read, board)
    window.close_record()
    [kept] = [one for one in load(next(tmp_path.iterdir())).events if isinstance(one, BoardEvent)]
    assert kept.cells == (read.replaced([(0, 0)], 1) if is_unknown else read).lines
