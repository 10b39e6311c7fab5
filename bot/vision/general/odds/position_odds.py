"""How unlikely a position is in a game: what decides, with the network, among the labels of looks.

`broken_rules` counts what cannot be. Added to it is what can be and hardly ever is: a lost game in which two
mines exploded, flags where nobody can know of a mine, a lake of covered cells that a player left for nothing.
Costs are differences of logarithms of probabilities: 2.3 is one in ten, 4.6 one in a hundred.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import SYMBOLS, Cell, Codes, NeighbourCounts, neighbour_counts, neighbour_sums
from bot.vision.general.odds.broken_rules import broken_count, broken_rules

# As plain numbers: numpy asks members of an enumeration for attributes, which takes longer than to compare.
_COVERED, _FLAG = int(Cell.COVERED), int(Cell.FLAG)
_MINE, _EXPLODED, _WRONG_FLAG = int(Cell.MINE), int(Cell.EXPLODED), int(Cell.WRONG_FLAG)
_UNREAD = int(Cell.UNREAD)
_IS_END = np.isin(np.arange(len(SYMBOLS)), (_MINE, _EXPLODED, _WRONG_FLAG))
"""Which codes only the end of a lost game shows: shape (codes,)."""

RULE = 4.0
"""What each violation of the rules costs."""

NO_EXPLOSION, MORE_EXPLOSIONS = 1.75, 3.0
"""What it costs that mines are shown and none of them exploded, as a chord on two or a game that shows all
alike can do, and what each mine costs that exploded after the first.

Of 936 drawn boards of lost games 145 show none that exploded, which is a cost of 1.7. Of 3,528 true grids
3,419 are read exactly and 9 falsely, with a cost of 3 as many and 15.
"""

ONE_MINE = 1.0
"""What it costs besides that a single mine is shown and did not explode: who loses sees at least the mine
that did. Of 2,016 true grids (seeds 97 to 113) three more are read exactly by this."""

LONELY_FLAG = 1.0
"""What a flag costs that has no opened cell beside it. A question mark may stand anywhere: it says that
nothing is known."""

ALL_KNOWN, KNOWN_OF_A_FLAG, MOST_KNOWN, MIN_KNOWN = 0.3, 1.0, 6.0, 3
"""What it costs that by the flags every covered cell beside a number is safe, besides for each such cell of a
flag, and at most; and at least how many there must be: a player opens them.

Of 22,000 drawn games with flags, of those with 12 to 19 such cells, 0.8 % are so where there are 3 to 5
flags, 7 % where there are 6 to 9, and 20 % where there are more. Every lost game is whose mines are taken for
flags.
"""

ONLY_WRONG_FLAGS, USUAL_WRONG_FLAGS, MORE_WRONG_FLAGS = 3.0, 3, 0.7
"""What wrong flags cost where no mine is shown; how many are usual, and what each further one costs."""

ALL_FLAGGED = 2.5
"""What it costs that a mine exploded and no other one is shown, though there are flags: all had flags."""

HIDDEN_MINE = 1.0
"""What a number costs that lacks shown mines where only the mine that exploded is shown: most games show all
at the end. Where others are shown too it breaks the rules."""

NEEDLESS, MOST_NEEDLESS = 0.7, 10.0
"""What each cell beside a number costs of a lake of covered cells that needs no mine, and a lake at most. The
numbers around such a lake have their mines elsewhere: each of these cells was safe, by chance (some four in
five are), and could be opened."""


def position_cost(codes: Codes, limit: float = np.inf) -> float:
    """How unlikely a board (rows, columns) is: 0 or more; infinite once it is known to be `limit` or more."""
    around = neighbour_counts(codes)
    cost: float = RULE * broken_count(codes, around)
    for cost_of in (_end_cost, _flags_cost, _lakes_cost):  # the quickest first
        if cost >= limit:
            return np.inf
        cost += cost_of(codes, around)
    return cost


def _end_cost(codes: Codes, around: NeighbourCounts) -> float:
    """What is unlike the end of a lost game."""
    shown = np.count_nonzero(codes == _MINE)
    exploded, wrong = np.count_nonzero(codes == _EXPLODED), np.count_nonzero(codes == _WRONG_FLAG)
    cost: float = MORE_WRONG_FLAGS * max(0, wrong - USUAL_WRONG_FLAGS)
    if exploded:
        cost += MORE_EXPLOSIONS * (exploded - 1)
        if not shown:
            cost += ALL_FLAGGED * bool((codes == _FLAG).any())
            told = around.known_mines + neighbour_sums(codes == _UNREAD)
            cost += HIDDEN_MINE * int(np.count_nonzero(_numbered(codes) & (codes > told)))
    elif shown:
        cost += NO_EXPLOSION + ONE_MINE * (shown == 1)
    elif wrong:
        cost += ONLY_WRONG_FLAGS
    return cost


def _flags_cost(codes: Codes, _: NeighbourCounts) -> float:
    """The flags of a player where nothing is known, and those that tell all and of which none is made use."""
    marked = codes == _FLAG
    if not marked.any():
        return 0.0
    cost: float = LONELY_FLAG * np.count_nonzero(marked & (neighbour_sums(codes < _COVERED) == 0))
    if not _IS_END[codes].any():
        shore, told = _shore(codes), _numbered(codes) & (neighbour_sums(marked) >= codes)
        if np.count_nonzero(shore) >= MIN_KNOWN and (neighbour_sums(told)[shore] > 0).all():
            of_a_flag = np.count_nonzero(shore) / np.count_nonzero(marked)
            cost += min(MOST_KNOWN, ALL_KNOWN + KNOWN_OF_A_FLAG * of_a_flag)
    return cost


def _shore(codes: Codes) -> npt.NDArray[np.bool_]:
    """The covered cells beside a number: (rows, columns)."""
    return np.asarray((codes == _COVERED) & (neighbour_sums(_numbered(codes)) > 0), np.bool_)


def _lakes_cost(codes: Codes, around: NeighbourCounts) -> float:
    """The lakes of covered cells that need no mine, as `NEEDLESS` says."""
    covered, numbered = codes == _COVERED, _numbered(codes)
    if not covered.any() or not numbered.any():
        return 0.0
    count, lakes = cv2.connectedComponents(covered.astype(np.uint8), connectivity=8)
    # A lake that touches a flag, a mine or an unread cell goes on there.
    beside_others = neighbour_sums(codes > _COVERED) > 0
    goes_on = set(np.unique(lakes[covered & beside_others]).tolist())
    possible, shore = around.possible_mines, _shore(codes)
    cost = 0.0
    for lake in range(1, count):
        if lake in goes_on:
            continue
        cells = lakes == lake
        inside = neighbour_sums(cells)
        if not (numbered & (inside > 0) & (codes > possible - inside)).any():
            cost += min(NEEDLESS * np.count_nonzero(shore & cells), MOST_NEEDLESS)
    return cost


def coincidences(codes: Codes, cells: npt.NDArray[np.bool_], label: int) -> int:
    """How much speaks for some covered cells that look unlike the others to be shown mines, or empty.

    As mines, the number of the numbers beside them; as empty, of those of them that have a number beside
    them: if all of these fit the `label`, which hardly happens by chance. 0 if any does not. `codes` and
    `cells` have the shape (rows, columns).
    """
    changed = np.where(cells, np.int8(label), codes)
    around = neighbour_counts(changed)
    if label == _MINE:
        asked = _numbered(codes) & (neighbour_sums(cells) > 0)
        fits = around.known_mines == codes
    else:
        asked = cells & (neighbour_sums(~cells & (codes < _COVERED)) > 0)
        fits = around.not_opened == 0
        if (cells & ~fits).any() or (broken_rules(changed) > broken_rules(codes)).any():
            return 0
    return int(np.count_nonzero(asked)) if (fits | ~asked).all() else 0


def _numbered(codes: Codes) -> npt.NDArray[np.bool_]:
    return (codes >= 1) & (codes <= 8)
