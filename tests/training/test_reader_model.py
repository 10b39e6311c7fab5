"""The network that is trained is the one that the bot runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.errors import FormatError
from bot.vision.general.network import Network
from training.reader.learning.examples import IGNORED, Example

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed: training the cell reader is not tested"
)


LOOKS = np.random.default_rng(2).integers(0, 7, (1, 5, 6))
WINDOWS = np.random.default_rng(1).integers(0, 256, (7, 32, 32, 3), dtype=np.uint8)


@pytest.fixture
def model() -> Any:
    """A model whose normalisations have something to do."""
    from training.reader.learning.model import Model

    torch.manual_seed(0)
    made = Model()
    beginning_at_zero = [made.number, made.alike]
    for block in made.blocks:
        beginning_at_zero += [block.answer, block.alike]
    for layer in beginning_at_zero:
        torch.nn.init.normal_(layer.weight, std=0.05)
    torch.nn.init.constant_(made.near, -1.5)
    made.train()
    with torch.no_grad():
        made.features(torch.from_numpy(WINDOWS).float())
    return made


def examples() -> list[Example]:
    """The board, alone in its windows, and a larger one with other looks."""
    windows = np.concatenate([WINDOWS[::-1], WINDOWS // 2])
    looks = np.random.default_rng(4).integers(0, 14, (8, 7))
    labels = np.zeros((5, 6), np.int64)
    return [Example(WINDOWS, LOOKS[0], labels), Example(windows, looks, np.full((8, 7), IGNORED))]


def batch_of(*chosen: Example, is_fixed: bool = False) -> Any:
    from training.reader.learning.stock import Stock, chunk_of

    stock = Stock(600, "cpu")
    stock.add(chunk_of(chosen))
    return stock.batch(np.random.default_rng(0), 8, is_fixed)


def scores_of(model: Any, batch: Any = None) -> Any:
    """Of the board, wherever it is in a batch."""
    batch = batch_of(examples()[0]) if batch is None else batch
    with torch.no_grad():
        scores = model(batch)
    board = int((batch.labels == 0).any(1).nonzero()[0, 0])
    return torch.log_softmax(scores[board, :30], 1).numpy().reshape(5, 6, -1)


def test_numpy_and_pytorch_give_the_same_scores(tmp_path: Path, model: Any) -> None:
    from training.reader.learning.model import exported

    model.eval()
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **exported(model))
    with np.load(tmp_path / "weights.npz") as weights:
        network = Network(dict(weights))
    scores = network.scores(network.features(WINDOWS), LOOKS[0])
    assert np.abs(scores - scores_of(model)).max() < 0.02


def test_training_goes_on_from_weights_that_were_written(model: Any) -> None:
    from training.reader.learning.model import Model, exported, load_weights

    again = Model()
    load_weights(again, exported(model))
    for is_training in (False, True):
        torch.manual_seed(1)
        wanted = scores_of(model.train(is_training))
        torch.manual_seed(1)
        assert np.abs(scores_of(again.train(is_training)) - wanted).max() < 0.02


@pytest.mark.parametrize("is_fixed", [False, True])
def test_other_boards_beside_it_change_nothing_for_a_board(model: Any, is_fixed: bool) -> None:
    model.eval()
    for count in (1, 2):
        batch = batch_of(*(examples() * 40)[:count], is_fixed=is_fixed)
        assert np.abs(scores_of(model, batch) - scores_of(model)).max() < 1e-3


def test_a_network_with_more_steps_begins_about_where_it_was(model: Any) -> None:
    from training.reader.learning.model import Model, exported, load_weights

    deeper = Model(blocks=5)
    load_weights(deeper, exported(model))
    wanted = scores_of(model.eval())
    assert 0 < np.abs(scores_of(deeper.eval()) - wanted).mean() < 0.1 * np.abs(wanted).mean()


def test_a_convolution_of_cells_and_its_gradients_are_those_of_pictures() -> None:
    from training.reader.learning.model import Around

    batch = batch_of(*examples())
    weight = torch.randn(5, 3, 3, 3, requires_grad=True)
    state = torch.randn(*batch.inside.shape, 3) * batch.inside[:, :, None]
    state.requires_grad_()
    flat = weight.permute(3, 2, 1, 0).reshape(27, 5)
    made = Around.apply(state.flatten(0, 1), flat, batch.above_below, batch.is_beside)
    made = made.view(*state.shape[:2], 5) * batch.inside[:, :, None]
    asked = torch.randn_like(made)
    wanted_sum = torch.zeros(())
    for board, inside in enumerate(batch.inside.bool()):
        rows, columns = (5, 6) if inside.sum() == 30 else (8, 7)
        picture = state[board, inside].T.reshape(1, 3, rows, columns)
        wanted = torch.nn.functional.conv2d(picture, weight, padding=1)[0].flatten(1).T
        assert torch.allclose(made[board, inside], wanted, atol=1e-5)
        wanted_sum = wanted_sum + (wanted * asked[board, inside]).sum()
    gradients = torch.autograd.grad((made * asked).sum(), (weight, state))
    wanted_ones = torch.autograd.grad(wanted_sum, (weight, state))
    assert torch.allclose(gradients[0], wanted_ones[0], atol=1e-4)
    inside = batch.inside.bool()
    assert torch.allclose(gradients[1][inside], wanted_ones[1][inside], atol=1e-4)


def test_attention_without_a_mask_leaves_out_what_is_outside() -> None:
    from bot.vision.general.network import HEADS
    from training.reader.learning.model import _mixed_fast

    asked, told, heard = (torch.randn(2, HEADS, 12, 16) for _ in range(3))
    inside = (torch.arange(12) < torch.tensor([[7], [12]])).float()
    shares = (asked @ told.mT / 4).masked_fill(inside[:, None, None] == 0, -torch.inf).softmax(3)
    assert torch.allclose(_mixed_fast(asked, told, heard, inside[:, None]), shares @ heard, atol=1e-5)


@pytest.mark.parametrize("largest", [26, 101])
def test_written_weights_are_nearly_what_they_were_the_small_ones_most(largest: int) -> None:
    from bot.vision.general.network import unpacked
    from training.reader.learning.model import packed

    matrix = np.random.default_rng(2).normal(0, 0.1, (3, 50, 7)).astype(np.float32)
    matrix[..., 3] *= 20
    matrix[..., 5] = 0
    written = packed({"one": matrix, "bias": np.array([1, 0.5], np.float32)}, largest)
    assert written["one"].dtype == np.int8
    assert (np.abs(written["one"]).max(axis=(0, 1)) == largest * (np.arange(7) != 5)).all()
    read = unpacked(written)
    assert set(read) == {"one", "bias"}
    assert read["bias"].tolist() == [1, 0.5]
    off = np.abs(read["one"] - matrix) / np.maximum(np.abs(matrix).max(axis=(0, 1)), 1e-9)
    assert off.max() <= 1.5 / largest / 2 * 1.02
    assert off[np.abs(matrix) < 0.1 * np.abs(matrix).max(axis=(0, 1))].max() < 0.5 / largest / 2 * 1.5
    assert not read["one"][..., 5].any()


def test_weights_that_ship_are_those_of_training_in_fewer_steps(tmp_path: Path) -> None:
    from training.reader.learning.model import Model, exported, mean_weights
    from training.reader.ship import main

    trained = exported(Model())
    np.savez(tmp_path / "one.npz", allow_pickle=False, **trained)
    main([f"{tmp_path / 'one.npz'}=20", "--out", str(tmp_path / "out")], standalone_mode=False)
    (shipped,) = (tmp_path / "out").iterdir()
    assert shipped.stat().st_size < 0.9 * (tmp_path / "one.npz").stat().st_size
    before, after = (mean_weights([path]) for path in (tmp_path / "one.npz", shipped))
    for name, one in before.items():
        assert np.abs(after[name] - one).max() <= 0.06 * np.abs(one).max()
    main([f"{shipped}=20", "--blocks", "2", "--out", str(tmp_path / "out")], standalone_mode=False)
    assert set(before) - set(mean_weights([shipped])) == {name for name in before if "board.2." in name}


def test_weights_are_written_whole_and_what_is_cut_is_told_in_a_line(tmp_path: Path) -> None:
    from training.reader.learning.model import mean_weights
    from training.reader.learning.trained import Trained

    out = tmp_path / "new" / "weights.npz"
    Trained(out, [], 1e-3, "cpu", blocks=3).write()
    assert [path.name for path in out.parent.iterdir()] == ["weights.npz"]
    assert "cell.dense.weight" in mean_weights([out])
    out.write_bytes(out.read_bytes()[:5000])
    with pytest.raises(FormatError, match="begin at another file"):
        mean_weights([out])
    with pytest.raises(FormatError, match="cannot be read"):
        mean_weights([tmp_path / "none.npz"])
