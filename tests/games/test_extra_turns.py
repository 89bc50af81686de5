"""Games with extra turns and with passes, everywhere, against a second computation."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import testing
from arena.features.play.pair_session import PairSession
from arena.game import Game, Outcome, Position, Side
from arena.games.search import Search
from arena.match import play_game
from arena.player import PlayerInfo
from arena.player.human import HUMAN
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.proof.distribution import find_branches
from arena.proof.explaining import explain
from arena.proof.policy import Policy, _Plans
from arena.proof.tables import compile_tree, count_pairs, play_one
from arena.proof.values import move_values
from arena.records.fights import FightResult
from arena.records.proofs import Certificate, Chances
from arena.rng import Stream
from tests.boards import backward, every_position, to_move
from tests.conftest import Run
from tests.games.extra_turns import BOXES_GAME, PASSING, Follows

PLUGIN = Path(__file__).with_name("extra_turns.py")
GAMES = (BOXES_GAME, PASSING)
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue([str(PLUGIN)])


@cache
def score(position: Any) -> int:
    """How well the first side does from here: 100 less the plies of a win, without negamax."""
    outcome = position.outcome()
    if outcome is not None:
        return {Outcome.FIRST_WINS: 100, Outcome.DRAW: 0, Outcome.SECOND_WINS: -100}[outcome]
    after = [score(position.play(move)) for move in position.legal_moves()]
    best = max(after) if position.to_move is Side.FIRST else min(after)
    return best - (best > 0) + (best < 0)


def in_plies(position: Position, move: int) -> int:
    """Return the value of a move as arena has it: plies to the end for the side that makes it."""
    result = score(position.play(move)) * (1 if position.to_move is Side.FIRST else -1)
    plies = 101 - abs(result)
    return 0 if not result else plies if result > 0 else -plies


@each_game
def test_the_games_keep_the_contract_and_need_it(game: Game) -> None:
    assert testing.check_game(game).conforms
    again = [
        position
        for position in to_move(game.start())
        for move in position.legal_moves()
        if position.play(move).to_move == position.to_move
    ]
    assert bool(again) == (game is BOXES_GAME)
    assert ("pass" in {game.format_move(m) for m in game.start().legal_moves()}) == (
        game is PASSING
    )


@pytest.mark.slow
@each_game
def test_values_are_those_of_a_plain_minimax(game: Game) -> None:
    for position in to_move(game.start()):
        expected = {move: in_plies(position, move) for move in position.legal_moves()}
        assert move_values(position) == expected, position
        value, best = Search().best_moves(position, game.max_plies - position.ply)
        top = max(expected, key=lambda move: 1 / expected[move] if expected[move] else 0)
        assert best == tuple(move for move in expected if expected[move] == expected[top])
        assert (value > 0) - (value < 0) == (expected[top] > 0) - (expected[top] < 0)


@pytest.mark.slow
@each_game
def test_exact_results_are_those_from_the_end_back(game: Game, catalogue: Catalogue) -> None:
    for names in (("monkey", "monkey"), ("minimax", "monkey"), ("monkey", "minimax")):
        a, b = (Policy(catalogue.player(name), game) for name in names)
        result = arena.exact(*names, game=game, catalogue=catalogue)
        assert triple(result.first) == backward(a, b, game.start())
        assert triple(result.second) == backward(b, a, game.start())[::-1]


def triple(chances: Chances) -> tuple[Fraction, ...]:
    return chances.win, chances.draw, chances.loss


def best_reply(policy: Callable[[Any], Mapping[int, Fraction]], position: Any, side: Side) -> Any:
    """Return the points that the best opponent of a player on a side expects."""
    outcome = position.outcome()
    if outcome is not None:
        return Fraction(1, 2) if outcome.winner is None else Fraction(outcome.winner != side)
    if position.to_move == side:
        return sum(
            chance * best_reply(policy, position.play(move), side)
            for move, chance in policy(position).items()
        )
    return max(best_reply(policy, position.play(m), side) for m in position.legal_moves())


def require_certificate(certificate: Certificate, file: Path, catalogue: Catalogue) -> None:
    """Require that a certificate agrees with games, and that the checker takes it."""
    assert certificate.agreement is not None
    assert certificate.agreement.holds
    file.write_text(json.dumps(certificate.with_moves()))
    assert arena.check_certificate(file, catalogue=catalogue).holds


@pytest.mark.slow
@each_game
@pytest.mark.parametrize("name", ["monkey", "minimax"])
def test_a_certificate_has_the_best_opponents_score_and_the_checker_agrees(
    game: Game, name: str, catalogue: Catalogue, tmp_path: Path
) -> None:
    policy = Policy(catalogue.player(name), game)
    certificate = arena.certify(name, game=game, games=40, seed=1, catalogue=catalogue)
    for side in Side:
        assert (certificate.first, certificate.second)[side].best_reply == best_reply(
            policy, game.start(), side
        )
    require_certificate(certificate, tmp_path / "certificate.json", catalogue)


@each_game
def test_a_player_that_keeps_state_is_certified_by_its_lines(
    game: Game, catalogue: Catalogue, tmp_path: Path
) -> None:
    certificate = arena.certify(Follows, game=game, games=40, seed=1, catalogue=catalogue)
    assert certificate.keyed_by == "line"
    require_certificate(certificate, tmp_path / "certificate.json", catalogue)


@each_game
def test_a_player_is_asked_at_its_own_turns_and_told_of_all_the_others(game: Game) -> None:
    monkey = PlayerInfo("monkey", lambda position, rng: rng.choice(position.legal_moves()))
    follows = PlayerInfo("follows", Follows, stateless=False)
    for number in range(30):
        players = (follows, monkey) if number % 2 else (monkey, follows)
        record = play_game(game, players, f"t/{number}", (Stream(), Stream()))
        assert record.forfeit is None
        position: Any = game.start()
        for move in record.moves:
            position = position.play(move)
        assert position.outcome() is record.outcome


@pytest.mark.slow
@each_game
def test_tables_play_what_is_exact(game: Game, catalogue: Catalogue) -> None:
    minimax, monkey = (Policy(catalogue.player(name), game) for name in ("minimax", "monkey"))
    trees = compile_tree(minimax, monkey), compile_tree(monkey, minimax)
    counts = count_pairs(trees, "a fight", 200_000)
    exact = arena.exact("minimax", "monkey", game=game, catalogue=catalogue).total.score
    points = sum(n * (i // 3 + i % 3) for i, n in enumerate(counts.joint))
    assert points / 800_000 == pytest.approx(float(exact), abs=0.005)
    for pair in range(1, 20):
        moves, outcome = play_one(minimax, monkey, "a fight", pair, swapped=False)
        position: Any = game.start()
        for move in moves:
            assert position.to_move or move in minimax(position)
            position = position.play(move)
        assert position.outcome() is outcome


@each_game
def test_a_replay_and_its_explanation_name_who_moved(game: Game, catalogue: Catalogue) -> None:
    fights: Any = {"game": game, "seed": 5, "catalogue": catalogue}
    assert isinstance(arena.fight("monkey", "minimax", 4, **fights), FightResult)
    replay = arena.replay(f"{game.name}/monkey/minimax/5/1.2", catalogue=catalogue)
    position: Any = game.start()
    for explained in explain(game, replay).moves:
        assert explained.player == ("minimax", "monkey")[position.to_move]
        assert explained.player == "monkey" or not explained.gives_away
        position = position.play(game.parse_move(explained.move))


@each_game
def test_a_session_asks_the_person_whose_turn_it_is_and_takes_back(game: Game) -> None:
    monkey = PlayerInfo("monkey", lambda position, rng: rng.choice(position.legal_moves()))
    follows = PlayerInfo("follows", Follows, stateless=False)
    rng = random.Random(1)
    for number in range(20):
        players = (HUMAN, follows) if number % 2 else (follows, HUMAN)
        session = PairSession(game, players, number)
        positions: list[Any] = []
        while session.record is None:
            assert session.asks_person == (players[session.position.to_move] is HUMAN)
            if session.asks_person:
                positions.append(session.position)
                session.make(rng.choice(session.position.legal_moves()))
            else:
                session.let_play()
        assert session.record.forfeit is None
        assert session.taken_back().position == positions[-1]
    with_monkey = PairSession(game, (HUMAN, monkey), 1)
    assert with_monkey.asks_person


@each_game
def test_every_branch_is_planned_once_more_in_apparent_games(
    game: Game, catalogue: Catalogue
) -> None:
    monkey = catalogue.player("monkey")
    branches = {
        position: find_branches(monkey, position, twice=False) for position in to_move(game.start())
    }
    positions = set()
    for plan in _Plans(branches, random.Random(1)):
        assert plan[0].position.ply < 2  # the whole game, from its start or the first reply
        position = plan[0].position
        for step in plan:
            assert step.position == position
            positions.add((position, step.branch))
            position = position.play(step.branch.move)
            for reply in step.replies:
                assert position.to_move != step.position.to_move
                position = position.play(reply)
    assert positions == {(p, branch) for p, own in branches.items() for branch in own}


@pytest.mark.slow
def test_isolated_players_and_programs_follow_extra_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(PLUGIN.read_text().partition("@arena.hookimpl")[0])
    program = Path(arena.__file__).parents[1] / "examples" / "programs" / "any_move.py"
    options = ("-n", "6", "--game", "boxes", "--seed", "2", "--store", "games.db")
    ran = run("-p", str(PLUGIN), "tournament", "./bot.py:Follows", f"cmd:python3 {program}",
              "monkey", *options)  # fmt: skip
    assert (ran.code, "forfeit" in ran.out) == (0, False), ran.out + ran.err
    assert run("-p", str(PLUGIN), "verify", "games.db").code == 0


@pytest.mark.slow
@each_game
def test_a_stored_run_that_was_ended_early_goes_on(
    game: Game, catalogue: Catalogue, tmp_path: Path
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    played: Any = {"game": game, "seed": 3, "catalogue": catalogue, "executor": "serial"}
    whole = arena.fight("monkey", "follows", 200, **played)
    store = tmp_path / "games.db"
    with pytest.raises(arena.Interrupted) as early:
        arena.fight("monkey", "follows", 200, store=store, on_progress=stop, **played)
    partial = early.value.partial
    assert isinstance(partial, FightResult)
    assert partial.total.games < 400
    resumed = arena.resume(store, catalogue=catalogue)
    assert isinstance(resumed, FightResult)
    assert (resumed.total, resumed.pairs) == (whole.total, 200)
    assert whole.a.forfeits == whole.b.forfeits == {}
    assert arena.verify(store, catalogue=catalogue).holds


@each_game
def test_every_position_is_read_back(game: Game) -> None:
    for position in every_position(game.start()):
        assert game.parse(str(position)) == position
