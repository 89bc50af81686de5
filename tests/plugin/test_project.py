"""The project in a folder is what its settings or its installer say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.plugin.project import projects_in

ROOT = Path(__file__).parents[2]

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a plugin of a distribution, with what its installer noted of its source."""

    def make(name: str, noted: str) -> None:
        folder = tmp_path / "site" / f"{name}-1.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
        (folder / "entry_points.txt").write_text(f"[arena]\n{name} = {name}\n")
        (folder / "direct_url.json").write_text(noted)
        monkeypatch.syspath_prepend(str(folder.parent))

    return make


@pytest.mark.parametrize(
    ("file", "text", "names"),
    [
        ("pyproject.toml", '[project]\nname = "My_.Bot"\n', {"my-bot"}),
        ("setup.cfg", "[metadata]\nname = My_Bot\nversion = %(x\n", {"my-bot"}),
        ("pyproject.toml", "[build-system]\nrequires = []\n", set()),
        ("pyproject.toml", "project = 3\n", set()),
        ("pyproject.toml", "[project\n", set()),
        ("setup.cfg", "name = odd\n", set()),
        ("setup.cfg", "\0", set()),
    ],
)
def test_settings_name_the_project(tmp_path: Path, file: str, text: str, names: set[str]) -> None:
    (tmp_path / file).write_text(text)
    assert projects_in(tmp_path) == names


def test_the_checkout_of_arena_is_arena() -> None:
    assert projects_in(ROOT) == {"proving-arena"}
    assert projects_in(ROOT / "tests") == set()


@pytest.mark.parametrize("info", [{"dir_info": {"editable": True}}, {"dir_info": {}}, {}])
def test_an_installation_from_the_folder_needs_no_settings(
    tmp_path: Path, install: Install, info: dict[str, object]
) -> None:
    (source := tmp_path / "a project").mkdir()
    install("My_Bot", json.dumps({"url": source.as_uri(), **info}))
    assert projects_in(source) == {"my-bot"}
    assert projects_in(tmp_path) == set()


@pytest.mark.parametrize("noted", ["", "[]", "{", '{"url": 3}', '{"url": "https://a.org/b"}'])
def test_an_odd_note_of_an_installer_names_nobody(
    tmp_path: Path, install: Install, noted: str
) -> None:
    install("odd", noted)
    assert projects_in(tmp_path) == set()
