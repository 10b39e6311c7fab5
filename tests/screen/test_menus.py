"""Menus that are open on X11: what keys would choose in."""

from __future__ import annotations

import sys
from typing import Any

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from x_server import another_program, made, x_server

from bot.geometry import Rect
from bot.screen.x11.menus import has_menu

PLACE = Rect(10, 20, 300, 200)


def typed(program: Any, window: Any, kind: str) -> Any:
    """The same window, which says what it is."""
    from Xlib import Xatom

    atom = program.intern_atom(f"_NET_WM_WINDOW_TYPE_{kind}")
    window.change_property(program.intern_atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [atom])
    program.sync()
    return window


def test_a_menu_is_a_window_of_the_program_that_says_so_and_that_nobody_manages() -> None:
    with x_server(), another_program() as program, another_program() as other:
        game = made(program, program.screen().root, PLACE)
        assert not has_menu(other, game.id)
        popup = typed(program, made(program, program.screen().root, PLACE), "MENU")
        assert not has_menu(other, game.id), "it was torn off"
        popup.change_attributes(override_redirect=True)
        program.sync()
        assert has_menu(other, game.id)
        stranger = made(other, other.screen().root, PLACE)
        assert not has_menu(other, stranger.id), "that is the menu of another program"
        typed(program, popup, "TOOLTIP")
        assert not has_menu(other, game.id)
        typed(program, popup, "POPUP_MENU")
        assert has_menu(other, game.id)
        popup.unmap()
        program.sync()
        assert not has_menu(other, game.id)
