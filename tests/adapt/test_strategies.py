"""Strategies of the prisoner's dilemma in the form of the library Axelrod."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import adapt
from arena.errors import CannotPlay
from arena.game import Side
from arena.games.dilemma import prisoners_dilemma
from tests.golden import Wording


class TitForTat:
    """It does what the other did last."""

    def strategy(self, opponent: Any) -> str:
        return opponent.history[-1] if opponent.history else "C"


class Mirrored(TitForTat):
    """It counts, too."""

    def strategy(self, opponent: Any) -> str:
        assert len(self.history) == len(opponent.history)
        assert opponent.cooperations + opponent.history.defections == len(self.history)
        return super().strategy(opponent)

    history: Any = None


def named(name: str, kind: type) -> arena.PlayerInfo:
    """Return a player of another name."""
    return replace(arena.get_player(kind), name=name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [TitForTat, Mirrored])
@pytest.mark.parametrize("opponent", ["random-p:p=0.3", "grim", "pavlov"])
@pytest.mark.parametrize("game", ["prisoners-dilemma-30", "prisoners-dilemma-30-noise-10"])
def test_a_strategy_plays_as_arenas_own(kind: type, opponent: str, game: str) -> None:
    adapted = named("tit-for-tat", adapt.axelrod(kind))
    one = arena.fight(adapted, opponent, 20, game=game, seed=3)
    other = arena.fight("tit-for-tat", opponent, 20, game=game, seed=3)
    assert one == other
    assert one.a.forfeits == {}


@pytest.mark.slow
def test_a_strategy_is_new_in_each_game_and_one_of_a_file_is_isolated(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from arena.adapt import axelrod\n\n"
        "class Alternator:\n"
        "    turns = 0\n\n"
        "    def strategy(self, opponent):\n"
        "        self.turns += 1\n"
        "        assert self.turns == len(self.history) + 1\n"
        "        return 'CD'[self.turns % 2]\n\n"
        "Player = axelrod(Alternator)\n"
    )
    result = arena.fight(
        f"{tmp_path}/mine.py:Player", "tit-for-tat", 5, game="prisoners-dilemma-9", seed=1
    )
    assert (result.a.forfeits, result.b.forfeits) == ({}, {})


#: What a strategy does that it should not, and what is said of it.
WRONG: dict[str, Callable[[Any, Any], Any]] = {
    "None": lambda self, opponent: None,
    "a word": lambda self, opponent: "cooperate",
    "a number": lambda self, opponent: 0,
    "it looks into its opponent": lambda self, opponent: opponent.strategy(self),
    "it raises": lambda self, opponent: 1 / 0,
}


@pytest.mark.parametrize("what", WRONG)
def test_a_strategy_that_does_something_else_forfeits(what: str, wording: Wording) -> None:
    kind = type("Wrong", (), {"strategy": WRONG[what]})
    player = named("wrong", adapt.axelrod(kind))
    result = arena.fight(player, "grim", 1, game="prisoners-dilemma-3", seed=1)
    assert sum(result.a.forfeits.values()) == 2
    wording(str(result.a.first_forfeit))


@pytest.mark.parametrize("game", ["tictactoe", "kuhn", "rock-paper-scissors-3"])
def test_a_strategy_plays_the_dilemma_alone(game: str) -> None:
    player = adapt.axelrod(TitForTat)()
    with pytest.raises(CannotPlay, match=game):
        player.start(arena.get_game(game), Side.FIRST, random.Random(1))


def test_what_is_no_strategy_is_named(wording: Wording) -> None:
    player = adapt.axelrod(dict)()
    with pytest.raises(CannotPlay) as caught:
        player.start(prisoners_dilemma(3), Side.FIRST, random.Random(1))
    wording(str(caught.value))


#: Strategies of the library: some look at all, count, know the length, or draw.
OF_THE_LIBRARY = (
    *("TitForTat", "TitFor2Tats", "Grudger", "WinStayLoseShift", "Alternator", "GoByMajority"),
    *(
        "Cooperator",
        "Defector",
        "Appeaser",
        "BackStabber",
        "SecondByChampion",
        "Gradual",
        "HardProber",
    ),
    *("Adaptive", "EvolvedLookerUp2_2_2", "EvolvedFSM16", "SolutionB1", "ShortMem", "DBS"),
)


@pytest.mark.needs("axelrod")
@pytest.mark.filterwarnings("ignore")
def test_strategies_of_the_library_play_as_in_its_own_matches() -> None:
    import axelrod as axl

    game = prisoners_dilemma(30)
    kinds = [getattr(axl, name) for name in OF_THE_LIBRARY]
    kinds = [kind for kind in kinds if not axl.Classifiers["stochastic"](kind())]
    assert len(kinds) > 15
    for one, other in combinations(kinds, 2):
        expected = axl.Match((one(), other()), turns=30, seed=1).play()
        players = [named(kind.name, adapt.axelrod(kind)) for kind in (one, other)]
        assert played(game, *players) == [tuple(map(str, pair)) for pair in expected], (one, other)


def played(game: Any, *players: arena.PlayerInfo) -> list[tuple[str, str]]:
    """Return the rounds of a game of two players."""
    seats = [arena.plugin.seat(player, game, Side(n)) for n, player in enumerate(players)]
    position = game.start()
    while position.legal_moves():
        mover = seats[position.to_move]
        position = position.play(mover.choose(position.observation(position.to_move), mover.rng))
    return [("CD"[one], "CD"[other]) for one, other in position.rounds()]


@pytest.mark.needs("axelrod")
@pytest.mark.filterwarnings("ignore")
def test_strategies_of_the_library_draw_from_the_seed_of_the_game() -> None:
    import axelrod as axl

    game = "prisoners-dilemma-40-noise-5"
    for kind in (axl.Random, axl.GTFT, axl.ZDExtort2, axl.FirstByJoss):
        player = named("drawn", adapt.axelrod(kind))
        one, two = (
            arena.fight(player, "tit-for-tat", 10, game=game, seed=5, workers=workers)
            for workers in (1, 2)
        )
        assert one == two
        assert one.distinct_games > 10


@pytest.mark.needs("axelrod")
@pytest.mark.filterwarnings("ignore")
def test_a_strategy_of_the_library_knows_the_match() -> None:
    import axelrod as axl

    seen: list[Any] = []

    class Asks(axl.Player):  # type: ignore[misc]
        name = "Asks"
        classifier = axl.TitForTat.classifier

        def strategy(self, opponent: Any) -> Any:
            game = self.match_attributes["game"]
            seen.append((self.match_attributes["length"], self.match_attributes["noise"]))
            seen.append((game.RPST(), game.score((axl.Action.C, axl.Action.D))))
            return axl.Action.C

    game = arena.get_game("prisoners-dilemma-7-noise-20")
    seat = arena.plugin.seat(named("asks", adapt.axelrod(Asks)), game, Side.FIRST)
    assert seat.choose(game.start().observation(0), seat.rng) == 0
    assert seen == [(7, 0.2), ((3, 1, 0, 5), (0, 5))]
