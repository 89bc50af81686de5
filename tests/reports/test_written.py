"""Pages name moves as the boards do, and mark the boards; JSON keeps the game's notation."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.regress.page import example_parts
from arena.features.regress.record import ChangedPosition, LostLine
from arena.proof.lines import line_steps
from arena.records.base import Record
from arena.records.proofs import LineStep
from arena.reports.steps import moves_of, steps
from arena.reports.tables import plain, plain_in_full
from tests.golden import Wording
from tests.samples import few

#: Four wide and so small that everything is quick: 1 is a2, 8 is d1.
GAME = "mnk-4-2-3"


def checked(folder: Path) -> Record:
    """Return a certificate of a player that loses, read again."""
    file = folder / "p.cert"
    file.write_text(json.dumps(arena.certify("monkey", game=GAME, games=0).with_moves()))
    return arena.check_certificate(file)


def walked(_: Path) -> Record:
    return arena.plugin.walk("monkey", game=GAME)


#: A record, a sentence of its page, and where its JSON has the same moves in numbers.
SHOWN: dict[str, tuple[Callable[[Path], Record], str, Callable[[Any], Any], Any]] = {
    "explain": (
        lambda _: arena.explain("mnk-4-3-3/monkey/monkey/1/1.1"),
        "3. monkey plays d2 and gives a win away: a3, b3, c3, b2, b1, d1 keep it",
        lambda facts: (facts["moves"][2]["move"], facts["moves"][2]["better"]),
        ("8", ["1", "2", "3", "6", "10", "12"]),
    ),
    "certify": (
        lambda _: arena.certify("monkey", game=GAME, games=0),
        "The shortest loss when moving second: a2 d2 b2 a1 c2\n1. the opponent plays a2\n",
        lambda facts: facts["second"]["losing_line"],
        ["1", "4", "2", "5", "3"],
    ),
    "certify --check": (
        checked,
        "moving second: a loss by a2 d2 b2 a1 c2 in 2045 positions",
        lambda facts: facts["second"],
        {
            "positions": 2045,
            "losing_line": ["1", "4", "2", "5", "3"],
            "best_reply": "199/210",
        },
    ),
    "certify, by a walk": (
        walked,
        "moving second it loses by b2 a1 a2 d2 c2",
        lambda facts: facts["second"]["losing_line"],
        ["2", "5", "1", "4", "3"],
    ),
    "exact": (
        lambda _: arena.exact("minimax", "monkey", game=GAME),
        "shortest loss of monkey, moving first: a2 b2 a1 c2 b1 d2",
        lambda facts: facts["losing_lines"][1]["moves"],
        ["1", "2", "5", "3", "6", "4"],
    ),
    "move": (
        lambda _: arena.move("minimax", "xo______", game=GAME),
        "which 6 of 6 legal moves keep: c2, d2, a1, b1, c1, d1",
        lambda facts: list(facts["values"]),
        ["3", "4", "5", "6", "7", "8"],
    ),
    "solve": (
        lambda _: arena.solve("mnk-4-3-3"),
        "a move that keeps it: b3",
        lambda facts: facts["move"],
        "2",
    ),
}


@pytest.mark.parametrize("name", few(SHOWN))
def test_moves_are_named_as_on_the_board(name: str, tmp_path: Path) -> None:
    made, sentence, numbers, expected = SHOWN[name]
    record = made(tmp_path)
    assert sentence in plain_in_full(record)
    assert numbers(record.as_json()) == expected
    assert "written" not in str(record.as_json())


def test_a_change_of_moves_is_named_as_on_the_board(wording: Wording) -> None:
    half = Fraction(1, 2)
    both = {"1": half, "2": half}, {"3": Fraction(1)}
    written = {"1": "a2", "2": "b2", "3": "c2"}
    example = ChangedPosition("_" * 8, "", *both, {}, "arena move", written=written)
    wording(example_parts("anna", example)[0], f" {'_' * 8} anna ", " c2 ", " a2 or b2")
    assert "written" not in example.as_json()


def test_a_line_without_names_keeps_the_notation() -> None:
    line = (LineStep("1", True, "", None, written="a2"), LineStep("2", False, "", None))
    assert moves_of(line) == "a2 2"
    assert LostLine("first", line, "").as_json()["moves"] == ["1", "2"]


def test_chance_makes_the_moves_that_neither_player_makes() -> None:
    line = line_steps(arena.get_game("kuhn").start(), (2, 3, 0, 1), 0, lambda *_: None)
    texts = [part for part in steps("anna", line) if isinstance(part, str)]
    movers = [part.split()[1:-1] for part in texts]
    assert movers == [["chance", "plays"]] * 2 + [["anna", "plays"], ["the", "opponent", "plays"]]


@pytest.mark.slow
@pytest.mark.parametrize("command", [arena.replay, arena.explain])
def test_a_large_board_is_marked_after_each_move(command: Callable[[str], Record]) -> None:
    shown = plain(command("mnk-4-3-3/monkey/monkey/1/1.1"))
    assert "1  . .(x)." in shown
    assert "1  o(X)X X" in shown
    columns = plain(command("connect-4-4-3/monkey/monkey/1/1.1"))
    assert columns.count("(x)") + columns.count("(o)") >= 4
    assert "(" not in plain(command("tictactoe/monkey/monkey/1/1.1")).partition("\n\n")[2]


@pytest.mark.slow
def test_the_boards_of_a_loss_are_marked() -> None:
    shown = plain(arena.certify("monkey", game=GAME, games=0))
    assert "2 (x). . .\n1  . . . .\n   a b c d" in shown
    assert "2  X X(X)o\n1  o . . .\n   a b c d" in shown
    assert "(" not in plain(arena.certify("monkey", game="mnk-3-2-2", games=0))
