"""What the shape, the colour and the ground of a drawing say for each of its possible meanings."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.general.backgrounds import is_raised
from bot.vision.general.clusters import BoardClusters, GlyphCluster
from bot.vision.general.digit_colours import digit_colours, is_red

Floats = npt.NDArray[np.float32]

SHAPE, COLOUR = 14.0, 2.2
"""What likeness of shape (-1 to 1) and of colour (0 to -1.5) are worth."""

LEAST_LIKE, LEAST_LIKE_FEW = 0.52, 0.7
"""A drawing that is less like its meaning is not read: one on many cells, and one on one or two cells only,
which may be the pointer."""

SAME_COLOUR = -0.25
"""A drawing whose colour speaks as much for a digit has its colour."""

OTHER_INK = 60.0
"""Colours of drawings that are farther apart are two."""

FEW_CLEAR, CLEAR, CLEARER = 3, 0.85, 0.1
"""A drawing on so many cells is a clear digit, where it is so like it, and by so much more than any other."""

AGREES = 0.3
"""By so much less than for the best digit a colour may speak for its own."""

ONE_INK = 12.0
"""Colours of drawings that are nearer are one."""

ANYTHING = 15
"""The place of the best evidence for anything, whatever lies behind."""

COVERED, OPENED = int(Cell.COVERED), int(Cell.EMPTY)


def digits_share_colour(looks: BoardClusters) -> bool:
    """Whether the digits have one colour for all: then colour says nothing."""
    inked = [drawing for drawing in looks.drawings if drawing.redness < 0.3]
    large = [drawing for drawing in inked if len(drawing.cells) >= 2]
    if len(large) < 2:
        large = inked  # hardly any cell is opened
    if len(large) < 2:
        return False
    colours = np.stack([drawing.colour for drawing in large])
    # Greys are one colour too: that of the digits, and the black of mines.
    return bool(np.ptp(colours, axis=0).max() < 40 or np.ptp(colours, axis=1).max() < 26)


def colours_are_informative(looks: BoardClusters) -> bool:
    """Whether the digits that are clear by their shape have the colours of a game that is known, as far as
    there are some: else another digit's colour says nothing either."""
    clear = agreeing = 0
    for drawing in looks.drawings:
        like = drawing.likeness[1:9]
        digit, next_one = (int(index) for index in np.argsort(-like)[:2])
        if len(drawing.cells) < FEW_CLEAR or like[digit] < CLEAR or like[digit] - like[next_one] < CLEARER:
            continue
        scores = digit_colours(drawing.colour)
        clear += 1
        agreeing += bool(scores[digit] >= scores.max() - AGREES)
    return clear < 2 or 2 * agreeing >= clear


def differently_coloured_pairs(looks: BoardClusters) -> npt.NDArray[np.bool_]:
    """Which pairs of drawings, (drawings, drawings), differ in colour, or in that of their own ground."""
    count = len(looks.drawings)
    if not count:
        return np.zeros((0, 0), bool)
    colours = np.stack([drawing.colour for drawing in looks.drawings])
    behind = np.stack([drawing.behind for drawing in looks.drawings])
    lone = np.array([drawing.ground < 0 for drawing in looks.drawings])
    inked = np.abs(colours[:, None] - colours).max(axis=2) > OTHER_INK
    own = (np.abs(behind[:, None] - behind).max(axis=2) > 14) & lone[:, None] & lone
    return np.triu(inked | own, 1)


def same_coloured_pairs(looks: BoardClusters) -> npt.NDArray[np.bool_]:
    """Which pairs of drawings, (drawings, drawings), have one colour: in most games they are one digit."""
    if not looks.drawings:
        return np.zeros((0, 0), bool)
    colours = np.stack([drawing.colour for drawing in looks.drawings])
    return np.triu(np.abs(colours[:, None] - colours).max(axis=2) <= ONE_INK, 1)


def label_scores(drawing: GlyphCluster, grounds: list[int], colours: bool) -> Floats:
    """What speaks for each meaning of a drawing, that of digits' `colours` too where they tell anything, by
    the codes of `Cell`; -inf for those that cannot be."""
    scores = np.full(16, -np.inf, np.float32)
    like = SHAPE * drawing.likeness
    behind = grounds[drawing.ground] if drawing.ground >= 0 else None
    scores[1:9] = like[1:9]
    if colours:
        scores[1:9] += COLOUR * digit_colours(drawing.colour)
    # Flags are red, but not everything red is a flag.
    flaglike = float(np.clip((drawing.likeness[Cell.FLAG] - 0.4) / 0.4, 0, 1))
    scores[Cell.FLAG] = like[Cell.FLAG] + (3.0 * flaglike if drawing.redness > 0.2 else 0.0)
    if drawing.redness < 0.05 and drawing.darkness < 0.5:
        scores[Cell.FLAG] -= 2.0  # flags are red, or of one colour with the question marks
    scores[Cell.QUESTION] = like[Cell.QUESTION] - 0.5
    scores[Cell.MINE] = like[Cell.MINE] + (1.0 if drawing.darkness > 0.6 else -2.0)
    if is_red(drawing.behind) and drawing.darkness > 0.4:
        scores[Cell.EXPLODED] = max(like[Cell.MINE], SHAPE * 0.6) + 3.0
    if drawing.redness > 0.15 and drawing.darkness > 0.2 and not is_red(drawing.behind):
        scores[Cell.WRONG_FLAG] = like[Cell.MINE] + 0.5
    if drawing.likeness[Cell.WRONG_FLAG] > max(LEAST_LIKE_FEW, float(drawing.likeness[Cell.MINE])):
        scores[Cell.WRONG_FLAG] = max(float(scores[Cell.WRONG_FLAG]), float(like[Cell.WRONG_FLAG]))
    scores[ANYTHING] = scores[:ANYTHING].max()
    if behind == COVERED or (behind is None and is_raised(drawing.relief)):
        scores[1:9] -= 8.0
        scores[Cell.EXPLODED] -= 6.0
    elif behind == OPENED:
        scores[Cell.FLAG] -= 5.0
        scores[Cell.QUESTION] -= 8.0
    return scores


def label_likeness(drawing: GlyphCluster, code: int, few: bool, behind: int | None) -> float:
    """How like its meaning a drawing is; colours help where shapes differ from game to game."""
    if code == Cell.EXPLODED:
        return max(float(drawing.likeness[Cell.MINE]), 0.7)
    if code == Cell.WRONG_FLAG:
        return max(float(drawing.likeness[Cell.MINE]) + 0.1, float(drawing.likeness[code]))
    if code == Cell.MINE and few:
        return float(drawing.likeness[code]) - 0.15
    if code == Cell.FLAG:
        # The arrow of a pointer is much like a flag, but for the red.
        return float(drawing.likeness[code]) + (0.2 if drawing.redness > 0.25 else -0.2 if few else 0.0)
    if code == Cell.QUESTION and behind == COVERED and not few:
        return float(drawing.likeness[code]) + 0.1  # where no digit can be
    if 1 <= code <= 8 and digit_colours(drawing.colour)[code - 1] > SAME_COLOUR:
        return float(drawing.likeness[code]) + (0.06 if few else 0.12)
    return float(drawing.likeness[code])
