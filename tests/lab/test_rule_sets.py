"""The bot plays the rule sets through the one loop."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bot.board import Result
from bot.cli.simulate import command
from bot.errors import UsageError
from bot.game.rule_sets import RULE_SETS, rule_set
from bot.lab.games import Player, Tally, generated, play_compiled, play_loop
from bot.lab.simulate import simulate

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("player", ["seed", "exact"])
def test_every_rule_set_is_played_and_nobody_gives_up(name: str, player: str) -> None:
    """It loses by guesses alone, and as often as their chances say, within four standard deviations."""
    who = Player(player, asks=rule_set(name).hints > 0)
    tally = Tally()
    tasks = list(generated(rule_set(name).rules(9, 8, 10), 30, 1, rule_set=name))

    def played(some: Tally) -> None:
        tally.add(some)
        tally.played += some.played

    simulate(tasks, who, keep=True, played=played)
    assert {game.target for game in tally.played} == {rule_set(name).simulated}
    games = [play_loop(task, who.made()) for task in tasks]
    assert [game.result for game in games] == [game.outcome for game in tally.played]
    assert tally.wins == [game.result is Result.WON for game in games]
    luck = variance = 0.0
    for game in games:
        lost = game.result is Result.LOST
        assert game.minefield is not None
        assert game.minefield.mines[game.clicks[-1]] == lost
        assert game.guesses or not lost, "it lost without a guess"
        luck += len(game.guesses) - lost - sum(game.guesses)
        variance += sum(chance * (1 - chance) for chance in game.guesses)
    assert abs(luck) < 4 * variance**0.5


@pytest.mark.parametrize("name", RULE_SETS)
def test_compiled_games_are_those_of_the_loop(name: str) -> None:
    strategy = Player("exact").made()
    compiled = 0
    for task in generated(rule_set(name).rules(9, 8, 14), 25, 5, rule_set=name):
        whole = play_compiled(task, strategy)
        if whole is not None:
            compiled += 1
            loop = play_loop(task, strategy)
            assert (whole.result, whole.clicks, whole.minefield) == (loop.result, loop.clicks, loop.minefield)
            assert whole.guesses == pytest.approx(loop.guesses)
    assert (compiled > 0) == (name == "endoh1")


def run(*words: str) -> dict[str, float]:
    done = CliRunner().invoke(
        command, [*words, "--json", "--no-db"], catch_exceptions=False, standalone_mode=False
    )
    line: dict[str, float] = json.loads(done.stdout)
    return line


def test_the_command() -> None:
    without = run("--rules", "comp1511", "--games", "40", "--strategy", "seed", "--no-hints")
    hints = run("--rules", "comp1511", "--games", "40", "--strategy", "seed")
    assert hints["won"] > without["won"]
    small = run("--rules", "eibx", "--size", "4x4", "--mines", "2", "--games", "20", "--strategy", "seed")
    assert small["games"] == 20


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--rules", "eibx", "--no-hints"], "comp1511"),
        (["--no-hints"], "comp1511"),
        (["--rules", "eibx", "--first-click", "safe"], "excludes --first-click"),
        (["--rules", "eibx", "--size", "3x3", "--mines", "9"], "0 to 8"),
        (["--rules", "comp1511", "--start", "8,8"], "not on a board"),
    ],
)
def test_wrong_words(words: list[str], says: str) -> None:
    done = CliRunner().invoke(command, [*words, "--no-db"], standalone_mode=False)
    assert isinstance(done.exception, UsageError)
    assert says in str(done.exception)


def test_unknown_rules_list_the_names() -> None:
    with pytest.raises(UsageError, match="endoh1, eibx, comp1511, winmine"):
        rule_set("go")
