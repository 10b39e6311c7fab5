"""What `minebot run` and `minebot watch` were asked to do: the options of the command, each with its type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from bot.cli.parts.words.how_long import ENDLESS, check_restart, seconds_of


class Role(Enum):
    """What minebot does at the window."""

    PLAY = "play"
    """It plays alone."""
    DRY_RUN = "dry run"
    """It says what it would click, and clicks nothing."""
    ASSIST = "assist"
    """It plays what is certain, and leaves every choice to the person."""
    HINT = "hint"
    """It shows what is certain to the person who plays."""
    WATCH = "watch"
    """It looks on in silence and records: `minebot watch`."""

    @property
    def is_beside_person(self) -> bool:
        """Whether a person plays in the window too."""
        return self in (Role.ASSIST, Role.HINT, Role.WATCH)

    @property
    def looks_on(self) -> bool:
        """Whether the person alone plays: the mouse is never touched."""
        return self in (Role.HINT, Role.WATCH)


@dataclass(frozen=True)
class PracticeOptions:
    """How the built-in window is opened."""

    virtual: bool = False
    """Whether it is drawn in memory, with no display."""
    headless: bool = False
    """Whether it is opened on a virtual display of our own."""
    level: str | None = None
    """The name of a level; None for that of `size`, or beginner."""
    size: str | None = None
    """COLUMNSxROWS; None for that of the level."""
    scale: float = 1.0
    """The size of the drawing, 1 to 3."""
    seed: int | None = None
    """The number of the first game; None for games by chance."""


@dataclass(frozen=True)
class WindowOptions:
    """Which window is meant, and what the user says of its game."""

    target: str | None = None
    """The theme or the calibration of the only windows to look for; None for all."""
    title: str | None = None
    """A part of the window's title, or its number, from 1, where several were found; None for any."""
    mines: int | None = None
    """The number of mines; None to read it in the window, or for that of the level."""
    first_click: str | None = None
    """A value of `bot.board.FirstClick`; None for what the theme says, and for `safe` in the built-in
    window."""
    practice: PracticeOptions | None = None
    """How the built-in window is opened; None to play one that is open already."""

    @property
    def may_be_any_game(self) -> bool:
        """Whether a game that no theme knows may be meant."""
        return self.target is None and self.practice is None


@dataclass(frozen=True)
class PlayOptions:
    """How the window is played. What the settings have a default for is None where it was not given."""

    role: Role = Role.PLAY
    games: int = 1
    """The most games to play; `ENDLESS` for no limit."""
    until_won: bool = False
    """Whether to stop after the first that is won."""
    time_s: float | None = None
    """For how many seconds games are begun; None for no limit."""
    strategy: str | None = None
    """The name of who plays."""
    think: int = 1
    """How many times the usual thought `best` may spend on a guess."""
    flags: bool = False
    """Whether the mines are marked too."""
    new: bool = False
    """Whether a half-played game is thrown away."""
    resume: bool = False
    """Whether a half-played game is played on; without `new` and `resume` the user is asked."""
    restart: str | None = None
    """How a new game is started: a key, `X,Y` in points of the window, or `ask`; None as the theme says."""
    clicks_per_second: float | None = None
    """The most clicks a second."""
    name: str | None = None
    """What to enter where the game asks for a name after a record time."""
    no_records: bool = False
    """Whether no name is entered there."""


@dataclass(frozen=True)
class KeptOptions:
    """What is kept of the games."""

    record_dir: str | None = None
    """The folder of the recordings; None for that of the settings."""
    no_record: bool = False
    """Whether nothing is recorded."""
    keep: bool = False
    """Whether these recordings never make room for later ones."""
    verbose: bool = False
    """Whether a log is written."""
    db: Path | None = None
    """The results file; None for the default one."""
    no_db: bool = False
    """Whether no results are kept."""


@dataclass(frozen=True)
class ShownOptions:
    """What is shown of the games while they are played."""

    as_json: bool = False
    """Whether each game is printed as a JSON object, for programs."""
    sound: bool = False
    """Whether the terminal's bell rings when it is the person's turn."""
    view: bool = False
    """Whether the run is served as a page of this machine."""
    open_it: bool = False
    """Whether that page is opened in the browser."""


@dataclass(frozen=True)
class RunOptions:
    """All that a run was asked to do."""

    window: WindowOptions = field(default_factory=WindowOptions)
    play: PlayOptions = field(default_factory=PlayOptions)
    kept: KeptOptions = field(default_factory=KeptOptions)
    shown: ShownOptions = field(default_factory=ShownOptions)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> RunOptions:
        """The options by the names of click's parameters of `minebot run`.

        Raises UsageError for a `--restart` and a `--for` that cannot be.
        """
        if given["restart"] not in (None, "ask"):
            check_restart(given["restart"])
        time_s = None if given["for_time"] is None else seconds_of(given["for_time"])
        is_endless = given["until_won"] or time_s is not None
        practice = PracticeOptions(
            virtual=given["virtual"],
            headless=given["headless"],
            level=given["level"],
            size=given["size"],
            scale=1.0 if given["scale"] is None else given["scale"],
            seed=given["seed"],
        )
        return cls(
            WindowOptions(
                target=given["target"],
                title=given["window"],
                mines=given["mines"],
                first_click=given["first_click"],
                practice=practice if given["practice"] else None,
            ),
            PlayOptions(
                role=_role_of(given),
                games=given["games"] or (ENDLESS if is_endless else 1),
                until_won=given["until_won"],
                time_s=time_s,
                strategy=given["strategy"],
                think=given["think"],
                flags=given["flags"],
                new=given["new"],
                resume=given["resume"],
                restart=given["restart"],
                clicks_per_second=given["clicks_per_second"],
                name=given["name"],
                no_records=given["no_records"],
            ),
            KeptOptions(
                record_dir=given["record_dir"],
                no_record=given["no_record"],
                keep=given["keep"],
                verbose=given["verbose"],
                db=given["db"],
                no_db=given["no_db"],
            ),
            ShownOptions(
                as_json=given["as_json"], sound=given["sound"], view=given["view"], open_it=given["open_it"]
            ),
        )


def _role_of(given: Mapping[str, Any]) -> Role:
    """What minebot does, by three options that exclude each other."""
    if given["assist"]:
        return Role.ASSIST
    if given["hint"]:
        return Role.HINT
    return Role.DRY_RUN if given["dry_run"] else Role.PLAY
