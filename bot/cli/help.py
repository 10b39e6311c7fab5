"""`minebot help`: the help of a command, as its `--help`."""

from __future__ import annotations

import click


@click.command("help", epilog="Example: minebot help run")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.pass_context
def command(context: click.Context, name: str | None) -> None:
    """Print the help of a command, or without one the list of commands."""
    from bot.cli.main import Tree

    above = context.parent
    assert above is not None
    if name is None:
        click.echo(above.get_help())
        return
    tree = above.command
    assert isinstance(tree, Tree)
    tree.refuse_unknown(above, name)
    found = tree.get_command(above, name)
    if found is None:
        raise click.UsageError(f"there is no command {name!r}", above)
    with click.Context(found, info_name=name, parent=above) as inner:
        click.echo(inner.get_help())
