"""The same command again, with one store: it shows the run, unless it is told to play anew."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.fights.play import Interrupted
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

FIRST = "def choose(position, rng):\n    return position.legal_moves()[0]\n"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(FIRST)
    return Path("S")


@pytest.fixture
def play(path: Path) -> Callable[..., Any]:
    return partial(
        arena.tournament,
        ["monkey", "triples", "./bot.py"],
        n=3,
        store=path,
        seed=4,
        isolation="none",
        executor="serial",
    )


def runs_in(path: Path) -> int:
    return len(arena.stored_runs(path).rows)


@pytest.mark.slow
def test_a_complete_run_is_shown_and_said(
    play: Callable[..., Any], path: Path, caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    played = play()
    with caplog.at_level(logging.WARNING):
        assert play() == play(seed=None) == played
    assert runs_in(path) == 1
    [message, _] = [message for message in caplog.messages if "hardly tell" not in message]
    wording(message, "'S'", "--again")
    assert play(again=True) == played
    assert runs_in(path) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    few(
        [
            {"seed": 5},
            {"players": ["triples", "monkey", "./bot.py"]},
            {"n": 4},
            {"openings": "random:1"},
            {"adjudicate": "draws"},
            {"gauntlet": "lines"},
            {"game": "tictactoe-corners", "players": ["monkey", "lines"]},
        ],
        1,
    ),
)
def test_another_run_is_played(play: Callable[..., Any], path: Path, other: Any) -> None:
    play()
    settings = {**play.keywords, **other}  # type: ignore[attr-defined]
    players = settings.pop("players", ["monkey", "triples", "./bot.py"])
    arena.tournament(players, **settings)
    assert runs_in(path) == 2


@pytest.mark.slow
def test_changed_code_is_played(play: Callable[..., Any], path: Path) -> None:
    play()
    Path("bot.py").write_text(FIRST.replace("[0]", "[-1]"))
    assert play() == play()
    assert runs_in(path) == 2


@pytest.mark.slow
def test_a_function_of_a_program_is_always_played(path: Path) -> None:
    def first(position: arena.Position, rng: Any) -> int:
        return position.legal_moves()[0]

    for _ in range(2):
        arena.fight(first, "monkey", 2, seed=1, store=path)
    assert runs_in(path) == 2


@pytest.mark.slow
def test_a_run_that_grew_is_that_of_its_players_of_now(
    play: Callable[..., Any], path: Path
) -> None:
    play()
    grown = arena.resume(path, 1, add=["lines"], withdraw=["monkey"], isolation="none")
    again = arena.tournament(["triples", "./bot.py", "lines"], **play.keywords)  # type: ignore[attr-defined]
    assert again == grown
    assert runs_in(path) == 1


@pytest.mark.slow
def test_a_run_that_is_not_complete_is_named(
    play: Callable[..., Any], path: Path, caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        play(on_progress=stop)
    with caplog.at_level(logging.WARNING):
        play()
    [message] = [message for message in caplog.messages if "hardly tell" not in message]
    wording(message)
    assert runs_in(path) == 2


@pytest.mark.slow
def test_the_command_shows_the_games_of_the_run_that_it_finds(run: Run, path: Path) -> None:
    command = ["fight", "monkey", "triples", "-n", "2", "--seed", "1", "--store", "S"]
    first = run(*command, "--table", "games")
    again = run(*command, "--table", "games")
    assert (again.code, again.out) == (0, first.out)
    assert again.out.count("tictactoe/monkey/triples/1/") == 4
