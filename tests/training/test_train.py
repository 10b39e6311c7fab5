"""The whole way from boards to weights, tiny: it can be made again, and goes on where it was stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.errors import BotError, FormatError
from bot.solver.value.inputs import FEATURES
from bot.solver.value.weights import CORRECTION, NET, read_correction, read_net
from training import pairs, train
from training.fit import Network
from training.gather import knows_nothing
from training.train import MANIFEST, TINY, WHOLE, Step, hash_of, steps


def files_of(folder: Path) -> dict[str, Any]:
    files: dict[str, Any] = json.loads((folder / MANIFEST).read_text())["files"]
    return files


def test_the_value_to_begin_with_knows_nothing(tmp_path: Path) -> None:
    np.save(tmp_path / "net.npy", knows_nothing())
    network = Network.unpack(read_net(tmp_path / "net.npy"), FEATURES)
    _, odds = network.forward(np.random.default_rng(1).random((5, FEATURES)))
    assert odds.tolist() == [0.0] * 5


@pytest.mark.parametrize("sizes", [TINY, WHOLE])
def test_every_step_comes_after_what_it_is_made_of(sizes: train.Sizes) -> None:
    made: set[str] = set()
    for step in steps(sizes, seed=1):
        assert made.issuperset(step.after)
        assert set(step.after) == {word for word in step.words if word.endswith((".npz", ".npy"))}
        made.add(step.out)
    seeds: list[int] = []
    for step in [step for seed in range(1, 13) for step in steps(sizes, seed) if "--games" in step.words]:
        count, first = (int(step.words[step.words.index(word) + 1]) for word in ("--games", "--seed"))
        seeds += range(first, first + count, pairs.BATCH) if step.main is pairs.main else [first]
    assert len(set(seeds)) == len(seeds)


def test_pairs_are_played_in_files_of_the_same_games_as_in_one() -> None:
    words = [step.words for step in steps(WHOLE, 3) if step.main is pairs.main and "expert" in step.words]
    played = [
        int(word[word.index("--seed") + 1]) + at
        for word in words
        for at in range(0, int(word[word.index("--games") + 1]), pairs.BATCH)
    ]
    assert played == [30_000_005 + at for at in range(0, WHOLE.pairs, pairs.BATCH)]


def write_words(given: Sequence[str]) -> None:
    """Stands for a program that makes a file."""
    time.sleep(0.3)
    if "fail" in given:
        raise FormatError("it cannot be made")
    Path(given[-1]).write_text(" ".join(given[:-2]))


CHAIN = [
    Step("one.txt", write_words, ("1",)),
    Step("two.txt", write_words, ("2",)),
    Step("three.txt", write_words, ("one.txt", "two.txt"), ("one.txt", "two.txt")),
]


@pytest.mark.slow
def test_steps_made_side_by_side_come_out_the_same(tmp_path: Path) -> None:
    kept: list[dict[str, Any]] = [{"files": {}}, {"files": {}}]
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        train.make_all(CHAIN, folder, kept[jobs - 1], jobs)
        assert (folder / "three.txt").read_text() == f"{folder / 'one.txt'} {folder / 'two.txt'}"
    one, two = (each["files"] for each in kept)
    assert one.keys() == two.keys() == {step.out for step in CHAIN}
    assert all(one[name]["sha256"] == two[name]["sha256"] for name in ("one.txt", "two.txt"))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_step_that_cannot_be_made_ends_the_run_and_leaves_what_was_made(tmp_path: Path, jobs: int) -> None:
    kept: dict[str, Any] = {"files": {}}
    failing = Step("three.txt", write_words, ("fail", "one.txt"), ("one.txt",))
    with pytest.raises(BotError):
        train.make_all([CHAIN[0], failing], tmp_path, kept, jobs)
    assert list(files_of(tmp_path)) == ["one.txt"]
    assert not (tmp_path / "three.txt").exists()


def test_a_manifest_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"files": {"value.npy": 3}}')
    with pytest.raises(FormatError, match="another --out"):
        train.main(["--tiny", "--jobs", "1", "--out", str(tmp_path)])


@pytest.mark.slow
@pytest.mark.timeout(900)  # most of it is compiling, where no other test has done that before
def test_weights_are_made_from_nothing_and_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    train.main(["--tiny", "--jobs", "1", "--out", str(one)])
    files = files_of(one)
    assert list(files) == [step.out for step in steps(TINY, 1)]
    assert all(made["sha256"] == hash_of(one / name) for name, made in files.items())
    assert read_net(one / "value.npy")[:2].tolist() == [4, 3]
    assert read_correction(one / "correction.npy")[:2].tolist() == [12, 9]
    assert 0 < files["value.npy"]["held_out_loss"] < 2
    assert files["value.npy"]["of"]["cold.npy"] == files["cold.npy"]["sha256"]

    train.main(["--tiny", "--jobs", "1", "--out", str(other)])
    assert {name: made["sha256"] for name, made in files_of(other).items()} == {
        name: made["sha256"] for name, made in files.items()
    }

    # What is gone or was changed is made again, and nothing else, because it comes out the same.
    (one / "value.npy").unlink()
    (one / "cold.npy").write_bytes(b"changed")
    capsys.readouterr()
    train.main(["--tiny", "--jobs", "1", "--out", str(one)])
    told = capsys.readouterr().out
    made_again = [step.out for step in steps(TINY, 1) if f"{step.out}: training." in told]
    assert made_again == ["cold.npy", "value.npy"]
    assert told.count("is there already") == len(files) - 2


@pytest.mark.parametrize("weights", [NET, CORRECTION])
def test_the_page_has_the_hashes_of_what_is_shipped(weights: Path) -> None:
    page = Path(train.__file__).with_name("MODEL.md").read_text(encoding="utf-8")
    line = next(line for line in page.splitlines() if line.startswith(f"| `{weights.name}` |"))
    assert f"| {weights.stat().st_size:,} | `{hash_of(weights)}` |" in line
