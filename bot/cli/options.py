"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

LEVEL_NAMES = ["beginner", "intermediate", "expert"]


def board_options(command: Command) -> Command:
    """Add --level, --size, --mines and --first-click."""
    for option in reversed(
        [
            click.option("--level", type=click.Choice(LEVEL_NAMES), help="A size that players know."),
            click.option("--size", metavar="COLUMNSxROWS", help="Another size; needs --mines."),
            click.option("--mines", type=int, metavar="N", help="The number of mines."),
            click.option(
                "--first-click",
                type=click.Choice(["any", "safe", "zero"]),
                help="How the first click is protected.",
            ),
        ]
    ):
        command = option(command)
    return command
