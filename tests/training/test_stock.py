"""Where examples are kept that networks learn from, and the batches that come of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from training.reader.learning.examples import IGNORED, Example

torch = pytest.importorskip("torch", reason="PyTorch is not installed: batches of examples are not tested")


def example(number: int, rows: int, columns: int, looks: int) -> Example:
    """One whose windows and labels say its number."""
    rng = np.random.default_rng(number)
    windows = np.full((looks, 32, 32, 3), number, np.uint8)
    windows[:, 0, 0, 0] = np.arange(looks)
    labels = np.full((rows, columns), number % 16, np.int64)
    labels[0, 0] = IGNORED
    return Example(windows, rng.integers(0, looks, (rows, columns)), labels)


def stock_of(examples: list[Example], room: int = 400) -> Any:
    from training.reader.learning.stock import Stock, chunk_of

    stock = Stock(room, "cpu")
    for first in range(0, len(examples), 3):
        stock.add(chunk_of(examples[first : first + 3]))
    return stock


EXAMPLES = [example(number, 5 + number % 4, 6 + number % 3, 3 + number % 7) for number in range(12)]


@pytest.mark.parametrize("is_fixed", [False, True])
def test_a_batch_has_examples_as_they_were_made(is_fixed: bool) -> None:
    batch = stock_of(EXAMPLES).batch(np.random.default_rng(1), 5, is_fixed)
    known = 0
    for board in range(5):
        slots = batch.slots[board][batch.slots[board] < len(batch.shown)]
        one = EXAMPLES[int(batch.shown[slots[0], 5, 5, 0])]
        assert (batch.shown[slots].numpy() == one.windows).all()
        assert (batch.board[slots] == board).all()
        assert (batch.slots.flatten()[batch.place[slots]] == slots).all()
        cells = np.flatnonzero((batch.board_of_cell == board).numpy())[: one.looks.size]
        assert (batch.look[cells].numpy() == slots[one.looks.ravel()].numpy()).all()
        assert (batch.labels[cells].numpy() == one.labels.ravel()).all()
        known += one.looks.size
    assert (batch.labels[known:] == IGNORED).all()
    assert not torch.isin(batch.look[known:], batch.slots).any()


def test_batches_of_fixed_size_have_one_size() -> None:
    stock = stock_of(EXAMPLES)
    rng = np.random.default_rng(2)
    sizes = {tuple(one.shape for one in vars(stock.batch(rng, 4, True)).values()) for _ in range(5)}
    assert len(sizes) == 1


def test_a_full_stock_keeps_the_last_examples() -> None:
    examples = [example(number, 6, 6, 9) for number in range(60)]
    stock = stock_of(examples, room=100)
    assert len(stock) == 9
    rng = np.random.default_rng(3)
    seen = {int(one) for _ in range(30) for one in stock.batch(rng, 4).shown[:, 5, 5, 0]}
    assert seen == set(range(51, 60))


def test_what_is_above_below_and_beside_a_cell() -> None:
    batch = stock_of([example(0, 5, 6, 3)]).batch(np.random.default_rng(0), 2, is_fixed=True)
    beyond = len(batch.look)
    above_below, is_beside = batch.above_below[30:], batch.is_beside[30:]  # the second board
    assert above_below[0].tolist() == [beyond, 30 + 6]
    assert above_below[13].tolist() == [30 + 7, 30 + 19]
    assert above_below[29].tolist() == [30 + 23, beyond]
    assert above_below[30].tolist() == [beyond, beyond]
    assert [is_beside[cell].tolist() for cell in (0, 4, 5, 6, 30)] == [[0, 1], [1, 1], [1, 0], [0, 1], [0, 0]]


def test_features_are_kept_in_place_of_windows() -> None:
    from training.reader.learning.stock import Stock, chunk_of

    stock = Stock(100, "cpu", features=3)
    features = torch.arange(9.0).view(3, 3)
    stock.add(chunk_of([example(0, 5, 6, 3)], features))
    batch = stock.batch(np.random.default_rng(0), 1)
    assert (batch.shown[batch.slots[0]] == features).all()


def test_all_windows_of_a_board_get_other_colours_in_the_same_way() -> None:
    from training.reader.learning.recolouring import recoloured

    torch.manual_seed(0)
    one = torch.full((300, 32, 32, 3), 90, dtype=torch.uint8)
    one[:, 8:24, 8:24] = torch.tensor([200, 60, 20], dtype=torch.uint8)
    board = torch.arange(300) // 3
    made = recoloured(one, board, 100)
    assert made.dtype == torch.uint8
    assert made.shape == one.shape
    middles = made[:, 12:20, 12:20].float().mean((1, 2)).view(100, 3, 3)
    assert (middles - middles[:, :1]).abs().max() < 3  # but for noise
    unchanged = (made.view(100, -1) == one[:3].flatten()).all(1)
    assert 0.1 < unchanged.float().mean() < 0.6
    inverted = (middles[:, 0].argmin(1) == 0) & (middles[:, 0].argmax(1) == 2)
    assert inverted.any()


def test_a_blur_keeps_flat_windows_and_smooths_edges() -> None:
    from training.reader.learning.recolouring import _blurred

    pixels = torch.zeros(2, 32, 32, 3)
    pixels[1, :, 16:] = 100
    pixels[0] = 50
    made = _blurred(pixels.flatten(2), torch.tensor([0.9, 0.9]), torch.arange(2)).view(2, 32, 32, 3)
    assert torch.allclose(made[0], pixels[0], atol=1e-3)
    assert torch.allclose(made[1, 3, :10], torch.zeros(10, 3), atol=0.1)
    assert 20 < made[1, 3, 15, 1] < 45
    assert torch.allclose(made[1, :, :, 0], made[1, :, :, 2])
