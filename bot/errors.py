"""The errors that a user meets: each says in one line what is wrong and what to do about it."""

from __future__ import annotations


class BotError(Exception):
    """Something that could not be done. Its text is one line for the user; the exit status is 1."""

    exit_status = 1


class UsageError(BotError):
    """The words of a command or call are wrong: a size that cannot be, an unknown name. Exit status 2."""

    exit_status = 2


class NoCellError(UsageError, IndexError):
    """A row and a column that are not on the board. It is an IndexError too, as that of a list."""

    @classmethod
    def of(cls, row: int, column: int, columns: int, rows: int) -> NoCellError:
        """No cell of a board of so many `columns` and `rows` lies at `row`, `column`."""
        size = f"{columns}x{rows}: rows are 0 to {rows - 1}, columns 0 to {columns - 1}"
        return cls(f"there is no cell {row},{column} on a board of {size}")


class FormatError(BotError):
    """A file or a text cannot be understood: cut short, a newer schema, an unknown key, a wrong letter."""


class ScreenError(BotError):
    """No display, no capture, no mouse: the machine lacks something that `minebot doctor` names."""


class WindowError(BotError):
    """No board on the screen, more than one, or one that cannot be played where it is."""


class WindowLost(WindowError):
    """The window that was being played has closed, moved out of reach, or is covered."""


class UnreadableBoard(BotError):
    """What the window shows was not a possible board for too long. Nothing was clicked on it."""


class ThemeMisfit(UnreadableBoard):
    """A window looks like that of a game that a theme knows, and shows cells that it does not know."""


class ContradictionError(BotError):
    """The numbers of a board cannot all be right: it was misread, or it is no Minesweeper board."""


class Stopped(BotError):
    """The user stopped the bot: Ctrl-C, F12, the fail-safe corner, `q` when it asked, or the mouse where
    there is no terminal to ask on. Exit status 130."""

    exit_status = 130
