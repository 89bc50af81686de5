"""Large cross tables: packed into the page, and filled by its script."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.records.base import Tally
from arena.records.joint import Joint
from arena.records.ratings import Estimated, RatedPlayer
from arena.records.tournaments import Standing, TournamentResult
from arena.reports.html.document import document
from arena.reports.html.pages.tournaments import parts
from tests.browsing import Shown
from tests.browsing import opened as opened  # a fixture
from tests.reports.played import RATINGS, a_fight


def tournament(players: int) -> TournamentResult:
    """Return a round robin of so many players, from which the last pairing is missing."""
    rng = random.Random(1)
    names = [f"<b>{place}</b>" for place in range(players)]
    elo = Estimated(0.0, -40.0, 40.0)
    pairings = [(a, b) for a in names for b in names[: names.index(a)]][:-1]
    return TournamentResult(
        game="tictactoe",
        game_version=1,
        seed=1,
        engine="calls",
        schedule="round robin",
        standings=tuple(Standing(1, name, Tally(), 0) for name in names),
        fights=tuple(
            a_fight(a, b, joint=Joint(*(rng.randrange(1, 10) for _ in range(9))))
            for a, b in pairings
        ),
        ratings=replace(RATINGS, players=tuple(RatedPlayer(n, Tally(), elo) for n in names)),
    )


def page_of(result: TournamentResult) -> str:
    return document(*parts(result, lambda place: f"#g/1/{place + 1}"))


def test_the_cells_are_those_of_the_pairings() -> None:
    result = tournament(45)
    [packed] = re.findall(r'<script class="cells" type="text/plain">([^<]*)', page_of(result))
    right = json.loads(gzip.decompress(base64.b64decode(packed)))
    names = [standing.player for standing in result.standings]
    assert [len(row) for row in right] == [*range(44, -1, -1)]
    for place, fight in enumerate(result.fights, 1):
        later, sooner = map(names.index, fight.players)
        total = fight.total
        counts = [total.losses, total.draws, total.wins]
        assert right[sooner][later - sooner - 1] == [*counts, f"#g/1/{place}"]
    assert right[43][0] == 0


@pytest.mark.slow
def test_a_table_of_forty_is_whole_without_a_script() -> None:
    page = page_of(tournament(40))
    assert 'class="cells"' not in page
    assert page.count('<a href="#g/1/780">') == 0
    assert len(re.findall(r'<td class="h\d+" title', page)) == 40 * 39 - 2


@pytest.mark.slow
def test_a_page_of_two_hundred_is_less_than_a_megabyte() -> None:
    assert len(page_of(tournament(200))) < 1_000_000


@pytest.mark.needs("chromium", "playwright")
def test_the_script_fills_the_table(shown: Shown, tmp_path: Path) -> None:
    result, file = tournament(45), tmp_path / "page.html"
    file.write_text(page_of(result), encoding="utf-8")
    shown.tab.goto(file.as_uri())
    shown.tab.wait_for_selector(".cross td a")
    assert shown.tab.locator(".cross tbody td a").count() == 45 * 44 - 2
    total = result.fights[0].total
    assert total.score is not None
    cell = shown.tab.locator(".cross tbody tr >> nth=1").locator("td >> nth=1")
    assert abs(float(cell.inner_text()) - 100 * total.score) <= 0.5
    wdl = f"{total.wins}\u2013{total.draws}\u2013{total.losses}"
    assert cell.get_attribute("title") == f"<b>1</b> against <b>0</b>: {wdl}"
    assert cell.locator("a").get_attribute("href") == "#g/1/1"
    shown.require_silent()
