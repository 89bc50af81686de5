"""Openings: the same for everybody, from both sides, and kept with the games."""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena import api
from arena.errors import UnknownName, UsageError
from arena.fights import ratings
from arena.fights.openings import from_json, openings_of
from arena.fights.pairing import GameId
from arena.game import Game, Outcome, Position, Side
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.outcome import exact_outcomes
from arena.proof.policy import Policy
from arena.rng import Stream
from tests.boards import backward
from tests.samples import few

TICTACTOE = mnk_game(3, 3, 3)
RANDOM_1 = ["________x", "____x____", "_______x_", "__x______"]
RANDOM_4 = ["xo__o__x_", "_oxo__x__", "_x__o__ox"]
GAMES: list[Game] = [TICTACTOE, mnk_game(4, 3, 3), CONNECT4]


def texts(name: str, seed: int, pairs: int, game: Game = TICTACTOE) -> list[str]:
    openings = openings_of(name, game)
    return [str(openings.of_pair(game, seed, pair)) for pair in range(1, pairs + 1)]


def test_random_openings_are_what_they_were() -> None:
    """Stored runs and ids rest on it."""
    assert texts("random:1", 7, 4) == RANDOM_1
    assert texts("random:4", 7, 3) == RANDOM_4
    assert texts("random:4", 8, 3) != RANDOM_4


@given(st.sampled_from(GAMES), st.integers(1, 6), st.integers(0, 2**63 - 1), st.integers(1, 99))
def test_a_random_opening_is_a_position_in_play(
    game: Game, plies: int, seed: int, pair: int
) -> None:
    position = openings_of(f"random:{plies}", game).of_pair(game, seed, pair)
    assert position.ply == plies
    assert position.outcome() is None
    assert game.parse(str(position)) == position


@pytest.mark.parametrize("plies", range(1, 6))
def test_all_openings_are_all(plies: int) -> None:
    """By going through every order of squares."""
    found = set()
    for squares in permutations(range(9), plies):
        position: Position = TICTACTOE.start()
        for square in squares:
            if position.outcome() is not None:
                break
            position = position.play(square)
        if position.ply == plies and position.outcome() is None:
            found.add(str(position))
    assert set(texts(f"all:{plies}", 0, len(found))) == found
    assert texts(f"all:{plies}", 5, 2 * len(found)) == 2 * sorted(found)


def test_a_file_has_positions_and_moves(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# of all kinds\n\nxo_/_x_/__o\n 5 1 \n5\n_________\n", encoding="utf-8")
    expected = ["xo__x___o", "o___x____", "____x____", "_________"]
    played = texts(str(file), 1, 5)
    assert sorted(played[:4]) == sorted(expected)
    assert played[4] == played[0]
    openings = openings_of(file, TICTACTOE)
    kept = from_json(TICTACTOE, openings.as_json(TICTACTOE, 1, 9))
    assert [str(kept.of_pair(TICTACTOE, 2, pair)) for pair in range(1, 6)] == played
    for name in ("random:3", "all:2"):
        openings = openings_of(name, TICTACTOE)
        assert from_json(TICTACTOE, openings.as_json(TICTACTOE, 1, 9)) == replace(
            openings, positions=tuple(openings.positions)
        )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "'O': there is none in the file"),
        ("# nothing\n\n", "'O': there is none in the file"),
        ("5\n\nzzz", "'O', line 3: position 'zzz' has 'z' at square 1; use x, o and _"),
        ("5 1 5", "'O', line 1: square 5 is taken in 'o___x____'"),
        ("1 2 4 5 7", "'O', line 1: the game is over in '1 2 4 5 7'"),
        ("xxxoo____", "'O', line 1: the game is over in 'xxxoo____'"),
        ("xx_______", "'O', line 1: position 'xx_______' has 2 x and 0 o"),
        ("1 2\n2\nxo_______", "'O', line 3: 'xo_______' is the opening of line 1"),
        ("10", "'O', line 1: position '10' "),
        (b"\xff\xfe\x00", "'O', line 1: is not UTF-8"),
        (None, "'O': there is no such file (it is a file, random:PLIES or all:PLIES)"),
    ],
)
def test_a_mistake_in_a_file_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: Any, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("O").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError) as caught:
        openings_of("O", TICTACTOE)
    message = str(caught.value)
    assert message.startswith(f"openings {problem}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "game", "problem"),
    [
        ("random:0", TICTACTOE, "the plies of random are a whole number from 1 to 8 at tictactoe"),
        ("all:9", TICTACTOE, "the plies of all are a whole number from 1 to 8 at tictactoe"),
        ("random:", TICTACTOE, "the plies of random are a whole number"),
        ("all:-1", TICTACTOE, "the plies of all are a whole number"),
        ("all:" + "9" * 5000, TICTACTOE, "the plies of all are a whole number"),
        ("all:5", mnk_game(20, 20, 5), "are more than 100000 positions"),
        ("all:3", mnk_game(5, 1, 1), "no game of mnk-5-1-1 goes on after 3 plies"),
        ("random:3", mnk_game(5, 1, 1), "no game of mnk-5-1-1 goes on after 3 plies"),
    ],
)
def test_plies_that_cannot_be_are_refused(name: str, game: Game, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        openings_of(name, game)
    assert problem in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_folder_and_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        openings_of(tmp_path, TICTACTOE)
    file = tmp_path / "secret"
    file.touch(mode=0)
    if not os.access(file, os.R_OK):
        with pytest.raises(UsageError, match="Permission denied"):
            openings_of(file, TICTACTOE)


def games_of(path: Path) -> list[list[dict[str, Any]]]:
    (run,) = api.export(path).runs
    return [fight["games"] for fight in run["fights"]]


@pytest.mark.parametrize("openings", ["random:3", "all:1"])
def test_everybody_has_the_same_openings_from_both_sides(tmp_path: Path, openings: str) -> None:
    players = ["monkey", "triples", "minimax"]
    path = tmp_path / "S"
    played = arena.tournament(players, 12, seed=5, openings=openings, store=path)
    expected = [text for text in texts(openings, 5, 12) for _ in (1, 2)]
    for games in games_of(path):
        assert [game["opening"] for game in games] == expected
        for one, other in zip(games[::2], games[1::2], strict=True):
            assert one["players"] == other["players"][::-1]
    alone = arena.fight("triples", "minimax", 12, seed=5, openings=openings, workers=1)
    assert alone == played.fights[2]
    assert alone.openings == openings
    assert alone.different_openings == len(set(expected))


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["random:3", "all:2"])
def test_a_game_is_replayed_from_its_id(tmp_path: Path, openings: str) -> None:
    path = tmp_path / "S"
    arena.fight("monkey", "heuristic", 5, seed=9, openings=openings, store=path)
    for game in games_of(path)[0]:
        shown = arena.replay(game["game_id"])
        assert list(shown.moves) == game["moves"]
        assert shown.outcome == game["outcome"]
        assert shown.opening == game["opening"]
        named = GameId.parse(game["game_id"])
        assert (named.opening, named.seed) == (game["opening"], 9)


def test_the_side_whose_turn_it_is_begins() -> None:
    told: list[tuple[str, object]] = []

    class Hears:
        def __init__(self) -> None:
            self.said = ""

        def start(self, game: Game, side: Side, rng: random.Random) -> None:
            self.said = side.letter

        def choose(self, position: Position) -> int:
            told.append((self.said, str(position)))
            return position.legal_moves()[0]

        def observe(self, move: int) -> None:
            told.append((self.said, move))

        def finish(self, outcome: Outcome) -> None:
            pass

    player = PlayerInfo("hears", Hears, stateless=False)
    begin = TICTACTOE.parse("xo__x____")
    assert begin.to_move is Side.SECOND
    record = play_game(TICTACTOE, (player, player), "x", (Stream(), Stream()), begin)
    assert told[:4] == [
        ("o", "xo__x____"), ("x", 2), ("x", "xoo_x____"), ("o", 3),
    ]  # fmt: skip
    assert record.moves == (2, 3, 5, 6)
    assert record.outcome is Outcome.FIRST_WINS


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all:1", "all:3", "random:2", "random:5"])
def test_exact_results_are_the_mean_over_the_openings(catalogue: Catalogue, name: str) -> None:
    first, second = (Policy(catalogue.player(n), TICTACTOE) for n in ("tictactoe2", "monkey"))
    chances = openings_of(name, TICTACTOE).chances(TICTACTOE, 10**6)
    assert sum(chances.values()) == 1
    found = exact_outcomes(first, second, openings=chances)
    each = [(chance, backward(first, second, start)) for start, chance in chances.items()]
    expected = tuple(sum((p * part[i] for p, part in each), Fraction(0)) for i in range(3))
    assert (found[Outcome.FIRST_WINS], found[Outcome.DRAW], found[Outcome.SECOND_WINS]) == expected
    shown = arena.exact("tictactoe2", "monkey", openings=name)
    assert (shown.first.win, shown.openings) == (expected[0], name)


def test_a_random_opening_is_as_likely_as_is_said() -> None:
    """Of connect four, where not every position has as many orders: against many draws."""
    openings = openings_of("random:3", CONNECT4)
    chances = openings.chances(CONNECT4, 10**6)
    assert sum(chances.values()) == 1
    assert sorted(set(chances.values())) == [Fraction(1, 343), Fraction(2, 343)]
    pairs = 4000
    drawn = [openings.of_pair(CONNECT4, 3, pair) for pair in range(1, pairs + 1)]
    assert set(drawn) == set(chances)
    likely = {position for position, chance in chances.items() if chance == Fraction(2, 343)}
    share = sum(position in likely for position in drawn) / pairs
    assert abs(share - 2 * len(likely) / 343) < 0.04  # five standard deviations


@pytest.mark.slow
def test_on_a_larger_board_symmetries_change_nothing(catalogue: Catalogue) -> None:
    game = mnk_game(5, 2, 2)
    monkey = Policy(catalogue.player("monkey"), game)
    chances = openings_of("all:2", game).chances(game, 10**6)
    found = exact_outcomes(monkey, monkey, openings=chances)
    each = [backward(monkey, monkey, start) for start in chances]
    assert found[Outcome.FIRST_WINS] == sum((part[0] for part in each), Fraction(0)) / len(each)


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["all:1", "random:1"])
def test_a_sample_agrees_with_the_exact_mean(openings: str) -> None:
    played = arena.fight("tictactoe1", "monkey", 900, seed=2, openings=openings)
    checked = api.compare(played, arena.exact("tictactoe1", "monkey", openings=openings))
    assert checked.p_value > 0.001


def test_players_without_chance_say_no_more_than_one_pair_an_opening() -> None:
    def last(position: Any, rng: random.Random) -> int:
        return int(max(position.legal_moves()))

    once = arena.fight("triples", last, 9, seed=1, openings="all:1")
    often = arena.fight("triples", last, 90, seed=1, openings="all:1")
    assert not once.repeats
    assert often.repeats
    assert often.pentanomial == tuple(10 * n for n in once.pentanomial)
    assert often.observations.counts == once.observations.counts == once.pentanomial
    assert often.distinct_games == 18
    chance = arena.fight("monkey", last, 90, seed=1, openings="all:1")
    assert not chance.repeats


def nearly_last(position: Any, rng: random.Random) -> int:
    """Plays without chance but in one game of twenty."""
    moves = sorted(position.legal_moves())
    return int(moves[-1] if rng.random() > 0.01 else moves[0])


def test_an_opening_is_one_observation_also_where_only_some_pairs_repeat() -> None:
    fight = arena.fight("triples", nearly_last, 90, seed=1, openings="all:1")
    assert not fight.repeats
    assert sum(fight.observations.counts) == fight.different_openings == 9
    start = arena.fight("triples", nearly_last, 90, seed=1)
    assert not start.repeats
    assert sum(start.observations.counts) == 90


def test_more_pairs_from_the_same_openings_do_not_make_ratings_more_certain() -> None:
    def width(pairs: int) -> float:
        fight = arena.fight("triples", "lms", pairs, seed=1, openings="all:2")
        elo = ratings.of_fights([fight]).players[0].elo
        return (elo.high or 0) - (elo.low or 0)

    assert width(360) > 0.8 * width(72)


def test_a_test_ends_when_every_opening_repeats() -> None:
    def last(position: Any, rng: random.Random) -> int:
        return int(max(position.legal_moves()))

    cases: tuple[tuple[str, Any, int], ...] = (
        ("all:1", last, 20),
        ("random:1", last, 90),
        ("all:1", "monkey", 90),
    )
    for openings, player, pairs in cases:
        played = arena.sprt_fight(
            "triples", player, 5000, elo0=-1e-3, elo1=1e-3, seed=1, openings=openings
        )
        assert played.fight.different_openings == 9
        assert played.fight.pairs == pairs
        assert sum(played.test.counts) == 9
        assert played.test.decision == "continue"


@pytest.mark.slow
def test_players_with_little_chance_are_not_decided_by_repeats() -> None:
    """They are within 5 Elo over these openings, and 4000 pairs of them made H1 look true."""
    played = arena.sprt_fight("triples", "lms", elo0=0, elo1=5, seed=1, openings="all:2")
    assert played.test.decision == "continue"
    assert played.fight.pairs <= 720
    low, high = played.test.score_low, played.test.score_high
    truth = arena.exact("triples", "lms", openings="all:2").total.score
    assert (low or 0) < truth < (high or 1)


@pytest.mark.slow
def test_openings_need_calls(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="games from openings are played move by move, not by"):
        arena.fight("monkey", "triples", 9, openings="all:1", engine="table")
    result = arena.fight("monkey", "triples", 5001, openings="all:1", seed=1, workers=2)
    assert result.engine == "calls"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "mnk-4-3-3", "tictactoe-4", "connect4"])
@pytest.mark.parametrize("openings", [None, "random:5"])
def test_adjudication_changes_no_result(game: str, openings: str | None, tmp_path: Path) -> None:
    settings: Any = {"game": game, "seed": 3, "openings": openings}
    path = tmp_path / "S"
    plain = arena.fight("monkey", "monkey", 20, store=tmp_path / "P", **settings)
    early = arena.fight("monkey", "monkey", 20, store=path, adjudicate="draws", **settings)
    assert early.joint == plain.joint
    assert early.adjudicate == "draws"
    (whole,), (short,) = games_of(tmp_path / "P"), games_of(path)
    for one, other in zip(whole, short, strict=True):
        assert one["moves"][: len(other["moves"])] == other["moves"]
        assert one["outcome"] == other["outcome"]
        if len(other["moves"]) < len(one["moves"]):
            assert one["outcome"] == "draw"
    if game == "tictactoe-4":
        assert sum(len(g["moves"]) for g in short) < sum(len(g["moves"]) for g in whole)
    assert api.verify(path).divergence is None
    assert api.resume(path, 1) == early == api.show(path)


def test_a_dead_draw_is_one_whatever_is_played() -> None:
    """On every position of tic-tac-toe: by the end of all games from there."""

    @cache
    def ends(position: Position) -> frozenset[Outcome]:
        outcome = position.outcome()
        if outcome is not None:
            return frozenset([outcome])
        moves = position.legal_moves()
        return frozenset().union(*(ends(position.play(move)) for move in moves))

    seen, dead, level = 0, 0, {TICTACTOE.start()}
    while level:
        seen += len(level)
        for position in level:
            if position.is_dead_draw():
                dead += 1
                assert ends(position) == {Outcome.DRAW}
        level = {p.play(move) for p in level for move in p.legal_moves()}
    assert seen == 5478
    assert dead > 16


def test_what_to_adjudicate_is_one_of_two_words() -> None:
    with pytest.raises(UnknownName, match="unknown adjudication 'draw', did you mean 'draws'"):
        arena.fight("monkey", "triples", 1, adjudicate="draw")


@pytest.mark.parametrize(
    ("statement", "problem"),
    few(
        [
            (
                "UPDATE games SET pair='x' WHERE pair=3",
                "its pair is not whole, or not one of the fight",
            ),
            ("UPDATE games SET moves='5 5' WHERE pair=2 AND half=1", "move 2: square 5 is taken"),
            ("UPDATE options SET options='{\"openings\": 7}'", "run 1, options: TypeError"),
            ("UPDATE options SET options='{\"openness\": 7}'", "run 1, options: TypeError"),
            ("DELETE FROM options", "it is"),
        ],
        2,
    ),
)
def test_openings_that_were_tampered_with_are_named(
    tmp_path: Path, statement: str, problem: str
) -> None:
    path = tmp_path / "S"
    arena.fight("monkey", "triples", 4, seed=1, openings="all:4", store=path)
    assert api.verify(path).divergence is None
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    divergence = api.verify(path).divergence
    assert divergence is not None
    assert problem in divergence.problem
