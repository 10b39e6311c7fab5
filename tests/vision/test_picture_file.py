"""Pictures from files: those that Pillow cannot decode, and those that are shown turned."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from PIL import Image as Pillow

from bot.errors import FormatError
from bot.vision.grid import Image
from bot.vision.picture_file import picture_in

ORIENTATION = 0x112
"""The number of the word of EXIF that says how a picture is turned."""


def upright() -> Image:
    """A picture, red, green, blue, that is another one whichever way it is turned."""
    return np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def file(pixels: Image, exif: Pillow.Exif | bytes) -> bytes:
    content = io.BytesIO()
    Pillow.fromarray(np.ascontiguousarray(pixels)).save(content, "PNG", exif=exif)
    return content.getvalue()


def test_a_kind_of_a_format_that_pillow_lacks_is_told() -> None:
    """Pillow raises a NotImplementedError for it, and the reading of all further pictures ended there."""
    head = struct.pack("<7I", 124, 0x1007, 16, 16, 0, 0, 0) + bytes(44)
    unknown = b"DDS " + head + struct.pack("<8I", 32, 0, 0, 0, 0, 0, 0, 0) + bytes(20 + 16 * 16 * 4)
    with pytest.raises(FormatError, match="cut short or damaged"):
        picture_in(unknown)


@pytest.mark.parametrize(("orientation", "turns"), [(1, 0), (6, 1), (3, 2), (8, 3)])
def test_a_picture_is_turned_as_its_file_says(orientation: int, turns: int) -> None:
    exif = Pillow.Exif()
    exif[ORIENTATION] = orientation
    seen = picture_in(file(np.rot90(upright(), turns), exif))
    np.testing.assert_array_equal(seen, upright()[:, :, ::-1])


def test_damaged_words_about_a_picture_keep_none_from_being_read() -> None:
    seen = picture_in(file(upright(), b"Exif\0\0MM\0*\0\0\0\x08\xff\xff\x01"))
    np.testing.assert_array_equal(seen, upright()[:, :, ::-1])
    seen = picture_in(file(upright(), b"no words at all"))
    np.testing.assert_array_equal(seen, upright()[:, :, ::-1])
