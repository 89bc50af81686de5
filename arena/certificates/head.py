"""Write and read the head of a certificate of format 2: lines of text that say what is claimed."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import zip_longest

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.game import Side

#: The first line.
MAGIC = "arena certificate 2"

#: The most bytes of a line, with its newline.
MAX_HEAD_LINE_BYTES = 4096

#: The keys of the lines in their order; a file with one claim lacks the second.
_KEYS = ("game", "version", "start", "claim", "claim2", "source", "program", "assumes")

_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)

_SIDES = ("first", "second")


@dataclass(frozen=True)
class Claim:
    """The claim of a section on one side: that it wins, or else that it does not lose."""

    side: Side
    wins: bool

    def __str__(self) -> str:
        return f"{_SIDES[self.side]} {'wins' if self.wins else 'does not lose'}"


#: The claims by their texts.
CLAIMS = {str(c): c for c in (Claim(side, wins) for side in Side for wins in (True, False))}

#: The claims of a file that proves a draw.
DRAW = (Claim(Side.FIRST, False), Claim(Side.SECOND, False))


@dataclass(frozen=True)
class CertificateHead:
    """The head of a certificate, before its moves."""

    game: str
    version: int
    #: The start position, as the game writes it.
    start: str
    #: One claim, or the two of a draw.
    claims: tuple[Claim, ...]
    #: Where the moves come from, what wrote them with its versions, and what it assumed.
    source: str
    program: str
    assumes: str

    @property
    def lines(self) -> list[str]:
        """The lines, without newlines. The last one is empty.

        Raises UsageError for a text that a line cannot hold.
        """
        lines = [
            MAGIC,
            f"game {self.game}",
            f"version {self.version}",
            f"start {self.start}",
            *(f"claim {claim}" for claim in self.claims),
            f"source {self.source}",
            f"program {self.program}",
            f"assumes {self.assumes}",
            "",
        ]
        for line in lines:
            _require_plain(line)
        return lines


def _require_plain(line: str) -> None:
    if not line.isascii() or not line.isprintable():
        raise UsageError(f"a certificate holds printable ASCII alone, not {quoted(line)}")
    if len(line) >= MAX_HEAD_LINE_BYTES:
        raise UsageError(f"a certificate cannot hold a line of {MAX_HEAD_LINE_BYTES} bytes or more")


def read_head(next_line: Callable[[], str]) -> CertificateHead:
    """Read the lines of a head. Raises UsageError for a line that does not belong there."""
    magic = next_line()
    if magic != MAGIC:
        raise UsageError(_why_not(magic))
    lines = []
    while line := next_line():
        _require_plain(line)
        lines.append(line)
        if len(lines) > len(_KEYS):
            raise UsageError(f"its head goes on with {quoted(line)}")
    keys = _KEYS if len(lines) == len(_KEYS) else (*_KEYS[:4], *_KEYS[5:])
    values = {}
    for key, line in zip_longest(keys, lines, fillvalue=""):
        if not line.startswith(key.strip("2") + " "):
            raise UsageError(f"its head has {quoted(line)} where {key.strip('2')!r} belongs")
        values[key] = line.partition(" ")[2]
    return _head(values)


def _head(values: dict[str, str]) -> CertificateHead:
    version = values["version"]
    if not _NUMBER.fullmatch(version):
        raise UsageError(f"its version {quoted(version)} is not a number")
    texts = [values[key] for key in ("claim", "claim2") if key in values]
    for text in texts:
        if text not in CLAIMS:
            raise UsageError(f"its claim {quoted(text)} is not one of {', '.join(CLAIMS)}")
    claims = tuple(CLAIMS[text] for text in texts)
    if len(claims) == 2 and claims != DRAW:
        raise UsageError("its two claims are not those of a draw, of which first stands first")
    return CertificateHead(
        values["game"],
        int(version),
        values["start"],
        claims,
        values["source"],
        values["program"],
        values["assumes"],
    )


def _why_not(magic: str) -> str:
    before, _, number = MAGIC.rpartition(" ")
    if magic.startswith(before + " ") and _NUMBER.fullmatch(magic[len(before) + 1 :]):
        return f"is of format {magic[len(before) + 1 :]}; this arena reads format {number}"
    return f"is not a certificate: it does not begin with {MAGIC!r}"
