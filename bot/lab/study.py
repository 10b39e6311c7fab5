"""The files of a study: its results line by line, and what it takes to play it on after it was cut short.

`FILE.partial` grows by a line a game, and is renamed to `FILE` when the study is whole. `FILE.study` lies
beside it until then: what is played, as a line of JSON, and a line for each lot of games that was written.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, BinaryIO

import msgspec

from bot.errors import BotError, FormatError, UsageError
from bot.files import followed
from bot.lock import opened_alone

SCHEMA = 1

UNCHECKED = "of which seed and player its games are cannot be told any more, only that they are as many"
"""What is said of a study that is whole, where it is asked for once more."""


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is played: two studies that are equal in all but `id` give the same results."""

    schema: int = SCHEMA
    id: str
    """Names this study among the games of the results."""
    strategy: str
    version: int
    think: int
    first_click: str
    start: tuple[int, int] | None
    size: str | None = None
    mines: int | None = None
    seed: int | None = None
    games: int | None = None
    boards: str | None = None
    """A hash of the boards file; None where there is none, or none that can be read again."""
    rules: str | None = None
    """The rule set, where it is played by one."""
    hints: bool | None = None
    """Whether its hints are asked for, where it is played by a rule set."""

    @property
    def can_be_resumed(self) -> bool:
        """Whether its games can be had again: boards that came through a pipe are gone."""
        return self.seed is not None or self.boards is not None

    def difference(self, other: Study) -> str | None:
        """In what another study differs, as `strategy: best, here exact`; None where it is the same."""
        for name in self.__struct_fields__:
            ours, theirs = getattr(self, name), getattr(other, name)
            if name != "id" and ours != theirs:
                return f"{name}: {_word(theirs)} there, {_word(ours)} here"
        return None


class _Versioned(msgspec.Struct):
    """As much of a study as any future one will have."""

    schema: int = SCHEMA


def new_id() -> str:
    """A name that no other study has."""
    return secrets.token_hex(8)


def hash_of(boards: Path) -> str | None:
    """What tells the content of a boards file; None for a pipe, whose games reading it once more would take
    away."""
    if not boards.is_file():
        return None
    return hashlib.blake2b(boards.read_bytes(), digest_size=10).hexdigest()


def files_of(results: Path) -> tuple[Path, Path, Path]:
    """The results, and what lies beside them until the study is whole: the partial results, and its study."""
    return (
        results,
        results.with_name(f"{results.name}.partial"),
        results.with_name(f"{results.name}.study"),
    )


def whole_games(results: Path, study: Study) -> list[bool] | None:
    """Whether each game was won, of a study that is whole; None where it is not or cannot be resumed.

    Nothing says any more which study results are of that are whole: their number alone is compared. Raises
    UsageError where there are more or fewer than the study has, BotError where they cannot be read.
    """
    try:
        path, *beside = files_of(followed(results))
        if not study.can_be_resumed or any(one.exists() for one in beside) or not path.is_file():
            return None
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise BotError(f"{results} cannot be read: {error.strerror or error}") from error
    except ValueError:
        lines = [""]
    mend = "give --results another file, or to start over, leave out --resume"
    if not set(lines) <= {"0", "1"}:
        raise UsageError(f"{results} holds something else than the results of a study: {mend}")
    # A file of boards may have fewer than were asked for.
    least = study.games if study.boards is None else 0
    if study.games is not None and not (least or 0) <= len(lines) <= study.games:
        raise UsageError(
            f"{results} holds another study, of {len(lines)} games and not of {study.games}: {mend}"
        )
    return [line == "1" for line in lines]


class Lot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Some games that were written, one after the other."""

    games: int
    guesses: int


class ResultsStream:
    """The results of a study that go to stdout, a device or a pipe: nothing lies beside them, and a study
    that is cut short cannot be resumed."""

    def __init__(self, results: str, study: Study, file: BinaryIO) -> None:
        """`results` names the `file` in messages."""
        self.study = study
        self.wins: list[bool] = []
        self.guesses = 0
        self._results = results
        self._file = file

    def add(self, wins: Sequence[bool], guesses: int) -> None:
        """Write the results of some games. Raises BotError where that cannot be done, and BrokenPipeError
        where nobody reads stdout any more."""
        self.wins += wins
        self.guesses += guesses
        try:
            self._file.write(_lines(wins).encode())
            self._file.flush()
        except OSError as error:
            if self._results == "stdout" and isinstance(error, BrokenPipeError):
                raise
            raise BotError(f"{self._results} cannot be written: {error.strerror or error}") from error

    def finish(self) -> None:
        """All has been written."""

    def __enter__(self) -> ResultsStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._file.close()


class StudyFiles:
    """The files of one study, open for writing. Raises BotError where they cannot be written."""

    def __init__(self, results: Path, study: Study, *, resume: bool) -> None:
        """Begin the study; or with `resume` go on with the one that lies there.

        Raises UsageError where nothing lies there to go on with, or another study, or without `resume` games
        of a study that was cut short, and where another process plays it; FormatError where it is damaged.
        A link at `results` is followed.
        """
        try:
            self.results, self.partial, self.study_path = files_of(followed(results))
        except OSError as error:
            raise BotError(f"{results} cannot be written: {error.strerror or error}") from error
        self.study = study
        self.wins: list[bool] = []
        """The games that were written before, and all that are written now."""
        self.guesses = 0
        with contextlib.ExitStack() as opened:
            # Held before it is read: two that play it on at once write more games than it has.
            lots = self._hold(opened)
            if not resume:
                self._refuse_to_overwrite()
            elif lots is None:
                raise self._nothing_to_resume()
            elif self._says_nothing(lots):
                resume = False
            else:
                self._take_up()
            self._lots = lots or self._begin(opened)
            self._lines = self._open(self.partial, resume)
            opened.pop_all()
        if resume:
            self._lots.seek(0, os.SEEK_END)
        else:
            self._lots.truncate()
            self._write(self._lots, msgspec.json.encode(study).decode() + "\n")

    def add(self, wins: Sequence[bool], guesses: int) -> None:
        """Write the results of some games."""
        self.wins += wins
        self.guesses += guesses
        self._write(self._lines, _lines(wins))
        lot = Lot(games=len(wins), guesses=guesses)
        self._write(self._lots, msgspec.json.encode(lot).decode() + "\n")

    def finish(self) -> None:
        """The study is whole: give the results their name."""
        self.close()
        try:
            self.partial.replace(self.results)
        except OSError as error:
            raise BotError(f"{self.results} cannot be written: {error.strerror or error}") from error
        with contextlib.suppress(OSError):
            self.study_path.unlink()

    def close(self) -> None:
        """Let go of the files. Closing again does nothing."""
        self._lines.close()
        self._lots.close()

    def _refuse_to_overwrite(self) -> None:
        """Games that were played are not thrown away unasked."""
        try:
            games = self.partial.read_bytes().count(b"\n")
        except OSError:
            return
        if games and not self.study_path.exists():
            raise UsageError(self._told_orphaned())
        if games:
            raise UsageError(
                f"{self.partial} holds {games} games of a study that was cut short: --resume plays it on;"
                f" to start over, delete it and {self.study_path.name}"
            )

    def _told_orphaned(self) -> str:
        """Why games whose study is gone cannot be played on."""
        return (
            f"{self.partial} holds games of a study that was cut short, and {self.study_path.name}, which"
            " says of which one, is gone: to start over, delete it, or give --results another file"
        )

    def _nothing_to_resume(self) -> UsageError:
        if self.results.is_file():
            return UsageError(f"{self.results} is whole: nothing is left to play")
        if self.partial.exists() and not self.study_path.exists():
            return UsageError(self._told_orphaned())
        return UsageError(f"there is no study of {self.results} to resume: leave out --resume")

    def _says_nothing(self, lots: IO[str]) -> bool:
        """Whether the study was cut short, as by a full disk, before it said which one it is: no game of it
        was written either."""
        partial_size = self.partial.stat().st_size if self.partial.exists() else 0
        return os.fstat(lots.fileno()).st_size == 0 == partial_size

    def _take_up(self) -> None:
        try:
            first, *rest = self.study_path.read_text(encoding="utf-8").splitlines(keepends=True)
            schema = msgspec.json.decode(first, type=_Versioned).schema
            if schema > SCHEMA:
                raise FormatError(
                    f"{self.study_path} has schema {schema}, this minebot knows {SCHEMA}: update minebot"
                )
            before = msgspec.json.decode(first, type=Study)
            lines = self.partial.read_text(encoding="ascii").splitlines(keepends=True)
        except FileNotFoundError:
            raise self._nothing_to_resume() from None
        except OSError as error:
            raise BotError(f"{self.partial} cannot be read: {error.strerror or error}") from error
        except (ValueError, msgspec.DecodeError, RecursionError) as error:
            told = str(error).splitlines()[0]
            raise FormatError(
                f"{self.study_path} is damaged ({told}): to start over, delete it and {self.partial.name}"
            ) from None
        different = self.study.difference(before)
        if different is not None:
            raise UsageError(
                f"{self.partial} is of another study ({different}): give --results another file,"
                " or to start over, delete that one"
            )
        self.study = before
        # A kill can fall anywhere: what counts is what both files have whole.
        whole = [line for line in lines if line in ("0\n", "1\n")]
        kept_lots = []
        games = 0
        for line in rest:
            try:
                lot = msgspec.json.decode(line, type=Lot)
            except (ValueError, msgspec.DecodeError, RecursionError):
                break
            if games + lot.games > len(whole) or not line.endswith("\n"):
                break
            games += lot.games
            self.guesses += lot.guesses
            kept_lots.append(line)
        self.wins = [line == "1\n" for line in whole[:games]]
        self._cut(self.partial, "".join(whole[:games]))
        self._cut(self.study_path, first + "".join(kept_lots))

    def _cut(self, path: Path, content: str) -> None:
        """Leave nothing but `content`. The file begins with it, unless its lines got other ends since or one
        in the middle was damaged: so it is written again, not only cut."""
        try:
            with path.open("r+b") as file:
                file.write(content.encode())
                file.truncate()
        except OSError as error:
            raise BotError(f"{path} cannot be written: {error.strerror or error}") from error

    def _hold(self, opened: contextlib.ExitStack) -> IO[str] | None:
        """The file that says which study lies there, ours alone until it is closed; None where none does."""
        try:
            file = opened_alone(self.study_path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BotError(f"{self.results} cannot be written: {error.strerror or error}") from error
        if file is None:
            raise UsageError(
                f"another minebot plays this study ({self.study_path}): wait for it, or give --results"
                " another file"
            )
        return opened.enter_context(file)

    def _begin(self, opened: contextlib.ExitStack) -> IO[str]:
        """An empty one, where none lay there."""
        self._open(self.study_path, resume=True).close()
        file = self._hold(opened)
        if file is None:
            raise BotError(f"{self.results} cannot be written: {self.study_path.name} was deleted meanwhile")
        return file

    def _open(self, path: Path, resume: bool) -> IO[str]:
        try:
            return path.open("a" if resume else "w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise BotError(f"{self.results} cannot be written: {error.strerror or error}") from error

    def _write(self, file: IO[str], text: str) -> None:
        try:
            file.write(text)
            file.flush()
        except OSError as error:
            raise BotError(
                f"{file.name} cannot be written: {error.strerror or error}: mend that, then --resume"
            ) from error

    def __enter__(self) -> StudyFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self.close()


def _lines(wins: Sequence[bool]) -> str:
    return "".join("1\n" if won else "0\n" for won in wins)


def _word(value: object) -> str:
    return "none" if value is None else str(value)
