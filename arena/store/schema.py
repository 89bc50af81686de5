"""Define the tables of a store, and migrate a store of an older arena.

A run is one command's work, a fight one pairing of it, a game one row. A regression run has a row
for each of its verdicts. Recomputable values (counts, tables, ratings) are not kept, except the
result of a finished fight for the check. :mod:`arena.store.migrations` makes the tables.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    inspect,
    select,
    update,
)

from arena.errors import describe
from arena.store import migrations
from arena.store.columns import AnyText, Large

metadata = MetaData()

#: The table that only stores from before the first of these migrations have. A store has another
#: one now, so that such an arena does not take it for its own.
_BEFORE = "arena_schema"


class NoStore(Exception):
    """The reason why a file is not a store that this arena can use."""


class Outdated(NoStore):
    """A store from before these migrations, which only the arena that made it can read."""


class Unreadable(Exception):
    """A value in a store that this arena would not have written."""


def read_json(text: str) -> Any:
    """Return the value of a column of JSON. Raises Unreadable for another text."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable(f"a value is not JSON: {describe(error)}") from error


#: One row: the number of migrations that the file has been through.
version = Table("arena_store", metadata, Column("version", Integer, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    #: When the run began and when it was completed, in UTC as ISO 8601 text.
    Column("started", Text, nullable=False),
    Column("finished", Text),
    #: ``fight``, ``round robin``, ``gauntlet`` or ``regress``.
    Column("schedule", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("seed", Large, nullable=False),
    #: Version of the random streams that it draws from, as :data:`arena.rng.STREAMS`.
    Column("streams", Integer, nullable=False),
    #: Settings of a sequential test, and the question until which it is played; null without one.
    Column("sprt", JSON(none_as_null=True)),
    Column("until", JSON(none_as_null=True)),
    #: Unusual settings of its pairings, by the names of the fields.
    Column("options", JSON, nullable=False),
    #: The name of the file with the contest that the run plays, and its text; null without one.
    Column("contest_file", AnyText),
    Column("contest_text", AnyText),
    Column("arena_version", Text, nullable=False),
    Column("python_version", Text, nullable=False),
    Column("machine", Text, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("version", Text, nullable=False),
    Column("package", Text, nullable=False),
    #: The file with the player, ``/home/me/bot.py:choose``; empty for an installed player.
    Column("file", AnyText, nullable=False),
    #: Digest of the player's code; see :mod:`arena.store.code`.
    Column("digest", Text, nullable=False),
    #: Tier that isolates its process; empty for a player within a worker.
    Column("isolation", Text, nullable=False),
    #: Limits of its process by name; empty for a player within a worker.
    Column("limits", JSON, nullable=False),
    #: Where it comes from, ``./alice.py`` of ``alice=./alice.py``; empty if its name says that.
    Column("spec", AnyText, nullable=False),
    #: Why it cannot be started; null while it can.
    Column("withdrawn", AnyText),
)

fights = Table(
    "fights",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    #: Places of A and of B among the run's players.
    Column("a", Integer, nullable=False),
    Column("b", Integer, nullable=False),
    #: For more than two: the places of all players, A and B first, in the order of their seats.
    Column("seats", JSON(none_as_null=True)),
    Column("pairs", Large, nullable=False),
    #: Result of a finished fight, as in schemas ``arena.fight/1`` and ``arena.tables/1``.
    Column("result", JSON(none_as_null=True)),
    ForeignKeyConstraint(["run", "a"], ["players.run", "players.place"]),
    ForeignKeyConstraint(["run", "b"], ["players.run", "players.place"]),
)

games = Table(
    "games",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("fight", Integer, primary_key=True),
    Column("pair", Large, primary_key=True),
    #: 1 if A moved first, 2 if B did: the end of the game's id. Of n seats the rotation, 1 to n.
    Column("half", Integer, primary_key=True),
    #: Moves in the game's notation, with blanks between them.
    Column("moves", Text, nullable=False),
    #: ``first``, ``second`` or ``draw``; null for a game that only has payoffs.
    Column("outcome", Text),
    #: For a forfeit: the side that lost by it, its reason and its message.
    Column("forfeit_side", Integer),
    Column("reason", Text),
    Column("message", AnyText),
    Column("seconds", Float, nullable=False),
    #: For few games an object of JSON: of a forfeit ``where`` and ``remedy``; what players
    #: ``printed``; what the ``referee`` of a game said that it played.
    Column("note", Text),
    #: Room for more seats, null today: the places of the players by seat, if ``half`` does not
    #: tell them.
    Column("seats", Text),
    #: Exact payoffs by seat, such as ``3/2 -3/2``, if ``outcome`` does not tell them. Null for a
    #: forfeit, which the game tells.
    Column("payoffs", Text),
    #: The places, from 1, of those ``moves`` that are chance's.
    Column("chance", Text),
    ForeignKeyConstraint(["run", "fight"], ["fights.run", "fights.number"]),
    sqlite_with_rowid=False,
)

void_pairs = Table(
    "void_pairs",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("fight", Integer, primary_key=True),
    Column("first", Large, primary_key=True),
    Column("last", Large, nullable=False),
    Column("reason", AnyText, nullable=False),
    #: 1 if their games ended the processes that played them, else 0.
    Column("killed", Integer, nullable=False),
    ForeignKeyConstraint(["run", "fight"], ["fights.run", "fights.number"]),
)

changes = Table(
    "changes",
    metadata,
    Column("run", Integer, primary_key=True),
    #: Counts the changes to a run from 1.
    Column("number", Integer, primary_key=True),
    #: When it was, in UTC as ISO 8601 text.
    Column("date", Text, nullable=False),
    #: ``added``, ``replaced`` or ``withdrawn``; see :mod:`arena.store.player_changes`.
    Column("what", Text, nullable=False),
    #: The player that came, or was withdrawn, by its place; and the one whose seat it takes.
    Column("place", Integer, nullable=False),
    Column("replaces", Integer),
    #: How many rounds had begun, of a run that a schedule plays by rounds; null for others.
    Column("rounds", Integer),
    ForeignKeyConstraint(["run", "place"], ["players.run", "players.place"]),
    ForeignKeyConstraint(["run", "replaces"], ["players.run", "players.place"]),
)

regression_runs = Table(
    "regression_runs",
    metadata,
    Column("id", Integer, primary_key=True),
    #: When the run ended, in UTC as ISO 8601 text.
    Column("date", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("arena_version", Text, nullable=False),
    Column("python_version", Text, nullable=False),
    Column("machine", Text, nullable=False),
    #: The whole report, as in schema ``arena.regress/1``.
    Column("report", JSON, nullable=False),
)

checks = Table(
    "checks",
    metadata,
    Column("regression_run", ForeignKey("regression_runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player", AnyText, nullable=False),
    #: Digest of the player's code; see :mod:`arena.store.code`. Empty if it is not installed.
    Column("digest", Text, nullable=False),
    Column("game", Text, nullable=False),
    #: The claim, or the comparison of strength: ``policy`` or ``games``.
    Column("what", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    #: Score against the panel as a fraction; null for a claim.
    Column("score", Text),
    Column("message", AnyText, nullable=False),
)

imports = Table(
    "imports",
    metadata,
    Column("id", Integer, primary_key=True),
    #: When it was, in UTC as ISO 8601 text.
    Column("date", Text, nullable=False),
    #: The name of the file with games that were played elsewhere, and the digest of its content.
    Column("file", AnyText, nullable=False),
    Column("digest", Text, nullable=False),
)

imported = Table(
    "imported",
    metadata,
    Column("import", ForeignKey("imports.id"), primary_key=True),
    #: Counts the games of an import from 1.
    Column("number", Integer, primary_key=True),
    #: The line of the file in which the game begins.
    Column("line", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("game_version", Integer, nullable=False),
    #: Names of the first and the second side.
    Column("first", AnyText, nullable=False),
    Column("second", AnyText, nullable=False),
    #: Text of the position that it began from; null for the start.
    Column("opening", Text),
    #: Moves in the game's notation, with blanks between them.
    Column("moves", Text, nullable=False),
    #: ``first``, ``second`` or ``draw``, as the file says; the rules agree where they end the game.
    Column("outcome", Text, nullable=False),
    #: Tags of the file, and comments by the number of moves before them.
    Column("tags", JSON, nullable=False),
    Column("comments", JSON, nullable=False),
)

#: The pairs that volunteers played: see :mod:`arena.volunteers`.
parts = Table(
    "parts",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("fight", Integer, primary_key=True),
    Column("first", Large, primary_key=True),
    Column("last", Large, primary_key=True),
    #: The name of the volunteer.
    Column("worker", AnyText, primary_key=True),
    ForeignKeyConstraint(["run", "fight"], ["fights.run", "fights.number"]),
)

#: Volunteers that sent a wrong game. None of their games is in the store.
dismissed = Table(
    "dismissed",
    metadata,
    Column("worker", AnyText, primary_key=True),
    #: When it was, in UTC as ISO 8601 text.
    Column("date", Text, nullable=False),
    Column("problem", AnyText, nullable=False),
)

#: Contests that a server conducts.
conducted = Table(
    "conducted",
    metadata,
    Column("id", Integer, primary_key=True),
    #: When the server first opened it, in UTC as ISO 8601 text.
    Column("opened", Text, nullable=False),
    #: The name of the contest's file, which the run has too.
    Column("file", AnyText, nullable=False),
    #: 1 while the owner wants it to be played, else 0.
    Column("started", Integer, nullable=False),
    #: When hand-ins close, in UTC as ISO 8601 text: null for what the file says, empty for never.
    Column("closes", Text),
    #: The names of the entrants that the owner has withdrawn.
    Column("withdrawn", JSON, nullable=False),
)

hand_ins = Table(
    "hand_ins",
    metadata,
    Column("contest", ForeignKey("conducted.id"), primary_key=True),
    Column("entrant", AnyText, primary_key=True),
    #: Counts the hand-ins of the entrant from 1.
    Column("number", Integer, primary_key=True),
    #: When it came, in UTC as ISO 8601 text.
    Column("received", Text, nullable=False),
    #: The name of the file as its author calls it, and its content.
    Column("filename", AnyText, nullable=False),
    Column("digest", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    #: ``waiting``, ``checking``, ``passed``, ``refused`` or ``replaced``.
    Column("state", Text, nullable=False),
    #: The report of its check, as in schema ``arena.check/1``; null without one.
    Column("report", JSON(none_as_null=True)),
    #: Why it was refused, on one line; empty else.
    Column("problem", AnyText, nullable=False),
    #: How long its check took.
    Column("seconds", Float, nullable=False),
)


def is_current(version: int) -> bool:
    """Return whether a store of this version needs no migration."""
    return version == len(migrations.MIGRATIONS)


def migrate(connection: Connection) -> None:
    """Migrate a store or an empty file to this arena's version. Raises NoStore for a newer."""
    stored, current = version_of(connection), len(migrations.MIGRATIONS)
    if stored > current:
        raise NoStore(f"a newer arena made it: version {stored} of the schema")
    types = migrations.TYPES[connection.dialect.name]
    for statement in chain.from_iterable(migrations.MIGRATIONS[stored:]):
        connection.exec_driver_sql(statement.format_map(types))
    if stored < current:
        connection.execute(update(version).values(version=current))


def version_of(connection: Connection) -> int:
    """Return the version of the schema, 0 for an empty database.

    Raises NoStore for another database, and Outdated for a store from before these migrations.
    """
    tables = inspect(connection).get_table_names()
    if version.name in tables:
        versions = connection.execute(select(version.c.version)).scalars().all()
        if len(versions) != 1 or not isinstance(versions[0], int):
            raise NoStore("it does not say which version of the schema it has")
        return versions[0]
    if _BEFORE in tables:
        raise Outdated
    if tables:
        raise NoStore("it is a database, but not a store of arena's")
    return 0
