"""The mine that exploded is the one that looks least like any other cell."""

from __future__ import annotations

import numpy as np
import pytest
from looks import no_odd_mine

from bot.board import Board, Cell
from bot.vision.general.cell_reader import distances_between
from bot.vision.general.cell_windows import THUMBNAIL_SIDE, Thumbnails
from bot.vision.general.label_search import Floats, Looks
from bot.vision.general.labelling import label_looks
from bot.vision.general.network import LABELS
from bot.vision.general.odds.odd_mine import MOST, MOST_OF_NONE, OddMine

MINES = 6
SIDE = THUMBNAIL_SIDE


def mines(count: int, noise: int = 0) -> Thumbnails:
    """Mines on grey that differ by some noise, and a covered cell."""
    out = np.full((count + 1, SIDE, SIDE, 3), 180, np.uint8)
    out[:count, 2:-2, 2:-2] = 0
    rng = np.random.default_rng(1)
    noisy = out.astype(np.int16) + rng.integers(-noise, noise + 1, out.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def on_red(thumbnails: Thumbnails, mine: int) -> Thumbnails:
    out: Thumbnails = thumbnails.copy()
    out[mine][out[mine] > 100] = np.tile((60, 60, 220), (SIDE * SIDE - 16, 1)).ravel()
    return out


def crossed_out(thumbnails: Thumbnails, mine: int) -> Thumbnails:
    out: Thumbnails = thumbnails.copy()
    for off in (0, 1):
        place = np.arange(SIDE - off)
        out[mine, place, place + off] = out[mine, place, SIDE - 1 - place - off] = (40, 40, 250)
    return out


def cost(thumbnails: Thumbnails, exploded: int | None, counts: Looks | None = None) -> float:
    labels = np.full(len(thumbnails), int(Cell.MINE))
    labels[-1] = int(Cell.COVERED)
    if exploded is not None:
        labels[exploded] = int(Cell.EXPLODED)
    return OddMine(thumbnails, np.ones(len(labels), np.intp) if counts is None else counts).cost(labels)


@pytest.mark.parametrize("noise", [0, 8])
def test_the_mine_on_a_ground_of_its_own_exploded(noise: int) -> None:
    seen = on_red(mines(MINES, noise), 2)
    assert cost(seen, exploded=2) == 0
    assert cost(seen, exploded=3) == MOST


def test_the_mine_that_is_drawn_otherwise_exploded() -> None:
    seen = crossed_out(mines(MINES), 4)
    assert cost(seen, exploded=4) == 0
    assert cost(seen, exploded=0) == MOST


def test_a_mine_of_other_pixels_and_the_ground_of_all_is_less_odd_than_one_on_its_own_ground() -> None:
    seen = on_red(crossed_out(mines(MINES), 4), 2)
    assert cost(seen, exploded=2) == 0
    assert cost(seen, exploded=4) == MOST


def test_where_all_look_alike_it_is_unlikely_of_each() -> None:
    assert 0 < cost(mines(MINES), exploded=0) <= MOST


def test_a_look_of_several_cells_is_not_odd() -> None:
    seen = on_red(mines(2), 1)
    assert cost(seen, exploded=1, counts=np.array([5, 1, 9])) == 0
    assert cost(seen, exploded=1, counts=np.array([1, 5, 9])) > 0


def test_a_game_that_shows_that_mine_alone_or_all_alike_is_not_judged() -> None:
    assert cost(mines(1), exploded=0) == 0
    assert cost(mines(MINES), exploded=None) == 0


@pytest.mark.parametrize("noise", [0, 8])
def test_where_one_mine_alone_looks_like_no_other_it_is_unlikely_that_none_exploded(noise: int) -> None:
    seen = on_red(mines(MINES, noise), 2)
    assert cost(seen, exploded=None) == MOST_OF_NONE
    assert cost(seen, exploded=2) == 0


def test_mines_that_each_have_a_ground_of_their_own_do_not_say_that_one_exploded() -> None:
    """As Google's game shows them."""
    seen = on_red(mines(MINES), 2)
    seen[3][seen[3] > 100] = 20
    assert cost(seen, exploded=None) == 0


def test_one_of_few_mines_may_look_as_it_likes() -> None:
    assert cost(on_red(mines(3), 2), exploded=None) == 0
    assert cost(on_red(mines(4), 2), exploded=None) == MOST_OF_NONE


def board_of_mines(odd: int | None) -> tuple[Floats, Looks, OddMine, Board]:
    """A lost game whose networks hardly know which mine exploded, and what its pixels say."""
    board = Board.parse(
        """
        *1.1*2
        11.12*
        ....11
        111111
        1*11*1
        """
    )
    codes = board.codes
    chances = np.full((*codes.shape, LABELS), 1e-5)
    np.put_along_axis(chances, codes[..., None].astype(int), 0.999, axis=2)
    places = codes == Cell.MINE
    chances[places, int(Cell.MINE)], chances[places, int(Cell.EXPLODED)] = 0.65, 0.35
    looks = np.arange(codes.size).reshape(codes.shape)
    thumbnails = np.full((codes.size, SIDE, SIDE, 3), 180, np.uint8)
    thumbnails[looks[places], 2:-2, 2:-2] = 0
    if odd is not None:
        row, column = np.argwhere(places)[odd]
        thumbnails = on_red(thumbnails, int(looks[row, column]))
        chances[row, column, int(Cell.MINE)], chances[row, column, int(Cell.EXPLODED)] = 0.4, 0.6
    return np.log(chances).astype(np.float32), looks, OddMine(thumbnails, np.ones(codes.size, np.intp)), board


@pytest.mark.parametrize("odd", range(5))
def test_it_is_read_where_the_network_hardly_knows(odd: int) -> None:
    scores, looks, odd_mine, board = board_of_mines(odd)
    distances = distances_between(np.eye(looks.size, dtype=np.float32))
    expected = board.codes.copy()
    expected[tuple(np.argwhere(board.codes == Cell.MINE)[odd])] = Cell.EXPLODED
    assert np.array_equal(label_looks(scores, looks, distances, odd_mine).codes, expected)
    without = label_looks(scores, looks, distances, no_odd_mine(looks)).codes
    assert not np.array_equal(without, expected)


def test_which_exploded_stays_open_where_all_are_alike() -> None:
    scores, looks, odd_mine, board = board_of_mines(None)
    codes = label_looks(
        scores, looks, distances_between(np.eye(looks.size, dtype=np.float32)), odd_mine
    ).codes
    assert not (codes == Cell.EXPLODED).any()
    assert np.array_equal(codes[board.codes != Cell.MINE], board.codes[board.codes != Cell.MINE])
