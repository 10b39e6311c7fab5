"""What a virtual screen is sent and what people are told, while something is played by a fixed clock.

Presses of buttons and keys, in order; outcomes; lines. No times, no looks, no motions of the pointer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from unittest.mock import patch

from playing import Told

from bot.game_line import GameLine, SharedLine
from bot.geometry import Point, Rect
from bot.screen.mouse import Button
from bot.screen.virtual import VirtualScreen
from bot.vision.grid import Image
from tests.pin.clock import FixedClock, fixed_clock
from tests.test_assist import Person

Made = TypeVar("Made")


@dataclass
class Trace:
    """What was done and said."""

    sent: list[str] = field(default_factory=list)
    """Presses of buttons and keys."""
    said: list[str] = field(default_factory=list)
    """Lines that a scenario adds of its own."""
    told: list[Told] = field(default_factory=list)
    """Those to whom the loop talked, each with what it was told."""
    people: list[Person] = field(default_factory=list)
    """The same of those who play with the bot."""

    @property
    def _everybody(self) -> list[Told | Person]:
        return [*self.told, *self.people]

    @property
    def _games(self) -> list[GameLine]:
        return [line for one in self._everybody for line in one.lines]

    def clicks(self) -> str:
        """The canonical text of what was sent and what came of it."""
        return "\n".join([*self.sent, *map(_outcome, self._games)])

    def lines(self) -> str:
        """The canonical text of what was told."""
        texts = [text for one in self._everybody for text in one.texts]
        waited = [f"waits: {why.value}: {text}" for person in self.people for why, text in person.waited]
        return "\n".join(timeless(text) for text in [*texts, *waited, *map(_line, self._games), *self.said])


def timeless(text: str) -> str:
    """A line without seconds and without the places of files."""
    text = re.sub(r"\d+(\.\d+)? (s|ms|seconds)\b", r"N \2", text)
    return re.sub(r"(/[\w.@+-]+){2,}", "FILE", text)


def _outcome(line: GameLine) -> str:
    return f"{line.outcome.value} {line.columns}x{line.rows} {line.mines}"


def _line(line: GameLine) -> str:
    shared = f" {line.mode.value} {line.person_moves}" if isinstance(line, SharedLine) else ""
    return (
        f"{_outcome(line)} {line.theme} {line.first_click.value} clicks={line.clicks} guesses={line.guesses}"
        f" survival={line.survival:.6f} bbbv={line.bbbv}{shared} {line.reason}"
    )


def _kept(kind: type[Made], into: list[Made]) -> Any:
    """A `__new__` that keeps each object that is made."""

    def make(one: type[Made], *_: Any, **__: Any) -> Made:
        made: Made = object.__new__(one)
        into.append(made)
        return made

    return patch.object(kind, "__new__", make)


@contextmanager
def traced() -> Iterator[Trace]:
    """Collect what virtual screens are sent while it lasts, by a fixed clock."""
    trace = Trace()
    with ExitStack() as stack:
        clock = stack.enter_context(fixed_clock())
        for name, method in _watched(trace, clock).items():
            stack.enter_context(patch.object(VirtualScreen, name, method))
        stack.enter_context(_kept(Told, trace.told))
        stack.enter_context(_kept(Person, trace.people))
        yield trace


def _watched(trace: Trace, clock: FixedClock) -> dict[str, Callable[..., Any]]:
    """The methods of the screen that are to be noticed."""
    press, key, grab = VirtualScreen._press, VirtualScreen.key, VirtualScreen.grab

    def pressed(screen: VirtualScreen, point: Point, button: Button) -> None:
        trace.sent.append(f"{button} {point.x},{point.y}")
        press(screen, point, button)

    def struck(screen: VirtualScreen, name: str) -> None:
        trace.sent.append(f"key {name}")
        key(screen, name)

    def grabbed(screen: VirtualScreen, rect: Rect) -> Image:
        clock.look()
        return grab(screen, rect)

    return {"_press": pressed, "key": struck, "grab": grabbed}
