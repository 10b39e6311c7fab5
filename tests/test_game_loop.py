"""From decisions to clicks, and the loop around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.board import Board, Coordinate, Move, Observation, Phase, Result, Rules
from bot.errors import ContradictionError
from bot.game_loop import moves_for, play
from bot.strategy.base import Decision, Kind
from bot.targets.base import Wanted


def words(
    decision: Decision, board: str, *, flags: bool = False, chords: bool = True, openings_first: bool = False
) -> list[str]:
    moves = moves_for(decision, Board.parse(board), flags=flags, chords=chords, openings_first=openings_first)
    return [str(move) for move in moves]


def test_safe_cells_are_opened_in_their_order() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((1, 2), (0, 2)))
    assert words(decision, "11#\n#1#") == ["open 1,2", "open 0,2"]


def test_what_may_be_an_opening_is_opened_before_what_it_would_open() -> None:
    # 0,2 and 2,2 lie beside a mine, and 2,2 beside 2,3, which does not.
    decision = Decision(Kind.CERTAIN, "rule", safe=((2, 2), (0, 2), (2, 3)), mines=((1, 1),))
    covered = "#######\n#######\n#######"
    assert words(decision, covered, openings_first=True) == ["open 2,3", "open 0,2", "open 2,2"]
    assert words(decision, covered) == ["open 2,2", "open 0,2", "open 2,3"]


def test_mines_are_flagged_only_when_asked_and_only_once() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((1, 2),), mines=((0, 0), (0, 2)))
    assert words(decision, "#1F\n11#") == ["open 1,2"]
    assert words(decision, "#1F\n11#", flags=True, chords=False) == ["flag 0,0", "open 1,2"]


def test_a_mine_with_a_question_mark_is_no_flagged_one() -> None:
    decision = Decision(Kind.NONE, "none", mines=((0, 0), (0, 2)))
    assert words(decision, "?1F\n111", flags=True) == ["flag 0,0"]
    assert words(decision, "?1F\n111") == []


def test_a_wrong_flag_is_taken_away_before_its_cell_is_opened() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((0, 0), (0, 1)))
    assert words(decision, "F#\n##") == ["flag 0,0", "open 0,1"]


def test_a_chord_takes_the_place_of_two_clicks() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((0, 1), (0, 2)), mines=((0, 0),))
    assert words(decision, "F##\n111\n...") == ["chord 1,1"]


def test_no_chord_for_a_single_cell() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((0, 1),), mines=((0, 0),))
    assert words(decision, "F#1\n111\n...") == ["open 0,1"]


def test_no_chord_on_a_flag_that_is_not_a_certain_mine() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((0, 1), (0, 2)))
    assert words(decision, "F##\n111\n...") == ["open 0,1", "open 0,2"]


def test_no_chord_that_would_open_a_cell_that_is_not_known_to_be_safe() -> None:
    decision = Decision(Kind.CERTAIN, "rule", safe=((0, 1), (0, 2)), mines=((0, 0),))
    assert words(decision, "F##\n11#\n..1") == ["open 0,1", "open 0,2"]


def test_a_guess_is_never_a_chord() -> None:
    decision = Decision(Kind.GUESS, "corner", safe=((0, 1),), survival=0.5)
    assert words(decision, "F##\n111\n...") == ["open 0,1"]


class Script:
    """A target that shows one board after another."""

    def __init__(self, *boards: tuple[str, Phase], made: int | None = None) -> None:
        self._boards = list(boards)
        self._made = made
        self.moves: list[list[str]] = []
        self.rejected: list[str] = []
        self.completed: list[list[Coordinate]] = []

    def observe(self, wanted: Wanted | None = None) -> Observation:
        text, phase = self._boards[0]
        if len(self._boards) > 1:
            self._boards.pop(0)
        board = Board.parse(text)
        return Observation(board, phase, Rules(board.columns, board.rows, 1))

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
        self.moves.append([str(move) for move in moves])
        made = len(moves) if self._made is None else self._made
        self._made = None
        return made

    def reject(self, reason: str) -> None:
        self.rejected.append(reason)

    def complete(self, mines: Sequence[Coordinate]) -> bool:
        self.completed.append(list(mines))
        return False

    def new_game(self) -> None:
        raise AssertionError("not asked for")


class Say:
    """A strategy that says what it was told to, one thing after another."""

    name, version = "say", 1

    def __init__(self, *answers: Decision | Exception) -> None:
        self._answers = list(answers)
        self.turns: list[int] = []

    def decide(self, observation: Observation, turn: int) -> Decision:
        self.turns.append(turn)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


SAFE = Decision(Kind.CERTAIN, "rule", safe=((0, 1),))
GUESS = Decision(Kind.GUESS, "corner", safe=((0, 1),), survival=0.25)


def test_the_guesses_of_a_lost_game_are_told() -> None:
    target = Script(("1#", Phase.PLAYING), ("1#", Phase.PLAYING), ("1X", Phase.LOST))
    report = play(target, Say(SAFE, GUESS))
    assert report.outcome.result is Result.LOST
    assert report.guesses == [0.25]
    assert report.survival == pytest.approx(0.25)
    assert "25%" in report.outcome.reason


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("#1X", "somebody else's click on row 0, column 2"),
        ("*1X", "a chance of 25%"),  # of mines that go off one by one another one looks hit
    ],
)
def test_who_lost_a_game_is_told_by_the_mine_that_was_hit(end: str, why: str) -> None:
    guess = Decision(Kind.GUESS, "corner", safe=((0, 0),), survival=0.25)
    report = play(Script(("#1#", Phase.PLAYING), (end, Phase.LOST)), Say(guess))
    assert why in report.outcome.reason


def test_a_strategy_without_a_move_stops_the_game() -> None:
    report = play(Script(("##", Phase.READY)), Say(Decision(Kind.NONE, "none", reason="nothing is certain")))
    assert report.outcome.result is Result.STOPPED
    assert report.outcome.reason == "nothing is certain"


def test_a_contradiction_is_looked_at_again_and_nothing_is_clicked() -> None:
    target = Script(("1#", Phase.PLAYING), ("1#", Phase.PLAYING), ("1F", Phase.WON))
    player = Say(ContradictionError("no"), SAFE)
    assert play(target, player).outcome.result is Result.WON
    assert target.rejected == ["no"]
    assert target.moves == [["open 0,1"]]
    assert player.turns == [0, 0]


def test_a_guess_that_was_not_clicked_does_not_count() -> None:
    target = Script(("1#", Phase.PLAYING), ("1#", Phase.PLAYING), ("1F", Phase.WON), made=0)
    assert play(target, Say(GUESS, GUESS)).guesses == [0.25]


def test_a_guess_that_the_flags_before_it_kept_back_does_not_count() -> None:
    target = Script(("##1", Phase.PLAYING), ("F#1", Phase.PLAYING), ("F.1", Phase.WON), made=1)
    guess = replace(GUESS, mines=((0, 0),))
    assert play(target, Say(guess, guess), flags=True).guesses == [0.25]
    assert target.moves == [["flag 0,0", "open 0,1"], ["open 0,1"]]


def test_a_guess_under_a_flag_counts_once() -> None:
    target = Script(("1F", Phase.PLAYING), ("1#", Phase.PLAYING), ("1X", Phase.LOST))
    report = play(target, Say(GUESS, GUESS))
    assert target.moves == [["flag 0,1"], ["open 0,1"]]
    assert report.guesses == [0.25]


class Flight(Script):
    """A target whose cells are in flight at first."""

    def observe(self, wanted: Wanted | None = None) -> Observation:
        seen = super().observe()
        early = replace(seen, early=True)
        if wanted is not None and "!" in str(seen.board):
            return early if wanted(early) else super().observe()
        return seen


def test_what_is_certain_is_opened_while_other_cells_are_in_flight() -> None:
    target = Flight(("1#!\n11!\n###", Phase.PLAYING), ("1X.\n11.\n...", Phase.LOST))
    report = play(target, Say(), eager=True)
    assert target.moves == [["open 2,0", "open 2,1", "open 2,2"]]
    assert report.decisions == 1


def test_where_an_early_move_was_hindered_the_board_is_waited_for() -> None:
    target = Flight(
        ("1#!\n11!\n###", Phase.PLAYING),
        ("1#!\n11!\n###", Phase.PLAYING),
        ("1X.\n11.\n...", Phase.LOST),
        made=0,
    )
    say = Say(Decision(Kind.CERTAIN, "rule", safe=((2, 2),)))
    play(target, say, eager=True)
    assert target.moves == [["open 2,0", "open 2,1", "open 2,2"], ["open 2,2"]]


def test_without_being_eager_every_board_is_waited_for() -> None:
    target = Flight(("1#!\n11!\n###", Phase.PLAYING), ("1X.\n11.\n...", Phase.LOST))
    play(target, Say(Decision(Kind.CERTAIN, "rule", safe=((2, 2),))))
    assert target.moves == [["open 2,2"]]
