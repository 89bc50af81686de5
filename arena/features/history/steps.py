"""Show the strength of a training run by step, from the ratings of all its games."""

from __future__ import annotations

import re

from arena.errors import UsageError
from arena.inputs.resolve import StoreLike, open_catalogue
from arena.plugin.catalogue import Catalogue
from arena.records.history import StepHistory, StepRow
from arena.records.ratings import RatedPlayer, RatingTable

#: The step in a name: its last whole number, as in ``step-1000``.
_STEP = re.compile(r"\d+(?=\D*$)", re.ASCII)

#: The digest that ``arena rate`` writes behind the name of a player whose code changed since.
_EARLIER = re.compile(r" \[[0-9a-f]+\]$")


def step_history(
    store: StoreLike, game: str | None = None, catalogue: Catalogue | None = None
) -> StepHistory:
    """Return the ratings of the checkpoints in a store, by their steps.

    The step is the last whole number of a player's name. Players without one, and installed ones,
    are the opponents, which the ratings compare with. Raises UsageError if no player has a step,
    for a game for more than two, and for one with payoffs of its own.
    """
    from arena.features.rate.stored_ratings import rate_stores

    catalogue = open_catalogue(catalogue)
    installed = {name for name, _ in catalogue.players}
    table = rate_stores(store, game, catalogue=catalogue)
    if not isinstance(table, RatingTable):
        raise UsageError("arena history --by step takes games for two")
    step_of_player = {row.player: step_of(row.player) for row in table.players}
    step_of_player = {name: step for name, step in step_of_player.items() if name not in installed}
    steps = [
        (step, row) for row in table.players if (step := step_of_player.get(row.player)) is not None
    ]
    if not steps:
        raise UsageError("no player in the store has a step in its name, such as step-1000")
    rows: list[StepRow] = []
    best: RatedPlayer | None = None
    for step, row in sorted(steps, key=lambda pair: (pair[0], pair[1].player)):
        elo, before = row.elo.value, None if best is None else best.elo.value
        change = None if elo is None or before is None else round(elo - before, 4)
        rows.append(StepRow(step, row.player, row.tally.games, row.elo, change))
        if elo is not None and (before is None or elo > before):
            best = row
    others = tuple(row.player for row in table.players if step_of_player.get(row.player) is None)
    best_name = None if best is None else best.player
    return StepHistory(tuple(rows), others, best_name, table.statements)


def step_of(name: str) -> int | None:
    """Return the step in a player's name, None without one.

    >>> step_of("step-1000"), step_of("run2-epoch_5"), step_of("monkey"), step_of("s5 [a1b2c3]")
    (1000, 5, None, None)
    """
    if ":" in name or _EARLIER.search(name):  # an option, as in minimax:depth=2
        return None
    match = _STEP.search(name)
    return int(match[0]) if match else None
