"""Where files lie, and how they are written: whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Literal

Shipped = Literal["templates", "calibration", "recordings", "maps"]


def shipped(folder: Shipped) -> Path:
    """The folder of data that comes with minebot, in a checkout or installed."""
    package = Path(__file__).parent
    installed = package / "data" / folder
    return installed if installed.is_dir() else package.parent / folder


def user_data() -> Path:
    """The user's own folder for recordings, themes and results. `MINEBOT_HOME` moves it."""
    home = os.environ.get("MINEBOT_HOME")
    if home:
        return Path(home)
    import platformdirs

    return Path(platformdirs.user_data_dir("minebot", appauthor=False))


def user_settings() -> Path:
    """The user's settings file, `settings.toml`; it need not exist. `MINEBOT_HOME` moves it."""
    home = os.environ.get("MINEBOT_HOME")
    if home:
        return Path(home) / "settings.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("minebot", appauthor=False)) / "settings.toml"


def user_cache() -> Path:
    """The user's folder for what can be made again. `MINEBOT_HOME` moves it."""
    home = os.environ.get("MINEBOT_HOME")
    if home:
        return Path(home) / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_dir("minebot", appauthor=False))


def user_runtime() -> Path:
    """The folder for what is of use only while programs run. `MINEBOT_HOME` does not move it: bots with
    different folders meet there."""
    import warnings

    import platformdirs

    with warnings.catch_warnings():  # it says where sessions do not name such a folder
        warnings.simplefilter("ignore")
        return Path(platformdirs.user_runtime_dir("minebot", appauthor=False))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and rename it, so that nobody ever sees half of it.

    Makes the folders that lead to it. Raises OSError as any write does.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not tempfile: its files are for their owner alone, and these are as open as the user wants files to be.
    beside = path.parent / f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.partial"
    try:
        with beside.open("xb") as file:
            file.write(content)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
