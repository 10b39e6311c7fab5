"""Tells whether the text of a button starts a game: only what is read to say so is pressed; and whether a
text says how a game ended, or that a click starts the next one.

In: a picture of a button, or two of a window. Out: `Meaning`. The text is compared as one picture with
pictures of known words (`words.npz`, drawn by `python -m theming.draw_words`), so that no letter needs to be
told from the next.
"""

from bot.vision.words.end_words import end_said, end_told, restart_lines
from bot.vision.words.word_reader import KINDS, PRESSED, Meaning, is_framed, read_button

__all__ = ["KINDS", "PRESSED", "Meaning", "end_said", "end_told", "is_framed", "read_button", "restart_lines"]
