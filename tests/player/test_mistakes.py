"""The usual mistakes of a player's author, and the remedy that stands below each."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.records.entrants import ForfeitedGame
from tests.samples import few

#: Usual mistakes, each with words of the remedy.
MISTAKES = {
    "return position[4]": "str(position)",
    "position[4] = 1": "str(position)",
    "position.first = 3": "position.play(move)",
    "position.first += 3": "position.play(move)",
    "position.legal_moves().remove(3)": "list(position.legal_moves())",
    "return position.legal_moves": "position.legal_moves()",
    "return position.legal_moves()": "moves[0]",
    "return list(position.legal_moves())": "moves[0]",
    "return position.play(position.legal_moves()[0])": "not the position",
    "return position.play(99)": "an int of position.legal_moves()",
    "return position.game": "rng.choice(position.legal_moves())",
    "return rng.choice([])": "empty",
    "return random.choice(position.legal_moves())": "import random",
    "return np.argmax([1])": "import numpy as np",
    "return True": "the move itself",
    "return (1, 1)": "square_at",
    "return '5'": "parse_move",
    "return 9": "count from 0",
    "return len(position) + 6": "bot.py:2: position is not a board: str(position)",
    "return 99 if position[1] == 7 else 98": "bot.py:2: position is not a board",
    "x = position[0]; return [][0]": "bot.py:2: position is not a board",
    "return 4.0": "int(...)",
    "return {'move': 4}": "moves[0]",
    "import numpy; return numpy.array([4])": "int(moves[0])",
    "return position[0, 0]": "str(position)",
    "del position[0]": "str(position)",
    "return position.board[1][1]": "str(position)",
    "return position.copy()": "does not change",
    "position.push(4)": "position.play(move)",
    "return position.legal_moves[0]": "call position.legal_moves()",
    "return rng.choice(position.legal_moves)": "call position.legal_moves()",
    "return [m for m in position.legal_moves]": "call position.legal_moves()",
    "return 4 in position.legal_moves": "call position.legal_moves()",
    "return position.outcome.winner": "call position.legal_moves()",
    "return position.legal_moves()[9]": "of this position alone",
    "return position.available_moves()[0]": "position.legal_moves() has the moves",
    "return position.get_legal_moves()[0]": "position.legal_moves() has the moves",
    "return position.turn": "position.to_move",
    "return position.to_move()": "not a method",
    "return position.winner()": "position.outcome()",
    "return position.play(None)": "an int of position.legal_moves()",
    "return rng.choose(position.legal_moves())": "rng.choice(position.legal_moves())",
    "return rng()": "rng.choice(position.legal_moves())",
    "return rng.legal_moves()[0]": "in this order",
    "return arena.Side.FIRST": "write import arena at",
    "return Side.FIRST": "from arena import Side",
    "return int(input())": "arena play",
}

#: Answers that work as they are.
RIGHT = ("import numpy; return numpy.int64(position.legal_moves()[0])",)

#: Mistakes of which the message says all.
PLAIN = {"return None": "a branch without return?", "pass": "a branch without return?"}

#: Code that is wrong in another way, of which arena knows no remedy.
OTHERS = (
    "x = (1, 2); return x[7]",
    "return no_such_name",
    "x = 1; x.y = 2",
    "return [].turn",
    "return [].index[0]",
    "return len(choose)",
    "return None < 1",
    "position = str(position); x = position[4]; return [][0]",
)


def forfeited(folder: Path, body: str, isolation: str = "none") -> ForfeitedGame | None:
    """Return the first game that a player with this function forfeits."""
    bot = folder / "bot.py"
    bot.write_text(f"def choose(position, rng):\n    {body}\n")
    result = arena.fight(str(bot), "monkey", 1, seed=1, isolation=isolation, executor="serial")
    return result.a.first_forfeit


@pytest.mark.parametrize("isolation", ["none", pytest.param("process", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("body", "remedy"), [*few(MISTAKES.items(), 16), *few([(body, "") for body in OTHERS], 3)]
)
def test_a_usual_mistake_gets_its_remedy(
    tmp_path: Path, body: str, remedy: str, isolation: str
) -> None:
    game = forfeited(tmp_path, body, isolation)
    assert game is not None
    assert remedy in game.remedy
    assert bool(remedy) == bool(game.remedy)


@pytest.mark.slow
@pytest.mark.parametrize(("body", "message"), PLAIN.items())
def test_the_message_of_a_plain_mistake_says_all(tmp_path: Path, body: str, message: str) -> None:
    game = forfeited(tmp_path, body)
    assert game is not None
    assert message in game.message


@pytest.mark.slow
@pytest.mark.parametrize("body", RIGHT)
def test_an_integer_of_another_library_is_a_move(tmp_path: Path, body: str) -> None:
    assert forfeited(tmp_path, body) is None
