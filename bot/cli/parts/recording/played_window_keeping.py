"""What is kept of a learned window while it is played: its calibration, and its looks in its recordings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.game_line import Ended
    from bot.targets.window.window_target import WindowTarget


def window_keeper(
    target: WindowTarget, tell: Callable[[str], None], then: Callable[[Ended], None] | None
) -> Callable[[Ended], None] | None:
    """A function that keeps what is known of the window at the end of each game, and then calls `then`.

    Where a theme that ships with minebot, or was made by hand, knows the game it is `then` itself.
    """
    if not target.is_unknown:
        return then
    from bot.calibrate.save import played_window
    from bot.errors import BotError
    from bot.recording.format import THEME

    window = played_window.PlayedWindow(target.observer)

    def ended(game: Ended) -> None:
        try:
            window.add(game)
            text = window.keep()
            if game.line.recording is not None:
                # So that it replays where nobody learned these looks.
                window.write_theme(Path(game.line.recording) / THEME)
        except (BotError, OSError) as error:
            text = str(error)
        if text:
            tell(text)
        if then is not None:
            then(game)

    return ended
