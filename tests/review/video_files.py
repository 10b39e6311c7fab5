"""Writes the video files of other programs, as their formats are published, so that they can be read again.

`ms_toollib`, which the ranking sites share, is what says whether they are right: each is parsed by it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

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


def mvf(field: Minefield, presses: Sequence[Press]) -> bytes:
    """Minesweeper Clone 0.97's: each event is five bytes whose bits lie in an order that a number gives."""
    seconds = presses[-1].t
    data = bytearray([0x11, 0x4D, *bytes(25), ord("5"), *bytes(46)])
    data += struct.pack(">BBHBBB", 10, 26, 2022, 23, 13, 27) + bytes([2, 1])
    data += struct.pack(">HB", int(seconds), round(seconds * 100) % 100)
    data += struct.pack(">HH", bbbv(field), 1) + bytes(6) + bytes([0])
    data += struct.pack(">BBH", field.columns, field.rows, field.total)
    for row, column in _mines(field):
        data += bytes([column + 1, row + 1])
    data += bytes([len(PLAYER)]) + PLAYER.encode()
    leading = 777
    places = _places(leading)
    events = []
    down = {"r": 0, "m": 0, "l": 0}
    for press in presses:
        down[press.word[0]] = int(press.word[1] == "c")
        x, y = _pixel(press)
        whole, hundredths = divmod(round(press.t * 100), 100)
        values = (
            (down["r"], 1),
            (down["m"], 1),
            (down["l"], 1),
            (y, 9),
            (x, 9),
            (hundredths, 7),
            (whole, 10),
        )
        bits = [value >> bit & 1 for value, length in values for bit in range(length)]
        event = bytearray(5)
        for (byte, mask), bit in zip(places, bits, strict=False):
            event[byte] |= mask * bit
        events.append(bytes(event))
    data += struct.pack(">H", leading) + len(events).to_bytes(3, "big")
    return bytes(data + b"".join(events))


def _places(leading: int) -> list[tuple[int, int]]:
    """Where each bit of an event lies: its byte and its mask."""
    one = math.sqrt(leading)
    two = math.sqrt(leading + 1000)
    three = math.sqrt(one + 1000)
    numbers = (
        math.cos(three + 1000),
        math.sin(math.sqrt(two)),
        math.cos(three),
        math.sin(math.sqrt(one) + 1000),
        math.cos(math.sqrt(two + 1000)),
    )
    digits = "".join(f"{round(abs(number) * 1e8):08d}"[:8] for number in numbers)
    order = [place for digit in "0123456789" for place in range(40) if digits[place] == digit]
    return [(place // 8, 1 << place % 8) for place in order]


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
