"""Compare what two machines have, and read addresses: what needs no Dask."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.plugins.dask.cluster import require_address
from arena.plugins.dask.facts import difference, facts

ASKED = {
    "modules": ["arena.match", "pluggy", "no.such"],
    "programs": ["/no/such", sys.executable],
    "tiers": ["none", "process"],
}
FACTS = (
    "Python",
    "arena",
    "module pluggy",
    "module no.such",
    "program /no/such",
    f"program {sys.executable}",
    "isolation process",
)


def test_a_machine_tells_what_it_has_and_what_it_lacks() -> None:
    found = facts(ASKED)
    assert set(found) == set(FACTS)
    assert found["module no.such"] == found["program /no/such"] == "missing"
    assert found[f"program {sys.executable}"] == "there"
    assert found["isolation process"] == "process"
    assert found["module pluggy"] != "missing"
    assert "isolation none" not in found
    assert "module arena.match" not in found, "arena has one digest for all of it"
    assert not difference(found, dict(found))


@pytest.mark.parametrize("name", FACTS)
def test_any_other_fact_makes_a_difference_but_a_stronger_tier(name: str) -> None:
    here = facts(ASKED)
    other = {**here, name: "bwrap" if name.startswith("isolation") else "other"}
    assert bool(difference(here, other)) is not name.startswith("isolation")
    assert difference(other, here)


def test_a_worker_with_a_weaker_tier_is_told_apart() -> None:
    here, there = {"isolation auto": "bwrap"}, {"isolation auto": "process"}
    assert difference(here, there) == "isolates players by process only, here it is bwrap"
    assert "missing" in difference(here, {"isolation auto": "missing (no namespaces)"})


def test_an_address_may_stand_in_a_file_of_the_scheduler(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"type": "Scheduler", "address": "tls://host:8786"}')
    assert require_address(str(tmp_path / "s.json")) == "tls://host:8786"
    assert require_address("tcp://host:8786") == "tcp://host:8786"


@pytest.mark.parametrize("content", ["", "[]", '{"address": 1}', '{"address": "host"}', "\x00"])
def test_a_file_without_an_address_is_refused_on_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "s.json").write_text(content)
    with pytest.raises(UsageError, match="scheduler file") as refused:
        require_address(str(tmp_path / "s.json"))
    assert "\n" not in str(refused.value)
