"""Learning a window on the virtual screen: what the tests of calibrating share."""

from __future__ import annotations

import random

from bot.board import LEVELS, Rules
from bot.calibrate.lesson import Lesson
from bot.calibrate.probe.live_window import LiveWindow
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import Content, VirtualScreen, VirtualWindow
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.sighting import View
from bot.vision.grid import Grid

AT = Point(40, 40)


def session(level: str = "beginner", seed: int = 0) -> PracticeSession:
    columns, rows, mines = LEVELS[level]
    return PracticeSession(Rules(columns, rows, mines), 1.0, seed)


def grid_of(played: PracticeSession) -> Grid:
    layout = played.layout
    return Grid(layout.board.x, layout.board.y, layout.pitch, layout.pitch, layout.columns, layout.rows)


def lesson(content: Content, grid: Grid, *, budget_s: float = 48.0) -> tuple[Lesson, VirtualScreen]:
    """A lesson about a window on a screen of its own."""
    screen = VirtualScreen()
    screen.open(VirtualWindow(content, "a game", AT))
    window = screen.windows()[-1]
    live = LiveWindow(screen, screen, Pointer(screen, 0.0005), window, View(window.rect, grid))
    return Lesson(live, rng=random.Random(1), budget_s=budget_s), screen
