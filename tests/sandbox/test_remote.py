"""Players in processes of their own, as the arena sees them: the same players, only apart."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import arena
from arena.errors import CannotEnumerate, Forfeited, PlayerFault
from arena.match.record import UNMEASURED
from arena.plugin.catalogue import Catalogue
from arena.proof.distribution import distribution
from arena.sandbox.settings import Isolation
from tests import needs
from tests.golden import Wording
from tests.processes import command_lines, wait_until
from tests.samples import few
from tests.sandbox.conftest import Make
from tests.sandbox.remotes import BOTS, play, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals")


@pytest.mark.slow
def test_the_same_games_are_played_here_and_apart(catalogue: Catalogue, made: Make) -> None:
    game = catalogue.game("tictactoe")
    here = [info for _, info in catalogue.players if info.plays(game)]
    files = ["first_free.py", "two_players.py:greedy", "remembers.py"]
    local = catalogue.isolated(Isolation(tier="none"))
    here += [local.player(str(BOTS / name)) for name in files]
    apart = [made(info) for info in here[:-3]] + [made(str(BOTS / name)) for name in files]
    monkey = catalogue.player("monkey")
    for info, other in zip(here, apart, strict=True):
        for n in range(6):
            pair, twin = [(info, monkey), (monkey, info)][n % 2], [(other, monkey), (monkey, other)]
            assert play(catalogue, *twin[n % 2], f"{n}") == play(catalogue, *pair, f"{n}"), info
    assert len(here) >= 10


@pytest.mark.slow
def test_two_of_them_play_each_other(catalogue: Catalogue, made: Make) -> None:
    a, b = made(catalogue.player("monkey")), made(str(BOTS / "remembers.py"))
    for n in range(3):
        assert play(catalogue, a, b, str(n)).forfeit is None
    twin = play(catalogue, a, a, "x")  # with itself it needs two processes
    monkey = catalogue.player("monkey")
    assert twin._replace(move_times=UNMEASURED, ended=None) == play(catalogue, monkey, monkey, "x")


@pytest.mark.slow
def test_what_is_enumerated_is_the_same(catalogue: Catalogue, made: Make) -> None:
    game = catalogue.game("tictactoe")
    positions = [game.parse(text) for text in ("_________", "xo_______", "xox_o____")]
    names = ["monkey", "triples", "tictactoe3"]
    for name in names:
        info = catalogue.player(name)
        apart = made(info)
        for position in positions:
            assert distribution(apart, position) == distribution(info, position)
    file = made(str(BOTS / "two_players.py:lowest"))
    assert sorted(map(str, distribution(file, positions[0]).values())) == ["1/2", "1/2"]


@pytest.mark.slow
def test_proofs_are_the_same(catalogue: Catalogue, made: Make) -> None:
    triples, monkey = catalogue.player("triples"), catalogue.player("monkey")
    apart = made(triples)
    assert arena.certify(apart, seed=1).as_json() == arena.certify(triples, seed=1).as_json()
    there, here = arena.exact(apart, monkey), arena.exact(triples, monkey)
    assert (there.first, there.second) == (here.first, here.second)


@pytest.mark.slow
def test_what_cannot_be_enumerated_says_why(
    catalogue: Catalogue, made: Make, tmp_path: Path, wording: Wording
) -> None:
    start = catalogue.game("tictactoe").start()
    with pytest.raises(CannotEnumerate, match="keeps state"):
        distribution(made(str(BOTS / "remembers.py")), start)
    floats = made(written(tmp_path, "def choose(p, rng): return int(rng.random())", "f.py"))
    with pytest.raises(CannotEnumerate, match="float"):
        distribution(floats, start)
    raises = made(written(tmp_path, "def choose(p, rng): 1 / 0", "r.py"))
    with pytest.raises(PlayerFault, match="ZeroDivisionError"):
        distribution(raises, start)
    exits = made(written(tmp_path, "import os\ndef choose(p, rng): os._exit(4)", "e.py"))
    with wording.raises(PlayerFault):
        distribution(exits, start)


SLEEPER = "import time\ndef choose(position, rng):\n    time.sleep(600)\n"
ARENA = """
import sys
import arena
from arena.sandbox.wire.json_lines import COMMAND
from arena.sandbox.wire.languages import FRAMES
from arena.sandbox.settings import Isolation
from arena.sandbox.wire.json_lines import COMMAND
if __name__ == "__main__":
    isolation = Isolation(tier=sys.argv[2], move_time=100, game_time=200)
    workers = int(sys.argv[3])
    arena.fight(sys.argv[1], "monkey", 4, workers=workers, isolation=isolation, seed=1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
@pytest.mark.parametrize("victim", few(["arena", "arena alone", "worker"]))
def test_no_player_outlives_a_killed(victim: str, tier: str, tmp_path: Path) -> None:
    bot = written(tmp_path, SLEEPER, "sleeper_of_this_test.py")
    script = written(tmp_path, ARENA, "arena_script.py")
    needed = 1 if victim == "arena alone" else 2
    command = [sys.executable, script, bot, tier, str(needed)]
    arena = subprocess.Popen(command, start_new_session=True)

    def players() -> dict[int, list[str]]:
        lines = command_lines(bot)
        return {pid: words for pid, words in lines.items() if "arena_script" not in str(words)}

    def is_playing() -> bool:  # the first is only asked what it is
        return (needed == 1 or len(workers(arena.pid)) >= 2) and bool(players())

    try:
        assert wait_until(is_playing)
        time.sleep(0.3)
        killed = workers(arena.pid) if victim == "worker" else [arena.pid]
        before = set(players())
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: not before & set(players()), 5)
    finally:
        os.killpg(arena.pid, signal.SIGKILL)
        arena.wait()
    assert wait_until(lambda: not players(), 5)


def workers(pid: int) -> list[int]:
    """Return the children of the arena that are Python's and no players."""
    results = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, file.read_text().split()):
            with suppress(OSError):  # it has just ended
                words = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"arena_script" in words or b"multiprocessing" in words:
                    results.append(child)
    return results


@pytest.mark.slow
def test_the_generator_here_is_not_drawn_from(catalogue: Catalogue, made: Make) -> None:
    state = random.getstate()
    apart = made(catalogue.player("monkey"))
    assert play(catalogue, apart, apart).forfeit is None
    assert random.getstate() == state
    own = random.Random(5)
    move = apart.player(catalogue.game("tictactoe").start(), own)  # outside of a game
    assert 0 <= move < 9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "barred", "killed_by"),
    [
        ("open('/nowhere/at/all')", "file", ""),
        ("raise PermissionError(1, 'no')", "call", ""),
        ("raise RuntimeError('FileNotFoundError')", "", ""),
        ("print('FileNotFoundError: x', flush=True), os._exit(1)", "file", ""),
        ("os._exit(127)", "program", ""),
        ("os.kill(os.getpid(), signal.SIGKILL)", "", "SIGKILL"),
    ],
)
def test_a_forfeit_says_by_fields_what_happened(
    does: str, barred: str, killed_by: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    text = f"import os, signal\n\n\ndef choose(position, rng):\n    {does}\n"
    bot = made(written(tmp_path, text))
    with pytest.raises(Forfeited) as caught:
        bot.player(catalogue.game("tictactoe").start(), random.Random(1))
    assert (caught.value.barred, caught.value.killed_by) == (barred, killed_by)
