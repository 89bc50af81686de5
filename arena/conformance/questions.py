"""Choose the questions for a player: positions, and whole games against a random opponent."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from arena.conformance.watch import Watch, watched
from arena.errors import PlayerFault, describe, is_stop
from arena.faults import name_of
from arena.fights.pairing import Pairing
from arena.game import Game, Position, Side
from arena.match import GameRecord, play_game
from arena.player import PlayerInfo
from arena.proof.distribution import check_legal, fault_of
from arena.rng import Stream, begin, named_stream
from arena.sandbox.cores import shared_with

#: A game of at most this many positions is asked at every one of them.
MAX_ASKED = 10_000

#: Positions of random games for a player of a larger game.
SAMPLE = 1000

#: Pairs of games that every player plays.
PAIRS = 5


def wander(position: Position, rng: random.Random) -> int:
    """Draw any legal move; the draw is the monkey's, so that games can be replayed by name."""
    return rng.choice(position.legal_moves())


OPPONENT = PlayerInfo("monkey", wander)


class Answer(NamedTuple):
    """A player's move or game in the game's notation, and its fault, if any."""

    moves: str
    fault: str = ""

    def differs(self, other: Answer) -> bool:
        """Return whether the player did something else; the text of a fault may differ."""
        return self.moves != other.moves or bool(self.fault) != bool(other.fault)


class AtPosition(NamedTuple):
    """A question to a stateless player at a position, with one of several generators."""

    position: Position
    draw: int = 0

    def stream_name(self, seed: int) -> str:
        """Return the name of the generator's stream; each position has its own."""
        return f"{seed}/{self.position}/{self.draw}"

    def ask(self, player: PlayerInfo, seed: int, watch: Watch) -> Answer:
        """Return the answer."""
        rng, function = named_stream(self.stream_name(seed)), name_of(player.player)
        try:
            answer = watch.ask(lambda position: player.player(position, rng), self.position)
            return Answer(
                self.position.game.format_move(check_legal(self.position, answer, function))
            )
        except BaseException as error:
            if is_stop(error):
                raise
            fault = error if isinstance(error, PlayerFault) else fault_of(error)
            if not isinstance(fault, PlayerFault):
                fault = PlayerFault(f"it raises {describe(error)}")
            return Answer("", fault.placed(str(self.position)))

    def other(self, draw: int) -> AtPosition:
        """Return the same question with another generator."""
        return AtPosition(self.position, draw)

    def __str__(self) -> str:
        return str(self.position)


class InGame(NamedTuple):
    """A question to a player in one of its games against the monkey under the seed."""

    game: Game
    pair: int
    swapped: bool
    #: Number of the player's generator, 0 for its own; the opponent's does not change.
    draw: int = 0

    def ask(self, player: PlayerInfo, seed: int, watch: Watch) -> Answer:
        """Return the game as the answer."""
        record = self.play(player, seed, watch)
        moves = " ".join(map(self.game.format_move, record.moves))
        return Answer(moves, record.forfeit.message if record.forfeit else "")

    def is_lost(self, player: PlayerInfo, seed: int, watch: Watch) -> bool:
        """Return whether the player loses the game."""
        return self.play(player, seed, watch).outcome.winner == Side(not self.swapped)

    def play(self, player: PlayerInfo, seed: int, watch: Watch) -> GameRecord:
        """Play the game."""
        pairing = self.pairing(player, seed)
        side = Side(self.swapped)
        opponent = OPPONENT
        name = f"{pairing.path}/{self.pair}.{self.swapped + 1}"
        if self.draw:
            streams = (Stream(), Stream())
            begin(streams, name)
            opponent = replace(opponent, player=lambda p, _: wander(p, streams[side.other]))
            name = f"{name}/{self.draw}"
        seen = watched(player, watch)
        players = (opponent, seen) if self.swapped else (seen, opponent)
        with shared_with(player):
            return play_game(self.game, players, name, (Stream(), Stream()))

    def pairing(self, player: PlayerInfo, seed: int) -> Pairing:
        """Return the fight that the game belongs to."""
        return Pairing(self.game, player, OPPONENT, self.pair, seed)

    def other(self, draw: int) -> InGame:
        """Return the same game with another generator of the player."""
        return self._replace(draw=draw)

    def __str__(self) -> str:
        return f"game {self.pair}.{self.swapped + 1} against {OPPONENT.name}"


Question = AtPosition | InGame


class Note(Protocol):
    """A number in memory that processes share: which question a trial is at."""

    value: int


@dataclass(frozen=True)
class Exam:
    """A player, and all questions to it."""

    player: PlayerInfo
    game: Game
    seed: int
    questions: tuple[Question, ...]
    #: Whether the exam asks at every position of the game.
    is_complete: bool
    #: Limit of one answer, in seconds.
    patience: float

    @property
    def positions(self) -> list[Position]:
        """The positions of the questions."""
        return [q.position for q in self.questions if isinstance(q, AtPosition)]

    def numbered(
        self, note: Note, order: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Question]]:
        """Yield the questions with their numbers, each when the note says that it is asked."""
        for at in range(len(self.questions)) if order is None else order:
            note.value = at
            yield at, self.questions[at]

    def ask(self, question: Question, watch: Watch) -> Answer:
        """Return the player's answer to one question."""
        return question.ask(self.player, self.seed, watch)

    @property
    def extent(self) -> str:
        """The questions, in words."""
        at, games = len(self.positions), len(self.questions) - len(self.positions)
        played = f"{games} games against {OPPONENT.name}"
        if not at:
            return played
        every = f"all {at} positions" if self.is_complete else f"{at} positions of random games"
        return f"{every}, {played}"

    def some(self, most: int) -> list[int]:
        """Return the places of the first positions and of the first games among the questions."""
        at = len(self.positions)
        everything = range(len(self.questions))
        return [*everything[:at][:most], *everything[at:][:most]]


def set_exam(player: PlayerInfo, game: Game, seed: int, most: int | None, patience: float) -> Exam:
    """Return the questions for a player: games, and positions too if it is stateless.

    ``most`` is how many positions are asked for, every one of them if there are no more; a player
    that keeps state plays as many games as have about so many of its turns. Raises CannotPlay if
    the player does not play the game.
    """
    player.require(game)
    pairs = PAIRS
    positions: Sequence[Position] = ()
    is_complete = False
    if player.stateless:
        every = reachable(game, MAX_ASKED if most is None else most)
        is_complete = every is not None
        positions = sampled(game, seed, most or SAMPLE) if every is None else every
    else:
        pairs = max(1, -(-(most or SAMPLE) // game.max_plies))
    games = [InGame(game, n, swapped) for n in range(1, pairs + 1) for swapped in (False, True)]
    questions: tuple[Question, ...] = (*map(AtPosition, positions), *games)
    return Exam(player, game, seed, questions, is_complete, patience)


def reachable(game: Game, most: int) -> list[Position] | None:
    """Return every position with a move, by ply; None if there are more than ``most``."""
    start = game.start()
    level: dict[Position, Any] = {} if start.outcome() is not None else {start: None}
    found = list(level)
    while level:
        deeper: dict[Position, Any] = {}
        for position in level:
            for move in position.legal_moves():
                after = position.play(move)
                if after.outcome() is None:  # here the position that led to garbage is known
                    deeper[after] = None
                    if len(found) + len(deeper) > most:
                        return None
        found += deeper
        level = deeper
    return found


def sampled(game: Game, seed: int, most: int) -> list[Position]:
    """Return ``most`` different positions of random games, each with a move."""
    rng = random.Random(f"{seed}/{game.name}/positions")
    found: dict[Position, Any] = {}
    for _ in range(10 * most):  # a game can have too few positions
        position = game.start()
        while position.outcome() is None and len(found) < most:
            found[position] = None
            position = position.play(rng.choice(position.legal_moves()))
        if len(found) >= most:
            break
    return list(found)
