"""The check of the texts of a game: which readers are refused."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import arena
from arena.errors import MoveError, PositionError
from arena.features.check.record import Level
from arena.game import Position
from tests.features.check.piles import Pile, Piles


def digits_of_any_script(text: str) -> int:
    if not text.isdigit():
        raise MoveError(text)
    return int(text)


def any_int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MoveError(text) from None


def without_a_sign(text: str) -> int:
    return any_int(text.lstrip("-"))


def first_digit(text: str) -> int:
    return any_int(text[:1])


READERS: dict[str, tuple[Callable[[str], int], str, str]] = {
    "digits of any script": (digits_of_any_script, "moves as text", "raises ValueError"),
    "no error of its own": (int, "moves as text", "raises ValueError"),
    "a negative number": (any_int, "moves as text", "'-1'"),
    "a number that is long": (without_a_sign, "moves as text", "0 to 65535"),
    "the first digit only": (first_digit, "moves as text", "returns something"),
}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_of_moves_that_takes_or_breaks_at_a_near_miss_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, check, problem = READERS[name]
    monkeypatch.setattr(Piles, "parse_move", lambda _, text: read(text))
    finding = next(f for f in arena.check_game(Piles()).findings if f.check == check)
    assert finding.level == Level.FAIL
    assert problem in finding.message


def parser_of(pattern: str) -> Callable[[Piles, str], Position]:
    def parse(_game: Piles, text: str) -> Position:
        if not re.fullmatch(pattern, text):
            raise PositionError(text)
        remaining, ply = text.split("/")
        return Pile(int(remaining), int(ply))

    return parse


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        (".*", "ValueError"),
        ("-?[0-5]/[0-5]", "parse('-"),
        ("[0-5]/[0-9]+", " ply "),
    ],
)
def test_a_reader_of_positions_that_takes_or_breaks_at_a_near_miss_is_refused(
    pattern: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Piles, "parse", parser_of(pattern))
    finding = next(f for f in arena.check_game(Piles()).findings if f.check == "text")
    assert finding.level == Level.FAIL
    assert problem in finding.message
