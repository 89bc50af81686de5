"""Choose the value function that takes luck out of payoffs, before the first game."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import UsageError, quoted
from arena.fights.pairing import Pairing
from arena.game import Game
from arena.records.luck import LuckCorrection

if TYPE_CHECKING:
    from arena.trees.correction import Strategies, Value

#: What computes the strategies where no file has them.
OWN_VALUE = "cfr"

#: The name of what the game itself says that a position is worth.
GAME_VALUE = "game"


def with_luck_corrected(
    pairings: Sequence[Pairing],
    file: str | os.PathLike[str] | None,
    game_named: Callable[[str], Game],
) -> list[Pairing]:
    """Return the pairings with a correction of luck, by the strategies of a file or by cfr.

    Raises UsageError for a game without a constant sum, and Undecided for one that is too large.
    """
    from arena.proof.limit import Limit
    from arena.trees.correction import (
        MAX_CORRECTED_HISTORIES,
        Corrector,
        digest_of,
        require_correctable,
    )
    from arena.trees.effort import require_few

    game = pairings[0].game
    require_correctable(game)
    require_few(game, Limit(MAX_CORRECTED_HISTORIES), f"the correction of luck at {game.name}")
    name = OWN_VALUE if file is None else os.fspath(file)
    value: Value = None
    if name != GAME_VALUE:
        value = strategies_of(game, name, game_named)
    correctors = [Corrector(game, (each.a, each.b), value) for each in pairings]
    luck = LuckCorrection(
        name,
        digest_of(game, value),
        tuple(
            corrector.bounds(pairing.names)
            for corrector, pairing in zip(correctors, pairings, strict=True)
        ),
    )
    if not any(each.terms for each in luck.bounds):
        raise UsageError(
            f"{game.name} has no luck, and no player's probabilities are known: leave --luck out"
        )
    return [
        replace(pairing, luck=luck, corrector=corrector)
        for pairing, corrector in zip(pairings, correctors, strict=True)
    ]


def as_corrected_before(
    pairings: Sequence[Pairing], absent: Container[str], game_named: Callable[[str], Game]
) -> list[Pairing]:
    """Return the pairings of a run that goes on, corrected as its first games were.

    Pairings of ``absent`` players are not played. Raises UsageError if the value function is
    another one now, or corrects other players.
    """
    before = pairings[0].luck
    assert before is not None
    file = None if before.value == OWN_VALUE else before.value
    present = [each for each in pairings if not any(name in absent for name in each.names)]
    if not present:
        return [*pairings]
    corrected = with_luck_corrected(present, file, game_named)
    now = corrected[0].luck
    assert now is not None
    if now.digest != before.digest:
        raise UsageError(
            f"the value function {quoted(before.value)} has the digest {now.digest} now, and had"
            f" {before.digest} before the first game: a run keeps the one that it began with"
        )
    for pairing in corrected:
        if now.of(pairing.names) != before.of(pairing.names):
            names = " and ".join(pairing.names)
            raise UsageError(f"luck between {names} is not what it was when the run began")
    correctors = {pairing.names: pairing.corrector for pairing in corrected}
    return [replace(each, corrector=correctors.get(each.names)) for each in pairings]


def strategies_of(game: Game, value: str, game_named: Callable[[str], Game]) -> Strategies:
    """Return the strategies of both seats, by what they know."""
    if value == OWN_VALUE:
        from arena.players.cfr import SHARE_PARTS, average_strategy, refuses

        if reason := refuses(game):
            raise UsageError(
                f"cfr finds no value function for {game.name}: {reason}; --value FILE takes what"
                " arena solve wrote"
            )
        return {
            str(seen): {
                move: Fraction(parts, SHARE_PARTS)
                for move, parts in zip(seen.legal_moves(), shares, strict=True)
            }
            for seen, shares in average_strategy(game).items()
        }
    from arena.certificates.strategies import read_strategies
    from arena.trees.correction import by_text

    file = read_strategies(Path(value), game_named)
    if file.game != game:
        raise UsageError(f"value function {quoted(value)} is one of {file.game.name}")
    return by_text(game, file.tables)
