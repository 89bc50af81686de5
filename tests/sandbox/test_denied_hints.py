"""What the walls keep a player from, and the hint at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import Forfeited
from arena.player.faults import barred
from arena.sandbox.denied_hints import denied_action, with_hint
from arena.sandbox.settings import Spec
from tests.conftest import Run


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
    assert barred(RuntimeError("PermissionError: no")) == ""


@pytest.mark.parametrize(
    ("barred", "tier", "hint"),
    [
        ("program", "locked", " (in tier locked a program starts no others: name the interpreter"),
        ("program", "bwrap", ""),
        ("call", "bwrap", " (isolated, it may not do this)"),
        ("file", "locked", " (isolated, it reads only its own files: see --readable)"),
        ("file", "process", ""),
        ("", "locked", ""),
        ("anything", "bwrap", ""),
    ],
)
def test_a_player_is_told_what_stops_it_where_it_is_stopped(
    barred: str, tier: str, hint: str
) -> None:
    error = failed(barred)
    told = with_hint(error, tier, Spec("bot"))
    assert str(told).startswith(f"it is gone{hint}")
    assert (told is error) == (not hint)
    assert told.barred == barred


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
    assert str(with_hint(error, "bwrap", spec)).endswith(f"see {option})")


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
