"""Writes the video files of other programs, as their formats are published, so that they can be read again.

`ms_toollib`, which the ranking sites share, is what says whether they are right: each is parsed by it. Those
of Minesweeper Clone follow the field's converter to RAWVF, `parser_mvf.c` of thefinerminer/minesweeper-rawvf.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence

from bot.game.measures import bbbv
from bot.game.minefield import Minefield
from bot.review.buttons import Press

PIXELS = 16
"""Of a cell, in every file."""

PLAYER = "A. Nonymous"


def _pixel(press: Press) -> tuple[int, int]:
    """Column and row of the middle of the cell, in pixels."""
    row, column = press.cell
    return column * PIXELS + PIXELS // 2, row * PIXELS + PIXELS // 2


def _mines(field: Minefield) -> list[tuple[int, int]]:
    return [divmod(int(cell), field.columns) for cell in field.mines.ravel().nonzero()[0]]


def avf(field: Minefield, presses: Sequence[Press]) -> bytes:
    """Minesweeper Arbiter's, of a custom size."""
    words = {"lc": 3, "lr": 5, "rc": 9, "rr": 17, "mc": 33, "mr": 65}
    data = bytearray([34, 1, 2, 3, 4, 6, field.columns - 1, field.rows - 1])
    data += struct.pack(">H", field.total)
    for row, column in _mines(field):
        data += bytes([row + 1, column + 1])
    # A check sum of the board stands in as many letters as it has digits, and four more.
    total = sum(
        (10 if field.mines[y, x] else int(field.counts[y, x]) + 1) * (x + x * y)
        for x in range(field.columns)
        for y in range(field.rows)
    )
    data += b"\x02" * (len(str(total)) + 4)
    size = f"W{field.columns}H{field.rows}M{field.total}"
    seconds = presses[-1].t
    data += bytes([8, 127, 60])
    data += f"[3|{size}|26.10.2022.23:13:27:2236|26.23:14:29:7764|B{bbbv(field)}T{seconds + 1:.2f}]".encode()
    for press in presses:
        x, y = _pixel(press)
        whole, hundredths = divmod(round(press.t * 100), 100)
        second = whole + 1
        data += bytes([words[press.word], x >> 8, second & 255, x & 255, hundredths, y >> 8, second >> 8])
        data += bytes([y & 255])
    return bytes(data + bytes(8) + f"Skin: none\r{PLAYER}\r".encode())


CLONE = 777
"""From it the order of the bits in a file of Minesweeper Clone is drawn; each file has another one."""


def mvf(field: Minefield, presses: Sequence[Press]) -> bytes:
    """Minesweeper Clone 0.97's: each state of the mouse is five bytes."""
    data = bytearray([*b"\x11\x4d", *bytes(25), ord("5"), *bytes(46)]) + _clone_head(field)
    seconds, hundredths = divmod(round(presses[-1].t * 100), 100)
    data += struct.pack(">HB", seconds, hundredths)
    clicks = [sum(press.word == word for press in presses) for word in ("lr", "mr", "rc")]
    data += struct.pack(">HHHHH", bbbv(field), 1, *clicks) + b"\x00" + _clone_board(field)
    states = []
    for t, x, y, right, middle, left in _states(presses):
        seconds, hundredths = divmod(round(t * 100), 100)
        values = ((right, 1), (middle, 1), (left, 1), (y, 9), (x, 9), (hundredths, 7), (seconds, 10))
        states.append(_packed(values, 5))
    return bytes(data + struct.pack(">H", CLONE) + len(states).to_bytes(3, "big") + b"".join(states))


def mvf_2007(field: Minefield, presses: Sequence[Press], *, marks: bool = False) -> bytes:
    """Minesweeper Clone 2007's: six bytes, thousandths of a second, and places beside the board."""
    version = b"2007"
    data = bytearray([*b"\x11\x4d", *bytes(25), ord("7"), *bytes(25), len(version), *version])
    data = data.ljust(71, b"\x00") + _clone_head(field)
    data += round(presses[-1].t * 1000).to_bytes(3, "big") + bytes([marks]) + _clone_board(field)
    states = []
    for t, x, y, right, middle, left in _states(presses):
        values = ((right, 1), (middle, 1), (left, 1), (y + 32, 11), (x + 32, 11), (round(t * 1000), 22))
        states.append(_packed(values, 6))
    return bytes(data + struct.pack(">H", CLONE) + len(states).to_bytes(3, "big") + b"".join(states))


def _clone_head(field: Minefield) -> bytes:
    """The date, the level and the mode."""
    level = {(8, 8): 1, (16, 16): 2, (30, 16): 3}.get((field.columns, field.rows), 4)
    return struct.pack(">BBHBBB", 10, 26, 2022, 23, 13, 27) + bytes([level, 1])


def _clone_board(field: Minefield) -> bytes:
    mines = bytes(place for row, column in _mines(field) for place in (column + 1, row + 1))
    size = struct.pack(">BBH", field.columns, field.rows, field.total)
    return size + mines + bytes([len(PLAYER)]) + PLAYER.encode()


def _states(presses: Sequence[Press]) -> Iterator[tuple[float, int, int, int, int, int]]:
    """Time, place and buttons (right, middle, left) at each change; a movement before a click elsewhere."""
    down = {"r": 0, "m": 0, "l": 0}
    x, y = _pixel(presses[0])
    for number, press in enumerate(presses):
        if _pixel(press) != (x, y):
            x, y = _pixel(press)
            yield press.t, x, y, down["r"], down["m"], down["l"]
        down[press.word[0]] = int(press.word[1] == "c")
        after = presses[number + 1] if number + 1 < len(presses) else None
        # Two buttons that change at once are one state.
        if after is None or after.t != press.t or after.word[0] == press.word[0]:
            yield press.t, x, y, down["r"], down["m"], down["l"]


def _packed(values: Sequence[tuple[int, int]], size: int) -> bytes:
    """Numbers of so many bits each, in the order that `CLONE` gives."""
    one, two = math.sqrt(CLONE), math.sqrt(CLONE + 1000)
    three, four = math.sqrt(one + 1000), math.sqrt(two + 1000)
    numbers = [math.cos(three + 1000), math.sin(math.sqrt(two)), math.cos(three)]
    numbers += [math.sin(math.sqrt(one) + 1000), math.cos(four), math.sin(four)]
    digits = "".join(f"{round(abs(number) * 1e8):08d}"[:8] for number in numbers)
    places = [place for digit in "0123456789" for place in range(8 * size) if digits[place] == digit]
    packed = bytearray(size)
    bits = [value >> bit & 1 for value, length in values for bit in range(length)]
    for place, bit in zip(places, bits, strict=False):
        packed[place // 8] |= bit << place % 8
    return bytes(packed)


def rmv(field: Minefield, presses: Sequence[Press]) -> bytes:
    """Viennasweeper's, in its second version; flags before the first click (`pf`) stand apart."""
    words = {"lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7}
    flags = [press for press in presses if press.word == "pf"]
    info = bytes([len(PLAYER)]) + PLAYER.encode()
    preflags = b"".join(bytes([press.cell[1], press.cell[0]]) for press in flags)
    if flags:
        preflags = struct.pack(">H", len(flags)) + preflags
    version, properties = b"a test", bytes([0, 0, 0, 0, bbbv(field), 0, PIXELS])
    data = bytearray(b"*rmv" + struct.pack(">HBBI", 2, 1, 1, 0))
    data += struct.pack(">HHHHHHIH", len(version), len(info) + 2, 0, len(preflags), len(properties), 2, 0, 0)
    data += version + struct.pack(">H", 1) + info
    data += struct.pack(">IBBH", 1_700_000_000, field.columns, field.rows, field.total)
    for row, column in _mines(field):
        data += bytes([column, row])
    data += preflags + properties + struct.pack(">H", 0)
    # The file leaves out the first press of the left button.
    for press in [press for press in presses if press.word != "pf"][1:]:
        x, y = _pixel(press)
        data += bytes([words[press.word]]) + (round(press.t * 1000) << 8).to_bytes(4, "big")
        data += struct.pack(">HH", x, y)
    return bytes(data + bytes([16]))


WRITERS: dict[str, Callable[[Minefield, Sequence[Press]], bytes]] = {"avf": avf, "mvf": mvf, "rmv": rmv}
"""What writes each kind."""
