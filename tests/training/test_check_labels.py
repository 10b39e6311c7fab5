"""What is read on true grids, with other rules than those that ship."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from bot.board import Cell
from bot.errors import FormatError
from bot.vision.general import label_search, labelling
from bot.vision.general.network import WEIGHTS_FILES
from bot.vision.general.odds import drawings, odd_mine
from training.reader.checks import labels
from training.reader.checks.labels import (
    Rules,
    likeliest_right,
    outcome,
    outcomes,
    read_told,
    told_of,
    write_told,
)
from training.reader.samples import LabelledBoard, LabelledPicture, write_sample
from training.reader.variety.varied import sample


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the picture of one board that is read exactly."""
    one = sample(4)
    board = LabelledBoard(one.grid, one.board)
    write_sample(tmp_path, LabelledPicture("one", one.image, (board,)))
    return tmp_path


def test_other_rules_hold_only_while_they_are_asked_for() -> None:
    before = labelling.AMBIGUITY, label_search.MAX_WEIGHT
    with Rules.read("AMBIGUITY=7 MAX_WEIGHT=1").hold():
        assert (labelling.AMBIGUITY, label_search.MAX_WEIGHT) == (7, 1)
    assert before == (labelling.AMBIGUITY, label_search.MAX_WEIGHT)
    with pytest.raises(ZeroDivisionError), Rules.read("AMBIGUITY=7").hold():
        raise ZeroDivisionError
    assert before[0] == labelling.AMBIGUITY


def test_of_constants_with_one_name_that_is_changed_whose_module_is_named() -> None:
    with pytest.raises(ValueError, match=r"drawings\.MOST or odd_mine\.MOST"):
        Rules.read("MOST=1")
    with Rules.read("odd_mine.MOST=1").hold():
        assert (odd_mine.MOST, drawings.MOST) == (1, 8)
    assert odd_mine.MOST == 2


@pytest.mark.parametrize("text", ["AMBIGUTIY=2", "LONE=1", "label_cells=2", "AMBIGUITY=much", "AMBIGUITY"])
def test_rules_that_there_are_not_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no constant|convert"):
        Rules.read(text)


def test_a_board_is_judged_on_its_true_grid(folder: Path) -> None:
    [one] = told_of(folder / "one.json")
    assert outcome(one) == "exact"
    assert likeliest_right(one) == [True] * (len(WEIGHTS_FILES) + 1)
    assert outcomes([one], Rules.read("AMBIGUITY=99")) != ["exact"]


def test_a_wrong_cell_and_an_unread_one_are_told_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [one] = told_of(folder / "one.json")
    read = labelling.label_cells(one.told)
    codes = read.codes.copy()
    codes[0, 0] = Cell.UNREAD
    seen = labelling.Labelling(codes, read.cost, read.violations)
    monkeypatch.setattr(labelling, "label_cells", lambda _: seen)
    assert outcome(one) == "unread"
    codes[0, 0] = Cell.FLAG if one.wanted[0, 0] != Cell.FLAG else Cell.COVERED
    assert outcome(one) == "wrong"


def test_what_the_networks_say_is_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setattr(sys, "argv", ["labels", str(folder), "--jobs", "1", "--keep", str(kept)])
    assert labels.main() == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["labels", "--kept", str(kept), "--rules", "AMBIGUITY=99"])
    assert labels.main() == 0
    second = capsys.readouterr().out.splitlines()
    assert [line for line in second if not line.startswith("AMBIGUITY=99")] == first.splitlines()
    assert len(second) == len(first.splitlines()) + 1


@pytest.mark.parametrize("left", [0, 1, 300, -200, -1])
def test_what_was_kept_and_is_cut_is_said(folder: Path, tmp_path: Path, left: int) -> None:
    kept = tmp_path / "kept.npz"
    write_told(kept, told_of(folder / "one.json"))
    assert len(read_told(kept)) == 1
    kept.write_bytes(kept.read_bytes()[:left])
    with pytest.raises(FormatError, match=r"kept\.npz"):
        read_told(kept)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--kept", "kept", "folder"],
        ["folder", "--rules", "NOTHING=1"],
        ["--kept", str(WEIGHTS_FILES[0])],
        ["--kept", "nothing.npz"],
        ["folder", "--network", "nothing.npz"],
        ["folder", "--network", __file__],
    ],
)
def test_what_cannot_be_judged_is_said(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["labels", *arguments])
    with pytest.raises(SystemExit) as ended:
        labels.main()
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_the_networks_of_files_judge_in_place_of_those_that_ship(folder: Path) -> None:
    [alone] = told_of(folder / "one.json", (str(WEIGHTS_FILES[2]),))
    [three] = told_of(folder / "one.json")
    assert len(alone.told.opinions) == 1
    assert np.allclose(alone.told.opinions[0], three.told.opinions[2], atol=1e-3)
