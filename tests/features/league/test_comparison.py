"""Compare a store with the published one, and show it as a comment."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import arena
from arena.plugin.catalogue import Catalogue
from arena.records import (
    LeagueComparison,
    LeagueEntry,
    LeaguePairing,
    LeagueRow,
    TournamentResult,
)
from tests.conftest import Run
from tests.features.league.forge import LAST, write_entrant


@pytest.mark.slow
def test_a_comparison_has_the_ranks_of_both_tournaments_and_only_what_is_new(
    league: Path,
) -> None:
    one = arena.play_league("one.db")
    assert arena.write_league_site("one.db", "p1", commit="1").written
    write_entrant(league, "alice", LAST)
    two = arena.play_league("two.db", "p1")
    assert isinstance(one, TournamentResult)
    assert isinstance(two, TournamentResult)
    comparison = arena.compare_league("two.db", "p1")
    assert (comparison.entrants, comparison.holds) == ({"alice": "new"}, True)
    before = {row.player: (row.rank, row.score) for row in one.standings}
    after = {row.player: (row.rank, row.score) for row in two.standings}
    assert [row.player for row in comparison.standings] == [*after]
    for row in comparison.standings:
        assert (row.rank, row.score) == after[row.player]
        assert (row.rank_before, row.score_before) == before.get(row.player, (None, None))
    met = [fight for fight in two.fights if "alice" in fight.players]
    seen = [fight if fight.players[0] == "alice" else fight.reversed() for fight in met]
    fights = {fight.players: fight for fight in seen}
    assert {pairing.players for pairing in comparison.pairings} == {*fights}
    for pairing in comparison.pairings:
        fight = fights[pairing.players]
        assert fight.interval is not None
        assert (pairing.score, pairing.low, pairing.high) == (
            fight.interval.score,
            *fight.interval.ends,
        )
        assert pairing.games == fight.total.games == 4


@pytest.mark.slow
def test_an_entrant_that_left_has_no_rank_any_more(league: Path) -> None:
    arena.play_league("one.db")
    assert arena.write_league_site("one.db", "p1", commit="1").written
    shutil.rmtree("entrants/example")
    arena.play_league("two.db", "p1")
    comparison = arena.compare_league("two.db", "p1")
    assert (comparison.entrants, comparison.pairings) == ({"example": "removed"}, ())
    (gone,) = (row for row in comparison.standings if row.player == "example")
    assert (gone.rank, gone.score) == (None, None)
    assert gone.rank_before is not None


@pytest.mark.slow
def test_nothing_new_is_no_change(league: Path) -> None:
    arena.play_league("one.db")
    assert arena.write_league_site("one.db", "p1", commit="1").written
    comparison = arena.compare_league("one.db", "p1")
    assert (comparison.entrants, comparison.pairings, comparison.holds) == ({}, (), True)


def test_a_comment_is_a_table_and_what_a_stranger_wrote_is_only_text(
    catalogue: Catalogue,
) -> None:
    hostile = "![x](http://evil) @everyone <img src=x> ``` | \n# title"
    row = LeagueRow("alice", None, 1, None, 0.75)
    pairing = LeaguePairing(("monkey", "alice"), 4, 0.25, 0.1, 0.6)
    record = LeagueComparison("tictactoe", "", {"alice": "new"}, (row,), (pairing,), (hostile,))
    report = catalogue.reports.get("markdown")
    for text in (report(record), report(LeagueEntry("", "", "m", (), (hostile,)))):
        outside, fences = re.subn(r"(?ms)^(`{4,})\w*\n.*?^\1$", "", text)
        assert fences == 1
        assert "evil" not in outside
        assert "everyone" not in outside
    assert "| alice" in report(record)
    assert "75.00 %" in report(record)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["json", "csv", "markdown", "html", "table"])
def test_every_format_shows_every_word(league: Path, run: Run, style: str) -> None:
    arena.play_league("one.db")
    for words in (
        ("compare", "one.db"),
        ("site", "one.db", "--site", "site", "--commit", "1"),
        ("seal", "spring", "--secret", "secret.json"),
    ):
        ran = run("league", *words, "--format", style)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.strip()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("plya",),
        ("play",),
        ("check", "store.db", "--base", "HEAD", "--author", "a"),
        ("play", "store.db", "--base", "HEAD"),
        ("play", "store.db", "--site", "site"),
        ("site", "store.db", "--site", "site"),
        ("seal", "spring"),
        ("compare", "store.db", "-j", "2"),
        ("open",),
        ("open", "archive/nothing"),
        ("archive", "store.db", "--secret", "nothing.json"),
    ],
)
def test_a_mistake_is_one_line(words: tuple[str, ...], league: Path, run: Run) -> None:
    ran = run("league", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("arena: ")
