"""What a run of the cases has come to, kept: one that was cut off goes on where it ended.

A case that was well is not played again until all are, or until a file of the project has changed.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.windows_python.sources import TRIED, fingerprint


class Progress:
    """The cases that were well, by name, with what they said; kept in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._sources = fingerprint(TRIED)
        self.well: dict[str, str] = {}
        if file.is_file():
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["sources"] == self._sources:
                self.well = kept["well"]

    def note(self, name: str, result: str) -> None:
        """Keep that a case was well."""
        self.well[name] = result
        text = json.dumps({"sources": self._sources, "well": self.well})
        self._file.write_text(text, encoding="utf-8")

    def begin_again(self) -> None:
        """Forget them: all were well."""
        self.well.clear()
        self._file.unlink(missing_ok=True)
