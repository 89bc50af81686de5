"""Files that are not players: each is refused in one line that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.errors import PlayerFileError
from arena.player_file import load_file_player
from tests.golden import Wording
from tests.player_file.files import LOWEST, Write, first_move, refusal


@pytest.mark.parametrize("name", ["./bot.py", "nowhere/bot.py", "bot.py:choose", "./bot.py:"])
def test_a_file_that_is_missing(write: Write, name: str, wording: Wording) -> None:
    wording(refusal(name))


def test_a_file_name_that_is_too_long_for_any_file(write: Write) -> None:
    with pytest.raises(PlayerFileError):
        load_file_player(f"./{'b' * 300}.py")


def test_a_directory(write: Write, tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "bot.py").mkdir()
    wording([refusal("./bot.py"), refusal("./")])


def test_a_directory_with_players_leads_to_one(
    write: Write, tmp_path: Path, wording: Wording
) -> None:
    write("fold/bot.py", "def choose(position, rng):\n    return 0\n")
    write("fold/_part.py", "")
    wording(refusal("./fold"), "'./fold/bot.py'")
    write("fold/a.py", "")
    wording(refusal("./fold"), "'./fold/a.py'")


def test_a_file_that_is_no_python_file(write: Write, wording: Wording) -> None:
    write("bot.rkt", "(define (choose position) 0)")
    wording(refusal("./bot.rkt"), "cmd:racket bot.rkt")


def test_a_syntax_error_is_told_with_its_line(write: Write, wording: Wording) -> None:
    write("bot.py", "\n\ndef choose(position, rng)\n    return 0\n")
    wording(refusal("./bot.py"), "SyntaxError", "':'")


def test_a_file_that_is_no_text(write: Write, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_bytes(b"\x80\x81\xff\n")
    assert refusal("./bot.py").startswith("SyntaxError")


def test_what_a_file_raises_is_told_with_the_line_it_comes_from(write: Write) -> None:
    write(
        "bot.py",
        """\
        import random
        def broken():
            random.choice([])
        broken()
        """,
    )
    assert refusal("./bot.py").startswith("IndexError in line 3: ")


def test_an_error_in_a_module_of_the_same_name_is_not_the_players(
    write: Write,
) -> None:
    write("random.py", "import random\nrandom.choice([])\n")
    assert refusal("./random.py").startswith("IndexError in line 2: ")


def test_a_syntax_error_in_an_imported_module_is_not_the_players(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("lib/arena_test_broken.py", "\n" * 40 + "1 +\n")
    write("bot.py", "import arena_test_broken\n")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    assert "line 41" not in refusal("./bot.py")


def test_only_the_first_line_of_an_error_is_told(write: Write, wording: Wording) -> None:
    write("bot.py", "raise ValueError('one\\ntwo')\n")
    wording(refusal("./bot.py"), "ValueError")
    write("bot2.py", "raise SyntaxError('one\\ntwo')\n")
    assert refusal("./bot2.py").partition(": ")[2] == "one"


def test_an_error_without_a_message(write: Write) -> None:
    write("bot.py", "raise KeyError\n")
    assert refusal("./bot.py") == "KeyError in line 1"


def test_a_module_that_is_not_installed(write: Write, wording: Wording) -> None:
    write("bot.py", "\nimport arena_test_no_such_module\n")
    wording(
        refusal("./bot.py"),
        "ModuleNotFoundError",
        "'arena_test_no_such_module'",
        "arena_test_no_such_module",
    )


@pytest.mark.parametrize("statement", ["raise SystemExit('bye')", "import sys; sys.exit('bye')"])
def test_a_file_that_exits_ends_nothing_but_its_own_loading(
    write: Write, statement: str, wording: Wording
) -> None:
    write("bot.py", f"def choose(position, rng): ...\n{statement}\n")
    wording(refusal("./bot.py"))


def test_a_file_that_raises_what_is_no_exception(write: Write, wording: Wording) -> None:
    write("bot.py", "import asyncio\nraise asyncio.CancelledError('stop')\n")
    wording(refusal("./bot.py"), "CancelledError")


def test_an_interrupt_while_a_file_loads_leaves_no_half_of_it(
    write: Write,
) -> None:
    write("bot.py", f"raise KeyboardInterrupt\n{LOWEST}")
    with pytest.raises(KeyboardInterrupt):
        load_file_player("./bot.py")
    with pytest.raises(KeyboardInterrupt):
        load_file_player("./bot.py")


def test_a_file_that_failed_is_read_again_when_it_is_mended(write: Write) -> None:
    write("bot.py", "1 / 0\n")
    assert refusal("./bot.py").startswith("ZeroDivisionError")
    write("bot.py", LOWEST + "\n# mended\n")
    assert first_move(load_file_player("./bot.py")) == 0


def test_a_function_that_is_not_a_player_is_told_with_its_line(
    write: Write, wording: Wording
) -> None:
    write("bot.py", "\n\ndef choose(position):\n    return 0\n")
    wording(refusal("./bot.py"))


def test_a_class_whose_method_cannot_be_called_is_told_with_its_line(
    write: Write, wording: Wording
) -> None:
    write(
        "bot.py",
        """\
        class Bot:
            def start(self, game, side, rng): ...
            def choose(self, position, rng): ...
            def observe(self, move): ...
            def finish(self, outcome): ...
        """,
    )
    wording(refusal("./bot.py"))


def test_a_class_that_cannot_be_shown_the_clocks_is_told_with_its_line(
    write: Write, wording: Wording
) -> None:
    write(
        "bot.py",
        """\
        class Bot:
            def start(self, game, side, rng): ...
            def choose(self, position): ...
            def see_clocks(self): ...
        """,
    )
    wording(refusal("./bot.py"), "see_clocks")


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_file_that_cannot_be_called_plays_no_game(
    write: Write, isolation: str, wording: Wording
) -> None:
    write("bot.py", "def choose(position):\n    return 0\n")
    with wording.raises(PlayerFileError):
        arena.fight("./bot.py", "monkey", n=1000, isolation=isolation)
    table = arena.tournament(["./bot.py", "monkey", "triples"], n=1, isolation=isolation)
    assert sum(fight.total.games for fight in table.fights) == 2
    assert not any(own.forfeits for fight in table.fights for own in fight.both)


@pytest.mark.parametrize("text", ["", "x = 1\n", "from random import choice\n", "def _f(): ...\n"])
def test_a_file_without_a_public_function(write: Write, text: str, wording: Wording) -> None:
    write("bot.py", text)
    wording(refusal("./bot.py"))


def test_a_file_with_several_functions_and_no_choose_names_them_all(
    write: Write, wording: Wording
) -> None:
    write("bot.py", "def one(p, r): ...\ndef two(p, r): ...\ndef _three(p, r): ...\n")
    wording(refusal("./bot.py"), "./bot.py")


BOT = "class Bot:\n def start(self, g, s, r): ...\n def choose(self, p): return 0\n"


@pytest.mark.parametrize(
    "helper",
    ["class Helper: ...\n", "def helper(board): ...\n", "def helper(board, player): ...\n"],
)
def test_the_only_class_that_can_play_is_the_player(write: Write, helper: str) -> None:
    write("bot.py", helper + BOT)
    assert load_file_player("./bot.py").player.__name__ == "Bot"


def test_the_only_function_that_can_play_is_the_player(write: Write) -> None:
    write("bot.py", "def helper(board): ...\nclass Helper: ...\ndef play(position, rng): ...\n")
    assert load_file_player("./bot.py").player.__name__ == "play"


def test_a_class_that_can_play_is_the_example(write: Write, wording: Wording) -> None:
    write("bot.py", "class Helper: ...\n" + BOT + BOT.replace("Bot", "Other"))
    wording(refusal("./bot.py"), "./bot.py")


def test_a_misspelt_function_gets_the_nearest_one(write: Write, wording: Wording) -> None:
    write("bot.py", "def careful(p, r): ...\ndef wild(p, r): ...\n")
    wording(refusal("./bot.py:carefull"), "'carefull'", "'careful'")
    wording(refusal("./bot.py:zzz"), "'zzz'")


def test_a_name_in_the_file_that_is_no_function(write: Write, wording: Wording) -> None:
    write("bot.py", "choice = 3\n")
    wording(refusal("./bot.py:choice"), "'choice'")
