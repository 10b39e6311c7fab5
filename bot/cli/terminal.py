"""`minebot terminal`: the games of the terminal, by hand, by the bot, and to look on."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import click

from bot.cli.parts.options import FiniteRange, Sectioned, strategy_option
from bot.cli.parts.words import completed
from bot.cli.parts.words.run_settings import strategy_name
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.board import Rules
    from bot.strategy.base import Strategy

RULES = ["endoh1", "eibx", "comp1511"]
"""The games of `bot.game.rule_sets` that have a look in the terminal."""


@click.command(
    "terminal",
    cls=Sectioned,
    sections={
        "All games": ["watch", "plain", "strategy", "seed", "pause"],
        "endoh1": ["without_final_rule"],
        "comp1511": ["side", "screen", "bot", "games", "no_hints", "program", "as_json"],
    },
    epilog="Example: minebot terminal eibx 16 16 40",
)
@click.argument("rules", type=click.Choice(RULES), metavar="endoh1|eibx|comp1511")
@click.argument("words", nargs=-1, type=completed.Named(completed.maps), metavar="[MAP | WIDTH HEIGHT MINES]")
@click.option("--watch", is_flag=True, help="Look on while the bot plays.")
@click.option("--plain", is_flag=True, help="A look without colours.")
@strategy_option("Who plays, with --watch or --bot")
@click.option("--seed", type=click.IntRange(min=0), metavar="K", help="Which games (default: chance).")
@click.option(
    "--pause",
    type=FiniteRange(0, 10),
    metavar="S",
    help="Seconds for a step (default: 0.009; with --watch 0.1).",
)
@click.option(
    "--without-final-rule",
    is_flag=True,
    help="Do not flag what is left where as many cells are left as mines.",
)
@click.option("--side", type=int, metavar="N", help="Rows and columns of the field (default: 8).")
@click.option("--screen", is_flag=True, help="On the whole terminal, by keyboard and mouse.")
@click.option("--bot", "bot", is_flag=True, help="The bot plays the program over pipes.")
@click.option(
    "--games", type=click.IntRange(min=1), metavar="N", help="How many games, with --bot (default: 1)."
)
@click.option("--no-hints", is_flag=True, help="Ask for no hint, with --bot or --watch.")
@click.option(
    "--program",
    metavar="COMMAND",
    help="Another program of the same assignment to be played, with --bot.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with --bot.")
def command(
    rules: str,
    words: tuple[str, ...],
    watch: bool,
    plain: bool,
    strategy: str | None,
    seed: int | None,
    pause: float | None,
    without_final_rule: bool,
    side: int | None,
    screen: bool,
    bot: bool,
    games: int | None,
    no_hints: bool,
    program: str | None,
    as_json: bool,
) -> int:
    """Play one of three games in the terminal, by keyboard and mouse.

    endoh1 [MAP]: the semi-automatic game. You probe a cell, and all that follows from it is probed and
    flagged for you. The field is as large as the terminal, or a prepared MAP: a file, or one of last-rule,
    mine, spiral.

    eibx [WIDTH HEIGHT MINES]: the game in 100 lines. The first click can lose.

    comp1511: the assignment, a program on standard input and output; mines, then commands by their numbers.
    With --bot something lays mines for it and the bot plays.
    """
    given = {
        "--without-final-rule": without_final_rule,
        "--side": side is not None,
        "--screen": screen,
        "--bot": bot,
        "--games": games is not None,
        "--no-hints": no_hints,
        "--program": program is not None,
        "--json": as_json,
        "--strategy": strategy is not None,
        "--watch": watch,
        "--plain": plain,
        "--pause": pause is not None,
        "--seed": seed is not None,
    }
    _check_words(rules, words, given)
    if watch:
        return _watch(rules, words, plain, strategy, seed, pause, side, no_hints)
    if rules == "endoh1":
        return _endoh1(words, plain, not without_final_rule, seed, pause)
    if rules == "eibx":
        return _eibx(words, plain, seed)
    if bot:
        from bot.cli.parts.pipe_matches import play_pipes

        return play_pipes(
            strategy_name(strategy), _square(side), games or 1, seed, not no_hints, program, as_json
        )
    if screen:
        from bot.terminal.comp1511_screen import Comp1511
        from bot.terminal.screen import show

        show(Comp1511(_square(side), seed), plain=plain)
        return 0
    from bot.terminal.comp1511 import run

    if sys.stdout is None:
        raise UsageError("stdout is closed, and the game is printed there: leave it open")
    if sys.stdin is None:
        return run((), sys.stdout, side)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no numbers either
    return run(sys.stdin, sys.stdout, side)


def _check_words(rules: str, words: tuple[str, ...], given: dict[str, bool]) -> None:
    """Raise UsageError for words that do not go with the game, or with each other."""
    bot_or_watch = given["--bot"] or given["--watch"]
    whole_screen = rules != "comp1511" or given["--screen"] or given["--watch"]
    right = {
        "--without-final-rule": (rules == "endoh1" and not given["--watch"], "endoh1 without --watch"),
        "--side": (rules == "comp1511", "comp1511"),
        "--screen": (rules == "comp1511" and not bot_or_watch, "comp1511 without --bot or --watch"),
        "--bot": (rules == "comp1511" and not given["--watch"], "comp1511 without --watch"),
        "--games": (given["--bot"], "comp1511 --bot"),
        "--no-hints": (rules == "comp1511" and bot_or_watch, "comp1511 with --bot or --watch"),
        "--program": (given["--bot"], "comp1511 --bot"),
        "--json": (given["--bot"], "comp1511 --bot"),
        "--strategy": (bot_or_watch, "--watch, or comp1511 --bot"),
        "--plain": (whole_screen and not given["--bot"], "endoh1, eibx, --watch, or comp1511 --screen"),
        "--pause": (given["--watch"] or rules == "endoh1", "--watch, or endoh1"),
        "--seed": (whole_screen or given["--bot"], "endoh1, eibx, --watch, or comp1511 --screen or --bot"),
    }
    for option, (is_right, wanted) in right.items():
        if given[option] and not is_right:
            others = [mode for mode in ("--watch", "--bot", "--screen") if given[mode] and mode != option]
            said = " ".join((rules, *others))
            raise UsageError(f"{option} goes with {wanted}, not with {said}: see `minebot terminal --help`")
    most = {"endoh1": 1, "eibx": 3, "comp1511": 0}[rules]
    if len(words) > most:
        raise UsageError(f"{rules} takes no word {words[most]!r}: see `minebot terminal --help`")
    if rules == "eibx" and len(words) not in (0, 3):
        raise UsageError(
            "eibx takes a width, a height and a number of mines: as in `minebot terminal eibx 9 9 10`"
        )


def _endoh1(
    words: tuple[str, ...], plain: bool, final_rule: bool, seed: int | None, pause: float | None
) -> int:
    from bot.game.priority_map import read_map
    from bot.terminal.endoh1 import STEP_S, Endoh1
    from bot.terminal.screen import show

    field = read_map(words[0]) if words else None

    step_s = STEP_S if pause is None else pause
    show(Endoh1(field, final_rule=final_rule, seed=seed, step_s=step_s, plain=plain), plain=plain)
    return 0


def _terminal_size() -> tuple[int, int]:
    """Columns and lines of the terminal itself, whatever the environment says; 80x24 where there is none."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns, size.lines


def _eibx_rules(words: tuple[str, ...]) -> Rules:
    from bot.game.levels import check_size
    from bot.game.rule_sets import EIBX

    if not words:
        return EIBX.rules()
    try:
        columns, rows, mines = (int(word) for word in words)
    except ValueError:
        raise UsageError(f"eibx takes three whole numbers, not {' '.join(words)}") from None
    check_size(columns, rows)
    most = columns * rows - 1
    if not 0 <= mines <= most:
        raise UsageError(f"a field of {columns}x{rows} takes 0 to {most} mines, not {mines}")
    return EIBX.rules(columns, rows, mines)


def _eibx(words: tuple[str, ...], plain: bool, seed: int | None) -> int:
    rules = _eibx_rules(words)
    from bot.terminal.eibx import Eibx
    from bot.terminal.screen import show

    show(Eibx(rules, seed), plain=plain)
    return 0


def _square(side: int | None) -> Rules:
    """The rules of a comp1511 game with as many mines, by share, as the usual one."""
    from bot.game.rule_sets import COMP1511

    if side is None:
        return COMP1511.rules()
    share = COMP1511.mines / (COMP1511.columns * COMP1511.rows)
    return COMP1511.rules(side, side, max(1, round(side * side * share)))


def _watch(
    rules: str,
    words: tuple[str, ...],
    plain: bool,
    strategy: str | None,
    seed: int | None,
    pause: float | None,
    side: int | None,
    no_hints: bool,
) -> int:
    from bot.game.rule_sets import ENDOH1, rule_set
    from bot.strategy.registry import names
    from bot.terminal.screen import show
    from bot.terminal.watch import Watch

    name = strategy_name(strategy)
    if name not in names():
        raise UsageError(f"no strategy is called {name!r}: use one of {', '.join(names())}")
    if rules == "endoh1":
        if words:
            raise UsageError("a map is for playing by hand: leave it out with --watch")
        columns, lines = _terminal_size()
        columns, rows = max(2, min(columns // 2, 100)), max(2, min(lines - 3, 100))
        played = ENDOH1.rules(columns, rows, columns * rows // 5)
    else:
        played = _eibx_rules(words) if rules == "eibx" else _square(side)

    def player() -> Strategy:
        from bot.strategy.hinted import player_of

        return player_of(name)

    hints = 0 if no_hints else None
    show(
        Watch(
            rule_set(rules),
            played,
            player,
            pause_s=0.1 if pause is None else pause,
            seed=seed,
            hints=hints,
            plain=plain,
        ),
        plain=plain,
    )
    return 0
