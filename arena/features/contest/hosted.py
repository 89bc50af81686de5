"""A contest as pages see it: who is who, what was handed in, and how it stands.

All that lasts is in the store. It keeps lines for the owner, too.
"""

from __future__ import annotations

import logging
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from threading import Lock
from typing import IO, TYPE_CHECKING, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.clock import read_timestamp, timestamp
from arena.errors import UnknownName, UsageError, one_line, quoted
from arena.features.contest import hand_ins as stored
from arena.features.contest.folders import LaidOut, clear, lay_out, locked
from arena.features.contest.hand_ins import ContestRun, ContestState
from arena.features.contest.packages import HandInRefused, unpack
from arena.features.contest.setup import ContestSetup
from arena.features.contest.tokens import Identity, Tokens
from arena.features.hand_in.record import (
    CHECKING,
    FINAL,
    NOT_CHECKED,
    PASSED,
    REFUSED,
    SO_FAR,
    WAITING,
    ContestStatus,
    HandIn,
    Problem,
)
from arena.inputs.hand_in_rules import HandInRules
from arena.player.names import names_a_file
from arena.records.base import Json
from arena.runs.volunteers import sends_code
from arena.sandbox.words import WASM
from arena.store.sql import Store
from arena.volunteers.parts import SEND_CODE

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

#: This many lines for the owner are kept.
MAX_PROBLEMS = 100

#: The most characters that are kept of the name that a file has.
MAX_FILE_NAME = 100

#: The limits of what was taken.
UNLIMITED = HandInRules(size=sys.maxsize, unpacked=sys.maxsize, files=sys.maxsize)


class EntrantList(NamedTuple):
    """The entrants that should play."""

    #: Whether the owner wants it to be played.
    started: bool
    #: The specs of all by their names, in order.
    specs: dict[str, str]
    #: Folders with data that single players may read, ``NAME=FOLDER``.
    data: list[str]


class HostedContest:
    """A contest whose entrants hand in. Every method may be called from any thread."""

    def __init__(self, setup: ContestSetup, store: Store, tokens: Tokens) -> None:
        self.setup, self.file, self._tokens = setup, store, tokens
        self.number = stored.opened(store, setup.name)
        #: Many hand in at once: one package is unpacked at a time, for it takes memory.
        self._unpacking = Lock()
        #: How many packages of an entrant were not taken in a day, until the server ends.
        self._refused_packages: dict[str, tuple[str, int]] = {}
        self._problems: deque[Problem] = deque(maxlen=MAX_PROBLEMS)
        #: The files of the hand-ins that have played, by entrant and number.
        self._laid_out: dict[tuple[str, int], LaidOut] = {}
        #: The state of the games: see :attr:`ContestStatus.play`.
        self.play = "stopped"

    def play_by_volunteers(self, executor: str) -> None:
        """Hand the games out to volunteers, by this executor.

        Raises UsageError if they could not play what entrants hand in.
        """
        if self.setup.isolation.resolved().tier != WASM or not sends_code(self.setup.text):
            keys = f'isolation = "{WASM}" and {SEND_CODE} = true'
            problem = "volunteers play modules of WebAssembly and get them from this server"
            raise UsageError(f"contest {quoted(self.setup.file)}: {problem}: write {keys}")
        self.setup = replace(self.setup, executor=executor)

    @property
    def rules(self) -> HandInRules:
        """The rules of what entrants hand in, and see."""
        return self.setup.rules

    @property
    def name(self) -> str:
        """The name of the contest: that of its file, without the ending."""
        return Path(self.setup.name).stem

    @property
    def title(self) -> str:
        """The title of the contest: that in its file, or else its name."""
        return self.setup.title or self.name

    @property
    def store(self) -> str:
        """The name of the store."""
        return self.setup.store

    @property
    def entrants(self) -> Sequence[str]:
        """The names of all who have a token."""
        return self._tokens.entrants

    @property
    def run(self) -> int | None:
        """The number of the run that plays the contest, or None before it began.

        It is that of the final once that has begun.
        """
        return self.status().run

    def identify(self, token: str) -> Identity | None:
        """Return the holder of a token, or None without a holder."""
        return self._tokens.identify(token)

    def hand_in(self, entrant: str, filename: str, content: bytes) -> HandIn:
        """Take what an entrant hands in, which then waits for its check.

        Raises HandInRefused, with a line for its author, if it comes too late or too often, or is
        not a package that may be. Raises UnknownName for another entrant.
        """
        self._require(entrant)
        with self.file.read() as connection:
            self._require_room(connection, entrant)
        self._require_package(entrant, content)
        name = one_line(filename.replace("\\", "/").rpartition("/")[2])[:MAX_FILE_NAME] or "bot.py"
        with self.file.write() as connection:
            self.file.alone(connection)
            self._require_room(connection, entrant)
            return stored.add_hand_in(connection, self.number, entrant, name, content)

    def hand_ins(self, entrant: str | None = None, *, brief: bool = False) -> list[HandIn]:
        """Return the hand-ins of all or of one, the newest first, ``brief`` for no reports."""
        with self.file.read() as connection:
            return stored.read_hand_ins(connection, self.number, entrant, brief=brief)[::-1]

    def ranked(self) -> dict[str, HandIn]:
        """Return the hand-in that plays for each entrant, without its report: the last that passed.

        The same content again is not another player: it is the first of these, and nothing is
        played again. An entrant that was withdrawn has none. The order is that in which they first
        passed.
        """
        with self.file.read() as connection:
            withdrawn = stored.read_conducted(connection, self.number).withdrawn
            passed = stored.read_hand_ins(connection, self.number, states=[PASSED], brief=True)
        latest: dict[str, HandIn] = {}
        for hand_in in sorted(passed, key=lambda each: each.number):  # whatever clocks say
            last = latest.get(hand_in.entrant)
            if last is None or last.digest != hand_in.digest:
                latest[hand_in.entrant] = hand_in
        return {entrant: last for entrant, last in latest.items() if entrant not in withdrawn}

    def start(self) -> None:
        """Start the games, as soon as there are two players."""
        self._set(started=1)

    def stop(self) -> None:
        """Stop the games. The contest takes and checks hand-ins all the same."""
        self._set(started=0)

    def withdraw(self, entrant: str) -> None:
        """Take an entrant out: its games do not count, and it cannot hand in."""
        self._set_withdrawn(entrant, True)

    def readmit(self, entrant: str) -> None:
        """Let an entrant in again. Its last hand-in that passed plays again, in the last seat."""
        self._set_withdrawn(entrant, False)

    def close_at(self, when: str | None) -> None:
        """Close hand-ins at a time, as ISO 8601 text, or have them open without end.

        Raises UsageError for another text.
        """
        try:
            closes = read_timestamp(when) if when else ""
        except (ValueError, OverflowError) as error:
            example = "2026-12-01T18:00+01:00"
            problem = "is not a time with its zone, such as"
            raise UsageError(f"{quoted(when or '')} {problem} {example}") from error
        self._set(closes=closes)

    def close_by_file(self) -> None:
        """Close hand-ins at the time of the contest's file again."""
        self._set(closes=None)

    def status(self) -> ContestStatus:
        """Return how the contest stands."""
        with self.file.read() as connection:
            state = stored.read_conducted(connection, self.number)
            states = [WAITING, CHECKING]
            waiting = len(stored.read_hand_ins(connection, self.number, states=states, brief=True))
            run = stored.run_of(connection, self.setup.name)
            final = self._final_run(connection)
        closes = self._closes(state)
        closed = bool(closes) and timestamp() >= closes
        is_final = closed and final is not None
        phase = (FINAL if is_final else SO_FAR) if self.setup.final else ""
        return ContestStatus(
            started=state.started,
            play=self._play(state),
            run=final if is_final else run,
            waiting=waiting,
            closes=closes,
            closes_by_file=self.rules.closes,
            closed=closed,
            withdrawn=state.withdrawn,
            problems=tuple(self._problems),
            phase=phase,
        )

    def tell(self, problem: str) -> None:
        """Write a line for the owner, and log it. One that repeats the last takes its place."""
        if self._problems and self._problems[-1].text == problem:
            self._problems.pop()
        else:
            logger.warning("contest %s: %s", self.name, one_line(problem))
        self._problems.append(Problem(timestamp(), problem))

    def laid_out(self, hand_in: HandIn) -> LaidOut:
        """Return the files of a hand-in, made from the store if they are not as they should be.

        It keeps what it took, whatever limits the contest's file has now.
        """
        return lay_out(self._folder(hand_in), unpack(self.content(hand_in), UNLIMITED))

    def content(self, hand_in: HandIn) -> bytes:
        """Return the content of a hand-in, as its author has sent it."""
        with self.file.read() as connection:
            return stored.content_of(connection, self.number, hand_in)

    def write_archive(self, file: IO[bytes]) -> None:
        """Write all hand-ins into a zip, the oldest first, with a folder for each entrant."""
        oldest_first = reversed(self.hand_ins(brief=True))
        write_archive(file, ((each, self.content(each)) for each in oldest_first))

    def waiting(self) -> list[HandIn]:
        """Return the hand-ins that wait for their checks, in order."""
        with self.file.read() as connection:
            return stored.read_hand_ins(connection, self.number, states=[WAITING])

    def take(self, hand_in: HandIn) -> bool:
        """Note that the check of a hand-in begins, unless it does not wait any more."""
        with self.file.write() as connection:
            return stored.take(connection, self.number, hand_in)

    def take_back_checks(self) -> None:
        """Queue the hand-ins again whose checks did not end."""
        with self.file.write() as connection:
            stored.take_back_checks(connection, self.number)

    def take_back(self, hand_in: HandIn) -> None:
        """Queue a hand-in again whose check a fault of the machine ended. It costs it nothing."""
        with self.file.write() as connection:
            stored.take_back_checks(connection, self.number, hand_in, NOT_CHECKED)

    def finalize(
        self, hand_in: HandIn, state: str, report: Json | None, problem: str, seconds: float
    ) -> None:
        """Note what became of a hand-in: see :class:`HandIn`."""
        if state == REFUSED:
            clear(self._folder(hand_in))
        values = {"state": state, "report": report, "problem": problem, "seconds": seconds}
        with self.file.write() as connection:
            stored.note_outcome(connection, self.number, hand_in, values)

    def wanted(self, fresh: bool = False) -> EntrantList:
        """Return the players that should play: the file's own first, then by the order of passing.

        With ``fresh`` it compares all files with the store, and rewrites those that differ.
        """
        with self.file.read() as connection:
            started = stored.read_conducted(connection, self.number).started
        specs, data = {named.name: named.spec for named in self.setup.file_players}, []
        for name, hand_in in self.ranked().items():
            key = hand_in.entrant, hand_in.number
            if fresh or key not in self._laid_out:
                self._laid_out[key] = self.laid_out(hand_in)
            laid_out = self._laid_out[key]
            specs[name] = str(laid_out.player)
            if laid_out.data:
                data.append(f"{name}={laid_out.data}")
        return EntrantList(started, specs, data)

    def has_other_text(self) -> bool:
        """Return whether the contest's file has changed since its run began."""
        with self.file.read() as connection:
            run = stored.run_of(connection, self.setup.name)
            return run is not None and stored.text_of(connection, run) != self.setup.text

    def playing(self, setup: ContestSetup | None = None) -> ContestRun | None:
        """Return the run that plays the contest, or None before it began.

        With the ``setup`` of the final it is the run of that.
        """
        with self.file.read() as connection:
            return stored.read_playing(connection, (setup or self.setup).name)

    def due(self) -> ContestSetup:
        """Return how to play now: the final when hand-ins have closed and all are checked."""
        final = self.setup.final
        if final is None:
            return self.setup
        status = self.status()
        return final if status.closed and not status.waiting else self.setup

    def _final_run(self, connection: Connection) -> int | None:
        """Return the number of the run of the final, or None without one."""
        final = self.setup.final
        return None if final is None else stored.run_of(connection, final.name)

    def follow_files(self) -> None:
        """Tell the run where the files of its players are, after the store was moved.

        A path is not a player: what a file has in it says whether it is another.
        """
        file_players = dict(self.setup.file_players)
        names = [setup.name for setup in (self.setup, self.setup.final) if setup is not None]
        with self.file.write() as connection:
            for playing in [stored.read_playing(connection, name) for name in names]:
                if playing is not None:
                    specs = {
                        name: self._now_at(name, spec, file_players)
                        for name, spec in playing.specs.items()
                    }
                    stored.relocate(connection, playing, specs)

    def lock(self) -> int:
        """Lock the contest for this process and those that inherit the descriptor that it returns.

        Raises UsageError if another server conducts it.
        """
        return locked(self.setup.folder)

    def _folder(self, hand_in: HandIn) -> Path:
        return self.setup.folder / hand_in.entrant / str(hand_in.number)

    def _now_at(self, name: str, spec: str, file_players: Mapping[str, str]) -> str:
        """Return the spec of now of the player with this one, unless it is another file."""
        number, file = stored.number_of(spec), PurePath(spec).name
        if name in file_players:
            is_moved = names_a_file(spec) and PurePath(file_players[name]).name == file
            return file_players[name] if is_moved else spec
        return spec if number is None else str(self.setup.folder / name / str(number) / file)

    def _require(self, entrant: str) -> None:
        if entrant not in self.entrants:
            raise UnknownName("entrant", entrant, self.entrants)

    def _require_room(self, connection: Connection, entrant: str) -> None:
        """Raise HandInRefused unless an entrant may hand in now."""
        state = stored.read_conducted(connection, self.number)
        if entrant in state.withdrawn:
            raise HandInRefused("the owner of the contest has withdrawn you")
        closes = self._closes(state)
        if closes and timestamp() >= closes:
            raise HandInRefused(f"hand-ins closed at {closes}")
        today = timestamp()[:10]
        used = stored.use_of(connection, self.number, self.setup.name, entrant, today)
        if used.hand_ins >= self.rules.a_day:
            raise HandInRefused(
                f"you have handed in {used.hand_ins} times today, which is the most"
            )
        if used.seconds >= self.rules.seconds_a_day:
            usage = f"have taken {used.seconds:.0f} s of a worker"
            raise HandInRefused(f"your hand-ins of today {usage}: go on tomorrow (UTC)")

    def _require_package(self, entrant: str, content: bytes) -> None:
        """Raise HandInRefused for what is not a package, and for too many of these in a day."""
        today = timestamp()[:10]
        with self._unpacking:
            day, count = self._refused_packages.get(entrant, (today, 0))
            count = count if day == today else 0
            if count >= self.rules.a_day:
                raise HandInRefused(
                    f"{count} files of yours were not taken today: go on tomorrow (UTC)"
                )
            try:
                unpack(content, self.rules)
            except HandInRefused:
                self._refused_packages[entrant] = today, count + 1
                raise

    def _play(self, state: ContestState) -> str:
        """Return the state of the games: the runner follows the owner within a second."""
        if not state.started:
            return "stopped"
        return "starting" if self.play == "stopped" else self.play

    def _closes(self, state: ContestState) -> str:
        return self.rules.closes if state.closes is None else state.closes

    def _set(self, **values: object) -> None:
        with self.file.write() as connection:
            stored.set_conducted(connection, self.number, **values)

    def _set_withdrawn(self, entrant: str, withdrawn: bool) -> None:
        self._require(entrant)
        with self.file.write() as connection:
            self.file.alone(connection)
            names = dict.fromkeys(stored.read_conducted(connection, self.number).withdrawn)
            names.pop(entrant, None)
            if withdrawn:
                names[entrant] = None
            stored.set_conducted(connection, self.number, withdrawn=list(names))


def write_archive(file: IO[bytes], hand_ins: Iterable[tuple[HandIn, bytes]]) -> None:
    """Write hand-ins with their contents, as the entrants have sent them.

    An entrant has a folder. The name of a hand-in begins with its number and its time.
    """
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for hand_in, content in hand_ins:
            archive.writestr(_entry(hand_in), content)


def _entry(hand_in: HandIn) -> ZipInfo:
    """Return the entry of a hand-in. No system refuses a colon in its name, for it has none."""
    date, _, time = hand_in.received.rstrip("Z").partition("T")
    year, month, day = map(int, date.split("-"))
    hour, minute, second = map(int, time.split(":"))
    name = f"{hand_in.number:03} {date} {time.replace(':', '.')} {hand_in.filename}"
    entry = ZipInfo(f"{hand_in.entrant}/{name}", (year, month, day, hour, minute, second))
    entry.compress_type = ZIP_DEFLATED
    return entry
