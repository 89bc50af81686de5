"""A contest is conducted whatever happens to the server, and its table is that of a tournament."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.executors.endings import describe_ending
from arena.features.contest.hosted import HostedContest
from arena.features.hand_in.record import PASSED, REFUSED
from arena.store.player_changes import read_changes
from tests.features.contest.packages import BOT, FIRST, zipped

CONTEST = """\
game = "tictactoe"
players = ["monkey"]
pairs = 4
isolation = "locked"
[hand-ins]
positions = 3
"""

#: Conducts until it is interrupted; it looks for changes often, for the test has little time.
SERVER = """
import asyncio, sys, arena
from arena.features.contest import runner
runner.LOOK_SECONDS = 0.1
asyncio.run(arena.plugin.ContestRunner(arena.plugin.open_contest("c.toml"), change=0.5).run())
"""

#: Raises at once, with what it has open that is not a pipe: the server's lock and store are not.
CURIOUS = b"""
import os, stat

def is_other(number):
    try:
        return not stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False

def choose(position, rng):
    raise ValueError(f"open: {[number for number in range(3, 300) if is_other(number)]}")
"""
WITH_DATA = {
    "x/bot.py": b"import json\nfrom pathlib import Path\n"
    b"N = json.loads(Path(__file__).with_name('n.json').read_text())\n"
    b"def choose(position, rng):\n    return sorted(position.legal_moves())[N]\n",
    "x/n.json": b"-1",
}


def eventually(condition: Callable[[], object], seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def processes_of(folder: Path) -> list[str]:
    """Return the commands of this machine that name a folder."""
    results = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().decode(errors="replace")
        except OSError:  # it has just ended
            continue
        if str(folder) in words:
            results.append(words.replace("\0", " "))
    return results


class Server:
    """A process that conducts the contest of the current folder, started again and again."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", SERVER])

    def end(self, number: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text(CONTEST)
    Path("names.txt").write_text("alice\nbob\ncarol\n")
    arena.plugin.give_tokens("c.toml", "names.txt")
    made = Server()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.end(signal.SIGKILL)


def settled(contest: HostedContest, entrant: str, state: str) -> bool:
    last = contest.hand_ins(entrant)[0]
    assert not last.is_settled or last.state == state, last
    return last.state == state


def is_over(contest: HostedContest) -> bool:
    """Return whether those who should play have played all."""
    playing = contest.playing()
    return playing is not None and playing.over and playing.specs == contest.wanted().specs


def require_the_table_of_a_tournament(contest: HostedContest) -> None:
    """Play the same files, in the order of their seats, with the same seed, and compare."""
    shown = arena.show(contest.store, contest.run)
    assert isinstance(shown, arena.records.TournamentResult)
    specs = contest.wanted().specs
    seats = list(dict.fromkeys(name for fight in shown.fights for name in fight.players))
    players = [f"{name}={specs[name]}" for name in seats if name != "monkey"]
    played = arena.tournament(
        ["c.toml", *players],
        seed=shown.seed,
        until="order",
        isolation=arena.Isolation(
            tier="locked",
            players={
                name: arena.Isolation(readable=[str(Path(specs[name]).parent)])
                for name in contest.wanted().specs
                if (Path(specs[name]).parent / "n.json").exists()
            },
        ),
    )
    assert without_left_out(shown) == without_left_out(played)


def without_left_out(result: arena.records.TournamentResult) -> bytes:
    record = replace(result, left_out=()).as_json()
    for fight in record["fights"]:
        for seat in ("a", "b"):
            fight[seat].pop("limits", None)  # a store keeps the paths of before a folder was moved
    return json.dumps(record).encode()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.needs("locked")
def test_two_entrants_hand_in_change_and_leave(server: Server, tmp_path: Path) -> None:
    contest = arena.plugin.open_contest("c.toml")
    server.start()
    contest.hand_in("alice", "alice.py", FIRST)
    contest.hand_in("bob", "bob.py", CURIOUS)
    contest.start()
    eventually(lambda: settled(contest, "alice", PASSED))
    eventually(lambda: settled(contest, "bob", REFUSED))
    [refused] = contest.hand_ins("bob")
    assert refused.report is not None
    assert "ValueError: open: []" in json.dumps(refused.report)
    assert str(tmp_path) not in json.dumps(refused.report)
    eventually(lambda: is_over(contest))
    require_the_table_of_a_tournament(contest)

    contest.hand_in("bob", "bob.zip", zipped(WITH_DATA))
    contest.hand_in("alice", "alice2.py", BOT)
    eventually(lambda: is_over(contest) and contest.ranked()["alice"].number == 2)
    eventually(lambda: "bob" in contest.ranked() and is_over(contest))
    require_the_table_of_a_tournament(contest)

    contest.withdraw("alice")
    eventually(lambda: is_over(contest))
    require_the_table_of_a_tournament(contest)
    contest.readmit("alice")
    eventually(lambda: is_over(contest))
    require_the_table_of_a_tournament(contest)
    assert server.end(signal.SIGINT) != 0
    eventually(lambda: not processes_of(tmp_path), 30)
    assert arena.verify(contest.store).divergence is None


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.needs("locked")
def test_a_folder_that_is_moved_plays_what_is_new_alone(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = arena.plugin.open_contest("c.toml")
    contest.hand_in("alice", "alice.py", FIRST)
    contest.hand_in("bob", "bob.zip", zipped(WITH_DATA))
    contest.start()
    server.start()
    eventually(lambda: len(contest.ranked()) == 2 and is_over(contest))
    server.end(signal.SIGINT)
    moved = tmp_path.with_name("moved")
    tmp_path.rename(moved)
    monkeypatch.chdir(moved)
    contest = arena.plugin.open_contest("c.toml")
    before = changes_of(contest)
    server.start()
    contest.hand_in("carol", "carol.py", BOT)
    eventually(lambda: len(contest.ranked()) == 3 and is_over(contest))
    server.end(signal.SIGKILL)
    assert changes_of(contest) == [*before, "added"]
    require_the_table_of_a_tournament(contest)


def changes_of(contest: HostedContest) -> list[str]:
    """Return how players came to the run of a contest, or left it, after it began."""
    with contest.file.read() as connection:
        assert contest.run is not None
        return [change.what for change in read_changes(connection, contest.run)]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.needs("locked")
def test_a_server_that_is_killed_at_any_moment_loses_nothing(
    server: Server, tmp_path: Path
) -> None:
    rng = random.Random(7)
    contest = arena.plugin.open_contest("c.toml")
    contest.start()
    server.start()
    come = [("alice", FIRST), ("bob", BOT), ("carol", BOT), ("alice", BOT + b"#")]
    for handed_in, (entrant, content) in enumerate(come, 1):
        contest.hand_in(entrant, "bot.py", content)
        time.sleep(rng.uniform(0, 6))
        server.end(signal.SIGKILL)
        assert len(contest.hand_ins()) == handed_in
        server.start()
    eventually(lambda: len(contest.ranked()) == 3 and contest.ranked()["alice"].number == 2)
    eventually(lambda: is_over(contest))
    server.end(signal.SIGKILL)
    eventually(lambda: not processes_of(tmp_path), 30)
    require_the_table_of_a_tournament(contest)
    assert arena.verify(contest.store).divergence is None


@pytest.mark.slow
@pytest.mark.needs("locked")
def test_a_program_that_stops_starting_stands_first_on_the_owners_page_with_the_reason(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    program = Path("program.py")
    program.write_text("import sys\nsys.stdin.read()\n")
    Path("c.toml").write_text(
        CONTEST.replace('["monkey"]', '["monkey", "x=cmd:python3 program.py"]')
    )
    contest = arena.plugin.open_contest("c.toml")
    program.write_text("raise SystemExit(1)\n")
    contest.start()

    async def conducted() -> None:
        running = asyncio.create_task(arena.plugin.ContestRunner(contest).run())
        while not contest.status().problems:
            await asyncio.sleep(0.05)
        running.cancel()

    asyncio.run(asyncio.wait_for(conducted(), 120))
    problem = contest.status().problems[-1].text
    assert problem.startswith("x ")
    assert describe_ending(1) in problem
    assert problem in caplog.text
