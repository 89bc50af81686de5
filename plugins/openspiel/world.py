"""Games of OpenSpiel with luck, secrets, simultaneous moves, payoffs of their own or more seats.

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
from types import MappingProxyType
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
    as_seat,
    outcome_of,
)
from arena.games.by_moves import PositionByMoves, after_moves
from arena.games.floats import fraction_of, shares_of
from arena.games.sealed import SealedGame
from arena.plugins.openspiel.library import OPENSPIEL, excluded, kind_of, library, load
from arena.plugins.openspiel.observation import OpenSpielObservation as OpenSpielObservation
from arena.plugins.openspiel.observation import moves_seen
from arena.plugins.openspiel.parameters import library_parameters
from arena.plugins.openspiel.position import START_TEXT
from arena.plugins.openspiel.rules import guide_of, name_of
from arena.seats import MAX_SEATS

#: What stands before the number of a move of chance.
_LETTER = "c"

#: The library's numbers where no seat moves.
_OVER, _LUCK = -4, -1

#: Games that have far fewer moves than the library has numbers for them.
_SPARSE = ("colored_trails",)

_new: Any = tuple.__new__  # a third of a microsecond less a ply

#: Games whose information states forget what the seat knew: its observations take their place.
UNFAITHFUL = frozenset(
    (
        "colored_trails",
        "dark_hex",
        "dark_hex_ir",
        "go_fish",
        "goofspiel",
        "lewis_signaling",
        "liars_dice_ir",
        "phantom_ttt_ir",
        "repeated_leduc_poker",
    )
)

#: Games whose information states forget in which order a seat got its cards. A seat is shown the
#: cards when all are dealt, or in a game of several deals what it observes.
DEALT = frozenset(("bridge", "euchre", "hearts", "oh_hell"))
DEALT_AGAIN = frozenset(("cribbage",))


class _WorldFields(NamedTuple):
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


class WorldPosition(PositionByMoves, _WorldFields):
    """A position of such a game. Subclasses say whether it has luck and whether it has secrets."""

    __slots__ = ()

    @property
    def game(self) -> WorldGame:
        """The game of this position."""
        return self.rules

    @property
    def to_move(self) -> Side:
        """The seat to move, or chance."""
        return self[4]

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, those of chance where it moves, or none after the end."""
        return self[5]

    def play(self, move: int) -> Self:
        """Return the position after the move, with a state of its own."""
        rules, state, moves, recalled, mover, legal = self
        if move not in legal:
            raise IllegalMove(f"move {quoted(str(move))} is not legal at {quoted(str(self))}")
        if mover is CHANCE:  # as action_of() does, without a call
            action = move - rules.actions
        else:
            action = rules.numbers[move] if rules.numbers else move
        try:
            after = state.child(action)
        except Exception as error:
            raise PluginError(f"OpenSpiel fails at {quoted(str(self))}: {error}") from error
        if recalled:
            recalled = rules.recall(recalled, mover, move, after)
        moves += (move,)  # faster than a tuple of all
        position: Self = rules.position(after, moves, recalled)
        return position

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return what the library pays, None while the game goes on."""
        if self[5]:
            return None
        paid = tuple(map(fraction_of, self.state.returns()))
        if self.rules.is_paid:
            return paid
        return tuple((payoff + 1) / 2 for payoff in paid)

    def outcome(self) -> Outcome | None:
        """Return who of two has the higher payoff, or that the game is over."""
        return None if self[5] else outcome_of(self.state.returns())

    def picture(self) -> str:
        """Return what the library writes of the state."""
        return str(self.state).rstrip() or START_TEXT


class LuckyWorldPosition(WorldPosition):
    """A position of a game with luck that all seats see."""

    __slots__ = ()

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return every move of chance with its probability."""
        return self.rules.shares(self.state, self.moves)


class SecretWorldPosition(WorldPosition):
    """A position of a game in which a seat does not see all."""

    __slots__ = ()

    def observation(self, seat: int) -> OpenSpielObservation:
        """Return what the seat knows."""
        return _observation_of(self, seat)


class LuckySecretWorldPosition(LuckyWorldPosition):
    """A position of a game with luck, in which a seat does not see all."""

    __slots__ = ()

    def observation(self, seat: int) -> OpenSpielObservation:
        """Return what the seat knows."""
        return _observation_of(self, seat)


def _observation_of(position: WorldPosition, seat: int) -> OpenSpielObservation:
    rules, state, moves, recalled, mover, legal = position
    if recalled:
        text = "\n".join(recalled[seat])
    elif rules.tells_moves:
        seen = moves_seen(moves, seat, mover, rules.actions)
        text = f"{' '.join(map(rules.format_move, seen))}\n{rules.observed(state, seat)}"
    elif rules.shows_deals or mover != CHANCE:
        text = state.information_state_string(seat)
    else:
        text = ""
    observation: OpenSpielObservation = _new(
        OpenSpielObservation, (rules, seat, text, legal if mover == seat else ())
    )
    return observation


class WorldGame(SealedGame):
    """A game of OpenSpiel of that kind. Get one from :func:`world_game`."""

    kinds = ("openspiel",)
    transposes = False

    def __init__(
        self,
        kind: str,
        parameters: Mapping[str, Any] = MappingProxyType({}),
        *,
        recalls: bool = False,
    ) -> None:
        """Make a game. Its observations say all that a seat observed if it ``recalls`` that."""
        self.name, self.version = name_of(kind, parameters), OPENSPIEL.version_of_rules()
        self.kind, self.parameters = kind, dict(parameters)
        self.library, state = load(kind, library_parameters(kind, parameters))
        is_at_once = self.library.get_type().dynamics.name == "SIMULTANEOUS"
        is_open = self.library.get_type().information.name == "PERFECT_INFORMATION"
        if is_at_once:
            self.library = library().convert_to_turn_based(self.library)
            state = self.library.new_initial_state()
        type_ = self.library.get_type()
        self._count(state)
        # The library counts too few moves of chance where all move at once.
        self.max_plies = max(1, self._longest() * (2 if is_at_once else 1))
        self.payoffs = self._payoffs()
        secret = is_at_once or not is_open
        self._kind_of_position = {
            (True, True): LuckySecretWorldPosition,
            (True, False): LuckyWorldPosition,
            (False, True): SecretWorldPosition,
            (False, False): WorldPosition,
        }[type_.chance_mode.name != "DETERMINISTIC", secret]
        self._recalls = secret and (recalls or not type_.provides_information_state_string)
        #: Whether a seat knows the moves of all rounds but this one, and what it observes.
        self.tells_moves = self._recalls and is_at_once and is_open
        #: Whether a seat sees the cards that chance deals before it has dealt all.
        self.shows_deals = kind not in DEALT
        #: Whether the library tells what a seat observes, apart from all that it knows.
        self.observes: bool = type_.provides_observation_string
        seats = range(self.seats) if self._recalls and not self.tells_moves else ()
        recalled = tuple((self.observed(state, seat),) for seat in seats)
        self._start: WorldPosition = self.position(state, (), recalled)
        self._sealed = True

    def _count(self, state: Any) -> None:
        """Count the seats and the moves. Raises UsageError if there are too many."""
        self.seats = int(self.library.num_players())
        if not 2 <= self.seats <= MAX_SEATS:
            raise _refused(self.name, f"is for {self.seats} players")
        seats = tuple(Side) if self.seats == 2 else tuple(map(as_seat, range(self.seats)))
        #: Who moves, by the library's number. After the end it is any seat.
        self._movers = {_LUCK: CHANCE, _OVER: seats[0], **dict(enumerate(seats))}
        #: The library's numbers of the moves, where it has far more numbers than moves.
        self.numbers = _occurring(state) if self.kind in _SPARSE else ()
        self._move_by_number = {number: move for move, number in enumerate(self.numbers)}
        self.actions: int = len(self.numbers) or self.library.num_distinct_actions()
        if self.actions + self.library.max_chance_outcomes() > MAX_MOVE:
            raise _refused(self.name, f"has more than {MAX_MOVE} moves")

    @property
    def guide(self) -> str:
        """What the library says of the game."""
        return guide_of(self.library, self.seats)

    def start(self) -> WorldPosition:
        """Return the position before the first move."""
        return self._start

    def position_of(self, state: Any) -> WorldPosition:
        """Return the position of a state of the library, which stays the caller's."""
        position = self.start()
        for action in state.history():
            is_luck = position.to_move == CHANCE
            position = position.play(action + self.actions if is_luck else self.move_of(action))
        return position

    def action_of(self, move: int) -> int:
        """Return the library's number of a move of a seat or of chance."""
        if move >= self.actions:
            return move - self.actions
        return self.numbers[move] if self.numbers else move

    def move_of(self, action: int) -> int:
        """Return the move of a seat that has this number in the library."""
        return self._move_by_number[action] if self.numbers else action

    def observation_of(self, state: Any, seat: int) -> Any:
        """Return what a seat knows in a state of the library in which it is to move.

        Where all seats move at once, none knows what the others choose.
        """
        position = self.position_of(state)
        if state.is_simultaneous_node():
            while position.to_move != seat:
                position = position.play(position.legal_moves()[0])
        return position.observation(seat)

    def position(
        self, state: Any, moves: tuple[int, ...], recalled: tuple[tuple[str, ...], ...]
    ) -> Any:  # a WorldPosition, of the class that play() is called on
        """Return the position of a state after these moves, and of what each seat recalls."""
        player = state.current_player()
        if player == _OVER or len(moves) >= self.max_plies:
            legal: tuple[int, ...] = ()
        elif player == _LUCK:
            legal = _moves_of_luck(self.actions, tuple(state.legal_actions()))
        elif self.numbers:
            legal = tuple(map(self.move_of, state.legal_actions()))
        else:
            legal = tuple(state.legal_actions())
        fields = self, state, moves, recalled, self._movers[player], legal
        return _new(self._kind_of_position, fields)

    def shares(self, state: Any, moves: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
        """Return the moves of chance with their probabilities, as fractions that add up to 1."""
        shares = shares_of(tuple(state.chance_outcomes()), self.actions)
        if not shares:
            where = quoted(" ".join(map(self.format_move, moves)) or START_TEXT)
            raise PluginError(f"OpenSpiel's chances at {where} are no exact fractions")
        return shares

    def recall(
        self, recalled: tuple[tuple[str, ...], ...], mover: Side, move: int, after: Any
    ) -> tuple[tuple[str, ...], ...]:
        """Return what each seat has observed and done after one more move."""
        own_move = [f"move {move}"]
        return tuple(
            (*history, *(own_move if mover == seat else ()), self.observed(after, seat))
            for seat, history in enumerate(recalled)
        )

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
        return after_moves(self.start(), text)

    def parse_observation(self, text: str) -> Observation | Position:
        """Return the observation that a text describes. Raises PositionError with the problem."""
        if not self._kind_of_position.has_secrets:
            return self.parse(text)
        try:
            seat, words, moves = json.loads(text)
            numbers = type(seat) is int and all(type(move) is int for move in moves)
            if numbers and 0 <= seat < self.seats and isinstance(words, str):
                return OpenSpielObservation(self, seat, words, tuple(moves))
        except (ValueError, TypeError, RecursionError):
            pass
        raise PositionError(f"observation {quoted(text)} is not like '[0, \"...\", [1, 2]]'")

    def format_move(self, move: int) -> str:
        """Return the library's number of the move, after ``c`` if chance makes it."""
        if move >= self.actions:
            return f"{_LETTER}{move - self.actions}"
        return str(self.numbers[move] if self.numbers else move)

    def parse_move(self, text: str) -> int:
        """Return the move of that number. Raises MoveError for another text."""
        digits = text.removeprefix(_LETTER)
        is_number = digits.isascii() and digits.isdigit() and str(int(digits[:9])) == digits
        number = int(digits) if is_number else -1
        if digits != text:
            move = number + self.actions if is_number else -1
        elif self.numbers:
            move = self._move_by_number.get(number, -1)
        else:
            move = number if number < self.actions else -1
        if not 0 <= move <= MAX_MOVE:
            raise MoveError(f"{quoted(text)} is not a move of {self.name}: write a number")
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        return world_game, (self.kind, self.parameters)

    def _longest(self) -> int:
        """Return the largest number of moves. The library counts too few in one game."""
        length = int(self.library.max_game_length() + self.library.max_chance_nodes_in_history())
        if self.kind != "coin_game":
            return length
        # Chance gives every seat a colour and a place, and places every coin, before any moves.
        given = self.library.get_parameters()
        coins = (self.seats + given["num_extra_coin_colors"]) * given["num_coins_per_color"]
        return max(length, 2 * self.seats + int(coins) + int(self.library.max_game_length()))

    def _payoffs(self) -> Payoffs:
        """Return the range of the payoffs. For two, those of -1, 0 and 1 are loss, draw and win."""
        library = self.library
        least, most = map(fraction_of, (library.min_utility(), library.max_utility()))
        total = library.utility_sum()
        if self.seats == 2 and total == 0 and (least, most) == (Fraction(-1), Fraction(1)):
            return Game.payoffs
        return Payoffs(least, most, "points", None if total is None else fraction_of(total))


@lru_cache(maxsize=4096)  # games draw from the same cards again and again
def _moves_of_luck(first: int, actions: tuple[int, ...]) -> tuple[int, ...]:
    """Return the moves of chance, ascending, for the library's numbers of them."""
    return tuple([first + action for action in sorted(actions)])


def _occurring(state: Any) -> tuple[int, ...]:
    """Return the numbers of all moves that a game has, ascending.

    They must follow from the first move of chance alone, as they do in the games of ``_SPARSE``.
    """
    moves = set[int]()
    for first in state.legal_actions():
        after = state.child(first)
        while not after.is_terminal():
            moves.update(after.legal_actions())
            after = after.child(after.legal_actions()[0])
    return tuple(sorted(moves))


def _refused(name: str, trait: str) -> UsageError:
    return UsageError(f"game {quoted(name)} {trait}, which arena does not play")


def world_game(kind: str, parameters: Mapping[str, Any] = MappingProxyType({})) -> WorldGame:
    """Return the game of the library with these parameters, always the same one.

    Raises UsageError if arena does not play it. The parameters must be such as
    :func:`arena.plugins.openspiel.parameters.read` lets through.
    """
    return _world_game(kind, tuple(sorted(parameters.items())))


@cache
def _world_game(kind: str, parameters: tuple[tuple[str, Any], ...]) -> WorldGame:
    if trait := excluded(kind_of(kind)):
        raise _refused(f"openspiel:{kind}", trait)
    return WorldGame(kind, dict(parameters), recalls=kind in UNFAITHFUL | DEALT_AGAIN)
