"""Reports: what is printed of fixed records, compared with files that one can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.fights.standings import tournament_of
from arena.plugin.catalogue import Catalogue
from arena.records.entrants import PlayerResult
from tests.golden import kept
from tests.reports.fixed import RECORDS
from tests.reports.played import a_fight

GOLDEN = Path(__file__).parent / "golden"

#: The formats that can show every record, and are compared for each.
STYLES = ("table", "markdown", "csv", "json")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", RECORDS)
def test_a_report_is_what_it_was(catalogue: Catalogue, name: str, style: str) -> None:
    text = catalogue.reports.get(style)(RECORDS[name]) + "\n"
    assert text == kept(GOLDEN / f"{name}.{style}.txt", text)


def test_every_kept_report_is_compared() -> None:
    names = {path.name for path in GOLDEN.iterdir() if not path.name.startswith("test_")}
    assert names == {f"{name}.{style}.txt" for name in RECORDS for style in STYLES}


def test_a_tournament_of_untrusted_players_warns_of_a_short_seed(
    catalogue: Catalogue,
) -> None:
    text = catalogue.reports.get("table")
    for seed, isolation, message in (
        (2**32 - 1, ("none", "locked"), True),
        (2**32, ("none", "locked"), False),
        (7, ("none", "none"), False),
    ):
        players = map(PlayerResult, ("anna", "./bot.py"), isolation)
        fight = a_fight(*players, seed=seed)
        shown = text(tournament_of([fight], "round robin"))
        assert ("SECURITY.md" in shown) is message
