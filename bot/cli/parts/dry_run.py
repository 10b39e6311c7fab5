"""`minebot run --dry-run`: prints the clicks that would be made now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bot.cli.parts.outputs import json_text

if TYPE_CHECKING:
    from bot.strategy.base import Strategy
    from bot.targets.window.window_target import WindowTarget


def dry_run(target: WindowTarget, player: Strategy, *, flags: bool, as_json: bool) -> None:
    """Print the clicks that would be made now, with their points of the desktop."""
    from bot.game_loop import moves_for

    observation = target.observe()
    if observation.phase.over:
        text = f"the game is {observation.phase.value}: a new one would be started"
        nothing: dict[str, object] = {
            "kind": None,
            "rung": None,
            "survival": None,
            "reason": text,
            "clicks": [],
        }
        click.echo(json_text(nothing) if as_json else text)
        return
    decision = player.decide(observation, 0)
    moves = moves_for(decision, observation.board, flags=flags, chords=target.chords, openings_first=True)
    places = [target.view.cell_on_screen(move.cell) for move in moves]
    if as_json:
        clicks = [
            {"action": move.action.value, "row": move.row, "column": move.column, "x": at.x, "y": at.y}
            for move, at in zip(moves, places, strict=True)
        ]
        decided = {"kind": decision.kind.value, "rung": decision.rung, "survival": decision.survival}
        click.echo(json_text(decided | {"reason": decision.reason, "clicks": clicks}))
        return
    click.echo(f"{decision.kind.value} ({decision.rung}): {decision.reason}")
    for move, at in zip(moves, places, strict=True):
        click.echo(f"{move.action.value} row {move.row}, column {move.column} at {at.x},{at.y}")
