"""Games of OpenSpiel with luck, secrets, simultaneous moves or payoffs of their own.

The library's numbers of moves are the moves here, and those of chance follow behind them. The
library itself turns simultaneous moves into moves in a row. What a seat knows is the library's
information state where that is faithful. Elsewhere it is the moves of earlier rounds and the board,
in games whose moves everybody sees, or else all observations that the library gave the seat, with
its own moves between. ``arena check game`` tells whether that leaks or forgets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PluginError, PositionError, UsageError, quoted
from arena.game import (
    CHANCE,
    MAX_MOVE,
    Game,
    Observation,
    Outcome,
    Payoffs,
    Position,
    Side,
)
from arena.games.sealed import SealedGame
from arena.plugins.openspiel.library import excluded, library, load, version_of_rules
from arena.plugins.openspiel.position import OUTCOME_BY_SIGN, START_TEXT

#: What stands before the number of a move of chance.
_LETTER = "c"

#: The largest denominators of the library's probabilities and payoffs, which are floats.
_DENOMINATORS = (10_000, 10**9)

#: Who moves where the library has these numbers. After the end it has another.
_OVER, _LUCK = -4, -1
_MOVERS = {_LUCK: CHANCE, 0: Side.FIRST, 1: Side.SECOND}

_new: Any = tuple.__new__  # a third of a microsecond less a ply

#: How far a fraction may be from the library's float.
_EXACT = 1e-12

#: Games whose information states forget what the seat knew: its observations take their place.
UNFAITHFUL = frozenset(
    (
        "dark_hex",
        "dark_hex_ir",
        "goofspiel",
        "lewis_signaling",
        "liars_dice_ir",
        "phantom_ttt_ir",
        "repeated_leduc_poker",
    )
)


class _Known(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: WorldGame
    seat: int
    #: What the seat knows, as the library writes it.
    text: str
    moves: tuple[int, ...]


class Known(_Known, Observation):
    """What a seat knows of a game of OpenSpiel, and the moves that it may make."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat."""
        return self.moves

    def picture(self) -> str:
        """Return what the library writes."""
        return self.text

    # The moves follow from the text. Were they compared, a game could tell a secret by them.
    def _facts(self) -> tuple[str, int, str, bool]:
        return self.game.name, self.seat, self.text, bool(self.moves)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self._facts() == other._facts()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._facts())

    def __str__(self) -> str:
        return json.dumps([self.seat, self.text, list(self.moves)])

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}>"


class _Fields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    rules: WorldGame
    #: The library's state, which must not be changed, and all moves so far.
    state: Any
    moves: tuple[int, ...]
    #: What each seat has observed and done, where the information state is not what it knows.
    recalled: tuple[tuple[str, ...], ...]
    #: Who moves, and the legal moves: every position is asked for them.
    mover: Side
    legal: tuple[int, ...]


class WorldPosition(_Fields, Position):
    """A position of such a game. Subclasses say whether it has luck and whether it has secrets."""

    __slots__ = ()

    @property
    def game(self) -> WorldGame:
        """The game of this position."""
        return self.rules

    @property
    def ply(self) -> int:
        """The number of moves so far, those of chance among them."""
        return len(self.moves)

    @property
    def to_move(self) -> Side:
        """The side to move, or chance."""
        return self[4]

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, those of chance where it moves, or none after the end."""
        return self[5]

    def play(self, move: int) -> Self:
        """Return the position after the move, with a state of its own."""
        rules, state, moves, recalled, mover, legal = self
        if move not in legal:
            raise IllegalMove(f"move {quoted(str(move))} is not legal at {quoted(str(self))}")
        try:
            after = state.child(move - rules.actions if mover == CHANCE else move)
        except Exception as error:
            raise PluginError(f"OpenSpiel fails at {quoted(str(self))}: {error}") from error
        if recalled:
            own = [f"move {move}"]
            recalled = tuple(
                (*known, *(own if mover == other else ()), rules.observed(after, other))
                for other, known in enumerate(recalled)
            )
        moves = (*moves, move)
        turn = rules.turn(after, moves)
        position: Self = _new(type(self), (rules, after, moves, recalled, *turn))
        return position

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return what the library pays, None while the game goes on."""
        if self[5]:
            return None
        paid = tuple(map(_fraction, self.state.returns()))
        if self.rules.is_paid:
            return paid
        return tuple((payoff + 1) / 2 for payoff in paid)

    def outcome(self) -> Outcome | None:
        """Return who has the higher payoff."""
        if self[5]:
            return None
        first, second = self.state.returns()
        return OUTCOME_BY_SIGN[(first > second) - (first < second)]

    def picture(self) -> str:
        """Return what the library writes of the state."""
        return str(self.state).rstrip() or START_TEXT

    def __str__(self) -> str:
        return " ".join(map(self.rules.format_move, self.moves)) or START_TEXT

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WorldPosition):
            return NotImplemented
        return (self.rules.name, self.moves) == (other.rules.name, other.moves)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.moves)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.rules.parse, (str(self),)


@lru_cache(1024)
def _exact(outcomes: tuple[tuple[int, float], ...], first: int) -> tuple[tuple[int, Fraction], ...]:
    """Return the probabilities of chance as fractions that add up to 1, or nothing.

    ``first`` is the number of the first move of chance. Most games have few such tables.
    """
    outcomes = tuple(sorted(outcomes))
    for most in _DENOMINATORS:
        shares = [Fraction(share).limit_denominator(most) for _, share in outcomes]
        if sum(shares) == 1 and all(
            abs(share - given) < _EXACT for share, (_, given) in zip(shares, outcomes, strict=True)
        ):
            moves = [first + action for action, _ in outcomes]
            return tuple(pair for pair in zip(moves, shares, strict=True) if pair[1])
    return ()


class LuckyPosition(WorldPosition):
    """A position of a game with luck that both seats see."""

    __slots__ = ()

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return every move of chance with its probability."""
        return self.rules.shares(self.state, self.moves)


class SecretPosition(WorldPosition):
    """A position of a game in which a seat does not see all."""

    __slots__ = ()

    def observation(self, seat: int) -> Known:
        """Return what the seat knows."""
        return _known(self, seat)


class LuckySecretPosition(LuckyPosition):
    """A position of a game with luck, in which a seat does not see all."""

    __slots__ = ()

    def observation(self, seat: int) -> Known:
        """Return what the seat knows."""
        return _known(self, seat)


def _known(position: WorldPosition, seat: int) -> Known:
    rules, state, moves, recalled, mover, legal = position
    if recalled:
        text = "\n".join(recalled[seat])
    elif rules.tells_moves:
        is_hidden = mover == seat == Side.SECOND and moves and moves[-1] < rules.actions
        seen = moves[:-1] if is_hidden else moves  # both move at once, the library asks one by one
        text = f"{' '.join(map(rules.format_move, seen))}\n{rules.observed(state, seat)}"
    else:
        text = state.information_state_string(seat)
    known: Known = _new(Known, (rules, seat, text, legal if mover == seat else ()))
    return known


@lru_cache(1024)
def _fraction(number: float) -> Fraction:
    for most in _DENOMINATORS:
        fraction = Fraction(number).limit_denominator(most)
        if abs(fraction - Fraction(number)) < _EXACT * max(1, abs(number)):
            return fraction
    return Fraction(number)


class WorldGame(SealedGame):
    """A game of OpenSpiel of that kind. Get one from :func:`world_game`."""

    kinds = ("openspiel",)
    transposes = False

    def __init__(self, kind: str, *, recalls: bool = False) -> None:
        """Make a game. Its observations say all that a seat observed if it ``recalls`` that."""
        self.name, self.kind, self.version = f"openspiel:{kind}", kind, version_of_rules()
        self.library, state = load(kind, _for_two(kind))
        is_at_once = self.library.get_type().dynamics.name == "SIMULTANEOUS"
        is_open = self.library.get_type().information.name == "PERFECT_INFORMATION"
        if is_at_once:
            self.library = library().convert_to_turn_based(self.library)
            state = self.library.new_initial_state()
        type_ = self.library.get_type()
        self.actions: int = self.library.num_distinct_actions()
        chances: int = self.library.max_chance_outcomes()
        if self.library.num_players() != 2:
            raise _refused(self.name, f"is for {self.library.num_players()} players")
        if self.actions + chances > MAX_MOVE:
            raise _refused(self.name, f"has more than {MAX_MOVE} moves")
        lucky = type_.chance_mode.name != "DETERMINISTIC"
        secret = is_at_once or not is_open
        self.max_plies = max(1, self._longest() * (2 if is_at_once else 1))
        self.payoffs = self._payoffs(type_.utility.name)
        self._kind_of_position = {
            (True, True): LuckySecretPosition,
            (True, False): LuckyPosition,
            (False, True): SecretPosition,
            (False, False): WorldPosition,
        }[lucky, secret]
        self._recalls = secret and (recalls or not type_.provides_information_state_string)
        #: Whether a seat knows the moves of all rounds but this one, and what it observes.
        self.tells_moves = self._recalls and is_at_once and is_open
        #: Whether the library tells what a seat observes, apart from all that it knows.
        self.observes: bool = type_.provides_observation_string
        seats = tuple(Side) if self._recalls and not self.tells_moves else ()
        recalled = tuple((self.observed(state, seat),) for seat in seats)
        turn = self.turn(state, ())
        self._start = self._kind_of_position(self, state, (), recalled, *turn)
        self._sealed = True

    def start(self) -> WorldPosition:
        """Return the position before the first move."""
        return self._start

    def position_of(self, state: Any) -> WorldPosition:
        """Return the position of a state of the library, which stays the caller's."""
        position = self.start()
        for action in state.history():
            is_luck = position.to_move == CHANCE
            position = position.play(action + self.actions if is_luck else action)
        return position

    def observation_of(self, state: Any, seat: int) -> Any:
        """Return what a seat knows in a state of the library in which it is to move.

        Where both sides move at once, no side knows what the others choose.
        """
        position = self.position_of(state)
        if state.is_simultaneous_node():
            while position.to_move != seat:
                position = position.play(position.legal_moves()[0])
        return position.observation(seat)

    def turn(self, state: Any, moves: tuple[int, ...]) -> tuple[Side, tuple[int, ...]]:
        """Return who moves in a state after these moves, and the legal moves there."""
        player = state.current_player()
        side = _MOVERS.get(player, Side.FIRST)
        if player == _OVER or len(moves) >= self.max_plies:
            return side, ()
        if player == _LUCK:
            first = self.actions
            return side, tuple([first + action for action in sorted(state.legal_actions())])
        return side, tuple(state.legal_actions())

    def shares(self, state: Any, moves: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
        """Return the moves of chance with their probabilities, as fractions that add up to 1."""
        shares = _exact(tuple(state.chance_outcomes()), self.actions)
        if not shares:
            where = quoted(" ".join(map(self.format_move, moves)) or START_TEXT)
            raise PluginError(f"OpenSpiel's chances at {where} are no exact fractions")
        return shares

    @property
    def knowledge(self) -> str:
        """What an observation has: all, the information state, or the observations in a row."""
        if not self._kind_of_position.has_secrets:
            return "all"
        if self.tells_moves:
            return "the moves of earlier rounds, what it observes"
        return "its observations" if self._recalls else "its information state"

    def observed(self, state: Any, seat: int) -> str:
        """Return what the library shows a seat of a state, nothing where chance is about to move.

        Before the first card some games show nobody anything, and raise an error.
        """
        if state.is_chance_node():
            return ""
        shows = state.observation_string if self.observes else state.information_state_string
        return str(shows(seat))

    def parse(self, text: str) -> WorldPosition:
        """Return the position after the moves in a text. Raises PositionError with the problem."""
        position = self.start()
        try:
            for word in text.split(" ") if text != START_TEXT else ():
                position = position.play(self.parse_move(word))
        except (MoveError, IllegalMove) as error:
            raise PositionError(f"position {quoted(text)}: {error}") from None
        return position

    def parse_observation(self, text: str) -> Observation | Position:
        """Return the observation that a text describes. Raises PositionError with the problem."""
        if not self._kind_of_position.has_secrets:
            return self.parse(text)
        try:
            seat, known, moves = json.loads(text)
            numbers = type(seat) is int and all(type(move) is int for move in moves)
            if numbers and seat in (0, 1) and isinstance(known, str):
                return Known(self, seat, known, tuple(moves))
        except (ValueError, TypeError, RecursionError):
            pass
        raise PositionError(f"observation {quoted(text)} is not like '[0, \"...\", [1, 2]]'")

    def format_move(self, move: int) -> str:
        """Return the library's number of the move, after ``c`` if chance makes it."""
        return str(move) if move < self.actions else f"{_LETTER}{move - self.actions}"

    def parse_move(self, text: str) -> int:
        """Return the move of that number. Raises MoveError for another text."""
        digits = text.removeprefix(_LETTER)
        is_number = digits.isascii() and digits.isdigit() and str(int(digits[:9])) == digits
        move = int(digits[:9]) + self.actions * (digits != text) if is_number else -1
        if not (0 <= move <= MAX_MOVE and (digits != text) is (move >= self.actions)):
            raise MoveError(f"{quoted(text)} is not a move of {self.name}: write a number")
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        return world_game, (self.kind,)

    def _longest(self) -> int:
        return int(self.library.max_game_length() + self.library.max_chance_nodes_in_history())

    def _payoffs(self, utility: str) -> Payoffs:
        """Return the range of the payoffs. Those of -1, 0 and 1 are loss, draw and win."""
        least, most = map(_fraction, (self.library.min_utility(), self.library.max_utility()))
        if utility == "ZERO_SUM" and (least, most) == (Fraction(-1), Fraction(1)):
            return Game.payoffs
        total = Fraction(0) if utility == "ZERO_SUM" else None
        return Payoffs(least, most, "points", total)


def _for_two(kind: str) -> Mapping[str, Any]:
    """Return the parameter that makes it a game for two, where it is usually for more."""
    kinds = {each.short_name: each for each in library().registered_games()}
    specification = kinds[kind].parameter_specification
    return {"players": 2} if "players" in specification else {}


def _refused(name: str, trait: str) -> UsageError:
    return UsageError(f"game {quoted(name)} {trait}, which arena does not play")


@cache
def world_game(kind: str) -> WorldGame:
    """Return the game of the library, always the same one.

    Raises UsageError if arena does not play it.
    """
    kinds = {each.short_name: each for each in library().registered_games()}
    if trait := excluded(kinds[kind]):
        raise _refused(f"openspiel:{kind}", trait)
    return WorldGame(kind, recalls=kind in UNFAITHFUL)
