"""Define a pairing: its players, game and seed, and the ids of its games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from arena.dataclass import dataclass
from arena.errors import UnknownName, UsageError, counted, quoted
from arena.fights.openings import Openings, OpeningsOfPairs
from arena.game import LUCK, Game, Position
from arena.model.codec import decode, encode
from arena.model.defaults import (
    COUNT_FORFEITS,
    DEALS,
    DEFAULT_COUNT_FORFEITS,
    DUPLICATE,
    INDEPENDENT,
    MAX_WAIT,
)
from arena.model.seatings import EVERY_ORDER, ROTATIONS, SEATINGS, games_a_block, seating
from arena.player import PlayerInfo, pair_names, table_names
from arena.records.adjudication import NO_ADJUDICATION, Adjudication
from arena.records.base import Json
from arena.records.luck import LuckCorrection
from arena.rng import SEED_LIMIT, path_of

if TYPE_CHECKING:
    from arena.proof.certificate_file import CertificateFile
    from arena.records.left_out import LeftOut
    from arena.records.sequential import Hypotheses
    from arena.records.until import Until
    from arena.trees.correction import Corrector

_GAME_ID = (
    r"([^/]+)((?:/[^/]+){2,8})/([0-9]{1,19})/"
    r"(?:(table)/|(?:(batch)/)?(?:(all)/)?(?:(independent)/)?(?:@([^/]+)/)?)"
    r"([1-9][0-9]{0,15})\.([1-9][0-9]{0,4})"
)


#: The engine that has single games and draws of its own, as ``--engine`` and ids name it.
BATCH = "batch"

#: The schedules that play all their pairings, whatever the results.
PLAIN_SCHEDULES = ("fight", "round robin", "gauntlet")

#: How an id has the name of a player in a file.
SLASH_HINT = "; a / inside a name is %2F, as in tictactoe/.%2Fbot.py/monkey/7/1.1"


@dataclass(frozen=True)
class Pairing:
    """Players that meet under a seed, for a number of pairs: two, or as many as the game seats.

    Of more than two players a pair is a block: a game for each way in which they sit down.
    """

    game: Game
    a: PlayerInfo
    b: PlayerInfo
    pairs: int
    seed: int
    #: The other players of a game for more than two.
    others: tuple[PlayerInfo, ...] = field(default=(), kw_only=True)
    #: The orders in which more than two sit: ``rotations`` of the first one, or ``all``.
    seatings: str = field(default=ROTATIONS, kw_only=True)
    #: Whether statistics count ``all`` pairs, or ``none`` of those with a forfeit.
    count_forfeits: str = DEFAULT_COUNT_FORFEITS
    #: Where its games begin, None for the start.
    openings: Openings | None = None
    #: The adjudication that ends its games before their rules do.
    adjudication: Adjudication = NO_ADJUDICATION
    #: Whether games are played whatever a player's first ones come to; see EarlyForfeits.
    keep_going: bool = False
    #: Seconds to wait before each game.
    wait: float = 0
    #: Whether both games of a pair have the same luck, ``duplicate``, or ``independent``.
    deals: str = DUPLICATE
    #: The certificates in which the moves of A and of B are looked up as they play.
    certificates: tuple[CertificateFile | None, CertificateFile | None] = (None, None)
    #: The plugins in files without which its games cannot be played again, as ``-p`` names them.
    plugins: tuple[str, ...] = ()
    #: The engine that plays its single games, and decides their draws: ``calls`` or ``batch``.
    engine: str = "calls"
    #: How luck is taken out of its payoffs, None if it is not, and what does so while it is played.
    luck: LuckCorrection | None = None
    corrector: Corrector | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise UsageError(f"a fight needs at least 1 pair, not {self.pairs}")
        if not 0 <= self.seed < SEED_LIMIT:
            raise UsageError(f"seed {self.seed} is not between 0 and {SEED_LIMIT - 1}")
        if self.count_forfeits not in COUNT_FORFEITS:
            raise UnknownName("choice of forfeits to count", self.count_forfeits, COUNT_FORFEITS)
        if not 0 <= self.wait <= MAX_WAIT:
            raise UsageError(f"a game waits 0 to {MAX_WAIT} seconds, not {self.wait}")
        if self.deals not in DEALS:
            raise UnknownName("choice of deals", self.deals, DEALS)
        if any(self.certificates) and self.openings is not None:
            raise UsageError("a certificate is about games from the start, not from openings")
        if self.game.is_refereed and self.adjudication:
            raise UsageError(f"the referee of {self.game.name} ends the games: do not adjudicate")
        if self.seatings not in SEATINGS:
            raise UnknownName("choice of seatings", self.seatings, SEATINGS)
        self._require_playable()
        by_name: dict[str, PlayerInfo] = {}
        for player in self.players:
            if by_name.setdefault(player.name, player).spec != player.spec:
                raise UsageError(named_twice(by_name[player.name], player))
            player.require(self.game)

    def _require_playable(self) -> None:
        """Raise UsageError for a game of which arena cannot play everything."""
        if len(self.players) != self.game.seats:
            named = counted(len(self.players), "player")
            raise UsageError(f"{self.game.name} has {self.game.seats} seats, not {named}")
        if self.seatings != ROTATIONS and not self.others:
            raise UsageError(f"{self.game.name} is for two players: leave --seatings out")
        if self.others and self.count_forfeits != DEFAULT_COUNT_FORFEITS:
            raise UsageError("--count-forfeits none is for games of two players")
        if self.others and (self.openings is not None or any(self.certificates)):
            what = "openings" if self.openings is not None else "certificates"
            raise UsageError(f"{what} are for two players, and {self.game.name} is for more")
        features = () if self.game.is_refereed else self.game.features
        if self.deals != DUPLICATE and LUCK not in features:
            raise UsageError(f"{self.game.name} has no luck: leave --deals out")
        if not features:
            return
        if self.adjudication:
            raise UsageError(f"{self.game.name} has {' and '.join(features)}: do not adjudicate")

    @property
    def plays_on(self) -> bool:
        """Whether a player that forfeits its first games plays the others too.

        At a referee's table it does, because a referee cannot begin without a player.
        """
        return self.keep_going or (self.game.is_refereed and bool(self.others))

    @property
    def players(self) -> tuple[PlayerInfo, ...]:
        """All players: A, B, and those after them."""
        return self.a, self.b, *self.others

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and of B in results."""
        return pair_names(self.a.name, self.b.name)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names of all players in results."""
        return table_names([player.name for player in self.players])

    @property
    def games_a_pair(self) -> int:
        """How many games a pair, or a block, has."""
        return games_a_block(len(self.players), self.seatings)

    def seating(self, half: int) -> tuple[int, ...]:
        """Return which player sits in each seat in a game of a pair, by their places from A's 0.

        In the first game they sit in their order.
        """
        return seating(len(self.players), self.seatings, half)

    @property
    def options(self) -> Json:
        """Return the optional fields that differ from their defaults."""
        options: Json = {
            name: getattr(self, name)
            for name in _RECORDED
            if getattr(self, name) != getattr(Pairing, name)
        }
        options |= self.adjudication.options
        if self.openings is not None:
            options["openings"] = encode(self.openings.for_pairs(self.game, self.seed, self.pairs))
        if self.luck is not None:
            options["luck"] = encode(self.luck)
        return options

    @property
    def path(self) -> str:
        """The start of the ids of all its games."""
        names = tuple(player.name for player in self.players)
        return fight_path(self.game.name, names, self.seed, self.engine, self.deals, self.seatings)

    def opening(self, pair: int) -> Position | None:
        """Return the opening of both games of a pair, None for the start."""
        if self.openings is None:
            return None
        return self.openings.of_pair(self.game, self.seed, pair)

    def begin(self, pair: int) -> Position:
        """Return the position at which both games of a pair begin."""
        opening = self.opening(pair)
        return self.game.start() if opening is None else opening

    def game_id(self, pair: int, half: int) -> str:
        """Return the id of a game of a pair, from 0, which decides all its draws."""
        return game_id(self.path, self.opening(pair), pair, half)


def named_twice(one: PlayerInfo, other: PlayerInfo) -> str:
    """Say that two players have one name."""
    if one.spec == other.spec:
        return f"player {quoted(one.name)} is named twice"
    specs = f"{one.spec or one.name} and {other.spec or other.name}"
    return f"two players are named {quoted(one.name)}: {specs}"


#: The options of runs that a pairing has as users give them, and with which any machine plays it.
COMMON_OPTIONS = ("count_forfeits", "keep_going", "wait", "deals", "seatings")

#: The fields of a pairing that have defaults and are recorded where they differ from these.
_RECORDED = (*COMMON_OPTIONS, "engine")


def fight_path(
    game: str,
    players: Sequence[str],
    seed: int,
    engine: str,
    deals: str,
    seatings: str,
) -> str:
    """Return the start of the ids of the games of a fight that have the engine's draws."""
    path = path_of(game, *players, seed=seed)
    path = f"{path}/{BATCH}" if engine == BATCH else path
    path = f"{path}/{EVERY_ORDER}" if seatings == EVERY_ORDER else path
    return f"{path}/{INDEPENDENT}" if deals == INDEPENDENT else path


def options_from(options: Json, game: Game) -> Json:
    """Return the fields of a pairing from these options."""
    fields = dict(options)
    words = fields.pop("adjudicate", "none"), fields.pop("resign", None), fields.pop("draw", None)
    fields["adjudication"] = Adjudication.read(*words)
    if "luck" in fields:
        fields["luck"] = decode(LuckCorrection, fields["luck"])
    if "openings" in fields:
        fields["openings"] = decode(OpeningsOfPairs, fields["openings"]).openings(game)
    return fields


def game_id(path: str, opening: Position | None, pair: int, half: int) -> str:
    """Return the id of a game of the fight of that path: this one of its pair, from 0."""
    return f"{path_from(path, opening)}/{pair}.{half + 1}"


def path_from(path: str, opening: Position | None) -> str:
    """Return the start of the ids of the games of that path with that opening."""
    return path if opening is None else f"{path}/@{quote(str(opening), safe='')}"


class ContestFile(NamedTuple):
    """A file with a contest, as it was when its run began."""

    name: str
    text: str


@dataclass(frozen=True)
class RunSetting:
    """The setting of a run: how it uses its pairings."""

    #: One of ``PLAIN_SCHEDULES``, or the text of a schedule that goes by rounds, as ``swiss:5``.
    schedule: str
    #: The hypotheses of a sequential test, None if all pairs are played.
    sprt: Hypotheses | None = None
    #: The file with the contest, None if there is none.
    contest: ContestFile | None = None
    #: Whose games do not count any more.
    left_out: tuple[LeftOut, ...] = ()
    #: The question that ends the run when it is answered, None if all pairs are to be played.
    until: Until | None = None
    #: How many games do not count because the schedule of the present players lacks their tables.
    unscheduled: int = 0

    @property
    def aim(self) -> Hypotheses | Until | None:
        """The rule that ends a fight before all its pairs are played."""
        return self.sprt or self.until

    @property
    def is_scheduled(self) -> bool:
        """Return whether a schedule chooses each round by the results before it."""
        return self.schedule not in PLAIN_SCHEDULES

    @property
    def is_by_rounds(self) -> bool:
        """Return whether results decide what is played next, round by round."""
        asks = self.until is not None and self.schedule != "fight"
        return asks or self.is_scheduled


class GameId(NamedTuple):
    """The parts of a game's id: ``GAME/A/B/SEED/PAIR.1``, ``.2`` if B moves first.

    A game for more than two names all players after A, and its last number is that of the game in
    its block. If a block has every order of the players, ``all/`` stands before the block.
    The id of a game that was played through tables has ``table/`` before the pair, by batches
    ``batch/``, with luck of its own ``independent/``. In the id of one that began from an opening,
    ``@`` and the position follow.
    """

    game: str
    players: tuple[str, ...]
    seed: int
    engine: str
    pair: int
    #: Which game of the pair, from 0.
    half: int
    #: The text of the position that it began from; empty for the start.
    opening: str = ""
    deals: str = DUPLICATE
    seatings: str = ROTATIONS

    @classmethod
    def parse(cls, text: str) -> GameId:
        """Read an id. Raises UsageError for anything else."""
        match = re.fullmatch(_GAME_ID, text)
        if match is None:
            raise UsageError(
                f"{quoted(text)} is neither a file nor a game id: an id is GAME/A/B/SEED/PAIR.1,"
                f" or .2 if B moved first{SLASH_HINT if text.count('/') > 4 else ''}"
            )
        game, players, seed, table, batch, every, deals, opening, pair, half = match.groups()
        names = tuple(map(_unquote, players[1:].split("/")))
        seatings = every or ROTATIONS
        if int(half) > (games := games_a_block(len(names), seatings)):
            raise UsageError(
                f"{quoted(text)} is not a game id: the games of {len(names)} players end in .1 to"
                f" .{games}"
            )
        engine = table or batch or "calls"
        start, numbers = _unquote(opening or ""), (int(pair), int(half) - 1)
        how = start, deals or DUPLICATE, seatings
        return cls(_unquote(game), names, int(seed), engine, *numbers, *how)

    @property
    def a(self) -> str:
        """The name of player A."""
        return self.players[0]

    @property
    def b(self) -> str:
        """The name of player B."""
        return self.players[1]


def _unquote(name: str) -> str:
    return unquote(name, errors="surrogateescape")
