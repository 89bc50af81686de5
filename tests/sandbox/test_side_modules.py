"""Modules beside a player's file: it imports them in every isolation, but not other players."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.errors import PlayerFileError
from arena.player.mistakes import NOT_BESIDE
from arena.sandbox import side_modules
from arena.sandbox.side_modules import (
    MAX_NAMES,
    find_side_modules,
    is_other_player,
    register_player,
    with_folder_told,
)
from tests import needs
from tests.golden import Wording

BOT = """
import json, helper
with open("w.json") as file:
    INDEX = json.load(file)
def choose(position, rng):
    import late
    return helper.pick(position, INDEX)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("helper.py").write_text("from deeper import pick\n")
    Path("deeper.py").write_text("def pick(position, at):\n    return position.legal_moves()[at]\n")
    Path("late.py").write_text("")
    Path("w.json").write_text("0")
    Path("bot.py").write_text(BOT)
    return tmp_path


def module_names(path: Path) -> set[str]:
    return {Path(name).name for name in find_side_modules(path)}


def test_modules_are_found_through_modules_and_packages(folder: Path) -> None:
    assert module_names(folder / "bot.py") == {"helper.py", "deeper.py", "late.py"}
    package = folder / "pack"
    package.mkdir()
    (folder / "bot.py").write_text("from pack.part import x\nimport helper as h, json\n")
    assert module_names(folder / "bot.py") == {"helper.py", "deeper.py"}, (
        "a folder is not a package"
    )
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("import late")
    assert module_names(folder / "bot.py") == {
        *("helper.py", "deeper.py", "__init__.py", "part.py", "late.py")
    }


def test_a_folder_that_is_no_package_is_told(folder: Path, wording: Wording) -> None:
    says = f"No module named 'pack' (pack is not installed in this Python, {NOT_BESIDE})"
    assert with_folder_told(says, folder / "bot.py") == says
    (folder / "pack").mkdir()
    message = with_folder_told(says, folder / "bot.py")
    assert NOT_BESIDE not in message
    wording(message, " pack ", "__init__.py")
    assert with_folder_told("it raises", folder / "bot.py") == "it raises"
    (folder / "pack" / "__init__.py").write_text("")
    assert with_folder_told(says, folder / "bot.py") == says


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("bwrap", "locked"))
def test_a_player_that_imports_such_a_folder_reads_it(folder: Path, tier: str) -> None:
    (folder / "pack").mkdir()
    (folder / "pack" / "part.py").write_text("")
    (folder / "bot.py").write_text("from pack.part import x\ndef choose(p, rng): ...\n")
    with pytest.raises(PlayerFileError, match=r" pack .* __init__\.py"):
        arena.get_player("./bot.py", isolation=tier)


@pytest.mark.parametrize(
    "text",
    ["def choose(position, rng): ...", "class Bot:\n    def choose(self, p): ...", "choose = 7"],
)
def test_a_file_that_is_a_player_is_nobodys_module(folder: Path, text: str) -> None:
    (folder / "rival.py").write_text(text)
    (folder / "bot.py").write_text("import rival, helper")
    assert module_names(folder / "bot.py") == {"helper.py", "deeper.py"}


def test_a_file_that_was_asked_for_as_a_player_is_no_module_any_more(folder: Path) -> None:
    (folder / "rival.py").write_text("def play(position, rng): ...")
    (folder / "bot.py").write_text("import rival")
    assert module_names(folder / "bot.py") == {"rival.py"}
    register_player(str(folder / "rival.py"))
    assert module_names(folder / "bot.py") == set()
    assert is_other_player(folder / "rival.py", str(folder / "bot.py"))
    assert not is_other_player(folder / "rival.py", str(folder / "rival.py"))


def test_a_link_to_elsewhere_is_not_followed(folder: Path, tmp_path_factory: object) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "secret.py").symlink_to(folder / "helper.py")
    (inner / "bot.py").write_text("import secret")
    assert module_names(inner / "bot.py") == set()


@pytest.mark.parametrize(
    "isolation",
    [
        "none",
        "process",
        pytest.param("locked", marks=pytest.mark.needs("locked")),
        pytest.param("bwrap", marks=pytest.mark.needs("bwrap")),
    ],
)
def test_modules_and_readable_files_are_there_in_every_isolation(
    folder: Path, isolation: str
) -> None:
    own = arena.Isolation(tier=isolation, readable=["w.json"])
    result = arena.fight("./bot.py", "monkey", 1, seed=1, isolation=own)
    assert result.a.forfeits == {}


@pytest.mark.parametrize("isolation", [pytest.param("locked", marks=pytest.mark.needs("locked"))])
def test_a_player_does_not_read_another_one(folder: Path, isolation: str, wording: Wording) -> None:
    (folder / "early.py").write_text("import bot\ndef choose(position, rng): ...\n")
    with wording.raises(PlayerFileError):
        arena.get_player("./early.py", isolation=isolation)
    (folder / "spy.py").write_text("def choose(position, rng):\n    import helper, bot\n")
    game = arena.fight("./spy.py", "monkey", 1, seed=1, isolation=isolation).a.first_forfeit
    assert game is not None
    wording(game.message, "ModuleNotFoundError", "'bot'")


@pytest.mark.slow
def test_a_module_of_one_name_in_two_folders_is_refused_in_one_process(
    folder: Path, wording: Wording
) -> None:
    other = folder / "other"
    other.mkdir()
    for place in (folder, other):
        (place / "twin.py").write_text("")
        (place / "bot.py").write_text("import twin\ndef choose(position, rng): return 0\n")
    arena.get_player("./bot.py", isolation="none")
    with wording.raises(PlayerFileError, match="--isolation"):
        arena.get_player("./other/bot.py", isolation="none")


@pytest.mark.parametrize("order", [("one", "other"), ("other", "one", "other")])
def test_a_player_gets_the_module_of_its_own_folder(tmp_path: Path, order: tuple[str, ...]) -> None:
    """The folder of another player has a module of that name, which nobody has imported."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "beside.py").write_text(f"{name} = 0")
    (tmp_path / "one" / "bot.py").write_text("def choose(position, rng): return 0\n")
    (tmp_path / "other" / "bot.py").write_text(
        "from beside import other\ndef choose(position, rng): return other\n"
    )
    for name in order:
        player = arena.get_player(str(tmp_path / name / "bot.py"), isolation="none")
    assert arena.fight(player, "monkey", 2, seed=1, workers=1).a.forfeits.keys() <= {"illegal"}


def test_a_link_named_like_a_module_is_not_one(folder: Path) -> None:
    (folder / "data.py").symlink_to("w.json")
    (folder / "bot.py").write_text("import data, helper\ndef choose(position, rng): ...\n")
    assert module_names(folder / "bot.py") == {"helper.py", "deeper.py"}


def test_a_file_of_nothing_but_imports_is_not_looked_for_at_length(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[str] = []
    real = side_modules._modules

    def counted(place: Path, name: str) -> list[Path]:
        questions.append(name)
        return real(place, name)

    monkeypatch.setattr(side_modules, "_modules", counted)
    names = ", ".join(f"m{i}" for i in range(2000))
    (folder / "bot.py").write_text(f"import helper, helper\nimport {names}\n")
    assert "helper.py" in module_names(folder / "bot.py")
    assert len(questions) == len(set(questions)) == MAX_NAMES
