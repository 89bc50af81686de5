"""What may be registered, and what is kept of it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.errors import PluginError
from arena.games.mnk import mnk_game
from arena.plugin.registers import PlayerRegister
from tests.golden import Wording
from tests.plugin.registering import REGISTERS, Stateful, lowest, refusal, registered


@pytest.mark.parametrize(
    "name", ["", " ", "1st", "-x", "a b", "a/b", "a:b", "a,b", "é", "x\n", "x" * 65, None, 3, b"x"]
)
def test_a_register_refuses_what_is_no_name(name: object, wording: Wording) -> None:
    wording(refusal(PlayerRegister("my-plugin", "d"), name, lambda: None))


@pytest.mark.parametrize("kind", REGISTERS)
def test_every_register_refuses_what_is_no_name(kind: str, wording: Wording) -> None:
    wording(refusal(REGISTERS[kind]("my-plugin", "d"), "a b", lambda: None), "'a b'")


@pytest.mark.parametrize("kind", REGISTERS)
@pytest.mark.parametrize("name", ["Z9", "a.b_c+d-e", "x" * 64])
def test_a_register_takes_any_other_name(kind: str, name: str) -> None:
    register: Any = REGISTERS[kind]("my-plugin", "d")
    register(name, lambda *arguments: None)
    assert [offered for offered, _ in register.offers] == [name]


@pytest.mark.parametrize("kind", REGISTERS)
@pytest.mark.parametrize("thing", [None, 3, "monkey", {}])
def test_a_register_refuses_what_cannot_be_called(
    kind: str, thing: object, wording: Wording
) -> None:
    message = refusal(REGISTERS[kind]("my-plugin", "d"), "some-name", thing)
    wording(message, "some-name")


def test_a_player_cannot_have_a_name_that_means_a_file() -> None:
    refusal(PlayerRegister("my-plugin", "d"), "bot.py", lowest)


@pytest.mark.parametrize(
    "claims",
    [
        ("never-loses",),
        ("never-loses:",),
        ("wins:tictactoe",),
        ("never-loses:tic tac toe",),
        (3,),
        ("never-loses:tictactoe", ""),
        "never-loses:tictactoe",
    ],
)
def test_a_claim_is_never_loses_on_some_game(claims: object) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "hopeful", lowest, claims=claims)
    assert "'hopeful'" in message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("distribution", {0: 1}),
        ("games", 3),
        ("games", None),
        ("games", (mnk_game(3, 3, 3),)),
        ("claims", None),
    ],
)
def test_other_traits_of_a_player_are_checked_at_the_call_too(field: str, value: object) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "odd", lowest, **{field: value})
    assert "'odd'" in message


def test_a_player_without_traits_plays_everything_and_promises_nothing(wording: Wording) -> None:
    info = registered(lowest)
    assert info.player is lowest
    assert info.games == ("*",)
    assert (info.deterministic, info.stateless, info.claims) == (False, True, ())
    assert info.distribution is None
    wording(info.summary)


def test_what_is_said_of_a_player_is_kept() -> None:
    claims = ("never-loses:tictactoe", "never-loses:mnk-4-3-3")
    info = registered(
        lowest,
        games=("tictactoe", "mnk-*"),
        deterministic=True,
        claims=claims,
        distribution=lambda position: {position.legal_moves()[0]: Fraction(1)},
        summary="Low.",
    )
    assert info.games == ("tictactoe", "mnk-*")
    assert info.deterministic
    assert info.claims == claims
    assert info.distribution is not None
    assert info.summary == "Low."


def test_games_may_be_one_text() -> None:
    assert registered(lowest, games="connect4").games == ("connect4",)


def test_a_class_is_a_factory_of_stateful_players_unless_it_says_otherwise() -> None:
    class Move(int):
        def __new__(cls, position: arena.Position, rng: random.Random) -> Move:
            return super().__new__(cls, position.legal_moves()[0])

    assert not registered(Stateful).stateless
    assert registered(Move, stateless=True).stateless
    assert not registered(lambda: Stateful(), stateless=False).stateless


def test_a_class_without_the_methods_of_a_stateful_player_is_refused(wording: Wording) -> None:
    class Half:
        def choose(self, position: object) -> int:
            return 0

    with wording.raises(PluginError):
        registered(Half)


def test_a_player_without_a_docstring_has_no_summary() -> None:
    assert registered(lambda position, rng: 0).summary == ""
