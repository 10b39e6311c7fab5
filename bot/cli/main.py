"""The `minebot` command: finds a command's file by its name and turns errors into one line each."""

from __future__ import annotations

try:
    import atexit
    import contextlib
    import errno
    import importlib
    import os
    import stat
    import sys
    from collections.abc import Iterator
    from typing import Any

    import click

    from bot import __version__
    from bot.errors import BotError
except KeyboardInterrupt:  # a Ctrl-C in the tenth of a second that this takes
    raise SystemExit(130) from None

COMMANDS: dict[str, str] = {
    "run": "Play a window on the screen.",
    "watch": "Record what a person plays.",
    "practice": "Open the built-in game window.",
    "read": "Read boards from pictures.",
    "replay": "Read and decide a recording again.",
    "review": "Judge how games were played.",
    "solve": "Show the chances of a mine on a board or in a picture.",
    "simulate": "Play many games with no window.",
    "terminal": "Play the games of the terminal, or look on.",
    "stats": "Tell the win rates of what was played.",
    "calibrate": "Learn a window that no theme fits, by playing it.",
    "doctor": "Say what this machine lacks, and the mend.",
    "completion": "Print the shell's completion script.",
    "help": "Print the help of a command.",
}
"""Each command with its line in the help; its code is `bot/cli/<name>.py`, imported only when it runs."""


CLOSED = 141
"""The exit status where whoever read the output has closed it, as `head` does: that of a program that SIGPIPE
ends. The signal itself stays ignored, for a window's or a child's pipe may break too."""


class _BrokenPipe(Exception):
    """Carries a BrokenPipeError, its one argument, past click, which would end the program with status 1."""


@contextlib.contextmanager
def _past_click() -> Iterator[None]:
    """Carry a BrokenPipeError of the body past click."""
    try:
        yield
    except BrokenPipeError as error:
        raise _BrokenPipe(error) from error


class Tree(click.Group):
    """A group whose commands are imported only when they are called, so that `--help` is instant."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the words; `--help` prints here already."""
        with _past_click():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that the words name."""
        with _past_click():
            return super().invoke(ctx)

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words name. Raises UsageError for an unknown one: did you mean that?"""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            import difflib

            close = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f", did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"there is no command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _tree() -> click.Group:
    """The command itself, with its options."""

    @click.command(
        cls=Tree,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        epilog="Example: minebot run --practice --games 3",
    )
    @click.version_option(__version__, prog_name="minebot")
    @click.pass_context
    def tree(context: click.Context) -> None:
        """Read a Minesweeper window from its pixels, work out what is safe, and click until it is won.

        Sites with ranked games forbid bots: do not run it there.
        """
        if context.invoked_subcommand is None:
            click.echo(context.get_help(), err=True)
            context.exit(2)

    assert isinstance(tree, click.Group)
    return tree


try:
    tree = _tree()
except KeyboardInterrupt:  # click loads its translations here
    raise SystemExit(130) from None


def main() -> None:
    """Run the command line; every error is one line on stderr and an exit status."""
    try:
        status = _run()
    except KeyboardInterrupt:  # another Ctrl-C, while the first one was told
        status = _stopped()
    except BrokenPipeError:  # what went wrong was to be told on stderr, and nobody reads that either
        _forget_output()
        status = CLOSED
    from bot.process.interrupts import end_silently

    end_silently()
    sys.exit(status)


def _run() -> int:
    """Run the command that the words name; its exit status. What went wrong is said here."""
    try:
        from bot.process.code_page import write_plainly
        from bot.process.interrupts import not_swallowed, stop_like_ctrl_c
        from bot.process.one_thread import take_one_thread

        take_one_thread()
        if sys.platform == "win32":
            from bot.process.windows_version import ask_no_program

            ask_no_program()
        write_plainly()
        stop_like_ctrl_c()
        with not_swallowed():
            status = tree.main(prog_name="minebot", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
    except click.ClickException as error:
        click.echo(f"minebot: {_told(error)}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _stopped()
    except BotError as error:
        click.echo(f"minebot: {error}", err=True)
        return error.exit_status
    except _BrokenPipe as broken:
        return _failed(broken.args[0])
    except OSError as error:
        return _failed(error)
    return status if isinstance(status, int) else 0


def _failed(error: OSError) -> int:
    """Tell an error that no command expects, a full disk under the output for instance; the exit status."""
    from bot.process.interrupts import stop_status, was_stopped

    if was_stopped():  # a terminal that was closed takes no last words
        _forget_output()
        return stop_status()
    if isinstance(error, BrokenPipeError) and _is_output_closed():
        _forget_output()
        return CLOSED
    where = f"{error.filename}: " if error.filename else ""
    mend = ""
    if error.errno == errno.ENOSPC:
        is_stdout = error.filename is None and _is_stdout_full()
        where = "stdout cannot be written: " if is_stdout else where
        mend = ": send it elsewhere, or make room there" if is_stdout else f": {_room()}"
    click.echo(f"minebot: {where}{error.strerror or error}{mend}", err=True)
    _forget_output()
    return 1


def _stopped() -> int:
    """Say that the run was stopped, where there is somebody to say it to; return its exit status."""
    from bot.process.interrupts import end_silently, stop_status

    end_silently()  # who is in a hurry types Ctrl-C again and again
    try:
        click.echo("minebot: stopped", err=True)
        sys.stdout.flush()
    except OSError:  # the terminal was closed
        _forget_output()
    return stop_status()


def _told(error: click.ClickException) -> str:
    """Click's complaint on one line, with the help that lists the right words."""
    text = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return text
    return f"{text}{'' if text.endswith('?') else ':'} see `{context.command_path} --help`"


def _room() -> str:
    """What to do where a disk is full. Which one it is an error need not say."""
    from bot.files import user_cache, user_data

    return f"make room (minebot's own are {user_cache()} and {user_data()}; MINEBOT_HOME names others)"


def _is_stdout_full() -> bool:
    """Whether stdout goes to a file on a full disk, or to a device that takes nothing, as /dev/full."""
    if sys.platform == "win32":
        return False
    try:
        output = sys.stdout.fileno()
        there = os.fstat(output)
        if stat.S_ISREG(there.st_mode):
            return os.fstatvfs(output).f_bavail == 0
        from pathlib import Path

        is_null = os.path.samestat(there, Path(os.devnull).stat())
        return stat.S_ISCHR(there.st_mode) and not is_null and not os.isatty(output)
    except (AttributeError, OSError, ValueError):  # there is none, or it is no file
        return False


def _is_output_closed() -> bool:
    """Whether nobody reads stdout or stderr any more; True where that cannot be told, as on Windows."""
    if sys.platform == "win32":
        return True
    import select

    polled = select.poll()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # there is none, or it is no file
            polled.register(stream.fileno(), 0)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in polled.poll(0))


def _forget_output() -> None:
    """Leave nothing behind in stdout and stderr for Python to fail on once more at its end."""
    colours = sys.modules.get("colorama.initialise")  # on Windows
    if colours is not None:
        atexit.unregister(colours.reset_all)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
            continue
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
