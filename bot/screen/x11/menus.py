"""Which windows of an X11 display one program has made, and whether one of them is a menu that is open."""

from __future__ import annotations

from typing import Any

MENUS = ("MENU", "DROPDOWN_MENU", "POPUP_MENU", "COMBO")
"""The types of windows that take the keys of their program, as the Extended Window Manager Hints have it."""


def are_of_one_program(connection: Any, one: int, other: int) -> bool:
    """Whether one program has made two windows: the upper bits of their numbers are the same.

    `connection` is a `Display` of python-xlib.
    """
    mask: int = connection.display.info.resource_id_mask
    return one & ~mask == other & ~mask


def has_menu(connection: Any, window: int) -> bool:
    """Whether the program of a window shows a menu, which no window manager manages, over this window or
    another one of its own.

    `connection` is a `Display` of python-xlib.
    """
    from Xlib import X, error

    kinds = {connection.intern_atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in MENUS}
    asked = connection.intern_atom("_NET_WM_WINDOW_TYPE")
    for top in connection.screen().root.query_tree().children:
        if top.id == window or not are_of_one_program(connection, top.id, window):
            continue
        try:
            about = top.get_attributes()
            # One that was torn off has a frame, and takes no keys.
            if about.map_state != X.IsViewable or not about.override_redirect:
                continue
            told = top.get_full_property(asked, X.AnyPropertyType)
        except error.XError:  # it was closed meanwhile
            continue
        if told is not None and kinds & set(told.value):
            return True
    return False
