"""What the walls keep a player from, and the hint at it."""

from __future__ import annotations

import pytest

from arena.errors import Forfeited
from arena.player.faults import barred
from arena.sandbox.denied_hints import denied_action, with_hint


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
    told = with_hint(error, tier)
    assert str(told).startswith(f"it is gone{hint}")
    assert (told is error) == (not hint)
    assert told.barred == barred
