"""Certificates: what is proved of players."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import arena
from arena.errors import CannotEnumerate, PlayerFault, as_move
from arena.game import Game, Outcome, Position, Side
from arena.plugin.catalogue import Catalogue
from arena.proof.certificate_file import parse_certificate
from arena.proof.checker import check_certificate
from arena.proof.distribution import distribution
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.records.proofs import Certificate
from tests.golden import Wording
from tests.proof.certified import Alternates
from tests.samples import few

PERFECT = {"tictactoe3", "triples", "minimax"}
PLAYERS = ("heuristic", "minimax", "monkey", "tictactoe1", "tictactoe2", "tictactoe3", "triples")


@pytest.fixture(scope="module")
def certificates(catalogue: Catalogue) -> dict[str, Certificate]:
    return {name: arena.certify(name, catalogue=catalogue) for name in PLAYERS}


def verify(certificate: Certificate, catalogue: Catalogue) -> None:
    check_certificate(parse_certificate(certificate.with_moves(), catalogue.game), 10**6)


@pytest.mark.slow
def test_exactly_three_of_the_built_in_players_never_lose(
    certificates: dict[str, Certificate],
) -> None:
    assert {name for name, result in certificates.items() if result.never_loses} == PERFECT
    assert certificates["tictactoe2"].first.never_loses
    assert not certificates["tictactoe2"].second.never_loses
    assert not certificates["tictactoe1"].first.never_loses
    assert not certificates["tictactoe1"].second.never_loses


def test_who_claims_never_to_lose_does_not(
    catalogue: Catalogue, certificates: dict[str, Certificate]
) -> None:
    claiming = {n for n, info in catalogue.players if "never-loses:tictactoe" in info.claims}
    assert claiming & set(PLAYERS) == PERFECT


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
def test_the_checker_accepts_every_certificate(
    certificates: dict[str, Certificate], catalogue: Catalogue, name: str
) -> None:
    verify(certificates[name], catalogue)


def lines(name: str, side: Side, catalogue: Catalogue) -> dict[tuple[int, ...], Outcome]:
    """Every complete line that can occur, by plain recursion over histories."""
    player = catalogue.player(name)
    results: dict[tuple[int, ...], Outcome] = {}

    def follow(position: Position, line: tuple[int, ...]) -> None:
        outcome = position.outcome()
        if outcome is not None:
            results[line] = outcome
            return
        own = position.to_move == side
        for move in distribution(player, position) if own else position.legal_moves():
            follow(position.play(move), (*line, move))

    follow(catalogue.game("tictactoe").start(), ())
    return results


@pytest.mark.slow
@pytest.mark.parametrize("name", few(["tictactoe1", "tictactoe2", "tictactoe3", "triples"], 2))
@pytest.mark.parametrize("side", Side)
def test_the_losing_line_is_the_first_of_the_shortest(
    certificates: dict[str, Certificate], catalogue: Catalogue, name: str, side: Side
) -> None:
    lost = Outcome.SECOND_WINS if side is Side.FIRST else Outcome.FIRST_WINS
    losing = [line for line, end in lines(name, side, catalogue).items() if end is lost]
    result = (certificates[name].first, certificates[name].second)[side].losing_line
    if not losing:
        assert result is None
    else:
        least = min(losing, key=lambda line: (len(line), line))
        assert result is not None
        assert [step.move for step in result] == [str(move + 1) for move in least]


def test_the_move_that_gives_the_game_away_is_named(certificates: dict[str, Certificate]) -> None:
    line = certificates["tictactoe2"].second.losing_line
    assert line is not None
    mistakes = [(ply, step.gave_away) for ply, step in enumerate(line, 1) if step.gave_away]
    assert mistakes == [(2, "a draw")]
    assert [step.by_player for step in line] == [False, True] * 3 + [False]


@pytest.mark.slow
@pytest.mark.parametrize("name", few(PLAYERS, 2))
@pytest.mark.parametrize("side", Side)
def test_the_best_reply_is_what_a_best_responder_scores(
    certificates: dict[str, Certificate], catalogue: Catalogue, name: str, side: Side
) -> None:
    player = catalogue.player(name)

    @cache
    def score(position: Position) -> Fraction:
        """Return the best opponent's expected points, by recursion from the start."""
        outcome = position.outcome()
        if outcome is not None:
            return Fraction(1, 2) if outcome.winner is None else Fraction(outcome.winner != side)
        if position.to_move != side:
            return max(score(position.play(move)) for move in position.legal_moves())
        moves = distribution(player, position)
        return sum((p * score(position.play(move)) for move, p in moves.items()), Fraction(0))

    result = (certificates[name].first, certificates[name].second)[side]
    assert result.best_reply == score(catalogue.game("tictactoe").start())


@pytest.mark.slow
def test_no_opponent_scores_more_than_the_best_reply(
    certificates: dict[str, Certificate], catalogue: Catalogue
) -> None:
    game = catalogue.game("tictactoe")
    policies = {name: Policy(catalogue.player(name), game) for name in PLAYERS}
    for name, certificate in certificates.items():
        for other in PLAYERS:
            result = exact_result(policies[name], policies[other])
            assert result.first.reversed().score <= certificate.first.best_reply
            assert result.second.reversed().score <= certificate.second.best_reply
        assert (certificate.exploitability == 0) == (name in PERFECT)


def test_positions_are_counted_with_the_start_and_the_finished_ones(
    certificates: dict[str, Certificate], catalogue: Catalogue
) -> None:
    assert certificates["monkey"].first.positions == certificates["monkey"].second.positions == 5478
    seen: set[Position] = set()
    for line in lines("triples", Side.FIRST, catalogue):
        position: Position = catalogue.game("tictactoe").start()
        seen.add(position)
        for move in line:
            position = position.play(move)
            seen.add(position)
    assert certificates["triples"].first.positions == len(seen)


class Remembers:
    """Plays as triples does, but keeps state; and forgets to block if told to."""

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.moves = 0

    def choose(self, position: Any) -> int:
        self.moves += 1
        from arena.players.triples import choose

        return as_move(choose(position, random.Random(0)))

    def observe(self, move: int) -> None:
        pass

    def finish(self, outcome: Outcome) -> None:
        pass


class Careless(Remembers):
    """Plays its third move without looking."""

    def choose(self, position: Any) -> int:
        move = super().choose(position)
        return position.legal_moves()[-1] if self.moves == 3 else move


@pytest.mark.slow
def test_a_deterministic_stateful_player_is_certified_by_its_lines(catalogue: Catalogue) -> None:
    certificate = arena.certify(Remembers)
    stateless = arena.certify("triples")
    assert certificate.keyed_by == "line"
    assert certificate.never_loses
    assert certificate.first.positions == stateless.first.positions
    assert certificate.second.positions == stateless.second.positions
    verify(certificate, catalogue)
    careless = arena.certify(Careless)
    assert not careless.never_loses
    assert careless.exploitability > 0
    verify(careless, catalogue)


def uniform(position: Position) -> dict[int, Fraction]:
    moves = position.legal_moves()
    return dict.fromkeys(moves, Fraction(1, len(moves)))


def test_a_certificate_says_who_proved_what_and_what_that_takes_for_granted(
    catalogue: Catalogue,
    wording: Wording,
) -> None:
    anna = replace(catalogue.player("monkey"), name="änna", distribution=uniform)
    players: list[tuple[Any, str]] = [
        ("minimax", "minimax"),
        (anna, r"\xe4nna"),
        (Alternates, "Alternates"),
    ]
    for player, name in players:
        certificate = arena.certify(player, game="mnk-4-1-2", catalogue=catalogue, games=0)
        file = certificate.with_moves()
        assert file["assumes"] == certificate.as_json()["assumes"]
        wording([file["source"], file["assumes"]], f" {name}, ")
        assert file["program"] == certificate.as_json()["proved_by"]
        assert file["program"].startswith(f"arena {arena.__version__}, NumPy ")


def test_a_stateful_player_that_draws_or_wavers_cannot_be_certified(wording: Wording) -> None:
    class Draws(Remembers):
        def start(self, game: Game, side: Side, rng: random.Random) -> None:
            self.rng = rng

        def choose(self, position: Any) -> int:
            return int(self.rng.choice(position.legal_moves()))

    with wording.raises(CannotEnumerate):
        arena.certify(Draws)

    class Raises(Remembers):
        def choose(self, position: Any) -> int:
            raise ZeroDivisionError("oh")

    with wording.raises(CannotEnumerate, match=r"_________.*ZeroDivisionError"):
        arena.certify(Raises)


def test_a_stateful_player_is_held_to_what_it_does_when_nothing_is_refused(
    wording: Wording,
) -> None:
    class Catches(Remembers):
        def start(self, game: Game, side: Side, rng: random.Random) -> None:
            self.moves, self.rng = 0, rng

        def choose(self, position: Any) -> int:
            try:
                return int(self.rng.choice(position.legal_moves()))
            except Exception:
                return super().choose(position)

    with wording.raises(CannotEnumerate):
        arena.certify(Catches)

    class Bools(Remembers):
        def choose(self, position: Any) -> Any:
            move = super().choose(position)
            return bool(move) if move < 2 else move

    with wording.raises(PlayerFault):
        arena.certify(Bools)

    class Exits(Remembers):
        def choose(self, position: Any) -> int:
            raise SystemExit(0)

    with pytest.raises(PlayerFault, match="SystemExit: 0"):
        arena.certify(Exits)

    class Indexes(Remembers):
        def choose(self, position: Any) -> Any:
            return np.int64(super().choose(position))

    assert arena.certify(Indexes).never_loses


@pytest.mark.slow
def test_a_game_that_is_too_large_is_refused(wording: Wording) -> None:
    with wording.raises(CannotEnumerate, match=r"--max-positions.*2,000"):
        arena.certify("monkey", game="connect4", max_positions=2000)
