"""What a move was worth: certain, a guess and how good, needless, or a mistake.

The judge is the strategy `best`. What is certain is decided by logic. What a guess costs is the chance to win
that the best cell has, less that of the chosen one: exact where every way to play on can be searched, else
about, by the learned value of `best`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from bot.board import Action, Cell, Constraint, Coordinate, FirstClick, Observation
from bot.errors import ContradictionError
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.review.played_game import PlayedGame, PlayedMove
from bot.solver.decision import Thought, decide
from bot.solver.endgame.perfect_play import play_perfectly
from bot.solver.position.solve import solve_board
from bot.solver.probability.examination import CERTAIN, UNCERTAIN
from bot.strategy.best import Best
from bot.strategy.first_click import untouched

EQUAL = 1e-9
"""Chances to win that differ by less are equal: what exact search sums up in another order."""

EXACT_LAYOUTS = 200
"""Layouts of mines up to which the chance to win is searched for every cell: some hundredths of a second."""

CLOSE = 0.005
"""Chances to win that are only about right and differ by less are called equal. The learned value tells
candidates no better apart: what `best` loses by it over a whole Expert game is 0.51 points
(`training/ceiling.py`)."""


class Verdict(str, Enum):
    """What a move was."""

    FIRST = "first"
    """A first click that the rules protect."""
    CERTAIN = "certain"
    FORCED = "forced"
    """A guess, and no other cell was better or worse."""
    BEST = "best"
    """The best guess, or as good as it as far as can be told."""
    WEAKER = "weaker"
    """A guess, and another one would have won more."""
    NEEDLESS = "needless"
    """A guess, though a safe cell was known."""
    MISTAKE = "mistake"
    """It opened a cell that was certainly a mine."""
    FLAG = "flag"
    """It opened nothing."""


GUESSES = (Verdict.FORCED, Verdict.BEST, Verdict.WEAKER, Verdict.NEEDLESS)
"""The verdicts of moves that could lose, mistakes apart."""


class Sure(str, Enum):
    """How sure the cost of a move is."""

    EXACT = "exact"
    ABOUT = "about"
    """By the learned value of `best`."""
    ROUGH = "roughly"
    """By the chances to survive alone, or from the way that this one game went."""


@dataclass(frozen=True)
class Judged:
    """A move with its verdict."""

    number: int
    """Its place among the moves of the game, from 0."""
    move: PlayedMove
    cell: Coordinate
    """The cell that is judged: of a chord the riskiest of those that it opens."""
    verdict: Verdict
    survival: float
    """The chance that nothing exploded."""
    survived: bool
    cost: float = 0.0
    """What was lost of the chance to win, 0 to 1."""
    sure: Sure = Sure.EXACT
    win: float | None = None
    """The chance to win of the best move; None where it is not known."""
    better: Coordinate | None = None
    """A cell that was better, where there was one."""
    seconds: float = 0.0
    """Time since the move before."""

    @property
    def text(self) -> str:
        """One line for people."""
        about = "" if self.sure is Sure.EXACT else f"{self.sure.value} "
        cost = f"cost {about}{100 * self.cost:.1f} points of the chance to win"
        safe = f"safe with {100 * self.survival:.1f} %"
        other = "" if self.better is None else f"; row {self.better[0]}, column {self.better[1]} was"
        return {
            Verdict.FIRST: "the first click is protected",
            Verdict.CERTAIN: "certainly safe",
            Verdict.FLAG: "opens nothing",
            Verdict.FORCED: f"{safe}; no cell was better",
            Verdict.BEST: f"{safe}; the best guess",
            Verdict.WEAKER: f"{safe}{other} better; {cost}",
            Verdict.NEEDLESS: f"{safe}{other} certainly safe; {cost}",
            Verdict.MISTAKE: f"certainly a mine; {cost}",
        }[self.verdict]


@dataclass
class Review:
    """A game with the verdicts of its moves."""

    game: PlayedGame
    judged: list[Judged] = field(default_factory=list)

    def count(self, *verdicts: Verdict) -> int:
        """How many moves have one of these verdicts."""
        return sum(each.verdict in verdicts for each in self.judged)

    @property
    def lost_chance(self) -> float:
        """What weaker and needless guesses and mistakes cost, in games: 1 is a whole game that was won."""
        return sum(each.cost for each in self.judged)

    @property
    def luck(self) -> float:
        """What the guesses won beyond their chances: 1 or 0 for each, less its chance to survive."""
        return sum(each.survived - each.survival for each in self.judged if each.verdict in GUESSES)

    @property
    def seconds_by_verdict(self) -> dict[str, float]:
        """Where the time went: seconds before the moves of each verdict."""
        times: dict[str, float] = {}
        for each in self.judged:
            times[each.verdict.value] = times.get(each.verdict.value, 0.0) + each.seconds
        return times


class Judge:
    """Judges games by `best` with so much thought."""

    def __init__(self, think: int = 1) -> None:
        self.think = think

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
            review.judged.append(replace(judged, seconds=seconds))
        return review

    def _judged(self, game: PlayedGame, number: int, played: PlayedMove, known: set[Coordinate]) -> Judged:
        """The verdict of one move; `known` are cells that were certainly safe on boards before it."""
        seen = played.before
        opened = _opened(played)
        first = opened[0] if opened else played.move.cell
        if not opened:
            return Judged(number, played, first, Verdict.FLAG, 1.0, True)
        survived = _survived(game, number, opened)
        if untouched(seen.board) and seen.rules.first_click is not FirstClick.ANY:
            return Judged(number, played, first, Verdict.FIRST, 1.0, survived)
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
            win, sure = (1.0, Sure.EXACT) if over else self._worth(game, seen)
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
        found = _compared(played.before, cell, thought, chance)
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
        found = _compared(seen, cell, thought, chance)
        cost, sure, win = max(0.0, found.worth - found.own), found.sure, found.win
        limit = EQUAL if sure is Sure.EXACT else CLOSE
        if cell == found.best or cost <= limit:
            verdict = Verdict.FORCED if found.worth - found.worst <= limit else Verdict.BEST
            return Judged(number, played, cell, verdict, 1 - risk, survived, 0.0, sure, win)
        return Judged(number, played, cell, Verdict.WEAKER, 1 - risk, survived, cost, sure, win, found.best)

    def _thought(self, seen: Observation) -> Thought | None:
        """What `best` thinks; None where it cannot say: no mine total, facts besides the numbers."""
        if seen.rules.mines is None or seen.constraints or seen.cases or seen.board.count(Cell.UNREAD):
            return None
        if untouched(seen.board):
            return None
        return decide(seen.board, seen.rules.mines, self.think)

    def _worth(self, game: PlayedGame, seen: Observation) -> tuple[float | None, Sure]:
        """The chance to win of a position in which something is certain.

        Exact where few layouts are left. Else all that is certain is opened, as the mines of this game lie,
        up to the next guess; that is one way of many in which it could have gone on.
        """
        if seen.rules.mines is None:
            return None, Sure.ROUGH
        search = play_perfectly(seen.board, seen.rules, layouts=EXACT_LAYOUTS)
        if search is not None:
            return search.win, Sure.EXACT
        if game.minefield is None:
            return None, Sure.ROUGH
        return self._played_on(game.minefield, seen), Sure.ROUGH

    def _played_on(self, minefield: Minefield, seen: Observation) -> float | None:
        """The chance to win at the next guess, if what is certain is opened first."""
        assert seen.rules.mines is not None
        codes = seen.board.codes
        rules = replace(seen.rules, first_click=FirstClick.ANY, mines=minefield.total)
        game = Game(rules, minefield=minefield)
        for row, column in zip(*(codes <= 8).nonzero(), strict=True):
            game.open(int(row), int(column))
        while not game.phase.over:
            thought = decide(game.board, seen.rules.mines, self.think)
            if thought.found != CERTAIN:
                first = thought.weighed[0] if thought.weighed else None
                return None if first is None else first.win if first.win is not None else first.score
            for cell in thought.safe:
                game.open(*cell)
        return 1.0


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
    """The same of the worst cell."""
    win: float | None
    """The chance to win after the best cell; None where it is not known."""


def _compared(
    seen: Observation, cell: Coordinate, thought: Thought | None, chance: Mapping[Coordinate, float]
) -> _Compared:
    """Compare a cell with the best one, as surely as can be."""
    if seen.rules.mines is not None and not seen.board.count(Cell.UNREAD):
        search = play_perfectly(seen.board, seen.rules, layouts=EXACT_LAYOUTS)
        if search is not None:
            worths = {each: search.after(each) for each in chance if chance[each] < 1}
            known = {each: worth for each, worth in worths.items() if worth is not None}
            if cell in known:
                worst = min(known.values())
                return _Compared(search.best, search.win, known[cell], Sure.EXACT, worst, search.win)
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
        if cell in scores:
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
