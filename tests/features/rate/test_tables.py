"""``arena rate`` of files of tables: games of two to eight players that end in a ranking."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import arena
from arena.errors import UsageError
from arena.records.ratings import RatingTable
from arena.records.tables import TableRatingTable
from arena.stats.bradley_terry import ELO
from benchmarks.coverage.rankings import SOME_TIES, UNEVEN_SEATS, Tournament
from tests.conftest import Run
from tests.golden import Wording

#: Rows of game, player and place, with ties and groups that did not meet.
ROWS = """game,player,place
1,ann,1
1,bob,2
1,cem,3
2,cem,1
2,ann,2
3,bob,1
3,cem,2
3,dan,2
3,ann,4
zoo,yak,1
zoo,emu,1
"""

#: Players of the tournaments that are drawn.
PLAYERS = ("ann", "bob", "cem", "dan", "eve", "fay")
CLOSE_ELOS = (100.0, 60.0, 20.0, -20.0, -60.0, -100.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "tables.csv"
    file.write_text(ROWS)
    return file


def tables(file: Path, **options: Any) -> TableRatingTable:
    table = arena.rate(file, **options)
    assert isinstance(table, TableRatingTable)
    return table


def elos(table: Any) -> dict[str, float]:
    """Return the ratings by player, of tables and of two players."""
    if isinstance(table, RatingTable):
        return {row.player: row.elo.value or 0.0 for row in table.players}
    return {row.player: row.elo for row in table.players}


def written(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with file.open("w", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return file


def drawn(tournament: Tournament, seed: int = 1) -> list[tuple[int, int, int, str, int]]:
    """Return a row for each player of each game: game, block, seat, player, place."""
    blocks = tournament.drawn(np.random.default_rng(seed))
    return [
        (4 * number + turn, number, seat, PLAYERS[player], place)
        for number, (block, _) in enumerate(blocks)
        for turn, (players, places) in enumerate(block)
        for seat, (player, place) in enumerate(zip(players, places, strict=True), start=1)
    ]


def test_a_file_of_tables_is_rated(file: Path, run: Run, wording: Wording) -> None:
    table = tables(file)
    assert [(row.player, row.games, row.group) for row in table.players if row.group == 2] == [
        ("emu", 1, 2),
        ("yak", 1, 2),
    ]
    places = {row.player: row.place for row in table.players}
    assert places["ann"] == pytest.approx((1 + 2 + 4) / 3)
    assert (places["dan"], places["emu"]) == (2.5, 1.5)
    assert (table.games, table.blocks, table.seats) == (4, 4, ())
    wording(run("rate", str(file)).out, "ann", "emu")
    wording(run("rate", str(file), "--format", "csv").out)
    assert '"arena.table-ratings/1"' in run("rate", str(file), "--format", "json").out
    assert "emu" in run("rate", str(file), "--format", "html").out


def test_standard_input_has_tables_too(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"\ufeff{ROWS}"))  # as Excel begins a file
    assert run("rate", "-").out == run("rate", str(file)).out


def test_a_larger_payoff_is_a_better_place(file: Path) -> None:
    by_place = tables(file)
    worth = {"1": "3", "2": "1/3", "3": "-0.5", "4": "-1e3"}
    rows = [line.split(",") for line in ROWS.split()[1:]]
    written(file, ("Game", "Player", "Payoff"), ((g, p, worth[place]) for g, p, place in rows))
    assert tables(file) == by_place


@pytest.mark.slow
def test_the_order_of_rows_and_gaps_between_places_change_nothing(tmp_path: Path) -> None:
    header = ("game", "block", "seat", "player", "place")
    rows = drawn(Tournament(CLOSE_ELOS, 2, UNEVEN_SEATS, SOME_TIES, copied=0.3))
    table = tables(written(tmp_path / "a.csv", header, rows))
    assert len(table.seats) == 4
    assert (table.games, table.blocks) == (len(rows) // 4, len(rows) // 16)
    Random(1).shuffle(rows)
    spread = [(f"g{game}", f"b{block}", s, p, 10 * place) for game, block, s, p, place in rows]
    assert tables(written(tmp_path / "b.csv", header, spread)) == table


def test_blocks_of_games_that_depend_have_longer_intervals(tmp_path: Path) -> None:
    rows = drawn(Tournament(CLOSE_ELOS, 4, copied=1.0))
    header = ("game", "block", "seat", "player", "place")
    blocks = tables(written(tmp_path / "a.csv", header, rows))
    alone = tables(written(tmp_path / "b.csv", header, [(g, "", *rest) for g, _, *rest in rows]))
    assert elos(alone) == pytest.approx(elos(blocks), abs=1e-3)
    assert alone.blocks == alone.games == blocks.games == 4 * blocks.blocks
    widths = [
        sum((row.high or 0) - (row.low or 0) for row in table.players) for table in (blocks, alone)
    ]
    assert widths[0] > 1.5 * widths[1]


# Where nothing is drawn, pairs still have a parameter of draws, and Firth's half of one.
@pytest.mark.parametrize(("draws", "tolerance"), [(0, 0.5), (2, 0.01)])
def test_tables_of_two_have_the_ratings_of_pairs(
    draws: int, tolerance: float, tmp_path: Path
) -> None:
    results = [
        ("ann", "bob", 7, draws, 3),
        ("bob", "cem", 5, 2 * draws, 1),
        ("cem", "ann", 2, 0, 4),
    ]
    pairs = written(tmp_path / "pairs.csv", ("a", "b", "wins", "draws", "losses"), results)
    games = [
        (a, b, places)
        for a, b, *numbers in results
        for number, places in zip(numbers, ((1, 2), (1, 1), (2, 1)), strict=True)
        for _ in range(number)
    ]
    rows = [
        (game, player, place)
        for game, (a, b, places) in enumerate(games)
        for player, place in zip((a, b), places, strict=True)
    ]
    table = tables(written(tmp_path / "tables.csv", ("game", "player", "place"), rows))
    assert elos(table) == pytest.approx(elos(arena.rate(pairs)), abs=tolerance)
    assert list(elos(table)) == list(elos(arena.rate(pairs)))


@pytest.mark.slow
def test_many_games_without_ties_are_rated_as_choix_does(tmp_path: Path) -> None:
    choix = pytest.importorskip("choix")
    rows = drawn(Tournament(CLOSE_ELOS, 40))
    games: dict[int, list[tuple[int, int]]] = {}
    for game, _, _, player, place in rows:
        games.setdefault(game, []).append((place, PLAYERS.index(player)))
    orders = [[player for _, player in sorted(game)] for game in games.values()]
    theirs = choix.ilsr_rankings(len(PLAYERS), orders)
    expected = dict(zip(PLAYERS, ELO * (theirs - theirs.mean()), strict=True))
    plain = ((game, player, place) for game, _, _, player, place in rows)
    path = tables(written(tmp_path / "a.csv", ("game", "player", "place"), plain))
    assert elos(path) == pytest.approx(expected, abs=0.5)


@pytest.mark.slow
def test_ten_thousand_rows_are_rated(tmp_path: Path) -> None:
    rng = Random(1)
    strong = {f"p{number}": number / 10 for number in range(30)}
    rows = []
    for game in range(2500):
        players = rng.sample(sorted(strong), 4)
        order = sorted(players, key=lambda player: -strong[player] - rng.gauss(0, 1))
        rows += [(game, player, place) for place, player in enumerate(order, start=1)]
    table = tables(written(tmp_path / "a.csv", ("game", "player", "place"), rows))
    assert (table.games, len(table.players)) == (2500, 30)
    assert table.players[0].player in ("p27", "p28", "p29")


def test_an_anchor_moves_its_group(file: Path, run: Run, wording: Wording) -> None:
    plain, anchored = tables(file), tables(file, anchor=("cem", 1500))
    before, after = elos(plain), elos(anchored)
    assert after["cem"] == 1500
    for row in anchored.players:
        shift = 0.0 if row.group == 2 else 1500 - before["cem"]
        assert after[row.player] - before[row.player] == pytest.approx(shift, abs=1e-5)
    wording(run("rate", str(file), "--anchor", "cem=1500").out, "1500")


@pytest.mark.parametrize(
    "words", ["--anchor dam=1", "--anchor dan=1e9", "--prior 2", "--game tictactoe"]
)
def test_options_that_do_not_fit_are_one_line(
    words: str, file: Path, run: Run, wording: Wording
) -> None:
    ran = run("rate", str(file), *words.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


#: Files with a mistake.
MISTAKES = {
    "no player": "game,place,x\n1,1,2",
    "no game": "player,place\nann,1",
    "no ranks": "game,player\n1,ann",
    "both ranks": "game,player,place,payoff\n1,ann,1,2",
    "no rows": "game,player,place\n\n,,\n",
    "empty game": "game,player,place\n1,ann,1\n,bob,2",
    "empty player": "game,player,place\n1,ann,1\n1,,2",
    "unprintable": "game,player,place\n1,ann,1\n1,b\x1bb,2",
    "place 0": "game,player,place\n1,ann,0\n1,bob,1",
    "place -1": "game,player,place\n1,ann,1\n1,bob,-1",
    "place 1.5": "game,player,place\n1,ann,1.5\n1,bob,1.5",
    "no place": "game,player,place\n1,ann\n1,bob,1",
    "arabic": "game,player,place\n1,ann,\u0661\n1,bob,2",
    "payoff nan": "game,player,payoff\n1,ann,nan\n1,bob,1",
    "payoff 1/0": "game,player,payoff\n1,ann,1\n1,bob,1/0",
    "huge": "game,player,payoff\n1,ann,1\n1,bob,1e99999999",
    "twice": "game,player,place\n1,ann,1\n1,bob,2\n1,ann,3",
    "alone": "game,player,place\n1,ann,1\n1,bob,2\n2,cem,1",
    "nine": "game,player,place\n" + "".join(f"1,p{place},{place}\n" for place in range(1, 10)),
    "seat 0": "game,player,place,seat\n1,ann,1,1\n1,bob,2,0",
    "seat twice": "game,player,place,seat\n1,ann,1,2\n1,bob,2,2",
    "no seat": "game,player,place,seat\n1,ann,1,1\n1,bob,2,",
    "a gap": "game,player,place,seat\n1,ann,1,1\n1,bob,2,3",
    "two blocks": "game,player,place,block\n1,ann,1,x\n1,bob,2,y",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_file_is_one_line(
    name: str, tmp_path: Path, run: Run, wording: Wording
) -> None:
    file = tmp_path / "results.csv"
    file.write_text(MISTAKES[name], encoding="utf-8")
    ran = run("rate", str(file))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


def test_files_of_pairs_are_no_files_of_tables(tmp_path: Path) -> None:
    columns = ("a", "b", "wins", "draws", "losses", "game", "player", "place")
    file = written(tmp_path / "a.csv", columns, [("x", "y", 3, 1, 2, 1, "z", 1)])
    assert isinstance(arena.rate(file), RatingTable)


CELLS = st.one_of(
    st.sampled_from(["1", "2", "3", "ann", "bob", "cem", "", "0", "-1", "1/2", "1e5", '"', "\x00"]),
    st.text(max_size=4),
)
HEADERS = st.lists(st.sampled_from(["game", "player", "place", "payoff", "seat", "block", "a"]))


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(header=HEADERS, rows=st.lists(st.lists(CELLS, max_size=6), max_size=9))
def test_any_file_is_rated_or_refused(
    tmp_path: Path, header: list[str], rows: list[list[str]]
) -> None:
    lines = (",".join(cells) for cells in (header, *rows))
    file = tmp_path / "a.csv"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    with suppress(UsageError):
        arena.rate(file)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(places=st.lists(st.lists(st.integers(1, 4), min_size=2, max_size=5), min_size=1, max_size=6))
def test_any_games_are_rated(tmp_path: Path, places: list[list[int]]) -> None:
    rows = [
        (game, PLAYERS[(game + seat) % len(PLAYERS)], place, seat + 1)
        for game, ranking in enumerate(places)
        for seat, place in enumerate(ranking)
    ]
    table = tables(written(tmp_path / "a.csv", ("game", "player", "place", "seat"), rows))
    assert len(table.players) == len({player for _, player, *_ in rows})
    for row in table.players:
        assert row.elo is not None
        assert row.low is None or row.low <= row.elo
        assert row.high is None or row.elo <= row.high
        assert 1 <= row.place <= 5


@pytest.mark.parametrize(
    "text",
    [
        "game,player,payoff\n1,a,1,5\n1,b,1,2\n",
        "game,place,player\n1,1,Smith, Ann\n1,2,Jones, Bob\n",
        "game,player,place,place\n1,a,1,2\n1,b,2,1\n",
        "a,b,wins,draws,losses\nx,y,1,2,3,99\n",
        "a,b,wins,draws,losses,wins\nx,y,1,2,3,99\n",
    ],
)
def test_surplus_cells_and_columns_are_refused(
    text: str, run: Run, tmp_path: Path, wording: Wording
) -> None:
    file = tmp_path / "tables.csv"
    file.write_text(text)
    ran = run("rate", str(file))
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_empty_cells_behind_the_last_column_are_none(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tables.csv"
    file.write_text("game,player,place,,\n1,a,1,,\n1,b,2,,\n2,a,2,,,\n2,b,1,,,\n")
    assert run("rate", str(file)).code == 0
