"""Keep games that were played elsewhere, and read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select

from arena.clock import timestamp
from arena.errors import ArenaError, UsageError, quoted
from arena.game import Game, Outcome, Position
from arena.records.base import Json
from arena.store import schema
from arena.store.reading import legible
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


def keep_games(store: Store, file: str, digest: str, games: Iterable[ImportedGame]) -> int | None:
    """Keep all games of a file or none, and return the number of the import, None without games.

    Raises UsageError if the store has the file already, and whatever the games raise.
    """
    imports, rows = schema.imports, list[Json]()
    with store.write() as connection:
        known = select(imports.c.id).where(imports.c.digest == digest)
        found = connection.execute(known).scalars().first()
        if found is not None:
            raise UsageError(f"games {quoted(file)}: the store has them as import {found}")
        row = insert(imports).values(date=timestamp(), file=file, digest=digest)
        (number,) = connection.execute(row).inserted_primary_key or (0,)
        count = 0
        for count, game in enumerate(games, start=1):
            rows.append({"import": number, "number": count, **_row(game)})
            if len(rows) == _AT_ONCE:
                connection.execute(insert(schema.imported), rows)
                rows.clear()
        if rows:
            connection.execute(insert(schema.imported), rows)
        if not count:
            connection.execute(delete(imports).where(imports.c.id == number))
    return int(number) if count else None


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


def read_imports(connection: Connection) -> list[Json]:
    """Return the imports of a store, each with the number of its games."""
    imports, imported = schema.imports, schema.imported
    own = select(imports, func.count(imported.c.number).label("count")).outerjoin(
        imported, imported.c["import"] == imports.c.id
    )
    return [
        {"import": row.id, "date": row.date, "file": row.file, "games": row.count}
        for row in connection.execute(own.group_by(imports.c.id).order_by(imports.c.id))
    ]


def read_imported(connection: Connection, number: int | None = None) -> Iterator[Json]:
    """Yield the games of an import, or of all, as JSON."""
    imported = schema.imported
    query = select(imported).order_by(imported.c["import"], imported.c.number)
    if number is not None:
        query = query.where(imported.c["import"] == number)
    for row in connection.execute(query):
        with legible(f"import {row._mapping['import']}, line {row.line}"):
            game = _as_json(row)
        yield game


def _as_json(row: Row[Any]) -> Json:
    Outcome(row.outcome)
    comments = [(int(place), str(text)) for place, text in row.comments]
    return {
        "line": row.line,
        "game": row.game,
        "game_version": row.game_version,
        "players": [row.first, row.second],
        "opening": row.opening,
        "moves": row.moves.split(),
        "outcome": row.outcome,
        "tags": {str(name): str(text) for name, text in row.tags.items()},
        "comments": comments,
        "played_here": False,
    }


def problem_of(found: Json, game: Game) -> str | None:
    """Return what the rules say against a game that was played elsewhere, None if nothing."""
    if game.version != found["game_version"]:
        return f"by version {found['game_version']} of the rules; this is {game.version}"
    try:
        position = game.start() if found["opening"] is None else game.parse(found["opening"])
        for text in found["moves"]:
            position = position.play(game.parse_move(text))
    except ArenaError as error:
        return str(error)
    return problem_of_end(position, Outcome(found["outcome"]))


def problem_of_end(position: Position, outcome: Outcome) -> str | None:
    """Return what the rules say against an outcome; a game may end before they end it."""
    ended = position.outcome()
    if ended in (None, outcome):
        return None
    return f"it is {outcome.value!r}, by the rules {ended.value!r}"
