"""The windows that a game opens over its own board: recognised by the theme, answered, closed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.geometry import Rect
from bot.screen.mouse import Mouse
from bot.screen.windows import Window, Windows
from bot.vision.theme import DialogSpec, Theme

LONGEST_NAME = 32
"""So many letters of a name that stands there are rubbed out."""


def above(listed: Sequence[Window], own: Window | None, area: Rect) -> list[Window]:
    """The windows that lie over an area, above our own one, from the bottom to the top."""
    ids = [window.id for window in listed]
    start = ids.index(own.id) + 1 if own is not None and own.id in ids else 0
    return [window for window in listed[start:] if window.rect.intersects(area)]


def dialog_of(window: Window, own: Window | None, theme: Theme) -> DialogSpec | None:
    """What the theme knows of a window, if it is a dialog of the game that we play."""
    if own is None or window.id == own.id or window.program != own.program:
        return None
    return next((spec for spec in theme.spec.dialogs if window.title.startswith(spec.title)), None)


def answer(
    dialog: Window, spec: DialogSpec, windows: Windows, mouse: Mouse, *, name: str, records: bool
) -> str:
    """Close a dialog, entering the name only where records are wanted. Says what was done."""
    windows.focus(dialog)
    if spec.kind == "notice":
        mouse.key(spec.accept)
        return f"closed {dialog.title!r}"
    if not records:
        mouse.key(spec.dismiss)
        return f"dismissed {dialog.title!r}, no name entered"
    mouse.key("end")
    for _ in range(LONGEST_NAME):
        mouse.key("backspace")
    mouse.write(name)
    mouse.key(spec.accept)
    return f"entered {name!r} in {dialog.title!r}"
