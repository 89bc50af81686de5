"""Players in processes of their own, as the command line has them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

FIRST_FREE = Path(__file__).parents[2] / "examples" / "bots" / "first_free.py"
FIGHT = ("fight", str(FIRST_FREE), "monkey", "-n", "3", "--seed", "5", "--format", "json")


@pytest.mark.slow
def test_a_file_plays_the_same_games_in_a_process_of_its_own(run: Run) -> None:
    here, apart = (json.loads(run(*FIGHT, "--isolation", t).out) for t in ("none", "process"))
    assert here.pop("isolation") == {str(FIRST_FREE): "none", "monkey": "none"}
    assert apart.pop("isolation") == {str(FIRST_FREE): "process", "monkey": "none"}
    assert (here["a"].pop("isolation"), apart["a"].pop("isolation")) == ("none", "process")
    assert here == apart


def test_the_page_names_the_tier(run: Run, wording: Wording) -> None:
    out = run(
        "tournament", "monkey", "triples", "-n", "1", "--isolate", "--isolation", "process", "-v"
    ).out
    wording.line(out, "(process)")


@pytest.mark.slow
def test_proofs_are_those_of_the_player_elsewhere(run: Run) -> None:
    exact, certify = ("exact", str(FIRST_FREE), "monkey"), ("certify", str(FIRST_FREE))
    for command in (exact, (*certify, "--seed", "1")):
        here = run(*command, "--format", "json")
        apart = run(*command, "--format", "json", "--isolation", "process")
        assert (apart.code, json.loads(apart.out)) == (here.code, json.loads(here.out))


@pytest.mark.slow
def test_the_tier_is_stored_with_the_games(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "arena.db"
    out = run(*FIGHT, "--isolation", "process", "--store", str(store)).out
    assert run("show", "--store", str(store), "--format", "json").out == out
    assert arena.export(store).as_json()["runs"][0]["players"][0]["isolation"] == "process"
    assert arena.verify(store).divergence is None


@pytest.mark.slow
def test_limits_may_be_for_one_player_alone(run: Run, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import time\ndef choose(position, rng):\n"
        "    time.sleep(0.3)\n    return position.legal_moves()[0]\n"
    )
    other = tmp_path / "other.py"
    other.write_text(slow.read_text())
    fight = (
        "fight",
        str(slow),
        str(other),
        "-n",
        "1",
        "--isolation",
        "process",
        "--format",
        "json",
    )
    record = json.loads(run(*fight, "--move-time", "5", "--move-time", f"{slow}=0.1").out)
    assert record["forfeits"] == {str(slow): {"timeout": 2}, str(other): {}}
    assert "0.1 s" in record["forfeited"][0]["message"]


@pytest.mark.slow
def test_the_log_has_what_a_player_printed(run: Run, tmp_path: Path) -> None:
    bot, log = tmp_path / "bot.py", tmp_path / "log"
    bot.write_text(
        "def choose(position, rng):\n    print('hm')\n    raise ZeroDivisionError('oh')\n"
    )
    fight = ("fight", str(bot), "monkey", "-n", "1", "--isolation", "process")
    assert run(*fight, "--log-file", str(log)).code == 4
    text = log.read_text()
    assert "ZeroDivisionError: oh\nTraceback " in text
    assert 'bot.py", line 3, in choose' in text
    assert "bot.py printed:\nhm\n" in text


@pytest.mark.slow
def test_a_file_that_does_not_load_is_one_line(run: Run, tmp_path: Path) -> None:
    for text, code, complaint in (
        ("def choose(:\n", 2, "SyntaxError in line 1"),
        ("import os\nos._exit(0)\n", 4, "exit code 0"),
        ("while True:\n    pass\n", 2, "bot.py:"),
    ):
        bot = tmp_path / "bot.py"
        bot.write_text(text)
        options = ("--isolation", "process", "--import-time", "0.5" if "while" in text else "20")
        ran = run("fight", str(bot), "monkey", *options)
        assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
        assert complaint in ran.err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--isolation", "bubble"), 2),
        (("--require-isolation", "bubble"), 2),
        (("--isolation", "none", "--require-isolation", "process"), 3),
        (("--isolation", "process", "--require-isolation", "locked"), 3),
        (("--move-time", "0"), 2),
        (("--move-time", "monkey=x"), 2),
        (("--memory", "nan"), 2),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, options: tuple[str, ...], code: int, wording: Wording
) -> None:
    ran = run("fight", "monkey", "triples", *options)
    assert (ran.code, ran.out) == (code, "")
    wording(ran.err)


@pytest.mark.slow
def test_what_is_required_is_taken(run: Run) -> None:
    record = json.loads(run(*FIGHT, "--require-isolation", "process").out)
    assert record["isolation"][str(FIRST_FREE)] in ("process", "locked", "bwrap")


@pytest.mark.slow
def test_the_doctor_says_what_auto_takes(run: Run) -> None:
    ran = run("doctor", "--format", "json")
    diagnosis = json.loads(ran.out)
    assert diagnosis["auto"] == diagnosis["available"][-1]
    assert ran.code == (0 if diagnosis["strong"] else 1)
    assert diagnosis["auto"] in run("doctor").out.splitlines()[0]


@pytest.mark.slow
def test_functions_take_an_isolation_as_commands_take_options(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import time\ndef choose(position, rng):\n"
        "    time.sleep(0.3)\n    return position.legal_moves()[0]\n"
    )
    hurried = arena.Isolation(tier="process", move_time=0.1)
    fight = arena.fight(str(slow), str(FIRST_FREE), 1, seed=1, isolation=hurried)
    assert [player.isolation for player in fight.both] == ["process", "process"]
    assert (fight.a.forfeits, fight.b.forfeits) == ({"timeout": 2}, {})
    at_leisure = arena.get_player(str(slow), isolation="process")
    fight = arena.fight(at_leisure, str(FIRST_FREE), 1, seed=1, isolation="none")
    assert [player.isolation for player in fight.both] == ["process", "none"]
    assert fight.a.forfeits == fight.b.forfeits == {}


@pytest.mark.parametrize(
    "limit",
    [
        {"tier": "bubble"},
        {"move_time": 0},
        {"game_time": float("nan")},
        {"memory": 512.5},
        {"readable": 3},
        {"processes": "1"},
    ],
)
def test_an_isolation_that_is_none_is_refused(limit: dict[str, Any], wording: Wording) -> None:
    with wording.raises(arena.ArenaError):
        arena.Isolation(**limit)


def test_one_file_that_may_be_read_is_one_file() -> None:
    assert arena.Isolation(readable="w.json").readable == (os.path.abspath("w.json"),)


@pytest.mark.parametrize(
    "limit",
    [
        "./bto.py=1",
        "triple=1",
        "triples=1",
    ],
)
def test_a_limit_is_for_somebody(run: Run, limit: str, wording: Wording) -> None:
    ran = run("fight", "monkey", "triples", "--move-time", limit)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.slow
def test_everybody_is_kept_apart_if_that_is_asked_for(run: Run) -> None:
    options = ("-n", "1", "--game", "connect4", "--seed", "1", "--format", "json", "-j", "1")
    ran = run("tournament", *options, "--isolate", "--isolation", "process")
    record = json.loads(ran.out)
    apart = {tier for fight in record["fights"] for tier in fight["isolation"].values()}
    assert apart == {"process"}


@pytest.fixture
def slow_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store S with a run whose player is too slow, reads a file, and then has changed."""
    monkeypatch.chdir(tmp_path)
    bot, book = tmp_path / "bot.py", tmp_path / "book"
    book.write_text("0.3")
    bot.write_text(
        "import time\nSECONDS = float(open('BOOK').read())\n"
        "def choose(position, rng):\n"
        "    time.sleep(SECONDS)\n    return position.legal_moves()[0]\n".replace("BOOK", str(book))
    )
    limits = ("--move-time", "./bot.py=0.1", "--memory", "300", "--readable", "book")
    ran = run("fight", "./bot.py", "monkey", "-n", "1", "--seed", "1", "--store", "S", *limits)
    assert "forfeited 2 games (timeout 2)" in ran.out
    bot.write_text(bot.read_text() + "\n# now it has changed\n")
    return tmp_path


RESUME = ("resume", "S", "--changed-players", "replay", "--format", "json")


@pytest.mark.slow
def test_a_run_is_resumed_under_its_own_limits(run: Run, slow_run: Path) -> None:
    record = json.loads(run(*RESUME).out)
    assert record["forfeits"]["./bot.py"] == {"timeout": 2}
    assert "0.1 s" in record["forfeited"][0]["message"]


@pytest.mark.slow
def test_options_of_resume_come_before_those_of_the_run(
    run: Run, slow_run: Path, wording: Wording
) -> None:
    # As long as usual, which is not what the run had; what it may read is as it was.
    record = json.loads(run(*RESUME, "--move-time", "2").out)
    assert record["forfeits"]["./bot.py"] == {}
    ran = run(*RESUME, "--move-time", "./bto.py=2")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'./bto.py'", "'./bot.py'")


@pytest.mark.slow
def test_what_python_sets_comes_before_the_runs_limits_even_if_usual(
    slow_run: Path,
) -> None:
    isolation = arena.Isolation(move_time=2.0)
    played = arena.resume("S", changed_players="replay", isolation=isolation)
    assert isinstance(played, arena.records.FightResult)
    assert played.a.forfeits == {}


@pytest.mark.slow
def test_what_is_required_holds_for_a_run_that_is_resumed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(FIRST_FREE.read_text())
    fight = ("fight", "./bot.py", "monkey", "-n", "1", "--store", "S", "--isolation", "none")
    assert run(*fight).code == 0
    (tmp_path / "bot.py").write_text(FIRST_FREE.read_text() + "\n")
    assert json.loads(run(*RESUME).out)["isolation"]["./bot.py"] == "none"
    (tmp_path / "bot.py").write_text(FIRST_FREE.read_text())
    ran = run(*RESUME, "--require-isolation", "process")
    assert json.loads(ran.out)["isolation"]["./bot.py"] in ("process", "locked", "bwrap")


WRITER = """
import json, sys
with open("made.txt", "w") as file:
    file.write("mine")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)
"""


@pytest.mark.parametrize("tier", ["none", "process"])
def test_a_program_without_isolation_starts_where_the_user_is_and_may_write_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tier: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(WRITER)
    command = f"cmd:{sys.executable} bot.py"
    ran = run("fight", command, "monkey", "-n", "1", "--isolation", tier, "--format", "json")
    assert (ran.code, json.loads(ran.out)["isolation"][command]) == (0, "process")
    assert (tmp_path / "made.txt").read_text() == "mine"
