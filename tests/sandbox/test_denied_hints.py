"""What the walls keep a player from, and the hint at it."""

from __future__ import annotations

import errno
import socket
from pathlib import Path
from urllib.error import URLError

import pytest

import arena
from arena.errors import Forfeited
from arena.player.faults import barred
from arena.sandbox.denied_hints import denied_action, remedy_of_hint, with_hint
from arena.sandbox.settings import Spec
from tests import needs
from tests.conftest import Run
from tests.golden import Wording


def failed(barred: str) -> Forfeited:
    error = Forfeited("crash", "it is gone")
    error.barred = barred
    return error


@pytest.mark.parametrize(
    ("said", "code", "found"),
    [
        ("pyenv: /bin/env: Permission denied", 126, "program"),
        ("", 127, "program"),
        ("./bot: 2: Cannot fork", 2, "program"),
        ("bash: fork: retry: Resource temporarily unavailable", 1, "program"),
        ("PermissionError: [Errno 1] Operation not permitted", 1, "call"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", 1, "file"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'x'", None, "file"),
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", 1, "write"),
        ("urllib.error.URLError: <urlopen error [Errno 101] Network is unreachable>", 1, "network"),
        ("Error: getaddrinfo EAI_AGAIN example.org", 1, "network"),
        ("a segmentation fault", -11, ""),
        ("", 1, ""),
    ],
)
def test_last_words_and_exit_codes_say_what_is_barred(
    said: str, code: int | None, found: str
) -> None:
    assert denied_action(said, code) == found


def test_an_exception_says_what_is_barred() -> None:
    assert barred(PermissionError(1, "no")) == "call"
    assert barred(PermissionError(13, "no")) == "file"
    assert barred(FileNotFoundError(2, "no")) == "file"
    assert barred(OSError(errno.EROFS, "no")) == "write"
    assert barred(RuntimeError("PermissionError: no")) == ""


def test_an_exception_says_that_there_is_no_network_whatever_wraps_it() -> None:
    refused = ConnectionRefusedError(errno.ECONNREFUSED, "no")
    wrapped = RuntimeError("the client failed")
    wrapped.__cause__ = URLError(refused)
    unknown = socket.gaierror(socket.EAI_AGAIN, "no")
    assert [barred(error) for error in (refused, wrapped, unknown)] == ["network"] * 3
    endless = RuntimeError()
    endless.__context__ = other = RuntimeError()
    other.__context__ = endless
    assert barred(endless) == ""


CALLS = """
import urllib.request
def choose(position, rng):
    return urllib.request.urlopen("http://127.0.0.1:9").read()
"""


@pytest.mark.parametrize("tier", needs.tiers("bwrap", "locked"))
def test_a_player_that_calls_a_service_reads_that_it_has_no_network(
    tmp_path: Path, tier: str, wording: Wording
) -> None:
    (tmp_path / "bot.py").write_text(CALLS)
    isolation = {"isolation": tier, "executor": "serial"}
    result = arena.fight(str(tmp_path / "bot.py"), "monkey", n=1, seed=1, **isolation)  # type: ignore[arg-type]
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message)


@pytest.mark.parametrize(
    ("barred", "tier", "is_told"),
    [
        ("program", "locked", True),
        ("program", "bwrap", False),
        ("call", "bwrap", True),
        ("write", "bwrap", True),
        ("file", "locked", True),
        ("file", "process", False),
        ("", "locked", False),
        ("anything", "bwrap", False),
    ],
)
def test_a_player_is_told_what_stops_it_where_it_is_stopped(
    barred: str, tier: str, is_told: bool, wording: Wording
) -> None:
    error = failed(barred)
    message = with_hint(error, tier, Spec("bot"))
    wording(str(message), "it is gone" + " (" * is_told)
    assert (message is error) == (not is_told)
    assert message.barred == barred


@pytest.mark.parametrize("kind", ["file", "network", "write"])
def test_a_hint_has_a_remedy_for_whoever_hands_in(kind: str) -> None:
    assert remedy_of_hint(str(with_hint(failed(kind), "bwrap", Spec("bot"))))
    assert not remedy_of_hint(str(failed(kind)))


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("bwrap", "locked"))
def test_a_check_has_the_hint_and_its_remedy(tmp_path: Path, tier: str) -> None:
    opens = "def choose(position, rng):\n    return open('weights.json')\n"
    (tmp_path / "opens.py").write_text(opens)
    report = arena.check(str(tmp_path / "opens.py"), isolation=tier)
    [finding] = [each for each in report.findings if each.check == "legal moves"]
    assert " (isolated, " in finding.message
    assert finding.remedy == remedy_of_hint(finding.message)


@pytest.mark.parametrize(
    ("file", "option"),
    [
        ("weights.json", "--readable bots/weights.json"),
        ("../data/net.npy", "--readable data/net.npy"),
        ("my weights.json", "--readable 'bots/my weights.json'"),
        ("/srv/weights.json", "--readable /srv/weights.json"),
        ("x" * 2000, "--readable"),
        ("it's", "--readable"),
    ],
)
def test_a_missing_file_has_the_option_that_lets_the_player_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, option: str
) -> None:
    monkeypatch.chdir(tmp_path)
    error = Forfeited(
        "exception", f"FileNotFoundError: {FileNotFoundError(2, 'No such file', file)}"
    )
    error.barred = "file"
    spec = Spec("bot", file=f"{tmp_path}/bots/bot.py:choose")
    assert str(with_hint(error, "bwrap", spec)).endswith(f"{option})")


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize("at_once", [True, False])
def test_the_option_of_the_message_helps(tmp_path: Path, run: Run, at_once: bool) -> None:
    bot, weights = tmp_path / "bot.py", tmp_path / "weights.json"
    weights.write_text("[4]")
    read = "json.load(open('weights.json'))"
    choose = f"def choose(position, rng):\n    moves = {'MOVES' if at_once else read}\n"
    last = "    return (moves + list(position.legal_moves()))[0]\n"
    bot.write_text(f"import json\n{f'MOVES = {read}' if at_once else ''}\n{choose}{last}")
    fight = ("fight", str(bot), "monkey", "-n", "1", "--seed", "1", "--isolation", "bwrap")
    refused = run(*fight)
    words = (refused.out + refused.err).split()
    place = words.index("--readable")
    assert words[place + 1] == f"{weights})"
    helped = run(*fight, "--readable", str(weights))
    assert "FileNotFoundError" not in helped.out + helped.err


@pytest.mark.parametrize("tier", needs.tiers("bwrap", "locked"))
def test_a_player_that_misses_a_file_reads_its_name_the_rule_and_the_remedy(
    tmp_path: Path, tier: str, wording: Wording
) -> None:
    (tmp_path / "weights.json").write_text("{}")
    (tmp_path / "bot.py").write_text(
        "def choose(position, rng):\n    return open('weights.json').read()\n"
    )
    isolation = {"isolation": tier, "executor": "serial"}
    result = arena.fight(str(tmp_path / "bot.py"), "monkey", n=1, seed=1, **isolation)  # type: ignore[arg-type]
    assert result.a.first_forfeit is not None
    wording(result.a.first_forfeit.message)
