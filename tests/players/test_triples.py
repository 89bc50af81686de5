"""The strategy of Simply Scheme, chapter 10, against its listing written over words of letters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from arena.errors import NoMove, PlayerFault
from arena.features.check.questions import reachable
from arena.game import Side
from arena.games.lines import line_game, variant
from arena.games.mnk import MnkPosition, mnk_game
from arena.player import PlayerInfo
from arena.players.triples import (
    Triple,
    best_free_square,
    choose,
    find_triples,
    pivots,
    singles,
    threatening_square,
    winning_square,
)
from arena.proof.certificate import certify
from arena.proof.distribution import distribution
from tests.boards import to_move
from tests.golden import Wording
from tests.samples import few

START = mnk_game(3, 3, 3).start()
TRIPLES = PlayerInfo("triples", choose)
COMBINATIONS = ["123", "456", "789", "147", "258", "369", "159", "357"]


# The listing: a sentence is a list of words, a false answer is None.


def ttt(position: str, me: str) -> str:
    return ttt_choose(sentence_of_triples(position), me)


def sentence_of_triples(position: str) -> list[str]:
    return ["".join(substitute(digit, position) for digit in comb) for comb in COMBINATIONS]


def substitute(square: str, position: str) -> str:
    letter = position[int(square) - 1]
    return square if letter == "_" else letter


def ttt_choose(triples: list[str], me: str) -> str:
    return (
        i_can_win(triples, me)
        or i_can_win(triples, opponent(me))
        or i_can_fork(triples, me)
        or i_can_advance(triples, me)
        or first_choice("".join(triples))
    )


def opponent(letter: str) -> str:
    return "o" if letter == "x" else "x"


def numbers(word: str) -> str:
    return "".join(letter for letter in word if letter.isdigit())


def i_can_win(triples: list[str], me: str) -> str | None:
    pairs = [t for t in triples if t.count(me) == 2 and t.count(opponent(me)) == 0]
    return numbers(pairs[0]) if pairs else None


def i_can_fork(triples: list[str], me: str) -> str | None:
    result = repeated_numbers(my_singles(triples, me))
    return result[0] if result else None


def my_singles(triples: list[str], me: str) -> list[str]:
    return [t for t in triples if t.count(me) == 1 and t.count(opponent(me)) == 0]


def repeated_numbers(sentence: list[str]) -> list[str]:
    buckets = [digit * "".join(sentence).count(digit) for digit in "123456789"]
    return [bucket[0] for bucket in buckets if len(bucket) >= 2]


def i_can_advance(triples: list[str], me: str) -> str | None:
    mine = my_singles(triples, me)
    if not mine:
        return None
    first, last = numbers(mine[0])[0], numbers(mine[0])[-1]
    return first if first in repeated_numbers(my_singles(triples, opponent(me))) else last


def first_choice(possibilities: str) -> str:
    return next(square for square in "513792468" if square in possibilities)


# What the text of the chapter prints.


def words(triples: Sequence[Triple]) -> list[str]:
    return [
        "".join(p.letter if isinstance(p, Side) else str(p) for p in triple) for triple in triples
    ]


def triples_of(text: str) -> list[Triple]:
    return find_triples(START.game.parse(text))


@pytest.mark.slow
def test_in_all_4520_positions_it_moves_as_the_listing_does() -> None:
    positions = to_move(START)
    assert len(positions) == 4520
    for position in positions:
        square = int(ttt(str(position), position.to_move.letter))
        assert distribution(TRIPLES, position) == {square - 1: 1}, str(position)


def test_in_all_positions_it_sees_the_triples_of_the_listing() -> None:
    for position in to_move(START):
        assert words(find_triples(position)) == sentence_of_triples(str(position))


@pytest.mark.slow
def test_in_all_positions_it_finds_the_pivots_of_the_listing() -> None:
    for position in to_move(START):
        triples = find_triples(position)
        for side in Side:
            expected = repeated_numbers(my_singles(words(triples), side.letter))
            assert [str(square) for square in pivots(triples, side)] == expected


@pytest.mark.parametrize(
    ("text", "square"),
    [("____x____", 1), ("o__xx____", 6), ("o_xxxo___", 7), ("o_xxxoox_", 2)],
)
def test_the_sample_game(text: str, square: int) -> None:
    assert distribution(TRIPLES, START.game.parse(text)) == {square - 1: 1}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("_xo_x_o__", "1xo 4x6 o89 14o xx8 o69 1x9 oxo"),
        ("x_____oxo", "x23 456 oxo x4o 25x 36o x5o 35o"),
        ("xo__x___o", "xo3 4x6 78o x47 ox8 36o xxo 3x7"),
    ],
)
def test_the_sample_sentences_of_triples(text: str, sentence: str) -> None:
    assert words(triples_of(text)) == sentence.split()


def test_the_sample_winning_squares() -> None:
    triples = triples_of("_xo_x_o__")
    assert winning_square(triples, Side.FIRST) == 8
    assert winning_square(triples, Side.SECOND) is None


def test_the_sample_singles_and_pivots() -> None:
    triples = triples_of("xo__x___o")
    assert words(singles(triples, Side.FIRST)) == ["4x6", "x47", "3x7"]
    assert pivots(triples, Side.FIRST) == [4, 7]


def test_the_sample_threats() -> None:
    triples = triples_of("xo__x___o")
    assert words(singles(triples, Side.SECOND)) == ["78o", "36o"]
    assert threatening_square(triples, Side.SECOND) == 7
    # Of the triple 36o alone neither square is a pivot of x's, and the far one is taken.
    assert threatening_square(triples[3:], Side.SECOND) == 6


def test_the_sample_of_a_diagonal_that_loses_is_passed_over() -> None:
    # Both free squares of the diagonal 3o7 are pivots of x's.
    triples = triples_of("x___o___x")
    assert pivots(triples, Side.FIRST) == [3, 7]
    assert words(singles(triples, Side.SECOND)) == ["4o6", "2o8", "3o7"]
    assert distribution(TRIPLES, START.game.parse("x___o___x")) == {5: 1}


@pytest.mark.parametrize(("text", "square"), [("_________", 5), ("____x____", 1), ("_xo_x_o__", 1)])
def test_the_sample_free_squares(text: str, square: int) -> None:
    assert best_free_square(triples_of(text)) == square


def test_the_sample_of_repeated_numbers() -> None:
    assert repeated_numbers(["4x6", "x47", "3x7"]) == ["4", "7"]


# Other lines (exercise 10.4): what the listing does with another sentence of combinations.


@pytest.mark.parametrize(
    ("name", "combinations"),
    few(
        [
            ("tictactoe-corners", "123 456 789 147 258 369 159 357 124 236 478 689"),
            ("tictactoe-straight", "123 456 789 147 258 369"),
            ("tictactoe-squares", "123 456 789 147 258 369 159 357 1245 2356 4578 5689"),
        ]
    ),
)
def test_with_other_combinations_it_moves_as_the_listing_does(
    name: str, combinations: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.COMBINATIONS", combinations.split())
    positions = reachable(variant(name), 10_000)
    assert positions is not None
    for position in positions:
        assert isinstance(position, MnkPosition)
        answer = ttt(str(position), position.to_move.letter)
        expected = int(answer) - 1 if len(answer) == 1 else no_square(answer)
        assert choose(position, Random(0)) == expected, str(position)


def no_square(answer: str) -> NoMove:
    return NoMove(f"answered {answer}, which is not a square")


def test_of_a_line_of_four_it_reads_two_free_squares_as_one_number(wording: Wording) -> None:
    squares = variant("tictactoe-squares")
    assert choose(squares.parse("xx_____oo"), Random(0)) == 2
    assert choose(squares.parse("xxo____o_"), Random(0)) == no_square("45")
    with wording.raises(PlayerFault, match="45"):
        distribution(TRIPLES, squares.parse("xxo____o_"))


def test_where_no_line_has_a_free_square_it_takes_the_first() -> None:
    position = line_game("one line", "board 3 3\n2 5 8").parse("_x__o__x_")
    assert choose(position, Random(0)) == 0


def test_without_diagonals_the_centre_has_no_line_to_threaten_with() -> None:
    position = variant("tictactoe-straight").parse("___/_ox/_x_")
    assert singles(find_triples(position), Side.SECOND) == []
    assert choose(position, Random(0)) == 0
    assert not certify(TRIPLES, position.game).never_loses
