"""``arena browse``: the games of a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

CLUMSY = """
def choose(position, rng):
    if position.ply == 4:
        return 99
    return rng.choice(position.legal_moves())
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with two runs, of which one has a player that makes illegal moves."""
    folder = tmp_path_factory.mktemp("browse")
    (folder / "clumsy.py").write_text(CLUMSY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        players = ["monkey", "triples", "./clumsy.py"]
        arena.tournament(players, n=3, seed=3, store="S", isolation="none")
        arena.fight("monkey", "heuristic", n=2, seed=4, store="S")
    return folder / "S"


def games(run: Run, store: Path, *options: str) -> list[dict[str, object]]:
    ran = run("browse", "--store", str(store), *options, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    record: list[dict[str, object]] = json.loads(ran.out)["games"]
    return record


@pytest.mark.slow
def test_all_games_of_all_runs_are_listed_with_their_moves(run: Run, store: Path) -> None:
    exported = json.loads(run("export", "--store", str(store)).out)["runs"]
    moves = [" ".join(g["moves"]) for r in exported for f in r["fights"] for g in f["games"]]
    assert [game["moves"] for game in games(run, store)] == moves
    assert {game["run"] for game in games(run, store, "2")} == {2}


@pytest.mark.slow
def test_the_results_of_a_player_are_apart_and_together_all_its_games(
    run: Run, store: Path
) -> None:
    parts = [games(run, store, "--player", "monkey", f"--{r}") for r in ("won", "drawn", "lost")]
    whole = games(run, store, "--player", "monkey")
    assert sum(map(len, parts)) == len(whole) == 16
    won, drawn, lost = parts
    assert {game["winner"] for game in won} <= {"monkey"}
    assert {game["winner"] for game in drawn} <= {None}
    assert "monkey" not in {game["winner"] for game in lost}


@pytest.mark.slow
@pytest.mark.parametrize("result", ["won", "drawn", "lost"])
def test_a_player_may_stand_behind_its_result(run: Run, store: Path, result: str) -> None:
    expected = games(run, store, "--player", "monkey", f"--{result}")
    assert games(run, store, f"--{result}", "monkey") == expected
    swapped = run("browse", "--player", "monkey", f"--{result}", str(store), "--format", "json")
    assert json.loads(swapped.out)["games"] == expected


def test_an_engine_may_stand_behind_its_result(run: Run, store: Path) -> None:
    ran = run("browse", str(store), "--lost", "uci,nodes=500:ethereal-chess")
    assert ran.code == 2
    assert ran.err.startswith("arena: unknown player 'uci,nodes=500:ethereal-chess'")


def test_forfeits_are_found_by_their_reason(run: Run, store: Path) -> None:
    result = games(run, store, "--reason", "illegal")
    assert result
    assert all("./clumsy.py" in (game["first"], game["second"]) for game in result)
    assert all(game["winner"] != "./clumsy.py" and game["message"] for game in result)


def test_a_reason_for_which_nobody_forfeited_has_no_games(run: Run, store: Path) -> None:
    assert games(run, store, "--reason", "timeout") == []


def test_moves_are_aligned_to_the_left(run: Run, store: Path) -> None:
    ran = run("browse", "2", "--store", str(store))
    header, _, *rows = ran.out.splitlines()
    column = header.index("moves")
    assert all(row[column].isdigit() and row[column - 1] == " " for row in rows)


@pytest.mark.parametrize(
    "options",
    [
        ("--player", "monky"),
        ("--won",),
        ("--reason", "timeuot"),
        ("7",),
    ],
)
def test_a_wrong_name_is_one_line(
    run: Run, store: Path, options: tuple[str, ...], wording: Wording
) -> None:
    ran = run("browse", "--store", str(store), *options)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


def test_a_stored_game_is_shown_without_its_players(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    """Look from a folder without the players' files, at every game of a forfeiting player."""
    monkeypatch.chdir(tmp_path)
    for game in games(run, store, "--player", "./clumsy.py"):
        shown = run("replay", str(game["game"]), "--store", str(store), "--format", "json")
        assert (shown.code, shown.err) == (0, "")
        record = json.loads(shown.out)
        assert " ".join(record["moves"]) == game["moves"]
        assert record["winner"] == game["winner"]
        assert (record["forfeit"] or {}).get("message") == game["message"]
    gone = run("replay", "tictactoe/monkey/triples/3/4.1", "--store", str(store))
    assert (gone.code, gone.out) == (2, "")
    wording(gone.err, "'tictactoe/monkey/triples/3/4.1'")


def test_a_store_in_the_place_of_a_player_is_told_apart(
    run: Run, store: Path, wording: Wording
) -> None:
    for more in ((), ("--store", str(store))):
        ran = run("history", str(store), *more)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        wording(ran.err, "--store", f"{store}")


def test_an_empty_listing_has_no_short_ids(run: Run, store: Path, wording: Wording) -> None:
    assert run("browse", str(store), "--reason", "budget").code == 0
    for word in ("last", "1"):
        ran = run("replay", word)
        assert ran.code == 2
        wording(ran.err, "arena browse")


def test_a_store_without_regression_runs_says_what_it_has(
    run: Run, store: Path, wording: Wording
) -> None:
    ran = run("history", "monkey", "--store", str(store))
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "--store")


def test_games_of_elsewhere_are_listed_below(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club.pgn").write_text(
        '[White "Anna"]\n[Black "monkey"]\n1. e4 1-0\n\n[White "Bert"]\n[Black "Anna"]\n1. d4 1-0\n'
    )
    arena.fight("monkey", "triples", 1, seed=4, store="T")
    arena.import_games("club.pgn", "T")
    shown = run("browse", "T").out
    wording(" ".join(shown.split()))

    def browsed(*options: str) -> tuple[int, list[int]]:
        listing = json.loads(run("browse", "T", *options, "--format", "json").out)
        return len(listing["games"]), [game["line"] for game in listing["imported"]]

    assert browsed() == (2, [1, 5])
    assert browsed("--player", "monkey") == (2, [1])
    assert browsed("--player", "Anna", "--lost") == (0, [5])
    assert browsed("--reason", "illegal") == (0, [])
    assert "imported" not in json.loads(run("browse", "T", "1", "--format", "json").out)


@pytest.mark.slow
def test_a_player_goes_by_the_short_name_that_tables_show(run: Run, store: Path) -> None:
    lost = games(run, store, "--lost", "clumsy")
    assert lost == games(run, store, "--lost", "./clumsy.py") != []
    game_id = str(lost[0]["game"])
    short = game_id.replace("%2E%2Fclumsy%2Epy", "clumsy").replace(".%2Fclumsy.py", "clumsy")
    assert short != game_id
    played = [arena.replay(each, store=store) for each in (short, game_id)]
    assert played[0].moves == played[1].moves != ()
    [whole, brief] = [arena.entrant_report(store, each, 1) for each in ("./clumsy.py", "clumsy")]
    assert whole == brief
    with pytest.raises(arena.UsageError, match="'clumsi'"):
        arena.resume(store, 1, withdraw=["clumsi"])


@pytest.mark.slow
def test_a_short_name_of_two_players_is_nobody(run: Run, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(CLUMSY)
    bots = [str(tmp_path / folder / "bot.py") for folder in ("a", "b")]
    arena.tournament(bots, n=1, seed=3, store=tmp_path / "S", isolation="none")
    ran = run("browse", "--store", str(tmp_path / "S"), "--player", "bot")
    assert "unknown player 'bot'" in ran.err
    assert len(games(run, tmp_path / "S", "--player", "a/bot")) == 2


@pytest.mark.slow
def test_a_player_is_withdrawn_by_its_short_name(tmp_path: Path) -> None:
    bot, store = tmp_path / "bot.py", tmp_path / "S"
    bot.write_text(CLUMSY)
    arena.tournament(["monkey", "triples", str(bot)], n=1, seed=3, store=store, isolation="none")
    resumed = arena.resume(store, withdraw=["bot"])
    assert isinstance(resumed, arena.records.TournamentResult)
    assert {row.player for row in resumed.standings} == {"monkey", "triples"}
