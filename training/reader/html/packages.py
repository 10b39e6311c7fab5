"""Gets the fonts and icons that pages are drawn with.

python -m training.reader.html.packages

They are packages of the npm registry, unpacked into a folder of this machine: they make training pictures,
and nothing of them is kept in the repository. Packages that are there are not loaded again; those that cannot
be had are named, and the looks are fewer.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGES = Path(tempfile.gettempdir()) / "fonts"
"""Where the packages are unpacked; looks are fewer if it is missing."""

WEB_FONTS, ICONS = PACKAGES / "web", PACKAGES / "icons"
"""The folders of the packages `@fontsource/NAME` and `@iconify-json/NAME`, each in a folder NAME."""

FONT_NAMES = (
    "abril-fatface acme aldrich alegreya alegreya-sans alfa-slab-one almendra amatic-sc "
    "annie-use-your-telescope anonymous-pro anton antonio architects-daughter archivo-black "
    "archivo-narrow arvo asap audiowide azeret-mono b612-mono baloo-2 baloo-da-2 bangers barlow-condensed "
    "bebas-neue big-shoulders-display bitcount-single bitter black-ops-one bowlby-one bungee "
    "bungee-inline bungee-shade butcherman cabin cardo carter-one caveat changa chewy chivo-mono cinzel "
    "climate-crisis comfortaa coming-soon commit-mono concert-one cookie cormorant-garamond courgette "
    "courier-prime cousine covered-by-your-grace crafty-girls creepster crimson-pro crimson-text "
    "cutive-mono dancing-script dela-gothic-one dm-sans dm-serif-display domine dosis dotgothic16 eater "
    "electrolize emilys-candy ewert exo-2 faster-one figtree fira-mono fira-sans fjalla-one francois-one "
    "fredoka frijole fugaz-one geist-mono gelasio geo gloria-hallelujah gochi-hand grandstander "
    "great-vibes gugi hachi-maru-pop handjet handlee heebo hind homemade-apple ibm-plex-mono iceberg "
    "iceland indie-flower intel-one-mono inter itim jacquard-12 jacquard-24 jersey-10 jersey-15 jersey-20 "
    "jersey-25 josefin-sans jost just-another-hand kalam kanit karla kaushan-script kiwi-maru lato lexend "
    "lexend-mega libre-baskerville libre-franklin life-savers lilita-one lobster lora luckiest-guy "
    "major-mono-display mali manrope martian-mono maven-pro medievalsharp merriweather metamorphous "
    "michroma micro-5 mochiy-pop-one monofett montserrat mulish mystery-quest neucha nosifer "
    "nothing-you-could-do noto-emoji noto-serif-display nova-mono nunito old-standard-tt open-sans "
    "orbitron oswald outfit overpass-mono oxanium oxygen oxygen-mono pacifico passion-one "
    "pathway-gothic-one patrick-hand patua-one paytone-one permanent-marker philosopher pirata-one "
    "pixelify-sans playfair-display plus-jakarta-sans poppins potta-one press-start-2p prompt pt-mono "
    "pt-sans-narrow public-sans quantico questrial quicksand racing-sans-one rajdhani raleway rampart-one "
    "red-hat-display red-hat-mono reenie-beanie reggae-one ribeye righteous roboto roboto-mono "
    "roboto-slab rock-salt rocknroll-one rokkitt rubik rubik-bubbles rubik-glitch rubik-mono-one "
    "rubik-wet-paint russo-one rye sacramento saira-condensed sancreek satisfy schoolbell secular-one "
    "shadows-into-light share-tech-mono shippori-mincho short-stack sigmar-one signika silkscreen "
    "six-caps sixtyfour slabo-27px smokum snowburst-one sometype-mono sora source-code-pro space-grotesk "
    "space-mono special-elite special-gothic spectral spicy-rice squada-one sriracha staatliches "
    "stardos-stencil stick sue-ellen-francisco syncopate syne-mono teko tiny5 titan-one titillium-web "
    "tomorrow train-one ubuntu ubuntu-mono ultra uncial-antiqua unifrakturcook urbanist varela-round "
    "victor-mono vollkorn-sc vt323 walter-turncoat wendy-one work-sans workbench xanh-mono "
    "yanone-kaffeesatz yellowtail yeseva-one yusei-magic zen-maru-gothic zilla-slab"
)
ICON_NAMES = (
    "akar-icons bi boxicons bx bxs carbon ci circum clarity emojione emojione-monotone emojione-v1 entypo "
    "eva f7 fa fa-solid fa6-regular fa6-solid fe flat-color-icons flat-ui flowbite fluent-color "
    "fluent-emoji fluent-emoji-flat fluent-emoji-high-contrast fluent-mdl2 fontisto foundation fxemoji "
    "game-icons gg gis griddy-icons healthicons heroicons hugeicons humbleicons icomoon-free icon-park "
    "icon-park-outline icon-park-solid icon-park-twotone iconamoon iconoir ion jam la lets-icons "
    "lineicons lucide mage majesticons maki material-symbols material-symbols-light mdi mingcute noto "
    "noto-v1 octicon oi openmoji pepicons-pop ph picon pinhead pixel pixelarticons prime proicons "
    "qlementine-icons raphael ri si si-glyph solar stash streamline streamline-color streamline-cyber "
    "streamline-cyber-color streamline-emojis streamline-flex streamline-pixel streamline-plump "
    "streamline-plump-color streamline-sharp streamline-ultimate streamline-ultimate-color tabler tdesign "
    "teenyicons twemoji typcn uil vaadin whh zondicons"
)
"""The names of the packages, separated by spaces."""


def unpack(package: str, folder: Path) -> bool:
    """Load a package of the registry into a folder; whether it is there now."""
    if folder.is_dir():
        return True
    with tempfile.TemporaryDirectory() as loaded:
        subprocess.run(["npm", "pack", "--silent", package], cwd=loaded, check=False, capture_output=True)
        for path in Path(loaded).glob("*.tgz"):
            with tarfile.open(path) as archive:
                archive.extractall(loaded, filter="data")
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(Path(loaded) / "package", folder)
    return folder.is_dir()


def main() -> None:
    """Read the command line, which has no words but `--help`, and load all packages that are not there."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    wanted = [(f"@fontsource/{name}", WEB_FONTS / name) for name in FONT_NAMES.split()]
    wanted += [(f"@iconify-json/{name}", ICONS / name) for name in ICON_NAMES.split()]
    for package, folder in wanted:
        if not unpack(package, folder):
            print(f"{package} could not be loaded", file=sys.stderr)


if __name__ == "__main__":
    main()
