"""A worker and the players that it waits for are on one processor, and afterwards everywhere."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from arena.game import Outcome, Side
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from arena.sandbox import cores
from arena.sandbox.cores import all_cores, one_core, shared_with, usable
from arena.sandbox.players import file_player, isolated, program_player
from arena.sandbox.process import shares_core
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits, Spec
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "examples" / "programs" / "any_move.py"

pytestmark = pytest.mark.skipif(
    len(usable()) < 2, reason="there are no two processors to choose from"
)


@pytest.fixture(autouse=True)
def everywhere() -> Iterator[cores.Cores]:
    """Yield the processors that this process may use, before and after."""
    before = usable()
    yield before
    assert usable() == before


def test_a_thread_stays_where_it_is_and_may_go_anywhere_again(everywhere: cores.Cores) -> None:
    with one_core():
        [core] = usable()
        with one_core():  # nothing is left to choose
            assert usable() == {core}
        with all_cores():
            assert usable() == everywhere
        assert usable() == {core}
    with all_cores():
        assert usable() == everywhere


def test_it_may_go_anywhere_again_after_an_error(everywhere: cores.Cores) -> None:
    with pytest.raises(KeyboardInterrupt), one_core(), all_cores():
        raise KeyboardInterrupt
    assert usable() == everywhere


def test_no_processor_is_preferred() -> None:
    """Whoever is kept to one keeps to that on which the system runs it."""
    for core in usable():
        found: list[cores.Cores] = []

        def go(core: int = core, found: list[cores.Cores] = found) -> None:
            everywhere = usable()
            os.sched_setaffinity(0, {core})
            os.sched_setaffinity(0, everywhere)
            with one_core():
                found.append(usable())

        for _ in range(20):  # the system may move it in between
            thread = threading.Thread(target=go)
            thread.start()
            thread.join()
            if found[-1] == {core}:
                break
        assert found[-1] == {core}


def test_a_thread_that_a_game_leaves_goes_where_the_others_go(
    catalogue: Catalogue, everywhere: cores.Cores
) -> None:
    apart = isolated(catalogue.player("monkey"), PlayerLimits(tier="process"))
    stop, threads = threading.Event(), []
    with shared_with(catalogue.player("monkey"), apart):
        assert len(usable()) == 1
        threads = [threading.Thread(target=stop.wait, daemon=True) for _ in range(2)]
        for thread in threads:
            thread.start()
        assert all(usable(thread.native_id or 0) == usable() for thread in threads)
    assert all(usable(thread.native_id or 0) == everywhere for thread in threads)
    stop.set()
    for thread in threads:
        thread.join()


def test_nobody_is_kept_where_nobody_shares(catalogue: Catalogue, everywhere: cores.Cores) -> None:
    program = program_player(f"cmd:{PROGRAM}", PlayerLimits(tier="process"), COMMAND)
    with shared_with(catalogue.player("monkey"), program):
        assert usable() == everywhere


def test_who_may_have_several_processes_shares_no_processor() -> None:
    program, file = Spec("x", argv=("x",)), Spec("x", file="x.py")
    assert not shares_core(program, PlayerLimits())
    assert shares_core(program, PlayerLimits(processes=1))
    assert shares_core(file, PlayerLimits())


def test_a_system_that_cannot_keep_threads_anywhere_keeps_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    with one_core(), all_cores():
        assert usable() == set()
    monkeypatch.undo()


@pytest.mark.parametrize("running_on", [-1, 10_000])
def test_who_cannot_be_told_where_it_runs_goes_anywhere(
    running_on: int, monkeypatch: pytest.MonkeyPatch, everywhere: cores.Cores
) -> None:
    monkeypatch.setattr(cores, "_running_on", lambda: lambda: running_on)
    with one_core():
        assert usable() == everywhere


@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
def test_a_player_is_where_its_worker_is(
    tier: str, catalogue: Catalogue, everywhere: cores.Cores
) -> None:
    remote = isolated(catalogue.player("monkey"), PlayerLimits(tier=tier)).remote
    assert isinstance(remote, Remote)
    with one_core():
        here, process = usable(), remote.take()
        pid = process.family.player
        assert pid is not None
        assert tasks(pid) == [here]
        remote.give_back(process)
    for place in (everywhere, everywhere - here):  # the next games are played elsewhere
        os.sched_setaffinity(0, place)
        assert remote.take() is process
        assert tasks(pid) == [place]
        remote.give_back(process)
    os.sched_setaffinity(0, everywhere)
    remote.close()


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
@pytest.mark.parametrize("processes", [1, 4])
def test_a_program_that_may_have_several_processes_is_anywhere(
    processes: int, tier: str, catalogue: Catalogue, everywhere: cores.Cores
) -> None:
    isolation = PlayerLimits(tier=tier, processes=processes)
    remote = program_player(f"cmd:{needs.python_of_all()} {PROGRAM}", isolation, COMMAND).remote
    assert isinstance(remote, Remote)
    game = catalogue.game("tictactoe")
    with one_core():
        player = remote()
        player.start(game, Side.FIRST, Stream())
        player.choose(game.start())
        player.finish(Outcome.DRAW)
        [process] = remote._idle
        assert process.family.player is not None
        assert tasks(process.family.player) == [usable() if processes == 1 else everywhere]
    remote.close()


def tasks(pid: int) -> list[cores.Cores]:
    """Where the threads of a process may run, each set once."""
    results = [usable(int(task)) for task in os.listdir(f"/proc/{pid}/task")]
    return [cores for n, cores in enumerate(results) if cores not in results[:n]]


WHERE = """
import os
def choose(position, rng):
    assert len(os.sched_getaffinity(0)) == %s, os.sched_getaffinity(0)
    return position.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["serial", "processes"])
def test_games_are_played_on_one_core_and_the_caller_is_left_alone(
    executor: str, tmp_path: Path, catalogue: Catalogue
) -> None:
    file = tmp_path / "bot.py"
    file.write_text(WHERE % 1)
    result = arena.fight(
        str(file), "monkey", 3, executor=executor, workers=2, seed=1, catalogue=catalogue
    )
    assert not any(own.forfeits for own in result.both)


@pytest.mark.slow
def test_proofs_are_made_on_one_core(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(WHERE % 1)
    player = file_player(str(file), PlayerLimits(), str(file))
    assert arena.certify(player, seed=1).never_loses is False
