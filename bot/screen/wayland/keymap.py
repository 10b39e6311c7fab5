"""Keys by what they type: the keysyms of X11, and a keyboard layout that has just those that are needed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.errors import ScreenError

NAMED = {
    "backspace": 0xFF08,
    "tab": 0xFF09,
    "enter": 0xFF0D,
    "return": 0xFF0D,
    "escape": 0xFF1B,
    "esc": 0xFF1B,
    "home": 0xFF50,
    "left": 0xFF51,
    "up": 0xFF52,
    "right": 0xFF53,
    "down": 0xFF54,
    "end": 0xFF57,
    "delete": 0xFFFF,
    "space": 0x20,
} | {f"f{number}": 0xFFBD + number for number in range(1, 13)}
"""Keysyms (X11/keysymdef.h) of the keys that have a name, by the names of pyautogui."""

FIRST_CODE = 9
"""The lowest keycode that is used; those of XKB are larger by 8 than those of Linux' input events."""

LATIN_1 = 0x100
"""Letters below this are their own keysyms; beyond it they have 0x01000000 added."""

USUAL = sorted({*range(0x20, 0x7F), *NAMED.values()})
"""What the keys of every layout type: the letters of ASCII, and the keys that have a name."""


def keysym_of_name(name: str) -> int:
    """The keysym of a key by its name, or of a single letter. Raises ScreenError for other names."""
    if len(name) == 1:
        return keysym_of_letter(name)
    if name not in NAMED:
        raise ScreenError(f"no key is called {name!r}: use a letter or one of {', '.join(NAMED)}")
    return NAMED[name]


def keysym_of_letter(letter: str) -> int:
    """The keysym that types a letter."""
    code = ord(letter)
    return code if code < LATIN_1 else 0x01000000 + code


def layout(keysyms: Sequence[int]) -> str:
    """A keyboard layout, as text for XKB, whose keys from keycode `FIRST_CODE` on type these keysyms."""
    codes = [f"<K{number}> = {FIRST_CODE + number};" for number in range(len(keysyms))]
    keys = [f"key <K{number}> {{ [ 0x{keysym:x} ] }};" for number, keysym in enumerate(keysyms)]
    return "\n".join(
        [
            "xkb_keymap {",
            'xkb_keycodes "minebot" {',
            f"minimum = 8; maximum = {FIRST_CODE + len(keysyms)};",
            *codes,
            "};",
            'xkb_types "minebot" { include "complete" };',
            'xkb_compatibility "minebot" { include "complete" };',
            'xkb_symbols "minebot" {',
            *keys,
            "};",
            "};",
            "",
        ]
    )
