"""What a move was worth: certain, a guess and how good, needless, or a mistake.

The judge is the strategy `best`. What is certain is decided by logic. What a guess costs is the chance to win
that the best cell has, less that of the chosen one: exact where every way to play on can be searched, else
about, by the learned value of `best`, with how far that may be off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Action, Cell, Constraint, Coordinate, FirstClick, Observation, Phase
from bot.errors import ContradictionError
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.review.played_game import PlayedGame, PlayedMove
from bot.review.verdicts import Judged, Review, Sure, Verdict
from bot.solver.decision import Thought, decide
from bot.solver.endgame.perfect_play import PerfectPlay, play_perfectly
from bot.solver.guess.rollouts import DIFFERENCE_DEVIATION, MOST_CANDIDATES, PRIOR_GROWTH
from bot.solver.position.random_layouts import sample_layouts
from bot.solver.position.solve import solve_board
from bot.solver.probability.examination import CERTAIN, UNCERTAIN
from bot.solver.simulate.best_games import MORE_ROLLS, lent_players
from bot.strategy.best import Best
from bot.strategy.first_click import protection, untouched

EQUAL = 1e-9
"""Chances to win that differ by less are equal: what exact search sums up in another order."""

EXACT_LAYOUTS = 2000
"""Layouts of mines up to which the chance to win is searched: some tenths of a second."""

AHEAD_LAYOUTS = 20_000
"""Layouts up to which `best` looks ahead over all of them. What it says of the cell that it chooses is near
the truth there, what it says of the others far too low: it gives them up early."""

LAYOUTS_PLAYED = 16
"""Layouts in which all that is certain is opened, where the chance to win of such a position is estimated."""

CLOSE = 0.005
"""Chances to win that are only about right and differ by less are called equal. The learned value tells
candidates no better apart: what `best` loses by it over a whole Expert game is 0.51 points
(`training/ceiling.py`)."""


Z95 = 1.96
"""Standard errors within which 95 of 100 lie."""


ERRORS: Mapping[Sure, tuple[float, float]] = {
    Sure.EXACT: (0.0, 0.0),
    Sure.ABOUT: (0.07, 0.0),
    Sure.PLAYED: (0.19, 0.0),
    Sure.ROUGH: (0.09, 0.3),
}
"""How far a cost may be off, as a chance to win and as a share of the cost, which are added: 95 of 100 costs
are nearer (`python -m tests.review.how_sure`, docs/recordings.md). Where it was played on it is the chance to
win of the position, of which the cost is a part."""


class Judge:
    """Judges games by `best` with so much thought."""

    def __init__(self, think: int = 1, exact_layouts: int = EXACT_LAYOUTS) -> None:
        self.think = think
        self.exact_layouts = exact_layouts
        """Layouts up to which the chance to win is searched; with 0 it is always estimated."""
        self.ahead_layouts = AHEAD_LAYOUTS

    def __str__(self) -> str:
        best = Best(think=self.think)
        return f"{best.name} version {best.version}, --think {self.think}"

    def review(self, game: PlayedGame) -> Review:
        """Judge every move of a game. Moves on a board that cannot be are left out."""
        review = Review(game)
        safe: set[Coordinate] = set()
        before = game.moves[0].t if game.moves else 0.0
        for number, played in enumerate(game.moves):
            seconds, before = played.t - before, played.t
            try:
                judged = self._judged(game, number, played, safe)
            except ContradictionError:
                continue
            review.judged.append(replace(judged, seconds=seconds, error=error_of(judged, self.think)))
        return review

    def _judged(self, game: PlayedGame, number: int, played: PlayedMove, known: set[Coordinate]) -> Judged:
        """The verdict of one move; `known` are cells that were certainly safe on boards before it."""
        seen = played.before
        opened = _opened(played)
        first = opened[0] if opened else played.move.cell
        if not opened:
            return Judged(number, played, first, Verdict.FLAG, 1.0, True)
        survived = _survived(game, number, opened)
        protected = protection(seen.board, seen.rules, first)
        if protected is not None:
            return Judged(number, played, first, Verdict.FIRST, protected, survived)
        if known.issuperset(opened):
            return Judged(number, played, first, Verdict.CERTAIN, 1.0, survived)
        thought = self._thought(seen)
        if thought is not None and thought.found == CERTAIN:
            known.update(thought.safe)
            if known.issuperset(opened):
                return Judged(number, played, first, Verdict.CERTAIN, 1.0, survived)
        if thought is not None and thought.found == UNCERTAIN:
            chance: Mapping[Coordinate, float] = thought.chance
        else:
            chance = solve_board(seen.board, seen.rules, seen.constraints, dead=False).chance
        safe = [cell for cell in chance if chance[cell] == 0]
        known.update(safe)
        riskiest = max(opened, key=lambda cell: chance.get(cell, 0.0))
        risk = chance.get(riskiest, 0.0)
        if risk == 0:
            return Judged(number, played, riskiest, Verdict.CERTAIN, 1.0, survived)
        if len(opened) > 1:
            risk = 1 - _all_survive(seen, opened)
        if risk == 1 or safe:
            verdict = Verdict.MISTAKE if risk == 1 else Verdict.NEEDLESS
            over = min(chance.values()) == 1
            win, sure = (1.0, Sure.EXACT) if over else self._worth(seen)
            better = safe[0] if safe else None if thought is None else thought.cell
            cost = risk * (1.0 if win is None else win)
            return Judged(number, played, riskiest, verdict, 1 - risk, survived, cost, sure, win, better)
        if len(opened) > 1:
            return self._chord(number, played, riskiest, risk, survived, thought, chance)
        return self._guess(number, played, riskiest, risk, survived, thought, chance)

    def _chord(
        self,
        number: int,
        played: PlayedMove,
        cell: Coordinate,
        risk: float,
        survived: bool,
        thought: Thought | None,
        chance: Mapping[Coordinate, float],
    ) -> Judged:
        """A chord over cells that were not certain, beside the best single cell.

        What it teaches is not known: only its chance to survive counts.
        """
        found = self._compared(played.before, cell, thought, chance)
        cost = max(0.0, found.worth * (1 - (1 - risk) / (1 - chance[found.best])))
        weaker = cost > CLOSE
        verdict, better = (Verdict.WEAKER, found.best) if weaker else (Verdict.BEST, None)
        win = found.win
        cost = cost if weaker else 0.0
        return Judged(number, played, cell, verdict, 1 - risk, survived, cost, Sure.ROUGH, win, better)

    def _guess(
        self,
        number: int,
        played: PlayedMove,
        cell: Coordinate,
        risk: float,
        survived: bool,
        thought: Thought | None,
        chance: Mapping[Coordinate, float],
    ) -> Judged:
        """A guess where nothing was certain."""
        seen = played.before
        found = self._compared(seen, cell, thought, chance)
        cost, sure, win = max(0.0, found.worth - found.own), found.sure, found.win
        limit = EQUAL if sure is Sure.EXACT else CLOSE
        if cell == found.best or cost <= limit:
            verdict = Verdict.FORCED if found.worth - found.worst <= limit else Verdict.BEST
            return Judged(number, played, cell, verdict, 1 - risk, survived, 0.0, sure, win)
        return Judged(number, played, cell, Verdict.WEAKER, 1 - risk, survived, cost, sure, win, found.best)

    def _compared(
        self,
        seen: Observation,
        cell: Coordinate,
        thought: Thought | None,
        chance: Mapping[Coordinate, float],
    ) -> _Compared:
        """Compare a cell with the best one, as surely as can be."""
        solved = solve_board(seen.board, seen.rules, seen.constraints, dead=False)
        search = self._searched(seen, solved.mines)
        if search is not None:
            own = search.after(cell)
            if own is not None:
                worst = own
                if search.win - own <= EQUAL:
                    worths = (search.after(each) for each in chance if chance[each] < 1)
                    worst = next((each for each in worths if each is not None and each < own - EQUAL), own)
                return _Compared(search.best, search.win, own, Sure.EXACT, worst, search.win)
        ahead = solved.solutions is not None and solved.solutions <= self.ahead_layouts
        return _estimated(cell, thought, chance, by_score=not ahead)

    def _searched(self, seen: Observation, mines: tuple[Coordinate, ...]) -> PerfectPlay | None:
        """Every way to play on; None where they are too many. `mines` are certain ones: with them covered, a
        front can be too wide to be counted."""
        if seen.rules.mines is None or seen.board.count(Cell.UNREAD) or not self.exact_layouts:
            return None
        if seen.constraints or seen.cases:
            return None  # the search knows of the board alone
        return play_perfectly(seen.board, seen.rules, mines, self.exact_layouts)

    def _thought(self, seen: Observation) -> Thought | None:
        """What `best` thinks; None where it cannot say: no mine total, facts besides the numbers."""
        if seen.rules.mines is None or seen.constraints or seen.cases or seen.board.count(Cell.UNREAD):
            return None
        if untouched(seen.board):
            return None
        return decide(seen.board, seen.rules.mines, self.think)

    def _worth(self, seen: Observation) -> tuple[float | None, Sure]:
        """The chance to win of a position in which something is certain.

        Exact where few layouts are left. Else all that is certain is opened up to the next guess, in layouts
        that are drawn from those that fit: the mean of what `best` takes the positions for.
        """
        if seen.rules.mines is None:
            return None, Sure.ROUGH
        solved = solve_board(seen.board, seen.rules, seen.constraints, dead=False)
        search = self._searched(seen, solved.mines)
        if search is not None:
            return search.win, Sure.EXACT
        found = sample_layouts(seen, LAYOUTS_PLAYED, np.random.default_rng(0))
        if found is None:
            return None, Sure.ROUGH
        cells, layouts = found
        rows, columns = zip(*cells, strict=True)
        worths = []
        for layout in layouts:
            mines = np.zeros((seen.rules.rows, seen.rules.columns), np.bool_)
            mines[rows, columns] = layout
            worth = self._played_on(Minefield(mines), seen)
            if worth is not None:
                worths.append(worth)
        return (float(np.mean(worths)), Sure.PLAYED) if worths else (None, Sure.ROUGH)

    def _played_on(self, minefield: Minefield, seen: Observation) -> float | None:
        """The chance to win at the next guess that has one, if what is certain is opened first."""
        assert seen.rules.mines is not None
        codes = seen.board.codes
        rules = replace(seen.rules, first_click=FirstClick.ANY, mines=minefield.total)
        game = Game(rules, minefield=minefield)
        for row, column in zip(*(codes <= 8).nonzero(), strict=True):
            game.open(int(row), int(column))
        while not game.phase.over:
            thought = decide(game.board, seen.rules.mines, self.think)
            if thought.found == CERTAIN:
                for cell in thought.safe:
                    game.open(*cell)
                continue
            first = thought.weighed[0] if thought.weighed else None
            worth = None if first is None else first.win if first.win is not None else first.score
            if worth is not None or thought.cell is None:
                return worth
            game.open(*thought.cell)  # a guess in a group that nothing else tells about
        return float(game.phase is Phase.WON)


def error_of(judged: Judged, think: int) -> float:
    """How far the cost of a move may be off.

    With more thought close candidates were played on in common layouts: their mean result, with its standard
    error, was weighed with the score. The number of those layouts is the least that it can have been.
    """
    if judged.cost == 0:
        return 0.0
    least, share = ERRORS[judged.sure]
    error = least + share * judged.cost
    if judged.sure is Sure.PLAYED:
        return error * (1 - judged.survival)
    rules = judged.move.before.rules
    if judged.sure is not Sure.ABOUT or think == 1 or rules.mines is None:
        return error
    with lent_players(rules.rows, rules.columns, rules.mines, think) as (player, _):
        margin, prior = player.settings.roll_margin, player.settings.roll_prior
    if judged.cost > margin:
        return error  # too far behind to be played on from
    layouts = MORE_ROLLS * (think - 1) / MOST_CANDIDATES
    weight = prior + PRIOR_GROWTH * layouts
    luck = Z95 * DIFFERENCE_DEVIATION * math.sqrt(layouts)
    return math.hypot(weight * error, luck) / (layouts + weight)


@dataclass(frozen=True)
class _Compared:
    """A chosen cell beside the best one."""

    best: Coordinate
    worth: float
    """The chance to win after the best cell, or where that is not known its chance to survive."""
    own: float
    """The same of the chosen cell."""
    sure: Sure
    worst: float
    """The same of one that is worse; that of the chosen cell where there is none."""
    win: float | None
    """The chance to win after the best cell; None where it is not known."""


def _estimated(
    cell: Coordinate, thought: Thought | None, chance: Mapping[Coordinate, float], *, by_score: bool
) -> _Compared:
    """Compare a cell with the best one by what `best` thinks of them; `by_score`: of both."""
    scores = {}
    if thought is not None:
        for each in thought.weighed:
            value = each.win if each.win is not None else each.score
            if value is not None:
                scores[each.cell] = value
    if thought is not None and thought.cell is not None and thought.cell in scores:
        best = scores[thought.cell]
        if cell == thought.cell:
            return _Compared(cell, best, best, Sure.ABOUT, min(_survivals(chance, cell, best)), best)
        if by_score and cell in scores:
            return _Compared(thought.cell, best, scores[cell], Sure.ABOUT, min(scores.values()), best)
        survival = 1 - chance[thought.cell]
        own = best * (1 - chance[cell]) / survival
        return _Compared(thought.cell, best, own, Sure.ROUGH, 0.0, best)
    safest = min(chance, key=lambda each: (chance[each], each))
    if thought is not None and thought.cell is not None:
        safest = thought.cell
    worst = 1 - max(chance.values())
    return _Compared(safest, 1 - chance[safest], 1 - chance[cell], Sure.ROUGH, worst, None)


def _survivals(chance: Mapping[Coordinate, float], best: Coordinate, win: float) -> list[float]:
    """What the cells would win, if all that makes them differ were their chance to survive."""
    return [win * (1 - risk) / (1 - chance[best]) for risk in chance.values() if risk < 1]


def _all_survive(seen: Observation, opened: list[Coordinate]) -> float:
    """The chance that none of these cells holds a mine."""
    whole = solve_board(seen.board, seen.rules, seen.constraints, dead=False)
    none = Constraint(frozenset(opened), 0)
    try:
        part = solve_board(seen.board, seen.rules, (*seen.constraints, none), dead=False)
    except ContradictionError:
        return 0.0
    if whole.solutions and part.solutions is not None:
        return part.solutions / whole.solutions
    if whole.log10_solutions is None or part.log10_solutions is None:
        return 1 - max(whole.chance[cell] for cell in opened)
    return float(min(1.0, 10 ** (part.log10_solutions - whole.log10_solutions)))


def _opened(played: PlayedMove) -> list[Coordinate]:
    """The covered cells that a move opens by itself, not by spreading."""
    board, move = played.before.board, played.move
    if move.action is Action.OPEN:
        return [move.cell] if board[move.cell] > 8 else []
    if move.action is Action.CHORD:
        return [near for near in board.neighbours(*move.cell) if board[near] in (Cell.COVERED, Cell.QUESTION)]
    return []


def _survived(game: PlayedGame, number: int, opened: list[Coordinate]) -> bool:
    """Whether none of these cells held a mine; where the mines are unknown, whether the game went on."""
    if game.minefield is not None:
        return not any(bool(game.minefield.mines[cell]) for cell in opened)
    return number + 1 < len(game.moves) or game.result != "lost"
