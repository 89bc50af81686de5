"""Find a run of a store that a command would play again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from arena.fights.pairing import Pairing, RunSetting
from arena.player import PlayerInfo
from arena.records.base import Json
from arena.records.exports import StoredPlayer
from arena.rng import STREAMS
from arena.store.plans import CALLED, identity_of
from arena.store.reading import StoredRun, read_runs
from arena.store.sql import Store


def same_run(
    store: Store, setting: RunSetting, pairings: Sequence[Pairing], any_seed: bool
) -> StoredRun | None:
    """Return the last run with the same pairings, code, limits and options, a complete one first.

    A player whose code cannot be told from another one's is never the same.
    """
    with store.read() as connection:
        runs = [run for run in read_runs(connection) if run.streams == STREAMS]
    same = [run for run in runs if _is_same(run, setting, pairings, any_seed)]
    return max(same, key=lambda run: (run.finished is not None, run.number), default=None)


def _is_same(
    run: StoredRun, setting: RunSetting, pairings: Sequence[Pairing], any_seed: bool
) -> bool:
    first = pairings[0]
    if len(run.fights) != len(pairings) or not (any_seed or run.seed == first.seed):
        return False
    if run.setting.is_scheduled and run.changes:  # its rounds went by the players that were there
        return False
    if (run.setting.schedule, run.setting.aim) != (setting.schedule, setting.aim):
        return False
    if (run.game, run.game_version) != (first.game.name, first.game.version):
        return False
    return _shared(run.options) == _shared(first.options) and all(
        (fight.pairs, run.engine(fight)) == (pairing.pairs, pairing.engine)
        and len(fight.seats) == len(pairing.players)
        and all(
            _is_player(run.players[place], player)
            for place, player in zip(fight.seats, pairing.players, strict=True)
        )
        for fight, pairing in zip(run.fights, pairings, strict=True)
    )


def _is_player(stored: StoredPlayer, player: PlayerInfo) -> bool:
    columns = identity_of(player)
    if _plain({name: getattr(stored, name) for name in columns}) != _plain(columns):
        return False
    return columns["digest"] != "" and bool(player.file or player.package or player.remote)


def _shared(options: Json) -> Any:
    """Return the options that all fights of a run have in common."""
    return _plain({key: each for key, each in options.items() if key not in ("engine", CALLED)})


def _plain(value: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(dict(value), default=list))
