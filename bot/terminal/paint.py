"""Boards as text with styles: the words of a picture, the colours, and a terminal that is too small."""

from __future__ import annotations

import textwrap

from bot.board import Cell

Span = tuple[str, str]
"""A style's name (empty for none) and a text."""

Line = list[Span]

STYLES = [
    ("covered", "fg:ansigray"),
    ("empty", ""),
    ("flag", "fg:ansired bold"),
    ("mine", "fg:ansiblack bg:ansiyellow"),
    ("exploded", "fg:ansiwhite bg:ansired bold"),
    ("border", "fg:ansibrightblack"),
    ("cursor", "reverse"),
    ("status", "bold"),
    ("note", "fg:ansibrightblack"),
    ("1", "fg:ansibrightblue"),
    ("2", "fg:ansigreen"),
    ("3", "fg:ansibrightred"),
    ("4", "fg:ansimagenta"),
    ("5", "fg:ansired"),
    ("6", "fg:ansicyan"),
    ("7", "fg:ansiyellow"),
    ("8", "fg:ansigray"),
    # endoh1's field: black and white whatever the colours of the terminal are.
    ("field-covered", "fg:ansiblack bg:ansigray"),
    ("field-empty", "fg:ansigray bg:ansiblack"),
    ("field-flag", "fg:ansired bg:ansigray"),
    ("field-mine", "fg:ansigray bg:ansired"),
    ("field-exploded", "fg:ansigray bg:ansired bold"),
    ("field-1", "fg:ansibrightblue bg:ansiblack"),
    ("field-2", "fg:ansigreen bg:ansiblack"),
    ("field-3", "fg:ansired bg:ansiblack"),
    ("field-4", "fg:ansimagenta bg:ansiblack"),
    ("field-5", "fg:ansiyellow bg:ansiblack"),
    ("field-6", "fg:ansicyan bg:ansiblack"),
    ("field-7", "fg:ansigray bg:ansiblack"),
    ("field-8", "fg:ansigray bg:ansiblack"),
]
"""The look in colours, of the sixteen that every terminal has and a user may have chosen."""


def style_of(code: int) -> str:
    """The style of a cell's code."""
    if 1 <= code <= 8:
        return str(code)
    if code == Cell.EMPTY:
        return "empty"
    if code == Cell.FLAG or code == Cell.WRONG_FLAG:
        return "flag"
    if code == Cell.MINE:
        return "mine"
    return "exploded" if code == Cell.EXPLODED else "covered"


def too_small(columns: int, lines: int, needs: tuple[int, int], more: str) -> list[Line]:
    """What stands in place of a board that does not fit: the size that is there, and the one it needs."""
    text = (
        f"Too small: the terminal has {columns}x{lines}, this needs {needs[0]}x{needs[1]}."
        f" Make it larger{more}."
    )
    return [[("status", line)] for line in textwrap.wrap(text, max(columns, 1))]
