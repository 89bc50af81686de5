"""Play on a Dask cluster: the same bytes as here, whatever happens to workers."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.errors import PluginError, WorkerError
from arena.fights.play import Interrupted
from arena.plugins.dask.facts import facts
from arena.sandbox.players import isolated
from arena.sandbox.settings import PlayerLimits
from tests.golden import Wording
from tests.plugins.dask.players import HELPER, bytes_of

if TYPE_CHECKING:
    from distributed import LocalCluster


pytestmark = [
    pytest.mark.outside,
    pytest.mark.needs("distributed"),
    pytest.mark.filterwarnings("default"),  # Dask's own
    pytest.mark.timeout(240),
]

POOL = "arena.plugins.dask.pool"

#: A player that moves by a number beside it, and leaves its process and its file in a folder.
READS = """
import os
import time
from pathlib import Path

FILE = Path(__file__)
NUMBER = int(FILE.with_name("n.json").read_text())
Path(SEEN, str(os.getpid())).write_text(str(FILE))

def choose(position, rng):
    time.sleep(0.002)
    moves = position.legal_moves()
    return moves[NUMBER % len(moves)]
"""
ANY_MOVE = Path(__file__).parents[3] / "examples/programs/any_move.py"


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Yield a cluster of two workers with a thread each, for all tests of this file."""
    from distributed import LocalCluster

    with warnings.catch_warnings(action="ignore"):
        made = LocalCluster(2, threads_per_worker=1, memory_limit=0, dashboard_address=":0")
        yield made
        made.close()


@pytest.fixture
def there(cluster: LocalCluster) -> str:
    """Return the executor on that cluster."""
    cluster.sync(cluster._correct_state)
    return f"dask:{cluster.scheduler_address}"


def processes_of(cluster: LocalCluster) -> list[int]:
    return [nanny.process.process.pid for nanny in cluster.workers.values()]


@pytest.mark.parametrize("engine", ["calls", "table"])
def test_a_fight_has_the_same_bytes_as_in_processes(there: str, engine: str) -> None:
    result = {
        bytes_of(arena.fight("tictactoe3", "heuristic", 400, seed=5, engine=engine, **how))
        for how in ({"executor": "serial"}, {"workers": 2}, {"executor": there})
    }
    assert len(result) == 1


def test_a_tournament_from_openings_has_the_same_bytes(there: str) -> None:
    players = ["monkey", "triples", "heuristic"]
    options: Any = {"n": 30, "seed": 6, "openings": "random:2"}
    here = arena.tournament(players, executor="serial", **options)
    assert bytes_of(arena.tournament(players, executor=there, **options)) == bytes_of(here)


@pytest.mark.parametrize(
    "tier", ["process", pytest.param("locked", marks=pytest.mark.slow), "none"]
)
def test_a_file_is_sent_with_what_it_imports(there: str, bots: Path, tier: str) -> None:
    options: Any = {"n": 5, "seed": 2, "isolation": arena.Isolation(tier=tier)}
    here = arena.fight("./imports.py", "monkey", executor="serial", **options)
    assert here.as_json()["forfeits"] == {"./imports.py": {}, "monkey": {}}
    assert bytes_of(arena.fight("./imports.py", "monkey", executor=there, **options)) == bytes_of(
        here
    )


def test_a_program_has_the_same_bytes(there: str) -> None:
    program = f"cmd:{sys.executable} {ANY_MOVE}"
    options: Any = {"n": 10, "seed": 2, "isolation": arena.Isolation(tier="process")}
    here = arena.fight(program, "monkey", executor="serial", **options)
    assert (here.pairs, here.as_json()["forfeits"]) == (10, {program: {}, "monkey": {}})
    assert bytes_of(arena.fight(program, "monkey", executor=there, **options)) == bytes_of(here)


def test_a_file_and_its_data_are_sent_anew_and_have_one_process_a_worker(
    there: str, cluster: LocalCluster, bots: Path
) -> None:
    seen, data, file = (bots / name for name in ("seen", "n.json", "reads.py"))
    seen.mkdir()
    file.write_text(f"SEEN = {str(seen)!r}{READS}")
    own = arena.Isolation(tier="process", readable=(str(data),))
    options: Any = {"n": 50, "seed": 3, "isolation": own}
    results = set[str]()
    for number in ("1", "3"):
        tasks = list[int]()

        def count(*_: object, tasks: list[int] = tasks) -> None:
            tasks.append(1)

        data.write_text(number)
        played = arena.fight("./reads.py", "monkey", executor=there, on_progress=count, **options)
        files = [path.read_text() for path in seen.iterdir()]
        sent = [path for path in files if path != str(file)]
        assert all(path.endswith(f"/files{file}") for path in sent)
        assert 1 <= len(sent) <= len(cluster.workers) < len(tasks)
        here = arena.fight("./reads.py", "monkey", executor="serial", **options)
        assert bytes_of(played) == bytes_of(here)
        results.add(bytes_of(played))
        for own_process in seen.iterdir():
            own_process.unlink()
    assert len(results) == 2


def test_a_worker_that_is_killed_costs_no_game(
    there: str, cluster: LocalCluster, bots: Path
) -> None:
    options: Any = {"n": 120, "seed": 3, "isolation": arena.Isolation(tier="none")}
    killed: list[int] = []

    def kill(*_: object) -> None:
        if not killed:
            killed.append(processes_of(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    here = arena.fight("./slow.py", "monkey", workers=2, **options)
    result = arena.fight("./slow.py", "monkey", executor=there, on_progress=kill, **options)
    assert killed
    assert bytes_of(result) == bytes_of(here)


def test_workers_that_join_and_one_that_is_paused_change_no_byte(
    there: str, cluster: LocalCluster, bots: Path
) -> None:
    options: Any = {"n": 200, "seed": 4, "isolation": arena.Isolation(tier="none")}
    paused: list[int] = []

    def pause() -> None:
        paused.append(processes_of(cluster)[0])
        os.kill(paused[0], signal.SIGSTOP)
        threading.Timer(3, os.kill, (paused[0], signal.SIGCONT)).start()

    steps = iter([lambda: cluster.scale(4), lambda: cluster.wait_for_workers(4), pause])

    def step(*_: object) -> None:
        for act in islice(steps, 1):
            act()

    try:
        result = arena.fight("./slow.py", "monkey", executor=there, on_progress=step, **options)
    finally:
        cluster.scale(2)
    assert paused
    assert bytes_of(result) == bytes_of(arena.fight("./slow.py", "monkey", workers=2, **options))


def test_a_sequential_test_looks_at_the_same_pairs(there: str) -> None:
    options: Any = {"n": 200, "seed": 6, "elo0": 0, "elo1": 50}
    here = arena.sprt_fight("heuristic", "monkey", executor="serial", **options)
    result = arena.sprt_fight("heuristic", "monkey", executor=there, **options)
    assert bytes_of(result) == bytes_of(here)


@pytest.mark.slow
def test_a_regression_run_is_the_same(there: str, tmp_path: Path) -> None:
    options: Any = {"n": 50, "game": "tictactoe", "update": True, "seed": 3}
    files = tmp_path / "here.json", tmp_path / "there.json"
    arena.regress(["triples"], baseline=files[0], executor="serial", **options)
    arena.regress(["triples"], baseline=files[1], executor=there, **options)
    assert files[0].read_text() == files[1].read_text()


def test_a_player_that_ends_its_process_loses_its_own_games_only(there: str, bots: Path) -> None:
    options: Any = {"n": 1, "seed": 3, "isolation": arena.Isolation(tier="none")}
    here = arena.fight("./kills.py", "monkey", workers=1, **options)
    assert here.void
    assert bytes_of(arena.fight("./kills.py", "monkey", executor=there, **options)) == bytes_of(
        here
    )


def helpers() -> int:
    """Count the helpers on this machine."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            count += b"arena.plugins.dask.helper" in (process / "cmdline").read_bytes()
        except OSError:
            continue
    return count


def test_an_interrupt_keeps_what_is_done_and_ends_the_helpers(there: str, bots: Path) -> None:
    spare = 2  # of each worker one, which waits for the next run

    def interrupt(_: int, counts: Any, __: int) -> None:
        if counts.pairs >= 5:
            raise KeyboardInterrupt

    options: Any = {"n": 300, "seed": 3, "isolation": arena.Isolation(tier="none")}
    how: Any = {"executor": there, "store": "i.db", "on_progress": interrupt}
    with pytest.raises(Interrupted) as stopped:
        arena.fight("./slow.py", "monkey", **how, **options)
    [result] = stopped.value.results
    assert 5 <= result.pairs < 300
    end = time.monotonic() + 30
    while helpers() > spare and time.monotonic() < end:
        time.sleep(0.1)
    assert helpers() <= spare
    here = arena.fight("./slow.py", "monkey", workers=2, **options)
    assert bytes_of(arena.resume("i.db", executor=there)) == bytes_of(here)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("arena", f" arena {arena.__version__}"),
        ("module my_plugin", " module my_plugin"),
    ],
)
def test_a_worker_with_other_code_or_no_plugin_plays_nothing_and_is_named(
    there: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    name: str,
    said: str,
) -> None:
    monkeypatch.setattr(f"{POOL}.facts", lambda asked: {**facts(asked), name: "0.0 (other)"})
    monkeypatch.setattr(f"{POOL}.MAX_UNFIT_SECONDS", 1.0)
    with pytest.raises(WorkerError, match=r"0\.0 \(other\)"):
        arena.fight("monkey", "triples", 1, seed=1, executor=there)
    assert said in caplog.text
    assert " 0.0 (other)" in caplog.text


@pytest.mark.parametrize("is_isolated", [False, True])
def test_a_module_that_no_worker_has_is_named(
    there: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    is_isolated: bool,
    wording: Wording,
) -> None:
    (tmp_path / "only_here.py").write_text(HELPER)
    monkeypatch.syspath_prepend(tmp_path)  # the workers began before
    player = arena.PlayerInfo("mine", import_module("only_here").first)
    if is_isolated:
        player = isolated(player, PlayerLimits(tier="process"))
    monkeypatch.setattr(f"{POOL}.MAX_UNFIT_SECONDS", 1.0)
    with wording.raises(WorkerError):
        arena.fight(player, "monkey", 1, seed=1, executor=there)
    assert " module only_here " in caplog.text


def test_a_batch_has_the_same_bytes_and_who_rounds_otherwise_is_named(
    there: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    options: Any = {"n": 600, "seed": 4, "engine": "batch"}
    players = "lms", "lms:players/lms.json"
    here = arena.fight(*players, executor="serial", **options)
    assert bytes_of(arena.fight(*players, executor=there, **options)) == bytes_of(here)
    assert "move differently" not in caplog.text
    other = {"rounding by numpy": "1.0", "rounding by processor": "a slow one"}

    def elsewhere(asked: Any) -> Any:
        return facts(asked) | (other if asked["libraries"] else {})

    monkeypatch.setattr(f"{POOL}.facts", elsewhere)
    assert bytes_of(arena.fight(*players, executor=there, **options)) == bytes_of(here)
    assert caplog.text.count(" a slow one") == 1
    arena.fight(*players, 5, executor=there, engine="calls")
    assert caplog.text.count(" a slow one") == 1


def test_an_isolated_batch_has_the_same_bytes(there: str, bots: Path) -> None:
    batch = "def choose_batch(positions, rng):\n    return rng.choice(positions.legal)\n"
    (bots / "batch.py").write_text(batch)
    options: Any = {"n": 300, "seed": 4, "isolation": arena.Isolation(tier="process")}
    here = arena.fight("./batch.py", "lms", executor="serial", **options)
    assert here.engine == "batch"
    assert bytes_of(arena.fight("./batch.py", "lms", executor=there, **options)) == bytes_of(here)


def test_a_program_that_a_worker_lacks_is_named(
    there: str,
    bots: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wording: Wording,
) -> None:
    bot = bots / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o755)
    monkeypatch.setattr(f"{POOL}.MAX_UNFIT_SECONDS", 1.0)

    def remove(asked: Any) -> Any:
        result = facts(asked)
        bot.unlink()
        return result

    monkeypatch.setattr(f"{POOL}.facts", remove)
    with wording.raises(WorkerError):
        arena.fight("cmd:./bot", "triples", 1, seed=1, executor=there)
    assert f" program {bot} " in caplog.text


def test_what_cannot_be_sent_is_refused(there: str, wording: Wording) -> None:
    import threading

    lock = threading.Lock()

    def choose(position: Any, rng: Any) -> Any:
        with lock:
            return position.legal_moves()[0]

    with wording.raises(PluginError) as refused:
        arena.fight(choose, "monkey", 1, executor=there)
    assert "\n" not in str(refused.value)
    assert refused.value.exit_code == 4


def test_a_function_of_a_script_is_sent(there: str) -> None:
    offset = 1

    def choose(position: Any, rng: Any) -> Any:
        moves = position.legal_moves()
        return moves[offset % len(moves)]

    here = arena.fight(choose, "monkey", 20, seed=1, executor="serial")
    assert bytes_of(arena.fight(choose, "monkey", 20, seed=1, executor=there)) == bytes_of(here)


def test_a_scheduler_that_died_since_the_last_look_is_named_too(
    there: str, wording: Wording
) -> None:
    from arena.plugins.dask.cluster import Link
    from arena.plugins.dask.parcels import pack
    from arena.plugins.dask.pool import ClusterTask, WorkerPool

    link = Link(1, there.removeprefix("dask:"))
    pool = WorkerPool(link, pack(len), None)
    while not pool.has_room():
        list(pool.answers())
    link.close()
    with wording.raises(WorkerError):
        pool.give(ClusterTask(()))
