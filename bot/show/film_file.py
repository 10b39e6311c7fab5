"""Films as files: GIF by Pillow, MP4 by OpenCV.

A GIF keeps only what changes from one picture to the next, so a game of small changes stays small; that of
OpenCV is 250 times as large. An MP4 is MPEG-4 Part 2 (`mp4v`), which every OpenCV can write: players show
it, browsers do not.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow

from bot.errors import BotError
from bot.vision.grid import Image

GIF_RATES = (20.0, 10.0, 5.0, 2.0, 1.0)
"""Pictures a second at most, tried in this order until the file is small enough. Browsers slow down a
GIF of more than 50."""

GIF_BYTES = 3_000_000
"""What a GIF should stay under: chats and code hosts show files of that size."""

MP4_RATE = 30.0
"""Pictures a second."""

COLOURS = 255
"""Colours of a GIF's palette; one more stands for a pixel that stays as it was."""

PALETTE_PICTURES = 12
"""Pictures at the beginning whose colours make the palette, besides the colours that are drawn over them."""

DRAWN = (
    (40, 170, 40), (220, 40, 40), (255, 140, 0), (220, 0, 220), (0, 80, 200), (245, 245, 245), (36, 40, 45),
    *((60 + 16 * step, 150 - 15 * step, 0) for step in range(11)),
)  # fmt: skip
"""The colours of the overlay (red, green, blue), which a picture in the middle may need."""

LONGEST_S = 655.0
"""Seconds that one picture of a GIF can be shown for: its time is a 16-bit number of hundredths."""


def gif(pictures: Iterable[tuple[Image, float]]) -> bytes:
    """A film as a GIF that is shown over and over.

    `pictures` are of one size, blue, green, red, each with its seconds. Raises ValueError if there are none.
    """
    waiting = iter(pictures)
    first = [picture for picture, _ in zip(waiting, range(PALETTE_PICTURES), strict=False)]
    if not first:
        raise ValueError("a film needs at least one picture")
    palette = _palette([image for image, _ in first])
    durations: list[int] = []

    def quantised() -> Iterator[Pillow.Image]:
        for image, seconds in chain(first, waiting):
            durations.append(max(2, round(min(seconds, LONGEST_S) * 100)) * 10)
            picture = Pillow.fromarray(np.ascontiguousarray(image[:, :, ::-1]))
            yield picture.quantize(palette=palette, dither=Pillow.Dither.NONE)

    frames = list(quantised())
    out = io.BytesIO()
    frames[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        optimize=False,
        disposal=1,
    )
    return out.getvalue()


def small_gif(film: Callable[[float], Iterable[tuple[Image, float]]]) -> tuple[bytes, float]:
    """A film as a GIF under `GIF_BYTES` if any of `GIF_RATES` makes one, and the rate that did.

    `film` gives the pictures for a rate, as `bot.show.film.pictures` does.
    """
    content, rate = b"", GIF_RATES[0]
    for rate in GIF_RATES:
        content = gif(film(rate))
        if len(content) < GIF_BYTES:
            break
    return content, rate


def _palette(images: list[Image]) -> Pillow.Image:
    """A palette of the colours in these pictures and of those that are drawn over later ones."""
    width = images[0].shape[1]
    drawn = np.repeat(np.array(DRAWN, np.uint8), -(-4 * width // len(DRAWN)), axis=0)[: 4 * width]
    strip = drawn.reshape(4, -1, 3)[:, :width]
    step = max(1, len(images) // 4)
    stack = np.concatenate([*(image[:, :, ::-1] for image in images[::step]), strip])
    return Pillow.fromarray(np.ascontiguousarray(stack)).quantize(COLOURS, Pillow.Quantize.MEDIANCUT)


def mp4(pictures: Iterable[tuple[Image, float]]) -> bytes:
    """A film as an MP4 file; `pictures` as `gif` takes them. Raises BotError where OpenCV cannot write it."""
    with tempfile.TemporaryDirectory(prefix="minebot-film-") as folder:
        path = Path(folder) / "film.mp4"
        writer: cv2.VideoWriter | None = None
        shown = 0.0
        written = 0
        for image, seconds in pictures:
            # The format takes even sides only.
            even = np.ascontiguousarray(image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2])
            if writer is None:
                size = even.shape[1], even.shape[0]
                writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), MP4_RATE, size)
                if not writer.isOpened():
                    raise BotError("this OpenCV writes no MP4: use --gif, or `pip install opencv-python`")
            shown += seconds
            while written < round(shown * MP4_RATE):
                writer.write(even)
                written += 1
        if writer is None:
            raise ValueError("a film needs at least one picture")
        writer.release()
        return path.read_bytes()
