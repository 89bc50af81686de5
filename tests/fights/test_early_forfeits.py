"""Who forfeits its first 20 games for one reason plays no more, whoever is quicker."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.plain import order_of
from arena.fights.play import Interrupted
from arena.fights.schedule import turns
from arena.game import Position, Side
from arena.games.mnk import mnk_game
from arena.match.record import Forfeit, PlayedPair, forfeit_by
from arena.player import PlayerInfo
from arena.records.fights import FightResult
from arena.records.tournaments import TournamentResult
from tests.fights.executors import Interrupting, Shuffled
from tests.fights.test_journal import Memory
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

GAME = mnk_game(3, 3, 3)


def illegal(position: Position, rng: random.Random) -> int:
    return 9


def raising(position: Position, rng: random.Random) -> int:
    raise KeyError(str(position))


def mixed(position: Position, rng: random.Random) -> int:
    return illegal(position, rng) if rng.random() < 0.5 else raising(position, rng)


def sound(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def late(position: Position, rng: random.Random) -> int:
    """Forfeit most games, but not all."""
    return illegal(position, rng) if rng.random() < 0.3 else sound(position, rng)


def players(*functions: Callable[..., int]) -> list[PlayerInfo]:
    return [PlayerInfo(f"{f.__name__}{n}", f) for n, f in enumerate(functions)]


def engines(infos: list[PlayerInfo], pairs: int, keep_going: bool = False) -> list[CallsEngine]:
    return [
        CallsEngine(Pairing(GAME, a, b, pairs, 5, keep_going=keep_going))
        for place, a in enumerate(infos)
        for b in infos[place + 1 :]
    ]


def by_the_rule(own: list[CallsEngine]) -> list[list[PlayedPair]]:
    """Play everything one after the other, and take away what nobody has to play."""
    first: dict[str, list[tuple[Forfeit | None, bool]]] = defaultdict(list)
    fights: list[list[PlayedPair]] = [[] for _ in own]
    for number, fight in turns([engine.pairing.pairs for engine in own], order_of(own)):
        names = own[fight].pairing.names
        [pair] = own[fight].pairs(number, number + 1)
        seats = names, names[::-1]
        ends = {name: end for name in names if (end := _end(first[name]))}
        records = [
            next((forfeit_by((), Side(s), *ends[n]) for s, n in enumerate(seat) if n in ends), r)
            for seat, r in zip(seats, pair.records, strict=True)
        ]
        for seat, record in zip(seats, records, strict=True):
            for side, name in enumerate(seat):
                lost = record.forfeit is not None and record.forfeit.side == side
                first[name].append((record.forfeit, lost))
        fights[fight].append(pair._replace(records=(records[0], records[1])))
    return fights


def _end(games: list[tuple[Forfeit | None, bool]]) -> tuple[str, str] | None:
    """Return how a player forfeits from now on, if it does."""
    ends = [(end, is_own) for end, is_own in games[:20] if end and end.reason != "unplayed"]
    own = [end for end, is_own in ends if is_own]
    if len(ends) < 20 or len(own) < 10 or len({forfeit.reason for forfeit in own}) > 1:
        return None
    which = "its first 20 games"
    if len(own) < 20:
        which = f"{len(own)} of its first 20 games, its opponents the others"
    why = f"{own[0].reason}: {own[0].message}"
    return "unplayed", f"not played: it forfeited {which} ({why})"


@pytest.mark.slow
@pytest.mark.parametrize("keep", few([False, True]), ids=["counted", "kept"])
@pytest.mark.parametrize(
    ("kinds", "pairs", "out"),
    [
        ((sound, sound, illegal, sound, sound), 6, 1),
        ((illegal, *9 * [sound], raising, sound), 2, 2),  # they meet in the last round
        ((sound, sound, illegal, mixed, raising), 6, 2),  # each wins when another forfeits
        ((illegal, illegal, raising, raising), 6, 4),
        ((mixed, sound, raising, late), 4, 1),
        ((illegal, sound, late), 13, 1),
    ],
)
def test_a_tournament_is_the_same_in_any_order(
    kinds: tuple[Callable[..., int], ...], pairs: int, out: int, keep: bool
) -> None:
    own = engines(players(*kinds), pairs)
    setting = RunSetting("round robin")
    expected = runs.recount(setting, [engine.pairing for engine in own], by_the_rule(own))
    for most in (1, 3, 30):
        journal = Memory(len(own)) if keep else None
        assert (
            runs.play(setting, own, Shuffled(seed=pairs, workers=most), journal=journal) == expected
        )
    assert isinstance(expected, TournamentResult)
    both = [player for fight in expected.fights for player in fight.both]
    assert len({player.name for player in both if player.forfeits.get("unplayed")}) == out


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 2, 4, 9])
def test_a_resumed_tournament_is_the_same(after: int) -> None:
    own = engines(players(late, illegal, sound, raising), 12)
    setting = RunSetting("round robin")
    whole = runs.play(setting, own, SerialExecutor())
    memory = Memory(len(own))
    with pytest.raises(Interrupted) as caught:
        runs.play(setting, own, Interrupting(after), journal=memory)
    counts = [len(memory.pairs(fight)) for fight in range(len(own))]
    assert counts == [fight.pairs for fight in caught.value.results]
    assert sum(counts) >= after
    assert runs.play(setting, own, SerialExecutor(), journal=memory) == whole
    assert [len(memory.pairs(fight)) for fight in range(len(own))] == [12] * len(own)


@pytest.mark.parametrize("most", [1, 5])
def test_a_fight_stops_after_the_first_games(most: int, wording: Wording) -> None:
    own = engines(players(sound, raising), 40)
    memory = Memory(1)
    result = runs.play(RunSetting("fight"), own, Shuffled(seed=1, workers=most), journal=memory)
    assert isinstance(result, FightResult)
    assert (result.pairs, result.b.forfeits) == (10, {"exception": 20})
    wording(str(result.unfinished), "20")
    assert (
        runs.play(RunSetting("fight"), own, Shuffled(seed=1, workers=most), journal=memory)
        == result
    )
    assert runs.recount(RunSetting("fight"), [own[0].pairing], [memory.pairs(0)]) == result


@pytest.mark.parametrize("most", [1, 5])
def test_a_fight_stops_where_both_forfeit_all(most: int, wording: Wording) -> None:
    for functions in ((illegal, raising), (illegal, illegal)):
        own = engines(players(*functions), 40)
        result = runs.play(RunSetting("fight"), own, Shuffled(seed=1, workers=most))
        assert isinstance(result, FightResult)
        assert [sum(player.forfeits.values()) for player in result.both] == [10, 10]
        a, b = result.players
        wording(result.unfinished, f"{a} and {b} ", " 20 ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("functions", "pairs", "keep_going"),
    [((sound, raising), 40, True), ((sound, late), 40, False), ((sound, raising), 10, False)],
    ids=["keep going", "not all", "no more"],
)
def test_other_fights_are_played_to_the_end(
    functions: tuple[Callable[..., int], ...], pairs: int, keep_going: bool
) -> None:
    own = engines(players(*functions), pairs, keep_going)
    result = runs.play(RunSetting("fight"), own, SerialExecutor())
    assert isinstance(result, FightResult)
    assert (result.pairs, result.unfinished) == (pairs, None)


@pytest.mark.slow
def test_the_command_says_what_to_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng):\n    return 9\n")
    command = ("fight", "./bot.py", "monkey", "-n", "50", "--seed", "1", "--isolation", "none")
    ran = run(*command, "--store", "s.db")
    assert ran.code == 4
    wording(ran.err, "./bot.py", "20", "--keep-going")
    assert run("resume", "s.db").out == ran.out
    assert run("verify", "s.db").code == 0
    assert run(*command, "--keep-going").code == 4  # it forfeits every game
