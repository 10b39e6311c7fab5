"""`minebot help`: the help of a command, as its `--help`."""

from __future__ import annotations

import click

from bot.cli.parts.words import completed


@click.command("help", epilog="Example: minebot help run")
@click.argument("name", required=False, type=completed.Named(completed.commands), metavar="[COMMAND]")
@click.pass_context
def command(context: click.Context, name: str | None) -> None:
    """Print the help of a command, or without one the list of commands."""
    above = context.parent
    assert above is not None
    if name is None:
        click.echo(above.get_help())
        return
    tree = above.command
    assert isinstance(tree, click.Group)
    _, found, _ = tree.resolve_command(above, [name])
    assert found is not None
    with click.Context(found, info_name=name, parent=above) as inner:
        click.echo(inner.get_help())
