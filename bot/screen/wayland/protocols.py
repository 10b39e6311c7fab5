"""The objects of Wayland and of wlroots that minebot uses: requests and events in the order of their opcodes.

From wayland.xml, xdg-output-unstable-v1.xml, wlr-screencopy-unstable-v1.xml,
wlr-virtual-pointer-unstable-v1.xml and virtual-keyboard-unstable-v1.xml, up to the versions given here.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.screen.wayland.wire import Interface

SHM = Interface("wl_shm", (("create_pool", "nhi"),), (("format", "u"),))

SHM_POOL = Interface("wl_shm_pool", (("create_buffer", "niiiiu"), ("destroy", ""), ("resize", "i")))

BUFFER = Interface("wl_buffer", (("destroy", ""),), (("release", ""),))

SEAT = Interface(
    "wl_seat",
    (("get_pointer", "n"), ("get_keyboard", "n"), ("get_touch", "n")),
    (("capabilities", "u"), ("name", "s")),
)

OUTPUT = Interface(
    "wl_output",
    (("release", ""),),
    (
        ("geometry", "iiiiissi"),
        ("mode", "uiii"),
        ("done", ""),
        ("scale", "i"),
        ("name", "s"),
        ("description", "s"),
    ),
    version=4,
)

XDG_OUTPUT_MANAGER = Interface("zxdg_output_manager_v1", (("destroy", ""), ("get_xdg_output", "no")))

XDG_OUTPUT = Interface(
    "zxdg_output_v1",
    (("destroy", ""),),
    (("logical_position", "ii"), ("logical_size", "ii"), ("done", "")),
)

SCREENCOPY_MANAGER = Interface(
    "zwlr_screencopy_manager_v1",
    (("capture_output", "nio"), ("capture_output_region", "nioiiii"), ("destroy", "")),
)

SCREENCOPY_FRAME = Interface(
    "zwlr_screencopy_frame_v1",
    (("copy", "o"), ("destroy", "")),
    (("buffer", "uuuu"), ("flags", "u"), ("ready", "uuu"), ("failed", "")),
)

VIRTUAL_POINTER_MANAGER = Interface(
    "zwlr_virtual_pointer_manager_v1", (("create_virtual_pointer", "on"), ("destroy", ""))
)

VIRTUAL_POINTER = Interface(
    "zwlr_virtual_pointer_v1",
    (
        ("motion", "uff"),
        ("motion_absolute", "uuuuu"),
        ("button", "uuu"),
        ("axis", "uuf"),
        ("frame", ""),
        ("axis_source", "u"),
        ("axis_stop", "uu"),
        ("axis_discrete", "uufi"),
        ("destroy", ""),
    ),
)

VIRTUAL_KEYBOARD_MANAGER = Interface("zwp_virtual_keyboard_manager_v1", (("create_virtual_keyboard", "on"),))

VIRTUAL_KEYBOARD = Interface(
    "zwp_virtual_keyboard_v1",
    (("keymap", "uhu"), ("key", "uuu"), ("modifiers", "uuuu"), ("destroy", "")),
)

NEEDED = (SHM, XDG_OUTPUT_MANAGER, SCREENCOPY_MANAGER, VIRTUAL_POINTER_MANAGER)
"""The globals without which wlroots' protocols do not lead in, besides a monitor."""


def lacking(names: Collection[str]) -> list[str]:
    """The interfaces of `NEEDED` that a compositor that offers `names` lacks."""
    return [interface.name for interface in NEEDED if interface.name not in names]
