"""Write observations of a space of Gymnasium as JSON, and read them back."""

from __future__ import annotations

import json
from typing import Any

#: The spaces whose values are arrays or numbers.
_LEAVES = ("Box", "Discrete", "MultiBinary", "MultiDiscrete", "Text")


def is_writable(space: Any) -> bool:
    """Return whether JSON can hold the values of a space."""
    kind = type(space).__name__
    if kind == "Dict":
        return all(map(is_writable, space.spaces.values()))
    if kind == "Tuple":
        return all(map(is_writable, space.spaces))
    return kind in _LEAVES


def written(value: Any) -> str:
    """Return a value of such a space as JSON. Equal values give equal texts."""
    return json.dumps(_plain(value), sort_keys=True)


def read(space: Any, text: str) -> Any:
    """Return the value that a text describes, of the space's own types.

    Raises ValueError, TypeError or KeyError for a text of another space.
    """
    return _shaped(space, json.loads(text))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _shaped(space: Any, value: Any) -> Any:
    kind = type(space).__name__
    if kind == "Dict":
        return {key: _shaped(part, value[key]) for key, part in space.spaces.items()}
    if kind == "Tuple":
        pairs = zip(space.spaces, value, strict=True)
        return tuple(_shaped(part, each) for part, each in pairs)
    [shaped] = space.from_jsonable([value])
    return shaped
