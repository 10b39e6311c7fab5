"""A guess of which something kept the click back, after flags had been sent: it was none."""

from __future__ import annotations

from dataclasses import dataclass

from misbehaving import Wrapped, window_of
from playing import Told, session, unknown_target

from bot.board import Action, Cell, Coordinate, Move, Phase
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen


@dataclass
class Busy(Wrapped):
    """Opens a cell by itself, once, after a flag is set."""

    content: PracticeSession
    opens: Coordinate | None = None

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, button)
        if button == 3 and self.opens is not None:
            self.content.game.open(*self.opens)
            self.opens = None


def test_a_mine_whose_guess_was_never_sent_does_not_lose_the_game() -> None:
    screen, content = VirtualScreen(), session("beginner", seed=3)
    window = Busy(content)
    screen.open(window_of(window))
    target = unknown_target(screen, Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    covered = target.observe().board.where(Cell.COVERED)
    truth = content.game.truth_for_simulators
    assert truth is not None
    mines = [cell for cell in covered if truth.mines[cell]]
    window.opens = next(cell for cell in covered if not truth.mines[cell])
    guess = Move(Action.OPEN, *mines[-1])

    assert target.act([Move(Action.FLAG, *mines[0]), guess], certain=False) == 1

    board = target.observe().board
    assert board[guess.cell] == Cell.COVERED
    target.act([Move(Action.FLAG, *cell) for cell in mines[1:]])
    board = target.observe().board
    assert board[guess.cell] == Cell.FLAG
    target.act([Move(Action.OPEN, *cell) for cell in board.where(Cell.COVERED)])
    if target.observe().phase is Phase.PLAYING:
        target.complete(mines)
    assert target.observe().phase is Phase.WON
