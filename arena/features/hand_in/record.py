"""Hold the hand-ins of a contest, as frozen records, and the state of the contest."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Json, Record
from arena.records.contests import ContestRow

#: The states of a hand-in: it waits for its check, its check runs, it plays unless a later one
#: does, it never plays, or a later one came before its check began.
WAITING, CHECKING, PASSED, REFUSED, REPLACED = (
    *("waiting", "checking", "passed"),
    *("refused", "replaced"),
)

#: The words for a state.
STATES = {
    WAITING: "waits for its check",
    CHECKING: "is being checked",
    PASSED: "passed its check",
    REFUSED: "did not pass its check",
    REPLACED: "was replaced by a later one before its check",
}


#: How the problem of a hand-in begins whose check took too long, and of one that does not load.
TOO_LONG, CANNOT_LOAD = "its check took more than", "player "

#: The problem of a hand-in that waits again, because a fault of the machine ended its check.
NOT_CHECKED = "the server could not check it, through no fault of the hand-in, and tries again"

#: What a problem is a finding of that is about a file which does not load in time: the check, the
#: fault and the remedy; and what such a problem says.
_LATE = "was not loaded within"
_LOADS_LATE = (
    *("loading", "timeout"),
    "Move what takes long out of the top level, into choose, and end every loop there",
)

#: What another problem is a finding of, by how it begins.
_PROBLEMS = {
    TOO_LONG: (
        *("time of the check", "timeout"),
        "Answer faster: the check asks at many positions, and plays games",
    ),
    CANNOT_LOAD: (
        *("loading", "import-error"),
        "Mend what the message names, so that the file loads: import the standard library or"
        " modules in the same zip, and define choose(position, rng)",
    ),
    "": (
        *("check", ""),
        "Try it with arena check at home, and ask the owner of the contest if it passes there",
    ),
}

#: The levels of findings that ask for an act, the worst first.
_BAD_LEVELS = ("fail", "warning")

#: The keys of a finding.
_FINDING_KEYS = (
    *("check", "level", "fault", "message"),
    *("position", "moves", "remedy", "reproduction"),
)


@dataclass(frozen=True)
class HandIn(Record):
    """One hand-in of an entrant, without its content."""

    SCHEMA = "arena.hand-in/1"
    KEYS = (
        "entrant number received filename digest size state report problem seconds"
        " findings standing"
    )

    entrant: str
    #: Counts the hand-ins of the entrant from 1.
    number: int
    #: The time at which it came, in UTC as ISO 8601 text.
    received: str
    #: The name of the file as its author calls it.
    filename: str
    #: The digest of the content.
    digest: str
    #: The size of the content, in bytes.
    size: int
    #: ``waiting``, ``checking``, ``passed``, ``refused`` or ``replaced``.
    state: str
    #: The report of its check, as in schema ``arena.check/1``; None without one.
    report: Json | None = None
    #: The reason if it was refused, on one line; empty else.
    problem: str = ""
    #: Seconds that its check took.
    seconds: float = 0.0
    #: The row of its entrant in the standings, of which ``hand_in`` says whose games these are.
    #: None as long as the entrant has not played, and where it was not asked for.
    standing: ContestRow | None = None

    @property
    def findings(self) -> tuple[Json, ...]:
        """The findings that ask for an act, failures first, with the keys of a check's."""
        rows = (self.report or {}).get("findings", ())
        bad = [row for level in _BAD_LEVELS for row in rows if row.get("level") == level]
        if self.problem and self.is_settled:
            start = next(each for each in _PROBLEMS if self.problem.startswith(each))
            is_late = start == CANNOT_LOAD and _LATE in self.problem
            check, fault, remedy = _LOADS_LATE if is_late else _PROBLEMS[start]
            row = {"check": check, "level": "fail", "fault": fault, "message": self.problem}
            bad.insert(0, {**row, "remedy": remedy})
        return tuple({key: row.get(key, "") for key in _FINDING_KEYS} for row in bad)

    @property
    def is_settled(self) -> bool:
        """Whether its state does not change any more."""
        return self.state not in (WAITING, CHECKING)

    @property
    def words(self) -> str:
        """The state in words, after the name of the hand-in."""
        return STATES.get(self.state, self.state)


@dataclass(frozen=True)
class Problem:
    """A line for the owner, and when it was written, in UTC as ISO 8601 text."""

    date: str
    text: str


#: The words for the state of the games.
_PLAY_WORDS = {
    "stopped": "The games are stopped.",
    "starting": "The games are starting.",
    "waiting": "The games begin as soon as there are enough players.",
    "playing": "The games go on.",
    "complete": "No game is left to play; a new hand-in plays at once.",
    "failing": "The games stopped, and go on soon.",
}


#: The phases of a contest with a final.
SO_FAR, FINAL = "so far", "final"

#: The words for a phase: which games the standings are of.
PHASES = {
    SO_FAR: "These standings are so far, of games by which hand-ins were chosen.",
    FINAL: "These standings are final, of fresh games alone.",
}


@dataclass(frozen=True)
class ContestStatus:
    """The state of a contest."""

    #: Whether the owner wants it to be played.
    started: bool
    #: ``stopped``, ``starting``, ``waiting`` (for enough players), ``playing``, ``complete`` or
    #: ``failing``.
    play: str
    #: The number of the run in the store; None before it began.
    run: int | None
    #: Hand-ins whose check has not ended.
    waiting: int
    #: When hand-ins close, in UTC as ISO 8601 text; empty for never.
    closes: str
    #: The same as the contest's file says it: the owner may have set another time.
    closes_by_file: str
    #: Whether they have closed.
    closed: bool
    #: The entrants that the owner has withdrawn.
    withdrawn: tuple[str, ...]
    #: The problems, the latest last.
    problems: tuple[Problem, ...] = ()
    #: ``so far`` or ``final``: the games of the run. Empty in a contest without a final.
    phase: str = ""

    @property
    def words(self) -> str:
        """The state of the games in words."""
        play = _PLAY_WORDS[self.play]
        if self.play == "complete" and self.phase == FINAL:
            play = "All games of the final are played."
        elif self.play == "complete" and self.closed:
            play = "All games are played."
        return " ".join(filter(None, (play, PHASES.get(self.phase))))
