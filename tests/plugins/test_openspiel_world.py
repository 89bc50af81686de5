"""Games of OpenSpiel with luck, secrets, simultaneous moves and payoffs."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.check.secrets import find_leaks
from arena.game import CHANCE, Payoffs, as_seat
from tests.golden import Wording

pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel: pip install open_spiel")

from arena.openspiel import as_bot, as_player  # noqa: E402 (only where the library is)
from arena.plugins.openspiel.library import playable, refused, worldly  # noqa: E402
from arena.plugins.openspiel.world import (  # noqa: E402
    UNFAITHFUL,
    OpenSpielObservation,
    WorldGame,
    world_game,
)

#: Games that random players go on with for thousands of moves.
LONG = ("capture_the_flag", "laser_tag")

#: Bridge in which the library does not solve each deal, which takes it half a second.
BRIDGE = "bridge(use_double_dummy_result=false)"

#: A look at so many histories of a large game takes moments.
HISTORIES = 1000

#: Games of each kind whose check takes a moment.
QUICK = (
    *("kuhn_poker", "lewis_signaling", "matrix_pd", "coordinated_mp", "tiny_hanabi"),
    *("kuhn_poker(players=3)", "matching_pennies_3p", "blotto(coins=3,fields=2,players=3)"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_game_of_each_kind_conforms_and_leaks_nothing(name: str) -> None:
    report = arena.check_game(f"openspiel:{name}")
    assert report.conforms, report


#: Games whose check takes more than seven seconds.
HEAVY = (
    *("backgammon", "banqi", "battleship", "coop_box_pushing", "crazy_eights", "cribbage"),
    *("dark_chess", "dou_dizhu", "gin_rummy", "go_fish", "kriegspiel", "maedn"),
    *("markov_soccer", "phantom_go", "pig", "rbc", "spades", "yacht"),
)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.nightly if name in HEAVY else pytest.mark.slow)
        for name in sorted({*worldly(), BRIDGE} - {*LONG, "bridge"})
    ],
)
def test_every_game_conforms_and_leaks_nothing(name: str) -> None:
    report = arena.check_game(f"openspiel:{name}", histories=HISTORIES)
    assert report.conforms, report


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_games_of_thousands_of_moves_leak_nothing(name: str) -> None:
    assert find_leaks(world_game(name), random.Random(1), HISTORIES).leaks == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(UNFAITHFUL))
def test_what_a_seat_observed_takes_the_place_of_what_forgets(name: str) -> None:
    assert find_leaks(WorldGame(name), random.Random(1), HISTORIES).leaks != ()
    assert find_leaks(world_game(name), random.Random(1), HISTORIES).leaks == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", worldly())
def test_every_game_is_played_to_its_end(name: str) -> None:
    game = world_game(name)
    if game.seats > 2:
        played = arena.table_fight(["monkey"] * game.seats, n=1, game=game, seed=1)
        assert played.games == game.seats
        assert {row.forfeits for row in played.standings} == {0}
        return
    fight = arena.fight("monkey", "monkey", 1, game=game, seed=1)
    assert fight.pairs == 1
    assert fight.a.forfeits == fight.b.forfeits == {}
    assert fight.paid is None or fight.paid.number == 1


def test_every_game_of_the_library_is_played_or_refused_with_a_reason(wording: Wording) -> None:
    names = [*playable(), *worldly(), *refused()]
    assert sorted(names) == sorted(kind.short_name for kind in pyspiel.registered_games())
    for name in refused():
        with wording.raises(arena.UsageError):
            arena.get_game(f"openspiel:{name}")


def test_every_game_that_is_none_without_parameters_has_a_reason_of_its_own() -> None:
    kinds = [kind for kind in pyspiel.registered_games() if not kind.default_loadable]
    reasons = {refused()[kind.short_name] for kind in kinds}
    assert len(reasons) == len(kinds) > 10
    for kind in kinds:
        needs = [name for name, usual in kind.parameter_specification.items() if usual == {}]
        words = refused()[kind.short_name]
        assert ("another game" in words) is ("game" in needs or "stage_game" in needs), words
        assert ("file" in words) is ("filename" in kind.parameter_specification), words


@pytest.mark.parametrize("text", ['[true, "a", []]', '[2, "a", []]', "[0, 1, []]", "[" * 9999, "x"])
def test_what_is_no_observation_is_refused(text: str) -> None:
    with pytest.raises(arena.PositionError, match=r"^observation "):
        world_game("kuhn_poker").parse_observation(text)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "matrix_pd"])
def test_payoffs_and_chances_are_those_of_the_library(name: str) -> None:
    game = world_game(name)
    for seed in range(20):
        rng, position = random.Random(seed), game.start()
        while position.outcome() is None:
            if position.to_move == CHANCE:
                shares = position.chance_moves()
                assert sum(share for _, share in shares) == 1
                floats = dict(position.state.chance_outcomes())
                assert {m - game.actions: float(share) for m, share in shares} == pytest.approx(
                    floats
                )
            position = position.play(rng.choice(position.legal_moves()))
        paid = position.payoffs()
        assert paid is not None
        returns = position.state.returns()
        scaled = returns if game.is_paid else [(x + 1) / 2 for x in returns]
        assert list(map(float, paid)) == pytest.approx(scaled)


def test_a_round_at_once_hides_the_first_move_of_it() -> None:
    game = world_game("matrix_pd")
    one, other = (game.start().play(move) for move in game.start().legal_moves())
    assert one.observation(1) == other.observation(1)
    assert one.observation(0) != other.observation(0)
    assert game.payoffs == Payoffs(Fraction(0), Fraction(10), "points", None)


def test_an_isolated_player_gets_its_observation_alone(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(seen, rng):\n    return seen.legal_moves()[0]\n")
    fight = arena.fight(str(bot), "monkey", 5, game="openspiel:leduc_poker", seed=1)
    assert dict(fight.a.forfeits) == {}


class Folder:
    """A bot with a policy: it reads what its seat knows, and no more."""

    def __init__(self, seat: int) -> None:
        self.seat, self.seen = seat, list[str]()

    def step(self, state: Any) -> int:
        assert (state.current_player(), state.is_terminal()) == (self.seat, False)
        self.seen.append(state.information_state_string(self.seat))
        with pytest.raises(arena.UsageError, match=str(1 - self.seat)):
            state.information_state_string(1 - self.seat)
        return int(state.legal_actions(self.seat)[0])


def test_a_bot_of_the_library_is_asked_with_what_its_seat_knows() -> None:
    bots: list[Folder] = []

    def make(game: Any, seat: int, seed: int) -> Folder:
        bots.append(Folder(seat))
        return bots[-1]

    info = arena.PlayerInfo(name="folder", player=as_player(make), stateless=False)
    game = "openspiel:leduc_poker"
    fight = arena.fight(info, "monkey", 5, game=game, seed=1, executor="serial")
    assert (fight.a.forfeits, fight.b.forfeits) == ({}, {})
    assert {bot.seat for bot in bots} == {0, 1}
    assert all(f"[Observer: {bot.seat}]" in text for bot in bots for text in bot.seen)


def test_a_bot_of_the_library_gets_the_whole_state_where_there_is_only_luck() -> None:
    def make(game: Any, seat: int, seed: int) -> Any:
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, rollouts, 2.0, 3, 1000, True, seed, False)

    info = arena.PlayerInfo(name="search", player=as_player(make), stateless=False)
    fight = arena.fight(info, "monkey", 1, game="openspiel:pig", seed=1, executor="serial")
    assert (fight.a.forfeits, fight.b.forfeits) == ({}, {})


def test_a_bot_in_cpp_plays_no_game_with_secrets() -> None:
    player = as_player(lambda _, seat, seed: pyspiel.make_uniform_random_bot(seat, seed))
    info = arena.PlayerInfo(name="random", player=player, stateless=False)
    fight = arena.fight(info, "monkey", 1, game="openspiel:kuhn_poker", executor="serial")
    assert fight.a.forfeits == {"exception": 2}
    assert "C++" in str(fight)


@pytest.mark.parametrize(
    "name",
    [
        *("kuhn_poker", "matrix_pd", "goofspiel", "pig", "dark_hex"),
        *("kuhn_poker(players=4)", "goofspiel(players=3)", "hearts"),
    ],
)
def test_a_player_of_arena_is_a_bot_that_sees_what_its_seat_may(name: str) -> None:
    seen: list[Any] = []

    def choose(observation: Any, rng: Any) -> Any:
        seen.append(observation)
        return rng.choice(observation.legal_moves())

    game, chance = arena.get_game(f"openspiel:{name}"), random.Random(1)
    assert isinstance(game, WorldGame)
    bots = [as_bot(choose, game, as_seat(seat, game.seats)) for seat in range(game.seats)]
    raw = pyspiel.load_game(name).new_initial_state()  # of simultaneous moves, where it has them
    while not raw.is_terminal():
        if raw.is_chance_node():
            raw.apply_action(chance.choice([action for action, _ in raw.chance_outcomes()]))
        elif raw.is_simultaneous_node():
            raw.apply_actions([bot.step(raw) for bot in bots])
        else:
            raw.apply_action(bots[raw.current_player()].step(raw))
    if game.start().has_secrets:
        assert {known.seat for known in seen} == {*range(game.seats)}
        assert all(isinstance(known, OpenSpielObservation) for known in seen)
