"""Giving the focus to windows of X11."""

from __future__ import annotations

import sys
from typing import Any

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from x_server import another_program, made, x_server

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.screen.x11.windows import XWindows


def messages(program: Any) -> list[str]:
    """What the windows of a program were told since this was asked last, each by its first word."""
    from Xlib import X

    program.sync()
    told = [program.next_event() for _ in range(program.pending_events())]
    return [program.get_atom_name(one.data[1][0]) for one in told if one.type == X.ClientMessage]


@pytest.mark.parametrize("takes", [True, False])
def test_a_program_that_takes_the_focus_itself_is_asked_to(takes: bool) -> None:
    """The dialogs of Java take no key where the focus was given to them, and they were not told."""
    with x_server(), another_program() as program:
        place = Rect(10, 20, 200, 100)
        window = made(program, program.screen().root, place)
        names = ["WM_DELETE_WINDOW", *(["WM_TAKE_FOCUS"] if takes else [])]
        window.set_wm_protocols([program.intern_atom(name) for name in names])
        program.sync()
        windows = XWindows()
        assert windows.focus(Window(window.id, "Congratulations", place))
        windows.close()
        assert program.get_input_focus().focus.id == window.id
        assert messages(program) == (["WM_TAKE_FOCUS"] if takes else [])


def test_a_window_that_is_gone_has_no_focus() -> None:
    """Keys that were meant for a dialog which a person closed would go to another window."""
    with x_server(), another_program() as program:
        place = Rect(10, 20, 200, 100)
        window = made(program, program.screen().root, place)
        windows = XWindows()
        assert windows.focus(Window(window.id, "Congratulations", place))
        window.destroy()
        program.sync()
        assert not windows.focus(Window(window.id, "Congratulations", place))
        windows.close()


def test_windows_of_one_program_are_known_by_its_connection() -> None:
    """What a game in Tk asks after a record has another name than its window, no owner and no process."""
    with x_server(), another_program() as game, another_program() as other:
        for program, names in ((game, ("mines", "query")), (other, ("editor",))):
            for name in names:
                made(program, program.screen().root, Rect(10, 20, 200, 100)).set_wm_class(name, name)
            program.sync()
        windows = XWindows()
        mines, query, editor = windows.windows()
        windows.close()
        assert [one.program for one in (mines, query, editor)] == ["mines", "query", "editor"]
        assert query.belongs_to(mines)
        assert not editor.belongs_to(mines)
