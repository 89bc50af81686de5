"""Mutations of files: of their bytes, of the values in JSON, of the cells of a store."""

from __future__ import annotations

import copy
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.harness import chance

#: Bytes that mean something to somebody.
SPICE = [
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\n\n\n",
    b'"',
    b"'",
    b",",
    b"{",
    b"[" * 9000,
    b"=1+1",
    b"\x1b[31m",
    "\u202e".encode(),
    "٣".encode(),
    b"-1",
    b"1e999",
    b"9" * 400,
    b"NaN",
    b"#",
    b"None",
    b"|",
    b"\\",
    b"\x1a",
    b" " * 70_000,
    b"0",
    b"1",
]


def nested(depth: int) -> Any:
    """Return lists in lists."""
    results: Any = []
    for _ in range(depth):
        results = [results]
    return results


#: Values for a place in JSON.
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    3,
    155,
    155.0,
    0.5,
    float("nan"),
    float("inf"),
    10**25,
    -(10**30),
    "",
    "0",
    "1",
    "5",
    "1/2",
    "1/3",
    "1/0",
    "-1/2",
    "٣",
    "x" * 3000,
    "a\nb",
    "\x1b[2J",
    "\u202e",
    "\ud800",
    "a\0b",
    [],
    {},
    [[]],
    ["5"],
    ["1", "5"],
    {"": 0},
    {"5": "1"},
    nested(900),
    "monkey",
    "tictactoe",
    "connect4",
    "mnk-3-3-2",
    "first",
    "draw",
    "position",
    "line",
    "arena.certificate/1",
    "1e999",
    "_________",
    "5 1",
]


def mutate_bytes(rng: Random, data: bytes) -> bytes:
    """Return the bytes with one to three changes: flipped, cut, put in, said twice, exchanged."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        start, stop = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        if chance(rng, 0.5):
            stop = min(stop, start + rng.randrange(1, 12))
        match rng.randrange(8):
            case 0 if data:
                at = rng.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:start] + data[stop:]
            case 2:
                data = data[:start] + rng.choice(SPICE) + data[start:]
            case 3:
                data = data[:start] + rng.choice(SPICE) + data[stop:]
            case 4:
                data = data[:stop] + data[start:stop] + data[stop:]
            case 5:
                data = data[:start]
            case 6:
                data = data[:start] + bytes(stop - start) + data[stop:]
            case _:
                data = data[stop:] + data[start:stop] + data[:start]
    return data


def mutate_lines(rng: Random, data: bytes) -> bytes:
    """Return the lines in another order, some of them twice, or with one cell replaced."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            rng.shuffle(lines)
        case 1:
            lines.insert(at, rng.choice(lines))
        case 2:
            del lines[at]
        case _:
            cells = lines[at].split(b",")
            cells[rng.randrange(len(cells))] = rng.choice(SPICE)
            lines[at] = b",".join(cells)
    return b"\n".join(lines)


def nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container in JSON with every key or index of it."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from nodes(value[key])


def place_in(rng: Random, value: Any) -> tuple[Any, Any]:
    """Return a place in JSON: at each depth any of them, so that the large parts do not get all."""
    holder, key = rng.choice([(value, key) for key in keys(value)])
    while keys(holder[key]) and chance(rng, 0.7):
        holder, key = holder[key], rng.choice(keys(holder[key]))
    return holder, key


def keys(value: Any) -> list[Any]:
    """Return what leads into a container, nothing for all else."""
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


def mutate_json(rng: Random, data: bytes) -> bytes:
    """Return the JSON with one or two values changed, left out, added or exchanged."""
    record = json.loads(data)
    for _ in range(rng.choice([1, 1, 1, 2])):
        if not keys(record):
            break
        holder, key = place_in(rng, record)
        match rng.randrange(6):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[rng.choice(["new", "", "\ud800", "x" * 99])] = rng.choice(VALUES)
            case 1:
                holder.insert(key, copy.deepcopy(holder[key]))
            case 2:
                other, there = place_in(rng, record)
                holder[key] = copy.deepcopy(other[there])
            case 3 if isinstance(holder, dict):
                holder[rng.choice(list(holder))] = copy.deepcopy(holder[key])
            case _:
                holder[key] = rng.choice(VALUES)
    text = json.dumps(record)
    if chance(rng, 0.05):
        text = text.replace("{", '{"schema": 1, ', 1)  # a key that is there twice
    return text.encode()


def mutate(rng: Random, path: Path) -> None:
    """Spoil a file in a way that suits its kind."""
    data = path.read_bytes()
    if path.suffix == ".json" and chance(rng, 0.7):
        path.write_bytes(mutate_json(rng, data))
    elif path.suffix == ".db" and chance(rng, 0.7):
        mutate_cells(rng, path)
    elif path.suffix in (".csv", ".txt", ".lines", ".py") and chance(rng, 0.5):
        path.write_bytes(mutate_lines(rng, data))
    else:
        path.write_bytes(mutate_bytes(rng, data))


#: Values for a cell of a store.
CELLS: list[Any] = [
    None,
    0,
    1,
    2,
    -1,
    3,
    2**62,
    0.5,
    float("inf"),
    "",
    "x",
    "1",
    "5 1",
    "1 2",
    "first",
    "second",
    "draw",
    "{}",
    "[]",
    "null",
    "NaN",
    "[" * 9000,
    "monkey",
    "tictactoe",
    "connect4",
    "a\nb",
    "\x1b[2J",
    "\u202e",
    "9" * 400,
    b"\xff\0",
    "illegal",
    "timeout",
    '{"sprt": 1}',
    "x" * 3000,
    "2024-13-45",
    "a\0b",
]


def mutate_cells(rng: Random, path: Path) -> None:
    """Change, delete or repeat rows of a store by SQL; what SQLite refuses is not done."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        schema = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = sorted(row[0] for row in database.execute(schema))
        filled = [name for name in names if database.execute(f"SELECT * FROM {name}").fetchone()]
        for _ in range(rng.choice([1, 1, 2])):
            table = rng.choice(filled)
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            row = database.execute(f"SELECT * FROM {table} ORDER BY random() LIMIT 0").fetchone()
            rows = database.execute(f"SELECT * FROM {table}").fetchall()
            row = rng.choice(rows) if rows else ()
            where = " AND ".join(f"{column} IS ?" for column in columns)
            column = rng.choice(columns)
            with suppress(sqlite3.Error):
                match rng.randrange(8):
                    case 0:
                        database.execute(f"DELETE FROM {table} WHERE {where}", row)
                    case 1:
                        database.execute(f"UPDATE {table} SET {column} = ?", (rng.choice(CELLS),))
                    case 2 if chance(rng, 0.2):
                        database.execute(f"DROP TABLE {table}")
                    case 3:
                        other = rng.choice(rows)[columns.index(column)]
                        change = f"UPDATE {table} SET {column} = ? WHERE {where}"
                        database.execute(change, (other, *row))
                    case _:
                        change = f"UPDATE {table} SET {column} = ? WHERE {where}"
                        database.execute(change, (rng.choice(CELLS), *row))
