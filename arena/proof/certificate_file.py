"""Read certificates as files, with suspicion.

Only :mod:`arena.proof.checker` says if a certificate is true. Like it, this module shares no code
with the maker of certificates: it relies on the names and versions of games alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any

from arena.errors import UsageError, quoted
from arena.files import naming, read_json
from arena.game import Game, Position

#: Version 2 has the probabilities of the moves, in ``chances``; version 1 does not.
SCHEMAS = ("arena.certificate/1", "arena.certificate/2")

#: Bits of the largest fraction; Python writes numbers of up to 4300 digits.
MAX_FRACTION_BITS = 14_284

_FRACTION = re.compile(r"-?[0-9]{1,4300}(/[0-9]{1,4300})?", re.ASCII)

_CERTIFICATE: Mapping[str, tuple[type, ...]] = {
    "schema": (str,),
    "game": (str,),
    "game_version": (int,),
    "player": (str,),
    "never_loses": (bool,),
    "exploitability": (str,),
    "keyed_by": (str,),
    "first": (dict,),
    "second": (dict,),
}

#: Words that the file may have besides, which no checker looks at; format 2 has them too.
_SAYS = ("source", "program", "assumes")

#: The most characters of each.
MAX_SAID_CHARACTERS = 4096

_SIDE: Mapping[str, tuple[type, ...]] = {
    "never_loses": (bool,),
    "positions": (int,),
    "losing_line": (list, NoneType),
    "best_reply": (str,),
    "moves": (dict,),
}

_KINDS: Mapping[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a decimal number",
    str: "a text",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}


@dataclass(frozen=True)
class CertifiedSide:
    """One side of a certificate: its claims, and the moves that should prove them."""

    never_loses: bool
    #: Number of distinct positions that can occur.
    positions: int
    #: The moves of the loss, in the game's notation, or None.
    losing_line: tuple[str, ...] | None
    #: Points per game that the best opponent can expect.
    best_reply: Fraction
    #: By position or line: each move that the player may make, in the game's notation, with its
    #: probability. None stands for a probability that the file does not have.
    moves: Mapping[str, Mapping[str, Fraction | None]]

    @property
    def has_chances(self) -> bool:
        """Return whether the probability of every move is known."""
        return all(None not in chances.values() for chances in self.moves.values())


@dataclass(frozen=True)
class CertificateFile:
    """A certificate from a file. It is not verified yet, least of all the player's name."""

    #: The rules, of the version that the certificate is for.
    game: Game
    player: str
    #: The keys of the moves: ``position``, or ``line`` for the moves that led there.
    keyed_by: str
    never_loses: bool
    exploitability: Fraction
    first: CertifiedSide
    second: CertifiedSide
    #: Where the moves come from, what wrote them with its versions, and what it assumed; None where
    #: the file does not say it.
    source: str | None = None
    program: str | None = None
    assumes: str | None = None

    @property
    def has_chances(self) -> bool:
        """Return whether every probability of a move is known, and so the best opponent's score."""
        return self.first.has_chances and self.second.has_chances

    @property
    def sides(self) -> tuple[CertifiedSide, CertifiedSide]:
        """Both sides. A :class:`~arena.game.Side` is the index."""
        return self.first, self.second

    def key_of(self, position: Position, line: Sequence[str]) -> str:
        """Return the key of a position at the end of a line in the game's notation.

        >>> from arena.games.mnk import mnk_game
        >>> game = mnk_game(3, 3, 3)
        >>> side = CertifiedSide(True, 1, None, Fraction(1, 2), {})
        >>> by_line = CertificateFile(game, "anna", "line", True, Fraction(0), side, side)
        >>> by_line.key_of(game.parse("o___x____"), ["5", "1"])
        '5 1'
        """
        return " ".join(line) if self.keyed_by == "line" else str(position)


def read_certificate(path: Path, games: Callable[[str], Game]) -> CertificateFile:
    """Read the certificate in a file. ``games`` finds a game by its name, as a catalogue does.

    Raises UsageError, with the file's name, if the file is not a certificate for the rules here.
    """
    with naming("certificate", path):
        return parse_certificate(read_json(path), games)


def parse_certificate(record: object, games: Callable[[str], Game]) -> CertificateFile:
    """Read the JSON of a certificate. Raises UsageError as :func:`read_certificate` does."""
    if not isinstance(record, dict) or record.get("schema") not in SCHEMAS:
        raise UsageError(f"is not a certificate: its schema is not one of {', '.join(SCHEMAS)}")
    optional = {key: (str,) for key in _SAYS if key in record}
    fields = _object(record, "the certificate", {**_CERTIFICATE, **optional})
    if fields["keyed_by"] not in ("position", "line"):
        raise UsageError("'keyed_by' is not 'position' or 'line'")
    kinds = _SIDE if fields["schema"] == SCHEMAS[0] else {**_SIDE, "chances": (dict,)}
    return CertificateFile(
        game=_game(fields, games),
        player=fields["player"],
        keyed_by=fields["keyed_by"],
        never_loses=fields["never_loses"],
        exploitability=read_fraction(fields["exploitability"]),
        first=_side(fields["first"], "first", kinds),
        second=_side(fields["second"], "second", kinds),
        **{key: _plain(key, fields[key]) for key in optional},
    )


def bounded(number: Fraction) -> Fraction:
    """Return the same number. Raises UsageError if it needs more than MAX_FRACTION_BITS."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_FRACTION_BITS:
        raise UsageError(
            f"one of its probabilities or scores is a fraction of over {MAX_FRACTION_BITS} bits"
        )
    return number


def _object(value: object, where: str, kinds: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """Return the object if it has exactly these keys, with values of exactly these types."""
    if type(value) is not dict:
        raise UsageError(f"{where} is {_kind(value)}, not an object")
    for key in value:
        if key not in kinds:
            raise UsageError(f"{where} has the unknown key {quoted(key)}")
    for key, types in kinds.items():
        if key not in value:
            raise UsageError(f"{where} has no {key!r}")
        if type(value[key]) not in types:
            wanted = " or ".join(_KINDS[kind] for kind in types)
            raise UsageError(f"{key!r} of {where} is {_kind(value[key])}, not {wanted}")
    return value


def _plain(key: str, text: str) -> str:
    """Return a text of one line. Raises UsageError for another."""
    if not text.isascii() or not text.isprintable() or len(text) > MAX_SAID_CHARACTERS:
        raise UsageError(
            f"{key!r} is not one line of up to {MAX_SAID_CHARACTERS} printable ASCII characters"
        )
    return text


def _kind(value: object) -> str:
    return _KINDS[type(value)]


def _game(fields: Mapping[str, Any], games: Callable[[str], Game]) -> Game:
    game = games(fields["game"])
    if game.name != fields["game"]:
        raise UsageError(f"game {quoted(fields['game'])} is called {game.name!r}")
    if game.version != fields["game_version"]:
        raise UsageError(
            f"it is for version {fields['game_version']} of {game.name}, but the rules here are"
            f" of version {game.version}"
        )
    return game


def _side(value: object, name: str, kinds: Mapping[str, tuple[type, ...]]) -> CertifiedSide:
    fields = _object(value, f"side {name!r}", kinds)
    line = fields["losing_line"]
    return CertifiedSide(
        never_loses=fields["never_loses"],
        positions=fields["positions"],
        losing_line=None if line is None else tuple(_texts(line, "the losing line")),
        best_reply=read_fraction(fields["best_reply"]),
        moves=_moves(fields["moves"], fields.get("chances")),
    )


def _moves(
    moves: Mapping[str, object], chances: Mapping[str, object] | None
) -> dict[str, dict[str, Fraction | None]]:
    lists = {
        key: _texts(names, f"the list of moves at {quoted(key)}") for key, names in moves.items()
    }
    for key, names in lists.items():
        if not names or len(set(names)) < len(names):
            problem = "names a move twice" if names else "is empty"
            raise UsageError(f"the list of moves at {quoted(key)} {problem}")
    if chances is None:  # an only move is certain
        return {
            key: dict.fromkeys(names, Fraction(1) if len(names) == 1 else None)
            for key, names in lists.items()
        }
    if chances.keys() != lists.keys():
        key = min(chances.keys() ^ lists.keys())
        raise UsageError(f"{quoted(key)} has moves or probabilities, but not both")
    return {key: _distribution(key, names, chances[key]) for key, names in lists.items()}


def _distribution(key: str, moves: list[str], value: object) -> dict[str, Fraction | None]:
    where = f"the list of probabilities at {quoted(key)}"
    chances = [read_fraction(text) for text in _texts(value, where)]
    if len(chances) != len(moves):
        raise UsageError(f"{where} is not as long as that of the moves")
    total = Fraction(0)
    for chance in chances:
        if chance <= 0:
            raise UsageError(f"{where} has one that is not positive")
        total = bounded(total + chance)
    if total != 1:
        raise UsageError(f"{where} does not add up to 1")
    return dict(zip(moves, chances, strict=True))


def _texts(value: object, where: str) -> list[str]:
    if type(value) is not list:
        raise UsageError(f"{where} is {_kind(value)}, not a list")
    for text in value:
        if type(text) is not str:
            raise UsageError(f"{where} has {_kind(text)} in it, not only texts")
    return value


@lru_cache(maxsize=1 << 10)  # most positions have the same few fractions
def read_fraction(value: object) -> Fraction:
    """Read a fraction as Python writes it: in its lowest terms, a whole number without a slash.

    Raises UsageError for any other value.
    """
    if type(value) is str and _FRACTION.fullmatch(value):
        numerator, _, denominator = value.partition("/")
        if int(denominator or 1):
            fraction = Fraction(int(numerator), int(denominator or 1))
            if str(fraction) == value:
                return fraction
    raise UsageError(f"{quoted(str(value)[:80])} is not a fraction in its lowest terms")
