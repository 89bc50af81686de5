"""Keep a store in a database of a PostgreSQL server.

The server does what a file cannot: any number of runs on any number of machines write at once. A
run is locked by a session of its own, which ends when the connection does, and the run's games are
written in that session alone: a process that has lost the lock cannot write.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any
from weakref import WeakSet, finalize

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, func, select
from sqlalchemy.engine import make_url

from arena.clock import now, sleep
from arena.errors import ArenaError, StoreError, UsageError, one_line, quoted
from arena.executors.endings import cut_off, ended_undisturbed
from arena.store import schema
from arena.store.database import Database, TransactionKind, Write
from arena.store.lock import RunLock, T, refusal
from arena.urls import without_passwords

#: Where SQLAlchemy finds the driver.
DRIVER = "postgresql+psycopg"
SCHEMES = ("postgresql", "postgres")

#: Options of a URL that are secret.
SECRET = ("password", "sslpassword")

#: The oldest supported server.
MIN_VERSION = 13

#: The first key of arena's advisory locks; the second is a run, or 0 for the whole store.
ARENA = 0x6172656E

#: Seconds for which a run tries to write after the connection is lost, and waits between two tries.
MAX_RETRY_SECONDS = 30
MAX_RETRY_PAUSE_SECONDS = 1.0

#: Seconds to wait for a server; the user's URL may say otherwise. A host may have two addresses.
_PATIENT = {"connect_timeout": "4"}
#: A peer that is silent is taken for dead after 5 + 3 * 3 seconds, by the client ...
_ALIVE = {
    "keepalives_idle": "5",
    "keepalives_interval": "3",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
#: ... and by the server, which then ends the session and with it the lock on the run.
_SESSION = (
    "-c synchronous_commit=on -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3"
    " -c tcp_keepalives_count=3 -c tcp_user_timeout=15000"
)

#: The server was shut down, crashed, is starting up, or has no connection left.
_LOST = ("57P01", "57P02", "57P03", "53300")

#: The server's disk is full, which its message may say as "wrote only 4096 of 8192 bytes".
_FULL = "53100"


for _library in ("psycopg", "sqlalchemy"):  # what they warn of when a connection is lost is in -v
    logging.getLogger(_library).addHandler(logging.NullHandler())


class Lost(StoreError):
    """The connection to the server is lost, or there was none."""


class PostgresServer(Database):
    """A database of a server, by its URL. Raises UsageError if that is not one of PostgreSQL."""

    def __init__(self, named: str) -> None:
        url = _read_url(named)
        self.name = _public_url(url)
        #: The server's version and encoding, as the last connection told them.
        self._server = (0, "")
        try:
            self.engine = _engine(url)
        except ModuleNotFoundError as error:
            advice = "pip install 'proving-arena[postgres]'"
            raise UsageError(f"store {quoted(self.name)} needs {error.name}: {advice}") from None
        event.listen(self.engine, "connect", self._connected)
        finalize(self, self.engine.dispose)

    def _connected(self, connection: Any, _record: Any) -> None:
        _OPEN.add(connection)
        info = connection.info
        encoding = info.parameter_status("server_encoding") or ""
        self._server = info.server_version // 10000, encoding

    def accept(self, version: int, create: bool) -> None:
        """Require a supported server, UTF-8, and a store unless it may make one."""
        number, encoding = self._server
        if number < MIN_VERSION:
            raise schema.NoStore(
                f"the server has version {number} of PostgreSQL; arena needs {MIN_VERSION} or later"
            )
        if encoding != "UTF8":
            raise schema.NoStore(f"the encoding of the database is {encoding}; arena needs UTF8")
        if version == 0 and not create:
            raise schema.NoStore("there is no store in the database yet")

    def begin(self, kind: TransactionKind) -> AbstractContextManager[Connection]:
        """Begin a transaction. One that reads sees one moment."""
        if kind == "write":
            return self.engine.begin()
        reading = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        return self.engine.execution_options(**reading).begin()

    def alone(self, connection: Connection) -> None:
        """Wait for the lock on the whole store, until the transaction ends."""
        connection.execute(select(func.pg_advisory_xact_lock(ARENA, 0)))

    def refusal(self, error: exc.DBAPIError) -> ArenaError:
        """Return a Lost for a lost connection, and else a StoreError."""
        kind = Lost if is_lost(error) else StoreError
        is_full = getattr(error.orig, "sqlstate", None) == _FULL
        message = "the server's disk is full: " * is_full + one_line(str(error.orig))
        return kind(f"store {quoted(self.name)}: {message}")

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Raise the errors of the driver as arena's."""
        try:
            yield
        except exc.DBAPIError as error:
            raise self.refusal(error) from error

    def lock(self, run: int, write: Write) -> RunLock:
        """Lock a run. Raises UsageError if another process has it."""
        return SessionLock(self, run)

    def keep(self, work: Callable[[Connection, bool], T], write: Write) -> T:
        """Do work in a transaction. If the connection is lost, do it again in a new one."""

        def attempt(is_retry: bool) -> T:
            with write() as connection:
                return work(connection, is_retry)

        return _retried(attempt)

    def damage(self, connection: Connection) -> Iterator[tuple[str, str]]:
        """Yield nothing: the server looks after its files."""
        yield from ()


class SessionLock(RunLock):
    """A lock that a session of the server has on a run. Raises UsageError if it is taken."""

    def __init__(self, database: PostgresServer, run: int) -> None:
        self._database, self._run = database, run
        self._session: Connection | None = self._begin()

    def _begin(self) -> Connection:
        """Begin a session, and lock the run in it."""
        with self._database.translated_errors():
            session = self._database.engine.connect()
            try:
                query = func.pg_try_advisory_lock(ARENA, self._run)
                is_ours = session.execute(select(query)).scalar_one()
                session.commit()
            except BaseException:
                _drop(session)
                raise
        if not is_ours:
            session.close()
            raise refusal(self._run, self._database.name)
        return session

    def keep(self, work: Callable[[Connection, bool], T]) -> T:
        """Do work in a transaction of the session. If that is lost, do it again in a new one."""
        return _retried(partial(self._keep_once, work))

    def _keep_once(self, work: Callable[[Connection, bool], T], is_retry: bool) -> T:
        if is_retry:
            self.release()
        try:
            with self._database.translated_errors():
                return self._done(work, is_retry)
        except UsageError as error:  # it may be the lost session that still has the lock
            raise Lost(str(error)) from error

    def _done(self, work: Callable[[Connection, bool], T], is_retry: bool) -> T:
        if self._session is None:
            self._session = self._begin()
        with ended_undisturbed(self._session.begin()):
            return work(self._session, is_retry)

    def release(self) -> None:
        """End the session, and with it the lock, if that has not been done."""
        if self._session is not None:
            _drop(self._session)
            self._session = None


def _retried(attempt: Callable[[bool], T]) -> T:
    """Call an attempt until the connection holds, or for MAX_RETRY_SECONDS.

    Its argument is whether it is a retry.
    """
    end, is_retry, wait = now() + MAX_RETRY_SECONDS, False, 0.1
    while True:
        try:
            return attempt(is_retry)
        except Lost:
            if now() >= end:
                raise
        is_retry = True
        sleep(wait)
        wait = min(2 * wait, MAX_RETRY_PAUSE_SECONDS)


def _drop(session: Connection) -> None:
    """End a session, which may be lost: its connection is not used again."""
    with suppress(exc.DBAPIError):
        session.invalidate()
        session.close()


def is_lost(error: exc.DBAPIError) -> bool:
    """Return whether an error is of a connection: one that is lost, or was not made."""
    code = getattr(error.orig, "sqlstate", None)
    if code is None:
        return error.connection_invalidated or isinstance(error, exc.OperationalError)
    return code.startswith("08") or code in _LOST


def _read_url(named: str) -> URL:
    """Read the URL of a database. Raises UsageError, which does not show a password."""
    name, usual = quoted(without_passwords(named)), "postgresql://USER@HOST/DATABASE"
    if named.partition("://")[0].lower().partition("+")[0] not in SCHEMES:
        raise UsageError(f"store {name}: a store is a file or {usual}")
    if named.count("@") > 1:
        raise UsageError(f"store {name}: an @ in a name or a password is written as %40")
    try:
        return make_url(named).set(drivername=DRIVER)
    except (exc.ArgumentError, ValueError):  # its message may have the password
        raise UsageError(f"store {name} is not a URL such as {usual}") from None


def _public_url(url: URL) -> str:
    """Return a URL without its secrets. A store can be opened by it."""
    query = {name: value for name, value in url.query.items() if name not in SECRET}
    public_url = URL.create(SCHEMES[0], url.username, None, url.host, url.port, url.database, query)
    return public_url.render_as_string()


def _engine(url: URL) -> Engine:
    options = url.query.get("options", "")
    session_options = " ".join(
        [_SESSION, *([options] if isinstance(options, str) else options)]
    ).strip()
    usual = {"application_name": "arena", "client_encoding": "utf8", **_PATIENT, **_ALIVE}
    usual = {name: value for name, value in usual.items() if name not in url.query}
    return create_engine(
        url,
        connect_args={**usual, "options": session_options},
        pool_pre_ping=True,
        paramstyle="format",  # rows of games are tuples
    )


#: The connections of this process.
_OPEN: WeakSet[Any] = WeakSet()


def _forget() -> None:
    """Keep a forked process from using its parent's connections.

    The server frees a lock when the connection ends, which a copy of it would keep open.
    """
    for connection in list(_OPEN):
        with suppress(Exception):  # it may be closed
            cut_off([connection.fileno()])


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
