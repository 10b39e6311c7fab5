"""The network in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.vision.general import network
from bot.vision.general.board_network import Alike
from bot.vision.general.cell_windows import WINDOW_SIDE, cell_looks
from bot.vision.general.network import LABELS, LOOKS_AT_ONCE, WEIGHTS_FILES, joined, networks
from training.reader.variety.varied import sample

MAX_WEIGHTS_SIZE = 1_000_000


def windows(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(0).integers(0, 256, (count, WINDOW_SIDE, WINDOW_SIDE, 3), dtype=np.uint8)


def test_the_weights_are_small_enough_to_ship() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS_FILES) < MAX_WEIGHTS_SIZE


@pytest.mark.parametrize("path", WEIGHTS_FILES, ids=lambda path: path.stem)
def test_no_step_of_a_board_network_is_dead(path: Path) -> None:
    """Two of five were, in networks that were trained: they took a third of the time."""
    with np.load(path) as read:
        weights = dict(read)
    drawn = sample(158)
    cells = cell_looks(drawn.image, drawn.grid)
    whole = network.Network(weights)
    features = whole.features(cells.windows([*range(len(cells.keys))]))
    scores = whole.scores(features, cells.looks)
    steps = [name for name in weights if name.endswith(".around.weight")]
    assert steps
    for name in steps:
        out = name.replace(".around.", ".out.")
        without = network.Network({**weights, out: np.zeros_like(weights[out])})
        assert np.abs(without.scores(features, cells.looks) - scores).max() > 0.1, name


@pytest.mark.parametrize("turned", [np.fliplr, np.flipud, np.transpose], ids=lambda turned: turned.__name__)
def test_a_board_that_is_turned_is_judged_alike(turned: Any) -> None:
    features, looks = networks().features(windows(7)), np.random.default_rng(3).integers(0, 7, (9, 11))
    for one in range(len(WEIGHTS_FILES)):
        scores = networks().opinions(features, looks)[one]
        other = networks().opinions(features, turned(looks))[one]
        axes = (1, 0, 2) if turned is np.transpose else (0, 1, 2)
        wanted = scores.transpose(axes) if turned is np.transpose else turned(scores)
        assert np.allclose(other, wanted, atol=1e-3)


def test_features_do_not_depend_on_what_is_worked_out_with_them() -> None:
    many = windows(2 * LOOKS_AT_ONCE + 3)
    together = networks().features(many)
    alone = np.concatenate([networks().features(many[index : index + 1]) for index in range(len(many))])
    assert np.allclose(together, alone, atol=1e-4)


def test_the_probabilities_of_all_labels_add_up_to_one() -> None:
    opinions = networks().opinions(networks().features(windows(12)), np.arange(12).reshape(3, 4))
    assert opinions.shape == (len(WEIGHTS_FILES), 3, 4, LABELS)
    for scores in (*opinions, joined(opinions)):
        assert np.allclose(np.exp(scores).sum(axis=2), 1, atol=1e-5)


def test_a_brighter_picture_of_low_contrast_gives_about_the_same_features() -> None:
    """Windows are normalised: what a dark theme shows faintly is seen as well."""
    faint = (windows(6) // 8).astype(np.uint8)
    one, other = networks().features(faint), networks().features(faint + np.uint8(40))
    same = np.corrcoef(one.ravel(), other.ravel())[0, 1]
    assert same > 0.5


def test_a_look_that_no_cell_has_changes_nothing() -> None:
    features, looks = networks().features(windows(7)), np.random.default_rng(3).integers(0, 5, (9, 11))
    looks[looks == 2] = 6
    seen = np.array([0, 1, 3, 4, 6])
    without = networks().opinions(features[seen], np.searchsorted(seen, looks))
    assert np.allclose(networks().opinions(features, looks), without, atol=1e-3)


def test_cells_of_a_look_have_their_mean_and_a_look_that_none_has_has_nothing() -> None:
    state = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    alike = Alike(np.array([[3, 0, 3], [2, 3, 0]]), np.eye(5, dtype=np.float32), near=-4)
    assert np.allclose(alike.numbers, [2, 1, 1, 3, 1])
    assert alike.is_seen.tolist() == [True, False, True, True, False]
    nothing = [0.0] * 2
    means = np.array([[6.0, 7], nothing, [6, 7], [4, 5], nothing])
    assert np.allclose(alike.means(state), means)
    assert np.allclose(alike.shared(alike.means(state)), means, atol=1e-3)


def test_cells_whose_look_is_like_another_share_what_they_know() -> None:
    features = np.array([[10, 0], [10, 0.01], [0, 10]], np.float32)
    state = np.array([[[0.0], [6.0], [6.0], [9.0]]], np.float32)
    looks = np.array([[0, 1, 1, 2]])
    alike = Alike(looks, features, near=-4)
    assert np.allclose(alike.numbers, [3, 3, 1], atol=0.01)
    assert np.allclose(alike.shared(alike.means(state)), [[4], [4], [9]], atol=0.01)
    far = Alike(looks, features * np.array([1, 1000], np.float32), near=-4)
    assert np.allclose(far.numbers, [1, 2, 1], atol=0.1)
