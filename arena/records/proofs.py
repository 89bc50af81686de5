"""Hold proofs, as frozen records. Fractions are exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.escape import ascii_line
from arena.model.codec import encode
from arena.records.base import Json, Record
from arena.records.deviations import Deviation
from arena.records.fights import WrappedFight

#: Less probable frequencies of moves refute a table.
IMPOSSIBLE = 1e-6


@dataclass(frozen=True)
class Chances(Record):
    """The probability of each result, from one player's view (WDL). They add up to one."""

    KEYS = "win draw loss payoffs?"

    win: Fraction
    draw: Fraction
    loss: Fraction
    #: The expected payoffs per game of the player and of its opponent, in a game with payoffs of
    #: its own.
    payoffs: tuple[Fraction, Fraction] | None = None

    @property
    def score(self) -> Fraction:
        """The expected points per game, from 0 to 1."""
        return self.win + self.draw / 2

    def reversed(self) -> Chances:
        """Return the opponent's view."""
        payoffs = None if self.payoffs is None else self.payoffs[::-1]
        return Chances(self.loss, self.draw, self.win, payoffs)

    def mean(self, other: Chances) -> Chances:
        """Return the result of games half of which end with these chances, half with others."""
        payoffs = None
        if self.payoffs is not None and other.payoffs is not None:
            (ours, theirs), (others, of_others) = self.payoffs, other.payoffs
            payoffs = ((ours + others) / 2, (theirs + of_others) / 2)
        return Chances(
            (self.win + other.win) / 2,
            (self.draw + other.draw) / 2,
            (self.loss + other.loss) / 2,
            payoffs,
        )


@dataclass(frozen=True)
class AgreeingGames(Record):
    """The real games that agree with the tables of an exact result."""

    #: Players whose real games agree with their tables.
    watched: tuple[str, ...]
    #: Players whose tables are their own declaration.
    declared: tuple[str, ...]
    #: The number of these games.
    agreeing_games: int


@dataclass(frozen=True)
class ExactResult(Record):
    """The exact result of a pairing, from A's view."""

    SCHEMA = "arena.exact/1"
    KEYS = (
        "game game_version players total first second unit? payoffs? openings? *agreement?"
        " losing_lines?"
    )

    game: str
    game_version: int
    players: tuple[str, str]
    #: Results when A moves first, and when it moves second.
    first: Chances
    second: Chances
    #: Name of the openings; empty for the start.
    openings: str = ""
    #: Players whose real games agree with their tables, and the number of these games.
    watched: tuple[str, ...] = ()
    games: int = 0
    #: Players whose tables are their own declaration, their ``distribution``.
    declared: tuple[str, ...] = ()
    #: Shortest games that a player loses, on each side on which it loses any.
    losing_lines: tuple[LosingLine, ...] = ()
    #: The unit of the payoffs; empty in a game without payoffs of its own.
    unit: str = ""
    #: Positions that were walked when A moves first, and when it moves second. Not in JSON.
    positions: tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def total(self) -> Chances:
        """The result over both starting orders, equally often."""
        return self.first.mean(self.second)

    @property
    def payoffs(self) -> tuple[Fraction, Fraction] | None:
        """The expected payoffs per game of A and of B, in a game with payoffs of its own."""
        return self.total.payoffs

    @property
    def score(self) -> Fraction:
        """A's expected points per game."""
        return self.total.score

    @property
    def headline(self) -> str:
        """The result in one line."""
        a, b = self.players
        if self.payoffs is not None:
            won = f"{float(self.payoffs[0]):+.4f} {self.unit} per game"
            return f"{a} gets {won} against {b} at {self.game}, exactly"
        return f"{a} scores {100 * float(self.score):.2f} % against {b} at {self.game}, exactly"

    @property
    def agreement(self) -> AgreeingGames | None:
        """The real games of the players, or None if none were played."""
        if not self.watched:
            return None
        return AgreeingGames(self.watched, self.declared, self.games)


@dataclass(frozen=True)
class ExactStanding(Record):
    """One player's row in an exact round robin."""

    rank: int
    player: str
    #: Expected points per game over all its pairings, each equally often.
    score: Fraction
    #: Its expected payoff per game, in a game with payoffs of its own; then it decides the rank.
    payoff: Fraction | None = None

    KEYS = "rank player score payoff?"


@dataclass(frozen=True)
class ExactTournament(Record):
    """The exact results of a round robin."""

    SCHEMA = "arena.exact-tournament/1"

    game: str
    standings: tuple[ExactStanding, ...]
    pairings: tuple[ExactResult, ...]
    #: The reason for each player that the user did not name and that is not in it.
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckedFight(WrappedFight):
    """A fight with the exact result of its pairing."""

    KEYS = "*fight exact p_value p_value_test"

    #: The exact result, with ``--exact``.
    exact: ExactResult
    #: Probability of a sample at least as far from the exact result; None if some openings were
    #: played more often than others.
    p_value: float | None
    #: Name of the test, as in :class:`arena.stats.goodness.Fit`; empty without a p-value.
    p_value_test: str = "chi-square"


@dataclass(frozen=True)
class LineStep:
    """One move of a line, in the game's notation, and the board after it."""

    move: str
    by_player: bool
    picture: str
    #: Value lost by the move under perfect play: ``a win``, ``a draw`` or empty; None if the game
    #: is not solved.
    gave_away: str | None
    #: The board as SVG, with the move pointed out; empty without a picture.
    svg: str = field(default="", repr=False)
    #: The move as people write it, such as ``h8``; empty where it is not known.
    written: str = ""
    #: Whether neither the player nor its opponent made the move, but chance.
    by_chance: bool = False


@dataclass(frozen=True)
class LosingLine(Record):
    """A shortest game that a player loses on one side."""

    KEYS = "player side opening! moves=moves.move"

    player: str
    #: ``first`` or ``second``.
    side: str
    #: Text of the position that the game begins from; empty for the start.
    opening: str
    #: In the game's notation.
    moves: tuple[LineStep, ...]


@dataclass(frozen=True)
class Agreement(Record):
    """The agreement of the moves of real games with a player's table."""

    KEYS = "games seed deviation p_value"

    games: int
    seed: int
    #: First move that is not in the table.
    deviation: Deviation | None
    #: Upper bound of the probability of frequencies at least as far from the table's.
    p_value: float

    @property
    def holds(self) -> bool:
        """Whether the games agree with the table."""
        return self.deviation is None and self.p_value >= IMPOSSIBLE

    @property
    def refutation(self) -> str:
        """The player's deviation, or empty if the agreement holds."""
        if self.deviation is not None:
            return str(self.deviation)
        if self.holds:
            return ""
        return f"the moves of {self.games} real games have other frequencies (p {self.p_value:.0e})"

    @property
    def share(self) -> float:
        """The share of deviating games that is not believable at 95 %: the rule of three."""
        return min(1.0, 3 / self.games)


@dataclass(frozen=True)
class SideCertificate(Record):
    """A proof about a player on one side."""

    KEYS = "never_loses positions losing_line=losing_line.move best_reply"

    never_loses: bool
    #: Number of distinct positions that can occur, with the start and finished ones.
    positions: int
    #: The first of the shortest lines that lose, in the order of moves; None without any.
    losing_line: tuple[LineStep, ...] | None
    #: Points per game, from 0 to 1, that the best opponent can expect.
    best_reply: Fraction
    #: The proof: the probability of each of the player's moves at each of its turns, by position or
    #: by line.
    moves: Mapping[str, Mapping[str, Fraction]]
    #: Number of these positions after each number of plies, from none on. Not in JSON.
    by_ply: tuple[int, ...] = field(default=(), compare=False)

    def with_moves(self) -> Json:
        """Return the side as in schema ``arena.certificate/2``, with the probabilities."""
        return {
            **self.as_json(),
            "moves": {key: list(moves) for key, moves in self.moves.items()},
            "chances": {key: encode(list(moves.values())) for key, moves in self.moves.items()},
        }


@dataclass(frozen=True)
class Certificate(Record):
    """A proof of whether a player ever loses at a game, with the moves that prove it."""

    SCHEMA = "arena.certificate/1"
    KEYS = (
        "game game_version player never_loses exploitability keyed_by account agreement"
        " proved_by assumes first second"
    )

    game: str
    game_version: int
    player: str
    #: Key of the moves: ``position``, or ``line`` for a stateful player.
    keyed_by: str
    first: SideCertificate
    second: SideCertificate
    #: Whether the table is the player's own declaration, its ``distribution``.
    is_declared: bool = False
    #: Agreement of real games with the table; None if none were played.
    agreement: Agreement | None = None
    #: The program that walked, with versions, and what it took for granted.
    proved_by: str = ""
    assumes: str = ""

    @property
    def how(self) -> str:
        """The way that the player was asked: ``by its own declaration``, or ``move by move``."""
        return "by its own declaration" if self.is_declared else "move by move"

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can win, against either side, in the table and in real games."""
        agrees = self.agreement is None or self.agreement.holds
        return agrees and self.table_never_loses

    @property
    def table_never_loses(self) -> bool:
        """Whether the moves of the table never lose."""
        return self.first.never_loses and self.second.never_loses

    @property
    def best_reply(self) -> Fraction:
        """The points per game that the best opponent can expect over both starting orders."""
        return (self.first.best_reply + self.second.best_reply) / 2

    @property
    def exploitability(self) -> Fraction:
        """The points per game that the best opponent expects above the fair half."""
        return self.best_reply - Fraction(1, 2)

    @property
    def account(self) -> str:
        """``declared`` if the table is the player's own, else ``asked``."""
        return "declared" if self.is_declared else "asked"

    def with_moves(self) -> Json:
        """Return schema ``arena.certificate/2``: the table with the probabilities of its moves.

        A certificate's file has that, and its checker needs it. The file describes the table alone,
        not the real games of the player.
        """
        source = (
            f"the moves of {self.player}, asked {self.how} as a function of the {self.keyed_by}"
        )
        texts = {"source": source, "program": self.proved_by, "assumes": self.assumes}
        record = self.as_json()
        for key in ("account", "agreement", "proved_by", "assumes", "first", "second"):
            del record[key]
        return {
            **record,
            "schema": "arena.certificate/2",
            "never_loses": self.table_never_loses,
            **{key: ascii_line(text) for key, text in texts.items()},
            "first": self.first.with_moves(),
            "second": self.second.with_moves(),
        }


@dataclass(frozen=True)
class CheckedSide(Record):
    """The proof of one side's moves, once a checker has gone through them."""

    KEYS = "positions losing_line best_reply"

    positions: int
    #: The moves of the shortest loss, in the game's notation; None if there is none.
    losing_line: tuple[str, ...] | None
    #: The points per game of the best opponent; None if the file does not say how probable moves
    #: are.
    best_reply: Fraction | None
    #: The moves of the shortest loss as people write them.
    written: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckedCertificate(Record):
    """The proof of a certificate in a file by the rules, and whether a player keeps to it."""

    SCHEMA = "arena.checked-certificate/1"
    KEYS = "game named never_loses first second checked_by source program assumes player agreement"

    game: str
    #: The player that the file names.
    named: str
    first: CheckedSide
    second: CheckedSide
    #: The program that verified it, with versions.
    checked_by: str
    #: The file's own words, which nothing verifies: the source of its moves, the program that wrote
    #: it, and the assumption of that; None where it does not say so.
    source: str | None = None
    program: str | None = None
    assumes: str | None = None
    #: The player whose games were looked up in it, and what they said; None if none was named.
    player: str | None = None
    agreement: Agreement | None = None

    @property
    def never_loses(self) -> bool:
        """Whether the moves in the file never lose."""
        return self.first.losing_line is None and self.second.losing_line is None

    @property
    def holds(self) -> bool:
        """Whether the player, if one was named, keeps to the moves."""
        return self.agreement is None or self.agreement.holds


@dataclass(frozen=True)
class MoveReport(Record):
    """The probability of each of a player's moves in one position."""

    SCHEMA = "arena.move/1"
    KEYS = "game player position moves values account"

    game: str
    player: str
    position: str
    picture: str
    #: Moves in the game's notation, in the order of the moves; those of probability 0 are left out.
    moves: Mapping[str, Fraction]
    #: Value of each legal move under perfect play, where the game is solved; else empty.
    values: Mapping[str, str]
    #: Where the player says that its move comes from; empty if it says nothing.
    account: str = ""
    #: The moves in human notation, such as ``h8``, where that differs. Not in JSON.
    written: Mapping[str, str] = field(default_factory=dict)
