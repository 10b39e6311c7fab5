"""The looks of the cells of one window, and what each has been read as so far.

A look is a picture of a cell. Cells have the look that differs least in the place where it differs most: of
thin digits on a pale ground the mean over the whole cell says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.general.digit_colours import Floats, Inks, ink_of
from bot.vision.grid import Image

PARTS = 5
"""A cell is compared in so many parts a side."""

MAX_DIFFERENCE = 5.0
"""Maximum mean colour difference (0 to 255) of the parts of two cells of one look, where nothing is drawn on
them, or in black on white. What is drawn with less contrast must be as much more alike: a grey 2 and 3 on
brown, of ten pixels in cells of sixty, differ by 4.6."""

MOST = 255.0
"""The contrast of black on white."""

CLEARER = 1.5
"""A look of another meaning must differ by at least this many times as much."""

MAJORITY = 3
"""A look has the meaning that was read at least this many times as often as all others together."""

EDGE, FLAT = 0.2, 12.0
"""The part of a cell on each side that may be its bevel, and the maximum difference (0 to 255) of what lies
within it from its commonest colour where nothing is drawn there."""

PLAIN = (Cell.COVERED, Cell.EMPTY, Cell.MINE)
"""What a flag may be read as that is a plain square."""

KNOWN_FLAG = 10
"""A look is known as that of a flag once it was read so often, or learned by a click of ours, which counts as
so many readings."""

MAX_REMEMBERED = 5_000
"""The largest number of different cells whose look is remembered: noise has no end, and a cell has up to 10
kilobytes."""

MAX_LOOKS = 600
"""So many looks are kept: where more come, the cells never look alike, and each is read every time."""

Pictures = npt.NDArray[np.float32]


class Looks:
    """The looks of cells of one size."""

    def __init__(self, size: tuple[int, int]) -> None:
        """`size`: width and height of a cell, in pixels."""
        self.size = size
        self.pictures: list[Image] = []
        """One cell of each look, shape (height, width, 3)."""
        self._votes: list[Counter[int]] = []
        """How often each look was read as each code of `Cell`."""
        self._confirmed: list[int] = []
        """How many cells of each look were seen to be what it was read as, once the mines were known."""
        self.opened: set[int] = set()
        """The looks that cells took on where clicks opened them, though they are read as covered."""
        self._doubted: set[tuple[int, int]] = set()
        """Looks, each with a code that it was read as and that cannot be right."""
        self._contrasts: list[float] = []
        """How much what is drawn on each look differs from its ground, as `_contrast` has it."""
        self._flat: Pictures = np.empty((0, size[0] * size[1] * 3), np.float32)
        self._middles: dict[bytes, list[int]] = {}
        """The looks with each middle, by the pixels within their edges."""
        self._known: dict[bytes, int] = {}
        """The look of each cell that was met, by its pixels."""

    def __len__(self) -> int:
        return len(self.pictures)

    def label(self, look: int) -> int:
        """What a look means; UNREAD where that is not sure."""
        if look < 0 or not self._votes[look]:
            return int(Cell.UNREAD)
        (code, most), *_ = self._votes[look].most_common(1)
        others = self.votes(look) - most
        return code if most >= MAJORITY * others else int(Cell.UNREAD)

    def votes(self, look: int) -> int:
        """How often a look was read."""
        return sum(self._votes[look].values()) if look >= 0 else 0

    def confirmed(self, look: int) -> int:
        """How many cells of a look were seen to be what it is read as: their game has shown its mines."""
        return self._confirmed[look]

    def confirm(self, look: int, cells: int) -> None:
        """The mines around so many more cells of a look were counted: it was read rightly."""
        self._confirmed[look] += cells

    def inks(self, votes: int) -> Inks:
        """The inks of the numbers that were read at least so many times."""
        inks: dict[int, list[Floats]] = {}
        for look, picture in enumerate(self.pictures):
            label = self.label(look)
            if 1 <= label <= 8 and self.votes(look) >= votes and (ink := ink_of(picture)).any():
                inks.setdefault(label, []).append(ink)
        return inks

    def find(self, pixels: npt.NDArray[np.uint8]) -> int:
        """The look of a cell, height * width * 3 bytes; -1 where it was never met."""
        key = pixels.tobytes()
        found = self._known.get(key)
        if found is None:
            found = self._nearest(pixels)
            if found >= 0:
                if len(self._known) >= MAX_REMEMBERED:
                    self._known.clear()
                self._known[key] = found
        return found

    def meet(self, pixels: npt.NDArray[np.uint8], code: int) -> int:
        """A cell was read as a code of `Cell`; gives its look, -1 where it is none of those kept."""
        look = self.find(pixels)
        # Two meanings that look nearly alike: what differs in a thin digit is little, and not nothing.
        if look >= 0 and self.label(look) not in (code, Cell.UNREAD) and not self._is_exemplar(look, pixels):
            look = -1
        if look < 0:
            if len(self) >= MAX_LOOKS:
                return -1
            look = self.add(pixels)
        if (look, code) not in self._doubted:
            self._votes[look][code] += 1
        return look

    def add(self, pixels: npt.NDArray[np.uint8], codes: Sequence[int] = ()) -> int:
        """Add a look, read as these codes so far; gives its number."""
        width, height = self.size
        self.pictures.append(pixels.reshape(height, width, 3).copy())
        self._votes.append(Counter(codes))
        self._confirmed.append(0)
        self._contrasts.append(self._contrast(pixels))
        self._flat = np.vstack([self._flat, pixels.astype(np.float32)[None]])
        look = len(self) - 1
        self._middles.setdefault(self._middle(pixels).tobytes(), []).append(look)
        self._forget_near(pixels)
        self._known[pixels.tobytes()] = look
        return look

    def _forget_near(self, pixels: npt.NDArray[np.uint8]) -> None:
        """Forget the look of each cell that a new look of these pixels may be nearer to."""
        keys = list(self._known)
        cells = np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), len(pixels)).astype(np.int16)
        away = np.abs(cells - pixels.astype(np.int16)).mean(axis=1) > CLEARER * MAX_DIFFERENCE
        self._known = {key: self._known[key] for key, keeps in zip(keys, away.tolist(), strict=True) if keeps}

    def learn_again(self, look: int, code: int, readings: int = 1) -> None:
        """All that a look was read as before is wrong: it means this code of `Cell`, as if it had been read
        so that many times."""
        self._votes[look] = Counter({code: readings})
        self._confirmed[look] = 0
        self.opened.discard(look)

    def with_flags(self, codes: Codes, pixels: npt.NDArray[np.uint8]) -> Codes:
        """The codes of some cells, (rows, columns), but flags where covered or empty cells or mines were read
        that have just the middle of a known flag, and of nothing else; of their `pixels`, (rows, columns,
        height * width * 3).

        Beside round corners lies the ground of the page at the rim of a board, and that of the board within.
        Plain squares of another colour may be flags or mines: where hardly anything is covered any more they
        are read as mines, as a game shows them that is over.
        """
        flags = {
            middle
            for middle, looks in self._middles.items()
            if all(self.label(look) == Cell.FLAG for look in looks)
            and max(map(self.votes, looks)) >= KNOWN_FLAG
        }
        told: Codes = codes.copy()
        for row, column in np.argwhere(np.isin(codes, PLAIN)).tolist() if flags else ():
            if self._middle(pixels[row, column]).tobytes() in flags:
                told[row, column] = Cell.FLAG
        return told

    def is_flat(self, pixels: npt.NDArray[np.uint8]) -> bool:
        """Whether nothing is drawn on a cell, height * width * 3 bytes, within its edges."""
        return 0 <= self._contrast(pixels) <= FLAT

    def _middle(self, pixels: npt.NDArray[np.uint8]) -> Image:
        """What lies within the edges of a cell, height * width * 3 bytes."""
        width, height = self.size
        return np.ascontiguousarray(pixels.reshape(height, width, 3)[within(self.size, EDGE)])

    def _contrast(self, pixels: npt.NDArray[np.uint8]) -> float:
        """How much what is drawn on a cell, height * width * 3 bytes, within its edges differs from its
        ground at most, 0 to 255; -1 where nothing lies within them."""
        middle = self._middle(pixels).reshape(-1, 3).astype(np.int16)
        return float(np.abs(middle - np.median(middle, axis=0)).max()) if len(middle) else -1.0

    def take_as_opened(self, pixels: npt.NDArray[np.uint8]) -> None:
        """A click has opened a cell with no number on it, which looks so."""
        look = self.find(pixels)
        if look < 0:
            look = self.add(pixels)
        self.learn_again(look, int(Cell.EMPTY))
        self.opened.add(look)

    def unlearn(self, look: int) -> None:
        """It is not known any more what a look means."""
        self._votes[look].clear()
        self._confirmed[look] = 0
        self.opened.discard(look)

    def disprove(self, look: int) -> None:
        """A look is not what it is read as, and is never believed to be that again."""
        self._doubted.add((look, self.label(look)))
        self.unlearn(look)

    def forget(self, code: int) -> None:
        """Nothing is known any more of what was read as this code."""
        for votes in self._votes:
            votes.pop(code, None)

    def doubt(self, shown: Sequence[int]) -> None:
        """What these looks mean contradicts itself: of those that are numbers, the ones that were read least
        often are not read so any more."""
        numbers = [look for look in set(shown) if 1 <= self.label(look) <= 8]
        least = min((self.votes(look) for look in numbers), default=0)
        for look in numbers:
            if self.votes(look) == least:
                self._doubted.add((look, self.label(look)))
                self._votes[look].pop(self.label(look))

    def _is_exemplar(self, look: int, pixels: npt.NDArray[np.uint8]) -> bool:
        return bool((self.pictures[look].ravel() == pixels).all())

    def _nearest(self, pixels: npt.NDArray[np.uint8]) -> int:
        if not len(self):
            return -1
        (width, height), flat = self.size, pixels.astype(np.float32)
        # The mean over the cell is at most the largest mean of its parts.
        near = np.flatnonzero(np.abs(self._flat - flat).mean(axis=1) <= CLEARER * MAX_DIFFERENCE)
        differences = {}
        for look in near.tolist():
            difference: Any = np.abs(self._flat[look] - flat).reshape(height, width, 3).mean(axis=2)
            parts = cv2.resize(difference, (PARTS, PARTS), interpolation=cv2.INTER_AREA)
            differences[look] = float(np.asarray(parts).max())
        if not differences:
            return -1
        best = min(differences, key=lambda look: differences[look])
        drawn = max(self._contrasts[best], self._contrast(pixels))
        if differences[best] > MAX_DIFFERENCE * (drawn / MOST if drawn > FLAT else 1.0):
            return -1
        label = self.label(best)
        doubt = any(
            difference < CLEARER * differences[best] and self.label(look) != label
            for look, difference in differences.items()
        )
        return -1 if doubt else best


def within(size: tuple[int, int], edge: float) -> tuple[slice, slice]:
    """The rows and the columns of a cell of this width and height, in pixels, without a part of it on each
    side."""
    width, height = size
    left, top = (max(1, int(edge * side)) for side in size)
    return slice(top, height - top), slice(left, width - left)
