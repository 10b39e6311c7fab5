"""A theme is added by a folder: what `python -m theming.cut` cuts from a running game, by its plan.

It has a virtual screen of its own, where nothing disturbs it, and mostly waits: so it is played beside other
tests, not as one of the windows that are played one at a time.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import numpy as np
import pytest

from bot.files import shipped, user_data
from bot.vision.themes.theme import load_skin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="there is no Xvfb: apt-get install xvfb"),
]


def test_a_folder_with_a_plan_becomes_a_theme() -> None:
    plan = (shipped("templates") / "practice" / "cut.toml").read_text()
    first = plan.index("[[windows]]")
    folder = user_data() / "templates" / "mine"
    folder.mkdir(parents=True)
    (folder / "cut.toml").write_text(plan[: plan.index("[[windows]]", first + 1)])
    done = subprocess.run(
        [sys.executable, "-m", "theming.cut", "mine"], capture_output=True, text=True, timeout=840
    )
    assert done.returncode == 0, done.stderr
    assert "checked" in done.stdout
    # It is the same game that the theme of our own window was cut from.
    cut, known = load_skin("mine").glyph_sets[0], load_skin("practice").glyph_sets[0]
    assert cut.codes.tolist() == known.codes.tolist()
    assert all(np.array_equal(one, other) for one, other in zip(cut.glyphs, known.glyphs, strict=True))
    assert all(np.array_equal(cut.digits[each], known.digits[each]) for each in known.digits)
    assert set(cut.faces) == set(known.faces)
