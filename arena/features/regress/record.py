"""Hold the findings of a regression check: a verdict on every claim and player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from os import PathLike, fspath
from typing import TypeVar

from arena.dataclass import dataclass
from arena.errors import StoreError, counted
from arena.records.base import Record
from arena.records.commands import command_line, with_plugins
from arena.records.paid import Scale
from arena.records.proofs import LineStep
from arena.records.replays import ReplayReport


class RegressionVerdict(StrEnum):
    """The verdict on one claim, or on one player at one game."""

    #: Verdicts on a claim: proved, or not refuted by games where it cannot be proved, or refuted.
    HOLDS = "holds"
    BOUNDED = "bounded"
    BROKEN = "broken"
    #: Verdicts on a player, compared with the baseline.
    SAME = "same"
    #: For a policy: its exact score did not fall. For games: they exclude a fall by the margin.
    #: Pages say so (:func:`in_words`); records keep this value for programs.
    NO_WEAKER = "no weaker"
    STRONGER = "stronger"
    WEAKER = "weaker"
    NEW = "new"
    #: Verdicts on both: more games are needed, or a fault prevented a decision.
    UNDECIDED = "undecided"
    FAULT = "fault"


#: Verdicts that fail a run with their exit codes, the one that outweighs the others first.
FAILURES = {
    RegressionVerdict.BROKEN: 1,
    RegressionVerdict.WEAKER: 1,
    RegressionVerdict.FAULT: 4,
    RegressionVerdict.UNDECIDED: 3,
}


def in_words(verdict: str, margin: str | None = None, least_fall: float | None = None) -> str:
    """Return a verdict for users.

    ``margin`` is that of a comparison by games, in its unit, and ``least_fall`` the lower end of
    the interval of its fall: above zero, the player has become weaker, by less than the margin.

    >>> in_words(RegressionVerdict.NO_WEAKER, '0.02')
    'not weaker by 0.02'
    >>> in_words(RegressionVerdict.NO_WEAKER, '0.02', 0.004)
    'weaker by less than 0.02'
    """
    if verdict != RegressionVerdict.NO_WEAKER:
        return str(verdict)
    if margin is None:
        return "not weaker"
    is_weaker = least_fall is not None and least_fall > 0
    return f"{'weaker by less than' if is_weaker else 'not weaker by'} {margin}"


@dataclass(frozen=True)
class LostLine(Record):
    """A game that shows the problem, from the start."""

    KEYS = "side moves=steps.move forfeit command game"

    #: The side of the player at fault: ``first`` or ``second``, or ``seat 3`` of more than two.
    side: str
    #: The moves of the game, in its notation.
    steps: tuple[LineStep, ...]
    #: The command that shows it again.
    command: str
    #: The reason and the message if the player lost without being beaten; empty else.
    forfeit: str = ""
    #: The game as it was played; None for a line that was found without playing.
    game: ReplayReport | None = None

    @property
    def moves(self) -> str:
        """The moves in the game's notation, with blanks between."""
        return " ".join(step.move for step in self.steps)


@dataclass(frozen=True)
class ClaimCheck(Record):
    """A claim that a player declares, such as ``never-loses:tictactoe``, proved or not."""

    KEYS = "player game claim verdict message method positions games loss_bound losing_line=line"

    player: str
    game: str
    claim: str
    verdict: RegressionVerdict
    #: The basis of the verdict, in one line.
    message: str
    #: ``proof`` or ``games``; empty after a fault.
    method: str = ""
    #: Number of walked positions, or of games.
    positions: int = 0
    games: int = 0
    #: Share of games that it may lose and still have lost none of these, at 95 %.
    loss_bound: float | None = None
    #: A game that refutes the claim.
    line: LostLine | None = None
    #: Seconds that it took, on the workers together. Not in JSON, which is the same for the same
    #: seed.
    seconds: float = field(default=0.0, compare=False)

    @property
    def what(self) -> str:
        """The subject of the check."""
        return self.claim


@dataclass(frozen=True)
class ChangedPosition(Record):
    """A position in which a player has changed its moves."""

    KEYS = "position before after mistakes command"

    position: str
    picture: str
    #: Moves with their probabilities, in the game's notation, in the baseline and now.
    before: Mapping[str, Fraction]
    after: Mapping[str, Fraction]
    #: Values that its mistakes lose, such as ``a draw``, by move.
    mistakes: Mapping[str, str]
    #: The command that shows the player's moves there now.
    command: str
    #: The board as SVG with how often each move was played, and is now; empty without a picture.
    svg_before: str = field(default="", repr=False)
    svg_after: str = field(default="", repr=False)
    #: The moves in human notation, such as ``h8``, where that differs. Not in JSON.
    written: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PanelScore(Record):
    """A player's score, from 0 to 1, against one of the panel, over both starting orders."""

    opponent: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True)
class Fall(Record):
    """The fall of a score, in points per game, with its 95 % interval. A rise is negative."""

    value: float
    low: float
    high: float
    #: ``stopped`` if it allows for a test that stops early
    #: (:mod:`arena.stats.sequential_estimate`), ``fixed`` for the interval of a fixed number of
    #: pairs (:mod:`arena.stats.interval`).
    method: str = "fixed"

    def __str__(self) -> str:
        """Return it in words, in points.

        >>> str(Fall(1.0, 0.9, 1.0))
        'fell by 1.00 points per game (95 %: 0.90 to 1.00)'
        >>> str(Fall(-0.051, -0.072, -0.03))
        'rose by 0.051 points per game (95 %: 0.030 to 0.072)'
        """
        return self.in_words(None)

    def in_words(self, scale: Scale | None) -> str:
        """Return it in words, in the unit of what the game pays.

        >>> Fall(0.02, 0.01, 0.03).in_words(Scale("chips", Fraction(-2), Fraction(4)))
        'fell by 0.080 chips per game (95 %: 0.040 to 0.120)'
        """
        width = 1.0 if scale is None else float(scale.width)
        value, low, high = width * self.value, width * self.low, width * self.high
        low, high = (-high, -low) if value < 0 else (low, high)
        digits = 2 if abs(value) >= _SMALL else 3
        return f"{_moved(value, scale)} (95 %: {low:.{digits}f} to {high:.{digits}f})"


#: A smaller fall is written with three digits, a larger with two.
_SMALL = 0.1


def _moved(fall: float, scale: Scale | None = None) -> str:
    """Say which way a score went, and how far, in points or the unit of a scale."""
    size, unit = abs(fall), "points" if scale is None else scale.unit
    if size < 0.0005:
        return f"moved by less than 0.001 {unit} per game"
    way = "rose" if fall < 0 else "fell"
    return f"{way} by {size:.{2 if size >= _SMALL else 3}f} {unit} per game"


@dataclass(frozen=True)
class Comparison(Record):
    """A player at a game, compared with the baseline."""

    KEYS = (
        "player game verdict message method before after panel positions changed examples "
        "exploitability pairs differing llr line margin fall interval scale? seats?"
    )

    player: str
    game: str
    verdict: RegressionVerdict
    #: The basis of the verdict, in one line.
    message: str
    #: ``policy`` if every position was compared, ``games`` if games were; empty for neither.
    method: str = ""
    #: Scores by opponent: exact for policies, of the played games for games.
    panel: tuple[PanelScore, ...] = ()
    #: Positions in which the player can be to move, those in which it plays differently, and the
    #: first few of these: mistakes first, then early ones.
    positions: int = 0
    changed: int = 0
    examples: tuple[ChangedPosition, ...] = ()
    #: Points above a half that the best opponent expects, in the baseline and now.
    exploitability: tuple[Fraction, Fraction] | None = None
    #: Pairs that were played, those that ended differently, and the test's log-likelihood ratio.
    pairs: int = 0
    differing: int = 0
    llr: float | None = None
    line: LostLine | None = None
    #: The fall that games must show or exclude; None for a policy.
    margin: float | None = None
    #: The fall of the score, for games in which some pair ended differently.
    fall: Fall | None = None
    #: The 95 % interval of the strength of now, for games; None for a policy, which is exact.
    interval: tuple[float, float] | None = None
    #: What scores, falls and margins stand for where the game pays; None for points.
    scale: Scale | None = None
    #: Seats of a game for more than two. In place of pairs it has blocks of a game in each seat, at
    #: a table whose other seats the opponent has.
    seats: int | None = None
    #: Seconds that it took, as for a claim.
    seconds: float = field(default=0.0, compare=False)

    @property
    def what(self) -> str:
        """The subject of the check."""
        return self.method or "strength"

    @property
    def noun(self) -> str:
        """The unit in which games are played: ``pair`` or ``block``."""
        return "pair" if self.seats is None else "block"

    def in_unit(self, difference: float) -> str:
        """Return a difference of scores as a number, in the unit of what the game pays."""
        if self.scale is None:
            return f"{difference:g}"
        return f"{difference * float(self.scale.width):g} {self.scale.unit}"

    @property
    def is_slightly_weaker(self) -> bool:
        """Whether its score fell by less than the margin, and the interval excludes no fall."""
        return (
            self.verdict == RegressionVerdict.NO_WEAKER
            and self.fall is not None
            and self.fall.low > 0
        )

    @property
    def finding(self) -> str:
        """The change of the score as the end of a sentence, or empty if it is not known."""
        if self.fall is not None:
            return f"{self.fall.in_words(self.scale)} in {counted(self.pairs, self.noun)}"
        if self.method == "games":
            return f"is as it was in {counted(self.pairs, self.noun)}" if self.pairs else ""
        if self.before is None or self.after is None:
            return ""
        return f"{_moved(float(self.before - self.after))} (exact)"

    @property
    def before(self) -> Fraction | None:
        """The mean score over the panel in the baseline, or None without a comparison."""
        return _mean([score.before for score in self.panel])

    @property
    def after(self) -> Fraction | None:
        """The mean score over the panel now: the player's strength."""
        return _mean([score.after for score in self.panel])


#: A verdict on a claim, or on a player's strength.
Check = ClaimCheck | Comparison
CheckT = TypeVar("CheckT", ClaimCheck, Comparison)


def _mean(scores: list[Fraction]) -> Fraction | None:
    return sum(scores, Fraction(0)) / len(scores) if scores else None


@dataclass(frozen=True)
class Origin(Record):
    """The version of a player, and where its code stands."""

    version: str
    #: Empty, and line 0, where no file of Python has it.
    file: str
    line: int
    #: Where it comes from, if its name is another: ``./alice.py`` of ``alice=./alice.py``.
    spec: str = ""


@dataclass(frozen=True)
class RegressionReport(Record):
    """A regression run: every claim checked, and every player compared with the baseline."""

    SCHEMA = "arena.regress/1"
    KEYS = (
        "verdict exit_code baseline written quick level margin sampled claims comparisons broken "
        "notes scope players commit"
    )

    #: The baseline's file as the user named it, or None.
    baseline: str | None
    claims: tuple[ClaimCheck, ...]
    comparisons: tuple[Comparison, ...]
    #: Plugins that could not be loaded, a line each: their offers were not checked.
    broken: tuple[str, ...] = ()
    #: Further notes, a line each.
    notes: tuple[str, ...] = ()
    #: Whether the baseline was written: that accepts the changes.
    written: bool = False
    #: Probability that any player is wrongly called weaker, and the fall that matters.
    level: float = 0.05
    margin: float = 0.02
    quick: bool = False
    #: The players that were checked because none were named, in words; empty if some were.
    scope: str = ""
    #: The players that were checked and found, by name.
    players: Mapping[str, Origin] = field(default_factory=dict)
    #: The commit of the current folder, with ``+`` after it if files of it have changed since;
    #: empty without a repository.
    commit: str = ""
    #: The plugins in files that the commands need, which have them.
    plugins: tuple[str, ...] = ()

    @property
    def sampled(self) -> int:
        """The number of comparisons that rest on games and so can err: they share the level."""
        return sum(comparison.llr is not None for comparison in self.comparisons)

    @property
    def checks(self) -> Iterator[Check]:
        """The claims and then the comparisons."""
        yield from self.claims
        yield from self.comparisons

    @property
    def failures(self) -> list[Check]:
        """The checks that fail the run."""
        return [check for check in self.checks if check.verdict in FAILURES]

    @property
    def verdict(self) -> RegressionVerdict:
        """The worst of the verdicts, or ``no weaker`` if none is bad."""
        verdicts = {check.verdict for check in self.failures}
        if self.broken:
            verdicts.add(RegressionVerdict.FAULT)
        return next(
            (verdict for verdict in FAILURES if verdict in verdicts), RegressionVerdict.NO_WEAKER
        )

    @property
    def exit_code(self) -> int:
        """0 as strong, 1 weaker or a claim broken, 4 a fault, 3 undecided, and 0 once accepted.

        A fault is never accepted: the written baseline leaves the player at fault out.
        """
        accepted = self.written and self.verdict != RegressionVerdict.FAULT
        return 0 if accepted else FAILURES.get(self.verdict, 0)


def needing(report: RegressionReport, plugins: tuple[str, ...]) -> RegressionReport:
    """Let the report's commands load plugins in files."""
    return replace(
        report,
        claims=tuple(_needing(check, plugins) for check in report.claims),
        comparisons=tuple(
            replace(
                _needing(check, plugins),
                examples=tuple(
                    replace(example, command=with_plugins(example.command, plugins))
                    for example in check.examples
                ),
            )
            for check in report.comparisons
        ),
        plugins=plugins,
    )


def _needing(check: CheckT, plugins: tuple[str, ...]) -> CheckT:
    line = check.line
    if line is None:
        return check
    return replace(check, line=replace(line, command=with_plugins(line.command, plugins)))


def replayed_from(report: RegressionReport, store: str | PathLike[str]) -> RegressionReport:
    """Let the report's commands show its games from the store that keeps them.

    The players may be others afterwards.
    """
    return replace(
        report,
        claims=tuple(_from(check, fspath(store)) for check in report.claims),
        comparisons=tuple(_from(check, fspath(store)) for check in report.comparisons),
    )


def _from(check: CheckT, store: str) -> CheckT:
    line = check.line
    if line is None or line.game is None or line.game.game_id is None:
        return check
    command = command_line("replay", "--store", store, line.game.game_id)
    return replace(check, line=replace(line, command=command))


class NotKept(StoreError):
    """The store did not take a report, which is with this as ``record``."""

    def __init__(self, problem: str, record: RegressionReport) -> None:
        super().__init__(problem)
        self.record = record

    def __reduce__(self) -> tuple[type[NotKept], tuple[str, RegressionReport]]:
        return type(self), (str(self), self.record)
