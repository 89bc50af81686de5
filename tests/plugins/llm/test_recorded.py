"""Recorded answers: each is paid for once, whatever happens to the run."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import StoreError, UsageError
from arena.plugins.llm.recorded import ReplyFile, digest_of
from arena.plugins.llm.replies import ModelReply
from arena.records import FightResult
from tests.conftest import Run
from tests.golden import Wording
from tests.plugins.llm.conftest import NameModel
from tests.plugins.llm.server import Server
from tests.processes import wait_until

REPLY = ModelReply("MOVE: 4", "I think.", "", "stop", 10, 3, 0.25)


def spent(fight: FightResult) -> tuple[int, int]:
    """Return the answers of the models of a fight, and how many were recorded."""
    each = fight.by_player.spent.values()
    return sum(one.requests for one in each), sum(one.recorded for one in each)


def plain(fight: FightResult) -> str:
    """Return the JSON of a fight without times, and without where answers came from."""
    text = json.dumps(fight.as_json())
    return re.sub(r'"(recorded|seconds)": [0-9.e-]+', "", text)


@pytest.mark.slow
def test_the_same_run_asks_nobody_twice(model: NameModel, server: Server) -> None:
    name = model("random", "temperature=1")
    before = server.asked().get("random", 0)
    first = arena.fight(name, "monkey", n=3, seed=1, record="a.answers")
    count = server.asked()["random"] - before
    again = arena.fight(name, "monkey", n=3, seed=1, record="a.answers", replay_only=True)
    assert server.asked()["random"] - before == count
    assert (spent(first), spent(again)) == ((count, 0), (count, count))
    assert plain(first) == plain(again)
    arena.fight(name, "monkey", n=3, seed=2, record="a.answers")
    assert server.asked()["random"] - before > count


def test_nobody_is_asked_with_replay_only(
    model: NameModel, server: Server, run: Run, wording: Wording
) -> None:
    name = model("last")
    arena.fight(name, "monkey", n=1, seed=1, record="a.answers")
    before, size = server.asked()["last"], Path("a.answers").stat().st_size
    words = ("--record", "a.answers", "--replay-only", "--seed", "2", "-n", "1")
    ran = run("fight", name, "monkey", *words)
    assert ran.code == 4
    wording(ran.err)
    assert (server.asked()["last"], Path("a.answers").stat().st_size) == (before, size)
    missing = run("fight", name, "monkey", "--record", "b.answers", *words[2:])
    assert missing.code == 2
    wording(missing.err)


def test_two_games_from_the_same_position_have_answers_of_their_own(
    model: NameModel, server: Server
) -> None:
    before = server.asked().get("first", 0)
    fight = arena.fight(model("first"), model("first"), n=5, seed=1, record="a.answers")
    assert spent(fight)[0] == server.asked()["first"] - before
    assert fight.distinct_games == 2


#: Plays a run with a store until somebody kills it.
KILLED = (sys.executable, "-m", "arena", "fight", "-n", "20", "--seed", "1", "--store", "s.db")


@pytest.mark.slow
def test_a_run_that_is_killed_loses_no_answer(model: NameModel, server: Server, run: Run) -> None:
    name = model("slow-0.05")
    with subprocess.Popen([*KILLED, name, "monkey", "--in-flight", "4"]) as process:
        stored = Path("s.db.answers")
        assert wait_until(lambda: stored.exists() and stored.read_bytes().count(b"\n") > 40)
        process.send_signal(signal.SIGKILL)
    recorded = stored.read_bytes().count(b"\n") - 1
    assert recorded < server.asked()["slow-0.05"] <= recorded + 4
    before = server.asked()["slow-0.05"]
    resumed = run("resume", "s.db", "--format", "json", "--in-flight", "3")
    assert resumed.code == 0
    whole = json.loads(resumed.out)
    [each] = whole["spent"].values()
    assert server.asked()["slow-0.05"] - before == each["requests"] - recorded
    other = arena.fight(name, "monkey", n=20, seed=1, record="s.db.answers", replay_only=True)
    assert other.as_json()["joint"] == whole["joint"]
    assert spent(other)[0] == each["requests"]


@given(st.binary(max_size=30).filter(lambda text: b"\n" not in text))
def test_a_line_that_was_cut_off_is_left_out(rest: bytes) -> None:
    path = Path("cut.answers")
    path.unlink(missing_ok=True)
    ReplyFile(str(path)).keep("one", REPLY)
    with path.open("ab") as file:
        file.write(rest)
    again = ReplyFile(str(path))
    again.keep("two", REPLY)
    whole = ReplyFile(str(path), is_closed=True)
    assert (whole.get("one"), whole.get("two"), whole.get("three")) == (REPLY, REPLY, None)


def test_two_writers_share_a_file() -> None:
    one, other = ReplyFile("a.answers"), ReplyFile("a.answers")
    for number in range(50):
        one.keep(f"one {number}", REPLY)
        other.keep(f"other {number}", REPLY._replace(text="é" * number))
    whole = ReplyFile("a.answers")
    assert all(whole.get(f"one {number}") == REPLY for number in range(50))
    assert whole.get("other 7") == REPLY._replace(text="é" * 7)


@pytest.mark.parametrize(
    "content",
    [
        b"hello\n",
        b'{"my": "results"}',
        b"\0" * 1000,
        b'{"schema": "arena.fight/1"}\n',
        b'{"schema": "arena.answers/1"}\n{}\n',
        b'{"schema": "arena.answers/1"}\n{"request": "a", "reply": {"text": 5}}\n',
        b'{"schema": "arena.answers/1"}\n{"request": "a", "reply": {"txt": "b"}}\n',
        b"\xff\xfe\n",
    ],
)
def test_another_file_is_refused_and_kept(content: bytes, wording: Wording) -> None:
    Path("a.answers").write_bytes(content)
    for is_closed in (False, True):
        with wording.raises(UsageError):
            ReplyFile("a.answers", is_closed=is_closed)
    assert Path("a.answers").read_bytes() == content


@pytest.mark.parametrize("path", ["no/such/folder.answers", ".", "a\0b"])
def test_a_name_that_is_no_file_is_refused(path: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        ReplyFile(path)


@pytest.mark.slow
def test_a_file_that_cannot_grow_ends_the_run(model: NameModel) -> None:
    fight = f"fight {model('first')} monkey -n 20 --seed 1 --record a.answers"
    script = f"ulimit -f 4; exec {sys.executable} -m arena {fight}"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 4
    line = r"arena: answers '.*': (File too large|No space left on device)\n"
    assert re.fullmatch(line, ran.stderr)
    stored = ReplyFile("a.answers")
    assert stored.get("no such") is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no such device")
@pytest.mark.parametrize("path", ["/dev/full", "/dev/zero", "pipe"])
def test_what_is_no_file_is_refused(path: str, wording: Wording) -> None:
    os.mkfifo("pipe")
    with wording.raises(UsageError):
        ReplyFile(path)


def test_only_the_user_reads_the_file() -> None:
    ReplyFile("a.answers").keep("one", REPLY)
    assert Path("a.answers").stat().st_mode & 0o077 == 0


def test_digests_tell_services_requests_games_and_numbers_apart() -> None:
    request, url = {"model": "a", "messages": [{"role": "user", "content": "b"}]}, "http://a/v1"
    digests = {
        digest_of(url, request, 1, 0),
        digest_of(url, request, 2, 0),
        digest_of(url, request, 1, 1),
        digest_of(url, {**request, "model": "c"}, 1, 0),
        digest_of("http://b/v1", request, 1, 0),
    }
    assert len(digests) == 5
    assert digest_of(url, dict(reversed(request.items())), 1, 0) in digests


@pytest.mark.slow
def test_the_store_has_the_transcript(model: NameModel, run: Run) -> None:
    name = f"bot={model('reasons', 'price-in=1', 'price-out=2')}"
    assert run("fight", name, "monkey", "-n", "1", "--seed", "1", "--store", "s.db").code == 0
    lines = [
        json.loads(line) for line in run("export", "s.db", "--format", "jsonl").out.split("\n")[:-1]
    ]
    assert {line["player"] for line in lines} == {"bot"}
    assert {line["reasoning"] for line in lines} == {"I think."}
    assert all("Legal moves:" in line["prompt"] and "MOVE:" in line["answer"] for line in lines)
    assert {line["spec"] for line in lines} == {name.removeprefix("bot=")}
    assert {(line["run"], line["seat"]) for line in lines} == {(1, 1), (1, 2)}
    assert all(line["answer"].endswith(f"MOVE: {line['chosen']}") for line in lines)
    assert all(
        line["cost"] == (line["tokens_in"] + 2 * line["tokens_out"]) / 1_000_000 for line in lines
    )
    game = lines[0]["game_id"]
    shown = run("replay", "--store", "s.db", game)
    assert shown.code == 0
    assert " tokens in, " in shown.out
    assert "Legal moves" not in shown.out
    assert "   | > Legal moves: " in run("replay", "--store", "s.db", game, "-v").out
    saved = run("replay", "--store", "s.db", game, "--format", "json")
    Path("game.json").write_text(saved.out)
    assert run("replay", "game.json").out == shown.out
    assert run("replay", "game.json", "--format", "jsonl").out.count("\n") == len(
        [line for line in lines if line["game_id"] == game]
    )
    run("replay", "game.json", "--output", "game.html")
    assert "Transcript" in Path("game.html").read_text()
    assert run("verify", "s.db").code == 0


def test_what_is_kept_may_not_be_negative(wording: Wording) -> None:
    from arena.records.completions import Completion, require_completions

    with wording.raises(UsageError):
        require_completions([(0, 0, Completion("a", seconds=-1.0))])
    with wording.raises(UsageError):
        require_completions([(0, -1, Completion("a"))])
    assert issubclass(StoreError, arena.ArenaError)


def test_no_command_asks_a_model_again(
    model: NameModel, server: Server, run: Run, wording: Wording
) -> None:
    bot = f"bot={model('first', 'temperature=0.0625')}"
    for command in (["replay"], ["explain"], ["debug", "monkey"]):
        ran = run(*command, "tictactoe/bot/monkey/1/1.1", "--player", bot)
        assert (ran.code, ran.out) == (2, "")
        wording(ran.err)
    assert not [each for each in server.said() if each.get("temperature") == 0.0625]


@pytest.mark.slow
def test_the_command_that_a_run_prints_shows_the_game(
    model: NameModel, server: Server, run: Run
) -> None:
    words = ("monkey", "-n", "3", "--seed", "1", "--record", "my answers.jsonl")
    ran = run("fight", f"bot={model('random')}", *words)
    count = server.asked()["random"]
    commands = [shlex.split(line) for line in ran.out.splitlines() if line.startswith("  arena ")]
    assert commands
    for _, *command in commands:
        shown = run(*command)
        assert shown.code == 0, shown.err
        assert "wins" in shown.out
    assert server.asked()["random"] == count
