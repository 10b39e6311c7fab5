"""Who may import whom: the parts of bot/ are held to the layers of the design."""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot
from bot.cli.main import COMMANDS

ROOT = Path(bot.__file__).parent

WORDS = {"board", "errors"}
"""The words that every part speaks."""

BASE = WORDS | {"files", "geometry", "process", "tables"}

MAY_IMPORT: dict[str, set[str]] = {
    "board_svg": set(),
    "board": {"board_svg", "errors"},
    "process": set(),
    "errors": set(),
    "geometry": set(),
    "files": {"errors"},
    "lock": set(),
    "tables": {"errors"},
    "config": BASE,
    "game": BASE,
    "solver": BASE,
    "vision": BASE,
    "strategy": BASE | {"solver"},
    "screen": BASE | {"config", "vision"},
    "practice": BASE | {"game"},
    "recording": BASE | {"lock", "strategy", "vision"},
    "show": BASE | {"game", "recording", "solver", "strategy", "vision"},
    "review": BASE | {"game", "recording", "show", "solver", "strategy"},
    "targets": BASE | {"game", "recording", "screen", "vision"},
    "game_loop": BASE | {"strategy", "targets"},
    "api": BASE | {"board_svg", "game", "game_loop", "strategy", "targets", "vision"},
    "assist": BASE | {"game_loop", "solver", "strategy", "targets"},
    "game_line": BASE | {"game", "game_loop", "recording"},
    "terminal": BASE | {"game", "game_loop", "solver", "strategy", "targets"},
    "lab": BASE | {"board_svg", "game", "game_loop", "lock", "solver", "strategy", "targets"},
    "calibrate": BASE | {"game_line", "recording", "screen", "session", "strategy", "targets", "vision"},
    "session": BASE | {"assist", "game_line", "game_loop", "recording", "strategy", "targets"},
}
"""For each part, the other parts that it may import, late imports inside functions included.

`cli` is not here: it may import all, but only inside its commands (see below).
"""

ROOMS: dict[str, list[set[str]]] = {
    "board": [{"cells", "rules"}, {"around"}, {"visible"}, {"playing"}],
    "vision": [
        {"grid", "array_statistics", "components", "picture_file", "plausibility", "reading", "surfaces"},
        {"themes", "words"},
        {"header"},
        {"cells"},
        {"grids"},
        {"general", "skin_search"},
        {"grid_readers", "picture_reader"},
    ],
    "targets": [{"base", "board_changes"}, {"in_process", "pipe"}, {"window"}],
    "targets/window": [
        {"calibration", "play_settings", "inferred_moves", "looks"},
        {"sighting"},
        {"observe"},
        {"locate"},
        {"act"},
        {"track"},
        {"events"},
        {"game_window"},
        {"clicked_window", "spectator"},
        {"completed_window"},
        {"window_target"},
    ],
    "solver": [
        {"jit"},
        {"constraints"},
        {"deduction"},
        {"probability"},
        {"position"},
        {"endgame"},
        {"value"},
        {"guess"},
        {"simulate"},
        {"decision"},
    ],
    "calibrate": [{"first_clicks", "losing", "window_choice"}, {"save"}, {"lesson"}],
    "screen": [
        {"capture", "mouse", "windows", "mouse_lock", "scale", "white_window"},
        {"mss_capture", "pyautogui_mouse", "x11", "win32", "macos", "wayland"},
        {"this_machine"},
        {"virtual", "display"},
        {"programs"},
        {"checks"},
    ],
}
"""The rooms of a part, from the lowest layer up: a room imports only rooms of its own layer and below. A room
is a folder or a single module."""

MOST_MODULES = 12
"""Maximum number of modules in a folder, `__init__` not counted."""

NEVER: dict[str, set[str]] = {
    "numba": {"solver"},
    "pyautogui": {"screen"},
    "mss": {"screen"},
    "cv2": {"vision", "screen", "recording", "practice", "calibrate", "targets", "lab", "show", "cli"},
    "tkinter": {"practice", "screen"},
    "matplotlib": {"lab"},
    "prompt_toolkit": {"terminal"},
    "Xlib": {"screen", "calibrate"},
}
"""For each heavy library, the only parts that may import it at all."""

LIGHT = {"click", "bot", "__future__"}
"""Besides the standard library, what a command's file may import at its top: help has to be instant."""

LIGHT_PARTS = {"bot", "bot.errors", "bot.files"}
"""The parts of ours among them: none of these imports numpy."""


def imports(file: Path, top_only: bool = False) -> Iterator[tuple[str, int]]:
    """The modules that a file imports, each with its line; those under `if TYPE_CHECKING` never run."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes: list[ast.AST] = list(tree.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert node.level == 0, f"{file}:{node.lineno}: relative imports are not used here"
            # `from bot import session` imports bot.session.
            yield from (
                (f"{module}.{name.name}" if _is_module(module, name.name) else module, node.lineno)
                for name in node.names
            )
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes += node.orelse
        elif not (top_only and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))):
            nodes += ast.iter_child_nodes(node)


def _is_module(package: str, name: str) -> bool:
    """Whether what is imported from a package of ours is a module, and not a value in one."""
    place = ROOT.parent.joinpath(*package.split("."))
    return package.split(".")[0] == "bot" and ((place / f"{name}.py").exists() or (place / name).is_dir())


def part_of(file: Path) -> str:
    """The part of bot/ that a file belongs to: its folder, or its own name."""
    first = file.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


FILES = sorted(file for file in ROOT.rglob("*.py") if "data" not in file.relative_to(ROOT).parts)


def _named(file: Path) -> str:
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", [f for f in FILES if part_of(f) not in ("cli", "__init__")], ids=_named)
def test_a_part_imports_only_what_its_layer_may(file: Path) -> None:
    part = part_of(file)
    assert part in MAY_IMPORT, f"bot/{part} is new: say in MAY_IMPORT what it may import"
    for module, line in imports(file):
        names = module.split(".")
        if names[0] == "bot" and len(names) > 1:
            assert names[1] == part or names[1] in MAY_IMPORT[part], (
                f"{file}:{line}: bot/{part} may not import {module}"
            )


def room_of(module: str, part: str) -> str | None:
    """The room of a part (`vision`, `targets/window`) that a module lies in; None where it lies in none."""
    names, inside = module.split("."), ["bot", *part.split("/")]
    if names[: len(inside)] != inside or len(names) == len(inside):
        return None
    return names[len(inside)]


@pytest.mark.parametrize("part", ROOMS)
def test_every_room_has_its_layer(part: str) -> None:
    there = {
        path.stem
        for path in (ROOT / part).iterdir()
        # What Python compiled outlives a folder that is gone: a room has sources.
        if path.name != "__init__.py" and (path.suffix == ".py" or next(path.rglob("*.py"), None))
    }
    assert there == set().union(*ROOMS[part])


@pytest.mark.parametrize("part", ROOMS)
def test_a_room_imports_only_its_layer_and_those_below(part: str) -> None:
    layers = {room: number for number, layer in enumerate(ROOMS[part]) for room in layer}
    wrong = []
    for file in sorted((ROOT / part).rglob("*.py")):
        own = file.relative_to(ROOT / part).parts[0].removesuffix(".py")
        if own == "__init__":
            continue  # the front door
        for module, line in imports(file):
            room = room_of(module, part)
            if room is not None and layers[room] > layers[own]:
                wrong.append(f"{file.relative_to(ROOT)}:{line}: {own} may not import {module}")
    assert not wrong, "\n".join(wrong)


def test_no_folder_holds_more_than_a_dozen_modules() -> None:
    for folder in sorted({file.parent for file in FILES}):
        if folder == ROOT / "cli":
            continue  # see below
        modules = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
        assert len(modules) <= MOST_MODULES, f"{folder}: {len(modules)} modules: make rooms of them"


def test_no_two_test_modules_have_one_name() -> None:
    """pytest imports each by its file name alone: of two, one ends the run before the first test."""
    folder = Path(__file__).parent
    modules = [file for file in folder.rglob("test_*.py") if not (file.parent / "__init__.py").exists()]
    names = sorted(file.name for file in modules)
    assert [one for one, other in itertools.pairwise(names) if one == other] == []


def test_the_commands_have_a_file_each_and_nothing_lies_beside_them() -> None:
    assert {file.stem for file in (ROOT / "cli").glob("*.py")} == {"__init__", "main", *COMMANDS}


@pytest.mark.parametrize("file", FILES, ids=_named)
def test_heavy_libraries_stay_in_their_parts(file: Path) -> None:
    for module, line in imports(file):
        library = module.split(".")[0]
        if library in NEVER:
            assert part_of(file) in NEVER[library], f"{file}:{line}: {library} is not for bot/{part_of(file)}"


@pytest.mark.slow
def test_the_mouse_alone_imports_pyautogui() -> None:
    users = {_named(file) for file in FILES for module, _ in imports(file) if module == "pyautogui"}
    assert users == {str(Path("screen", "pyautogui_mouse.py"))}


def read_for_help() -> list[Path]:
    """The files that showing a help imports: the tree, each command, and what those import of bot/cli."""
    names, files = ["main", *COMMANDS], []
    for name in names:
        file = ROOT.joinpath("cli", *name.split(".")).with_suffix(".py")
        if file.exists():
            files.append(file)
            for module, _ in imports(file, top_only=True):
                beside = module.removeprefix("bot.cli.")
                if beside not in (module, *names):
                    names.append(beside)
    return files


@pytest.mark.parametrize("file", read_for_help(), ids=_named)
def test_commands_import_late(file: Path) -> None:
    for module, line in imports(file, top_only=True):
        library = module.split(".")[0]
        if library == "bot":
            assert module in LIGHT_PARTS or module.startswith("bot.cli"), (
                f"{file}:{line}: import {module} inside the command, so that --help is instant"
            )
        else:
            light = library in LIGHT or library in sys.stdlib_module_names
            assert light, f"{file}:{line}: import {module} inside the command"


def test_nobody_imports_the_commands() -> None:
    for file in FILES:
        if part_of(file) != "cli":
            assert not any(module.startswith("bot.cli") for module, _ in imports(file)), file
