"""One game as a page: what the page is given, as JSON, and the page with it in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bot.board import SYMBOLS, Board, Coordinate
from bot.game.play_measures import measure_play
from bot.show.page import page
from bot.show.story import Deed, Position, Story, without_lost_flags
from bot.strategy.base import Kind

PAGE_SCHEMA = 2
"""Raised when an older page could not understand what it is given."""

CHANCE_DIGITS = 4
"""Digits of a chance: the page shows hundredths of a percent at most."""


def game_page(story: Story) -> str:
    """The page of one game: a file of HTML that needs no other and no network."""
    return page("game", story.title, story_data(story))


def story_data(story: Story) -> dict[str, Any]:
    """What the page of a game is given. Cells are numbers, row * columns + column."""
    columns = story.rules.columns
    boards = [position.seen.board for position in story.positions]
    first = boards[0] if boards else Board.covered(columns, story.rules.rows)
    positions = []
    for number, position in enumerate(story.positions):
        changes = _changes(boards[number - 1], boards[number]) if number else []
        positions.append(position_data(position, columns) | {"changes": changes})
    return {
        "schema": PAGE_SCHEMA,
        "title": story.title,
        "source": story.source,
        "created": story.created,
        "columns": columns,
        "rows": story.rules.rows,
        "mines": story.rules.mines,
        "firstClick": story.rules.first_click.value,
        "result": story.result,
        "reason": story.reason,
        "seconds": story.seconds,
        "board": "".join(first.lines),
        "positions": positions,
        "deeds": [_deed(deed, columns) for deed in story.deeds],
        "minefield": None
        if story.minefield is None
        else [int(cell) for cell in story.minefield.mines.ravel().nonzero()[0]],
        "measures": measures(story),
        "chance": chance_points(story),
        **story.extra,
    }


def position_data(position: Position, columns: int) -> dict[str, Any]:
    """A position, all but its board."""
    seen, decided = position.seen, position.decided
    told: dict[str, Any] = {
        "t": round(position.t, 4),
        "phase": seen.phase.value,
        "mines": seen.rules.mines,
        "chances": chances_data(position.chances, columns),
    }
    if decided is not None:
        told["decision"] = {
            "kind": decided.kind.value,
            "rung": decided.rung,
            "reason": decided.reason,
            "safe": [_cell(cell, columns) for cell in decided.safe],
            "mines": [_cell(cell, columns) for cell in decided.mines],
            "survival": _rounded(decided.survival),
            "candidates": [
                {
                    "cell": _cell(each.cell, columns),
                    "survival": _rounded(each.survival),
                    "win": _rounded(each.win),
                    "most": _rounded(each.most),
                    "score": _rounded(each.score),
                }
                for each in decided.candidates
            ],
        }
    return told


def chances_data(chances: Mapping[Coordinate, float], columns: int) -> dict[str, Any] | None:
    """Chances in few letters: the most frequent one once, with the runs of its cells, the others each.

    A run is its first cell and how many cells it has, one after the other in `runs`.
    """
    if not chances:
        return None
    rounded = sorted((_cell(cell, columns), _rounded(chance)) for cell, chance in chances.items())
    usual = Counter(chance for _, chance in rounded).most_common(1)[0][0]
    runs: list[int] = []
    others = []
    for cell, chance in rounded:
        if chance != usual:
            others.append([cell, chance])
        elif runs and cell == runs[-2] + runs[-1]:
            runs[-1] += 1
        else:
            runs += [cell, 1]
    return {"usual": usual, "runs": runs, "others": others}


def measures(story: Story) -> dict[str, float | None]:
    """The measures of the field; empty where the minefield is not known."""
    if story.minefield is None:
        return {}
    moves = [deed.move for deed in without_lost_flags(story.deeds)]
    found = measure_play(story.minefield, moves, story.seconds, story.mouse)
    table = found.table()
    rules = story.rules
    if rules.mines is not None:
        table["STNB"] = found.stnb(rules.columns, rules.rows, rules.mines)
    table["ZiNi"] = _zini(story)
    return table


def _zini(story: Story) -> int | None:
    """The ZiNi, where the library that works it out is installed."""
    try:
        import ms_toollib
    except ImportError:
        return None
    field = story.minefield
    assert field is not None
    board = [
        [-1 if mine else int(count) for mine, count in zip(mines, counts, strict=True)]
        for mines, counts in zip(field.mines, field.counts, strict=True)
    ]
    return int(ms_toollib.Board(board).zini)


def chance_points(story: Story) -> list[dict[str, Any]]:
    """The chance to win as it was known at each guess: {t, value, kind: exact or about}."""
    points = []
    for number, position in enumerate(story.positions):
        decided = position.decided
        if decided is None or decided.kind is not Kind.GUESS or not decided.candidates:
            continue
        chosen = decided.candidates[0]
        value = chosen.win if chosen.win is not None else chosen.score
        if value is not None:
            kind = "exact" if chosen.win is not None else "about"
            points.append(
                {"t": round(position.t, 4), "position": number, "value": _rounded(value), "kind": kind}
            )
    return points


def _changes(before: Board, after: Board) -> list[list[Any]]:
    """The cells that changed, each with its new letter; runs of one letter share it."""
    places = (before.codes != after.codes).ravel().nonzero()[0]
    letters = after.codes.ravel()
    of_letter: dict[str, list[int]] = {}
    for place in places:
        of_letter.setdefault(SYMBOLS[letters[place]], []).append(int(place))
    return [[letter, *cells] for letter, cells in sorted(of_letter.items())]


def _deed(deed: Deed, columns: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "t": round(deed.t, 4),
        "action": deed.move.action.value,
        "cell": _cell(deed.move.cell, columns),
    }
    if deed.place is not None:
        told["at"] = [round(deed.place[0], 2), round(deed.place[1], 2)]
    if deed.person:
        told["person"] = True
    if deed.attempt > 1:
        told["attempt"] = deed.attempt
    return told


def _cell(cell: Coordinate, columns: int) -> int:
    return int(cell[0]) * columns + int(cell[1])


def _rounded(value: float | None) -> float | None:
    """Rounded, but never to a certainty that it is not."""
    if value is None or value in (0.0, 1.0):
        return value
    least = 10**-CHANCE_DIGITS
    return float(min(max(round(value, CHANCE_DIGITS), least), 1 - least))
