"""What other programs import: every public name, and the examples of docs/ (misuse: test_api_misuse.py)."""

from __future__ import annotations

import doctest
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bot
from bot import Action, Analysis, Board, Cell, Game, Move, Result, analyse, play, read, read_all
from bot.errors import FormatError, UsageError
from bot.vision.picture_file import load_picture
from bot.vision.themes.theme import load_theme

DOCS = Path(__file__).parents[1] / "docs"
SCREENSHOT = DOCS / "screenshot.png"
MODULES = sorted(
    ".".join(("bot", *file.relative_to(Path(bot.__file__).parent).with_suffix("").parts))
    for file in Path(bot.__file__).parent.rglob("*.py")
    if file.name not in ("__init__.py", "__main__.py") and "data" not in file.parts
)


def test_what_an_analysis_does_not_say_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dead cells take minutes on a large board."""

    def refuse(*_: object) -> None:
        raise AssertionError("dead cells were looked for")

    monkeypatch.setattr("bot.solver.position.solve.dead_cells", refuse)
    assert analyse(Board.parse("1#2##\n12###\n#####"), 4).solutions == 14


def run(code: str) -> str:
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("name", "least"), [("api.md", 30), ("how-it-decides.md", 15)])
def test_the_examples_of_the_page(name: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCS)
    page = (DOCS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", page, re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, f"docs/{name}", None, 0)
    told: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(examples, out=told.append)
    assert tried >= least
    assert not failed, "".join(told)


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import bot, sys; print(*(m for m in ('numpy', 'cv2', 'numba', 'bot.board') if m in sys.modules))"
    assert run(code).split() == []


@pytest.mark.slow
def test_no_module_takes_the_place_of_a_public_name() -> None:
    """Whoever imports bot.x binds bot.x: a module with the name of a function would hide it from then on."""
    submodules = {name.split(".")[1] for name in MODULES}
    assert submodules.isdisjoint(bot.__all__)
    code = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    try: importlib.import_module(name)\n"
        "    except ImportError: pass\n"
        "import bot\n"
        "homes = {name: module for module, names in bot._MODULES.items() for name in names}\n"
        "assert sorted(homes) == bot.__all__\n"
        "for name, module in homes.items():\n"
        "    if getattr(bot, name) is not getattr(sys.modules[module], name): print(name)\n"
    )
    # Platform modules of other systems, and those of optional libraries, cannot be imported everywhere.
    done = subprocess.run(
        [sys.executable, "-c", code, *MODULES], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.split() == []


def test_every_public_name_is_listed_and_documented() -> None:
    assert sorted(bot.__all__) == list(bot.__all__)
    assert set(bot.__all__) <= set(dir(bot))
    for name in bot.__all__:
        assert getattr(bot, name).__doc__, name


def test_a_name_that_is_not_there_says_what_is() -> None:
    with pytest.raises(AttributeError, match="analyse, play, read"):
        _ = bot.analyze  # type: ignore[attr-defined]


def test_what_an_analysis_holds() -> None:
    board = Board.parse("1#2##\n12###\n#####")
    analysis = analyse(board, mines=4)
    assert isinstance(analysis, Analysis)
    assert (type(analysis.safe), type(analysis.mines)) == (frozenset, frozenset)
    assert analysis.probability.shape == (3, 5)
    assert np.array_equal(np.isnan(analysis.probability), board.codes <= 8)
    assert {(int(r), int(c)) for r, c in np.argwhere(analysis.probability == 0)} == analysis.safe
    assert {(int(r), int(c)) for r, c in np.argwhere(analysis.probability == 1)} == analysis.mines
    assert np.nansum(analysis.probability) == pytest.approx(4)
    with pytest.raises(ValueError, match="read-only"):
        analysis.probability[0, 1] = 0.5


def test_a_shown_mine_has_no_chance_and_a_game_that_is_over_no_best_cell() -> None:
    analysis = analyse(Board.parse("X#\n1#"), mines=1)
    assert np.isnan(analysis.probability[0, 0])
    assert (analysis.best, analysis.survival, analysis.win) == (None, None, None)


def test_a_chance_to_win_that_is_not_exact_is_none() -> None:
    assert analyse(Board.covered(30, 16), mines=99).win is None


def test_numbers_of_numpy_are_whole_numbers() -> None:
    board = Board.parse("1##")
    assert analyse(board, np.int64(1), think=np.int8(1)).safe == {(0, 2)}


def test_a_file_and_its_pixels_are_read_alike() -> None:
    pixels = load_picture(SCREENSHOT)
    assert read(str(SCREENSHOT)).board == read(SCREENSHOT).board == read(pixels, theme="practice").board


def test_readings_of_the_same_picture_are_equal() -> None:
    one, two = read(SCREENSHOT), read(SCREENSHOT)
    assert one.skin is not None
    assert one == two
    assert len({one, two, pickle.loads(pickle.dumps(one))}) == 1
    assert one != replace(two, board=Board.parse("1#"))
    assert one != replace(two, skin=load_theme("winmine").skin)


def test_a_game_can_be_pickled() -> None:
    game = Game.beginner(seed=1)
    game.open(4, 4)
    same = pickle.loads(pickle.dumps(game))
    assert (same.board, same.rules) == (game.board, game.rules)
    same.open(0, 0)
    game.open(0, 0)
    assert same.board == game.board
    assert same.again().rules == game.rules


def test_the_word_of_an_action_stands_for_it() -> None:
    game = Game.beginner(seed=1)
    assert game.act(Move("open", 1, 1))  # type: ignore[arg-type]
    assert game.board[1, 1] <= 8
    assert Move("flag", 0, 0) == Move(Action.FLAG, 0, 0)  # type: ignore[arg-type]


def test_a_picture_with_two_boards_is_read_by_read_all() -> None:
    twice = np.hstack([load_picture(SCREENSHOT)] * 2)
    assert len(read_all(twice, theme="practice")) == 2
    with pytest.raises(FormatError, match="read_all"):
        read(twice, theme="practice")


def test_a_game_is_played_to_its_end_and_not_again() -> None:
    game = Game.beginner(seed=1)
    assert (game.rules.size, game.rules.mines) == ("9x9", 10)
    report = play(game, strategy="seed")
    assert report.outcome.result in (Result.WON, Result.LOST)
    assert report.observation.board == game.board
    with pytest.raises(UsageError, match="again"):
        play(game)


@pytest.mark.parametrize("flags", [False, True])
def test_flags_are_set_only_when_asked(flags: bool) -> None:
    class Watched(Game):
        flagged = 0

        def flag(self, row: int, column: int) -> bool:
            self.flagged += 1
            return super().flag(row, column)

    game = Watched.beginner(seed=1)
    play(game, strategy="seed", flags=flags)
    assert isinstance(game, Watched)
    assert (game.flagged > 0) is flags


def test_a_board_is_drawn() -> None:
    drawn = Board.parse("1#\nF!")._repr_svg_()
    assert drawn is not None
    assert drawn.count("<rect") == 4
    assert "⚑" in drawn
    assert Board.covered(101, 100)._repr_svg_() is None


def test_an_analysis_is_drawn_with_its_chances_and_its_best_cell() -> None:
    analysis = analyse(Board.parse("1##"), mines=1)
    drawn = analysis._repr_svg_()
    assert drawn is not None
    assert analysis.best == (0, 2)
    assert (drawn.count("<rect"), drawn.count(">ok<"), drawn.count("●")) == (4, 1, 1)
    assert analysis.board[0, 1] == Cell.COVERED


def test_the_package_itself_loads_nothing() -> None:
    """A Ctrl-C that falls into it is handled by nobody."""
    words = [sys.executable, "-S", "-c", "import sys, bot; sys.exit('typing' in sys.modules)"]
    assert subprocess.run(words, cwd=Path(__file__).parents[1]).returncode == 0
