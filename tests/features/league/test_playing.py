"""Play what is new: pairings of players that did not change keep their games."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast

import pytest

import arena
from arena.features.contest.function import strong_tier
from arena.features.league import playing
from arena.features.league.acceptance import games_by_pairing, last_run
from arena.plugin.catalogue import Catalogue
from arena.records import TournamentResult
from tests.conftest import Run
from tests.features.league.forge import FIRST, ILLEGAL, LAST, write_entrant
from tests.golden import Wording
from tests.sandbox.wasm import modules

Games = dict[tuple[str, ...], object]


def played(store: str, published: str | None = None) -> TournamentResult:
    return cast("TournamentResult", arena.play_league(store, published))


def published(store: str, folder: str, before: str | None = None) -> str:
    """Publish a store, and return the folder."""
    site = arena.write_league_site(store, folder, before, commit=folder)
    assert site.problems == ()
    return folder


def games_of(store: str, catalogue: Catalogue) -> Games:
    """Return the games by the names of their players, with all that a store has of them."""
    games = games_by_pairing(store, catalogue)
    return {tuple(name for name, _ in key): value for key, value in games.items()}


def table(result: TournamentResult) -> dict[str, object]:
    return {row.player: (row.rank, row.tally) for row in result.standings}


def fresh(league: Path) -> TournamentResult:
    """Play all of the league as a tournament that knows nothing of leagues."""
    folders = sorted((league / "entrants").iterdir())
    entrants = [f"{folder.name}=./entrants/{folder.name}/bot.py" for folder in folders]
    return arena.tournament(["league.toml", *entrants], store=None, isolation="process")


@pytest.mark.slow
def test_only_new_pairings_are_played(league: Path, catalogue: Catalogue) -> None:
    """Games that are kept are the same to the microseconds that their moves took."""
    played("one.db")
    published("one.db", "p1")
    write_entrant(league, "alice")
    two = played("two.db", "p1")
    before, after = games_of("one.db", catalogue), games_of("two.db", catalogue)
    assert {pair: after[pair] for pair in before} == before
    assert set(after.keys() - before.keys()) == {
        ("alice", "example"),
        ("alice", "monkey"),
        ("alice", "triples"),
    }
    assert table(two) == table(fresh(league))


@pytest.mark.slow
def test_a_changed_entrant_plays_its_own_pairings_again(league: Path, catalogue: Catalogue) -> None:
    write_entrant(league, "alice", FIRST)
    played("one.db")
    published("one.db", "p1")
    write_entrant(league, "alice", LAST)
    two = played("two.db", "p1")
    before, after = games_of("one.db", catalogue), games_of("two.db", catalogue)
    assert before.keys() == after.keys()
    assert {pair for pair in before if after[pair] != before[pair]} == {
        pair for pair in before if "alice" in pair
    }
    assert table(two) == table(fresh(league))


@pytest.mark.slow
def test_a_module_beside_the_player_is_its_code(league: Path, catalogue: Catalogue) -> None:
    entrant = write_entrant(league, "alice", "part.MOVES(position)[0]")
    bot = entrant / "bot.py"
    bot.write_text("import part\n\n\n" + bot.read_text())
    part = entrant / "part.py"
    part.write_text("def MOVES(position): return position.legal_moves()\n")
    played("one.db")
    published("one.db", "p1")
    part.write_text("def MOVES(position): return position.legal_moves()[::-1]\n")
    two = played("two.db", "p1")
    before, after = games_of("one.db", catalogue), games_of("two.db", catalogue)
    assert all((after[pair] != before[pair]) == ("alice" in pair) for pair in before)
    assert table(two) == table(fresh(league))


@pytest.mark.slow
def test_an_entrant_leaves_comes_back_and_is_replaced_by_a_module_of_another_name(
    league: Path, catalogue: Catalogue
) -> None:
    write_entrant(league, "alice", FIRST)
    first = played("one.db")
    published("one.db", "p1")
    shutil.rmtree(league / "entrants" / "alice")
    two = played("two.db", "p1")
    assert table(two) == table(fresh(league))
    assert "alice" not in table(two)
    published("two.db", "p2", "p1")
    entrant = write_entrant(league, "alice", FIRST)
    three = played("three.db", "p2")
    assert table(three) == table(first)
    published("three.db", "p3", "p2")
    (entrant / "bot.py").rename(entrant / "better.py")
    four = played("four.db", "p3")
    assert table(four) == table(first)
    published("four.db", "p4", "p3")


@pytest.mark.slow
def test_a_store_goes_on_in_another_folder(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> None:
    """The next job of a forge runs on another machine."""
    played("one.db")
    published("one.db", "p1")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(league, elsewhere)
    shutil.rmtree(league / "entrants")
    monkeypatch.chdir(elsewhere)
    write_entrant(elsewhere, "alice")
    played("two.db", "p1")
    before, after = games_of("one.db", catalogue), games_of("two.db", catalogue)
    assert {pair: after[pair] for pair in before} == before
    published("two.db", "p2", "p1")


@pytest.mark.slow
def test_another_file_begins_again_and_so_does_another_season(league: Path) -> None:
    played("one.db")
    published("one.db", "p1")
    started = last_run("one.db").started
    file = league / "league.toml"
    file.write_text(file.read_text().replace("seed = 1", "seed = 2"))
    played("two.db", "p1")
    assert last_run("two.db").seed == 2
    file.write_text(file.read_text().replace("seed = 2", "seed = 1"))
    played("same.db", "p1")
    assert last_run("same.db").started == started
    arena.seal_season("spring", "secret.json")
    played("three.db", "p1")
    assert last_run("three.db").started != started


@pytest.mark.slow
def test_a_store_that_is_there_goes_on_and_one_of_another_league_does_not(
    league: Path, wording: Wording
) -> None:
    first = played("one.db")
    assert table(played("one.db")) == table(first)
    write_entrant(league, "alice")
    assert "alice" in table(played("one.db"))
    file = league / "league.toml"
    file.write_text(file.read_text().replace("pairs = 2", "pairs = 3"))
    with wording.raises(arena.UsageError, "'one.db'"):
        played("one.db")


@pytest.mark.slow
def test_a_player_that_fails_forfeits_and_one_that_does_not_load_is_withdrawn(
    league: Path,
) -> None:
    write_entrant(league, "alice", ILLEGAL)
    (write_entrant(league, "bob") / "bot.py").write_text("x = \n")
    result = played("one.db")
    assert {row.player: row.forfeits > 0 for row in result.standings}["alice"]
    comparison = arena.compare_league("one.db")
    assert (comparison.problems, comparison.holds) == ((), False)
    assert [fault.split()[0] for fault in comparison.faults] == ["alice", "bob"]
    published("one.db", "p1")


@pytest.mark.slow
def test_a_player_that_does_not_load_comes_into_a_league_that_goes_on(
    league: Path, run: Run
) -> None:
    """It is withdrawn, as one that was there at the beginning, and plays once it is mended."""
    played("one.db")
    published("one.db", "p1")
    bot = write_entrant(league, "bob") / "bot.py"
    right = bot.read_text()
    bot.write_text("x = \n")
    ran = run("league", "play", "two.db", "--published", "p1")
    assert (ran.code, "bob" in ran.err) == (0, True)
    published("two.db", "p2", "p1")
    bot.write_text(right)
    three = played("three.db", "p2")
    assert table(three) == table(fresh(league))
    assert arena.compare_league("three.db", "p2").holds


@pytest.mark.slow
@pytest.mark.needs("wasmtime")
def test_a_league_of_modules_is_the_same_for_everybody(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    """Whoever has the store and the modules plays all of it again."""
    monkeypatch.setattr(playing, "strong_tier", strong_tier)
    file = league / "league.toml"
    file.write_text('isolation = "wasm"\n' + file.read_text())
    with wording.raises(arena.UsageError, "bot.wasm"):
        played("one.db")
    shutil.rmtree(league / "entrants" / "example")
    for name, body in (("any", modules.ANY), ("first", modules.FIRST)):
        folder = league / "entrants" / name
        folder.mkdir()
        modules.write(folder / "bot.wasm", modules.text_of(body))
        (folder / "OWNER").write_text("alice\n")
    played("one.db")
    published("one.db", "p1")
    assert arena.verify("one.db", replay=True).holds
    modules.write(league / "entrants" / "any" / "bot.wasm", modules.text_of(modules.FIRST))
    played("two.db", "p1")
    published("two.db", "p2", "p1")
    assert arena.verify("two.db", replay=True).holds
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(league, elsewhere)
    shutil.rmtree(league / "entrants")
    monkeypatch.chdir(elsewhere)
    played("two.db")
    report = arena.verify("two.db", replay=True)
    assert (report.holds, report.replayed) == (True, 24)


def broken(league: Path, case: str) -> None:
    entrants = league / "entrants"
    if case == "file":
        (entrants / "bot.py").write_text("")
    elif case == "link":
        (write_entrant(league, "alice") / "more.py").symlink_to("bot.py")
    elif case == "linked folder":
        (entrants / "alice").symlink_to("example")
    elif case == "pipe":
        import os

        os.mkfifo(write_entrant(league, "alice") / "more.py")
    elif case == "owner":
        (write_entrant(league, "alice") / "OWNER").unlink()
    elif case == "name":
        write_entrant(league, "a b")
    elif case == "case":
        write_entrant(league, "Example")
    elif case == "installed":
        write_entrant(league, "monkey")
    elif case == "data":
        (write_entrant(league, "alice") / "weights.bin").write_text("1")
    else:
        file = league / "league.toml"
        file.write_text(file.read_text() + case)


CASES = ["file", "link", "linked folder", "pipe", "owner", "name", "case", "installed", "data"]
KEYS = ['engine = "batch"', 'schedule = "swiss:2"', "[hand-ins]\nsize = 10"]


@pytest.mark.parametrize("case", [*CASES, *KEYS])
def test_a_league_that_is_not_one_is_refused_in_a_line(
    case: str, league: Path, wording: Wording
) -> None:
    broken(league, case)
    with wording.raises(arena.UsageError):
        played("one.db")
    assert not Path("one.db").exists()


@pytest.mark.parametrize("tier", ["none", "process"])
def test_strangers_play_behind_walls_alone(
    tier: str, league: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(playing, "strong_tier", strong_tier)
    file = league / "league.toml"
    file.write_text(f'isolation = "{tier}"\n' + file.read_text())
    with wording.raises(arena.UsageError):
        played("one.db")


def test_a_game_for_three_is_refused(league: Path, wording: Wording) -> None:
    file = league / "league.toml"
    file.write_text(
        file.read_text().replace('"tictactoe"', '"snakes-3"').replace(', "triples"', "")
    )
    with wording.raises(arena.UsageError, "snakes-3"):
        played("one.db")


@pytest.mark.parametrize("game", ["kuhn", pytest.param("pig-20", marks=pytest.mark.nightly)])
def test_a_game_with_luck_or_payoffs_is_played_and_published(game: str, league: Path) -> None:
    file = league / "league.toml"
    text = file.read_text().replace('"tictactoe"', f'"{game}"').replace(', "triples"', "")
    file.write_text(text)
    played("one.db")
    published("one.db", "p1")
    write_entrant(league, "alice", LAST)
    result = played("two.db", "p1")
    comparison = arena.compare_league("two.db", "p1")
    assert comparison.entrants == {"alice": "new"}
    assert comparison.unit == result.unit
    assert {pairing.players[0] for pairing in comparison.pairings} == {"alice"}
    published("two.db", "p2", "p1")
