"""Checking a store: a good one holds, and the first thing that is wrong with another is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import ArenaError
from arena.features.verify.record import Divergence, VerifyReport
from arena.store.sql import Store
from tests.golden import Wording
from tests.samples import few

BOT = """
def choose(position, rng):
    if rng.random() < 0.1:
        raise ValueError("oh")
    return rng.choice(position.legal_moves())
"""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a tournament, a fight that was interrupted, and a sequential test."""
    folder = tmp_path_factory.mktemp("good")
    path, bot = folder / "S", folder / "bot.py"
    bot.write_text(BOT)
    with pytest.MonkeyPatch.context() as patch:  # the games depend on what the player is called
        patch.chdir(folder)
        arena.tournament(["./bot.py", "monkey", "triples"], 12, seed=1, store=path)

    def stop(index: int, counts: Any, games: int) -> None:
        if counts.pairs >= 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arena.fight("monkey", "triples", 20, seed=2, store=path, workers=1, on_progress=stop)
    arena.sprt_fight("triples", "monkey", 200, elo0=-100, elo1=100, seed=3, store=path)
    bot.unlink()
    return path


@pytest.fixture
def path(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(good, tmp_path / "S"))


def wrong(path: Path) -> Divergence:
    report = arena.verify(path)
    assert report.divergence is not None
    assert "\n" not in report.divergence.problem
    return report.divergence


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            assert database.execute(statement).rowcount != 0, statement
        database.commit()


def games(path: Path, run: int = 1) -> str:
    """Return the start of the ids of a run's first fight, and what SQL finds it by."""
    (exported,) = arena.export(path, [run]).as_json()["runs"]
    return str(exported["fights"][0]["games"][0]["game_id"]).rpartition("/")[0]


def wrong_game(path: Path, *statements: str) -> tuple[str, str]:
    """Change the store, and return which game of its first fight is wrong then, and why."""
    prefix = games(path)
    change(path, *statements)
    divergence = wrong(path)
    assert divergence.run == 1
    return divergence.where.removeprefix(f"{prefix}/"), divergence.problem


def one(pair: int, half: int = 1, run: int = 1) -> str:
    return f"WHERE run={run} AND fight=0 AND pair={pair} AND half={half}"


@pytest.mark.slow
def test_a_good_store_holds(path: Path) -> None:
    before = path.read_bytes()
    report = arena.verify(path)
    assert report.divergence is None
    assert report.runs == 3
    with closing(sqlite3.connect(path)) as database:
        ((rows,),) = database.execute("SELECT count(*) FROM games").fetchall()
    assert (report.games, report.as_json()["holds"]) == (rows, True)
    assert path.read_bytes() == before


def test_an_empty_store_holds(tmp_path: Path) -> None:
    Store(tmp_path / "S", create=True)
    assert arena.verify(tmp_path / "S").as_json() == {
        "schema": "arena.verify/1",
        "store": str(tmp_path / "S"),
        "runs": 0,
        "games": 0,
        "holds": True,
        "divergence": None,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "moves",
    [
        "1 1",
        "1 2 3 10",
        "1 x",
        "",
        "1 2",
        "1 4 2 5 3 6",
        "1 4 2 5 3",
    ],
)
def test_a_game_that_was_not_played_by_the_rules_is_named(
    path: Path, moves: str, wording: Wording
) -> None:
    facts = f"reason=NULL, forfeit_side=NULL, moves='{moves}', outcome='draw'"
    statements = f"UPDATE games SET {facts} {one(3, 2)}", f"UPDATE games SET moves='x' {one(5)}"
    game, problem = wrong_game(path, *statements)
    assert game == "3.2"
    wording(problem)


@pytest.mark.slow
@pytest.mark.parametrize("outcome", ["first", "second", "draw", "won", ""])
def test_an_outcome_that_is_not_the_moves_is_named(
    path: Path, outcome: str, wording: Wording
) -> None:
    moves = "1 4 2 5 3" if outcome != "first" else "1 2 3 5 4 6 8 7 9"
    facts = f"reason=NULL, forfeit_side=NULL, moves='{moves}', outcome='{outcome}'"
    game, problem = wrong_game(path, f"UPDATE games SET {facts} {one(4)}")
    assert game == "4.1"
    wording(problem, f"{outcome!r}")


@pytest.mark.parametrize(
    "values",
    [
        "moves='1 4 2', outcome='second', forfeit_side=1",
        "moves='1 4 2', outcome='first', forfeit_side=0",
        "moves='1 4 2', outcome='draw', forfeit_side=0",
        "moves='1 4 2', outcome='draw', forfeit_side=2",
        "moves='1 4 2', outcome='draw', forfeit_side=NULL",
        "moves='1 4 2 5 3', outcome='first', forfeit_side=1",
        "moves='1 1', outcome='first', forfeit_side=1",
        "reason=NULL, moves='1 4 2 5 3', outcome='first', forfeit_side=1",
    ],
)
def test_a_forfeit_that_cannot_be_is_named(path: Path, values: str, wording: Wording) -> None:
    values = values if "reason" in values else f"reason='illegal', {values}"
    game, problem = wrong_game(path, f"UPDATE games SET {values} {one(2)}")
    assert game == "2.1"
    wording(problem)


@pytest.mark.parametrize(
    ("statements", "where"),
    [
        ([f"DELETE FROM games {one(4, 2)}"], "4.1"),
        ([f"DELETE FROM games {one(4, 1)}"], "4.2"),
        ([f"DELETE FROM games {one(4, 2)}", f"DELETE FROM games {one(5, 1)}"], "4.1"),
        ([f"DELETE FROM games {one(12, 2)}"], "12.1"),
        ([f"DELETE FROM games {one(1, 1)}"], "1.2"),
        ([f"UPDATE games SET half=3 {one(4, 2)}"], "4.1"),
        ([f"UPDATE games SET half=0 {one(4, 2)}"], "4.0"),
        (
            [
                "INSERT INTO games (run, fight, pair, half, moves, outcome, seconds)"
                f" SELECT run, fight, pair, 3, moves, outcome, seconds FROM games {one(4, 2)}"
            ],
            "4.1",
        ),
        ([f"UPDATE games SET pair=13 {one(4, half)}" for half in (1, 2)], "13.1"),
        ([f"UPDATE games SET pair=0 {one(4, half)}" for half in (1, 2)], "0.1"),
    ],
)
def test_a_pair_that_is_not_whole_is_named(
    path: Path, statements: list[str], where: str, wording: Wording
) -> None:
    game, problem = wrong_game(path, *statements)
    assert game == where
    wording(problem)


def test_a_pair_that_is_gone_is_missed_in_the_totals(path: Path, wording: Wording) -> None:
    change(path, "DELETE FROM games WHERE run=1 AND fight=1 AND pair=4")
    divergence = wrong(path)
    assert divergence.run == 1
    assert divergence.where.endswith("against triples")
    wording(divergence.problem)


@pytest.mark.slow
def test_a_pair_missing_from_an_incomplete_run_is_not_played_yet(path: Path) -> None:
    change(path, "DELETE FROM games WHERE run=2 AND pair=4")
    assert arena.verify(path).divergence is None
    assert arena.resume(path) == arena.fight("monkey", "triples", 20, seed=2)


def test_a_pair_too_many_is_noticed(path: Path) -> None:
    change(path, "UPDATE fights SET pairs=11 WHERE run=1 AND number=0")
    assert wrong(path).where == f"{games(path)}/12.1"


def test_a_legal_game_that_is_not_the_counted_one_is_noticed(path: Path) -> None:
    change(
        path,
        "UPDATE games SET reason=NULL, forfeit_side=NULL, moves='1 4 2 5 3', outcome='first'"
        " WHERE run=1 AND fight=2 AND half=2",
    )
    divergence = wrong(path)
    assert (divergence.run, divergence.where) == (1, "monkey against triples")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pairs", 11),
        ("total", {"wins": 0, "draws": 0, "losses": 24}),
        ("pentanomial", [0, 0, 0, 0, 12]),
        ("distinct_games", 1),
        ("seed", 2),
        ("players", ["x", "y"]),
        ("void", 2),
        ("unfinished", "interrupted"),
        ("engine", "table"),
        ("forfeited", []),
    ],
)
def test_a_total_that_is_not_the_sum_of_the_games_is_named(
    path: Path, key: str, value: object, wording: Wording
) -> None:
    with closing(sqlite3.connect(path)) as database:
        ((noted,),) = database.execute("SELECT result FROM fights WHERE run=1 AND number=0")
        result = json.loads(noted)
        assert result[key] != value
        result[key] = value
        database.execute(
            "UPDATE fights SET result=? WHERE run=1 AND number=0", [json.dumps(result)]
        )
        database.commit()
    divergence = wrong(path)
    assert divergence.run == 1
    wording(divergence.problem, f"{key}", f"{value}")


def test_a_result_of_an_older_arena_may_lack_what_is_new(path: Path) -> None:
    change(path, "UPDATE fights SET result=json_remove(result, '$.void') WHERE run=1 AND number=0")
    assert arena.verify(path).divergence is None


def test_a_result_that_is_missing_is_noticed(path: Path, wording: Wording) -> None:
    change(path, "UPDATE fights SET result=NULL WHERE run=1 AND number=2")
    wording(wrong(path).problem)


def test_a_run_that_is_complete_without_all_its_games_is_noticed(path: Path) -> None:
    change(path, "UPDATE runs SET finished='now' WHERE id=2")
    assert wrong(path).run == 2


def test_a_sequential_test_that_did_not_end_there_is_noticed(path: Path) -> None:
    change(path, "UPDATE runs SET sprt=json_set(sprt, '$.elo0', -0.5, '$.elo1', 0.5) WHERE id=3")
    divergence = wrong(path)
    assert (divergence.run, divergence.where) == (3, "triples against monkey")


def test_the_first_run_that_is_wrong_is_named(path: Path) -> None:
    change(
        path,
        f"UPDATE games SET moves='1 1' {one(1, run=3)}",
        f"UPDATE games SET moves='1 1' {one(2, run=2)}",
    )
    divergence = wrong(path)
    assert (divergence.run, divergence.where) == (2, "tictactoe/monkey/triples/2/2.1")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET game='draughts' WHERE id=1",
        "UPDATE runs SET game_version=7 WHERE id=1",
    ],
)
def test_rules_that_are_not_here_are_named(path: Path, statement: str, wording: Wording) -> None:
    change(path, statement)
    divergence = wrong(path)
    assert (divergence.run, divergence.where) == (1, "run")
    wording(divergence.problem)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM players WHERE run=1 AND place=0",
        "DELETE FROM runs WHERE id=1",
        "DELETE FROM fights WHERE run=1 AND number=1",
        "INSERT INTO games (run, fight, pair, half, moves, seconds) VALUES (9, 9, 1, 1, '', 0)",
    ],
)
def test_a_row_that_belongs_to_nothing_is_noticed(path: Path, statement: str) -> None:
    change(path, statement)
    assert wrong(path).problem == "orphaned row"


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    few(
        [
            "UPDATE fights SET result='{' WHERE run=1 AND number=0",
            'UPDATE runs SET until=\'{"question": "worst"}\' WHERE id=3',
            'UPDATE runs SET sprt=\'{"elo0": 5, "elo1": 1}\' WHERE id=3',
            "UPDATE runs SET seed='many' WHERE id=1",
            "UPDATE fights SET pairs='few' WHERE run=1 AND number=0",
            f"UPDATE games SET moves=x'ff00' {one(3)}",
            f"UPDATE games SET outcome=7 {one(3)}",
            f"UPDATE games SET pair='third' {one(3)}",
            "DROP TABLE arena_store",
            "UPDATE fights SET result='7' WHERE run=1 AND number=0",
            "UPDATE fights SET result='[]' WHERE run=1 AND number=0",
            "UPDATE runs SET sprt='{\"x\": 1}' WHERE id=3",
            "UPDATE runs SET sprt='true' WHERE id=3",
            'UPDATE runs SET until=\'{"question": "better", "alpha": "a"}\' WHERE id=3',
            "UPDATE runs SET sprt='{' WHERE id=3",
            'UPDATE runs SET sprt=\'{"elo0": "a", "elo1": 1}\' WHERE id=3',
            "UPDATE runs SET seed=-1 WHERE id=1",
            "UPDATE fights SET pairs=0 WHERE run=1 AND number=0",
            f"UPDATE games SET moves=CAST(x'ff' AS TEXT) {one(3)}",
            f"UPDATE games SET moves=1 {one(3)}",
            f"UPDATE games SET outcome=x'ff' {one(3)}",
            f"UPDATE games SET reason='illegal', forfeit_side='left' {one(3)}",
            f"UPDATE games SET half='first' {one(3)}",
            f"UPDATE games SET half=x'01' {one(3)}",
            "UPDATE arena_store SET version='new'",
            "DROP TABLE games",
        ],
        9,
    ),
)
def test_nonsense_is_named_and_never_a_traceback(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    looks: list[Any] = [arena.verify, arena.stored_runs, arena.export, *(
        lambda path, n=number: arena.show(path, n) for number in (1, 2, 3)
    ), lambda path: arena.resume(path, 2)]  # fmt: skip
    complaints = list(filter(None, (complaint_of(look, path) for look in looks)))
    assert complaints
    assert not [complaint for complaint in complaints if "\n" in complaint]


def complaint_of(look: Any, path: Path) -> str:
    """Return what a look at the store complains of; nothing if all is well."""
    try:
        result = look(path)
    except ArenaError as error:
        return str(error)
    divergence = result.divergence if isinstance(result, VerifyReport) else None
    return divergence.problem if divergence else ""


@pytest.mark.parametrize("page", few(range(0, 100, 7), 5))
def test_a_page_that_went_bad_is_one_line(path: Path, page: int) -> None:
    content = bytearray(path.read_bytes())
    start = 4096 * (page % (len(content) // 4096))
    content[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    complaints = [
        complaint_of(look, path)
        for look in (arena.verify, arena.show, arena.export, arena.stored_runs)
    ]
    assert complaints[0] != ""
    assert not [complaint for complaint in complaints if "\n" in complaint]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_that_was_cut_off_is_one_line(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    complaint = complaint_of(arena.verify, path)
    assert complaint != ""
    assert "\n" not in complaint


def test_a_header_alone_is_one_line(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ArenaError):
        arena.verify(path)
