"""Options that several commands share: those of a board, pairs of numbers, and a help with headings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from bot.cli.parts.words import completed
from bot.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

LEVEL_NAMES = ["beginner", "intermediate", "expert"]
"""The levels of `bot.board`, which imports numpy: too slow for the help."""

FIRST_CLICKS = ["any", "safe", "zero"]
"""The values of `bot.board.FirstClick`."""

STRATEGY_NAMES = ["best", "exact", "seed", "local"]
"""The names of `bot.strategy.registry`, the default first."""

RULE_SET_NAMES = ["endoh1", "eibx", "comp1511", "winmine"]
"""The names of `bot.game.rule_sets`."""

MINES_HELP = "The number of mines; goes with --size."
FIRST_CLICK_HELP = (
    "The first click: any (unprotected), safe (no mine under it), zero (none around it either)."
)


def board_options(
    *, mines: str = MINES_HELP, first_click: str = FIRST_CLICK_HELP, default_first_click: str | None = "safe"
) -> Callable[[Command], Command]:
    """Add --level, --size, --mines and --first-click, which `bot.game.levels.rules_from` understands.

    `mines` and `first_click` are the help texts of those two options. The first click is None if it is not
    given and has no default.
    """
    options = [
        click.option(
            "--level",
            type=click.Choice(LEVEL_NAMES),
            metavar="LEVEL",
            help="beginner (the default), intermediate or expert.",
        ),
        click.option("--size", metavar="COLUMNSxROWS", help="A size of your own; goes with --mines."),
        click.option("--mines", type=int, metavar="N", help=mines),
        click.option(
            "--first-click",
            type=click.Choice(FIRST_CLICKS),
            metavar="RULE",
            default=default_first_click,
            show_default=True,
            help=first_click,
        ),
    ]

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class FiniteRange(click.FloatRange):
    """A number in a range. Click lets `nan` pass any, which is neither less nor more than its ends."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number to go by", param, ctx)
        return number


def strategy_option(who: str = "Who plays") -> Callable[[Command], Command]:
    """Add --strategy; `who` begins its help."""
    return click.option(
        "--strategy",
        type=completed.Named(completed.strategies),
        metavar="S",
        help=f"{who}: {', '.join(STRATEGY_NAMES)}. The settings have the default.",
    )


def think_option(command: Command) -> Command:
    """Add --think."""
    return click.option(
        "--think",
        type=click.IntRange(min=1, max=1000),
        default=1,
        show_default=True,
        metavar="N",
        help="How many times the usual thought best may spend on a guess.",
    )(command)


def record_option(command: Command) -> Command:
    """Add --record."""
    return click.option(
        "--record",
        "record_dir",
        type=completed.Named(completed.folders),
        metavar="DIR",
        help="Keep the recordings in this folder.",
    )(command)


def picture_options(command: Command) -> Command:
    """Add --theme and --size, which say what board a picture shows."""
    options = [
        click.option(
            "--theme",
            type=completed.Named(completed.themes),
            metavar="THEME",
            help="In a picture, look only for this theme.",
        ),
        click.option(
            "--size",
            metavar="COLUMNSxROWS",
            callback=_read_size,
            help="In a picture, look only for a board of this size.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _read_size(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Columns and rows."""
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]{1,4})[xX×]([0-9]{1,4})", value.strip())
    if match is None:
        raise click.BadParameter(f"{value!r} is no size: give COLUMNSxROWS, as in 30x16")
    return int(match[1]), int(match[2])


def pair(
    what: str, example: str
) -> Callable[[click.Context, click.Parameter, str | None], tuple[int, int] | None]:
    """A callback for an option that takes two whole numbers, as in `example`; `what` is what they are, for
    the message of an error."""

    def read(
        _context: click.Context, parameter: click.Parameter, value: str | None
    ) -> tuple[int, int] | None:
        if value is None:
            return None
        try:
            one, other = (int(word) for word in value.split(","))
        except ValueError:
            form = parameter.metavar
            raise click.BadParameter(f"{value!r} is no {what}: give {form}, as in {example}") from None
        return one, other

    return read


class Sectioned(click.Command):
    """A command whose help lists its options under headings."""

    def __init__(self, *words: Any, sections: Mapping[str, Sequence[str]], **more: Any) -> None:
        """`sections`: for each heading the names of its parameters; the other options come last."""
        super().__init__(*words, **more)
        self.sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, heading by heading."""
        left = {param.name: param for param in self.get_params(ctx)}
        groups = {title: [left.pop(name) for name in names] for title, names in self.sections.items()}
        groups["Other"] = [param for param in left.values() if isinstance(param, click.Option)]
        for title, params in groups.items():
            records = [param.get_help_record(ctx) for param in params]
            with formatter.section(title):
                formatter.write_dl([record for record in records if record is not None])


def refuse_overwriting(out: Path, option: str, given: Iterable[Path]) -> None:
    """Raise UsageError if the file of `option` is one of the `given` files, which it would overwrite."""
    for path in given:
        try:
            same = out.exists() and path.exists() and out.samefile(path)
        except (OSError, ValueError):  # board text may be longer than a file name can be
            continue
        if same:
            raise UsageError(f"{option} would write over {path}: name another file")
