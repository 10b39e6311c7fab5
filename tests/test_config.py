from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.config import Settings, load_settings
from bot.errors import FormatError, UsageError


def settings(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


def test_a_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none.toml") == Settings()
    assert Settings().record_budget == 500 * 2**20


def test_the_home_moves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text('name = "Ada"')
    assert load_settings().name == "Ada"


def test_every_key_is_read(tmp_path: Path) -> None:
    read = settings(
        tmp_path,
        """
        name = "Ada"
        records = false
        strategy = "local"
        clicks_per_second = 20
        record = false
        record_dir = "~/games"
        record_budget_mb = 1.5
        look_limit_s = 5
        think_limit_s = 0.5
        """,
    )
    assert read == Settings(
        name="Ada",
        records=False,
        strategy="local",
        clicks_per_second=20.0,
        record=False,
        record_dir="~/games",
        record_budget_mb=1.5,
        look_limit_s=5.0,
        think_limit_s=0.5,
    )
    assert read.record_budget == 1572864


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("clicks_per_secnd = 3", "there is no setting 'clicks_per_secnd': did you mean 'clicks_per_second'?"),
        ("zebra = 3", "there is no setting 'zebra': use one of name, records, "),
        ("[zebra]\nx = 3", "there is no setting 'zebra'"),
        ("name = 3", "name: expected a text in quotes, got a whole number"),
        ('record = "yes"', "record: expected true or false, got a text in quotes"),
        ('record_dir = ["a"]', "record_dir: expected a text in quotes, got a list"),
        ("name = 2020-01-01", "name: expected a text in quotes, got a date"),
        ('name = ""', "name: expected a text in quotes that is not empty"),
        ('name = "a\\nb"', "name: "),
        ("clicks_per_second = 0", "clicks_per_second: expected a number of at least 0.1"),
        ("look_limit_s = nan", "look_limit_s: expected a number of more than 0"),
        ("look_limit_s = inf", "look_limit_s: expected a number of at most 1,000,000"),
        ("record_budget_mb = -1", "record_budget_mb: expected a number of at least 0"),
        ("record_budget_mb = inf", "record_budget_mb: "),
        ("name = ", "this is no TOML: "),
        ("name = 'a'\nname = 'b'", "this is no TOML: "),
    ],
)
def test_mistakes_are_named_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(FormatError) as caught:
        settings(tmp_path, text)
    assert told in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'settings.toml'}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(FormatError, match="no UTF-8"):
        load_settings(tmp_path / "settings.toml")
    with pytest.raises(FormatError, match="cannot be read"):
        load_settings(tmp_path)


def test_a_mark_at_its_beginning_is_no_mistake(tmp_path: Path) -> None:
    """As the editors of Windows save UTF-8."""
    (tmp_path / "settings.toml").write_bytes(b'\xef\xbb\xbfname = "Ada"')
    assert load_settings(tmp_path / "settings.toml").name == "Ada"


@pytest.mark.skipif(os.name == "nt", reason="Windows finds no file there, and says no more")
def test_a_home_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FormatError, match=r"file is no folder: name another one by MINEBOT_HOME"):
        load_settings(tmp_path / "file" / "minebot" / "settings.toml")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('record_dir = "\\u0000"', r"record_dir: no path can hold the character \\u0000: leave it out"),
        ('name = "\\u0007"', "name: a character of it cannot be typed: leave control characters out"),
        ('record_dir = ""', "record_dir"),
        ("name = " + "[" * 20_000, "nested too deep"),
        ("clicks_per_second = 1e-9", "clicks_per_second"),
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(content)
    with pytest.raises(FormatError, match=told) as error:
        load_settings(path)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"name": ""}, "--name: expected a text that is not empty"),
        ({"record_dir": ""}, "--record: expected a text that is not empty"),
        ({"clicks_per_second": 0.0}, "--clicks-per-second: expected a number of at least 0.1"),
    ],
)
def test_options_that_cannot_be_are_named_as_options(said: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        Settings().but(**said)
    assert str(caught.value) == told
