"""Check the contract of :mod:`arena.game` at every position: one function per promise.

Each raises ContractBreach, or any other exception, where the promise is broken. The message says
what is wrong and, after a colon, what to write.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

from arena.errors import IllegalMove
from arena.features.check.walk import ContractBreach, PositionWalk, WalkPosition, no_end, require
from arena.game import CHANCE, MAX_MOVE, Game, Outcome, Position, Side
from arena.games.walk import walked

T = TypeVar("T")

#: The ends of some messages.
_BY_VALUE = "compare positions by what they hold, as a NamedTuple or a frozen dataclass does"
_REFUSE = "raise arena.IllegalMove for every int that is not in legal_moves()"
_ANOTHER = "let play() return another one, and no method change this one"
#: The remedy for a text.
ALL_STATE = "all that the rules depend on: whose turn it is, and the ply"
_HISTORY = "the moves from the start to this position, or None"


def start(walk: PositionWalk) -> None:
    """Require that games begin at ply 0, always with the same position."""
    position = walk.game.start()
    require(position.ply == 0, f"the ply of start() is {position.ply}: it counts moves, from 0")
    over = f"start().outcome() is {position.outcome()}: return None while there is a move"
    require(position.outcome() is None, over)
    require(position == walk.game.start(), f"start() == start() is False: {_BY_VALUE}")
    for node in walk.nodes:
        game = node.position.game
        hand = f"position.game is {game!r}, not {walk.game!r}: hand it on in play()"
        require(game == walk.game, hand, node)


def legal_moves(walk: PositionWalk) -> None:
    """Require that they are ints and ascend. Only a finished game has none."""
    for node in walk.nodes:
        moves, outcome = node.position.legal_moves(), node.position.outcome()
        kind = type(moves).__name__
        require(type(moves) is tuple, f"legal_moves() is a {kind}: return a tuple", node)
        plain = all(type(move) is int and 0 <= move <= MAX_MOVE for move in moves)
        bounds = f"a move is an int from 0 to {MAX_MOVE}"
        require(plain, f"legal_moves() is {moves}, but {bounds}", node)
        ascending = all(a < b for a, b in pairwise(moves))
        order = f"legal_moves() is {moves}: return them in ascending order, each once"
        require(ascending, order, node)
        is_chance = node.position.to_move == CHANCE
        require(bool(moves) == (outcome is None), no_end(moves, outcome, is_chance), node)


def refusals(walk: PositionWalk) -> None:
    """Require that play() raises IllegalMove for every other int."""
    everywhere = {move for node in walk.nodes for move in node.position.legal_moves()}
    far = {-1, max(everywhere, default=0) + 1, MAX_MOVE, MAX_MOVE + 1, 2**64, -(2**64)}
    for node in walk.sample:
        for move in sorted((everywhere | far).difference(node.position.legal_moves()), key=abs):
            try:
                node.position.play(move)
            except IllegalMove:
                continue
            except Exception as error:
                name = type(error).__name__
                problem = f"play({move}) raises {name}: {_REFUSE}"
                raise ContractBreach(problem, node.line) from error
            problem = f"play({move}) returns a position: {_REFUSE}"
            raise ContractBreach(problem, node.line)


def immutable(walk: PositionWalk) -> None:
    """Require that a position does not change and cannot be changed."""
    for node in walk.sample:
        position = node.position
        before = (str(position), hash(position), position.legal_moves())
        _touch(position)
        after = (str(position), hash(position), position.legal_moves())
        require(before == after, f"a method changes the position: {_ANOTHER}", node)
    for node in walk.nodes[:2]:
        for name in _attributes(node.position):
            able = f"position.{name} can be set: make it a NamedTuple or a frozen dataclass"
            require(not _can_be_set(node.position, name), able, node)


def equality(walk: PositionWalk) -> None:
    """Require that equal positions have one text, one hash, equal answers."""
    by_text: dict[str, WalkPosition] = {}
    for node in walk.nodes:
        replayed = walked(walk.game.start(), node.line)
        unequal = f"the same moves lead to a position that is not equal: {_BY_VALUE}"
        require(replayed == node.position, unequal, node)
        hashes = "equal positions have different hashes: hash() the fields that == compares"
        require(hash(replayed) == hash(node.position), hashes, node)
        other = by_text.setdefault(str(node.position), node)
        texts = f"two unequal positions have the text {str(node.position)!r}: write {ALL_STATE}"
        require(other is node, texts, node)
        alien = "it is equal to object(): == must be False for another class"
        require(node.position != object(), alien, node)
    _agree(walk)


def _agree(walk: PositionWalk) -> None:
    """Compare the positions that other moves lead to with the equal ones of the walk."""
    equals = {node.position: node.position for node in walk.nodes}
    for node in walk.nodes:
        for move in node.position.legal_moves():
            after = node.position.play(move)
            if (equal := equals.get(after)) is not None:
                for question, ask in _QUESTIONS.items():
                    expected, answer = ask(equal), ask(after)
                    problem = f"equal positions differ in {question}, {expected!r} and {answer!r}:"
                    problem += " == must compare all that it depends on"
                    if expected != answer:
                        raise ContractBreach(problem, (*node.line, move))


_QUESTIONS: dict[str, Callable[[Position], object]] = {
    "to_move": lambda position: position.to_move,
    "ply": lambda position: position.ply,
    "hash()": hash,
    "outcome()": lambda position: position.outcome(),
    "legal_moves()": lambda position: position.legal_moves(),
}


def picture(walk: PositionWalk) -> None:
    """Require a picture and an SVG of every position."""
    for node in walk.nodes:
        drawn = node.position.picture()
        require(bool(drawn.strip()), "picture() is empty: return what a person looks at", node)
        require(not drawn.endswith("\n"), "picture() ends with a newline: leave it out", node)
        svg = node.position.svg()
        require(svg.startswith("<svg "), f"svg() begins with {svg[:20]!r}, not with '<svg '", node)


def turns(walk: PositionWalk) -> None:
    """Require that positions say whose turn it is, and count the moves."""
    for node in walk.nodes:
        ply = len(node.line)
        count = f"ply is {node.position.ply} after {ply} moves: count every one, passes too"
        require(node.position.ply == ply, count, node)
        side = node.position.to_move
        is_chance = node.position.has_luck and side == CHANCE
        require(is_chance or _is_seat(walk.game, side), _seat_wanted(walk.game, side), node)
        if node.position.alternates and node.position.outcome() is None:
            alternates = side == Side(ply & 1)
            wrong = f"alternates is True, but to_move is {side.name} at ply {ply}: leave it out"
            require(alternates, wrong, node)


def _is_seat(game: Game, side: object) -> bool:
    """Return whether ``to_move`` is a seat: a Side of two, or a number of more."""
    if game.seats == 2:
        return type(side) is Side
    return isinstance(side, int) and type(side) is not bool and 0 <= side < game.seats


def _seat_wanted(game: Game, side: object) -> str:
    if game.seats == 2:
        return f"to_move is {side!r}: return arena.Side.FIRST or arena.Side.SECOND"
    return f"to_move is {side!r}: return as_seat(n), n from 0 to {game.seats - 1}"


def outcomes(walk: PositionWalk) -> None:
    """Require that outcome() is None or an Outcome."""
    for node in walk.nodes:
        outcome = node.position.outcome()
        is_outcome = outcome is None or isinstance(outcome, Outcome)
        members = "arena.Outcome.FIRST_WINS, SECOND_WINS, DRAW, or None while the game goes on"
        if walk.game.seats > 2:
            members = "outcome_of(self.payoffs())"
            is_outcome = outcome in (None, Outcome.OVER)
        require(is_outcome, f"outcome() is {outcome!r}: return {members}", node)


def history(walk: PositionWalk) -> None:
    """Require that a history leads to the position that has it."""
    for node in walk.nodes:
        moves = node.position.history()
        if moves is None:
            continue
        try:
            position = walked(walk.game.start(), moves)
        except IllegalMove:
            problem = f"history() is {moves}, which are not legal moves: return {_HISTORY}"
            raise ContractBreach(problem, node.line) from None
        problem = f"history() leads to {position}: return {_HISTORY}"
        require(position == node.position, problem, node)


def pickling(walk: PositionWalk) -> None:
    """Require that other processes get equal games and positions."""
    game, kind = _pickled(walk.game), type(walk.game).__name__
    unequal = f"a pickled game is {game!r} and not equal to {walk.game!r}: give {kind}"
    require(game == walk.game, f"{unequal} __eq__ and __hash__ by what makes its rules")
    start = "a pickled game has another start(): keep what makes its rules in its attributes"
    require(game.start() == walk.game.start(), start)
    for node in walk.nodes:
        copy, kind = _pickled(node.position), type(node.position).__name__
        same = copy == node.position and hash(copy) == hash(node.position)
        remedy = f"give {kind} a __reduce__ that returns the class and all its fields"
        require(same, f"pickling makes it another position, {copy!r}: {remedy}", node)
        other = f"pickling makes it a position of {copy.game!r}: {remedy}"
        require(copy.game == walk.game, other, node)


def _pickled(value: T) -> T:
    """Return what another process gets."""
    copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301 (it was made here)
    return copy


def _touch(position: Position) -> None:
    """Ask a position for everything."""
    position.outcome(), position.picture(), position.svg(), position.canonical()
    list(position.images())
    position.search_moves(), [(position.can_win(s), position.plies_to_win(s)) for s in Side]
    position.is_dead_draw(), position.estimate()
    for move in position.legal_moves():
        position.play(move)


def _attributes(position: Position) -> Iterator[str]:
    yield from vars(position) if hasattr(position, "__dict__") else ()
    for cls in type(position).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots
    yield from getattr(position, "_fields", ())


def _can_be_set(position: Position, name: str) -> bool:
    value = getattr(position, name)
    try:
        setattr(position, name, value)
    except (AttributeError, TypeError):
        return False
    return True
