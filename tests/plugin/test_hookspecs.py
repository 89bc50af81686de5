"""Every hook of arena, in a plugin that is installed."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import arena
from arena.games.mnk import mnk_game
from arena.plugin import hookspecs
from tests.conftest import Run
from tests.golden import Wording
from tests.plugin import test_observers
from tests.plugin.sites import COMMAND, Site

HOOKS = [name for name in vars(hookspecs) if name.startswith("arena_")]


def test_every_hook_has_a_test_and_is_described() -> None:
    assert len(HOOKS) >= 10
    tests = {**globals(), **vars(test_observers)}
    missing = [name for name in HOOKS if not callable(tests.get(f"test_hook_{name}"))]
    assert missing == []
    assert all(vars(hookspecs)[name].__doc__ for name in HOOKS)


def test_hook_arena_register_games(site: Site, run: Run) -> None:
    site.install(
        "wide",
        "wide",
        wide="""
        from arena.games.mnk import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("wide-{n}", lambda n: mnk_game(n, 2, 2), summary="n columns, two rows")
        """,
    )
    assert arena.get_game("wide-5") == mnk_game(5, 2, 2)
    assert run("fight", "monkey", "first-of-all", "-n", "2", "--game", "wide-4").code == 0
    games = json.loads(run("games", "--format", "json").out)["games"]
    assert {"name": "wide-{n}", "summary": "n columns, two rows"} in games


def test_hook_arena_register_players(site: Site, run: Run) -> None:
    site.install(
        "smart-players",
        "smart",
        "2.5",
        smart="""
        def choose(position, rng):
            '''The highest move.'''
            return position.legal_moves()[-1]

        @arena.hookimpl
        def arena_register_players(register):
            claims = ("never-loses:mnk-1-1-1",)
            register("high", choose, games="mnk-*", deterministic=True, claims=claims)
        """,
    )
    players = json.loads(run("players", "--format", "json").out)["players"]
    assert [player for player in players if player["name"] == "high"] == [
        {
            "name": "high",
            "version": "2.5",
            "distribution": "smart-players",
            "games": ["mnk-*"],
            "deterministic": True,
            "stateless": True,
            "claims": ["never-loses:mnk-1-1-1"],
            "summary": "The highest move.",
            "options": None,
        }
    ]
    start = arena.get_game("mnk-2-3-2").start()
    assert arena.distribution("high", start) == {5: Fraction(1)}


def test_hook_arena_register_protocols(
    site: Site, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    site.install(
        "echo",
        "echo",
        echo="""
        import arena

        class First(arena.plugin.Client):
            def __init__(self, options):
                self.options = options

            def choose(self, talk, turn):
                talk.say(turn.game.format_move(turn.position.legal_moves()[0]))
                return turn.game.parse_move(talk.hear())

        class Last:
            def __init__(self, path, is_isolated):
                assert not is_isolated
                self.name = open(path).read().strip()

            def start(self, game, side, rng):
                pass

            def choose(self, position):
                assert self.name == "last"
                return position.legal_moves()[-1]

        @arena.hookimpl
        def arena_register_protocols(register):
            register("first", client=First, summary="echoes")
            register("last", file=Last, games=("tictactoe",))
        """,
    )
    Path("last.txt").write_text("last")
    fight = ["fight", "first:cat", "last:./last.txt", "-n", "1", "--isolation", "none"]
    ran = run(*fight, "--format", "csv")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "total,first:cat,last:./last.txt,2,1,0,1,0.5"
    assert run("fight", "last:./none.txt", "monkey").code == 2
    assert run("fight", "last:./last.txt", "monkey", "--game", "tictactoe-4").code == 2
    wording(run("fight", "last,a=b:./last.txt", "monkey").err)


def test_hook_arena_register_executors(site: Site, run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    site.install(
        "crews",
        "crews",
        crews=f"""
        from arena.executors.serial import SerialExecutor

        class Logging(SerialExecutor):
            def __init__(self, workers):
                super().__init__(workers)
                with open({str(log)!r}, "a") as file:
                    file.write(f"{{workers}} ")

        @arena.hookimpl
        def arena_register_executors(register):
            register("logging", Logging)
        """,
    )
    fight = partial(run, "fight", "monkey", "monkey", "-n", "5", "--seed", "1")
    assert fight("--executor", "logging", "-j", "3") == fight()
    assert log.read_text() == "3 "


def test_hook_arena_register_schedules(site: Site, run: Run, wording: Wording) -> None:
    site.install(
        "pairs",
        "pairs",
        pairs="""
        @arena.hookimpl
        def arena_register_schedules(register):
            register("first", first, argument="N", summary="the first N rounds")

        def first(text):
            if not text.isdigit():
                raise arena.UsageError(f"first:N takes a number, not {text}")
            names = lambda known: [known.entrants[:2]] if len(known.rounds) < int(text) else []
            return names
        """,
    )
    play = partial(run, "tournament", "monkey", "lines", "tree", "-n", "2", "--seed", "1")
    played = json.loads(play("--schedule", "first:2", "--format", "json").out)
    assert played["schedule"] == "first:2"
    assert [[one["players"] for one in each] for each in played["rounds"]] == 2 * [
        [["monkey", "lines"]]
    ]
    assert [fight["pairs"] for fight in played["fights"]] == [4]
    wrong = play("--schedule", "first:x")
    assert wrong.code == 2
    wording(wrong.err)


def test_hook_arena_register_reports(site: Site, run: Run) -> None:
    site.install(
        "short",
        "short",
        short="""
        @arena.hookimpl
        def arena_register_reports(register):
            register("keys", lambda record: " ".join(record.as_json()))
        """,
    )
    assert run("players", "--format", "keys").out == "schema players protocols broken\n"
    assert run("games", "--format", "keys").out == "schema games patterns\n"


def test_hook_arena_add_command(site: Site, run: Run) -> None:
    site.install("polite", "polite", polite=COMMAND)
    assert run("hello", "--times", "2") == (3, "hello hello monkey\n", "")
    assert "greet the monkey" in run("--help").out
