"""Records of numbers by name, which compiled code reads and writes as Python does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import numpy as np

if TYPE_CHECKING:

    class Record:
        """Numpy's own is final for a type checker, which would see no more of it than names."""

else:

    class Record(np.void):
        """What a kind of record derives from: its fields are annotated as `int` or `float`, 64 bits each.

        Names must be none of numpy's own, as `size` or `sum` are. It looks up no attribute by Python code, as
        numpy's own `record` does: numba asks for its data from C, goes on where a Ctrl-C ends that, and
        another exception takes its place.
        """

        def __init_subclass__(cls) -> None:
            for name in cls.__annotations__:
                setattr(cls, name, _field(name))


def _field(name: str) -> property:
    """A field as Python's own number, which no shift makes overflow."""

    def value(record: Any) -> Any:
        return record[name].item()

    def put(record: Any, value: float) -> None:
        record[name] = value

    return property(value, put)


Kind = TypeVar("Kind", bound=Record)

_WIDTHS: dict[Any, type[np.generic]] = {int: np.int64, float: np.float64}


_layouts: dict[Any, np.dtype[Any]] = {}


def _layout(kind: type[Record]) -> np.dtype[Any]:
    """The fields of a record as numpy has them; reading the annotations takes a third of a millisecond."""
    if kind not in _layouts:
        fields = [(name, _WIDTHS[hint]) for name, hint in get_type_hints(kind).items()]
        _layouts[kind] = np.dtype((kind, fields))
    return _layouts[kind]


def array_of(kind: type[Kind], many: int) -> Any:
    """An array of so many records, all fields 0."""
    return np.zeros(many, _layout(kind))


def new(kind: type[Kind]) -> Kind:
    """A record whose fields are 0."""
    one: Kind = array_of(kind, 1)[0]
    return one
