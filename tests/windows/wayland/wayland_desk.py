"""What the headless Wayland desktops of the tests share: how the environment names one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from conftest import Desk

from bot.screen.display import environment
from bot.screen.wayland import session

OTHER_DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK")
"""The variables that would name another desktop."""


@dataclass
class WaylandDesk(Desk):
    """A Wayland desktop; its `display` is that of Wayland."""

    runtime: str = ""
    """The folder of its sockets."""

    def named(self) -> dict[str, str]:
        """The variables that name this desktop."""
        return {"WAYLAND_DISPLAY": self.display, "XDG_RUNTIME_DIR": self.runtime}

    def environment(self) -> dict[str, str]:
        others = {name: value for name, value in os.environ.items() if name not in OTHER_DESKTOPS}
        return others | self.named()


AnyDesk = TypeVar("AnyDesk", bound=WaylandDesk)


@contextmanager
def in_environment(desk: AnyDesk) -> Iterator[AnyDesk]:
    """The desktop, which the environment names while the body runs; what was started on it then ends."""
    with environment(**(dict.fromkeys(OTHER_DESKTOPS) | desk.named())):
        try:
            yield desk
        finally:
            session.leave()
            desk.end_started()
