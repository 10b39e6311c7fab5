"""Frames as files: named by what they show, lossless, and checked when they are read back."""

from __future__ import annotations

import hashlib
from pathlib import Path

import cv2
import numpy as np

from bot.errors import FormatError
from bot.files import PNG_END, is_whole_png
from bot.vision.grid import Image

_COMPRESSION = 1
"""Of 0 to 9. A busy picture of 504x330 pixels: 1 takes 6 ms and 31 KB, 9 takes 44 ms and 26 KB."""


def frame_hash(image: Image) -> str:
    """The name of a picture: 16 hex digits that depend on its pixels and its shape alone."""
    digest = hashlib.blake2b(np.ascontiguousarray(image).data, digest_size=16)
    digest.update(repr(tuple(int(length) for length in image.shape)).encode())
    return digest.hexdigest()[:16]


def encode_png(image: Image) -> bytes:
    """The bytes of a lossless PNG file."""
    done, content = cv2.imencode(
        ".png", np.ascontiguousarray(image), [cv2.IMWRITE_PNG_COMPRESSION, _COMPRESSION]
    )
    if not done:
        raise OSError("OpenCV could not encode a frame")
    return content.tobytes()


def read_frame(path: Path) -> Image:
    """The picture in a file named by its hash.

    Raises FormatError where it is missing, cut, or shows something else than it did.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{path}: the picture is missing: restore it, or delete the recording") from None
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror}): mend its permissions") from None
    # Looked at before decoding, because libpng talks on stderr about a file that was cut or damaged.
    if not content.endswith(PNG_END):
        raise FormatError(f"{path}: the picture is cut short: restore it, or delete the recording")
    image = None
    if is_whole_png(content):
        image = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None or frame_hash(image.astype(np.uint8, copy=False)) != path.stem:
        raise FormatError(f"{path}: the picture is damaged: restore it, or delete the recording")
    return image.astype(np.uint8, copy=False)
