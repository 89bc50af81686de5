"""A run that grows: it is the run of the players of now, and nothing that was played is lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import StoreError, UsageError
from arena.fights.play import Interrupted
from arena.main import main
from arena.records.left_out import LeftOut
from arena.records.tournaments import TournamentResult
from tests.golden import Wording
from tests.samples import few
from tests.store.writing import resume

FIRST = ("monkey", "triples", "minimax")


def play(*players: str, **options: Any) -> TournamentResult:
    return arena.tournament(players, 4, seed=3, executor="serial", **options)


def games_of(path: Path) -> dict[str, Any]:
    """Return every game of the run, with the seconds that it took."""
    (run,) = arena.export(path).as_json()["runs"]
    fights = [*run["fights"], *run.get("left_out", ())]
    return {game["game_id"]: game for fight in fights for game in fight["games"]}


@pytest.mark.slow
def test_a_player_is_added_and_plays_only_what_is_missing(path: Path) -> None:
    play(*FIRST, store=path)
    before = games_of(path)
    assert resume(path, add=["heuristic", "lines"]) == play(*FIRST, "heuristic", "lines")
    after = games_of(path)
    assert {name: after[name] for name in before} == before, "seconds and all"
    assert len(after) - len(before) == 7 * 8
    changes = arena.export(path).as_json()["runs"][0]["changes"]
    assert [(each["what"], each["player"], each["replaces"]) for each in changes] == [
        ("added", "heuristic", None), ("added", "lines", None)
    ]  # fmt: skip
    assert arena.stored_runs(path).rows[0]["state"] == "complete"


@pytest.mark.slow
def test_a_player_that_is_replaced_or_withdrawn_counts_no_more_and_is_kept(path: Path) -> None:
    play(*FIRST, "lines", store=path)
    before = games_of(path)
    played = resume(path, replace=["triples=heuristic"], withdraw=["minimax"])
    assert played.left_out == (LeftOut("triples", 24, "heuristic"), LeftOut("minimax", 24))
    assert replace(played, left_out=()) == play("monkey", "heuristic", "lines")
    after = games_of(path)
    assert {name: after[name] for name in before} == before
    assert resume(path, add=["minimax"]).left_out == played.left_out
    assert [row.player for row in resume(path).standings] == [
        row.player for row in play("monkey", "heuristic", "lines", "minimax").standings
    ]


@pytest.mark.slow
def test_a_gauntlet_grows_by_games_of_its_challenger(path: Path, wording: Wording) -> None:
    play(*FIRST, gauntlet="lines", store=path)
    played = resume(path, add=["heuristic"], withdraw=["triples"])
    expected = play("monkey", "minimax", "heuristic", gauntlet="lines")
    assert replace(played, left_out=()) == expected
    with wording.raises(UsageError):
        resume(path, withdraw=["lines"])
    replaced = resume(path, replace=["lines=tree"])
    assert replace(replaced, left_out=()) == play("monkey", "minimax", "heuristic", gauntlet="tree")


@pytest.mark.slow
def test_what_is_interrupted_while_it_grows_goes_on_as_it_was_told(
    path: Path, wording: Wording
) -> None:
    play(*FIRST, store=path)
    seen: list[object] = []

    def stop(*_: object) -> None:
        seen.append(None)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        resume(path, add=["heuristic"], on_progress=stop)
    assert interrupted.value.partial == arena.show(path)
    assert arena.stored_runs(path).rows[0]["state"] == "open"
    with wording.raises(UsageError, match="'heuristic'"):
        resume(path, add=["heuristic"])
    assert resume(path) == play(*FIRST, "heuristic")


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted",
    few(
        [
            {"add": ["nobody"]},
            {"add": ["monkey"]},
            {"withdraw": ["monkey", "monkey"]},
            {"replace": ["monkey="]},
            {"add": ["./nothing.py"]},
            {"add": ["lines", "lines"]},
            {"withdraw": ["monkeys"]},
            {"withdraw": ["monkey", "triples"]},
            {"replace": ["monkey"]},
            {"replace": ["nobody=lines"]},
            {"replace": ["monkey=triples"]},
            {"replace": ["monkey=lines"], "withdraw": ["monkey"]},
        ],
        4,
    ),
)
def test_a_mistake_is_named_and_changes_nothing(
    path: Path, wanted: dict[str, Any], wording: Wording
) -> None:
    play(*FIRST, store=path)
    before = path.read_bytes()
    with wording.raises(UsageError):
        resume(path, **wanted)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_who_has_left_cannot_leave_again_and_a_fight_does_not_grow(
    path: Path, wording: Wording
) -> None:
    play(*FIRST, store=path)
    resume(path, withdraw=["monkey"])
    with wording.raises(UsageError, match="'monkey'"):
        resume(path, withdraw=["monkey"])
    arena.fight("monkey", "triples", 2, seed=1, store=path)
    with wording.raises(UsageError):
        arena.resume(path, 2, add=["lines"])


@pytest.mark.slow
def test_a_name_may_have_equals_signs(path: Path) -> None:
    play("monkey", "minimax:depth=2", store=path)
    played = resume(path, replace=["minimax:depth=2=minimax:depth=1"])
    assert replace(played, left_out=()) == play("monkey", "minimax:depth=1")


@pytest.mark.slow
def test_a_player_that_arrives_may_not_read_what_another_one_may(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("alice", "bob", "carol"):
        Path(name).mkdir()
        Path(name, "bot.py").write_text(
            "def choose(position, rng):\n    return position.legal_moves()[0]\n"
        )
    own = arena.Isolation(readable=["alice"], memory=300)
    play(
        *("monkey", "alice=alice/bot.py"),
        store=path,
        isolation=arena.Isolation(tier="process", players={"alice": own}),
    )
    resume(path, add=["bob=bob/bot.py"])
    resume(path, add=["carol=carol/bot.py"], isolation=arena.Isolation(tier="process"))
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(
            "SELECT name, limits FROM players WHERE limits <> '{}' ORDER BY name"
        ).fetchall()
    record = {name: json.loads(limits) for name, limits in rows}
    assert {name: own["memory"] for name, own in record.items()} == {
        "alice": 300, "bob": 300, "carol": 512
    }  # fmt: skip
    assert [name for name, own in record.items() if own["readable"]] == ["alice"]


@pytest.mark.slow
def test_a_withdrawn_players_file_may_be_gone(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = Path("bot.py")
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    play(*FIRST, "./bot.py", store=path, isolation="none")
    bot.unlink()
    with wording.raises(UsageError):
        resume(path)
    assert replace(resume(path, withdraw=["./bot.py"]), left_out=()) == play(*FIRST)
    Path("late.py").write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    assert {fight.a.isolation for fight in resume(path, add=["./late.py"]).fights} == {"none"}


@pytest.mark.slow
def test_a_changed_player_that_plays_anew_keeps_its_old_games_in_the_store(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = Path("bot.py")
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    play("monkey", "./bot.py", store=path)
    (before,) = arena.export(path).as_json()["runs"]
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[-1]\n")
    played = resume(path, changed_players="replay")
    assert played.left_out == (LeftOut("./bot.py", 8, "./bot.py"),)
    (after,) = arena.export(path).as_json()["runs"]
    assert after["left_out"] == before["fights"]
    assert after["fights"][0]["games"] != before["fights"][0]["games"]


@pytest.mark.slow
def test_the_command_says_whose_games_do_not_count(
    path: Path, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    play(*FIRST, store=path)
    resume = ["resume", str(path), "--executor", "serial"]
    assert main([*resume, "--add", "lines", "--replace", "monkey=tree"]) == 0
    out = capsys.readouterr().out
    wording.line(out, " 16 games")
    assert main([*resume, "--withdraw", "lines"]) == 0
    wording.line(capsys.readouterr().out, " 24 games")
    assert main([*resume, "--withdraw", "lines"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("place", few([99, "x", -1]))
def test_a_change_of_a_player_that_is_not_there_is_illegible(
    path: Path, place: Any, wording: Wording
) -> None:
    play("monkey", "triples", store=path)
    resume(path, add=["minimax"])
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE changes SET place = ?", (place,))
        database.commit()
    with wording.raises(StoreError):
        arena.export(path)
