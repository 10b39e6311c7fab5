"""Windows that behave badly on purpose, for the virtual screen."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from bot.geometry import Point, Rect
from bot.practice import draw
from bot.screen.virtual import Content, VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.vision.grid import Image

Event = Callable[[], None]


@lru_cache(maxsize=256)
def glyph(code: int, pitch: int) -> Image:
    """One cell as our own window draws it, at every look: drawn once."""
    picture: Image = draw.glyph(code, pitch)
    picture.flags.writeable = False
    return picture


@lru_cache(maxsize=16)
def plain(height: int, width: int, colour: tuple[int, int, int]) -> Image:
    """A picture of one colour: painted once."""
    picture: Image = np.empty((height, width, 3), np.uint8)
    picture[:] = colour
    picture.flags.writeable = False
    return picture


@dataclass
class Wrapped:
    """A window that passes everything on to its content: what the others start from."""

    content: Content

    def image(self) -> Image:
        return self.content.image()

    def press(self, x: int, y: int, button: int) -> None:
        self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x, y, button)

    def move(self, x: int, y: int) -> None:
        self.content.move(x, y)

    def key(self, name: str) -> None:
        self.content.key(name)


@dataclass
class Redrawn(Wrapped):
    """Draws its content in another way, anew only when that shows something else."""

    _content_shown: Image | None = field(default=None, init=False)
    _picture: Image | None = field(default=None, init=False)

    def drawn(self, inside: Image) -> Image:
        """The picture of this window for one of its content."""
        raise NotImplementedError

    def image(self) -> Image:
        inside = self.content.image()
        if self._picture is None or inside is not self._content_shown:
            self._content_shown, self._picture = inside, self.drawn(inside)
        return self._picture


@dataclass
class Late(Wrapped):
    """Takes every event a while after it was sent, in order; `held_s` more between press and release."""

    delay_s: float = 0.0
    held_s: float = 0.0
    _waiting: deque[tuple[float, Event]] = field(default_factory=deque)

    def _later(self, event: Event, extra_s: float = 0.0) -> None:
        due = time.perf_counter() + self.delay_s
        if self._waiting:
            due = max(due, self._waiting[-1][0])
        self._waiting.append((due + extra_s, event))

    def _catch_up(self) -> None:
        while self._waiting and self._waiting[0][0] <= time.perf_counter():
            self._waiting.popleft()[1]()

    def image(self) -> Image:
        self._catch_up()
        return self.content.image()

    def press(self, x: int, y: int, button: int) -> None:
        self._later(lambda: self.content.press(x, y, button))

    def release(self, x: int, y: int, button: int) -> None:
        self._later(lambda: self.content.release(x, y, button), self.held_s)

    def move(self, x: int, y: int) -> None:
        self._later(lambda: self.content.move(x, y))

    def key(self, name: str) -> None:
        self._later(lambda: self.content.key(name))


@dataclass
class Deaf(Wrapped):
    """Loses the clicks of which `loses` says so, counted from 1."""

    loses: Callable[[int], bool]
    presses: int = 0

    def press(self, x: int, y: int, button: int) -> None:
        self.presses += 1
        if not self.loses(self.presses):
            self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if not self.loses(self.presses):
            self.content.release(x, y, button)


@dataclass
class Torn(Wrapped):
    """Shows only the upper part of every change for a while."""

    for_s: float = 0.01
    _shown: Image | None = None
    _since: float = 0.0

    def image(self) -> Image:
        now = self.content.image()
        if self._shown is None or now.shape != self._shown.shape:
            self._shown = now
        if np.array_equal(now, self._shown):
            self._since = 0.0
            return now
        self._since = self._since or time.perf_counter()
        if time.perf_counter() - self._since > self.for_s:
            self._shown, self._since = now, 0.0
            return now
        changed = np.flatnonzero((now != self._shown).any(axis=(1, 2)))
        middle = int(changed[len(changed) // 2])
        return np.concatenate([now[:middle], self._shown[middle:]])


@dataclass
class Belated(Wrapped):
    """Shows every change of its header, the rows above `top`, a while after that of its cells."""

    top: int
    for_s: float = 0.1
    _shown: Image | None = None
    _since: float = 0.0

    def image(self) -> Image:
        now = self.content.image()
        header = now[: self.top]
        if self._shown is None or np.array_equal(header, self._shown):
            self._shown, self._since = header, 0.0
            return now
        self._since = self._since or time.perf_counter()
        if time.perf_counter() - self._since > self.for_s:
            self._shown, self._since = header, 0.0
            return now
        return np.concatenate([self._shown, now[self.top :]])


@dataclass
class Plain:
    """A window of one colour that counts what is done to it, and may close at a key."""

    width: int
    height: int
    colour: tuple[int, int, int] = (200, 190, 180)
    clicks: int = 0
    keys: list[str] = field(default_factory=list)
    on_key: Callable[[str], None] = lambda name: None

    def image(self) -> Image:
        return plain(self.height, self.width, self.colour)

    def press(self, x: int, y: int, button: int) -> None:
        self.clicks += 1

    def release(self, x: int, y: int, button: int) -> None:
        pass

    def move(self, x: int, y: int) -> None:
        pass

    def key(self, name: str) -> None:
        self.keys.append(name)
        self.on_key(name)


@dataclass
class Eventful(Wrapped):
    """Does something once, after so many clicks on its content."""

    after: int
    happens: Callable[[], None]
    clicks: int = 0

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x, y, button)
        self.clicks += 1
        if self.clicks == self.after:
            self.happens()


class Magnified(VirtualScreen):
    """A monitor with `scale` pixels a point of the mouse, whose top left corner is at `origin`."""

    def __init__(self, scale: int, origin: Point) -> None:
        super().__init__(420 * scale, 400 * scale)
        self._scale = scale
        self._origin = origin

    def _pixel(self, point: Point) -> Point:
        # A point is a square of pixels; a click is in its middle.
        middle = self._scale // 2
        return Point(
            (point.x - self._origin.x) * self._scale + middle,
            (point.y - self._origin.y) * self._scale + middle,
        )

    def _points(self, rect: Rect) -> Rect:
        scale = self._scale
        smaller = Rect(rect.x // scale, rect.y // scale, rect.width // scale, rect.height // scale)
        return smaller.moved(self._origin.x, self._origin.y)

    def monitors(self) -> list[Rect]:
        return [self._points(one) for one in super().monitors()]

    def grab(self, rect: Rect) -> Image:
        scale, at = self._scale, rect.moved(-self._origin.x, -self._origin.y)
        return super().grab(Rect(at.x * scale, at.y * scale, at.width * scale, at.height * scale))

    def windows(self) -> list[Window]:
        return [replace(window, rect=self._points(window.rect)) for window in super().windows()]

    def place(self, window: Window) -> Rect | None:
        found = super().place(window)
        return None if found is None else self._points(found)

    def position(self) -> Point:
        at = super().position()
        return Point(at.x // self._scale + self._origin.x, at.y // self._scale + self._origin.y)

    def move(self, point: Point) -> None:
        super().move(self._pixel(point))


def window_of(content: Content) -> VirtualWindow:
    return VirtualWindow(content, "minebot practice", Point(40, 40), program="practice")
