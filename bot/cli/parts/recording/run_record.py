"""What a run keeps of its games: a recording each, and the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.cli.parts.live_report import LiveReporter
    from bot.config import Settings
    from bot.recording.format import Option
    from bot.recording.log import RunLog
    from bot.recording.record import Record
    from bot.strategy.base import Strategy
    from bot.targets.window.spectator import Spectator
    from bot.targets.window.window_target import WindowTarget


def logged(record: Record, log: RunLog | None) -> Record:
    """The record, written to the log of the run as well if there is one."""
    from bot.recording.log import LoggedRecord

    return record if log is None else LoggedRecord(record, log)


def recorder_of(
    target: WindowTarget | Spectator,
    player: Strategy,
    settings: Settings,
    options: Mapping[str, Option],
    reporter: LiveReporter,
    *,
    is_kept: bool,
) -> Record:
    """A recorder of the game that begins; one that keeps nothing where that is wanted or cannot be helped.

    `options`: those that change decisions or clicks. `is_kept`: whether it never makes room for later ones.
    """
    from bot.errors import BotError
    from bot.geometry import Point
    from bot.recording.format import BY_LOOKS, Header
    from bot.recording.record import NullRecorder
    from bot.recording.store import keep, recordings_folder, start

    if not settings.record:
        return NullRecorder()
    header = Header.of(
        target=target.name,
        theme=target.name,
        theme_fingerprint="" if target.skin is None else target.skin.fingerprint,
        calibration=target.name if target.skin is not None and target.skin.learned else None,
        grid=target.view.grid,
        rules=target.rules,
        strategy=player,
        options={**options, BY_LOOKS: True} if target.is_unknown else options,
        origin=Point(target.view.rect.x, target.view.rect.y),
    )
    try:
        folder = recordings_folder(settings.record_dir)
        recorder = start(folder, header, budget=settings.record_budget, warn=reporter.tell)
    except BotError as error:
        reporter.tell_once("played without being recorded", str(error))
        return NullRecorder()
    if is_kept and recorder.folder is not None:
        try:
            keep(recorder.folder)
        except OSError as error:
            reporter.tell_once("recordings cannot be kept from the budget", error.strerror or str(error))
    return recorder
