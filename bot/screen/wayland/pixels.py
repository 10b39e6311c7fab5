"""Pixels as compositors give them, as pictures: blue, green, red."""

from __future__ import annotations

import cv2
import numpy as np

from bot.errors import ScreenError
from bot.vision.grid import Image


def _four(text: str) -> int:
    """The number of a DRM format, from its four letters."""
    return int.from_bytes(text.encode(), "little")


ARGB, XRGB = 0, 1
"""The two formats that wl_shm numbers itself; the others have the numbers of drm_fourcc.h."""

BGR_ORDER = {ARGB, XRGB, _four("AR24"), _four("XR24")}
"""Four bytes: blue, green, red, anything."""

RGB_ORDER = {_four("AB24"), _four("XB24")}
"""Four bytes: red, green, blue, anything."""

TEN_BITS = {
    _four("XR30"): (20, 10, 0),
    _four("AR30"): (20, 10, 0),
    _four("XB30"): (0, 10, 20),
    _four("AB30"): (0, 10, 20),
}
"""Ten bits a colour in 32: the place of the lowest bit of red, green and blue."""

BYTES_3 = {_four("BG24"): cv2.COLOR_RGB2BGR, _four("RG24"): None}
"""Three bytes, and how OpenCV makes blue, green, red of them; None if they are that already."""


def picture_of(raw: bytes | memoryview, pixel_format: int, width: int, height: int, stride: int) -> Image:
    """A picture of its own from raw pixels, `stride` bytes a row. Raises ScreenError for unknown formats."""
    rows = np.frombuffer(raw, np.uint8, stride * height).reshape(height, stride)
    if pixel_format in BGR_ORDER | RGB_ORDER:
        four = rows[:, : width * 4].reshape(height, width, 4)
        order = cv2.COLOR_BGRA2BGR if pixel_format in BGR_ORDER else cv2.COLOR_RGBA2BGR
        return np.asarray(cv2.cvtColor(four, order), np.uint8)
    if pixel_format in BYTES_3:
        three = rows[:, : width * 3].reshape(height, width, 3)
        swap = BYTES_3[pixel_format]
        return three.copy() if swap is None else np.asarray(cv2.cvtColor(three, swap), np.uint8)
    if pixel_format in TEN_BITS:
        packed = np.ascontiguousarray(rows[:, : width * 4]).view(np.uint32)
        red, green, blue = TEN_BITS[pixel_format]
        return np.stack([(packed >> (shift + 2)) & 0xFF for shift in (blue, green, red)], axis=2).astype(
            np.uint8
        )
    raise ScreenError(
        f"the desktop gives pixels in the format {pixel_format:#x}, which minebot cannot read:"
        " please report this"
    )


def upright(picture: Image, transform: int) -> Image:
    """A picture of a turned monitor as a person sees it; `transform` is that of wl_output: quarter turns, and
    4 more where it is mirrored too."""
    turned = np.rot90(picture, -(transform % 4))
    return np.ascontiguousarray(turned[:, ::-1] if transform >= 4 else turned)
