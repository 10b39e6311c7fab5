"""Works out from the rules of the game what the looks of opened cells mean.

A lost game shows where the mines were, in one way or another. Each way to take its last pictures is a
hypothesis; it is right where every look has the same number of mines around it wherever it was seen. No wrong
one passes that over a few boards, so it needs no knowledge of how this window shows its mines. Where no
hypothesis passes (a window that shows only the mine that was hit), nothing is learned yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from bot.board import neighbour_sums
from bot.calibrate.infer.cell_clusters import ALIKE, CellClusters, ClusterMap
from bot.calibrate.probe.throwaway_games import Mask, PlayedGame, cell_differences
from bot.vision.grid import Image

OPENED_KEPT = 0.9
"""The part of the opened cells that must still look as before in a picture that shows mines: at the very end
some windows lay a veil over everything."""

MOST_CLASSES = 8
"""So many different looks of the end are tried in every combination as those of mines."""

FEWEST_NUMBERS = 3
"""Different numbers that must have been seen before a hypothesis can be right."""

DROPPED = 0.25
"""The part of the games that may not fit: where something moved while we looked."""

MOST_MINES = 0.45
"""A hypothesis under which more of the board is mined is none."""


@dataclass(frozen=True)
class InferredNumbers:
    """What the games have shown."""

    labels: dict[int, int]
    """The number (0 to 8) of each look of an opened cell."""
    seen: Counter[int]
    """How many cells of each look say so."""
    mines: dict[int, Mask]
    """Where the mines were, for each game (its place in the list) that fits."""
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


@dataclass
class _Ended:
    """A game that is over, as look maps."""

    number: int
    game: PlayedGame
    covered: Mask
    """Before the last click."""
    last: Mask
    """The one cell that was clicked last."""
    maps: ClusterMap
    """The looks before the last click."""
    won: bool
    shown: Mask = field(default_factory=lambda: np.zeros((1, 1), bool))
    """Covered cells that had changed in the last picture in which the opened ones had not."""
    final: ClusterMap | None = None
    """The looks of the last picture."""


def infer_numbers(
    games: Sequence[PlayedGame], looks: CellClusters, covered: set[int], usual: set[int]
) -> InferredNumbers | None:
    """What the numbers must be if some way of showing mines explains all the games; None where none does."""
    ended = [_ended(number, game, looks, covered, usual) for number, game in enumerate(games) if game.over]
    if not ended:
        return None
    best: InferredNumbers | None = None
    for way, masks in _hypotheses(ended, looks):
        found = _fitting(way, masks, ended)
        if found is not None and (best is None or len(found.mines) > len(best.mines)):
            best = found
            if len(best.mines) == len(ended):
                break
    return best


def was_won(
    game: PlayedGame,
    looks: CellClusters,
    covered: set[int],
    usual: set[int],
    ends: frozenset[int] | set[int] = frozenset(),
    mines: int | None = None,
) -> bool:
    """Whether a game ended by being won: its last click opened a number.

    `ends` are looks that only lost games show. With the mine total known a look that was never seen before is
    a number where no more cells than mines were left covered.
    """
    one = _ended(0, game, looks, covered, usual)
    assert one.final is not None
    if one.won or mines is None or int(one.final[game.last]) in ends or np.isin(one.final, list(ends)).any():
        return one.won
    left = one.covered & ~one.last & ~np.isin(one.final, list(usual - covered))
    return int(left.sum()) == mines


def _ended(number: int, game: PlayedGame, looks: CellClusters, covered: set[int], usual: set[int]) -> _Ended:
    maps = looks.of(game.before)
    hidden = np.isin(maps, list(covered))
    last = np.zeros(hidden.shape, bool)
    last[game.last] = True
    final = looks.of(game.after[-1])
    kept = last_before_veil(game, looks, hidden)
    # A cell that opened to a number like others did not lose the game.
    after = final if kept is None else looks.of(kept)
    opened = int(after[game.last]) in set(maps[~hidden].tolist()) | (usual - covered)
    one = _Ended(number, game, hidden, last, maps, opened)
    if kept is not None:
        one.shown = hidden & (cell_differences(looks, game.before, kept) > ALIKE)
    else:
        one.shown = last.copy()
    if opened:  # it was won: what was not opened is a mine
        numbers = np.isin(after, list(usual - covered))
        one.shown = hidden & ~last & ~numbers
    one.final = final
    return one


def last_before_veil(game: PlayedGame, looks: CellClusters, hidden: Mask) -> Image | None:
    """The last picture in which the opened cells look as before; None where there is none."""
    opened = ~hidden
    for picture in reversed(game.after):
        if not opened.any():
            # With nothing open a veil shows as a change of almost everything.
            if (cell_differences(looks, game.before, picture) > ALIKE).mean() < 0.6:
                return picture
        elif (cell_differences(looks, game.before, picture)[opened] <= ALIKE).mean() >= OPENED_KEPT:
            return picture
    return None


def _hypotheses(ended: Sequence[_Ended], looks: CellClusters) -> Iterator[tuple[str, dict[int, Mask]]]:
    """Ways to take the ends: where the mines were, for each game."""
    yield "its mines are shown when a game is lost", {one.number: one.shown | _hit(one) for one in ended}
    classes: Counter[int] = Counter()
    for one in ended:
        if not one.won and one.final is not None:
            classes.update(one.final[one.covered & ~one.last].tolist())
    few = [look for look, _ in classes.most_common(MOST_CLASSES)]
    for count in range(1, len(few)):
        for chosen in combinations(few, count):
            yield (
                "one look of a lost game is that of its mines",
                {
                    one.number: one.shown
                    if one.won or one.final is None
                    else (one.covered & np.isin(one.final, chosen)) | one.last
                    for one in ended
                },
            )


def _hit(one: _Ended) -> Mask:
    return np.zeros_like(one.last) if one.won else one.last


def _fitting(way: str, masks: dict[int, Mask], ended: Sequence[_Ended]) -> InferredNumbers | None:
    """The labels under a hypothesis, and the games that fit them; None where too few do."""
    counts = {number: neighbour_sums(mask) for number, mask in masks.items()}
    told: dict[int, Counter[int]] = {}
    for one in ended:
        if masks[one.number].mean() > MOST_MINES:
            return None
        for look, around in zip(
            one.maps[~one.covered].tolist(), counts[one.number][~one.covered].tolist(), strict=True
        ):
            told.setdefault(look, Counter())[around] += 1
    labels = {look: counter.most_common(1)[0][0] for look, counter in told.items()}
    fits: dict[int, Mask] = {}
    seen: Counter[int] = Counter()
    witnesses = 0
    for one in ended:
        opened = ~one.covered
        expected = np.array([labels[look] for look in one.maps[opened].tolist()], int)
        if np.array_equal(expected, counts[one.number][opened]):
            fits[one.number] = masks[one.number]
            seen.update(one.maps[opened].tolist())
            witnesses += bool(opened.sum() >= 3)
    labels = {look: number for look, number in labels.items() if seen[look]}
    if len(fits) < (1 - DROPPED) * len(ended) or witnesses < min(2, len(ended)):
        return None
    if len(set(labels.values())) < FEWEST_NUMBERS:
        return None
    return InferredNumbers(labels, seen, fits, way)
