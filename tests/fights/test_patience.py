"""Players that cannot play now: void games, tried again, and a run that pauses."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import clock
from arena.errors import Unavailable, UsageError, VoidGame, unavailability
from arena.executors import processes
from arena.fights import patience
from arena.fights.patience import WAITS, Patience
from arena.testing import FakeClock
from tests import needs
from tests.conftest import Run
from tests.golden import Wording

#: A player whose service is down for as many questions as a file says, or for good.
BOT = """
import arena
from pathlib import Path

down = Path(__file__).with_name("down")

def choose(position, rng):
    left = down.read_text()
    if position.ply > 2 and left != "0":
        if left.isdigit():
            down.write_text(str(int(left) - 1))
        raise arena.Unavailable("the model restarts"{more})
    return rng.choice(position.legal_moves())
"""

PROGRAM = """
import json, sys
from pathlib import Path

down = Path(__file__).with_name("down")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        left = int(down.read_text())
        answer = {"move": message["legal"][-1]}
        if left:
            down.write_text(str(left - 1))
            answer = {"unavailable": "the model restarts", "retry_after": RETRY}
        print(json.dumps({"id": message["id"], **answer}), flush=True)
"""


@pytest.fixture
def time() -> Iterator[FakeClock]:
    """Put a clock in place on which waiting takes no time."""
    before, clock.source = clock.source, FakeClock()
    yield clock.source
    clock.source = before


def write(folder: Path, tries: int | str, text: str = BOT, more: str = "") -> str:
    (folder / "down").write_text(str(tries))
    file = folder / "bot.py"
    file.write_text(text.replace("{more}", more).replace("RETRY", more or "0"))
    return str(file)


def fight(bot: str, **options: Any) -> arena.records.FightResult:
    options = {"isolation": "none", "executor": "serial", **options}
    return arena.fight(bot, "monkey", n=3, seed=1, **options)


@pytest.mark.slow
def test_a_pair_is_tried_again_until_the_service_is_back(tmp_path: Path, time: FakeClock) -> None:
    """The result is the one of a service that was never down."""
    before, result = time.monotonic(), fight(write(tmp_path, 4))
    assert time.monotonic() - before >= sum(WAITS[:4])
    assert (result.void, result.a.forfeits) == (0, {})
    assert result == fight(write(tmp_path, 0))


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "waited"), [(100, 100), (0.5, 1), (3000, 300)])
def test_a_player_may_say_how_long_it_needs(
    tmp_path: Path, time: FakeClock, asked: float, waited: float
) -> None:
    before = time.monotonic()
    fight(write(tmp_path, 1, more=f", retry_after={asked}"))
    assert waited <= time.monotonic() - before < waited + 1


@pytest.mark.slow
@pytest.mark.parametrize("retry", ["'soon'", "-1", "float('nan')", "True", "10**9"])
def test_a_wrong_time_is_the_players_own_exception(
    tmp_path: Path, retry: str, wording: Wording
) -> None:
    result = fight(write(tmp_path, 10**6, more=f", retry_after={retry}"))
    assert result.a.forfeits["exception"] > 2
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message)


@pytest.mark.slow
def test_a_run_pauses_and_goes_on_to_the_same_bytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(patience, "WAITS", (0.01, 0.01))
    words = ("./bot.py", "monkey", "-n", "4", "--seed", "2", "--isolation", "none")
    write(tmp_path, 0)
    whole = run("fight", *words).out
    write(tmp_path, "for good")
    alone = run("fight", *words, "--executor", "serial")
    assert alone.code == 4
    wording(alone.err)
    paused = run("fight", *words, "--store", "games.db", "-j", "2")
    assert (paused.code, "forfeited" in paused.out) == (4, False)
    assert "arena resume games.db 1" in paused.err
    assert ": the model restarts (" in paused.err
    assert run("resume", "games.db", "1").code == 4
    (tmp_path / "down").write_text("0")
    resumed = run("resume", "games.db", "1")
    assert (resumed.code, resumed.out.splitlines()[:6]) == (0, whole.splitlines()[:6])


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("bwrap", "locked", "process"))
def test_only_a_player_with_a_network_can_be_unavailable(
    tmp_path: Path, tier: str, time: FakeClock, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    """Else a stranger's player could have each game replayed that it is about to lose."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import arena\ndef choose(position, rng): raise arena.Unavailable('no', retry_after=2)\n"
    )
    monkeypatch.setattr(patience, "WAITS", (0.01,))
    if tier == "process":
        with pytest.raises(arena.Interrupted):
            fight(str(bot), isolation=tier)
        return
    result = fight(str(bot), isolation=tier)
    assert result.a.forfeits == {"exception": 6}
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message)


@pytest.mark.slow
def test_a_program_says_it_in_its_protocol(tmp_path: Path, time: FakeClock) -> None:
    program = f"cmd:python3 {write(tmp_path, 2, PROGRAM, '3')}"
    before, result = time.monotonic(), fight(program, isolation="process")
    assert time.monotonic() - before >= 6
    assert (result.void, result.a.forfeits) == (0, {})


def test_a_wrong_word_of_a_program_is_a_forfeit(tmp_path: Path, wording: Wording) -> None:
    result = fight(f"cmd:python3 {write(tmp_path, 10**6, PROGRAM, '-1')}", isolation="process")
    assert result.a.forfeits == {"protocol": 6}
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message)


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_batch_waits_too(tmp_path: Path, time: FakeClock, isolation: str) -> None:
    text = BOT.replace("choose(position, rng)", "choose_batch(positions, rng)")
    text = text.replace("position.ply > 2 and ", "")
    text = text.replace("rng.choice(position.legal", "[position.legal")
    text = text.replace("_moves())", "_moves()[0] for position in positions]")
    options = {"isolation": isolation, "engine": "batch"}
    result = arena.fight(write(tmp_path, 2, text), "heuristic", n=3, seed=1, **options)  # type: ignore[arg-type]
    assert (result.void, result.a.forfeits, result.pairs) == (0, {}, 3)


def test_a_machine_that_is_too_busy_is_tried_at_once() -> None:
    trial = Patience()
    assert [trial.tries_again(VoidGame("busy")) for _ in range(3)] == [True, True, False]


def test_the_word_of_a_foreign_class_is_arenas_own() -> None:
    class Odd(Unavailable):
        def __init__(self) -> None:
            self.retry_after = float("inf")

        def __str__(self) -> str:
            raise KeyError

    absence = unavailability(Odd())
    assert absence is not None
    assert (type(absence), absence.retry_after) == (Unavailable, 0)
    assert unavailability(VoidGame()) is None
    again = pickle.loads(pickle.dumps(Unavailable("x", 2)))
    assert (again.problem, again.retry_after) == ("x", 2)
    with pytest.raises(UsageError):
        Unavailable(retry_after=-1)


@pytest.mark.slow
@pytest.mark.needs("process")
@pytest.mark.parametrize(
    ("more", "is_away"),
    [
        (", retry_after=1", True),
        ("", False),
    ],
)
def test_a_wait_of_arena_is_not_blamed_on_the_player_without_a_limit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    more: str,
    is_away: bool,
    wording: Wording,
) -> None:
    """Monkey plays in a worker of arena, and the other in a process of its own."""
    monkeypatch.setattr(processes, "MAX_SILENT_SECONDS", 0.5)
    bot = write(tmp_path, int(bool(more)), more=more)
    if not more:
        (tmp_path / "bot.py").write_text(SLOW)
    options: Any = {"isolation": "process", "executor": "processes", "workers": 1}
    assert arena.fight(bot, "monkey", n=1, seed=1, **options).a.forfeits == {}
    messages = [record.getMessage() for record in caplog.records]
    [line] = [line for line in messages if "pair 1: " in line]
    assert line.endswith(f" {bot}") != is_away, line
    wording(line.rpartition(": ")[2], f" {bot}")


#: A player that takes its time.
SLOW = """
import time

def choose(position, rng):
    time.sleep(0.4)
    return rng.choice(position.legal_moves())
"""
