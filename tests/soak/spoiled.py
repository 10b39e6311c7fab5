"""minebot with a mouse that loses or doubles a click: `python -m tests.soak.spoiled lost 7 run ...`."""

from __future__ import annotations

import sys
from typing import Any

from bot.cli.main import main
from bot.screen import this_machine


class SpoiledMouse:
    """A mouse whose click of that number, from 1, is lost, or made twice."""

    def __init__(self, mouse: Any, how: str, number: int) -> None:
        self._mouse, self._how, self._left = mouse, how, number

    def __getattr__(self, name: str) -> Any:
        return getattr(self._mouse, name)

    def click(self, *words: Any, **meant: Any) -> bool:
        """Press and release a button there, or not, or twice."""
        self._left -= 1
        times = 1 if self._left else {"lost": 0, "doubled": 2}[self._how]
        return all(self._mouse.click(*words, **meant) for _ in range(times))


if __name__ == "__main__":
    how, number, *words = sys.argv[1:]
    real = this_machine.system_mouse
    this_machine.system_mouse = lambda: SpoiledMouse(real(), how, int(number))
    sys.argv = ["minebot", *words]
    main()
