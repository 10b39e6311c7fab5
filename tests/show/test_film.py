"""Recorded games as moving pictures: what they show, for how long, and how large they are."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from games import BOARDS, make_header, picture, record_game
from PIL import Image as Pillow

from bot.board import Action, Move
from bot.cli import replay as cli
from bot.errors import BotError, UsageError
from bot.geometry import Point
from bot.recording.draw import enlarged
from bot.recording.read import Recording, load
from bot.recording.write import Recorder
from bot.show.film import CAPTION_LINES, HOLD_S, Cut, pictures
from bot.show.film_file import GIF_BYTES, MP4_RATE, gif, mp4, small_gif
from bot.vision.grid import Image

ROOT = Path(__file__).parents[2]
EXPERT = ROOT / "recordings" / "winmine-expert-won"


def spread_out(folder: Path, seconds: float) -> Recording:
    """The small recorded game with its events so many seconds apart."""
    log = record_game(folder) / "game.jsonl"
    header, *lines = log.read_text().splitlines()
    events = [json.loads(line) for line in lines]
    for number, event in enumerate(events):
        event["t"] = seconds * number
    log.write_text("\n".join([header, *map(json.dumps, events)]) + "\n")
    return load(folder)


def test_without_the_overlay_it_shows_the_frames_as_they_were(tmp_path: Path) -> None:
    recording = spread_out(tmp_path / "game", 1.0)
    shown = [image for image, _ in pictures(recording, Cut(overlay=False), 20)]
    frames = [recording.frame(frame) for frame in recording.frames]
    distinct = [frame for frame, before in zip(frames[1:], frames, strict=False) if (frame != before).any()]
    assert len(shown) == len(distinct) + 1
    assert (shown[0] == frames[0]).all()
    assert (shown[-1] == frames[-1]).all()


def test_the_times_are_those_of_the_game(tmp_path: Path) -> None:
    recording = spread_out(tmp_path / "game", 1.0)
    last = max(event.t for event in recording.events)
    for speed in (1.0, 0.5, 4.0):
        seconds = [time for _, time in pictures(recording, Cut(speed=speed), 20)]
        assert sum(seconds[:-1]) == pytest.approx(last / speed, abs=2.1 / speed + 0.1)
        assert seconds[-1] == HOLD_S
        assert all(time > 0 for time in seconds)


def test_a_part_of_a_game_begins_and_ends_where_it_is_told_to(tmp_path: Path) -> None:
    recording = spread_out(tmp_path / "game", 1.0)
    whole = list(pictures(recording, Cut(), 20))
    part = list(pictures(recording, Cut(start=4.0, end=8.0), 20))
    assert sum(time for _, time in part[:-1]) == pytest.approx(4.0, abs=0.1)
    assert 0 < len(part) < len(whole)
    with pytest.raises(UsageError, match="--to 1 is not after --from 2"):
        Cut(start=2.0, end=1.0)
    late = load(tmp_path / "game")
    end = late.events[-1].t
    assert len(list(pictures(late, Cut(start=end), 20))) == 1  # the end of the game stays to be seen
    with pytest.raises(UsageError, match=f"--from 1000 is after the end: the recording is {end:.2f} s long"):
        next(pictures(late, Cut(start=1000.0), 20))


def test_all_pictures_of_a_film_have_one_size_and_the_overlay_is_seen(tmp_path: Path) -> None:
    recording = spread_out(tmp_path / "game", 1.0)
    plain = [image for image, _ in pictures(recording, Cut(overlay=False, scale=2), 20)]
    drawn = [image for image, _ in pictures(recording, Cut(scale=2), 20)]
    assert {image.shape for image in plain} == {(112, 112, 3)}
    assert len({image.shape for image in drawn}) == 1
    height = plain[0].shape[0]
    assert drawn[0].shape[0] == height + 20 * CAPTION_LINES + 16
    assert any((image[:height] != plain[0]).any() for image in drawn)
    assert len(drawn) > len(plain)  # decisions and clicks are pictures of their own


def test_a_film_that_would_be_too_large_is_refused(tmp_path: Path) -> None:
    recording = load(record_game(tmp_path / "game"))
    with pytest.raises(UsageError, match="--scale 100 makes pictures of 5600x5600 pixels: 16 to 4096"):
        next(pictures(recording, Cut(scale=100), 20))


def test_a_gif_has_the_pictures_and_their_times() -> None:
    images = [(picture(board), seconds) for board, seconds in zip(BOARDS, (0.5, 0.25, 2.0), strict=True)]
    with Pillow.open(io.BytesIO(gif(images))) as film:
        assert (film.n_frames, film.size) == (3, (56, 56))
        for number, (image, seconds) in enumerate(images):
            film.seek(number)
            assert film.info["duration"] == 1000 * seconds
            shown = np.asarray(film.convert("RGB"))[:, :, ::-1]
            assert np.abs(shown.astype(int) - image).max() <= 6  # the palette is near, not exact


def test_an_mp4_has_the_pictures_for_their_times(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(mp4((picture(board), 0.5) for board in BOARDS))
    film = cv2.VideoCapture(str(path))
    try:
        assert film.get(cv2.CAP_PROP_FRAME_COUNT) == 1.5 * MP4_RATE
        assert film.get(cv2.CAP_PROP_FPS) == MP4_RATE
        there, first = film.read()
        assert there
        assert np.abs(first.astype(int) - picture(BOARDS[0])).mean() < 12
    finally:
        film.release()


def test_a_film_of_nothing_is_a_mistake() -> None:
    for write in (gif, mp4):
        with pytest.raises(ValueError, match="at least one picture"):
            write([])


def test_a_gif_that_is_too_large_gets_fewer_pictures() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (40, 64, 64, 3), dtype=np.uint8)
    asked: list[float] = []

    def film(rate: float) -> list[tuple[Image, float]]:
        asked.append(rate)
        count = int(1000 * rate / 20)
        return [(enlarged(noise[number % 40], 1), 1 / rate) for number in range(count)]

    content, rate = small_gif(film)
    assert len(content) < GIF_BYTES
    assert asked[-1] == rate < asked[0]


def test_the_game_that_is_shipped_stays_under_3_mb() -> None:
    recording = load(EXPERT)
    film = pictures(recording, Cut(start=1.0), 20)
    content = gif(film)
    assert len(content) < GIF_BYTES


def call(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli.command, words, standalone_mode=False)
    if isinstance(result.exception, BotError):
        return result.exception.exit_status, result.stdout, str(result.exception)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.stdout, result.stderr


def test_the_command_writes_films_and_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record_game(tmp_path / "game")  # of a theme that is not here: reading it again would fail
    status, out, err = call("./game", "--gif", "a.gif", "--mp4", "a.mp4", "--speed", "2", "--scale", "1")
    assert (status, err) == (0, "")
    assert [line.split(": ")[0] for line in out.splitlines()] == ["a.gif", "a.mp4"]
    assert (tmp_path / "a.gif").read_bytes()[:6] == b"GIF89a"
    assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"
    status, out, _ = call("./game", "--gif", "b.gif", "--no-overlay", "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["gif"], told["bytes"]) == ("b.gif", Path("b.gif").stat().st_size)


def test_the_command_writes_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record_game(tmp_path / "game")
    status, out, err = call("./game", "--html", "game.html")
    assert (status, err) == (0, "")
    assert out.startswith("game.html: ./game, 0.0")
    page = (tmp_path / "game.html").read_text()
    assert page.startswith("<!doctype html>")
    assert '"board":"######"' in page
    assert call("./game", "--html", "b.html", "--speed", "2")[0] == 2
    assert not (tmp_path / "b.html").exists()


def test_wrong_words_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record_game(tmp_path / "game")
    assert call("./game", "--speed", "2")[0::2] == (2, "--speed goes with --gif or --mp4: add one")
    assert call("./game", "--from", "2")[0::2] == (2, "--from goes with --gif or --mp4: add one")
    assert call("./game", "--no-overlay")[0] == 2
    for words in (("--gif", "a.gif"), ("--html", "a.html")):
        status, _, err = call(*words)
        assert (status, err.split(":")[0]) == (2, f"{words[0]} shows one recording")
        assert f"`minebot replay NAME {words[0]} OUT{words[1][1:]}`" in err
    assert call("./game", "--gif", "a.gif", "--show", "1")[0] == 2
    assert call("./game", "--gif", "-", "--json")[0] == 2
    assert call("./game", "--gif", "a.gif", "--from", "3", "--to", "2")[0] == 2
    with pytest.raises(Exception, match=r"is no GIF's name: let it end in \.gif"):
        call("./game", "--gif", "a.png")
    assert not (tmp_path / "a.gif").exists()


def test_a_film_from_after_the_end_is_refused(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    status, _, err = call(str(folder), "--gif", str(tmp_path / "a.gif"), "--from", "99")
    last = load(folder).events[-1].t
    assert (status, err) == (2, f"--from 99 is after the end: the recording is {last:.2f} s long")
    assert not (tmp_path / "a.gif").exists()


def test_a_recording_without_a_picture_is_told(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game", make_header()) as record:
        record.click(Move(Action.OPEN, 0, 0), Point(1, 1))
    status, _, err = call(str(tmp_path / "game"), "--gif", str(tmp_path / "a.gif"))
    assert (status, "holds no picture" in err) == (2, True)
