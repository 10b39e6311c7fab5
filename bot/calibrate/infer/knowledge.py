"""What is known of a window while it is learned, and what follows from the games so far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import Board, Cell, Coordinate, Rules, Spread
from bot.calibrate.infer.cell_clusters import INSET, CellClusters, ClusterRoles, Mask
from bot.calibrate.infer.end_labels import label_ends
from bot.calibrate.infer.findings import ClusterLabel
from bot.calibrate.infer.number_inference import InferredNumbers, infer_numbers, was_won
from bot.calibrate.infer.played_game import PlayedGame
from bot.vision.grid import Grid, Image

MIN_SHARE = 0.1
"""The part of a new board, at least, that a cluster of covered cells takes."""

MAX_SPLIT = 1.5
"""Edges of cells depend on their neighbours where there are more than this many times as many clusters with
them as without them."""

NEW_BOARD = 0.97
"""A board is new where at least this part of it is covered."""

MIN_COVERED, COVERED_AGAIN = 0.5, 0.4
"""The least part of a new board that is covered, if it starts half open or under a picture of help, and the
least part of the opened cells that such a board covers again."""

DENSITY = 0.12
"""The part of the cells that are mines, where their number is not known."""

MARK_REASONS = {
    Cell.FLAG: "a right click made it",
    Cell.QUESTION: "a second right click made it",
    Cell.WRONG_FLAG: "a flag on a cell that was safe",
}
"""Why the labels of marks are believed, for people."""


class Knowledge:
    """The clusters, the games, and what they mean. It changes by what is added to it and by `infer`."""

    def __init__(self, grid: Grid, mines: int | None = None) -> None:
        """`mines` is the total where the user gave it."""
        self.clusters = CellClusters(grid)
        self.roles = ClusterRoles()
        self.games: list[PlayedGame] = []
        self.numbers: InferredNumbers | None = None
        self.codes: dict[int, int] = {}
        """The code of `Cell` of each cluster that is understood."""
        self.marks: dict[Cell, int] = {}
        """The clusters of a flag, a question mark and a wrong flag, as far as they were seen."""
        self.flags_set = 0
        """How often a right click has made a mark: the evidence for the flag."""
        self._end_labels: dict[int, ClusterLabel] = {}
        self._given_mines = mines

    # What a picture shows

    def board(self, frame: Image) -> Board:
        """What a picture shows; cells of clusters that are not understood are UNREAD."""
        cluster_map = self.clusters.map_of(frame)
        known = np.full(len(self.clusters), int(Cell.UNREAD), np.int8)
        for cluster, code in self.codes.items():
            known[cluster] = code
        return Board(known[cluster_map])

    def covered(self, frame: Image) -> Mask:
        """Which cells look covered."""
        return self.roles.is_covered(self.clusters.map_of(frame))

    def shows_loss(self, frame: Image) -> bool:
        """Whether a picture shows what only lost games show."""
        return bool(np.isin(self.clusters.map_of(frame), list(self.roles.lost)).any())

    def is_new_board(self, frame: Image, previous: Image) -> bool:
        """Whether a picture shows a new board; `previous` is one of the game before it."""
        covered = self.covered(frame)
        if covered.mean() >= NEW_BOARD:
            return True
        if covered.mean() < MIN_COVERED or self.shows_loss(frame):
            return False
        # In a game that goes on no cell is ever covered again.
        opened = ~self.covered(previous)
        return bool((covered & opened).sum() >= max(1, COVERED_AGAIN * opened.sum()))

    def is_lost(self, game: PlayedGame) -> bool:
        """Whether a game was played to its end and lost."""
        if not game.over:
            return False
        if self.roles.lost:
            # A veil or a dialog may soon lie over the mines.
            return any(self.shows_loss(frame) for frame in game.after[-12:])
        return not was_won(game, self.clusters, self.roles, self.mines)

    # What follows

    @property
    def mines(self) -> int | None:
        """The mine total, where it is known."""
        if self._given_mines is not None or self.numbers is None:
            return self._given_mines
        return self.numbers.total

    @property
    def density(self) -> float:
        """The part of the cells that are mines, roughly where that is not known."""
        rows, columns = self.clusters.grid.shape
        return DENSITY if self.mines is None else self.mines / (columns * rows)

    @property
    def rules(self) -> Rules:
        """What is known of the game."""
        grid = self.clusters.grid
        return Rules(grid.columns, grid.rows, self.mines, spread=Spread.EIGHT)

    @property
    def number_names(self) -> str:
        """The numbers that are known, for people."""
        known = {code for code in self.codes.values() if code <= 8}
        return ", ".join(map(str, sorted(known))) or "no numbers"

    def infer(self) -> None:
        """Work out again what the clusters mean, by all games so far."""
        numbers = infer_numbers(self.games, self.clusters, self.roles)
        if numbers is None:
            return
        self.numbers = numbers
        self.codes = dict(numbers.labels) | dict.fromkeys(self.roles.covered, int(Cell.COVERED))
        self._end_labels = label_ends(self.games, self.clusters, self.roles, numbers)
        ends = self._end_labels.items()
        lost = {cluster for cluster, label in ends if label.code in (Cell.MINE, Cell.EXPLODED)}
        self.roles.lost = lost - self.roles.midgame - self.roles.covered
        for cluster, label in ends:
            self.codes.setdefault(cluster, label.code)
        self.codes |= {cluster: int(code) for code, cluster in self.marks.items()}

    def labels(self) -> dict[int, ClusterLabel]:
        """The label of each cluster that is understood."""
        assert self.numbers is not None
        labels = {
            cluster: ClusterLabel(number, self.numbers.seen[cluster], "the mines around it were counted")
            for cluster, number in self.numbers.labels.items()
        }
        for cluster in self.roles.covered:
            seen = sum(int((self.clusters.map_of(game.start) == cluster).sum()) for game in self.games)
            labels[cluster] = ClusterLabel(int(Cell.COVERED), seen, "there before the first click")
        labels |= {one: label for one, label in self._end_labels.items() if one not in labels}
        for code, cluster in self.marks.items():
            seen = self.flags_set if code == Cell.FLAG else 1
            labels[cluster] = ClusterLabel(int(code), seen, MARK_REASONS[code])
        return labels

    # Which part of a picture a cell is

    def move_grid(self, grid: Grid, clicked: Sequence[tuple[Image, Coordinate]]) -> None:
        """Forget the games and the clusters: the cells lie elsewhere.

        `clicked` are cells that reacted to a click, each in the picture before it: they are covered ones.
        """
        self.clusters = CellClusters(grid)
        covered = {int(self.clusters.map_of(frame)[cell]) for frame, cell in clicked}
        self.roles = ClusterRoles(covered=covered)
        self.games.clear()

    def leave_edges_out(self) -> None:
        """Compare only the inside of cells from now on, if their edges depend on their neighbours."""
        if self.clusters.inset or not self.games:
            return
        inner = CellClusters(self.clusters.grid, INSET)
        outer = CellClusters(self.clusters.grid)
        ever_covered: set[int] = set()
        opened: set[int] = set()
        midgame: set[int] = set()
        for game in self.games:
            cluster_map = inner.map_of(game.before)
            outer.map_of(game.before)
            is_covered = self.covered(game.before)
            ever_covered |= set(cluster_map[is_covered & self.covered(game.start)].tolist())
            opened |= set(cluster_map[~is_covered].tolist())
            midgame |= set(cluster_map.ravel().tolist())
        covered = {
            cluster
            for cluster in ever_covered
            if any((inner.map_of(game.start) == cluster).mean() >= MIN_SHARE for game in self.games)
        }
        if (
            len(outer) <= MAX_SPLIT * len(inner) + 2
            or not opened - covered
            or any(np.isin(inner.map_of(one.start), list(covered)).mean() < MIN_COVERED for one in self.games)
            or any(inner.map_of(one.after_first)[one.first_cell] in covered for one in self.games)
        ):
            return
        self.clusters = inner
        self.roles = ClusterRoles(covered=covered, midgame=midgame, marks=self.roles.marks)
