"""Play fights at Leduc poker, whose expected payoffs are known, with the same deals and without."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from statistics import median, variance

import arena
from arena.game import CHANCE, Observation, Position
from arena.player import PlayerInfo
from arena.records import FightResult
from benchmarks.coverage.table import Row, coverage

#: Pairs of a fight.
SIZES = (20, 100)

#: The probability of each of a player's moves.
Policy = Callable[[Position], list[tuple[int, Fraction]]]


def raises(observation: Observation, _rng: random.Random) -> int:
    """Make the boldest move, which is the last."""
    return observation.legal_moves()[-1]


def _boldest(position: Position) -> list[tuple[int, Fraction]]:
    return [(position.legal_moves()[-1], Fraction(1))]


def _any(position: Position) -> list[tuple[int, Fraction]]:
    moves = position.legal_moves()
    return [(move, Fraction(1, len(moves))) for move in moves]


#: Players against monkey, with their policies.
PLAYERS: dict[str, tuple[PlayerInfo, Policy]] = {
    "monkey": (arena.get_player("monkey"), _any),
    "a player that always raises": (PlayerInfo("raises", raises), _boldest),
}


def rows(replicates: int) -> Iterator[Row]:
    """Yield the interval of a payoff with duplicates and with independent deals."""
    game = arena.get_game("leduc")
    for name, (player, policy) in PLAYERS.items():
        truth = (_expected(game.start(), policy, 0) + _expected(game.start(), policy, 1)) / 2
        for size in SIZES:
            found = {}
            for deals in ("duplicate", "independent"):
                fights = [_fight(player, size, deals, seed) for seed in range(replicates)]
                under = f"Leduc poker, {name} against monkey, {deals} deals, {size} pairs"
                yield coverage("payoff of a fight", under, [_holds(f, truth) for f in fights])
                found[deals] = fights
            yield _saved(found["duplicate"], found["independent"], name, size)


def _expected(start: Position, policy: Policy, seat: int) -> Fraction:
    """Return what the player gets on average in that seat, by all games against monkey."""

    @cache
    def worth(position: Position) -> Fraction:
        paid = position.payoffs()
        if paid is not None:
            return paid[seat]
        if position.to_move == CHANCE:
            moves = list(position.chance_moves())
        else:
            moves = (policy if position.to_move == seat else _any)(position)
        return sum((share * worth(position.play(move)) for move, share in moves), Fraction(0))

    return worth(start)


def _fight(player: PlayerInfo, pairs: int, deals: str, seed: int) -> FightResult:
    return arena.fight(
        player, "monkey", pairs, game="leduc", seed=seed, deals=deals, executor="serial"
    )


def _holds(fight: FightResult, truth: Fraction) -> bool:
    interval = fight.payoff
    assert interval is not None
    return interval.low <= truth <= interval.high


def _saved(
    duplicate: list[FightResult], independent: list[FightResult], name: str, size: int
) -> Row:
    """Compare the games that duplicates save, as fights print it, with those that they do save."""
    printed = [f.paid.saved for f in duplicate if f.paid is not None and f.paid.saved is not None]
    true = _variance(independent) / _variance(duplicate)
    under = f"Leduc poker, {name} against monkey, {size} pairs"
    claimed = f"{median(printed):.2f} (median)" if printed else ""
    return Row("games that duplicates save", under, len(printed), claimed, f"{true:.2f}")


def _variance(fights: list[FightResult]) -> float:
    return variance(
        float(f.paid.mean) for f in fights if f.paid is not None and f.paid.mean is not None
    )
