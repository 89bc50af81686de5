"""Players that are named cannot end the process that asks, from Python as from a shell."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import arena
from arena.game import Position
from tests.golden import Wording
from tests.samples import few

#: Ends its process at the second move, so that it loads and its first answer is a move.
DEADLY = """
import os
def choose(position, rng):
    if position.ply:
        os._exit(0)
    return position.legal_moves()[0]
"""
HERE: dict[str, Any] = {"isolation": "none"}

ASKED: dict[str, Callable[[str], object]] = {
    "exact": lambda bot: arena.exact(bot, "monkey", **HERE),
    "exact_tournament": lambda bot: arena.exact_tournament([bot, "monkey", "triples"], **HERE),
    "certify": lambda bot: arena.certify(bot, **HERE),
    "distribution": lambda bot: arena.distribution(bot, "x________", **HERE),
    "move": lambda bot: arena.move(bot, "x________", **HERE),
    "moves": lambda bot: list(arena.moves(bot, ["x________"], **HERE)),
    "replay": lambda bot: arena.replay(f"tictactoe/{bot.replace('/', '%2F')}/monkey/7/1.2", **HERE),
    "train": lambda bot: arena.train(against=bot, games=5, seed=1, **HERE),
    "train with progress": lambda bot: arena.train(
        against=bot, games=5, seed=1, on_progress=id, **HERE
    ),
    "checked_fight": lambda bot: arena.checked_fight(bot, "monkey", 1, **HERE),
}


@pytest.mark.parametrize("asked", few(ASKED))
def test_a_named_player_that_ends_its_process_is_at_fault(
    tmp_path: Path, asked: str, wording: Wording
) -> None:
    bot = tmp_path / "deadly.py"
    bot.write_text(DEADLY)
    with wording.raises(arena.ArenaError) as raised:
        ASKED[asked](str(bot))
    assert raised.value.exit_code == 4


@pytest.mark.slow
def test_a_certificate_is_checked_against_a_player_that_ends_its_process(
    tmp_path: Path, wording: Wording
) -> None:
    bot, file = tmp_path / "deadly.py", tmp_path / "certificate.json"
    bot.write_text(DEADLY)
    file.write_text(json.dumps(arena.certify("triples", games=0).with_moves()))
    assert arena.check_certificate(file).holds
    assert arena.check_certificate(file, "triples", games=10, seed=1).holds
    with wording.raises(arena.ArenaError) as raised:
        arena.check_certificate(file, str(bot), **HERE)
    assert raised.value.exit_code == 4


def test_a_function_of_the_caller_is_asked_in_its_own_process() -> None:
    processes = set()

    def lowest(position: Position, rng: Random) -> int:
        processes.add(os.getpid())
        return position.legal_moves()[0]

    assert arena.move(lowest, "x________").moves == {"2": 1}
    assert not arena.certify(lowest, games=0).never_loses
    assert processes == {os.getpid()}


@pytest.mark.slow
def test_progress_is_told_where_the_caller_is_whoever_the_opponent_is() -> None:
    calls: list[int] = []
    trained = arena.train(against="monkey", games=250, seed=1, on_progress=calls.append)
    assert calls == [*range(0, 251, 2)]
    assert trained == arena.train(against="monkey", games=250, seed=1)
