"""Loads pictures from files in any format that Pillow reads; bad files raise a FormatError that says why."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError

from bot.errors import FormatError
from bot.vision.grid import Image

MAX_PIXELS = 100_000_000
"""Pictures of more pixels are refused before they fill the memory; screens have 1 to 30 million."""


def load_picture(path: Path) -> Image:
    """The picture in a file: (height, width, 3), blue, green, red; transparent pixels are laid on white.

    Raises FormatError for a file that is missing, is no picture, is cut short, or has over MAX_PIXELS.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise FormatError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return picture_in(content)


def picture_in(content: bytes) -> Image:
    """The picture that a file's bytes hold, as `load_picture` gives it and with its errors."""
    try:
        # Pillow warns of large pictures ("decompression bombs"), whose size is checked here instead, and of
        # damage that it reads over.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Pillow.open(io.BytesIO(content)) as picture:
                width, height = picture.size
                if width * height > MAX_PIXELS:
                    raise FormatError(f"{width}x{height} pixels are too many: cut the picture to the board")
                layered = _eight_bits(_upright(picture)).convert("RGBA")
    except UnidentifiedImageError:
        raise FormatError("it is no picture that is understood: save it as PNG or JPEG") from None
    except Pillow.DecompressionBombError:
        raise FormatError("it has too many pixels: cut the picture to the board") from None
    except (OSError, ValueError, SyntaxError, RuntimeError) as error:
        # Pillow raises these for truncated and damaged files, and for kinds of a format that it lacks.
        raise FormatError(f"the picture is cut short or damaged ({error}): save it again") from None
    white = Pillow.new("RGBA", layered.size, (255, 255, 255, 255))
    flat = Pillow.alpha_composite(white, layered).convert("RGB")
    return np.ascontiguousarray(np.asarray(flat, dtype=np.uint8)[:, :, ::-1])


def _upright(picture: Pillow.Image) -> Pillow.Image:
    """The picture turned as its file says that it is shown: telephones save it as their camera is held."""
    picture.load()  # what this raises is damage to the picture itself
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # Pillow raises whatever it meets in damaged words about a picture
        return picture


def _eight_bits(picture: Pillow.Image) -> Pillow.Image:
    """The picture with 8 bits a channel: Pillow would clip grey pictures of 16 bits at 255."""
    if not picture.mode.startswith("I"):
        return picture
    values = np.asarray(picture)
    return Pillow.fromarray((values >> 8 if values.max(initial=0) > 255 else values).astype(np.uint8))
