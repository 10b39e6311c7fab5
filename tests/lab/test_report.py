"""What the results say: each number of a group checked by hand, and pairs that are pairs."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import FirstClick, Result
from bot.errors import BotError, FormatError, UsageError
from bot.lab.pairing import compare, together
from bot.lab.plots import drawn
from bot.lab.report import calibration, groups
from bot.lab.results import COLUMNS, SIMULATED, GameResult, Results
from bot.lab.stats import paired, wilson

LIVE = GameResult(
    target="winmine",
    columns=9,
    rows=9,
    mines=10,
    first_click=FirstClick.SAFE,
    strategy="best",
    strategy_version=2,
    outcome=Result.WON,
    guesses=(0.5, 0.8),
    seconds=2.0,
    clicks=20,
    bbbv=15,
    played_at="2026-11-20T10:00:00Z",
)
LOST = replace(LIVE, outcome=Result.LOST, seconds=1.0, clicks=4, guesses=(0.5, 0.8))
STOPPED = replace(LIVE, outcome=Result.STOPPED)
GAVE_UP = replace(STOPPED, gave_up=True, guesses=(0.9,))
FAILED = replace(LIVE, outcome=Result.FAILED)
GAME = replace(LIVE, target=SIMULATED, seed="0:0", board="a")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Results]:
    with Results(tmp_path / "results.sqlite") as results:
        yield results


def test_a_group_is_counted_honestly(store: Results) -> None:
    quick = replace(LIVE, seconds=1.0, clicks=30, guesses=())
    store.add([LIVE, LIVE, quick, LOST, GAVE_UP, STOPPED, STOPPED, FAILED])
    (group,) = groups(store, guesses=True)
    low, high = wilson(3, 5)
    told = group.as_json()
    assert list(told)[:12] == [
        *("target", "columns", "rows", "mines", "first_click", "strategy", "games", "won"),
        *("rate", "low", "high", "median_seconds"),
    ]
    assert told == {
        **{"target": "winmine", "columns": 9, "rows": 9, "mines": 10, "first_click": "safe"},
        **{"strategy": "best", "games": 5, "won": 3, "rate": 0.6, "low": low, "high": high},
        **{"median_seconds": 1.5, "strategy_version": 2, "think": 1},
        **{"gave_up": 1, "stopped": 2, "failed": 1, "repeats": 0},
        **{"median_clicks": 20.0, "median_efficiency": 0.75, "median_bbbv_per_second": 7.5},
    }
    # Only the last guess of a lost game did not hold; those of stopped and failed games are not known.
    assert sorted(group.guesses) == [
        *[(0.5, True)] * 3,
        *[(0.8, False), (0.8, True), (0.8, True)],
        (0.9, True),
    ]


def test_what_differs_is_another_group(store: Results) -> None:
    others = [
        replace(LIVE, target="practice"),
        replace(LIVE, columns=8),
        replace(LIVE, rows=8),
        replace(LIVE, mines=None),
        replace(LIVE, first_click=FirstClick.ZERO),
        replace(LIVE, strategy="seed"),
        replace(LIVE, strategy_version=1),
        replace(LIVE, think=8),
    ]
    store.add([LIVE, *others, LIVE])
    found = groups(store)
    assert len(found) == 9
    assert sum(group.games for group in found) == 10
    assert {group.key.player for group in found} == {"best@2", "best@1", "best@2:8", "seed@2"}
    assert len(groups(store, target="practice")) == 1
    assert [group.key.strategy for group in groups(store, strategy="seed")] == ["seed"]


def test_games_that_only_stopped_have_no_rate(store: Results) -> None:
    store.add([STOPPED])
    (group,) = groups(store)
    told = group.as_json()
    assert (told["games"], told["rate"], told["low"], told["high"]) == (0, None, 0.0, 1.0)
    assert told["median_seconds"] is told["median_efficiency"] is None


def test_a_simulated_game_that_is_played_again_counts_once(store: Results) -> None:
    again = replace(GAME, outcome=Result.LOST)
    other_start, other_seed = replace(GAME, board="b"), replace(GAME, seed="0:1")
    store.add([GAME, other_start, other_seed, again])
    (group,) = groups(store)
    assert (group.games, group.won, group.repeats) == (3, 2, 1), "the latest counts"
    store.add([LIVE, replace(LIVE, board="a"), replace(LIVE, board="a")])
    assert groups(store, target="winmine")[0].games == 3, "live games are never the same"
    of_rules = replace(GAME, target="eibx")
    store.add([of_rules, replace(of_rules, seed="0:1"), of_rules])
    (group,) = groups(store, target="eibx")
    assert (group.games, group.repeats) == (2, 1), "a rule set is a target of its own"
    seedless = replace(GAME, seed=None, strategy="local")
    store.add([seedless, seedless])
    assert groups(store, strategy="local")[0].repeats == 1, "a given board"
    nameless = replace(GAME, seed=None, board=None, strategy="seed")
    store.add([nameless, nameless])
    assert groups(store, strategy="seed")[0].games == 2


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"target": "winmime"}, "no game of the target 'winmime' .* there are practice, winmine"),
        ({"strategy": "luck"}, "no game of the strategy 'luck' .* there are best, seed"),
        ({"target": "practice", "strategy": "best"}, "'best' played no game of 'practice'"),
    ],
)
def test_a_name_that_is_not_there_is_told(store: Results, words: dict[str, str], text: str) -> None:
    store.add([LIVE, replace(LIVE, target="practice", strategy="seed")])
    with pytest.raises(BotError, match=text):
        groups(store, **words)  # type: ignore[arg-type]


def test_an_empty_store(store: Results) -> None:
    with pytest.raises(BotError, match=r"there is no game in .* yet"):
        groups(store)


def boards(player: GameResult, outcomes: str, first: int = 0) -> list[GameResult]:
    """Games on boards 0, 1, 2, …: W for won, L for lost, G for given up, S for stopped."""
    result = {"W": Result.WON, "L": Result.LOST, "G": Result.STOPPED, "S": Result.STOPPED}
    return [
        replace(player, board=f"board {first + index}", outcome=result[letter], gave_up=letter == "G")
        for index, letter in enumerate(outcomes)
    ]


SEED = replace(GAME, strategy="seed", strategy_version=1)


def test_pairs_are_the_same_boards(store: Results) -> None:
    store.add(
        boards(GAME, "WWWLLWSW") + boards(SEED, "WLGWLSWW", first=0)[::-1] + boards(SEED, "W", first=50)
    )
    (found,) = compare(store, "best", "seed")
    # Board 5 and 6 were stopped by one of them, board 50 was played by one only.
    assert found.paired == paired(
        [True, True, True, False, False, True], [True, False, False, True, False, True]
    )
    assert (found.first_won, found.second_won) == (4, 3)
    assert found.as_json() == {
        **{"target": "simulated", "columns": 9, "rows": 9, "mines": 10, "first_click": "safe"},
        **{"first": "best@2", "second": "seed@1", "games": 6, "first_won": 4, "second_won": 3},
        **{"only_first": 2, "only_second": 1, "difference": pytest.approx(1 / 6)},
        **{"low": found.paired.low, "high": found.paired.high, "p_value": found.paired.p_value},
    }


def test_a_board_counts_once_and_versions_are_kept_apart(store: Results) -> None:
    old = replace(GAME, strategy_version=1)
    store.add(boards(old, "LL") + boards(GAME, "WL") + boards(GAME, "WW") + boards(SEED, "LW") * 3)
    store.add(boards(replace(GAME, think=4), "LL"))
    (new,) = compare(store, "best", "seed")
    assert (new.paired.games, new.first_won, new.second_won) == (2, 2, 1)
    (versions,) = compare(store, "best@1", "best")
    assert (str(versions.first), str(versions.second)) == ("best@1", "best@2")
    assert (versions.first_won, versions.second_won) == (0, 2)
    (thought,) = compare(store, "best:4", "best@2")
    assert (str(thought.first), thought.first_won, thought.second_won) == ("best@2:4", 0, 2)


def test_kinds_of_games_are_compared_apart_and_together(store: Results) -> None:
    zero, seed_zero = (replace(each, first_click=FirstClick.ZERO) for each in (GAME, SEED))
    store.add(boards(GAME, "WWL") + boards(SEED, "LWL") + boards(zero, "WL") + boards(seed_zero, "LW"))
    safe, other = compare(store, "best", "seed")
    assert [each.kind.first_click for each in (safe, other)] == ["safe", "zero"]
    assert [each.paired.games for each in (safe, other)] == [3, 2]
    assert together([safe, other]) == paired(
        [True, True, False, True, False], [False, True, False, False, True]
    )
    assert compare(store, "best", "seed", target="simulated") == [safe, other]


def test_games_of_a_window_are_paired_with_simulated_ones(store: Results) -> None:
    live = replace(GAME, target="winmine")
    store.add(boards(live, "WLLW") + boards(GAME, "WWLL", first=1) + boards(SEED, "WW", first=2))
    (same,) = compare(store, "winmine/best", "simulated/best")
    assert (same.kind.target, same.paired.games) == ("winmine, simulated", 3)
    assert (str(same.first), same.first_won, str(same.second), same.second_won) == (
        *("winmine/best@2", 1),
        *("simulated/best@2", 2),
    )
    (other,) = compare(store, "winmine/best", "seed")
    assert (other.kind.target, other.paired.games, other.first_won) == ("winmine, any", 2, 1)
    with pytest.raises(BotError, match="no board in common"):
        compare(store, "simulated/seed", "seed", target="winmine")
    with pytest.raises(BotError, match="gnome-mines/best has no game"):
        compare(store, "gnome-mines/best", "best")
    with pytest.raises(UsageError, match="with itself"):
        compare(store, "winmine/best", "winmine/best@2")
    # Without a target, games of two targets are no pairs.
    with pytest.raises(BotError, match="no board in common"):
        compare(store, "best", "seed", target="winmine")


def test_what_cannot_be_compared(store: Results) -> None:
    store.add(boards(GAME, "WW") + boards(SEED, "WW", first=9))
    with pytest.raises(BotError, match="no board in common"):
        compare(store, "best", "seed")
    with pytest.raises(
        BotError, match=r"luck has no game on a known board in .*: no strategy is called 'luck'"
    ):
        compare(store, "best", "luck")
    with pytest.raises(BotError, match=r"best@1 has no game .* there are versions 2"):
        compare(store, "best@1", "seed")
    with pytest.raises(UsageError, match="is no player"):
        compare(store, "best@new", "seed")
    with pytest.raises(UsageError, match="with itself"):
        compare(store, "best", "best@2")


def test_calibration_by_hand() -> None:
    guesses = [(0.5, True), (0.54, False), (0.5, True), (0.15, False), (1.0, True), (0.97, True)]
    assert [(round(bin.given, 6), bin.held, bin.guesses) for bin in calibration(guesses)] == [
        (0.15, 0, 1),
        (0.513333, 2, 3),
        (0.985, 2, 2),
    ]
    assert calibration(guesses)[1].interval == wilson(2, 3)
    # The edge of a bin belongs to it, though 0.15 / 0.05 comes out below 3.
    assert len(calibration([(0.15, True), (0.19, True)])) == 1
    assert calibration([]) == []


@pytest.mark.slow
@pytest.mark.parametrize("games", [[LIVE, LOST, GAVE_UP, GAME], [replace(LIVE, guesses=())], [STOPPED]])
def test_a_plot_is_a_picture(store: Results, games: list[GameResult]) -> None:
    pytest.importorskip("matplotlib")
    store.add(games * 5)
    out = drawn(groups(store, guesses=True), "png")
    assert out.startswith(b"\x89PNG")
    assert len(out) > 10_000


@pytest.mark.slow
def test_a_plot_of_many_groups_draws_the_largest(store: Results) -> None:
    pytest.importorskip("matplotlib")
    store.add(replace(LIVE, columns=columns) for columns in range(9, 30) for _ in range(columns))
    plot = drawn(groups(store), "svg")
    assert plot.startswith(b"<?xml")
    assert b"the 12 largest of 21 groups" in plot


def test_without_matplotlib_nothing_is_drawn(store: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add([LIVE])
    found = groups(store)
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BotError, match=r"pip install .*\[report\]") as missing:
        drawn(found, "png")
    assert "\n" not in str(missing.value)


WRONG: tuple[object, ...] = (
    "text",
    b"\xff\x00",
    1e308,
    float("inf"),
    -5,
    2**63 - 1,
    "[",
    '["a"]',
    "{}",
    "[2]",
    "[-0.1]",
    "[" * 20_000,
)


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("outcome", "study", "game")])
def test_what_is_no_value_of_a_column_is_one_line(store: Results, column: str) -> None:
    store.add([LIVE, replace(LIVE, strategy="seed")])
    for wrong in (*WRONG, None):
        with closing(sqlite3.connect(store.path)) as file, suppress(sqlite3.IntegrityError):
            # A text that is no UTF-8 can be put there too.
            for value in ("?", "CAST(? AS TEXT)"):
                file.execute(f"UPDATE games SET {column} = {value}", (wrong,))
                file.commit()
                for read in (
                    lambda: groups(store, guesses=True),
                    lambda: compare(store, "best", "seed"),
                    lambda: groups(store, target="nosuch"),
                ):
                    with suppress(BotError):
                        read()
    with closing(sqlite3.connect(store.path)) as file:
        file.execute("UPDATE games SET guesses = 'broken', clicks = 3, columns = 9, rows = 9")
        file.commit()
    with pytest.raises(FormatError, match=r"is damaged") as told:
        groups(store, guesses=True)
    assert "\n" not in str(told.value)


def test_text_that_is_no_text_is_one_line(store: Results) -> None:
    store.add([LIVE])
    with closing(sqlite3.connect(store.path)) as file:
        file.execute("UPDATE games SET strategy = CAST(? AS TEXT)", (b"\xff\xfe",))
        file.commit()
    with pytest.raises(FormatError, match="damaged one") as told:
        groups(store)
    assert "\n" not in str(told.value)
