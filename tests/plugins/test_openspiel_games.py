"""Every game of OpenSpiel that arena plays, compared with the library along random games."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest

import arena
from arena import Outcome, Side
from arena.plugins.openspiel.game import OpenSpielGame
from arena.plugins.openspiel.library import playable
from arena.plugins.openspiel.position import OpenSpielPosition
from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.needs("open_spiel")

#: The games of release 2.0, and whether arena's text of a move is more than a number.
NUMBERED = ("chinese_checkers", "quoridor", "ultimate_tic_tac_toe")
PIECES = ("antichess", "chess", "crazyhouse", "hive", "shogi", "xiangqi")
BOARDS = (
    *("amazons", "breakthrough", "checkers", "clobber", "connect_four", "cursor_go"),
    *("dots_and_boxes", "go", "gomoku", "havannah", "hex", "lines_of_action", "mancala", "mnk"),
    *("nim", "nine_mens_morris", "othello", "oware", "pentago", "tic_tac_toe", "twixt", "y"),
)
GAMES = (*NUMBERED, *PIECES, *BOARDS)

#: Boards on which the library counts too few moves, or something else is not as usual.
OTHERS = (
    "dots_and_boxes(num_cols=2,num_rows=3)",
    "hex(board_size=2,swap=true)",
    "go(board_size=3,max_game_length=5)",
    "oware(num_houses_per_player=1)",
    "breakthrough(columns=26,rows=4)",
    "nim(pile_sizes=0;20;1)",
    "havannah(board_size=3,swap=true)",
)

#: Games that only place stones.
STONES = (
    "gomoku(size=4,connect=3)",
    "gomoku(anti=true,size=4,connect=3,wrap=true)",
    "gomoku(dims=3,size=3,connect=3)",
    "havannah(board_size=3)",
    "hex(board_size=4)",
    "mnk(k=3,m=5,n=3)",
    "tic_tac_toe",
    "y(board_size=4)",
)


def game_of(name: str) -> OpenSpielGame:
    game = arena.get_game(f"openspiel:{name}")
    assert isinstance(game, OpenSpielGame)
    return game


def random_game(
    game: OpenSpielGame, rng: random.Random, most: int = 150
) -> Iterator[OpenSpielPosition]:
    """Yield the positions of the first plies of a random game."""
    position = game.start()
    yield position
    while (moves := position.legal_moves()) and position.ply < most:
        position = position.play(rng.choice(moves))
        yield position


def test_no_game_is_missing() -> None:
    assert {*GAMES} <= {*playable()}


@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_random_games_are_those_of_the_library(name: str) -> None:
    game, rng = game_of(name), random.Random(1)
    for position in random_game(game, rng):
        state = position.state
        over = state.is_terminal()
        assert position.ply == len(state.history()) <= game.max_plies
        moves = position.legal_moves()
        assert sorted(map(position.action_of, moves)) == sorted(state.legal_actions())
        assert list(moves) == sorted({*moves})
        if over:
            outcome = position.outcome()
            assert outcome is not None
            first, second = state.returns()[:: -1 if game.first else 1]
            expected = {True: Side.FIRST, False: Side.SECOND}[first > second]
            assert outcome.winner == (None if first == second else expected)
        else:
            assert position.outcome() is None
            assert position.to_move == state.current_player() ^ game.first
            for move in moves:
                text = game.format_move(move)
                assert game.parse_move(text) == move
                assert " " not in text
        if not rng.randrange(8) or over:
            for again in (game.parse(str(position)), pickle.loads(pickle.dumps(position))):
                assert (again, hash(again)) == (position, hash(position))
                assert again.legal_moves() == moves
                assert (str(again), again.outcome()) == (str(position), position.outcome())
            assert position.picture()


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("chess", "crazyhouse")])
def test_the_text_of_a_move_says_what_the_library_says_of_it(name: str) -> None:
    game = game_of(name)
    assert game.notation.has_words is (name not in NUMBERED)
    for position in random_game(game, random.Random(2), most=80):
        for move in position.legal_moves():
            text = position.state.action_to_string(
                position.state.current_player(), position.action_of(move)
            ).lower()
            words = game.format_move(move).lower().split(",")
            if name == "antichess":  # the library writes the square that is reached
                words = [words[0][2:4]]
            assert name in NUMBERED or all(word in text for word in words)


def test_moves_of_chess_are_those_that_the_library_reads() -> None:
    seen = set()
    for seed in range(4):
        for position in random_game(game_of("chess"), random.Random(seed), most=200):
            state = position.state
            for move in position.legal_moves():
                text = position.game.format_move(move)
                message = state.action_to_string(state.current_player(), position.action_of(move))
                queen = "q" if "=Q" in message else ""
                assert state.parse_move_to_action(text + queen) == position.action_of(move)
                seen.add("O" in text or queen or text[4:])
    assert seen == {True, "", "q", "n", "b", "r"}


def test_a_fen_of_the_library_is_read() -> None:
    for position in random_game(game_of("chess"), random.Random(1), most=100):
        fen = str(position.state)
        again = position.game.parse(fen)
        assert str(again) == fen
        assert again.legal_moves() == position.legal_moves()
        assert pickle.loads(pickle.dumps(again)) == again


@pytest.mark.parametrize("name", STONES)
def test_stones_alone_are_the_position_in_games_that_place_them(name: str) -> None:
    game, rng = game_of(name), random.Random(3)
    assert game.merges
    for _ in range(15):
        *_, last = random_game(game, rng)
        cut = rng.randint(1, last.ply)
        history = last.state.history()[:cut]
        first, second = history[::2], history[1::2]
        end = [(first, second)[~cut & 1].pop()]  # the last stone may end the game
        rng.shuffle(first)
        rng.shuffle(second)
        mixed: list[int] = [*(s for pair in zip(first, second, strict=False) for s in pair)]
        mixed += first[len(second) :] + end
        one, other = (_played(game, moves) for moves in (history, mixed))
        assert (one, hash(one), str(one)) == (other, hash(other), str(other))
        assert one.legal_moves() == other.legal_moves()
        assert (one.outcome(), one.to_move) == (other.outcome(), other.to_move)


def _played(game: OpenSpielGame, moves: list[int]) -> OpenSpielPosition:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def test_positions_of_one_text_differ_where_the_text_is_not_the_state() -> None:
    game = game_of("go(board_size=2)")
    ends = [_played(game, m) for m in ([3, 4, 2, 4, 1, 0, 2, 4], [4, 0, 2, 1, 4, 3, 2, 0])]
    assert str(ends[0].state) == str(ends[1].state)
    assert ends[0].outcome() is not ends[1].outcome()
    assert ends[0] != ends[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("othello", ""),
        ("othello", "d3 zz"),
        ("othello", "a1"),
        ("chess", "k7/8/8/8/8/8/8/KK6 w - - 0 1"),
        ("chess", "k7/8/8/8/8/8/7P/K7 w - - 0 1 moves h2h5"),
        ("tic_tac_toe", "xxx/___/___"),
        ("tic_tac_toe", "xxx/ooo/___"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(name: str, text: str, wording: Wording) -> None:
    with pytest.raises(arena.PositionError) as error:
        game_of(name).parse(text)
    wording(error.value)


@pytest.mark.parametrize(
    "name",
    [
        "negotiation",
        "tarok",
        "pathfinding",
        "leduc_poker(players=9)",
        "leduc_poker(players=3)",
        "misere",
        "othelo",
        "go(board_size=9,handicap=9)",
        "clobber(columns=1)",
        "nim(pile_sizes=0)",
        "",
    ],
)
def test_a_game_that_arena_does_not_play_is_refused_in_one_line(
    run: Run, name: str, wording: Wording
) -> None:
    ran = run("fight", "monkey", "monkey", "--game", f"openspiel:{name}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err.partition(" (known: ")[0])


@pytest.mark.parametrize("name", ["dots_and_boxes", "mancala", "nine_mens_morris"])
def test_a_fight_with_extra_turns_replays(name: str) -> None:
    result = arena.fight("monkey", "monkey", 5, seed=1, game=f"openspiel:{name}")
    assert result.total.games == 10
    assert (result.a.forfeits, result.b.forfeits) == ({}, {})


@pytest.mark.parametrize(
    "name", ["clobber(columns=3,rows=2)", "hex(board_size=2)", "nim(pile_sizes=1;2;1)", "othello"]
)
def test_a_game_keeps_the_contract(name: str) -> None:
    report = arena.check_game(f"openspiel:{name}")
    assert report.conforms, report


def test_values_are_those_of_the_theory() -> None:
    for name, worth in (
        ("tic_tac_toe", 0),
        ("hex(board_size=3)", 1),
        ("nim(pile_sizes=1;2;3)", -1),
    ):
        value = arena.value(game_of(name).start())
        assert value is not None
        assert (value > 0) - (value < 0) == worth, name
    assert arena.certify("minimax", game=game_of("tic_tac_toe")).never_loses


class Witness:
    """A bot that plays its first legal action, and notes what it is told."""

    def __init__(self) -> None:
        self.told: list[int] = []
        self.began = 0

    def restart(self) -> None:
        self.told.clear()

    def step(self, state: Any) -> int:
        self.began += 1
        expected = [
            action.action
            for action in state.full_history()
            if action.player != state.current_player()
        ]
        assert self.told == expected
        return int(state.legal_actions()[0])

    def inform_action(self, state: Any, player: int, action: int) -> None:
        assert player == state.current_player()
        assert action in state.legal_actions()
        self.told.append(action)


@pytest.mark.parametrize("openings", [None, "random:3"])
@pytest.mark.parametrize("name", ["dots_and_boxes", "chess", "tic_tac_toe"])
def test_a_bot_is_told_every_move_of_the_other_side(name: str, openings: str | None) -> None:
    from arena.openspiel import as_player

    bots: list[Witness] = []

    def make(game: Any, side: int, seed: int) -> Witness:
        bots.append(Witness())
        return bots[-1]

    info = arena.PlayerInfo(name="witness", player=as_player(make), stateless=False)
    result = arena.fight(
        info, "monkey", 3, seed=1, game=game_of(name), openings=openings, executor="serial"
    )
    assert (result.a.forfeits, result.b.forfeits) == ({}, {})
    assert len(bots) == 6
    assert all(bot.began for bot in bots)


def test_a_player_of_arena_is_a_bot() -> None:
    import pyspiel

    from arena.openspiel import as_bot

    game = game_of("tic_tac_toe")
    for side in Side:
        bots = [pyspiel.make_uniform_random_bot(seat, 1) for seat in (0, 1)]
        bots[side] = as_bot("minimax", game, side)
        for _ in range(5):
            state = game.library.new_initial_state()
            bots[side].restart_at(state)
            while not state.is_terminal():
                mover = state.current_player()
                action = bots[mover].step(state)
                bots[1 - mover].inform_action(state, mover, action)
                state.apply_action(action)
            assert state.returns()[side] >= 0
    with pytest.raises(arena.CannotPlay):
        as_bot("tictactoe3", game, Side.FIRST)


def test_an_isolated_player_plays_a_game_of_the_library(run: Run) -> None:
    ran = run("fight", "monkey", "monkey", "-n", "1", "--game", "openspiel:chess", "--isolate")
    assert (ran.code, ran.err) == (0, "")


def test_a_draw_ends_a_game_that_the_library_lets_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("othello")
    monkeypatch.setitem(vars(game), "max_plies", 3)
    *_, last = random_game(game, random.Random(1))
    assert last.ply == 3
    assert last.outcome() is Outcome.DRAW
    assert last.legal_moves() == ()
