"""Every complete example of docs/plugins.md and docs/tutorial-game.md, installed."""

from __future__ import annotations

import os
import pickle
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import arena
from arena.players.cfr import SHARE_PARTS, average_strategy
from arena.plugin import hookspecs
from arena.plugin.manager import load_catalogue
from arena.testing import check_game
from tests.conftest import Run
from tests.games.trees import value
from tests.golden import Wording
from tests.pages import console_examples, files, typed_and_words
from tests.plugin.sites import Site, check_the_rest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "plugins.md").read_text()
GAMES = (DOCS / "tutorial-game.md").read_text()
FILES = files(PAGE) | files(GAMES)
PROJECT = FILES.pop("pyproject.toml")
COMMANDS = console_examples(PAGE) + console_examples(GAMES)


def test_the_tutorial_has_an_example_of_every_hook_that_registers_or_adds() -> None:
    assert len(FILES) >= 6
    hooks = {name for name in vars(hookspecs) if re.match("arena_(register|add)_", name)}
    assert hooks == set(re.findall(r"def (arena_(?:register|add)_\w+)", "".join(FILES.values())))


@pytest.mark.slow
def test_every_example_of_the_page_has_types(tmp_path: Path) -> None:
    """Mypy reads them strictly as a project of a user, with arena as this checkout has it."""
    modules = {name: text for name, text in files(PAGE).items() if name.endswith(".py")}
    for name, text in modules.items():
        (tmp_path / name).write_text(text)
    root = DOCS.parent
    options = (f"--config-file={root / 'pyproject.toml'}", f"--cache-dir={root / '.mypy_cache'}")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *options, *modules],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.count("\n")) == (0, 1), ran.stdout + ran.stderr


def test_every_python_block_of_the_page_is_in_a_complete_module() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    modules = [*files(PAGE).values(), *files(GAMES).values()]
    for block in blocks:
        assert ">>> " in block or any(block in module for module in modules), block


#: These take long: minimax and a check of all positions with slow rules.
SLOW = ("flips.py",)


@pytest.mark.parametrize(
    "file", [pytest.param(file, marks=[pytest.mark.slow] * (file in SLOW)) for file in FILES]
)
def test_a_complete_example_runs_when_it_is_installed(
    site: Site,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
) -> None:
    monkeypatch.chdir(site.folder)
    name = Path(file).stem
    site.install(name, name, **{name: FILES[file]})
    catalogue = load_catalogue()
    assert catalogue.broken == []
    assert [info.name for info in catalogue.plugins if info.package == name] == [name]
    check_the_rest(catalogue)
    word = f"arena -p ./{file} "
    own = [(command, output) for command, output in COMMANDS if command.startswith(word)]
    assert own, f"docs has no command with {file}"
    for command, output in own:
        without = output.replace(word, "arena ")  # an installed plugin is not named again
        _, words = typed_and_words(command, site.folder)
        ran = run(*words[2:])
        assert (ran.err + ran.out, ran.code) == (without, 0)  # an observer prints to err first


@pytest.mark.outside
def test_the_project_of_the_observer_installs_it(tmp_path: Path) -> None:
    """Do what the page says of it; building depends on the network."""
    module, word = "arena_log.py", "arena -p ./arena_log.py "
    (tmp_path / module).write_text(FILES[module])
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    where = ("--no-deps", "--target", str(tmp_path / "site"), str(tmp_path))
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", *where], check=True)
    [(command, output)] = [example for example in COMMANDS if example[0].startswith(word)]
    ran = subprocess.run(
        [sys.executable, "-m", "arena", *typed_and_words(command, tmp_path / "site")[1][2:]],
        cwd=tmp_path / "site",
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr + ran.stdout == output
    assert len((tmp_path / "site" / "games.jsonl").read_text().splitlines()) == 40


def test_the_first_game_is_nim_in_forty_lines(site: Site, wording: Wording) -> None:
    """The side to move wins if the heaps' exclusive or is not 0 (Bouton 1901)."""
    assert len([*filter(None, FILES["heaps.py"].splitlines())]) <= 40
    site.install("heaps", "heaps", heaps=FILES["heaps.py"])
    game = arena.get_game("nim135")
    wording(check_game(game).headline)
    for heaps in product(range(2), range(4), range(6)):
        if any(heaps):
            side_wins = heaps[0] ^ heaps[1] ^ heaps[2]
            assert (arena.value(game.parse("0:{}-{}-{}".format(*heaps))) > 0) == bool(side_wins)


@pytest.mark.parametrize("n", [4, pytest.param(6, marks=pytest.mark.slow)])
def test_the_second_game_is_arenas_own_othello(site: Site, n: int, wording: Wording) -> None:
    """It has the same moves, passes and outcomes, and fights of monkeys end alike."""
    site.install("flips", "flips", flips=FILES["flips.py"])
    ours, theirs = arena.get_game(f"flips-{n}"), arena.get_game(f"othello-{n}")
    rng, passes = random.Random(1), 0
    for _ in range(100):
        one, other = ours.start(), theirs.start()
        while moves := one.legal_moves():
            assert moves == other.legal_moves()
            assert str(one).partition("/")[0] == str(other).partition(" ")[0]
            passes += moves == (n * n,)
            move = rng.choice(moves)
            one, other = one.play(move), other.play(move)
        assert one.outcome() == other.outcome() is not None
    assert passes > 10
    assert pickle.loads(pickle.dumps(ours)) == ours
    with wording.raises(arena.UsageError):
        arena.get_game("flips-5")


@pytest.mark.slow
def test_the_second_game_keeps_the_contract(site: Site, wording: Wording) -> None:
    site.install("flips", "flips", flips=FILES["flips.py"])
    report = check_game("flips-4")
    wording(report.headline)


@pytest.mark.slow
def test_the_card_game_has_sixty_lines_and_is_worth_an_eighteenth(site: Site) -> None:
    """The value is that of a linear program. The first side bluffs one time in three."""
    assert len([*filter(None, FILES["cards.py"].splitlines())]) <= 60
    site.install("cards", "cards", cards=FILES["cards.py"])
    game = arena.get_game("bluff")
    assert check_game(game).conforms
    assert value(game) == pytest.approx(1 / 18)
    jack = game.parse_observation("0: J | check raise")
    assert average_strategy(game)[jack][1] / SHARE_PARTS == pytest.approx(1 / 3, abs=0.001)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "game"), [("cards.py", "bluff"), ("fingers.py", "fingers")])
def test_a_player_in_a_file_plays_a_game_with_secrets_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, file: str, game: str
) -> None:
    """Its process loads the rules, although the game begins with chance."""
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(FILES[file])
    Path("bot.py").write_text("def choose(seen, rng): return seen.legal_moves()[-1]\n")
    words = ("fight", "./bot.py", "monkey", "--game", game, "-n", "3", "--seed", "1")
    ran = run("-p", f"./{file}", *words, "--isolation", "process")
    assert (ran.code, "forfeited" in ran.out) == (0, False)


def test_the_simultaneous_game_has_thirty_lines_and_its_value_is_fergusons(site: Site) -> None:
    assert len([*filter(None, FILES["fingers.py"].splitlines())]) <= 30
    site.install("fingers", "fingers", fingers=FILES["fingers.py"])
    game = arena.get_game("fingers")
    assert check_game(game).conforms
    assert value(game) == pytest.approx(1 / 12)
    seen = game.parse_observation("0: | one two")
    assert average_strategy(game)[seen][0] / SHARE_PARTS == pytest.approx(7 / 12, abs=0.001)


def test_every_name_of_the_tutorials_table_is_in_arena() -> None:
    table = PAGE.split("## What to import")[1].split("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", table)) - {"arena"}
    assert len(named) >= 30
    assert named <= {*arena.__all__, *arena.records.__all__, *arena.plugin.__all__}
