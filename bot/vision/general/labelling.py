"""Joins what the network says of each cell with the rules of the game, and leaves unread what is not sure.

Cells with equal pixels get one label. `LabelSearch` finds the labels that make the likeliest board; what
hardly beats another label stays unread, and so does what the networks do not agree on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.broken_rules import broken_count, broken_rules
from bot.vision.general.cell_reader import CellScores
from bot.vision.general.label_search import MARKS, PLAIN, Doubles, Floats, LabelSearch, Looks, beside
from bot.vision.general.network import NOT_A_CELL

# Costs are differences of logarithms of probabilities: 2.3 is one in ten, 4.6 one in a hundred.

AMBIGUITY = 2.0
"""A look whose next best label costs less than the first more stays unread."""

SUSPECT_AMBIGUITY = 6.0
"""The same where a look is next to a violation of the rules, or others that it could be confused with stay
unread."""

STRANGE, STRANGE_AMBIGUITY = 5, 9.0
"""If at least this many cells of a picture alone have a doubtful drawing, which is more than a mouse pointer
covers, its marks are strange, and a look counts as sure from the second on. That is more than one mark can
cost another (MOST_COSTS): hardly any is believed."""

EXPLOSION_AMBIGUITY = 4.0
"""A mine of a picture alone of which another label, whether it exploded, costs less than this more stays
unread: only its looks say so. It makes nothing else doubtful."""

EXPLOSION = (int(Cell.MINE), int(Cell.EXPLODED))
END = (*EXPLOSION, int(Cell.WRONG_FLAG))
"""What the end of a game shows; of some of it there is one cell on every board."""

ALIKE = 0.25
"""Looks count as alike within about this distance, as a part of the length of their features. Of noisy cells
nine in ten have one with the same label within twice this, one in a hundred one with another label."""

MARKED = [int(label) for label in (*MARKS, Cell.QUESTION)]
"""Labels of cells that have something drawn on them besides digits."""

SURE = 4.0
"""A look whose next best label costs at least this more is judged alone."""


@dataclass(frozen=True)
class Labelling:
    """A board as the network and the rules have it."""

    codes: Codes
    """Shape (rows, columns)."""
    cost: float
    """How unlikely its labels are, for each cell; 0 is certain."""
    violations: int
    """By how much it breaks the rules, as `broken_count` gives it."""
    unclear: int = 0
    """How many cells could be anything, or no cells: the unread ones without those that surely hold a mark
    and those that are only doubtful because others are."""


def label_cells(told: CellScores, *, is_one_of_many: bool = False) -> Labelling:
    """The likeliest board by what the first network says. What another one, with the same rules, reads
    otherwise stays unread, and what none of the others can tell; of a look of a single cell, as a mouse
    pointer makes them, what one of them cannot tell, but for what the end of a game shows.

    A network takes what is like nothing that it learned from surely for something; another one, that learned
    from other pictures, for something else. Of a picture that `is_one_of_many` of a game, less must be sure:
    others will tell, and mines that stay unread hide the end of the game.
    """
    judged, *others = (
        label_looks(scores, told.looks, told.features[:, index], is_one_of_many=is_one_of_many)
        for index, scores in enumerate(told.opinions)
    )
    if not others:
        return judged
    read = np.stack([one.codes for one in others])
    doubted = ((read != judged.codes) & (read != Cell.UNREAD)).any(axis=0)
    if not is_one_of_many:
        is_single = (np.bincount(told.looks.ravel())[told.looks] == 1) & ~np.isin(judged.codes, END)
        untold = read == Cell.UNREAD
        doubted |= untold.all(axis=0) | (untold.any(axis=0) & is_single)
    codes: Codes = np.where(doubted, np.int8(Cell.UNREAD), judged.codes)
    return replace(judged, codes=codes, violations=broken_count(codes))


def label_looks(scores: Floats, looks: Looks, features: Floats, *, is_one_of_many: bool = False) -> Labelling:
    """The likeliest board, as `label_cells` has it.

    From the logarithms of the probabilities, (rows, columns, LABELS), the look of each cell, (rows, columns),
    numbered from 0, and the features of the looks, (looks, features).
    """
    count = int(looks.max()) + 1
    sums = np.zeros((count, scores.shape[2]))
    np.add.at(sums, looks.ravel(), scores.reshape(-1, scores.shape[2]))
    pooled = sums / np.bincount(looks.ravel(), minlength=count)[:, None]
    search = LabelSearch(_judged_with_alike(pooled, features), looks, features)
    labels, unsure = search.labels.copy(), _unsure(search)
    unclear = sum(int(search.cells(look).sum()) for look in unsure if not _is_marked(search, look))
    doubted = unsure | _doubted_with(search, unsure, is_one_of_many=is_one_of_many)
    if not is_one_of_many:
        doubted |= _perhaps_exploded(search)
    labels[sorted(doubted)] = int(Cell.UNREAD)
    codes = search.codes(labels)
    cost = float(-scores.max(axis=2).mean())
    return Labelling(codes, cost, broken_count(codes), unclear)


def _is_marked(search: LabelSearch, look: int) -> bool:
    """Whether a look surely has a mark, whichever: a flag, a question mark or a mine of any kind."""
    others = np.delete(search.costs[look], MARKED)
    return search.labels[look] in MARKED and bool(others.min() >= AMBIGUITY)


def _unsure(search: LabelSearch) -> set[int]:
    """The looks that are no cells, or whose label another board that is hardly less likely does not have."""
    labels = search.labels
    broken = beside(broken_rules(search.codes(labels)) > 0)
    margins = [
        SUSPECT_AMBIGUITY if broken[search.cells(look)].any() else AMBIGUITY for look in range(search.count)
    ]
    unsure = {look for look, more in enumerate(margins) if _is_unsure(search, look, more)}
    limit = search.least + AMBIGUITY
    for other in search.joint_changes(labels):
        if search.cost(other, limit) < limit:
            unsure.update(np.flatnonzero(other != labels).tolist())
    return unsure | search.doubted


def _doubted_with(search: LabelSearch, unsure: set[int], *, is_one_of_many: bool) -> set[int]:
    """The looks that are doubtful because others are: in a skin of which it is not known what one drawing is,
    others that are hardly surer may be misjudged. A look that may be no cell, as under a mouse pointer, says
    nothing of others."""
    drawn = set(np.flatnonzero(~np.isin(search.labels, PLAIN)).tolist())
    if all(search.costs[look, NOT_A_CELL] < AMBIGUITY for look in unsure & drawn):
        return set()
    doubtful = sum(int(search.cells(look).sum()) for look in unsure & drawn)
    is_strange = doubtful >= STRANGE and not is_one_of_many
    more = STRANGE_AMBIGUITY if is_strange else SUSPECT_AMBIGUITY
    return {look for look in drawn if _has_rival(search, look, more)}


def _perhaps_exploded(search: LabelSearch) -> set[int]:
    """The looks of mines of which it is not sure enough that they exploded, or that they did not."""
    limit, doubted = search.least + EXPLOSION_AMBIGUITY, set[int]()
    for look in np.flatnonzero(np.isin(search.labels, EXPLOSION)).tolist():
        for other in search.changes_of(look, search.labels):
            if other[look] in EXPLOSION and search.cost(other, limit) < limit:
                doubted.add(look)
    return doubted


def _is_unsure(search: LabelSearch, look: int, more: float) -> bool:
    """Whether a look is no cell, or may be none, or has another likely label."""
    may_be_none = search.labels[look] == NOT_A_CELL or search.costs[look, NOT_A_CELL] < more
    return bool(may_be_none) or _has_rival(search, look, more)


def _has_rival(search: LabelSearch, look: int, more: float) -> bool:
    """Whether another label of a look costs less than `more` in addition."""
    limit = search.least + more
    return any(
        search.cost(other, limit) < limit
        for other in search.changes_of(look, search.labels)
        if other[look] != NOT_A_CELL
    )


def _judged_with_alike(pooled: Doubles, features: Floats) -> Doubles:
    """The scores of looks, (looks, LABELS), those that are unsure with the mean of what looks alike.

    Noise and gradients give each cell a look of its own: what is sure of many of them holds for all.
    """
    ordered = np.sort(pooled, axis=1)
    unsure = ordered[:, -1] - ordered[:, -2] < SURE
    squares = np.square(features).sum(axis=1)
    distances = np.maximum(squares[unsure, None] + squares - 2 * features[unsure] @ features.T, 0)
    weights = np.exp(-distances / (ALIKE**2 * max(float(squares.mean()), 1e-9)))
    judged: Doubles = pooled.copy()
    judged[unsure] = weights @ pooled / weights.sum(axis=1, keepdims=True)
    return judged
