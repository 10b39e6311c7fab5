"""Reads the cells of a window whose game no theme knows: by looks that were met, else by the general reader.

The general reader takes 0.1 s for a board, and is asked only of looks that are new or have hardly been read
yet, once the picture has come to rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

import numpy as np

from bot.board import Board, Cell, Codes, Coordinate, Fault, neighbour_sums
from bot.targets.board_changes import hanging_together
from bot.targets.window.looks.backdrop import Backdrop
from bot.targets.window.looks.known import KEPT, cell_size, look_size
from bot.targets.window.looks.memory import MAX_LOOKS, Looks
from bot.targets.window.looks.possible import faults_of, without_faults
from bot.targets.window.looks.rest import PictureRest
from bot.targets.window.looks.sheet import Pixels, Sheet, sheet_over
from bot.targets.window.looks.tried_cells import MANY_OPENED, Cells, TriedCells, changed_since
from bot.vision.cells.sampling import Sampling
from bot.vision.general.general_grid_reader import read_cells
from bot.vision.grid import Grid, Image
from bot.vision.header.counter import counter_reader
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading

SURE = 2
"""A look that was read so often is known."""

CLEAR = 0.9
"""The part of the cells that are known in a picture by which a sheet over the board is told."""

DIMMED = 0.3
"""The part of the cells whose looks must be new, or of the opened ones that must look otherwise, before a
sheet is looked for."""

ODD = 0.1
"""The part of the covered cells, 0 to 1, that have the look of an odd one at most."""

MANY_EMPTY = 3
"""Minimum number of empty cells that confirm what their looks mean."""


class LooksReader:
    """Reads picture after picture, (height, width, 3), of one grid."""

    by_likeness = False
    """The looks that it met are in the recording."""

    def __init__(
        self,
        grid: Grid,
        looks: Looks | None = None,
        clicked: Callable[[], Collection[Coordinate]] = tuple,
    ) -> None:
        """`looks`: those that were met in this window before; `clicked` gives the cells with a click under
        way."""
        self.grid = grid
        self._clicked = clicked
        self.face = FaceReader(None, grid)
        self._counter = counter_reader(None, grid)
        size = look_size(grid)
        self._sampling = Sampling(grid, cell_size(grid))
        self.looks = looks if looks is not None and looks.size == size else Looks(size)
        self._pixels: Pixels | None = None
        """The cells of the last picture, shape (rows, columns, bytes)."""
        self._looks = np.full(grid.shape, -1, np.int32)
        """The look of each cell in the last picture; -1 for one that is new."""
        self._codes: Codes = np.full(grid.shape, Cell.UNREAD, np.int8)
        self._rest = PictureRest()
        self._asked: Pixels | None = None
        """The cells of which the general reader was asked last."""
        self._held: tuple[Pixels, Codes] | None = None
        """The cells of the last picture at rest that can be a board, and what they were."""
        self._covered: Pixels = np.zeros((*grid.shape, 3 * size[0] * size[1]), np.uint8)
        """Each cell as it was covered last, in a picture at rest; black where it never was."""
        self._opened = np.zeros(grid.shape, bool)
        """The cells that were covered and were opened since."""
        self._tried = TriedCells(grid.shape, size)
        self._checked: Codes | None = None
        """The last board that was asked whether it can be one."""
        self._clear: tuple[Pixels, Codes] | None = None
        """The cells of the last picture in which nearly all were known, and what they were."""
        self._sheet: Sheet | None = None
        self._bare: tuple[tuple[Pixels, Codes], Pixels] | None = None
        """The clear picture, and the cells in which no sheet was found to lie over it."""
        self._backdrop = Backdrop(grid.rect)
        self._begins = True
        """Whether no board of this game was seen at rest."""
        self.openings_stop = False
        """Whether empty cells may lie beside covered ones."""
        self.changed = 0
        """How many cells read otherwise than in the picture before, in the last `read`."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; a look that is new is unread until the picture rests. What lies behind something
        that moves over the cells for ever is read in its place."""
        return self._read(self._backdrop.behind(image), header=header)

    def _read(self, image: Image, *, header: bool) -> Reading:
        """The same, of a picture in which nothing moves over the cells for ever."""
        pixels = self._sampling.cells(image)
        if self._sheet is not None:
            pixels = self._uncovered(pixels)
        before, first, now = self._codes, self._pixels is None, time.perf_counter()
        self._tried.add(self._clicked())
        moved = self._find_looks(pixels)
        self._rest.add(bool(moved.any()), now)
        if self._is_newly_dimmed(pixels):
            self._pixels = None
            return self._read(image, header=header)
        self._find_codes(image, pixels, moved)
        self._remember(pixels, now)
        self.changed = self._codes.size if first else int(np.count_nonzero(before != self._codes))
        board = Board(self._codes)
        counter = self._counter.read(image, board) if header else None
        return Reading(board, np.zeros(self.grid.shape, np.float32), counter=counter)

    def _find_looks(self, pixels: Pixels) -> Cells:
        """Find the looks of the cells that are not as in the last picture, which this one replaces. Returns
        which cells these are."""
        last = self._pixels
        moved = np.ones(self.grid.shape, bool) if last is None else (pixels != last).any(axis=2)
        for row, column in np.argwhere(moved).tolist():
            self._looks[row, column] = self.looks.find(pixels[row, column])
        self._pixels = pixels
        return moved

    def _find_codes(self, image: Image, pixels: Pixels, moved: Cells) -> None:
        """Say what the cells are, by the general reader or by their looks; and hold a picture that has come
        to rest, once, if it can be a board."""
        if self._should_ask(pixels):
            self._ask(image, pixels, moved)
        elif moved.any():
            self._codes = without_faults(self._meant(), openings_stop=self.openings_stop)
        elif self._rest.rests and self._sheet is None and self._codes is not self._checked:
            self._checked = self._codes
            if not self._faults(self._codes):
                self._hold(pixels)

    def _remember(self, pixels: Pixels, now: float) -> None:
        """Take in how opened cells look that rest, and keep a picture in which nearly all cells are known."""
        rested = self._tried.rest(pixels, now) and self._rest.rests and self._sheet is None
        if rested and self._tried.take_opened(self.looks, self._codes, self._covered, pixels):
            self.forget()
        if self._sheet is None and (self._codes != Cell.UNREAD).mean() >= CLEAR:
            self._clear = pixels, self._codes

    def _hold(self, pixels: Pixels) -> None:
        """Remember a picture at rest that can be a board."""
        self._held = pixels, self._codes
        covered = self._codes == Cell.COVERED
        changed = self._tried.changed(self._covered, pixels)
        as_before = not changed.any() or float(changed.mean()) > CLEAR
        begins = bool(covered.all()) and (self._begins or as_before)
        self._begins &= not begins
        # White cells that were read as covered may be opened: they tell nothing of how covered ones look.
        kept = covered & (~changed | begins)
        self._covered[kept] = pixels[kept]
        self._opened |= (self._codes <= 8) & self._covered.any(axis=2)
        self._opened &= ~covered
        if begins:
            self._tried.begin_game()

    def _without_false_covers(self, codes: Codes, pixels: Pixels) -> Codes:
        """The cells (rows, columns), with another meaning for those that were read as covered and look as no
        covered cell did.

        Where some of them were opened before they are unread: only another game covers these again, and its
        cells look alike. What the end of a game lays over its board, as one colour, looks covered to whoever
        has not seen the game. Where a click is under way on one of them, and many others have changed with
        it, they are empty if they can be: beside few numbers white cells may look covered. Where they cannot,
        and many of them lie here and there, they are what the end of a game shows.
        """
        new: Cells = (codes == Cell.COVERED) & (self._meant() != Cell.COVERED)
        new &= ~self._covered.any(axis=2) | changed_since(self._covered, pixels)
        if (new & self._opened).any():
            unread: Codes = np.where(new, np.int8(Cell.UNREAD), codes)
            return unread
        clicked = self._pressed(codes)
        changed = new & self._covered.any(axis=2)
        if not (changed & clicked).any() or np.count_nonzero(changed & ~clicked) < MANY_OPENED:
            return codes
        opened: Codes = np.where(changed, np.int8(Cell.EMPTY), codes)
        if not self._faults(opened):
            return opened
        apart = changed & ~hanging_together(changed, clicked)
        shown: Codes = np.where(changed, np.int8(Cell.UNREAD), codes)
        return shown if np.count_nonzero(apart) >= MANY_OPENED else codes

    def begin_game(self) -> None:
        """No cell has been clicked in the game that is seen next."""
        self._tried.begin_game()
        self._begins = True

    def doubt(self) -> None:
        """The numbers of the last picture contradict each other: what was read least often is doubted."""
        self.looks.doubt(self._looks.ravel().tolist())
        self._held = None
        self.forget()

    def confirm(self) -> None:
        """The numbers in the last picture are right: the game has ended and shown its mines."""
        opened = self._looks[(self._codes <= 8) & (self._looks >= 0)]
        for look, cells in zip(*np.unique(opened, return_counts=True), strict=True):
            self.looks.confirm(int(look), int(cells))

    @property
    def is_dimmed(self) -> bool:
        """Whether a sheet of half-transparent colour lies over the cells."""
        return self._sheet is not None

    def _may_lie_under(self, clear: Pixels, codes: Codes, pixels: Pixels) -> bool:
        """Whether a sheet may have been laid over the cells since they were seen clear: they look new, or the
        opened ones otherwise than before, though the looks that they have under a sheet are known by now."""
        if (self._looks < 0).mean() > DIMMED:
            return True
        opened = codes <= 8
        if not opened.any() or (pixels != clear).any(axis=2)[opened].mean() <= DIMMED:
            return False
        return bool((self._meant()[opened] == Cell.COVERED).mean() <= DIMMED)  # else it is the next game

    def _is_newly_dimmed(self, pixels: Pixels) -> bool:
        """Whether a sheet lies over the cells that did not lie there in the last picture."""
        if self._sheet is not None or self._clear is None or not self._may_lie_under(*self._clear, pixels):
            return False
        if self._bare and self._bare[0] is self._clear and np.array_equal(self._bare[1], pixels):
            return False
        self._sheet = sheet_over(*self._clear, pixels)
        if self._sheet is None:
            self._bare = self._clear, pixels
        return self._sheet is not None

    def _uncovered(self, pixels: Pixels) -> Pixels:
        """The cells under the sheet, if it still lies there."""
        assert self._clear is not None
        self._sheet = sheet_over(*self._clear, pixels)
        return pixels if self._sheet is None else self._sheet.under(pixels)

    def forget_motion(self) -> None:
        """A click was made: what the cells showed before it does not count for what they show."""
        self._backdrop.forget()

    @property
    def is_new(self) -> bool:
        """Whether a cell has a look that was read once: a piece in its flight may look like a number."""
        return any(0 < self.looks.votes(look) < SURE for look in np.unique(self._looks).tolist())

    def contradicts(self, image: Image) -> bool:
        """Whether what the looks of the cells in a picture mean cannot be by the rules: some are unread
        for that."""
        cells = self._sampling.cells(image)
        meant = [self.looks.label(self.looks.find(cells[at])) for at in np.ndindex(self.grid.shape)]
        return bool(self._faults(np.array(meant, np.int8).reshape(self.grid.shape)))

    def is_odd(self, cell: Coordinate) -> bool:
        """Whether a cell that was read as covered looks as hardly another covered one does."""
        covered = self._codes == Cell.COVERED
        return bool(covered[cell]) and (self._looks[covered] == self._looks[cell]).mean() <= ODD

    def are_empty(self, cells: Collection[Coordinate]) -> bool:
        """Whether some cells look as empty ones do that have nothing covered beside them, if there are many
        of these: the numbers around them say that nothing is missing there; or as those of earlier games."""
        near_covered = neighbour_sums(self._codes > 8) > 0
        confirmed = self._looks[(self._codes == Cell.EMPTY) & ~near_covered]
        here = set(confirmed.tolist() if len(confirmed) >= MANY_EMPTY else ()) - {-1}
        looks = {int(self._looks[cell]) for cell in cells}
        return all(look in here or self._was_empty(look) for look in looks)

    def _was_empty(self, look: int) -> bool:
        """Whether many cells of a look were empty in games that have shown their mines."""
        is_empty = look >= 0 and self.looks.label(look) == Cell.EMPTY
        return is_empty and self.looks.confirmed(look) >= MANY_EMPTY

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._pixels = self._asked = None
        self._rest.forget()

    def _should_ask(self, pixels: Pixels) -> bool:
        """Whether the general reader can tell more of this picture than is known."""
        if self._sheet is not None or not (self._rest.rests or self._rest.is_restless):
            return False
        known = {look: self.looks.votes(look) >= SURE for look in np.unique(self._looks).tolist()}
        settled = not (self._codes == Cell.UNREAD).any() and not self._faults(self._codes)
        if settled and (all(known.values()) or self._backdrop.is_known):
            return False
        return self._asked is None or bool((self._asked != pixels).any())

    def _ask(self, image: Image, pixels: Pixels, moved: Cells) -> None:
        """Have the cells at rest read by the general reader, and remember what it says of their looks."""
        self._asked = pixels
        self._rest.wait_again()
        codes = read_cells(image, self.grid, self.looks.inks(SURE))
        if self._held is not None:
            # An opened cell that looks as it did is what it was: one reading of many may be wrong.
            before, were = self._held
            codes = np.where((pixels == before).all(axis=2) & (were <= 8), were, codes)
        codes = self.looks.with_flags(self._as_known(codes), pixels)
        opened = (codes == Cell.COVERED) & np.isin(self._looks, list(self.looks.opened))
        codes = np.where(opened, np.int8(Cell.EMPTY), codes)
        looks_opened = self._tried.cells & self._tried.changed(self._covered, pixels)
        doubtful = (codes == Cell.COVERED) & looks_opened & ~self._pressed(codes)
        codes = np.where(doubtful, np.int8(Cell.UNREAD), codes)
        codes = self._without_false_covers(codes, pixels)
        self._learn_again(codes)
        told: set[tuple[int, int]] = set()
        pressed = self._pressed(codes)
        for row, column in np.argwhere(~moved & ~pressed & (codes != Cell.UNREAD)).tolist():
            code = int(codes[row, column])
            # A hundred covered cells of one picture say it once, also where each has a shade of its own.
            if (self.looks.find(pixels[row, column]), code) not in told:
                told.add((self.looks.meet(pixels[row, column], code), code))
        for row, column in np.ndindex(self.grid.shape):
            self._looks[row, column] = self.looks.find(pixels[row, column])
        labels = self._meant()
        labels[pressed & (labels == Cell.UNREAD)] = Cell.COVERED
        self._codes = without_faults(labels, openings_stop=self.openings_stop)
        if (self._codes == Cell.COVERED).all() and not self._clicked():
            self._hold(pixels)  # before the first click, which may come at once

    def _pressed(self, codes: Codes) -> Cells:
        """Which of the cells (rows, columns) that were read as covered have a click under way: they may look
        pressed, as opened ones do, and tell nothing of how covered cells look."""
        pressed = np.zeros(codes.shape, bool)
        for row, column in self._clicked():
            if row < codes.shape[0] and column < codes.shape[1]:  # of a board of another size before
                pressed[row, column] = codes[row, column] == Cell.COVERED
        return pressed

    def doubt_covered(self, cell: Coordinate, before: Image) -> None:
        """Clicks on a cell that looks covered do nothing: where it looks otherwise than in the picture
        `before` them, it is not known any more what that look means. It may have been learned while the
        cell was pressed."""
        if self._sheet is None and self._looks[cell] != self.looks.find(self._sampling.cells(before)[cell]):
            self._forget_meaning(cell, Cell.COVERED, self.looks.unlearn)

    def doubt_flag(self, cell: Coordinate) -> None:
        """Clicks that are to take a flag away do nothing: what looks so is none."""
        self._forget_meaning(cell, Cell.FLAG, self.looks.disprove)

    def _forget_meaning(self, cell: Coordinate, code: Cell, by: Callable[[int], None]) -> None:
        """Forget `by` a method of the looks what the look of a cell means, if that is a code."""
        look = int(self._looks[cell])
        if self._pixels is not None and self.looks.label(look) == code:
            by(look)
            self.forget()

    def learn_marks(self, cells: Collection[Coordinate], code: Cell, before: Image) -> None:
        """Some cells of the last picture are mines or flags, drawn otherwise than in the picture `before`,
        where they were covered. A look that any cell had there is not theirs alone."""
        if self._pixels is None or self._sheet is not None:
            return
        were = self._sampling.cells(before)
        there = {self.looks.find(were[cell]) for cell in np.ndindex(self.grid.shape)}
        for cell in cells:
            pixels = self._pixels[cell]
            look = self.looks.find(pixels)
            if look < 0 or (look in there and not (pixels == were[cell]).all()):
                if len(self.looks) >= MAX_LOOKS:
                    break
                look = self.looks.add(pixels)  # a thin mark hardly differs from a cell without one
            if look not in there:
                self.looks.learn_again(look, int(code), KEPT)
        self.forget()

    def _learn_again(self, codes: Codes) -> None:
        """Where what the looks were read as so far cannot be, but this reading of the cells (rows, columns)
        can, the looks mean that: a cell that was pressed when it was read, and covered, looks opened."""
        labels = self._meant()
        known = np.where(labels == Cell.UNREAD, codes, labels)
        if (known == codes).all() or self._faults(codes) or not self._faults(known):
            return
        for look in np.unique(self._looks[(known != codes) & (self._looks >= 0)]).tolist():
            said = np.unique(codes[self._looks == look])
            if len(said) == 1 and said[0] != Cell.UNREAD:
                self.looks.learn_again(look, int(said[0]))

    def _as_known(self, codes: Codes) -> Codes:
        """What the general reader says of the cells (rows, columns), but opened and covered cells as their
        looks are known, where these and the rest can be a board: one reading of many may be wrong."""
        looks = np.unique(self._looks).tolist()
        sure = {one: self.looks.label(one) for one in looks if self.looks.votes(one) >= SURE}
        labels = np.array([sure.get(one, int(Cell.UNREAD)) for one in self._looks.ravel().tolist()], np.int8)
        labels = labels.reshape(codes.shape)
        read = (labels != Cell.UNREAD) & (codes != Cell.UNREAD)
        known = np.where(read & ((labels <= 8) != (codes <= 8)), labels, codes)
        return codes if (known == codes).all() or self._faults(known) else known

    def _faults(self, codes: Codes) -> list[Fault]:
        return faults_of(codes, openings_stop=self.openings_stop)

    def _meant(self) -> Codes:
        """What the looks of the cells in the last picture mean, (rows, columns)."""
        labels = {look: self.looks.label(look) for look in np.unique(self._looks).tolist()}
        codes = np.array([labels[look] for look in self._looks.ravel().tolist()], np.int8)
        return codes.reshape(self.grid.shape)
