"""How strong the built-in players are at tic-tac-toe, by enumeration."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import pytest

from arena.game import Outcome, Side
from arena.games.mnk import MnkPosition, mnk_game
from arena.player import PlayerInfo
from arena.players import (
    heuristic,
    lines,
    lms,
    minimax,
    monkey,
    tictactoe1,
    tictactoe2,
    tictactoe3,
    tree,
    triples,
)
from arena.plugin.catalogue import Catalogue
from arena.proof.distribution import distribution
from arena.rng import Stream, begin
from tests.boards import to_move

MODULES = (
    monkey,
    tictactoe1,
    tictactoe2,
    tictactoe3,
    triples,
    heuristic,
    minimax,
    tree,
    lines,
    lms,
)

PLAYERS = {
    name: PlayerInfo(name, module.choose)
    for module in MODULES
    for name in (module.__name__.rpartition(".")[2],)
}
START = mnk_game(3, 3, 3).start()

Chances = Mapping[int, Fraction]
Result = tuple[Fraction, Fraction, Fraction]


@cache
def moves_of(player: str, position: MnkPosition) -> Chances:
    return distribution(PLAYERS[player], position)


def result(first: str, second: str) -> Result:
    """Return the probabilities that the first wins, that it is a draw, that the first loses."""

    @cache
    def after(position: MnkPosition) -> Result:
        outcome = position.outcome()
        if outcome is not None:
            ends = (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
            won, drawn, lost = (Fraction(outcome is end) for end in ends)
            return won, drawn, lost
        total = [Fraction(0)] * 3
        for move, chance in moves_of((first, second)[position.to_move], position).items():
            for kind, part in enumerate(after(position.play(move))):
                total[kind] += chance * part
        return total[0], total[1], total[2]

    return after(START)


def in_both_orders(a: str, b: str) -> Result:
    """A's chances over both starting orders."""
    (w1, d1, l1), (l2, d2, w2) = result(a, b), result(b, a)
    return (w1 + w2) / 2, (d1 + d2) / 2, (l1 + l2) / 2


def outcomes_against_anybody(player: str, side: Side) -> set[Outcome]:
    """All ways to end for a player, by all its possible moves and all moves of the opponent's."""
    answer, waiting = {START}, [START]
    ends = set()
    while waiting:
        position = waiting.pop()
        outcome = position.outcome()
        if outcome is not None:
            ends.add(outcome)
        else:
            own = position.to_move == side
            moves = moves_of(player, position) if own else position.legal_moves()
            after = set(map(position.play, moves))
            waiting += after - answer
            answer |= after
    return ends


def can_lose(player: str, side: Side) -> bool:
    lost = Outcome.SECOND_WINS if side is Side.FIRST else Outcome.FIRST_WINS
    return lost in outcomes_against_anybody(player, side)


@pytest.mark.slow
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("player", ["tictactoe3", "triples", "minimax"])
def test_these_never_lose(player: str, side: Side) -> None:
    assert not can_lose(player, side)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "as_x", "as_o"),
    [
        ("monkey", True, True),
        ("tictactoe1", True, True),
        ("tictactoe2", False, True),
        ("lms", False, True),
        ("tree", False, True),
        ("lines", False, False),
    ],
)
def test_these_can_lose(player: str, as_x: bool, as_o: bool) -> None:
    assert (can_lose(player, Side.FIRST), can_lose(player, Side.SECOND)) == (as_x, as_o)


def test_the_heuristic_player_can_lose() -> None:
    assert can_lose("heuristic", Side.SECOND) or can_lose("heuristic", Side.FIRST)


@pytest.mark.slow
def test_only_those_that_never_lose_claim_it(catalogue: Catalogue) -> None:
    claiming = {name for name, info in catalogue.players if "never-loses:tictactoe" in info.claims}
    assert claiming & set(PLAYERS) == {"tictactoe3", "triples", "minimax"}
    assert not any(can_lose(player, side) for player in claiming for side in Side)


@pytest.mark.slow
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_a_player_is_registered_and_says_truly_whether_it_is_deterministic(
    player: str, catalogue: Catalogue
) -> None:
    info = catalogue.player(player)
    assert info.player is PLAYERS[player].player
    assert info.plays(START.game)
    assert info.stateless
    assert info.deterministic == all(len(moves_of(player, p)) == 1 for p in to_move(START))


@pytest.mark.slow
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_every_player_can_win(player: str, side: Side) -> None:
    won = Outcome.FIRST_WINS if side is Side.FIRST else Outcome.SECOND_WINS
    assert won in outcomes_against_anybody(player, side)


@pytest.mark.slow
def test_monkey_against_monkey_x_wins_737_in_1260() -> None:
    won, drawn, lost = result("monkey", "monkey")
    assert (won, drawn) == (Fraction(737, 1260), Fraction(8, 63))
    assert won + drawn + lost == 1


@pytest.mark.parametrize("first", ["tictactoe3", "triples", "minimax"])
@pytest.mark.parametrize("second", ["tictactoe3", "triples", "minimax"])
def test_perfect_players_draw(first: str, second: str) -> None:
    assert result(first, second) == (Fraction(0), Fraction(1), Fraction(0))


@pytest.mark.slow
def test_tictactoe3_against_the_monkey() -> None:
    assert in_both_orders("tictactoe3", "monkey") == (
        Fraction(7003, 7560),
        Fraction(557, 7560),
        Fraction(0),
    )


def p_value(counts: tuple[int, int, int], chances: Result) -> float:
    """Return the chi-square test's; what cannot happen has not happened and is not a class."""
    games = sum(counts)
    assert all(chance or not count for count, chance in zip(counts, chances, strict=True))
    classes = [(n, games * chance) for n, chance in zip(counts, chances, strict=True) if chance]
    statistic = float(sum((n - expected) ** 2 / expected for n, expected in classes))
    tail: dict[int, Callable[[float], float]] = {
        1: lambda x: math.erfc(math.sqrt(x / 2)),
        2: lambda x: math.exp(-x / 2),
    }
    return tail[len(classes) - 1](statistic)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "counts", "p"),
    [
        ("tictactoe1", (1749, 177, 74), 0.07),
        ("tictactoe2", (1743, 235, 22), 0.46),
        ("tictactoe3", (1860, 140, 0), 0.53),
    ],
)
def test_the_printed_results_of_2000_games_agree_with_the_exact_chances(
    player: str, counts: tuple[int, int, int], p: float
) -> None:
    assert p_value(counts, in_both_orders(player, "monkey")) == pytest.approx(p, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_what_a_player_does_with_a_stream_is_what_its_distribution_says(player: str) -> None:
    streams = Stream(), Stream()
    for text in ("_________", "____x____", "x________", "x___o___x", "xo__x___o"):
        position = START.game.parse(text)
        chances = moves_of(player, position)
        counts = dict.fromkeys(range(9), 0)
        for number in range(900):
            begin(streams, f"{text}/{number}")
            counts[PLAYERS[player].player(position, streams[number % 2])] += 1
        assert {move for move, count in counts.items() if count} == set(chances)
        expected = {move: float(900 * chance) for move, chance in chances.items()}
        statistic = sum((counts[move] - e) ** 2 / e for move, e in expected.items())
        # The 99.99 % points of chi-square with 0 to 8 degrees of freedom.
        points = (0.0, 15.14, 18.42, 21.11, 23.51, 25.74, 27.86, 29.88, 31.83)
        assert statistic <= points[len(chances) - 1]
