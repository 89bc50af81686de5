"""Evaluate a policy while it is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, cast

from arena.errors import UsageError
from arena.features.tournament.function import arrange, play_arranged
from arena.inputs.options import DEFAULT_PAIRS, TournamentOptions
from arena.inputs.resolve import PlayerLike, get_player
from arena.player import PlayerInfo
from arena.player.batches import Single
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.records.tournaments import TournamentResult


@takes(TournamentOptions)
def evaluate(
    policy: Any,
    against: Sequence[PlayerLike],
    n: int = DEFAULT_PAIRS,
    *,
    name: str = "policy",
    **options: Unpack[TournamentOptions],
) -> TournamentResult:
    """Play n pairs of games of a policy against each of these players: a gauntlet.

    A policy is a function ``choose(position, rng)``, or whatever has ``choose_batch(positions,
    rng)``, such as a module of PyTorch. It plays in this process and in one thread, unless an
    ``executor`` is named, so that it may use a GPU. With a ``store`` and a ``name`` such as
    ``step-1000`` ``arena history --by step`` shows the training. For the rest see
    :func:`tournament`.

    >>> result = evaluate(lambda position, rng: position.legal_moves()[0], ["monkey"], 10, seed=1)
    >>> [(fight.a.name, fight.b.name, fight.score) for fight in result.fights]
    [('policy', 'monkey', 0.55)]
    """
    complete(evaluate, options)  # a mistake in a keyword is told first
    if isinstance(against, str) or not against:
        raise UsageError("against is a list of players, such as ['monkey']")
    player = _player_of(policy, name)
    settings = cast("TournamentOptions", {"executor": "serial", **options})
    arranged = arrange([player, *against], n, player, None, evaluate, options=settings)
    if (game := arranged.pairings[0].game).seats > 2:
        raise UsageError(
            f"{game.name} has {game.seats} seats, and arena.evaluate takes games for two"
        )
    return cast("TournamentResult", play_arranged(arranged))


def _player_of(policy: Any, name: str) -> PlayerInfo:
    batch = getattr(policy, "choose_batch", None)
    if batch is not None and not isinstance(policy, PlayerInfo):
        return PlayerInfo(name, Single(batch), choose_batch=batch)
    return replace(get_player(policy), name=name)
