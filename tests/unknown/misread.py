"""Counts the opened cells that a recorded game has misread.

An opened cell is misread where it shows another number than there are mines around it; where the mines were,
the end of each game says: what a won game left unopened, all the mines that a lost one shows. Games that do
not tell are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.board import Action, Board, Cell, Codes, Phase, neighbour_sums
from bot.recording.format import AnyEvent, BoardEvent, ClickEvent
from bot.recording.read import load

Mask = npt.NDArray[np.bool_]


def misread(folder: Path, shown: set[str]) -> tuple[int, int] | None:
    """The opened cells of a recording, and how many are misread; None where nothing tells what they were.

    `shown`: every board that the window said it showed; empty for windows that do not say it.
    """
    events = load(folder).events
    boards = [event for event in events if isinstance(event, BoardEvent) and not event.faults]
    if not boards:
        return None
    # Something may lie over the board of a game that is over.
    played = [event for event in boards if event.phase in (Phase.READY, Phase.PLAYING)]
    if shown:
        told = [Board.parse(text).codes for text in shown]
        return counted(played, lambda codes: min((opened_otherwise(codes, one) for one in told), key=np.sum))
    if boards[-1].phase is Phase.WON:
        mined = left_by(events)
    else:
        # A mine that was flagged may keep its flag in a lost game; a wrong flag is shown as one.
        last = Board.parse("\n".join(boards[-1].cells)).codes
        mined = np.isin(last, (Cell.MINE, Cell.EXPLODED, Cell.FLAG))
        mined = mined if int(mined.sum()) == boards[-1].mines else None
    if mined is None:
        return None
    mines = mined
    return counted(played, lambda codes: opened_wrong(codes, mines))


def left_by(events: Sequence[AnyEvent]) -> Mask | None:
    """What a won game has left unopened: its end may hide the board, so it is the last one that was read
    whole, less what was clicked or seen opened after it. None where what those clicks opened besides is not
    known."""
    whole = [
        index
        for index, event in enumerate(events)
        if isinstance(event, BoardEvent) and not event.faults and "!" not in "".join(event.cells)
    ]
    if not whole:
        return None
    last = events[whole[-1]]
    assert isinstance(last, BoardEvent)
    codes = Board.parse("\n".join(last.cells)).codes
    mined: Mask = codes > 8
    for event in events[whole[-1] :]:
        if isinstance(event, ClickEvent) and event.action is Action.OPEN:
            mined[event.row, event.column] = False
        elif isinstance(event, BoardEvent):
            later = Board.parse("\n".join(event.cells)).codes
            if not event.faults and later.shape == mined.shape and not hides(later, codes):
                mined &= later > 8
    # A 0 among them has opened more, which is no mine: then more is left around some number than it says.
    return None if bool(((codes <= 8) & (codes < neighbour_sums(mined))).any()) else mined


def hides(later: Codes, codes: Codes) -> bool:
    """Whether something lies over the board that showed `codes` before: numbers look otherwise."""
    numbers = (codes >= 1) & (codes <= 8) & (later != Cell.UNREAD)
    return bool((later[numbers] != codes[numbers]).any())


def opened_wrong(codes: Codes, mined: Mask) -> Mask:
    """The opened cells of a board that do not show how many mines lie around them."""
    wrong: Mask = (codes <= 8) & ((codes != neighbour_sums(mined)) | mined)
    return wrong


def counted(boards: Sequence[BoardEvent], wrong: Callable[[Codes], Mask]) -> tuple[int, int]:
    """The opened cells of some boards, and how many of them are wrong."""
    every = [Board.parse("\n".join(event.cells)).codes for event in boards]
    return sum(int((codes <= 8).sum()) for codes in every), sum(int(wrong(codes).sum()) for codes in every)


def opened_otherwise(codes: Codes, told: Codes) -> Mask:
    """Where one board shows a number, and the other one something else."""
    if codes.shape != told.shape:
        return np.ones(codes.shape, bool)
    wrong: Mask = (codes <= 8) & (codes != told)
    return wrong
