"""Many games: the same ones whatever plays them, counted rightly, and no more seen than a player sees."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module

import pytest

from bot.board import Action, Board, Coordinate, FirstClick, Move, Observation, Phase, Result, Rules
from bot.errors import ContradictionError, UsageError
from bot.files import shipped
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.game.rule_sets import RULE_SETS
from bot.lab.games import OpensAt, Player, Tally, Task, generated, given, play_loop
from bot.lab.simulate import simulate
from bot.strategy.base import Kind
from bot.strategy.registry import strategy
from bot.targets.in_process import InProcessTarget

BEGINNER = Rules(9, 9, 10)


def tally_of(tasks: list[Task], name: str, *, start: Coordinate | None = None, jobs: int = 1) -> Tally:
    tally = Tally()
    simulate(tasks, Player(name, start=start), jobs=jobs, played=tally.add)
    return tally


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_games() -> None:
    tasks = list(generated(BEGINNER, 90, seed=3))
    alone, together = tally_of(tasks, "seed"), tally_of(tasks, "seed", jobs=2)
    loop = [play_loop(task, strategy("seed")) for task in tasks]
    assert alone.wins == [game.result is Result.WON for game in loop]
    assert alone.guesses == sum(len(game.guesses) for game in loop)
    assert together.wins == alone.wins
    assert together.guesses == alone.guesses


def test_the_solver_is_compiled_before_processes_start_that_would_all_compile_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    class Alone:
        """One thread in the place of processes."""

        def __init__(self, jobs: int) -> None:
            done.append(f"{jobs} processes")
            self.size = jobs

        @contextmanager
        def executor(self) -> Iterator[Executor]:
            with ThreadPoolExecutor(1) as pool:
                yield pool

    module = import_module("bot.lab.simulate")
    monkeypatch.setattr(module, "warm_up", lambda player: done.append(f"compiled {player.strategy}"))
    monkeypatch.setattr(module, "Processes", Alone)
    assert len(tally_of(list(generated(BEGINNER, 3, seed=3)), "seed", jobs=2).wins) == 3
    assert done == ["compiled seed", "2 processes"]


def test_a_game_of_a_seed_is_the_same_in_any_number_of_games() -> None:
    some, more = list(generated(BEGINNER, 5, seed=1)), list(generated(BEGINNER, 9, seed=1))
    assert more[:5] == some
    assert not {task.seed for task in more} & {task.seed for task in generated(BEGINNER, 9, seed=2)}


def test_given_games_are_played_from_the_start() -> None:
    minefield = Minefield.parse("...\n...\n..*")
    tasks = list(given([minefield], FirstClick.SAFE))
    assert tally_of(tasks, "local", start=(0, 0)).wins == [True]
    lost = list(given([minefield], FirstClick.ANY))
    assert tally_of(lost, "local", start=(2, 2)).wins == [False]
    assert tally_of(lost, "local", start=(2, 2)).guesses == 1


def test_a_game_that_is_given_up_is_not_won() -> None:
    # After the first click in a corner the 1 leaves three cells.
    tasks = list(given([Minefield.parse("..*\n.*.\n...")], FirstClick.SAFE))
    tally = tally_of(tasks, "local", start=(0, 0))
    assert (tally.wins, tally.guesses) == ([False], 0)


def test_the_given_first_click_is_a_guess_where_nothing_protects_it() -> None:
    player = OpensAt(strategy("seed"), (1, 2))
    for first_click, kind, survival in (
        (FirstClick.SAFE, Kind.FIRST, 1.0),
        (FirstClick.ANY, Kind.GUESS, 0.8),
    ):
        rules = Rules(5, 4, 4, first_click)
        observation = Observation(Board.covered(5, 4), Phase.READY, rules)
        decision = player.decide(observation, 0)
        assert (decision.kind, decision.safe) == (kind, ((1, 2),))
        assert decision.survival == pytest.approx(survival)
        assert player.decide(observation, 1).safe == ((0, 0),)
    assert (player.name, player.version) == ("seed", strategy("seed").version)


def test_an_unknown_strategy_plays_nothing() -> None:
    with pytest.raises(UsageError, match="luck"):
        tally_of(list(generated(BEGINNER, 1, seed=0)), "luck")


def test_summary() -> None:
    tally = Tally([True, False, False, False], guesses=5, core_seconds=0.5)
    summary = tally.summary(seconds=2.0)
    assert summary == {
        "games": 4,
        "won": 1,
        "rate": 0.25,
        "low": pytest.approx(0.0456, abs=1e-4),
        "high": pytest.approx(0.6994, abs=1e-4),
        "guesses": 5,
        "seconds": 2.0,
        "games_per_second": 2.0,
        "games_per_core_second": 8.0,
    }
    assert Tally().summary(0.0)["rate"] is None


def test_a_target_in_memory_shows_the_board_alone() -> None:
    target = InProcessTarget(Game(Rules(3, 3), minefield=Minefield.parse("...\n...\n..*")))
    before = target.observe()
    assert (before.phase, str(before.board), before.rules.mines) == (Phase.READY, "###\n###\n###", 1)
    target.act([Move(Action.OPEN, 0, 0), Move(Action.OPEN, 2, 2)])
    assert target.observe().phase is Phase.WON
    target.new_game()
    assert target.observe().phase is Phase.READY
    with pytest.raises(ContradictionError, match="column 1"):
        target.reject("row 0, column 1 cannot be a 3")


def test_simulated_games_by_the_rules_of_a_window_have_another_name_than_its_own() -> None:
    """`minebot stats --target winmine` mixed the two."""
    themes = {folder.parent.name for folder in shipped("templates").glob("*/theme.toml")}
    for name, rules in RULE_SETS.items():
        task = Task(rules.rules(), seed=1, rule_set=name)
        assert task.target not in themes
        assert (task.target == name) is (name not in themes)
    assert (
        Task(RULE_SETS["comp1511"].rules(), rule_set="comp1511", hints=False).target == "comp1511, no hints"
    )
