"""Named palettes: neutral colours from one end to the other, and accents."""

from __future__ import annotations

from dataclasses import dataclass

from training.reader.html.looks.colours import Colour, parse


@dataclass(frozen=True)
class Palette:
    """The colours of a palette."""

    neutrals: tuple[Colour, ...]
    accents: tuple[Colour, ...]


def _palette(neutrals: str, accents: str) -> Palette:
    return Palette(
        tuple(parse(one) for one in neutrals.split()), tuple(parse(one) for one in accents.split())
    )


PALETTES = {
    # https://ethanschoonover.com/solarized
    "solarized": _palette(
        "002b36 073642 586e75 657b83 839496 93a1a1 eee8d5 fdf6e3",
        "b58900 cb4b16 dc322f d33682 6c71c4 268bd2 2aa198 859900",
    ),
    # https://www.nordtheme.com
    "nord": _palette(
        "2e3440 3b4252 434c5e 4c566a d8dee9 e5e9f0 eceff4",
        "8fbcbb 88c0d0 81a1c1 5e81ac bf616a d08770 ebcb8b a3be8c b48ead",
    ),
    # https://draculatheme.com
    "dracula": _palette(
        "21222c 282a36 44475a 6272a4 f8f8f2", "8be9fd 50fa7b ffb86c ff79c6 bd93f9 ff5555 f1fa8c 6272a4"
    ),
    # https://github.com/morhetz/gruvbox
    "gruvbox": _palette(
        "1d2021 282828 3c3836 504945 7c6f64 bdae93 ebdbb2 fbf1c7",
        "cc241d 98971a d79921 458588 b16286 689d6a d65d0e fb4934 b8bb26 fabd2f",
    ),
    # https://catppuccin.com
    "catppuccin": _palette(
        "1e1e2e 313244 45475a 585b70 bcc0cc ccd0da e6e9ef eff1f5",
        "f38ba8 fab387 f9e2af a6e3a1 94e2d5 89b4fa cba6f7 f5c2e7 d20f39 1e66f5",
    ),
    # https://github.com/sainnhe/everforest
    "everforest": _palette(
        "272e33 2d353b 3d484d 4f585e d3c6aa e6e2cc f4f0d9 fdf6e3",
        "e67e80 e69875 dbbc7f a7c080 83c092 7fbbb3 d699b6 8da101",
    ),
    "harbour": _palette(
        "0b1d2e 16324a 24506e 5f8aa5 a9c4d1 dbe8ec f5f9fa",
        "ff6b4a f2b134 3fb68b 2d7dd2 a14da0 e84855 00a6a6 6b4226",
    ),
    "orchard": _palette(
        "2f3b1c 4e5f2a 7d8f45 b6c27a dbe0b0 f1efd6 fffdf2",
        "a8201a 143642 0f8b8d ec9a29 5c2a9d 7a4419 d81e5b 1b998b",
    ),
    "ember": _palette(
        "160c0c 2b1513 4a211c 7a3b2e b87a62 e3bfa8 fbeee4",
        "ffb30f fd151b 437f97 849324 ff7f51 9b5de5 00bbf9 f15bb5",
    ),
    # https://monokai.pro
    "monokai": _palette(
        "19181a 2d2a2e 403e41 5b595c 939293 c1c0c0 fcfcfa",
        "ff6188 fc9867 ffd866 a9dc76 78dce8 ab9df2 e04f79 6bbfcb",
    ),
    # https://github.com/enkia/tokyo-night-vscode-theme
    "tokyo-night": _palette(
        "16161e 1a1b26 24283b 414868 a9b1d6 c0caf5 e1e2e7",
        "f7768e ff9e64 e0af68 9ece6a 73daca 7aa2f7 bb9af7 2ac3de",
    ),
    # https://flatuicolors.com
    "flat": _palette(
        "2c3e50 34495e 7f8c8d 95a5a6 bdc3c7 ecf0f1 ffffff",
        "1abc9c 2ecc71 3498db 9b59b6 f1c40f e67e22 e74c3c 16a085",
    ),
    # https://tailwindcss.com/docs/colors
    "slate": _palette(
        "0f172a 1e293b 334155 64748b 94a3b8 cbd5e1 e2e8f0 f8fafc",
        "2563eb 16a34a dc2626 7c3aed b45309 0891b2 db2777 4b5563",
    ),
}
