"""Which windows on the desktop belong to the game that is played, and which lie over its board."""

from __future__ import annotations

from collections.abc import Sequence

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.schema import DialogSpec


def above(listed: Sequence[Window], own: Window | None, area: Rect) -> list[Window]:
    """The windows that lie over an area, above our own one, from the bottom to the top."""
    ids = [window.id for window in listed]
    start = ids.index(own.id) + 1 if own is not None and own.id in ids else 0
    return [window for window in listed[start:] if window.rect.intersects(area)]


def dialog_of(window: Window, own: Window | None, behaviour: GameBehaviour) -> DialogSpec | None:
    """What is known of a window, if it is a dialog of the game that we play."""
    if own is None or window.id == own.id or window.program != own.program:
        return None
    if window.owner not in (0, own.id):  # another window of the same program opened it
        return None
    for spec in behaviour.dialogs:
        if spec.kind == "confirm" and (window.title != spec.title or window.owner != own.id):
            continue
        if window.title.startswith(spec.title):
            return spec
    return None
