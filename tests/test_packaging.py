"""What setup.cfg lists is what there is."""

from __future__ import annotations

import importlib
import os
import re
from configparser import ConfigParser
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.plugin.manager import create_plugin_manager, load_catalogue, load_plugins

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parent.parent

#: Folders at the top level that are subpackages of arena.
MAPPED = ("players", "plugins", "reports")


@pytest.fixture(scope="module")
def config() -> ConfigParser:
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


@pytest.fixture
def entries(config: ConfigParser) -> dict[str, str]:
    """Return the entry points of the group arena: modules by the names of their plugins."""
    lines = config["options.entry_points"]["arena"].split("\n")
    named = [line.partition("=") for line in lines if line.strip()]
    return {name.strip(): module.strip() for name, _, module in named}


def folders_with_python(top: Path) -> list[tuple[str, Path]]:
    """Every folder in ``top``, itself included, that holds .py files, with its dotted name."""
    results = []
    for folder, _, files in os.walk(top, followlinks=False):
        if any(file.endswith(".py") for file in files):
            path = Path(folder)
            results.append((".".join(path.relative_to(ROOT).parts), path))
    return results


def package_folders() -> dict[str, Path]:
    """Every package that there is, with its folder."""
    result = dict(folders_with_python(ROOT / "arena"))
    for top in MAPPED:
        result |= {f"arena.{name}": path for name, path in folders_with_python(ROOT / top)}
    return result


def test_every_package_folder_is_listed_and_nothing_else_is(config: ConfigParser) -> None:
    listed = config["options"]["packages"].split()
    assert sorted(listed) == sorted(package_folders())
    assert len(listed) == len(set(listed))


def test_every_package_folder_has_an_init_file() -> None:
    folders = package_folders().values()
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_every_file_beside_the_code_is_package_data(config: ConfigParser) -> None:
    data = config["options.package_data"]
    listed = {(package, name) for package in data for name in data[package].split()}
    there = {
        (package, file.name)
        for package, folder in package_folders().items()
        for file in folder.iterdir()
        if file.is_file() and file.suffix not in (".py", ".pyc", ".pyx", ".pxd", ".so")
    }
    assert listed == there


def test_the_folders_at_the_top_are_mapped_and_linked_under_one_name(config: ConfigParser) -> None:
    lines = config["options"]["package_dir"].strip().split("\n")
    mapped = dict(line.replace(" ", "").split("=") for line in lines)
    assert mapped == {f"arena.{name}": name for name in MAPPED}
    links = {path.name: path for path in (ROOT / "arena").iterdir() if path.is_symlink()}
    assert {name: str(path.readlink()) for name, path in links.items()} == {
        name: f"../{name}" for name in MAPPED
    }


@pytest.mark.parametrize(
    ("folder", "hook"), [("players", "arena_register_players"), ("plugins", "")]
)
def test_the_files_that_register_are_exactly_the_entry_points(
    folder: str, hook: str, entries: dict[str, str]
) -> None:
    paths = (ROOT / folder).glob("[!_]*")
    names = [f"arena.{folder}.{p.stem}" for p in paths if p.suffix == ".py" or p.is_dir()]
    modules = [importlib.import_module(name) for name in names]
    offering = [
        module.__name__
        for module in modules
        if any(name.startswith(hook or "arena_") for name in vars(module))
    ]
    listed = [module for module in entries.values() if module.startswith(f"arena.{folder}.")]
    assert sorted(listed) == sorted(offering) != []


def test_every_entry_point_lies_in_a_player_a_plugin_or_a_feature(entries: dict[str, str]) -> None:
    rooms = ("arena.players.", "arena.plugins.", "arena.features.")
    assert all(module.startswith(rooms) for module in entries.values())


def test_a_player_has_the_name_of_its_file_and_of_its_entry_point(entries: dict[str, str]) -> None:
    modules = {n: m for n, m in entries.items() if m.startswith("arena.players.")}
    assert {name: module.rpartition(".")[2] for name, module in modules.items()} == {
        name: name for name in modules
    }
    offered = {info.name for _, info in load_catalogue().players if info.package == "proving-arena"}
    of_one_file = {"always-cooperate", "always-defect", "grim", "pavlov", "random-p", "tit-for-tat"}
    assert offered == (set(modules) - {"dilemma"}) | of_one_file


def test_the_version_in_setup_cfg_is_the_installed_one(config: ConfigParser) -> None:
    assert config["metadata"]["name"] == "proving-arena"
    assert metadata.version("proving-arena") == config["metadata"]["version"]


def test_one_version_is_told_everywhere(config: ConfigParser, run: Run) -> None:
    version = config["metadata"]["version"]
    assert arena.__version__ == version
    assert run("-V").out == f"arena {version}\n"
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"version = {{{version}}}," in (ROOT / "docs" / "cite.md").read_text()
    first = re.search("^## .*$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    pattern = rf"## {re.escape(version)}, (unreleased|\d{{4}}-\d\d-\d\d)"
    assert first is not None
    assert re.fullmatch(pattern, first[0])


def test_the_versions_of_python_are_the_same_everywhere(config: ConfigParser) -> None:
    pattern = r"Python :: (3\.\d+)$"
    supported = re.findall(pattern, config["metadata"]["classifiers"], re.MULTILINE)
    assert config["options"]["python_requires"] == f">={supported[0]}"
    named = ", ".join(f'"{version}"' for version in supported)
    for workflow in ("tests", "nightly", "package"):
        file = ROOT / ".github" / "workflows" / f"{workflow}.yml"
        assert f"python: [{named}]" in file.read_text()
    *others, last = supported
    page = (ROOT / "docs" / "stability.md").read_text()
    assert f"on Python {', '.join(others)} and {last}" in page.replace("\n", " ")


def test_the_installed_entry_points_are_those_in_setup_cfg(entries: dict[str, str]) -> None:
    installed = metadata.distribution("proving-arena").entry_points.select(group="arena")
    assert {entry.name: entry.value for entry in installed} == entries


def test_every_built_in_plugin_loads(entries: dict[str, str]) -> None:
    catalogue = load_plugins(create_plugin_manager()).catalogue
    loaded = {plugin.name for plugin in catalogue.plugins if plugin.package == "proving-arena"}
    assert loaded == set(entries)
