"""The wheel, in an environment where there is nothing else: as a user gets it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from pathlib import Path, PurePosixPath
from types import MappingProxyType

import pytest

from tests.golden import Wording

# Building and installing depend on the network.
pytestmark = [pytest.mark.outside, pytest.mark.timeout(600)]

# One worker runs all tests of a file (--dist=loadfile), so the environment is made once.
ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "arena-corner"

#: What a source archive has, and a wheel is built from.
SOURCES = (
    *("arena", "players", "plugins", "reports", "tests", "benchmarks", "docs", "examples"),
    *(".ci", ".github", ".gitignore", "MANIFEST.in", "arena-baseline.json", "mkdocs.yml"),
    *("setup.cfg", "setup.py", "pyproject.toml", "LICENSE", "CITATION.cff"),
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"),
)

#: The command line of the checkout.
MAIN = "import sys; from arena.main import main; sys.exit(main())"


class Environment:
    """A virtual environment of its own, with arena's wheel in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.leftovers = leftovers()
        self.bin = folder / "venv" / "bin"
        execute(folder, sys.executable, "-m", "venv", folder / "venv")
        #: A copy of the checkout, so that building leaves nothing in it.
        self.checkout = folder / "checkout"
        self.checkout.mkdir()
        for name in SOURCES:
            copy(ROOT / name, self.checkout / name)
        self.wheel = self.build(self.checkout)
        self.install(self.wheel)

    def build(self, project: Path, **environment: str) -> Path:
        """Return the wheel of a project."""
        wheels = self.folder / " ".join(["wheels of", project.name, *environment.values()])
        if project.is_dir():  # what another build has compiled is not compiled again
            shutil.rmtree(project / "build", ignore_errors=True)
        self.pip("wheel", "--no-deps", "--wheel-dir", wheels, project, **environment)
        (wheel,) = wheels.iterdir()
        return wheel

    def install(self, *requirements: str | Path) -> None:
        """Install distributions with what they need."""
        self.pip("install", "--no-compile", *requirements)

    def uninstall(self, distribution: str) -> None:
        """Uninstall a distribution, which need not be there."""
        self.pip("uninstall", "--yes", distribution)

    def pip(self, command: str, *arguments: str | Path, **environment: str) -> None:
        """Run pip."""
        pip = self.bin / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"
        execute(self.folder, *pip, command, *arguments, environment=environment)

    def python(self, *arguments: str, folder: Path | None = None) -> str:
        """Return what the environment's Python prints."""
        return execute(folder or self.folder, self.bin / "python", *arguments).stdout

    def arena(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command, which must end with this exit code."""
        return execute(self.folder, self.bin / "arena", *arguments, code=code)


def execute(
    folder: Path,
    *command: str | Path,
    code: int = 0,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> subprocess.CompletedProcess[str]:
    """Run a program as a user does who has set no variable that matters here."""
    ours = ("ARENA", "COV", "PYTEST", "PYTHON", "VIRTUAL_ENV")
    done = subprocess.run(
        command,
        cwd=folder,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith(ours)},
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def copy(source: Path, target: Path) -> None:
    """Copy a file, or a folder without what tools have left in it; links stay links."""
    if source.is_dir():
        leftovers = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", ".*", "*.so")
        shutil.copytree(source, target, symlinks=True, ignore=leftovers)
    else:
        shutil.copy(source, target)


def leftovers() -> set[Path]:
    """Return what building leaves beside what is built."""
    folders = ROOT, EXAMPLE
    return {
        path for folder in folders for name in ("build", "*.egg-info") for path in folder.glob(name)
    }


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the arena and what it needs."""
    return Environment(tmp_path_factory.mktemp("fresh"))


@pytest.fixture(scope="module")
def example(fresh: Environment) -> tuple[Path, Path]:
    """Return a copy of the example project and its wheel."""
    project = fresh.folder / "arena-corner"
    copy(EXAMPLE, project)
    return project, fresh.build(project)


@pytest.fixture
def corner(fresh: Environment, example: tuple[Path, Path]) -> Iterator[Environment]:
    """Yield the environment with the example plugin too, until the test is over."""
    fresh.install(example[1])
    yield fresh
    fresh.uninstall("arena-corner")


@pytest.fixture
def packages(fresh: Environment) -> list[str]:
    """Return the packages that setup.cfg lists."""
    config = ConfigParser()
    config.read(fresh.checkout / "setup.cfg", encoding="utf-8")
    return config["options"]["packages"].split()


def test_the_wheel_has_every_package_under_one_name_and_nothing_else(
    fresh: Environment, packages: list[str]
) -> None:
    with zipfile.ZipFile(fresh.wheel) as wheel:
        names = [PurePosixPath(name) for name in wheel.namelist()]
    metadata = {name.parts[0] for name in names if name.parts[0].endswith(".dist-info")}
    assert {name.parts[0] for name in names} == {"arena", *metadata}
    assert len(metadata) == 1
    code = [name for name in names if name.parts[0] == "arena"]
    assert {".".join(name.parent.parts) for name in code} == set(packages)
    assert PurePosixPath("arena/py.typed") in code
    assert PurePosixPath("arena/players/lms.json") in code
    assert PurePosixPath("arena/features/regress/nightly.yml") in code
    assert {name.suffix for name in code} - {".so"} == {
        ".css",
        ".html",
        ".js",
        ".json",
        ".py",
        ".pyi",
        ".txt",
        ".typed",
        ".yml",
    }
    assert len(names) == len(set(names))


def sources(fresh: Environment) -> Iterator[Path]:
    """Yield the files and the links of a checkout, without what building leaves there."""
    for path in fresh.checkout.rglob("*"):
        parts = path.relative_to(fresh.checkout).parts
        is_made = {"build", "__pycache__", "proving_arena.egg-info"} & {*parts}
        if not is_made and (path.is_symlink() or path.is_file()):
            yield path


@pytest.mark.nightly
def test_the_sdist_has_every_source_and_makes_the_same_wheel(
    fresh: Environment, tmp_path: Path
) -> None:
    fresh.install("build")
    fresh.python("-m", "build", "--sdist", "--outdir", str(tmp_path), str(fresh.checkout))
    (sdist,) = tmp_path.iterdir()
    fresh.uninstall("build")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2]: archive.getmember(name) for name in archive.getnames()}
    assert {path.relative_to(fresh.checkout).as_posix() for path in sources(fresh)} <= names.keys()
    assert {name for name, member in names.items() if member.issym()} == {
        "arena/players",
        "arena/plugins",
        "arena/reports",
    }
    ours, theirs = contents(fresh.build(sdist)), contents(fresh.wheel)
    assert ours.keys() == theirs.keys()
    for name, content in ours.items():  # a compiler notes in which folder it was
        if not name.endswith((".so", "RECORD")):
            assert content == theirs[name]


def contents(wheel: Path) -> dict[str, bytes]:
    """Return the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("environment", [{"CC": "false"}, {"ARENA_PURE": "1"}], ids=str)
def test_arena_is_built_and_plays_without_a_compiler(
    fresh: Environment, tmp_path: Path, environment: dict[str, str]
) -> None:
    wheel = fresh.build(fresh.checkout, **environment)
    assert not any(name.endswith(".so") for name in contents(wheel))
    fresh.pip("install", "--no-compile", "--no-deps", "--target", str(tmp_path), wheel)
    words = "-m", "arena", "fight", "tictactoe3", "monkey", "-n", "20", "--seed", "1"
    path = {"PYTHONPATH": str(tmp_path)}
    pure = execute(fresh.folder, fresh.bin / "python", *words, environment=path).stdout
    assert pure == fresh.arena(*words[2:]).stdout
    version = fresh.bin / "python", "-m", "arena", "--version", "-v"
    assert "pure Python" in execute(fresh.folder, *version, environment=path).stdout


@pytest.mark.needs("cc")
def test_the_wheel_has_what_was_compiled(fresh: Environment) -> None:
    assert "compiled" in fresh.arena("--version", "-v").stdout.splitlines()


@pytest.mark.needs("cc")
def test_a_package_with_a_game_is_built_both_ways(fresh: Environment, tmp_path: Path) -> None:
    project = fresh.checkout / "examples" / "games" / "arena-domineering"
    outputs = []
    for compiler in ("cc", "false"):
        wheel, folder = fresh.build(project, CC=compiler), tmp_path / compiler
        assert any(name.endswith(".so") for name in contents(wheel)) is (compiler == "cc")
        wheel = wheel.rename(tmp_path / wheel.name)
        fresh.pip("install", "--no-compile", "--no-deps", "--target", str(folder), wheel)
        arena = fresh.bin / "python", "-m", "arena"
        path = {"PYTHONPATH": str(folder)}
        outputs += [
            execute(fresh.folder, *arena, *words.split(), environment=path).stdout
            for words in (
                "check game domineering-4 --seed 1",
                "fight minimax monkey -n 3 --game domineering-6 --seed 1 --format json",
            )
        ]
    assert outputs[:2] == outputs[2:]


def test_every_file_in_the_wheel_is_that_of_the_checkout(
    fresh: Environment, packages: list[str]
) -> None:
    wanted = {}
    for package in packages:
        folder = fresh.checkout.joinpath(*package.split("."))  # by way of the links in arena/
        for path in folder.glob("*.py"):
            wanted[f"{package.replace('.', '/')}/{path.name}"] = path.read_bytes()
    with zipfile.ZipFile(fresh.wheel) as wheel:
        result = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
    assert result == wanted


def test_the_installed_arena_is_the_one_that_is_used(fresh: Environment) -> None:
    file = fresh.python("-c", "import arena; print(arena.__file__)")
    assert Path(file).is_relative_to(fresh.folder / "venv")
    listed = json.loads(fresh.arena("plugins", "--format", "json").stdout)
    assert listed["broken"] == []
    files = [Path(plugin["file"]) for plugin in listed["plugins"]]
    assert len(files) > 5
    assert all(file.is_relative_to(fresh.folder / "venv") for file in files)


def test_it_needs_nothing_that_it_does_not_ask_for(fresh: Environment, packages: list[str]) -> None:
    """Every module can be imported where only the dependencies in setup.cfg are installed.

    But for the plugin for pytest, which nobody but pytest imports, the server, which needs the
    extra ``web``, and the class of an environment, which its caller imports where PettingZoo is.
    """
    with zipfile.ZipFile(fresh.wheel) as wheel:
        files = [name for name in wheel.namelist() if name.endswith(".py")]
    modules = [name.removesuffix(".py").replace("/", ".") for name in files]
    names = [name.removesuffix(".__init__") for name in modules if "__main__" not in name]
    names.remove("arena.pytest_plugin")
    names.remove("arena.plugins.pettingzoo.environment")
    names = [name for name in names if not name.startswith("arena.plugins.web.")]
    assert len(names) > len(packages)
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    fresh.python("-W", "error", "-c", code, *names)


def test_the_installed_command_prints_the_same_bytes_as_the_checkout(fresh: Environment) -> None:
    fight = "fight", "tictactoe3", "monkey", "-n", "100", "--seed", "1"
    for format_ in ("table", "json"):
        installed = fresh.arena(*fight, "--format", format_)
        ours = execute(ROOT, sys.executable, "-c", MAIN, *fight, "--format", format_)
        assert installed.stdout == ours.stdout != ""
        assert installed.stderr == ours.stderr == ""


def test_the_trained_player_has_its_weights_and_a_plot_needs_its_extra(
    fresh: Environment,
    wording: Wording,
) -> None:
    exact = "exact", "lms", "monkey"
    assert fresh.arena(*exact).stdout == execute(ROOT, sys.executable, "-c", MAIN, *exact).stdout
    train = "train", "lms", "--games", "1", "--seed", "1"
    done = fresh.arena(*train, "--plot", "curve.png", code=2)
    assert done.stdout == ""
    wording(done.stderr, "'proving-arena[plot]'")


def test_the_example_plugin_is_listed_with_its_distribution(corner: Environment) -> None:
    listed = json.loads(corner.arena("players", "--format", "json").stdout)
    assert listed["broken"] == []
    (player,) = [player for player in listed["players"] if player["name"] == "corner"]
    assert (player["distribution"], player["version"]) == ("arena-corner", "1.0")
    assert "corner" in corner.arena("players").stdout
    assert "arena-corner" in corner.arena("plugins").stdout


def test_the_example_plugin_plays(corner: Environment) -> None:
    fight = "fight", "corner", "monkey", "-n", "20", "--seed", "1", "--format", "json"
    result = json.loads(corner.arena(*fight).stdout)
    assert result["players"] == ["corner", "monkey"]
    assert result["games"] == 40
    assert result["forfeits"] == {"corner": {}, "monkey": {}}


def test_the_example_passes_its_own_tests(
    corner: Environment, example: tuple[Path, Path], tmp_path: Path
) -> None:
    """Run where its module is not beside them, so that the installed one is tested."""
    shutil.copytree(example[0] / "tests", tmp_path / "tests")
    corner.install("pytest")
    out = corner.python("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path)
    assert " passed" in out
    assert " skipped" not in out


def test_the_example_plugin_is_gone_when_it_is_uninstalled(
    corner: Environment, wording: Wording
) -> None:
    corner.arena("fight", "corner", "monkey", "-n", "1", "--seed", "1")
    corner.uninstall("arena-corner")
    done = corner.arena("fight", "corner", "monkey", code=2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    wording(done.stderr, "'corner'")
    listed = json.loads(corner.arena("players", "--format", "json").stdout)
    assert "corner" not in {player["name"] for player in listed["players"]}
    assert listed["broken"] == []


def test_nothing_of_this_is_left_in_the_checkout(
    fresh: Environment, example: tuple[Path, Path]
) -> None:
    """The wheels are built from copies."""
    assert leftovers() <= fresh.leftovers
    assert example[0].is_relative_to(fresh.folder)
