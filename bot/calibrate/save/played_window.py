"""Keeps what was learned of a window while it was played: the looks of its cells, how a game is started."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from pathlib import Path

from bot import __version__
from bot.board import SYMBOLS, Cell, FirstClick
from bot.calibrate.first_clicks import FirstClicks
from bot.calibrate.save.glyph_sheet import KnownLook
from bot.calibrate.save.theme_writer import glyph_file, learned_spec, name_from, replaced, write_picture
from bot.errors import BotError
from bot.files import user_data, write_whole
from bot.game_line import Ended
from bot.screen.capture import desktop
from bot.tables import toml_bytes
from bot.targets.window.calibration import (
    SCHEMA,
    Calibration,
    GridPlace,
    NewGame,
    WindowPlace,
    calibration_path,
    write_calibration,
)
from bot.targets.window.looks import LooksReader
from bot.targets.window.observe.observer import WindowObserver

MOST_GLYPHS = 12
"""The most glyphs of one meaning that are kept, those that were read most often first."""


class PlayedWindow:
    """The calibration of one window whose game no theme knows, as it grows while the window is played."""

    def __init__(
        self,
        observer: WindowObserver,
        name: str = "",
        made_by: str = "minebot run",
        *,
        keeps_given_mines: bool = False,
    ) -> None:
        """`name`: what it is to be called, if not after its window; `made_by`: the command that learns it;
        `keeps_given_mines`: whether the mine total that the user gave is meant for all games of this size."""
        self._observer = observer
        self._name = name
        self._made_by = made_by
        self._keeps_given_mines = keeps_given_mines
        self.first_clicks = FirstClicks()
        self._kept: object = None
        """What was kept last."""

    @property
    def name(self) -> str:
        """The name of the calibration, which its theme has too."""
        observer = self._observer
        if self._name:
            return self._name
        if observer.calibration_name:
            return observer.calibration_name
        window, grid = observer.window, observer.view.grid
        title = "" if window is None else window.program or window.title
        return f"{name_from(title)[:24]}-{grid.columns}x{grid.rows}-played"

    @property
    def first_click(self) -> FirstClick:
        """What protects the first click: as these games say, else as it was known before."""
        grid = self._observer.view.grid
        seen = self.first_clicks.rule(self._observer.rules.mines, grid.columns * grid.rows)
        if seen is FirstClick.ANY and not self.first_clicks.lost:
            return self._observer.behaviour.first_click
        return seen

    @property
    def mines(self) -> int | None:
        """The mine total that games or a counter have shown. One that the user gave to play by is not kept:
        it may be mistyped, or hold for one game alone, and make a click certain later that is not."""
        totals, rules = self._observer.totals, self._observer.rules
        size = rules.columns, rules.rows
        shown = self._keeps_given_mines or totals.given(size) is None
        return rules.mines if shown else totals.get(size)

    def add(self, game: Ended) -> None:
        """Take in what the end of a game has shown."""
        self.first_clicks.add(game)
        reader, field = self._observer.reader, game.minefield
        shape = self._observer.view.grid.shape
        if isinstance(reader, LooksReader) and field is not None and field.mines.shape == shape:
            reader.confirm()

    def looks(self) -> list[KnownLook]:
        """The looks that are known, by what they mean."""
        looks = self._observer.looks
        known = []
        for code, numbers in sorted(self._glyphs().items()):
            assert looks is not None
            for look in numbers:
                counted = looks.confirmed(look)
                why = "the mines around it were counted" if counted else "read as all Minesweepers are"
                known.append(KnownLook(looks.pictures[look], code, why, counted or looks.votes(look)))
        return known

    def keep(self) -> str:
        """Keep what is known by now; gives a line for people, empty where nothing is new.

        Raises BotError where it cannot be written.
        """
        observer = self._observer
        glyphs = self._glyphs()
        state = sorted(glyphs.items()), observer.behaviour, self.mines, self.first_click
        if observer.window is None or int(Cell.COVERED) not in glyphs or state == self._kept:
            return ""
        first = self._kept is None
        name = self.name
        new = not calibration_path(name).exists()
        self.write()
        self._kept = state
        if not first:
            return ""
        what = "what was learned of this window is kept as" if new else "what is new is added to"
        return f"{what} {name}: `minebot calibrate {name}` lists it, --forget removes it"

    def write(self) -> tuple[Path, Path]:
        """Write what is known, a look of covered cells at least; gives the theme's folder and the file of the
        calibration.

        Raises BotError where they cannot be written.
        """
        place = user_data() / "templates" / self.name
        try:
            with replaced(place) as folder:
                self._write_theme(folder, self._glyphs())
            return place, write_calibration(self.name, self._calibration())
        except OSError as error:
            raise BotError(
                f"what was learned of this window cannot be kept in {user_data()}"
                f" ({error.strerror or error}): make room there, or name another folder with MINEBOT_HOME"
            ) from None

    def write_theme(self, folder: Path) -> None:
        """Write what is known of the looks into a folder, for a recording; nothing where it is too little.

        Raises OSError as any write does.
        """
        glyphs = self._glyphs()
        if self._observer.window is not None and int(Cell.COVERED) in glyphs:
            self._write_theme(folder, glyphs)

    def _write_theme(self, folder: Path, glyphs: dict[int, list[int]]) -> None:
        looks = self._observer.looks
        assert looks is not None
        files: dict[str, list[str]] = {}
        for code, numbers in glyphs.items():
            names = [glyph_file(code, index) for index in range(len(numbers))]
            files[SYMBOLS[code]] = names
            for file, look in zip(names, numbers, strict=True):
                write_picture(folder / "cells" / file, looks.pictures[look])
        write_whole(folder / "theme.toml", toml_bytes(self._spec(files)))

    def _glyphs(self) -> dict[int, list[int]]:
        """The looks of each code that is known."""
        looks, glyphs = self._observer.looks, defaultdict[int, list[int]](list)
        if looks is None:
            return {}
        for look in sorted(range(len(looks)), key=lambda one: -looks.votes(one)):
            code = looks.label(look)
            if code != Cell.UNREAD and len(glyphs[code]) < MOST_GLYPHS:
                glyphs[code].append(look)
        return {code: sorted(numbers) for code, numbers in glyphs.items() if numbers}

    def _spec(self, files: dict[str, list[str]]) -> dict[str, object]:
        observer = self._observer
        window, grid, looks = observer.window, observer.view.grid, observer.looks
        assert window is not None
        assert looks is not None
        picture = observer.grab()
        mines = self.mines
        spec = learned_spec(window, grid, (picture.shape[1], picture.shape[0]), self._made_by)
        return spec | {
            "first_click": self.first_click.value,
            "wins": observer.behaviour.wins,
            "opened_at_start": observer.behaviour.opened_at_start,
            "sizes": [[grid.columns, grid.rows, mines]] if mines is not None else [],
            "cuts": [{"folder": "cells", "cell": list(looks.size), "glyphs": files, "faces": {}}],
        }

    def _calibration(self) -> Calibration:
        observer = self._observer
        window, view = observer.window, observer.view
        assert window is not None
        picture, way = observer.grab(), observer.behaviour.new_game
        whole, park = desktop(observer.capture.monitors()), observer.beside_board()
        return Calibration(
            schema=SCHEMA,
            theme=self.name,
            window=WindowPlace(window.title, window.program, picture.shape[1], picture.shape[0]),
            grid=GridPlace.of(view.grid),
            new_game=None if way is None else NewGame.of(way),
            general=True,
            park=(int((park.x - view.rect.x) * view.scale), int((park.y - view.rect.y) * view.scale)),
            screen=(whole.width, whole.height),
            scale=view.scale,
            mines=self.mines,
            made=f"{datetime.now():%Y-%m-%d %H:%M} by {self._made_by} {__version__}",
        )
