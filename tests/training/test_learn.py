"""Networks learn from packs, from the first command to the files that ship."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import pytest

from bot.vision.general.network import NOT_A_CELL, WEIGHTS_FILES
from training.reader.learning.examples import drawn_no_boards, known_boards
from training.reader.learning.packs import read_pack, write_pack
from training.reader.painted import main as paint

pytest.importorskip("torch", reason="PyTorch is not installed: training the cell reader is not tested")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    paint(["--pictures", "4", "--out", str(tmp_path / "looks")])
    boards = [one for path in sorted((tmp_path / "looks").glob("*.json")) for one in known_boards(path)]
    write_pack(tmp_path / "pack.npz", [*boards, *drawn_no_boards(2, seed=1)])
    return tmp_path / "pack.npz"


@pytest.mark.parametrize("words", [[], ["--only-boards"]])
def test_networks_learn_two_steps_and_go_on_from_what_ships(
    pack: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from training.reader.learn import main

    outs = [pack.with_name(name) for name in ("one.npz", "two.npz")]
    named = [f"--network={out}={start}" for out, start in zip(outs, WEIGHTS_FILES, strict=False)]
    options = ["--steps", "2", "--batch", "2", "--threads", "1", "--rounded", "26,5"]
    main([str(pack), *options, *named, *words], standalone_mode=False)
    assert "at the end: two: 2 steps" in capsys.readouterr().out
    for out, start in zip(outs, WEIGHTS_FILES, strict=False):
        with np.load(out) as written, np.load(start) as before:
            assert set(before.files) <= set(written.files)


def test_what_weights_are_rounded_to_must_be_two_numbers(pack: Path) -> None:
    from training.reader.learn import main

    with pytest.raises(click.BadParameter, match="two whole numbers"):
        main([str(pack), "--network", "out.npz", "--rounded", "26"], standalone_mode=False)


def test_packs_that_arrive_while_networks_learn_are_learned_from(pack: Path) -> None:
    from training.reader.learn import Chunks

    folder = pack.with_name("arriving")
    folder.mkdir()
    write_pack(pack.with_name("none.npz"), drawn_no_boards(2, seed=1))
    chunks = iter(Chunks(read_pack(pack.with_name("none.npz")), 1, None, folder))
    assert not _has_cells(next(chunks).cells[1].numpy())
    pack.rename(folder / pack.name)
    assert any(_has_cells(next(chunks).cells[1].numpy()) for _ in range(2))


def _has_cells(labels: npt.NDArray[np.int16]) -> bool:
    return bool(((labels >= 0) & (labels < NOT_A_CELL)).any())
