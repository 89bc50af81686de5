"""The engine table: the same games however they are cut, and the right distribution."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pytest

import arena
from arena.errors import CannotEnumerate, PlayerFault, UnknownName
from arena.executors.serial import SerialExecutor
from arena.fights.choosing import choose_engines
from arena.fights.engines import CallsEngine, CountsEngine, Engine, TableEngine
from arena.fights.pairing import Pairing
from arena.game import Outcome, Position
from arena.plugin.catalogue import Catalogue
from arena.proof import tables
from arena.proof.outcome import exact_ends
from arena.proof.policy import Policy
from arena.records.joint import Joint
from arena.stats.chisquare import chi_square_p
from tests.golden import Wording

Trees = tuple[tables.CompiledTree, tables.CompiledTree]


@pytest.fixture(scope="module")
def policies(catalogue: Catalogue) -> tuple[Policy, Policy]:
    game = catalogue.game("tictactoe")
    return Policy(catalogue.player("heuristic"), game), Policy(catalogue.player("tictactoe1"), game)


@pytest.fixture(scope="module")
def trees(policies: tuple[Policy, Policy]) -> Trees:
    a, b = policies
    return tables.compile_tree(a, b), tables.compile_tree(b, a)


def histories(first: Policy, second: Policy) -> dict[tuple[int, ...], tuple[Fraction, Outcome]]:
    """Return the probability and the outcome of every game, by plain recursion."""
    results = {}

    def follow(position: Position, line: tuple[int, ...], chance: Fraction) -> None:
        outcome = position.outcome()
        if outcome is not None:
            results[line] = (chance, outcome)
            return
        policy = second if position.to_move else first
        for move, p in policy(position).items():
            follow(position.play(move), (*line, move), chance * p)

    follow(first.game.start(), (), Fraction(1))
    return results


def test_a_leaf_is_a_distinct_game_with_its_probability(
    policies: tuple[Policy, Policy], trees: Trees
) -> None:
    expected = Counter((chance, outcome) for chance, outcome in histories(*policies).values())
    tree = trees[0]
    chances = [Fraction(0)] * len(tree.base)
    chances[0] = Fraction(1)
    outcomes = {2: Outcome.FIRST_WINS, 1: Outcome.DRAW, 0: Outcome.SECOND_WINS}
    leaves: Counter[tuple[Fraction, Outcome]] = Counter()
    for node, (base, width, points) in enumerate(
        zip(tree.base, tree.width, tree.points, strict=True)
    ):
        if points >= 0:
            leaves[chances[node], outcomes[int(points)]] += 1
            assert tree.slots[base] == node
        else:
            for slot in tree.slots[base : base + int(width)]:
                chances[slot] += chances[node] / int(width)
    assert leaves == expected


@pytest.mark.parametrize("cut", [1, 7, tables.GAMES_AT_ONCE, tables.GAMES_AT_ONCE + 5])
def test_the_same_pairs_are_the_same_games_however_they_are_cut(trees: Trees, cut: int) -> None:
    stop = cut + 2000
    whole = tables.play_pairs(trees, "name", 1, stop)
    parts = [
        tables.play_pairs(trees, "name", 1, cut + 1),
        tables.play_pairs(trees, "name", cut + 1, stop),
    ]
    assert whole.joint == parts[0].joint + parts[1].joint
    assert whole.leaves == tuple(
        a | b for a, b in zip(parts[0].leaves, parts[1].leaves, strict=True)
    )


def test_one_game_is_the_game_of_the_pair(policies: tuple[Policy, Policy], trees: Trees) -> None:
    a, b = policies
    points = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}
    for pair in (1, 2, 3, 50, tables.GAMES_AT_ONCE, tables.GAMES_AT_ONCE + 1):
        _, one = tables.play_one(a, b, "name", pair, False)
        _, two = tables.play_one(b, a, "name", pair, True)
        joint = Joint.of(points[one], 2 - points[two])
        assert tables.play_pairs(trees, "name", pair, pair + 1).joint == joint


@pytest.mark.parametrize("sampler", ["games", "counts"])
def test_both_samplers_draw_the_joint_distribution_of_pairs(
    policies: tuple[Policy, Policy], trees: Trees, sampler: str
) -> None:
    a, b = policies
    one, two = exact_ends(a, b).outcomes, exact_ends(b, a).outcomes
    order = (Outcome.SECOND_WINS, Outcome.DRAW, Outcome.FIRST_WINS)
    expected = [one[p] * two[q] for p in order for q in reversed(order)]
    if sampler == "games":
        joint = tables.play_pairs(trees, "chi", 1, 200_001).joint
    else:
        joint = tables.count_pairs(trees, "chi", 200_000).joint
    assert joint.pairs == 200_000
    assert chi_square_p([(list(joint), expected)]) > 1e-6


@pytest.mark.parametrize("sampler", ["games", "counts"])
def test_both_samplers_reach_as_many_distinct_games_as_expected(
    policies: tuple[Policy, Policy], trees: Trees, sampler: str
) -> None:
    """The number of distinct games in n has mean sum(1 - (1-p)^n) and at most that variance."""
    n, runs = 40, 60
    chances = [float(chance) for chance, _ in histories(*policies).values()]
    mean = sum(1 - (1 - p) ** n for p in chances)
    seen = 0
    for run in range(runs):
        if sampler == "games":
            leaves = tables.play_pairs(trees, f"distinct {run}", 1, n + 1).leaves
        else:
            leaves = tables.count_pairs(trees, f"distinct {run}", n).leaves
        seen += leaves[0].bit_count()
    assert abs(seen - runs * mean) < 5 * (runs * mean) ** 0.5


@pytest.mark.slow
def test_many_games_of_monkeys_are_all_the_games_there_are(catalogue: Catalogue) -> None:
    result = arena.fight("monkey", "monkey", 10**9, seed=1, catalogue=catalogue)
    assert (result.engine, result.sampler) == ("table", "counts")
    assert result.distinct_games == 2 * 255168


@pytest.mark.slow
def test_any_number_of_pairs_is_counted() -> None:
    result = arena.fight("tictactoe3", "monkey", 10**15, seed=1)
    assert result.total.games == 2 * 10**15
    assert result.total.losses == 0
    assert (arena.compare(result, arena.exact("tictactoe3", "monkey")).p_value or 0) > 1e-7
    ll, ld, _, wd, ww = result.pentanomial
    assert result.total.wins - result.total.losses == 2 * ww + wd - ld - 2 * ll


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    one = arena.fight("heuristic", "monkey", 300_000, seed=3, executor="serial")
    assert one.engine == "table"
    assert arena.fight("heuristic", "monkey", 300_000, seed=3, workers=workers) == one


@pytest.mark.slow
def test_a_game_of_a_table_can_be_replayed() -> None:
    shown = arena.replay("tictactoe/heuristic/monkey/3/table/209.2")
    assert shown.players == ("monkey", "heuristic")
    one = arena.fight("heuristic", "monkey", 209, seed=3, engine="table")
    less = arena.fight("heuristic", "monkey", 208, seed=3, engine="table")
    names = {"first": "losses", "second": "wins", "draw": "draws"}
    ninth = names[shown.outcome or ""]
    assert getattr(one.second, ninth) == getattr(less.second, ninth) + 1


def pairing(catalogue: Catalogue, a: str, b: str, pairs: int, game: str = "tictactoe") -> Pairing:
    return Pairing(catalogue.game(game), catalogue.player(a), catalogue.player(b), pairs, 1)


def choose(name: str, pairing: Pairing) -> Engine:
    return choose_engines([pairing], name, SerialExecutor())[0]


@pytest.mark.slow
def test_auto_takes_tables_for_long_fights_of_small_games(
    catalogue: Catalogue, wording: Wording
) -> None:
    def auto(a: str, b: str, pairs: int, game: str = "tictactoe") -> Engine:
        return choose("auto", pairing(catalogue, a, b, pairs, game))

    assert isinstance(auto("triples", "monkey", 4_999), CallsEngine)
    assert isinstance(auto("triples", "monkey", 5_000), TableEngine)
    assert isinstance(auto("triples", "monkey", 10**7 + 1), CountsEngine)
    large = auto("monkey", "minimax", 6_000)
    assert isinstance(large, CallsEngine)
    wording(large.reason, "6000")
    assert isinstance(auto("monkey", "monkey", 10_000, "connect4"), CallsEngine)


def test_what_is_asked_for_is_taken_or_refused(catalogue: Catalogue, wording: Wording) -> None:
    short = pairing(catalogue, "triples", "monkey", 1)
    long = pairing(catalogue, "triples", "monkey", 10**9)
    assert isinstance(choose("table", short), TableEngine)
    assert isinstance(choose("calls", long), CallsEngine)
    with wording.raises(UnknownName, match="'table'"):
        choose("tabel", short)

    def gambler(position: Position, rng: random.Random) -> int:
        return position.legal_moves()[int(rng.random() * len(position.legal_moves()))]

    with wording.raises(CannotEnumerate):
        arena.fight(gambler, "monkey", 5, engine="table")
    result = arena.fight(gambler, "monkey", 5_000, seed=1)
    assert result.engine == "calls"
    assert "float" in result.engine_reason


def test_a_tree_that_is_too_large_is_refused(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(tables, "MAX_TREE_NODES", 1000)
    with wording.raises(CannotEnumerate, match="1000"):
        arena.fight("monkey", "monkey", 5, engine="table", game="connect4")


@pytest.mark.slow
def test_two_functions_of_one_name_are_two_players() -> None:
    def player(pick: int) -> arena.PlayerInfo:
        def choose(position: Position, rng: random.Random) -> int:
            return position.legal_moves()[pick]

        return arena.PlayerInfo("choose", choose)

    result = arena.fight(player(0), player(-1), 5_000, seed=1)
    assert result == arena.fight(player(0), player(-1), 5_000, seed=1)
    assert result.engine == "table"
    by_calls = arena.fight(player(0), player(-1), 5_000, seed=1, engine="calls")
    assert result.total == by_calls.total
    assert result.distinct_games == by_calls.distinct_games == 2


def test_probabilities_with_huge_denominators_are_refused(wording: Wording) -> None:
    def choose(position: Position, rng: random.Random) -> int:
        moves = position.legal_moves()
        return rng.choices(moves, weights=[7919 + move for move in moves])[0]

    with wording.raises(CannotEnumerate):
        arena.fight(choose, "monkey", 5, engine="table")


def test_a_tree_with_too_many_slots_is_refused(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(tables, "MAX_TREE_SLOTS", 1000)
    with wording.raises(CannotEnumerate, match="1000"):
        arena.fight("monkey", "monkey", 5, engine="table")


@pytest.mark.slow
def test_a_player_can_end_only_the_process_that_compiles_its_table(wording: Wording) -> None:
    def suicide(position: Position, rng: random.Random) -> int:
        if position.ply > 5:
            os._exit(0)
        return position.legal_moves()[0]

    result = arena.fight(suicide, "monkey", 5_000, seed=1)
    wording(result.engine_reason)
    assert result.unfinished
    with wording.raises(PlayerFault):
        arena.fight(suicide, "monkey", 5, seed=1, engine="table")


def test_a_player_that_cannot_be_hashed_can_be_compiled() -> None:
    @dataclass
    class Bot:
        pick: int = 0

        def __call__(self, position: Position, rng: random.Random) -> int:
            return position.legal_moves()[self.pick]

    assert arena.fight(Bot(), "triples", 5_000, seed=1).engine == "table"


def asked_for_a_tree(game: str, most: int) -> tuple[int, int]:
    """Return at how many positions a player is asked before a tree is refused, and its branches."""
    policy = Policy(arena.get_player("monkey"), arena.get_game(game))
    with pytest.raises(CannotEnumerate, match=f"more than {most} points"):
        tables.compile_tree(policy, policy, most)
    return len(policy._chances), sum(map(len, policy._chances.values()))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mnk-20-20-5", "hex-11", "mnk-8-8-5"])
def test_a_tree_of_a_large_game_is_refused_after_a_few_lines(game: str) -> None:
    """Level by level this took a minute at the largest of these games, and 174 MB."""
    positions, branches = asked_for_a_tree(game, 5000)
    moves = len(arena.get_game(game).start().legal_moves())
    assert positions < 200
    assert branches <= 5000 + moves


@pytest.mark.nightly
def test_no_tree_is_refused_that_has_as_many_nodes_as_it_may() -> None:
    policy = Policy(arena.get_player("monkey"), arena.get_game("tictactoe"))
    tree = tables.compile_tree(policy, policy)
    nodes = len(tree.base)
    again = tables.compile_tree(policy, policy, nodes)
    assert (again.slots == tree.slots).all()
    with pytest.raises(CannotEnumerate):
        tables.compile_tree(policy, policy, nodes - 1)


@pytest.mark.slow
def test_the_slots_of_the_next_level_count_before_they_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "MAX_TREE_SLOTS", 100)
    policy = Policy(arena.get_player("monkey"), arena.get_game("tictactoe-4"))
    with pytest.raises(CannotEnumerate, match="more than 100 slots"):
        tables.compile_tree(policy, policy, 10**6)
    beside_lines = tables.PROBED_LINES * 16
    assert len(policy._chances) < beside_lines + 10
