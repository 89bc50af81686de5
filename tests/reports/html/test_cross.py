"""Large cross tables: packed into the page, and filled by its script."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from arena.reports.html.document import document
from arena.reports.html.pages.tournaments import parts
from tests.browsing import Shown
from tests.browsing import opened as opened  # a fixture

KEYS = ("wins", "draws", "losses")


def tournament(players: int) -> dict[str, Any]:
    """Return the JSON of a round robin of so many, from which the last pairing is missing."""
    rng = random.Random(1)
    names = [f"<b>{place}</b>" for place in range(players)]
    ratings = {"value": 0.0, "low": -40.0, "high": 40.0, "reason": ""}
    counts = dict.fromkeys((*KEYS, "games", "forfeits", "missing_pairs"), 0)
    return {
        "schedule": "round robin",
        "game": "tictactoe",
        "seed": 1,
        "fights": [fight(a, b, rng) for a in names for b in names[: names.index(a)]][:-1],
        "standings": [{**counts, "player": name, "rank": 1, "score": 0.5} for name in names],
        "ratings": {"players": [{"player": name, "group": 0, "elo": ratings} for name in names]},
    }


def fight(a: str, b: str, rng: random.Random) -> dict[str, Any]:
    total = {key: rng.randrange(1, 10) for key in KEYS}
    return {
        "players": [a, b],
        "games": sum(total.values()),
        "pentanomial": [1, 2, 3, 4, 5],
        "forfeits": {},
        "forfeited": [],
        **dict.fromkeys(("total", "first", "second"), total),
    }


def page_of(found: dict[str, Any]) -> str:
    return document(*parts(found, lambda place: f"#g/1/{place + 1}"))


def test_the_cells_are_those_of_the_pairings() -> None:
    found = tournament(45)
    [packed] = re.findall(r'<script class="cells" type="text/plain">([^<]*)', page_of(found))
    right = json.loads(gzip.decompress(base64.b64decode(packed)))
    names = [standing["player"] for standing in found["standings"]]
    assert [len(row) for row in right] == [*range(44, -1, -1)]
    for place, each in enumerate(found["fights"], 1):
        later, sooner = map(names.index, each["players"])
        counts = [each["total"][key] for key in reversed(KEYS)]
        assert right[sooner][later - sooner - 1] == [*counts, f"#g/1/{place}"]
    assert right[43][0] == 0


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
    found, file = tournament(45), tmp_path / "page.html"
    file.write_text(page_of(found), encoding="utf-8")
    shown.tab.goto(file.as_uri())
    shown.tab.wait_for_selector(".cross td a")
    assert shown.tab.locator(".cross tbody td a").count() == 45 * 44 - 2
    first = found["fights"][0]
    total = first["total"]
    score = 100 * (total["wins"] + total["draws"] / 2) / first["games"]
    cell = shown.tab.locator(".cross tbody tr >> nth=1").locator("td >> nth=1")
    assert abs(float(cell.inner_text()) - score) <= 0.5
    wdl = "\u2013".join(str(total[key]) for key in KEYS)
    assert cell.get_attribute("title") == f"<b>1</b> against <b>0</b>: {wdl}"
    assert cell.locator("a").get_attribute("href") == "#g/1/1"
    shown.require_silent()
