"""`minebot solve`: a board or a picture in, the chances of a mine and the best cell out."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.options import (
    FIRST_CLICKS,
    picture_options,
    refuse_overwriting,
    strategy_option,
    think_option,
)
from bot.cli.parts.outputs import (
    PICTURES,
    STDOUT,
    OutputFile,
    json_text,
    refuse_beside_json,
    refuse_same,
    text_beside,
    write_picture,
)
from bot.cli.parts.words import completed
from bot.cli.parts.words.run_settings import strategy_name
from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from bot.board import Board, Rules
    from bot.strategy.advice import Advice
    from bot.strategy.base import Candidate

MORE = 4
"""Candidates that are shown to people, the best among them."""

WHOLE = 2**53
"""The largest number of layouts that every reader of JSON takes for what it is."""


@click.command("solve", epilog="Example: minebot solve '1#2##/12###/#####' --mines 4 --picture chances.png")
@click.argument(
    "boards", nargs=-1, required=True, type=completed.Named(completed.files), metavar="BOARD-OR-PICTURE…"
)
@click.option("--mines", type=click.IntRange(min=0), metavar="N", help="The mines of the whole board.")
@click.option(
    "--first-click",
    type=click.Choice(FIRST_CLICKS),
    metavar="RULE",
    help="The first click: any, safe or zero (default: safe, or as the game in the picture has it).",
)
@strategy_option("Who says what is best")
@think_option
@picture_options
@click.option(
    "--board",
    "number",
    type=click.IntRange(min=0),
    metavar="N",
    help="Of several boards in a picture, the one of this number, as read counts them: 0 is the first.",
)
@click.option("--picture", type=OutputFile(PICTURES), metavar="OUT.png", help="Draw it; - is stdout.")
@click.option(
    "--html",
    type=OutputFile((".html", ".htm"), "page"),
    metavar="OUT.html",
    help="Write it as a page: the board or the screenshot with the chances, and why; - is stdout.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a board.")
@click.pass_context
def command(
    context: click.Context,
    /,
    boards: tuple[str, ...],
    mines: int | None,
    first_click: str | None,
    strategy: str | None,
    think: int,
    theme: str | None,
    size: tuple[int, int] | None,
    number: int | None,
    picture: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Say of every covered cell how likely it is a mine, and which cell is best to open.

    A board is a file of board text or a picture of a game, `-` for standard input, or the text itself: one
    letter a cell, `#` covered, `.` or `0` opened and empty, `1` to `8`, `*` a known mine, its rows apart
    by newlines or `/`. Flags are not trusted. Without --mines, and with no counter in a picture, the total is
    unknown.
    """
    from bot.board import FirstClick
    from bot.cli.parts.position_argument import Chosen, position
    from bot.cli.parts.showing.board_page import write_board_page
    from bot.process.progress import told
    from bot.strategy.advice import advise
    from bot.strategy.registry import strategy as strategy_of

    for path, option in ((picture, "--picture"), (html, "--html")):
        if path is not None and len(boards) > 1:
            raise UsageError(f"{option} draws one board: give one")
        if path is not None:
            refuse_overwriting(path, option, [Path(given) for given in boards])
        refuse_beside_json(path, option, as_json)
    refuse_same({"--picture": picture, "--html": html})
    strategy = strategy_name(strategy)
    strategy_of(strategy, think)
    rule = None if first_click is None else FirstClick(first_click)
    status = 0
    for given in boards:
        name = _name(given)
        try:
            board, rules = position(given, mines, rule, Chosen(theme, size, number))
            with told(partial("thinking about {}".format, name)):
                advice = advise(board, rules, strategy, think)
            if picture is not None:
                _draw(board, rules, advice, picture)
            if html is not None:
                chosen = Chosen(theme, size, number)
                write_board_page(html, given, name, chosen, board, rules, advice, _words(rules, advice))
        except BotError as error:
            status = max(status, error.exit_status)
            if as_json:
                click.echo(json_text({"board": _whole_name(given), "error": str(error)}))
            click.echo(f"minebot: {name}: {error}", err=True)
            continue
        if as_json:
            click.echo(json_text(_described(_whole_name(given), board, rules, advice)))
        else:
            if len(boards) > 1:
                click.echo(f"{name}:")
            with text_beside(STDOUT if STDOUT in (picture, html) else None):
                click.echo(_chances(board, advice))
                click.echo("\n".join(_words(rules, advice)))
    context.exit(status)


def _name(given: str) -> str:
    """What the messages call it: one line, and of board text a short one; the name of a file is whole."""
    from bot.cli.parts.position_argument import is_board_text

    line = _whole_name(given).replace("\n", "/")
    return f"{line[:57]}..." if len(line) > 60 and is_board_text(given) else line


def _whole_name(given: str) -> str:
    """What the JSON calls it: a file by its name as it is given, board text in one line."""
    from bot.cli.parts.position_argument import is_board_text

    if not given.strip():
        return repr(given)
    return given.strip().replace("\n", "/") if is_board_text(given) else given


def _described(name: str, board: Board, rules: Rules, advice: Advice) -> dict[str, Any]:
    solved = advice.solved
    grid = [
        [solved.chance.get((row, column)) for column in range(board.columns)] for row in range(board.rows)
    ]
    exact = solved.solutions is not None and solved.solutions <= WHOLE
    return {
        "board": name,
        "cells": board.lines,
        "total": rules.mines,
        "safe": [list(cell) for cell in solved.safe],
        "mines": [list(cell) for cell in solved.mines],
        "probability": grid,
        "best": None if advice.best is None else list(advice.best),
        "survival": advice.survival,
        "win": advice.win,
        "candidates": [
            {
                "cell": list(each.cell),
                "survival": each.survival,
                "win": each.win,
                "win_at_most": each.most,
                "score": each.score,
            }
            for each in advice.candidates
        ],
        "dead": [list(cell) for cell in solved.dead],
        "solutions": solved.solutions if exact else None,
        "log10_solutions": solved.log10_solutions,
        "approximate": solved.approximate,
        "reason": advice.reason,
    }


def _chances(board: Board, advice: Advice) -> str:
    """The board, five letters a cell: numbers as they are, chances in percent, the best cell in brackets,
    dead cells with an apostrophe."""
    from bot.board import SYMBOLS
    from bot.board_svg import percent

    chance, dead = advice.solved.chance, set(advice.solved.dead)
    lines = ["     " + "".join(f"{column:^5}" for column in range(board.columns)).rstrip()]
    for row in range(board.rows):
        line = f"{row:>3}  "
        for column in range(board.columns):
            cell = row, column
            if cell not in chance:
                line += click.style(f"{SYMBOLS[board[cell]]:^5}", bold=True)
                continue
            text = percent(chance[cell])
            if text[-1].isdigit():
                text += "%"
            text += "'" if cell in dead else ""
            colour = "green" if chance[cell] == 0 else "red" if chance[cell] == 1 else None
            best = cell == advice.best
            padded = f"[{text}]" if best else text
            line += click.style(f"{padded:^5}", fg="blue" if best else colour, bold=best)
        lines.append(line.rstrip())
    if dead:
        lines.append("     ' a dead cell: it shows the same number whenever it is safe, and teaches nothing")
    return "\n".join(lines)


def _words(rules: Rules, advice: Advice) -> list[str]:
    """What the board does not show: the best cell and why, and how much is known."""
    solved = advice.solved
    if advice.best is None:
        lines = [f"no cell to open: {advice.reason}"]
    else:
        row, column = advice.best
        worth = f"survives with {_rate(advice.survival)}"
        if advice.win is not None:
            worth += f", wins with {_rate(advice.win)} by perfect play"
        lines = [f"best: row {row}, column {column}: {worth}", f"why: {advice.reason}"]
        lines += [f"  or {_candidate(each)}" for each in advice.candidates[1:MORE]]
    lines.append(f"safe: {len(solved.safe)}, mines: {len(solved.mines)}, dead: {len(solved.dead)}")
    if solved.approximate:
        lines.append("layouts: too many to count; chances are estimates, what is called certain is certain")
    elif solved.solutions is not None and solved.solutions < 10**15:
        lines.append(f"layouts: {solved.solutions:,}")
    elif solved.log10_solutions is not None:
        power = int(solved.log10_solutions)
        lines.append(f"layouts: {10 ** (solved.log10_solutions - power):.2f}e{power}")
    if rules.mines is None and solved.chance:
        lines.append(
            "the mine total is unknown (give --mines N): cells beside no number are taken for mines with 20 %"
        )
    return lines


def _candidate(each: Candidate) -> str:
    """Another cell that came into question."""
    words = f"row {each.cell[0]}, column {each.cell[1]}: survives with {_rate(each.survival)}"
    if each.win is not None:
        return f"{words}, wins with {_rate(each.win)}"
    if each.most is not None:
        return f"{words}, wins with {_rate(each.most)} at most"
    return words if each.score is None else f"{words}, wins with about {_rate(each.score)}"


def _rate(chance: float | None) -> str:
    """A chance in percent, never rounded to a certainty that it is not."""
    if chance is None:
        return "?"
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f} %"
    return f"{min(max(100 * chance, 0.01), 99.99):.2f} %"


def _draw(board: Board, rules: Rules, advice: Advice, path: Path) -> None:
    from bot.lab.heatmap import draw_heatmap

    solved = advice.solved
    caption = tuple(_words(rules, advice))
    write_picture(path, draw_heatmap(board, solved.chance, advice.best, set(solved.dead), caption))
