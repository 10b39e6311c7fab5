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
    for one in (*made.board.modules(), made.board.near):
        for weight in [one] if one is made.board.near else one.parameters(recurse=False):
            torch.nn.init.normal_(weight, std=0.1)
    torch.nn.init.constant_(made.board.near, -1.5)
    torch.nn.init.uniform_(made.board.scale, 0.5, 2)
    made.train()
    with torch.no_grad():
        made.cells(torch.from_numpy(WINDOWS).float())
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
    first = int((batch.labels == 0).nonzero()[0, 0])
    return torch.log_softmax(scores[first : first + 30], 1).numpy().reshape(5, 6, -1)


def test_numpy_and_pytorch_give_the_same_scores(tmp_path: Path, model: Any) -> None:
    from training.reader.learning.written_weights import exported

    model.eval()
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **exported(model))
    with np.load(tmp_path / "weights.npz") as weights:
        network = Network(dict(weights))
    scores = network.scores(network.features(WINDOWS), LOOKS[0])
    assert np.abs(scores - scores_of(model)).max() < 0.02


def test_training_goes_on_from_weights_that_were_written(model: Any) -> None:
    from training.reader.learning.model import Model
    from training.reader.learning.written_weights import exported, load_weights

    again = Model()
    assert load_weights(again, exported(model))
    for is_training in (False, True):
        torch.manual_seed(1)
        wanted = scores_of(model.train(is_training))
        torch.manual_seed(1)
        assert np.abs(scores_of(again.train(is_training)) - wanted).max() < 0.05


@pytest.mark.parametrize("is_fixed", [False, True])
def test_other_boards_beside_it_change_nothing_for_a_board(model: Any, is_fixed: bool) -> None:
    model.eval()
    for count in (1, 2):
        batch = batch_of(*(examples() * 40)[:count], is_fixed=is_fixed)
        assert np.abs(scores_of(model, batch) - scores_of(model)).max() < 1e-3


def test_what_is_around_cells_and_its_gradients_are_those_of_pictures() -> None:
    from training.reader.learning.model import Around

    batch = batch_of(*examples())
    cells = torch.randn(len(batch.look), 2, requires_grad=True)
    made = Around.apply(cells, batch.above_below, batch.is_beside)
    sides = torch.tensor([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    kinds = [torch.zeros(3, 3).index_put((torch.tensor([1]),) * 2, torch.ones(1)), sides, 1 - sides]
    kinds[2] = kinds[2] - kinds[0]
    weight = torch.stack(kinds)[:, None].repeat(2, 1, 1, 1)  # of the first channel, and of the second
    asked, wanted_sum, first = torch.randn_like(made), torch.zeros(()), 0
    for board in range(len(batch.slots)):
        size = int((batch.board_of_cell == board).sum())
        rows, columns = (5, 6) if size == 30 else (8, 7)
        own = slice(first, first + size)
        picture = cells[own].T.reshape(1, 2, rows, columns)
        wanted = torch.nn.functional.conv2d(picture, weight, padding=1, groups=2)[0]
        wanted = wanted.view(2, 3, size).permute(2, 1, 0).flatten(1)
        assert torch.allclose(made[own], wanted, atol=1e-5)
        wanted_sum = wanted_sum + (wanted * asked[own]).sum()
        first += size
    (gradient,) = torch.autograd.grad((made * asked).sum(), cells)
    (wanted_one,) = torch.autograd.grad(wanted_sum, cells)
    assert torch.allclose(gradient, wanted_one, atol=1e-4)


def test_a_board_network_learns_from_the_features_of_its_own_cell_network(tmp_path: Path, model: Any) -> None:
    from training.reader.learning.model import FEATURES
    from training.reader.learning.stock import Stock, chunk_of
    from training.reader.learning.trained import Trained
    from training.reader.learning.written_weights import exported, mean_weights

    start = {name: one for name, one in exported(model).items() if name.startswith("cell.")}
    np.savez(tmp_path / "start.npz", allow_pickle=False, **start)
    trained = Trained(tmp_path / "out.npz", [tmp_path / "start.npz"], 1e-3, "cpu", 1, largest=(26, 5))
    board = Example(WINDOWS, LOOKS[0], LOOKS[0] % 5)
    features = torch.rand(len(WINDOWS), 3 * FEATURES)
    stock = Stock(600, "cpu", 3 * FEATURES)
    stock.add(chunk_of([board], features))
    losses = []
    for count, spent in ((1, 0.0), (50, 0.1), (5, 0.8)):
        for _ in range(count):
            trained.step(stock.batch(np.random.default_rng(0), 4), spent)
        losses.append(float(trained.write().split()[-1]))
    assert losses[-1] < 0.5 * losses[0]
    written, before = mean_weights([tmp_path / "out.npz"]), mean_weights([tmp_path / "start.npz"])
    for name, one in before.items():
        if name.startswith("cell."):
            assert np.allclose(written[name], one, atol=0.02 * np.abs(one).max()), name
    own = features[:, FEATURES : 2 * FEATURES]
    assert np.allclose(written["board.scale"], 1 / own.square().mean(0).sqrt(), rtol=0.02)


@pytest.mark.parametrize("largest", [26, 101])
def test_written_weights_are_nearly_what_they_were_the_small_ones_most(largest: int) -> None:
    from bot.vision.general.network import unpacked
    from training.reader.learning.written_weights import packed

    matrix = np.random.default_rng(2).normal(0, 0.1, (3, 50, 7)).astype(np.float32)
    matrix[..., 3] *= 20
    matrix[..., 5] = 0
    written = packed({"one": matrix, "bias": np.array([1, 0.5], np.float32)}, largest, 1)
    assert written["one"].dtype == np.int8
    assert (np.abs(written["one"]).max(axis=(0, 1)) == largest * (np.arange(7) != 5)).all()
    read = unpacked(written)
    assert set(read) == {"one", "bias"}
    assert read["bias"].tolist() == [1, 0.5]
    off = np.abs(read["one"] - matrix) / np.maximum(np.abs(matrix).max(axis=(0, 1)), 1e-9)
    assert off.max() <= 1.5 / largest / 2 * 1.02
    assert off[np.abs(matrix) < 0.1 * np.abs(matrix).max(axis=(0, 1))].max() < 0.5 / largest / 2 * 1.5
    assert not read["one"][..., 5].any()


def test_weights_are_rounded_in_training_as_they_are_written() -> None:
    from bot.vision.general.network import unpacked
    from training.reader.learning.written_weights import packed, rounded

    matrix = torch.from_numpy(np.random.default_rng(3).normal(size=(5, 40)).astype(np.float32))
    matrix[2] = 0
    written = unpacked(packed({"board.one": matrix.T.numpy()}, 1, of_boards=5))["board.one"]
    assert np.allclose(rounded(matrix, 5).numpy(), written.T, rtol=1e-3)
    assert len(np.unique(np.abs(written[:, 0]).round(5))) <= 6
    convolution = np.random.default_rng(4).normal(size=(3, 3, 2, 6)).astype(np.float32)
    written = unpacked(packed({"cell.one": convolution}, 7))["cell.one"]
    turned = torch.from_numpy(convolution.transpose(3, 2, 0, 1))
    assert np.allclose(rounded(turned, 7).numpy(), written.transpose(3, 2, 0, 1), rtol=1e-3)


def test_weights_that_ship_are_those_of_training_in_fewer_steps(tmp_path: Path) -> None:
    from training.reader.learning.model import Model
    from training.reader.learning.written_weights import exported, mean_weights
    from training.reader.ship import main

    trained = exported(Model())
    np.savez(tmp_path / "one.npz", allow_pickle=False, **trained)
    main([f"{tmp_path / 'one.npz'}=20,10", "--out", str(tmp_path / "out")], standalone_mode=False)
    (shipped,) = (tmp_path / "out").iterdir()
    assert shipped.stat().st_size < 0.9 * (tmp_path / "one.npz").stat().st_size
    before, after = (mean_weights([path]) for path in (tmp_path / "one.npz", shipped))
    for name, one in before.items():
        most = 0.12 if name.startswith("board.") else 0.06
        assert np.abs(after[name] - one).max() <= most * np.abs(one).max()


def test_weights_are_written_whole_and_what_is_cut_is_told_in_a_line(tmp_path: Path) -> None:
    from training.reader.learning.trained import Trained
    from training.reader.learning.written_weights import mean_weights

    out = tmp_path / "new" / "weights.npz"
    Trained(out, [], 1e-3, "cpu").write()
    assert [path.name for path in out.parent.iterdir()] == ["weights.npz"]
    assert "cell.dense.weight" in mean_weights([out])
    out.write_bytes(out.read_bytes()[:5000])
    with pytest.raises(FormatError, match="begin at another file"):
        mean_weights([out])
    with pytest.raises(FormatError, match="cannot be read"):
        mean_weights([tmp_path / "none.npz"])
