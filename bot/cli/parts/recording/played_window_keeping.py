"""What a run keeps of a window whose game no theme knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.game_line import Ended
    from bot.targets.window.window_target import WindowTarget


def window_keeper(
    target: WindowTarget, tell: Callable[[str], None], then: Callable[[Ended], None] | None
) -> Callable[[Ended], None] | None:
    """A function that keeps what is known of the window at the end of each game, and then calls `then`.

    Where a theme knows the game it is `then` itself.
    """
    if not target.is_unknown:
        return then
    from bot.calibrate.save.played_window import PlayedWindow
    from bot.errors import BotError

    window = PlayedWindow(target.observer)

    def ended(game: Ended) -> None:
        try:
            text = window.keep()
        except BotError as error:
            text = str(error)
        if text:
            tell(text)
        if then is not None:
            then(game)

    return ended
