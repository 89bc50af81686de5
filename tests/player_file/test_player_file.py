"""Players in files: ``./bot.py`` and ``./bot.py:function``."""

from __future__ import annotations

import json
import pickle
import random
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import arena
from arena.player.names import names_a_file
from arena.player_file import load_file_player
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from tests.golden import Wording
from tests.player_file.files import HIGHEST, LOWEST, Write, first_move, refusal
from tests.samples import few

BOTS = Path(__file__).parents[2] / "examples" / "bots"


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


def test_a_choose_may_have_a_choose_batch_beside_it(write: Write, wording: Wording) -> None:
    write("bot.py", HIGHEST + BATCH + "def other(position, rng):\n    return 5\n")
    for name in ("./bot.py", "./bot.py:choose"):
        info = load_file_player(name)
        assert info.choose_batch is not None
        assert first_move(info) == 8
        wording(info.summary)
        assert pickle.loads(pickle.dumps(info)).choose_batch is not None
    assert load_file_player("./bot.py:other").choose_batch is None
    write("keeps.py", "import arena\nclass choose(arena.StatefulPlayer): ...\n" + BATCH)
    assert load_file_player("./keeps.py").choose_batch is None


def test_a_choose_batch_alone_is_a_player(write: Write, wording: Wording) -> None:
    write("bot.py", BATCH + "def other(position, rng):\n    return 5\n")
    for name in ("./bot.py", "./bot.py:choose_batch"):
        info = load_file_player(name)
        assert info.choose_batch is not None
        assert info.fresh is not None
        assert first_move(info) == 0
        wording(info.summary)
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


def test_the_player_is_known_by_the_name_it_was_asked_for_by(
    write: Write, wording: Wording
) -> None:
    write("bot.py", LOWEST)
    info = load_file_player("./bot.py:choose")
    assert info.name == "./bot.py:choose"
    assert info.file.endswith("bot.py:choose")
    wording(info.summary)
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


@pytest.mark.parametrize("name", ["./bot.py", "./bot.py:choose", "bot.py"])
def test_a_player_is_the_same_after_pickling(write: Write, name: str) -> None:
    write("bot.py", LOWEST)
    info = load_file_player(name)
    assert pickle.loads(pickle.dumps(info)) == info


@pytest.mark.slow
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


MAIN = "import sys; from arena.main import main; sys.exit(main())"


def run(code: str, *arguments: str, folder: Path | None = None) -> str:
    """Return what a Python process prints, which must end well and complain of nothing."""
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
    """Return the commands in the docstring of a file."""
    lines = path.read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0].splitlines()
    return [line.strip() for line in lines if line.startswith("    arena ")]


@pytest.mark.slow
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
