"""What is known beforehand of the games that themes are cut from: where grid, counter and face lie.

Everything else about their looks the cutter finds out by playing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from bot.board import LEVELS
from bot.geometry import Rect
from bot.screen.programs import Practice, WineMine


class Program(Protocol):
    """A game that can be started at any size."""

    def start(self, columns: int, rows: int, mines: int) -> Rect:
        """Open it; gives the inside of its window on the screen."""
        ...

    def stop(self) -> None:
        """Close it."""
        ...


@dataclass(frozen=True)
class Plan:
    """One game at one size. Lengths in pixels; the tables go into `theme.toml` as they are."""

    theme: str
    title: str
    program: Callable[[], Program]
    origin: tuple[int, int]
    """The top left of the grid, from the top left of the window's inside."""
    cell: tuple[int, int]
    face: dict[str, Any]
    counter: dict[str, Any]
    margins: dict[str, int]
    source: dict[str, str]
    border_width: int
    """So many pixels around the grid have one colour a side."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further keys of `theme.toml`."""

    def theme_head(self) -> dict[str, Any]:
        """`theme.toml` without the pictures."""
        return {
            "schema": 1,
            "title": self.title,
            "first_click": "safe",
            "border_width": self.border_width,
            "chord": "middle",
            "sizes": [list(level) for level in LEVELS.values()],
            "source": self.source,
            "margins": self.margins,
            "face": self.face,
            "counter": self.counter,
        } | self.more


class _WineMineProgram:
    def __init__(self) -> None:
        self._game = WineMine()

    def start(self, columns: int, rows: int, mines: int) -> Rect:
        return self._game.start(columns, rows, mines).rect

    def stop(self) -> None:
        self._game.stop()


class _PracticeProgram:
    def __init__(self, scale: float) -> None:
        self._game = Practice()
        self._scale = scale
        self._seed = 0

    def start(self, columns: int, rows: int, mines: int) -> Rect:
        self._seed += 1000
        options = ("--marks", "--seed", str(self._seed), "--scale", str(self._scale))
        return self._game.start(columns, rows, mines, *options).rect

    def stop(self) -> None:
        self._game.stop()


def winmine_plans() -> list[Plan]:
    """WineMine draws its cells from one bitmap of 16 pixels, at one size."""
    plan = Plan(
        theme="winmine",
        title="WineMine",
        program=_WineMineProgram,
        origin=(5, 52),
        cell=(16, 16),
        face={"above": 28, "size": [24, 24]},
        counter={"anchor": "right", "x": -35, "above": 28, "digit": [11, 23], "pitch": 12},
        border_width=3,
        margins={"left": 5, "top": 33, "right": 5, "bottom": 5},
        source={
            "program": "WineMine of Wine 8.0, as Debian 12 has it",
            "licence": "LGPL-2.1-or-later, as the program that drew them; see LICENCE.txt",
            "made_by": "make themes (python -m bot.calibrate.cut winmine): screenshots of it, run here",
        },
        more={
            "dialogs": [
                {"title": "Congratulations", "kind": "name"},
                {"title": "Fastest Times", "kind": "notice"},
            ],
            "timing": {"click_interval_ms": 4.0, "resend_after_ms": 60.0, "new_game_interval_s": 1.05},
        },
    )
    return [plan]


def practice_plans() -> list[Plan]:
    """The built-in window at the scales that are cut; those between are read by scaling."""
    from bot.practice.layout import Layout

    plans: list[Plan] = []
    for scale in (1.0, 1.5, 2.0, 3.0):
        layout = Layout(24, 24, scale)
        board, counter, face = layout.board, layout.counter, layout.face
        plan = Plan(
            theme="practice",
            title="minebot practice",
            program=lambda scale=scale: _PracticeProgram(scale),  # type: ignore[misc]
            origin=(board.x, board.y),
            cell=(layout.pitch, layout.pitch),
            face={"above": board.y - face.y, "size": [face.width, face.height]},
            counter={
                "anchor": "left",
                "x": counter.x - board.x,
                "above": board.y - counter.y,
                "digit": [counter.width // 3, counter.height],
                "pitch": counter.width // 3,
            },
            border_width=layout.board.x - layout.board_frame.x,
            margins={
                "left": board.x,
                "top": board.y,
                "right": layout.width - board.right,
                "bottom": layout.height - board.bottom,
            },
            source={
                "program": "minebot practice, minebot's own window",
                "licence": "MIT, as minebot itself",
                "made_by": "make themes (python -m bot.calibrate.cut practice): screenshots of it, run here",
            },
            more={"timing": {"click_interval_ms": 2.0, "resend_after_ms": 200.0}},
        )
        plans.append(plan)
    return plans


PLANS: dict[str, Callable[[], list[Plan]]] = {"winmine": winmine_plans, "practice": practice_plans}
"""The themes that can be cut here."""
