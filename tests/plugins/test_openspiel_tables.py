"""Games of OpenSpiel for three to eight players."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.check.secrets import find_leaks
from arena.game import CHANCE, Observation, Outcome, Position
from arena.match.table import play_table
from arena.player import PlayerInfo
from arena.rng import Stream
from tests.conftest import Run
from tests.golden import Wording

pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel: pip install open_spiel")

from arena.openspiel import as_player  # noqa: E402 (only where the library is)
from arena.plugins.openspiel.library import kind_of, playable, worldly  # noqa: E402
from arena.plugins.openspiel.parameters import (  # noqa: E402
    SEATS_PARAMETER,
    library_parameters,
    parameters_of,
    read,
    usual_players,
)
from arena.plugins.openspiel.world import DEALT, WorldGame, world_game  # noqa: E402

#: Games that always have these numbers of players, in release 2.0.
ALWAYS = {
    "bridge": 4,
    "colored_trails": 3,
    "dou_dizhu": 3,
    "euchre": 4,
    "hearts": 4,
    "matching_pennies_3p": 3,
    "skat": 3,
    "spades": 4,
    "tiny_bridge_4p": 4,
}

#: Games with the numbers of players that they may have, and those of each that are more than two.
SEVERAL = {
    name: numbers
    for name in (*playable(), *worldly())
    if isinstance(numbers := parameters_of(name).get(SEATS_PARAMETER), tuple)
}
GAMES = [
    # The library solves each deal of bridge, which takes it half a second.
    pytest.param(name, marks=pytest.mark.slow) if name == "bridge" else name
    for name in ALWAYS
] + [
    name if number == usual_players(name) else f"{name}(players={number})"
    for name, numbers in SEVERAL.items()
    for number in numbers
    if number > 2
]

#: Games with other parameters, at their ends.
OTHERS = (
    "blotto(coins=20,fields=5,players=3)",
    "blotto(coins=1,fields=1,players=8)",
    "bridge(dealer=3,dealer_vul=true,use_double_dummy_result=false)",
    "euchre(stick_the_dealer=false)",
    "first_sealed_auction(max_value=2,players=8)",
    "goofspiel(num_cards=2,players=8)",
    "hearts(jd_bonus=true,must_break_hearts=false)",
    "maedn(players=4,twoPlayersOpposite=false)",
    "oh_hell(off_bid_penalty=true,players=7,points_per_trick=10)",
    "pig(diceoutcomes=2,horizon=10,players=8)",
    "quoridor(board_size=5,players=4,wall_count=1)",
    "repeated_leduc_poker(num_hands=10,players=3)",
    "social_deduction(max_rounds=1,players=3)",
)

#: What of a game is read back: as many positions, the last among them.
READ_BACK = 6


def game_of(name: str) -> WorldGame:
    game = arena.get_game(f"openspiel:{name}")
    assert isinstance(game, WorldGame)
    assert game.name == f"openspiel:{name}"
    return game


def shuffled(seen: Observation | Position, rng: random.Random) -> int:
    return rng.choice(seen.legal_moves())


def table_of(game: WorldGame, choose: Any = shuffled, block: int = 1) -> Any:
    players = [PlayerInfo(f"p{seat}", choose) for seat in range(game.seats)]
    streams = [Stream() for _ in players]
    return play_table(game, players, f"{game.name}/table/{block}/1.1", streams)


def line_of(game: WorldGame, moves: Sequence[int]) -> Iterator[Position]:
    position: Position = game.start()
    yield position
    for move in moves:
        position = position.play(move)
        yield position


def replayed(name: str, moves: Sequence[int], game: WorldGame) -> Any:
    """Return the state of the library itself after these moves."""
    kind, parameters = read(name)
    library = pyspiel.load_game(kind, library_parameters(kind, parameters))
    state = library.new_initial_state()
    if library.get_type().dynamics.name == "SIMULTANEOUS":
        state = pyspiel.convert_to_turn_based(library).new_initial_state()
    for move in moves:
        text = game.format_move(move)
        assert state.is_chance_node() is text.startswith("c")
        state.apply_action(int(text.removeprefix("c")))
    return state


def test_every_game_and_number_of_players_is_here() -> None:
    for name in (*playable(), *worldly()):
        kind = kind_of(name)
        if kind.min_num_players == kind.max_num_players:
            assert (kind.min_num_players > 2) is (name in ALWAYS)
        else:
            assert name in SEVERAL or name == "tiny_hanabi"  # whose payoffs are a table for two
    for name, numbers in SEVERAL.items():
        assert kind_of(name).min_num_players <= numbers[0]
        assert numbers[-1] <= min(kind_of(name).max_num_players, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_a_table_pays_what_the_library_pays(name: str) -> None:
    game = game_of(name)
    record = table_of(game)
    assert (record.forfeits, record.outcome) == ((), Outcome.OVER)
    state = replayed(name, record.moves, game)
    assert state.is_terminal()
    assert list(map(float, record.payoffs)) == pytest.approx(state.returns())
    least, most, _, total = game.payoffs
    assert all(least <= payoff <= most for payoff in record.payoffs)
    assert total in (None, sum(record.payoffs))
    assert len(record.payoffs) == game.seats == state.num_players() > 2
    assert len(record.moves) <= game.max_plies


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_positions_say_who_moves_and_what_may_be_moved(name: str) -> None:
    game = game_of(name)
    moves = table_of(game, block=2).moves
    state = replayed(name, (), game)
    for position, move in zip(line_of(game, moves), [*moves, None], strict=True):
        texts = [game.format_move(legal).removeprefix("c") for legal in position.legal_moves()]
        assert [*map(int, texts)] == sorted(state.legal_actions())
        assert (position.outcome() is Outcome.OVER) is state.is_terminal() is (move is None)
        if move is None:
            break
        if position.to_move == CHANCE:
            assert sum(share for _, share in position.chance_moves()) == 1
            assert [drawn for drawn, _ in position.chance_moves()] == [*position.legal_moves()]
        else:
            assert position.to_move == state.current_player()
        assert position.without(0) is None
        state.apply_action(int(game.format_move(move).removeprefix("c")))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_positions_and_observations_of_every_seat_are_read_back(name: str) -> None:
    game = game_of(name)
    positions = [*line_of(game, table_of(game).moves)]
    step = max(1, len(positions) // READ_BACK)
    for position in [*positions[::step], positions[-1]]:
        for again in (game.parse(str(position)), pickle.loads(pickle.dumps(position))):
            assert (again, hash(again)) == (position, hash(position))
            assert again.legal_moves() == position.legal_moves()
        assert position.picture()
        for seat in range(game.seats):
            seen = position.observation(seat)
            read_back = game.parse_observation(str(seen))
            assert (read_back, hash(read_back)) == (seen, hash(seen))
            assert read_back.legal_moves() == seen.legal_moves()
            is_asked = not game.start().has_secrets or position.to_move == seat
            assert seen.legal_moves() == (position.legal_moves() if is_asked else ())
        for move in position.legal_moves()[:50]:
            assert game.parse_move(game.format_move(move)) == move


@pytest.mark.parametrize("name", ["chinese_checkers(players=3)", "yacht(players=3)"])
def test_a_game_that_hides_nothing_shows_the_position(name: str) -> None:
    start = game_of(name).start()
    assert not start.has_secrets
    assert start.observation(2) is start


def dealt(game: WorldGame, moves: Sequence[int]) -> Position:
    *_, position = line_of(game, moves)
    return position


@pytest.mark.parametrize(
    ("name", "first", "cards"),
    [
        *((f"{poker}_poker(players=3)", 0, 3) for poker in ("kuhn", "leduc", "universal")),
        ("repeated_leduc_poker(players=4)", 0, 4),
        ("bridge(use_double_dummy_result=false)", 0, 52),
        ("euchre", 1, 20),
        ("hearts", 1, 52),
        ("oh_hell(players=5)", 2, 15),
        ("skat", 0, 32),
        ("spades", 0, 52),
        ("tiny_bridge_4p", 0, 4),
    ],
)
def test_two_seats_that_swap_cards_are_the_only_ones_that_see_it(
    name: str, first: int, cards: int
) -> None:
    game, changed = game_of(name), set[int]()
    for seed in range(30):
        rng, moves, position = random.Random(seed), list[int](), game.start()
        while position.to_move == CHANCE:
            legal = position.legal_moves()  # the last first move deals the most cards at oh_hell
            moves.append(legal[-1] if len(moves) < first else rng.choice(legal))
            position = position.play(moves[-1])
        one, other = rng.sample(range(first, first + cards), 2)
        swapped = [*moves]
        swapped[one], swapped[other] = moves[other], moves[one]
        after = dealt(game, swapped)
        seeing = [
            seat
            for seat in range(game.seats)
            if position.observation(seat) != after.observation(seat)
        ]
        assert len(seeing) <= 2
        changed.update(seeing)
    assert changed == {*range(game.seats)}


@pytest.mark.parametrize("kind", sorted(DEALT))
def test_the_order_of_the_cards_does_not_tell_one_deal_from_another(kind: str) -> None:
    name = f"{kind}(use_double_dummy_result=false)" if kind == "bridge" else kind
    game = game_of(name)
    moves = [move for move in table_of(game).moves if move >= game.actions]
    last = len(moves) - game.seats - 1
    swapped = [*moves]
    swapped[last - game.seats], swapped[last] = moves[last], moves[last - game.seats]
    one, other = dealt(game, moves), dealt(game, swapped)
    for seat in range(game.seats):
        assert one.observation(seat) == other.observation(seat)
        assert str(dealt(game, moves[:-1]).observation(seat)) == f'[{seat}, "", []]'


@pytest.mark.parametrize(
    "name", ["matching_pennies_3p", "blotto(players=4)", "goofspiel(players=3)", "snake(players=4)"]
)
def test_moves_at_once_are_seen_by_nobody_else_before_all_have_moved(name: str) -> None:
    game, rng = game_of(name), random.Random(1)
    for _ in range(10):
        begun = game.start()
        for _ in range(rng.randrange(8) if begun.has_luck else 0):
            if begun.legal_moves():
                begun = begun.play(rng.choice(begun.legal_moves()))
        while begun.legal_moves() and begun.to_move != 0:
            begun = begun.play(rng.choice(begun.legal_moves()))
        one = other = begun
        for seat in range(game.seats - 1 if begun.legal_moves() else 0):
            assert one.to_move == other.to_move == seat
            one, other = (each.play(rng.choice(each.legal_moves())) for each in (one, other))
            for viewer in range(game.seats):
                own = [_own(each, viewer, begun) for each in (one, other)] if viewer <= seat else []
                is_same = own[:1] == own[1:]
                assert (one.observation(viewer) == other.observation(viewer)) is is_same


def _own(position: Any, seat: int, begun: Position) -> int:
    """Return the move of a seat in the round that has begun."""
    return int(position.moves[begun.ply + seat])


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_seat_forgets(name: str) -> None:
    game = game_of(name)
    if game.start().has_secrets:
        assert find_leaks(game, random.Random(1), 200).leaks == ()


def test_the_moves_of_colored_trails_are_those_that_its_boards_allow() -> None:
    game = game_of("colored_trails")
    assert len(game.numbers) == game.actions < game.library.num_distinct_actions()
    allowed = set[int]()
    for board in game.start().legal_moves():
        begun = game.start().play(board)
        for first in begun.legal_moves():  # raises for an action that has no move
            second = begun.play(first)
            allowed.update((first, *second.legal_moves()))
            allowed.update(second.play(second.legal_moves()[-1]).legal_moves())
    assert allowed == {*range(game.actions)}
    position = game.position_of(begun.state)
    assert position == begun
    assert game.parse_move(game.format_move(5)) == 5
    unused = next(number for number in range(1000) if number not in game.numbers)
    for text in (str(unused), "93123", "c10000000", "x", "-1", "05"):
        with pytest.raises(arena.MoveError):
            game.parse_move(text)


def test_payoffs_are_in_the_range_that_the_library_tells() -> None:
    game = game_of("kuhn_poker(players=3)")
    assert game.payoffs == (Fraction(-2), Fraction(4), "points", Fraction(0))
    assert game.forfeit_payoffs(1) == (Fraction(1), Fraction(-2), Fraction(1))
    assert game_of("hearts").payoffs.total is None
    assert world_game("kuhn_poker") is arena.get_game("openspiel:kuhn_poker(players=2)")
    assert pickle.loads(pickle.dumps(game)) is game


def test_a_forfeit_ends_the_game() -> None:
    def failing(seen: Any, rng: random.Random) -> int:
        raise ValueError("oh")

    game = game_of("kuhn_poker(players=3)")
    record = table_of(game, failing)
    assert [(each.side, each.reason) for each in record.forfeits] == [(0, "exception")]
    assert record.payoffs == game.forfeit_payoffs(0)


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_a_fight_is_kept_and_checked(run: Run, wording: Wording) -> None:
    Path("bot.py").write_text(
        "def choose(seen, rng):\n    return rng.choice(seen.legal_moves())\n", encoding="utf-8"
    )
    game = ("--game", "openspiel:kuhn_poker(players=3)")
    ran = run("fight", "monkey", "a=monkey", "b=monkey", *game, "-n", "20", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    wording.line(ran.out, "20 blocks", " 60 games")
    more = ("-n", "5", "--seed", "1", "--store", "S")
    isolated = run("fight", "monkey", "a=monkey", "./bot.py", *game, *more)
    assert (isolated.code, "forfeit" in isolated.out) == (0, False)
    stored = run("verify", "S")
    assert (stored.code, stored.err) == (0, "")
    assert "15 games in 1 run agree" in stored.out


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "goofspiel(num_cards=4,players=4)"])
def test_bots_of_the_library_sit_at_tables(name: str) -> None:
    class First:
        def __init__(self, seat: int) -> None:
            self.seat = seat

        def step(self, state: Any) -> int:
            assert state.current_player() == self.seat
            return int(state.legal_actions(self.seat)[0])

    game, player = game_of(name), as_player(lambda game, seat, seed: First(seat))
    infos = [PlayerInfo(f"p{n}", player, stateless=False) for n in range(game.seats)]
    played = arena.table_fight(infos, n=1, game=game, seed=1, executor="serial")
    assert played.games == game.seats
    assert [row.forfeits for row in played.standings] == [0] * game.seats
