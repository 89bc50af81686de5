"""One file in several seats: each has a module of its own for as long as its game goes on."""

from __future__ import annotations

import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.player_file import load_file_player
from arena.player_file.code import MAX_IN_PLAY, PlayerCode

BOT = """
PLACE = 0

def choose(position, rng):
    return position.legal_moves()[PLACE]

def last(position, rng):
    return position.legal_moves()[PLACE - 1]

def hides(position, rng):
    try:
        return position.legal_moves()[PLACE]
    except NameError:
        return rng.choice(position.legal_moves())

class Remembers:
    def start(self, game, side, rng):
        self.place = PLACE

    def choose(self, position):
        return position.legal_moves()[PLACE]

class Makes(Remembers):
    def __new__(cls):
        class Other(Remembers):
            pass

        return Other()
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    return str(file)


PAIRS = [("", ""), (":choose", ":last"), (":hides", ":hides"), (":Remembers", ":Makes")]


@pytest.mark.parametrize("functions", PAIRS)
@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_two_players_of_a_file_play_as_if_each_had_its_own(
    bot: str, functions: tuple[str, str], executor: str
) -> None:
    def play(isolation: str, executor: str) -> Any:
        a, b = (f"{name}={bot}{each}" for name, each in zip("ab", functions, strict=True))
        options: Any = {"seed": 1, "executor": executor, "workers": 4, "openings": "random:2"}
        result = arena.fight(a, b, 12, isolation=isolation, **options)
        return result.total, result.pentanomial, result.a.forfeits

    assert play("none", executor) == play("process", "serial")


def test_the_same_file_may_sit_in_every_seat_of_a_table(bot: str) -> None:
    players = [f"a={bot}", f"b={bot}", f"c={bot}:Remembers"]
    options: Any = {"game": "mnk-3-3-3-x3", "seed": 1, "isolation": "none"}
    result = arena.table_fight(players, 4, **options)
    assert [row.payoff for row in result.standings] == [pytest.approx(1 / 3)] * 3
    assert not any(row.forfeits for row in result.standings)


def test_exact_results_of_two_functions_of_a_file(bot: str) -> None:
    shares = arena.exact(f"a={bot}", f"b={bot}:last", isolation="none")
    assert shares == arena.exact(f"a={bot}", f"b={bot}:last", isolation="process")


def test_a_module_is_cleared_once_no_game_needs_it(bot: str) -> None:
    player = load_file_player(bot)
    assert player.fresh is not None
    gc.disable()
    try:
        first, second = player.fresh(), player.fresh()
        ended = weakref.ref(first)
        del first
        player.fresh()
        assert ended() is None
        assert second(arena.get_game("tictactoe").start(), None) == 0
    finally:
        gc.enable()


def test_games_in_many_threads_have_a_module_each(bot: str) -> None:
    fresh, start = load_file_player(bot).fresh, arena.get_game("tictactoe").start()
    assert fresh is not None
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            moves = list(pool.map(lambda _: fresh()(start, None), range(400)))
    finally:
        sys.setswitchinterval(before)
    assert moves == [0] * 400


def test_modules_of_games_that_never_end_do_not_pile_up(bot: str) -> None:
    code = PlayerCode(Path(bot), "of_a_test")
    players = [code.execute().choose for _ in range(3 * MAX_IN_PLAY)]
    assert len(code._in_play) <= MAX_IN_PLAY + 1
    assert all(player.__globals__["PLACE"] == 0 for player in players)
