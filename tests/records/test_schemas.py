"""Every record keeps to the schema that the documentation has of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

import arena
from arena.features.doctor.record import Attempt
from arena.records.contests import ContestRanking, ContestRow
from arena.records.observers import PlannedFight
from tests import schemas

if TYPE_CHECKING:
    from tests.conftest import Run

GOLDEN = Path(__file__).parents[1] / "reports" / "golden"
#: Records of these are made up, with fewer keys than a command has them print.
SKETCHED = {"export", "history", "listing", "runs-and-regression-runs"}
KEPT = {
    path.name.partition(".")[0]: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(GOLDEN.glob("*.json.txt"))
}
KEPT = {name: record for name, record in KEPT.items() if name not in SKETCHED}


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_record_keeps_to_its_schema(name: str) -> None:
    part = {"answered": "Answered"}.get(name, "")  # it is printed within a tournament
    assert schemas.problems(KEPT[name], part) == []


#: Commands with a store that has a fight with forfeits and prints, a regression run and an import.
COMMANDS = [
    "browse --store s.db",
    "copy s.db t.db",
    "export --store s.db",
    "fight monkey triples -n 1 --seed 1 --table games",
    "fight monkey triples -n 1 --seed 1 --table pairings",
    "fight monkey triples -n 1 --seed 1 --table standings",
    "games",
    "games connect4",
    "history triples --store s.db",
    "players",
    "players minimax",
    "plugins",
    "plugins minimax",
    "runs --store s.db",
]


def test_what_commands_print_keeps_to_its_schema(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng):\n    print('x')\n    return -1\n")
    Path("games.pgn").write_text('[White "Anna"]\n[Black "Bert"]\n\n1. e4 {hm} 1-0\n')
    arena.fight("./bot.py", "triples", 1, seed=1, store="s.db")
    assert run("import", "games.pgn", "--store", "s.db").code == 0
    arena.regress(["triples"], game="tictactoe", quick=True, store="s.db")
    for command in COMMANDS:
        ran = run(*command.split(), "--format", "json")
        assert schemas.problems(json.loads(ran.out)) == [], command


def others() -> list[dict[str, Any]]:
    """Return records that no command prints here: it takes a server, an observer or long."""
    fight = PlannedFight("tictactoe", ("anna", "bert"), 1, "calls")
    tally = arena.records.Tally(1, 0, 1)
    watched = arena.records.Watched(
        run=1,
        game="tictactoe",
        is_complete=True,
        played=2,
        planned=2,
        standings=(arena.records.WatchedPlayer("anna", tally, 0),),
        games=(arena.records.WatchedGame("1.1", ("anna", "bert"), "first", None, ("1",)),),
    )
    limits = (1, 1, 2, None, 0.25, 0.75)
    row = ContestRow("anna", *limits, 2, 1, 0, 1, score=0.5, forfeits=0, hand_in=3)
    contest = arena.records.ContestStandings(ContestRanking(rows=(row,)), new=("bert",))
    tried = Attempt("process", "play at all", True, "answered", "", True)
    records = (
        arena.records.Run("fight", 1, (fight,)),
        watched,
        contest,
        arena.records.Diagnosis((tried,), ("process",)),
    )
    return [json.loads(json.dumps(record.as_json())) for record in records]


def test_other_records_keep_to_their_schema() -> None:
    assert [schemas.problems(record) for record in others()] == [[]] * 4


def test_every_schema_is_met_by_a_record() -> None:
    met = {record["schema"] for record in [*KEPT.values(), *others()]}
    met |= {
        f"arena.{name}/1" for name in ("browse", "export", "history", "table", "plugins", "runs")
    }
    assert met - {"arena.until/1"} == schemas.part_of().keys()


def test_a_key_that_is_missing_or_new_is_noticed() -> None:
    fight = KEPT["fight"]
    assert schemas.problems({**fight, "colour": "red"})
    assert schemas.problems({**fight, "pairs": "ten"})
    assert schemas.problems({key: value for key, value in fight.items() if key != "pairs"})
    assert schemas.problems({**fight, "total": {"wins": 1, "draws": 0}})


def test_the_file_itself_takes_new_keys_and_refuses_other_types() -> None:
    """A record only gains keys: a reader's validator must not fail when it does."""
    validator = Draft202012Validator(json.loads(schemas.FILE.read_text(encoding="utf-8")))
    validator.check_schema(validator.schema)
    fight = {**KEPT["fight"], "colour": "red"}
    assert validator.is_valid(fight)
    assert not validator.is_valid({**fight, "pairs": "ten"})
    assert not validator.is_valid({"schema": "arena.nothing/1"})
