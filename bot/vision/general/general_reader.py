"""Reads boards of skins that no theme knows: a trained network judges the cells of every grid that is found.

The network also says what is no cell, so it decides how far a board reaches on its lattice. A grid is
rejected where too much of it is unread, where its numbers do not fit, and where nothing was ever covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.board import UNOPENED, Board, Cell, Codes
from bot.geometry import Rect
from bot.vision.general.cell_reader import (
    LEARNED_PART,
    CellReader,
    Doubles,
    extended,
    without_cut_cells,
)
from bot.vision.general.labelling import Labelling, label_cells
from bot.vision.general.network import networks
from bot.vision.general.second_look import BESIDE, SURE, look_again, middle_of, places_beside, places_of_cells
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import (
    FoundGrid,
    GridSearch,
    between,
    grid_batches,
    grids_of_drawings,
    without_dithering,
)
from bot.vision.grids.lattices.extent import heaviest_part
from bot.vision.grids.lattices.opened_ground import line_of_ground, without_other_ground
from bot.vision.grids.related import are_as_large, has_lines_of, have_one_middle, related_grids
from bot.vision.grids.two_tones import untouched_in_two_tones
from bot.vision.plausibility import lacks_ones, skips_lines, without_lines_of_nothing
from bot.vision.surfaces import is_surface

AROUND = 2
"""Number of rows and columns that are looked at around a grid: the board may reach beyond it."""

MAX_BETWEEN = 2
"""How many grids of a batch are read besides whose columns lie between those that were seen.

Of 210 terminals (seeds 97, 103 and 111) 166 are read exactly and 10 falsely where both are read and the
better one is taken; 161 and 14 where the second was read if the first was no board.
"""

READ_ANYWAY = 8
"""So many grids of a batch are read whatever they are; further ones only if one network takes what is in
their middle for cells."""

MIN_INSIDE, MAX_SMALL = 0.9, 0.5
"""Which part of a grid must lie in a board, and how much of its area it may have at most, if it is not looked
at: it could hardly be a better board."""

MAX_RELATED = 6
"""Of how many grids the surest places are tried, and other ones that are related to them, where none is a
board.

Of 4,032 left-out boards (seeds 139, 149, 151 and 157) six that were none are read so, all exactly, and four
of the 48 that were none of as many others (173, 179, 181 and 191); of 532 pictures that show none no board is
made up. To find out that there is none takes most of a second.
"""

MAX_CENTRED, MOVED = 3, 3
"""In how many places it is asked whether such a board is read alike beside them; and by which part of the sum
of the ways to where it was the next one lies off: towards their middle, a step where two to one side were."""

MAX_EXTENSIONS = 10
"""How often a grid is looked at again because its board reaches further."""

IS_CELL = 0.5
"""The chance of being a cell at which one counts neither for nor against a board."""

MAX_BEYOND, MIN_OUTER = 0.3, 0.5
"""How likely, in the mean, the cells of a line beside a board may be cells of one at most, and those of its
outer lines must be at least: where it is not clear how far a board reaches there is none.

Of 1,008 left-out boards (seeds 97 and 103, 42 of each family) 8 of 13 that would be of a wrong size are none
by this, and 4 of 889 that would be read exactly.
"""

NONE_BESIDE, SURELY_NONE = 0.3, 0.02
"""A line beside a board is none of it, too, if at least the first part of it (0 to 1) are cells that are less
likely cells than the second, and it has no more than `MIN_OUTER`: above one board were three buttons."""

MAX_UNCLEAR, MAX_UNREAD = 0.05, 0.25
"""Maximum part of the cells of a board that may be anything, and that may be unread: not to know which mark
is on a cell says nothing against a board whose numbers fit."""

MAX_VIOLATIONS = 0.03
"""Maximum number of violations of the rules, as a part of the cells of a board: a player's wrong flags break
them for the numbers around."""

MIN_SIDE, MIN_UNTOUCHED_SIDE = 5, 6
"""Minimum number of columns and of rows of a board, and of one without numbers."""

MAX_COST = 0.3
"""Maximum cost of a labelling for each cell: of 889 left-out boards that are read exactly one costs over
0.25."""

MAX_UNTOUCHED_COST = 0.2
"""The same for a board without numbers, which no rule confirms: of 192 drawn ones 98 % cost at most 0.1, and
WineMine, where its theme is not known, 0.18. Of 228 pictures that show none 6 look untouched, at any cost;
4 of them are tiles that `is_surface` tells (`python -m training.reader.checks.untouched`)."""

COST_SCALE = 0.2
"""A board whose labelling costs this much for each cell ranks half as high as one that costs nothing."""


@dataclass(frozen=True)
class GeneralReading:
    """A board that was read without a theme."""

    found: FoundGrid
    board: Board
    cost: float
    """How unlikely the labels of its cells are, for each cell; 0 is certain."""

    @property
    def rank(self) -> float:
        """How certain and how large the board is, to choose among several: pixels times a factor up to 1."""
        return self.found.grid.rect.area / (1 + self.cost / COST_SCALE)


def read_any_boards(
    image: Image,
    *,
    is_one_of_many: bool = False,
    is_game: bool = False,
    is_rest: bool = False,
    search: GridSearch | None = None,
) -> list[GeneralReading]:
    """Every board in a picture (height, width, 3) that can be read without a theme, the best first; `search`:
    that of the picture, if others ask it too.

    Where the picture `is_one_of_many` of a game, what is unread is not looked at twice: the next one tells.
    Where it `is_rest`, what is left of one whose boards are known, no other grids are tried than those that
    are found: that takes as long as all else, and it is most likely that there is no other board.
    Where it `is_game`, of a window whose title says so, flat cells on which nothing is written are a board,
    and so are few.
    """
    calm = without_dithering(image)
    reader = CellReader()
    tried: dict[Grid, FoundGrid] = {}
    for grids in grid_batches(image) if search is None else search.batches():
        new = [found for found in grids if found.grid not in tried]
        # Both are read: what has bars between its cells looks like a board on the lattice of its bars, too.
        shifted = [found for one in new if (found := between(calm, one)) is not None][:MAX_BETWEEN]
        tried.update({found.grid: found for found in (*new, *shifted)})
        boards: list[GeneralReading] = []
        for number, found in enumerate((*new, *shifted)):
            if any(_tells_all_of(board, found.grid) for board in boards):
                continue
            if number < READ_ANYWAY or _could_be_cells(calm, found.grid):
                board = read_board(reader, calm, found, is_one_of_many=is_one_of_many, is_game=is_game)
                if board is not None:
                    boards.append(board)
        if boards:
            return _without_overlaps(boards)
    return [] if is_one_of_many or is_rest else _on_other_grids(reader, calm, [*tried.values()])


def _on_other_grids(reader: CellReader, image: Image, tried: Sequence[FoundGrid]) -> list[GeneralReading]:
    """The boards in a picture (height, width, 3) where those that were tried, grids that are related to them,
    or some of few drawings, are surest of their cells: all of each is read, a little beside it too, and there
    are numbers."""
    related = [
        replace(found, grid=grid)
        for found in tried[:MAX_RELATED]
        for grid in (found.grid, *related_grids(found.grid))
    ]
    known: list[Grid] = []
    boards: list[GeneralReading] = []
    for found in (*related, *grids_of_drawings(image)):
        if any(have_one_middle(found.grid, other) for other in known):
            continue
        known.append(found.grid)
        if any(found.grid.rect.intersects(board.found.grid.rect) for board in boards):
            continue
        board = _steady_board(reader, image, found)
        boards += [] if board is None else [board]
    return _without_overlaps(boards)


def _steady_board(reader: CellReader, image: Image, found: FoundGrid) -> GeneralReading | None:
    """The board in a picture (height, width, 3) where a grid is surest of its cells: all of it is read, with
    numbers, and alike beside its place. None where there is none."""
    for one in places_of_cells(image, found.grid):
        placed = replace(found, grid=one)
        board = _read_by_cells(reader, image, placed, is_one_of_many=False, is_game=False)
        if board is None or not _is_certain(board):
            continue
        place = _steady_place(reader, image, board)
        if place is not None:
            return replace(board, found=replace(board.found, grid=place))
    return None


def _is_certain(board: GeneralReading) -> bool:
    codes = board.board.codes
    return bool(((codes >= 1) & (codes <= 8)).any() and not (codes == Cell.UNREAD).any())


def _tells_all_of(board: GeneralReading, grid: Grid) -> bool:
    """Whether a board of which all is read leaves nothing to be told of a grid: that lies in it and has the
    same lines, or any of cells of one size where the board is sure, or is small, as drawings that repeat on
    its cells are."""
    rect, own = board.found.grid.rect, grid.rect
    is_inside = own.clipped(rect).area >= MIN_INSIDE * own.area
    is_small = own.area <= MAX_SMALL * rect.area
    has_its_lines = has_lines_of(grid, board.found.grid) or (
        board.cost <= SURE and are_as_large(grid, board.found.grid)
    )
    return is_inside and _is_certain(board) and (is_small or has_its_lines)


def _steady_place(reader: CellReader, image: Image, board: GeneralReading) -> Grid | None:
    """Where a board in a picture (height, width, 3) is read alike, and as far, on each side, but on one at
    most of those further off: its own place, or one nearer to the middle of where it can be read. None where
    it is not."""

    def is_alike(grid: Grid) -> bool:
        told = labelled(reader, image, grid)
        return told is not None and np.array_equal(told[1].codes, board.board.codes)

    place, (width, height) = board.found.grid, board.found.grid.pitch
    for _ in range(MAX_CENTRED):
        near, further = (places_beside(place, off * width, off * height) for off in (BESIDE, 2 * BESIDE))
        alike = [one for one in (*near, *further) if is_alike(one)]
        if all(one in alike for one in near) and len(alike) >= len(near) + len(further) - 1:
            return place
        right, down = sum(one.x - place.x for one in alike), sum(one.y - place.y for one in alike)
        place = place.moved(right / MOVED, down / MOVED)
        if not is_alike(place):
            return None
    return None


def _could_be_cells(image: Image, grid: Grid) -> bool:
    """Whether one network takes those in the middle of a grid for cells: that is quickly known."""
    scores = CellReader(networks().last()).read(image, middle_of(grid))
    return bool(scores.is_cell.mean() > IS_CELL)


def read_board(
    reader: CellReader,
    image: Image,
    found: FoundGrid,
    *,
    is_one_of_many: bool = False,
    is_game: bool = False,
) -> GeneralReading | None:
    """The board on the lattice of a grid in a picture (height, width, 3), as `read_any_boards` has it; None
    where there is none."""
    by_cells = _read_by_cells(reader, image, found, is_one_of_many=is_one_of_many, is_game=is_game)
    if by_cells is not None:
        return by_cells
    codes = untouched_in_two_tones(image, found.grid)
    return None if codes is None else GeneralReading(found, Board(codes), MAX_UNTOUCHED_COST)


def _read_by_cells(
    reader: CellReader, image: Image, found: FoundGrid, *, is_one_of_many: bool, is_game: bool
) -> GeneralReading | None:
    """The same by what the network says of each cell."""
    on_lattice = labelled(reader, image, found.grid)
    if on_lattice is None:
        return None
    grid, labelling = on_lattice
    if why_no_board(labelling, is_game=is_game) is not None:
        return None
    untouched = np.isin(labelling.codes, (*UNOPENED, Cell.UNREAD)).all()
    if untouched and not is_game and is_surface(image, grid):
        return None
    if not is_one_of_many:
        labelling = look_again(reader, image, grid, labelling)
        if why_no_board(labelling, is_game=is_game) is not None:
            return None
    grid, codes = without_cut_lines(grid, labelling.codes, image)
    codes = without_cut_cells(codes, grid, image)
    return GeneralReading(replace(found, grid=grid), Board(codes), labelling.cost)


def without_cut_lines(grid: Grid, codes: Codes, image: Image) -> tuple[Grid, Codes]:
    """A board in a picture (height, width, 3) and its cells, (rows, columns), without outer lines that the
    picture hardly shows and of which nothing is seen: they are what lies around it, or opened, and so free of
    mines."""
    rows, columns = grid.in_sight(image, LEARNED_PART)
    is_drawn = codes != Cell.EMPTY
    top, bottom = _first_and_last(is_drawn.any(axis=1), rows)
    left, right = _first_and_last(is_drawn.any(axis=0), columns)
    part = Rect(left, top, right - left + 1, bottom - top + 1)
    return grid.part(part), codes[top : bottom + 1, left : right + 1]


def _first_and_last(is_drawn: npt.NDArray[np.bool_], in_sight: slice) -> tuple[int, int]:
    """The first and the last line that is in sight, or on which something is drawn: there is one."""
    kept = is_drawn.copy()
    kept[in_sight] = True
    lines = np.flatnonzero(kept)
    return int(lines[0]), int(lines[-1])


def labelled(reader: CellReader, image: Image, grid: Grid) -> tuple[Grid, Labelling] | None:
    """The part of the lattice of a grid that could be a board in a picture (height, width, 3), and the labels
    of its cells; None if no part could."""
    for _ in range(MAX_EXTENSIONS):
        wider = extended(grid, AROUND)
        wider = wider.lines(*wider.in_sight(image))
        scores = reader.read(image, wider)
        place = heaviest_part(scores.is_cell - IS_CELL, MIN_SIDE)
        if place is None:
            return None
        before, grid = grid, wider.part(place)
        if before.rect == grid.rect:
            break
    if place is None or not _is_edge_clear(scores.is_cell, place):
        return None
    told = label_cells(reader.read(image, grid, is_board=True))
    # The networks take a line of nothing for what lies around, or the other way round, without knowing why.
    other = (
        line_of_ground(image, grid, told.codes)
        or without_other_ground(image, grid, told.codes)
        or without_lines_of_nothing(told.codes)
    )
    if other is None or min(other.width, other.height) < MIN_SIDE:
        return grid, told
    grid = grid.part(other)
    return grid, label_cells(reader.read(image, grid, is_board=True))


def _is_edge_clear(is_cell: Doubles, board: Rect) -> bool:
    """Whether the outer lines of a board, a part of a lattice, are cells, and those beside it none: from how
    likely the cells of the lattice are cells of a board, (rows, columns)."""
    rows, columns = slice(board.y, board.bottom), slice(board.x, board.right)
    across, down = is_cell[:, columns], is_cell[rows].T
    outer = [across[board.y], across[board.bottom - 1], down[board.x], down[board.right - 1]]
    beside = [
        *across[max(0, board.y - 1) : board.y],
        *across[board.bottom : board.bottom + 1],
        *down[max(0, board.x - 1) : board.x],
        *down[board.right : board.right + 1],
    ]
    return all(line.mean() >= MIN_OUTER for line in outer) and not any(map(_may_be_cells, beside))


def _may_be_cells(line: Doubles) -> bool:
    """Whether a line beside a board could be one of it: from how likely each of it is a cell, (cells,)."""
    if line.mean() <= MAX_BEYOND:
        return False
    return bool(line.mean() > MIN_OUTER or np.quantile(line, NONE_BESIDE) >= SURELY_NONE)


def why_no_board(labelling: Labelling, *, is_game: bool = False) -> str | None:
    """Why a grid is no board, in a few words; None where it can be one. `is_game` as `read_any_boards` has
    it."""
    codes = labelling.codes
    unread, has_numbers = (codes == Cell.UNREAD).mean(), ((codes >= 1) & (codes <= 8)).any()
    unclear = labelling.unclear / codes.size if has_numbers else unread
    if unclear > MAX_UNCLEAR or unread > MAX_UNREAD:
        return "too many cells cannot be read"
    if labelling.cost > MAX_COST:
        return "what is drawn on it is too unlike what boards have"
    if labelling.violations > max(1, MAX_VIOLATIONS * codes.size):
        return "the numbers do not fit"
    if lacks_ones(codes):
        return "many numbers and no 1"
    if skips_lines(codes):
        return "numbers on every second line alone, or fewer"
    if not (codes >= Cell.COVERED).any():
        return "nothing on it is covered or mined"
    if not has_numbers:
        if min(codes.shape) < (MIN_SIDE if is_game else MIN_UNTOUCHED_SIDE):
            return "too small to be a board that is untouched"
        if labelling.cost > MAX_UNTOUCHED_COST and not is_game:
            return "no number, and cells that are too unlike what boards have"
        known = codes[codes != Cell.UNREAD]
        if not np.isin(known, UNOPENED).all():
            return "opened cells without any number"
    return None


def _without_overlaps(boards: list[GeneralReading]) -> list[GeneralReading]:
    """The boards without those that lie over a better one, the best first."""
    kept: list[GeneralReading] = []
    for board in sorted(boards, key=lambda one: -one.rank):
        if not any(board.found.grid.rect.intersects(other.found.grid.rect) for other in kept):
            kept.append(board)
    return kept
