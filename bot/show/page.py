"""Pages of HTML that need no other file and no network: a built page, and the data that it shows."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, Literal

from bot.files import writable

Kind = Literal["game", "live", "review", "stats", "board"]
"""The built pages, `bot/show/pages/KIND.html`."""

PAGES = Path(__file__).parent / "pages"
"""Where `bot.show.build` puts them."""

TITLE_HERE = "<!-- title -->"
DATA_HERE = "<!-- data -->"


def page(kind: Kind, title: str, data: Any) -> str:
    """The page with its title and data. Any text in them is shown as it is, and never run."""
    text = (PAGES / f"{kind}.html").read_text(encoding="utf-8")
    before, after = text.split(DATA_HERE)
    return before.replace(TITLE_HERE, escape(writable(title))) + script_text(data) + after


def script_text(data: Any) -> str:
    """Data as JSON that can stand inside a <script>: no letter in it ends the script or opens a comment."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
