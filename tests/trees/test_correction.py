"""Corrected payoffs have the mean of the payoffs, whatever the value function is."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import PlayerFault, Undecided, UsageError
from arena.fights.payoffs import (
    LuckyEnd,
    LuckyEnds,
    PaidEnd,
    PairEnds,
    corrected_in,
    paid_in,
)
from arena.game import CHANCE, Outcome, Position, Side
from arena.match.record import Forfeit, GameRecord
from arena.player import PlayerInfo
from arena.proof.policy import Policy
from arena.records.luck import LuckCorrection
from arena.runs.luck import strategies_of
from arena.trees import correction
from arena.trees.correction import Corrector, LuckOfGame, digest_of, require_correctable
from tests.trees.random_games import RandomGame, SecretPosition, Strategy, random_strategy

SEEDS = st.integers(0, 10**6)
GAMES = st.builds(RandomGame, SEEDS, st.booleans())


def histories(
    position: Position, both: tuple[Strategy, Strategy], moves: tuple[int, ...] = ()
) -> Iterator[tuple[Fraction, tuple[int, ...], Position]]:
    """Yield each finished game with its probability, by the definition alone."""
    if position.outcome() is not None:
        yield Fraction(1), moves, position
        return
    seat = position.to_move
    shares = (
        dict(position.chance_moves()) if seat == CHANCE else both[seat][position.observation(seat)]
    )
    for move, share in shares.items():
        for chance, line, end in histories(position.play(move), both, (*moves, move)):
            yield share * chance, line, end


def policy_of(game: RandomGame, strategy: Strategy) -> Policy:
    player = PlayerInfo("known", lambda seen, rng: 0, distribution=lambda seen: strategy[seen])
    return Policy(player, game)


def random_value(game: RandomGame, seed: int) -> dict[str, dict[int, Fraction]]:
    """Draw any strategies, for a part of what the seats can know."""
    rng = random.Random(seed)
    both = [random_strategy(game, seat, rng) for seat in (0, 1)]
    return {
        str(seen): dict(moves) for own in both for seen, moves in own.items() if rng.random() < 0.8
    }


@pytest.mark.slow
@given(GAMES, SEEDS, st.tuples(st.booleans(), st.booleans()), SEEDS)
def test_a_correction_has_the_mean_0(
    game: RandomGame, seed: int, known: tuple[bool, bool], of_value: int
) -> None:
    rng = random.Random(seed)
    both = random_strategy(game, 0, rng), random_strategy(game, 1, rng)
    first, second = (
        policy_of(game, own) if is_known else None
        for own, is_known in zip(both, known, strict=True)
    )
    luck = LuckOfGame(game, (first, second), random_value(game, of_value))
    raw = corrected = Fraction(0)
    by_rules, _ = luck.reach
    for chance, moves, end in histories(game.start(), both):
        paid = end.payoffs()
        assert paid is not None
        raw += chance * paid[0]
        corrected += chance * (paid[0] - luck.luck[moves])
        assert abs(paid[0] - luck.luck[moves]) <= by_rules
    assert corrected == raw


class Worthy(SecretPosition):
    """Its value function is any numbers."""

    __slots__ = ()

    def worth(self) -> float:
        return random.Random(f"worth {self.moves}").uniform(-3, 3)


class WorthyGame(RandomGame):
    """A game that says what its positions are worth."""

    def start(self) -> Worthy:
        return Worthy(self)


@pytest.mark.slow
@given(st.builds(WorthyGame, SEEDS), SEEDS, st.tuples(st.booleans(), st.booleans()))
def test_what_the_game_says_of_a_position_is_a_value_function(
    game: WorthyGame, seed: int, known: tuple[bool, bool]
) -> None:
    rng = random.Random(seed)
    both = random_strategy(game, 0, rng), random_strategy(game, 1, rng)
    first, second = (
        policy_of(game, own) if is_known else None
        for own, is_known in zip(both, known, strict=True)
    )
    luck = LuckOfGame(game, (first, second), None)
    total = Fraction(0)
    for chance, moves, _ in histories(game.start(), both):
        total += chance * luck.luck[moves]
    assert total == 0
    assert digest_of(game, None) == digest_of(WorthyGame(int(game.name[7:])), None)


def test_a_game_that_says_nothing_has_no_value_function() -> None:
    with pytest.raises(UsageError, match="worth"):
        LuckOfGame(RandomGame(1), (None, None), None)


@pytest.mark.slow
@given(GAMES, SEEDS)
def test_nothing_is_left_to_chance_where_both_are_known(game: RandomGame, seed: int) -> None:
    rng = random.Random(seed)
    both = random_strategy(game, 0, rng), random_strategy(game, 1, rng)
    first, second = (policy_of(game, own) for own in both)
    luck = LuckOfGame(game, (first, second), {})
    total = set()
    for _, moves, end in histories(game.start(), both):
        paid = end.payoffs()
        assert paid is not None
        total.add(paid[0] - luck.luck[moves])
    assert max(total) - min(total) < Fraction(1, 10_000)  # values are rounded


@pytest.mark.slow
@given(GAMES, SEEDS)
def test_a_forfeit_at_any_turn_is_corrected_for_the_luck_before_it(
    game: RandomGame, seed: int
) -> None:
    """A player that forfeits by what it knows does not make the mean another one."""
    rng = random.Random(seed)
    both = random_strategy(game, 0, rng), random_strategy(game, 1, rng)
    luck = LuckOfGame(game, (None, None), random_value(game, seed))
    quits = {str(seen) for seen in both[0] if rng.random() < 0.3}

    def mean(position: Position, moves: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        paid = position.payoffs()
        seat = position.to_move
        if paid is None and seat == 0 and str(position.observation(0)) in quits:
            paid = game.forfeit_payoffs(0)
        if paid is not None:
            return paid[0], paid[0] - luck.luck[moves]
        shares = (
            dict(position.chance_moves())
            if seat == CHANCE
            else both[seat][position.observation(seat)]
        )
        raw = corrected = Fraction(0)
        for move, share in shares.items():
            one, other = mean(position.play(move), (*moves, move))
            raw, corrected = raw + share * one, corrected + share * other
        return raw, corrected

    raw, corrected = mean(game.start(), ())
    assert raw == corrected


def corrector(a: str, b: str, value: Any = None) -> Corrector:
    players = arena.get_player(a), arena.get_player(b)
    return Corrector(arena.get_game("kuhn"), players, value or {})


def test_a_corrector_is_sent_without_its_tables() -> None:
    one = corrector("monkey", "cfr")
    bounds = one.bounds(("monkey", "cfr"))
    sent = pickle.dumps(one)
    assert len(sent) < 5000
    assert pickle.loads(sent).bounds(("monkey", "cfr")) == bounds
    assert bounds.terms == ("luck", "monkey", "cfr")
    assert bounds.by_rules < bounds.by_forfeit


def test_the_second_game_of_a_pair_is_corrected_with_seats_exchanged() -> None:
    one = corrector("monkey", "cfr")
    moves = (4, 3, 1, 0)
    record = GameRecord(moves, Outcome.FIRST_WINS, None, payoffs=(Fraction(1), Fraction(-1)))
    assert one.luck(record, swapped=False) != one.luck(record, swapped=True)
    forfeit = Forfeit(Side.FIRST, "illegal", "")
    lost = GameRecord((4, 3), Outcome.SECOND_WINS, forfeit)
    assert one.luck(lost, swapped=False) != 0


@pytest.mark.slow
def test_pairs_that_count_as_lost_for_a_forfeit_have_no_bias_either() -> None:
    """The exact mean of all pairs is that of what they pay, whatever the player forfeits on."""
    game = arena.get_game("kuhn")
    both = arena.get_player("monkey"), arena.get_player("cfr")
    value = strategies_of(game, "cfr", arena.get_game)
    corrector = Corrector(game, both, value)
    names = ("monkey", "quits")
    luck = LuckCorrection("cfr", "", (corrector.bounds(names),))
    monkey = Policy(both[0], game)
    for card in "JQK":
        raw: dict[PairEnds, Fraction] = {}
        lucky: dict[LuckyEnds, Fraction] = {}
        games = [ends_of(game, corrector, monkey, card, swapped) for swapped in (False, True)]
        for (one, p), (other, q) in product(*games):
            ends = one.end, other.end
            raw[ends] = raw.get(ends, Fraction(0)) + p * q
            lucky[one, other] = lucky.get((one, other), Fraction(0)) + p * q
        for counted in ("all", "none"):
            paid = paid_in(game, raw, counted)  # type: ignore[arg-type]
            without = corrected_in(game, lucky, counted, luck, names)  # type: ignore[arg-type]
            assert sum(s.payoffs for s in paid.sides[0]) == sum(s.payoffs for s in without.sides[0])


def ends_of(
    game: Any, corrector: Corrector, monkey: Policy, card: str, swapped: bool
) -> list[tuple[LuckyEnd, Fraction]]:
    """Return the ends of games of monkey against cfr that quits when it holds a card."""
    results: list[tuple[LuckyEnd, Fraction]] = []
    other = Policy(arena.get_player("cfr"), game)
    waiting = [(game.start(), Fraction(1))]
    while waiting:
        position, chance = waiting.pop()
        end: PaidEnd | None = position.payoffs()
        forfeit = None
        seat = position.to_move
        if end is None and seat == 1 - swapped:
            seen = position.observation(seat)
            if seen.events[0] == card:
                end, forfeit = int(seat), Forfeit(Side(seat), "illegal", "")
        if end is not None:
            paid = end if isinstance(end, tuple) else None
            record = GameRecord(position.moves, Outcome.DRAW, forfeit, payoffs=paid)
            results.append((LuckyEnd(end, corrector.luck(record, swapped)), chance))
            continue
        policy = other if seat == 1 - swapped else monkey
        shares = (
            dict(position.chance_moves()) if seat == CHANCE else policy(position.observation(seat))
        )
        waiting += [(position.play(move), chance * share) for move, share in shares.items()]
    return results


def test_a_player_that_moves_otherwise_than_it_declares_is_at_fault() -> None:
    liar = PlayerInfo(
        "liar",
        lambda seen, rng: seen.legal_moves()[-1],
        distribution=lambda seen: {seen.legal_moves()[0]: Fraction(1)},
    )
    with pytest.raises(PlayerFault, match="probabilities"):
        arena.fight(liar, "monkey", 3, game="kuhn", seed=1, luck="corrected", executor="serial")


def test_a_tree_that_is_too_large_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correction, "MAX_CORRECTED_HISTORIES", 10)
    with pytest.raises(Undecided):
        corrector("monkey", "cfr").bounds(("monkey", "cfr"))


def test_a_digest_is_of_all_strategies_in_any_order() -> None:
    half = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    one = {"a": half, "b": {0: Fraction(1)}}
    digest = partial(digest_of, RandomGame(1))
    assert digest(one) == digest(dict(reversed(one.items())))
    assert digest(one) != digest({**one, "b": {1: Fraction(1)}})
    assert digest(one) != digest({"a": half})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "pig", "prisoners-dilemma-5", "phantom-tictactoe"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="constant sum"):
        require_correctable(arena.get_game(name))
