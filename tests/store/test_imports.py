"""Games that were played elsewhere: taken by the rules, rated, verified, and written again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.reports.pgn import pgn
from arena.reports.sgf import sgf
from tests.golden import Wording
from tests.samples import few

FOREIGN = """[Event "Club"]
[Date "1999.01.01"]
[White "Anna"]
[Black "Bert"]
[Opening "\\"Fool's\\""]

1.f3 {why?} e5 $2 2.g4?? (2. e4 Nf6) Qh4 0-1

[White "Bert"]
[Black "Anna"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]

1. 0-0 Ke7 1-0

[White "Anna"]
[Black "Cleo"]
[Variant "tictactoe"]

1. 5 1 2. 2 8 1/2-1/2
"""
#: The games of it that break a rule, by what they have in place of something.
BROKEN = [
    ("Qh4 0-1", "Qh4 1-0"),
    ("Qh4 0-1", "Qh5 0-1"),
    ("Qh4 0-1", "Qh4 3. a4 0-1"),
    ("Qh4 0-1", "Qh4 *"),
    ('[White "Anna"]\n[Black "Bert"]', '[White "Anna"]'),
    ("Anna", "A" * 201),
    ("4K2R w", "4K3 w"),
    ("tictactoe", "draughts"),
    ("2. 2 8", "2. 2 1"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text(FOREIGN)
    return tmp_path


@pytest.mark.slow
def test_take_games_and_write_them_again_to_the_byte() -> None:
    report = arena.import_games("games.pgn", "S")
    assert (report.games, report.left_out, report.players) == (3, 0, ("Anna", "Bert", "Cleo"))
    text = pgn(arena.export("S")) + "\n"
    assert "1. f3 {why?} 1... e5 2. g4 Qh4# 0-1\n" in text
    assert '[Opening "\\"Fool\'s\\""]' in text
    assert '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O Ke7 1-0\n' in text
    Path("again.pgn").write_text(text)
    arena.import_games("again.pgn", "T")
    assert pgn(arena.export("T")) + "\n" == text
    games = [game for record in arena.export("S").as_json()["imports"] for game in record["games"]]
    assert [game["played_here"] for game in games] == [False] * 3
    assert games[0]["moves"] == ["f2f3", "e7e5", "g2g4", "d8h4"]


@pytest.mark.slow
@pytest.mark.parametrize("game", few(["connect4", "chess", "tictactoe"]))
@pytest.mark.parametrize("openings", [None, "random:3"])
def test_bring_runs_from_one_store_to_another_to_the_byte(
    game: str, openings: Any, wording: Wording
) -> None:
    settings: Any = {"game": game, "openings": openings, "seed": 3, "workers": 1}
    arena.fight("monkey", lambda position, _: -1, 2, store="S", **settings)
    arena.fight("monkey", "monkey", 2, store="S", adjudicate="draws", **settings)
    text = pgn(arena.export("S")) + "\n"
    Path("run.pgn").write_text(text)
    report = arena.import_games("run.pgn", "T")
    assert (report.games, report.left_out) == (8, 0)
    assert pgn(arena.export("T")) + "\n" == text
    assert arena.verify("T").holds
    refused = arena.import_games("run.pgn", "S")
    assert (refused.number, refused.games, refused.left_out) == (None, 0, 8)
    assert refused.problems[0][0] == 1
    wording(refused.problems[0][1])
    assert not arena.export("S").as_json()["imports"]


@pytest.mark.parametrize(("part", "other"), BROKEN)
def test_leave_a_game_out_that_breaks_the_rules(part: str, other: str, wording: Wording) -> None:
    assert part in FOREIGN
    Path("games.pgn").write_text(FOREIGN.replace(part, other, 1))
    report = arena.import_games("games.pgn", "S")
    assert (report.games, report.left_out) == (2, 1)
    wording(report.problems[0][1])


@pytest.mark.parametrize(
    "content",
    [
        FOREIGN[:-9],
        "",
        b"\x7fELF\0",
        None,
    ],
)
def test_take_nothing_of_a_file_that_is_damaged(content: Any, wording: Wording) -> None:
    Path("games.pgn").unlink()
    if content is not None:
        Path("games.pgn").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageError) as caught:
        arena.import_games("games.pgn", "S")
    wording(str(caught.value))
    assert not Path("S").exists()


def test_take_a_file_once(wording: Wording) -> None:
    arena.import_games("games.pgn", "S")
    with wording.raises(UsageError, match=r"'games\.pgn'"):
        arena.import_games("games.pgn", "S")


@pytest.mark.slow
def test_rate_players_of_games_from_elsewhere_with_those_of_runs(wording: Wording) -> None:
    played = arena.fight("monkey", "triples", 20, seed=1, store="S")
    total = played.total
    Path("games.pgn").write_text('[White "monkey"]\n[Black "Anna"]\n1. e4 1-0\n' * 3)
    arena.import_games("games.pgn", "T")
    with wording.raises(UsageError):
        arena.rate_stores(["S", "T"])
    (anna,) = [row for row in arena.rate_stores(["T", "T"]).players if row.player == "Anna"]
    assert anna.tally == arena.records.Tally(losses=1)
    here = arena.rate_stores(["S", "T"], "tictactoe")
    assert here == arena.rate_stores(["S"]) == arena.rate_stores("S")
    text = '[White "triples"]\n[Black "monkey"]\n[Variant "tictactoe"]\n[Round "{}"]\n*'
    games = "\n\n".join(text.format(n).replace("*", "1. 5 1-0") for n in range(7))
    Path("more.pgn").write_text(games)
    arena.import_games("more.pgn", "S")
    rows = {row.player: row for row in arena.rate_stores(["S"]).players}
    assert rows["monkey"].tally == total + arena.records.Tally(losses=7)
    assert "7 games played elsewhere" in arena.rate_stores(["S"]).statements[-1]


def test_name_an_imported_game_that_was_tampered_with(wording: Wording) -> None:
    arena.import_games("games.pgn", "S")
    assert arena.verify("S").games == 3
    with closing(sqlite3.connect("S")) as database:
        database.execute("UPDATE imported SET outcome='draw' WHERE number=1")
        database.commit()
    divergence = arena.verify("S").divergence
    assert divergence is not None
    wording(divergence.where)
    wording(divergence.problem, "'draw'", "'second'")


@pytest.mark.slow
def test_write_a_game_that_is_replayed_as_it_is_in_its_store() -> None:
    arena.fight("monkey", "minimax:depth=1", 1, seed=3, game="chess", store="S")
    (fight,) = arena.export("S").as_json()["runs"][0]["fights"]
    texts = [pgn(arena.replay(game["game_id"])) for game in fight["games"]]
    unknown = [line for text in texts for line in text.splitlines() if "???" in line]
    assert unknown == ['[Date "????.??.??"]'] * 2
    moves = [text.split("\n\n")[1].strip() for text in texts]
    assert moves == pgn(arena.export("S")).strip().split("\n\n")[1::2]


@pytest.mark.slow
def test_write_stones_on_boards_as_sgf() -> None:
    arena.fight("triples", "minimax", 1, seed=1, store="S")
    first, second = sgf(arena.export("S")).split("\n(")
    assert first.startswith("(;FF[4]GM[4]CA[UTF-8]AP[arena]SZ[3]RU[tictactoe]EV[arena fight]DT[")
    assert "PB[triples]PW[minimax]RE[0]GN[tictactoe/triples/minimax/1/1.1]\n;B[bb];W[" in first
    assert second.count(";B[") == 5


@pytest.mark.slow
def test_write_an_opening_and_a_disc_that_falls_as_sgf() -> None:
    Path("book").write_text("4 4 1\n")
    arena.fight("monkey", "monkey", 1, seed=1, game="connect4", openings="book", store="S")
    tree, _ = sgf(arena.export("S")).split("\n(")
    assert "SZ[7:6]RU[connect4]" in tree
    assert tree.splitlines()[0].endswith("]AB[af][df]AW[de]PL[W]")
    (game, *_) = arena.export("S").as_json()["runs"][0]["fights"][0]["games"]
    played = [move for move in tree.split(";") if move[:2] in ("B[", "W[")]
    assert [" abcdefg".index(move[2]) for move in played] == [int(m) for m in game["moves"]]
    heights = {3: 4, 0: 5}  # the rows from the top that the discs of the opening reach
    for move in played:
        column = "abcdefg".index(move[2])
        heights[column] = heights.get(column, 6) - 1
        assert "abcdef".index(move[3]) == heights[column]


def test_refuse_what_a_format_of_games_cannot_say(wording: Wording) -> None:
    played = arena.fight("monkey", "triples", 1, seed=1)
    with wording.raises(UsageError):
        pgn(played)
    arena.import_games("games.pgn", "S")
    with wording.raises(UsageError):
        sgf(arena.export("S"))
