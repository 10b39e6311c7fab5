"""Results with the luck taken out: over all layouts they add up to what is won, and they vary far less."""

from __future__ import annotations

import numpy as np
import pytest
from layouts import every_layout

from bot.solver.guess.player import Player, new_player
from bot.solver.guess.settings import BEST_SCORE
from bot.solver.simulate.self_play import play_many
from bot.solver.value.weights import read_net
from training.boards import seed_compiled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def learned(solutions: int, records: int = 1) -> Player:
    player = new_player(5, 5, 4, net=read_net(), records=records)
    player.settings.policy = BEST_SCORE
    player.settings.solutions = solutions
    player.settings.layouts = 1
    return player


def results(player: Player, layouts: np.ndarray) -> np.ndarray:
    found = np.zeros(len(layouts))
    play_many(player, new_player(5, 5, 4), layouts, 5 + 3, found)
    return found


@pytest.mark.parametrize("solutions", [1, 20])
def test_the_results_add_up_to_what_is_won(solutions: int) -> None:
    every = every_layout(5, 5, 4, first=0)
    plain = learned(solutions)
    controlled = learned(solutions)
    controlled.settings.control = 1
    won, told = results(plain, every), results(controlled, every)
    assert set(won) == {0.0, 1.0}
    assert told.sum() == pytest.approx(won.sum(), abs=1e-6)
    assert told.std() < 0.7 * won.std()


def test_rows_say_what_is_won_from_them_on() -> None:
    every = every_layout(5, 5, 4, first=0)
    player = learned(1, records=8 * len(every))
    player.settings.explore = 1e-9  # at the first guess of every game
    seed_compiled(5)
    won = results(player, every).mean()
    rows = int(player.record_size[0])
    assert rows > len(every) / 2
    outcomes = player.record_outcome[:rows]
    # They are chances to win, higher than before the guess, and vary far less than games won and lost.
    rate = outcomes.mean()
    assert won + 0.01 < rate < 0.9
    assert outcomes.min() > -0.1
    assert outcomes.max() < 1.1
    assert outcomes.std() < 0.7 * (rate * (1 - rate)) ** 0.5
    # The first feature says whether a safe cell follows.
    safe = player.record[:rows, 0] > 0.5
    assert outcomes[safe].mean() > outcomes[~safe].mean() + 0.05
