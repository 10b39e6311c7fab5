"""The test here takes minutes: it begins first, so that nobody waits for it at the end."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what lies here before all else."""
    here = Path(__file__).parent
    items.sort(key=lambda item: item.path.parent != here)
