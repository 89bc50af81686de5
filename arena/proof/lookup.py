"""The moves of a certificate as a table, in which the moves of real games are looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from arena.game import Position
from arena.proof.certificate_file import CertificateFile
from arena.proof.witness import Line


@dataclass(frozen=True)
class CertifiedMoves:
    """Looks up the moves of a certificate that was read from a file.

    Where the file does not say how probable the moves are, they are given equal probabilities.
    """

    certificate: CertificateFile
    _known: dict[tuple[int, str], dict[int, Fraction]] = field(default_factory=dict, compare=False)

    def __call__(self, position: Position, line: Line) -> dict[int, Fraction]:
        """Return the moves that the player may make after a line to a position; maybe none."""
        certificate, side = self.certificate, int(position.to_move)
        texts = map(certificate.game.format_move, line)
        key = certificate.key_of(position, list(texts) if certificate.keyed_by == "line" else ())
        known = self._known.get((side, key))
        if known is None:
            own = certificate.sides[side].moves.get(key, {})
            even = Fraction(1, max(1, len(own)))
            parse = certificate.game.parse_move
            known = self._known[side, key] = {parse(move): p or even for move, p in own.items()}
        return known
