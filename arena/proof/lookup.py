"""Look the moves of real games up in the table of a certificate."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.game import Position
from arena.games.display import Line
from arena.proof.certificate_file import CertificateFile


@dataclass(frozen=True)
class CertifiedMoves:
    """A table of the moves in a certificate file.

    Where the file does not have probabilities, the moves get equal ones.
    """

    certificate: CertificateFile
    _chances: dict[tuple[int, str], dict[int, Fraction]] = field(
        default_factory=dict, compare=False
    )

    def __call__(self, position: Position, line: Line) -> dict[int, Fraction]:
        """Return the moves that the player may make after a line to a position, perhaps none."""
        certificate, side = self.certificate, int(position.to_move)
        texts = map(certificate.game.format_move, line)
        key = certificate.key_of(position, list(texts) if certificate.keyed_by == "line" else ())
        chances = self._chances.get((side, key))
        if chances is None:
            moves = certificate.sides[side].moves.get(key, {})
            even = Fraction(1, max(1, len(moves)))
            parse = certificate.game.parse_move
            chances = self._chances[side, key] = {
                parse(move): p or even for move, p in moves.items()
            }
        return chances
