"""Keep games that were played elsewhere, and read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TextIO

from sqlalchemy import Connection, Row, func, insert, select

from arena.clock import timestamp
from arena.errors import ArenaError, UsageError, quoted
from arena.game import Game, Outcome, Position
from arena.games.walk import walked
from arena.records.base import Json
from arena.records.exports import ExternalGame
from arena.records.rows import ListedImport
from arena.store import schema
from arena.store.reading import legible, text_of
from arena.store.sql import Store

#: Games that are written at a time.
_AT_ONCE = 1000


class ImportedGame(NamedTuple):
    """A game that was played elsewhere, as the rules know it and as its file says."""

    line: int
    game: Game
    players: tuple[str, str]
    #: None for the start.
    opening: Position | None
    moves: tuple[int, ...]
    outcome: Outcome
    tags: Mapping[str, str]
    comments: Sequence[tuple[int, str]]


def require_new(store: Store, file: str, digest: str) -> None:
    """Raise UsageError if the store has the file with this digest already."""
    with store.read() as connection:
        _require_new(connection, file, digest)


def _require_new(connection: Connection, file: str, digest: str) -> None:
    query = select(schema.imports.c.id).where(schema.imports.c.digest == digest)
    number = connection.execute(query).scalars().first()
    if number is not None:
        raise UsageError(f"games {quoted(file)}: the store has them as import {number}")


def spool(games: Iterable[ImportedGame], lines: TextIO) -> None:
    """Write each game on a line of a file, from which :func:`keep_games` takes them.

    Checking games takes long, and no other process can write to the store while they are kept.
    """
    for number, game in enumerate(games, start=1):
        lines.write(json.dumps({"number": number, **_row(game)}) + "\n")
    lines.seek(0)


def keep_games(store: Store, file: str, digest: str, lines: Iterable[str]) -> int:
    """Keep all spooled games or none, and return the number of the import.

    Raises UsageError if the store has the file already.
    """
    imports, rows = schema.imports, map(json.loads, lines)
    with store.write() as connection:
        _require_new(connection, file, digest)
        row = insert(imports).values(date=timestamp(), file=file, digest=digest)
        (number,) = connection.execute(row).inserted_primary_key or (0,)
        while part := list(islice(rows, _AT_ONCE)):
            values = [{"import": number, **game} for game in part]
            connection.execute(insert(schema.imported), values)
    return int(number)


def _row(game: ImportedGame) -> Json:
    return {
        "line": game.line,
        "game": game.game.name,
        "game_version": game.game.version,
        "first": game.players[0],
        "second": game.players[1],
        "opening": None if game.opening is None else str(game.opening),
        "moves": " ".join(map(game.game.format_move, game.moves)),
        "outcome": game.outcome.value,
        "tags": dict(game.tags),
        "comments": [list(comment) for comment in game.comments],
    }


def read_imports(connection: Connection) -> list[ListedImport]:
    """Return the imports of a store, each with the number of its games."""
    imports, imported = schema.imports, schema.imported
    query = select(imports, func.count(imported.c.number).label("count")).outerjoin(
        imported, imported.c["import"] == imports.c.id
    )
    return [
        {"import": row.id, "date": row.date, "file": row.file, "games": row._mapping["count"]}
        for row in connection.execute(query.group_by(imports.c.id).order_by(imports.c.id))
    ]


def read_imported(connection: Connection, number: int | None = None) -> Iterator[ExternalGame]:
    """Yield the games of an import, or of all."""
    imported = schema.imported
    query = select(imported).order_by(imported.c["import"], imported.c.number)
    if number is not None:
        query = query.where(imported.c["import"] == number)
    for row in connection.execute(query):
        with legible(f"import {row._mapping['import']}, line {row.line}"):
            game = _external_game(row)
        yield game


def _external_game(row: Row[Any]) -> ExternalGame:
    Outcome(row.outcome)
    return ExternalGame(
        line=row.line,
        game=text_of(row.game),
        game_version=row.game_version,
        players=(text_of(row.first), text_of(row.second)),
        opening=row.opening and text_of(row.opening),
        moves=tuple(text_of(row.moves).split()),
        outcome=row.outcome,
        tags={str(name): str(text) for name, text in row.tags.items()},
        comments=tuple((int(place), str(text)) for place, text in row.comments),
    )


def problem_of(record: ExternalGame, game: Game) -> str | None:
    """Return how a game that was played elsewhere breaks the rules, or None if it does not."""
    if game.version != record.game_version:
        return f"by version {record.game_version} of the rules; this is {game.version}"
    try:
        begin = game.start() if record.opening is None else game.parse(record.opening)
        position = walked(begin, map(game.parse_move, record.moves))
    except ArenaError as error:
        return str(error)
    return problem_of_end(position, Outcome(record.outcome))


def problem_of_end(position: Position, outcome: Outcome) -> str | None:
    """Return how an outcome breaks the rules. A game may end before they end it."""
    ended = position.outcome()
    if ended in (None, outcome):
        return None
    return f"it is {outcome.value!r}, by the rules {ended.value!r}"
