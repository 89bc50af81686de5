"""Copies of a store: whole, verified, never twice, and never over anything."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, insert, select, update

import arena
from arena.errors import StoreError
from arena.features.contest import hand_ins
from arena.features.copy import copying
from arena.features.copy.copying import COPIED_KINDS, content_of
from arena.features.copy.record import COPIED, PRESENT
from arena.store import schema
from arena.store.sql import Store
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run


def fill(store: str) -> None:
    """Make two runs, a regression run, an import and a contest, with names of odd characters."""
    for seed in (1, 2):
        arena.fight("monkey", "triples", 2, seed=seed, store=store)
    with Store(store).write() as connection:
        checked = {
            "id": 7,
            "date": "now",
            "verdict": "no weaker",
            "report": {"margin": 0.1, "ü": []},
        }
        machine = dict.fromkeys(("arena_version", "python_version", "machine"), "x")
        connection.execute(insert(schema.regression_runs).values(**checked, **machine))
        check = dict.fromkeys((column.name for column in schema.checks.c), "x\x00")
        row = {**check, "digest": "", "game": "", "what": "", "verdict": "", "score": None}
        connection.execute(insert(schema.checks).values({**row, "regression_run": 7, "number": 0}))
        file = {"date": "now", "file": "b\udcff.pgn", "digest": "d"}
        connection.execute(insert(schema.imports).values(**file))
        game = {"line": 1, "game": "tictactoe", "game_version": 1, "first": "a", "second": "\x00"}
        text = {"opening": None, "moves": "5 1", "outcome": "draw", "tags": {"ü": "x"}}
        rows = [{"import": 1, "number": n, "comments": [], **game, **text} for n in (1, 2)]
        connection.execute(insert(schema.imported), rows)
    contest = hand_ins.opened(Store(store), "contest.toml")
    with Store(store).write() as connection:
        for content in (b"pass", b"\x00\xff" * 9):
            made = hand_ins.add_hand_in(connection, contest, "al\xfcce", "b\udcff.py", content)
        passed = {"state": "passed", "report": {"conforms": True}, "problem": "", "seconds": 1.5}
        hand_ins.note_outcome(connection, contest, made, passed)


def digests(store: str) -> list[object]:
    with Store(store).read() as connection:
        return [
            content_of(connection, kind, number)
            for kind in COPIED_KINDS
            for number in connection.execute(select(kind.table.c.id)).scalars().all()
        ]


def states(source: str, target: str) -> list[tuple[str, int, int | None, str]]:
    parts = arena.copy_store(source, target).parts
    return [(part.kind, part.number, part.number_there, part.state) for part in parts]


@pytest.mark.slow
def test_a_store_goes_there_and_back(backend: str) -> None:
    fill("first")
    parts = [
        ("run", 1, 1),
        ("run", 2, 2),
        ("regression run", 7, 1),
        ("import", 1, 1),
        ("contest", 1, 1),
    ]
    assert states("first", backend) == [(*part, COPIED) for part in parts]
    assert digests(backend) == digests("first")
    assert arena.export(backend) == arena.export("first")
    assert states("first", backend) == [(*part, PRESENT) for part in parts]
    back = [(kind, there, there, COPIED) for kind, _, there in parts]
    assert states(backend, "back") == back
    assert digests("back") == digests("first")
    assert arena.verify("back").divergence is None


@pytest.mark.slow
def test_runs_get_the_next_numbers_and_nothing_is_overwritten(
    backend: str, run: Run, wording: Wording
) -> None:
    fill("first")
    arena.fight("heuristic", "triples", 1, seed=9, store=backend)
    before = digests(backend)
    ran = run("copy", "first", backend)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n") == 4
    wording(ran.out, "2 runs", "run 1", "run 2", "run 3", "run 7")
    assert digests(backend)[:1] == before
    record = json.loads(run("copy", "first", backend, "--format", "json").out)
    assert (record["schema"], record["source"], record["whole"]) == ("arena.copy/1", "first", True)
    assert [part["state"] for part in record["parts"]] == [PRESENT] * 5
    assert [part["size"] for part in record["parts"]] == [4, 4, 1, 2, 2]
    assert arena.resume(backend, 2) == arena.resume("first", 1)


@pytest.mark.slow
def test_a_run_that_has_grown_is_another_run(backend: str) -> None:
    fill("first")
    states("first", backend)
    with Store("first").write() as connection:
        connection.execute(update(schema.games).where(schema.games.c.run == 2).values(seconds=1.5))
    assert states("first", backend)[:2] == [("run", 1, 1, PRESENT), ("run", 2, 3, COPIED)]


@pytest.mark.slow
def test_an_interrupted_copy_goes_on(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill("first")
    real = copying._insert

    def interrupted(*arguments: object) -> int:
        if arguments[-1] == 2:
            real(*arguments)  # type: ignore[arg-type]
            raise KeyboardInterrupt
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(copying, "_insert", interrupted)
    with pytest.raises(KeyboardInterrupt):
        arena.copy_store("first", backend)
    monkeypatch.setattr(copying, "_insert", real)
    with Store(backend).read() as connection:
        assert connection.execute(select(func.count()).select_from(schema.games)).scalar() == 4
    assert [state for *_, state in states("first", backend)] == [PRESENT, *[COPIED] * 4]


@pytest.mark.slow
def test_what_is_not_read_back_is_not_kept(
    backend: str, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    fill("first")
    real = copying._insert

    def spoilt(reading: object, target: object, writing: object, kind: object, n: int) -> int:
        new = real(reading, target, writing, kind, n)  # type: ignore[arg-type]
        writing.execute(update(schema.games).values(moves="5"))  # type: ignore[attr-defined]
        return new

    monkeypatch.setattr(copying, "_insert", spoilt)
    with wording.raises(StoreError):
        arena.copy_store("first", backend)
    assert digests(backend) == []


def test_a_run_that_is_played_is_copied_as_it_is(backend: str, run: Run, wording: Wording) -> None:
    if backend == "S":
        pytest.skip("a file cannot tell two of one process")
    arena.fight("monkey", "triples", 1, seed=1, store=backend)
    with Store(backend).lock(1):
        ran = run("copy", backend, "second")
        again = json.loads(run("copy", backend, "second", "--format", "json").out)
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[-1], "run 1")
    assert (again["whole"], [part["is_played"] for part in again["parts"]]) == (False, [True])
    assert digests("second") == digests(backend)


@pytest.mark.slow
def test_a_copy_is_of_one_moment(
    backend: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What comes to a store while it is copied is not in the copy, in none of its parts."""
    fill(backend)
    before = digests(backend)
    real = copying._insert

    def interfering(*arguments: object) -> int:
        with Store(backend).write() as connection:
            connection.execute(update(schema.games).values(seconds=9.0))
            hand_ins.add_hand_in(connection, 1, "carol", "bot.py", b"pass")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(copying, "_insert", interfering)
    arena.copy_store(backend, tmp_path / "second")
    assert digests(str(tmp_path / "second")) == before != digests(backend)


def test_bad_stores_are_said_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for argv, messages in {
        ("nothing", "second"): "'nothing'",
        ("mysql://a:secret@h/d", "S"): "'mysql://a:***@h/d'",
    }.items():
        ran = run("copy", *argv)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert messages in ran.err
        assert os.listdir() == []
