"""Players in files: ``./bot.py`` and ``./bot.py:function``."""

from __future__ import annotations

import json
import pickle
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

import arena
from arena.errors import PlayerFileError
from arena.player.names import names_a_file
from arena.player_file import load_file_player
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from tests.samples import few

BOTS = Path(__file__).parents[2] / "examples" / "bots"

LOWEST = """
def choose(position, rng):
    '''The lowest free square.

    More about it.
    '''
    return position.legal_moves()[0]
"""
HIGHEST = LOWEST.replace("[0]", "[-1]").replace("lowest", "highest")

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a file into a folder that is the current one; its modules are forgotten afterwards."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield write_file
    for name in set(sys.modules) - before:
        if name.startswith("arena_file_"):
            del sys.modules[name]


def refusal(name: str) -> str:
    """The message with which a player's file is refused: always one line that names the file."""
    with pytest.raises(PlayerFileError) as caught:
        load_file_player(name)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"player {name!r}: ")
    assert caught.value.exit_code == 2
    return message.removeprefix(f"player {name!r}: ")


def first_move(info: arena.PlayerInfo) -> object:
    """What a simple player does on the empty board."""
    return info.player(arena.get_game("tictactoe").start(), random.Random(1))


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["./bot.py", "bot.py", "bots/bot", "bot.py:f", "./bot.py:f", "/a/b.py", "../b.py:f"]
)
def test_a_name_with_a_slash_or_ending_in_py_is_a_file(name: str) -> None:
    assert names_a_file(name)


@pytest.mark.parametrize("name", ["monkey", "monkey:choose", "py", "bot.pyx", "cmd:bot", ""])
def test_any_other_name_is_not_a_file(name: str) -> None:
    assert not names_a_file(name)


def test_the_catalogue_takes_a_file_for_a_player_without_any_plugin(write: Write) -> None:
    write("bot.py", LOWEST)
    assert Catalogue().player("./bot.py").name == "./bot.py"


# -- what is found -----------------------------------------------------------------------------


def test_the_function_choose_is_the_player_though_there_are_others(write: Write) -> None:
    write("bot.py", LOWEST + "def other(position, rng):\n    return 5\n")
    assert first_move(load_file_player("./bot.py")) == 0


def test_the_only_public_function_is_the_player_whatever_it_is_called(write: Write) -> None:
    write(
        "bot.py",
        """
        from random import choice  # imported, so no candidate

        def _helper():
            return 7

        def seventh(position, rng):
            return _helper()
        """,
    )
    assert first_move(load_file_player("./bot.py")) == 7


BATCH = """
def choose_batch(positions, rng):
    '''The lowest free squares.'''
    return positions.legal.argmax(axis=1)
"""


def test_a_choose_may_have_a_choose_batch_beside_it(write: Write) -> None:
    write("bot.py", HIGHEST + BATCH + "def other(position, rng):\n    return 5\n")
    for name in ("./bot.py", "./bot.py:choose"):
        info = load_file_player(name)
        assert info.choose_batch is not None
        assert (first_move(info), info.summary) == (8, "The highest free square.")
        assert pickle.loads(pickle.dumps(info)).choose_batch is not None
    assert load_file_player("./bot.py:other").choose_batch is None
    write("keeps.py", "import arena\nclass choose(arena.StatefulPlayer): ...\n" + BATCH)
    assert load_file_player("./keeps.py").choose_batch is None


def test_a_choose_batch_alone_is_a_player(write: Write) -> None:
    write("bot.py", BATCH + "def other(position, rng):\n    return 5\n")
    for name in ("./bot.py", "./bot.py:choose_batch"):
        info = load_file_player(name)
        assert info.choose_batch is not None
        assert info.fresh is not None
        assert (first_move(info), info.summary) == (0, "The lowest free squares.")
        assert info.fresh()(arena.get_game("tictactoe").start().play(0), random.Random(1)) == 1


def test_a_choose_batch_with_other_parameters_is_refused(write: Write) -> None:
    write("bot.py", LOWEST + "def choose_batch(positions):\n    return 1\n")
    assert "choose_batch(positions) in line" in refusal("./bot.py")


def test_a_named_function_is_the_player_though_there_is_a_choose(write: Write) -> None:
    write("bot.py", LOWEST + "def _secret(position, rng):\n    return 5\n")
    assert first_move(load_file_player("./bot.py:_secret")) == 5
    assert first_move(load_file_player("./bot.py:choose")) == 0


def test_a_named_function_may_come_from_elsewhere(write: Write) -> None:
    write("bot.py", "from arena.players.monkey import choose as any_move\n")
    assert first_move(load_file_player("./bot.py:any_move")) in range(9)


def test_an_imported_choose_is_the_player(write: Write) -> None:
    write("bot.py", "from arena.players.monkey import choose\n")
    assert first_move(load_file_player("./bot.py")) in range(9)


def test_a_callable_object_named_choose_is_a_simple_player(write: Write) -> None:
    write(
        "bot.py",
        """
        class Bot:
            def __call__(self, position, rng):
                return 3

        choose = Bot()
        """,
    )
    info = load_file_player("./bot.py")
    assert info.stateless
    assert first_move(info) == 3


def test_the_player_is_known_by_the_name_it_was_asked_for_by(write: Write) -> None:
    write("bot.py", LOWEST)
    info = load_file_player("./bot.py:choose")
    assert info.name == "./bot.py:choose"
    assert info.file.endswith("bot.py:choose")
    assert info.summary == "The lowest free square."
    assert (info.package, info.version) == ("", "")


@pytest.mark.parametrize("suffix", ["", ":choose"])
def test_a_path_may_be_relative_or_absolute(write: Write, suffix: str) -> None:
    path = write("deep/bot.py", LOWEST)
    names = ["deep/bot.py", "./deep/bot.py", "deep/../deep/bot.py", str(path)]
    assert [first_move(load_file_player(name + suffix)) for name in names] == [0] * 4


def test_a_path_may_have_spaces_colons_and_letters_of_any_script(write: Write) -> None:
    write("my bots: ö/bot 2.py", LOWEST)
    assert first_move(load_file_player("./my bots: ö/bot 2.py")) == 0
    assert first_move(load_file_player("./my bots: ö/bot 2.py:choose")) == 0


def test_a_class_is_a_stateful_player(write: Write) -> None:
    write(
        "bot.py",
        """
        class Counter:
            '''Counts.'''
            def start(self, game, side, rng):
                self.rng, self.seen = rng, []
            def choose(self, position):
                legal = position.legal_moves()
                assert not set(self.seen) & set(legal)
                assert len(self.seen) == position.ply // 2 + position.ply % 2
                return self.rng.choice(legal)
            def observe(self, move):
                self.seen.append(move)
            def finish(self, outcome):
                pass
        """,
    )
    info = load_file_player("./bot.py")
    assert not info.stateless
    assert info.summary == "Counts."
    result = arena.fight(info, "monkey", n=5, seed=1)
    assert (result.total.games, result.a.forfeits, result.b.forfeits) == (10, {}, {})


# -- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["./bot.py", "nowhere/bot.py", "bot.py:choose", "./bot.py:"])
def test_a_file_that_is_missing(write: Write, name: str) -> None:
    assert refusal(name) == "there is no such file"


def test_a_file_name_that_is_too_long_for_any_file(write: Write) -> None:
    with pytest.raises(PlayerFileError):
        load_file_player(f"./{'b' * 300}.py")


def test_a_directory(write: Write, tmp_path: Path) -> None:
    (tmp_path / "bot.py").mkdir()
    assert refusal("./bot.py") == "is a folder"
    assert refusal("./") == "is a folder"


def test_a_file_that_is_no_python_file(write: Write) -> None:
    write("bot.rkt", "(define (choose position) 0)")
    problem = "only Python files (.py) can be loaded; for a program: cmd:racket bot.rkt"
    assert refusal("./bot.rkt") == problem


def test_a_syntax_error_is_told_with_its_line(write: Write) -> None:
    write("bot.py", "\n\ndef choose(position, rng)\n    return 0\n")
    assert refusal("./bot.py") == "SyntaxError in line 3: expected ':'"


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


def test_only_the_first_line_of_an_error_is_told(write: Write) -> None:
    write("bot.py", "raise ValueError('one\\ntwo')\n")
    assert refusal("./bot.py") == "ValueError in line 1: one"
    write("bot2.py", "raise SyntaxError('one\\ntwo')\n")
    assert refusal("./bot2.py").partition(": ")[2] == "one"


def test_an_error_without_a_message(write: Write) -> None:
    write("bot.py", "raise KeyError\n")
    assert refusal("./bot.py") == "KeyError in line 1"


def test_a_module_that_is_not_installed(write: Write) -> None:
    write("bot.py", "\nimport arena_test_no_such_module\n")
    assert refusal("./bot.py") == (
        "ModuleNotFoundError in line 2: No module named 'arena_test_no_such_module'"
        " (arena_test_no_such_module is not installed in this Python, nor a module beside the"
        " file that it may read)"
    )


@pytest.mark.parametrize("statement", ["raise SystemExit('bye')", "import sys; sys.exit('bye')"])
def test_a_file_that_exits_ends_nothing_but_its_own_loading(write: Write, statement: str) -> None:
    write("bot.py", f"def choose(position, rng): ...\n{statement}\n")
    assert refusal("./bot.py") == "SystemExit in line 2: bye"


def test_a_file_that_raises_what_is_no_exception(write: Write) -> None:
    write("bot.py", "import asyncio\nraise asyncio.CancelledError('stop')\n")
    assert refusal("./bot.py") == "CancelledError in line 2: stop"


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


def test_a_function_that_cannot_be_called_as_a_player_is_told_with_its_line(write: Write) -> None:
    write("bot.py", "\n\ndef choose(position):\n    return 0\n")
    assert refusal("./bot.py") == (
        "choose(position) in line 3 cannot be called with (position, rng):"
        " too many positional arguments"
    )


def test_a_class_whose_method_cannot_be_called_is_told_with_its_line(write: Write) -> None:
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
    assert refusal("./bot.py").startswith("choose(self, position, rng) in line 3 cannot be called")


def test_a_class_that_cannot_be_shown_the_clocks_is_told_with_its_line(write: Write) -> None:
    write(
        "bot.py",
        """\
        class Bot:
            def start(self, game, side, rng): ...
            def choose(self, position): ...
            def see_clocks(self): ...
        """,
    )
    assert refusal("./bot.py").startswith("see_clocks(self) in line 4 cannot be called")


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_file_that_cannot_be_called_plays_no_game(write: Write, isolation: str) -> None:
    write("bot.py", "def choose(position):\n    return 0\n")
    with pytest.raises(PlayerFileError, match=r"choose\(position\) in line 1 cannot be called"):
        arena.fight("./bot.py", "monkey", n=1000, isolation=isolation)
    table = arena.tournament(["./bot.py", "monkey", "triples"], n=1, isolation=isolation)
    assert sum(fight.total.games for fight in table.fights) == 2
    assert not any(own.forfeits for fight in table.fights for own in fight.both)


@pytest.mark.parametrize("text", ["", "x = 1\n", "from random import choice\n", "def _f(): ...\n"])
def test_a_file_without_a_public_function(write: Write, text: str) -> None:
    write("bot.py", text)
    assert refusal("./bot.py") == "no function choose(position, rng)"


def test_a_file_with_several_functions_and_no_choose_names_them_all(write: Write) -> None:
    write("bot.py", "def one(p, r): ...\ndef two(p, r): ...\ndef _three(p, r): ...\n")
    assert refusal("./bot.py") == ("say which function, as in ./bot.py:one (it has: one, two)")


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


def test_a_class_that_can_play_is_the_example(write: Write) -> None:
    write("bot.py", "class Helper: ...\n" + BOT + BOT.replace("Bot", "Other"))
    assert refusal("./bot.py") == (
        "say which function, as in ./bot.py:Bot (it has: Helper, Bot, Other)"
    )


def test_a_misspelt_function_gets_the_nearest_one(write: Write) -> None:
    write("bot.py", "def careful(p, r): ...\ndef wild(p, r): ...\n")
    assert refusal("./bot.py:carefull") == (
        "no function 'carefull', did you mean 'careful'? (it has: careful, wild)"
    )
    assert refusal("./bot.py:zzz") == "no function 'zzz' (it has: careful, wild)"


def test_a_name_in_the_file_that_is_no_function(write: Write) -> None:
    write("bot.py", "choice = 3\n")
    assert refusal("./bot.py:choice") == "no function 'choice' (it has: none)"


# -- keeping out of each other's way -----------------------------------------------------------


@pytest.mark.parametrize("name", ["random.py", "json.py", "arena.py", "bot.py"])
def test_a_file_may_have_the_name_of_any_module_and_hides_none(write: Write, name: str) -> None:
    path = write(name, LOWEST + "import random\nassert random.Random(1).random() < 1\n")
    before = dict(sys.modules)
    assert first_move(load_file_player(f"./{name}")) == 0
    assert first_move(load_file_player(str(path))) == 0
    after = dict(sys.modules)
    assert {key: after[key] for key in before} == before
    assert str(path.parent) not in sys.path
    new = [module for key, module in after.items() if key not in before]
    assert [getattr(module, "__file__", None) for module in new] == [str(path)]


def test_files_of_one_name_in_two_folders_are_two_players(write: Write) -> None:
    write("a/bot.py", LOWEST)
    write("b/bot.py", HIGHEST)
    players = [load_file_player(f"{folder}/bot.py") for folder in "abab"]
    assert [first_move(info) for info in players] == [0, 8, 0, 8]
    assert [info.summary for info in players[:2]] == [
        "The lowest free square.",
        "The highest free square.",
    ]


def test_a_file_is_run_once_however_it_is_named(write: Write, tmp_path: Path) -> None:
    log = tmp_path / "log"
    path = write("bot.py", f"with open({str(log)!r}, 'a') as _file: _file.write('run ')\n{LOWEST}")
    for name in ("./bot.py", "bot.py", str(path), "./bot.py:choose"):
        load_file_player(name)
    assert log.read_text() == "run "


# -- workers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["./bot.py", "./bot.py:choose", "bot.py"])
def test_a_player_is_the_same_after_pickling(write: Write, name: str) -> None:
    write("bot.py", LOWEST)
    info = load_file_player(name)
    assert pickle.loads(pickle.dumps(info)) == info


def test_a_pickled_player_is_loaded_from_its_file_by_another_process(write: Write) -> None:
    path = write("bot.py", LOWEST)
    (path.parent / "pickled").write_bytes(pickle.dumps(load_file_player("./bot.py")))
    code = """
        import arena, pickle, random
        with open("pickled", "rb") as file:
            info = pickle.load(file)
        print(info.name, info.player(arena.get_game("tictactoe").start(), random.Random(1)))
        """
    assert run(dedent(code)) == "./bot.py 0\n"


def test_a_pickled_player_does_not_depend_on_the_folder_it_is_loaded_in(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a player's file changes the folder while it is imported, and workers are spawned."""
    write("bot.py", LOWEST)
    pickled = pickle.dumps(load_file_player("./bot.py"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert pickle.loads(pickled).name == "./bot.py"


@pytest.mark.slow
def test_files_play_the_same_games_in_any_number_of_processes(write: Write) -> None:
    write("bot.py", "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n")
    write("other/bot.py", LOWEST)
    catalogue = load_catalogue()
    one, two, serial = (
        arena.fight(
            "./bot.py", "other/bot.py", 20, seed=3, workers=n, executor=e, catalogue=catalogue
        )
        for n, e in ((1, "processes"), (2, "processes"), (1, "serial"))
    )
    assert one == two == serial
    assert one.players == ("./bot.py", "./other/bot.py")
    assert one.total.games == 40
    assert one.a.forfeits == one.b.forfeits == {}


# -- the examples ------------------------------------------------------------------------------

MAIN = "import sys; from arena.cli import main; sys.exit(main())"


def run(code: str, *arguments: str, folder: Path | None = None) -> str:
    """What a Python process prints, which must end well and complain of nothing."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def documented(path: Path) -> list[str]:
    """The commands in the docstring of a file."""
    lines = path.read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0].splitlines()
    return [line.strip() for line in lines if line.startswith("    arena ")]


@pytest.mark.parametrize("path", few(sorted(BOTS.glob("*.py")), 2), ids=lambda path: path.name)
def test_every_example_plays_by_the_command_that_its_docstring_gives(path: Path) -> None:
    commands = documented(path)
    assert commands
    for command in commands:
        assert f"./{path.name}" in command
        options = "-n", "10", "--seed", "1", "--format", "json"
        result = json.loads(run(MAIN, *shlex.split(command)[1:], *options, folder=BOTS))
        assert result["games"] == 20
        assert list(result["forfeits"].values()) == [{}, {}]


def test_the_examples_show_every_way_to_name_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    names = [name for path in BOTS.glob("*.py") for c in documented(path) for name in c.split()[2:]]
    infos = {name: load_file_player(str(BOTS / name)) for name in names if names_a_file(name)}
    assert {":" in name for name in infos} == {True, False}
    assert {info.stateless for info in infos.values()} == {True, False}
