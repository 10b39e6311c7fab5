"""What the looks of an unknown skin mean: evidence, and the rules of the game to decide.

Every look (a ground, a drawing) gets a meaning. Shape and colour of a drawing, relief and place of a ground
are evidence; that the numbers fit what lies around them, that no 0 lies beside a covered cell, decides
among the meanings that the evidence allows. A look that stays open is unread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.general.backgrounds import NEAR, Background, is_raised
from bot.vision.general.clusters import BoardClusters
from bot.vision.general.consistency import rule_violations, violation_count
from bot.vision.general.evidence import (
    ANYTHING,
    CLEAR,
    COVERED,
    LEAST_LIKE,
    LEAST_LIKE_FEW,
    OPENED,
    OTHER_INK,
    colours_are_informative,
    differently_coloured_pairs,
    digits_share_colour,
    label_likeness,
    label_scores,
    same_coloured_pairs,
)

Floats = npt.NDArray[np.float32]

RULE = 4.0
"""What each broken rule costs."""

DISPUTED = 0.12
"""By so much more its shape may be like another digit than like the one that its colour speaks for."""

MARGIN = 0.6
"""The next best meaning of a drawing must cost so much more."""

ASTRAY = 6.0
"""What it costs where plain cells are taken for covered, but flags stand on others."""

IDLE = 12.0
"""What it costs where there are flags and no number that they could follow from, or flags that are crossed
out while no mine is shown."""

SHOWN = (int(Cell.MINE), int(Cell.EXPLODED))
"""What a lost game shows."""

ONE_COLOUR = 1.5
"""What it costs where of two grounds of one colour the one is covered and the other opened."""

MOST_POINTED = 4
"""A pointer may lie over so many cells."""

FEW = 3
"""So many cells are few."""

LESS_A_FLAG, MORE_CROSSED = 0.08, 0.06
"""By so much flags that are crossed out are less like flags than plain ones, and more like crossed ones."""

NEARLY = 0.05
"""A cell that is no less like a digit than this may be that one, where the rules ask for it."""

TWIN = 1.5
"""What it costs where one digit comes in two colours, or on two."""

ONE_INK_TWO_DIGITS = 1.5
"""What it costs where two digits have one colour, and not all have: Windows 7 has such a pair."""

CANDIDATES = 4
"""So many meanings are tried for each drawing."""

MOST_DRAWINGS = 40
"""So many drawings, those on the most cells, are looked at; the rest is unread. Boards have 16 at most, and
some more where something lies over them; text has another one in every cell."""


@dataclass(frozen=True)
class Labelling:
    """A board that the looks can mean."""

    codes: Codes
    """Shape (rows, columns)."""
    cost: float
    """What speaks against it: less is better."""
    broken: int
    """The rules that it breaks."""


def label_clusters(looks: BoardClusters) -> Labelling:
    """The meaning for which the most speaks."""
    if len(looks.drawings) > MOST_DRAWINGS:
        looks = replace(looks, drawings=looks.drawings[:MOST_DRAWINGS])
    best: Labelling | None = None
    for grounds, prior in sorted(_grounds(looks), key=lambda way: way[1]):
        if best is not None and prior >= best.cost:
            break  # the drawings can only cost more
        here = _with_grounds(looks, grounds, prior)
        best = here if best is None or here.cost < best.cost else best
    assert best is not None
    return best


def _grounds(looks: BoardClusters) -> list[tuple[list[int], float]]:
    """The ways to take each ground for covered or opened, each with what speaks against it."""
    large = [index for index, ground in enumerate(looks.grounds) if index < 4]
    # What lies on a cell or two only may be the pointer.
    drawn = sum(len(drawing.cells) for drawing in looks.drawings) > MOST_POINTED
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
        prior += ONE_COLOUR * sum(
            meanings[one] != meanings[other] and _same_colour(looks.grounds[one], looks.grounds[other])
            for one, other in combinations(large, 2)
        )
        if OPENED not in meanings and len(meanings) > 1 and drawn:
            prior += 12  # numbers stand on something that plain opened cells have, as a rule
        if OPENED in meanings and COVERED not in meanings and not drawn:
            prior += 20
        ways.append((meanings, prior))
    return ways or [([], 0.0)]


def _raised(ground: Background) -> float:
    """1 for a relief that stands out, light above and dark below; 0 for none; down to -1 for sunk ones."""
    upper, lower = float(ground.relief[0]), float(ground.relief[1])
    if is_raised(ground.relief):
        return 1.0
    return -0.5 if upper < 6 and lower < -30 else 0.0


def _same_colour(one: Background, other: Background) -> bool:
    """Whether two grounds have one colour, and no relief tells them apart."""
    near = np.abs(one.colour - other.colour).max() <= NEAR
    return bool(near) and is_raised(one.relief) == is_raised(other.relief)


def _nearest(grounds: tuple[Background, ...], index: int, among: int) -> int:
    own = grounds[index]

    def apart(other: Background) -> float:
        return float(np.abs(other.colour - own.colour).max() + 0.7 * np.abs(other.relief - own.relief).max())

    return min(range(among), key=lambda other: apart(grounds[other]))


def _with_grounds(looks: BoardClusters, grounds: list[int], prior: float) -> Labelling:
    """The best meaning of the drawings once the grounds are settled."""
    codes = np.full(looks.rows * looks.columns, Cell.UNREAD, np.int8)
    for ground, meaning in zip(looks.grounds, grounds, strict=True):
        codes[ground.cells] = meaning
    one_colour = digits_share_colour(looks)
    colours = not one_colour and colours_are_informative(looks)
    evidence = [label_scores(drawing, grounds, colours) for drawing in looks.drawings]
    options: list[list[int]] = []
    for scores in evidence:
        order = np.argsort(-scores[:ANYTHING])[:CANDIDATES]
        options.append([int(code) for code in order if scores[code] > scores[order[0]] - 9])
    chosen = [candidates[0] for candidates in options]
    shape = looks.rows, looks.columns
    unlike = differently_coloured_pairs(looks)
    alike = same_coloured_pairs(looks) & (not one_colour)

    def cost(labels: list[int]) -> float:
        for drawing, label in zip(looks.drawings, labels, strict=True):
            codes[drawing.cells] = label
        broken = violation_count(codes.reshape(shape))
        against = 0.0
        for drawing, scores, label in zip(looks.drawings, evidence, labels, strict=True):
            against += float(scores[ANYTHING] - scores[label]) * min(3.0, np.sqrt(len(drawing.cells)))
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
        digits = (told >= 1) & (told <= 8)
        same = told[:, None] == told
        twins = int((unlike & same & digits).sum()) if labels else 0
        mixed = int((alike & ~same & digits & digits[:, None]).sum()) if labels else 0
        early = int(Cell.WRONG_FLAG) in labels and not any(label in SHOWN for label in labels)
        idle = flagged and not any(1 <= label <= 8 for label in labels)
        return (
            against
            + RULE * broken
            + ASTRAY * (astray and flagged)
            + IDLE * (idle + early)
            + TWIN * twins
            + ONE_INK_TWO_DIGITS * mixed
        )

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
    for drawing, label in zip(looks.drawings, chosen, strict=True):
        codes[drawing.cells] = label
    for index, drawing in enumerate(looks.drawings):
        few = len(drawing.cells) <= 2
        behind = grounds[drawing.ground] if drawing.ground >= 0 else None
        # A digit in another colour than all others of its kind is another one with something over it.
        odd = few and 1 <= chosen[index] <= 8 and _has_twin(looks, chosen, unlike, index)
        like = drawing.likeness[1:9]
        disputed = few and 1 <= chosen[index] <= 8 and like.max() - like[chosen[index] - 1] > DISPUTED
        if (
            index in doubtful
            or odd
            or disputed
            or (few and _is_like_flags(looks, chosen, index))
            or (few and _fits_nowhere(looks, chosen, index, codes.reshape(shape)))
            or label_likeness(drawing, chosen[index], few, behind) < (LEAST_LIKE_FEW if few else LEAST_LIKE)
        ):
            chosen[index] = int(Cell.UNREAD)
            now += min(4.0, 0.5 * len(drawing.cells))
            if few:  # what rules it broke as something else does not matter
                before = violation_count(codes.reshape(shape))
                codes[drawing.cells] = Cell.UNREAD
                now -= RULE * (before - violation_count(codes.reshape(shape)))
    for index in _crossed(looks, chosen):
        chosen[index] = int(Cell.WRONG_FLAG)
    for index in _exploded(looks, chosen):
        chosen[index] = int(Cell.EXPLODED)
    for drawing, label in zip(looks.drawings, chosen, strict=True):
        codes[drawing.cells] = label
    board = codes.reshape(shape)
    for ground in looks.grounds:
        # A few cells that look like none of the others: the rules say whether they are covered.
        if len(ground.cells) <= FEW:
            now_broken, before = violation_count(_mended(board, looks, chosen)), int(codes[ground.cells[0]])
            codes[ground.cells] = OPENED if before == COVERED else COVERED
            if violation_count(_mended(board, looks, chosen)) >= now_broken:
                codes[ground.cells] = before
    mended = _mended(board, looks, chosen)
    now -= RULE * (violation_count(board) - violation_count(mended))
    return Labelling(mended, now + prior, violation_count(mended))


def _has_twin(looks: BoardClusters, labels: list[int], unlike: npt.NDArray[np.bool_], index: int) -> bool:
    """Whether a drawing on more cells has the same meaning in another colour, and none in the same."""
    same = [
        other
        for other, drawing in enumerate(looks.drawings)
        if other != index and labels[other] == labels[index] and len(drawing.cells) > FEW
    ]
    return bool(same) and all(unlike[min(index, other), max(index, other)] for other in same)


def _is_like_flags(looks: BoardClusters, labels: list[int], index: int) -> bool:
    """Whether a question mark has about the colour of the flags, but neither red nor grey: a smeared flag."""
    own = looks.drawings[index]
    if labels[index] != Cell.QUESTION or own.redness > 0.3 or np.ptp(own.colour) < OTHER_INK:
        return False
    flags = [one.colour for one, label in zip(looks.drawings, labels, strict=True) if label == Cell.FLAG]
    return any(np.abs(flag - own.colour).max() <= OTHER_INK for flag in flags)


def _fits_nowhere(looks: BoardClusters, labels: list[int], index: int, board: Codes) -> bool:
    """Whether a drawing on a cell or two is not clearly the digit that it is most like, and that digit breaks
    rules there: it is a pointer."""
    own = looks.drawings[index]
    if not 1 <= labels[index] <= 8 or own.likeness[labels[index]] >= CLEAR:
        return False
    without: Codes = board.copy()
    without.reshape(-1)[own.cells] = Cell.UNREAD
    return violation_count(board) - violation_count(without) >= 2 * len(own.cells)


def _exploded(looks: BoardClusters, labels: list[int]) -> list[int]:
    """The one mine that exploded: it alone has a ground of its own, in a reddish colour. A small palette may
    have made another one of the red."""
    mines = [index for index, label in enumerate(labels) if label == Cell.MINE]
    lone = [index for index in mines if looks.drawings[index].ground < 0]
    if len(lone) != 1 or len(mines) == 1 or int(Cell.EXPLODED) in labels:
        return []
    own = looks.drawings[lone[0]]
    blue, green, red = own.behind.tolist()
    reddish = red == max(blue, green, red) and red - min(blue, green, red) > OTHER_INK
    return lone if reddish and len(own.cells) == 1 else []


def _crossed(looks: BoardClusters, labels: list[int]) -> list[int]:
    """The drawings that are flags crossed out: where mines are shown, less like flags than the others are.

    A dark cross on a dark ground hides a part of the flag, and hardly shows itself.
    """
    flags = [index for index, label in enumerate(labels) if label == Cell.FLAG]
    if not flags or not any(label in SHOWN for label in labels):
        return []
    like = np.stack([drawing.likeness[[Cell.FLAG, Cell.WRONG_FLAG]] for drawing in looks.drawings])
    most = float(like[flags, 0].max())
    crossed = max(float(like[index, 1]) for index in flags if like[index, 0] >= most - LESS_A_FLAG)
    return [
        index
        for index, (drawing, label) in enumerate(zip(looks.drawings, labels, strict=True))
        if label in (Cell.FLAG, Cell.UNREAD)
        and drawing.redness > 0.15
        and len(drawing.cells) > 1
        and like[index, 0] < most - LESS_A_FLAG
        and like[index, 1] > crossed + MORE_CROSSED
    ]


def _mended(board: Codes, looks: BoardClusters, labels: list[int]) -> Codes:
    """The board with single digits, hard to tell from others in few pixels, that fit the rules better."""
    out: Codes = board.copy()
    faults = rule_violations(board)
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
            now = violation_count(out)
            for digit in np.flatnonzero(others) + 1:
                before, out[row, column] = out[row, column], digit
                if violation_count(out) >= now:
                    out[row, column] = before
                else:
                    now = violation_count(out)
    return out
