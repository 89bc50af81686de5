"""Read and write strategies as files: how each seat moves at all that it can know.

A file is lines of JSON in ASCII. The first one is the head, which says what the strategies prove.
Each line after it has one information set:

    {"seat":0,"seen":"0: J | pass bet","moves":{"pass":"2/3","bet":"1/3"}}

A set that the seat itself avoids has none. The last line counts them, and has the BLAKE2b digest of
all bytes before it. Nothing here says whether a file is true: :mod:`arena.certificates.equilibrium`
does. Like that, this module shares no code with what finds strategies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from arena.dataclass import dataclass
from arena.errors import UsageError, counted, quoted
from arena.files import naming, open_file, parse_json, problem_of, replacing
from arena.game import Game
from arena.proof.certificate_file import read_fraction

SCHEMA = "arena.strategies/1"

#: The first bytes of a file.
_BEGIN = f'{{"schema":"{SCHEMA}"'.encode()

#: The most bytes of a line, with its newline.
MAX_LINE_BYTES = 1 << 18

_DIGEST_BYTES = 16

_HEAD = ("schema", "game", "game_version", "low", "high", "against", "paid", "source", "program")
_LINE = ("seat", "seen", "moves")
_END = ("sets", "digest")

#: The probability of each move in the game's notation, by the text of what a seat knows.
StrategyTable = Mapping[str, Mapping[str, Fraction]]


@dataclass(frozen=True)
class StrategyHead:
    """The subject of a file of strategies, and the bounds that they prove."""

    game: str
    game_version: int
    #: Where the strategies come from, and what wrote them with its versions.
    source: str
    program: str
    #: The first seat is paid ``low`` at least by its strategy, and ``high`` at most by the other's:
    #: None in a file of best responses.
    low: Fraction | None = None
    high: Fraction | None = None
    #: The player that best responses are against, and what they are paid by their seats.
    against: str | None = None
    paid: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class StrategyFile:
    """The strategies of a file by seat. They are not verified yet."""

    head: StrategyHead
    game: Game
    tables: tuple[StrategyTable, StrategyTable]


def is_strategies(path: Path) -> bool:
    """Return whether a file begins as one of strategies does. UsageError without a file."""
    with naming("certificate", path), open_file(path, None) as file:
        return file.read(len(_BEGIN)) == _BEGIN


def write_strategies(
    path: Path,
    game: Game,
    head: StrategyHead,
    strategies: Sequence[Mapping[Any, Mapping[int, Fraction]]],
) -> None:
    """Write the strategies of both seats, line by line. The file is whole, or as it was before.

    Raises UsageError, with the file's name, where it cannot be written.
    """
    try:
        with replacing(path) as file:
            _write(file, game, head, strategies)
    except OSError as error:
        raise UsageError(f"{quoted(str(path))}: {problem_of(error)}") from error


def _write(
    file: BinaryIO,
    game: Game,
    head: StrategyHead,
    strategies: Sequence[Mapping[Any, Mapping[int, Fraction]]],
) -> None:
    digest, sets = blake2b(digest_size=_DIGEST_BYTES), 0

    def write(line: Mapping[str, Any]) -> None:
        content = _line_of(line)
        digest.update(content)
        file.write(content)

    write(_head_of(head))
    for seat, strategy in enumerate(strategies):
        for seen, moves in strategy.items():
            names = {game.format_move(move): str(moves[move]) for move in sorted(moves)}
            write({"seat": seat, "seen": str(seen), "moves": names})
            sets += 1
    file.write(_line_of({"sets": sets, "digest": digest.hexdigest()}))


def _head_of(head: StrategyHead) -> dict[str, Any]:
    says: dict[str, Any] = {"schema": SCHEMA, "game": head.game, "game_version": head.game_version}
    if head.low is not None:
        says |= {"low": str(head.low), "high": str(head.high)}
    if head.paid is not None:
        says |= {"against": head.against, "paid": [*map(str, head.paid)]}
    return says | {"source": head.source, "program": head.program}


def _line_of(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def read_strategies(path: Path, game_named: Callable[[str], Game]) -> StrategyFile:
    """Read a file as it was written, to the byte. UsageError names the file and the line."""
    number = 0
    with naming("certificate", path), open_file(path, None) as file:
        try:
            lines = _StrategyLines(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""))
            head = _read_head(lines.next(_HEAD))
            game = _game_of(head, game_named)
            tables: tuple[dict[str, dict[str, Fraction]], ...] = ({}, {})
            while (line := lines.next((*_LINE, *_END))).keys() == {*_LINE}:
                number += 1
                seat, seen = line["seat"], line["seen"]
                if type(seat) is not int or seat not in (0, 1) or type(seen) is not str:
                    raise UsageError("seat is 0 or 1, and seen a text")
                if seen in tables[seat]:
                    raise UsageError(f"seat {seat} has two lines for {quoted(seen)}")
                tables[seat][seen] = _moves(line["moves"])
            _read_end(line, number, lines)
        except UsageError as error:
            where = f" (after {counted(number, 'set')})" if number else ""
            raise UsageError(f"{error}{where}") from error
    return StrategyFile(head, game, (tables[0], tables[1]))


class _StrategyLines:
    """The lines of a file, each of which is as arena writes it, and their digest."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines, self._digest = lines, blake2b(digest_size=_DIGEST_BYTES)
        #: The digest of the lines before the last one that was read.
        self.digest_before = ""

    def next(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the next line, which has no other keys than these."""
        content = next(self._lines, b"")
        if not content:
            raise UsageError("the file ends too soon")
        if len(content) > MAX_LINE_BYTES:
            raise UsageError(f"a line has more than {MAX_LINE_BYTES >> 10} KiB")
        line = parse_json(content)
        if not isinstance(line, dict) or not line.keys() <= {*keys} or _line_of(line) != content:
            raise UsageError("a line is not as arena writes it")
        self.digest_before = self._digest.hexdigest()
        self._digest.update(content)
        return line

    def require_end(self) -> None:
        """Raise UsageError if another line follows."""
        if next(self._lines, b""):
            raise UsageError("something follows the last line")


def _read_head(line: Mapping[str, Any]) -> StrategyHead:
    texts = [line.get(key) for key in ("schema", "game", "source", "program")]
    if not all(type(text) is str for text in texts) or texts[0] != SCHEMA:
        raise UsageError(f"the first line is not the head of {SCHEMA}")
    version = line.get("game_version")
    if type(version) is not int:
        raise UsageError("game_version is not a whole number")
    is_value = {"low", "high"} <= line.keys() and not {"against", "paid"} & line.keys()
    is_response = {"against", "paid"} <= line.keys() and not {"low", "high"} & line.keys()
    if not (is_value or is_response):
        raise UsageError("the head has either low and high, or against and paid")
    _, game, source, program = map(str, texts)
    if is_value:
        ends = (read_fraction(line["low"]), read_fraction(line["high"]))
        return StrategyHead(game, version, source, program, *ends)
    against, paid = line["against"], line["paid"]
    if type(against) is not str or type(paid) is not list or len(paid) != 2:
        raise UsageError("against is a name, and paid two fractions")
    pays = (read_fraction(paid[0]), read_fraction(paid[1]))
    return StrategyHead(game, version, source, program, against=against, paid=pays)


def _game_of(head: StrategyHead, game_named: Callable[[str], Game]) -> Game:
    game = game_named(head.game)
    if game.version != head.game_version:
        raise UsageError(
            f"it is for version {head.game_version} of {game.name}, and this is {game.version}"
        )
    return game


def _moves(listed: Any) -> dict[str, Fraction]:
    """Return the probabilities of the moves of a set: each above 0, 1 together."""
    if not isinstance(listed, dict):
        raise UsageError("moves is not an object")
    moves = {name: read_fraction(text) for name, text in listed.items()}
    if any(share <= 0 for share in moves.values()) or sum(moves.values()) != 1:
        raise UsageError("the probabilities of a line are not above 0, or not 1 together")
    return moves


def _read_end(line: Mapping[str, Any], sets: int, lines: _StrategyLines) -> None:
    if line.keys() != {*_END}:
        raise UsageError("a line is neither a set nor the end")
    if type(line["sets"]) is not int or line["sets"] != sets:
        raise UsageError(f"it has {counted(sets, 'set')}, and its last line counts others")
    if line["digest"] != lines.digest_before:
        raise UsageError("its bytes do not have the digest of its last line: it is damaged")
    lines.require_end()
