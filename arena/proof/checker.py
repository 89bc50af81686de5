"""An independent check of a certificate: by the rules of the game, without running the player.

It shares no code with what made the certificate. What it relies on is ``start``, ``legal_moves``,
``play``, ``outcome`` and the notation of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.errors import ArenaError, UsageError, describe, quoted
from arena.game import Game, Position


class CertificateError(ArenaError):
    """The certificate does not prove what it says."""

    exit_code = 1


def check_certificate(certificate: Mapping[str, Any], game: Game) -> None:
    """CertificateError unless the moves in the certificate lead to what it says of each side.

    That is: whether it loses, the positions and the losing line. The scores of the best opponent
    are not verified, as the certificate does not have the probabilities that they depend on.
    UsageError if it is no certificate of the game at all.
    """
    try:
        by_line = certificate["keyed_by"] == "line"
        sides = [certificate["first"], certificate["second"]]
        claimed = [(bool(s["never_loses"]), int(s["positions"]), s["losing_line"]) for s in sides]
        moves = [{str(k): list(map(str, v)) for k, v in s["moves"].items()} for s in sides]
        together = bool(certificate["never_loses"])
        version = int(certificate["game_version"])
        if certificate["game"] != game.name or certificate["keyed_by"] not in ("line", "position"):
            raise ValueError(certificate["game"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"this is no certificate for {game.name}: {describe(error)}") from error
    if version != game.version:
        raise CertificateError(
            f"the certificate is for version {version} of {game.name}, these are the rules of"
            f" version {game.version}"
        )
    for side in (0, 1):
        found = _walk(game, side, moves[side], by_line)
        if found != claimed[side]:
            name = ("first", "second")[side]
            raise CertificateError(
                f"moving {name}: the certificate says {_say(claimed[side])},"
                f" its moves lead to {_say(found)}"
            )
    if together != all(never_loses for never_loses, _, _ in claimed):
        raise CertificateError("the certificate contradicts itself on whether the player loses")


def _walk(
    game: Game, side: int, moves: Mapping[str, list[str]], by_line: bool
) -> tuple[bool, int, list[str] | None]:
    """Whether no line is lost, how many positions occur, and the first of the shortest lost."""
    seen: set[Position] = set()
    lost: list[str] | None = None
    level: dict[str, tuple[Position, list[str]]] = {"": (game.start(), [])}
    while level:
        deeper: dict[str, tuple[Position, list[str]]] = {}
        for position, line in level.values():
            seen.add(position)
            outcome = position.outcome()
            if outcome is not None:
                if lost is None and outcome.winner is not None and outcome.winner != side:
                    lost = line
                continue
            for move in _continuations(game, side, moves, by_line, position, line):
                after = (position.play(game.parse_move(move)), [*line, move])
                deeper.setdefault(" ".join(after[1]) if by_line else str(after[0]), after)
        level = deeper
    return lost is None, len(seen), lost


def _continuations(
    game: Game,
    side: int,
    moves: Mapping[str, list[str]],
    by_line: bool,
    position: Position,
    line: list[str],
) -> list[str]:
    legal = [game.format_move(move) for move in position.legal_moves()]
    if position.ply % 2 != side:
        return legal
    key = " ".join(line) if by_line else str(position)
    own = moves.get(key)
    if not own:
        raise CertificateError(f"the certificate has no move for {quoted(key)}")
    for move in own:
        if move not in legal:
            raise CertificateError(f"{quoted(move)} is not legal at {quoted(str(position))}")
    return sorted(own, key=legal.index)


def _say(found: tuple[bool, int, list[str] | None]) -> str:
    never_loses, positions, line = found
    if never_loses:
        return f"no loss in {positions} positions"
    return f"a loss by {' '.join(line or [])} in {positions} positions"
