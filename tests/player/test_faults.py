"""Faults of players: what, where and what to do, the same in every isolation."""

from __future__ import annotations

import linecache
import logging
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import adapt
from arena.errors import PlayerFault, did_you_mean
from arena.games.connect4 import CONNECT4
from arena.games.mnk import MnkPosition, mnk_game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.player.faults import Fault, listed, name_of, player_frames, raised, returned
from arena.player_file import where_raised
from arena.proof.distribution import fault_of
from arena.rng import Stream
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few

TICTACTOE = mnk_game(3, 3, 3)
START = TICTACTOE.start()
SQUARES = "In Python squares count from 0 (the board shows 1 to 9)"
ROWS = "position.game.square_at(row, column) is the move; arena.adapt.rows does it too"
PARSE = "position.game.parse_move(text) is the move"
BOARD = "str(position) has a letter a square; arena.adapt.as_rows(position) has rows"
ARGUMENTS = "arena calls choose(position, rng), in this order"


async def coroutine() -> int:
    return 3


class Stubborn:
    """Does not end when it is first closed."""

    def __await__(self) -> Any:
        try:
            yield
        except GeneratorExit:
            yield


async def stubborn() -> None:
    await Stubborn()


def begun() -> Any:
    result = stubborn()
    result.send(None)
    return result


def complain(*_: Any) -> Any:
    raise ValueError("touched")


class Touchy(type):
    __module__ = property(complain)
    __eq__ = complain
    __hash__ = type.__hash__


class Text(str):
    __slots__ = ()
    __str__ = __len__ = __getitem__ = __eq__ = complain
    __hash__ = str.__hash__


class TouchyPair(tuple[int, int], metaclass=Touchy):
    __slots__ = ()


class TouchyError(Exception, metaclass=Touchy):
    pass


class Classless(Exception):
    __class__ = property(complain)


class Traceless(Exception):
    __traceback__ = property(complain)


NAMELESS = type(Text("Nameless"), (Exception,), {})


def from_nowhere() -> None:
    """Raise from a file of an impossible name, in a function of a long one."""

    def fail() -> None:
        raise ValueError

    fail.__code__ = fail.__code__.replace(co_filename="a\0b", co_name="f" * 100_000)
    fail()


def raised_by(*errors: BaseException) -> list[Callable[[], None]]:
    def raising(error: BaseException) -> Callable[[], None]:
        def fail() -> None:
            raise error

        return fail

    return list(map(raising, errors))


@pytest.mark.parametrize(
    "answer",
    [
        None,
        9,
        -1,
        (1, 2),
        4.0,
        "5",
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_answer_is_shown_with_what_to_do(answer: object, wording: Wording) -> None:
    result = returned(answer, START)
    wording([result.message, result.remedy], repr(answer))


def test_an_async_function_and_a_generator_are_told_what_to_write(wording: Wording) -> None:
    result = returned(coroutine(), START).message
    wording(result)
    result = returned((n for n in (1, 2)), START).message
    wording(result)


def test_what_is_said_of_an_answer_is_true() -> None:
    """The names that remedies point at are there, and the numbers are the right ones."""
    assert START.game.square_at(1, 2) == 5
    assert START.game.parse_move("5") == 4
    assert adapt.as_rows(START)[0] == [None, None, None]
    assert callable(adapt.rows)
    assert [START.game.format_move(move) for move in (0, 8)] == ["1", "9"]


def test_a_taken_square_is_told_in_the_numbers_of_python(wording: Wording) -> None:
    result = returned(4, START.play(4), "play")
    wording([result.message, result.remedy], "play returned 4", "0, 1, 2, 3, 5, 6, 7, 8")
    column = returned(7, CONNECT4.start())
    wording(column.message)
    wording(column.remedy)


def caught(code: Callable[..., Any], *arguments: Any) -> BaseException:
    with pytest.raises(BaseException) as error_info:  # noqa: PT011 (whatever it raises)
        code(*arguments)
    return error_info.value


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (lambda p, rng: p.board, BOARD),
        (lambda p, rng: p.grid[0][0], BOARD),
        (lambda p, rng: p[0][0], BOARD),
        (lambda p, rng: p.game[1, 2], BOARD),
        (lambda p, rng: rng.legal_moves(), ARGUMENTS),
        (lambda p, rng: p.choice([1, 2]), ARGUMENTS),
        (lambda p, rng: p.legal_move(), did_you_mean("legal_move", ["legal_moves"])[2:]),
        (lambda p, rng: p.zzz, None),
        (lambda p, rng: 1 // 0, ""),
    ],
)
def test_a_wrong_name_gets_the_right_one(
    code: Callable[..., Any], remedy: str | None, wording: Wording
) -> None:
    result = raised(caught(code, START, Stream())).remedy
    if remedy is None:
        wording(result, "game, legal_moves, outcome, play, ply, to_move")
    else:
        assert result == remedy


def test_the_innermost_frame_of_the_players_own_is_named(wording: Wording) -> None:
    def choose(position: MnkPosition, rng: random.Random) -> int:
        return rng.choice([])

    result = raised(caught(choose, START, random.Random(1)))
    line = choose.__code__.co_firstlineno + 1
    wording(result.where, "test_faults", f"{line}")
    frames = player_frames(caught(choose, START, random.Random(1)))
    assert "random.py" not in frames
    assert frames.endswith(result.message)


def test_lists_and_names_are_short() -> None:
    assert listed([]) == ""
    assert listed([1, 3], TICTACTOE.format_move) == "2, 4"
    assert listed([0, *range(2, 25)]) == "0, 2, 3, ..., 24 (24 moves)"
    assert [name_of(thing) for thing in (coroutine, lambda: 0, Fault, 7)] == [
        *("coroutine", "choose", "choose", "choose")
    ]


BOTS = {
    "return 9": Fault("choose returned 9; the legal moves are 0, 1, ..., 8", "", SQUARES),
    "return None": Fault("choose returned None: a branch without return?"),
    "return TABLE[str(position)]": Fault(
        "KeyError: '_________'", "bot.py:3 in choose: return TABLE[str(position)]"
    ),
    "return position.board[0]": Fault(
        "AttributeError: 'MnkPosition' object has no attribute 'board'",
        "bot.py:3 in choose: return position.board[0]",
        BOARD,
    ),
}

#: The fast tests play this one in a process of its own.
IN_PROCESSES = ("return TABLE[str(position)]",)


@pytest.mark.parametrize(
    ("body", "isolation"),
    few(
        [
            *((body, "none") for body in BOTS),
            *(
                pytest.param(body, "process", marks=[pytest.mark.slow] * (body not in IN_PROCESSES))
                for body in BOTS
            ),
        ]
    ),
)
def test_a_fault_is_the_same_in_every_isolation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, isolation: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(f"TABLE = {{}}\ndef choose(position, rng):\n    {body}\n")
    options: Any = {"isolation": isolation, "seed": 1}
    result = arena.fight("./bot.py", "monkey", 1, **options, executor="serial", store="s.db")
    game = result.a.first_forfeit
    assert game is not None
    assert (game.message, game.where, game.remedy) == BOTS[body]
    assert game.position == "_________"
    assert arena.show("s.db") == result
    message = str(result)
    assert game.message in message
    assert "forfeited 2 games" in message
    assert arena.replay(str(game.game_id), isolation=isolation).forfeit == game
    with pytest.raises(PlayerFault) as error_info:
        arena.move("./bot.py", "_________", isolation=isolation)
    parts = BOTS[body]
    raises = "it raises " if parts.where else ""
    remedy = f". {parts.remedy}" if parts.remedy else ""
    assert str(error_info.value) == f"./bot.py at _________: {raises}{parts.placed}{remedy}"


PROGRAM = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "move":
        print(json.dumps({"id": said["id"], "move": "5"}), flush=True)
"""


@pytest.mark.slow
def test_a_program_is_told_in_the_numbers_that_it_speaks(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(PROGRAM)
    result = arena.fight(f"cmd:{sys.executable} {program}", "monkey", 1, seed=1)
    game = result.a.first_forfeit
    assert game is not None
    assert game.message.startswith("answered 5; ")
    assert "5" not in game.message.partition(";")[2]


def test_the_page_of_a_forfeit_fits_a_terminal_and_tells_everything_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng):\n    return position.board[0]\n")
    ran = run("fight", "./bot.py", "monkey", "-n", "1", "--seed", "1")
    lines = ran.out.splitlines()
    wording(lines[1], "_________")
    wording(lines[3])
    assert max(map(len, lines)) <= 80
    assert ran.out.count("arena replay") == ran.out.count("no attribute 'board'") == 1


def test_a_players_file_that_is_here_is_meant(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("import no_such_package\n")
    ran = run("fight", "bot", "monkey")
    assert ran.code == 2
    wording(ran.err[:58], "'bot'", "'./bot.py'")
    for isolation in ("none", "process"):
        message = run("fight", "./bot.py", "monkey", "--isolation", isolation).err
        wording(message, "no_such_package")
        assert "--readable" not in message


@pytest.mark.parametrize(
    "fail",
    [
        from_nowhere,
        *raised_by(
            TouchyError(),
            Classless(),
            Traceless(),
            NAMELESS(),
            ModuleNotFoundError(name="\x1b[31m\n" * 100_000),
            AttributeError(name=Text("board"), obj=START),
        ),
    ],
    ids=range(7),
)
@pytest.mark.parametrize("level", [logging.INFO, logging.WARNING])
def test_an_exception_may_do_anything_when_it_is_looked_at(
    fail: Callable[[], None], level: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(level)
    monkey = arena.get_player("monkey")
    player = PlayerInfo("bot", lambda _position, _rng: fail())
    forfeit = play_game(TICTACTOE, (player, monkey), "a", (Stream(), Stream())).forfeit
    assert forfeit is not None
    assert forfeit.reason == "exception"
    texts = (forfeit.message, forfeit.where, forfeit.remedy)
    assert all(text.isprintable() and len(text) < 500 for text in texts)


# pytest itself looks at parameters.
@pytest.mark.parametrize(
    "make",
    [
        lambda: TouchyPair((0, 1)),
        begun,
        Classless,
        NAMELESS,
        lambda: Text("b"),
        lambda: [Text("b")],
    ],
    ids=range(6),
)
def test_an_answer_may_do_anything_when_it_is_looked_at(make: Callable[[], object]) -> None:
    assert returned(make(), START).message.startswith("choose returned ")


def test_a_function_may_do_anything_when_it_is_asked_for_its_name() -> None:
    assert name_of(Classless()) == "choose"


def test_a_proof_may_meet_an_exception_without_a_class() -> None:
    assert str(fault_of(Classless())) == "it raises Classless"


def test_a_file_may_raise_an_exception_without_a_traceback() -> None:
    assert where_raised(Classless(), "bot.py") == "Classless"


def test_the_log_has_the_start_of_a_long_line(wording: Wording) -> None:
    with pytest.raises(ValueError, match=r"^$") as error_info:
        from_nowhere()
    frames = player_frames(error_info.value)  # Python 3.13 shows those of an impossible name too
    wording(frames)
    assert frames.endswith("ValueError")
    assert len(frames) < 21_000
    source = f"raise ValueError({'1' * 4000})"
    linecache.cache["long.py"] = (len(source), None, [source * 100], "long.py")
    with pytest.raises(ValueError, match=r"^1+$") as error_info:
        exec(compile(source, "long.py", "exec"))
    assert 20_000 < len(player_frames(error_info.value)) < 21_000
    del linecache.cache["long.py"]


class NoCentre(MnkPosition):
    """The first move may not go to the centre."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(move for move in super().legal_moves() if self.ply or move != 4)


def test_a_free_square_that_is_illegal_is_not_called_taken() -> None:
    start = NoCentre(*mnk_game(3, 3, 3).start())
    words = [
        returned(move, position).message for move, position in ((4, start), (0, start.play(0)))
    ]
    assert ["taken" in each for each in words] == [False, True]
