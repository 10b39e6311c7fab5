"""Reports of `minebot watch`: nothing but how each game ended and where it lies."""

from __future__ import annotations

from collections.abc import Sequence

from bot.assist import Turn, WaitReason
from bot.board import Move
from bot.cli.parts.assist_report import AssistReporter
from bot.game_line import GameLine, Mode


class WatchReporter(AssistReporter):
    """Says nothing while a game is played: who is watched plays alone."""

    def __init__(self, games: int, *, as_json: bool) -> None:
        super().__init__(games, Mode.HINT, as_json=as_json, sound=False)

    def shown(self, turn: Turn) -> None:
        """Nothing."""

    def person_moved(self, moves: Sequence[Move]) -> None:
        """Nothing."""

    def waits(self, why: WaitReason, text: str) -> None:
        """Say why nothing can be seen, or that no game has begun."""
        if why in (WaitReason.TROUBLE, WaitReason.NEXT):
            super().waits(why, text)

    def game_over(self, line: GameLine) -> None:
        """Tell the end, and the recording."""
        super().game_over(line)
        if line.recording is not None and not self._json:
            self.tell(f"minebot review {line.recording}")
