"""Choose the questions for a player: positions, and whole games against a random opponent."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from arena.dataclass import dataclass
from arena.errors import Forfeited, PlayerFault, describe, is_stop
from arena.features.check.watch import TrialMonitor
from arena.fights.pairing import Pairing
from arena.game import CHANCE, Game, Position, Side
from arena.games.info_state import InfoState, info_state_of
from arena.match import play_game
from arena.match.record import GameRecord
from arena.match.table import play_table
from arena.model.seatings import games_a_block
from arena.player import PlayerInfo
from arena.player.faults import FUNCTION, name_of
from arena.proof import progress
from arena.proof.distribution import check_legal, fault_of
from arena.rng import SEED_LIMIT, Stream, begin_all, named_stream
from arena.sandbox.cores import shared_with
from arena.sandbox.monitor import watch_player
from arena.sandbox.players import is_checked, with_checks
from arena.sandbox.queries import Queries, Query, Reply, open_queries
from arena.sandbox.remote import Remote
from arena.sandbox.remote_player import seed_for
from arena.sandbox.side_effects import Sighting
from arena.sandbox.wire.protocol import ADMITTED

#: A game of at most this many positions is asked at every one of them.
MAX_ASKED_POSITIONS = 10_000

#: Positions of random games for a player of a larger game.
SAMPLE = 1000

#: Pairs of games that every player plays.
EXAM_PAIRS = 5


def wander(position: InfoState, rng: random.Random) -> int:
    """Draw any legal move. The draw is the monkey's, so that games can be replayed by name."""
    return rng.choice(position.legal_moves())


OPPONENT = PlayerInfo("monkey", wander)


class TrialAnswer(NamedTuple):
    """A player's move or game in the game's notation, and its fault, if any."""

    moves: str
    fault: str = ""
    #: Of a fault: the reason that a forfeit has for it, and what to do about it, where known.
    verdict: str = ""
    remedy: str = ""
    #: Of a fault: the position, and in a game the moves until then.
    position: str = ""
    until: str = ""

    def differs(self, other: TrialAnswer) -> bool:
        """Return whether the player did something else. The text of a fault may differ."""
        return self.moves != other.moves or bool(self.fault) != bool(other.fault)


class AtPosition(NamedTuple):
    """A question to a stateless player at a position, with one of several generators."""

    position: InfoState
    draw: int = 0

    def stream(self, seed: int) -> Stream:
        """Return the generator. Each position has its own."""
        return named_stream(self.stream_name(seed))

    def stream_name(self, seed: int) -> str:
        """Return the name of that stream: another draw is that of another seed."""
        return f"{(seed + self.draw) % SEED_LIMIT}/{self.position}/0"

    def ask(self, player: PlayerInfo, seed: int, watch: TrialMonitor) -> TrialAnswer:
        """Return the answer."""
        rng, function = self.stream(seed), name_of(player.player)
        return self.judge(
            lambda: watch.ask(lambda p: player.player(p, rng), self.position), function
        )

    def note(self, reply: Reply, watch: TrialMonitor) -> TrialAnswer:
        """Return an answer that came with others, once the watch knows of it."""

        def move() -> int:
            if isinstance(reply.move, Forfeited):
                if reply.move.reason not in ADMITTED:  # its process was ended
                    watch.lost = reply.move
                raise reply.move
            return reply.move

        watch.answers.append((reply.seconds, str(self.position)))
        return self.judge(move)

    def judge(self, choose: Callable[[], Any], function: str = FUNCTION) -> TrialAnswer:
        """Return what the player made of the question as an answer."""
        try:
            move = check_legal(self.position, choose(), function)
            return TrialAnswer(self.position.game.format_move(move))
        except BaseException as error:
            if is_stop(error):
                raise
            fault = error if isinstance(error, PlayerFault) else fault_of(error)
            if not isinstance(fault, PlayerFault):
                fault = PlayerFault(f"it raises {describe(error)}")
            position = str(self.position)
            verdict = fault.verdict or "exception"
            return TrialAnswer("", fault.placed(position), verdict, fault.remedy, position)

    def other(self, draw: int) -> AtPosition:
        """Return the same question with another generator."""
        return AtPosition(self.position, draw)

    def __str__(self) -> str:
        return str(self.position)


class InGame(NamedTuple):
    """A question to a player in one of its games against monkeys under the seed."""

    game: Game
    #: The pair, or the block, from 1, and which of its games it is, from 0.
    pair: int
    half: int
    #: Number of the player's generator, 0 for its own; the opponent's does not change.
    draw: int = 0

    def ask(self, player: PlayerInfo, seed: int, watch: TrialMonitor) -> TrialAnswer:
        """Return the game as the answer."""
        record = self.play(player, seed, watch)
        moves = " ".join(map(self.game.format_move, record.moves))
        if record.forfeit is None:
            return TrialAnswer(moves)
        fault = record.forfeit
        where = f" ({fault.where})" if fault.where else ""
        played = record.moves[: fault.ply]
        until = " ".join(map(self.game.format_move, played))
        position = _text_after(self.game, played)
        return TrialAnswer(
            moves, fault.message + where, fault.reason, fault.remedy, position, until
        )

    def is_lost(self, player: PlayerInfo, seed: int, watch: TrialMonitor) -> bool:
        """Return whether the player loses the game."""
        return self.play(player, seed, watch).outcome.winner == Side(not self.half)

    def play(self, player: PlayerInfo, seed: int, watch: TrialMonitor) -> GameRecord:
        """Play the game."""
        pairing = self.pairing(player, seed)
        name, opponents = pairing.game_id(self.pair, self.half), [OPPONENT] * self.game.seats
        if self.draw:
            streams = [Stream() for _ in opponents]
            begin_all(streams, name)
            opponents = [replace(OPPONENT, player=partial(_wander_by, each)) for each in streams]
            name = f"{name}/{self.draw}"
        place = pairing.seating(self.half).index(0)
        players = [*opponents[:place], watch_player(player, watch), *opponents[place + 1 :]]
        with shared_with(player):
            return _played(self.game, players, name)

    def pairing(self, player: PlayerInfo, seed: int) -> Pairing:
        """Return the fight that the game belongs to."""
        others = (OPPONENT,) * (self.game.seats - 2)
        return Pairing(self.game, player, OPPONENT, self.pair, seed, others=others)

    def other(self, draw: int) -> InGame:
        """Return the same game with another generator of the player."""
        return self._replace(draw=draw)

    def __str__(self) -> str:
        return f"game {self.pair}.{self.half + 1} against {OPPONENT.name}"


def _text_after(game: Game, moves: Sequence[int]) -> str:
    """Return what the side to move is asked with after these moves, or nothing if none is."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    has_turn = position.outcome() is None and position.to_move != CHANCE
    return str(info_state_of(position)) if has_turn else ""


def _wander_by(stream: Stream, position: InfoState, _: random.Random) -> int:
    return wander(position, stream)


def _played(game: Game, players: Sequence[PlayerInfo], name: str) -> GameRecord:
    if game.seats > 2:
        return play_table(game, players, name, [Stream() for _ in players])
    first, second = players
    return play_game(game, (first, second), name, (Stream(), Stream()))


def games_of(game: Game, pairs: int) -> tuple[InGame, ...]:
    """Return the games of this many pairs, or blocks."""
    halves = range(games_a_block(game.seats))
    return tuple(InGame(game, pair, half) for pair in range(1, pairs + 1) for half in halves)


TrialQuestion = AtPosition | InGame


class QuestionCounter(Protocol):
    """A number in memory that processes share: which question a trial is at."""

    value: int


@dataclass(frozen=True)
class Questionnaire:
    """A player, and all questions to it."""

    player: PlayerInfo
    game: Game
    seed: int
    questions: tuple[TrialQuestion, ...]
    #: Whether the exam asks at every position of the game.
    is_complete: bool
    #: Limit of one answer, in seconds.
    patience: float
    #: How many positions were asked for; None for the usual number.
    most: int | None = None

    @property
    def positions(self) -> list[InfoState]:
        """The positions of the questions."""
        return [q.position for q in self.questions if isinstance(q, AtPosition)]

    def numbered(
        self, note: QuestionCounter, order: Sequence[int] | None = None
    ) -> Iterator[tuple[int, TrialQuestion]]:
        """Yield the questions with their numbers, each when the note says that it is asked."""
        for number in range(len(self.questions)) if order is None else order:
            note.value = number
            yield number, self.questions[number]

    def ask(self, question: TrialQuestion, watch: TrialMonitor) -> TrialAnswer:
        """Return the player's answer to one question."""
        return question.ask(self.player, self.seed, watch)

    def answers(
        self,
        note: QuestionCounter,
        watch: TrialMonitor,
        order: Sequence[int] | None = None,
        draw: int = 0,
    ) -> Iterator[tuple[int, TrialAnswer]]:
        """Yield the answers to the questions in an order, each with the question's number.

        A function in a process of its own is asked at many positions with one message.
        """
        numbers = range(len(self.questions)) if order is None else order
        for number, answer in enumerate(self._answers(note, watch, numbers, draw), 1):
            progress.tell(number, len(numbers), "answers")
            yield answer

    def _answers(
        self, note: QuestionCounter, watch: TrialMonitor, numbers: Sequence[int], draw: int
    ) -> Iterator[tuple[int, TrialAnswer]]:
        queries = open_queries(self.player, self.patience)
        for in_games, group in groupby(numbers, lambda n: isinstance(self.questions[n], InGame)):
            batch = list(group)
            if queries is None or in_games:
                for number, question in self.numbered(note, batch):
                    yield number, self.ask(question.other(draw), watch)
            else:
                note.value = batch[0]
                yield from zip(batch, self._ask_batch(queries, batch, watch, draw), strict=True)

    def _ask_batch(
        self, queries: Queries, batch: Sequence[int], watch: TrialMonitor, draw: int
    ) -> Iterator[TrialAnswer]:
        others = [self.questions[number].other(draw) for number in batch]
        questions = [question for question in others if isinstance(question, AtPosition)]
        messages = [Query(q.position, seed_for(q.stream(self.seed))) for q in questions]
        for question, reply in zip(questions, queries(messages, watch=True), strict=True):
            yield question.note(reply, watch)

    def cut(self, number: int) -> Questionnaire:
        """Return the exam with its first questions only."""
        return replace(self, questions=self.questions[:number])

    def watch(self) -> TrialMonitor:
        """Return a watch for a trial."""
        return TrialMonitor(self.patience, is_local=self.player.remote is None)

    def seen(self, watch: TrialMonitor) -> dict[str, Sighting]:
        """Return the sightings of a trial by the name of the check."""
        remote = self.player.remote
        if isinstance(remote, Remote):
            return {check: Sighting(*sighting) for check, sighting in remote.seen.items()}
        return watch.sightings

    @property
    def is_looked_at(self) -> bool:
        """Whether arena can see what the player does besides its moves."""
        return self.player.remote is None or is_checked(self.player)

    def under(self, hash_seed: str) -> Questionnaire:
        """Return the exam of the same player in processes with another order of sets."""
        return replace(self, player=with_checks(self.player, hash_seed))

    @property
    def extent(self) -> str:
        """The questions, in words."""
        number, games = len(self.positions), len(self.questions) - len(self.positions)
        word = "observations" if self.game.start().has_secrets else "positions"
        every = f"all {number} {word}" if self.is_complete else f"{number} {word} of random games"
        played = f"{games} games against {OPPONENT.name}"
        return ", ".join([every] * bool(number) + [played] * bool(games))

    def sample(self, most: int) -> list[int]:
        """Return the places of the first positions and of the first games among the questions."""
        positions = len(self.positions)
        everything = range(len(self.questions))
        return [*everything[:positions][:most], *everything[positions:][:most]]


def set_exam(
    player: PlayerInfo, game: Game, seed: int, most: int | None, patience: float
) -> Questionnaire:
    """Return the questions for a player: games, and positions too if it is stateless.

    ``most`` is how many positions are asked for, every one of them if there are no more; a player
    that keeps state plays as many games as have about this many of its turns. Raises CannotPlay if
    the player does not play the game.
    """
    player.require(game)
    player = with_checks(player)
    pairs = EXAM_PAIRS
    positions: Sequence[InfoState] = ()
    is_complete = False
    if player.stateless:
        every = reachable(game, MAX_ASKED_POSITIONS if most is None else most)
        is_complete = every is not None
        positions = sampled(game, seed, most or SAMPLE) if every is None else every
    else:
        pairs = max(1, -(-(most or SAMPLE) // game.max_plies))
    questions: tuple[TrialQuestion, ...] = (*map(AtPosition, positions), *games_of(game, pairs))
    return Questionnaire(player, game, seed, questions, is_complete, patience, most)


def reachable(game: Game, most: int) -> list[InfoState] | None:
    """Return all that players can be asked with, by ply, or None if the game has more than
    ``most`` positions with a move.
    """
    start = game.start()
    level: dict[Position, Any] = {} if start.outcome() is not None else {start: None}
    positions = list(level)
    while level:
        deeper: dict[Position, Any] = {}
        for position in level:
            for move in position.legal_moves():
                after = position.play(move)
                if after.outcome() is None:  # here the position that led to garbage is known
                    deeper[after] = None
                    if len(positions) + len(deeper) > most:
                        return None
        positions += deeper
        level = deeper
    if not game.features:
        return [*positions]
    return list(dict.fromkeys(info_state_of(p) for p in positions if p.to_move != CHANCE))


def sampled(game: Game, seed: int, most: int) -> list[InfoState]:
    """Return ``most`` different questions of random games."""
    rng = random.Random(f"{seed}/{game.name}/positions")
    questions: dict[InfoState, Any] = {}
    for _ in range(10 * most):  # a game can have too few positions
        position = game.start()
        while position.outcome() is None and len(questions) < most:
            if position.to_move != CHANCE:
                questions[info_state_of(position)] = None
            position = position.play(rng.choice(position.legal_moves()))
        if len(questions) >= most:
            break
    return list(questions)
