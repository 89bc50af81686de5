"""Estimates of work, and what is refused by them before it begins."""

from __future__ import annotations

import random
import re
from math import inf
from pathlib import Path

import pytest

import arena
from arena import clock
from arena.errors import Undecided
from arena.game import Game, Position, Side
from arena.games.connect4 import connect_game
from arena.games.mnk import mnk_game
from arena.proof.estimate import about, estimate
from arena.proof.limit import Limit
from arena.proof.policy import Policy
from arena.proof.walk import ProofWalk
from arena.proof.work import Questions, refused
from arena.testing import FakeClock
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few


def test_an_estimate_is_near_the_number_of_positions() -> None:
    assert estimate([mnk_game(3, 3, 3).start()]).positions == pytest.approx(5478, rel=0.1)
    assert 40_000 < estimate([connect_game(4, 4, 4).start()]).positions < 320_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "game"),
    [("triples", "tictactoe"), ("tictactoe2", "tictactoe"), ("minimax", "connect-3-3-3")],
)
def test_an_estimate_of_a_player_bounds_its_positions_from_below(
    name: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "arena.proof.work.MAX_ASKING_SECONDS", inf
    )  # slow answers are guessed after those
    rules = arena.get_game(game)
    policy = Policy(arena.get_player(name), rules)
    for side in Side:
        questions = Questions({side: lambda position, _: policy(position), side.other: None})
        estimated = estimate([rules.start()], questions)
        truth = len(ProofWalk(rules, side, lambda p, _: policy(p), False, Limit(10**5)).nodes)
        assert truth / 10 < estimated.positions <= truth
        assert estimated.lines > truth / 2


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (80, "80"),
        (689.4, "690"),
        (999_999, "1 million"),
        (4.53e12, "4.5 trillion"),
        (1e15, "1,000 trillion"),
        (1e30, "more than 10^18"),
    ],
)
def test_a_person_reads_a_number(number: float, text: str) -> None:
    assert about(number) == text


@pytest.mark.parametrize(
    "argv",
    [
        ("exact", "monkey", "triples", "--max-positions", "99"),
        ("certify", "monkey", "--max-positions", "99"),
        ("solve", "tictactoe", "--max-positions", "10"),
        pytest.param(("exact", "monkey", "monkey", "--game", "connect4"), marks=pytest.mark.slow),
        pytest.param(("certify", "monkey", "--game", "othello"), marks=pytest.mark.slow),
    ],
)
def test_a_command_refuses_what_would_not_end(
    run: Run, argv: tuple[str, ...], wording: Wording
) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (3, "", 1)
    wording(ran.err)
    assert "e+" not in ran.err


@pytest.mark.slow
def test_a_pairing_is_refused_with_what_would_do(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    file = tmp_path / "bot.py"
    file.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    least = ("--max-positions", "9")
    for argv, facts in (
        (("triples", *least), ("--max-positions above 1,000,000",)),
        (("triples", *least, "--openings", "random:1"), (" 9;",)),
        (("monkey", "--game", "nim", *least), (" 9;",)),
        ((str(file), *least), ("--max-positions above 1,000,000", "choose_batch")),
    ):
        ran = run("exact", "monkey", *argv)
        assert (ran.code, ran.out) == (3, "")
        wording(ran.err, *facts)


def test_what_is_known_is_told_where_a_limit_ends_the_work(wording: Wording) -> None:
    with wording.raises(Undecided, match="2,000") as raised:
        _exact_within(2000)
    assert re.search(r"monkey .* \d+\.\d\d %, .* 0\.00 % ", str(raised.value))
    with wording.raises(Undecided):
        _walk("tictactoe2", 1000)
    with wording.raises(Undecided):
        _walk("triples", 100)


@pytest.mark.slow
def test_questions_end_at_a_limit_of_positions(wording: Wording) -> None:
    with wording.raises(Undecided, match="300"):
        arena.solve("connect-4-4-4", max_positions=300)


def _exact_within(positions: int) -> None:
    from arena.proof.outcome import exact_ends

    monkey = Policy(arena.get_player("monkey"), arena.get_game("tictactoe"))
    exact_ends(monkey, monkey, Limit(positions))


def _walk(name: str, positions: int) -> None:
    game: Game = arena.get_game("tictactoe")
    policy = Policy(arena.get_player(name), game)
    ProofWalk(game, Side.SECOND, lambda position, _: policy(position), False, Limit(positions))


def test_a_limit_of_time_ends_the_work(wording: Wording) -> None:
    for work in (
        lambda: arena.exact("monkey", "monkey", max_seconds=1e-9),
        lambda: arena.certify("monkey", max_seconds=1e-9),
        lambda: arena.solve("hex-3", max_seconds=1e-9),
        lambda: arena.solve("mnk-4-3-3", max_seconds=1e-9),
    ):
        with wording.raises(Undecided, match="09"):
            work()


def test_a_player_that_is_too_slow_is_refused_with_what_would_do(wording: Wording) -> None:
    def slow(position: Position, rng: random.Random) -> int:
        clock.sleep(60)
        return position.legal_moves()[0]

    player = arena.PlayerInfo("slow", slow)
    with (
        FakeClock(),
        wording.raises(Undecided),
    ):
        arena.plugin.walk(player, game="mnk-4-4-4")


@pytest.mark.parametrize("slow_side", few(Side, 0))
def test_a_slow_player_does_not_take_its_opponent_s_moves_away(slow_side: Side) -> None:
    def slow(position: Position, rng: random.Random) -> int:
        clock.sleep(0.1)
        return position.legal_moves()[0]

    rules = arena.get_game("connect4")
    policy = {
        slow_side: Policy(arena.PlayerInfo("slow", slow), rules),
        slow_side.other: Policy(arena.get_player("monkey"), rules),
    }
    questions = Questions(
        dict.fromkeys(Side, lambda position, _: policy[position.to_move](position))
    )
    with FakeClock():
        seen = refused([rules.start()], questions, Limit(10**6, 1))
    assert questions.is_guess
    assert seen is not None
    positions = re.search(r" ([\d,]+) positions, ", seen.reason)
    assert positions is not None
    assert int(positions[1].replace(",", "")) > 10**5


@pytest.mark.slow
def test_a_game_that_the_estimate_saw_lost_is_the_answer() -> None:
    certificate, game = arena.plugin.walk("monkey", max_positions=100), arena.get_game("tictactoe")
    for side, walked in zip(Side, (certificate.first, certificate.second), strict=True):
        assert walked.losing_line is not None
        position = game.start()
        for text in walked.losing_line:
            position = position.play(game.parse_move(text))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == side.other
