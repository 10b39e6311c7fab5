"""`minebot read` and `minebot solve` on files that are no good pictures, and on every kind of good one."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from bot.board import Board
from bot.recording.pictures import encode_png
from bot.vision.themes.theme import load_theme

pytestmark = pytest.mark.slow

BOARD = Board.parse(
    """
    #F##F1...
    1112#2...
    ...1F1.11
    ..12#1.1F
    ..2F#1.11
    ..2FF311.
    ..13F#F1.
    ...113#2.
    .....1F1.
    """
)


Minebot = Callable[..., Any]


def picture() -> Pillow.Image:
    """A window of WineMine's kind with a board, from our own theme's glyphs."""
    theme = load_theme("practice")
    cut = theme.skin.glyph_sets[0]
    cells = np.concatenate(
        [np.concatenate([cut.glyph(int(code)) for code in row], axis=1) for row in BOARD.codes]
    )
    bordered = cv2.copyMakeBorder(
        cells, 40, 20, 20, 20, cv2.BORDER_CONSTANT, value=next(iter(theme.skin.border.values())).bgr
    )
    return Pillow.fromarray(np.ascontiguousarray(bordered[:, :, ::-1]))


def chunk(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")


def claims(width: int, height: int) -> bytes:
    """A PNG that says it is so large, and holds next to nothing."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files from which no board can be read, by what is wrong with them."""
    folder = tmp_path_factory.mktemp("bad")
    good = encode_png(np.asarray(picture())[:, :, ::-1])
    files = {
        "empty": b"",
        "cut": good[: len(good) // 2],
        "head only": good[:20],
        "text": b"hello\n",
        "enormous": claims(200_000, 200_000),
        "20000": claims(20_000, 20_000),
    }
    found = {name: folder / f"{name}.png" for name in files}
    for name, content in files.items():
        found[name].write_bytes(content)
    for name, size in (("one pixel", (1, 1)), ("thin", (1, 900)), ("plain", (300, 200))):
        found[name] = folder / f"{name}.png"
        Pillow.new("RGB", size, (200, 200, 200)).save(found[name])
    found["folder"] = folder / "folder.png"
    found["folder"].mkdir()
    found["missing"] = folder / "missing.png"
    if os.name == "posix" and os.getuid() != 0:
        found["forbidden"] = folder / "forbidden.png"
        found["forbidden"].write_bytes(good)
        found["forbidden"].chmod(0)
    return found


def test_each_bad_file_is_one_line_and_the_good_ones_are_read(
    bad: dict[str, Path], tmp_path: Path, minebot: Minebot
) -> None:
    good = tmp_path / "good.png"
    picture().save(good)
    done = minebot("read", *bad.values(), good)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == len(bad), done.stderr
    for path, line in zip(bad.values(), lines, strict=True):
        assert line.startswith(f"minebot: {path}: ")
    assert str(BOARD) in done.stdout


def test_solve_says_one_line_of_each_bad_file(bad: dict[str, Path], minebot: Minebot) -> None:
    done = minebot("solve", *bad.values())
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == len(bad), done.stderr


def test_every_kind_of_picture_is_read(tmp_path: Path, minebot: Minebot) -> None:
    one = picture()
    kinds = {
        "rgba.png": one.convert("RGBA"),
        "grey.png": one.convert("L"),
        "palette.png": one.convert("P", palette=Pillow.Palette.ADAPTIVE),
        "fine.jpg": one,
        "lossless.webp": one,
        "plain.bmp": one,
        "cmyk.tif": one.convert("CMYK"),
    }
    for name, kind in kinds.items():
        kind.save(tmp_path / name, **({"quality": 95} if name.endswith("jpg") else {"lossless": True}))
    one.save(tmp_path / "moving.gif", save_all=True, append_images=[Pillow.new("RGB", one.size)])
    colours = np.asarray(one)[:, :, ::-1].astype(np.uint16) * 257
    cv2.imwrite(str(tmp_path / "deep.png"), colours)
    cv2.imwrite(str(tmp_path / "deep grey.png"), colours[:, :, 1])
    names = [*kinds, "moving.gif", "deep.png", "deep grey.png"]
    done = minebot("read", "--json", *(tmp_path / name for name in names))
    read = [json.loads(line) for line in done.stdout.splitlines()]
    assert {Path(one["image"]).name: one.get("cells") for one in read} == dict.fromkeys(names, BOARD.lines)
    assert done.stderr == ""
    assert done.returncode == 0


def test_what_is_drawn_never_replaces_what_is_read(tmp_path: Path, minebot: Minebot) -> None:
    path = tmp_path / "shot.png"
    picture().save(path)
    before = path.read_bytes()
    for words in (("read", path, "--show", tmp_path / "." / "shot.png"), ("solve", path, "--picture", path)):
        done = minebot(*words)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert path.read_bytes() == before
    (tmp_path / "new folder").mkdir()
    done = minebot("read", path, "--show", tmp_path / "new folder" / "seen.png")
    assert done.returncode == 0
    with Pillow.open(tmp_path / "new folder" / "seen.png") as seen:
        assert seen.width >= picture().width
    assert sorted(tmp_path.rglob("*.partial")) == []
