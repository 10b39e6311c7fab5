"""Games that are given up for another one that somebody seems to have begun: not without end."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from misbehaving import Wrapped
from playing import INTERVAL_S, Told, no_record, run, screen_with, session

from bot.board import Cell, Observation, Phase, Result, neighbour_sums
from bot.game_loop import ANOTHER_GAME
from bot.practice.session import PracticeSession
from bot.session import OTHER_GAMES, TOO_MANY, Play, run_games
from bot.strategy.base import Decision, Kind
from bot.targets.window.act.pointer import Pointer, stop_at_takeover
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.looks import looks_of
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme


@dataclass
class Misread(Wrapped):
    """Shows the end of a game that was never played instead of its own, so many games long."""

    content: PracticeSession
    end: Image
    times: int
    games: int = 0
    _over: bool = False

    def image(self) -> Image:
        over = self.content.game.phase.over
        self.games += over and not self._over
        self._over = over
        return self.end if over and self.games <= self.times else self.content.image()


@dataclass
class Veiled(Wrapped):
    """Shows the empty cells of a game that is over as no theme knows them."""

    content: PracticeSession

    def image(self) -> Image:
        picture = self.content.image()
        if self.content.game.phase.over:
            picture, board, size = picture.copy(), self.content.layout.board, self.content.layout.pitch
            for row, column in self.content.game.board.where(Cell.EMPTY):
                x, y = board.x + column * size, board.y + row * size
                picture[y : y + size, x : x + size] = (90, 0, 200)
        return picture


@dataclass
class Loses:
    """Opens an empty cell, then a mine."""

    content: PracticeSession
    name: str = "loses"
    version: int = 1

    def decide(self, observation: Observation, turn: int) -> Decision:
        truth = self.content.game.truth_for_simulators
        if truth is None:
            return Decision(Kind.FIRST, "corner", ((0, 0),))
        chosen = truth.mines
        if not observation.board.count(Cell.EMPTY):
            chosen = ~truth.mines & (neighbour_sums(truth.mines) == 0)
        row, column = np.argwhere(chosen)[0]
        return Decision(Kind.GUESS, "chosen", ((int(row), int(column)),), survival=0.5)


def won_elsewhere() -> Image:
    """The end of a game of the practice window that was won."""
    ended = session(seed=77)
    ended.game.open(4, 4)
    truth = ended.game.truth_for_simulators
    assert truth is not None
    for row, column in np.argwhere(~truth.mines):
        ended.game.open(int(row), int(column))
    assert ended.game.phase is Phase.WON
    return ended.image()


def play(times: int, games: int) -> Told:
    content = Misread(session(), won_elsewhere(), times)
    return run(screen_with(content), load_theme("practice"), how=Play(games))


def test_an_end_that_is_never_the_end_of_the_game_played_stops_the_run() -> None:
    told = play(OTHER_GAMES + 2, 1)
    *given_up, last = told.lines
    assert [line.reason for line in given_up] == [ANOTHER_GAME] * (OTHER_GAMES - 1)
    assert (last.outcome, last.reason) == (Result.FAILED, TOO_MANY)


def test_fewer_are_played_on_and_do_not_count() -> None:
    told = play(OTHER_GAMES - 1, 2)
    assert [line.reason for line in told.lines[:-2]] == [ANOTHER_GAME] * (OTHER_GAMES - 1)
    assert all(line.outcome in (Result.WON, Result.LOST) for line in told.lines[-2:])


def test_a_learned_window_may_end_in_looks_that_were_never_met() -> None:
    theme, content = load_theme("practice"), session(seed=3)
    screen = screen_with(Veiled(content))
    seen = choose(look_around(screen, screen, [theme]), None)
    learned = replace(theme.skin, learned=True)
    told = Told()
    pointer = Pointer(screen, INTERVAL_S, stop_at_takeover)
    known = replace(seen, skin=learned, looks=looks_of(learned, seen.view.grid))
    target = WindowTarget(known, screen, screen, pointer, tell=told.texts.append)
    run_games(target, Loses(content), Play(), no_record, told)
    (line,) = told.lines
    assert line.outcome is Result.LOST, line.reason
