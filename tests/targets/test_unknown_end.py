"""Won or lost, where no theme knows the game: by what was clicked, and what those cells show."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell, Phase, Rules
from bot.geometry import Rect
from bot.targets.window.track.unknown_end import UnknownGameEnd

FRAME, GRID = np.zeros((30, 30, 3), np.uint8), Rect(0, 0, 30, 30)


def verdict(
    end: UnknownGameEnd,
    text: str,
    *,
    seconds: float = 3.0,
    clicked: tuple[int, int] = (0, 0),
    certain: bool = False,
    gone: bool = True,
) -> Phase | None:
    """What is known once a board has been seen for so long after a click on its top left cell."""
    board = Board.parse(text)
    end.acted([(0, 0)], certain=certain)
    end.searches = 3 if gone else 2
    for step in range(31):
        end.watch(board, Rules(3, 3), FRAME, GRID, step * seconds / 30)
    return end.phase


@pytest.mark.parametrize(
    ("text", "certain", "phase"),
    [
        ("X##\n###\n###", False, Phase.LOST),  # only the mine that was hit is shown
        ("*##\n#*#\n###", False, Phase.LOST),
        ("X11\n11*\n111", True, Phase.LOST),  # it could not be one, and it shows one all the same
        ("1*1\n111\n...", False, Phase.WON),  # all mines are shown, and none was clicked
        ("!11\n1*1\n111", False, Phase.LOST),  # what was clicked is something new, and mines are shown
        ("!!!\n!!!\n!!1", True, Phase.WON),  # something lies over it: what was certain cannot have lost it
        ("!!!\n!!!\n!!1", False, Phase.LOST),
        ("F1.\n11.\n...", False, Phase.LOST),  # mines look like flags, and so does what was clicked
        ("F11\n11#\n111", False, None),  # something is left to open
        ("FF1\n11.\n...", False, None),  # it cannot be
        ("1##\n###\n###", False, None),
        ("!##\n###\n###", False, None),  # not read yet
    ],
)
def test_the_end_is_judged_by_what_was_clicked(text: str, certain: bool, phase: Phase | None) -> None:
    assert verdict(UnknownGameEnd(), text, certain=certain) is phase


def test_a_mine_that_flashes_by_ends_nothing() -> None:
    assert verdict(UnknownGameEnd(), "X##\n###\n###", seconds=0.05) is None


def test_mines_in_a_game_that_goes_on_are_something_else() -> None:
    end = UnknownGameEnd()
    assert verdict(end, "1#*\n###\n###", certain=True) is None
    assert end.misread
    end.acted([(1, 1)], certain=True)
    assert not end.misread


def test_a_game_that_was_over_before_the_first_click() -> None:
    for text, phase in (("X##\n###\n###", Phase.LOST), ("1*1\n111\n...", Phase.WON)):
        end = UnknownGameEnd()
        for step in range(31):
            end.watch(Board.parse(text), Rules(3, 3), FRAME, GRID, step / 10)
        assert end.phase is phase


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("F1.\n1..\n...", Phase.LOST),  # an empty cell beside a mine: nothing but a wrong flag is drawn so
        ("F..\n11.\n...", Phase.LOST),
        ("F11\n.1#\n111", None),  # something is left to open
        ("F.F\n11.\n...", None),  # not all flags are mines: one may be taken away
        ("F11\n12.\n...", None),  # misread
        ("F1.\n11.\n...", None),  # a won game: the board itself says so
    ],
)
def test_a_lost_game_whose_mines_look_like_flags_was_over_before_the_first_click(
    text: str, phase: Phase | None
) -> None:
    end = UnknownGameEnd()
    for step in range(31):
        end.watch(Board.parse(text), Rules(3, 3, 1), FRAME, GRID, step / 10)
    assert end.phase is phase


@pytest.mark.parametrize(("before", "phase"), [("#2F\n12#\n.11", Phase.LOST), ("#2#\n12#\n.11", None)])
def test_a_wrong_flag_that_is_drawn_as_an_empty_cell(before: str, phase: Phase | None) -> None:
    """xbomb shows all mines as it shows flags, and nothing where a flag was wrong."""
    end = UnknownGameEnd()
    end.watch(Board.parse(before), Rules(3, 3, 2), FRAME, GRID, 0.0)
    assert verdict(end, "F2.\n12F\n.11") is phase


def test_what_is_declared_holds_until_the_next_game() -> None:
    end = UnknownGameEnd()
    end.declare(Phase.WON, "what somebody says")
    assert verdict(end, "X##\n###\n###") is Phase.WON
    assert end.sign == "what somebody says"
    end.forget()
    assert (end.phase, end.sign) == (None, "")


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("X##\n###\n###", "a mine on a cell that was opened"),
        ("!11\n1*1\n111", "mines that are shown, with nothing covered"),
        ("!!!\n!!!\n!!1", "a board that is hidden, and what was seen of it"),
    ],
)
def test_it_says_by_what_the_end_was_told(text: str, sign: str) -> None:
    end = UnknownGameEnd()
    verdict(end, text)
    assert end.sign == sign


@pytest.mark.parametrize(
    ("text", "certain", "phase"),
    [
        ("1##\n###\n###", False, Phase.WON),  # the guess was seen to open
        ("###\n###\n###", False, Phase.LOST),
        ("###\n###\n###", True, Phase.WON),
        ("*##\n###\n###", True, Phase.LOST),
    ],
)
def test_a_sheet_over_the_board_is_the_end(text: str, certain: bool, phase: Phase) -> None:
    assert verdict(UnknownGameEnd(lambda: True), text, certain=certain) is phase
    assert verdict(UnknownGameEnd(lambda: True), text, certain=certain, seconds=0.2) is not Phase.WON


@pytest.mark.parametrize(("text", "phase"), [("!##", Phase.LOST), ("1##", Phase.WON)])
def test_a_guess_that_never_opened_has_lost_whatever_is_clicked_after_it(text: str, phase: Phase) -> None:
    end = UnknownGameEnd()
    assert verdict(end, f"{text}\n###\n###", certain=False) is None
    end.acted([(2, 2)], certain=True)
    assert end.by_logic is phase


@pytest.mark.parametrize(
    ("texts", "phase"),
    [
        (["!2#\n###\n###"] * 5, Phase.LOST),
        (["!2#\n###\n##!", "!2#\n###\n#!#"] * 3, Phase.LOST),
        (["!2#\n###\n###"] * 4, None),
        (["!2#\n###\n###"] * 4 + ["!2#\n###\n##1"], None),  # it goes on
        (
            ["!##\n###\n###", "!##\n###\n##!", "!!#\n###\n##!", "!!!\n###\n##!"],
            None,
        ),  # nothing is read yet
        (["32#\n###\n###"] * 6, None),  # the guess has opened
    ],
)
def test_clicks_in_vain_after_a_guess_that_cannot_be_read_tell_that_it_has_lost(
    texts: list[str], phase: Phase | None
) -> None:
    """A page lit each cell that was clicked after a lost game, so that each click seemed to have done
    something: it was clicked on for ever."""
    end = UnknownGameEnd()
    end.watch(Board.parse("###\n###\n###"), Rules(3, 3), FRAME, GRID, 0.0)
    for text in texts:
        end.acted([(2, 2) if end.clicked else (0, 0)], certain=False)
        for step in range(8):  # the next click follows soon
            end.watch(Board.parse(text), Rules(3, 3), FRAME, GRID, step / 10)
    assert end.phase is phase


@pytest.mark.parametrize(("unflagged", "phase"), [((0, 0), Phase.LOST), ((2, 2), None)])
def test_a_flag_that_stays_where_a_guess_was_made_is_the_mine_that_was_hit(
    unflagged: tuple[int, int], phase: Phase | None
) -> None:
    """A mine that pulses was read as a flag, and clicked on for ever to take that away."""
    end, flagged = UnknownGameEnd(), Board.parse("F##\n###\n##F")
    end.watch(Board.parse("###\n###\n###"), Rules(3, 3), FRAME, GRID, 0.0)
    end.acted([(0, 0)], certain=False)
    end.watch(flagged, Rules(3, 3), FRAME, GRID, 0.0)
    for _ in range(4):
        end.acted([], certain=False, unflagged=[unflagged])
        for step in range(8):
            end.watch(flagged, Rules(3, 3), FRAME, GRID, step / 10)
    assert end.phase is phase


def test_a_click_that_was_not_made_tells_nothing() -> None:
    end = UnknownGameEnd()
    for text in ("###\n###\n###", "1##\n###\n###"):
        end.watch(Board.parse(text), Rules(3, 3), FRAME, GRID, 0.0)
    end.acted([(2, 2)], certain=False)
    end.not_sent()
    for step in range(31):
        end.watch(Board.parse("###\n###\n###"), Rules(3, 3), FRAME, GRID, step / 10)
    assert end.phase is None, "a person has begun another game"


def test_after_a_click_that_was_not_made_what_is_misread_is_no_end_from_the_beginning() -> None:
    end = UnknownGameEnd()
    assert verdict(end, "1#*\n###\n###", certain=True) is None
    end.acted([(1, 1)], certain=False)
    end.not_sent()
    for step in range(31):
        end.watch(Board.parse("1#*\n###\n###"), Rules(3, 3), FRAME, GRID, step / 10)
    assert end.phase is None
    assert end.by_logic is Phase.WON, "a guess that was not made has not lost"


def test_a_board_that_may_be_elsewhere_is_no_end() -> None:
    assert verdict(UnknownGameEnd(), "!!!\n!!!\n!!1", certain=True, gone=False) is None
    assert verdict(UnknownGameEnd(), "!!!\n!!!\n!!1", certain=True) is Phase.WON


def test_a_mine_that_is_misread_under_a_sheet_wins_no_game() -> None:
    end = UnknownGameEnd(is_dimmed=lambda: True)
    end.acted([(0, 0)], certain=False)
    assert end.judged_by(Board.parse("1#*\n###\n*##")) is Phase.LOST, "what is covered holds no mine"
    assert end.judged_by(Board.parse("1#1\n111\n...")) is Phase.WON, "what is covered is the mine"
    assert end.judged_by(Board.parse("1*1\n111\n...")) is Phase.WON


def test_a_guess_that_was_seen_to_open_has_not_lost_the_game_that_something_hides_now() -> None:
    opened, hidden = Board.parse("1#1\n111\n..."), Board.parse("!!!\n!!!\n...")
    end = UnknownGameEnd(is_dimmed=lambda: False)
    end.acted([(0, 0)], certain=False)
    assert end.judged_by(hidden) is Phase.LOST, "nobody saw it open"
    end.watch(opened, Rules(3, 3), FRAME, GRID, 0.0)
    assert end.judged_by(hidden) is Phase.WON


@pytest.mark.parametrize(("mines", "phase"), [(None, None), (10, None), (77, Phase.WON)])
def test_a_board_that_is_gone_is_won_by_no_certain_click_while_most_of_it_is_covered(
    mines: int | None, phase: Phase | None
) -> None:
    """As where a page is zoomed in the middle of a game."""
    end = UnknownGameEnd()
    playing = np.full((9, 9), int(Cell.COVERED), np.int8)
    playing[0, :3] = 1, 2, 4
    rules = Rules(9, 9, mines)
    end.watch(Board(playing), rules, FRAME, GRID, 0.0)
    end.acted([(1, 0)], certain=True)
    end.searches = 3
    for step in range(1, 20):
        end.watch(Board(np.full((9, 9), int(Cell.UNREAD), np.int8)), rules, FRAME, GRID, step / 5)
    assert end.phase is phase


def test_numbers_that_were_misread_in_flight_are_forgotten_once_a_board_counts() -> None:
    """Cells that flip were read as other numbers, and the board that counted then as wiped off: a game that
    was won was told as another one."""
    end, flying, rested = UnknownGameEnd(), Board.parse("2122\n####"), Board.parse("1211\n####")
    for text in (Board.parse("####\n####"), flying, rested):
        end.watch(text, Rules(4, 2), FRAME, GRID, 0.0)
    assert end.seen == flying, "it may be wiped off"
    end.counted(rested)
    opened = Board.parse("1211\n#2##")
    end.watch(opened, Rules(4, 2), FRAME, GRID, 0.1)
    assert end.seen == opened


def test_a_card_that_fades_in_over_a_won_board_is_no_part_of_it() -> None:
    """Google's was read as numbers among cells that are unread, and what was seen of the game as no win."""
    end, rules = UnknownGameEnd(), Rules(5, 4)
    board, card = Board.parse(".....\n.....\n11211\n1#2#1"), Board.parse(".131.\n.222.\n11211\n1#2#1")
    for text in (Board.parse("#####\n#####\n#####\n#####"), board, card):
        end.watch(text, rules, FRAME, GRID, 0.0)
    assert end.seen == board


def test_a_win_that_wipes_its_numbers_off_before_it_hides_the_board_is_one() -> None:
    end = UnknownGameEnd()
    end.acted([(1, 0)], certain=True)
    wiped = [*[".#.\n!.."] * 4, *[".!.\n!.."] * 4]
    hidden = ["!!!\n!!!", "!!!\n!!!", "...\n..."] * 7  # what is flooded is read as empty cells now and then
    shown = [*["1#1\n#11"] * 3, *wiped, *hidden]
    for step, text in enumerate(shown):
        end.searches = 3
        end.watch(Board.parse(text), Rules(3, 2, 1), FRAME, GRID, step / 10)
    assert end.phase is Phase.WON


@pytest.mark.parametrize(("shown", "phase"), [("*##\n##*\n###", Phase.LOST), ("!##\n##*\n###", None)])
def test_a_guess_that_shows_a_mine_after_other_clicks_has_lost(shown: str, phase: Phase | None) -> None:
    end = UnknownGameEnd()
    assert verdict(end, "!##\n###\n###", certain=False) is None
    end.acted([(2, 2)], certain=False)
    for step in range(4):
        end.watch(Board.parse(shown), Rules(3, 3), FRAME, GRID, 5 + step / 10)
    assert end.phase is phase
    assert end.judged_by(Board.parse("*##\n##1\n##1")) is Phase.LOST


@pytest.mark.parametrize(("lapse", "phase"), [(2, Phase.WON), (6, None)])
def test_a_hidden_board_may_be_taken_for_that_of_the_game_for_a_moment(
    lapse: int, phase: Phase | None
) -> None:
    end = UnknownGameEnd()
    end.acted([(1, 0)], certain=True)
    game, hidden = "1#1\n#11", "!!!\n!!!"
    for step, text in enumerate([game, *[hidden] * 7, *[game] * lapse, *[hidden] * 7]):
        end.searches = 3
        end.watch(Board.parse(text), Rules(3, 2, 1), FRAME, GRID, step / 10)
    assert end.phase is phase


@pytest.mark.parametrize(
    ("game", "phase"), [("2332\n####\n####\n####", None), ("....\n....\n1232\n####", Phase.WON)]
)
def test_a_board_that_was_mostly_covered_before_it_was_hidden_is_not_won(
    game: str, phase: Phase | None
) -> None:
    """A page that was zoomed in, of which a part is seen that nobody can read, was told as won."""
    end = UnknownGameEnd()
    end.acted([(3, 0)], certain=True)
    for step, text in enumerate([game, *["\n".join(["!!!!"] * 4)] * 20]):
        end.searches = 3
        end.watch(Board.parse(text), Rules(4, 4), FRAME, GRID, step / 10)
    assert end.phase is phase


MINES = ".....\n.....\n...11\n2333#\n#####"
LAST, BEGUN = "#1...\n11...\n.....\n..111\n..1##", "#1###\n#####\n#####\n#####\n#####"


@pytest.mark.parametrize(
    ("before", "clicked", "certain", "rows", "phase"),
    [
        (LAST, (4, 4), True, "!!!.. !1...", Phase.WON),
        (LAST, (4, 4), True, "!1... !1...", None),  # too little is hidden
        (LAST, (4, 4), False, "!!!.. !1...", None),  # it may have won, and may have lost
        (MINES, (4, 4), False, "!!... !!... ...11 2333! !###!", Phase.LOST),  # under a card in the corner
        (MINES, (4, 4), False, "!!... !!... ...11 2333! !#!!!", None),  # too few are still covered
        (MINES, (4, 4), False, "..... ..... ...!! 233!! !!#!!", None),  # they may lie under a card
        (MINES, (4, 4), False, "!.... ....! ...11 2333! !###!", None),  # things lie here and there
        (MINES, (4, 4), False, "..... ..... ...11 23332 !!!!2", None),  # it was seen to open
        (BEGUN, (0, 0), False, "#1### !!!##", Phase.LOST),
        (BEGUN, (0, 0), False, "11### ##### ##!!!", None),  # it was seen to open
        (BEGUN, (0, 0), False, "!!### !####", None),  # it may have opened what cannot be read
        (BEGUN, (0, 0), True, "#1### !!!##", None),
    ],
)
def test_a_board_that_cannot_be_read_tells_the_end_after_clicks_that_may_have_ended_the_game(
    before: str, clicked: tuple[int, int], certain: bool, rows: str, phase: Phase | None
) -> None:
    """`rows`: the first ones of the board after the click."""
    end, rules = UnknownGameEnd(), Rules(5, 5)
    end.watch(Board.parse(before), rules, FRAME, GRID, 0.0)
    end.acted([clicked], certain=certain)
    now = rows.split()
    told = end.ends_unread(Board.parse("\n".join([*now, *before.split()[len(now) :]])), rules)
    assert (told, end.phase) == (phase is not None, phase)


def test_what_was_clicked_is_forgotten_with_a_board_of_another_size() -> None:
    """Another level that was chosen after a click ended the run with an error of Python."""
    end = UnknownGameEnd()
    end.watch(Board.covered(16, 16), Rules(16, 16), FRAME, GRID, 0.0)
    end.acted([(15, 15)], certain=False)
    assert end.watch(Board.covered(9, 9), Rules(9, 9), FRAME, GRID, 1.0) is None
    assert end.clicked == ()
    assert not end.is_open(Board.covered(9, 9))
