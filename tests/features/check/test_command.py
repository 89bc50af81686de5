"""``arena check``, as its user sees it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.features.check.remedies import REMEDIES
from tests.golden import Wording
from tests.processes import ended
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

#: Loaded here, where it can be looked on.
HERE = ("--isolation", "none")
FAST = ("--seed", "1", "--positions", "30", *HERE)


def a_bot(folder: Path, body: str, head: str = "") -> str:
    bot = folder / "bot.py"
    bot.write_text(f"import os, random, time\n{head}\ndef choose(position, rng):\n    {body}\n")
    return str(bot)


@pytest.mark.slow
def test_the_exit_code_says_whether_a_player_conforms(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    good = a_bot(tmp_path, "return rng.choice(position.legal_moves())")
    ran = run("check", good, *FAST)
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[0], f"{good}")
    bad = tmp_path / "bad"
    bad.mkdir()
    ran = run("check", a_bot(bad, "return 4"), *FAST)
    assert (ran.code, ran.err) == (1, "")
    wording.line(ran.out, "choose returned 4")
    assert f"  arena move {bad}/bot.py " in ran.out


def test_a_game_is_checked_by_its_name(run: Run, wording: Wording) -> None:
    ran = run("check", "game", "mnk-3-2-2", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[0], "mnk-3-2-2")
    wording(ran.out.splitlines()[-1], "129", "seed 1")


def test_the_histories_that_a_game_is_followed_for_are_an_option(
    run: Run, wording: Wording
) -> None:
    ran = run("check", "game", "kuhn", "--seed", "1", "--histories", "20")
    assert (ran.code, ran.err) == (0, "")
    wording.line(ran.out, "histories", "40")


GAMELESS = (
    "class P(arena.Position):\n"
    "    game = ply = 0\n"
    "    legal_moves = play = outcome = picture = __str__ = lambda *_: 1 / 0\n"
    "class G(arena.Game):\n"
    "    name, max_plies, start = 'g', 1, lambda self: P()\n"
    "    parse = format_move = parse_move = lambda *_: 1\n"
    "@arena.hookimpl\n"
    "def arena_register_games(register):\n"
    "    register('g', G)\n"
)


def test_a_game_that_does_not_work_is_told_where(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    plugin = tmp_path / "g.py"
    plugin.write_text(f"import arena\n{GAMELESS}")
    ran = run("-p", str(plugin), "check", "game", "g", "--seed", "1")
    assert (ran.code, ran.err) == (1, "")
    wording.line(ran.out, "ZeroDivisionError", "g.py:4")


@pytest.mark.parametrize(
    "words",
    [
        ("game",),
        ("game", "nim", "--time"),
        ("game", "nim", "--positions", "9"),
        ("monkey", "nim"),
        ("game", "nimm"),
        ("monkey", "--histories", "9"),
        ("game", "kuhn", "--histories", "0"),
    ],
)
def test_what_a_check_of_a_game_cannot_take_is_said(
    run: Run, words: tuple[str, ...], wording: Wording
) -> None:
    ran = run("check", *words)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def levels(record: dict[str, Any]) -> dict[str, str]:
    return {finding["check"]: finding["level"] for finding in record["findings"]}


@pytest.mark.slow
def test_a_file_is_checked_apart_and_looked_at_there(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    name = a_bot(tmp_path, "random.random(); print('hm'); return position.legal_moves()[0]")
    apart = ("check", name, *FAST[:4], "--format", "json")
    record = {t: json.loads(run(*apart, "--isolation", t).out) for t in ("process", "none")}
    seen = {"position": "pass", "global random": "fail", "plain ints": "pass", "output": "warning"}
    assert seen.items() <= levels(record["process"]).items()
    assert levels(record["process"]) == levels(record["none"])
    bad = a_bot(tmp_path, "os._exit(3)")
    ran = run("check", bad, *FAST[:4], "--isolation", "process")
    assert ran.code == 1
    assert " code 3" in ran.out
    bad = str(tmp_path / "broken.py")
    Path(bad).write_text("1 / 0\n")
    for tier in ("process", "none"):
        ran = run("check", bad, *FAST[:4], "--isolation", tier)
        assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
        assert "ZeroDivisionError in line 1" in ran.err


@pytest.mark.slow
def test_the_turns_of_a_program_are_counted(run: Run, tmp_path: Path) -> None:
    program = Path(__file__).parents[3] / "examples" / "programs" / "any_move.py"
    name = f"cmd:python3 {program}"
    ran = run("check", name, "--seed", "1", "--positions", "20", "--time", "--format", "json")
    findings = {f["check"]: f["message"] for f in json.loads(ran.out)["findings"]}
    turns = findings["legal moves"].removeprefix("at all ").partition(" ")[0]
    assert int(turns) > 0
    assert "us a move" in findings["time"]


#: Players with findings, each of which comes with a command.
SHOWN = [
    "return None",
    "print('hm'); return position.legal_moves()[0] + 1",
    "return position.legal_moves()[0] if rng.random() < 0.9 else 99",
    "return position.legal_moves()[0] if rng.random() < 0.999 else 99",
    "return random.choice(position.legal_moves())",
    "vars(position.game)['k'] = 2; return position.legal_moves()[0]",
    "return int(next(iter({str(move) for move in position.legal_moves()})))",
    "SEEN.append(1); return position.legal_moves()[len(SEEN) % len(position.legal_moves())]",
    "os._exit(3) if position.ply == 7 else None; return position.legal_moves()[0]",
]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")
@pytest.mark.parametrize("body", SHOWN)
@pytest.mark.parametrize("tier", ["process", "none"])
def test_a_reproduction_is_a_command_that_shows_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, tier: str
) -> None:
    monkeypatch.chdir(tmp_path)
    a_bot(tmp_path, body, "SEEN = []")
    options = ("--seed", "1", "--positions", "400", "--isolation", tier, "--format", "json")
    record = json.loads(run("check", "./bot.py", *options).out)
    findings = [f for f in record["findings"] if f["level"] in ("fail", "warning")]
    assert findings
    for finding in findings:
        program, *words = shlex.split(finding["reproduction"])
        assert (program, words[1]) == ("arena", "./bot.py")
        assert words[0] in ("move", "check")
        ran = run(*words, "--format", "json")
        if words[0] == "check":  # all of it, as a single question does not show it
            again = {f["check"]: f["message"] for f in json.loads(ran.out)["findings"]}
            assert again[finding["check"]] == finding["message"]
        elif finding["check"] == "same seed":
            assert ran.code == 1
            assert len(json.loads(ran.out)["moves"]) > 1
        else:
            shown = json.loads(ran.out)
            assert ran.code == (4 if shown["faults"] else 0)
            what = finding["message"].partition(";")[0]
            for remedy in REMEDIES.values():  # the command shows what happens, not what to write
                what = what.partition(f". {remedy.partition(';')[0]}")[0]
            if tier == "process":  # else what it says of a fault may be worded otherwise
                messages = [*shown["faults"], *shown["noticed"]]
                assert any(text.startswith(what) for text in messages)
            assert shown["faults"] or what in shown["noticed"]


def test_a_position_is_asked_about_again(run: Run, tmp_path: Path, wording: Wording) -> None:
    name = a_bot(tmp_path, "return position.legal_moves()[0]")
    again = ("move", name, "_x_______", "--repeat", "3", *FAST[:2], *HERE)
    code, out, err = run(*again)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"{name} at _x_______, seed 1:"
    wording(out.splitlines()[-1])
    code, out, _ = run(*again, "--format", "csv")
    assert out.splitlines()[1:] == [f"{name},_x_______,1,3"]
    code, out, err = run("move", name, "-", "--seed", "1")
    assert (code, out) == (2, "")
    wording(err, "--seed", "--repeat")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(run: Run, wording: Wording) -> None:
    plain = run("check", "tictactoe2", *FAST, "--format", "json").out
    timed = json.loads(run("check", "tictactoe2", *FAST, "--format", "json", "--time").out)
    last = timed["findings"].pop()
    assert (last["check"], last["level"]) == ("time", "info")
    assert "99th percentile" in last["message"]
    assert timed == json.loads(plain)
    wording(timed["extent"], "30", "10")


@pytest.mark.parametrize(
    "source",
    [
        "def choose(position, rng)\n    pass",
        "1 / 0",
        "import os\nos._exit(0)",
        "class Bot:\n    def start(self, *_): raise OSError('no book')\n"
        "    def choose(self, position): return 0\n"
        "    def observe(self, move): pass\n    def finish(self, outcome): pass\n",
    ],
)
def test_a_player_that_cannot_be_loaded_or_started_is_a_fault(
    run: Run, tmp_path: Path, source: str, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    ran = run("check", str(bot), *FAST)
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.count("\n") == 1
    wording(ran.err)


@pytest.mark.parametrize(
    "argv",
    [
        ("check", "monke"),
        ("check", "./missing.py"),
        ("check", "triples", "--game", "connect4"),
        ("check", "monkey", "--positions", "0"),
    ],
)
def test_a_mistake_is_one_line(run: Run, argv: tuple[str, ...], wording: Wording) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.slow
def test_what_ends_the_process_or_hangs_is_a_finding(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    ran = run("check", a_bot(tmp_path, "os.kill(os.getpid(), 9)"), *FAST)
    assert (ran.code, ran.err) == (1, "")
    assert "SIGKILL" in ran.out
    slow = tmp_path / "slow"
    slow.mkdir()
    ran = run("check", a_bot(slow, "time.sleep(60)"), *FAST, "--patience", "1")
    assert (ran.code, ran.err) == (1, "")
    assert " 1 s" in ran.out


def test_what_a_player_prints_is_a_warning_and_not_the_output(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    name = a_bot(tmp_path, "print('hm'); return position.legal_moves()[0]")
    ran = run("check", name, *FAST, "--format", "json")
    record = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert record["conforms"] is True
    warnings = [f["message"] for f in record["findings"] if f["level"] == "warning"]
    [warning] = warnings
    wording(warning, "'hm'", "_________")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals")
def test_an_interrupt_ends_the_check(tmp_path: Path) -> None:
    log = tmp_path / "asked"
    name = a_bot(tmp_path, f"open({str(log)!r}, 'w').close(); time.sleep(60)")
    code = "import sys; from arena.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "check", name, *FAST]
    with ended(subprocess.Popen(command, stderr=subprocess.PIPE, text=True)) as process:
        for _ in range(1000):
            if log.exists():
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "arena: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("import os; os._exit(3)", " code 3 at _________"),
        ("while True: pass", " 0.3 s"),
    ],
)
def test_a_lost_process_is_the_end_of_the_check(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, found: str
) -> None:
    monkeypatch.setattr("arena.sandbox.process._require_processor", lambda *_: None)  # it is busy
    options = (*FAST, "--isolation", "process", "--move-time", "0.3", "--format", "json")
    ran = run("check", a_bot(tmp_path, body), *options)
    kind, process = json.loads(ran.out)["findings"]
    assert (ran.code, kind["level"], process["level"]) == (1, "pass", "fail")
    assert found in process["message"]
    assert process["reproduction"].endswith("--move-time 0.3")


FAILURES = {
    "return None": "choose returned None: a branch without return? at _________",
    "return (1, 2)": "choose returned (1, 2), which is not an int at _________. position",
    "raise ValueError('no book')": "it raises ValueError: no book (bot.py:4 in choose: ",
    "return position.legal_moves()[0] + 1": "choose returned 1, a taken square; the legal moves",
}


@pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")
@pytest.mark.parametrize("body", few(FAILURES, 2))
def test_a_failure_costs_no_process(run: Run, tmp_path: Path, body: str, wording: Wording) -> None:
    """Or a player that always fails would be asked for many minutes."""
    starts = tmp_path / "starts"
    bot = a_bot(tmp_path, body, f"open({str(starts)!r}, 'a').write('.')")
    options = ("--seed", "1", "--positions", "300", "--isolation", "process", "--format", "json")
    code, out, err = run("check", bot, *options)
    assert (code, err) == (1, "")
    record = json.loads(out)
    findings = {finding["check"]: finding for finding in record["findings"]}
    assert findings["legal moves"]["message"].startswith(FAILURES[body])
    often = re.search(r"; it fails at (\d+) of 300 positions$", findings["legal moves"]["message"])
    assert often is not None
    wording(record["extent"], "300")
    assert len(starts.read_text()) <= 4
    if int(often[1]) == 300:
        assert len(starts.read_text()) == 2
        names = {"position", "plain ints", "output", "same seed", "stateless", "fresh process"}
        [message] = {findings[name]["message"] for name in names}
        wording([message, findings["process"]["message"]])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")
def test_who_fails_seldom_is_asked_everything(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the games under a seed go by the name of the file
    body = "return position.legal_moves()[0] if str(position) != 'xo__' else None"
    words = ("--isolation", "process", "--game", "mnk-2-2-2", "--seed", "1", "--format", "json")
    a_bot(tmp_path, body)
    code, out, _ = run("check", "./bot.py", *words)
    assert code == 1
    record = {finding["check"]: finding["level"] for finding in json.loads(out)["findings"]}
    assert record["legal moves"] == "fail"
    assert "the rest" not in record
    assert record["fresh process"] == "pass"


@pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")
def test_a_program_that_fails_in_every_game_is_asked_no_more(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nread -r question\nread -r question\necho nonsense\n")
    bot.chmod(0o755)
    code, out, _ = run("check", f"cmd:{bot}", "--format", "json")
    assert code == 1
    (legal,) = [f for f in json.loads(out)["findings"] if f["check"] == "legal moves"]
    wording(legal["message"], "224")


def test_a_finding_about_a_program_is_reproduced(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nwhile read line; do echo hm; done\n")
    bot.chmod(0o755)
    options = ("--isolation", "process", "--import-time", "20", "--format", "json")
    record = json.loads(run("check", f"cmd:{bot}", *FAST, *options).out)
    failure = next(f for f in record["findings"] if f["level"] == "fail")
    words = shlex.split(failure["reproduction"])
    assert words[:2] == ["arena", "replay"]
    assert words[3:] == ["--import-time", "20"]
    wording.line(run(*words[1:]).out, "JSON")
