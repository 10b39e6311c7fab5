"""Cells that turn unread together in a game that no theme knows, though nothing opened them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from misbehaving import Wrapped
from playing import Told, screen_with, session, unknown_target

from bot.board import Action, Board, Cell, Codes, Coordinate, Move, Phase, Rules
from bot.errors import UnreadableBoard
from bot.practice.session import PracticeSession
from bot.targets.board_changes import hides_its_game, is_unread_opening, turned_unread
from bot.targets.window import PlaySettings, WindowTarget
from bot.targets.window.looks import reader as looks_reader
from bot.vision.general.digit_colours import Inks
from bot.vision.general.general_grid_reader import read_cells
from bot.vision.grid import Grid, Image

pytestmark = pytest.mark.slow


@dataclass
class Strange(Wrapped):
    """Shows some cells as nothing that anybody can read, once it is told which."""

    content: PracticeSession
    cells: list[Coordinate] = field(default_factory=list)

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        noise = np.random.default_rng(1)
        for cell in self.cells:
            box = self.content.layout.cell(*cell)
            part = picture[box.y + 2 : box.bottom - 2, box.x + 2 : box.right - 2]
            part[:] = noise.integers(0, 255, part.shape, np.uint8)
        return picture


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> Strange:
    """A window whose noise no reader takes for anything, as a network may."""
    window = Strange(session(seed=3))

    def without_noise(image: Image, grid: Grid, inks: Inks) -> Codes:
        codes: Codes = read_cells(image, grid, inks).copy()
        for cell in window.cells:
            codes[cell] = Cell.UNREAD
        return codes

    monkeypatch.setattr(looks_reader, "read_cells", without_noise)
    return window


def begun(window: Strange, told: Told) -> tuple[WindowTarget, Board]:
    """A target in the middle of a game, and its board."""
    target = unknown_target(screen_with(window), told, PlaySettings(look_limit_s=0.5))
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    return target, target.observe().board


def mines_of(window: Strange) -> list[Coordinate]:
    truth = window.content.game.truth_for_simulators
    assert truth is not None
    return [divmod(cell, truth.columns) for cell in truth.cells]


def opened_one_more(window: Strange, *, certain: bool) -> tuple[WindowTarget, Coordinate]:
    """A target in the middle of a game that has just opened a cell without a mine, and that cell."""
    target, board = begun(window, Told())
    mines = mines_of(window)
    safe = next(cell for cell in board.where(Cell.COVERED) if cell not in mines)
    target.act([Move(Action.OPEN, *safe)], certain=certain)
    return target, safe


def without_mines(image: Image, grid: Grid, inks: Inks) -> Codes:
    """The cells of a picture as a reader reads them who knows no mine."""
    codes: Codes = read_cells(image, grid, inks).copy()
    codes[np.isin(codes, (Cell.MINE, Cell.EXPLODED))] = Cell.UNREAD
    return codes


def test_a_guess_that_shows_unread_mines_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks_reader, "read_cells", without_mines)
    window, told = Strange(session(seed=3)), Told()
    target, board = begun(window, told)
    mine = next(cell for cell in mines_of(window) if board[cell] == Cell.COVERED)
    target.act([Move(Action.OPEN, *mine)], certain=False)
    assert window.content.game.phase is Phase.LOST
    seen = target.observe()
    assert seen.phase is Phase.LOST, f"it is played on:\n{seen.board}"


def test_an_opening_that_cannot_be_read_is_not_lost(strange: Strange) -> None:
    """As in a game with other rules: an opening without numbers around it."""
    window = strange
    target, safe = opened_one_more(window, certain=False)
    near = window.content.game.board.neighbours(*safe)
    window.cells = [safe, *(cell for cell in near if window.content.game.board[cell] == Cell.COVERED)]
    with pytest.raises(UnreadableBoard, match="cells that were not clicked cannot be read any more"):
        target.observe()


@pytest.mark.parametrize("contradict", [False, True])
def test_a_guess_among_unread_cells_has_lost_unless_numbers_contradict_each_other(
    strange: Strange, monkeypatch: pytest.MonkeyPatch, contradict: bool
) -> None:
    """A page with several mines in a cell was told as lost after twenty games."""
    window = strange
    target, safe = opened_one_more(window, certain=False)
    far = [cell for cell in mines_of(window) if max(abs(cell[0] - safe[0]), abs(cell[1] - safe[1])) > 2]
    window.cells = [safe, (4, 4), *far[:4]]
    monkeypatch.setattr(looks_reader.LooksReader, "contradicts", lambda *_: contradict)
    if contradict:
        with pytest.raises(UnreadableBoard, match="has other rules than Minesweeper"):
            target.observe()
    else:
        assert target.observe().phase is Phase.LOST


@pytest.mark.parametrize("certain", [False, True])
def test_nothing_is_clicked_while_cells_that_nothing_opened_cannot_be_read(
    strange: Strange, certain: bool
) -> None:
    """What was clicked is a number, so the game is not lost; what the others are nobody knows."""
    window = strange
    target, _ = opened_one_more(window, certain=certain)
    left = window.content.game.board.where(Cell.COVERED)
    window.cells = [cell for cell in left if window.content.game.board.codes[cell] == Cell.COVERED][:3]
    with pytest.raises(UnreadableBoard, match="3 cells that were not clicked cannot be read any more"):
        target.observe()


@pytest.mark.parametrize("turned", [2, 4])
def test_few_cells_that_cannot_be_read_and_such_as_were_always_so_are_played_around(
    strange: Strange, turned: int
) -> None:
    window, told = strange, Told()
    target, board = begun(window, told)
    mines = mines_of(window)
    covered = [cell for cell in board.where(Cell.COVERED) if cell not in mines]
    window.cells = mines[:turned]
    if turned > 2:
        assert target.observe().board.count(Cell.UNREAD) == turned, "nothing was clicked since"
    target.act([Move(Action.OPEN, *covered[0])], certain=False)
    assert target.observe().phase is Phase.PLAYING


def test_cells_of_another_size_may_have_looks_that_are_not_read_yet(strange: Strange) -> None:
    """As where a page was zoomed."""
    window, told = strange, Told()
    target, board = begun(window, told)
    covered = board.where(Cell.COVERED)
    target.act([Move(Action.OPEN, *next(cell for cell in covered if cell not in mines_of(window)))])
    observer = target.observer
    observer.view = replace(observer.view, grid=replace(observer.view.grid, x=observer.view.grid.x + 0.25))
    left = window.content.game.board.where(Cell.COVERED)
    window.cells = left[:4]
    assert target.observe().board.count(Cell.UNREAD) == 4


def test_a_won_game_may_show_its_mines_as_it_likes() -> None:
    window, told = Strange(session(seed=3)), Told()
    target, board = begun(window, told)
    mines = mines_of(window)
    safe = [cell for cell in board.where(Cell.COVERED) if cell not in mines]
    target.act([Move(Action.OPEN, *cell) for cell in safe], certain=False)
    window.cells = mines
    assert target.observe().phase is Phase.WON


@pytest.mark.parametrize(
    ("later", "moves", "turned"),
    [
        ("1!!!\n1###\n1###", [], [(0, 1), (0, 2), (0, 3)]),
        ("1!!!\n1###\n1###", [Move(Action.OPEN, 0, 2)], [(0, 1), (0, 3)]),
        ("1!!!\n1!!#\n1###", [Move(Action.CHORD, 0, 0)], [(0, 2), (0, 3), (1, 2)]),
        ("1.!!\n1!!#\n1###", [Move(Action.OPEN, 0, 1)], [(0, 3)]),  # beside the empty one all are opened
        ("!!##\n1###\n1###", [], [(0, 1)]),
    ],
)
def test_what_a_click_opens_has_not_turned(later: str, moves: list[Move], turned: list[Coordinate]) -> None:
    before = Board.parse("1###\n1#F#\n1#?#")
    assert turned_unread(before, Board.parse(later), moves) == turned
    assert not turned_unread(Board.parse("##\n##"), Board.parse(later), moves)


@pytest.mark.parametrize(
    ("later", "clicked", "is_opening"),
    [
        ("!!#\n!##\n##!", [(0, 0)], False),
        ("!!#\n!##\n###", [(0, 0)], True),
        ("!##\n#!#\n##!", [(1, 1)], True),
        ("!##\n#1#\n##!", [(0, 0)], False),
        ("!##\n#1#\n##!", [(0, 0), (2, 2)], True),
        ("1##\n###\n##!", [(0, 0)], False),
    ],
)
def test_an_unread_opening_hangs_together_with_what_was_clicked(
    later: str, clicked: list[Coordinate], is_opening: bool
) -> None:
    earlier = Board.parse("###\n###\n###")
    assert is_unread_opening(earlier, Board.parse(later), clicked) is is_opening
    if not is_opening:  # what could never be read says nothing
        was_unread = Board.parse("###\n###\n##!")
        assert is_unread_opening(was_unread, Board.parse(later), clicked)


@pytest.mark.parametrize("another", [False, True])
def test_numbers_that_are_hidden_count_only_where_others_show_that_it_is_the_same_game(another: bool) -> None:
    """What lies over the opened cells of a new game would else leave it the numbers of the one before."""
    window, told = Strange(session("intermediate", seed=28)), Told()
    target, board = begun(window, told)
    opened = [cell for cell in np.ndindex(*board.codes.shape) if board[cell] <= 8]
    window.cells = opened[: -max(1, len(opened) // 10)]
    assert 0 < len(window.cells) <= 0.25 * board.codes.size
    if another:
        window.content.new_game(Rules(board.columns, board.rows, 40))
    seen = target.observe()
    assert seen.phase is Phase.PLAYING
    if another:  # a patch of noise may be taken for something, but not for what was there
        assert not any(seen.board[cell] == board[cell] for cell in window.cells)
    else:
        assert [seen.board[cell] for cell in window.cells] == [board[cell] for cell in window.cells]


@pytest.mark.parametrize(
    ("later", "hides"),
    [("11#\n...", False), ("!1#\n...", False), ("!##\n!!.", True), ("!!#\n!!!", True), ("###\n##.", False)],
)
def test_a_board_hides_its_game_where_what_is_seen_does_not_show_it(later: str, hides: bool) -> None:
    assert hides_its_game(Board.parse("11#\n..."), Board.parse(later)) is hides
    assert not hides_its_game(Board.parse("11"), Board.parse(later))
