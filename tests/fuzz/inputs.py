"""The kinds of inputs: each makes files in a folder, which is minebot's home too, and says what to call."""

from __future__ import annotations

import gzip
import io
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click
from PIL import Image as Pillow
from PIL import ImageOps

from bot.board import FirstClick, Result
from bot.cli.main import COMMANDS, main, tree
from bot.files import shipped
from bot.lab.results import COLUMNS, GameResult, Results
from tests.fuzz.mutation import NUMBERS, TEXTS, mutated

RECORDING = "practice-beginner"
"""The shipped recording that is changed: the smallest one."""

CALIBRATION = "practice-beginner"

QUICK = ("--strategy", "local")
"""The strategy that needs nothing compiled."""

LETTERS = "######....1122334567 8F?*Xx!/0\n"


@dataclass(frozen=True)
class Input:
    """What is called, and how a person would call it."""

    words: tuple[str, ...]
    run: Callable[[], None]


def minebot(*words: str | Path) -> Input:
    """A command of minebot."""
    plain = tuple(map(str, words))
    return Input(plain, partial(_main, plain))


def _main(words: Sequence[str]) -> None:
    sys.argv = ["minebot", *words]
    main()


def _frames() -> list[Path]:
    return sorted((shipped("recordings") / RECORDING / "frames").glob("*.png"))


def picture(rng: Random, folder: Path) -> Input:
    """A picture whose bytes or whose pixels are odd."""
    image = Pillow.open(rng.choice(_frames())).convert("RGB")
    if rng.random() < 0.5:
        image = _odd_pixels(rng, image)
    kind = rng.choice(("PNG", "PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"))
    file = io.BytesIO()
    image.save(file, kind)
    path = folder / f"picture.{kind.lower()}"
    path.write_bytes(mutated(rng, file.getvalue()) if rng.random() < 0.6 else file.getvalue())
    more: Sequence[Sequence[str]] = (
        *(
            (),
            ("--json",),
            ("--theme", "practice"),
            ("--size", "9x9"),
            ("--size", rng.choice(("1x1", "0x9"))),
        ),
        ("--show", "out.png"),
    )
    if rng.random() < 0.3:
        return minebot("solve", path, *QUICK, *rng.choice(((), ("--board", "1"), ("--picture", "out.png"))))
    return minebot("read", path, *rng.choice(more))


def _odd_pixels(rng: Random, image: Pillow.Image) -> Pillow.Image:
    width, height = image.size
    kind = rng.randrange(7)
    if kind == 0:
        left, top = rng.randrange(width), rng.randrange(height)
        return image.crop((left, top, rng.randint(left + 1, width), rng.randint(top + 1, height)))
    if kind == 1:
        return image.resize(
            (max(1, int(width * rng.uniform(0.1, 2))), max(1, int(height * rng.uniform(0.1, 2))))
        )
    if kind == 2:
        return ImageOps.invert(image)
    if kind == 3:
        return image.rotate(rng.choice((90, 180, 3)), expand=True)
    if kind == 4:
        return Pillow.blend(
            image, Pillow.frombytes("RGB", image.size, rng.randbytes(3 * width * height)), 0.3
        )
    if kind == 5:
        return Pillow.new("RGB", rng.choice(((1, 1), (1, 3000), (3000, 1), (300, 200))), (192, 192, 192))
    tiled = Pillow.new("RGB", (width * 2, height))
    tiled.paste(image, (0, 0))
    tiled.paste(image, (width, 0))
    return tiled


def board_text(rng: Random, folder: Path) -> Input:
    """A board as text: letters by chance, a board that can be with a few changed, large ones."""
    kind = rng.randrange(4)
    columns, rows = rng.randint(1, 12), rng.randint(1, 9)
    text = "\n".join("".join(rng.choices(LETTERS[:27], k=columns)) for _ in range(rows))
    if kind == 1:
        text = "".join(rng.choices(LETTERS, k=rng.randint(0, 80)))
    elif kind == 2:
        text = mutated(rng, b"1#2##\n12###\n#####\n").decode("utf-8", "replace")
    elif kind == 3:
        side = rng.choice((100, 199, 201, 1000))
        text = "\n".join(["#" * side] * min(side, 199))
    mines = rng.choice(((), (), ("--mines", str(rng.randint(0, 20))), ("--mines", rng.choice(NUMBERS))))
    if rng.random() < 0.5 or kind == 3:
        path = folder / "board.txt"
        path.write_text(text, encoding="utf-8")
        return minebot("solve", path, *mines, *rng.choice(((), ("--json",), QUICK)))
    return minebot("solve", *mines, "--", text.replace("\0", "") or "#")


def recording(rng: Random, folder: Path) -> Input:
    """A recording whose log or whose pictures are damaged."""
    copy = folder / "damaged"
    shutil.copytree(shipped("recordings") / RECORDING, copy)
    if rng.random() < 0.75:
        log = copy / "game.jsonl"
        log.write_bytes(mutated(rng, log.read_bytes()))
    else:
        frame = rng.choice(sorted((copy / "frames").glob("*.png")))
        frame.write_bytes(mutated(rng, frame.read_bytes()))
        if rng.random() < 0.3:
            frame.unlink()
    words: Sequence[Sequence[str]] = (
        *(("replay",), ("replay", "--json"), ("replay", "--boards", "boards.txt")),
        *(
            ("replay", "--show", rng.choice(NUMBERS)),
            ("replay", "--gif", "out.gif"),
            ("replay", "--html", "x.html"),
        ),
        *(
            ("review",),
            ("review", "--json"),
            ("review", "--html", "x.html"),
            ("review", "--rawvf", "x.rawvf"),
        ),
    )
    command, *more = rng.choice(words)
    return minebot(command, copy, *more)


def database(rng: Random, folder: Path) -> Input:
    """A results file with damaged bytes, or with values that cannot be."""
    path = folder / "results.sqlite"
    with Results(path) as store:
        store.add(_games())
    if rng.random() < 0.4:
        path.write_bytes(mutated(rng, path.read_bytes()))
    else:
        values: Sequence[Any] = (
            *NUMBERS,
            *TEXTS[:-3],
            None,
            0,
            -1,
            2**62,
            1e308,
            b"\xff\xfe",
            b"[0.5]",
            "[2]",
            "[[]]",
        )
        with closing(sqlite3.connect(path)) as plain, suppress(sqlite3.Error):
            for _ in range(rng.randint(1, 3)):
                plain.execute(
                    f"UPDATE games SET {rng.choice(COLUMNS)} = ? WHERE id = ?",
                    (rng.choice(values), rng.randint(1, 6)),
                )
            if rng.random() < 0.1:
                plain.execute(f"PRAGMA user_version = {rng.choice((-1, 0, 1, 99))}")
            plain.commit()
    words: Sequence[Sequence[str]] = (
        *(
            ("stats",),
            ("stats", "--json"),
            ("stats", "--compare", "best", "exact"),
            ("stats", "--html", "x.html"),
        ),
        *(("stats", "--target", "simulated"), ("simulate", "--games", "1", *QUICK)),
    )
    return minebot(*rng.choice(words))


def _games() -> list[GameResult]:
    return [
        GameResult(
            *("simulated", 9, 9, 10, FirstClick.SAFE, strategy, 1, outcome),
            guesses=(0.5, 0.75),
            seconds=0.5,
            clicks=30,
            bbbv=25,
            seed=f"0:{number}",
            board=f"{number:04}",
            played_at="2026-11-20T10:00:00Z",
            study=strategy,
            game=number,
        )
        for strategy in ("best", "exact")
        for number, outcome in enumerate((Result.WON, Result.LOST, Result.WON))
    ]


SETTINGS = b"""\
name = "minebot"
records = true
strategy = "best"
record = true
record_budget_mb = 500
look_limit_s = 3
think_limit_s = 3
clicks_per_second = 100
record_dir = "recordings"
"""


def settings(rng: Random, folder: Path) -> Input:
    """A settings file."""
    (folder / "settings.toml").write_bytes(mutated(rng, SETTINGS))
    return minebot(*rng.choice((("replay",), ("run", "--practice", "--virtual", "--dry-run", *QUICK))))


def theme(rng: Random, folder: Path) -> Input:
    """A theme of the user's own, beside a shipped one or in its place."""
    name = rng.choice(("own", "practice"))
    place = folder / "templates" / name
    shutil.copytree(shipped("templates") / "practice", place)
    files = sorted(place.rglob("*.png"))
    file = rng.choice(files) if rng.random() < 0.3 else place / "theme.toml"
    file.write_bytes(mutated(rng, file.read_bytes()))
    if rng.random() < 0.4:
        return minebot("run", "--practice", "--virtual", "--dry-run", *QUICK)
    return minebot("read", rng.choice(_frames()), *rng.choice(((), ("--theme", name))))


def calibration(rng: Random, folder: Path) -> Input:
    """A calibration of the user's own: what is known of it is told, or its window is looked for."""
    place = folder / "calibration"
    place.mkdir()
    good = (shipped("calibration") / f"{CALIBRATION}.toml").read_bytes()
    (place / "own.toml").write_bytes(mutated(rng, good))
    words: Sequence[Sequence[str]] = (
        ("own",),
        ("own", "--label", "cell_1=1"),
        ("own", "--glyphs", "out.png"),
    )
    if rng.random() < 0.5:
        return minebot("calibrate", *rng.choice(words))
    return Input(("(the window of a calibration is looked for)",), _look_for_window)


def _look_for_window() -> None:
    """What `minebot run` does with the calibrations, on a screen in memory."""
    from bot.board import Rules
    from bot.cli.parts.board_search import find_all_boards, searched_games
    from bot.geometry import Point
    from bot.practice.session import PracticeSession
    from bot.screen.virtual import VirtualScreen, VirtualWindow

    screen = VirtualScreen()
    screen.open(VirtualWindow(PracticeSession(Rules(9, 9, 10)), "minebot practice", Point(40, 40), "minebot"))
    _, calibrations = searched_games(None, False, lambda line: print(line, file=sys.stderr))  # noqa: T201
    find_all_boards(screen, screen, [], calibrations)


def boards_file(rng: Random, folder: Path) -> Input:
    """A boards file, also packed or an .mbf board."""
    good = b"9 9 3 10 40 80\n4 4 2 0 15\n8 8 10 1 2 3 4 5 6 7 8 9 10\n" * rng.randint(1, 3)
    content = mutated(rng, good)
    name = "boards.txt"
    if rng.random() < 0.2:
        name, content = "boards.txt.gz", gzip.compress(content)
        content = mutated(rng, content) if rng.random() < 0.5 else content
    (folder / name).write_bytes(content)
    return _simulated(rng, name)


def mbf(rng: Random, folder: Path) -> Input:
    """A board in the field's own format."""
    good = bytes([9, 9, 0, 4, 0, 0, 3, 3, 8, 8, 5, 2])
    (folder / "board.mbf").write_bytes(mutated(rng, good))
    return _simulated(rng, "board.mbf")


def _simulated(rng: Random, name: str) -> Input:
    more: Sequence[Sequence[str]] = (
        *((), ("--start", "0,0"), ("--start", f"{rng.choice(NUMBERS)},1"), ("--first-click", "any")),
        *(("--first-click", "zero"), ("--games", "1"), ("--json",), ("--results", "out.txt")),
    )
    return minebot("simulate", "--boards", name, *QUICK, *rng.choice(more))


RAWVF = b"""\
RawVF_Version: Rev5.2
Program: minebot
Version: 0.1.0
Player: minebot
Level: Custom
Width: 4
Height: 3
Mines: 2
Marks: Off
Board:
*000
1100
*100
Events:
0.000 start
0.010 lc 3 1 (56 24)
0.020 lr 3 1 (56 24)
0.500 rc 1 1 (8 8)
0.510 rr 1 1 (8 8)
0.900 lc 1 2 (8 24)
0.910 lr 1 2 (8 24)
1.000 won
"""


def game_file(rng: Random, folder: Path) -> Input:
    """A game that another program wrote."""
    name = rng.choice(
        ("game.rawvf", "game.rawvf", "game.rawvf", "game.avf", "game.evf", "game.mvf", "game.rmv")
    )
    (folder / name).write_bytes(mutated(rng, RAWVF))
    return minebot(
        "review", name, *rng.choice(((), ("--json",), ("--rawvf", "x.rawvf"), ("--html", "x.html")))
    )


LEFT_OUT = {
    "cluster",  # waits for a network
    "program",  # runs any command
    "open_it",  # opens a browser
    "mouse",
    "view",  # serves a page
    "pause",  # as long as one likes
    "seconds",
}
"""Options that do something outside minebot, or take as long as they say."""

BOUNDED: dict[str, Sequence[str]] = {
    "games": ("0", "-1", "1", "2", "x", ""),
    "jobs": ("0", "-1", "1", "513", "x", "99999999999999999999"),
    "think": ("0", "-1", "1", "1001", "x", "1.5"),
    "clicks_per_second": ("0", "1e9", "nan", "x", "100"),
    "strategy": ("local", "exact", "seed", "", "x", "Best"),
    "size": ("9x9", "0x0", "1x1", "-1x9", "9x", "99999x99999", "30x16", "x", "9×9", "", "8x1"),
    "mines": ("0", "1", "-1", "10", "80", "81", "99999999999999999999", "x"),
}
"""What options are given that say how long a command works."""


def options(rng: Random, folder: Path) -> Input:
    """A command with options and words by chance."""
    name = rng.choice([*COMMANDS, "run", "simulate", "solve", "read", "stats", "replay", "hlep", ""])
    command = tree.get_command(click.Context(tree), name) if name in COMMANDS else None
    words: list[str] = []
    given: set[str] = set()
    params = [param for param in command.params if param.name not in LEFT_OUT] if command is not None else []
    for param in rng.sample(params, min(len(params), rng.choice((0, 1, 2, 3, 6)))):
        assert param.name is not None
        given.add(param.name)
        if isinstance(param, click.Option):
            words.append(rng.choice([*param.opts, *param.secondary_opts]))
            if not param.is_flag:
                words += [_value(rng, param) for _ in range(param.nargs)]
        else:
            words += [_value(rng, param) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.2:
        words.insert(rng.randint(0, len(words)), rng.choice(("--nonsense", "-h", "--help", *TEXTS)))
    if name == "run":
        words += ["--practice", "--virtual", "--strategy", "local", "--dry-run"]
    if name == "simulate":
        words += [*QUICK, *(() if "games" in given else ("--games", "1"))]
    if name == "terminal" and "games" not in given:
        words += ["--games", "1"]
    return minebot(name, *(word.replace("\0", "") for word in words))


def _value(rng: Random, param: click.Parameter) -> str:
    if param.name in BOUNDED:
        return rng.choice(BOUNDED[param.name])
    if isinstance(param.type, click.Choice) and rng.random() < 0.6:
        return str(rng.choice(param.type.choices))
    return rng.choice((*NUMBERS, *TEXTS, "out.png", "9x9", "0,0", "practice", RECORDING, "1#/##"))


KINDS: dict[str, Callable[[Random, Path], Input]] = {
    "pictures": picture,
    "boards": board_text,
    "recordings": recording,
    "databases": database,
    "settings": settings,
    "themes": theme,
    "calibrations": calibration,
    "boards-files": boards_file,
    "mbf": mbf,
    "games": game_file,
    "options": options,
}
"""Each kind of input by its name."""
