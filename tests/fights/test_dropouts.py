"""Nobody gains by vanishing: who has played and does not start again loses what is left."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import Withdrawn
from arena.fights.chunks import Chunk, ChunkQueue
from arena.fights.counts import PlayerCounts
from arena.fights.dropouts import Dropouts
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.game import Side
from arena.games.mnk import mnk_game
from arena.match.record import PlayedPair, restart_forfeit
from arena.player import PlayerInfo
from arena.records.fights import FightResult
from arena.records.tournaments import TournamentResult
from arena.rng import Stream
from tests.golden import Wording
from tests.samples import few

GAME = mnk_game(3, 3, 3)
PAIRS = 4
NEVER = 10**9


class Vanishing:
    """A player, played by this test, that starts so many times and then no more."""

    remembers = ""
    shares_core = False

    def __init__(self, starts: int, name: str = "bot") -> None:
        self.starts, self.name = starts, name

    def __call__(self, fresh: bool = True) -> Vanishing:
        return self

    def start(self, game: arena.Game, side: Side, rng: Stream) -> None:
        if not self.starts:
            raise Withdrawn(self.name, "crash", "it is gone")
        self.starts -= 1

    def choose(self, position: arena.Position) -> int:
        return position.legal_moves()[0]

    def observe(self, move: int) -> None:
        pass

    finish = observe


def vanishing(starts: int, name: str = "bot") -> PlayerInfo:
    remote: Any = Vanishing(starts, name)
    return PlayerInfo(name, remote, stateless=False, remote=remote)


def won(fight: FightResult, name: str) -> int:
    return fight.total.wins if fight.players[0] == name else fight.total.losses


def place_of(played: TournamentResult, name: str) -> int:
    return next(row.rank for row in played.standings if row.player == name) or 0


def rating_of(played: TournamentResult, name: str) -> float:
    return next(row.elo.value or 0.0 for row in played.ratings.players if row.player == name)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("starts", range(1, 2 * PAIRS + 2))
def test_who_vanishes_keeps_what_it_played_and_loses_the_rest(
    starts: int, place: int, wording: Wording
) -> None:
    settings: Any = {"seed": 1, "executor": "serial"}
    names: list[Any] = ["monkey", "triples"]
    honest = arena.tournament([*names[:place], vanishing(NEVER), *names[place:]], PAIRS, **settings)
    gone = arena.tournament([*names[:place], vanishing(starts), *names[place:]], PAIRS, **settings)
    assert gone.withdrawn == {}
    assert not gone.unfinished
    assert place_of(gone, "bot") >= place_of(honest, "bot")
    assert rating_of(gone, "bot") <= rating_of(honest, "bot")
    forfeits = 0
    for before, after in zip(honest.fights, gone.fights, strict=True):
        assert after.pairs == PAIRS
        if "bot" not in after.players:
            assert after == before
            continue
        assert won(after, "bot") <= won(before, "bot")
        own, other = after.both if after.a.name == "bot" else after.both[::-1]
        forfeits += own.forfeits.get("crash", 0)
        assert not other.forfeits
    assert forfeits == 4 * PAIRS - starts  # no game that was played is gone, none is left out
    players = [player for fight in gone.fights for player in fight.both]
    first = next(player.first_forfeit for player in players if player.first_forfeit)
    wording(first.message)


def test_who_never_started_is_withdrawn_and_nothing_is_lost() -> None:
    played = arena.tournament(["monkey", vanishing(0), "triples"], PAIRS, seed=1, executor="serial")
    assert played.withdrawn == {"bot": "it is gone"}
    for fight in played.fights:
        assert fight.pairs == (0 if "bot" in fight.players else PAIRS)


def test_who_has_vanished_wins_nothing_against_who_never_was_there() -> None:
    players: Any = [vanishing(3), vanishing(0, "nobody"), "monkey"]
    played = arena.tournament(players, PAIRS, seed=1, executor="serial")
    by_players = {fight.players: fight for fight in played.fights}
    assert played.withdrawn == {"nobody": "it is gone"}
    assert by_players["bot", "nobody"].pairs == 0
    assert by_players["nobody", "monkey"].pairs == 0
    assert by_players["bot", "monkey"].pairs == PAIRS


def test_of_two_who_vanish_each_loses_the_games_in_which_it_moves_first() -> None:
    """No game of theirs is left out, and neither wins a pair by the other's absence."""
    players: Any = [vanishing(2, "a"), vanishing(2, "b"), "monkey"]
    fight, *others = arena.tournament(players, PAIRS, seed=1, executor="serial").fights
    assert [other.pairs for other in others] == [PAIRS] * 2
    forfeits = [sum(other.a.forfeits.values()) for other in others]
    assert forfeits == [2 * PAIRS - 1, 2 * PAIRS - 2], "they met the monkey before they were gone"
    assert fight.pairs == PAIRS
    assert [sum(player.forfeits.values()) for player in fight.both] == [PAIRS, PAIRS]


@pytest.mark.slow
@pytest.mark.parametrize("sprt", [False, True])
def test_what_was_forfeited_so_is_kept_shown_and_verified(tmp_path: Path, sprt: bool) -> None:
    settings: Any = {"seed": 1, "executor": "serial", "store": tmp_path / "S"}
    played: Any
    if sprt:
        played = arena.sprt_fight(vanishing(30), "monkey", 200, elo0=-9, elo1=9, **settings)
        assert played.test.decision == "H0"
        fight = played.fight
    else:
        played = arena.tournament([vanishing(30), "monkey", "triples"], 50, **settings)
        fight = played.fights[1]
        assert fight.total.losses == 100
    assert fight.unfinished is None
    assert fight.a.forfeits["crash"] > 50
    assert arena.show(tmp_path / "S") == played
    assert arena.verify(tmp_path / "S").divergence is None


def test_what_an_earlier_part_of_a_run_played_counts() -> None:
    pairing = Pairing(GAME, vanishing(0), PlayerInfo("b", Vanishing(NEVER)), 5, 1)
    record = restart_forfeit(Side.FIRST, "x")
    earlier = PairCounts.of_pairs([PlayedPair(2, (record, record), (0.0, 0.0))])
    gone = PairCounts(a=PlayerCounts(withdrawn="it is gone"))
    for before, expected in ((PairCounts(), []), (earlier, [1, 3, 4, 5])):
        queue = ChunkQueue([[range(1, 2), range(3, 6)]], [1])
        dropouts = Dropouts([pairing], [before], queue)
        chunk = queue.next_task()
        assert chunk is not None
        dropouts.note(chunk, gone)
        forfeited = [pair for part in dropouts.forfeits() for pair in part.pairs or []]
        assert [pair.pair for pair in forfeited] == expected
        assert queue.next_task() is None


def test_a_part_of_a_chunk_that_was_not_played_is_forfeited() -> None:
    pairing = Pairing(GAME, vanishing(0), PlayerInfo("b", Vanishing(NEVER)), 9, 1)
    record = restart_forfeit(Side.FIRST, "x")
    played = [PlayedPair(number, (record, record), (0.0, 0.0)) for number in (1, 2)]
    void = PlayedPair(3, (record, record), (0.0, 0.0), void="busy")
    absent = PlayedPair(4, (record, record), (0.0, 0.0), withdrawn=(0, "it is gone"))
    dropouts = Dropouts([pairing], [PairCounts()], ChunkQueue([[]], [1]))
    dropouts.note(Chunk(0, 1, 7), PairCounts.of_pairs([*played, void, absent]))
    results = [pair.pair for part in dropouts.forfeits() for pair in part.pairs or []]
    assert results == [4, 5, 6]


#: Leaves in its first game, at its first turn, and never starts again, wherever it is tried.
ERASES = """
import os, pathlib
mark = pathlib.Path({mark!r})
if mark.exists():
    os._exit(7)
def choose(position, rng):
    mark.touch()
    os._exit(3)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")
@pytest.mark.parametrize("workers", few([2, 1]))
def test_the_first_loss_is_not_erased_with_its_pair(tmp_path: Path, workers: int) -> None:
    bot = tmp_path / "erase.py"
    bot.write_text(ERASES.format(mark=str(tmp_path / "mark")))
    fight = arena.fight("monkey", str(bot), 5, seed=3, workers=workers, isolation="process")
    assert fight.total.wins == 10
    assert (fight.a.forfeits, fight.b.forfeits) == ({}, {"crash": 10})
    assert fight.unfinished is None
