"""Themes that ship load; themes that are broken are refused with one line that names what is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import pytest

from bot.board import SYMBOLS, Cell
from bot.errors import FormatError, UsageError
from bot.files import shipped
from bot.vision.themes.theme import load_theme, load_themes, theme_folders

SHIPPED = sorted(path.parent.name for path in shipped("templates").glob("*/theme.toml"))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_theme_has_every_glyph_and_tells_them_apart(name: str) -> None:
    theme = load_theme(name)
    for glyph_set in theme.skin.glyph_sets:
        shown = {SYMBOLS[code] for code in glyph_set.codes}
        assert shown == set(SYMBOLS) - {"!"}
        face = theme.skin.face
        assert set(glyph_set.faces) == (
            {"happy", "won", "lost"} if face is not None and face.moods else set()
        )
        # Where no more flags can be set than there are mines, nothing is ever below zero.
        # The classic counter is read by its bars, whatever they look like.
        pictured = theme.skin.counter is not None and theme.name != "classic"
        assert set(glyph_set.digits) >= (set("0123456789") if pictured else set())
        # Digits of one colour are only a few dark pixels apart.
        assert glyph_set.closest_pair[0] > 0.9
    assert theme.spec.source.licence
    assert (theme.folder / "LICENCE.txt").exists() or "MIT" in theme.spec.source.licence


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    shutil.copytree(shipped("templates") / "winmine", folder)
    return folder


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "theme.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"practice.*winmine"):
        load_theme("nosuch")


def test_a_newer_schema(copied: Path) -> None:
    edit(copied, "schema = 1", "schema = 2")
    with pytest.raises(FormatError, match=r"schema 2.*update minebot"):
        load_theme(copied)


def test_an_unknown_key(copied: Path) -> None:
    edit(copied, "schema = 1", 'schema = 1\ncolour = "red"')
    with pytest.raises(FormatError, match="colour"):
        load_theme(copied)


def test_no_toml(copied: Path) -> None:
    (copied / "theme.toml").write_text("schema = = 1")
    with pytest.raises(FormatError, match=r"theme\.toml is no TOML"):
        load_theme(copied)


def test_a_missing_glyph(copied: Path) -> None:
    (copied / "16px" / "cell_3.png").unlink()
    with pytest.raises(FormatError, match=r"cell_3\.png"):
        load_theme(copied)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"no picture at all"])
def test_an_unreadable_glyph(copied: Path, content: bytes) -> None:
    (copied / "16px" / "cell_3.png").write_bytes(content)
    with pytest.raises(FormatError, match=r"cell_3\.png is no PNG picture"):
        load_theme(copied)


def test_a_glyph_of_another_size(copied: Path) -> None:
    shutil.copy(copied / "16px" / "face_won.png", copied / "16px" / "cell_3.png")
    with pytest.raises(FormatError, match="24x24, its cut says 16x16"):
        load_theme(copied)


def test_two_glyphs_that_look_the_same_are_named(copied: Path) -> None:
    shutil.copy(copied / "16px" / "cell_7.png", copied / "16px" / "cell_1.png")
    with pytest.raises(FormatError, match="1 and 7 look the same"):
        load_theme(copied)


def test_two_glyphs_that_differ_by_a_speck_are_named(copied: Path) -> None:
    picture = cv2.imread(str(copied / "16px" / "cell_7.png"))
    assert picture is not None
    picture[3, 3] += 9
    cv2.imwrite(str(copied / "16px" / "cell_1.png"), picture)
    with pytest.raises(FormatError, match="1 and 7 look the same: cut the theme again"):
        load_theme(copied)


def test_a_theme_without_a_covered_cell(copied: Path) -> None:
    edit(copied, '"#" = ["cell_covered.png"]', "")
    with pytest.raises(FormatError, match="covered cell"):
        load_theme(copied)


def test_the_users_theme_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path))
    own = tmp_path / "templates" / "winmine"
    shutil.copytree(shipped("templates") / "winmine", own)
    assert theme_folders()["winmine"] == own
    assert load_theme("winmine").folder == own
    (own / "16px" / "cell_3.png").unlink()
    with pytest.raises(FormatError, match=r"cell_3\.png cannot be read.* mend it, or remove .*winmine\)$"):
        load_themes()
    told: list[str] = []
    left = load_themes(tell=told.append)
    assert sorted(one.name for one in left) == sorted(set(theme_folders()) - {"winmine"})
    (line,) = told
    assert "cell_3.png cannot be read" in line
    assert line.endswith("; going on without it")
    with pytest.raises(FormatError):
        load_themes("winmine", told.append)  # nothing is left to go on with


def test_a_damaged_picture_is_told_by_us_alone(copied: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = copied / "16px" / "cell_3.png"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x40
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"cell_3\.png is no PNG picture, or is cut short"):
        load_theme(copied)
    assert capfd.readouterr().err == ""


def test_the_fingerprint_changes_with_a_picture(copied: Path) -> None:
    before = load_theme(copied).skin.fingerprint
    shutil.copy(copied / "16px" / "face_won.png", copied / "16px" / "face_lost.png")
    assert load_theme(copied).skin.fingerprint != before


def test_usual_mines() -> None:
    theme = load_theme("winmine")
    assert theme.skin.usual_mines(30, 16) == 99
    assert theme.skin.usual_mines(31, 16) is None
    assert Cell.COVERED in theme.skin.glyph_sets[0].codes
