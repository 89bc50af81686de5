"""What a regression check found, as frozen records: a verdict on every claim and player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from arena.records.base import Json, Record
from arena.records.proofs import LineStep


class Verdict(StrEnum):
    """What was decided about one claim, or about one player at one game."""

    #: Of a claim: proved, or not refuted by games where it cannot be proved, or refuted.
    HOLDS = "holds"
    BOUNDED = "bounded"
    BROKEN = "broken"
    #: Of a player, compared with the baseline.
    SAME = "same"
    #: Of a policy, that its exact score is as it was; of games, that they exclude a fall by the
    #: margin. Pages say so (:func:`in_words`); records keep this value, which programs read.
    NO_WEAKER = "no weaker"
    STRONGER = "stronger"
    WEAKER = "weaker"
    NEW = "new"
    #: Of both: more would have to be played, or a fault kept it from being decided.
    UNDECIDED = "undecided"
    FAULT = "fault"


#: What fails a night: the verdicts and their exit codes, the one that outweighs the others first.
FAILURES = {Verdict.BROKEN: 1, Verdict.WEAKER: 1, Verdict.FAULT: 4, Verdict.UNDECIDED: 3}


def in_words(verdict: str, margin: float | None = None) -> str:
    """Return a verdict for people; ``margin`` is that of a comparison by games.

    >>> in_words(Verdict.NO_WEAKER, 0.02), in_words(Verdict.NO_WEAKER), in_words(Verdict.SAME)
    ('not weaker by 0.02', 'not weaker', 'same')
    """
    if verdict != Verdict.NO_WEAKER:
        return str(verdict)
    return "not weaker" if margin is None else f"not weaker by {margin:g}"


@dataclass(frozen=True)
class LostLine(Record):
    """A game that tells what went wrong, from the start."""

    #: ``first`` or ``second``: the side of the player that is accused.
    side: str
    steps: tuple[LineStep, ...]
    #: The command that shows it again.
    command: str
    #: Why the player lost without being beaten, if it did: the reason and the message.
    forfeit: str = ""

    @property
    def moves(self) -> str:
        """The moves in the game's notation, with blanks between."""
        return " ".join(step.move for step in self.steps)

    def as_json(self) -> Json:
        """The moves and the command, without the boards."""
        moves = [step.move for step in self.steps]
        return {
            "side": self.side,
            "moves": moves,
            "forfeit": self.forfeit,
            "command": self.command,
        }


@dataclass(frozen=True)
class ClaimCheck(Record):
    """A claim that a player declares, such as ``never-loses:tictactoe``, proved or not."""

    player: str
    game: str
    claim: str
    verdict: Verdict
    #: One line that says what the verdict rests on.
    message: str
    #: ``proof`` or ``games``; empty after a fault.
    method: str = ""
    #: Positions that were walked, or games that were played.
    positions: int = 0
    games: int = 0
    #: The share of games that it may lose and still have lost none of these, at 95 %.
    loss_bound: float | None = None
    line: LostLine | None = None

    @property
    def what(self) -> str:
        """What was checked."""
        return self.claim

    def as_json(self) -> Json:
        """Return the fields under their names, but for the losing line."""
        record = super().as_json()
        record["losing_line"] = record.pop("line")
        return record


@dataclass(frozen=True)
class ChangedPosition(Record):
    """A position in which a player does not do what it did."""

    KEYS = "position before after mistakes command"

    position: str
    picture: str
    #: Its moves with their probabilities, in the game's notation, in the baseline and now.
    before: Mapping[str, Fraction]
    after: Mapping[str, Fraction]
    #: What those of its moves that are mistakes give away, such as ``a draw``, by move.
    mistakes: Mapping[str, str]
    #: The command that shows what the player does there now.
    command: str


@dataclass(frozen=True)
class PanelScore(Record):
    """A player's score, from 0 to 1, against one of the panel, over both starting orders."""

    opponent: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True)
class Fall(Record):
    """How far a score fell, in points a game, with its 95 % interval; negative for a rise."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return it in words: ``fell by 0.051 points a game, 95 %: 0.030 to 0.072``."""
        verb, value, low, high = "fell", self.value, self.low, self.high
        if value < 0:
            verb, value, low, high = "rose", -value, -high, -low
        return f"{verb} by {value:.3f} points a game, 95 %: {low:.3f} to {high:.3f}"


@dataclass(frozen=True)
class Comparison(Record):
    """A player at a game, compared with the baseline."""

    KEYS = (
        "player game verdict message method before after panel positions changed examples "
        "exploitability pairs differing llr line margin fall"
    )

    player: str
    game: str
    verdict: Verdict
    #: One line that says what the verdict rests on.
    message: str
    #: ``policy`` if every position was compared, ``games`` if games were; empty for neither.
    method: str = ""
    #: By opponent: exact for policies, of the games played for games.
    panel: tuple[PanelScore, ...] = ()
    #: Positions in which the player can be to move, those in which it plays differently, and the
    #: first few of these: mistakes first, then early ones.
    positions: int = 0
    changed: int = 0
    examples: tuple[ChangedPosition, ...] = ()
    #: What the best opponent expects above a half, in the baseline and now.
    exploitability: tuple[Fraction, Fraction] | None = None
    #: Pairs that were played, those that ended differently, and the test's log-likelihood ratio.
    pairs: int = 0
    differing: int = 0
    llr: float | None = None
    line: LostLine | None = None
    #: The fall that games must show or exclude; None for a policy.
    margin: float | None = None
    #: Of games in which some pair ended differently: how far the score fell.
    fall: Fall | None = None

    @property
    def what(self) -> str:
        """What was checked."""
        return self.method or "strength"

    @property
    def before(self) -> Fraction | None:
        """The mean score over the panel in the baseline, None if nothing was compared."""
        return _mean([score.before for score in self.panel])

    @property
    def after(self) -> Fraction | None:
        """The mean score over the panel now: the player's strength."""
        return _mean([score.after for score in self.panel])


#: A verdict on a claim, or on a player's strength.
Check = ClaimCheck | Comparison


def _mean(scores: list[Fraction]) -> Fraction | None:
    return sum(scores, Fraction(0)) / len(scores) if scores else None


@dataclass(frozen=True)
class RegressionReport(Record):
    """A night: every claim proved, and every player compared with the baseline."""

    SCHEMA = "arena.regress/1"
    KEYS = (
        "verdict exit_code baseline written quick level margin sampled claims comparisons broken "
        "notes"
    )

    #: The baseline's file as it was named, None if there is none.
    baseline: str | None
    claims: tuple[ClaimCheck, ...]
    comparisons: tuple[Comparison, ...]
    #: Plugins that could not be loaded, a line each: whatever they offer was not checked.
    broken: tuple[str, ...] = ()
    #: What else there is to know, a line each.
    notes: tuple[str, ...] = ()
    #: Whether the baseline was written; then what changed is accepted.
    written: bool = False
    #: The probability that any player is wrongly called weaker, and the fall that matters.
    level: float = 0.05
    margin: float = 0.02
    quick: bool = False

    @property
    def sampled(self) -> int:
        """Comparisons that can err, because they rest on games: they share the level."""
        return sum(comparison.llr is not None for comparison in self.comparisons)

    @property
    def checks(self) -> Iterator[Check]:
        """The claims and then the comparisons."""
        yield from self.claims
        yield from self.comparisons

    @property
    def failures(self) -> list[Check]:
        """What fails the night."""
        return [check for check in self.checks if check.verdict in FAILURES]

    @property
    def verdict(self) -> Verdict:
        """The worst of the verdicts; ``no weaker`` if none is bad."""
        found = {check.verdict for check in self.failures}
        if self.broken:
            found.add(Verdict.FAULT)
        return next((verdict for verdict in FAILURES if verdict in found), Verdict.NO_WEAKER)

    @property
    def exit_code(self) -> int:
        """0 as strong, 1 weaker or a claim broken, 4 a fault, 3 undecided; 0 once accepted.

        A fault is never accepted: who is at fault was left out of what was written.
        """
        accepted = self.written and self.verdict != Verdict.FAULT
        return 0 if accepted else FAILURES.get(self.verdict, 0)
