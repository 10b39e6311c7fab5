"""The network that is trained is the one that the bot runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.vision.trained.network import Network

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed: training the cell reader is not tested"
)


def test_numpy_and_pytorch_give_the_same_scores(tmp_path: Path) -> None:
    from training.reader.model import Model, exported

    torch.manual_seed(0)
    model = Model()
    for block in model.blocks:
        torch.nn.init.normal_(block.answer.weight, std=0.1)  # they begin at zero
    windows = np.random.default_rng(1).integers(0, 256, (7, 32, 32, 3), dtype=np.uint8)
    looks = np.random.default_rng(2).integers(0, 7, (1, 5, 6))
    model.train()
    with torch.no_grad():  # gives the normalisations something to do
        model.features(torch.from_numpy(windows).float())
    model.eval()
    with torch.no_grad():
        mask = torch.ones(1, 5, 6)
        expected = model(torch.from_numpy(windows).float(), torch.from_numpy(looks), mask)[0]
        expected = torch.log_softmax(expected, 2).numpy()
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **exported(model))
    with np.load(tmp_path / "weights.npz") as weights:
        network = Network(dict(weights))
    scores = network.scores(network.features(windows)[looks[0]])
    assert np.abs(scores - expected).max() < 0.02
