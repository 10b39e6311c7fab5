"""What happens to a window while minebot plays it, and how a run may end after it."""

from __future__ import annotations

import multiprocessing
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.screen.programs.games import GnomeMines
from bot.screen.programs.started_program import move_window
from bot.screen.this_machine import system_windows
from bot.screen.windows import Window
from tests.soak.desktops import Desktop
from tests.soak.games import Game

GONE = (
    r"was closed or minimised|is not to be seen|cannot be seen|was moved or resized|covered by"
    r"|shows another board|no possible board was seen"
)
"""What is said of a window whose board is gone."""

LOST = r"minebot doctor|run minebot again|display"
"""What is said of a desktop that has gone."""


LEVEL_S, STEP_S = 60.0, 1.2
"""How long another level is tried to be chosen, and how long a menu may take for a step, in seconds."""


class NotDone(Exception):
    """What was to happen did not; the text says what."""


@dataclass(frozen=True)
class Scene:
    """Where something happens."""

    desktop: Desktop
    game: Game
    window: Window
    rng: Random


@dataclass(frozen=True)
class Fault:
    """What happens, and how a run may end after it."""

    happen: Callable[[Scene], None]
    """Lets it happen. Raises NotDone."""
    failed: str = ""
    """Of a game that failed after it the reason matches this; empty: none may fail."""
    stopped: str = ""
    """The same for a game that was stopped."""
    statuses: frozenset[int] = frozenset({0})
    """The exit statuses that it may cause."""


def _tell(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=False, timeout=20, capture_output=True)


def _moved(scene: Scene) -> None:
    x, y = scene.rng.randint(0, 250), scene.rng.randint(0, 150)
    if scene.desktop.name == "sway":
        scene.desktop.tell("[app_id=gnome-mines]", "floating", "enable,", "move", "position", str(x), str(y))
    else:
        move_window(scene.window, (x, y))


def _resized(scene: Scene) -> None:
    factor = scene.rng.choice((0.85, 1.2, 1.4))
    if scene.desktop.name == "sway":
        width, height = round(560 * factor), round(420 * factor)
        words = ["[app_id=gnome-mines]", "floating", "enable,", "resize", "set", str(width), str(height)]
        scene.desktop.tell(*words)
        return
    rect = scene.window.rect
    move_window(scene.window, (rect.x, rect.y), (round(rect.width * factor), round(rect.height * factor)))


def _with_window(scene: Scene, *, managed: bool, for_s: float) -> None:
    """Put a window of our own over the board for a while; one of a window manager takes the keyboard."""
    from Xlib import X, Xutil
    from Xlib.display import Display

    with closing(Display()) as display:
        screen, rect = display.screen(), scene.window.rect
        window: Any = screen.root.create_window(
            rect.x + rect.width // 5,
            rect.y + rect.height // 5,
            max(150, rect.width // 2),
            max(120, rect.height // 2),
            0,
            screen.root_depth,
            background_pixel=screen.white_pixel,
            override_redirect=not managed,
            event_mask=X.ExposureMask,
        )
        window.set_wm_name("A question")
        window.set_wm_normal_hints(flags=Xutil.USPosition)  # else a manager puts it beside the board
        window.map()
        if not managed:
            window.raise_window()
        display.sync()
        time.sleep(for_s)
        window.destroy()
        display.sync()


def _covered(scene: Scene) -> None:
    _with_window(scene, managed=False, for_s=scene.rng.choice((0.3, 1.0, 12.0)))


def _dialog(scene: Scene) -> None:
    _with_window(scene, managed=True, for_s=scene.rng.choice((0.3, 1.0, 12.0)))


def _unfocused(scene: Scene) -> None:
    from Xlib import X
    from Xlib.display import Display

    with closing(Display()) as display:
        display.screen().root.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        display.sync()


def _pointer_taken(scene: Scene) -> None:
    for _ in range(12):
        _tell("mousemove", str(scene.rng.randint(300, 1200)), str(scene.rng.randint(300, 1000)))
        time.sleep(0.05)


def _another_level(scene: Scene) -> None:
    """By its menu, of which each step is seen: a busy machine takes keys late, and a click that comes while
    it is open only closes it. Raises NotDone."""
    until = time.monotonic() + LEVEL_S
    while time.monotonic() < until:
        _tell("key", "--delay", "40", "alt+g")
        if not _seen(_menu_is_open):
            continue
        _tell("key", "--delay", "40", "i")
        if _seen(lambda: _width(scene) > scene.window.rect.width):
            return
        if _menu_is_open():
            _tell("key", "Escape")
    raise NotDone(f"WineMine's menu chose no other level within {LEVEL_S:g} s")


def _seen(what: Callable[[], bool]) -> bool:
    """Whether something is so within a time."""
    until = time.monotonic() + STEP_S
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.05)
    return False


def _menu_is_open() -> bool:
    """Whether a window is seen that no window manager may touch, as menus are; openbox has one of a pixel."""
    from Xlib import X
    from Xlib.display import Display
    from Xlib.error import XError

    with closing(Display()) as display:
        for window in display.screen().root.query_tree().children:
            with suppress(XError):  # it may have gone meanwhile
                known = window.get_attributes()
                is_free = known.override_redirect and known.map_state == X.IsViewable
                if is_free and window.get_geometry().width > 1:
                    return True
    return False


def _width(scene: Scene) -> int:
    """That of the window now, in points."""
    with closing(system_windows()) as windows:
        place = windows.place(scene.window)
    return 0 if place is None else place.width


def _another_theme(scene: Scene) -> None:
    assert isinstance(scene.game, GnomeMines)
    scene.game.set_theme(scene.rng.choice(("default", "bgcolors")))


def _work(until: float) -> None:
    while time.monotonic() < until:
        pass


def _busy(scene: Scene) -> None:
    until = time.monotonic() + scene.rng.uniform(1, 5)
    workers = [multiprocessing.Process(target=_work, args=(until,)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _nothing(scene: Scene) -> None:
    """The mouse of minebot itself is spoiled (`spoiled`)."""


FAILS = frozenset({0, 1})

FAULTS: dict[str, Fault] = {
    "moved": Fault(_moved),
    "covered": Fault(_covered, failed=GONE, statuses=FAILS),
    "minimised": Fault(
        lambda scene: _tell("windowminimize", str(scene.window.id)), failed=GONE, statuses=FAILS
    ),
    "closed": Fault(lambda scene: scene.game.stop(), failed=GONE, statuses=FAILS),
    "resized": Fault(_resized, failed=GONE, statuses=FAILS),
    "level": Fault(_another_level, stopped="somebody began another game"),
    "theme": Fault(_another_theme, failed=GONE, statuses=FAILS),
    "focus": Fault(_unfocused),
    "dialog": Fault(_dialog, failed=GONE, statuses=FAILS),
    "pointer": Fault(_pointer_taken, stopped="moved the mouse|corner", statuses=frozenset({0, 130})),
    "click lost": Fault(_nothing),
    "click doubled": Fault(_nothing),
    "busy": Fault(_busy),
    "display gone": Fault(
        lambda scene: scene.desktop.end(), failed=f"{LOST}|{GONE}", stopped=LOST, statuses=FAILS
    ),
    "memory": Fault(_nothing),
    "": Fault(_nothing),
}
