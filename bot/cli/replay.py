"""`minebot replay`: read and decide a recording again, list the recordings, draw a frame."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.outputs import (
    PICTURES,
    STDOUT,
    OutputFile,
    print_json,
    refuse_beside_json,
    told_place,
    write,
    write_picture,
)
from bot.cli.parts.showing.recorded_game import (
    SHOWN,
    refuse_alone,
    refuse_in_recording,
    show_options,
    write_shown,
)
from bot.cli.parts.words import completed
from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.board import Coordinate
    from bot.game.minefield import Minefield
    from bot.recording.format import CandidateRecord, Header
    from bot.recording.read import Recording
    from bot.recording.replay import FrameReader, Replay
    from bot.strategy.base import Strategy
    from bot.vision.grid import Grid


@click.command(epilog="Example: minebot replay 20261120-161300-winmine-9x9-001 --show 12")
@click.argument("recordings", metavar="[RECORDING]...", nargs=-1, type=completed.Named(completed.recordings))
@click.option("--show", type=int, metavar="N", help="Draw frame N, from 0, with what was read and decided.")
@click.option(
    "--out",
    type=OutputFile(PICTURES),
    metavar="OUT.png",
    help="Where --show draws it; - is stdout. By default frame-N.png.",
)
@click.option(
    "--boards",
    type=OutputFile(),
    metavar="OUT.txt",
    help="Write the boards that were played, for `minebot simulate --boards`; decide nothing. - is stdout.",
)
@show_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(
    recordings: tuple[str, ...],
    show: int | None,
    out: Path | None,
    boards: Path | None,
    as_json: bool,
    **words: Any,
) -> int:
    """Read and decide a recording again.

    Reads every picture of a RECORDING (a folder, or a name from the list) and decides again on every board,
    with no display, and prints what differs from the record; the exit status is then 1. It decides again
    only where strategy and version are those of the record. With no RECORDING, lists those that there are.

    --gif and --mp4 make a film of a recording, --html a page on which it can be played and looked into.
    Nothing is read or decided again for them; for the page, the chances on each board are worked out.

    The boards of --boards are known where the end of a game shows its mines. Simulate them with the first
    click that is told, and `minebot stats --compare` pairs the games of the window with the simulated ones.
    """
    from bot.config import load_settings
    from bot.recording.store import recordings_folder

    for path, option in ((out, "--out"), (boards, "--boards")):
        refuse_beside_json(path, option, as_json)
        if path is not None:
            refuse_in_recording(path, option)
    root = recordings_folder(load_settings().record_dir)
    files = [f"--{name}" for name in SHOWN if words[name] is not None]
    if files:
        if show is not None or out is not None or boards is not None:
            raise UsageError(f"{files[0]} shows a whole game: leave out --show, --out and --boards")
        if len(recordings) != 1:
            how = f"name it, as in `minebot replay NAME {files[0]} OUT.{files[0][2:]}`"
            raise UsageError(f"{files[0]} shows one recording: {how}; with no name they are listed")
        return write_shown(recordings[0], root, words, as_json=as_json)
    refuse_alone(words)
    if boards is not None:
        if show is not None or out is not None:
            raise UsageError("--boards and --show exclude each other: leave out one of them")
        return _write_boards(recordings, root, boards, as_json)
    if show is not None:
        if len(recordings) != 1:
            raise UsageError("--show draws a frame of one recording: name one")
        return _show(recordings[0], root, show, out or Path(f"frame-{show}.png"), as_json)
    if out is not None:
        raise UsageError("--out says where --show draws a frame: give --show N too")
    if not recordings:
        return _list(root, as_json)
    return max([_replay(name, root, as_json) for name in recordings])


def _replay(name: str, root: Path, as_json: bool) -> int:
    from bot.recording.read import load
    from bot.recording.replay import replay
    from bot.recording.store import find

    try:
        recording = load(find(name, root))
        reader_on, warning = _readers(recording)
        strategy, why = _strategy(recording.header)
        result = replay(recording, reader_on, strategy)
    except BotError as error:
        if as_json:
            print_json({"recording": name, "error": str(error)})
        told = str(error) if name in str(error) else f"{name}: {error}"
        click.echo(f"minebot: {told}", err=True)
        return error.exit_status
    for text in (warning, why):
        if text:
            click.echo(f"minebot: {name}: {text}", err=True)
    if as_json:
        print_json(_as_json(name, recording, result, decided=strategy is not None))
    else:
        _print(name, recording, result, decided=strategy is not None)
    return 1 if result.differences else 0


def _write_boards(names: tuple[str, ...], root: Path, out: Path, as_json: bool) -> int:
    from bot.game.boards_file import boards_content
    from bot.recording.read import load
    from bot.recording.store import find

    minefields: list[Minefield] = []
    starts: set[Coordinate] = set()
    for name in names:
        played = _played(load(find(name, root)))
        if played is None:
            click.echo(
                f"minebot: {name}: it does not tell the first click and every mine: left out", err=True
            )
            continue
        minefields.append(played[0])
        starts.add(played[1])
    if not minefields:
        raise BotError("there is no board to write: name recordings of games that were played to their end")
    told = sorted(f"{row},{column}" for row, column in starts)
    if len(told) > 1:
        raise BotError(f"their first clicks differ ({'; '.join(told)}): name those of one first click alone")
    write(out, boards_content(out.name, minefields))
    if as_json:
        print_json({"boards": len(minefields), "start": told[0], "file": str(out)})
    else:
        written = "1 board" if len(minefields) == 1 else f"{len(minefields)} boards"
        click.echo(f"wrote {written} to {told_place(out)}; the first click is {told[0]}", err=out == STDOUT)
    return 0


def _played(recording: Recording) -> tuple[Minefield, Coordinate] | None:
    """Where the mines of a recorded game lay, and its first click; None where it does not tell."""
    from bot.board import Action
    from bot.show.story import story_of
    from bot.strategy.first_click import untouched

    story = story_of(recording, "")
    begun = [each.seen.phase.over or not untouched(each.seen.board) for each in story.positions]
    if story.minefield is None or not any(begun) or begun[0]:
        return None  # its end does not show every mine, or it was begun before
    # What a person opened is recorded with the board that shows it: the story has it just before.
    opened_at = story.positions[begun.index(True)].t
    opened = (deed for deed in story.deeds if deed.t < opened_at and deed.move.action is Action.OPEN)
    first = next(opened, None)
    return None if first is None else (story.minefield, first.move.cell)


def _readers(recording: Recording) -> tuple[Callable[[Grid], FrameReader], str]:
    """What reads frames whose cells lie on a grid, and a warning where the theme has changed (else empty).

    A learned game's theme lies in its recording; a game that no theme knew is read by the looks there, or by
    what all Minesweepers share.
    """
    from bot.recording.format import THEME
    from bot.targets.window.looks import RecordedLooksReader, looks_of
    from bot.targets.window.sighting import UNKNOWN
    from bot.vision.grid_readers import reader_for
    from bot.vision.themes.theme import load_theme

    header, carried = recording.header, recording.folder / THEME
    if header.by_looks or header.theme == UNKNOWN:
        skin = load_theme(carried).skin if carried.is_dir() else None
        return lambda grid: RecordedLooksReader(grid, None if skin is None else looks_of(skin, grid)), ""
    if carried.is_dir():
        return partial(reader_for, load_theme(carried).skin), ""
    try:
        theme = load_theme(header.theme)
    except UsageError as error:
        raise BotError(f"the recording needs a theme that is not here: {error}") from None
    changed = theme.skin.fingerprint != header.theme_fingerprint
    warning = f"theme {header.theme} has changed since: readings may differ" if changed else ""
    return partial(reader_for, theme.skin), warning


def _strategy(header: Header) -> tuple[Strategy | None, str]:
    """The strategy of the record; or None, and why only the readings can be compared."""
    from bot.strategy.registry import strategy

    recorded = f"{header.strategy} version {header.strategy_version}"
    try:
        found = strategy(header.strategy, int(header.options.get("think") or 1))
    except UsageError:
        return None, f"strategy {recorded} is not here: only the readings are compared"
    if (found.name, found.version) != (header.strategy, header.strategy_version):
        return None, f"strategy {recorded} is version {found.version} here: only the readings are compared"
    return found, ""


def _as_json(name: str, recording: Recording, result: Replay, *, decided: bool) -> dict[str, Any]:
    outcome = recording.outcome
    return {
        "recording": name,
        "frames": result.frames,
        "boards": result.boards,
        "decisions": result.decisions,
        "cut_short": result.cut_short,
        "decided": decided,
        "differences": [
            {"frame": one.frame, "t": one.t, "kind": one.kind, "text": one.text} for one in result.differences
        ],
        "truncated": recording.truncated,
        "outcome": outcome.result.value if outcome else None,
        "read_ms": result.read_ms,
        "decide_ms": result.decide_ms,
    }


def _print(name: str, recording: Recording, result: Replay, *, decided: bool) -> None:
    outcome = recording.outcome
    ended = outcome.result.value if outcome else "the record ends before the game"
    told = [
        f"{result.frames} frames, {result.boards} boards, {result.decisions} decisions, {ended}",
        f"median {result.read_ms} ms to read" if result.read_ms is not None else "",
        f"{result.decide_ms} ms to decide" if result.decide_ms is not None else "",
        f"{result.cut_short} not decided again: the clock cut them short" if result.cut_short else "",
        "its last line is cut" if recording.truncated else "",
    ]
    same = "nothing differs" if decided else "no reading differs"
    verdict = f"{len(result.differences)} differ" if result.differences else same
    click.echo(f"{name}: {verdict} ({', '.join(part for part in told if part)})")
    for one in result.differences:
        click.echo(f"  frame {one.frame}, {one.t:.3f} s, {one.kind}: {one.text}")


def _show(name: str, root: Path, number: int, out: Path, as_json: bool) -> int:
    from bot.recording.draw import draw, shown
    from bot.recording.read import load
    from bot.recording.replay import observation
    from bot.recording.store import find
    from bot.strategy.base import Kind

    recording = load(find(name, root))
    frame = shown(recording, number)
    image, grid = recording.frame(frame.frame), recording.header.frame_grid(frame.frame)
    event, decision = frame.board, frame.decision
    caption = [f"frame {number} at {frame.frame.t:.3f} s, {recording.header.strategy}"]
    if event is not None:
        board = observation(event, recording.header).board
        caption[0] += f", {event.phase.value}, mines {'unknown' if event.mines is None else event.mines}"
        caption += [f"refused: {fault}" for fault in event.faults[:2]]
    else:
        reader_on, _ = _readers(recording)
        board = reader_on(grid).read(image).board
        caption[0] += ", not read in the game: read now"
    if decision is not None:
        survival = f", survival {100 * decision.survival:.1f} %" if decision.kind is Kind.GUESS else ""
        caption.append(f"turn {decision.turn}: {decision.kind.value} by {decision.rung}{survival}")
        caption.append(decision.reason)
        caption += [_candidate(each) for each in decision.candidates[:4]]
    picture = draw(
        image,
        grid,
        board,
        safe=tuple(decision.safe) if decision else (),
        mines=tuple(decision.mines) if decision else (),
        guess=decision is not None and decision.kind is Kind.GUESS,
        chances={(row, column): chance for row, column, chance in decision.chances} if decision else None,
        caption=tuple(caption),
    )
    write_picture(out, picture)
    if as_json:
        print_json({"recording": name, "frame": number, "picture": str(out)})
    elif out != STDOUT:
        click.echo(f"{out}: frame {number} of {name}")
    return 0


def _candidate(each: CandidateRecord) -> str:
    """A cell that a guess was chosen from, for the caption."""
    words = f"  {each.cell[0]},{each.cell[1]}: survives with {100 * each.survival:.1f} %"
    for chance, wins in (
        (each.win, "wins with"),
        (each.most, "wins at most with"),
        (each.score, "wins with about"),
    ):
        if chance is not None:
            return f"{words}, {wins} {100 * chance:.1f} %"
    return words


def _list(root: Path, as_json: bool) -> int:
    """The shipped recordings and the user's own, oldest first."""
    from bot.files import shipped
    from bot.recording.read import load
    from bot.recording.store import stored, unreadable

    rows: list[dict[str, Any]] = []
    broken: list[dict[str, Any]] = []
    for whose, place in (("shipped", shipped("recordings")), ("yours", root)):
        for folder, why in unreadable(place):
            broken.append({"recording": folder.name, "folder": str(folder), "whose": whose, "error": why})
        for one in stored(place):
            try:
                recording = load(one.folder)
            except BotError as error:
                told = {"recording": one.name, "folder": str(one.folder), "whose": whose}
                broken.append({**told, "error": str(error)})
                continue
            header, outcome = recording.header, recording.outcome
            rows.append(
                {
                    "recording": one.name,
                    "folder": str(one.folder),
                    "whose": whose,
                    "target": header.target,
                    "columns": header.rules.columns,
                    "rows": header.rules.rows,
                    "mines": _mines(recording),
                    "strategy": header.strategy,
                    "outcome": outcome.result.value if outcome else None,
                    "seconds": outcome.seconds if outcome else None,
                    "frames": len(recording.frames),
                    "bytes": one.size,
                    "kept": one.kept,
                }
            )
    if as_json:
        for row in rows + broken:
            print_json(row)
        return 0
    _print_table(rows)
    for row in broken:
        click.echo(f"minebot: {row['error']}", err=True)
    click.echo(f"Yours lie in {root}.")
    return 0


def _mines(recording: Recording) -> int | None:
    """The mine total as it was known at the end; None where it never was."""
    from bot.recording.format import BoardEvent

    if recording.header.rules.mines is not None:
        return recording.header.rules.mines
    boards = (event for event in reversed(recording.events) if isinstance(event, BoardEvent))
    return next((board.mines for board in boards if not board.faults), None)


def _print_table(rows: list[dict[str, Any]]) -> None:
    if not rows:
        click.echo("There are no recordings yet: minebot run makes them.")
        return
    from bot.cli.parts.tables import print_table

    titles = ("recording", "whose", "size", "outcome", "seconds", "mines", "strategy", "frames", "MB")
    print_table(
        titles,
        [
            (
                row["recording"],
                "kept" if row["kept"] else row["whose"],
                f"{row['columns']}x{row['rows']}",
                row["outcome"] or "cut short",
                "" if row["seconds"] is None else f"{row['seconds']:.2f}",
                "?" if row["mines"] is None else str(row["mines"]),
                row["strategy"],
                str(row["frames"]),
                f"{row['bytes'] / 2**20:.1f}",
            )
            for row in rows
        ],
        box=None,
        pad_edge=False,
    )
