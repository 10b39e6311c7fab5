"""Boards whose cells are drawn over: with any picture for a mine or a flag, with figures on covered cells,
with digits that are stretched, slanted, bolder, thinner or coarser, on grounds of other colours.

The pages that are drawn hold some thousand looks of flags and mines. Here each example gets others, so that
no drawing is a flag for the network because it is one on a page that it has seen.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.general.cell_windows import CELL_SIDE, MARGIN
from bot.vision.general.network import NOT_A_CELL
from bot.vision.grid import Image
from training.reader.learning.pictures import SIDE, Picture, cross, inked, random_picture
from training.reader.positions import Rng

Labels = npt.NDArray[np.int64]
Pixels = npt.NDArray[np.float32]
"""One cell: (CELL_SIDE, CELL_SIDE, 3)."""

PARTS = 0.25, 0.35, 0.2, 0.2, 0.2
"""Part of the examples whose flags, mines, faces of cells, digits and grounds are drawn over."""

SIGNS = 0.25
"""Part of the faces that are a strong sign on covered cells, or on empty ones, as terminals have them."""

EXCHANGED, ENOUGH_NUMBERS = 0.08, 12
"""Part of the grounds that covered and opened cells exchange, and how many numbers a board must have for
that: nothing else says then which of them are covered."""

SIZES = (0.5, 0.98)
"""Range of the size of a mark, as a part of a cell."""

SEEN = 45.0
"""How much a mark differs from the cell that it lies on, at least: the mean over its opacity of the strongest
channel."""

SAME = 12
"""Pixels of a cell that differ less than this from a cell with nothing on it belong to its ground."""

ON_GROUND, APART = 0.3, 8.0
"""The least part of a cell that is its ground; and how much covered and opened grounds differ at least, in
the mean over a cell."""

CONTRAST = 25.0
"""The spread of the middle of a cell with a digit that is enough to see it."""

END = (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)


def redrawn(rng: Rng, canvas: Image, labels: Labels) -> Image:
    """A canvas with some of its cells drawn over; what they are stays."""
    flags, mines, faces, digits, grounds = rng.random(5) < PARTS
    if not (flags or mines or faces or digits or grounds):
        return canvas
    board = _Board(canvas.copy(), labels)
    if grounds:
        board.draw_grounds(rng)
    flag = _mark(rng, board.plain(Cell.COVERED))
    if digits:
        board.draw_digits(rng)
    if flags:
        board.draw_flags(rng, flag)
    if mines:
        board.draw_end(rng, flag if flags else None)
    if faces:
        board.draw_faces(rng)
    return board.canvas


class _Board:
    """A canvas that is drawn over."""

    def __init__(self, canvas: Image, labels: Labels) -> None:
        self.canvas, self._labels = canvas, labels
        self._places = {int(label): np.argwhere(labels == label) for label in np.unique(labels)}

    def cell(self, row: int, column: int) -> Image:
        """A view of the pixels of a cell."""
        y, x = MARGIN + row * CELL_SIDE, MARGIN + column * CELL_SIDE
        return self.canvas[y : y + CELL_SIDE, x : x + CELL_SIDE]

    def plain(self, label: int) -> list[Pixels]:
        """A cell with nothing on it of each field of a checkerboard; fewer where the board has none."""
        found = {int((row + column) % 2): (row, column) for row, column in self._places.get(int(label), ())}
        return [self.cell(*found[parity]).astype(np.float32) for parity in sorted(found)]

    def _put(self, label: int, grounds: list[Pixels], *pictures: Picture) -> None:
        for row, column in self._places.get(int(label), ()):
            drawn = grounds[(row + column) % len(grounds)]
            for picture in pictures:
                drawn = _over(drawn, picture)
            self.cell(row, column)[:] = np.clip(drawn + 0.5, 0, 255).astype(np.uint8)

    def draw_grounds(self, rng: Rng) -> None:
        """Other colours below covered cells or below opened ones, or the ground of each below the other; what
        stands on them is as much lighter or darker as before."""
        covered, opened = self.plain(Cell.COVERED), self.plain(Cell.EMPTY)
        if not covered or not opened:
            return
        numbers = sum(len(places) for label, places in self._places.items() if 1 <= label <= 8)
        if rng.random() < EXCHANGED:
            if numbers < ENOUGH_NUMBERS:
                return
            new_covered, new_opened = opened, covered
        else:
            which = rng.integers(3)
            new_covered = covered if which == 1 else _otherwise(rng, covered)
            new_opened = opened if which == 0 else _otherwise(rng, opened)
        if min(np.abs(one - other).mean() for one in new_covered for other in new_opened) < APART:
            return
        height, width = self._labels.shape
        inside = self.canvas[MARGIN:-MARGIN, MARGIN:-MARGIN]
        cells = inside.reshape(height, CELL_SIDE, width, CELL_SIDE, 3).swapaxes(1, 2)
        before = np.ascontiguousarray(cells)
        is_board = (self._labels >= 0) & (self._labels < NOT_A_CELL)
        parity = np.add.outer(np.arange(height), np.arange(width)) % 2
        both = [np.stack([old[0], old[-1]]).astype(np.uint8) for old in (covered, opened)]
        shares = [_shares(before, ground[parity]) for ground in both]
        drawn = before.copy()
        for index, (old, new) in enumerate(((covered, new_covered), (opened, new_opened))):
            lies_on = is_board & (shares[index] > ON_GROUND) & (shares[index] > shares[1 - index])
            change = np.stack([new[0] - old[0], new[-1] - old[-1]])[parity[lies_on]]
            drawn[lies_on] = np.clip(before[lies_on] + change + 0.5, 0, 255).astype(np.uint8)
        for label in (*range(1, 9), Cell.FLAG, Cell.QUESTION):
            for row, column in self._places.get(int(label), ())[:1]:
                if _contrast(drawn[row, column]) < min(CONTRAST, 0.6 * _contrast(before[row, column])):
                    return
        inside[:] = drawn.swapaxes(1, 2).reshape(inside.shape)

    def draw_flags(self, rng: Rng, flag: Picture) -> None:
        """Another picture for flags, on covered cells or on a colour."""
        grounds = self.plain(Cell.COVERED)
        if grounds:
            self._put(Cell.FLAG, _tinted(rng, grounds) if rng.random() < 0.15 else grounds, flag)

    def draw_end(self, rng: Rng, flag: Picture | None) -> None:
        """Other pictures for all that the end of a game shows; a crossed flag stays where it is not known."""
        opened, covered = self.plain(Cell.EMPTY), self.plain(Cell.COVERED)
        usual = opened if opened and (rng.random() < 0.7 or not covered) else covered
        if not usual or not any(int(label) in self._places for label in END):
            return
        grounds = _tinted(rng, usual) if rng.random() < 0.15 else usual
        mine, loud = _mark(rng, grounds), _tinted(rng, usual)
        if _colour_distance(loud, grounds) < SEEN:
            return
        self._put(Cell.MINE, grounds, mine)
        other = rng.random()
        if other < 0.6:
            self._put(Cell.EXPLODED, loud, mine)
        else:
            self._put(Cell.EXPLODED, loud if other < 0.8 else grounds, _mark(rng, grounds))
        over, way = _placed(rng, cross(rng), 1.0), rng.random()
        if not all(_is_seen(over, ground) for ground in (*grounds, *covered)):
            return
        if way < 0.4:
            self._put(Cell.WRONG_FLAG, grounds, mine, over)
        elif way < 0.6:
            self._put(Cell.WRONG_FLAG, grounds, over)
        elif flag is not None and way < 0.85:
            self._put(Cell.WRONG_FLAG, covered or usual, flag, over)
        elif flag is not None and _colour_distance(other_ground := _tinted(rng, usual), loud) > SEEN:
            self._put(Cell.WRONG_FLAG, other_ground, flag)

    def draw_digits(self, rng: Rng) -> None:
        """The same digits in other proportions, slanted, thicker or thinner, or of larger pixels."""
        grounds = self.plain(Cell.EMPTY)
        if not grounds:
            return
        across, down = rng.uniform(0.75, 1.25), rng.uniform(0.75, 1.2)
        slant = rng.uniform(-0.25, 0.25) if rng.random() < 0.5 else 0.0
        middle, moved = (CELL_SIDE - 1) / 2, rng.uniform(-1.5, 1.5, 2)
        turn = np.array([[across, slant], [0, down]])
        places = np.column_stack([turn, middle - turn @ (middle, middle) + moved])
        weight, side = rng.integers(-1, 2), int(rng.integers(7, 13)) if rng.random() < 0.25 else 0
        for digit in range(1, 9):
            for row, column in self._places.get(digit, ()):
                cell, ground = self.cell(row, column), grounds[(row + column) % len(grounds)]
                ink = _strokes(cell.astype(np.float32) - ground, places, int(weight), side)
                cell[:] = np.clip(ground + ink + 0.5, 0, 255).astype(np.uint8)

    def draw_faces(self, rng: Rng) -> None:
        """Figures on covered cells, or on opened ones, that lie under what stands on them; or another outline
        of the covered ones, with what is between opened cells around it."""
        label, on = int(Cell.COVERED), [int(one) for one in (Cell.COVERED, Cell.FLAG, Cell.QUESTION)]
        is_sign = rng.random() < SIGNS
        if rng.random() < 0.2:
            label, on = int(Cell.EMPTY), [*range(9)]
        if is_sign:
            on = [label]
        grounds = self.plain(label)
        if not grounds:
            return
        if is_sign:
            size = rng.uniform(0.3, 0.9) if label == Cell.COVERED else rng.uniform(0.12, 0.4)
            face = _placed(rng, random_picture(rng), size)
        elif label == Cell.COVERED and rng.random() < 0.35:
            face = _outline(rng, self.plain(Cell.EMPTY) or grounds)
        else:
            shape = _placed(rng, random_picture(rng), rng.uniform(0.4, 1.0))
            ink = np.full(3, 255 if rng.random() < 0.5 else 0)
            most = 0.4 if label == Cell.COVERED else 0.15
            face = inked(shape[..., 3] * np.float32(rng.uniform(0.06, most)), ink)
        for one in on:
            for row, column in self._places.get(int(one), ()):
                cell = self.cell(row, column)
                ground = grounds[(row + column) % len(grounds)]
                is_ground = np.abs(cell.astype(np.float32) - ground).max(axis=2, keepdims=True) < SAME
                drawn = np.where(is_ground, _over(cell.astype(np.float32), face), cell)
                cell[:] = np.clip(drawn + 0.5, 0, 255).astype(np.uint8)


def _shares(cells: Image, grounds: Image) -> npt.NDArray[np.float64]:
    """What part of each cell is its ground, (rows, columns), of cells and grounds, both (rows, columns,
    CELL_SIDE, CELL_SIDE, 3)."""
    differs = cv2.absdiff(cells.reshape(-1), grounds.reshape(-1)).reshape(-1, 3)
    strongest = np.maximum(np.maximum(differs[:, 0], differs[:, 1]), differs[:, 2])
    return np.asarray((strongest < SAME).reshape(*cells.shape[:2], -1).mean(axis=2))


def _over(cell: Pixels, picture: Picture) -> Pixels:
    """A cell with a picture of the same size over it."""
    drawn: Pixels = cell + (picture[..., :3] - cell) * picture[..., 3:]
    return drawn


def _strokes(ink: Pixels, places: npt.NDArray[np.float64], weight: int, side: int) -> Pixels:
    """By how much a digit differs from its ground, moved as an affine matrix says; thicker (`weight` 1),
    thinner (-1) or neither, of `side` by `side` pixels unless that is 0."""
    moved = cv2.warpAffine(ink, places, (CELL_SIDE, CELL_SIDE), flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0))
    if weight:
        cross_shaped = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
        strength = np.abs(moved).max(axis=2)
        wanted = (cv2.dilate if weight > 0 else cv2.erode)(strength, cross_shaped)
        # Half of the way: a whole pixel would close what a small digit has open.
        wanted = (wanted + strength) / 2
        darkest = np.unravel_index(int(strength.argmax()), strength.shape)
        moved = wanted[..., None] * (moved[darkest] / max(float(strength[darkest]), 1.0))
    if side:
        small = cv2.resize(moved, (side, side), interpolation=cv2.INTER_AREA)
        small = np.where(np.abs(small).max(axis=2, keepdims=True) > np.abs(small).max() / 3, small, 0)
        moved = cv2.resize(small, (CELL_SIDE, CELL_SIDE), interpolation=cv2.INTER_NEAREST)
    return np.asarray(moved, np.float32)


def _colour_distance(first: list[Pixels], second: list[Pixels]) -> float:
    """The difference of the mean colours of cells in the strongest channel."""
    means = [np.mean([one.mean(axis=(0, 1)) for one in cells], axis=0) for cells in (first, second)]
    return float(np.abs(means[0] - means[1]).max())


def _placed(rng: Rng, picture: Picture, part: float) -> Picture:
    """A picture at that part of the size of a cell, near its middle."""
    size = round(part * CELL_SIDE)
    coarse = rng.random() < 0.1
    # The colours of what is clear must not shine through at the edges.
    whole = picture.copy()
    whole[..., :3] *= whole[..., 3:]
    side = size // 2 if coarse else size
    small = cv2.resize(whole, (side, side), interpolation=cv2.INTER_AREA)
    if coarse:
        small = cv2.resize(small, (size, size), interpolation=cv2.INTER_NEAREST)
    small[..., :3] /= np.maximum(small[..., 3:], 1e-3)
    out = np.zeros((CELL_SIDE, CELL_SIDE, 4), np.float32)
    free = CELL_SIDE - size
    y, x = (int(np.clip(free // 2 + round(rng.normal(0, 0.7)), 0, free)) for _ in range(2))
    out[y : y + size, x : x + size] = small
    return out


def _mark(rng: Rng, grounds: list[Pixels]) -> Picture:
    """A picture that can be seen on cells."""
    picture = random_picture(rng)
    for _ in range(8):
        placed = _placed(rng, picture, rng.uniform(*SIZES))
        if all(_is_seen(placed, ground) for ground in grounds):
            break
        picture = random_picture(rng)
    return placed


def _is_seen(picture: Picture, ground: Pixels) -> bool:
    opacity = picture[..., 3]
    differs = np.abs(picture[..., :3] - ground).max(axis=2)
    return bool((differs * opacity).sum() > SEEN * opacity.sum() > 0)


def _tinted(rng: Rng, grounds: list[Pixels]) -> list[Pixels]:
    """Cells in another colour, mostly red, whose borders and shadows stay."""
    colour = np.array([*rng.integers(0, 110, 2), rng.integers(190, 256)], np.float32)
    if rng.random() < 0.35:
        colour = rng.integers(0, 256, 3).astype(np.float32)
    middle = grounds[0][CELL_SIDE // 2, CELL_SIDE // 2]
    return [np.clip(ground - middle + colour, 0, 255) for ground in grounds]


def _contrast(cell: Pixels) -> float:
    """How much the middle of a cell spreads, in the strongest channel."""
    middle = cell[CELL_SIDE // 5 : -(CELL_SIDE // 5), CELL_SIDE // 5 : -(CELL_SIDE // 5)]
    return float(middle.std(axis=(0, 1)).max())


def _otherwise(rng: Rng, grounds: list[Pixels]) -> list[Pixels]:
    """Grounds in another colour: flat, with a line around, or with the borders and shadows that they have."""
    middle = grounds[0][CELL_SIDE // 2, CELL_SIDE // 2]
    near = rng.random() < 0.4
    colour = np.clip(middle + rng.normal(0, 30, 3) if near else rng.integers(0, 256, 3), 0, 255)
    way = rng.random()
    if way < 0.6:
        return [np.clip(ground - middle + colour.astype(np.float32), 0, 255) for ground in grounds]
    flat = np.broadcast_to(colour.astype(np.float32), grounds[0].shape).copy()
    if way < 0.85:
        line = np.clip(colour + rng.uniform(-90, 90), 0, 255)
        width = int(rng.integers(1, 4))
        sides = rng.random(4) < (1.0 if rng.random() < 0.6 else 0.5)
        for index, is_drawn in enumerate(sides):
            if is_drawn:
                np.rot90(flat, index)[:width] = line
    return [flat] * len(grounds)


def _outline(rng: Rng, opened: list[Pixels]) -> Picture:
    """What covers the corners of a cell so that another outline is left, in a colour of opened cells."""
    points = int(rng.integers(4, 9))
    angles = np.sort((np.arange(points) + rng.uniform(-0.3, 0.3, points)) * 2 * np.pi / points)
    radii = rng.uniform(0.5, 0.66, points) * SIDE
    corners = SIDE / 2 + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
    clear = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(clear, [np.round(corners).astype(np.int32)], 255, cv2.LINE_AA)
    edge = opened[0][0, 0] if rng.random() < 0.5 else opened[0][CELL_SIDE // 2, CELL_SIDE // 2]
    small = cv2.resize(clear, (CELL_SIDE, CELL_SIDE), interpolation=cv2.INTER_AREA)
    return inked(1 - small.astype(np.float32) / np.float32(255), edge)
