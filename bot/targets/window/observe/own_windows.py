"""Which windows on the desktop belong to the game that is played, and which lie over its board."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.board import Phase
from bot.geometry import Rect
from bot.screen.windows import Window
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.schema import DialogSpec

WON = (
    r"congrat|parab[ée]n|felici|félici|gl[uü]ckw|gratul|поздрав|побед|перемог|gewonn|gewinn|ganas|gagn|vinto|vitt"
    r"|vit[óo]ri|victor|vencedor|venceu|\bwins?\b|winner|\bwon\b|wygra|kazand|tebrik|恭喜|胜利|おめでとう|축하"
)
LOST = (
    r"\blos[et]\b|loser|\bboom\b|\bperd|verlor|explo[dst]|przegra|проигр|програ[влш]|взорв|kaybet|失败|踩雷"
    r"|失敗|패배"
)
"""What titles of windows say that tell of a won game, and of a lost one, in several languages; `Game over`
says neither."""

DENIED = r"\bnot?\b|n't\b|\bnicht\b|\bkein|\bnon\b|\bpas\b|\bn[ãa]o\b|\bне\b"
"""What takes back what a title says."""


def end_told_by(windows: Sequence[Window], own_title: str = "") -> Phase | None:
    """How a game ended, as the titles of windows that its program has opened say, where that of the game is
    left out; None where they do not, or say both, or take something back."""
    titles = " ".join(window.title.lower().replace(own_title.lower() or "\0", " ") for window in windows)
    if re.search(DENIED, titles):
        return None
    won, lost = (re.search(words, titles) is not None for words in (WON, LOST))
    return None if won is lost else Phase.WON if won else Phase.LOST


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
