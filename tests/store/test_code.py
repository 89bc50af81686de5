"""The digest of a player's code: what changes it, and what does not."""

from __future__ import annotations

import importlib
import random
import shutil
import sys
import types
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import arena
from arena.executors.isolated_process import run_isolated
from arena.player import PlayerInfo
from arena.player_file import load_file_player
from arena.plugin.catalogue import Catalogue
from arena.store.code import code_digest
from tests.samples import few

CHOOSE = "def choose(position, rng):\n    return position.legal_moves()[0]\n"
PATH = "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n"


def digest_of(file: Path, function: str = "choose") -> str:
    """Return what a new process says: modules that are loaded once are not loaded again."""
    return run_isolated(partial(_digest_of, f"{file}:{function}"))


def _digest_of(name: str) -> str:
    sys.dont_write_bytecode = True  # else a file that was changed within a second is not read
    importlib.invalidate_caches()
    return code_digest(load_file_player(name))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "bot.py").write_text(
        f"{PATH}import helper_of_bot\nfrom deeper.tables import Table\n{CHOOSE}"
    )
    (folder / "helper_of_bot.py").write_text("import needed_by_helper_of_bot\nX = 1\n")
    (folder / "needed_by_helper_of_bot.py").write_text("Y = 1\n")
    (folder / "unrelated.py").write_text("Z = 1\n")
    (folder / "notes.txt").write_text("to do\n")
    (folder / "deeper").mkdir()
    (folder / "deeper" / "__init__.py").touch()
    (folder / "deeper" / "tables.py").write_text("class Table:\n    pass\n")
    return folder


@pytest.fixture(scope="module")
def digest(project: Path) -> str:
    return digest_of(project / "bot.py")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "matters"),
    few(
        [
            ("bot.py", True),
            ("helper_of_bot.py", True),
            ("needed_by_helper_of_bot.py", True),
            ("deeper/tables.py", True),
            ("unrelated.py", False),
            ("notes.txt", False),
        ],
        2,
    ),
)
def test_code_that_is_used_matters_and_nothing_else(
    project: Path, digest: str, name: str, matters: bool
) -> None:
    file = project / name
    before = file.read_text()
    file.write_text(before + "\n# changed\n")
    changed = digest_of(project / "bot.py")
    file.write_text(before)
    assert (changed != digest) == matters
    assert digest_of(project / "bot.py") == digest


@pytest.mark.slow
def test_where_the_code_is_does_not_matter(project: Path, digest: str, tmp_path: Path) -> None:
    shutil.copytree(project, tmp_path / "elsewhere")
    assert digest_of(tmp_path / "elsewhere" / "bot.py") == digest


@pytest.mark.slow
def test_a_link_to_a_player_has_the_code_of_the_player(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(CHOOSE)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.py").symlink_to(tmp_path / "bot.py")
    assert digest_of(tmp_path / "folder" / "bot.py") == digest_of(tmp_path / "bot.py") != ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "imports",
    few(
        [
            "from numbers_of_mine import X",
            "from packed.numbers import X",
            "def f():\n    import packed.numbers",
            "from packed import numbers as n; X = n.X",
            "import packed.numbers; X = packed.numbers.X; del packed",
            "from packed import X",
        ]
    ),
)
def test_a_module_of_plain_numbers_counts_too(tmp_path: Path, imports: str) -> None:
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "__init__.py").write_text("from .numbers import X\n")
    files = tmp_path / "packed" / "numbers.py", tmp_path / "numbers_of_mine.py"
    (tmp_path / "bot.py").write_text(f"{PATH}import packed as _\n{imports}\n{CHOOSE}")
    digests = set()
    for number in (1, 2):
        for file in files:
            file.write_text(f"X = {number}\n")
        digests.add(digest_of(tmp_path / "bot.py"))
    assert len(digests) == 2


@pytest.mark.slow
def test_what_the_same_package_has_besides_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "__init__.py").touch()
    (tmp_path / "packed" / "other.py").write_text("X = 1\n")
    (tmp_path / "bot.py").write_text(f"{PATH}{CHOOSE}")
    before = digest_of(tmp_path / "bot.py")
    (tmp_path / "packed" / "other.py").write_text("X = 2\n")
    assert digest_of(tmp_path / "bot.py") == before


@pytest.mark.slow
def test_a_folder_that_is_moved_is_the_same_code(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "helper_of_bot.py").write_text("X = 1\n")
    (tmp_path / "here" / "bot.py").write_text(f"import helper_of_bot\n{CHOOSE}")

    def digest(folder: str) -> str:
        catalogue = arena.plugin.load_catalogue().isolated(arena.Isolation(tier="process"))
        return code_digest(catalogue.player(f"{tmp_path}/{folder}/bot.py"))

    before = digest("here")
    (tmp_path / "here").rename(tmp_path / "there")
    assert digest("there") == before
    (tmp_path / "there" / "helper_of_bot.py").write_text("X = 2\n")
    assert digest("there") != before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["remembers.py", "two_players.py:lowest", "first_free.py"])
def test_every_kind_of_file_player_has_one(name: str) -> None:
    examples = Path(__file__).parents[2] / "examples" / "bots"
    assert len(code_digest(load_file_player(str(examples / name)))) == 32


def test_installed_players_have_one(catalogue: Catalogue) -> None:
    digests = {
        name: code_digest(catalogue.player(name)) for name in ("monkey", "triples", "minimax")
    }
    assert all(len(digest) == 32 for digest in digests.values())
    assert len(set(digests.values())) == 3
    assert code_digest(catalogue.player("monkey")) == digests["monkey"]


def made_here(position: arena.Position, rng: random.Random) -> int:
    return 0


class Callable:
    def __call__(self, position: arena.Position, rng: random.Random) -> int:
        return 0

    def method(self, position: arena.Position, rng: random.Random) -> int:
        return 0


@pytest.mark.parametrize("player", [made_here, Callable(), Callable().method, Callable, lambda: 0])
def test_functions_methods_and_objects_have_the_digest_of_their_file(player: object) -> None:
    info = PlayerInfo("x", player)  # type: ignore[arg-type]
    assert code_digest(info) == code_digest(PlayerInfo("y", made_here)) != ""


def test_what_was_never_in_a_file_has_none() -> None:
    namespace: dict[str, types.FunctionType] = {"__name__": "nowhere"}  # type: ignore[dict-item]
    exec(CHOOSE, namespace)
    assert code_digest(PlayerInfo("x", namespace["choose"])) == ""
    assert code_digest(PlayerInfo("x", len)) == ""


@pytest.mark.slow
def test_the_code_of_a_distribution_counts_too(tmp_path: Path) -> None:
    (tmp_path / "odds.py").write_text("def odds(position, rng=None):\n    return {}\n")
    odds = load_file_player(str(tmp_path / "odds.py")).player

    def distribution(position: arena.Position) -> dict[int, Fraction]:
        return {}

    one = PlayerInfo("x", made_here, distribution=odds)
    other = PlayerInfo("x", made_here, distribution=distribution)
    assert code_digest(one) != code_digest(other) == code_digest(PlayerInfo("x", made_here))


@pytest.mark.slow
def test_what_else_a_file_imports_may_behave_as_it_likes(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        f"{CHOOSE}\n"
        "import sys, types\n"
        "class Proxy:\n"
        "    def __getattribute__(self, name):\n"
        "        raise RuntimeError('nobody is logged in')\n"
        "class Named:\n"
        "    __module__ = 7\n"
        "proxy, named = Proxy(), Named()\n"
        "class Fake:\n"
        "    __module__ = 'a_fake_module'\n"
        "sys.modules['a_fake_module'] = Fake()\n"
        "fake = Fake()\n"
    )
    player = load_file_player(str(tmp_path / "bot.py:choose"))
    del sys.modules["a_fake_module"]
    assert len(code_digest(player)) == 32


def test_what_the_compiler_warns_of_is_not_said_again(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"{CHOOSE}PATTERN = '\\d'\n")
    with pytest.warns((DeprecationWarning, SyntaxWarning), match="invalid escape"):
        player = load_file_player(str(tmp_path / "bot.py"))
    assert len(code_digest(player)) == 32


@pytest.mark.slow
def test_modules_that_use_each_other_are_no_problem(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"{PATH}import one_circle\n{CHOOSE}")
    (tmp_path / "one_circle.py").write_text("import other_circle\n")
    (tmp_path / "other_circle.py").write_text("import one_circle\n")
    assert len(digest_of(tmp_path / "bot.py")) == 32


def test_a_partial_function_has_the_code_of_the_function() -> None:
    one = PlayerInfo("x", partial(partial(made_here)))
    assert code_digest(one) == code_digest(PlayerInfo("x", made_here))
