"""Suggest a name only where it is alike enough, and describe an error on one line."""

from __future__ import annotations

import pytest

from arena.errors import describe, did_you_mean
from tests.golden import Wording

COMMANDS = ["fight", "tournament", "resume", "exact", "certify", "check", "regress", "history"]
GAMES = ["tictactoe", "tictactoe-{n}", "mnk-{m}-{n}-{k}", "connect4", "Othello"]


@pytest.mark.parametrize(
    ("name", "known", "nearest"),
    [
        ("figth", COMMANDS, "fight"),
        ("chekc", COMMANDS, "check"),
        ("resum", COMMANDS, "resume"),
        ("MNK-3-3", GAMES, "mnk-{m}-{n}-{k}"),
        ("mnk-12-12-5-5", GAMES, "mnk-{m}-{n}-{k}"),
        ("tictactoe_5", GAMES, "tictactoe-{n}"),
        ("OTELO", GAMES, "Othello"),
        ("jsn", ["json", "csv"], "json"),
    ],
)
def test_the_nearest_name_is_suggested(name: str, known: list[str], nearest: str) -> None:
    assert f" {nearest!r}" in did_you_mean(name, known)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("chess", GAMES),
        ("go", GAMES),
        ("light-year", COMMANDS),
        ("stride", COMMANDS),
        ("", COMMANDS),
        ("-" * 100_000, COMMANDS),
        ("fight", []),
    ],
)
def test_nothing_is_suggested_where_nothing_is_alike(name: str, known: list[str]) -> None:
    assert did_you_mean(name, known) == ""


def test_what_all_names_begin_with_is_no_likeness(wording: Wording) -> None:
    known = ["arena_add_command", "arena_register_games"]
    assert did_you_mean("arena_game_end", known, "arena_") == ""
    wording(did_you_mean("arena_ad_comand", known, "arena_"), "'arena_add_command'")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("one\ntwo"), "ValueError: one"),
        (ValueError("  \n one"), "ValueError: one"),
        (KeyError("k"), "KeyError: 'k'"),
        (SystemExit(), "SystemExit"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_an_error_is_described_on_one_line(error: BaseException, text: str) -> None:
    assert describe(error) == text
