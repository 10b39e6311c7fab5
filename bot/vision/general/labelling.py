"""Joins what the network says of each cell with the rules of the game, and leaves unread what is not sure.

Cells of one look get one label. `LabelSearch` finds the labels that make the likeliest board; what
hardly beats another label stays unread, and so does what several networks alone do not read so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, neighbour_sums
from bot.vision.general.cell_reader import CellScores, means_of_looks
from bot.vision.general.label_search import MARKS, PLAIN, Doubles, Floats, Labels, LabelSearch, Looks, beside
from bot.vision.general.network import NOT_A_CELL
from bot.vision.general.odds.broken_rules import broken_count, broken_rules
from bot.vision.general.odds.odd_mine import OddMine

# Costs are differences of logarithms of probabilities: 2.3 is one in ten, 4.6 one in a hundred.

AMBIGUITY, SUSPECT_AMBIGUITY = 2.0, 6.0
"""A look whose next best label costs less than the first more stays unread; less than the second, where it is
next to a violation of the rules, or others that it could be confused with stay unread."""

ALIKE = 0.25
"""Looks count as alike within about this distance, as a part of the length of their features. Of noisy cells
nine in ten have one with the same label within twice this, one in a hundred one with another label."""

MARKED = [int(label) for label in (*MARKS, Cell.QUESTION)]
"""Labels of cells that have something drawn on them besides digits."""

SURE = 4.0
"""A look whose next best label costs at least this more is judged alone."""

MOST_VOTES, ALL_VOTES = 2.0, 1e9
"""Of what looks alike, all that seems to have one label counts at most so many times as much as the nearest:
many cells that are drawn alike, but for noise, are no better witnesses than one. Not so while a game is
played: noise that lies over cells would be opened cells in part, where much that is like it is none.

Of 4,032 left-out boards (seeds 173, 179, 197 and 199, true grids) four more are read exactly by this, and
three falsely less.
"""

OTHERWISE = 2
"""So many networks that alone do not read a cell as all together do, but otherwise or not at all, leave it
unread.

Of 2,520 left-out boards (42 of each family, seeds 97, 103, 111, 131 and 137, true grids) 2,428 are then read
exactly and 12 falsely; where it takes three 2,434 and 15, where it takes one 2,354 and 7."""

FARTHEST = 4.0
"""By how much less likely than another label the networks may have that of a mark, which the rules alone make
likelier, in the logarithms of the probabilities.

Of 960 left-out boards (seeds 97 and 103, true grids) two more are not read exactly by this. Marks that are
like nothing that a network learned from, as in inverted colours, become such labels.
"""

AGREED, AGREED_ALONE = 3.0, 1.0
"""What all networks take for the same, by so much more likely than anything else together and by so much
each alone, is read so where it is the likeliest board too and breaks no rule: then it does not count what
else is nearly as likely by the odds of a game.

Of 4,032 left-out boards (84 of each family, seeds 97, 103, 111 and 131, true grids) 16 more are read exactly
by this, of 1,800 lost games of the families that training has 17, and none falsely.
"""

LEAST_VOTES = 1e-9
"""Where nothing looks alike there is nothing to divide by."""

LONE = (Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG)
"""Marks of which a board mostly has several: where one cell alone seems to have such a mark, as under a mouse
pointer, it stays unread if one network does not read it so, or if the rules alone make it that mark."""


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
    """The likeliest board by what the networks say together; what all of them alone, with the same rules, do
    not read so stays unread (`OTHERWISE`; one, of `LONE` marks), but where all are sure of all cells
    (`AGREED`).

    A network takes what is like nothing that it learned from surely for something; another one, that learned
    from other pictures, for something else. Of a picture that `is_one_of_many` of a game stays unread what
    one network reads otherwise, and nothing that is only not told: others will tell, and mines that stay
    unread hide the end of the game.
    """
    odd_mine = OddMine(told.thumbnails, np.bincount(told.looks.ravel(), minlength=len(told.thumbnails)))
    most_votes = ALL_VOTES if is_one_of_many else MOST_VOTES
    search = _search(told.scores, told.looks, told.distances, odd_mine, most_votes)
    together = _labelling(search, told.scores)
    if not is_one_of_many and _are_agreed(told, likeliest := search.codes(search.labels)):
        return replace(together, codes=likeliest, violations=0)
    codes: Codes = together.codes.copy()
    alone = np.stack(
        [
            label_looks(one, told.looks, told.distances, odd_mine, most_votes, is_alone=True).codes
            for one in told.opinions
        ]
    )
    if is_one_of_many:
        otherwise = ((alone != codes) & (alone != Cell.UNREAD)).any(axis=0)
    else:
        is_lone = np.isin(codes, [one for one in LONE if (codes == one).sum() == 1])
        otherwise = (alone != codes).sum(axis=0) >= np.where(is_lone, 1, OTHERWISE)
        otherwise |= _unlikely_by(told.scores, codes) > np.where(is_lone, 0, FARTHEST)
    codes[otherwise] = int(Cell.UNREAD)
    if not is_one_of_many:
        codes[are_of_no_lost_game(codes)] = int(Cell.UNREAD)
    return replace(together, codes=codes, violations=broken_count(codes))


def _unlikely_by(scores: Floats, codes: Codes) -> Floats:
    """By how much less likely the networks have the label of each mark than the likeliest one: the difference
    of the logarithms of the probabilities, (rows, columns); 0 where there is no mark."""
    told = np.take_along_axis(scores, codes[..., None].astype(np.intp), axis=2)[..., 0]
    off = scores[..., :NOT_A_CELL].max(axis=2) - told
    return np.asarray(np.where(np.isin(codes, MARKED), off, 0), np.float32)


def are_of_no_lost_game(codes: Codes) -> npt.NDArray[np.bool_]:
    """Which cells, (rows, columns), show what a lost game shows, mines and wrong flags, on a board that is of
    none: a number needs a mine that is still hidden, or there are wrong flags alone."""
    shown = np.isin(codes, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG))
    has_mines = np.isin(codes, (Cell.MINE, Cell.EXPLODED)).any()
    if has_mines and not np.isin(codes, (Cell.MINE, Cell.WRONG_FLAG)).any():
        return np.zeros_like(shown)  # some games show the mine alone that exploded
    known = np.isin(codes, (Cell.FLAG, Cell.MINE, Cell.EXPLODED, Cell.UNREAD))
    is_number = (codes >= 1) & (codes <= 8)
    needs_more = is_number & (codes > neighbour_sums(known))
    return shown & bool(needs_more.any() or not has_mines)


def _are_agreed(told: CellScores, codes: Codes) -> bool:
    """Whether all networks are sure of these labels, (rows, columns), which break no rule."""
    asked = [(told.scores, AGREED), *((opinion, AGREED_ALONE) for opinion in told.opinions)]
    for scores, margin in asked:
        means = means_of_looks(scores, told.looks)
        *_, second, first = np.moveaxis(np.partition(means, -2, axis=1), 1, 0)
        if (means.argmax(axis=1)[told.looks] != codes).any() or (first - second).min() < margin:
            return False
    return broken_count(codes) == 0


def label_looks(
    scores: Floats,
    looks: Looks,
    distances: Doubles,
    odd_mine: OddMine,
    most_votes: float = MOST_VOTES,
    *,
    is_alone: bool = False,
) -> Labelling:
    """The likeliest board.

    From the logarithms of the probabilities, (rows, columns, LABELS), the look of each cell, (rows, columns),
    numbered from 0, how far from each other the looks are (`CellScores.distances`), (looks, looks), and what
    their pixels say of the mine that exploded. What is doubtful because other cells are is unread too, but
    not where a network `is_alone`, one of several: what it doubts is to count for that look.
    """
    return _labelling(_search(scores, looks, distances, odd_mine, most_votes), scores, is_alone=is_alone)


def _search(
    scores: Floats, looks: Looks, distances: Doubles, odd_mine: OddMine, most_votes: float
) -> LabelSearch:
    pooled = means_of_looks(scores, looks)
    return LabelSearch(_judged_with_alike(pooled, distances, most_votes), looks, distances, odd_mine)


def _labelling(search: LabelSearch, scores: Floats, *, is_alone: bool = False) -> Labelling:
    """What was found, without what is not sure."""
    strays = _strays(search)
    unsure = _unsure(search, strays)
    unclear = sum(int(search.cells(look).sum()) for look in unsure if not _is_marked(search, look))
    if not is_alone:
        unsure |= _doubted_with(search, unsure - strays)
    codes = search.codes(_without(search, unsure))
    cost = float(-scores.max(axis=2).mean())
    return Labelling(codes, cost, broken_count(codes), unclear)


def _is_marked(search: LabelSearch, look: int) -> bool:
    """Whether a look surely has a mark, whichever: a flag, a question mark or a mine of any kind."""
    others = np.delete(search.costs[look], MARKED)
    return search.labels[look] in MARKED and bool(others.min() >= AMBIGUITY)


def _strays(search: LabelSearch) -> set[int]:
    """The looks of one cell alone whose labels break the rules where they stand and are not sure: under a
    mouse pointer, say. They tell nothing of other looks."""
    broken = broken_count(search.codes(search.labels))
    return {
        look
        for look in (range(search.count) if broken else ())
        if search.cells(look).sum() == 1
        and broken_count(search.codes(_without(search, {look}))) < broken
        and _is_unsure(search, look, SUSPECT_AMBIGUITY)
    }


def _without(search: LabelSearch, unread: set[int]) -> Labels:
    """The labels of the looks, some of them unread."""
    labels: Labels = search.labels.copy()
    labels[sorted(unread)] = int(Cell.UNREAD)
    return labels


def _unsure(search: LabelSearch, strays: set[int]) -> set[int]:
    """The looks that are no cells, or whose label another board that is hardly less likely does not have, and
    the `strays`."""
    labels = search.labels
    broken = beside(broken_rules(search.codes(_without(search, strays))) > 0)
    margins = [
        SUSPECT_AMBIGUITY if broken[search.cells(look)].any() else AMBIGUITY for look in range(search.count)
    ]
    unsure = {look for look, more in enumerate(margins) if _is_unsure(search, look, more)}
    limit = search.least + AMBIGUITY
    for other in search.joint_changes(labels):
        if search.cost(other, limit) < limit:
            unsure.update(np.flatnonzero(other != labels).tolist())
    return unsure | search.doubted | strays


def _doubted_with(search: LabelSearch, unsure: set[int]) -> set[int]:
    """The looks that are doubtful because others are: in a skin of which it is not known what one drawing is,
    others that are hardly surer may be misjudged. A look that may be no cell, as under a mouse pointer, says
    nothing of others."""
    drawn = set(np.flatnonzero(~np.isin(search.labels, PLAIN)).tolist())
    if all(search.costs[look, NOT_A_CELL] < AMBIGUITY for look in unsure & drawn):
        return set()
    return {look for look in drawn if _has_rival(search, look, SUSPECT_AMBIGUITY)}


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


def _judged_with_alike(pooled: Doubles, distances: Doubles, most_votes: float) -> Doubles:
    """The scores of looks, (looks, LABELS), those that are unsure with the mean of what looks alike.

    Noise and gradients give each cell a look of its own: what is sure of many of them holds for all. Not so
    whether a plain cell is covered: on faint boards opened ones look nearly alike, and what is around tells.
    So covered cells say nothing of what is most likely an opened one, nor the other way round.
    """
    ordered = np.sort(pooled, axis=1)
    is_plain = np.isin(np.argsort(pooled, axis=1)[:, -2:], PLAIN).all(axis=1)
    unsure = np.flatnonzero((ordered[:, -1] - ordered[:, -2] < SURE) & ~is_plain)
    likeliest = pooled.argmax(axis=1)
    weights = np.exp(-np.square(distances[unsure] / ALIKE))
    for own, other in (PLAIN, PLAIN[::-1]):
        weights[np.ix_(likeliest[unsure] == own, likeliest == other)] = 0
    for label in np.unique(likeliest):
        votes = weights[:, likeliest == label]
        sums = np.maximum(votes.sum(axis=1), LEAST_VOTES)
        weights[:, likeliest == label] *= np.minimum(1, most_votes * votes.max(axis=1) / sums)[:, None]
    weights[np.arange(len(unsure)), unsure] = 1
    judged: Doubles = pooled.copy()
    judged[unsure] = weights @ pooled / weights.sum(axis=1, keepdims=True)
    return judged
