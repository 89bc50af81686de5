"""The format of a file follows its name."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.golden import Wording

FIGHT = ("fight", "monkey", "triples", "-n", "1", "--seed", "1")


@pytest.mark.parametrize(
    ("file", "style"),
    [
        ("x.csv", "csv"),
        ("x.JSON", "json"),
        ("x.md", "markdown"),
        ("x.txt", "table"),
        ("x", "table"),
    ],
)
def test_the_ending_of_a_file_is_its_format(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, style: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*FIGHT, "--output", file) == (0, "", "")
    assert Path(file).read_text() == run(*FIGHT, "--format", style).out


def test_a_format_that_is_named_goes_with_an_ending_that_says_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(*FIGHT, "--output", "x.log", "--format", "json", "--store", "S")
    assert json.loads(Path("x.log").read_text())["seed"] == 1
    assert run("export", "S", "--output", "x.txt").code == 0
    assert json.loads(Path("x.txt").read_text())["schema"] == "arena.export/1"


def test_a_format_and_another_ending_are_refused_before_anybody_plays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*FIGHT, "--output", "x.csv", "--format", "json", "--store", "S")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'x.csv'", "json")
    assert os.listdir() == []


def test_an_ending_that_no_format_has_is_refused_before_anybody_plays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*FIGHT, "--output", "x.docx", "--store", "S")
    assert (code, out, err.count("\n")) == (2, "", 1)
    wording(err, "'x.docx'", "'docx'", "format")
    assert os.listdir() == []


WIDE = """
import arena


class Wide:
    def __call__(self, record):
        return record.headline

    def on_screen(self, record, screen, is_full):
        return f"{record.headline} on {screen.width}, {screen.has_colours}, {is_full}"


@arena.hookimpl
def arena_register_reports(register):
    register("wide", Wide())
"""


def test_a_format_of_a_plugin_knows_the_screen_and_a_file_does_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wide.py").write_text(WIDE)
    wide = ("-p", "./wide.py", *FIGHT, "--format", "wide")
    wording(run(*wide).out, "80")
    assert run(*wide, "--color", "always", "-v").out.endswith(" on 80, True, True\n")
    assert run(*wide, "--output", "x").code == 0
    wording(Path("x").read_text())
