"""Learns what turns up later: a number that no throw-away game had shown, once logic says which it is."""

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

MAX_UNREAD_CELLS, MAX_UNREAD_SHARE = 3, 0.05
"""As many cells, or this part of the board, may be unread. Where more are, something hides the board."""

MAX_NEW_CELLS, MAX_NEW_SHARE = 3, 0.3
"""As many cells, or this part of the opened ones, may show an unknown number: the throw-away games would have
shown a frequent one. Where more do, the game has changed its skin."""

CORNER, MAX_CORNER_DIFFERENCE = 0.12, 14.0
"""The part of a cell's side that a corner takes, and the largest mean colour difference (0 to 255) of the
corners of two cells with one background."""

BLANK = 0.3
"""A cell on which less is drawn than this part of the palest known number shows no number: windows draw a
cell that is pressed, or just opened, before its number."""


class LateLearner:
    """Works out numbers that a learned skin does not know yet, and keeps them in its theme."""

    def meet(
        self, skin: Skin, grid: Grid, frame: Image, board: Board, before: Board | None, rules: Rules
    ) -> LearnedGlyphs:
        """Learn the numbers of unread cells as far as logic forces them, if all of them are opened cells."""
        unread = board.where(Cell.UNREAD)
        if (
            not skin.learned
            or not unread
            or len(unread) > max(MAX_UNREAD_CELLS, MAX_UNREAD_SHARE * board.codes.size)
            or len(unread) > max(MAX_NEW_CELLS, MAX_NEW_SHARE * (board.codes <= 8).sum())
            or not all(_has_opened_background(skin, cell_picture(frame, grid, cell)) for cell in unread)
            or not all(_could_open(board, before, cell) for cell in unread)
        ):
            return LearnedGlyphs()
        clusters: dict[int, list[Coordinate]] = {}
        cluster_map = CellClusters(grid, skin.inset).map_of(frame)
        for cell in unread:
            clusters.setdefault(int(cluster_map[cell]), []).append(cell)
        texts: list[str] = []
        learned: Skin | None = None
        for cells in clusters.values():
            picture = cell_picture(frame, grid, cells[0])
            number = (
                None if _is_blank(skin, picture) else _forced_number(learned or skin, board, cells, rules)
            )
            if number is None:
                continue
            try:
                learned = add_glyph(learned or skin, number, picture)
            except OSError as error:
                text = f"a {number} was seen, but not kept: {error.strerror}"
                return LearnedGlyphs(opened=frozenset(unread), text=text)
            texts.append(f"learned what a {SYMBOLS[number]} looks like")
            board = board.replaced(cells, number)
        return LearnedGlyphs(learned, frozenset(unread), "; ".join(texts))


def _forced_number(skin: Skin, board: Board, cells: Sequence[Coordinate], rules: Rules) -> int | None:
    """The one number that cells of one cluster can have, of those that the skin does not know well."""
    if board.finished:
        mines = set(board.where(Cell.MINE, Cell.EXPLODED, Cell.FLAG))
        counts = {sum(near in mines for near in board.neighbours(*cell)) for cell in cells}
        return counts.pop() if rules.mines == len(mines) and len(counts) == 1 else None
    codes = skin.glyph_sets[0].codes.tolist()
    # Backgrounds in several shades make as many glyphs of one number.
    shades = max(codes.count(code) for code in (0, 1, int(Cell.COVERED)))
    possible = []
    for number in range(9):
        known = codes.count(number)
        # An empty cell is in every game, in all of its shades.
        if known >= shades or (known and number == 0):
            continue
        trial = board.replaced(cells, number)
        if all(fault.cell not in cells for fault in trial.faults(rules)) and solved(trial, rules) is not None:
            possible.append(number)
    return possible[0] if len(possible) == 1 else None


def _has_opened_background(skin: Skin, picture: Image) -> bool:
    """Whether the corners of a cell are those of opened cells."""
    glyphs = skin.glyph_sets[0].glyphs[skin.glyph_sets[0].codes <= 8]
    if picture.shape != glyphs.shape[1:]:
        return False
    corners = _corners(picture, skin.inset)
    differences = (np.abs(corners - _corners(glyph, skin.inset)).mean() for glyph in glyphs)
    return any(difference <= MAX_CORNER_DIFFERENCE for difference in differences)


def _is_blank(skin: Skin, picture: Image) -> bool:
    """Whether nothing is drawn on a cell, as far as the known numbers can tell."""
    codes, glyphs = skin.glyph_sets[0].codes, skin.glyph_sets[0].glyphs
    known = [_contrast(glyph) for glyph in glyphs[(codes >= 1) & (codes <= 8)]]
    return bool(known) and _contrast(picture) < BLANK * min(known)


def _contrast(picture: Image) -> float:
    """How much is drawn inside a cell: the mean difference (0 to 255) from its median colour."""
    inner = _inside(picture, INSET)
    return float(np.abs(inner - np.median(inner, axis=(0, 1))).mean())


def _corners(picture: Image, inset: float) -> npt.NDArray[np.int16]:
    """The pixels in the four corners of a cell, inside its edges: shape (pixels, 3)."""
    inner = _inside(picture, inset)
    width, height = (max(1, round(CORNER * side)) for side in (picture.shape[1], picture.shape[0]))
    top, bottom = inner[:height], inner[-height:]
    parts = [top[:, :width], top[:, -width:], bottom[:, :width], bottom[:, -width:]]
    return np.concatenate([part.reshape(-1, 3) for part in parts])


def _inside(picture: Image, inset: float) -> npt.NDArray[np.int16]:
    """A cell without its edges; `inset` is the part of a side that is left out at each end."""
    height, width = picture.shape[:2]
    left, top = round(inset * width), round(inset * height)
    return picture[top : height - top, left : width - left].astype(np.int16)


def _could_open(board: Board, before: Board | None, cell: Coordinate) -> bool:
    """Whether a cell was covered (or unread, as now) before."""
    if before is None or before.codes.shape != board.codes.shape:
        return True
    return before[cell] in (Cell.COVERED, Cell.UNREAD, Cell.QUESTION)
