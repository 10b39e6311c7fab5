"""What the README and the pages of docs/ tell a newcomer to type is there, and their links lead somewhere."""

from __future__ import annotations

import re
import runpy
import sys
import unicodedata
from pathlib import Path

import click
import pytest

from bot.cli.main import COMMANDS, tree
from bot.config import Settings, load_settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
CALL = re.compile(r"(?:^ {4}\S*|`)\bminebot ([a-z][^`#\n]*)", re.MULTILINE)
CALLS = sorted({(name, call.strip()) for name, text in TEXTS.items() for call in CALL.findall(text)})
LINK = re.compile(r"\]\(([^)\s]+)\)")

README_LINES = 100
"""Lines that the README may have: the rest stands in docs/."""

OTHERS = {
    "--check", "--help", "--only-general", "--only-trained", "--limit", "--quick", "--only", "--set",
    "--source", "--start", "--test",
}  # fmt: skip
"""Options of scripts of ours that pages name."""


def known_options() -> set[str]:
    commands = [tree.get_command(click.Context(tree), name) for name in COMMANDS]
    return {
        opt
        for command in commands
        if command
        for param in command.params
        for opt in (*param.opts, *param.secondary_opts)
    }


def test_the_readme_shows_calls_and_is_short() -> None:
    assert sum(page == "README.md" for page, _ in CALLS) > 10
    assert len(TEXTS["README.md"].splitlines()) <= README_LINES


@pytest.mark.parametrize(("page", "call"), CALLS)
def test_every_call_has_right_words(page: str, call: str) -> None:
    name, *words = call.split()
    assert name in COMMANDS
    command = tree.get_command(click.Context(tree), name)
    assert command is not None
    if words and words[-1].startswith("--"):  # an option that is only named
        assert words[-1] in known_options() | OTHERS
    elif words:  # a command that is only named may need some
        command.parse_args(click.Context(command), words)


@pytest.mark.parametrize("page", TEXTS)
def test_every_option_is_there(page: str) -> None:
    named = set(re.findall(r"`(--[a-z0-9-]+)", TEXTS[page]))
    assert named - OTHERS <= known_options()


def test_every_command_and_every_option_is_explained() -> None:
    page = TEXTS["docs/commands.md"]
    for name in COMMANDS:
        command = tree.get_command(click.Context(tree), name)
        assert command is not None
        part = page.split(f"\n## minebot {name}\n")[1].split("\n## minebot ")[0]
        for param in command.params:
            if isinstance(param, click.Option):
                assert all(f"`{opt}`" in part for opt in param.opts), f"{name} {param.opts}"


def test_the_settings_are_the_defaults(tmp_path: Path) -> None:
    page = TEXTS["docs/settings.md"]
    block = next(
        block for block in re.findall(r"(?:^ {4}.*\n)+", page, re.MULTILINE) if "look_limit" in block
    )
    path = tmp_path / "settings.toml"
    path.write_text(block)
    assert load_settings(path) == Settings()
    assert all(key in page for key in Settings.__struct_fields__)


def anchors(text: str) -> set[str]:
    """The anchors of a page: its headings, as GitHub and mkdocs write them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
        plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
        found.add(re.sub(r"[\s]+", "-", plain))
    return found


@pytest.mark.parametrize("page", TEXTS)
def test_every_link_leads_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    for link in LINK.findall(TEXTS[page]):
        if link.startswith("https://"):
            continue
        place, _, anchor = link.partition("#")
        target = (folder / place).resolve() if place else ROOT / page
        assert target.exists(), link
        # The site is made of docs/ alone: what lies elsewhere has no page there.
        assert folder != DOCS or target.is_relative_to(DOCS), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_every_page_is_in_the_menu() -> None:
    menu = set(
        re.findall(r": ([a-z-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert menu == {page.name for page in DOCS.glob("*.md")}


def test_every_picture_is_shown() -> None:
    shown = " ".join(TEXTS.values())
    for picture in (DOCS / "pictures").iterdir():
        assert f"pictures/{picture.name}" in shown, picture


@pytest.mark.parametrize("page", TEXTS)
def test_every_make_target_is_there(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^ {4})make ([a-z-]+)", TEXTS[page], re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", TEXTS)
def test_every_module_and_script_is_there(page: str) -> None:
    text = TEXTS[page]
    for module in re.findall(r"python -m ((?:training|theming|benchmarks|tests)[a-z_.]*[a-z_])", text):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), module
    for script in re.findall(r"python ((?:training|theming|benchmarks|tests|docs)/[\w/]+\.py)", text):
        assert (ROOT / script).exists(), script


@pytest.mark.skipif(sys.platform == "win32", reason="there its help tells fewer --jobs at most")
def test_the_options_on_the_page_are_those_of_the_help() -> None:
    """`python docs/write_options.py` writes them."""
    with_options = runpy.run_path(str(DOCS / "write_options.py"))["with_options"]
    page = TEXTS["docs/commands.md"]
    assert page == with_options(page)


@pytest.mark.parametrize("page", TEXTS)
def test_code_can_be_copied(page: str) -> None:
    """Nothing is escaped in code: it would be copied. Only a table needs its bars escaped."""
    text = re.sub(r"^\|.*$", lambda row: row[0].replace("\\|", "|"), TEXTS[page], flags=re.MULTILINE)
    for code in re.findall(r"^ {4}.*$|`[^`]+`", text, re.MULTILINE):
        assert not re.search(r"\\[\[*|<]|&lt;", code), code


def test_the_chart_of_strength_says_what_the_table_says() -> None:
    """`python docs/draw_strength.py` draws it."""
    drawing = runpy.run_path(str(DOCS / "draw_strength.py"))
    lines = drawing["strengths"](TEXTS["docs/measuring.md"])
    assert len(lines) == 7
    assert (DOCS / "pictures" / "strength.svg").read_text(encoding="utf-8") == drawing["chart"](lines)
