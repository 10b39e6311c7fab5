"""The results drawn: win rates, how honest the given chances were, time and clicks per game."""

from __future__ import annotations

import io
import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.errors import BotError
from bot.lab.report import Group, calibration
from bot.process.extras import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_GROUPS = 12
"""The groups that are drawn: those with the most games."""

MOST_PLAYERS = 4
"""The players whose chances are drawn: those with the most guesses."""

FEW_GUESSES = 20
"""Fewer than these say little, and are drawn pale."""

COLOURS = ("#1f6fb4", "#d1602b", "#3a8f4d", "#8451a5")


def drawn(groups: Sequence[Group], kind: str) -> bytes:
    """A drawing of the groups as a file of this kind: `png`, `svg` or `pdf`. The groups need their guesses.

    Raises BotError where matplotlib is missing.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its first start tells of its fonts
    try:
        # No pyplot: it would look for a display and keep every figure.
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise BotError(
            f"drawing needs matplotlib, which is missing ({error}): {how_to_install('report')}"
        ) from error
    largest = sorted(groups, key=lambda group: -group.games)[:MOST_GROUPS]
    largest = [group for group in groups if group in largest]
    figure = Figure(figsize=(13, 8.5), layout="constrained")
    FigureCanvasAgg(figure)
    top, bottom = figure.subplots(2, 2)
    _rates(top[0], largest)
    _honesty(top[1], groups)
    _spread(
        bottom[0], largest, [group.seconds for group in largest], "seconds per game (won or lost)", log=True
    )
    _spread(bottom[1], largest, [group.clicks for group in largest], "clicks per game (won or lost)")
    left_out = f"; the {len(largest)} largest of {len(groups)} groups" if len(largest) < len(groups) else ""
    games = sum(group.games for group in groups)
    figure.suptitle(f"minebot: {games:,} games{left_out}", fontsize=13)
    content = io.BytesIO()
    figure.savefig(content, format=kind, dpi=110)
    return content.getvalue()


def _name(group: Group) -> str:
    key = group.key
    mines = "?" if key.mines is None else key.mines
    return f"{key.player}\n{key.target} {key.size}/{mines} {key.first_click}"


def _named(axes: Axes, groups: Sequence[Group]) -> None:
    axes.set_yticks(range(len(groups)), [_name(group) for group in groups], fontsize=8)
    axes.set_ylim(len(groups) - 0.4, -0.6)
    axes.grid(axis="x", alpha=0.3)


def _rates(axes: Axes, groups: Sequence[Group]) -> None:
    axes.set_title("win rate, 95 % intervals")
    for place, group in enumerate(groups):
        if group.rate is None:
            continue
        low, high = (100 * bound for bound in group.interval)
        axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=2.5, solid_capstyle="butt")
        axes.plot(100 * group.rate, place, "o", color=COLOURS[0])
        axes.annotate(
            f"{100 * group.rate:.1f} % of {group.games:,}",
            (100 * group.rate, place),
            (0, 7),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    _named(axes, groups)
    axes.set_xlabel("games won, %")
    axes.margins(x=0.15)


def _honesty(axes: Axes, groups: Sequence[Group]) -> None:
    axes.set_title("how honest the given chances were, 95 % intervals")
    guesses: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for group in groups:
        guesses[group.key.player] += group.guesses
    players = sorted((name for name in guesses if guesses[name]), key=lambda name: -len(guesses[name]))
    axes.plot([0, 100], [0, 100], color="0.6", linewidth=1, linestyle="--")
    for colour, player in zip(COLOURS, players[:MOST_PLAYERS], strict=False):
        bins = calibration(guesses[player])
        for bin in bins:
            low, high = (100 * bound for bound in bin.interval)
            alpha = 0.25 if bin.guesses < FEW_GUESSES else 0.9
            axes.plot([100 * bin.given] * 2, [low, high], color=colour, linewidth=1.5, alpha=alpha)
            axes.plot(100 * bin.given, 100 * bin.rate, "o", color=colour, markersize=4, alpha=alpha)
        axes.plot([], [], "o", color=colour, label=f"{player}: {len(guesses[player]):,} guesses")
    if players:
        axes.legend(loc="upper left", fontsize=8)
    else:
        axes.text(50, 50, "no guess was made", ha="center", va="center", backgroundcolor="white")
    axes.set_xlabel("chance to survive that was given, %")
    axes.set_ylabel("guesses that held, %")
    axes.set_xlim(0, 102)
    axes.set_ylim(0, 102)
    axes.grid(alpha=0.3)


def _spread(
    axes: Axes, groups: Sequence[Group], numbers: Sequence[Sequence[float]], what: str, *, log: bool = False
) -> None:
    """A box from the first to the third quarter with the median in it; lines from 5 to 95 % of the games."""
    axes.set_title(f"{what}: median, quarters, 5 to 95 %")
    places = [place for place, some in enumerate(numbers) if some]
    if places:
        axes.boxplot(
            [list(numbers[place]) for place in places],
            positions=places,
            orientation="horizontal",
            whis=(5, 95),
            showfliers=False,
            widths=0.5,
            medianprops={"color": COLOURS[1], "linewidth": 2},
        )
    if log and any(number > 0 for some in numbers for number in some):
        axes.set_xscale("log")
    _named(axes, groups)
    axes.set_xlabel(what.split(" (")[0])
