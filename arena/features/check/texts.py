"""Check the texts of positions and moves: that they are read back, and that no other text is."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from arena.errors import GameFault, MoveError, PositionError, describe, quoted
from arena.features.check.rules import ALL_STATE
from arena.features.check.walk import ContractBreach, PositionWalk, WalkPosition, require
from arena.game import MAX_MOVE, Game, Position
from arena.games.contract import examined
from arena.games.disguise import problem_of

#: Texts that are not a position and not a move of any game. ``str.isdigit`` takes the superscript
#: for a digit, and ``int`` raises ValueError for it and for the last text.
NONSENSE = ("", " ", "?!", "no such thing", "\0", "½", "²", "e²", "x" * 10_000, "9" * 5000)

#: Near misses of one text by a change at a random place, of each kind, and numbers with a sign.
_CHANGES = 3

#: How many times a text is repeated to make a long one.
_REPEATED = 50

_NUMBER = re.compile(r"(?<![0-9])(?=[0-9])")
_SIGNED = re.compile(r"[+-][0-9]")
_ARABIC = {ord(str(digit)): 0x660 + digit for digit in range(10)}
_FULL_WIDTH = {ord(letter): ord(letter) + 0xFEE0 for letter in map(chr, range(0x21, 0x7F))}


T = TypeVar("T")

#: Near misses are made of this many texts, over all plies.
MAX_TEXTS = 16


def text(walk: PositionWalk) -> None:
    """Require that parse() reads str(position), and refuses near misses of it."""
    for node in walk.nodes:
        written = str(node.position)
        blank = f"str(position) is {written!r}: write it without blanks at its ends"
        require(written == written.strip(), blank, node)
        lines = f"str(position) is {written!r}: write one line, and draw the board in picture()"
        require("\n" not in written, lines, node)
        other = f"parse({written!r}) is not equal to the position with this text: read {ALL_STATE}"
        require(walk.game.parse(written) == node.position, other, node)
    _refuse_nonsense(walk.game.parse, PositionError)
    sample = _spread(walk.nodes)
    texts = [str(node.position) for node in sample]
    for node, written in zip(sample, texts, strict=True):
        for miss in near_misses(written, "\n".join(texts), _rng(walk, written)):
            position = _read(walk.game.parse, miss.text, PositionError)
            if position is None or position == node.position:
                continue
            _refuse_spelling(walk.game.parse, miss.text, written, miss.is_spelling)
            try:
                _require_position(walk.game, miss.text, position)
            except ContractBreach:
                if any(_breach(walk.game, other.position) for other in walk.nodes):
                    return  # the game breaks its contract without parse() too: another finding
                raise


def _require_position(game: Game, text: str, position: Position) -> None:
    """Require of a text that is read as a position that the position keeps the contract."""
    call = f"parse({quoted(text)}) returns a position"
    refusal = "raise arena.PositionError"
    count = f"whose ply is {position.ply}, not 0 to max_plies, {game.max_plies}"
    require(0 <= position.ply <= game.max_plies, f"{call} {count}: {refusal}")
    breach = _breach(game, position)
    require(not breach, f"{call} that {breach}: {refusal}")
    try:
        parsed = game.parse(str(position))
    except Exception as error:
        raise ContractBreach(f"{call} that raises {describe(error)}: {refusal}") from error
    require(parsed == position, f"{call} that parse(str(position)) does not return: {refusal}")


def _breach(game: Game, position: Position) -> str:
    """Return how a position breaks the contract, empty if it does not."""
    try:
        for move in examined(game, position)[:1]:
            examined(game, position.play(move))
        position.picture()
    except GameFault as fault:
        return f"is not one ({fault})"
    except Exception as error:
        return f"raises {describe(error)}"
    return ""


def moves_as_text(walk: PositionWalk) -> None:
    """Require that parse_move() reads format_move(), and refuses near misses of it."""
    game, by_text = walk.game, dict[str, tuple[int, WalkPosition]]()
    for node in walk.nodes:
        for move in node.position.legal_moves():
            written = game.format_move(move)
            is_one = bool(written) and not any(c.isspace() for c in written)
            word = f"format_move({move}) is {written!r}: return one word without blanks"
            require(is_one, word, node)
            by_text.setdefault(written, (move, node))
            read = game.parse_move(written)
            other = f"parse_move({written!r}) is {read}, not {move}, whose text it is"
            require(read == move, other, node)
            written = node.position.write_move(move)
            read = node.position.read_move(written)
            other = f"read_move({written!r}) is {read}, not {move}, whose text it is"
            require(read == move, other, node)
    _refuse_nonsense(game.parse_move, MoveError)
    _refuse_nonsense(game.start().read_move, MoveError)
    sample = _spread(list(by_text.items()))
    others = "\n".join(written for written, _ in sample)
    for written, (move, node) in sample:
        for miss in near_misses(written, others, _rng(walk, written)):
            for read_text in (game.parse_move, node.position.read_move):
                other_move = _read(read_text, miss.text, MoveError)
                if other_move is None or other_move == move:
                    continue
                _refuse_spelling(read_text, miss.text, written, miss.is_spelling)
                _require_move(game, f"{read_text.__name__}({quoted(miss.text)})", other_move)


def _require_move(game: Game, call: str, move: int) -> None:
    """Require of a text that is read as a move that it is the number of one, with its own text."""
    refusal = "raise arena.MoveError"
    is_number = type(move) is int and 0 <= move <= MAX_MOVE
    require(is_number, f"{call} is {move!r}, but a move is an int from 0 to {MAX_MOVE}: {refusal}")
    try:
        parsed = game.parse_move(game.format_move(move))
    except Exception as error:
        problem = f"{call} is {move}, of which the text raises {describe(error)}: {refusal}"
        raise ContractBreach(problem) from error
    require(parsed == move, f"{call} is {move}, whose text is read as {parsed}: {refusal}")


def disguise(walk: PositionWalk) -> None:
    """Require that other words for the game are one to one, if it has any."""
    game = walk.game
    seen = {
        str(each): each
        for node in walk.nodes
        for each in map(node.position.observation, range(game.seats))
    }
    moves = sorted({move for node in walk.nodes for move in node.position.legal_moves()})
    for seed in (walk.seed, 0, 1):
        other = game.disguise(seed)
        if other is None:
            return
        if problem := problem_of(other, seen, moves):
            raise ContractBreach(f"disguise({seed}): {problem}")
        require(bool(other.guide), f"disguise({seed}) has no guide")


def _refuse_nonsense(read: Callable[[str], object], error: type[Exception]) -> None:
    for nonsense in NONSENSE:
        if _read(read, nonsense, error) is not None:
            remedy = f"raise arena.{error.__name__} for what is not the text of one"
            raise ContractBreach(f"{_call(read, nonsense)} returns something: {remedy}")


def _refuse_spelling(
    read: Callable[[str], object], text: str, written: str, is_spelling: bool
) -> None:
    """Raise ContractBreach if other letters or digits made a text that of another thing."""
    problem = f"{_call(read, text)} is not what {quoted(written)} is: refuse it, or read the same"
    require(not is_spelling, problem)


def _read(read: Callable[[str], T], text: str, refusal: type[Exception]) -> T | None:
    """Return what a text is read as, None if it is refused.

    Raises ContractBreach for another error.
    """
    try:
        return read(text)
    except refusal:
        return None
    except Exception as error:
        remedy = f"raise arena.{refusal.__name__} for what is not the text of one"
        problem = f"{_call(read, text)} raises {describe(error)}: {remedy}"
        raise ContractBreach(problem) from error


def _call(read: Callable[[str], object], text: str) -> str:
    return f"{read.__name__}({quoted(text)})"


def _spread(things: Sequence[T]) -> Sequence[T]:
    """Return some of the things, from the first on."""
    return things[:: -(-len(things) // MAX_TEXTS)]


def _rng(walk: PositionWalk, text: str) -> random.Random:
    return random.Random(f"{walk.seed}/{walk.game.name}/{text}")


class NearMiss(NamedTuple):
    """A text that is near a real one."""

    text: str
    #: Whether it may be read only as the real one, as ``+1`` may be read only as ``1``.
    is_spelling: bool


def near_misses(text: str, others: str, rng: random.Random) -> Iterator[NearMiss]:
    """Yield near misses of a real text. ``others`` has the letters of all real texts."""
    for spelling in _spellings(text, others, rng):
        yield NearMiss(spelling, is_spelling=True)
    for miss in (text.upper(), text.lower(), text.swapcase(), text * 2, text * _REPEATED):
        yield NearMiss(miss, is_spelling=False)
    for _ in range(_CHANGES):
        for miss in _changed(text, others, rng):
            yield NearMiss(miss, is_spelling=False)


def _spellings(text: str, others: str, rng: random.Random) -> Iterator[str]:
    """Yield the text in other letters, digits and blanks. It means the same or nothing."""
    yield f" {text}"
    yield f"{text}\n"
    yield text.translate(_FULL_WIDTH)
    yield text.translate(_ARABIC)
    signs = "+" if _SIGNED.search(others) else "+-"
    numbers = [*_NUMBER.finditer(text)]
    for number in rng.sample(numbers, min(_CHANGES, len(numbers))):
        for sign in signs:
            yield f"{text[: number.start()]}{sign}{text[number.start() :]}"
    yield re.sub("([0-9])([0-9])", r"\1_\2", text)


def _changed(text: str, others: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a letter that is missing, doubled, another, or at the wrong place."""
    at = rng.randrange(len(text))
    before, letter, after = text[:at], text[at], text[at + 1 :]
    yield before + after
    yield before + letter + text[at:]
    yield before + rng.choice(others) + after
    yield before + after[:1] + letter + after[1:]
    words = text.split(" ")
    rng.shuffle(words)
    yield " ".join(words)
