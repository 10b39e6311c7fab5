"""Every game that was played, live or simulated, in one SQLite file of the user's: `results.sqlite`.

The schema's number is the file's `user_version`, and `application_id` says that the file is ours. Several
programs may write at once: each write is one short transaction that waits its turn, so a program that is
killed leaves whole games only. The file is one file at rest (a rollback journal, not a write-ahead log),
so that it can be copied, and read where nothing may be written.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from bot import __version__
from bot.board import Coordinate, FirstClick, Result
from bot.errors import BotError, FormatError
from bot.files import user_data, writable
from bot.game.minefield import Minefield
from bot.process.progress import told

Checked = TypeVar("Checked", bound=msgspec.Struct)

APPLICATION = 0x6D626F74
"""The `application_id` of our files: "mbot"."""

SCHEMA_STEPS: list[tuple[str, ...]] = [
    (
        """
        CREATE TABLE games (
            id INTEGER PRIMARY KEY,
            target TEXT NOT NULL,
            columns INTEGER NOT NULL,
            rows INTEGER NOT NULL,
            mines INTEGER,
            first_click TEXT NOT NULL,
            strategy TEXT NOT NULL,
            strategy_version INTEGER NOT NULL,
            think INTEGER NOT NULL,
            seed TEXT,
            board TEXT,
            outcome TEXT NOT NULL CHECK (outcome IN ('won', 'lost', 'stopped', 'failed')),
            gave_up INTEGER NOT NULL,
            guesses TEXT NOT NULL,
            seconds REAL,
            clicks INTEGER NOT NULL,
            bbbv INTEGER,
            played_at TEXT NOT NULL,
            minebot TEXT NOT NULL,
            recording TEXT
        )
        """,
    ),
    (
        "ALTER TABLE games ADD COLUMN study TEXT",
        "ALTER TABLE games ADD COLUMN game INTEGER",
        "CREATE UNIQUE INDEX games_of_studies ON games (study, game)",
    ),
    # Simulated games, which alone have a seed, had the name of the window with the same rules.
    ("UPDATE games SET target = 'winmine rules' WHERE target = 'winmine' AND seed IS NOT NULL",),
]
"""What makes each schema from the one before, from nothing on; the number of steps is the schema's."""

WAIT_S = 30.0
"""How long a write waits for another program's."""

TRY_S, PAUSE_S = 0.2, 0.01
"""How long SQLite itself waits: within that time no Ctrl-C is seen. And the pause before it tries again."""

PLAY = "play with `minebot run` or `minebot simulate`, or give --db another file"
"""What is to be done where there are no results."""

SIMULATED = "simulated"
"""The target of simulated games of no rule set: those of one have its name, or `winmine rules`."""


class Busy(BotError):
    """Another program holds the file for longer than a write waits."""


@dataclass(frozen=True)
class GameResult:
    """One game, as the store keeps it: a column a field."""

    target: str
    """The theme of the window, or of a simulated game its rule set (`RuleSet.simulated`), or `simulated`."""
    columns: int
    rows: int
    mines: int | None
    first_click: FirstClick
    strategy: str
    strategy_version: int
    outcome: Result
    guesses: tuple[float, ...] = ()
    """The chance to survive that the strategy gave each of its guesses, in order."""
    seconds: float | None = None
    """From the first click to the end; of a simulated game, of playing it. None: nothing was clicked."""
    clicks: int = 0
    """All that were sent; of a simulated game, those that changed something."""
    bbbv: int | None = None
    think: int = 1
    """The multiple of the usual budget of thought."""
    seed: str | None = None
    """Which generated game it was."""
    board: str | None = None
    """`board_id` of what was played, where it is known: games with the same one can be compared."""
    gave_up: bool = False
    """Whether it is stopped because the strategy had no move: such a game counts as played and not won."""
    played_at: str = ""
    """When it ended, as `now()` says it."""
    minebot: str = __version__
    recording: str | None = None
    study: str | None = None
    """Which `minebot simulate` it was played by, and ..."""
    game: int | None = None
    """... its place there, from 0: a game of a study is kept once, however often it is added."""


COLUMNS = tuple(field.name for field in fields(GameResult))

_INSERT = (
    f"INSERT INTO games ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
    " ON CONFLICT (study, game) DO NOTHING"
)

_GUESSES, _FIRST_CLICK, _OUTCOME = (COLUMNS.index(name) for name in ("guesses", "first_click", "outcome"))

_values = attrgetter(*COLUMNS)


def now() -> str:
    """The time in UTC, to the second, as it is stored."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def board_id(minefield: Minefield, start: Coordinate) -> str:
    """Names a board and the first click on it, in 20 letters: the same ones anywhere and at any time."""
    words = [minefield.columns, minefield.rows, *start, *minefield.cells]
    return hashlib.blake2b(" ".join(map(str, words)).encode(), digest_size=10).hexdigest()


def default_path() -> Path:
    """Where the results lie unless `--db` says otherwise."""
    return user_data() / "results.sqlite"


class Results:
    """The store, open. Nothing in it is ever changed: games are added and read."""

    def __init__(self, path: Path, *, create: bool = True, wait_s: float = WAIT_S) -> None:
        """Open the file, making it and the folders that lead to it. Unless `create` is true it must be there,
        and hold games or have held some: nothing is written to another one.

        A write waits for other programs for `wait_s` seconds. Raises FormatError for a file that is none
        of ours, is damaged or has a newer schema; Busy; and BotError where the file cannot be had.
        """
        self.path = path
        self._create = create
        self._wait_s = wait_s
        if create:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BotError(_no_folder(path, error)) from error
        elif not path.is_file():
            raise BotError(f"there are no results in {path}: {PLAY}")
        uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
        with self._told():
            # No transaction is begun behind our back.
            self._db = sqlite3.connect(uri, uri=True, timeout=min(wait_s, TRY_S), isolation_level=None)
        try:
            with self._told():
                self._prepare()
        except BaseException:
            self._db.close()
            raise

    def add(self, games: Iterable[GameResult]) -> None:
        """Add games, all of them or none. Raises Busy, and BotError where they cannot be written."""
        rows = [_row(game) for game in games]
        with self._told(), self._transaction():
            self._db.executemany(_INSERT, rows)

    def of_study(self, study: str) -> int:
        """How many games of a study are kept, from its first one on without a gap."""
        (games,) = next(
            self.query(
                "SELECT count(*) FROM (SELECT game, row_number() OVER (ORDER BY game) AS place"
                " FROM games WHERE study = ?) WHERE place = game + 1",
                (study,),
            )
        )
        return int(games)

    def query(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> Iterator[sqlite3.Row]:
        """The rows that a SELECT finds, with their columns by name. Raises what opening raises."""
        with self._told():
            cursor = self._execute(sql, _bound(values))
            cursor.row_factory = sqlite3.Row
            yield from cursor

    def rows(
        self, kind: type[Checked], sql: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> Iterator[Checked]:
        """The same as values of a kind, which has `id`, the number of a game. SQLite keeps anything in a
        column, whatever its type: raises FormatError for what cannot be."""
        for row in self.query(sql, values):
            try:
                yield msgspec.convert(dict(row), kind)
            except msgspec.ValidationError as error:
                raise self.damaged(row["id"], str(error)) from None

    def damaged(self, game: object, told: str) -> FormatError:
        """The error for a game in the file that cannot be."""
        return FormatError(
            f"{self.path} is damaged (game {game}: {told}): move it away, or give --db another file"
        )

    def wait(self, seconds: float) -> None:
        """From now on, wait for other programs for so long."""
        self._wait_s = seconds
        with self._told():
            self._db.execute(f"PRAGMA busy_timeout = {int(1000 * min(seconds, TRY_S))}")

    def close(self) -> None:
        """Let go of the file. Closing again does nothing."""
        self._db.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _prepare(self) -> None:
        """Bring the schema up to date; a file that is up to date is not written to."""
        with self._transaction("DEFERRED"):  # one look: another program may be making the file
            schema = self._schema()
        if schema == len(SCHEMA_STEPS):
            return
        if schema == 0 and not self._create:
            raise FormatError(f"{self.path} is empty, there are no results in it: {PLAY}")
        with self._transaction():
            # Once more: another program may have done it while this one waited.
            for step in SCHEMA_STEPS[self._schema() :]:
                for statement in step:
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {len(SCHEMA_STEPS)}")

    def _schema(self) -> int:
        """The schema of the file, 0 for an empty one."""
        (version,) = self._execute("PRAGMA user_version").fetchone()
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION:
            (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables or version or application:
                raise FormatError(
                    f"{self.path} is another program's database: give --db another file,"
                    " one that is not there yet is made"
                )
        if version > len(SCHEMA_STEPS):
            raise FormatError(
                f"{self.path} was written by a newer minebot (schema {version}, this one knows"
                f" {len(SCHEMA_STEPS)}): update minebot, or give --db another file"
            )
        return int(version)

    @contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        # Immediate, to write: it waits for its turn here, where waiting is safe, and never in the middle.
        self._execute(f"BEGIN {kind}")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.ProgrammingError):  # it is closed, and by that undone
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise

    def _execute(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> sqlite3.Cursor:
        """Execute a statement, again and again while another program holds the file, until it is time to give
        up. A statement that could not be had does nothing."""
        until = time.monotonic() + self._wait_s
        with ExitStack() as waiting:
            told_so = False
            while True:
                try:
                    return self._db.execute(sql, values)
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() >= until:
                        raise
                if not told_so:
                    waiting.enter_context(told(lambda: f"waiting for the other program that has {self.path}"))
                    told_so = True
                time.sleep(PAUSE_S)  # it may say so at once

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what SQLite says into one line for the user."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # damaged names of columns are no sqlite3.Error
            said = str(error)  # the error's number is there from Python 3.11 on only
            if "locked" in said:
                raise Busy(
                    f"{self.path} is in use by another program: try again when that is done"
                ) from error
            if "not a database" in said or "malformed" in said or "decode" in said:
                said = said.split(" with text")[0]
                raise FormatError(
                    f"{self.path} is no results file, or a damaged one ({said}): move it away,"
                    " or give --db another file"
                ) from error
            if "full" in said:
                raise BotError(f"{self.path}: no room is left on the disk") from error
            if "unable to open" in said or "readonly" in said:
                raise BotError(
                    f"{self.path} cannot be opened for writing: give --db a file in a folder of yours,"
                    " or --no-db to keep no results"
                ) from error
            raise BotError(f"{self.path}: {said}: give --db another file, or --no-db") from error


def _row(game: GameResult) -> list[object]:
    values = list(_values(game))
    values[_GUESSES] = f"[{', '.join([f'{chance:.6g}' for chance in game.guesses])}]"
    values[_FIRST_CLICK], values[_OUTCOME] = game.first_click.value, game.outcome.value
    return [_kept(value) for value in values]


def _kept(value: object) -> object:
    """A value as the file can hold it."""
    return writable(value) if isinstance(value, str) else value


def _bound(values: Sequence[object] | Mapping[str, object]) -> Sequence[object] | Mapping[str, object]:
    """Values for a query, as they are kept in the file."""
    if isinstance(values, Mapping):
        return {key: _kept(value) for key, value in values.items()}
    return [_kept(value) for value in values]


def _no_folder(path: Path, error: OSError) -> str:
    return f"{path.parent} cannot be made ({error.strerror or error}): give --db a file in a folder of yours"
