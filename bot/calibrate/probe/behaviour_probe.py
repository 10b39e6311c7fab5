"""Finds out how a window behaves: its marks, how games end, what protects the first click, what wins."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from bot.board import Cell, Coordinate, FirstClick
from bot.calibrate.infer.cell_clusters import Mask, cells_in
from bot.calibrate.infer.face_pictures import learned_face
from bot.calibrate.infer.findings import Findings
from bot.calibrate.infer.knowledge import Knowledge
from bot.calibrate.infer.played_game import PlayedGame, last_before_veil
from bot.calibrate.infer.rule_inference import first_click_rule, spread_of
from bot.calibrate.probe.new_game_search import NewGameSearch
from bot.calibrate.probe.probe_player import ProbePlayer, solved
from bot.calibrate.probe.throwaway_games import ThrowawayGames, anywhere, right_click
from bot.vision.grid import Image

SAVING_S = 3.0
"""Seconds of the budget that are left for keeping what was learned."""

LOGIC_S = 45.0
"""While more of the budget is left, games are played on until a 5 has been seen."""


class BehaviourProbe:
    """What a window does besides showing numbers."""

    def __init__(
        self,
        games: ThrowawayGames,
        new_game: NewGameSearch,
        knowledge: Knowledge,
        rng: random.Random,
        left_s: Callable[[], float],
    ) -> None:
        """`left_s` says how many seconds of the budget are left."""
        self._games, self._new_game, self._knowledge = games, new_game, knowledge
        self._rng, self._left_s = rng, left_s
        self._live = games.live
        self._wrong_flag_tries = 0
        self._flags_to_win: bool | None = None
        self._won_frame: Image | None = None
        self._first_opened: list[int] = []
        """What first clicks opened: codes of `Cell`, MINE for a lost game."""
        self._notes: list[str] = []

    def next_game(self, game: PlayedGame) -> Image:
        """Start a new game after this one; gives its picture."""
        return self._new_game.start(self._live.grab(), game.before)

    # Flags

    def learn_marks(self, frame: Image) -> Image:
        """See what right clicks on one covered cell do, in the middle of a game; gives the last picture."""
        known = self._knowledge
        frame = self._midgame(frame)
        cell = self._random_covered(frame)
        if cell is None:
            return frame
        covered = int(known.clusters.map_of(frame)[cell])
        shown: list[int] = []
        for _ in range(4):
            frame = right_click(self._live, cell, frame).frame
            cluster = int(known.clusters.map_of(frame)[cell])
            if cluster == covered:
                break
            shown.append(cluster)
            known.flags_set += 1
        else:
            self._notes.append("right clicks never gave back a covered cell: its marks were not learned")
            return frame
        if not shown:
            self._notes.append("a right click does nothing: this window has no flags, or wants another way")
            return frame
        known.marks[Cell.FLAG] = shown[0]
        if len(shown) == 2:
            known.marks[Cell.QUESTION] = shown[1]
        known.roles.marks |= set(shown)
        known.roles.midgame -= set(shown)
        return frame

    def _random_covered(self, frame: Image, but: Coordinate | None = None) -> Coordinate | None:
        """A covered cell that is not `but`; None where there is none."""
        cells = [cell for cell in cells_in(self._knowledge.covered(frame)) if cell != but]
        return cells[self._rng.randrange(len(cells))] if cells else None

    def _midgame(self, frame: Image) -> Image:
        """A game in which one cell was opened, and which goes on."""
        for _ in range(8):
            game = self._games.play(anywhere(self._rng, clicks=1), frame)
            if game is None:
                return frame
            self._knowledge.games.pop()
            self._count_first_click(game)
            if not game.over and not self._knowledge.shows_loss(game.end):
                return game.end
            frame = self.next_game(game)
        return frame

    def learn_wrong_flag(self, frame: Image) -> Image:
        """Lose a game on purpose with a wrong flag in it, to see how that is drawn; gives a new board."""
        known = self._knowledge
        if not self._wants_wrong_flag:
            return frame
        self._wrong_flag_tries += 1
        player = ProbePlayer(known)
        wrong: list[Coordinate] = []

        def choose(picture: Image, covered: Mask) -> Coordinate | None:
            if wrong:
                return None
            found = solved(known.board(picture), known.rules)
            safe = [] if found is None else [cell for cell in found.safe if covered[cell]]
            mines = [] if found is None else [cell for cell in found.mines if covered[cell]]
            if not safe or not mines:
                return player.choose(picture, covered)
            wrong.append(safe[0])
            right_click(self._live, safe[0], picture)
            return mines[0]

        game = self._games.play(choose, frame)
        if game is None:
            return frame
        known.games.pop()  # flags were set in it: it says nothing of numbers
        self._count_first_click(game)
        end = self._live.rest(end=True).frame
        if wrong:
            cluster = int(known.clusters.map_of(end)[wrong[0]])
            if cluster not in known.codes and cluster not in known.roles.before_end:
                known.marks[Cell.WRONG_FLAG] = cluster
                known.codes[cluster] = int(Cell.WRONG_FLAG)
        return self.next_game(game)

    @property
    def _wants_wrong_flag(self) -> bool:
        marks, tries = self._knowledge.marks, self._wrong_flag_tries
        return Cell.FLAG in marks and Cell.WRONG_FLAG not in marks and tries < 3

    # Winning

    def all_opened(self, game: PlayedGame) -> Image:
        """Every cell without a mine is opened: see whether that wins. Gives a new board."""
        live, known = self._live, self._knowledge
        frame = live.rest(end=True).frame
        if live.dialogs():
            self._new_game.close_dialogs()
            frame = live.rest(end=True).frame
        mines = cells_in(known.covered(frame))
        if self._flags_to_win is None:
            self._flags_to_win = False
            if mines and not live.dialogs():
                live.click(mines[0], slow=True)
                after = live.rest(frame)
                exploded = int(known.clusters.map_of(after.frame)[mines[0]]) in known.roles.lost
                self._flags_to_win = after.changed and exploded
                if self._flags_to_win:
                    return self.next_game(game)
        elif self._flags_to_win:
            for cell in mines:
                right_click(live, cell, frame)
            frame = live.rest(end=True).frame
        self._won_frame = frame
        # Every cell that is left is a mine: that counts as shown.
        known.games[-1] = replace(game, over=True, under_dialog=False, after=(frame,))
        known.infer()
        return self.next_game(game)

    def won_at_once(self, game: PlayedGame) -> None:
        """A game was won with its last safe cell; something may lie over the board."""
        self._flags_to_win = False
        covered = self._knowledge.covered(game.before)
        if game.under_dialog or last_before_veil(game, self._knowledge.clusters, covered) is None:
            # What lies over the board teaches nothing about its cells.
            self._knowledge.games[-1] = replace(game, over=False)

    @property
    def satisfied(self) -> bool:
        """Whether there is nothing left to see except rare numbers."""
        # Rare numbers turn up when the window is played; the remaining time is better spent on first clicks.
        wanted = {0, 1, 2, 3, 4, 5} if self._left_s() > LOGIC_S else {0, 1, 2}
        seen = wanted <= set(self._knowledge.codes.values())
        return self._flags_to_win is not None and not self._wants_wrong_flag and seen

    # The first click

    def probe_first_clicks(self, frame: Image) -> None:
        """Open the first cell of game after game until it is plain what protects it, or time is up."""
        for game in self._knowledge.games:
            self._count_first_click(game)
        found = self._new_game.found
        if found is None or found.way.kind == "end place":
            return
        last: Coordinate | None = None
        while (
            self._left_s() > SAVING_S
            and int(Cell.MINE) not in self._first_opened
            and self._first_click() is FirstClick.ANY
        ):
            last = self._random_covered(frame, last)
            if last is None:
                return
            self._live.click(last)
            rest = self._live.rest(frame)
            self._add_first_opened(rest.frame, last)
            frame = self._new_game.start(rest.frame, frame)

    def _count_first_click(self, game: PlayedGame) -> None:
        if game.from_start and self._knowledge.numbers is not None:
            lost = game.clicks == 1 and self._knowledge.is_lost(game)
            self._add_first_opened(game.after_first, game.first_cell, lost=lost)

    def _add_first_opened(self, frame: Image, cell: Coordinate, *, lost: bool = False) -> None:
        """Add what a first click opened, as far as that is understood."""
        known = self._knowledge
        code = known.codes.get(int(known.clusters.map_of(frame)[cell]), int(Cell.UNREAD))
        if lost or code in (Cell.EXPLODED, Cell.MINE):
            self._first_opened.append(int(Cell.MINE))
        elif code <= 8:
            self._first_opened.append(code)

    def _first_click(self) -> FirstClick:
        return first_click_rule(self._first_opened, self._knowledge.density)

    def report(self, findings: Findings) -> None:
        """Add all this to the findings."""
        known = self._knowledge
        findings.first_click = self._first_click()
        findings.first_clicks = len(self._first_opened)
        findings.first_lost = self._first_opened.count(int(Cell.MINE))
        findings.flags_to_win = self._flags_to_win
        findings.spread = spread_of([known.board(game.before) for game in known.games])
        lost = [game for game in known.games if known.is_lost(game)]
        findings.lost = len(lost)
        found = self._new_game.found
        findings.face, findings.faces = learned_face(found, known.games, lost, self._won_frame)
        findings.notes = self._notes
