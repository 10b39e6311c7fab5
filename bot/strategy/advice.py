"""What to open on one position, why, and what it is worth: for people, and for `minebot solve`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Board, Cell, Coordinate, FirstClick, Observation, Phase, Rules
from bot.errors import UsageError
from bot.solver.endgame.perfect_play import MOST_LAYOUTS, PerfectPlay, play_perfectly
from bot.solver.position.solve import Solved, solve_board
from bot.strategy.base import Candidate, Decision, Kind
from bot.strategy.first_click import protection, untouched, zero_clicks
from bot.strategy.registry import names, strategy


@dataclass(frozen=True, eq=False)
class Advice:
    """A position, solved, and the cell to open."""

    solved: Solved
    best: Coordinate | None
    """None where there is nothing to open: every covered cell is a mine, the game is over, or the strategy
    does not guess."""
    survival: float | None
    """The chance that `best` is no mine; 1 for a first click that is always protected."""
    win: float | None
    """The chance to win the game, if `best` is opened and all play after it is perfect; None where the
    layouts are too many to search every way to play on, or a first-click rule makes some likelier."""
    reason: str
    """One line for people."""
    candidates: tuple[Candidate, ...] = ()
    """What a guess was chosen from, where the strategy says it."""


def advise(
    board: Board, rules: Rules, strategy_name: str | None = None, think: int = 1, *, dead: bool = True
) -> Advice:
    """Solve a position and say what a strategy opens: the default one, where none is named.

    The chance to win is that of perfect play after it. Without `dead`, which takes the most time on large
    boards, dead cells are not looked for. Raises UsageError for an unknown strategy and where no first click
    can open the zero that the rules promise, Contradiction (see `bot.solver.position.solve`) where the board
    cannot be.
    """
    player = strategy(strategy_name or names()[0], think)
    solved = solve_board(board, rules, dead=dead)
    if board.count(Cell.EXPLODED):
        return Advice(solved, None, None, None, "the game is over: a mine has exploded")
    readable = set(board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    if not readable:
        return Advice(solved, None, None, None, "no cell is covered: nothing is left to open")
    fresh = untouched(board)
    if fresh and rules.first_click is FirstClick.ZERO and not zero_clicks(board, rules).any():
        raise UsageError(
            f"no first click opens a zero on a board of {rules.size} with {rules.mines} mines:"
            " give fewer mines, or another first-click rule"
        )
    if not readable - set(solved.mines) and not (fresh and rules.first_click is FirstClick.REMOVED):
        return Advice(solved, None, None, None, "every covered cell is a mine: nothing is left to open")
    search = None
    if solved.solutions is not None and solved.solutions <= MOST_LAYOUTS and not board.count(Cell.UNREAD):
        search = play_perfectly(board, rules, solved.mines)
    decision = player.decide(
        Observation(board, Phase.READY if fresh else Phase.PLAYING, rules), turn=0 if fresh else 1
    )
    best = _chosen(decision, readable)
    if best is None:
        return Advice(solved, None, None, None, f"{player.name}: {decision.reason}")
    return _advice(solved, best, f"{player.name}: {decision.reason}", search, decision, board, rules)


def _chosen(decision: Decision, readable: set[Coordinate]) -> Coordinate | None:
    if decision.kind is Kind.NONE:
        return None
    return next((cell for cell in decision.safe if cell in readable), None)


def _advice(
    solved: Solved,
    best: Coordinate,
    reason: str,
    search: PerfectPlay | None,
    decision: Decision,
    board: Board,
    rules: Rules,
) -> Advice:
    protected = protection(board, rules, best)
    survival = 1 - solved.chance[best] if protected is None else protected
    win = None
    if survival == 0:
        win = 0.0  # a rung that does not look at the total may choose what it proves to be a mine
    elif len(solved.safe) + len(solved.mines) == len(solved.chance):
        win = 1.0
    elif search is not None:
        win = search.win if best == search.best else search.after(best)
    elif decision.candidates and decision.candidates[0].cell == best:
        win = decision.candidates[0].win
    return Advice(solved, best, survival, win, reason, decision.candidates)
