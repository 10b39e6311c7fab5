"""The `minebot` command: finds a command's file by its name and turns errors into one line each."""

from __future__ import annotations

import importlib
import sys

import click

from bot import __version__
from bot.errors import BotError

COMMANDS: dict[str, str] = {
    "run": "Play a window on the screen.",
    "practice": "Open the built-in game window.",
    "read": "Read boards from pictures.",
    "replay": "Read and decide a recording again.",
    "solve": "Show the chances of a mine on a board or in a picture.",
    "simulate": "Play many games with no window.",
    "doctor": "Say what this machine lacks, and the mend.",
    "completion": "Print the shell's completion script.",
}
"""Each command with its line in the help; its code is `bot/cli/<name>.py`, imported only when it runs."""


class Tree(click.Group):
    """A group whose commands are imported only when they are called, so that `--help` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"bot.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    cls=Tree,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: minebot run --practice --games 3",
)
@click.version_option(__version__, prog_name="minebot")
def tree() -> None:
    """Read a Minesweeper window from its pixels, work out what is safe, and click until it is won.

    Sites with ranked games forbid bots: do not run it there.
    """


def main() -> None:
    """Run the command line; every error is one line on stderr and an exit status."""
    try:
        status = tree.main(prog_name="minebot", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("minebot: stopped", err=True)
        sys.exit(130)
    except BotError as error:
        click.echo(f"minebot: {error}", err=True)
        sys.exit(error.exit_status)
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
