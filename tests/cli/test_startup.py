"""Import what the chosen command needs, and nothing of the others."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import arena
import arena.features
from arena.features.commands import COMMANDS, folder_of
from arena.plugin.catalogue import Catalogue
from arena.sandbox.choice import TIERS
from tests.conftest import Run
from tests.golden import Wording

#: Runs a command, and then names the modules that are imported.
SCRIPT = """\
import sys
from arena.main import main
code = main()
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""

#: Packages that only playing, storing, drawing or calculating takes.
HEAVY = {
    "numpy",
    "pyspiel",
    "sqlalchemy",
    "sqlite3",
    "matplotlib",
    "multiprocessing",
    "tqdm",
    "difflib",
    "jinja2",
    "starlette",
    "uvicorn",
}


def modules(*command: str) -> set[str]:
    """Name the modules that a command imports in a process of its own."""
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, *command], capture_output=True, text=True, check=True
    )
    return set(process.stderr.split())


def of_arena(names: set[str]) -> set[str]:
    return {name for name in names if name.partition(".")[0] == "arena"}


def commands_of(names: set[str]) -> set[str]:
    return {name for name in COMMANDS if f"arena.features.{folder_of(name)}.command" in names}


def test_the_list_of_commands_imports_few_modules_and_no_command() -> None:
    loaded = modules("--help")
    assert len(of_arena(loaded)) < 60
    assert commands_of(loaded) == set()
    packages = ("inputs", "players", "plugins", "records", "reports", "fights", "stats", "store")
    assert not {f"arena.{name}" for name in packages} & loaded
    assert not (HEAVY | {"tabulate"}) & loaded


def test_the_list_of_players_imports_nothing_to_play_with() -> None:
    loaded = modules("players")
    assert commands_of(loaded) == {"players"}
    records = {name for name in loaded if name.startswith("arena.records.")}
    assert records == {"arena.records.base", "arena.records.listings"}
    unused = (
        "inputs.resolve runs executors.base fights learning match proof records.fights stats store"
    )
    assert not {f"arena.{name}" for name in unused.split()} & loaded
    assert not (HEAVY | {"pickle", "subprocess"}) & loaded


@pytest.mark.slow
def test_a_fight_imports_no_record_of_another_command() -> None:
    loaded = modules("fight", "monkey", "monkey", "-n", "1", "-j", "1")
    assert "arena.records.fights" in loaded
    others = "answers listings played proofs ranks ratings replays sequential theorems"
    others += " tournaments until"
    assert not {f"arena.records.{name}" for name in others.split()} & loaded
    unused = "fights.books fights.estimates fights.sequential fights.standings fights.stopping"
    unused += " notation proof.outcome features.exact.page stats.elo stats.sprt"
    unused += " stats.sequential_estimate"
    assert not {f"arena.{name}" for name in unused.split()} & loaded
    assert not {"numpy", "sqlalchemy", "sqlite3", "tqdm", "jinja2", "difflib"} & loaded


@pytest.mark.slow
@pytest.mark.parametrize("command", ["fight", "regress", "doctor"])
def test_a_command_imports_no_other_command(command: str) -> None:
    assert commands_of(modules(command, "--help")) == {command}


def test_a_name_of_the_api_is_imported_without_the_rest() -> None:
    code = "from arena import get_game; import sys; sys.exit('arena.features' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_list_of_commands_is_that_of_the_modules() -> None:
    folder = Path(str(arena.features.__file__)).parent
    folders = {folder_of(name) for name in COMMANDS}
    assert {path.parent.name for path in folder.glob("*/command.py")} == folders
    for name in folders:
        module = import_module(f"arena.features.{name}.command")
        assert callable(module.configure)
        assert callable(module.run)


def test_the_plugins_that_help_leaves_out_offer_no_command(catalogue: Catalogue) -> None:
    own = [plugin for plugin in catalogue.plugins if plugin.package == "proving-arena"]
    assert len(own) >= 10
    assert not [plugin.name for plugin in own if "arena_add_command" in plugin.hooks]


def test_help_names_a_plugins_command_and_configures_it_when_it_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    (tmp_path / "arena_test_slow.py").write_text(
        "from arena.plugin.markers import hookimpl\n"
        "def configure(parser):\n    print('configured')\n"
        "@hookimpl\ndef arena_add_command(commands):\n"
        "    commands.add('slow', 'take its time', configure, lambda *_: 7)\n"
    )
    info = tmp_path / "slow-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arena]\nslow = arena_test_slow\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    helped = run("--help")
    assert (helped.code, helped.err) == (0, "")
    assert "take its time" in helped.out
    assert "configured" not in helped.out
    assert (run("slow").code, run("slow").out) == (7, "configured\n")
    del sys.modules["arena_test_slow"]


def test_every_name_of_the_api_is_found_in_its_module(wording: Wording) -> None:
    for door in (arena, arena.records, arena.plugin):
        assert set(door.__all__) <= set(dir(door))
        for name in door.__all__:
            assert getattr(door, name) is not None
    with wording.raises(AttributeError, match="'figth'"):
        _ = arena.figth  # type: ignore[attr-defined]


def test_the_tiers_are_named_in_the_help(run: Run) -> None:
    words = run("fight", "--help-all").out.replace(",", " ").split()
    assert set(TIERS) <= set(words)


@pytest.mark.parametrize("command", [("players",), ("--help",), ("fight", "--help")])
def test_listing_imports_nothing_heavy(command: tuple[str, ...]) -> None:
    code = (
        "import sys; from arena.main import main; code = main();"
        "heavy = {'numpy', 'sqlalchemy', 'multiprocessing', 'tqdm'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else code)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, "")
