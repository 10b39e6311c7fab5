"""Every error goes from one process to another: a pool that cannot read one waits for ever for its result."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import pickle
from functools import cache
from pathlib import Path

import pytest

import bot
from bot.board import Board, Rules
from bot.errors import ContradictionError
from bot.solver.position.solve import Contradiction
from bot.strategy.advice import advise

FOLDER = Path(bot.__file__).parent

GIVEN = {"text": "it cannot be", "numbers": ((0, 1), (2, 3)), "total": True}
"""What errors are made of, by the names of their parameters."""


@cache
def errors() -> list[str]:
    """All errors of the package, as `module:name`: the classes whose base is an `Exception`, or one of
    these."""
    bases = {
        f"bot.{'.'.join(file.relative_to(FOLDER).with_suffix('').parts)}:{node.name}": {
            base.id for base in node.bases if isinstance(base, ast.Name)
        }
        for file in FOLDER.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    known = {name for name, kind in vars(builtins).items() if inspect.isclass(kind)}
    known = {name for name in known if issubclass(getattr(builtins, name), Exception)}
    found: set[str] = set()
    while new := {place for place in bases.keys() - found if bases[place] & known}:
        found |= new
        known |= {place.partition(":")[2] for place in new}
    return sorted(found)


@pytest.mark.parametrize("place", errors())
def test_an_error_is_pickled(place: str) -> None:
    module, _, name = place.partition(":")
    kind = getattr(importlib.import_module(module), name)
    own = "__init__" in vars(kind)
    error = kind(*(GIVEN[each] for each in inspect.signature(kind).parameters) if own else [GIVEN["text"]])
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, GIVEN["text"], vars(error))


def test_all_errors_are_found() -> None:
    assert {"bot.errors:Stopped", "bot.errors:ThemeMisfit", "bot.solver.position.solve:Contradiction"} <= {
        *errors()
    }


def test_a_contradiction_says_the_same_in_another_process() -> None:
    with pytest.raises(ContradictionError) as raised:
        advise(Board.parse("3#"), Rules(2, 1, 1))
    again = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(again, Contradiction)
    assert str(again) == str(raised.value)
    assert (again.numbers, again.total) == (((0, 0),), False)
