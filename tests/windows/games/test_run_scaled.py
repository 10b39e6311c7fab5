"""`minebot run` on real games on a desktop that scales everything by a fraction, and smooths it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Desk, stopped_after, with_manager
from magnifier import magnified
from played import check_lines

from bot.recording.read import load
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@with_manager
def test_gnome_mines_is_played_at_a_fractional_pitch(desk: Desk, tmp_path: Path) -> None:
    """Its lattice is found by the middles of its tiles; its dialogs lie over the scaled window."""
    with magnified(desk.display, 1.37) as shown, stopped_after(GnomeMines()) as game:
        game.set_theme("bgcolors")
        shown(game.start(16, 16, 40, at=(20, 20), cell=24))
        lines = desk.play("--games", "3", "--record", str(tmp_path))
    check_lines(lines, 3)
    assert {(line["columns"], line["rows"]) for line in lines} == {(16, 16)}
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
@pytest.mark.parametrize(
    ("game", "size", "pixels", "scale"),
    [
        (WineMine, (16, 16, 40), 16, 1.37),
        (Xdemineur, (14, 12, 17), 21, 1.25),
        (Practice, (9, 9, 10), 16, 1.37),
    ],
)
def test_games_are_played_at_fractional_pitches(
    desk: Desk,
    request: pytest.FixtureRequest,
    game: type[WineMine | Xdemineur | Practice],
    size: tuple[int, int, int],
    pixels: int,
    scale: float,
    tmp_path: Path,
) -> None:
    if game is WineMine:
        request.getfixturevalue("wine_prefix")
    with magnified(desk.display, scale) as shown, stopped_after(game()) as played:
        shown(played.start(*size, at=(20, 20)))
        lines = desk.play("--games", "3", "--record", str(tmp_path))
    check_lines(lines, 3)
    assert {(line["columns"], line["rows"], line["mines"]) for line in lines} == {size}
    pitch = load(Path(lines[0]["recording"])).header.frame_grid().cell_width
    assert pitch == pytest.approx(pixels * scale, abs=0.05)
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
