"""Plugins are found in the files of installers as ``importlib.metadata`` finds them."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.plugin.installed import PluginDeclaration, declared

NAMED = "Metadata-Version: 2.1\nName: My_Bot\nVersion: 1.2\nSummary: s\n\nName: not this\n"


def by_importlib() -> list[PluginDeclaration]:
    """Return the same with the standard library; the metadata of what has none is empty."""
    results = []
    for entry in metadata.entry_points(group="arena"):
        about = dict(entry.dist.metadata.items()) if entry.dist else {}  # type: ignore[attr-defined]
        named = about.get("Name", ""), about.get("Version", "")
        results.append(PluginDeclaration(entry.name, entry.value, *named))
    return results


@pytest.mark.parametrize(
    ("folder", "file", "entries", "count"),
    [
        ("my_bot-1.2.dist-info", "METADATA", "[arena]\nbot = my_bot\n", 1),
        ("My.Bot-1.2.dist-info", "METADATA", "[arena]\nbot=my_bot : bots.First [extra]\n", 1),
        (
            "my_bot.egg-info",
            "PKG-INFO",
            "# a\n[other]\nno = no\n[arena]\n\n# b\n a = b \nc = d=e\n",
            2,
        ),
        ("my_bot-1.2.dist-info", "METADATA", "[other]\narena = my_bot\n", 0),
        ("my_bot-1.2.dist-info", "none", "[arena]\nbot = my_bot\n", 1),
        ("my_bot.txt", "METADATA", "[arena]\nbot = my_bot\n", 0),
        ("my_bot-1.2.dist-info", "METADATA", "", 0),
    ],
)
def test_a_package_declares_what_the_standard_library_says(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    file: str,
    entries: str,
    count: int,
) -> None:
    """And so does the other one of that name, later on the path, which is hidden."""
    for place in ("first", "second"):
        (tmp_path / place / folder).mkdir(parents=True)
        (tmp_path / place / folder / file).write_text(NAMED)
        (tmp_path / place / folder / "entry_points.txt").write_text(entries)
    others = declared("arena")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "second"), *sys.path])
    assert sorted(declared("arena")) == sorted(by_importlib())
    assert len(declared("arena")) == len(others) + count


def test_what_a_zip_file_has_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ZipFile(tmp_path / "bots.zip", "w") as file:
        file.writestr("my_bot-1.2.dist-info/METADATA", NAMED)
        file.writestr("my_bot-1.2.dist-info/entry_points.txt", "[arena]\nbot = my_bot\n")
    monkeypatch.syspath_prepend(tmp_path / "bots.zip")
    assert PluginDeclaration("bot", "my_bot", "My_Bot", "1.2") in declared("arena")
    assert sorted(declared("arena")) == sorted(by_importlib())


def test_what_cannot_be_read_declares_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = declared("arena")
    (tmp_path / "folder-1.dist-info" / "entry_points.txt").mkdir(parents=True)
    (tmp_path / "bytes-1.dist-info").mkdir()
    (tmp_path / "bytes-1.dist-info" / "entry_points.txt").write_bytes(b"\xff\n[arena\nx\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing"), *sys.path])
    assert declared("arena") == others


@pytest.mark.parametrize(
    ("value", "thing"),
    [("os", os), ("os.path:join", os.path.join), ("os : path.join [extra]", os.path.join)],
)
def test_a_value_is_a_module_or_a_thing_in_it(value: str, thing: object) -> None:
    assert PluginDeclaration("x", value, "", "").load() is thing
    assert PluginDeclaration("x", value, "", "").module in ("os", "os.path")
