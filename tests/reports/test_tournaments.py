"""The page of a tournament: tables that fit, a line a player, and a count of what is hidden."""

from __future__ import annotations

import random
from functools import cache, partial
from typing import Any

import pytest

import arena
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing
from arena.fights.play import Interrupted
from arena.fights.rounds import of_two
from arena.fights.schedule import round_robin
from arena.fights.standings import tournament_of
from arena.main import main
from arena.records.tournaments import TournamentResult
from arena.reports.page import Detail, page
from arena.reports.tables import markdown, markdown_in_full, plain, plain_in_full
from tests.fights.executors import Interrupting
from tests.fights.playing import play_fights
from tests.golden import Wording


def centre(position: arena.Position, rng: random.Random) -> int:
    return 4


def named(name: str) -> Any:
    """Return a bot that forfeits, under a name."""
    bot = partial(centre)
    bot.__name__ = name  # type: ignore[attr-defined]
    return bot


@cache
def class_of_twelve() -> TournamentResult:
    depths = [f"minimax:depth={depth}" for depth in (1, 2, 3)]
    installed = [*depths, "monkey", "triples", "lines", "tree", "heuristic", "tictactoe1"]
    bots = [named("frank"), named("gina"), named("a_bot_with_a_long_name")]
    return arena.tournament([*installed, *bots], 4, seed=3, executor="serial")


@pytest.mark.slow
def test_twelve_players_fit_on_eighty_columns() -> None:
    text = plain(class_of_twelve())
    tables = text.rpartition("\n\n")[0]
    assert max(map(len, tables.splitlines())) <= 80
    for column in range(1, 13):
        assert f" {column} " in tables.replace("\n", " \n"), "no column is lost"


@pytest.mark.slow
def test_a_class_has_few_lines_and_a_count_of_the_others() -> None:
    tournament = class_of_twelve()
    notes = plain(tournament).rpartition("\n\n")[2].splitlines()
    assert len(notes) <= 10
    own = [line for line in notes if line.startswith("frank ")]
    assert len(own) == 1
    assert " of 88 games (illegal " in own[0]
    assert "arena replay tictactoe/" in own[0]
    details = [part for part in page(tournament) if isinstance(part, Detail)]
    assert notes[-1] == f"{len(details)} more lines with -v"
    for short, full in ((plain, plain_in_full), (markdown, markdown_in_full)):
        assert " more line" in short(tournament)
        assert " more line" not in full(tournament)
    assert all(detail in plain_in_full(tournament) for detail in details)


def test_a_gauntlet_ranks_those_that_met_the_same_player(wording: Wording) -> None:
    names = ["monkey", "triples", "minimax"]
    played = arena.tournament(names, 3, gauntlet="lines", seed=1, executor="serial")
    ranks = [(row.player, row.rank) for row in played.standings]
    assert ranks[0] == ("lines", None)
    assert ranks[1:] == [("minimax", 1), ("triples", 1), ("monkey", 3)]
    first, second, *_ = plain(played).split("\n\n")[:2]
    assert "lines" in first
    assert "rank" not in first
    wording(second)
    assert played.as_json()["standings"][0]["rank"] is None


def test_a_run_that_is_cut_short_has_no_ranks_and_one_line_for_it(wording: Wording) -> None:
    game = arena.get_game("tictactoe")
    players = [arena.get_player(name) for name in ("monkey", "triples", "lines")]
    pairings = [Pairing(game, a, b, 9, 1) for a, b in round_robin(players)]
    with pytest.raises(Interrupted) as interrupted:
        play_fights([CallsEngine(pairing) for pairing in pairings], Interrupting(4))
    text = plain(tournament_of(of_two(interrupted.value.results), "round robin"))
    wording(text)
    assert "of 54 games played" in text


@pytest.mark.slow
def test_v_shows_the_details(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tournament", "monkey", "triples", "-n", "2", "--seed", "1", "--executor", "serial"]
    assert main(command) == 0
    assert "3 more lines with -v" in capsys.readouterr().out
    assert main([*command, "-v"]) == 0
    assert "moving first" in capsys.readouterr().out
