"""Learns what turns up later: a number that no throw-away game had shown, when logic says which it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.board import SYMBOLS, Board, Cell, Coordinate, Rules
from bot.calibrate.infer.cell_clusters import INSET, CellClusters, cell_picture
from bot.calibrate.probe.probe_player import solved
from bot.calibrate.save.corrections import add_glyph
from bot.targets.window.glyph_learner import LearnedGlyphs
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import Skin

MOST = 0.05
"""The part of a board that may be unread before it is thought to be hidden by something."""

RARE = 3, 0.3
"""So many cells, or such a part of the opened ones, may show what was never met: numbers that the throw-away
games had not shown are rare. Where there are more, the game has changed its looks."""

CORNER = 0.12
"""The part of a cell's side that a corner patch takes."""

ALIKE = 14.0
"""Mean difference of colour (0 to 255) up to which the corners of two cells are alike."""


BLANK = 0.3
"""A cell on which less is drawn than this part of the palest known number shows no number: windows draw a
cell that is pressed, or just opened, before its number."""


class LateLearner:
    """Works out the numbers of looks that a learned theme does not know yet, and keeps them in it."""

    def meet(
        self, skin: Skin, grid: Grid, frame: Image, board: Board, before: Board | None, rules: Rules
    ) -> LearnedGlyphs:
        """Learn what is forced; say of the rest whether they are opened cells."""
        unread = board.where(Cell.UNREAD)
        if not skin.learned or not unread or len(unread) > max(3, MOST * board.codes.size):
            return LearnedGlyphs()
        if len(unread) > max(RARE[0], RARE[1] * (board.codes <= 8).sum()):
            return LearnedGlyphs()
        opened = [cell for cell in unread if self._looks_opened(skin, frame, grid, cell)]
        if len(opened) < len(unread) or not all(_could_open(board, before, cell) for cell in unread):
            return LearnedGlyphs()
        groups: dict[int, list[Coordinate]] = {}
        maps = CellClusters(grid, skin.inset).map_of(frame)
        for cell in opened:
            groups.setdefault(int(maps[cell]), []).append(cell)
        told: list[str] = []
        learned: Skin | None = None
        for cells in groups.values():
            picture = cell_picture(frame, grid, cells[0])
            if _is_blank(skin, picture):
                continue
            number = self._forced(learned or skin, board, cells, rules)
            if number is None:
                continue
            try:
                learned = add_glyph(learned or skin, number, picture)
            except OSError as error:
                return LearnedGlyphs(
                    opened=frozenset(opened), text=f"a {number} was seen, but not kept: {error.strerror}"
                )
            told.append(f"learned what a {SYMBOLS[number]} looks like")
            board = _with(board, cells, number)
        return LearnedGlyphs(learned, frozenset(opened), "; ".join(told))

    def _forced(self, skin: Skin, board: Board, cells: Sequence[Coordinate], rules: Rules) -> int | None:
        """The one number that cells of one look can have, among those that the theme does not know well."""
        shades = max(
            (int((skin.glyph_sets[0].codes == code).sum()) for code in (0, 1, int(Cell.COVERED))), default=1
        )
        if board.finished and rules.mines == board.count(Cell.MINE, Cell.EXPLODED, Cell.FLAG):
            mines = set(board.where(Cell.MINE, Cell.EXPLODED, Cell.FLAG))
            counts = {sum(near in mines for near in board.neighbours(*cell)) for cell in cells}
            return counts.pop() if len(counts) == 1 else None
        if board.finished:
            return None
        possible = []
        for number in range(9):
            known = int((skin.glyph_sets[0].codes == number).sum())
            # An empty cell is in every game, in all of its shades.
            if known >= shades or (known and number == 0):
                continue
            trial = _with(board, cells, number)
            faults = [fault for fault in trial.faults(rules) if fault.cell in set(cells)]
            if not faults and solved(trial, rules) is not None:
                possible.append(number)
        return possible[0] if len(possible) == 1 else None

    def _looks_opened(self, skin: Skin, frame: Image, grid: Grid, cell: Coordinate) -> bool:
        """Whether the corners of a cell are those of opened cells."""
        cut = skin.glyph_sets[0]
        glyphs = cut.glyphs[cut.codes <= 8]
        if not len(glyphs):
            return False
        picture = cell_picture(frame, grid, cell)
        if picture.shape != glyphs[0].shape:
            return False
        patch = _corners(picture, skin.inset)
        return any(float(np.abs(patch - _corners(glyph, skin.inset)).mean()) <= ALIKE for glyph in glyphs)


def _with(board: Board, cells: Sequence[Coordinate], number: int) -> Board:
    """The same board with a number in some cells."""
    codes = board.codes.copy()
    for cell in cells:
        codes[cell] = number
    return Board(codes)


def _is_blank(skin: Skin, picture: Image) -> bool:
    """Whether nothing is drawn on a cell, as far as the numbers that are known can tell."""
    cut = skin.glyph_sets[0]
    known = [_drawn(glyph) for glyph in cut.glyphs[(cut.codes >= 1) & (cut.codes <= 8)]]
    return bool(known) and _drawn(picture) < BLANK * min(known)


def _drawn(picture: Image) -> float:
    """How much is drawn inside a cell: the mean difference (0 to 255) from its usual colour."""
    height, width = picture.shape[:2]
    left, top = round(INSET * width), round(INSET * height)
    inner = picture[top : height - top, left : width - left].astype(np.int16)
    return float(np.abs(inner - np.median(inner, axis=(0, 1))).mean())


def _corners(picture: Image, inset: float) -> npt.NDArray[np.int16]:
    """The pixels in the four corners of a cell, inside its rims."""
    height, width = picture.shape[:2]
    left, top = round(inset * width), round(inset * height)
    inner = picture[top : height - top, left : width - left].astype(np.int16)
    wide, high = max(1, round(CORNER * width)), max(1, round(CORNER * height))
    parts = [inner[:high, :wide], inner[:high, -wide:], inner[-high:, :wide], inner[-high:, -wide:]]
    return np.concatenate([part.reshape(-1, 3) for part in parts])


def _could_open(board: Board, before: Board | None, cell: Coordinate) -> bool:
    """Whether a cell was covered (or unread, as now) before."""
    if before is None or before.codes.shape != board.codes.shape:
        return True
    return before[cell] in (Cell.COVERED, Cell.UNREAD, Cell.QUESTION)
