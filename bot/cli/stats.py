"""`minebot stats`: win rates of what was played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.parts.options import refuse_overwriting
from bot.cli.parts.outputs import (
    STDOUT,
    OutputFile,
    json_text,
    refuse_beside_json,
    refuse_same,
    text_beside,
    write,
)
from bot.cli.parts.results_keeping import db_option
from bot.cli.parts.words import completed
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.lab.pairing import Comparison, Kind
    from bot.lab.report import Group, Key

PLOTS = (".png", ".svg", ".pdf")
"""The suffixes of plots; without one it is a PNG."""

MEDIANS = ("seconds", "bbbv_per_second", "efficiency")
"""Of each group, the last columns of the table."""


@click.command("stats", epilog="Example: minebot stats --strategy best --plot rates.png")
@db_option
@click.option(
    "--target",
    metavar="NAME",
    help="Only games of this theme, or simulated ones of this rule set (`winmine rules` for winmine);"
    " `simulated` are those of none.",
)
@click.option(
    "--strategy", type=completed.Named(completed.strategies), metavar="S", help="Only games of this strategy."
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Pair the games that two strategies played on the same boards; best@2 is version 2 of best,"
    " winmine/best its games in that window.",
)
@click.option(
    "--plot",
    type=OutputFile(PLOTS),
    metavar="OUT.png",
    help="Draw win rates, the honesty of the chances, time and clicks (needs matplotlib); - is stdout.",
)
@click.option(
    "--html",
    type=OutputFile((".html", ".htm"), "page"),
    metavar="OUT.html",
    help="Write a page of them, one file that needs no network; - is stdout.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a group.")
def command(
    db: Path | None,
    target: str | None,
    strategy: str | None,
    compare: tuple[str, str] | None,
    plot: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Tell the win rates of what was played, with their 95 % intervals (Wilson).

    Games that the user stopped and games that failed say nothing of a strategy: they are counted apart and
    are not in the rate. A game that the strategy gave up is not won. A simulated game that was played again
    counts once.
    """
    from bot.lab.pairing import compare as compared
    from bot.lab.report import groups
    from bot.lab.results import Results, default_path

    if compare is not None and (strategy is not None or plot is not None or html is not None):
        spelt = "--strategy" if strategy is not None else "--plot" if plot is not None else "--html"
        raise UsageError(f"--compare and {spelt} exclude each other: leave out one of them")
    path = db or default_path()
    for out, option in ((plot, "--plot"), (html, "--html")):
        refuse_beside_json(out, option, as_json)
        if out is not None:
            refuse_overwriting(out, option, [path])
    refuse_same({"--plot": plot, "--html": html})
    with Results(path, create=False) as results:
        if compare is not None:
            _print_comparisons(compared(results, *compare, target=target), as_json)
            return
        found = groups(results, target=target, strategy=strategy, guesses=not (plot is None and html is None))
        if html is not None:
            from bot.cli.parts.showing.stats_page import pairs_of, stats_page

            told = stats_page(found, pairs_of(results, found, target)).encode()
    # Files first: whoever reads the tables may close the pipe, as `head` does.
    if html is not None:
        write(html, told)
    if plot is not None:
        from bot.lab.plots import drawn

        suffix = plot.suffix.lower()
        write(plot, drawn(found, suffix[1:] if suffix in PLOTS else "png"))
        if plot != STDOUT:
            click.echo(f"minebot: drew {plot}", err=True)
    if as_json:
        for group in found:
            click.echo(json_text(group.as_json()))
    else:
        with text_beside(STDOUT if STDOUT in (plot, html) else None):
            _print_groups(found)


def _print_groups(groups: Sequence[Group]) -> None:
    from bot.cli.parts.tables import print_table

    titles = ["target", "board", "strategy", "games", "rate", "95 % interval"]
    apart = [name for name in ("gave_up", "stopped", "failed") if any(getattr(g, name) for g in groups)]
    titles += [*(name.replace("_", " ") for name in apart), "won", "seconds", "3BV/s", "efficiency"]
    rows = []
    for group in groups:
        key, told = group.key, group.as_json()
        low, high = group.interval
        row = [key.target, _board(key), key.player, str(group.games)]
        row += ["" if group.rate is None else f"{group.rate:.2%}", f"{low:.2%} to {high:.2%}"]
        row += [*(str(getattr(group, name)) for name in apart), str(group.won)]
        rows.append([*row, *(_short(told[f"median_{name}"]) for name in MEDIANS)])
    print_table(titles, rows, naming=3)
    click.echo("; ".join(_notes(groups)))


def _notes(groups: Sequence[Group]) -> list[str]:
    """What has to be known to read the table rightly."""
    gave_up, stopped, failed, repeats = (
        sum(getattr(group, name) for group in groups) for name in ("gave_up", "stopped", "failed", "repeats")
    )
    notes = ["seconds, 3BV/s and efficiency are medians, the last two of games won"]
    if gave_up:
        notes.append(f"the {gave_up} that the strategy gave up are not won")
    if stopped or failed:
        notes.append(
            f"{stopped} that were stopped and {failed} that failed are not in the games nor the rate"
        )
    if repeats:
        notes.append(f"{repeats} simulated games were played more than once and count once")
    return notes


def _board(key: Key | Kind) -> str:
    mines = "?" if key.mines is None else key.mines
    return f"{key.columns}x{key.rows}/{mines} {key.first_click}"


def _short(number: object) -> str:
    if not isinstance(number, float):
        return ""
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def _print_comparisons(comparisons: Sequence[Comparison], as_json: bool) -> None:
    from bot.lab.pairing import together

    if as_json:
        for comparison in comparisons:
            click.echo(json_text(comparison.as_json()))
        return
    from bot.cli.parts.tables import print_table

    first, second = str(comparisons[0].first), str(comparisons[0].second)
    titles = ["target", "board", "games", "difference", "95 % interval", "p"]
    titles += [first, second, f"only {first} won", f"only {second} won"]
    rows = []
    for each in comparisons:
        pairs = each.paired
        row = [each.kind.target, _board(each.kind), str(pairs.games), f"{100 * pairs.difference:+.2f} pp"]
        row += [f"{100 * pairs.low:+.2f} to {100 * pairs.high:+.2f}", f"{pairs.p_value:.2g}"]
        row += [f"{won / pairs.games:.2%}" for won in (each.first_won, each.second_won)]
        rows.append([*row, str(pairs.only_first), str(pairs.only_second)])
    print_table(titles, rows, naming=2)
    click.echo(f"the difference is {first} less {second}, on the same boards (McNemar)")
    if len(comparisons) > 1:
        pairs = together(comparisons)
        click.echo(
            f"all {pairs.games} games together: {100 * pairs.difference:+.2f} pp"
            f" ({100 * pairs.low:+.2f} to {100 * pairs.high:+.2f}), p {pairs.p_value:.2g}"
        )
