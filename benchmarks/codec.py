"""Compare arena's codec with msgspec: ``python -m benchmarks.codec``.

Both read the JSON of one tournament into objects. msgspec reads structs with the same keys and
types, so it is spared to make arena's records of them, and to check these.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import types
import typing
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tabulate import tabulate

import arena
from arena.model import codec
from arena.records.joint import Joint
from benchmarks.timing import minima

#: The standard modules that arena imports anyway, before an import is timed.
USUAL = "argparse, dataclasses, enum, fractions, json, re, typing, arena.errors"

#: Players of the tournament, and pairs of each of its fights.
PLAYERS, PAIRS = 20, 10

#: The functions that msgspec would replace. The others write keys, or are hooks that it needs.
REPLACED = """decode _read _read_union _read_enum _read_tuple _read_list _read_mapping _read_number
_read_plain _read_any wrong fields_of"""


def tournament() -> Any:
    """Return the JSON of a large tournament."""
    players = [f"p{number}=monkey" for number in range(PLAYERS)]
    return arena.tournament(players, PAIRS, seed=1, workers=1).as_json()


@cache
def struct_of(kind: Any) -> Any:
    """Return a struct of msgspec with the keys and types that arena reads of a record."""
    keys = [*_keys(kind).items()]
    required = [(name, hint) for name, (hint, is_required) in keys if is_required]
    optional = [(name, hint | None, None) for name, (hint, is_required) in keys if not is_required]
    return import_module("msgspec").defstruct(kind.__name__, [*required, *optional])


def _keys(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Return the type of each key that is read, and whether it must be there."""
    hints, defaults = codec.fields_of(kind)
    keys: dict[str, tuple[Any, bool]] = {}
    for key in codec.keys_of(kind):
        name = key.name if key.name in hints else key.path[0]
        if name not in hints or (len(key.path) > 1 and key.name != name):
            continue
        if not key.is_spread:
            keys[key.name] = _mirrored(hints[name]), name not in defaults and not key.if_empty
        elif "from_json" not in vars(hints[name]):
            keys |= _keys(hints[name])
    return keys


def _mirrored(hint: Any) -> Any:
    """Return a type with structs in place of records."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if {str, Fraction} <= {*parts}:  # msgspec takes no union of its own type and another
            return str
        return typing.Union[tuple(map(_mirrored, parts))]  # noqa: UP007
    if origin is tuple:
        return tuple[tuple(each if each is ... else _mirrored(each) for each in parts)]  # type: ignore[misc]
    if origin is not None and issubclass(origin, Mapping):
        return dict[parts[0], _mirrored(parts[1])]  # type: ignore[misc,valid-type]
    if hint is Joint:
        return tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
    return struct_of(hint) if hasattr(hint, "__dataclass_fields__") else hint


def _fraction(kind: Any, value: Any) -> Any:
    """Read an exact fraction, which msgspec does not know."""
    if kind is not Fraction:
        raise NotImplementedError
    return Fraction(value)


def import_seconds(module: str, rounds: int) -> float:
    """Return the least seconds that an import takes in a new process."""
    program = f"import {USUAL}, time; t = time.perf_counter(); import {module}"
    command = [sys.executable, "-c", f"{program}; print(time.perf_counter() - t)"]
    runs = (subprocess.run(command, capture_output=True, text=True) for _ in range(rounds))
    return min(float(run.stdout) for run in runs)


def lines_of(names: str) -> int:
    """Return the lines of these functions of the codec."""
    return sum(len(inspect.getsource(getattr(codec, name)).splitlines()) for name in names.split())


def main() -> None:
    """Measure, and print a table."""
    parser = ArgumentParser(prog="python -m benchmarks.codec", description="Compare two codecs.")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of timing")
    rounds = parser.parse_args().rounds
    if find_spec("msgspec") is None:
        print("skipped: msgspec is not installed (pip install msgspec)")
        return
    msgspec: Any = import_module("msgspec")
    record, kind = tournament(), arena.records.TournamentResult
    text, mirror = json.dumps(record).encode(), struct_of(kind)
    fast = msgspec.json.Decoder(mirror, dec_hook=_fraction)
    works: list[Callable[[], object]] = [
        lambda: json.loads(text),
        lambda: codec.decode(kind, json.loads(text)),
        lambda: msgspec.convert(json.loads(text), mirror, dec_hook=_fraction),
        lambda: fast.decode(text),
    ]
    bare, ours, converted, decoded = (f"{1000 * s:.1f} ms" for s in minima(works, rounds))
    whole = len(inspect.getsource(codec).splitlines())
    rows: list[list[Any]] = [
        ["import", *(_in_ms(name, rounds) for name in ("arena.model.codec", "msgspec"))],
        [f"read {len(text) >> 10} KiB of JSON, into dicts alone", bare, ""],
        ["into checked objects, from these dicts", ours, converted],
        ["into checked objects, from the text", "", decoded],
        ["lines of arena's codec that only one needs", lines_of(REPLACED), 0],
        ["lines of it that both need", *[whole - lines_of(REPLACED)] * 2],
    ]
    headers = ["", "arena.model.codec", f"msgspec {msgspec.__version__}"]
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))


def _in_ms(module: str, rounds: int) -> str:
    return f"{1000 * import_seconds(module, rounds):.1f} ms"


if __name__ == "__main__":
    main()
