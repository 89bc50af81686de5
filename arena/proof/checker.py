"""Check a certificate independently: by the rules of the game, without the player.

The checker shares no code with the maker of the certificate. It relies on ``start``, ``to_move``,
``legal_moves``, ``play``, ``outcome`` and the notation of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from arena.errors import ArenaError, UsageError, numeral, quoted
from arena.game import Outcome, Position
from arena.proof.certificate_file import CertificateFile, CertifiedSide, bounded

_SIDES = ("first", "second")


class CertificateError(ArenaError):
    """The certificate does not prove its claims."""

    exit_code = 1


class _CheckNode(NamedTuple):
    """A position and the least of the shortest lines to it."""

    position: Position
    line: tuple[str, ...]
    #: The key of the node after each legal move.
    after: dict[str, str]


#: Nodes by key, in breadth-first order: a node comes after those that lead to it.
_Nodes = dict[str, _CheckNode]


def check_certificate(certificate: CertificateFile, max_positions: int) -> None:
    """Raise CertificateError unless the moves lead to exactly the certificate's claims.

    The check walks both sides again: if one loses, by which line, in how many positions, and the
    score of the best opponent. It leaves the score out if the file does not have the probabilities.
    A certificate cannot show whose moves it has.

    Raises UsageError if a side has more than ``max_positions`` positions (lines, if the moves are
    by line), or scores that are too long to calculate.
    """
    for index, (name, side) in enumerate(zip(_SIDES, certificate.sides, strict=True)):
        nodes = _walk(certificate, index, max_positions)
        for key in side.moves:
            if key not in nodes or not _is_turn(nodes[key].position, index):
                raise CertificateError(
                    f"moving {name}: the certificate has moves for {quoted(key)}, which cannot"
                    " occur at the player's turn"
                )
        _check_walk(name, index, side, nodes)
        if side.has_chances:
            _check_score(name, side, _best_reply(index, side.moves, nodes))
    never_loses = certificate.first.never_loses and certificate.second.never_loses
    if certificate.never_loses != never_loses:
        raise CertificateError("the certificate contradicts itself on whether the player loses")
    above = (certificate.first.best_reply + certificate.second.best_reply - 1) / 2
    if certificate.exploitability != above:
        raise CertificateError(
            "the certificate says that the exploitability is"
            f" {_fraction_text(certificate.exploitability)}, but its best opponent's scores make it"
            f" {_fraction_text(above)}"
        )


def _walk(certificate: CertificateFile, side: int, max_positions: int) -> _Nodes:
    """Find all nodes that can occur, by each own move and by all moves of the opponent."""
    start = certificate.game.start()
    root = certificate.key_of(start, ())
    nodes = {root: _CheckNode(start, (), {})}
    level = [root]
    while level:
        deeper = []
        for key in level:
            position, line, after = nodes[key]
            for move, number in _moves(certificate, side, key, position).items():
                child, longer = position.play(number), (*line, move)
                after[move] = certificate.key_of(child, longer)
                if after[move] not in nodes:
                    nodes[after[move]] = _CheckNode(child, longer, {})
                    deeper.append(after[move])
            if len(nodes) > max_positions:
                raise UsageError(
                    f"more than {max_positions} positions of {certificate.game.name} can occur"
                )
        level = deeper
    return nodes


def _is_turn(position: Position, side: int) -> bool:
    return position.outcome() is None and position.to_move == side


def _moves(certificate: CertificateFile, side: int, key: str, position: Position) -> dict[str, int]:
    """Return the moves that can follow, by their notation, ascending."""
    if position.outcome() is not None:
        return {}
    legal = {certificate.game.format_move(move): move for move in position.legal_moves()}
    if not _is_turn(position, side):
        return legal
    claimed = certificate.sides[side].moves.get(key)
    if claimed is None:
        raise CertificateError(
            f"moving {_SIDES[side]}: the certificate has no move for {quoted(key)}"
        )
    for move in claimed:
        if move not in legal:
            raise CertificateError(
                f"moving {_SIDES[side]}: {quoted(move)} is not legal at {quoted(str(position))}"
            )
    return {move: number for move, number in legal.items() if move in claimed}


def _check_walk(name: str, index: int, claimed: CertifiedSide, nodes: _Nodes) -> None:
    lost = next((node.line for node in nodes.values() if _is_lost(node.position, index)), None)
    result = (lost is None, len({node.position for node in nodes.values()}), lost)
    says = (claimed.never_loses, claimed.positions, claimed.losing_line)
    if says != result:
        raise CertificateError(
            f"moving {name}: the certificate says {_say(*says)}, but its moves lead to"
            f" {_say(*result)}"
        )


def _say(never_loses: bool, positions: int, line: tuple[str, ...] | None) -> str:
    loss = "no loss" if never_loses else "a loss"
    by = "" if line is None else f" by {quoted(' '.join(line))}"
    return f"{loss}{by} in {positions} positions"


def _check_score(name: str, claimed: CertifiedSide, score: Fraction) -> None:
    if claimed.best_reply != score:
        raise CertificateError(
            f"moving {name}: the certificate says that the best opponent scores"
            f" {_fraction_text(claimed.best_reply)}, but against its moves that is"
            f" {_fraction_text(score)}"
        )


def _fraction_text(number: Fraction) -> str:
    return f"{numeral(number.numerator)}/{numeral(number.denominator)}".removesuffix("/1")


def _is_lost(position: Position, side: int) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.winner is not None and outcome.winner != side


def _best_reply(
    side: int, moves: Mapping[str, Mapping[str, Fraction | None]], nodes: _Nodes
) -> Fraction:
    """Calculate the points that the best opponent expects, backward from the ends of the game."""
    scores: dict[str, Fraction] = {}
    for key, (position, _, after) in reversed(nodes.items()):
        if not after:
            drawn = position.outcome() is Outcome.DRAW
            scores[key] = Fraction(1, 2) if drawn else Fraction(_is_lost(position, side))
        elif position.to_move == side:
            replies = [(scores[after[move]], chance) for move, chance in moves[key].items()]
            expected = sum((score * chance for score, chance in replies if chance), Fraction(0))
            scores[key] = bounded(expected)
        else:
            scores[key] = max(scores[child] for child in after.values())
    return scores[next(iter(nodes))]
