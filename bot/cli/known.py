"""What `minebot run` looks for on the screen: themes, and windows that were calibrated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.screen.capture import Capture
    from bot.screen.windows import Windows
    from bot.target.profile import Profile
    from bot.target.sighting import Sighting
    from bot.vision.theme import Theme


def known(
    target: str | None, practice: bool, tell: Callable[[str], None]
) -> tuple[list[Theme], dict[str, Profile]]:
    """The themes and the calibrations to look for: all of them, or those that `--target` names.

    Raises UsageError for a name that there is not, FormatError for a file that is no good. Where no target
    is named, calibrations that cannot be read are told and left out.
    """
    from bot.errors import FormatError
    from bot.target.profile import load_profile, own_profiles, profile_files, profile_place
    from bot.vision.theme import load_themes, theme_folders

    if practice:
        return load_themes("practice"), {}
    if target is not None:
        shipped_only = target in profile_files() and target not in theme_folders()
        if profile_place(target).exists() or shipped_only:
            return [], {target: load_profile(target)}
        return load_themes(target), {}
    try:
        return load_themes(), own_profiles()
    except FormatError as error:
        tell(f"{error}; playing without your calibrations")
        return load_themes(), {}


def seen(
    capture: Capture, windows: Windows, themes: list[Theme], profiles: dict[str, Profile]
) -> list[Sighting]:
    """Every board on the screen that can be read, from the top left."""
    from bot.target.calibrated import calibrated
    from bot.target.sighting import look_around, without_doubles

    return without_doubles(calibrated(capture, windows, profiles), look_around(capture, windows, themes))
