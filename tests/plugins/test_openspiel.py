"""What the adapter to OpenSpiel does itself, without the library."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from arena.errors import PositionError, UsageError
from arena.plugins.libraries import Library
from arena.plugins.openspiel import library, parameters
from arena.plugins.openspiel.game import check_fen
from arena.plugins.openspiel.notation import Notation
from arena.plugins.openspiel.stones import letters, orders, read_letters
from tests.conftest import Run
from tests.golden import Wording

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize("release", [None, (1, 6)])
def test_a_library_that_is_missing_or_old_is_one_line_with_the_command(
    monkeypatch: pytest.MonkeyPatch, run: Run, release: tuple[int, ...] | None
) -> None:
    library.library.cache_clear()
    monkeypatch.setattr(Library, "release", lambda _: release)
    ran = run("fight", "monkey", "monkey", "--game", "openspiel:go")
    problem = "which is not installed" if release is None else "2.0 or newer, not 1.6"
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert ran.err.endswith(": pip install 'proving-arena[openspiel]'\n")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "hex(board_size=-3)",
        "hex(board_size=99999999999999999999)",
        "hex(board_size)",
        "hex(board_size=3,board_size=4)",
        "hex(bord_size=3)",
        "hex(swap=perhaps)",
        "chess(fen=8/8)",
        "amazons(board_size=7)",
        "go(komi=nan)",
        "nim(pile_sizes=3;-1)",
        "checkers(columns=12)",
        "chinese_checkers(players=5)",
        "quoridor(board_size=5,players=5)",
        "kuhn_poker(players=9)",
        "snake(players=3)",
        "skat(players=3)",
        "hex(",
        "()",
        "hex(swap=tr\nue)",
    ],
)
def test_parameters_are_refused_before_the_library_sees_them(
    monkeypatch: pytest.MonkeyPatch, text: str, wording: Wording
) -> None:
    monkeypatch.setattr(parameters, "check_kind", lambda name: None)
    with pytest.raises(UsageError) as error:
        parameters.read(text)
    wording(error.value)
    assert "\n" not in str(error.value)


def test_parameters_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "check_kind", lambda name: None)
    assert parameters.read(" go ( board_size = 9, komi=-6.5 ) ") == (
        "go",
        {"board_size": 9, "komi": -6.5},
    )
    assert parameters.read("nim(pile_sizes=1;2,is_misere=False)") == (
        "nim",
        {"pile_sizes": "1;2", "is_misere": False},
    )
    assert parameters.read("leduc_poker(players=3)") == ("leduc_poker", {"players": 3})


@pytest.mark.parametrize("name", ["leduc_poker(players=2)", "oh_hell(players=3)"])
def test_the_usual_number_of_players_is_left_out(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(parameters, "check_kind", lambda name: None)
    assert parameters.read(name) == (name.partition("(")[0], {})


@pytest.mark.parametrize(
    ("changed", "is_named"),
    [
        ({}, False),
        ({"default_loadable": False}, True),
        ({"default_loadable": False, "short_name": "misere"}, True),
        ({"dynamics": "SIMULTANEOUS"}, False),
        ({"dynamics": "MEAN_FIELD"}, True),
        ({"chance_mode": "EXPLICIT_STOCHASTIC"}, False),
        ({"chance_mode": "SAMPLED_STOCHASTIC"}, True),
        ({"information": "IMPERFECT_INFORMATION"}, False),
        ({"min_num_players": 3, "max_num_players": 10}, False),
        ({"min_num_players": 9, "max_num_players": 10}, True),
        ({"max_num_players": 1, "min_num_players": 1}, True),
        ({"utility": "GENERAL_SUM"}, False),
    ],
)
def test_the_trait_that_excludes_a_game_is_named(
    changed: dict[str, object], is_named: bool, wording: Wording
) -> None:
    facts = {
        "short_name": "new_game",
        "default_loadable": True,
        "dynamics": "SEQUENTIAL",
        "chance_mode": "DETERMINISTIC",
        "information": "PERFECT_INFORMATION",
        "utility": "ZERO_SUM",
        "min_num_players": 2,
        "max_num_players": 2,
    } | changed
    kind = {
        k: SimpleNamespace(name=v) if isinstance(v, str) and k != "short_name" else v
        for k, v in facts.items()
    }
    result = library.excluded(SimpleNamespace(**kind))
    assert bool(result) == is_named
    wording(result)


@pytest.mark.parametrize(
    "fen",
    [
        "k7/8/8/8/8/8/8/KK6 w - - 0 1",
        "k1K5/8/8/8/8/8/8/8 w - - 0",
        "k1K5/8/8/8/8/8/8/8 w - - 9999 1",
        "kK6/8/8/8/8/8/8/8 w - - 0 1",
    ],
)
def test_a_fen_that_is_not_a_position_of_chess_is_refused(fen: str, wording: Wording) -> None:
    with pytest.raises(PositionError) as error:
        check_fen(fen)
    wording(error.value)


@pytest.mark.parametrize(
    "fen", [START, "k7/8/8/8/8/2b5/8/K7 w - - 0 1", "k6n/7R/8/8/8/8/8/K7 w - - 12 40"]
)
def test_a_fen_comes_back(fen: str) -> None:
    assert check_fen(fen) == fen
    assert check_fen(fen.replace("/8/", "/44/", 1)) == fen
    assert check_fen(" ".join(fen.split()[:4])).startswith(fen.rsplit(" ", 2)[0])


def test_stones_in_turns_are_read_back_from_their_text() -> None:
    rng = random.Random(1)
    for _ in range(100):
        squares = sorted(rng.sample(range(40), 9))
        history = rng.sample(squares, rng.randint(1, 9))
        read = read_letters(letters(history, squares), squares)
        assert read is not None
        result = list(orders(*read))
        assert all(letters(order, squares) == letters(history, squares) for order in result)
        assert {order[-1] for order in result} >= {history[-1]}


def test_both_sides_of_chess_have_a_number_and_a_text_for_every_move() -> None:
    notation = Notation("chess", None, 4674)
    texts = [text for text in notation.texts if text]
    assert len(set(texts)) == len(texts)
    assert len(notation.texts) <= 65_536
    white, black = map(notation.read, ("e7e8n", "e2e1n"))
    assert white is not None
    assert black is not None
    assert notation.action(black, 1) == notation.action(white, 0) == white
    assert notation.moves([white], 1) == (black,)
    for text in ("e2e4", "g8f6", "O-O", "e7d8r"):
        move = notation.read(text)
        assert move is not None
        assert notation.texts[move] == text
    assert notation.read("e2e4x") is None
