"""What the tests of the regression check share: baselines, and tictactoe3 with one rule changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.games.mnk import MnkPosition
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.registry import Registry

ROOT = Path(__file__).parents[3]

#: A rule: the moves that it allows, one of which is taken; none if it does not apply.
Rule = Callable[[MnkPosition], tuple[int, ...]]


def win(position: MnkPosition) -> tuple[int, ...]:
    return position.winning_moves(position.to_move)[:1]


def block(position: MnkPosition) -> tuple[int, ...]:
    return position.winning_moves(position.to_move.other)[:1]


def fork(position: MnkPosition) -> tuple[int, ...]:
    return position.forking_moves(position.to_move)[:1]


def last_fork(position: MnkPosition) -> tuple[int, ...]:
    return position.forking_moves(position.to_move)[-1:]


def take_the_only_fork(position: MnkPosition) -> tuple[int, ...]:
    forks = position.forking_moves(position.to_move.other)
    return forks if len(forks) == 1 else ()


def take_any_fork(position: MnkPosition) -> tuple[int, ...]:
    return position.forking_moves(position.to_move.other)[:1]


def sidestep_two_forks(position: MnkPosition) -> tuple[int, ...]:
    forks = position.forking_moves(position.to_move.other)
    return side(position) if len(forks) == 2 else ()


def corner_against_two_forks(position: MnkPosition) -> tuple[int, ...]:
    forks = position.forking_moves(position.to_move.other)
    return corner(position) if len(forks) == 2 else ()


def centre(position: MnkPosition) -> tuple[int, ...]:
    assert position.game.centre is not None
    return position.free((position.game.centre,))


def corner(position: MnkPosition) -> tuple[int, ...]:
    return position.free(position.game.corners)


def side(position: MnkPosition) -> tuple[int, ...]:
    return position.free(position.game.sides)


RULES = (win, block, fork, take_the_only_fork, sidestep_two_forks, centre, corner, side)

#: One rule left out, or put in another's place, or two exchanged.
MUTANTS: dict[str, tuple[Rule, ...]] = {
    "no win": (block, fork, take_the_only_fork, sidestep_two_forks, centre, corner, side),
    "no block": (win, fork, take_the_only_fork, sidestep_two_forks, centre, corner, side),
    "block before win": (block, win, *RULES[2:]),
    "no fork": (win, block, take_the_only_fork, sidestep_two_forks, centre, corner, side),
    "no fork taken": (win, block, fork, sidestep_two_forks, centre, corner, side),
    "two forks ignored": (win, block, fork, take_the_only_fork, centre, corner, side),
    "the wrong fork": (win, block, fork, take_any_fork, centre, corner, side),
    "corner against two forks": (*RULES[:4], corner_against_two_forks, centre, corner, side),
    "corners before the centre": (*RULES[:5], corner, centre, side),
    "sides before the centre": (*RULES[:5], side, centre, corner),
    "sides before corners": (*RULES[:6], side, corner),
}


#: This one is as strong.
HARMLESS = (win, block, last_fork, *RULES[3:])


def playing_by(rules: tuple[Rule, ...]) -> PlayerInfo:
    """Return a tictactoe3 with these rules."""

    def choose(position: MnkPosition, rng: random.Random) -> int:
        return rng.choice(next(filter(None, (rule(position) for rule in rules))))

    claims = ("never-loses:tictactoe",)
    return PlayerInfo("tictactoe3", choose, games=("tictactoe",), claims=claims)


#: The mutants of the fast tests; the slow ones have all.
FAST = ("no win",)


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.slow] * (name not in FAST)) for name in MUTANTS]
)
def mutant(request: pytest.FixtureRequest) -> PlayerInfo:
    """Return a tictactoe3 with one rule changed, each in turn."""
    return playing_by(MUTANTS[request.param])


@pytest.fixture
def mutate() -> Callable[[str], PlayerInfo]:
    """Return the mutant of that name; also ``harmless``, and ``none``: tictactoe3 written anew."""
    others = {"none": RULES, "harmless": HARMLESS}
    return lambda name: playing_by({**MUTANTS, **others}[name])


@pytest.fixture(scope="session")
def built_in() -> Path:
    """Return the project's own baseline."""
    return ROOT / "arena-baseline.json"


@pytest.fixture(scope="session")
def small_baseline(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Path:
    """Return a baseline of players that have few positions."""
    file = tmp_path_factory.mktemp("small") / "baseline.json"
    names = ("heuristic", "tictactoe1", "tictactoe2", "tictactoe3", "triples")
    arena.regress(
        names, game="tictactoe", panel=names, baseline=file, update=True, catalogue=catalogue
    )
    return file


@pytest.fixture
def catalogue_with(catalogue: Catalogue) -> Callable[..., Catalogue]:
    """All that is installed, or some of it, with other players in place of those of their names."""

    def make(
        *players: PlayerInfo, without: tuple[str, ...] = (), only: tuple[str, ...] | None = None
    ) -> Catalogue:
        registry: Registry[PlayerInfo] = Registry("player")
        installed = {n: p for n, p in catalogue.players if only is None or n in only}
        result = installed | {player.name: player for player in players}
        for name, player in result.items():
            if name not in without:
                registry.add(name, player, "a test")
        return replace(catalogue, players=registry, broken=[])

    return make
