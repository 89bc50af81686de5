"""Misere play and discs on any board, against grids of letters and minimax over them."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest

import arena
from arena import testing
from arena.errors import CannotPlay, PositionError, UsageError
from arena.game import Outcome, Side
from arena.games.connect4 import CONNECT4, connect_game
from arena.games.lines import line_game, variant
from arena.games.mnk import mnk_game
from arena.games.search import Search
from arena.plugin.catalogue import Catalogue
from arena.proof.values import has_pairing_strategy
from tests.boards import every_position, to_move
from tests.golden import Wording
from tests.samples import few


class Rules(NamedTuple):
    """A board of letters, on which marks may fall and lines may lose."""

    columns: int
    rows: int
    k: int
    falls: bool
    misere: bool

    @property
    def game(self) -> Any:
        make = connect_game if self.falls else mnk_game
        return make(self.columns, self.rows, self.k, self.misere)

    def moves(self, text: str) -> dict[int, str]:
        """Return the texts after each move; none when the game is over."""
        if self.outcome(text) is not None:
            return {}
        results = {}
        mark = "o" if text.count("x") > text.count("o") else "x"
        for square, letter in enumerate(text):
            below = square + self.columns
            rests = below >= len(text) or text[below] != "_"
            if letter == "_" and (rests or not self.falls):
                move = square % self.columns if self.falls else square
                results[move] = text[:square] + mark + text[square + 1 :]
        return dict(sorted(results.items()))

    def outcome(self, text: str) -> str | None:
        """Return the winner's mark, or = for a draw."""
        for mark, other in ("xo", "ox"):
            if any(all(text[s] == mark for s in line) for line in _lines(*self[:3])):
                return other if self.misere else mark
        return None if "_" in text else "="


@cache
def _lines(columns: int, rows: int, k: int) -> list[list[int]]:
    return [
        [(row + i * down) * columns + column + i * right for i in range(k)]
        for row, column in product(range(rows), range(columns))
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + (k - 1) * down < rows and 0 <= column + (k - 1) * right < columns
    ]


@cache
def value(rules: Rules, text: str) -> int:
    """How well x does from here: 99 less the plies of its win."""
    outcome = rules.outcome(text)
    if outcome is not None:
        return {"x": 99, "=": 0, "o": -99}[outcome]
    values = [value(rules, after) for after in rules.moves(text).values()]
    best = min(values) if text.count("x") > text.count("o") else max(values)
    return best - (best > 0) + (best < 0)


OUTCOMES = {Outcome.FIRST_WINS: "x", Outcome.SECOND_WINS: "o", Outcome.DRAW: "=", None: None}

BOARDS = [
    Rules(3, 3, 3, falls=False, misere=True),
    Rules(3, 2, 2, falls=False, misere=True),
    Rules(4, 2, 3, falls=False, misere=True),
    Rules(2, 2, 1, falls=False, misere=True),
    Rules(3, 3, 3, falls=True, misere=False),
    Rules(2, 5, 2, falls=True, misere=False),
    Rules(1, 4, 3, falls=True, misere=False),
    Rules(2, 2, 1, falls=True, misere=False),
    Rules(3, 3, 2, falls=True, misere=True),
    Rules(4, 3, 3, falls=True, misere=False),
    Rules(4, 3, 3, falls=True, misere=True),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", few(BOARDS, 9), ids=lambda rules: str(rules.game.name))
def test_every_position_and_its_value_are_those_of_a_grid_of_letters(rules: Rules) -> None:
    game = rules.game
    every = every_position(game.start())
    for position in every:
        text = str(position)
        assert OUTCOMES[position.outcome()] == rules.outcome(text)
        expected = rules.moves(text)
        assert {m: str(position.play(m)) for m in position.legal_moves()} == expected
        for side, mark in zip(Side, "xo", strict=True):
            if mark == position.to_move.letter:
                wins = {m for m, after in expected.items() if rules.outcome(after) == mark}
                assert {*position.winning_moves(side)} == wins
        assert game.parse(text) == position
    search = Search()
    for position in to_move(game.start())[::7]:
        remaining = game.max_plies - position.ply
        result, _ = search.best_moves(position, remaining)
        plies = remaining + 1 - abs(result) if result else 0
        worth = value(rules, str(position)) * (1 if position.to_move is Side.FIRST else -1)
        assert (result > 0, plies) == (worth > 0, 99 - abs(worth) if worth else 0)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("tictactoe-misere", marks=pytest.mark.slow),
        pytest.param("tictactoe-corners-misere", marks=pytest.mark.slow),
        "mnk-4-2-2-misere",
        "connect-3-3-3-misere",
        "connect-4-4-3",
        "connect-2-4-2",
        pytest.param("connect-9-9-5", marks=pytest.mark.slow),
        pytest.param("connect4-misere", marks=pytest.mark.slow),
    ],
)
def test_hints_are_right_and_the_contract_is_kept(name: str) -> None:
    assert testing.check_game(name).conforms


def test_tictactoe_misere_is_a_draw_that_the_centre_alone_keeps() -> None:
    """TournamentState: from the centre the first side answers every mark opposite to it."""
    rules = Rules(3, 3, 3, falls=False, misere=True)
    assert value(rules, "_________") == 0
    values = {move: value(rules, after) for move, after in rules.moves("_________").items()}
    assert [move for move, worth in values.items() if worth == 0] == [4]
    assert Search().best_moves(rules.game.start(), 9) == (0, (4,))


@pytest.mark.slow
def test_connect_four_on_4_by_4_has_161029_positions() -> None:
    """Counted by John Tromp, https://tromp.github.io/c4/c4.html."""
    assert len(every_position(connect_game(4, 4, 4).start())) == 161_029


def test_connect_four_is_one_game_under_both_names(catalogue: Catalogue) -> None:
    assert catalogue.game("connect-7-6-4") is catalogue.game("connect4") is CONNECT4
    assert catalogue.game("connect-7-6-4-misere").name == "connect4-misere"
    assert catalogue.game("mnk-3-3-3-misere") is catalogue.game("tictactoe-3-misere")


@pytest.mark.parametrize("name", ["connect-0-4-4", "connect-21-4-4", "connect-4-4-5"])
def test_a_board_of_no_size_is_refused(name: str, catalogue: Catalogue, wording: Wording) -> None:
    with wording.raises(UsageError):
        catalogue.game(name)


def test_columns_of_a_wide_board_are_numbers_of_two_digits() -> None:
    game = connect_game(12, 2, 3)
    after = game.start().play(game.parse_move("11"))
    assert after.picture().splitlines() == [
        "  .  .  .  .  .  .  .  .  .  .  .  .",
        "  .  .  .  .  .  .  .  .  .  .  x  .",
        "  1  2  3  4  5  6  7  8  9 10 11 12",
    ]


def test_a_line_that_loses_is_named_so_in_a_refusal(wording: Wording) -> None:
    game = mnk_game(3, 3, 3, misere=True)
    assert game.parse("xxxoo____").outcome() is Outcome.SECOND_WINS
    with wording.raises(PositionError):
        game.parse("xxx_oo_o_")
    with wording.raises(PositionError):
        game.parse("xxxooo___")


def test_a_file_of_lines_may_be_misere(wording: Wording) -> None:
    rules = "board 3 3 misere\n" + "\n".join(
        " ".join(str(s + 1) for s in range(9) if bits >> s & 1) for bits in mnk_game(3, 3, 3).lines
    )
    ours, theirs = line_game("lines:own", rules), mnk_game(3, 3, 3, misere=True)
    assert ours.rules == rules
    assert {str(p) for p in every_position(ours.start())} == {
        str(p) for p in every_position(theirs.start())
    }
    assert variant("tictactoe-straight", misere=True).misere
    with wording.raises(UsageError, match="'misere'"):
        line_game("lines:own", "board 3 3 loses\n1 2 3")


def test_no_pairing_of_squares_draws_where_lines_lose() -> None:
    assert has_pairing_strategy(mnk_game(5, 5, 5))
    assert not has_pairing_strategy(mnk_game(5, 5, 5, misere=True))


@pytest.mark.slow
def test_only_players_of_any_game_play_misere(catalogue: Catalogue, wording: Wording) -> None:
    game = mnk_game(3, 3, 3, misere=True)
    playing = {name for name, info in catalogue.players if info.plays(game)}
    assert playing == {
        name
        for name, info in catalogue.players
        if {*info.games} & {"*", "perfect-information"} and name != "cfr"  # it needs secrets
    }
    assert {"monkey", "minimax"} <= playing
    assert not arena.exact("minimax", "monkey", game=game).total.loss
    with wording.raises(CannotPlay):
        arena.fight("lines", "monkey", 1, game=game)
