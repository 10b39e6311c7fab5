"""Sweeps: many cases of one kind. `make test` goes through a share of each, `make test-all` through all of
them; `python -m pytest --collect-only -q -m sweep` lists what the first leaves to the second."""

from __future__ import annotations

from typing import Any

import pytest


def shares(number: int) -> list[Any]:
    """The numbers of so many shares, for `pytest.mark.parametrize`: all but the first are marked `sweep`."""
    return [0, *(pytest.param(share, marks=pytest.mark.sweep) for share in range(1, number))]
