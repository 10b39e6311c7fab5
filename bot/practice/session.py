"""The game of the practice window, without the window: in come pointer events and keys, out comes a
`View`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bot.board import LEVELS, Cell, Codes, Coordinate, Phase, Rules, neighbours
from bot.errors import UsageError
from bot.game.game import Game
from bot.geometry import Point
from bot.practice.draw import PRESSED_QUESTION, Mood, frame
from bot.practice.layout import Layout
from bot.practice.sketch import Image
from bot.practice.view import WindowState, led

LEFT, MIDDLE, RIGHT = 1, 2, 3
"""The mouse buttons, as X11 and Tk number them."""
LEVEL_KEYS = dict(zip("123", LEVELS, strict=True))
HINTS = "1 2 3 level   N new   Q quit"


class PracticeSession:
    """Game after game, with the behaviour of the classic.

    A pressed cell looks opened, and opens when the left button is released over it. The right button flags
    when it is pressed. The middle button, or left and right together, chord when one of them is released. A
    click on the face, F2 or N starts a new game; 1, 2 and 3 start a game of that level.
    """

    def __init__(
        self,
        rules: Rules,
        scale: float = 1.0,
        seed: int | None = None,
        *,
        marks: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open on a new game.

        The first game uses `seed`, later ones seed + 1, seed + 2 and so on; None means random games. With
        `marks` a flag turns into a question mark before the cell is covered again. `clock` is monotonic, in
        seconds. Raises UsageError if the mines are unknown or the scale is out of range.
        """
        self._seed = seed
        self._marks = marks
        self._clock = clock
        self._scale = scale
        self._games = 0
        self._layout: Layout | None = None
        self._canvas: Image
        self._on_canvas: WindowState | None
        self._start(rules)

    def _start(self, rules: Rules) -> None:
        """Begin a game with these rules; the layout stays the same object if it still fits."""
        if rules.mines is None:
            raise UsageError("a game needs a number of mines: name one")
        seed = None if self._seed is None else self._seed + self._games
        self._games += 1
        self._game = Game(rules, seed, marks=self._marks)
        layout = Layout(rules.columns, rules.rows, self._scale, max(3, len(str(rules.mines))))
        if layout != self._layout:
            self._layout = layout
            self._canvas = frame(layout)
            self._on_canvas = None
        self._started: float | None = None
        self._ended: float | None = None
        self._held: set[int] = set()
        self._pointer = Point(-1, -1)
        self._chording = False
        self._inert = False
        """Whether the pressed buttons have no further effect until all of them are released."""
        self._on_face = False
        """Whether the left button was pressed on the face."""

    @property
    def game(self) -> Game:
        """The current game."""
        return self._game

    @property
    def rules(self) -> Rules:
        """The rules of the current game."""
        return self._game.rules

    @property
    def layout(self) -> Layout:
        """The places of all parts; another object only after the size of the board has changed."""
        assert self._layout is not None
        return self._layout

    def new_game(self, rules: Rules | None = None) -> None:
        """Abandon the current game and start another, with the same rules unless others are given."""
        self._start(self.rules if rules is None else rules)

    def key(self, name: str) -> None:
        """Handle a key, by its X11 or Tk name; keys without a meaning do nothing."""
        if name in ("F2", "n", "N"):
            self.new_game()
        elif name in LEVEL_KEYS:
            columns, rows, mines = LEVELS[LEVEL_KEYS[name]]
            self.new_game(replace(self.rules, columns=columns, rows=rows, mines=mines))

    def press(self, x: int, y: int, button: int) -> None:
        """Handle a button that is pressed over a pixel of the client area."""
        self._pointer = Point(x, y)
        if self._inert and button in self._held:
            # The release was missed, because the window lost the pointer: this press is the first one again.
            self._held.clear()
            self._inert = False
        first = not self._held
        self._held.add(button)
        if self._inert:
            return
        if first and button == LEFT and self.layout.face.contains(self._pointer):
            self._on_face = True
            return
        if self._on_face or self._game.phase.over:
            return
        if button == MIDDLE or {LEFT, RIGHT} <= self._held:
            self._chording = True
        elif button == RIGHT:
            cell = self._cell()
            if cell is not None:
                self._game.flag(*cell)

    def move(self, x: int, y: int) -> None:
        """Handle a movement of the pointer; the pressed cell moves with it."""
        self._pointer = Point(x, y)

    def release(self, x: int, y: int, button: int) -> None:
        """Handle a button that is released over a pixel of the client area, or outside, where nothing
        opens."""
        self._pointer = Point(x, y)
        if button not in self._held:
            return
        self._held.discard(button)
        if not self._inert:
            self._act(button)
        if not self._held:
            self._inert = self._chording = self._on_face = False

    def _act(self, button: int) -> None:
        if self._on_face:
            if button == LEFT:
                self._inert = True
                self._on_face = False
                if self.layout.face.contains(self._pointer):
                    held = self._held
                    self.new_game()
                    self._held, self._inert = held, True
            return
        cell = self._cell()
        if self._chording:
            self._chording = False
            self._inert = True
            if cell is not None:
                self._game.chord(*cell)
                self._update_timer()
        elif button == LEFT and cell is not None:
            self._game.open(*cell)
            self._update_timer()

    def view(self) -> WindowState:
        """The current state of the window."""
        game = self._game
        mines_left = led(game.mines_left, self.layout.counter_digits)
        return WindowState(
            glyphs=self._glyphs(),
            counter=mines_left,
            timer=led(int(self._seconds()), 3),
            mood=self._mood(),
            face_pressed=self._on_face and self.layout.face.contains(self._pointer),
            status=HINTS,
        )

    def image(self) -> Image:
        """The whole client area: shape (height, width, 3), blue, green, red; the same pixels as in Tk.

        It is read-only, and the same object until something changes.
        """
        view = self.view()
        parts = list(view.changed(self._on_canvas, self.layout))
        if parts:
            canvas = np.array(self._canvas)
            for part in parts:
                place = part.place
                canvas[place.y : place.bottom, place.x : place.right] = part.picture.image()
            canvas.setflags(write=False)
            self._canvas = canvas
        self._on_canvas = view
        return self._canvas

    def _cell(self) -> Coordinate | None:
        return self.layout.cell_at(self._pointer.x, self._pointer.y)

    def _pressed(self) -> list[Coordinate]:
        """The pressed cells: one, or three by three for a chord."""
        cell = self._cell()
        if cell is None or self._inert or self._on_face or self._game.phase.over:
            return []
        if self._chording:
            return [cell, *neighbours(*cell, self.rules.rows, self.rules.columns)]
        return [cell] if LEFT in self._held else []

    def _glyphs(self) -> Codes:
        glyphs: Codes = self._game.board.codes
        pressed = self._pressed()
        if pressed:
            glyphs = np.array(glyphs)
            for cell in pressed:
                if glyphs[cell] == Cell.COVERED:
                    glyphs[cell] = Cell.EMPTY
                elif glyphs[cell] == Cell.QUESTION:
                    glyphs[cell] = PRESSED_QUESTION
        return glyphs

    def _mood(self) -> Mood:
        if self._game.phase is Phase.WON:
            return Mood.WON
        if self._game.phase is Phase.LOST:
            return Mood.LOST
        if self._inert or self._on_face:
            return Mood.HAPPY
        return Mood.SURPRISED if self._chording or LEFT in self._held else Mood.HAPPY

    def _update_timer(self) -> None:
        """Start the timer with the first opened cell and stop it at the end of the game."""
        phase = self._game.phase
        if self._started is None and phase is not Phase.READY:
            self._started = self._clock()
        if self._started is not None and self._ended is None and phase.over:
            self._ended = self._clock()

    def _seconds(self) -> float:
        if self._started is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._started
