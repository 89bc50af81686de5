"""Make the tables of a store, step by step. Each step stays as it was written.

A store is made by the same steps by which an older one catches up. So a step is text and never
looks at :mod:`arena.store.schema`, which declares the tables of today. A test compares the two.

To add a column, add it to its table in the schema, and add a step such as ``("ALTER TABLE runs ADD
COLUMN label {words}",)`` below. A word in braces is a type of :data:`TYPES`. A brace of SQL itself
is doubled.
"""

from __future__ import annotations

from collections.abc import Mapping

#: The types whose names differ, by database; :mod:`arena.store.columns` has their values.
TYPES: Mapping[str, Mapping[str, str]] = {
    "sqlite": {
        "id": "INTEGER NOT NULL PRIMARY KEY",
        "large": "INTEGER",
        "words": "TEXT",
        "bytes": "BLOB",
        "clustered": "WITHOUT ROWID",
    },
    "postgresql": {
        "id": "SERIAL PRIMARY KEY",
        "large": "BIGINT",
        "words": "BYTEA",
        "bytes": "BYTEA",
        "clustered": "",
    },
}

#: The statements of each step: the first n steps lead to version n.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE arena_store (version INTEGER NOT NULL)",
        "INSERT INTO arena_store VALUES (0)",
        """CREATE TABLE runs (
            id {id},
            started TEXT NOT NULL,
            finished TEXT,
            schedule TEXT NOT NULL,
            game TEXT NOT NULL,
            game_version INTEGER NOT NULL,
            seed {large} NOT NULL,
            streams INTEGER NOT NULL,
            sprt JSON,
            until JSON,
            options JSON NOT NULL,
            contest_file {words},
            contest_text {words},
            arena_version TEXT NOT NULL,
            python_version TEXT NOT NULL,
            machine TEXT NOT NULL
        )""",
        """CREATE TABLE players (
            run INTEGER NOT NULL REFERENCES runs (id),
            place INTEGER NOT NULL,
            name {words} NOT NULL,
            version TEXT NOT NULL,
            package TEXT NOT NULL,
            file {words} NOT NULL,
            digest TEXT NOT NULL,
            isolation TEXT NOT NULL,
            limits JSON NOT NULL,
            spec {words} NOT NULL,
            withdrawn {words},
            PRIMARY KEY (run, place)
        )""",
        """CREATE TABLE fights (
            run INTEGER NOT NULL REFERENCES runs (id),
            number INTEGER NOT NULL,
            a INTEGER NOT NULL,
            b INTEGER NOT NULL,
            seats JSON,
            pairs {large} NOT NULL,
            result JSON,
            PRIMARY KEY (run, number),
            FOREIGN KEY (run, a) REFERENCES players (run, place),
            FOREIGN KEY (run, b) REFERENCES players (run, place)
        )""",
        """CREATE TABLE games (
            run INTEGER NOT NULL,
            fight INTEGER NOT NULL,
            pair {large} NOT NULL,
            half INTEGER NOT NULL,
            moves TEXT NOT NULL,
            outcome TEXT,
            forfeit_side INTEGER,
            reason TEXT,
            message {words},
            seconds FLOAT NOT NULL,
            note TEXT,
            seats TEXT,
            payoffs TEXT,
            chance TEXT,
            PRIMARY KEY (run, fight, pair, half),
            FOREIGN KEY (run, fight) REFERENCES fights (run, number)
        ) {clustered}""",
        """CREATE TABLE void_pairs (
            run INTEGER NOT NULL,
            fight INTEGER NOT NULL,
            first {large} NOT NULL,
            last {large} NOT NULL,
            reason {words} NOT NULL,
            killed INTEGER NOT NULL,
            PRIMARY KEY (run, fight, first),
            FOREIGN KEY (run, fight) REFERENCES fights (run, number)
        )""",
        """CREATE TABLE changes (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            date TEXT NOT NULL,
            what TEXT NOT NULL,
            place INTEGER NOT NULL,
            replaces INTEGER,
            rounds INTEGER,
            PRIMARY KEY (run, number),
            FOREIGN KEY (run, place) REFERENCES players (run, place),
            FOREIGN KEY (run, replaces) REFERENCES players (run, place)
        )""",
        """CREATE TABLE regression_runs (
            id {id},
            date TEXT NOT NULL,
            verdict TEXT NOT NULL,
            arena_version TEXT NOT NULL,
            python_version TEXT NOT NULL,
            machine TEXT NOT NULL,
            report JSON NOT NULL
        )""",
        """CREATE TABLE checks (
            regression_run INTEGER NOT NULL REFERENCES regression_runs (id),
            number INTEGER NOT NULL,
            player {words} NOT NULL,
            digest TEXT NOT NULL,
            game TEXT NOT NULL,
            what TEXT NOT NULL,
            verdict TEXT NOT NULL,
            score TEXT,
            message {words} NOT NULL,
            PRIMARY KEY (regression_run, number)
        )""",
        """CREATE TABLE imports (
            id {id},
            date TEXT NOT NULL,
            file {words} NOT NULL,
            digest TEXT NOT NULL
        )""",
        """CREATE TABLE imported (
            import INTEGER NOT NULL REFERENCES imports (id),
            number INTEGER NOT NULL,
            line INTEGER NOT NULL,
            game TEXT NOT NULL,
            game_version INTEGER NOT NULL,
            first {words} NOT NULL,
            second {words} NOT NULL,
            opening TEXT,
            moves TEXT NOT NULL,
            outcome TEXT NOT NULL,
            tags JSON NOT NULL,
            comments JSON NOT NULL,
            PRIMARY KEY (import, number)
        )""",
        """CREATE TABLE conducted (
            id {id},
            opened TEXT NOT NULL,
            file {words} NOT NULL,
            started INTEGER NOT NULL,
            closes TEXT,
            withdrawn JSON NOT NULL
        )""",
        """CREATE TABLE hand_ins (
            contest INTEGER NOT NULL REFERENCES conducted (id),
            entrant {words} NOT NULL,
            number INTEGER NOT NULL,
            received TEXT NOT NULL,
            filename {words} NOT NULL,
            digest TEXT NOT NULL,
            content {bytes} NOT NULL,
            state TEXT NOT NULL,
            report JSON,
            problem {words} NOT NULL,
            seconds FLOAT NOT NULL,
            PRIMARY KEY (contest, entrant, number)
        )""",
    ),
    (
        """CREATE TABLE parts (
            run INTEGER NOT NULL,
            fight INTEGER NOT NULL,
            first {large} NOT NULL,
            last {large} NOT NULL,
            worker {words} NOT NULL,
            PRIMARY KEY (run, fight, first, last, worker),
            FOREIGN KEY (run, fight) REFERENCES fights (run, number)
        )""",
        """CREATE TABLE dismissed (
            worker {words} NOT NULL,
            date TEXT NOT NULL,
            problem {words} NOT NULL,
            PRIMARY KEY (worker)
        )""",
    ),
)
