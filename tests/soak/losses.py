"""Whether a recorded game was lost on a move that was called a guess."""

from __future__ import annotations

from pathlib import Path

from bot.board import Action
from bot.recording.format import ClickEvent, DecisionEvent
from bot.recording.read import load
from bot.strategy.base import Kind


def lost_without_guess(place: Path) -> bool:
    """Whether the last click of a lost game was not what the last decision had called a guess."""
    recording = load(place)
    decisions = [event for event in recording.events if isinstance(event, DecisionEvent)]
    clicks = [
        event
        for event in recording.events
        if isinstance(event, ClickEvent) and event.action is not Action.FLAG
    ]
    if not (decisions and clicks):
        return True
    last = clicks[-1]
    return decisions[-1].kind is not Kind.GUESS or (last.row, last.column) not in decisions[-1].safe
