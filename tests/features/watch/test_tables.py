"""A run at tables that is watched has what an export of its games has."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import arena
from arena.game import Position
from arena.games.display import picture_after
from arena.reports.svg import svg


def faulty(position: Position, rng: random.Random) -> int:
    """Forfeit some games, in any of the three seats."""
    if rng.random() < 0.2:
        raise ValueError("no idea")
    return rng.choice(position.legal_moves())


@pytest.fixture(params=["mnk-3-3-3-x3", "snakes-3-5-5"])
def store(request: pytest.FixtureRequest, backend: str) -> str:
    players: list[Any] = [faulty, arena.get_player("other=monkey"), arena.get_player("monkey")]
    arena.table_tournament(players, n=6, seed=3, store=backend, game=request.param)
    return backend


def test_each_player_has_its_games_and_its_forfeits(store: str) -> None:
    wins, draws, games, forfeits = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    [run] = arena.export(store).runs
    for fight in run.fights:
        for game in fight.games:
            games.update(game.players)
            assert game.payoffs is not None
            best = [
                name
                for name, paid in zip(game.players, game.payoffs, strict=True)
                if paid == max(game.payoffs)
            ]
            (draws if len(best) > 1 else wins).update(best)
            forfeits.update(game.players[each.seat] for each in game.forfeits)
    watched = arena.plugin.watch(store)()
    assert (watched.played, watched.planned) == (18, 18)
    for row in watched.standings:
        assert (row.total.wins, row.total.draws) == (wins[row.player], draws[row.player])
        assert row.total.games == games[row.player] == 18
        assert row.forfeits == forfeits[row.player]
    assert forfeits.keys() == {"faulty"}


def test_the_latest_games_stand_as_a_replay_ends(store: str) -> None:
    [run] = arena.export(store).runs
    ids = {each.game_id.rpartition("/")[2]: each.game_id for f in run.fights for each in f.games}
    for game in arena.plugin.watch(store)().games:
        replay = arena.replay(ids[game.game], store=store)
        position, last = game.position, game.last
        assert position is not None
        assert last is not None
        assert game.players == replay.players
        assert game.payoffs == replay.payoffs
        assert picture_after(position, last) == replay.pictures[-1]
        assert position.svg(last=last) == svg(replay)
