"""Blocks: who sits where, the same bytes for any number of workers, and who is out."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError, VoidGame
from arena.fights.block_counts import BlockCounts
from arena.fights.blocks import BlocksEngine
from arena.fights.chunks import Chunk, ChunkQueue
from arena.fights.counts import PlayedBy
from arena.fights.pairing import Pairing
from arena.player import PlayerInfo
from arena.records.entrants import FIRST_PAIRS
from arena.records.tables import TableResult, TablesResult

GAME = arena.get_game("mnk-3-3-3-x3")
MONKEY = arena.get_player("monkey")


def table(*players: PlayerInfo, blocks: int = 5, game: arena.Game = GAME, **more: Any) -> Pairing:
    a, b, *others = players or (MONKEY, MONKEY, MONKEY)
    return Pairing(game, a, b, blocks, 1, others=tuple(others), **more)


def plain(played: TablesResult) -> Any:
    return json.loads(json.dumps(played.as_json()))


@pytest.mark.parametrize(("seatings", "games"), [("rotations", 3), ("all", 6)])
def test_everybody_sits_equally_often_in_every_seat(seatings: str, games: int) -> None:
    seen: Counter[tuple[str, int]] = Counter()

    def player(name: str) -> PlayerInfo:
        def choose(position: Any, rng: random.Random) -> int:
            if position.ply < 3:
                seen[name, int(position.to_move)] += 1
            return int(position.legal_moves()[0])

        return PlayerInfo(name, choose)

    engine = BlocksEngine(table(*map(player, "abc"), seatings=seatings))
    [block] = engine.pairs(1, 2)
    assert len(block.records) == games
    assert {*seen.values()} == {games // 3}
    assert len(seen) == 9


@pytest.mark.slow
def test_the_same_bytes_for_any_number_of_workers() -> None:
    players = ["monkey", "wary", "a=monkey", "b=monkey"]
    results = [
        plain(arena.table_tournament(players, 6, game="snakes-3-5-5", seed=2, workers=workers))
        for workers in (1, 2, 4)
    ]
    assert results[0] == results[1] == results[2]


def test_counts_of_parts_add_up_in_any_order() -> None:
    pairing = table(blocks=30)
    blocks = [*BlocksEngine(pairing).pairs(1, 31)]
    whole = BlockCounts.of_blocks(pairing, blocks)
    random.Random(1).shuffle(blocks)
    parts = BlockCounts.of_none(3, "rotations")
    for block in blocks:
        parts.add(BlockCounts.of_blocks(pairing, [block]))
    assert parts.result(pairing, PlayedBy()) == whole.result(pairing, PlayedBy())
    assert (whole.pairs, whole.done, sum(whole.paid)) == (30, 30, 90)


def test_payoffs_are_those_of_the_player_and_not_of_the_seat() -> None:
    """The first player always wins where it sits: the others put marks where they do not matter."""

    def first(position: Any, rng: random.Random) -> int:
        mine = position.boards[position.to_move].bit_count()
        return int((0, 1, 2)[mine])

    def last(position: Any, rng: random.Random) -> int:
        return int([move for move in position.legal_moves() if move > 2][-1])

    pairing = table(PlayerInfo("winner", first), *(PlayerInfo(n, last) for n in "bc"))
    result = BlocksEngine(pairing).play(1, 6).result(pairing, PlayedBy())
    assert isinstance(result, TableResult)
    assert [row.payoff for row in result.rows] == [1, 0, 0]
    assert [row.place for row in result.rows] == [1, 2.5, 2.5]
    assert [*result.rows[0].by_seat] == [1, 1, 1]
    assert result.repeats, "all blocks are the same games"
    assert sum(result.observations(0).counts) == 1


def test_a_dead_player_stops_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dead.py").write_text("import nothing_of_that_name\n\ndef choose(p, rng): return 0\n")
    played = arena.table_tournament(["monkey", "a=monkey", "./dead.py"], 12, game=GAME, seed=1)
    [result] = played.tables
    assert result.unfinished is None
    assert result.pairs == 12
    rows = {row.player: row for row in played.standings}
    assert rows["./dead.py"].forfeits == 36
    assert rows["./dead.py"].payoff == 0
    assert rows["monkey"].payoff is not None
    assert 0 < rows["monkey"].payoff < 1


def broken(position: Any, rng: random.Random) -> int:
    raise RuntimeError("always")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_who_forfeits_all_first_games_sits_out_from_then_on(workers: int) -> None:
    players: list[Any] = ["monkey", "a=monkey", broken]
    played = arena.table_fight(players, 25, game=GAME, seed=3, workers=workers)
    [result] = played.tables
    assert result.facts[2].forfeits == {
        "exception": 3 * FIRST_PAIRS,
        "unplayed": 3 * (25 - FIRST_PAIRS),
    }
    assert result.pairs == 25
    whole = arena.table_fight(players, 25, game=GAME, seed=3, keep_going=True)
    assert whole.tables[0].facts[2].forfeits == {"exception": 75}
    assert [row.payoff for row in whole.standings] == [row.payoff for row in played.standings]


def test_a_queue_names_who_sits_out() -> None:
    queue = ChunkQueue([[range(1, 4)]], [1])
    assert queue.next_task() == Chunk(0, 1, 2)
    queue.sit_out(0, 2, "it forfeited")
    assert queue.next_task() == Chunk(0, 2, 3, ((2, "it forfeited"),))


class Busy(BlocksEngine):
    """A machine that is too busy for the second game of every block."""

    def _game(self, block: int, number: int, *more: Any) -> Any:
        if number == 1:
            raise VoidGame("too busy")
        return super()._game(block, number, *more)


def test_a_block_of_a_busy_machine_is_void_as_a_whole() -> None:
    pairing = table()
    [block] = Busy(pairing).pairs(1, 2)
    assert block.void == "too busy"
    counts = BlockCounts.of_blocks(pairing, [block])
    assert (counts.pairs, counts.void, counts.done) == (0, 3, 1)
    result = counts.result(replace(pairing, pairs=1), PlayedBy())
    assert result.unfinished is not None
    assert "too busy" in result.unfinished


def test_a_game_is_played_again_from_its_id() -> None:
    played = arena.table_fight(["monkey", "a=monkey", "b=monkey"], 3, game=GAME, seed=4)
    lost = played.tables[0].facts[0].first_lost
    replay = arena.replay(str(lost), players=["a=monkey", "b=monkey"])
    assert replay.payoffs is not None
    assert replay.payoffs[replay.players.index("monkey")] == 0
    assert sorted(replay.players) == ["a", "b", "monkey"]


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["monkey"] * 2, {}, "3 seats.* 2 "),
        (["monkey"] * 4, {}, "3 seats.* 4 "),
        ("monkey", {}, "one list"),
        (["monkey"] * 3, {"seatings": "some"}, "seatings"),
        (["monkey"] * 3, {"openings": "random:1"}, "openings"),
        (["monkey"] * 3, {"engine": "table"}, "'table'"),
        (["monkey", "minimax", "monkey"], {}, "minimax"),
        (["monkey"] * 3, {"game": "tictactoe"}, r"arena\.fight"),
    ],
)
def test_what_no_table_plays_is_said(
    players: Sequence[str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        arena.table_fight(players, 1, **{"game": GAME, **options})


def test_exact_fractions_come_back_from_json(tmp_path: Path) -> None:
    played = arena.table_fight(["monkey"] * 3, 9, game=GAME, seed=5)
    played.save(tmp_path / "played.json")
    report = arena.report(tmp_path / "played.json")
    [part] = report.parts
    assert isinstance(part.result, TablesResult)
    assert plain(part.result) == plain(played)
    paid = {payoff for end in played.tables[0].ends for game in end.payoffs for payoff in game}
    assert paid <= {Fraction(0), Fraction(1, 3), Fraction(1)}


def test_a_store_has_every_game_with_all_its_players(tmp_path: Path) -> None:
    played = arena.table_fight(
        ["monkey"] * 3, 2, game=GAME, seed=6, store=tmp_path / "T", workers=1
    )
    rows = arena.plugin.stored_sheet(tmp_path / "T", "games").rows
    assert len(rows) == played.games == 6
    assert {row["players"].count(",") for row in rows} == {2}
