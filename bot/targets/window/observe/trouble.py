"""Why a board cannot be played, in a line for people, and the picture that is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NoReturn

import cv2

from bot.board import Board, Cell, Fault, FaultKind, Move
from bot.errors import ThemeMisfit, UnreadableBoard, WindowError, WindowLost
from bot.files import user_data, write_whole
from bot.screen.windows import Window
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.grid import Image, same_pixels

OUT_OF_SIGHT = 0.75
"""The part of the cells, 0 to 1, that cannot be read where the whole board is gone: something else that lies
there may look like some cells."""

NO_MINESWEEPER = (
    "; if it was read as it is, this game has other rules than Minesweeper (openings without numbers around"
    " them, several mines in a cell) and cannot be played; else {mend}"
)
"""What is said of a board without a theme that breaks the rules of the game."""

_GIVEN = "; --mines {} says how many there are: leave it out, or give the right number"
"""What is said of a mine total that does not fit, where the user gave it."""


def give_up(
    observer: WindowObserver,
    frame: Image,
    board: Board,
    faults: Sequence[Fault],
    after_s: float,
    *,
    partial: bool = False,
    turned: bool = False,
) -> NoReturn:
    """Keep a picture of what could not be, and raise WindowLost or UnreadableBoard, which say why, or
    ThemeMisfit where a theme does not know some cells of its game.

    `partial`: the board may be a part of another one. `turned`: cells that nothing opened are unread, as what
    they mean cannot be by the rules.
    """
    saved = f"(what was seen: {save_picture(frame)})"
    contradicted = turned or observer.contradicted or observer.contradicts(frame)
    what = what_is_wrong(observer, board, faults, partial=partial, contradicted=contradicted)
    if _covering(observer, faults):
        raise WindowLost(f"{what} {saved}")
    if _is_out_of_sight(observer, board):
        raise WindowLost(f"{what}, then start once more {saved}")
    if partial or observer.has_moved():
        _refuse_another_size(observer, saved)
        raise WindowLost(f"{_gone(observer)}, then start once more {saved}")
    by_theme = observer.skin is not None and observer.calibration is None
    unread = bool(faults) and all(fault.kind is FaultKind.UNREAD for fault in faults)
    error = ThemeMisfit if by_theme and unread else UnreadableBoard
    raise error(f"no possible board was seen for {after_s:g} s: {what} {saved}")


def what_is_wrong(
    observer: WindowObserver,
    board: Board,
    faults: Sequence[Fault],
    *,
    partial: bool = False,
    contradicted: bool = False,
) -> str:
    """Why a board cannot be, or may be a part of another one, and what to do about it, as part of a line.

    `partial` as `give_up` has it; `contradicted`: the numbers of this game or of one before contradict each
    other.
    """
    if covering := _covering(observer, faults):
        mend = "close it" if observer.are_its_own(covering) else "move it away"
        return f"the board is covered by {', '.join(window.called for window in covering)}: {mend}"
    if _is_out_of_sight(observer, board):
        return (
            f"the board of {observer.title!r} is not to be seen any more: show its window, if it is covered"
            " or was closed, unlock the screen, or give the game back the look that it had"
        )
    if partial or (not faults and observer.has_moved()):
        return _gone(observer)
    what = faults[0].text if faults else "the board does not come to rest"
    if any(_beside_flag(fault, board) for fault in faults):
        what += "; a flag beside it must be wrong: take it away"
    of_total = any(fault.kind is FaultKind.MINE_TOTAL for fault in faults)
    if of_total and observer.assumes_mines:
        what += "; that is the usual number: say --mines N where this game has another one"
    elif of_total and observer.given_mines is not None:
        what += _GIVEN.format(observer.given_mines)
    elif observer.is_unknown and (contradicted or _breaks_rules(faults)):
        # The numbers that contradict each other are doubted, or unread by the reader itself.
        what += no_minesweeper(observer)
    elif faults and faults[0].kind is FaultKind.ZERO_BESIDE_COVERED:
        # An opening spares a flagged cell, and does not come back when the flag is gone.
        what += "; if you took a flag away there, open that cell"
    elif faults and faults[0].kind is FaultKind.UNREAD and observer.is_learned:
        what += "; if the game looks otherwise now, `minebot calibrate` learns that"
    return what


def no_minesweeper(observer: WindowObserver) -> str:
    """What is said of the game of an observer where its board breaks the rules."""
    learn = "let `minebot calibrate` learn it"
    anew = "start a new game yourself, or let `minebot calibrate --anew` learn it once more"
    return NO_MINESWEEPER.format(mend=learn if observer.calibration is None else anew)


def why_impossible(observer: WindowObserver, reason: str) -> str:
    """Why the numbers of a board that was read cannot all be right, and what to do about it, as part of a
    line; `reason`: what the solver says."""
    given = observer.given_mines
    if given is not None and f" {given} mines" in reason:
        return reason + _GIVEN.format(given)
    return reason + (no_minesweeper(observer) if observer.is_unknown else "")


def useless_click(
    observer: WindowObserver,
    move: Move,
    attempts: int,
    before: Image | None,
) -> WindowError:
    """The error for a click that was sent so often and has done nothing; `before` is the picture from before
    it."""
    clicks = "1 click" if attempts == 1 else f"{attempts} clicks"
    what = f"{clicks} on row {move.row}, column {move.column}"
    cells_of, now = observer.view.cells_of, observer.grab()
    opened = before is not None and not same_pixels(cells_of(before), cells_of(now))
    # Opened cells without a number beside covered ones are taken for covered cells.
    opened = opened or observer.is_odd(move.cell)
    if observer.is_unknown and (opened or observer.contradicted or observer.contradicts(now)):
        came = "opened what cannot be a board" if opened else "did nothing on what cannot be a board"
        return WindowError(f"{what} {came}{no_minesweeper(observer)} (what was seen: {save_picture(now)})")
    return WindowError(f"{what} did nothing: does the window run with more rights (Windows), or does it lag?")


def save_picture(frame: Image) -> str:
    """Keep a picture of what could not be understood, in the user's folder; gives its place, or why not."""
    path = user_data() / "trouble" / f"{datetime.now():%Y%m%d-%H%M%S-%f}.png"
    written, data = cv2.imencode(".png", frame)
    try:
        if written:
            write_whole(path, data.tobytes())
    except OSError as error:
        return f"the picture could not be kept, {error.strerror or error}"
    return str(path)


def _refuse_another_size(observer: WindowObserver, saved: str) -> None:
    """Raise WindowLost where a window that is played by its calibration has another size now."""
    now = observer.window_now()
    if observer.calibration is None or now is None:
        return
    size, old = (now.rect.width, now.rect.height), (observer.view.rect.width, observer.view.rect.height)
    if size != old:
        raise WindowLost(
            f"the window {observer.title!r} was resized to {size[0]}x{size[1]}, and its calibration is for"
            f" {old[0]}x{old[1]}: give it that size again and play on with --resume {saved}"
        )


def _gone(observer: WindowObserver) -> str:
    what = "was moved or resized" if observer.has_moved() else "shows another board than before"
    return f"the window {observer.title!r} {what}, and its board is not to be seen there: show all of it"


def _covering(observer: WindowObserver, faults: Sequence[Fault]) -> list[Window]:
    """The windows that lie over a board that cannot be. Without a theme it may be read as any cells."""
    told = any(observer.is_unknown or fault.kind is FaultKind.UNREAD for fault in faults)
    return observer.covering() if told else []


def _is_out_of_sight(observer: WindowObserver, board: Board) -> bool:
    """Whether no cell is seen of a board whose game has a theme; hardly one is enough on a desktop that does
    not say what became of its window. A window that was moved or resized is told as that."""
    if observer.has_moved():
        return False
    unread = board.count(Cell.UNREAD)
    if observer.windows.known:
        return unread == board.codes.size and not observer.is_unknown
    return unread > OUT_OF_SIGHT * board.codes.size


def _breaks_rules(faults: Sequence[Fault]) -> bool:
    """Whether a board was read and breaks the rules of the game."""
    return bool(faults) and all(fault.kind is not FaultKind.UNREAD for fault in faults)


def _beside_flag(fault: Fault, board: Board) -> bool:
    """Whether a flag may be to blame for a fault: not for a cell that cannot be read."""
    if fault.cell is None or fault.kind is FaultKind.UNREAD:
        return False
    return any(board[near] == Cell.FLAG for near in board.neighbours(*fault.cell))
