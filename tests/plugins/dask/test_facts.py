"""Compare what two machines have, and read addresses: what needs no Dask."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.fights.batch import BatchEngine
from arena.fights.engines import CallsEngine
from arena.fights.pairing import BATCH, Pairing
from arena.fights.play import _Play
from arena.player import PlayerInfo
from arena.plugins.dask import facts as module
from arena.plugins.dask.cluster import require_address
from arena.plugins.dask.facts import difference, facts, other_programs, question, rounding
from arena.plugins.dask.parcels import Parcel
from tests.golden import Wording

ASKED = {
    "modules": ["arena.match", "pluggy", "no.such"],
    "programs": ["/no/such", sys.executable],
    "tiers": ["none", "process"],
    "libraries": [],
}
FACTS = (
    "Python",
    "arena",
    "module pluggy",
    "module no.such",
    "program /no/such",
    f"program {sys.executable}",
    "content of /no/such",
    f"content of {sys.executable}",
    "isolation process",
)


@pytest.mark.slow
def test_a_machine_tells_what_it_has_and_what_it_lacks() -> None:
    result = facts(ASKED)
    assert set(result) == set(FACTS)
    assert result["module no.such"] == result["program /no/such"] == "missing"
    assert result[f"program {sys.executable}"] == "there"
    assert result["isolation process"] == "process"
    assert result["module pluggy"] != "missing"
    assert "isolation none" not in result
    assert "module arena.match" not in result, "arena has one digest for all of it"
    assert not difference(result, dict(result))


@pytest.mark.slow
@pytest.mark.parametrize("name", FACTS)
def test_any_other_fact_makes_a_difference_but_a_stronger_tier(name: str) -> None:
    here = facts(ASKED)
    other = {**here, name: "bwrap" if name.startswith("isolation") else "other"}
    plays = name.startswith(("isolation", "content"))
    assert bool(difference(here, other)) is not plays
    assert bool(difference(other, here)) is not name.startswith("content")


@pytest.mark.slow
def test_a_machine_with_another_program_plays_and_is_told_apart(
    tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot"
    bot.write_text("one")
    wanted = {**ASKED, "programs": [str(bot), str(tmp_path)]}
    here = facts(wanted)
    assert not other_programs(here, facts(wanted))
    bot.write_text("two")
    there = facts(wanted)
    assert not difference(here, there)
    wording(other_programs(here, there), f"{bot}")


def test_a_worker_with_a_weaker_tier_is_told_apart(wording: Wording) -> None:
    here, there = {"isolation auto": "bwrap"}, {"isolation auto": "process"}
    wording(difference(here, there))
    assert "missing" in difference(here, {"isolation auto": "missing (no namespaces)"})


@pytest.mark.slow
def test_a_machine_that_rounds_otherwise_may_play_and_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wanted = {**ASKED, "libraries": ["numpy", "torch"]}
    here = facts(wanted)
    assert not rounding(here, dict(here))
    (tmp_path / "cpuinfo").write_text("model name\t: Old 1\nflags\t\t: fpu avx2 fma\n")
    (tmp_path / "gpus" / "1").mkdir(parents=True)
    (tmp_path / "gpus" / "1" / "information").write_text("Model: \t Giant 9\nIRQ: 1\n")
    monkeypatch.setattr(module, "_CPUS", tmp_path / "cpuinfo")
    monkeypatch.setattr(module, "_GPUS", tmp_path / "gpus")
    there = {**facts(wanted), "rounding by numpy": "1.0"}
    assert not difference(here, there)
    result = rounding(here, there)
    assert all(word in result for word in ("Old 1", "Giant 9", "numpy 1.0"))
    assert "numpy missing" in rounding(here, {})


@pytest.mark.slow
def test_a_machine_without_a_description_of_its_processor_has_a_type(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "_CPUS", tmp_path / "none")
    assert facts({**ASKED, "libraries": ["numpy"]})["rounding by processor"]


@pytest.mark.parametrize(
    ("engine", "offers", "expected"),
    [(BatchEngine, True, True), (BatchEngine, False, False), (CallsEngine, True, False)],
)
def test_only_blocks_of_moves_depend_on_how_a_machine_rounds(
    engine: type[CallsEngine], offers: bool, expected: bool
) -> None:
    a = PlayerInfo("a", len, choose_batch=max if offers else None)
    name = BATCH if engine is BatchEngine else ""
    pairing = Pairing(arena.get_game("tictactoe"), a, PlayerInfo("b", len), 1, 1, engine=name)
    work = _Play((engine(pairing),), keep=False)
    assert work.rounds_by_machine is expected
    wanted = question(Parcel(b"", "", (), (), ()), work.rounds_by_machine)
    assert ("numpy" in wanted["libraries"]) is expected


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
