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

WHY = {
    int(Cell.MINE): "a mine of a lost game",
    int(Cell.EXPLODED): "the click that lost",
    int(Cell.FLAG): "a mine of a won game",
    int(Cell.COVERED): "covered when the game was over",
}


def label_ends(
    games: Sequence[PlayedGame], clusters: CellClusters, roles: ClusterRoles, numbers: InferredNumbers
) -> dict[int, ClusterLabel]:
    """Labels of clusters that only ends of games show: their cells vote, by the mines in `numbers`."""
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
    return {cluster: label for cluster, counter in votes.items() if (label := _elected(counter)) is not None}


def _elected(votes: Counter[int]) -> ClusterLabel | None:
    """The label of a cluster with these votes, by code; None where they disagree."""
    if votes[int(Cell.EXPLODED)] and votes[int(Cell.MINE)]:  # the window draws both the same
        votes[int(Cell.MINE)] += votes.pop(int(Cell.EXPLODED))
    code, count = votes.most_common(1)[0]
    if code == Cell.UNREAD or count < UNANIMOUS * sum(votes.values()):
        return None
    return ClusterLabel(code, count, WHY.get(code, "the same cells before the end"))
