"""``arena tournament``, as its user sees it."""

from __future__ import annotations

import json

import pytest

from tests.cli.examples import EXAMPLES
from tests.conftest import Run


@pytest.mark.slow
def test_the_cross_table_has_the_row_players_view(run: Run) -> None:
    args = EXAMPLES["tournament"]
    record = json.loads(run(*args, "--format", "json").out)
    out = run(*args).out
    for fight in record["fights"]:
        total = fight["total"]
        assert f"{total['wins']}-{total['draws']}-{total['losses']}" in out
        assert f"{total['losses']}-{total['draws']}-{total['wins']}" in out


def test_a_gauntlet(run: Run) -> None:
    out = run(*EXAMPLES["tournament"], "--gauntlet", "triples", "--format", "json").out
    assert [fight["players"][0] for fight in json.loads(out)["fights"]] == ["triples"] * 2
