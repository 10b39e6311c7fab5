"""What `minebot run` was asked to do, as values with types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.cli.parts.words.how_long import ENDLESS
from bot.cli.parts.words.run_options import (
    KeptOptions,
    PlayOptions,
    PracticeOptions,
    Role,
    RunOptions,
    ShownOptions,
    WindowOptions,
)
from bot.cli.parts.words.run_settings import settings_of
from bot.cli.run import command
from bot.errors import UsageError


def asked(*words: str) -> RunOptions:
    """The options of `minebot run` with these words."""
    return RunOptions.of(command.make_context("run", list(words)).params)


def test_what_is_not_given_is_what_the_options_are_without_it() -> None:
    """`minebot watch` fills in the options that it does not have by these."""
    assert asked() == RunOptions()
    assert asked("--practice") == RunOptions(WindowOptions(practice=PracticeOptions()))


def test_every_option_has_its_place() -> None:
    words = ["--practice", "--virtual", "--headless", "--level", "expert", "--size", "9x9", "--scale", "1.5"]
    words += ["--seed", "7", "--target", "classic", "--window", "Mines", "--mines", "9"]
    words += ["--first-click", "zero", "--games", "4", "--until-won", "--for", "2m", "--strategy", "exact"]
    words += ["--think", "3", "--flags", "--new", "--resume", "--restart", "f2", "--clicks-per-second", "5"]
    words += ["--name", "Ada", "--no-records", "--record", "here", "--no-record", "--keep", "--verbose"]
    words += ["--db", "results", "--no-db", "--json", "--sound", "--view", "--open", "--dry-run"]
    practice = PracticeOptions(virtual=True, headless=True, level="expert", size="9x9", scale=1.5, seed=7)
    window = WindowOptions("classic", "Mines", 9, "zero", practice)
    play = PlayOptions(
        role=Role.DRY_RUN, games=4, until_won=True, time_s=120.0, strategy="exact", think=3, flags=True,
        new=True, resume=True, restart="f2", clicks_per_second=5.0, name="Ada", no_records=True,
    )  # fmt: skip
    kept = KeptOptions(
        record_dir="here", no_record=True, keep=True, verbose=True, db=Path("results"), no_db=True
    )
    shown = ShownOptions(as_json=True, sound=True, view=True, open_it=True)
    assert asked(*words) == RunOptions(window, play, kept, shown)


def test_no_option_is_forgotten() -> None:
    class Read(dict[str, Any]):
        """The options, and which of them were asked for."""

        def __getitem__(self, name: str) -> Any:
            read.add(name)
            return super().__getitem__(name)

    read = set[str]()
    given = Read(command.make_context("run", []).params)
    RunOptions.of(given)
    assert read == given.keys()


@pytest.mark.parametrize(
    ("words", "role"),
    [([], Role.PLAY), (["--assist"], Role.ASSIST), (["--hint"], Role.HINT), (["--dry-run"], Role.DRY_RUN)],
)
def test_what_minebot_does_at_the_window(words: list[str], role: Role) -> None:
    assert asked(*words).play.role is role


@pytest.mark.parametrize("words", [["--until-won"], ["--for", "90s"]])
def test_a_run_with_another_end_counts_no_games_unless_told(words: list[str]) -> None:
    assert asked(*words).play.games == ENDLESS
    assert asked(*words, "--games", "5").play.games == 5


def test_a_time_and_a_key_that_cannot_be_are_refused() -> None:
    with pytest.raises(UsageError, match="--for takes a time"):
        asked("--for", "soon")
    with pytest.raises(UsageError, match="no such key"):
        asked("--restart", "foo")


def test_what_is_watched_is_recorded_whatever_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("record = false\n")
    assert not settings_of(asked()).record
    assert settings_of(RunOptions(play=PlayOptions(role=Role.WATCH))).record
    assert settings_of(asked("--record", "there")).record_dir == "there"
    assert not settings_of(asked("--no-records")).records
