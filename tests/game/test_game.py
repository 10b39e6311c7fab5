from __future__ import annotations

import pytest

from bot.board import Action, Board, Cell, FirstClick, Move, Phase, Rules, Spread
from bot.errors import UsageError
from bot.game.game import Game
from bot.game.minefield import Minefield

FIELD = """
    *....
    .....
    ...*.
    .....
"""


def game(field: str = FIELD, spread: Spread = Spread.EIGHT, *, marks: bool = False) -> Game:
    minefield = Minefield.parse(field)
    rules = Rules(minefield.columns, minefield.rows, None, spread=spread)
    return Game(rules, minefield=minefield, marks=marks)


def board(text: str) -> Board:
    return Board.parse(text)


def test_a_number_opens_alone() -> None:
    play = game()
    phases = [play.phase]
    assert play.open(0, 1)
    phases.append(play.phase)
    assert phases == [Phase.READY, Phase.PLAYING]
    assert play.board == board("#1###\n#####\n#####\n#####")
    assert not play.open(0, 1)


def test_a_zero_spreads_to_its_numbers_and_no_further() -> None:
    play = game()
    play.open(3, 0)
    assert play.board == board("#####\n111##\n..1##\n..1##")


def test_a_zero_spreads_over_four_neighbours_or_none_where_the_rules_say_so() -> None:
    field = "....\n.*..\n....\n...."
    eight, four, none = (game(field, spread) for spread in (Spread.EIGHT, Spread.FOUR, Spread.NONE))
    for play in (eight, four, none):
        play.open(0, 3)
    assert eight.board == board("##1.\n##1.\n111.\n....")
    assert four.board == board("##1.\n##1.\n111.\n....")
    assert none.board == board("###.\n####\n####\n####")


def test_four_neighbours_leave_a_corner_that_eight_open() -> None:
    field = "*...\n....\n..*.\n...."
    eight, four = game(field, Spread.EIGHT), game(field, Spread.FOUR)
    for play in (eight, four):
        play.open(0, 3)
    assert eight.board == board("#1..\n#211\n####\n####")
    assert four.board == board("#1..\n##11\n####\n####")


def test_an_opening_leaves_flags_and_opens_question_marks() -> None:
    play = game(marks=True)
    play.flag(3, 1)
    play.flag(2, 0)
    play.flag(2, 0)
    play.open(3, 0)
    assert play.board == board("#####\n111##\n..1##\n.F1##")


def test_flags_toggle_and_are_never_opened() -> None:
    play = game()
    assert play.flag(0, 0)
    assert play.mines_left == 1
    assert not play.open(0, 0)
    assert play.phase is Phase.READY
    assert play.flag(0, 0)
    assert play.board == Board.covered(5, 4)
    assert play.mines_left == 2
    play.open(0, 1)
    assert not play.flag(0, 1)


def test_marks_put_a_question_between_flag_and_covered() -> None:
    play = game(marks=True)
    shown = []
    for _ in range(3):
        play.flag(0, 0)
        shown.append(play.board[0, 0])
    assert shown == [Cell.FLAG, Cell.QUESTION, Cell.COVERED]
    assert play.mines_left == 2


def test_a_chord_needs_exactly_as_many_flags_as_the_number() -> None:
    play = game()
    play.open(1, 1)
    assert not play.chord(1, 1)
    play.flag(0, 0)
    play.flag(0, 1)
    assert not play.chord(1, 1)
    play.flag(0, 1)
    assert play.chord(1, 1)
    assert play.board == board("F1...\n11111\n..1##\n..1##")
    assert not play.chord(1, 1)
    assert not play.chord(0, 2)
    assert not play.chord(3, 4)


def test_a_chord_on_an_empty_cell_opens_what_a_flag_kept_covered() -> None:
    play = game()
    play.flag(0, 4)
    play.open(0, 2)
    assert not play.chord(0, 3)
    play.flag(0, 4)
    assert play.chord(0, 3)
    assert play.board[0, 4] == 0


def test_a_wrong_flag_loses_by_chord_and_everything_is_shown() -> None:
    play = game()
    play.open(1, 1)
    play.flag(0, 1)
    play.chord(1, 1)
    assert play.phase is Phase.LOST
    assert play.board == board("Xx...\n11111\n..1*#\n..1##")


def test_a_loss_keeps_right_flags_and_stops_the_game() -> None:
    play = game()
    play.flag(0, 0)
    play.flag(0, 4)
    play.open(2, 3)
    assert play.phase is Phase.LOST
    assert play.board == board("F###x\n#####\n###X#\n#####")
    assert not play.open(0, 1)
    assert not play.flag(0, 1)
    assert play.minefield == Minefield.parse(FIELD)


def test_a_win_flags_every_mine() -> None:
    play = game()
    for row in range(4):
        for column in range(5):
            if (row, column) not in ((0, 0), (2, 3)):
                play.open(row, column)
    assert play.phase is Phase.WON
    assert play.board == board("F1...\n11111\n..1F1\n..111")
    assert play.mines_left == 0


def test_a_board_of_no_mines_is_won_by_one_click() -> None:
    play = Game(Rules(100, 100, 0))
    play.open(50, 50)
    assert play.phase is Phase.WON


def test_the_minefield_is_hidden_until_the_end() -> None:
    play = Game(Rules(5, 5, 5), seed=1)
    assert play.truth_for_simulators is None
    play.open(0, 0)
    assert play.truth_for_simulators is not None
    with pytest.raises(UsageError, match="hidden"):
        _ = play.minefield


def test_mines_are_laid_at_the_first_open_under_the_rule() -> None:
    for seed in range(50):
        play = Game(Rules(5, 5, 10, FirstClick.ZERO), seed=seed)
        play.flag(4, 4)
        play.open(2, 2)
        assert play.board[2, 2] == Cell.EMPTY
        again = Game(Rules(5, 5, 10, FirstClick.ZERO), seed=seed)
        again.open(2, 2)
        assert again.truth_for_simulators == play.truth_for_simulators


def test_act_dispatches() -> None:
    play = game()
    play.act(Move(Action.OPEN, 1, 1))
    play.act(Move(Action.FLAG, 0, 0))
    play.act(Move(Action.CHORD, 1, 1))
    assert play.board == board("F1...\n11111\n..1##\n..1##")


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(UsageError, match="number of mines"):
        Game(Rules(5, 5))
    with pytest.raises(UsageError, match="no board of 5x5"):
        Game(Rules(5, 5), minefield=Minefield.parse(FIELD))
    with pytest.raises(UsageError, match="no game of 3 mines"):
        Game(Rules(5, 4, 3), minefield=Minefield.parse(FIELD))
    for cell in ((-1, 0), (0, -1), (4, 0), (0, 5)):
        with pytest.raises(UsageError, match="no cell"):
            game().open(*cell)


def test_the_board_before_a_move_does_not_change_with_it() -> None:
    play = game()
    before = play.board
    play.open(0, 1)
    assert before == Board.covered(5, 4)


# The document's example of reveal radial: mines at 1 0 and 5 6.
RAYS = "........\n*.......\n........\n........\n........\n......*.\n........\n........"


def test_rays_go_up_to_and_with_their_first_number() -> None:
    play = game(RAYS, Spread.RADIAL)
    play.open(3, 3)
    assert play.board == board(
        "###.##.#\n#1#.#.##\n##...###\n........\n##...###\n#.#.#1##\n.##.####\n###.####"
    )
    assert not play.open(3, 3)


def test_a_square_goes_no_further_and_an_open_zero_does_it_again() -> None:
    play = game(RAYS, Spread.SQUARE)
    assert play.open(3, 3)
    assert play.board == board(
        "########\n########\n##...###\n##...###\n##...###\n########\n########\n########"
    )
    assert not play.open(3, 3)
    assert play.open(2, 2)
    assert play.open(3, 3, Spread.RADIAL)
    assert play.board[3, 7] == 0


def test_every_cell_that_a_square_opens_a_ray_opens_too() -> None:
    for seed in range(30):
        square = Game(Rules(6, 6, 5, spread=Spread.SQUARE), seed=seed)
        radial = Game(Rules(6, 6, 5, spread=Spread.RADIAL), seed=seed)
        square.open(2, 3)
        radial.open(2, 3)
        assert not ((square.board.codes <= 8) & (radial.board.codes > 8)).any()


def test_openings_run_over_flags_where_the_rules_say_so() -> None:
    field = Minefield.parse("....\n....\n...*")
    spares = Game(Rules(4, 3, 1, spread=Spread.FOUR), minefield=field)
    runs = Game(Rules(4, 3, 1, spread=Spread.FOUR), minefield=field, flags_stop=False)
    for play in (spares, runs):
        play.flag(0, 1)
        play.open(0, 0)
    assert (spares.phase, spares.mines_left) == (Phase.PLAYING, 0)
    assert runs.phase is Phase.WON


def test_where_flags_are_needed_the_last_one_wins() -> None:
    play = Game(Rules(4, 3, 1), minefield=Minefield.parse("....\n....\n...*"), flags_needed=True)
    phases = []
    for move in (Move(Action.OPEN, 0, 0), Move(Action.FLAG, 2, 3)):
        play.act(move)
        phases.append(play.phase)
    assert phases == [Phase.PLAYING, Phase.WON]


def test_hints_run_out_and_are_about_the_board() -> None:
    play = Game(Rules(3, 3, 2), minefield=Minefield.parse("*..\n...\n..*"), hints=2)
    assert play.ask(Move(Action.COUNT_SQUARE, 0, 0, 3)) == 1
    assert play.act(Move(Action.COUNT_ROW, 2, 1))
    assert [constraint.mines for constraint in play.observation.constraints] == [1, 1]
    assert (play.hints, play.observation.hints) == (0, 0)
    with pytest.raises(UsageError, match="no hint"):
        play.ask(Move(Action.COUNT_ROW, 1, 0))
    even = Game(Rules(3, 3, 2), minefield=Minefield.parse("*..\n...\n..*"), hints=1)
    with pytest.raises(UsageError, match="odd"):
        even.ask(Move(Action.COUNT_SQUARE, 1, 1, 2))
    with pytest.raises(UsageError, match="no mines lie"):
        Game(Rules(3, 3, 2), hints=1).ask(Move(Action.COUNT_ROW, 1, 0))
