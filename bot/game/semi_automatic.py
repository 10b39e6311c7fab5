"""endoh1's semi-automatic game (IOCCC 2020): the player guesses, and the program does what follows.

After every probe the program looks for cells that one rule settles (the one rule for two numbers that its
four rules are, `local`'s), and probes or flags them one by one, in the order of the map's priorities. Last
of all, where as many cells are left unprobed as mines are not flagged, it flags them; without that rule some
games cannot be finished. A game is won when every cell is probed or flagged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.board import Action, Board, Cell, Coordinate, FirstClick, Move, Phase, Rules, Spread
from bot.game.game import Game
from bot.game.priority_map import PriorityMap

Settle = Callable[[Board], tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]]
"""What the rules settle on a board: the cells that are safe, and those that are mines."""


@dataclass
class SemiAutomatic:
    """One game: `probe` is the player's, `step` the program's."""

    map: PriorityMap
    settle: Settle
    """`bot.strategy.local.settle`: the engine knows no solver."""
    final_rule: bool = True

    def __post_init__(self) -> None:
        rules = Rules(self.map.columns, self.map.rows, self.map.mines, FirstClick.REMOVED, Spread.NONE)
        # Openings spread by the rules, one step at a time, and flags are put by them.
        self.game = Game(rules, minefield=self.map.minefield, flags_needed=True)

    @property
    def board(self) -> Board:
        """What is seen."""
        return self.game.board

    @property
    def phase(self) -> Phase:
        """Where the game stands."""
        return self.game.phase

    def probe(self, row: int, column: int) -> bool:
        """Probe a cell; says whether anything changed: flags and probed cells stay as they are."""
        return self.game.open(row, column)

    def step(self) -> Move | None:
        """Make the next automatic step, and say which; None where nothing follows."""
        if self.phase is not Phase.PLAYING:
            return None
        board = self.board
        safe, mines = self.settle(board)
        moves = [Move(Action.OPEN, *cell) for cell in safe if board[cell] != Cell.FLAG]
        moves += [Move(Action.FLAG, *cell) for cell in mines if board[cell] != Cell.FLAG]
        if not moves and self.final_rule:
            left = board.where(Cell.COVERED)
            if left and len(left) == self.game.mines_left:
                moves = [Move(Action.FLAG, *cell) for cell in left]
        if not moves:
            return None
        move = min(moves, key=self._priority)
        self.game.act(move)
        return move

    def _priority(self, move: Move) -> int:
        return self.map.priorities[move.row * self.map.columns + move.column]
