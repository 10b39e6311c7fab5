"""Writes what each command's help says into docs/commands.md, below its mark.

python docs/write_options.py            # writes it
python docs/write_options.py --check    # exit status 1 where the page does not say what the help says
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

from bot.cli.main import COMMANDS, tree

PAGE = Path(__file__).parent / "commands.md"
MARK = "<!-- options: python docs/write_options.py -->\n"
BAR = "\\|"

LITERAL = re.compile(r"(^ {4}.*$|`[^`]+`)", re.MULTILINE)
"""An indented line, or a code span, which may go over the end of a line."""


def with_options(page: str) -> str:
    """The page with the options of every command below its mark."""
    head, _ = page.split(MARK)
    return head + MARK + "".join(_command(name) for name in COMMANDS)


def _command(name: str) -> str:
    command = tree.get_command(click.Context(tree), name)
    assert command is not None
    context = click.Context(command, info_name=f"minebot {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    rows = [_option(option, context) for option in command.params if isinstance(option, click.Option)]
    table = "\n".join(["| option | what it does |", "| --- | --- |", *rows])
    example = (command.epilog or "").removeprefix("Example: ").replace(", then ", "\n    ")
    example = f"\n    {example}\n" if example else ""
    body = _escaped(_as_paragraphs(text))
    return f"\n## minebot {name}\n\n`usage: minebot {name} {usage}`\n\n{body}\n{example}\n{table}\n"


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    record = option.get_help_record(context)
    takes = "" if option.is_flag or option.count else f" `{option.make_metavar(context)}`"
    # A table takes a bar for the end of its cell even in a code span.
    return f"| {names}{takes} | {_escaped(record[1] if record else '').replace('|', BAR)} |"


def _as_paragraphs(text: str) -> str:
    """Text whose indented lines are literal."""
    return "\n".join(
        line if line.startswith("    ") or not line.startswith(" ") else f"  {line}"
        for line in text.split("\n")
    )


def _escaped(text: str) -> str:
    """Text in which no letter is taken for a tag, a link or emphasis.

    Code spans and indented lines stay as they are: there a backslash would be shown, and copied.
    """
    parts = LITERAL.split(text)
    for at in range(0, len(parts), 2):
        for letter, written in (("<", "&lt;"), ("[", "\\["), ("*", "\\*")):
            parts[at] = parts[at].replace(letter, written)
    return "".join(parts)


def main() -> int:
    """Write or check the page; the exit status."""
    page = PAGE.read_text(encoding="utf-8")
    wanted = with_options(page)
    if page == wanted:
        return 0
    if "--check" in sys.argv:
        sys.stderr.write("docs/commands.md is not what the help says: run `python docs/write_options.py`\n")
        return 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
