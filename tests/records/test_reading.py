"""Results that are read from their JSON are what they were."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.errors import UsageError
from arena.model.codec import decode
from arena.plugin.catalogue import Catalogue
from arena.records.base import Record
from arena.records.fights import FightResult
from arena.records.sequential import SprtFight
from arena.records.tournaments import TournamentResult
from arena.records.until import UntilFight
from tests.golden import Wording
from tests.reports.fixed import RECORDS

RESULTS = {
    name: record
    for name, record in RECORDS.items()
    if isinstance(record, FightResult | TournamentResult | SprtFight | UntilFight)
}


def as_file(record: Record) -> Any:
    return json.loads(json.dumps(record.as_json()))


@pytest.mark.parametrize("style", ["table", "markdown", "csv", "json"])
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_that_was_read_prints_the_same(
    catalogue: Catalogue, name: str, style: str
) -> None:
    record = RESULTS[name]
    text = catalogue.reports.get(style)
    assert text(decode(type(record), as_file(record))) == text(record)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("seed",), "x"),
        (("fights", 1, "joint"), []),
        (("fights", 0, "joint", 2, 1), -1),
        (("fights", 0, "a", "name"), 3),
        (("ratings", "players", 0, "elo"), []),
        (("standings", 0, "wins"), None),
        (("fights", 0, "adjudicate"), 3),
        (("fights", 0, "draw"), "x"),
    ],
)
def test_a_wrong_value_is_named_by_its_path(path: Any, value: Any, wording: Wording) -> None:
    content = place = as_file(RESULTS["tournament"])
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(UsageError) as error:
        decode(TournamentResult, content)
    wording(str(error.value))
