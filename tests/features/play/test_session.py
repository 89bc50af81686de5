"""A session: the same game that the arena plays, move by move, and taken back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena.errors import IllegalMove, UsageError
from arena.features.play.pair_session import PairSession
from arena.features.play.session import RESIGNED, Session
from arena.game import Game, Outcome, Position, Side
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.player.human import HUMAN
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from tests.golden import Wording
from tests.simple import anything

TICTACTOE = mnk_game(3, 3, 3)


class Remembers:
    """Plays the highest free square, and keeps a log of what it is told."""

    log: list[Any]

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.log = [side]
        instances.append(self)

    def choose(self, position: Position) -> int:
        self.log.append("?")
        return position.legal_moves()[-1]

    def observe(self, move: int) -> None:
        self.log.append(move)

    def finish(self, outcome: Outcome) -> None:
        self.log.append(outcome)


instances: list[Remembers] = []
REMEMBERS = PlayerInfo("remembers", Remembers, stateless=False)


def sometimes(fault: Callable[[Position], Any]) -> Callable[[Position, random.Random], Any]:
    def choose(position: Position, rng: random.Random) -> Any:
        return fault(position) if rng.random() < 0.2 else anything(position, rng)

    return choose


class Deaf(Remembers):
    """Raises when it hears of a third move."""

    def observe(self, move: int) -> None:
        super().observe(move)
        if len(self.log) > 5:
            raise ValueError("enough")


class Late(Remembers):
    """Is never ready."""

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        raise ValueError("late")


PLAYERS = [
    PlayerInfo("anything", anything),
    REMEMBERS,
    PlayerInfo("raises", sometimes(lambda position: 1 // 0)),
    PlayerInfo("cheats", sometimes(lambda position: 99)),
    PlayerInfo("mumbles", sometimes(lambda position: "five")),
    PlayerInfo("deaf", Deaf, stateless=False),
    PlayerInfo("late", Late, stateless=False),
]


def watch(session: Session) -> Session:
    while session.record is None:
        session.let_play()
    return session


@pytest.mark.slow
@settings(max_examples=150)
@given(
    first=st.sampled_from(PLAYERS),
    second=st.sampled_from(PLAYERS),
    game=st.sampled_from([TICTACTOE, mnk_game(4, 3, 3), CONNECT4]),
    seed=st.integers(0, 99),
)
def test_two_players_play_the_game_that_a_match_is(
    first: PlayerInfo, second: PlayerInfo, game: Game, seed: int
) -> None:
    session = watch(PairSession(game, (first, second), seed))
    record = play_game(game, (first, second), session.game_id, (Stream(), Stream()))
    assert session.record == record
    assert tuple(session.moves) == record.moves


def test_two_players_play_the_first_game_of_their_fight(catalogue: Catalogue) -> None:
    players = catalogue.player("monkey"), catalogue.player("heuristic")
    report = watch(PairSession(TICTACTOE, players, 5)).report()
    assert report == arena.replay("tictactoe/monkey/heuristic/5/1.1")


@pytest.mark.slow
@settings(max_examples=60)
@given(
    data=st.data(), player=st.sampled_from(PLAYERS[:2]), sides=st.sampled_from(["px", "xp", "pp"])
)
def test_what_is_taken_back_is_as_if_it_had_not_been_played(
    data: st.DataObject, player: PlayerInfo, sides: str
) -> None:
    first, second = (HUMAN if side == "p" else player for side in sides)
    session = PairSession(TICTACTOE, (first, second), 3)
    before: list[list[int]] = []  # the moves at each of the person's turns
    for _ in range(12):
        while session.record is None and not session.asks_person:
            session.let_play()
        if before and data.draw(st.sampled_from(["make", "undo"])) == "undo":
            session = session.taken_back()
            assert session.moves == before.pop()
            assert session.asks_person
        elif session.record is None:
            before.append(list(session.moves))
            session.make(data.draw(st.sampled_from(session.position.legal_moves())))
        position: Position = TICTACTOE.start()
        for move in session.moves:
            position = position.play(move)
        assert session.position == position
        assert (session.record and session.record.outcome) == position.outcome()


def test_after_the_same_move_a_player_answers_as_it_did_before_undo() -> None:
    session = PairSession(TICTACTOE, (HUMAN, PLAYERS[0]), 11)
    session.make(4)
    session.let_play()
    answers = [session.moves[1]]
    for _ in range(5):
        session = session.taken_back()
        session.make(4)
        session.let_play()
        answers.append(session.moves[1])
    assert len(set(answers)) == 1


def test_a_player_that_remembers_is_told_everything_once_also_after_undo() -> None:
    instances.clear()
    session = PairSession(TICTACTOE, (HUMAN, REMEMBERS), 0)
    for move in (0, 1):
        session.make(move)
        session.let_play()
    session = session.taken_back()
    session.make(2)
    session.let_play()
    session.make(1)
    assert session.record is not None
    assert [instance.log for instance in instances] == [
        [Side.SECOND, 0, "?", 1, "?"],
        [Side.SECOND, 0, "?", 2, "?", Outcome.FIRST_WINS],
    ]


def test_a_player_that_does_not_repeat_itself_lets_nothing_be_taken_back(wording: Wording) -> None:
    moves = iter(range(8, 0, -1))
    fickle = PlayerInfo("fickle", lambda position, rng: next(moves))
    session = PairSession(TICTACTOE, (HUMAN, fickle), 0)
    for move in (0, 1):
        session.make(move)
        session.let_play()
    with wording.raises(UsageError):
        session.taken_back()
    assert session.moves == [0, 8, 1, 7]
    session.make(2)
    assert session.record is not None


def test_without_a_move_there_is_nothing_to_take_back(wording: Wording) -> None:
    session = PairSession(TICTACTOE, (PLAYERS[0], HUMAN), 0)
    for _ in range(2):
        with wording.raises(UsageError):
            session.taken_back()
        if session.record is None and not session.asks_person:
            session.let_play()


def test_who_resigns_loses_and_may_take_it_back() -> None:
    session = PairSession(TICTACTOE, (HUMAN, HUMAN), 0)
    session.make(4)
    session.resign()
    assert session.forfeit is not None
    assert session.forfeit[:3] == (Side.SECOND, RESIGNED, "resigned")
    assert session.record is not None
    assert session.record.outcome is Outcome.FIRST_WINS
    assert session.report().forfeit is not None
    back = session.taken_back()
    assert (back.moves, back.record) == ([4], None)


def test_an_illegal_move_of_a_person_changes_nothing() -> None:
    session = PairSession(TICTACTOE, (HUMAN, HUMAN), 0)
    session.make(4)
    with pytest.raises(IllegalMove):
        session.make(4)
    assert (session.moves, session.record) == ([4], None)


def test_a_game_that_goes_on_is_reported_as_far_as_it_has_got() -> None:
    session = PairSession(TICTACTOE, (HUMAN, PLAYERS[0]), 8)
    session.make(4)
    record = session.report().as_json()
    assert record["moves"] == ["5"]
    assert (record["outcome"], record["winner"], record["game_id"]) == (None, None, None)
    assert (record["players"], record["seed"]) == (["person", "anything"], 8)
