"""Commands that keep games, commands that look at a store, and how one is refused."""

from __future__ import annotations

from tests.conftest import Ran

FIGHT = ("fight", "tictactoe2", "monkey", "-n", "12", "--seed", "7")
TOURNAMENT = ("tournament", "monkey", "triples", "heuristic", "-n", "3", "--seed", "7")
SPRT = ("fight", "triples", "monkey", "--sprt", "--elo0", "0", "--elo1", "100", "--seed", "7")

#: Commands that look at a store, as (before the store, after it).
LOOKS = {
    "runs": ("runs", "--store", "S"),
    "show": ("show", "--store", "S"),
    "export": ("export", "--store", "S"),
    "verify": ("verify", "S"),
    "resume": ("resume", "S"),
}


def is_refused(ran: Ran, *words: str, code: int = 2) -> None:
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("arena: ")
    assert ran.err.count("\n") == 1
    for word in words:
        assert word in ran.err
