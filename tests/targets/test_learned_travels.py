"""What was learned of a window goes with its recordings, and to other machines."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from playing import INTERVAL_S, Told, screen_with, session

from bot.calibrate.save.played_window import PlayedWindow
from bot.cli.calibrate import command as calibrate
from bot.cli.parts.recording.played_window_keeping import window_keeper
from bot.cli.parts.recording.run_record import recorder_of
from bot.cli.replay import command as replay
from bot.config import Settings
from bot.files import user_data
from bot.recording.format import THEME
from bot.recording.read import load
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import WindowTarget
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.calibration import calibration_path, read_calibration, write_calibration
from bot.targets.window.locate import find_calibrated
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.vision.themes.theme import theme_folders

pytestmark = pytest.mark.slow


class Reporter(Told):
    """As much of the live line as a recorder needs."""

    def tell(self, text: str) -> None:
        self.texts.append(text)


def fresh_home(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    place.mkdir()
    monkeypatch.setenv("MINEBOT_HOME", str(place))


def played(target: WindowTarget, games: Path, told: Reporter) -> None:
    """Two games, recorded as `minebot run` does."""
    settings, player = Settings(record_dir=str(games)), strategy("best")
    ended = window_keeper(target, told.texts.append, None)
    run_games(
        target,
        player,
        Play(2),
        lambda one: recorder_of(one, player, settings, {"think": 1}, told, is_kept=False),  # type: ignore[arg-type]
        told,
        ended,
    )


def unknown(told: Reporter) -> WindowTarget:
    screen = screen_with(session(seed=3))
    (sighting,) = look_for_unknown(screen, screen)
    return WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S), tell=told.texts.append)


def said(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(calibrate, list(words))
    assert result.exit_code == status or result.exception is not None, result.output
    return result


def test_a_learned_game_replays_where_nobody_learned_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = Reporter()
    played(unknown(told), tmp_path / "games", told)
    recordings = sorted((tmp_path / "games").iterdir())
    assert len(recordings) == 2
    fresh_home(monkeypatch, tmp_path / "elsewhere")
    for folder in recordings:
        assert (folder / THEME / "theme.toml").is_file()
        assert load(folder).header.by_looks
        result = CliRunner().invoke(replay, [str(folder), "--json"])
        assert result.exit_code == 0, result.output
        (line,) = (json.loads(text) for text in result.stdout.splitlines())
        assert line["differences"] == []
        assert line["decisions"] > 0
    assert not (user_data() / "templates").exists()


def test_a_calibration_goes_to_another_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = Reporter()
    target = unknown(told)
    kept = PlayedWindow(target.observer)
    played(target, tmp_path / "games", told)
    shared = tmp_path / "mines.zip"
    assert said(kept.name, "--export", str(shared)).exit_code == 0
    before = read_calibration(calibration_path(kept.name))
    assert said("--import", str(shared), "--name", kept.name).exception is not None, "it is there already"

    fresh_home(monkeypatch, tmp_path / "elsewhere")
    result = said("--import", str(shared), "--json")
    assert json.loads(result.stdout) == {"name": "mines", "window": before.window.title}
    after = read_calibration(calibration_path("mines"))
    assert (after.grid, after.window, after.new_game) == (before.grid, before.window, before.new_game)
    again = screen_with(session(seed=4))
    (sighting,) = find_calibrated(again, again, {"mines": after})
    assert sighting.problem == ""
    target = WindowTarget(sighting, again, again, Pointer(again, INTERVAL_S), tell=told.texts.append)
    assert target.observe().board.all_covered


def test_a_calibration_of_a_known_theme_that_was_taken_is_forgotten_whole(tmp_path: Path) -> None:
    shared = tmp_path / "pb.zip"
    assert said("practice-beginner", "--export", str(shared)).exception is None
    for _ in range(2):
        assert said("--import", str(shared), "--name", "pb9").exception is None
        assert "pb9" in theme_folders()
        assert said("pb9", "--forget").exception is None
        assert not calibration_path("pb9").exists()
        assert "pb9" not in theme_folders()


@pytest.mark.parametrize(("content", "told"), [("schema = 2\nthe", "no TOML"), ("schema = 9", "schema 9")])
def test_a_calibration_that_cannot_be_read_is_forgotten_whole(
    tmp_path: Path, content: str, told: str
) -> None:
    shared = tmp_path / "pb.zip"
    said("practice-beginner", "--export", str(shared))
    said("--import", str(shared), "--name", "pb9")
    calibration_path("pb9").write_text(content)
    listed = said("--list").stderr
    assert told in listed
    assert "(practice-beginner came with minebot)" in listed
    assert said("pb9", "--forget").exception is None
    assert not calibration_path("pb9").exists()
    assert "pb9" not in theme_folders()
    assert "no calibration 'pb9'" in str(said("pb9", "--forget").exception)


def test_a_calibration_is_forgotten_whose_theme_cannot_be_read(tmp_path: Path) -> None:
    shared = tmp_path / "pb.zip"
    said("practice-beginner", "--export", str(shared))
    said("--import", str(shared), "--name", "pb9")
    calibration_path("pb9").rename(calibration_path("other"))
    (theme_folders()["pb9"] / "theme.toml").write_text("half a")
    assert said("other", "--forget").exception is None
    assert not calibration_path("other").exists()


def test_a_theme_that_two_calibrations_need_stays_for_the_other(tmp_path: Path) -> None:
    shared = tmp_path / "pb.zip"
    said("practice-beginner", "--export", str(shared))
    said("--import", str(shared), "--name", "pb9")
    write_calibration("larger", read_calibration(calibration_path("pb9")))
    assert said("pb9", "--forget").exception is None
    assert "pb9" in theme_folders()
    assert said("larger", "--forget").exception is None


def test_a_theme_in_the_way_of_a_taken_calibration_is_told_as_one(tmp_path: Path) -> None:
    shared = tmp_path / "pb.zip"
    said("practice-beginner", "--export", str(shared))
    folder = user_data() / "templates" / "pb9"
    folder.mkdir(parents=True)
    assert f"or remove {folder}" in str(said("--import", str(shared), "--name", "pb9").exception)


def test_the_glyphs_of_a_theme_are_listed_once_with_their_sizes(tmp_path: Path) -> None:
    rows = [line.split("│") for line in said("practice-beginner").stdout.splitlines() if "cell_" in line]
    assert len(rows) == 15
    assert [cell.strip() for cell in rows[0][1:4]] == ["cell_0.png", ".", "16x16, 24x24, 32x32, 48x48"]
    shared = tmp_path / "pb.zip"
    said("practice-beginner", "--export", str(shared))
    said("--import", str(shared), "--name", "pb9")
    told = str(said("pb9", "--label", "cell_flg=F").exception)
    assert told == (
        "pb9 has no glyph 'cell_flg', did you mean cell_flag.png? `minebot calibrate NAME` lists its 15"
    )
    assert said("pb9", "--label", "cell_question=-").exception is None
    assert "cell_question.png" not in json.loads(said("pb9", "--json").stdout)["glyphs"]


@pytest.mark.parametrize(
    "names",
    [
        ("../calibration.toml",),
        ("calibration.toml", "theme/../../x.toml"),
        ("calibration.toml", "theme/run.py"),
        ("theme/theme.toml",),
        (),
    ],
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "schema = 2")
    result = said("--import", str(file))
    assert result.exception is not None
    assert str(file) in str(result.exception)
    assert not calibration_path("bad").exists()
    assert not (user_data() / "templates" / "bad").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.zip"
    file.write_bytes(b"no archive")
    assert "is no shared calibration" in str(said("--import", str(file)).exception)


def test_a_name_that_only_the_file_has_is_another_one_s_to_give(tmp_path: Path) -> None:
    shared = tmp_path / "Mines Pro.zip"
    said("practice-beginner", "--export", str(shared))
    assert "--name gives one" in str(said("--import", str(shared)).exception)
    assert said("--import", str(shared), "--name", "pro").exception is None


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
def test_a_calibration_comes_through_a_pipe(tmp_path: Path) -> None:
    shared, pipe = tmp_path / "shared.zip", tmp_path / "pipe"
    said("practice-beginner", "--export", str(shared))
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        written = pool.submit(pipe.write_bytes, shared.read_bytes())
        assert said("--import", str(pipe), "--name", "piped").exception is None
        written.result()
