"""Check a certificate of format 2: by arrays where the game allows it, else in plain Python.

Nothing here is shared with a solver. Two more checkers share no code with this one:
:mod:`arena.certificates.plain`, and ``examples/checkers/check.c``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.certificates import plain
from arena.certificates.head import CertificateHead, Claim
from arena.certificates.key_rules import KeyRules, key_rules_of
from arena.certificates.stream import CertificateStream, reading
from arena.certificates.walk import ChooseNumbers, SectionSize, walk
from arena.errors import UsageError, quoted
from arena.game import Game, Position
from arena.proof.checker import CertificateError


def check(
    path: Path, games: Callable[[str], Game], most: int
) -> tuple[CertificateHead, dict[Claim, SectionSize]]:
    """Verify each claim of a file. ``games`` finds a game by its name, as a catalogue does.

    Raises CertificateError if the file does not prove a claim. Raises UsageError if it is not a
    certificate for the rules here. ``most`` bounds the positions of a game without arrays.
    """
    with reading(path) as (head, reader):
        start = start_of(head, games)
        rules = key_rules_of(start.game)
        sizes_of = {}
        for claim in head.claims:
            if rules is None:
                by_position = noted(reader, claim)
                sizes = plain.walk(start, claim.side, claim.wins, by_position, most)
                sizes_of[claim] = SectionSize(*sizes)
            else:
                sizes_of[claim] = walk(rules, start, claim, recorded(rules, reader, claim))
        reader.finish()
    return head, sizes_of


def start_of(head: CertificateHead, games: Callable[[str], Game]) -> Position:
    """Return the start position of a certificate. Raises UsageError if it is for other rules."""
    game = games(head.game)
    if game.name != head.game:
        raise UsageError(f"game {quoted(head.game)} is called {game.name!r}")
    if game.version != head.version:
        raise UsageError(
            f"it is for version {head.version} of {game.name}, but the rules here are of version"
            f" {game.version}"
        )
    start = game.parse(head.start)
    if str(start) != head.start:
        raise UsageError(f"its start {quoted(head.start)} is written {str(start)!r}")
    if start.outcome() is not None:
        raise UsageError(f"the game is over at its start {quoted(head.start)}")
    return start


def recorded(rules: KeyRules, reader: CertificateStream, claim: Claim) -> ChooseNumbers:
    """Return what reads the moves of each ply from a certificate."""

    def choose(ply: int, keys: Keys, _: Keys) -> NDArray[np.uint8]:
        first = rules.position(int(keys[0])) if len(keys) else None
        return np.frombuffer(_record(reader, claim, ply, len(keys), first), np.uint8)

    return choose


def noted(reader: CertificateStream, claim: Claim) -> plain.ChooseSafe:
    """Return what reads the moves of each ply, for the walk in plain Python."""

    def choose(questions: plain.SafeMoves) -> bytes:
        first = questions[0][0] if questions else None
        return _record(reader, claim, first.ply if first else None, len(questions), first)

    return choose


def _record(
    reader: CertificateStream, claim: Claim, ply: int | None, needed: int, first: Position | None
) -> bytes:
    """Return the moves of a ply. Raises CertificateError if it has another number of them."""
    count = reader.count()
    if count != needed:
        place = "a ply" if ply is None else f"ply {ply}"
        such = "" if first is None else f", the first of them {quoted(str(first))}"
        raise CertificateError(
            f"{claim}: it has {count} moves at {place}, but {needed} positions need one{such}"
        )
    return reader.exactly(count)
