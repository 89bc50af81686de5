"""Check the contract of :mod:`arena.game` at every position: one function per promise.

Each raises Problem, or any other exception, where the promise is broken. Its docstring is the
promise: a report shows it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, TypeVar

from arena.conformance.walk import Line, Node, Problem, Walk
from arena.errors import IllegalMove, MoveError, PositionError
from arena.game import Outcome, Position, Side
from arena.games.walk import walked

T = TypeVar("T")

#: Largest number of a move.
MAX_MOVE = 65_535

#: Texts that are not a position and not a move of any game.
NONSENSE = ("", "?!", "no such thing")


def start(walk: Walk) -> None:
    """Games begin with the first side to move."""
    position = walk.game.start()
    _require(position.ply == 0, "the start is not at ply 0")
    _require(position.outcome() is None, "the game is over at the start")
    _require(position == walk.game.start(), "start() is not always the same position")
    for node in walk.nodes:
        name = node.position.game.name
        _require(name == walk.game.name, f"position.game is {name}", node)


def legal_moves(walk: Walk) -> None:
    """Legal moves ascend and are ints in bounds; only finished games lack them."""
    for node in walk.nodes:
        moves, outcome = node.position.legal_moves(), node.position.outcome()
        _require(type(moves) is tuple, f"legal_moves() is a {type(moves).__name__}", node)
        plain = all(type(move) is int and 0 <= move <= MAX_MOVE for move in moves)
        _require(plain, f"legal_moves() are not ints from 0 to {MAX_MOVE}: {moves}", node)
        ascending = all(a < b for a, b in pairwise(moves))
        _require(ascending, f"legal_moves() do not ascend: {moves}", node)
        said = "the game goes on" if outcome is None else "the game is over"
        _require(bool(moves) == (outcome is None), f"{said}, but legal_moves() is {moves}", node)


def refusals(walk: Walk) -> None:
    """Other ints raise IllegalMove, also when the game is over."""
    everywhere = {move for node in walk.nodes for move in node.position.legal_moves()}
    far = {-1, max(everywhere, default=0) + 1, MAX_MOVE, MAX_MOVE + 1, 2**64, -(2**64)}
    for node in walk.some:
        for move in sorted((everywhere | far).difference(node.position.legal_moves())):
            try:
                node.position.play(move)
            except IllegalMove:
                continue
            except Exception as error:
                name = type(error).__name__
                raise Problem(f"play({move}) raises {name}, not IllegalMove", node.line) from error
            raise Problem(f"play({move}) does not raise IllegalMove", node.line)


def immutable(walk: Walk) -> None:
    """Questions do not change a position, and its attributes cannot be set."""
    for node in walk.some:
        position = node.position
        before = (str(position), hash(position), position.legal_moves())
        _touch(position)
        after = (str(position), hash(position), position.legal_moves())
        _require(before == after, "it changes when it is asked and played", node)
    for node in walk.nodes[:2]:
        for name in _attributes(node.position):
            _require(not _can_be_set(node.position, name), f"position.{name} can be set", node)


def equality(walk: Walk) -> None:
    """Positions are equal exactly if their texts are, and then their hashes are too."""
    by_text: dict[str, Node] = {}
    for node in walk.nodes:
        again: Position = walk.game.start()
        for move in node.line:
            again = again.play(move)
        same = again == node.position and hash(again) == hash(node.position)
        _require(same, "the same moves make an unequal position, or another hash", node)
        other = by_text.setdefault(str(node.position), node)
        _require(other is node, f"two positions have the text {str(node.position)!r}", node)
        _require(node.position != object(), "it equals an object that is not a position", node)
    _agree(walk)


def _agree(walk: Walk) -> None:
    """Compare the positions that other moves lead to with the equal ones of the walk."""
    known = {node.position: node.position for node in walk.nodes}
    for node in walk.nodes:
        for move in node.position.legal_moves():
            after = node.position.play(move)
            if (equal := known.get(after)) is not None:
                for question, ask in _QUESTIONS.items():
                    asked, answer = ask(equal), ask(after)
                    problem = f"equal positions differ in {question}: {asked!r} and {answer!r}"
                    if asked != answer:
                        raise Problem(problem, (*node.line, move))


_QUESTIONS: dict[str, Callable[[Position], object]] = {
    "to_move": lambda position: position.to_move,
    "ply": lambda position: position.ply,
    "hash()": hash,
    "outcome()": lambda position: position.outcome(),
    "legal_moves()": lambda position: position.legal_moves(),
}


def text(walk: Walk) -> None:
    """``game.parse`` reads the text of str(), and raises PositionError for nonsense."""
    for node in walk.nodes:
        written = str(node.position)
        _require(written == written.strip(), f"the text {written!r} begins or ends blank", node)
        _require("\n" not in written, f"the text {written!r} has several lines", node)
        _require(
            walk.game.parse(written) == node.position,
            f"parse({written!r}) is another position",
            node,
        )
    _refuses(walk.game.parse, PositionError)


def moves_as_text(walk: Walk) -> None:
    """``game.parse_move`` reads format_move(), ``read_move`` reads write_move()."""
    for node in walk.nodes:
        for move in node.position.legal_moves():
            written = walk.game.format_move(move)
            is_one = bool(written) and not any(c.isspace() for c in written)
            _require(is_one, f"format_move({move}) is {written!r}, not a single word", node)
            read = walk.game.parse_move(written)
            _require(read == move, f"parse_move(format_move({move})) is {read}", node)
            read = node.position.read_move(node.position.write_move(move))
            _require(read == move, f"read_move(write_move({move})) is {read}", node)
    _refuses(walk.game.parse_move, MoveError)


def picture(walk: Walk) -> None:
    """Pictures are not empty, and do not end with a newline."""
    for node in walk.nodes:
        drawn = node.position.picture()
        _require(bool(drawn.strip()), "the picture is empty", node)
        _require(not drawn.endswith("\n"), "the picture ends with a newline", node)
        svg = node.position.svg()
        _require(svg.startswith("<svg "), f"svg() begins with {svg[:20]!r}", node)


def turns(walk: Walk) -> None:
    """Positions say whose turn it is, and count the plies."""
    for node in walk.nodes:
        ply = len(node.line)
        _require(node.position.ply == ply, f"ply is {node.position.ply} after {ply} moves", node)
        side = node.position.to_move
        _require(type(side) is Side, f"to_move is {side!r}, which is not a Side", node)
        if node.position.alternates and node.position.outcome() is None:
            alternates = side == Side(ply & 1)
            _require(alternates, f"alternates is True, but it is {side.name}'s turn", node)


def outcomes(walk: Walk) -> None:
    """Outcomes are members of Outcome."""
    for node in walk.nodes:
        outcome = node.position.outcome()
        known = outcome is None or isinstance(outcome, Outcome)
        _require(known, f"outcome() is {outcome!r}", node)


def history(walk: Walk) -> None:
    """Histories lead to the positions that know them."""
    for node in walk.nodes:
        known = node.position.history()
        if known is None:
            continue
        try:
            found = walked(walk.game.start(), known)
        except IllegalMove:
            raise Problem(f"history() has an illegal move: {known}", node.line) from None
        _require(found == node.position, f"history() leads to {found}", node)


def pickling(walk: Walk) -> None:
    """Games and positions survive pickling, for another process: they stay equal, by name."""
    game = _pickled(walk.game)
    _require(game.name == walk.game.name, f"pickling makes the game {game.name!r}")
    _require(game.start() == walk.game.start(), "pickling makes a game with another start")
    for node in walk.nodes:
        again = _pickled(node.position)
        same = again == node.position and hash(again) == hash(node.position)
        _require(same, "pickling makes it another position", node)
        name = again.game.name
        _require(name == walk.game.name, f"pickling makes it a position of {name!r}", node)


def _pickled(thing: T) -> T:
    """Return what another process gets."""
    again: T = pickle.loads(pickle.dumps(thing))  # noqa: S301 (it was made here)
    return again


def _require(holds: bool, problem: str, node: Node | None = None) -> None:
    if not holds:
        line: Line = () if node is None else node.line
        raise Problem(problem, line)


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


def _refuses(read: Callable[[str], Any], error: type[Exception]) -> None:
    for nonsense in NONSENSE:
        try:
            read(nonsense)
        except error:
            continue
        raise Problem(f"{read.__name__}({nonsense!r}) does not raise {error.__name__}")
