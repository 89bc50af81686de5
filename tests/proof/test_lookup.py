"""Moves that are looked up in a certificate as a player makes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.errors import UsageError
from arena.game import Position
from arena.proof.lookup import CertifiedMoves
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("certificates") / "tictactoe3.json"
    path.write_text(json.dumps(arena.certify("tictactoe3", games=0).with_moves()))
    return path


def renamed(certified: Path, name: str, **changes: Any) -> Path:
    """Return a copy that names another player."""
    path = certified.with_name(f"{name}.json")
    path.write_text(json.dumps({**json.loads(certified.read_text()), "player": name, **changes}))
    return path


@pytest.mark.slow
def test_the_moves_of_a_certificate_are_those_of_the_player(certified: Path) -> None:
    from arena.proof.certificate_file import read_certificate

    moves = CertifiedMoves(read_certificate(certified, arena.get_game))
    game = arena.get_game("tictactoe")
    level: list[tuple[tuple[int, ...], Position]] = [((), game.start())]
    count = 0
    while level:
        (line, position), *level = level
        if position.outcome() is not None or len(line) > 3:
            continue
        if position.to_move == 0:
            count += 1
            assert moves(position, line) == arena.distribution("tictactoe3", position)
        options = moves(position, line) if position.to_move == 0 else position.legal_moves()
        level += [((*line, move), position.play(move)) for move in options]
    assert count > 5


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_who_plays_as_certified_is_told_so(certified: Path, workers: int) -> None:
    result = arena.fight("tictactoe3", "monkey", 50, certificates=[certified], workers=workers)
    assert [player.certified for player in result.both] == [True, False]
    assert [player.deviation for player in result.both] == [None, None]


@pytest.mark.slow
def test_a_deviation_is_the_first_for_any_number_of_workers(certified: Path) -> None:
    other = renamed(certified, "heuristic")
    results = [
        arena.fight(
            "monkey", "heuristic", 200, seed=3, certificates=[other], workers=workers
        ).b.deviation
        for workers in (1, 2, 3)
    ]
    assert results[0] == results[1] == results[2]
    deviation = results[0]
    assert deviation is not None
    # Another way to it: look through the games in order.
    fight = arena.fight("monkey", "heuristic", 200, seed=3, engine="calls")
    assert fight.as_json()["deviations"] == []
    shown = arena.replay(deviation.game_id)
    ply = len(deviation.line)
    assert shown.moves[: ply + 1] == (*deviation.line, deviation.move)
    table = json.loads(other.read_text())["first" if shown.players[0] == "heuristic" else "second"]
    assert deviation.move not in table["moves"][deviation.position]


def test_a_fight_unmakes_the_verdict(run: Run, certified: Path, wording: Wording) -> None:
    options = ("-n", "20", "--seed", "1", "--certificate")
    ran = run("fight", "tictactoe3", "monkey", *options, str(certified))
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out, "40")
    ran = run("fight", "heuristic", "monkey", *options, str(renamed(certified, "heuristic")))
    assert ran.code == 4
    wording(ran.out)
    wording(ran.err)
    assert ran.err.count("\n") == 1


@pytest.mark.slow
def test_a_tournament_looks_moves_up_in_all_fights(run: Run, certified: Path) -> None:
    both = ("--certificate", str(certified), "--certificate", str(renamed(certified, "heuristic")))
    options = ("-n", "10", "--seed", "1", "--format", "json")
    ran = run("tournament", "tictactoe3", "monkey", "heuristic", *options, *both)
    assert ran.code == 4
    fights = json.loads(ran.out)["fights"]
    assert [fight["certified"] for fight in fights] == [
        ["tictactoe3"],
        ["tictactoe3", "heuristic"],
        ["heuristic"],
    ]
    assert {d["player"] for fight in fights for d in fight["deviations"]} == {"heuristic"}


@pytest.mark.slow
def test_a_test_by_games_looks_moves_up(run: Run, certified: Path, wording: Wording) -> None:
    options = ("--sprt", "--elo1", "50", "--seed", "1", "--certificate", str(certified))
    ran = run("fight", "tictactoe3", "monkey", *options)
    assert ran.code == 0
    wording(ran.out)


@pytest.mark.parametrize(
    "options",
    [
        ("minimax", "monkey"),
        ("minimax", "monkey", "--game", "connect4"),
        ("tictactoe3", "monkey", "--engine", "table"),
        ("tictactoe3", "monkey", "--openings", "all:1"),
        ("tictactoe3", "monkey", "--store", "s.db"),
    ],
)
def test_what_cannot_be_looked_up_is_one_line(
    run: Run, certified: Path, options: tuple[str, ...], wording: Wording
) -> None:
    ran = run("fight", *options, "--certificate", str(certified))
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
    assert ran.err.count("\n") == 1


def test_a_certificate_that_does_not_hold_is_refused(certified: Path, wording: Wording) -> None:
    with wording.raises(UsageError, match="'tictactoe3'"):
        arena.fight("tictactoe3", "monkey", certificates=[certified, certified])
    false = renamed(certified, "heuristic", never_loses=False)
    with wording.raises(UsageError):
        arena.fight("heuristic", "monkey", certificates=[false])


@pytest.mark.slow
def test_a_stateful_player_is_looked_up_by_its_line(tmp_path: Path) -> None:
    class Follower:
        """Answers with the first free square, and at its third turn with the last."""

        def start(self, game: Any, side: Any, rng: Any) -> None:
            self.turns = 0

        def choose(self, position: Position) -> int:
            self.turns += 1
            return position.legal_moves()[0 if self.turns < 3 else -1]

        def observe(self, move: int) -> None:
            pass

        def finish(self, outcome: Any) -> None:
            pass

    follower = arena.PlayerInfo("follower", Follower, stateless=False)
    path = tmp_path / "follower.json"
    path.write_text(json.dumps(arena.certify(follower, games=0).with_moves()))
    assert json.loads(path.read_text())["keyed_by"] == "line"
    result = arena.fight(follower, "monkey", 50, certificates=[path])
    assert (result.a.certified, result.a.deviation) == (True, None)
    first = arena.PlayerInfo("follower", lambda p, r: p.legal_moves()[0])
    assert arena.fight(first, "monkey", 50, certificates=[path]).a.deviation
