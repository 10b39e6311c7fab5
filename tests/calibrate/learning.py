"""Learning a window on the virtual screen: what the tests of calibrating share."""

from __future__ import annotations

import random

from playing import INTERVAL_S, Told

from bot.calibrate.lesson import Learned, Lesson
from bot.calibrate.save.played_window import PlayedWindow
from bot.calibrate.window_choice import choose_window
from bot.geometry import Point
from bot.screen.virtual import Content, VirtualScreen, VirtualWindow
from bot.strategy.partial import Partial
from bot.strategy.registry import strategy
from bot.targets.window import PlaySettings, WindowTarget
from bot.targets.window.act.pointer import Pointer

AT = Point(40, 40)


class Pupil:
    """A window on a screen of its own that is learned."""

    def __init__(self, content: Content, name: str = "mine", budget_s: float = 200.0) -> None:
        self.screen, self.told = VirtualScreen(), Told()
        self.screen.open(VirtualWindow(content, "a game", AT))
        sighting = choose_window(self.screen, self.screen, "a game")
        settings = PlaySettings(records=False, wait_s=0)
        pointer = Pointer(self.screen, INTERVAL_S)
        tell = self.told.texts.append
        target = WindowTarget(sighting, self.screen, self.screen, pointer, settings, tell=tell)
        self.kept = PlayedWindow(target.observer, name, "minebot calibrate")
        player, rng = Partial(strategy("best")), random.Random(1)
        self.lesson = Lesson(target, player, self.kept, budget_s=budget_s, tell=tell, rng=rng)

    def learn(self) -> Learned:
        """Learn and keep it."""
        learned = self.lesson.learn()
        self.kept.write()
        assert not self.screen.held
        return learned
