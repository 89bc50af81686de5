"""The rows of a contest's standings, whatever its game pays."""

from __future__ import annotations

import json
from typing import Any

import pytest

import arena
from arena.model.codec import decode
from arena.records.contests import ContestRanking

pytestmark = pytest.mark.needs("starlette", "uvicorn")


def ranking_of(played: arena.records.Record) -> ContestRanking:
    """Return a ranking as it comes from the process that reads the store."""
    from arena.plugins.web.contest.rows import ranking_of

    ranking = ranking_of(played)
    read = decode(ContestRanking, json.loads(json.dumps(ranking.as_json())))
    assert read == ranking
    return read


def tournament(*players: str, **options: Any) -> arena.records.TournamentResult:
    return arena.tournament(players, 3, seed=1, executor="serial", **options)


def test_a_payoff_of_nothing_is_zero() -> None:
    played = tournament("always-cooperate", "always-defect", game="prisoners-dilemma-3")
    least = ranking_of(played).rows[-1]
    assert (least.player, least.score) == ("always-cooperate", 0.0)


@pytest.mark.parametrize(
    ("game", "is_watched"),
    [("tictactoe", True), ("kuhn", True), ("pig-20", True), ("prisoners-dilemma-3", False)],
)
def test_limits_that_hold_at_every_look_are_said_to(game: str, is_watched: bool) -> None:
    ranking = ranking_of(tournament("monkey", "a=monkey", "b=monkey", game=game))
    assert ranking.is_watched is is_watched
    for row in ranking.rows:
        assert row.low is not None
        assert row.rank is not None
        assert row.high is not None
        assert row.low <= row.rank <= row.high
        assert (row.value_low is not None) is is_watched
        assert (row.wins is None) is (game in ("kuhn", "prisoners-dilemma-3"))


def test_tables_have_limits_when_all_is_played() -> None:
    players = ["monkey", "a=monkey", "b=monkey", "c=monkey"]
    played = arena.table_tournament(players, 2, game="mnk-3-3-3-x3", seed=1, executor="serial")
    ranking = ranking_of(played)
    assert not ranking.is_watched
    for row in ranking.rows:
        assert row.value_low is not None
        assert row.score is not None
        assert row.value_high is not None
        assert row.value_low <= row.score <= row.value_high
        assert row.place
        assert row.wins is None
