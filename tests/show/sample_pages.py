"""A sample of each page, with hostile text wherever text comes from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bot.board import Action, Board, Coordinate, FirstClick, Move, Observation, Phase, Result, Rules
from bot.cli.parts.showing.stats_page import pairs_of, stats_page
from bot.game.minefield import Minefield
from bot.lab.report import Group, Key, groups
from bot.lab.results import GameResult, Results
from bot.review.judge import Judge
from bot.review.rawvf import read_rawvf
from bot.review.report import review_page
from bot.show.board_page import board_page
from bot.show.game_page import game_page
from bot.show.live import LiveView
from bot.show.story import Decided, Deed, Position, Story
from bot.strategy.advice import advise
from bot.strategy.base import Candidate, Decision, Kind
from bot.vision.grid import Grid

RULES = Rules(4, 3, 2)
FIELD = Minefield.parse("...*\n....\n*...")
HOSTILE = "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"


def story(title: str = "a game") -> Story:
    """A won game of 4x3 with one guess, whose chance to win is known."""
    boards = ("####\n####\n####", "..1#\n1111\n####", "..1#\n1111\n#1..", "..1*\n1111\n*1..")
    phases = (Phase.READY, Phase.PLAYING, Phase.PLAYING, Phase.WON)
    decided = (
        Decided(Kind.FIRST, "first click", "never a mine", ((0, 0),), (), 1.0),
        Decided(
            Kind.GUESS,
            "value",
            title,
            ((2, 2),),
            ((0, 3),),
            0.75,
            (Candidate((2, 2), 0.75, win=0.6), Candidate((2, 1), 0.5, score=0.4)),
        ),
        Decided(Kind.CERTAIN, "single number", "safe: 1", ((2, 1),), ((0, 3), (2, 0)), 1.0),
        None,
    )
    chances: tuple[dict[Coordinate, float], ...]
    chances = ({}, {(0, 3): 1.0, (2, 0): 0.5, (2, 1): 0.5, (2, 2): 0.25, (2, 3): 0.0}, {}, {})
    positions = tuple(
        Position(float(number), Observation(Board.parse(text), phase, RULES), told, risk)
        for number, (text, phase, told, risk) in enumerate(zip(boards, phases, decided, chances, strict=True))
    )
    moves = ((0.5, Action.OPEN, 0, 0), (1.5, Action.OPEN, 2, 2), (2.5, Action.OPEN, 2, 1))
    deeds = tuple(
        Deed(t, Move(action, row, column), place=(column + 0.5, 0.5)) for t, action, row, column in moves
    )
    return Story(title, title, RULES, positions, deeds, "won", title, 2.5, FIELD, "2026-01-01")


def group() -> Group:
    return Group(
        Key("<b>winmine", 30, 16, 99, "safe", "best", 6, 1),
        won=4,
        lost=6,
        guesses=[(0.8, True)] * 8 + [(0.8, False)] * 2 + [(0.5, True), (0.5, False)],
    )


def store_games(path: Path, target: str = "simulated") -> None:
    """Games of two players on the same boards, over two days."""
    with Results(path) as results:
        for strategy, outcomes in (("best", "1110"), ("seed", "0010")):
            results.add(
                [
                    GameResult(
                        target, 9, 9, 10, FirstClick.SAFE, strategy, 1,
                        Result.WON if won == "1" else Result.LOST,
                        guesses=(0.5,) * (number % 2 if won == "1" else 2), seconds=0.1 * (number + 1),
                        clicks=10, bbbv=5, seed=str(number), board=f"b{number}",
                        played_at=f"2026-11-2{number // 2}T10:00:00Z",
                    )
                    for number, won in enumerate(outcomes)
                ]
            )  # fmt: skip


def _long() -> Story:
    """A game of 30x4 in which the clicks jump from one end to the other."""
    rules = Rules(30, 4, 1)
    letters = ["#"] * 120
    positions, deeds = [], []
    for number, cell in enumerate((0, 29, 1, 28, 60, 89)):
        board = Board.parse("\n".join("".join(letters[row : row + 30]) for row in range(0, 120, 30)))
        guess = Decided(Kind.GUESS, "safest", "", (divmod(cell, 30),), (), 0.5)
        positions.append(Position(float(number), Observation(board, Phase.PLAYING, rules), guess))
        deeds.append(Deed(number + 0.5, Move(Action.OPEN, *divmod(cell, 30))))
        letters[cell] = "1"
    return Story("long", "a test", rules, tuple(positions), tuple(deeds), "won")


RAWVF = """Player: NAME
Time: 2.500
Board:
000*
0000
*000
Events:
0.000 lc 1 1
0.100 lr 1 1
2.500 lc 4 3
2.500 lr 4 3
"""


def _reviewed(count: int) -> str:
    games = [read_rawvf(RAWVF.replace("NAME", HOSTILE), f"{number}{HOSTILE}") for number in range(count)]
    return review_page([Judge().review(each) for each in games], Judge())


def _stats() -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        store_games(path, HOSTILE)
        with Results(path, create=False) as results:
            found = groups(results, guesses=True)
            return stats_page(found, pairs_of(results, found, None))


def _board(*, pictured: bool) -> str:
    board, rules = Board.parse("1#2##\n12###\n#####"), Rules(5, 3, 4)
    shot = (np.full((80, 120, 3), 200, np.uint8), Grid(10, 20, 16, 16, 5, 3)) if pictured else None
    return board_page(HOSTILE, board, rules, advise(board, rules), [HOSTILE], shot)


PAGES: dict[str, Callable[[], str]] = {
    "game": lambda: game_page(story(HOSTILE)),
    "game wide": lambda: game_page(replace(_long(), title=HOSTILE)),
    "game review": lambda: _reviewed(1),
    "review": lambda: _reviewed(3),
    "stats": _stats,
    "board": lambda: _board(pictured=False),
    "board picture": lambda: _board(pictured=True),
}
"""By the kind of page, and where there are several of one kind, a further word."""


def live_page() -> LiveView:
    """The page of a run; to be closed."""
    view = LiveView(HOSTILE)
    seen = Observation(Board.parse("1###\n####"), Phase.PLAYING, Rules(4, 2, 2))
    chances = {(0, 1): 0.5, (1, 3): 0.25}
    view.game_starts(1)
    view.shown(seen, Decision(Kind.GUESS, "value", safe=((1, 3),), reason=HOSTILE, chances=chances))
    view.game_over(HOSTILE, 1.0, 1, 0.5)
    return view
