"""Baselines as files: the same bytes for the same players, and nothing believed that is read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import files
from arena.errors import UsageError
from arena.features.regress.files import read_baseline, to_text
from arena.features.regress.policies import format_moves, parse_moves
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording

#: How the version of arena's own players begins.
VERSION = str(arena.__version__)[0]


@pytest.mark.slow
def test_the_built_in_baseline_is_up_to_date_and_reads_back(
    built_in: Path, catalogue: Catalogue
) -> None:
    baseline = read_baseline(built_in, catalogue)
    assert set(baseline.games) == {"tictactoe", "mnk-4-4-3"}
    assert to_text(baseline) == built_in.read_text()
    assert len(built_in.read_bytes()) < 600_000


@pytest.mark.slow
def test_an_update_without_a_change_is_the_same_bytes(
    built_in: Path, tmp_path: Path, catalogue: Catalogue
) -> None:
    file = tmp_path / "baseline.json"
    panel = json.loads(built_in.read_text())["games"]["tictactoe"]["panel"]
    for workers in (1, 2):
        report = arena.regress(
            ["triples"], game="tictactoe", panel=panel, baseline=file, update=True,
            workers=workers, catalogue=catalogue,
        )  # fmt: skip
        assert (report.exit_code, report.written) == (0, True)
        written = file.read_bytes()
    assert os.listdir(tmp_path) == ["baseline.json"]
    whole = json.loads(built_in.read_text())
    assert json.loads(written)["games"]["tictactoe"] == whole["games"]["tictactoe"]


@pytest.mark.slow
def test_a_changed_move_is_a_changed_line(
    tmp_path: Path, catalogue_with: Callable[..., Catalogue], mutate: Callable[..., Any]
) -> None:
    file = tmp_path / "baseline.json"
    policies = []
    for catalogue in (catalogue_with(), catalogue_with(mutate("harmless"))):
        arena.regress(
            ["tictactoe3"],
            game="tictactoe",
            panel=["tictactoe3"],
            baseline=file,
            update=True,
            catalogue=catalogue,
            executor="serial",
        )
        lines = re.findall(r'^ +"[xo_]{9}": "\d.*",?$', file.read_text(), re.MULTILINE)
        policies.append({line.split(":")[0]: line.strip(",") for line in lines})
    before, after = policies
    assert sum(before[key] != after[key] for key in before.keys() & after.keys()) == 8


@pytest.mark.slow
def test_an_update_of_one_player_leaves_the_others(
    built_in: Path, tmp_path: Path, catalogue: Catalogue
) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(built_in.read_text().replace(f'"version": "{VERSION}', '"version": "9'))
    arena.regress(
        ["triples"],
        game="tictactoe",
        baseline=file,
        update=True,
        catalogue=catalogue,
        executor="serial",
    )
    games = json.loads(file.read_text())["games"]
    versions = {name: p["version"][0] for name, p in games["tictactoe"]["players"].items()}
    assert versions.pop("triples") == VERSION
    assert set(versions.values()) == {"9"}
    before = json.loads(built_in.read_text())["games"]["mnk-4-4-3"]
    assert games["mnk-4-4-3"] == before | {"players": games["mnk-4-4-3"]["players"]}
    assert {p["version"][0] for p in games["mnk-4-4-3"]["players"].values()} == {"9"}
    assert games["mnk-4-4-3"]["players"].keys() == before["players"].keys()


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> str:
    """Return the baseline of one player."""
    file = tmp_path_factory.mktemp("content") / "baseline.json"
    arena.regress(
        ["triples"],
        game="tictactoe",
        panel=["triples"],
        baseline=file,
        update=True,
        catalogue=catalogue,
        executor="serial",
    )
    return file.read_text()


@pytest.fixture
def small(tmp_path: Path, content: str) -> Path:
    """Return a file with that."""
    file = tmp_path / "small.json"
    file.write_text(content)
    return file


def game_of(record: Any) -> Any:
    return record["games"]["tictactoe"]


def triples_of(record: Any) -> Any:
    return game_of(record)["players"]["triples"]


def games_of(record: Any, **change: Any) -> None:
    against = {"monkey": {"seed": 1, "points": ["01234"], **change}}
    record["games"]["tictactoe"]["players"]["triples"] = {
        "version": "1", "method": "games", "against": against,
    }  # fmt: skip


#: Changes of the JSON of a good baseline, by what is wrong afterwards.
WRONG: dict[str, Callable[[Any], Any]] = {
    "schema": lambda r: r.update(schema="arena.fight/1"),
    "no games": lambda r: r.pop("games"),
    "unknown game": lambda r: r["games"].update(ludo=game_of(r)),
    "alias": lambda r: r["games"].update({"mnk-3-3-3": game_of(r)}),
    "game's version": lambda r: game_of(r).update(version=7),
    "no version": lambda r: game_of(r).update(version=True),
    "panel": lambda r: game_of(r).update(panel=["a", "a"]),
    "player": lambda r: game_of(r)["players"].update(x=[]),
    "method": lambda r: triples_of(r).update(method="luck"),
    "position": lambda r: triples_of(r)["policy"].update(xxx="1"),
    "over": lambda r: triples_of(r)["policy"].update(xxxoo____="7"),
    "twice": lambda r: triples_of(r)["policy"].update({"." * 9: "5"}),
    "missing": lambda r: triples_of(r)["policy"].pop("________x"),
    "odd one": lambda r: triples_of(r)["policy"].update(x_______o="5"),
    "no move": lambda r: triples_of(r)["policy"].update(_________=""),
    "number": lambda r: triples_of(r)["policy"].update(_________=5),
    "no square": lambda r: triples_of(r)["policy"].update(_________="0"),
    "taken": lambda r: triples_of(r)["policy"].update(________x="9"),
    "same move": lambda r: triples_of(r)["policy"].update(_________="5 5"),
    "sum": lambda r: triples_of(r)["policy"].update(_________="1:1/3 2:1/3"),
    "fraction": lambda r: triples_of(r)["policy"].update(_________="1:1e9"),
    "zero": lambda r: triples_of(r)["policy"].update(_________="1:1 2:0"),
    "mixed": lambda r: triples_of(r)["policy"].update(_________="1:1/2 2"),
    "points": lambda r: games_of(r, points=["0125"]),
    "no points": lambda r: games_of(r, points=[]),
    "seed": lambda r: games_of(r, seed=10**30),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_baseline_is_said(
    small: Path, wrong: str, catalogue: Catalogue, wording: Wording
) -> None:
    record = json.loads(small.read_text())
    WRONG[wrong](record)
    small.write_text(json.dumps(record))
    with wording.raises(UsageError) as caught:
        arena.regress(baseline=small, catalogue=catalogue, executor="serial")
    assert str(caught.value).startswith(f"baseline '{str(small)[:20]}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n",
        b"{",
        b"[" * 100_000,
        b"\xff\xfe",
        b"[]",
        b'{"schema": "arena.baseline/1", "schema": 1}',
        b'{"schema": "arena.baseline/2"}',
    ],
)
def test_what_is_no_baseline(
    tmp_path: Path, content: bytes, catalogue: Catalogue, wording: Wording
) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(content)
    with wording.raises(UsageError):
        read_baseline(file, catalogue)


def test_folders_devices_and_huge_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue, wording: Wording
) -> None:
    with wording.raises(UsageError):
        read_baseline(tmp_path, catalogue)
    with wording.raises(UsageError):
        read_baseline(Path("/dev/null"), catalogue)
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1 << 20)
    (tmp_path / "huge").write_bytes(b" " * ((1 << 20) + 1))
    with wording.raises(UsageError):
        read_baseline(tmp_path / "huge", catalogue)


def test_rules_that_changed_take_an_update(
    small: Path, catalogue: Catalogue, wording: Wording
) -> None:
    good = small.read_text()
    small.write_text(good.replace('"version": 1', '"version": 0'))
    with wording.raises(UsageError):
        arena.regress(baseline=small, catalogue=catalogue, executor="serial")
    arena.regress(
        ["triples"],
        panel=["triples"],
        baseline=small,
        update=True,
        catalogue=catalogue,
        executor="serial",
    )
    assert small.read_text() == good


def test_a_missing_baseline_is_a_mistake_only_if_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    with wording.raises(UsageError, match=r"'nowhere\.json'.*--update"):
        arena.regress(baseline="nowhere.json", catalogue=catalogue, executor="serial")
    report = arena.regress(["triples"], catalogue=catalogue, executor="serial")
    assert (report.exit_code, report.baseline, report.comparisons) == (0, None, ())
    wording(report.notes[0])


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ({4: Fraction(1)}, "5"),
        ({0: Fraction(1, 2), 8: Fraction(1, 2)}, "1 9"),
        ({0: Fraction(1, 3), 4: Fraction(2, 3)}, "1:1/3 5:2/3"),
    ],
)
def test_moves_as_text(moves: dict[int, Fraction], text: str, catalogue: Catalogue) -> None:
    game = catalogue.game("tictactoe")
    assert format_moves(game, moves) == text
    assert parse_moves(text, game.start()) == moves
