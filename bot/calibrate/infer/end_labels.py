"""What the looks mean that only the ends of games show: mines, the exploded one, veils over the rest."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bot.board import Cell
from bot.calibrate.infer.cell_clusters import ALIKE
from bot.calibrate.infer.findings import ClusterLabel
from bot.calibrate.infer.number_inference import InferredNumbers, last_before_veil, was_won
from bot.calibrate.probe.throwaway_games import cell_differences

if TYPE_CHECKING:
    from bot.calibrate.probe.throwaway_games import ThrowawayGames

UNANIMOUS = 0.95
"""The part of the cells of a look that must mean the same."""

WHY: dict[int, str] = {
    int(Cell.MINE): "a mine of a lost game",
    int(Cell.EXPLODED): "the click that lost",
    int(Cell.FLAG): "a mine of a won game",
    int(Cell.COVERED): "covered when the game was over",
}


def end_codes(thrower: ThrowawayGames, found: InferredNumbers) -> dict[int, ClusterLabel]:
    """The meanings of the looks that the ends of the games show besides those of their middles."""
    votes: dict[int, Counter[int]] = {}
    looks = thrower.looks
    known = thrower.usual | thrower.covered | thrower.marks
    for number, mines in found.mines.items():
        game = thrower.games[number]
        if game.covered:
            continue
        before = looks.of(game.before)
        hidden = np.isin(before, list(thrower.covered))
        won = was_won(game, looks, thrower.covered, thrower.usual, thrower.ends)
        kept = last_before_veil(game, looks, hidden)
        pictures = [game.after[-1]] if kept is None else [kept, game.after[-1]]
        for picture in pictures:
            maps = looks.of(picture)
            known_before = ~hidden & (cell_differences(looks, game.before, picture) > ALIKE)
            veiled = bool(known_before.sum() > 0.5 * (~hidden).sum())
            for row, column in np.ndindex(maps.shape):
                look = int(maps[row, column])
                if look in known and look not in thrower.ends:
                    continue
                code: int
                if mines[row, column]:
                    shown = Cell.EXPLODED if (row, column) == game.last else Cell.MINE
                    code = Cell.FLAG if won else shown
                elif not veiled:
                    continue
                elif hidden[row, column]:
                    if (row, column) == game.last:
                        continue
                    code = Cell.COVERED
                else:
                    code = found.labels.get(int(before[row, column]), int(Cell.UNREAD))
                votes.setdefault(look, Counter())[int(code)] += 1
    meanings: dict[int, ClusterLabel] = {}
    for look, counter in votes.items():
        if counter[int(Cell.EXPLODED)] and counter[int(Cell.MINE)]:  # one look for both
            counter[int(Cell.MINE)] += counter.pop(int(Cell.EXPLODED))
        code_number, count = counter.most_common(1)[0]
        if code_number == Cell.UNREAD or count < UNANIMOUS * sum(counter.values()):
            continue
        why = WHY.get(code_number, "the same cells before the end")
        meanings[look] = ClusterLabel(code_number, count, why)
    return meanings


def end_looks(meanings: dict[int, ClusterLabel]) -> set[int]:
    """The looks that say that a game was lost."""
    return {
        look
        for look, meaning in meanings.items()
        if meaning.code in (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)
    }
