"""Labels the clusters that only the ends of games show: mines, the exploded one, veils over the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bot.board import Cell
from bot.calibrate.infer.cell_clusters import CellClusters, ClusterRoles
from bot.calibrate.infer.findings import ClusterLabel
from bot.calibrate.infer.number_inference import InferredNumbers, was_won
from bot.calibrate.infer.played_game import PlayedGame, last_before_veil

UNANIMOUS = 0.95
"""The part of a cluster's cells that must have one meaning before it is labelled."""

WHY: dict[int, str] = {
    int(Cell.MINE): "a mine of a lost game",
    int(Cell.EXPLODED): "the click that lost",
    int(Cell.FLAG): "a mine of a won game",
    int(Cell.COVERED): "covered when the game was over",
}
"""Why a label is believed, for people."""


def label_ends(
    games: Sequence[PlayedGame], clusters: CellClusters, roles: ClusterRoles, numbers: InferredNumbers
) -> dict[int, ClusterLabel]:
    """The labels of clusters that no picture before the end of a game shows, by cluster.

    Each cell of the last pictures votes for what it must be, by the mines that `numbers` has worked out.
    """
    votes: dict[int, Counter[int]] = {}
    labelled = roles.before_end - roles.lost
    for index, mines in numbers.mines.items():
        game = games[index]
        if game.under_dialog:
            continue
        before = clusters.map_of(game.before)
        covered = roles.is_covered(before)
        won = was_won(game, clusters, roles)
        unveiled = last_before_veil(game, clusters, covered)
        for picture in [game.end] if unveiled is None else [unveiled, game.end]:
            cluster_map = clusters.map_of(picture)
            changed = ~covered & clusters.changed(game.before, picture)
            veiled = bool(changed.sum() > 0.5 * (~covered).sum())
            for row, column in np.ndindex(cluster_map.shape):
                cluster = int(cluster_map[row, column])
                if cluster in labelled:
                    continue
                last = (row, column) == game.last_cell
                if mines[row, column]:
                    code: int = Cell.FLAG if won else Cell.EXPLODED if last else Cell.MINE
                elif not veiled:
                    continue
                elif not covered[row, column]:
                    code = numbers.labels.get(int(before[row, column]), Cell.UNREAD)
                elif last:
                    continue
                else:
                    code = Cell.COVERED
                votes.setdefault(cluster, Counter())[int(code)] += 1
    elected = {cluster: _elected(counter) for cluster, counter in votes.items()}
    return {cluster: label for cluster, label in elected.items() if label is not None}


def _elected(votes: Counter[int]) -> ClusterLabel | None:
    """The label of a cluster with these votes, by code; None where they disagree."""
    if votes[int(Cell.EXPLODED)] and votes[int(Cell.MINE)]:  # the window draws both the same
        votes[int(Cell.MINE)] += votes.pop(int(Cell.EXPLODED))
    code, count = votes.most_common(1)[0]
    if code == Cell.UNREAD or count < UNANIMOUS * sum(votes.values()):
        return None
    return ClusterLabel(code, count, WHY.get(code, "the same cells before the end"))


def lost_clusters(labels: dict[int, ClusterLabel]) -> set[int]:
    """The clusters that say that a game was lost."""
    lost = (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)
    return {cluster for cluster, label in labels.items() if label.code in lost}
