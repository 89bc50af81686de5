"""Several arenas and one store: two that write, one that writes and one that reads."""

from __future__ import annotations

import shutil
import signal
import time
from json import loads
from typing import TYPE_CHECKING

import pytest

from arena.store.reading import read_runs
from arena.store.sql import Store
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.store.conftest import Folder

#: The slow player writes to a file, which nobody else's player may.
HERE = ("--isolation", "none")
FIGHT = ("fight", "./bot.py", "monkey", "-n", "30", "--seed", "1", *HERE)
TOURNAMENT = ("tournament", "./bot.py", "monkey", "triples", "-n", "10", "--seed", "2", *HERE)
KEEP = ("--store", "S")
JSON = ("--format", "json")


@pytest.mark.slow
def test_two_runs_can_be_written_at_the_same_time(folder: Folder) -> None:
    alone = folder.arena(*FIGHT), folder.arena(*TOURNAMENT)
    both = folder.arena.start(*FIGHT, *KEEP), folder.arena.start(*TOURNAMENT, *KEEP)
    assert tuple(process.wait() for process in both) == alone
    assert len(folder.rows()) == 60 + 60
    verified = loads(folder.arena("verify", "S", *JSON).out)
    assert (verified["runs"], verified["games"], verified["holds"]) == (2, 120, True)
    shown = {folder.arena("show", str(run), *KEEP).out for run in (1, 2)}
    assert shown == {ran.out for ran in alone}


@pytest.mark.slow
def test_many_arenas_may_begin_a_store_together(folder: Folder) -> None:
    fights = [
        folder.arena.start("fight", "monkey", "triples", "-n", "2", "--seed", str(seed), *KEEP)
        for seed in range(6)
    ]
    assert [(ran.code, ran.err) for ran in (fight.wait() for fight in fights)] == [(0, "")] * 6
    assert loads(folder.arena("verify", "S", *JSON).out)["runs"] == 6


@pytest.mark.slow
def test_a_run_is_gone_on_with_by_one_process_at_a_time(folder: Folder, wording: Wording) -> None:
    whole = folder.arena(*FIGHT).out
    allowed = folder.path / "allowed"
    allowed.write_text("3")
    process = folder.begin(*FIGHT, *KEEP, "-j", "1")
    (folder.path / "link").symlink_to("S")
    for store in ("S", "link", "./S"):
        ran = folder.arena("resume", store, "1")
        assert (ran.code, ran.out) == (2, "")
        wording(ran.err, f"{store!r}")
    process.signal(signal.SIGKILL)
    process.wait()
    resuming = folder.begin("resume", "S", "1", "-j", "1")
    late = folder.arena("resume", "S")
    assert (late.code, late.out) == (2, "")
    wording(late.err)
    allowed.unlink()
    assert resuming.wait() == (0, whole, "")
    assert len(folder.rows()) == 60
    assert folder.arena("verify", "S").code == 0


@pytest.mark.slow
def test_another_run_of_the_store_can_be_gone_on_with_meanwhile(folder: Folder) -> None:
    short = ("fight", "./bot.py", "monkey", "-n", "12", "--seed", "9", *HERE)
    whole = folder.arena(*short).out
    process = folder.begin(*short, *KEEP)
    process.signal(signal.SIGKILL, group=True)
    process.wait()
    other = folder.begin(*FIGHT, *KEEP)
    assert folder.arena("resume", "S", "1") == (0, whole, "")
    assert other.wait().code == 0


@pytest.mark.slow
def test_a_store_can_be_read_while_it_is_written_to(folder: Folder) -> None:
    allowed = folder.path / "allowed"
    allowed.write_text("1")
    process = folder.begin(*TOURNAMENT, *KEEP, "-j", "1")
    seen = [0]
    while len(seen) < 4 or seen[-1] < 60:
        allowed.write_text(str(8 * len(seen)))
        (run,) = loads(folder.arena("export", *KEEP).out)["runs"]
        halves = [
            game["game_id"].rpartition("/")[2].split(".")
            for fight in run["fights"]
            for game in fight["games"]
        ]
        assert [half for _, half in halves] == ["1", "2"] * (len(halves) // 2)
        assert [pair for pair, _ in halves[::2]] == [pair for pair, _ in halves[1::2]]
        assert run["played"] == len(halves) >= seen[-1]
        assert run["state"] == "complete" or len(halves) <= run["games"] == 60
        seen.append(len(halves))
        verified = loads(folder.arena("verify", "S", *JSON).out)
        assert verified["holds"], verified["divergence"]
        (listed,) = loads(folder.arena("runs", *KEEP, *JSON).out)["runs"]
        assert listed["played"] >= len(halves)
        shown = loads(folder.arena("show", *KEEP, *JSON).out)
        games = sum(fight["games"] for fight in shown["fights"])
        assert games % 2 == 0
        assert games >= listed["played"]
    assert process.wait().code == 0
    assert len(set(seen)) > 2, "it was looked at while it grew"


@pytest.mark.slow
def test_the_file_alone_holds_everything_when_the_last_arena_has_ended(folder: Folder) -> None:
    folder.arena(*FIGHT, *KEEP)
    names = {path.name for path in folder.path.iterdir()}
    assert not {"S-wal", "S-shm", "S-journal"} & names
    shutil.copy(folder.path / "S", folder.path / "copy")
    (folder.path / "S").unlink()
    assert folder.arena("verify", "copy").code == 0
    assert len(loads(folder.arena("export", "--store", "copy").out)["runs"][0]["fights"]) == 1
    assert len(folder.rows("copy")) == 60


@pytest.mark.slow
def test_no_worker_has_the_store_open(folder: Folder) -> None:
    (folder.path / "spy.py").write_text(
        "import os\n"
        "def choose(position, rng):\n"
        "    for number in os.listdir('/proc/self/fd'):\n"
        "        try:\n"
        "            link = os.readlink(f'/proc/self/fd/{number}')\n"
        "        except OSError:\n"
        "            continue\n"
        "        with open(__file__ + '.seen', 'a') as file:\n"
        "            print(os.getpid(), link, file=file)\n"
        "    return rng.choice(position.legal_moves())\n"
    )
    process = folder.arena.start("fight", "./spy.py", "monkey", "-n", "8", *KEEP, *HERE)
    assert process.wait().code == 0
    seen = (folder.path / "spy.py.seen").read_text().splitlines()
    assert {line.split()[0] for line in seen}.isdisjoint({str(process.pid)})
    assert [line for line in seen if line.endswith(("/S", "/S-wal", "/S-shm"))] == []
    assert any("pipe:" in line for line in seen)


@pytest.mark.slow
def test_a_writer_waits_for_another(folder: Folder) -> None:
    folder.arena("fight", "monkey", "triples", "-n", "2", *KEEP)
    with Store(folder.path / "S").write():
        process = folder.arena.start("fight", "monkey", "triples", "-n", "2", *KEEP)
        time.sleep(0.5)
    assert process.wait().code == 0


@pytest.mark.slow
def test_a_reader_sees_one_moment(folder: Folder) -> None:
    folder.arena("fight", "monkey", "triples", "-n", "2", *KEEP)
    with Store(folder.path / "S").read() as connection:
        before = read_runs(connection)
        again = folder.arena("fight", "monkey", "triples", "-n", "2", "--again", *KEEP)
        assert again.code == 0
        assert read_runs(connection) == before
    with Store(folder.path / "S").read() as connection:
        assert len(read_runs(connection)) == 2
