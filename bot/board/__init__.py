"""The words that every part speaks: what a player can see, what can be done about it, and how it ended.

A `Board` is what a player can see; it never holds where the mines are. Coordinates are (row, column)
from 0, top left first.

    cells       what one cell shows: codes and letters
    rules       size, mines, first click, spread; the levels
    around      the cells around one, and how many are of a kind
    visible     the board itself, and its faults
    playing     moves, phases, observations, outcomes
"""

from bot.board.around import NeighbourCounts, neighbour_counts, neighbour_sums, neighbours
from bot.board.cells import SYMBOLS, UNOPENED, Cell, Codes, Coordinate
from bot.board.playing import Action, Case, Constraint, Move, Observation, Outcome, Phase, Result
from bot.board.rules import LEVELS, FirstClick, Rules, Spread, first_click_rule, whole_number
from bot.board.visible import Board, Fault, FaultKind

__all__ = [
    "LEVELS",
    "SYMBOLS",
    "UNOPENED",
    "Action",
    "Board",
    "Case",
    "Cell",
    "Codes",
    "Constraint",
    "Coordinate",
    "Fault",
    "FaultKind",
    "FirstClick",
    "Move",
    "NeighbourCounts",
    "Observation",
    "Outcome",
    "Phase",
    "Result",
    "Rules",
    "Spread",
    "first_click_rule",
    "neighbour_counts",
    "neighbour_sums",
    "neighbours",
    "whole_number",
]
