"""Tables, whose columns get other widths when numbers come up in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from misbehaving import Redrawn
from playing import Told, no_record, screen_with, session, unknown_target

from bot.board import Action, Board, Cell, Move, Result
from bot.practice.session import PracticeSession
from bot.screen.windows import Window
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import WindowTarget
from bot.targets.window.locate.relocate import DRIFT, MAX_UNCOUNTED, MAX_VAIN_LINES, SearchResult
from bot.targets.window.locate.stretched import Shown, _is_even, _is_zoomed, stretched
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.sighting import View
from bot.vision.grid import Grid, Image
from bot.vision.grids.uneven import uneven

pytestmark = pytest.mark.slow

WIDER = 4
"""How many pixels a column becomes wider with its first number, on each side."""

RIM = 6
"""The pixels of a cell's edge, which keep their width."""


@dataclass
class Table(Redrawn):
    """Draws each column of our own window as wide as what is in it: with a number it becomes wider, and what
    lies behind it goes along."""

    content: PracticeSession

    def sources(self) -> list[int]:
        """For each column of pixels the one of our own window that is drawn there."""
        layout, codes = self.content.layout, self.content.game.board.codes
        wide = np.flatnonzero(((codes >= 1) & (codes <= 8)).any(axis=0)).tolist()
        width = self.content.image().shape[1]
        cells = [layout.cell(0, column) for column in wide]
        stretched_at = {x for cell in cells for x in (cell.x + RIM, cell.right - 1 - RIM)}
        drawn = [x for x in range(width) for _ in range(1 + WIDER * (x in stretched_at))]
        rest = width + 2 * WIDER * codes.shape[1] - len(drawn)
        return [*drawn, *[width - 1] * rest]

    def drawn(self, inside: Image) -> Image:
        image: Image = np.take(inside, self.sources(), axis=1)
        return image

    def press(self, x: int, y: int, button: int) -> None:
        self.content.press(self.sources()[x], y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(self.sources()[x], y, button)

    def move(self, x: int, y: int) -> None:
        self.content.move(self.sources()[x], y)


def opened() -> tuple[WindowTarget, Board, Shown]:
    """What plays our own window, even as it is, with one click made; its board, and how that was seen."""
    target = unknown_target(screen_with(session(seed=2, scale=2.0)), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    board, shown = target.observe().board, target._tracker.shown
    assert shown is not None
    return target, board, shown


@pytest.mark.parametrize("seed", [2, 3])
def test_a_table_is_played_game_after_game(seed: int) -> None:
    content = Table(session(seed=seed, scale=2.0))
    told = Told()
    lines = run_games(
        unknown_target(screen_with(content), told), strategy("best"), Play(games=4), no_record, told
    )
    assert len(lines) == 4
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
    cell = next(cell for cell in board.where(Cell.COVERED) if cell[1] == 8)
    target.act([Move(Action.FLAG, *cell)])
    assert content.content.game.board.where(Cell.FLAG) == [cell]
    assert widths[1:-1].tolist() == [even + 2 * WIDER * wide for wide in numbers[1:-1]]


def test_lines_that_have_moved_are_looked_for_though_the_cells_are_still_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rows of a page had other heights after each click: it was read until its lines lay 15 pixels beside
    the true ones, and what was measured by these was wrong for good."""
    target, board, shown = opened()
    relocator, observer = target._relocator, target.observer
    even = observer.view.grid
    offsets = (even.exact_columns - even.x).tolist()
    lines = replace(even, column_offsets=tuple(offsets))
    observer.view = replace(observer.view, grid=lines)
    relocator._measured = observer.grab(), lines
    assert not relocator.is_partial(new=False), "they lie where they lay"
    for off, has_moved in ((DRIFT - 1, False), (DRIFT + 1, True)):
        moved = replace(lines, column_offsets=(*offsets[:4], offsets[4] + off, *offsets[5:]))
        monkeypatch.setattr("bot.targets.window.locate.relocate.uneven", lambda *_, moved=moved: moved)
        relocator._drift = None
        assert relocator.is_partial(new=False) is has_moved
    assert not relocator.search(board, played=False, shown=shown).elsewhere
    assert not relocator.is_partial(new=False), "once they were looked for, the board counts as it is seen"


def test_even_lines_are_not_measured_anew() -> None:
    target, _, shown = opened()
    assert uneven(shown.picture, shown.grid, shown.picture) is not None, "its lines are seen"
    assert stretched(target.observer, shown) is None


def test_lines_that_are_even_but_for_the_outer_ones_are_measured_where_nothing_else_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six columns of a table in Tk had become wider, and the first and the last one had not: what repeats was
    no board, and nothing else was looked for."""
    target, board, shown = opened()
    relocator, observer = target._relocator, target.observer
    assert observer.window is not None
    widths = [34, *[38] * 7, 34]
    lines = replace(observer.view.grid, column_offsets=(0.0, *np.cumsum(widths, dtype=float).tolist()))
    assert _is_even(lines)
    assert not _is_even(
        replace(lines, column_offsets=(*lines.column_offsets[:4], 150.0, *lines.column_offsets[5:]))
    )
    asked: list[bool] = []

    def measured(_: WindowObserver, last: Shown, *, evenly: bool) -> tuple[View, Window] | None:
        asked.append(evenly)
        assert observer.window is not None
        return (View(observer.view.rect, lines, 1.0), observer.window) if evenly else None

    monkeypatch.setattr("bot.targets.window.locate.relocate.stretched", measured)
    monkeypatch.setattr(relocator, "_find", lambda: None)
    assert relocator.search(board, played=False, shown=shown) is SearchResult.STRETCHED
    assert asked == [False, True]
    assert observer.view.grid == lines


def test_cells_that_are_all_larger_in_both_directions_are_zoomed_and_no_table() -> None:
    """A page that was zoomed in, of which the window showed a part, was told as lost."""
    even = Grid(10, 10, 32, 32, 9, 9)
    wider, cut = 35.2 * np.arange(9), [20.0, 20.0]
    columns = (*wider[:8].tolist(), wider[7] + cut[0], wider[7] + sum(cut))
    zoomed = replace(even, column_offsets=columns, row_offsets=columns)
    assert _is_zoomed(even, zoomed)
    assert _is_zoomed(zoomed, even)
    assert not _is_zoomed(even, replace(even, column_offsets=columns))


def test_lines_on_which_no_board_counts_are_not_measured_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between mere characters, without lines, the widths came out otherwise each time, fifty times a game."""
    target, board, shown = opened()
    relocator, observer = target._relocator, target.observer
    even = observer.view
    offsets = 0.0, *(32.0 * np.arange(1, 9) + 8).tolist(), 288.0
    lines = Grid(even.grid.x, even.grid.y, 32, 32, 9, 9, column_offsets=offsets, row_offsets=offsets)
    measured: list[int] = []

    def otherwise(seen_by: WindowObserver, last: Shown, **_: bool) -> tuple[View, Window]:
        assert seen_by.window is not None
        measured.append(1)
        return View(even.rect, lines.moved(len(measured), 0), 1.0), seen_by.window

    monkeypatch.setattr("bot.targets.window.locate.relocate.stretched", otherwise)
    for _ in range(MAX_VAIN_LINES):
        assert relocator.search(board, played=False, shown=shown) is SearchResult.STRETCHED
        assert relocator.search(board, played=False, shown=None) is SearchResult.MOVED
    assert relocator.search(board, played=False, shown=shown) is SearchResult.HERE
    assert len(measured) == MAX_VAIN_LINES


def test_what_blinks_over_a_board_does_not_move_its_lines_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    target, board, shown = opened()
    relocator, observer = target._relocator, target.observer
    assert observer.window is not None
    found = View(observer.view.rect, observer.view.grid.moved(1, 0), 1.0), observer.window
    monkeypatch.setattr("bot.targets.window.locate.relocate.stretched", lambda *_, **__: found)
    results = [relocator.search(board, played=False, shown=shown) for _ in range(MAX_UNCOUNTED + 1)]
    assert results[:-1] == [SearchResult.STRETCHED] * MAX_UNCOUNTED
    assert results[-1] is not SearchResult.STRETCHED


def test_an_even_board_is_found_again_where_the_lines_of_a_table_were() -> None:
    """A table as wide as its page begins its next game with even columns: its corners lie where they did."""
    target = unknown_target(screen_with(session(seed=2, scale=2.0)), Told())
    target.observe()
    observer, even = target.observer, target.view.grid
    offsets = tuple(float(edge) for edge in (0, 32, 76, 96, 128, 160, 192, 224, 256, 288))
    uneven_view = View(observer.view.rect, replace(even, column_offsets=offsets), 1.0)
    assert observer.window is not None
    observer.lie_on(uneven_view, observer.window)
    assert target._relocator.search(None, played=False) is SearchResult.MOVED
    assert np.abs(observer.view.grid.column_edges - even.column_edges).max() <= 1
