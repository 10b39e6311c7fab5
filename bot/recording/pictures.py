"""Frames as files: named by what they show, lossless, and checked when they are read back."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import cv2
import numpy as np

from bot.errors import FormatError
from bot.vision.grid import Image

_PNG_BEGIN = b"\x89PNG\r\n\x1a\n"

_PNG_END = b"\0\0\0\0IEND\xaeB`\x82"
"""The last chunk of every PNG file: without it the file was cut."""

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
    if not content.endswith(_PNG_END):
        raise FormatError(f"{path}: the picture is cut short: restore it, or delete the recording")
    image = None
    if _is_whole(content):
        image = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None or frame_hash(image.astype(np.uint8, copy=False)) != path.stem:
        raise FormatError(f"{path}: the picture is damaged: restore it, or delete the recording")
    return image.astype(np.uint8, copy=False)


def _is_whole(content: bytes) -> bool:
    """Whether these are the chunks of a PNG file with their check sums, up to the end."""
    if not content.startswith(_PNG_BEGIN):
        return False
    at = len(_PNG_BEGIN)
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        checked, told = content[at + 4 : at + 8 + length], content[at + 8 + length : at + 12 + length]
        if zlib.crc32(checked) != int.from_bytes(told, "big") or len(told) < 4:
            return False
        at += 12 + length
    return at == len(content)
