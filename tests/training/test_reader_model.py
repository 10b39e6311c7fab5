"""The network that is trained is the one that the bot runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.errors import FormatError
from bot.vision.general.network import Network

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


def scores_of(model: Any) -> Any:
    with torch.no_grad():
        scores = model(torch.from_numpy(WINDOWS).float(), torch.from_numpy(LOOKS), torch.ones(1, 5, 6))
    return torch.log_softmax(scores[0], 2).numpy()


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


def test_smaller_boards_beside_it_change_nothing_for_a_board(model: Any) -> None:
    model.eval()
    looks, mask = np.zeros((2, 8, 7), np.intp), np.zeros((2, 8, 7), np.float32)
    looks[1, :5, :6], mask[1, :5, :6] = LOOKS[0], 1
    looks[0, 2:, :2], mask[0, 2:, :2] = 7, 1
    windows = torch.from_numpy(np.concatenate([WINDOWS, WINDOWS[:1] // 2])).float()
    with torch.no_grad():
        scores = model(windows, torch.from_numpy(looks), torch.from_numpy(mask))[1, :5, :6]
    assert np.abs(torch.log_softmax(scores, 2).numpy() - scores_of(model)).max() < 1e-3


def test_training_goes_on_from_weights_of_a_network_that_does_not_compare_cells_of_a_look(
    model: Any,
) -> None:
    from training.reader.learning.model import Model, exported, load_weights

    newer = (".alike.", ".number.", ".near")
    older = {name: one for name, one in exported(model).items() if not any(part in name for part in newer)}
    again = Model()
    load_weights(again, older)
    network = Network(older)
    scores = network.scores(network.features(WINDOWS), LOOKS[0])
    assert np.abs(scores - scores_of(again.eval())).max() < 0.02


def test_written_weights_are_nearly_what_they_were_the_small_ones_most() -> None:
    from bot.vision.general.network import LARGEST_CODE, unpacked
    from training.reader.learning.model import packed

    matrix = np.random.default_rng(2).normal(0, 0.1, (3, 50, 7)).astype(np.float32)
    matrix[..., 3] *= 20
    matrix[..., 5] = 0
    written = packed({"one": matrix, "bias": np.array([1, 0.5], np.float32)})
    assert written["one"].dtype == np.int8
    assert (np.abs(written["one"]).max(axis=(0, 1)) == LARGEST_CODE * (np.arange(7) != 5)).all()
    read = unpacked(written)
    assert set(read) == {"one", "bias"}
    assert read["bias"].tolist() == [1, 0.5]
    off = np.abs(read["one"] - matrix) / np.maximum(np.abs(matrix).max(axis=(0, 1)), 1e-9)
    assert off.max() <= 1.5 / LARGEST_CODE / 2 * 1.02
    assert off[np.abs(matrix) < 0.1 * np.abs(matrix).max(axis=(0, 1))].max() < 0.5 / LARGEST_CODE / 2 * 1.5
    assert not read["one"][..., 5].any()


def test_weights_are_written_whole_and_what_is_cut_is_told_in_a_line(tmp_path: Path) -> None:
    from training.reader.learning.model import mean_weights
    from training.reader.learning.trained import Trained

    out = tmp_path / "new" / "weights.npz"
    Trained(out, [], 1e-3, "cpu").write()
    assert [path.name for path in out.parent.iterdir()] == ["weights.npz"]
    assert "cell.dense.weight" in mean_weights([out])
    out.write_bytes(out.read_bytes()[:5000])
    with pytest.raises(FormatError, match="begin at another file"):
        mean_weights([out])
    with pytest.raises(FormatError, match="cannot be read"):
        mean_weights([tmp_path / "none.npz"])
