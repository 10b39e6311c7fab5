"""Pictures of the screen: the protocol `Capture`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bot.geometry import Rect

if TYPE_CHECKING:
    from bot.vision.grid import Image  # imports OpenCV, which the protocols of a screen do not need


class Capture(Protocol):
    """Captures pictures of the desktop. Rectangles are in points of the desktop, as the mouse counts them;
    coordinates may be negative. A picture may have more pixels than points (`bot.screen.scale`)."""

    def monitors(self) -> list[Rect]:
        """The rectangle of each monitor, in points; at least one."""
        ...

    def grab(self, rect: Rect) -> Image:
        """A picture of a rectangle inside the desktop: shape (height, width, 3), blue, green, red, in pixels.

        What of it lies on no monitor, as where one was unplugged a moment ago, is black. The capture may keep
        the picture: it is not to be written into. Raises ScreenError if it cannot be captured.
        """
        ...

    def close(self) -> None:
        """Release the screen."""
        ...


def desktop(monitors: list[Rect]) -> Rect:
    """The smallest rectangle around all monitors."""
    x, y = min(m.x for m in monitors), min(m.y for m in monitors)
    return Rect(x, y, max(m.right for m in monitors) - x, max(m.bottom for m in monitors) - y)
