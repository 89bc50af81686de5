"""Programs that are bad lose as the page says, and one is named in a command."""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.errors import GameFault, UsageError, VoidGame, Withdrawn
from arena.executors.endings import describe_ending
from arena.game import Outcome, Side
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.sandbox.players import program_player
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs
from tests.golden import Wording
from tests.match.games import Count
from tests.samples import few
from tests.sandbox.conftest import Make
from tests.sandbox.programs import EXAMPLES, PAGE, ROOT, play
from tests.simple import lowest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the bad programs are scripts")

SHELL = "#!/bin/sh\n"
PYTHON = "#!/usr/bin/env python3\n"

#: Waits for a question, now and whenever it is called.
ASKED = """
asked() { while read -r line; do case $line in *'"type": "move"'*) return;; esac; done; exit; }
asked
"""

LATE = (ROOT / "examples/programs/any_move.py").read_text().replace(", flush=True)", ")")
FLOOD = PYTHON + "import sys, time\nsys.stderr.write('spam\\n' * 10**6)\ntime.sleep(60)\n"

#: What a program does, the verdicts that may follow (of which the tier decides), and the message.
BAD = {
    "a banner": (SHELL + "echo Welcome\nexec sleep 60", "protocol", "wrote 'Welcome"),
    "a banner after the question": (
        SHELL + ASKED + "echo thinking; exec sleep 60",
        "protocol",
        "wrote 'thinking', which is not a JSON object: only answers belong there",
    ),
    "yes": (SHELL + "exec yes", "protocol", "wrote 'y"),
    "no flush": (LATE, "timeout", "no answer within .* s.*; is every answer flushed[?]"),
    "two answers": (
        SHELL + ASKED + """printf '{"id": 1, "move": "1"}\\n{"id": 2, "move": "2"}\\n'; asked""",
        "protocol",
        """wrote '{"id": 2, "move": "2"}' without being asked""",
    ),
    "an answer to another question": (
        SHELL + ASKED + """echo '{"id": 7, "move": "1"}'; asked""",
        "protocol",
        "answered request '7' when 1 was asked",
    ),
    "a number": (
        SHELL + ASKED + """echo '{"id": 1, "move": 1}'; asked""",
        "protocol",
        'which has no "move" that is a text',
    ),
    "no such square": (
        SHELL + ASKED + """echo '{"id": 1, "move": "10"}'; asked""",
        "illegal",
        "move '10' is not a square of tictactoe: use 1 to 9",
    ),
    "invalid UTF-8": (
        SHELL + ASKED + "printf '\\377\\376\\n'; asked",
        "protocol",
        r"wrote '\\\\xff\\\\xfe', which is not UTF-8",
    ),
    "an endless line": (
        SHELL + "exec awk 'BEGIN { while (1) printf \"aaaaaaaaaaaaaaaa\" }'",
        "protocol",
        "a line of more than 65536 bytes|wrote 'aaa",
    ),
    "half a line": (
        SHELL + ASKED + """printf '{"id": 1, "move": "1"}'; asked""",
        "timeout",
        "no answer within",
    ),
    "exit code 0": (SHELL + ASKED + "exit 0", "crash", "ended with exit code 0"),
    "exit code 3": (
        SHELL + ASKED + "echo no book >&2; exit 3",
        "crash",
        "ended with exit code 3; the last that it printed: no book",
    ),
    "SIGSEGV": (SHELL + ASKED + "kill -SEGV $$", "crash", "killed by SIGSEGV"),
    "closes its output": (SHELL + "exec sleep 60 >&-", "timeout crash", "answer|closed its output"),
    "never reads": (SHELL + "exec sleep 60", "timeout", "no answer within"),
    "stops itself": (SHELL + "kill -STOP $$; exec sleep 60", "timeout", "no answer within"),
    "floods its log": (FLOOD, "timeout", "no answer within"),
}


NEVER_BEGIN = {
    "exit code 0": (SHELL + "exit 0", "code 0"),
    "exit code 3": (
        SHELL + "echo no weights >&2; exit 3",
        "code 3; .*: no weights",
    ),
    "a missing interpreter": (
        "#!/nowhere/python\n",
        "interpreter '/nowhere/python'",
    ),
    "no program at all": ("\0", "Exec format"),
    "SIGSEGV": (SHELL + "kill -SEGV $$", "SIGSEGV"),
}


@pytest.mark.parametrize("tier", ["auto", "process"])
@pytest.mark.parametrize("what", NEVER_BEGIN)
def test_a_program_that_never_begins_is_withdrawn(
    catalogue: Catalogue, tmp_path: Path, make: Make, what: str, tier: str
) -> None:
    source, fact = NEVER_BEGIN[what]
    bot = tmp_path / "bot"
    bot.write_text(source)
    bot.chmod(0o755)
    player, monkey = make(f"cmd:{bot}", tier=tier), catalogue.player("monkey")
    for players in ((player, monkey), (monkey, player)):
        with pytest.raises(Withdrawn, match=f"^cmd:{bot} .*: .*{fact}"):
            play(catalogue.game("tictactoe"), *players)


@pytest.mark.slow
@pytest.mark.needs("python3")
def test_a_program_that_begins_late_forfeits_that_game_alone(
    catalogue: Catalogue, programs: Path, tmp_path: Path, make: Make
) -> None:
    bot = tmp_path / "bot"
    mark = tmp_path / "mark"
    fails_once = f"[ -e {mark} ] || {{ : > {mark}; exit 5; }}"
    bot.write_text(f"{SHELL}{fails_once}\nexec python3 {programs}/any_move.py")
    bot.chmod(0o755)
    player, monkey = make(f"cmd:{bot}", tier="process"), catalogue.player("monkey")
    late = play(catalogue.game("tictactoe"), player, monkey)
    assert late.forfeit is not None
    assert late.forfeit[1:3] == ("crash", describe_ending(5))
    assert play(catalogue.game("tictactoe"), player, monkey).forfeit is None


def play_soon(catalogue: Catalogue, make: Make, reasons: str) -> GameRecord:
    """Play against monkey, and wait for a player that does not answer no longer than need be."""
    game, monkey = catalogue.game("tictactoe"), catalogue.player("monkey")
    for seconds in (0.2, 1.0) if "timeout" in reasons else ():
        with suppress(VoidGame):
            return play(game, make(move_time=seconds, import_time=seconds), monkey)
    return play(game, make(), monkey)


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["auto", "process"])
@pytest.mark.parametrize("what", few(BAD, 9))
def test_bad_programs_lose_for_a_reason_that_helps(
    catalogue: Catalogue, tmp_path: Path, make: Make, what: str, tier: str
) -> None:
    source, reasons, message = BAD[what]
    if "env python3" in source:
        needs.require("python3")
    bot = tmp_path / "bot"
    bot.write_text(source)
    bot.chmod(0o755)
    record = play_soon(catalogue, lambda **limits: make(f"cmd:{bot}", tier=tier, **limits), reasons)
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None
    assert record.forfeit.side is Side.FIRST
    assert record.forfeit.reason in reasons.split()
    assert re.search(message.replace("{", "[{]"), record.forfeit.message), record.forfeit.message


@pytest.mark.needs("python3")
def test_every_verdict_that_a_program_gets_is_on_the_page(
    catalogue: Catalogue, programs: Path, make: Make, wording: Wording
) -> None:
    slow = make(EXAMPLES["any_move.py"], move_time=5.0, import_time=5.0, game_time=0.001)
    record = play(catalogue.game("tictactoe"), slow, catalogue.player("monkey"))
    assert record.forfeit is not None
    assert record.forfeit.reason == "budget"
    wording(record.forfeit.message, " 0.001 s ")
    explained = PAGE.read_text().split("## What loses a game")[1].split("\n## ")[0]
    verdicts = {reason for _, reasons, _ in BAD.values() for reason in reasons.split()}
    assert set(re.findall(r"^\| `(\w+)`", explained, re.MULTILINE)) == verdicts | {
        "budget",
        "memory",
    }


@pytest.mark.needs("python3")
def test_lines_may_end_as_windows_ends_them(
    catalogue: Catalogue, programs: Path, make: Make, tmp_path: Path
) -> None:
    bot = tmp_path / "bot"
    bot.write_text((programs / "any_move.py").read_text().replace("flush=", 'end="\\r\\n", flush='))
    bot.chmod(0o755)
    game, monkey = catalogue.game("tictactoe"), catalogue.player("monkey")
    with_cr, without = make(f"cmd:{bot}"), make("cmd:./any_move.py")
    assert play(game, with_cr, monkey) == play(game, without, monkey)


@pytest.mark.needs("python3")
def test_a_game_that_refuses_a_legal_move_of_a_program_is_at_fault(
    programs: Path, make: Make, wording: Wording
) -> None:
    bot = make("cmd:./any_move.py")
    assert play(Count(), bot, PlayerInfo("lowest", lowest)).outcome is Outcome.DRAW
    with wording.raises(GameFault, match="'2'"):
        play(Count("play refuses", 2), bot, PlayerInfo("lowest", lowest))


@pytest.mark.parametrize(
    "name",
    [
        "cmd:./missing",
        "cmd:./plain.txt",
        "cmd:leo.sh -q",
        "cmd:",
        "cmd:./bot 'unfinished",
    ],
)
def test_what_is_no_program_is_no_player(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, name: str, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.txt").touch()
    (tmp_path / "leo.sh").touch(0o755)
    with wording.raises(UsageError):
        program_player(name, PlayerLimits(), COMMAND)
    code, out, err = run("fight", name, "monkey")
    assert (code, out) == (2, "")
    assert err.startswith("arena: player ")
    wording(err)


@pytest.mark.parametrize("options", [["-j", "1"], ["--isolation", "process"]])
@pytest.mark.needs("node")
def test_a_fight_by_command(programs: Path, run: Any, options: list[str]) -> None:
    fight = ["fight", "cmd:node shadow.js", "monkey", "-n", "4", "--seed", "1", "--format", "json"]
    code, out, err = run(*fight, *options)
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["players"] == ["cmd:node shadow.js", "monkey"]
    assert result["forfeits"] == {"cmd:node shadow.js": {}, "monkey": {}}
    assert result["total"] == {"wins": 2, "draws": 1, "losses": 5}
    code, out, _ = run("replay", result["first_lost"]["monkey"])
    assert code == 0
    assert out.endswith("\ncmd:node shadow.js wins\n")


@pytest.mark.slow
def test_a_forfeit_by_command(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    bot = tmp_path / "bot"
    bot.write_text(SHELL + "echo no weights >&2; exit 3")
    bot.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("fight", "cmd:./bot", "monkey", "-n", "2", "--seed", "1")
    problem = "ended with exit code 3; the last that it printed: no weights"
    assert (code, err.count("\n")) == (4, 1)
    wording.line(out, problem)
    assert "forfeit" not in out
    assert out.endswith("\nnot played: 4 games\n")
    bot.write_text(SHELL + ASKED + "echo no book >&2; exit 3")
    code, out, err = run("fight", "cmd:./bot", "monkey", "-n", "2", "--seed", "1")
    assert (code, err.count("\n")) == (4, 1)
    wording.line(out, "(crash 4)")
    assert " code 3; " in out


@pytest.mark.parametrize(
    "command",
    [
        "fight",
        *(pytest.param(c, marks=pytest.mark.slow) for c in ("fight --sprt", "tournament triples")),
    ],
)
def test_who_is_withdrawn_is_named_and_no_game_is_dropped(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, command: str, wording: Wording
) -> None:
    (tmp_path / "bot").write_text(SHELL + "exit 3")
    (tmp_path / "bot").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    words = [*command.split(), "cmd:./bot", "monkey", "-n", "6", "--seed", "1"]
    results = [run(*words, "-j", n, "--format", "json") for n in ("1", "2")]
    assert results[0] == results[1]  # whoever finds out first
    code, out, err = results[0]
    assert code == 4
    wording(err, "./bot")
    fights = json.loads(out).get("fights", [json.loads(out)])
    for fight in fights:
        played = fight["games"] + fight["void"] + fight["not_played"]
        assert played == 2 * fight["planned_pairs"] == 12
        assert fight["games"] == (0 if "cmd:./bot" in fight["players"] else 12)
        assert fight["withdrawn"].get("cmd:./bot") in (None, describe_ending(3))
        assert not any(fight["forfeits"].values())
    ran = run(*words, "--store", "S", "--format", "json")
    assert ran == (code, out, err)
    assert run("show", "--store", "S", "--format", "json")[1] == out
    assert run("verify", "S")[0] == 0
    (tmp_path / "bot").write_text(SHELL + "exit 4")
    results = run("resume", "S", "--changed-players", "keep", "--format", "json")
    assert results == tuple(t.replace("code 3", "code 4") if t != 4 else 4 for t in results)
    assert "exit code 4" in results[1]
    assert run("show", "--store", "S", "--format", "json")[1] == results[1]
