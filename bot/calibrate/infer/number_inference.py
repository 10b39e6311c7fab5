"""Works out from the rules of the game which number each cluster of opened cells is.

A lost game shows where the mines were, in one way or another. Each way to read its last pictures is a
hypothesis; it is right where every cluster has the same number of mines around it wherever it was seen. No
wrong hypothesis passes that test over a few boards, so no knowledge is needed of how this window shows its
mines. Where none passes (a window that shows only the mine that was hit), nothing is learned yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np

from bot.board import neighbour_sums
from bot.calibrate.infer.cell_clusters import CellClusters, ClusterMap, ClusterRoles, Mask
from bot.calibrate.infer.played_game import PlayedGame, last_before_veil

MAX_END_CLUSTERS = 8
"""Maximum number of clusters of the ends of lost games that are tried, in every combination, as mines."""

MIN_NUMBERS = 3
"""Different numbers that must have been seen before a hypothesis can be right."""

MAX_MISFITS = 0.25
"""The part of the games that may contradict a hypothesis: something may have moved in them."""

MAX_DENSITY = 0.45
"""A hypothesis under which a larger part of a board is mined is rejected."""

MIN_OPENED = 3
"""Opened cells, at least, of a game that counts as a test of a hypothesis."""


@dataclass(frozen=True)
class InferredNumbers:
    """What the games have shown."""

    labels: dict[int, int]
    """The number (0 to 8) of each cluster of opened cells."""
    seen: Counter[int]
    """How many cells of each cluster are evidence for that."""
    mines: dict[int, Mask]
    """Where the mines were, for each game that fits, by its place in the list."""
    way: str
    """How the window shows its mines, for people."""

    @property
    def total(self) -> int | None:
        """The mines of the window's games; None where they differ."""
        totals = Counter(int(mask.sum()) for mask in self.mines.values())
        if not totals:
            return None
        total, count = totals.most_common(1)[0]
        return total if count >= 2 and count > 0.6 * sum(totals.values()) else None


@dataclass(frozen=True)
class _FinishedGame:
    """A game that is over, in clusters."""

    index: int
    """Its place in the list of games."""
    covered: Mask
    """Before the last click."""
    last: Mask
    """The cell of that click."""
    before: ClusterMap
    """Before the last click."""
    final: ClusterMap
    """In the last picture."""
    won: bool
    shown: Mask
    """Where the mines are, if the end is read in the plainest way."""


def infer_numbers(
    games: Sequence[PlayedGame], clusters: CellClusters, roles: ClusterRoles
) -> InferredNumbers | None:
    """The numbers under the hypothesis that explains most games; None where none does."""
    finished = [_finished(index, game, clusters, roles) for index, game in enumerate(games) if game.over]
    best: InferredNumbers | None = None
    for way, mines in _hypotheses(finished):
        numbers = _tested(way, mines, finished)
        if numbers is not None and (best is None or len(numbers.mines) > len(best.mines)):
            best = numbers
            if len(best.mines) == len(finished):
                break
    return best


def was_won(game: PlayedGame, clusters: CellClusters, roles: ClusterRoles, mines: int | None = None) -> bool:
    """Whether a game that is over was won: its last click opened a number.

    Where the mine total is given, an unknown cluster is a number if as many cells as mines were left covered.
    """
    finished = _finished(0, game, clusters, roles)
    if finished.won or mines is None:
        return finished.won
    left = finished.covered & ~finished.last & ~np.isin(finished.final, list(roles.opened))
    return int(left.sum()) == mines


def _finished(index: int, game: PlayedGame, clusters: CellClusters, roles: ClusterRoles) -> _FinishedGame:
    before = clusters.map_of(game.before)
    covered = roles.is_covered(before)
    last = np.zeros(covered.shape, bool)
    last[game.last_cell] = True
    final = clusters.map_of(game.end)
    unveiled = last_before_veil(game, clusters, covered)
    after = final if unveiled is None else clusters.map_of(unveiled)
    # A cell that opened to a number like others did not lose the game.
    won = int(after[game.last_cell]) in set(before[~covered].tolist()) | roles.opened
    if won:  # what was not opened is a mine
        shown = covered & ~last & ~np.isin(after, list(roles.opened))
    elif unveiled is not None:
        shown = (covered & clusters.changed(game.before, unveiled)) | last
    else:
        shown = last
    return _FinishedGame(index, covered, last, before, final, won, shown)


def _hypotheses(finished: Sequence[_FinishedGame]) -> Iterator[tuple[str, dict[int, Mask]]]:
    """Ways to read the ends: where the mines were, by the index of each game."""
    yield "its mines are shown when a game is lost", {one.index: one.shown for one in finished}
    counts: Counter[int] = Counter()
    for one in finished:
        if not one.won:
            counts.update(one.final[one.covered & ~one.last].tolist())
    frequent = [cluster for cluster, _ in counts.most_common(MAX_END_CLUSTERS)]
    for chosen in chain.from_iterable(combinations(frequent, size) for size in range(1, len(frequent))):
        mines = {
            one.index: one.shown if one.won else (one.covered & np.isin(one.final, chosen)) | one.last
            for one in finished
        }
        yield "one look of a lost game is that of its mines", mines


def _tested(way: str, mines: dict[int, Mask], finished: Sequence[_FinishedGame]) -> InferredNumbers | None:
    """The labels under a hypothesis, and the games that fit them; None where too few do."""
    sums = {index: neighbour_sums(mask) for index, mask in mines.items()}
    votes: dict[int, Counter[int]] = {}
    for one in finished:
        if mines[one.index].mean() > MAX_DENSITY:
            return None
        opened = ~one.covered
        around = sums[one.index][opened]
        for cluster, number in zip(one.before[opened].tolist(), around.tolist(), strict=True):
            votes.setdefault(cluster, Counter())[number] += 1
    labels = {cluster: counter.most_common(1)[0][0] for cluster, counter in votes.items()}
    fitting: dict[int, Mask] = {}
    seen: Counter[int] = Counter()
    tests = 0
    for one in finished:
        opened = ~one.covered
        shown = one.before[opened].tolist()
        expected = np.array([labels[cluster] for cluster in shown], int)
        if np.array_equal(expected, sums[one.index][opened]):
            fitting[one.index] = mines[one.index]
            seen.update(shown)
            tests += bool(opened.sum() >= MIN_OPENED)
    labels = {cluster: number for cluster, number in labels.items() if seen[cluster]}
    few_fit = len(fitting) < (1 - MAX_MISFITS) * len(finished) or tests < min(2, len(finished))
    if few_fit or len(set(labels.values())) < MIN_NUMBERS:
        return None
    return InferredNumbers(labels, seen, fitting, way)
