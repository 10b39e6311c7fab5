"""What the looks of an unknown skin mean: evidence, and the rules of the game to decide.

Every look (a ground, a drawing) gets a meaning. Shape and colour of a drawing, relief and place of a ground
are evidence; that the numbers fit what lies around them, that no 0 lies beside a covered cell, decides
among the meanings that the evidence allows. A look that stays open is unread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.digit_colours import digit_colours, is_red
from bot.vision.grounds import Ground, is_raised
from bot.vision.looks import Drawing, Looks

Codes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

SHAPE, COLOUR = 14.0, 2.2
"""What likeness of shape (-1 to 1) and of colour (0 to -1.5) are worth."""

RULE = 4.0
"""What each broken rule costs."""

LEAST_LIKE, LEAST_LIKE_FEW = 0.52, 0.7
"""A drawing that is less like its meaning is not read: one on many cells, and one on one or two cells only,
which may be the pointer."""

SAME_COLOUR = -0.25
"""A drawing whose colour speaks as much for a digit has its colour."""

MARGIN = 0.6
"""The next best meaning of a drawing must cost so much more."""

ASTRAY = 6.0
"""What it costs where plain cells are taken for covered, but flags stand on others."""

IDLE = 12.0
"""What it costs where there are flags and no number that they could follow from, or flags that are crossed
out while no mine is shown."""

SHOWN = (int(Cell.MINE), int(Cell.EXPLODED))
"""What a lost game shows."""

FEW = 3
"""So many cells are few."""

LESS_A_FLAG, MORE_CROSSED = 0.08, 0.06
"""By so much flags that are crossed out are less like flags than plain ones, and more like crossed ones."""

VIVID = 100.0
"""So far apart the blue, green and red of something on a few cells are, that is rather a digit with something
over it than a question mark."""

NEARLY = 0.05
"""A cell that is no less like a digit than this may be that one, where the rules ask for it."""

TWIN = 1.5
"""What it costs where one digit comes in two colours, or on two."""

CANDIDATES = 4
"""So many meanings are tried for each drawing."""

MOST_DRAWINGS = 40
"""So many drawings, those on the most cells, are looked at; the rest is unread. Boards have 16 at most, and
some more where something lies over them; text has another one in every cell."""

_FREE = 15
"""The place of the best evidence for anything, whatever lies behind."""

COVERED, OPENED = int(Cell.COVERED), int(Cell.EMPTY)


@dataclass(frozen=True)
class Meaning:
    """A board that the looks can mean."""

    codes: Codes
    """Shape (rows, columns)."""
    cost: float
    """What speaks against it: less is better."""
    broken: int
    """The rules that it breaks."""


def meaning_of(looks: Looks) -> Meaning | None:
    """The meaning for which the most speaks; None where the looks cannot be a board."""
    if len(looks.drawings) > MOST_DRAWINGS:
        looks = replace(looks, drawings=looks.drawings[:MOST_DRAWINGS])
    best: Meaning | None = None
    for grounds, prior in _grounds(looks):
        found = _with_grounds(looks, grounds, prior)
        if best is None or found.cost < best.cost:
            best = found
    return best


def _grounds(looks: Looks) -> list[tuple[list[int], float]]:
    """The ways to take each ground for covered or opened, each with what speaks against it."""
    large = [index for index, ground in enumerate(looks.grounds) if index < 4]
    ways: list[tuple[list[int], float]] = []
    for choice in product((COVERED, OPENED), repeat=len(large)):
        meanings = list(choice)
        prior = 0.0
        for index, ground in enumerate(looks.grounds):
            if index >= len(large):
                # The small ones go with the large one that looks most like them.
                meanings.append(meanings[_nearest(looks.grounds, index, len(large))])
            raised = _raised(ground)
            weight = min(4.0, 0.5 * len(ground.cells))
            if meanings[index] == OPENED and raised > 0:
                prior += weight * raised
            if meanings[index] == COVERED and raised < 0:
                prior += weight * -raised * 0.3
        prior += 3.0 * max(0, meanings[: len(large)].count(COVERED) - 1)
        if OPENED not in meanings and len(meanings) > 1 and looks.drawings:
            prior += 12  # numbers stand on something that plain opened cells have, as a rule
        if OPENED in meanings and COVERED not in meanings and not looks.drawings:
            prior += 20
        ways.append((meanings, prior))
    return ways or [([], 0.0)]


def _raised(ground: Ground) -> float:
    """1 for a relief that stands out, light above and dark below; 0 for none; down to -1 for sunk ones."""
    upper, lower = float(ground.relief[0]), float(ground.relief[1])
    if is_raised(ground.relief):
        return 1.0
    return -0.5 if upper < 6 and lower < -30 else 0.0


def _nearest(grounds: tuple[Ground, ...], index: int, among: int) -> int:
    own = grounds[index]

    def apart(other: Ground) -> float:
        return float(np.abs(other.colour - own.colour).max() + 0.7 * np.abs(other.relief - own.relief).max())

    return min(range(among), key=lambda other: apart(grounds[other]))


def _with_grounds(looks: Looks, grounds: list[int], prior: float) -> Meaning:
    """The best meaning of the drawings once the grounds are settled."""
    codes = np.full(looks.rows * looks.columns, Cell.UNREAD, np.int8)
    for ground, meaning in zip(looks.grounds, grounds, strict=True):
        codes[ground.cells] = meaning
    one_colour = _one_colour(looks)
    evidence = [_evidence(drawing, grounds, one_colour) for drawing in looks.drawings]
    options: list[list[int]] = []
    for scores in evidence:
        order = np.argsort(-scores[:_FREE])[:CANDIDATES]
        options.append([int(code) for code in order if scores[code] > scores[order[0]] - 9])
    chosen = [candidates[0] for candidates in options]
    shape = looks.rows, looks.columns
    unlike = _unlike(looks)

    def cost(labels: list[int]) -> float:
        for drawing, label in zip(looks.drawings, labels, strict=True):
            codes[drawing.cells] = label
        broken = rules_broken(codes.reshape(shape))
        against = 0.0
        for drawing, scores, label in zip(looks.drawings, evidence, labels, strict=True):
            against += float(scores[_FREE] - scores[label]) * min(3.0, np.sqrt(len(drawing.cells)))
        # Flags stand on covered cells: where these are plain somewhere, flags have their ground.
        astray = COVERED in grounds and all(
            drawing.ground < 0
            for drawing, label in zip(looks.drawings, labels, strict=True)
            if label == Cell.FLAG and len(drawing.cells) > 2
        )
        flagged = any(
            label == Cell.FLAG and len(drawing.cells) > 2
            for drawing, label in zip(looks.drawings, labels, strict=True)
        )
        told = np.array(labels)
        twins = int((unlike & (told[:, None] == told) & (told >= 1) & (told <= 8)).sum()) if labels else 0
        early = int(Cell.WRONG_FLAG) in labels and not any(label in SHOWN for label in labels)
        idle = flagged and not any(1 <= label <= 8 for label in labels)
        return against + RULE * broken + ASTRAY * (astray and flagged) + IDLE * (idle + early) + TWIN * twins

    now = cost(chosen)
    for _ in range(3):
        changed = False
        for index, candidates in enumerate(options):
            for label in candidates:
                if label == chosen[index]:
                    continue
                tried = [*chosen]
                tried[index] = label
                there = cost(tried)
                if there < now - 1e-6:
                    chosen, now, changed = tried, there, True
        if not changed:
            break
    # A drawing that could as well be something else, or is like nothing, is not read.
    doubtful: list[int] = []
    for index, candidates in enumerate(options):
        others = [
            [*chosen[:index], label, *chosen[index + 1 :]] for label in candidates if label != chosen[index]
        ]
        if any(cost(other) < now + MARGIN for other in others):
            doubtful.append(index)
    for index, drawing in enumerate(looks.drawings):
        few = len(drawing.cells) <= 2
        behind = grounds[drawing.ground] if drawing.ground >= 0 else None
        # A digit in another colour than all others of its kind is another one with something over it.
        odd = few and 1 <= chosen[index] <= 8 and _has_twin(looks, chosen, unlike, index)
        if (
            index in doubtful
            or odd
            or _like(drawing, chosen[index], few, behind) < (LEAST_LIKE_FEW if few else LEAST_LIKE)
        ):
            chosen[index] = int(Cell.UNREAD)
            now += min(4.0, 0.5 * len(drawing.cells))
    for index in _crossed(looks, chosen):
        chosen[index] = int(Cell.WRONG_FLAG)
    for drawing, label in zip(looks.drawings, chosen, strict=True):
        codes[drawing.cells] = label
    board = codes.reshape(shape)
    for ground in looks.grounds:
        # A few cells that look like none of the others: the rules say whether they are covered.
        if len(ground.cells) <= FEW:
            now_broken, before = rules_broken(board), int(codes[ground.cells[0]])
            codes[ground.cells] = OPENED if before == COVERED else COVERED
            if rules_broken(board) >= now_broken:
                codes[ground.cells] = before
    mended = _mended(board, looks, chosen)
    now -= RULE * (rules_broken(board) - rules_broken(mended))
    return Meaning(mended, now + prior, rules_broken(mended))


def _has_twin(looks: Looks, labels: list[int], unlike: npt.NDArray[np.bool_], index: int) -> bool:
    """Whether a drawing on more cells has the same meaning in another colour, and none in the same."""
    same = [
        other
        for other, drawing in enumerate(looks.drawings)
        if other != index and labels[other] == labels[index] and len(drawing.cells) > FEW
    ]
    return bool(same) and all(unlike[min(index, other), max(index, other)] for other in same)


def _crossed(looks: Looks, labels: list[int]) -> list[int]:
    """The drawings that are flags crossed out: where mines are shown, less like flags than the others are.

    A dark cross on a dark ground hides a part of the flag, and hardly shows itself.
    """
    flags = [index for index, label in enumerate(labels) if label == Cell.FLAG]
    if not flags or not any(label in SHOWN for label in labels):
        return []
    like = np.stack([drawing.likeness[[Cell.FLAG, Cell.WRONG_FLAG]] for drawing in looks.drawings])
    plain = max(flags, key=lambda index: float(like[index, 0]))
    return [
        index
        for index, (drawing, label) in enumerate(zip(looks.drawings, labels, strict=True))
        if label in (Cell.FLAG, Cell.UNREAD)
        and drawing.redness > 0.15
        and len(drawing.cells) > 1
        and like[index, 0] < like[plain, 0] - LESS_A_FLAG
        and like[index, 1] > like[plain, 1] + MORE_CROSSED
    ]


def _mended(board: Codes, looks: Looks, labels: list[int]) -> Codes:
    """The board with single digits, hard to tell from others in few pixels, that fit the rules better."""
    out: Codes = board.copy()
    faults = _faults(board)
    if not faults.any():
        return out
    for drawing, label in zip(looks.drawings, labels, strict=True):
        if not 1 <= label <= 8:
            continue
        near = drawing.each[:, 1:9] >= drawing.each[:, label][:, None] - NEARLY
        for cell, others in zip(drawing.cells, near, strict=True):
            row, column = divmod(int(cell), looks.columns)
            if others.sum() < 2 or not faults[row, column]:
                continue
            now = rules_broken(out)
            for digit in np.flatnonzero(others) + 1:
                before, out[row, column] = out[row, column], digit
                if rules_broken(out) >= now:
                    out[row, column] = before
                else:
                    now = rules_broken(out)
    return out


def _one_colour(looks: Looks) -> bool:
    """Whether the digits have one colour for all: then colour says nothing."""
    large = [drawing for drawing in looks.drawings if len(drawing.cells) >= 2 and drawing.redness < 0.3]
    if len(large) < 2:
        return False
    colours = np.stack([drawing.colour for drawing in large])
    # Greys are one colour too: that of the digits, and the black of mines.
    return bool(np.ptp(colours, axis=0).max() < 40 or np.ptp(colours, axis=1).max() < 26)


def _unlike(looks: Looks) -> npt.NDArray[np.bool_]:
    """Which pairs of drawings, (drawings, drawings), differ in colour, or in that of their own ground."""
    count = len(looks.drawings)
    if not count:
        return np.zeros((0, 0), bool)
    colours = np.stack([drawing.colour for drawing in looks.drawings])
    behind = np.stack([drawing.behind for drawing in looks.drawings])
    lone = np.array([drawing.ground < 0 for drawing in looks.drawings])
    inked = np.abs(colours[:, None] - colours).max(axis=2) > 60
    own = (np.abs(behind[:, None] - behind).max(axis=2) > 14) & lone[:, None] & lone
    return np.triu(inked | own, 1)


def _evidence(drawing: Drawing, grounds: list[int], one_colour: bool) -> Floats:
    """What speaks for each meaning of a drawing, by the codes of `Cell`; -inf for those that cannot be."""
    scores = np.full(16, -np.inf, np.float32)
    like = SHAPE * drawing.likeness
    behind = grounds[drawing.ground] if drawing.ground >= 0 else None
    scores[1:9] = like[1:9]
    if not one_colour:
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
    scores[_FREE] = scores[:_FREE].max()
    if behind == COVERED or (behind is None and is_raised(drawing.relief)):
        scores[1:9] -= 8.0
        scores[Cell.EXPLODED] -= 6.0
    elif behind == OPENED:
        scores[Cell.FLAG] -= 5.0
        scores[Cell.QUESTION] -= 8.0
    return scores


def _like(drawing: Drawing, code: int, few: bool, behind: int | None) -> float:
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
    if code == Cell.QUESTION and behind == COVERED and not (few and np.ptp(drawing.colour) > VIVID):
        return float(drawing.likeness[code]) + 0.1  # where no digit can be
    if 1 <= code <= 8 and digit_colours(drawing.colour)[code - 1] > SAME_COLOUR:
        return float(drawing.likeness[code]) + (0.06 if few else 0.12)
    return float(drawing.likeness[code])


def rules_broken(codes: Codes) -> int:
    """How many rules a board breaks."""
    return int(_faults(codes).sum())


def _faults(codes: Codes) -> npt.NDArray[np.int_]:
    """How many rules are broken at each cell."""
    # Looked up, not compared: this is asked for some hundred times for each board.
    numbers = (codes >= 1) & (codes <= 8)
    around, surely = _beside(_ROOM[codes]), _beside(_SURE[codes])
    few = np.maximum(codes - around, 0)
    many = np.maximum(surely - codes, 0)
    zeros = (codes == 0) & (_beside(_FILLED[codes]) > 0)
    faults: npt.NDArray[np.int_] = (few + many) * numbers + zeros.astype(np.int_)
    return faults


def _marked(*cells: Cell) -> npt.NDArray[np.uint8]:
    """1 at the codes of some cells, 0 at those of others."""
    return np.isin(np.arange(16), cells).astype(np.uint8)


_UNOPENED = Cell.COVERED, Cell.FLAG, Cell.QUESTION
_SURE = _marked(Cell.FLAG, Cell.MINE, Cell.EXPLODED)
_ROOM = _marked(*_UNOPENED, Cell.MINE, Cell.EXPLODED, Cell.UNREAD)
_FILLED = _marked(*_UNOPENED, Cell.MINE, Cell.EXPLODED)


def _beside(marks: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
    """How many of the cells around each are marked: as `neighbour_sums`, which is slow for so many calls."""
    sums = cv2.boxFilter(marks, cv2.CV_16S, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(sums, np.int16) - marks
