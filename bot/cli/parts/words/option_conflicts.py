"""Options of `minebot run` that exclude or require each other."""

from __future__ import annotations

from collections.abc import Mapping

import click

from bot.errors import UsageError

NEED_PRACTICE = ("virtual", "headless", "level", "size", "scale", "seed")
"""Options that say how the built-in window is opened. --mines and --first-click apply to any window."""

EXCLUDE = (
    ("new", "resume"),
    ("no_record", "record_dir"),
    ("no_record", "keep"),
    ("db", "no_db"),
    ("virtual", "headless"),
    ("practice", "target"),
    ("name", "no_records"),
    ("dry_run", "record_dir"),
    ("dry_run", "keep"),
    ("assist", "hint"),
    ("assist", "dry_run"),
    ("assist", "db"),
    ("hint", "dry_run"),
    ("hint", "new"),
    ("hint", "flags"),
    ("hint", "clicks_per_second"),
    ("hint", "name"),
    ("hint", "no_records"),
    ("hint", "db"),
    ("hint", "restart"),
    ("practice", "restart"),
    ("until_won", "hint"),
    ("for_time", "hint"),
)
"""Pairs of options that exclude each other."""


def refuse_conflicts(command: click.Command, values: Mapping[str, object]) -> None:
    """Raise UsageError for options that exclude each other, or that lack an option which they require.

    `values`: by the names of the command's parameters; one that is None or False was not given.
    """
    spelt = {param.name: param.opts[0] for param in command.params}
    given = {name for name, value in values.items() if value is not None and value is not False}
    for name in NEED_PRACTICE:
        if name in given and "practice" not in given:
            raise UsageError(f"{spelt[name]} goes with --practice: add it")
    for pair in EXCLUDE:
        if given.issuperset(pair):
            one, other = (spelt[name] for name in pair)
            raise UsageError(f"{one} and {other} exclude each other: leave out one of them")
    if "virtual" in given and not given.isdisjoint({"assist", "hint"}):
        raise UsageError("--virtual draws a window in memory, where nobody can click: leave it out")
    if "open_it" in given and "view" not in given:
        raise UsageError("--open opens the page of --view: add it")
    if "sound" in given and given.isdisjoint({"assist", "hint"}):
        raise UsageError("--sound goes with --assist or --hint: add one of them")
