"""Find the breach of contract of a game: the method, the position, and the problem.

Nothing here runs while games keep their contract, except one game of first moves when a plugin's
game is looked up. Arena's own games are left out: the tests check them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from traceback import walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arena.errors import (
    GameFault,
    MoveError,
    PositionError,
    counted,
    describe,
    is_stop,
    numeral,
    quoted,
    repr_of,
)
from arena.game import CHANCE, MAX_MOVE, Game, Observation, Outcome, Position, Side

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")

#: A lookup plays at most this many plies of a game to check it.
MAX_PLIES_TRIED = 1000

#: Before isolated players play, arena reads the texts of this many positions.
MAX_PLIES_READ = 20

#: The attributes of a game, with their types.
_FACTS = {"name": str, "version": int, "rules": str, "kinds": tuple, "transposes": bool}

#: What is not called.
_ATTRIBUTES = ("to_move", "ply", "game", *_FACTS)

_ARENA = "arena."


def tried(game: Game) -> Game:
    """Return the game. Raises GameFault if a game of first moves breaks its contract."""
    if _is_own(game):
        return game
    for name, kind in _FACTS.items():
        fact = _ask(game, None, name, partial(getattr, game, name))
        if type(fact) is not kind:
            raise _broken(game, None, name, f"it is {repr_of(fact)}")
    position = start_of(game)
    limit = game.max_plies
    if type(limit) is not int or limit < 1:
        raise GameFault(f"{_name(game)} broke its contract: max_plies is {quoted(repr(limit))}")
    _examine_hints(game, position, examined(game, position))
    _require_observation(game, position)
    for ply in range(min(limit, MAX_PLIES_TRIED)):
        moves = examined(game, position)
        _require_ply(game, position, ply)
        if not moves:
            if not ply:
                raise _over(game, position)
            return game
        position = _played(game, position, moves[0])
    if limit <= MAX_PLIES_TRIED and examined(game, position):
        raise endless(game, position)
    return game


def _require_ply(game: Game, position: Position, moves: int) -> None:
    """Require that a position counts its moves: whose turn it is may follow from the ply."""
    ply = _ask(game, position, "ply", lambda: position.ply)
    if ply != moves:
        answer = numeral(ply) if type(ply) is int else repr_of(ply)
        raise _broken(game, position, "ply", f"it is {answer} after {counted(moves, 'move')}")


def lacks_observation(game: Game, start: Position) -> bool:
    """Return whether a game reads observations of its own, but its positions have none."""
    if start.has_secrets or type(game).parse_observation is Game.parse_observation:
        return False
    try:
        return game.parse_observation(str(start)) != start
    except Exception:
        return True


def _require_observation(game: Game, start: Position) -> None:
    if lacks_observation(game, start):
        problem = "it is not written: every seat would see the position"
        raise _broken(game, start, "observation", problem)


def _over(game: Game, position: Position) -> GameFault:
    """Return the fault of a game that is over before its first move: no player has one to make."""
    problem = "the game is over before its first move; play() must not change a position"
    return _broken(game, position, "outcome", problem)


def start_of(game: Game) -> Position:
    """Return where the game begins. Raises GameFault if that is not a position."""
    return _position(game, None, "start", game.start)


def parsed(game: Game, text: str) -> Position:
    """Return the position that a text describes.

    Raises PositionError if the game refuses the text, and GameFault if it breaks its contract.
    """
    return _position(game, None, "parse", lambda: game.parse(text), PositionError)


def observed(game: Game, text: str) -> Observation | Position:
    """Return what a seat knows, as the text describes it. Raises as :func:`parsed`."""
    method = "parse_observation"
    seen = _ask(game, None, method, lambda: game.parse_observation(text), PositionError)
    if not (_is_a(seen, Observation) or _is_a(seen, Position)):
        raise _broken(game, None, method, f"returned {repr_of(seen)}")
    return seen


def move_of_text(position: Position, text: str) -> int:
    """Return the move that a human writes so at a position.

    Raises MoveError if the game refuses the text, and GameFault if it breaks its contract.
    """
    game = position.game
    move = _ask(game, position, "read_move", lambda: position.read_move(text), MoveError)
    if type(move) is not int:
        raise _broken(game, position, "read_move", f"returned {repr_of(move)}")
    return move


def picture_of(seen: Observation | Position, last: int | None) -> str:
    """Return what a human looks at, in a position with the ``last`` move marked.

    Raises GameFault if that breaks the contract.
    """
    is_position = isinstance(seen, Position)
    method = "marked_picture" if is_position else "picture"
    where = cast("Position", seen)  # the text of either says where
    draw = partial(getattr(seen, method), *([last] if is_position else []))
    drawn: object = _ask(seen.game, where, method, draw)
    if type(drawn) is not str:
        raise _broken(seen.game, where, method, f"returned {repr_of(drawn)}")
    return drawn


def examined(game: Game, position: Position) -> Sequence[int]:
    """Return the moves at the position, or none if the game is over.

    Raises GameFault if an answer of the position breaks its contract.
    """
    outcome = _ask(game, position, "outcome", position.outcome)
    if outcome is not None and type(outcome) is not Outcome:
        raise _broken(game, position, "outcome", f"returned {repr_of(outcome)}")
    side = _ask(game, position, "to_move", lambda: position.to_move)
    is_chance = position.has_luck and type(side) is int and side == CHANCE
    is_seat = game.seats > 2 and type(side) is int and 0 <= side < game.seats
    if not (is_chance or is_seat or _is_a(side, Side)):
        raise _broken(game, position, "to_move", f"it is {repr_of(side)}")
    moves = _ask(game, position, "legal_moves", position.legal_moves)
    if is_chance:
        _examine_chance(game, position, moves)
    listed = _is_a(moves, tuple) or _is_a(moves, list)
    if not listed or any(type(move) is not int for move in moves):
        raise _broken(game, position, "legal_moves", f"returned {repr_of(moves)}")
    for move in (min(moves), max(moves)) if moves else ():
        if not 0 <= move <= MAX_MOVE:
            problem = f"it has move {numeral(move)}, and a move is an int from 0 to {MAX_MOVE}"
            raise _broken(game, position, "legal_moves", problem)
    if (not moves) is (outcome is None):
        state = "goes on" if outcome is None else "is over"
        raise _broken(game, position, "legal_moves", f"returned {moves!r} where the game {state}")
    if position.has_secrets:
        for seat in range(game.seats):
            _examine_observation(game, position, seat, moves if side == seat else ())
    return moves


def _examine_observation(game: Game, position: Position, seat: int, moves: Sequence[int]) -> None:
    """Require an observation of the seat: a value that can be hashed and has the seat's moves."""
    method = f"observation({seat})"

    def require(holds: bool, problem: str) -> None:
        if not holds:
            raise _broken(game, position, method, problem)

    seen: Any = _ask(game, position, method, partial(position.observation, seat))
    if _is_a(seen, Position):
        return
    require(_is_a(seen, Observation), f"returned {repr_of(seen)}")
    of = _ask(game, position, f"{method}.seat", lambda: seen.seat)
    require(of == seat, f"returned what seat {repr_of(of)} knows")
    _ask(game, position, f"hash({method})", partial(hash, seen))
    text = _ask(game, position, f"str({method})", partial(str, seen))
    require(_is_a(text, str), f"has the text {repr_of(text)}")
    answer = _ask(game, position, f"{method}.legal_moves()", seen.legal_moves)
    same = (_is_a(answer, tuple) or _is_a(answer, list)) and [*answer] == [*moves]
    require(same, f"has the moves {repr_of(answer)}, and the seat may make {repr_of(tuple(moves))}")


def _examine_chance(game: Game, position: Position, moves: Sequence[int]) -> None:
    """Require that chance makes the legal moves, with probabilities that add up to 1."""
    from fractions import Fraction  # few games have luck

    shares = _ask(game, position, "chance_moves", lambda: [*position.chance_moves()])
    if [move for move, _ in shares] != [*moves]:
        raise _broken(game, position, "chance_moves", "it does not have the legal moves")
    if any(type(share) is not Fraction or share <= 0 for _, share in shares):
        raise _broken(game, position, "chance_moves", "a probability is no Fraction above 0")
    if (total := sum(share for _, share in shares)) != 1:
        raise _broken(game, position, "chance_moves", f"the probabilities add up to {total}")


def payoffs_of(position: Position) -> tuple[Fraction, ...]:
    """Return what a game that is over paid. Raises GameFault if that breaks its contract."""
    game = position.game
    paid = _ask(game, position, "payoffs", position.payoffs)
    if not _is_own(game):
        _examine_payoffs(game, position, paid)
    return cast("tuple[Fraction, ...]", paid)


def _examine_payoffs(game: Game, position: Position, paid: Any) -> None:
    """Require a payoff of each seat, in the range and with the sum that the game declares."""
    from fractions import Fraction  # few games pay

    least, most, _, total = game.payoffs
    fractions = _is_a(paid, tuple) and all(type(payoff) is Fraction for payoff in paid)
    if not fractions or len(paid) != game.seats:
        problem = f"returned {repr_of(paid)}, not a Fraction for each of {game.seats} seats"
        raise _broken(game, position, "payoffs", problem)
    written = ", ".join(map(str, paid))
    if not all(least <= payoff <= most for payoff in paid):
        problem = f"returned {written}, and game.payoffs says {least} to {most}"
        raise _broken(game, position, "payoffs", problem)
    if total is not None and sum(paid) != total:
        problem = f"returned {written}, which adds up to {sum(paid)}, and game.payoffs says {total}"
        raise _broken(game, position, "payoffs", problem)


def endless(game: Game, position: Position) -> GameFault:
    """Return the fault of a game that goes on after ``max_plies``."""
    return _broken(game, position, "outcome", f"the game goes on after max_plies, {game.max_plies}")


def retrace(
    game: Game, position: Position, moves: Sequence[int], departures: Sequence[tuple[int, int]] = ()
) -> Position:
    """Play moves again with suspicion, and return where they lead.

    ``departures`` has the seats that left the game, each after a number of moves. Raises GameFault
    at the first breach of the contract. A game of arena's own is not played again.
    """
    if _is_own(game):
        return position
    if not examined(game, position):
        raise _over(game, position)
    for ply in range(len(moves) + 1):
        for _, seat in (each for each in departures if each[0] == ply):
            examined(game, position)
            if (alone := without(position, seat)) is None:
                return position
            position = alone
        if ply < len(moves):
            examined(game, position)
            position = _played(game, position, moves[ply])
    examined(game, position)
    return position


def without(position: Position, seat: int) -> Position | None:
    """Return how a game goes on without a seat, None if it does not.

    Raises GameFault for anything else, and for a position in which that seat is to move.
    """
    game, method = position.game, f"without({seat})"
    rest = _ask(game, position, method, lambda: position.without(seat))
    if rest is None:
        return None
    if not _is_a(rest, Position):
        raise _broken(game, position, method, f"returned {repr_of(rest)}")
    if rest.outcome() is None and rest.to_move == seat:
        raise _broken(game, position, method, "the seat that left is to move")
    return rest


def require_texts(position: Position) -> None:
    """Raise GameFault if a position does not come back from its text, or a move from its own.

    Isolated players get positions and give moves as texts. Where a seat does not see all, they get
    what it knows, which must come back.
    """
    game = position.game
    if _is_own(game):
        return
    if position.has_secrets:
        _require_texts_of_seats(game, position)
    else:
        text = _ask(game, position, "__str__", lambda: str(position))
        parsed = _ask(game, position, f"parse({text!r})", lambda: game.parse(text))
        if parsed != position:
            raise _broken(game, position, f"parse({text!r})", f"returned {repr_of(parsed)}")
    for move in examined(game, position):
        word = _ask(game, position, f"format_move({move})", partial(game.format_move, move))
        number = _ask(game, position, f"parse_move({word!r})", partial(game.parse_move, word))
        if number != move:
            raise _broken(game, position, f"parse_move({word!r})", f"returned {repr_of(number)}")


def _require_texts_of_seats(game: Game, position: Position) -> None:
    for seat in range(game.seats):
        seen = _ask(game, position, f"observation({seat})", partial(position.observation, seat))
        text = _ask(game, position, f"str(observation({seat}))", partial(str, seen))
        method = f"parse_observation({text!r})"
        parsed = _ask(game, position, method, partial(game.parse_observation, text))
        is_same = parsed == seen and parsed.legal_moves() == seen.legal_moves()
        if not is_same:
            raise _broken(game, position, method, f"returned {repr_of(parsed)}")


def require_readable(game: Game) -> None:
    """Raise GameFault if a text of the first plies of a game of first moves does not come back."""
    if _is_own(game):
        return
    position = start_of(game)
    _require_observation(game, position)
    for _ in range(MAX_PLIES_READ):
        require_texts(position)
        moves = examined(game, position)
        if not moves:
            return
        position = _played(game, position, moves[0])


def refused(position: Position, move: Any) -> None:
    """Raise GameFault if a game refused a move that it lists among the legal ones."""
    game = position.game
    if not _is_own(game) and type(move) is int and move in examined(game, position):
        _played(game, position, move)


def breach(error: BaseException) -> GameFault | None:
    """Return the fault of a game that an exception shows, or None.

    A frame of a game's own method proves it, except where a player may have asked the game for
    nonsense: see :func:`accuse`.
    """
    for frame, _ in walk_tb(_TRACEBACK.__get__(error)):
        owner: Any = frame.f_locals.get("self")
        if (_is_a(owner, Position) or _is_a(owner, Game)) and not _is_ours(frame):
            game, position = (owner, None) if _is_a(owner, Game) else (None, owner)
            problem = f"raised {describe(error)}"
            return _broken(game, position, frame.f_code.co_name, problem)
    try:
        accuse(error)
    except GameFault as fault:
        return fault
    return None


def accuse(error: BaseException) -> None:
    """Examine the positions and games in the innermost frames of an exception.

    Raises GameFault if one of them is in breach of the contract.
    """
    frames = [frame for frame, _ in walk_tb(_TRACEBACK.__get__(error))]
    for frame in frames[-3:]:
        attributes = getattr(frame.f_locals.get("self"), "__dict__", {}) if _is_ours(frame) else {}
        for value in [*frame.f_locals.values(), *attributes.values()]:
            _examine(value)


def _is_a(value: object, kind: type) -> bool:
    """Return whether the thing is of this kind, without asking a stranger's class."""
    return any(base is kind for base in _MRO.__get__(type(value)))


_MRO = type.__dict__["__mro__"]
#: The traceback of an exception, without asking a stranger's class.
_TRACEBACK = BaseException.__dict__["__traceback__"]


def _examine(value: Any) -> None:
    if _is_a(value, Position) and not _is_own(value):
        game: Game = _ask(None, value, "game", lambda: value.game)
        if not _is_a(game, Game):
            raise _broken(None, value, "game", f"it is {repr_of(game)}")
        moves = examined(game, value)
        for move in moves:
            examined(game, _played(game, value, move))
        _examine_hints(game, value, moves)
    elif _is_a(value, Game):
        tried(value)


def _examine_hints(game: Game, position: Position, moves: Sequence[int]) -> None:
    """Check the answers for reports and searches. Raises GameFault for one of another type."""

    def ask(kind: type, method: str, call: Callable[[], object]) -> Any:
        answer = _ask(game, position, method, call)
        if type(answer) is not kind:
            problem = f"returned {repr_of(answer)}, which is not of type {kind.__name__}"
            raise _broken(game, position, method, problem)
        return answer

    ask(str, "__str__", lambda: type(position).__str__(position))
    ask(str, "picture", position.picture)
    ask(int, "__hash__", partial(hash, position))
    ask(int, "estimate", position.estimate)
    for move in moves:
        ask(str, f"format_move({move})", partial(game.format_move, move))
        ask(str, f"write_move({move})", partial(position.write_move, move))
    if moves:
        for side in Side:
            ask(int, "plies_to_win", partial(position.plies_to_win, side))
        for one in ask(tuple, "search_moves", position.search_moves):
            if type(one) is not int or one not in moves:
                raise _broken(game, position, "search_moves", f"{repr_of(one)} is not a legal move")


def _played(game: Game, position: Position, move: int) -> Position:
    after = _position(game, position, f"play({move})", lambda: position.play(move))
    if after is position:
        problem = "returned the position itself, not another one"
        raise _broken(game, position, f"play({move})", problem)
    return after


def _position(
    game: Game,
    before: Position | None,
    method: str,
    call: Callable[[], Position],
    refusal: type[Exception] | tuple[()] = (),
) -> Position:
    position = _ask(game, before, method, call, refusal)
    if not _is_a(position, Position):  # isinstance would ask a stranger's class
        raise _broken(game, before, method, f"returned {repr_of(position)}")
    return position


def _ask(
    game: Game | None,
    position: Position | None,
    method: str,
    call: Callable[[], T],
    refusal: type[Exception] | tuple[()] = (),
) -> T:
    """Return the answer. Raises GameFault for an exception that is not a ``refusal``."""
    try:
        return call()
    except refusal:
        raise
    except BaseException as error:
        if is_stop(error):
            raise
        raise _broken(game, position, method, f"raised {describe(error)}") from error


def _broken(game: Game | None, position: Position | None, method: str, problem: str) -> GameFault:
    if game is None and position is not None:
        try:
            game = position.game
        except Exception:
            game = None
    where = "" if position is None else f" at {_text(position)}"
    call = method if method.endswith(")") or method in _ATTRIBUTES else f"{method}()"
    return GameFault(f"{_name(game)} broke its contract in {call}{where}: {problem}")


def _name(game: Game | None) -> str:
    name = getattr(game, "name", None)
    return f"game {quoted(name)}" if isinstance(name, str) else "a plugin's game"


def _text(position: Position) -> str:
    try:
        return quoted(str(position))
    except Exception as error:
        return f"a position whose text raises {describe(error)}"


def _is_own(value: Game | Position) -> bool:
    """Return whether it belongs to one of arena's own games."""
    return type(value).__module__.startswith(_ARENA)


def _is_ours(frame: FrameType) -> bool:
    return _module(frame).startswith(_ARENA)


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
