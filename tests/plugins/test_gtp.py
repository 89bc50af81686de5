"""GTP engines: the client line by line, an engine of our own that misbehaves, and GNU Go."""

import shlex
from pathlib import Path

import pytest

import arena
from arena.errors import Forfeited, UsageError
from arena.game import Side
from arena.plugins.gtp import Gtp
from arena.testing import ScriptedTalk, turn_at
from tests.golden import Wording
from tests.needs import python_of_all
from tests.observing import observed_by
from tests.processes import command_lines

ENGINE = Path(__file__).parent / "engines" / "gtp.py"
GAME = arena.get_game("hex-5")


class Plugin:
    """Has GTP engines play any game."""

    @arena.hookimpl
    def arena_register_protocols(self, register: arena.plugin.ProtocolRegister) -> None:
        register("any", client=Gtp)


def answers(*texts: str) -> ScriptedTalk:
    """Return a script of answers, each with the empty line that ends it."""
    return ScriptedTalk(*(line for text in texts for line in (*text.splitlines(), "")))


def test_an_engine_is_told_the_moves_that_it_does_not_know() -> None:
    client = Gtp({"komi": "6.5"})
    first = GAME.parse_move("c3"), GAME.parse_move("b2")
    client.begin(ScriptedTalk(), GAME, Side.FIRST, 1)
    talk = answers("=", "=", "=", "=", "=", "? unknown command", "= A1")
    move = client.choose(talk, turn_at(GAME.start(), *first))
    assert GAME.format_move(move) == "a1"
    assert talk.said == [
        *("boardsize 5", "clear_board", "komi 6.5"),
        *("play black c3", "play white b2", "time_settings 0 2 1", "genmove black"),
    ]
    talk = answers("=", "=D5")
    client.choose(talk, turn_at(GAME.start(), *first, move, GAME.parse_move("e5")))
    assert talk.said == ["play white e5", "genmove black"]


def test_a_game_from_elsewhere_is_not_played_without_its_moves(wording: Wording) -> None:
    start = GAME.start().play(0)
    with wording.raises(Forfeited):
        Gtp({}).choose(answers(), turn_at(start))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("= resign", "resigned"),
        ("= z9", "illegal"),
        ("=", "illegal"),
        ("? cannot", "protocol"),
        ("a1", "protocol"),
        ("\x1b[2J", "protocol"),
    ],
)
def test_an_answer_that_is_not_a_move(answer: str, reason: str) -> None:
    with pytest.raises(Forfeited) as caught:
        Gtp({}).choose(answers("=", "=", "=", answer), turn_at(GAME.start()))
    assert caught.value.reason == reason
    assert caught.value.problem.isprintable()


def test_an_engine_of_another_game_is_told_by_its_moves(wording: Wording) -> None:
    game = arena.get_game("othello")
    with wording.raises(Forfeited, match="othello"):
        Gtp({}).choose(answers("=", "=", "=", "= E5"), turn_at(game.start()))


def test_komi_is_the_only_option(wording: Wording) -> None:
    with wording.raises(UsageError, match="'level'"):
        Gtp({"level": "1"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "forfeits"),
    [
        ("", set()),
        ("hang", {"timeout"}),
        ("resign", {"resigned"}),
        ("illegal", {"illegal"}),
        ("refuse", {"protocol"}),
        ("garbage", {"timeout"}),
    ],
)
def test_an_engine_that_misbehaves_is_charged(fault: str, forfeits: set[str]) -> None:
    name = f"any:{shlex.join([python_of_all(), str(ENGINE), fault])}"
    limit = 1.5 if forfeits == {"timeout"} else 60
    result = arena.fight(
        name,
        "monkey",
        2,
        game="hex-5",
        seed=4,
        catalogue=observed_by(Plugin()),
        isolation=arena.Isolation(tier="process", move_time=limit),
    )
    assert set(result.a.forfeits) == forfeits
    assert not command_lines(str(ENGINE))


@pytest.mark.needs("gnugo")
def test_gnu_go_beats_monkey_at_go(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="needs open_spiel: pip install open_spiel")
    # OpenSpiel counts every stone on the board as alive, so GNU Go has to take the dead ones.
    count = "--chinese-rules --play-out-aftermath --capture-all-dead"
    name = f"gtp:gnugo --mode gtp --level 1 {count}"
    isolation = arena.Isolation(move_time=60, game_time=600)
    game = "openspiel:go(board_size=9)"
    result = arena.fight(name, "monkey", 1, game=game, seed=1, isolation=isolation)
    assert not result.a.forfeits, result.a.first_forfeit
    assert result.total.wins == 2
