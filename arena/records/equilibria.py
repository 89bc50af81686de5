"""Hold what is proved of games with luck or secrets, as frozen records. Fractions are exact."""

from __future__ import annotations

from fractions import Fraction

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.proofs import IMPOSSIBLE, Agreement


@dataclass(frozen=True)
class ResponseGames(Record):
    """The real games of a player against the best responses to it."""

    KEYS = "*agreement paid_p_value paid_test"

    #: Whether the player's moves were those of its table.
    agreement: Agreement
    #: Probability of payoffs at least as far from what the table says, and the name of the test,
    #: as in :class:`arena.stats.goodness.Fit`.
    paid_p_value: float
    paid_test: str

    @property
    def holds(self) -> bool:
        """Whether the games agree with the table, by the moves and by the payoffs."""
        return self.agreement.holds and self.paid_p_value >= IMPOSSIBLE

    @property
    def refutation(self) -> str:
        """Say why they do not agree; empty if they do."""
        if self.holds or not self.agreement.holds:
            return self.agreement.refutation
        games = f"the payoffs of {self.agreement.games} real games"
        return f"{games} are others than its table makes them (p {self.paid_p_value:.0e})"


@dataclass(frozen=True)
class Exploitability(Record):
    """The most that can be won against a player, and by which one."""

    SCHEMA = "arena.exploitability/1"
    KEYS = (
        "game game_version player unit exploitability best_response histories account real_games?"
        " at_most? holds file? proved_by assumes"
    )

    game: str
    game_version: int
    player: str
    #: The unit of the payoffs.
    unit: str
    #: What a best responder is paid per game more than its share, mean of both seats.
    exploitability: Fraction
    #: What a best responder is paid per game, by the player's seat.
    best_response: tuple[Fraction, Fraction]
    #: The histories that were walked, by the player's seat: positions where nothing is hidden.
    histories: tuple[int, int]
    #: Whether the table is the player's own declaration, its ``distribution``.
    is_declared: bool
    #: The real games; None if none were played.
    real_games: ResponseGames | None
    #: The most that the user allows; None without a bound.
    at_most: Fraction | None
    #: The file that has the best responses; None if none was written.
    file: str | None
    #: The program that walked, with versions, and what it took for granted.
    proved_by: str
    assumes: str

    @property
    def account(self) -> str:
        """``declared`` if the table is the player's own, else ``asked``."""
        return "declared" if self.is_declared else "asked"

    @property
    def holds(self) -> bool:
        """Whether real games agree with the table, and no player wins more than the bound."""
        agrees = self.real_games is None or self.real_games.holds
        return agrees and (self.at_most is None or self.exploitability <= self.at_most)


@dataclass(frozen=True)
class GameValue(Record):
    """The payoff of the first seat of a constant-sum game for two, if both play perfectly."""

    SCHEMA = "arena.game-value/1"
    KEYS = "game game_version unit value low high histories sets method certificate?"

    game: str
    game_version: int
    #: The unit of the payoffs.
    unit: str
    #: The first seat gets ``low`` at least by a strategy of its own, ``high`` at most by one of the
    #: other seat.
    low: Fraction
    high: Fraction
    #: The histories of the game: positions where nothing is hidden.
    histories: int
    #: The information sets of both strategies, by seat.
    sets: tuple[int, int]
    #: The method that found the strategies.
    method: str
    #: The file that has the strategies; None if none was written.
    certificate: str | None = None

    @property
    def value(self) -> Fraction | None:
        """The value where both bounds meet, else None."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True)
class CheckedStrategies(Record):
    """The bounds that the strategies in a file prove, verified by the rules."""

    SCHEMA = "arena.checked-strategies/1"
    KEYS = "game game_version unit value low high sets checked_by source program player? agreement?"

    game: str
    game_version: int
    unit: str
    low: Fraction
    high: Fraction
    sets: tuple[int, int]
    #: The program that verified it.
    checked_by: str
    #: What the file says of itself: nothing of it is verified.
    source: str
    program: str
    #: The player that was compared with it, and how its games agree; None if none was.
    player: str | None = None
    agreement: Agreement | None = None

    @property
    def value(self) -> Fraction | None:
        """The value where both bounds meet, else None."""
        return self.low if self.low == self.high else None

    @property
    def holds(self) -> bool:
        """Whether the player, if one was asked, keeps to the strategies."""
        return self.agreement is None or self.agreement.holds
