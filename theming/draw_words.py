"""Draws the words that buttons of games have, in many fonts, into `bot/vision/words/words.npz`.

`python -m theming.draw_words` writes them from the fonts of this machine (fontconfig); with `--try` it reads
buttons in each font by the pictures of all others, and prints how many are read as what.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.vision.grid import Image as Picture
from bot.vision.words.end_words import ENDS, end_of
from bot.vision.words.word_reader import (
    KINDS,
    PRESSED,
    Ink,
    Words,
    brought,
    ink_of,
    read_button,
    unit,
    vector,
)

OUT = Path(__file__).parents[1] / "bot" / "vision" / "words" / "words.npz"

STARTS = (
    "New",
    "New game",
    "New game!",
    "New round",
    "New board",
    "Start",
    "Start game",
    "Start new game",
    "Start again",
    "Start over",
    "Restart",
    "Restart!",
    "Restart game",
    "Reset",
    "Reset game",
    "Reset board",
    "Retry",
    "Replay",
    "Replay?",
    "Play",
    "Play again",
    "Play again?",
    "Play again!",
    "Play new game",
    "Again",
    "Try again",
    "Try again?",
    "Next game",
    "Another game",
    "Neu",
    "Neues Spiel",
    "Neustart",
    "Nochmal",
    "Noch einmal",
    "Nochmal spielen",
    "Neu starten",
    "Spiel starten",
    "Nouveau",
    "Nouvelle partie",
    "Nouveau jeu",
    "Rejouer",
    "Recommencer",
    "Nuevo",
    "Nuevo juego",
    "Nueva partida",
    "Jugar de nuevo",
    "Volver a jugar",
    "Reiniciar",
    "Reiniciar juego",
    "Reiniciar jogo",
    "Nuova partita",
    "Nuovo gioco",
    "Ricomincia",
    "Gioca ancora",
    "Novo jogo",
    "Recomeçar",
    "Jogar novamente",
    "Nieuw spel",
    "Nowa gra",
    "Zagraj ponownie",
    "Новая игра",
    "Начать заново",
    "Начать игру",
    "Играть снова",
    "Заново",
    "Рестарт",
    "Старт",
    "Начать",
    "Играть",
    "Ещё раз",
    "Нова гра",
    "Почати гру",
    "Begin",
    "Restart level",
    "Jogar",
    "Jogar de novo",
    "Iniciar",
    "Iniciar jogo",
    "Começar",
    "Recarregar",
    "Jugar",
    "Iniciar juego",
    "Comenzar",
    "Empezar",
    "Jouer",
    "Spielen",
    "Gioca",
    "Graj",
    "Od nowa",
    "Yeni oyun",
    "Yeniden başla",
    "Tekrar oyna",
    "Új játék",
    "Nová hra",
    "Opnieuw",
    "Réinitialiser",
    "Relancer",
    "Démarrer",
    "Commencer",
    "Lancer la partie",
    "Zurücksetzen",
    "Starten",
    "Neue Runde",
    "Riavvia",
    "Rigioca",
    "Inizia",
    "Riprova",
    "Reintentar",
    "Otra vez",
    "Tentar novamente",
    "Nova partida",
    "Zresetuj",
    "Rozpocznij",
    "Сбросить",
    "Перезапустить",
    "Başla",
    "Sıfırla",
    "Újra",
    "Indítás",
    "Znovu",
    "Nytt spel",
    "Starta om",
    "Spela igen",
    "Nyt spil",
    "Nytt spill",
    "Uusi peli",
    "Speel opnieuw",
    "Joc nou",
    "Chơi lại",
    "Νέο παιχνίδι",
)
"""What starts a game, as buttons say it."""

CONFIRMS = ("OK", "Ok", "Yes", "Ja", "Oui", "Sí", "Sì", "Sim", "Да")
"""What agrees."""

CLOSES = (
    "Close",
    "Cancel",
    "No",
    "No thanks",
    "Back",
    "Resume",
    "Resume game",
    "Continue",
    "Schließen",
    "Abbrechen",
    "Nein",
    "Fermer",
    "Annuler",
    "Non",
    "Cerrar",
    "Cancelar",
    "Chiudi",
    "Annulla",
    "Fechar",
    "Sluiten",
    "Закрыть",
    "Отмена",
)
"""What closes a dialog."""

QUITS = (
    "Quit",
    "Quit game",
    "Exit",
    "Exit game",
    "Leave",
    "Leave game",
    "Close game",
    "Stop",
    "End",
    "End game",
    "Bye",
    "Give up",
    "Beenden",
    "Ende",
    "Quitter",
    "Salir",
    "Esci",
    "Sair",
    "Afsluiten",
    "Koniec",
    "Выход",
    "Log off",
    "Shut down",
    "Verlassen",
)
"""What ends a program."""

OTHERS = (
    "Menu",
    "Main menu",
    "File",
    "Edit",
    "View",
    "Game",
    "Game type",
    "Help",
    "About",
    "Rules",
    "Options",
    "Settings",
    "Preferences",
    "Score",
    "Scores",
    "High scores",
    "Hi-Scores",
    "Best times",
    "Records",
    "Ranking",
    "Leaderboard",
    "Statistics",
    "Stats",
    "Status",
    "Level",
    "Levels",
    "Custom",
    "Custom game",
    "Next level",
    "Pause",
    "Pause game",
    "Undo",
    "Redo",
    "Hint",
    "Solve",
    "Flag",
    "Flags",
    "Mines",
    "Time",
    "Sound",
    "Music",
    "Theme",
    "Size",
    "Load",
    "Load game",
    "Save",
    "Save game",
    "Share",
    "Print",
    "Log in",
    "Log out",
    "Sign in",
    "Sign up",
    "Register",
    "Delete",
    "Remove",
    "Reload",
    "Refresh",
    "Export",
    "Import",
    "Media",
    "Room",
    "Rooms",
    "Book",
    "Boot",
    "News",
    "New record",
    "New theme",
    "New player",
    "New profile",
    "Network",
    "Net",
    "Net game",
    "More games",
    "Record game",
    "Review game",
    "Rate game",
    "Rename game",
    "Remove game",
    "Delete game",
    "Beginner game",
    "Restore",
    "Next page",
    "Start page",
    "Start menu",
    "Play music",
    "Play video",
    "Play store",
    "Report",
    "Random",
    "Rotate",
    "Remote",
    "Player",
    "Players",
    "Hilfe",
    "Einstellungen",
    "Optionen",
    "Bestenliste",
    "Spiel",
    "Aide",
    "Ayuda",
    "Ajuda",
)
"""What does something else."""

LEVELS = (
    "Beginner",
    "Easy",
    "Novice",
    "Normal",
    "Medium",
    "Intermediate",
    "Advanced",
    "Hard",
    "Expert",
    "Anfänger",
    "Leicht",
    "Einfach",
    "Mittel",
    "Schwer",
    "Débutant",
    "Facile",
    "Moyen",
    "Difficile",
    "Principiante",
    "Fácil",
    "Medio",
    "Difícil",
    "Iniciante",
    "Médio",
    "Łatwy",
    "Średni",
    "Trudny",
    "Kolay",
    "Orta",
    "Zor",
    "Новичок",
    "Лёгкий",
    "Легко",
    "Средний",
    "Сложный",
)
"""How hard a game is."""

WINS = (
    "You won",
    "You won!",
    "You win",
    "You win!",
    "You have won",
    "You've won!",
    "You are the winner",
    "You did it!",
    "Winner",
    "Winner!",
    "Game won",
    "Victory",
    "Victory!",
    "Congratulations",
    "Congratulations!",
    "Congrats!",
    "Well done",
    "Well done!",
    "Gewonnen",
    "Gewonnen!",
    "Du hast gewonnen",
    "Du hast gewonnen!",
    "Glückwunsch!",
    "Gagné",
    "Gagné !",
    "Vous avez gagné",
    "Félicitations",
    "Victoire",
    "Victoire !",
    "¡Ganaste!",
    "Ganaste",
    "Has ganado",
    "¡Has ganado!",
    "Felicidades",
    "Victoria",
    "Hai vinto",
    "Hai vinto!",
    "Vittoria",
    "Você ganhou",
    "Você ganhou!",
    "Você venceu",
    "Você venceu!",
    "Parabéns",
    "Parabéns!",
    "Vitória",
    "Wygrałeś",
    "Wygrana",
    "Wygrałeś!",
    "Kazandın!",
    "Kazandınız",
    "Победа",
    "Победа!",
    "Вы выиграли",
    "Вы выиграли!",
    "Ты выиграл",
    "Вы победили",
    "Ты победил!",
    "Перемога",
)
"""What says that a game is won."""

LOSSES = (
    "Game over",
    "Game over!",
    "You lost",
    "You lost!",
    "You lose",
    "You lose!",
    "You have lost",
    "You died",
    "You hit a mine",
    "You hit a mine!",
    "You exploded",
    "Game lost",
    "Defeat",
    "Boom!",
    "Boom",
    "Kaboom!",
    "Verloren",
    "Verloren!",
    "Du hast verloren",
    "Du hast verloren!",
    "Perdu",
    "Perdu !",
    "Vous avez perdu",
    "Perdiste",
    "¡Perdiste!",
    "Has perdido",
    "¡Has perdido!",
    "Fin del juego",
    "Hai perso",
    "Hai perso!",
    "Você perdeu",
    "Você perdeu!",
    "Fim de jogo",
    "Przegrałeś",
    "Przegrałeś!",
    "Przegrana",
    "Koniec gry",
    "Kaybettin!",
    "Kaybettiniz",
    "Oyun bitti",
    "Поражение",
    "Вы проиграли",
    "Вы проиграли!",
    "Ты проиграл",
    "Игра окончена",
    "Конец игры",
)
"""What says that it is lost."""

TEXTS = (STARTS, CONFIRMS, CLOSES, QUITS, OTHERS, LEVELS, WINS, LOSSES)
"""The words of each of `KINDS`."""

HEADINGS = (
    "DejaVu Sans",
    "DejaVu Sans:bold",
    "Liberation Sans",
    "Liberation Sans:bold",
    "Liberation Serif",
    "Liberation Serif:bold",
    "Noto Sans",
    "Noto Sans:bold",
    "Roboto",
    "Lato",
    "Comic Neue:bold",
)
"""The fonts in which the end of a game is drawn."""

FONTS = (
    "DejaVu Sans",
    "DejaVu Sans Mono",
    "DejaVu Serif",
    "Liberation Sans",
    "Liberation Serif",
    "Liberation Mono",
    "Noto Sans",
    "Carlito",
    "Roboto",
    "Lato",
    "Comic Neue:bold",
    "Inconsolata",
    "URW Gothic",
    "Nimbus Sans",
)
"""Of fonts by fontconfig's names. Nimbus Sans is what Debian draws where a program asks for Arial or
Helvetica, and neither is installed."""

ALIKE = 0.93, 0.9
"""A picture of a word that correlates more than this with one that is kept, -1 to 1, is not kept too; and the
same of one that tells the end of a game, of which there are more."""

TRIED_TOO = ("Cantarell", "FreeSans", "Hack", "Noto Sans:bold", "DejaVu Sans:bold", "Quicksand")
"""More fonts to read buttons in."""

LOOKS = ((11, True, True), (13, True, False), (16, False, False), (20, True, False))
"""How buttons are drawn to be read: their size in pixels, whether dark on light, whether in two shades."""

DRAWN = 20
"""The size, in pixels, at which words are drawn to be known."""


def font_file(name: str) -> Path | None:
    """The file of a font; None where it is not installed."""
    done = subprocess.run(["fc-match", "-f", "%{family}|%{file}", name], capture_output=True, text=True)
    family, _, file = done.stdout.partition("|")
    return Path(file) if name.split(":")[0] in family else None


def drawn(text: str, file: Path, size: int, *, dark: bool = True, aliased: bool = False) -> Ink | None:
    """A text in a font at a size in pixels, as it is read from a button."""
    picture = button(text, file, size, dark=dark, aliased=aliased, frame=False)
    return ink_of(picture)


def button(
    text: str, file: Path, size: int, *, dark: bool = True, aliased: bool = False, frame: bool = True
) -> Picture:
    """A picture (height, width, 3) of a button with a text, dark on light or the other way round."""
    font = ImageFont.truetype(str(file), size)
    left, top, right, bottom = font.getbbox(text)
    wide, high = int(right - left) + 20, int(bottom - top) + 16
    ground, colour = ((225, 225, 225), (20, 20, 20)) if dark else ((40, 80, 160), (250, 250, 250))
    picture = Image.new("RGB", (wide, high), ground)
    pen = ImageDraw.Draw(picture)
    pen.fontmode = "1" if aliased else "L"
    pen.text((10 - left, 8 - top), text, font=font, fill=colour)
    if frame:
        pen.rectangle((0, 0, wide - 1, high - 1), outline=(120, 120, 120))
    drawn_button: Picture = np.asarray(picture)[..., ::-1].copy()
    return drawn_button


def forms(text: str) -> list[str]:
    """A text as buttons write it: as it is, in capitals, with one at the head of each word, with none."""
    titled = " ".join(word[:1].upper() + word[1:] for word in text.split())
    return sorted({text, titled, text.upper(), text.lower()})


def collected(fonts: Sequence[Path], headings: Sequence[Path]) -> tuple[list[Ink], list[float], list[int]]:
    """The pictures of all words in these fonts, the logarithms of their aspects, and the kind of each; those
    that tell the end of a game in the fonts of `headings`."""
    pictures: list[Ink] = []
    aspects: list[float] = []
    kinds: list[int] = []
    for kind, texts in enumerate(TEXTS):
        is_end = KINDS[kind] in ENDS
        for text in sorted({form for word in texts for form in forms(word)}):
            known: list[Ink] = []
            for file in headings if is_end else fonts:
                ink = drawn(text, file, DRAWN)
                if ink is None or any(vector(ink) @ vector(other) > ALIKE[is_end] for other in known):
                    continue
                known.append(ink)
                pictures.append(brought(ink))
                aspects.append(float(np.log(ink.shape[1] / ink.shape[0])))
                kinds.append(kind)
    return pictures, aspects, kinds


def main() -> int:
    """Write the pictures, or try them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--try", dest="tried", action="store_true", help="read buttons in fonts left out")
    words = parser.parse_args()
    fonts, headings = installed(FONTS), installed(HEADINGS)
    if words.tried:
        return tried(fonts, headings)
    pictures, aspects, kinds = collected(fonts, headings)
    shades = np.round(15 * np.asarray(pictures)).astype(np.uint8).reshape(len(pictures), -1, 2)
    np.savez_compressed(
        OUT,
        pictures=shades[..., 0] << 4 | shades[..., 1],
        aspects=np.asarray(aspects, np.float32),
        kinds=np.asarray(kinds, np.int8),
    )
    sys.stdout.write(
        f"{len(pictures)} pictures of words in {len(fonts)} fonts, {OUT.stat().st_size:,} bytes\n"
    )
    return 0


def installed(names: Sequence[str]) -> list[Path]:
    """The files of those of some fonts that are installed."""
    return [file for name in names if (file := font_file(name)) is not None]


def tried(fonts: Sequence[Path], headings: Sequence[Path]) -> int:
    """Read every word in every font by the pictures of the others; 1 where a word that must not be pressed is
    read as one that is, or any word as one that tells another end of a game than it does."""
    wrong = 0
    for left_out in [*installed(TRIED_TOO), *fonts]:
        family = left_out.stem.split("-")[0]
        others = [[one for one in files if one.stem.split("-")[0] != family] for files in (fonts, headings)]
        pictures, aspects, kinds = collected(*others)
        rows = unit(np.asarray(pictures, np.float32).reshape(len(pictures), -1))
        known = Words.of(rows, np.asarray(aspects, np.float32), np.asarray(kinds, np.int8))
        sys.stdout.write(f"{left_out.stem}:")
        for kind, texts in zip(KINDS, TEXTS, strict=True):
            told: Counter[str] = Counter()
            for text, (size, dark, aliased) in product(texts, LOOKS):
                picture = button(text, left_out, size, dark=dark, aliased=aliased)
                meaning = read_button(picture, known)
                end = end_of(picture, known)
                told[meaning.value if end is None else end.value] += 1
                if (meaning in PRESSED and meaning is not kind) or end not in (None, kind):
                    meaning = end or meaning
                    wrong += 1
                    sys.stdout.write(f" WRONG {text!r} at {size} px is read as {meaning.value};")
            sys.stdout.write(f" {kind.value} as {dict(told)};")
        sys.stdout.write("\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
