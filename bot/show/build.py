"""Joins the modules, styles and texts of `bot/show/front` to the pages of `bot/show/pages`.

    python -m bot.show.build            # writes them
    python -m bot.show.build --check    # exit status 1 where one is not what its sources make

A page is one file. Its modules are joined in the order in which they import each other; `import` lines go,
`export` is dropped, and no two modules may give the same name to something at their top.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FRONT = Path(__file__).parent / "front"
PAGES = Path(__file__).parent / "pages"

IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+)\.js";\n', re.MULTILINE)
TOP = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) ([A-Za-z_]\w*)", re.MULTILINE)


def kinds() -> list[str]:
    """The pages that there are: each module `main_KIND.js` makes one."""
    return sorted(path.stem.removeprefix("main_") for path in FRONT.glob("main_*.js"))


def built(kind: str) -> str:
    """One page. Raises ValueError where two modules share a name or import each other."""
    order: list[str] = []
    _collect(f"main_{kind}", order, ())
    names: dict[str, str] = {}
    parts = []
    for module in order:
        source = (FRONT / f"{module}.js").read_text(encoding="utf-8")
        for name in TOP.findall(source):
            if name in names:
                raise ValueError(f"{module}.js and {names[name]}.js both have a {name}: rename one")
            names[name] = module
        text = re.sub(r"^export ", "", IMPORT.sub("", source), flags=re.MULTILINE)
        parts.append(f"// {module}.js\n{text.strip()}\n")
    template = (FRONT / "page.html").read_text(encoding="utf-8")
    style = (FRONT / "style.css").read_text(encoding="utf-8")
    script = "\n".join(parts)
    network = "'self'" if kind == "live" else "'none'"
    page = template.replace("/* style */", style).replace("/* script */", f'"use strict";\n{script}')
    return page.replace("NETWORK", network)


def _collect(module: str, order: list[str], above: tuple[str, ...]) -> None:
    """Add a module after all that it imports."""
    if module in above:
        raise ValueError(f"{module}.js imports itself by way of {', '.join(above)}")
    if module in order:
        return
    for other in IMPORT.findall((FRONT / f"{module}.js").read_text(encoding="utf-8")):
        _collect(other, order, (*above, module))
    order.append(module)


def main() -> int:
    """Write the pages, or with --check compare them; the exit status."""
    stale = []
    for kind in kinds():
        path = PAGES / f"{kind}.html"
        page = built(kind)
        if path.is_file() and path.read_text(encoding="utf-8") == page:
            continue
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(page, encoding="utf-8")
    if "--check" in sys.argv and stale:
        sys.stderr.write(f"{', '.join(stale)}: not what the sources make: run `python -m bot.show.build`\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
