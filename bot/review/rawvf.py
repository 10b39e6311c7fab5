"""RAWVF, the text format that every program of the field writes: one game, its board and its mouse.

Lines of `Key: Value`, then `Board:` and its rows (`*` a mine), then `Events:`, a line that old programs
leave out: on each line a time in seconds, a word (`lc` and `lr`: the left button goes down and up, `rc` and
`rr` the right, `mc` and `mr` the middle one, `sc` both at once, `mv` a movement), the column and the row from
1 up, and the pixel. Some programs write the pixel alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from bot.board import LEVELS, Action, FirstClick, Rules
from bot.errors import BotError, FormatError
from bot.game.minefield import Minefield
from bot.review.buttons import WORDS, Press, moves_of
from bot.review.played_game import PlayedGame, replayed
from bot.show.story import without_lost_flags

VERSION = "Rev6.2"
"""The revision of the format that is written; every one is read."""

PIXELS = 16
"""Pixels of a cell, which the format wants: a cell in the middle of which is clicked."""

NUMBER = r"-?[0-9]{1,9}"

EVENT = re.compile(
    rf"({NUMBER}(?:\.[0-9]+)?)\s+([a-z]+)(?:\s+({NUMBER})\s+({NUMBER}))?(?:\s*\(\s*({NUMBER})\s+({NUMBER})\s*\))?"
)
"""A time, a word, and where there are any the cell and the pixel."""

DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{2})")
YEAR_FIRST = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{2})")
"""How programs write the time of a game: Minesweeper Arbiter the first way."""

MOST_CELLS = 10_000
"""Cells of a board that is read: more is no game that anybody played."""

NO_RANKING = (
    "marked as played by a program, and in no format that ranking sites take: they forbid bots, so minebot"
    " makes no file that could be sent in as a person's game"
)
"""Why there is no other export."""


def read_rawvf(text: str, name: str) -> PlayedGame:
    """A game from RAWVF text. Raises FormatError, with the line, for what cannot be."""
    keys: dict[str, str] = {}
    rows: list[str] = []
    presses: list[Press] = []
    part = ""
    size = PIXELS
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line:
            continue
        word = line.rstrip(":").lower()
        if line.endswith(":") and word in ("board", "events"):
            part = word
        elif part == "board" and rows and EVENT.match(line):
            part = "events"
            _read_event(line, f"{name}, line {number}", size, presses)
        elif part == "board" and re.fullmatch(r"[*0-8.\-]+", line):
            rows.append(line)
        elif part == "events":
            _read_event(line, f"{name}, line {number}", size, presses)
        elif ":" in line:
            key, value = line.split(":", 1)
            keys[key.strip().lower()] = value.strip()
            if key.strip().lower() == "squaresize" and value.strip().isdecimal():
                size = max(1, int(value))
        else:
            raise FormatError(f"{name}, line {number}: this is no line of RAWVF: get the file again")
    field = _minefield(rows, name)
    _check_header(keys, field, name)
    return game_of_presses(
        name,
        "rawvf",
        field,
        presses,
        player=", ".join(keys[key] for key in ("player", "program") if keys.get(key)),
        seconds=_seconds(keys.get("time", "")),
        created=_date(keys.get("timestamp", "")),
        marks=(keys.get("marks") or keys.get("questionmarks", "")).lower() == "on",
    )


def game_of_presses(
    name: str,
    kind: str,
    field: Minefield,
    presses: Sequence[Press],
    *,
    player: str = "",
    seconds: float | None = None,
    created: str = "",
    marks: bool = False,
) -> PlayedGame:
    """A game from its minefield and its mouse. Raises FormatError where nothing was opened."""
    deeds, mouse = moves_of(presses, field, marks=marks)
    rules = Rules(field.columns, field.rows, field.total, FirstClick.SAFE)
    moves, last = replayed(field, rules, deeds, marks=marks)
    if not moves:
        raise FormatError(f"{name}: nothing is opened in it: name the record of a game that was played")
    times = [each.t for each in moves if each.move.action is not Action.FLAG]
    if seconds is None and times:
        seconds = round(max(times) - min(times), 3)
    result = last.phase.value if last.phase.over else "cut short"
    return PlayedGame(name, kind, player, rules, moves, result, seconds, field, created, deeds, last, mouse)


def _read_event(line: str, place: str, size: int, presses: list[Press]) -> None:
    """One event, on a board whose cells have so many pixels."""
    match = EVENT.match(line)
    if match is None:
        return  # the changes of cells
    word = "cc" if match[2] == "sc" else match[2]
    if word not in WORDS:
        return  # a movement, `start`, `won`
    t = float(match[1])
    if presses and t < presses[-1].t:
        raise FormatError(f"{place}: its time goes back: get the file again")
    if match[5] is not None:
        x, y = int(match[5]), int(match[6])
        cell = y // size, x // size
        # The cells beside the left and the upper edge are often rounded to those within.
        if match[3] is not None and x >= 0 and y >= 0:
            cell = int(match[4]) - 1, int(match[3]) - 1
        presses.append(Press(t, word, cell, (x / size, y / size)))
    elif match[3] is not None:
        presses.append(Press(t, word, (int(match[4]) - 1, int(match[3]) - 1)))
    else:
        raise FormatError(f"{place}: it does not say where it clicks: get the file again")


def _minefield(rows: list[str], name: str) -> Minefield:
    if not rows or len({len(row) for row in rows}) != 1:
        raise FormatError(f"{name}: it holds no whole board: get the file again")
    if len(rows) * len(rows[0]) > MOST_CELLS:
        raise FormatError(f"{name}: its board has more than {MOST_CELLS} cells: name another file")
    return Minefield(np.array([[letter == "*" for letter in row] for row in rows]))


def _check_header(keys: Mapping[str, str], field: Minefield, name: str) -> None:
    """Refuse a board that is another one than the header tells of: it was cut or put in, and with it comes
    another game."""
    for key, what, found in (
        ("Width", "columns", field.columns),
        ("Height", "rows", field.rows),
        ("Mines", "mines", field.total),
    ):
        told = keys.get(key.lower(), "")
        if re.fullmatch("[0-9]{1,9}", told) and int(told) != found:
            raise FormatError(f"{name}: {key} is {told}, its board has {found} {what}: get the file again")


def _date(text: str) -> str:
    """The date and the minute, as text that sorts; empty where they are not told in a known way."""
    match = DAY_FIRST.match(text)
    if match is not None:
        day, month, year, hour, minute = (int(part) for part in match.groups())
    else:
        match = YEAR_FIRST.match(text)
        if match is None:
            return ""
        year, month, day, hour, minute = (int(part) for part in match.groups())
    return f"{year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}"


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < 1e6 else None


def write_rawvf(game: PlayedGame, version: str) -> str:
    """A game as RAWVF text, marked as played by a program. Raises BotError where its mines are not known."""
    field = game.minefield
    if field is None:
        raise BotError(
            f"{game.name}: its mines are not known, and RAWVF wants them: name a game with its end"
        )
    level = next(
        (
            name.capitalize()
            for name, size in LEVELS.items()
            if size == (field.columns, field.rows, field.total)
        ),
        "Custom",
    )
    deeds = without_lost_flags(game.deeds)
    start = next((deed.t for deed in deeds), 0.0)
    lines = [
        f"RawVF_Version: {VERSION}",
        f"Program: minebot {version}",
        "Player: minebot (a program, no person)",
        f"Level: {level}",
        f"Width: {field.columns}",
        f"Height: {field.rows}",
        f"Mines: {field.total}",
        f"Marks: {'On' if game.mouse.marks else 'Off'}",
        f"SquareSize: {PIXELS}",
        f"Time: {game.seconds or 0:.3f}",
        f"Status: {game.result}",
        *([f"Timestamp: {game.created}"] if game.created else []),
        "Board:",
        *("".join("*" if mine else "0" for mine in row) for row in field.mines),
        "Events:",
        "0.000 start",
    ]
    for deed in deeds:
        row, column = deed.move.cell
        x, y = column * PIXELS + PIXELS // 2, row * PIXELS + PIXELS // 2
        for word in PRESSES.get(deed.move.action, ()):
            lines.append(f"{deed.t - start:.3f} {word} {column + 1} {row + 1} ({x} {y})")
    return "\n".join(lines) + "\n"


PRESSES = {Action.OPEN: ("lc", "lr"), Action.FLAG: ("rc", "rr"), Action.CHORD: ("mc", "mr")}
"""The buttons of each action."""
