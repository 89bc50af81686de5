"""The usual mistakes of a player's author, and the remedy that stands below each."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena

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
}

#: Code that is wrong in another way, of which arena knows no remedy.
OTHERS = ("x = (1, 2); return x[7]", "return no_such_name", "x = 1; x.y = 2")


@pytest.mark.parametrize("isolation", ["none", pytest.param("process", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("body", "remedy"), [*MISTAKES.items(), *((body, "") for body in OTHERS)])
def test_a_usual_mistake_gets_its_remedy(
    tmp_path: Path, body: str, remedy: str, isolation: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"def choose(position, rng):\n    {body}\n")
    result = arena.fight(str(bot), "monkey", 1, seed=1, isolation=isolation, executor="serial")
    game = result.a.first_forfeit
    assert game is not None
    assert remedy in game.remedy
    assert bool(remedy) == bool(game.remedy)
