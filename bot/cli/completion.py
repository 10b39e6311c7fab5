"""`minebot completion`: the script that lets a shell complete minebot's words."""

from __future__ import annotations

import os
from pathlib import Path

import click

from bot.errors import BotError

PLACES = {
    "bash": ("XDG_DATA_HOME", ".local/share", "bash-completion/completions/minebot"),
    "zsh": ("XDG_DATA_HOME", ".local/share", "zsh/site-functions/_minebot"),
    "fish": ("XDG_CONFIG_HOME", ".config", "fish/completions/minebot.fish"),
}
"""For each shell: the variable that moves the user's folder, the folder under home, and the file in it."""

AFTERWARDS = {
    "bash": "new shells complete it, where the package bash-completion is installed",
    "zsh": "put this line into ~/.zshrc, before compinit: fpath+=({folder})",
    "fish": "new shells complete it",
}


@click.command(
    epilog="Example: minebot completion bash --install",
)
@click.argument("shell", type=click.Choice(tuple(PLACES)))
@click.option("--install", is_flag=True, help="Write it to the shell's folder instead of printing it.")
def command(shell: str, install: bool) -> None:
    """Print the script that completes minebot's words in a shell: bash, zsh or fish.

    With --install it is written to where the shell looks for it. Or load it by hand:

    \b
      bash   eval "$(minebot completion bash)"     in ~/.bashrc
      zsh    eval "$(minebot completion zsh)"      in ~/.zshrc
      fish   minebot completion fish | source      in ~/.config/fish/config.fish
    """
    from click.shell_completion import ShellComplete, get_completion_class

    from bot.cli.main import tree

    kind = get_completion_class(shell)
    assert kind is not None
    # The base class's source(): the one for bash starts a bash first, only to learn its version.
    source = ShellComplete.source(kind(tree, {}, "minebot", "_MINEBOT_COMPLETE"))
    if not install:
        click.echo(source)
        return
    from bot.files import write_whole

    file = place(shell)
    try:
        write_whole(file, source.encode())
    except OSError as error:
        raise BotError(
            f"{file} cannot be written ({error.strerror}): leave out --install, and load what is printed"
        ) from None
    click.echo(f"wrote {file}: {AFTERWARDS[shell].format(folder=file.parent)}")


def place(shell: str) -> Path:
    """The file in which a user's shell looks for the completion of minebot."""
    variable, under_home, file = PLACES[shell]
    moved = os.environ.get(variable)
    base = Path(moved) if moved else Path("~").expanduser() / under_home
    return base / file
