"""Define the tables of a store, and migrate a store of an older arena.

A run is one command's work, a fight one pairing of it, a game one row; a night is one regression
run, with a row for each of its verdicts. Recomputable values (counts, tables, ratings) are not
kept, except the result of a finished fight for the check.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

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
    insert,
    inspect,
    select,
    update,
)

from arena.store.columns import AnyText, Large

metadata = MetaData()


class NoStore(Exception):
    """The reason why a file is not a store that this arena can use."""


class Unreadable(Exception):
    """A value in a store that this arena would not have written."""


#: One row: the number of migrations that the file has been through.
version = Table("arena_schema", metadata, Column("version", Integer, nullable=False))

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
    #: Settings of a sequential test; null without one.
    Column("sprt", JSON(none_as_null=True)),
    Column("arena_version", Text, nullable=False),
    Column("python_version", Text, nullable=False),
    Column("machine", Text, nullable=False),
)

#: Version of the random streams that a run draws from, as :data:`arena.rng.STREAMS`; older runs do
#: not have a row.
streams = Table(
    "streams",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("version", Integer, nullable=False),
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
)

fights = Table(
    "fights",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    #: Places of A and of B among the run's players.
    Column("a", Integer, nullable=False),
    Column("b", Integer, nullable=False),
    Column("pairs", Large, nullable=False),
    #: Result of a finished fight, as in schema ``arena.fight/1``.
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
    #: 1 if A moved first, 2 if B did: the end of the game's id.
    Column("half", Integer, primary_key=True),
    #: Moves in the game's notation, with blanks between them.
    Column("moves", Text, nullable=False),
    #: ``first``, ``second`` or ``draw``.
    Column("outcome", Text, nullable=False),
    #: For a forfeit: the side that lost by it, its reason and its message.
    Column("forfeit_side", Integer),
    Column("reason", Text),
    Column("message", AnyText),
    Column("seconds", Float, nullable=False),
    ForeignKeyConstraint(["run", "fight"], ["fights.run", "fights.number"]),
    sqlite_with_rowid=False,
)

#: Facts on a game besides its result; most games do not have a row.
notes = Table(
    "notes",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("fight", Integer, primary_key=True),
    Column("pair", Large, primary_key=True),
    Column("half", Integer, primary_key=True),
    #: An object of JSON: of a forfeit ``where`` and ``remedy``; what players ``printed``;
    #: what the ``referee`` of a game said that it played.
    Column("note", Text, nullable=False),
    ForeignKeyConstraint(["run", "fight"], ["fights.run", "fights.number"]),
    sqlite_with_rowid=False,
)

options = Table(
    "options",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    #: Unusual settings of its pairings, by the names of the fields, and the question ``until``
    #: which it is played; no row without any.
    Column("options", JSON, nullable=False),
)

limits = Table(
    "limits",
    metadata,
    Column("run", Integer, primary_key=True),
    #: An isolated player by its place, and its limits.
    Column("place", Integer, primary_key=True),
    Column("limits", JSON, nullable=False),
    ForeignKeyConstraint(["run", "place"], ["players.run", "players.place"]),
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

withdrawn = Table(
    "withdrawn",
    metadata,
    Column("run", Integer, primary_key=True),
    #: A player by its place, and why it cannot be started.
    Column("place", Integer, primary_key=True),
    Column("problem", AnyText, nullable=False),
    ForeignKeyConstraint(["run", "place"], ["players.run", "players.place"]),
)

specs = Table(
    "specs",
    metadata,
    Column("run", Integer, primary_key=True),
    #: A player by its place, and where it comes from: ``./alice.py`` of ``alice=./alice.py``.
    Column("place", Integer, primary_key=True),
    Column("spec", AnyText, nullable=False),
    ForeignKeyConstraint(["run", "place"], ["players.run", "players.place"]),
)

contests = Table(
    "contests",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    #: The name of the file with the contest that the run plays, and its text.
    Column("file", AnyText, nullable=False),
    Column("text", AnyText, nullable=False),
)

changes = Table(
    "changes",
    metadata,
    Column("run", Integer, primary_key=True),
    #: Counts the changes to a run from 1.
    Column("number", Integer, primary_key=True),
    #: When it was, in UTC as ISO 8601 text.
    Column("date", Text, nullable=False),
    #: ``added``, ``replaced`` or ``withdrawn``; see :mod:`arena.store.growth`.
    Column("what", Text, nullable=False),
    #: The player that came, or was withdrawn, by its place; and the one whose seat it takes.
    Column("place", Integer, nullable=False),
    Column("replaces", Integer),
    ForeignKeyConstraint(["run", "place"], ["players.run", "players.place"]),
    ForeignKeyConstraint(["run", "replaces"], ["players.run", "players.place"]),
)

#: After how many rounds a change was, of a run that a schedule plays by rounds: those that had
#: begun by then.
change_rounds = Table(
    "change_rounds",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("rounds", Integer, nullable=False),
    ForeignKeyConstraint(["run", "number"], ["changes.run", "changes.number"]),
)

nights = Table(
    "nights",
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
    Column("night", ForeignKey("nights.id"), primary_key=True),
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

#: Contests that a server conducts. ``contests`` above is of the files of runs.
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


def _first(connection: Connection) -> None:
    metadata.create_all(connection, [version, runs, players, fights, games])
    connection.execute(insert(version).values(version=0))


#: Changes to the schema, in order: the first n of these lead to version n.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _first,
    partial(metadata.create_all, tables=[nights, checks]),
    partial(metadata.create_all, tables=[options, limits, void_pairs, withdrawn]),
    partial(metadata.create_all, tables=[streams]),
    partial(metadata.create_all, tables=[specs, contests, changes, notes]),
    partial(metadata.create_all, tables=[imports, imported]),
    partial(metadata.create_all, tables=[change_rounds]),
    partial(metadata.create_all, tables=[conducted, hand_ins]),
)


def is_current(connection: Connection) -> bool:
    """Return whether a store needs no migration."""
    return version_of(connection) == len(MIGRATIONS)


def migrate(connection: Connection) -> None:
    """Migrate a store or an empty file to this arena's version. Raises NoStore for a newer."""
    at = version_of(connection)
    if at > len(MIGRATIONS):
        raise NoStore(f"a newer arena made it: version {at} of the schema")
    for migration in MIGRATIONS[at:]:
        migration(connection)
    if at < len(MIGRATIONS):
        connection.execute(update(version).values(version=len(MIGRATIONS)))


def version_of(connection: Connection) -> int:
    """Return the version of the schema, 0 for an empty database; NoStore for another one."""
    tables = inspect(connection).get_table_names()
    if version.name in tables:
        found = connection.execute(select(version.c.version)).scalars().all()
        if len(found) != 1 or not isinstance(found[0], int):
            raise NoStore("it does not say which version of the schema it has")
        return found[0]
    if tables:
        raise NoStore("it is a database, but not a store of arena's")
    return 0
