"""Hold the proofs of certificates of format 2, as frozen records."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.proofs import Agreement


@dataclass(frozen=True)
class ProvedClaim(Record):
    """A claim that holds, and the size of its proof."""

    #: Such as ``first wins`` or ``second does not lose``.
    claim: str
    #: Number of distinct positions that can arise, with the start and finished ones.
    positions: int
    #: Number of those at which the file records a move; the rules show the others.
    moves: int


@dataclass(frozen=True)
class Theorem(Record):
    """The proof of the moves in a file by the rules alone, and what the file says of itself."""

    SCHEMA = "arena.theorem/1"
    KEYS = "game game_version start value claims checked_by source program assumes player agreement"

    game: str
    game_version: int
    #: The position from which the claims hold, as text.
    start: str
    #: The value of the start for the side to move, by that: ``win``, ``draw`` or ``loss``; None if
    #: one side's claim leaves that open.
    value: str | None
    claims: tuple[ProvedClaim, ...]
    #: The program that verified it, with versions.
    checked_by: str
    #: The file's own words, which nothing verifies: where its moves come from, what wrote it, and
    #: what that assumed.
    source: str
    program: str
    assumes: str
    #: The player whose games were looked up in it, and what they said; None if none was named.
    player: str | None = None
    agreement: Agreement | None = None

    @property
    def holds(self) -> bool:
        """Whether the player, if one was named, keeps to the moves."""
        return self.agreement is None or self.agreement.holds


@dataclass(frozen=True)
class WalkedSide(Record):
    """The findings on a player on one side, from the positions that can occur."""

    KEYS = "never_loses positions losing_line"

    #: Number of distinct positions that can occur; up to the first loss, if there is one.
    positions: int
    #: The moves of a shortest game that it loses, in the game's notation; None without one.
    losing_line: tuple[str, ...] | None
    #: The moves in human notation. Not in JSON.
    written: tuple[str, ...] = ()

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can win."""
        return self.losing_line is None


@dataclass(frozen=True)
class PlayerTheorem(Record):
    """The proof of a player at a game that may be large, asked as a function of positions."""

    SCHEMA = "arena.player-theorem/1"
    KEYS = (
        "game game_version player account never_loses first second proved_by assumes certificate"
        " claims"
    )

    game: str
    game_version: int
    player: str
    #: The way of asking: ``move by move``, ``by its choose_batch``, an isolated one ``by its
    #: choose_batch where it leaves nothing to chance``, ``by its own declaration`` or ``by its
    #: certificate``.
    account: str
    first: WalkedSide
    second: WalkedSide
    #: The program that walked, with versions.
    proved_by: str
    #: Its assumption.
    assumes: str
    #: The certificate of format 2 that was written, and what that proves; None without one.
    certificate: str | None = None
    claims: tuple[ProvedClaim, ...] = ()

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can win, against either side."""
        return self.first.never_loses and self.second.never_loses
