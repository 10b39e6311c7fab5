"""Tables, whose columns get other widths when numbers come up in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from misbehaving import Wrapped
from playing import Told, no_record, screen_with, session, unknown_target

from bot.board import Action, Move, Result
from bot.geometry import Rect
from bot.practice.session import PracticeSession
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.locate.relocate import MAX_VAIN_LINES, Relocator, SearchResult
from bot.targets.window.locate.stretched import stretched
from bot.vision.grid import Image

pytestmark = pytest.mark.slow

WIDER = 4
"""How many pixels a column becomes wider with its first number, on each side."""

RIM = 6
"""The pixels of a cell's edge, which keep their width."""


@dataclass
class Table(Wrapped):
    """Draws each column of our own window as wide as what is in it: with a number it becomes wider, and what
    lies behind it goes along."""

    content: PracticeSession

    def sources(self) -> list[int]:
        """For each column of pixels the one of our own window that is drawn there."""
        layout, codes = self.content.layout, self.content.game.board.codes
        wide = ((codes >= 1) & (codes <= 8)).any(axis=0)
        width = self.content.image().shape[1]
        drawn: list[int] = []
        for x in range(width):
            drawn.append(x)
            for column in np.flatnonzero(wide).tolist():
                cell = layout.cell(0, column)
                if x in (cell.x + RIM, cell.right - 1 - RIM):
                    drawn += [x] * WIDER
        rest = width + 2 * WIDER * codes.shape[1] - len(drawn)
        return [*drawn, *[width - 1] * rest]

    def image(self) -> Image:
        image: Image = np.ascontiguousarray(self.content.image()[:, self.sources()])
        return image

    def press(self, x: int, y: int, button: int) -> None:
        self.content.press(self.sources()[x], y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(self.sources()[x], y, button)

    def move(self, x: int, y: int) -> None:
        self.content.move(self.sources()[x], y)


@pytest.mark.parametrize("seed", [2, 3])
def test_a_table_is_played_game_after_game(seed: int) -> None:
    content = Table(session(seed=seed, scale=2.0))
    told = Told()
    lines = run_games(
        unknown_target(screen_with(content), told), strategy("best"), Play(games=2), no_record, told
    )
    assert all(line.outcome in (Result.WON, Result.LOST) for line in lines), told.texts
    assert all(line.guesses for line in lines if line.outcome is Result.LOST), "no loss but by a guess"
    assert any(line.outcome is Result.WON for line in lines)


def test_the_lines_of_a_table_are_measured_and_a_click_meets_its_cell() -> None:
    content = Table(session(seed=2, scale=2.0))
    target = unknown_target(screen_with(content), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    board = target.observe().board
    assert board.codes.tolist() == content.content.game.board.codes.tolist()
    numbers = [bool(((column >= 1) & (column <= 8)).any()) for column in board.codes.T]
    assert any(numbers)
    even = content.content.layout.cell(0, 0).width
    widths = np.diff(target.view.grid.column_edges)
    assert widths[1:-1].tolist() == [even + 2 * WIDER * wide for wide in numbers[1:-1]]


def test_even_lines_are_not_measured_anew() -> None:
    target = unknown_target(screen_with(session(seed=2, scale=2.0)), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    target.observe()
    shown = target._tracker.shown
    assert shown is not None
    assert stretched(target.observer, shown) is None


def test_what_is_found_on_an_even_grid_each_time_is_not_measured_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between mere characters, without lines, the widths came out otherwise each time, fifty times a game."""
    target = unknown_target(screen_with(session(seed=2, scale=2.0)), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    board = target.observe().board
    shown, relocator, observer = target._tracker.shown, target._relocator, target.observer
    uneven = observer.view.grid.part(Rect(0, 0, 9, 9))
    widths = tuple(float(edge) for edge in np.arange(10) * uneven.cell_width)
    asked: list[int] = []

    def measured(self: Relocator, last: object) -> None:
        asked.append(1)

    for _ in range(MAX_VAIN_LINES):
        observer.view = type(observer.view)(
            observer.view.rect, type(uneven)(0, 0, 32, 32, 9, 9, column_offsets=widths, row_offsets=widths)
        )
        assert relocator.search(board, played=False, shown=None) is SearchResult.MOVED
    monkeypatch.setattr("bot.targets.window.locate.relocate.stretched", measured)
    relocator.search(board, played=False, shown=shown)
    assert not asked
