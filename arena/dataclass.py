"""Make frozen dataclasses in less time.

``dataclasses.dataclass`` compiles six methods for each class. Three of them are the same for all
classes, but for the names of the fields: ``__eq__``, ``__hash__`` and ``__repr__``. To write these
three once takes a third off the time that a class costs, and every start makes some seventy.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any


def _equals(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._fields_of(self) == self._fields_of(other)


def _hash(self: Any) -> int:
    return hash(self._fields_of(self))


def _repr(self: Any) -> str:
    fields = (field.name for field in dataclasses.fields(self) if field.repr)
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
    return f"{self.__class__.__qualname__}({values})"


def _fields(cls: Any) -> Any:
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else lambda _: ()


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen):
        """Return the decorator of a frozen dataclass. It keeps methods that the class defines."""
        return _with_fields if frozen else dataclasses.dataclass


def _with_fields(cls: Any) -> Any:
    methods = vars(cls)
    if "__eq__" not in methods:
        cls.__eq__ = _equals
    if methods.get("__hash__") is None:
        cls.__hash__ = _hash
    if cls.__repr__ is object.__repr__:
        cls.__repr__ = _repr
    dataclasses.dataclass(frozen=True, eq=False, repr=False)(cls)
    cls._fields_of = staticmethod(_fields(cls))
    return cls
