"""What a theme is cut by: a `cut.toml` that is wrong is refused in one line, before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import FormatError
from bot.files import shipped, user_data
from theming import cut
from theming.plans import load_plan, plan_folders, program_for

THEME = (shipped("templates") / "practice" / "cut.toml").read_text().split("[[windows]]")[0]
WINDOW = '[[windows]]\nfolder = "16px"\ncell = [16, 16]\norigin = [10, 51]\n'


def written(content: str) -> Path:
    folder = user_data() / "templates" / "mine"
    folder.mkdir(parents=True)
    (folder / "cut.toml").write_text(content)
    return folder


def test_every_plan_that_ships_can_be_started() -> None:
    folders = [path.parent for path in shipped("templates").glob("*/cut.toml")]
    assert len(folders) >= 4
    for folder in folders:
        for window in load_plan(folder).windows:
            program_for(window)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "`theme`"),
        ("windows = 3", "windows"),
        ("theme = {}\nwindows = []", "names no windows"),
        ("[theme]\ncolour = ", "is no TOML"),
        (THEME + WINDOW + "speed = 3", "speed"),
        ("[theme]\nschema = 1\n" + WINDOW, "field `title`"),
        (THEME.replace("schema = 1", 'schema = 1\ncolour = "red"') + WINDOW, "`colour`"),
        ("[theme]\nface = 3\n" + WINDOW, "cut.toml: Expected `object`"),
        (THEME + WINDOW, "needs a `command`"),
        (THEME + WINDOW + 'command = ["game", "{wide}"]', "other braces are doubled"),
        (THEME + WINDOW + 'command = ["game", "{"]', "other braces are doubled"),
        (THEME + WINDOW + 'program = "practice"\noptions = { zoom = 2.0 }', "`options` of a practice"),
        (THEME + WINDOW + 'program = "gnome-mines"', "`options` of a gnome-mines"),
    ],
)
def test_a_plan_that_is_wrong(content: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(content)

    def never(*_: object) -> None:
        raise AssertionError("something was played")

    monkeypatch.setattr(cut, "Cutter", never)
    with pytest.raises(FormatError, match="cut") as refused:
        cut.cut(folder)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_plan_that_cannot_be_read() -> None:
    folder = written("")
    (folder / "cut.toml").unlink()
    (folder / "cut.toml").mkdir()
    with pytest.raises(FormatError, match="cannot be read"):
        load_plan(folder)


def test_a_theme_without_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    written("")
    assert plan_folders()["mine"].parent == user_data() / "templates"
    assert cut.main(["nowhere"]) == 2
    message = capsys.readouterr().err
    assert "nowhere" in message
    assert "mine" in message
    assert "usage" in message
