"""The network that is trained is the one that the bot runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

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
    for block in made.blocks:
        torch.nn.init.normal_(block.answer.weight, std=0.1)  # they begin at zero
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
    scores = network.scores(network.features(WINDOWS)[LOOKS[0]])
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


def test_written_weights_have_few_bits_and_are_the_nearest_such() -> None:
    from training.reader.learning.model import FRACTION_BITS, KEPT_BITS, rounded

    weights = np.random.default_rng(2).normal(0, 0.1, 1000).astype(np.float16)
    kept = rounded(weights)
    assert not (kept.view(np.uint16) & ((1 << FRACTION_BITS - KEPT_BITS) - 1)).any()
    assert np.abs(kept - weights).max() > 0
    assert (np.abs(kept - weights) <= np.abs(weights) * 2.0 ** -(KEPT_BITS + 1) + 1e-6).all()
