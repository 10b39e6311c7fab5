"""Why no board is seen in a window that may show one: for the message where none is found to be played."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.targets.window.locate.board_finder import OFF_SCREEN, covered_by
from bot.targets.window.locate.unknown_boards import NAMES


def why_unseen(listed: Sequence[Window], screen: Rect, named: str | None) -> str:
    """What hides the window with `named`, a part of its title, or the one whose title says that it is a
    Minesweeper where none was named; empty where nothing does.

    `listed`: the windows from the bottom to the top. A window that is minimised is not among them.
    """
    # A number is none of a title: it is the place of a board in a list.
    chosen = named is not None and not named.isdigit()
    title = re.escape(named) if named is not None and chosen else NAMES
    meant = [one for one in reversed(listed) if re.search(title, one.title, re.IGNORECASE)]
    if chosen and listed and not meant:
        return "no window of that title is shown: open it, or take it back where it is minimised"
    for window in meant:
        hidden = "" if screen.encloses(window.rect) else f"a part of it is {OFF_SCREEN}"
        if hidden := hidden or covered_by(listed, window, window.rect):
            return f"{window.title!r} may show one, but {hidden}"
    return ""
