"""Values for people who wait, against values that are computed another way."""

from __future__ import annotations

import io
import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

import arena
from arena.features.play.hints import Hint
from arena.features.play.words import proved_lines
from arena.game import Game, Position
from arena.games.connect4 import connect_game
from arena.games.mnk import mnk_game
from arena.games.worth import sign
from arena.proof import progress
from arena.proof.explaining import unknown
from arena.proof.values import value
from arena.solver import values
from arena.solver.falling import FallingSearch
from arena.solver.values import Solver
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

#: So small that numba is not worth its while, and too large for a search of all of it.
GAME = connect_game(5, 4, 4)

PLAYED = "connect-5-4-4/monkey/monkey/2/1.1"


@pytest.fixture(autouse=True)
def as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve small boards in Python, as numba does large ones."""
    monkeypatch.setattr(values, "is_installed", lambda: True)


@cache
def worth(position: Position) -> int:
    """1, 0 or -1 for the side to move, by plain minimax."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.to_move else -1
    return max(-worth(position.play(move)) for move in position.legal_moves())


def line(game: Game, rng: random.Random) -> list[Position]:
    """Return the positions of a random game."""
    results = [game.start()]
    while results[-1].outcome() is None:
        results.append(results[-1].play(rng.choice(results[-1].legal_moves())))
    return results


def middle(game: Game, seed: int, ply: int) -> Position:
    """Return a position after so many plies of a random game that goes on."""
    rng = random.Random(seed)
    while len(result := line(game, rng)) <= ply + 1:
        pass
    return result[ply]


def test_it_finds_what_minimax_finds_whatever_it_was_asked_before() -> None:
    solver, results = Solver(GAME, 10**6), []
    for seed in range(12):
        for position in reversed(line(GAME, random.Random(seed))):
            if position.ply >= 11 and position.outcome() is None:
                results.append(worth(position))
                assert solver.value(position) == results[-1]
    assert {*results} == {1, 0, -1}


def test_the_end_of_a_game_and_another_game_are_left_to_others() -> None:
    over = line(GAME, random.Random(1))[-1]
    assert Solver(GAME, 10**6).value(over) is None
    other = Solver(mnk_game(4, 4, 4), 10**6)
    assert other.value(mnk_game(4, 4, 4).start()) is None
    assert other.account == ""


@pytest.mark.slow
def test_it_gives_a_position_up_and_goes_on_with_the_next(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("arena.solver.falling.MAX_PLAIN_NODES", 100)
    solver = Solver(GAME, 300)
    early, late = GAME.start(), middle(GAME, 3, 12)
    assert solver.value(early) is None
    assert solver.value(late) == worth(late)
    assert solver.value(early) is None
    wording(solver.account, "300")
    assert Solver(GAME, 10**6).value(early) == 0


@pytest.mark.slow
def test_a_terminal_shows_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.solver.falling.MAX_PLAIN_NODES", 1000)
    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    with progress.display(True):
        Solver(GAME, 10**6).value(GAME.start())
    shown = capsys.readouterr().err
    assert "0 positions" in shown
    assert "numba" in shown
    assert "2,000 positions searched" in shown


def test_without_numba_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(values, "is_installed", lambda: False)
    solver = Solver(GAME, 10**6)
    assert solver.value(middle(GAME, 3, 12)) is None
    wording(solver.account, "'proving-arena[solve]'")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("solved") / "c.cert"
    arena.solve(GAME, certificate=file, plies=False)
    return str(file)


def truth(position: Position) -> int:
    """Return the same for early positions, which minimax takes long for."""
    if position.outcome() is not None:
        return worth(position)
    winner = FallingSearch(position, compiles=False).winner()
    return 0 if winner is None else 1 if winner == position.to_move else -1


@pytest.mark.slow
def test_explain_names_every_blunder_exactly(certificate: str) -> None:
    explanation = arena.explain(PLAYED, certificate=certificate, max_positions=5)
    position, given = GAME.start(), 0
    for move in explanation.moves:
        number = GAME.parse_move(move.move)
        before = truth(position)
        after = {m: -truth(position.play(m)) for m in position.legal_moves()}
        words = {1: "win", 0: "draw", -1: "loss"}
        assert str(move.before).split()[0] == words[before]
        assert str(move.after).split()[0] == words[after[number]]
        assert bool(move.gives_away) is (after[number] < before)
        if move.gives_away:
            moves = {GAME.format_move(m) for m, value in after.items() if value == before}
            assert {*move.better} == moves
            given += 1
        position = position.play(number)
    assert given


@pytest.mark.slow
def test_explain_tells_its_bound_and_what_to_install(
    certificate: str, run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    command = ("explain", PLAYED, "--certificate", certificate)
    monkeypatch.setattr("arena.solver.falling.MAX_PLAIN_NODES", 1)
    few = run(*command, "--max-positions", "5", "--solver-positions", "1")
    wording(few.out.splitlines()[-1], " 1 ")
    assert " ? " in few.out
    monkeypatch.setattr(values, "is_installed", lambda: False)
    none = run(*command, "--max-positions", "5")
    wording(none.out.splitlines()[-1], "pip install 'proving-arena[solve]'")
    assert " ? " in none.out
    plain = run(*command[:2], "--max-positions", "5", "--format", "json").out
    assert '"solver"' not in plain


def test_a_hint_has_what_the_solver_finds_of_moves_that_nothing_else_values(
    wording: Wording,
) -> None:
    position = middle(GAME, 3, 12)
    hint = Hint(dict.fromkeys(position.legal_moves()))
    lines = [*proved_lines(unknown, Solver(GAME, 10**6), position, hint)]
    wording(lines[0])
    expected: dict[str, str] = {}
    for text in lines[1:]:
        words, _, moves = text.partition(": ")
        expected |= dict.fromkeys(moves.split(), words.split()[-1])
    names = {1: "win", 0: "draw", -1: "loss"}
    assert expected == {
        position.write_move(move): names[-worth(position.play(move))]
        for move in position.legal_moves()
    }
    valued = Hint(dict.fromkeys(position.legal_moves(), 0))
    assert [*proved_lines(unknown, Solver(GAME, 10**6), position, valued)] == lines[:1]


def test_a_hint_tells_which_moves_are_not_known(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("arena.solver.falling.MAX_PLAIN_NODES", 1)
    start = GAME.start()
    hint = Hint(dict.fromkeys(start.legal_moves()))
    lines = [*proved_lines(unknown, Solver(GAME, 1), start, hint)]
    wording(lines[1:], ": 1 2 3 4 5; ")
    wording([*proved_lines(lambda _: 0, Solver(GAME, 1), start, hint)], "draw: 1 2 3 4 5")


@pytest.mark.slow
def test_a_person_who_plays_is_told(
    certificate: str, run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n5\n2\nhint\nquit\n"))
    ran = run("play", "--game", GAME.name, "--certificate", certificate)
    wording.line(ran.out, " solver ")
    assert "not known: " not in ran.out


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.needs("numba")
def test_connect_four_is_valued_as_a_search_to_the_end_does() -> None:
    game, results = connect_game(7, 6, 4), []
    solver = Solver(game, 20_000_000)
    for seed in range(6):
        position = middle(game, seed, 28)
        results.append(sign(value(position, 10**7)))
        assert solver.value(position) == results[-1]
    assert len({*results}) > 1
