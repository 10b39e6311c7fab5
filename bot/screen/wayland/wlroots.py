"""The way into Sway and its like: pictures by wlr-screencopy, clicks by wlr-virtual-pointer, keys by
virtual-keyboard. Nobody is asked for consent."""

from __future__ import annotations

import mmap
import os
import sys
import time
from dataclasses import dataclass, field

from bot.errors import ScreenError
from bot.geometry import Point, Rect
from bot.screen.capture import desktop as around
from bot.screen.wayland import protocols
from bot.screen.wayland.desktop import Monitor
from bot.screen.wayland.keymap import FIRST_CODE, USUAL, layout
from bot.screen.wayland.pixels import picture_of, upright
from bot.screen.wayland.wire import REGISTRY, Connection, Interface, Proxy
from bot.vision.grid import Image

BOUND = (*protocols.NEEDED, protocols.SEAT, protocols.VIRTUAL_KEYBOARD_MANAGER)

NOTICED_S = 0.3
"""Time that programs take to notice a new pointer or keyboard, in seconds: presses before that are lost
(5 of 6 first clicks at once, none of 3 after this)."""

CURRENT_MODE = 1
"""The flag of the mode of wl_output that its monitor is in."""

USUAL_MHZ = 60_000
"""The frames in 1,000 seconds of a monitor that does not say how many it shows."""

FLAG_INVERTED = 1
"""The flag of a captured frame whose rows go from the bottom up."""

XKB_V1 = 1
"""The number of the only keymap format of wl_keyboard."""

NO_KEYS = (
    "this desktop takes no keys from programs (virtual-keyboard-unstable-v1): answer the dialog yourself"
)


@dataclass
class _Buffer:
    """Memory that the compositor writes a picture of one size into."""

    proxy: Proxy
    memory: mmap.mmap


@dataclass
class WlrootsMonitor:
    """One monitor, and the pictures that are taken of it."""

    desktop: WlrootsDesktop
    output: Proxy
    number: int
    """The number of its global."""
    place: tuple[int, int] = (0, 0)
    size: tuple[int, int] = (0, 0)
    transform: int = 0
    refresh_mhz: int = 0
    """Its frames in 1,000 seconds; 0 if it does not say."""
    buffers: dict[tuple[int, int, int, int], _Buffer] = field(default_factory=dict)
    """The last buffers used, by format, width, height and stride."""

    @property
    def rect(self) -> Rect:
        """Where it lies on the desktop."""
        return Rect(*self.place, *self.size)

    def picture(self, part: Rect) -> Image:
        """The next frame of a part of this monitor; it comes within one period of the monitor."""
        connection = self.desktop.connection
        with connection.lock:
            frame = self.desktop.bound["zwlr_screencopy_manager_v1"].create(
                "capture_output_region",
                protocols.SCREENCOPY_FRAME,
                0,  # without the pointer, where the compositor can leave it out
                self.output,
                part.x - self.rect.x,
                part.y - self.rect.y,
                part.width,
                part.height,
            )
            shapes: list[tuple[int, int, int, int]] = []
            flags: list[int] = []
            ended: list[bool] = []
            frame.on = {
                "buffer": lambda *shape: shapes.append(shape),
                "flags": flags.append,
                "ready": lambda *_: ended.append(True),
                "failed": lambda: ended.append(False),
            }
            try:
                connection.wait(lambda: bool(shapes or ended))
                if shapes and not ended:
                    frame.send("copy", self._buffer(shapes[0]).proxy)
                    connection.wait(lambda: bool(ended))
            finally:
                if connection.failure is None:
                    frame.destroy()
            if not (shapes and ended[0]):
                raise ScreenError("the desktop gave no picture of the monitor: is it switched off?")
            pixel_format, width, height, stride = shapes[0]
            buffer = self.buffers[shapes[0]]
            picture = picture_of(memoryview(buffer.memory), pixel_format, width, height, stride)
        if flags and flags[0] & FLAG_INVERTED:
            picture = picture[::-1]
        return upright(picture, self.transform)

    def _buffer(self, shape: tuple[int, int, int, int]) -> _Buffer:
        """Memory for pictures of this shape; it is kept for the next one."""
        if shape in self.buffers:
            return self.buffers[shape]
        if len(self.buffers) >= MAX_BUFFERS:
            self.forget()
        pixel_format, width, height, stride = shape
        size = stride * height
        fd = _memory_file("minebot-capture")
        try:
            os.ftruncate(fd, size)
            memory = mmap.mmap(fd, size)
            pool = self.desktop.bound["wl_shm"].create("create_pool", protocols.SHM_POOL, fd, size)
        finally:
            os.close(fd)
        proxy = pool.create("create_buffer", protocols.BUFFER, 0, width, height, stride, pixel_format)
        pool.destroy()
        self.buffers[shape] = _Buffer(proxy, memory)
        return self.buffers[shape]

    def forget(self) -> None:
        """Give the memory for pictures back."""
        for buffer in self.buffers.values():
            buffer.proxy.destroy()
        self.buffers.clear()


MAX_BUFFERS = 4
"""Maximum number of shapes of pictures for which memory is kept: the board's, and those of looking around."""


class WlrootsDesktop:
    """A desktop with wlroots' protocols. Raises ScreenError if it lacks one of them."""

    shows_pointer = True
    """Where a graphics card draws the pointer it is left out; nothing says whether it does."""

    def __init__(self, connection: Connection | None = None) -> None:
        self.connection = connection or Connection()
        self.pointer_at: Point | None = None
        self.bound: dict[str, Proxy] = {}
        """The compositor's globals that are used, by the names of their interfaces."""
        self._monitors: list[WlrootsMonitor] = []
        self._all_described = False
        """Whether the monitors that were there at the start were asked for their places."""
        self._pointer: Proxy | None = None
        self._keyboard: Proxy | None = None
        self._keysyms = list(USUAL)
        """What the keys of our keyboard type, from the first keycode on."""
        self._registry = self.connection.display.create("get_registry", REGISTRY)
        self._registry.on = {"global": self._bind, "global_remove": self._remove}
        self.connection.roundtrip()  # the globals
        if missing := protocols.lacking(self.bound):
            self.connection.close()
            raise ScreenError(f"this desktop does not offer {', '.join(missing)}: run `minebot doctor`")
        for monitor in self._monitors:
            self._describe(monitor)
        self._all_described = True
        self.connection.roundtrip()  # the places of the monitors

    def _bind(self, number: int, name: str, version: int) -> None:
        if name == protocols.OUTPUT.name:
            output = self._bound(number, protocols.OUTPUT, version)
            monitor = WlrootsMonitor(self, output, number)
            output.on["geometry"] = lambda *told: setattr(monitor, "transform", told[-1])
            output.on["mode"] = lambda flags, *told: self._take_mode(monitor, flags, told[-1])
            self._monitors.append(monitor)
            if self._all_described:
                self._describe(monitor)  # one that was plugged in later
        for interface in BOUND:
            if name == interface.name and name not in self.bound:
                self.bound[name] = self._bound(number, interface, version)

    def _take_mode(self, monitor: WlrootsMonitor, flags: int, refresh_mhz: int) -> None:
        if flags & CURRENT_MODE:
            monitor.refresh_mhz = refresh_mhz

    def _bound(self, number: int, interface: Interface, version: int) -> Proxy:
        used = min(version, interface.version)
        return self._registry.create("bind", interface, number, interface.name, used)

    def _describe(self, monitor: WlrootsMonitor) -> None:
        """Ask for the place and size of a monitor in points."""
        manager = self.bound[protocols.XDG_OUTPUT_MANAGER.name]
        described = manager.create("get_xdg_output", protocols.XDG_OUTPUT, monitor.output)
        described.on = {
            "logical_position": lambda *place: setattr(monitor, "place", place),
            "logical_size": lambda *size: setattr(monitor, "size", size),
        }

    def _remove(self, number: int) -> None:
        self._monitors = [monitor for monitor in self._monitors if monitor.number != number]

    def monitors(self) -> list[Monitor]:
        """The monitors that are on. Raises ScreenError if there is none."""
        with self.connection.lock:
            while self.connection.handle(0):
                pass
        found: list[Monitor] = [monitor for monitor in self._monitors if min(monitor.size) > 0]
        if not found:
            raise ScreenError("no monitor was found: switch one on, and run `minebot doctor`")
        return found

    @property
    def frame_s(self) -> float:
        """Time between two frames of the quickest monitor, in seconds: each picture waits for one."""
        return 1000 / max((monitor.refresh_mhz or USUAL_MHZ for monitor in self._monitors), default=USUAL_MHZ)

    def demand_clicks(self) -> None:
        """Does nothing: nobody is asked."""

    def move(self, point: Point) -> None:
        """Move the pointer to the middle of a point."""
        area = around([monitor.rect for monitor in self.monitors()])
        x, y = point.x - area.x, point.y - area.y
        pointer = self._ready_pointer()
        # In half points, so that no rounding puts it on the point before.
        at = (max(0, 2 * x + 1), max(0, 2 * y + 1), 2 * area.width, 2 * area.height)
        pointer.send("motion_absolute", _now_ms(), *at)
        pointer.send("frame")
        self.pointer_at = point

    def button(self, code: int, down: bool) -> None:
        """Press or release a button, and wait until the compositor has taken it."""
        pointer = self._ready_pointer()
        pointer.send("button", _now_ms(), code, int(down))
        pointer.send("frame")
        self.connection.roundtrip()

    def click(self, code: int) -> None:
        """Press and release a button in one write, so that a kill leaves none down; and wait until the
        compositor has taken both."""
        pointer = self._ready_pointer()
        with self.connection.together():
            for state in (1, 0):
                pointer.send("button", _now_ms(), code, state)
                pointer.send("frame")
        self.connection.roundtrip()

    def _ready_pointer(self) -> Proxy:
        """Our pointer, which programs have noticed; the keyboard comes with it, for the same reason."""
        if self._pointer is None:
            manager = self.bound[protocols.VIRTUAL_POINTER_MANAGER.name]
            self._pointer = manager.create(
                "create_virtual_pointer", protocols.VIRTUAL_POINTER, self.bound.get(protocols.SEAT.name)
            )
            self._pointer.send("motion", _now_ms(), 0.0, 0.0)
            self._pointer.send("frame")
            if protocols.VIRTUAL_KEYBOARD_MANAGER.name in self.bound:
                self._plug_keyboard_in()
            self.connection.roundtrip()
            time.sleep(NOTICED_S)
        return self._pointer

    def type_key(self, keysym: int) -> None:
        """Strike a key of a keyboard of ours."""
        self._ready_pointer()
        if self._keyboard is None:
            raise ScreenError(NO_KEYS)
        if keysym not in self._keysyms:
            # Sway does not tell programs of a new layout of the same keyboard.
            self._keyboard.destroy()
            self._keysyms.append(keysym)
            self._plug_keyboard_in()
            self.connection.roundtrip()
            time.sleep(NOTICED_S)
        # The protocol's keycodes are those of Linux' input events.
        code = self._keysyms.index(keysym) + FIRST_CODE - 8
        self._keyboard.send("key", _now_ms(), code, 1)
        self._keyboard.send("key", _now_ms(), code, 0)
        self.connection.roundtrip()

    def _plug_keyboard_in(self) -> None:
        """Add a keyboard to the desktop, whose keys type `_keysyms`."""
        manager = self.bound[protocols.VIRTUAL_KEYBOARD_MANAGER.name]
        self._keyboard = manager.create(
            "create_virtual_keyboard", protocols.VIRTUAL_KEYBOARD, self.bound[protocols.SEAT.name]
        )
        text = layout(self._keysyms).encode() + b"\0"
        fd = _memory_file("minebot-keymap")
        try:
            os.write(fd, text)
            self._keyboard.send("keymap", XKB_V1, fd, len(text))
        finally:
            os.close(fd)

    def close(self) -> None:
        """Leave the desktop: our pointer and keyboard disappear."""
        self.connection.close()


def _now_ms() -> int:
    """The time of an input event, in milliseconds."""
    return int(time.monotonic() * 1000) & 0xFFFFFFFF


def _memory_file(name: str) -> int:
    """The descriptor of a file that lies in memory alone."""
    if sys.platform != "linux":
        raise ScreenError("the pictures of Wayland's desktops are read on Linux alone")
    return os.memfd_create(name, os.MFD_CLOEXEC)
