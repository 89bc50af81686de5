"""Cards, dice and words as SVG: a seat's picture shows its own, and no other's."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import arena
from arena.game import Position, Side
from arena.pictures.tabletop import FACE_DOWN, Tabletop, card, die, draw, lined, words
from tests.games.trees import histories

SECRETS = (
    "kuhn",
    "liars-dice-1-3",
    "phantom-mnk-2-2-2",
    "rock-paper-scissors-2",
    "prisoners-dilemma-1-noise-5",
)
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str, *kinds: str) -> list[str]:
    """Return the texts of these classes, from top to bottom."""
    result = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [text.text or "" for text in result if text.get("class") in kinds]


def positions(name: str) -> Iterator[Position]:
    return histories(arena.get_game(name))


def test_a_seat_sees_its_own_card_and_the_back_of_the_other() -> None:
    for position in positions("kuhn"):
        dealt = [position.game.format_move(move) for move in position.moves[:2]]  # type: ignore[attr-defined]
        assert texts(position.svg(), "m", "q") == dealt
        if position.ply < 2:
            continue
        for seat in Side:
            picture = position.observation(seat).svg()
            assert texts(picture, "m", "q") == dealt[seat : seat + 1]
            assert picture.count("l18-6") == 3  # the strokes of a back


def test_the_cards_of_leduc_have_suits_and_one_lies_open() -> None:
    position = arena.get_game("leduc").parse("K1 J2 call raise call Q1 raise call")
    assert texts(position.svg(), "m", "q") == ["K♠", "J♥", "Q♠"]
    assert texts(position.observation(0).svg(), "m", "q") == ["K♠", "Q♠"]
    assert texts(position.observation(1).svg(), "m", "q") == ["J♥", "Q♠"]
    assert texts(position.observation(1).svg(), "t") == ["call raise call raise call"]


@pytest.mark.parametrize("hand", [(1, 2), (3, 6), (4, 5)])
def test_a_die_has_as_many_pips_as_it_shows(hand: tuple[int, int]) -> None:
    name = "-".join(map(str, ("hand", *hand)))
    position = arena.get_game("liars-dice-2-6").parse(f"{name} hand-1-1 2x3")
    assert position.svg().count("h0") == sum(hand) + 2
    assert position.observation(0).svg().count("h0") == sum(hand)
    assert texts(position.observation(0).svg(), "m") == ["?", "?"]


def test_a_phantom_board_has_the_marks_that_the_seat_came_upon() -> None:
    for position in positions("phantom-mnk-2-2-2"):
        board = position.diagram()
        assert board is not None
        for seat in Side:
            known = position.observation(seat).diagram()
            assert known is not None
            own = [cell == Side(seat).letter for cell in board.cells]
            assert [cell == Side(seat).letter for cell in known.cells] == own
            assert all(
                seen in ("_", true) for seen, true in zip(known.cells, board.cells, strict=True)
            )


def test_rounds_stand_below_each_other() -> None:
    game = arena.get_game("rock-paper-scissors-3")
    position = game.parse("rock paper scissors")
    assert texts(position.svg(), "t") == ["rock     scissors", "paper   "]
    assert texts(position.observation(1).svg(), "t") == ["rock ", "paper"]
    long = arena.get_game("rock-paper-scissors-20").parse(" ".join(["rock", "paper"] * 20))
    assert [row.split() for row in texts(long.svg(), "t")] == [["rock"] * 8, ["paper"] * 8]


def test_pig_shows_the_points_and_a_die_that_rolls() -> None:
    picture = arena.get_game("pig").parse("20-34+5o?@41").svg()
    assert texts(picture, "t") == ["20", "34", "second: 5"]
    assert texts(picture, "m") == ["?"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRETS)
def test_what_is_read_back_draws_the_same(name: str) -> None:
    game = arena.get_game(name)
    for position in positions(name):
        for seat in Side:
            seen = position.observation(seat)
            ElementTree.fromstring(seen.svg())
            assert game.parse_observation(str(seen)).svg() == seen.svg()


def test_foreign_words_are_escaped_and_wrapped() -> None:
    table = Tabletop(
        [("<b>", [card("<"), FACE_DOWN, die(9), words("raise " * 30), lined("a  b\n")])]
    )
    picture = draw(table, "title & more")
    assert texts(picture, "r") == ["<b>"]
    assert texts(picture, "m") == ["<", "9"]
    lines = texts(picture, "t")
    assert max(map(len, lines)) <= 48
    assert " ".join(lines[:-1]).split() == ["raise"] * 30
    assert lines[-1] == "a  b\\n"
