"""Tabulate the probabilities of a stateless player's moves at one game, on demand.

An untrusted player may remember earlier questions and so detect its enumeration. So arena asks it
once more for every branch, along whole games in shuffled order: the opponent's moves are drawn, and
the stream's bits make the player's own draws take the planned values.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.clock import now
from arena.errors import CannotEnumerate
from arena.game import Game, Position, Side
from arena.games.contract import endless
from arena.games.info_state import InfoState
from arena.match.seats import leave_seats, sit
from arena.player import PlayerInfo
from arena.proof.branches import Branch, stream_number
from arena.proof.distribution import (
    DIFFERS,
    about,
    ask_seat,
    distribution,
    fault_of,
    find_branches,
    is_repeated,
    moves_of,
    require_stateless,
)
from arena.rng import READY_BITS, Stream


class Policy:
    """The distribution over the moves of a player, computed once for each position, or for each
    observation in a game that hides something.

    ``is_traced`` lets values of a draw that the player only compares share a branch.
    """

    def __init__(self, player: PlayerInfo, game: Game, is_traced: bool = True) -> None:
        player.require(game)
        require_stateless(player)
        self.player, self.game, self._is_traced = player, game, is_traced
        self._chances: dict[InfoState, dict[int, Fraction]] = {}
        #: What :meth:`confirm` still has to ask again.
        self._unconfirmed: dict[InfoState, list[Branch]] = {}
        self._is_confirmed_later = player.distribution is None and not player.is_trusted
        #: The branches of all questions so far.
        self.branches = 0
        #: Why a question has no distribution.
        self.refusal: CannotEnumerate | None = None

    def __call__(self, info_state: InfoState) -> dict[int, Fraction]:
        """Return the probability of every move that the player may make, ascending by move."""
        chances = self._chances.get(info_state)
        if chances is None:
            chances = self._chances[info_state] = self._find(info_state)
        return chances

    def at(self, position: Position) -> dict[int, Fraction]:
        """Return the same at a position, by what the seat to move knows there."""
        return self(position.observation(position.to_move))

    def _find(self, info_state: InfoState) -> dict[int, Fraction]:
        if isinstance(info_state, Position) and info_state.ply >= self.game.max_plies:
            raise endless(self.game, info_state)
        try:
            if self.player.distribution is not None:
                return distribution(self.player, info_state)
            return moves_of(self._find_branches(info_state))
        except CannotEnumerate as error:
            self.refusal = error
            raise

    def _find_branches(self, info_state: InfoState) -> list[Branch]:
        is_once = self._is_confirmed_later
        try:
            branches = find_branches(
                self.player,
                info_state,
                twice=not is_once,
                shows_progress=not is_once,
                is_traced=self._is_traced,
            )
        except CannotEnumerate as error:
            raise about(error, self.player, info_state) from error
        self.branches += len(branches)
        if is_once:
            self._unconfirmed[info_state] = branches
        return branches

    def confirm(self) -> None:
        """Ask an untrusted player once more for everything.

        Raises CannotEnumerate if it does something else now. Arena asks it in a new process, in
        shuffled order and along whole games: the player must repeat its moves where nothing looks
        like an enumeration.
        """
        branches, self._unconfirmed = self._unconfirmed, {}
        try:
            confirm(self.player, self.game, branches)
        except CannotEnumerate as error:
            self.refusal = error
            raise

    def is_symmetric_at(self, position: Position) -> bool:
        """Return whether the player treats every image of the position as it treats the position.

        The moves at the images are not kept: only one image is reached, as the position.
        """
        moves = self(position)
        return all(
            self._find(image) == {where[m]: p for m, p in moves.items()}
            for image, where in position.images()
        )


#: Seconds of whole games; then a slow player is asked once at each other position.
MAX_GAMES_SECONDS = 1.0

#: Positions in which to look for the player's next turn: one reply is always looked at.
MAX_REPLY_POSITIONS = 200

Branches = Mapping[InfoState, Sequence[Branch]]


class PlannedTurn(NamedTuple):
    """A turn of the player in a planned game: its branch, and what the opponent then does."""

    position: Position
    branch: Branch
    #: The opponent's moves until the player's next turn; none if the player moves again.
    replies: tuple[int, ...] = ()


def confirm(player: PlayerInfo, game: Game, branches: Branches) -> None:
    """Ask the player again for the branches. Raises CannotEnumerate if it does something else.

    A player with a process of its own gets a new one. The system draws the order, so the player
    cannot know it. In games with luck or secrets no games are planned: chance would have to bring
    them about.
    """
    if player.remote is not None:
        player.remote.close()
    rng = random.SystemRandom()
    confirmed = set[InfoState]() if game.features else _play_planned(player, game, branches, rng)
    waiting = [info_state for info_state in branches if info_state not in confirmed]
    rng.shuffle(waiting)
    for info_state in waiting:
        _ask_again(player, info_state, rng.choice(branches[info_state]))


def _play_planned(
    player: PlayerInfo, game: Game, branches: Branches, rng: random.Random
) -> set[InfoState]:
    """Play planned games while there is time. Return the positions in which they asked."""
    by_position = {
        info_state: each
        for info_state, each in branches.items()
        if isinstance(info_state, Position)
    }
    end = now() + MAX_GAMES_SECONDS
    confirmed: set[InfoState] = set()
    for plan in _Plans(by_position, rng):
        if now() > end:
            break
        _play(player, game, plan)
        confirmed |= {step.position for step in plan}
    return confirmed


class _Plans:
    """Games that together have every branch, each planned when it is played."""

    def __init__(self, branches: Mapping[Position, Sequence[Branch]], rng: random.Random) -> None:
        self._branches, self._rng = branches, rng
        self._waiting = {
            (position, b)
            for position, position_branches in branches.items()
            for b in position_branches
        }
        self._before = self._turns_before()

    def _turns_before(self) -> dict[Position, PlannedTurn]:
        """Find a turn before that leads to a position."""
        before: dict[Position, PlannedTurn] = {}
        order = self._rng.sample(list(self._branches), len(self._branches))
        for position in order:
            for branch in self._branches[position]:
                for after, step in self._next_turns(position, branch):
                    before.setdefault(after, step)
        return before

    def _next_turns(
        self, position: Position, branch: Branch
    ) -> Iterator[tuple[Position, PlannedTurn]]:
        """Yield known turns of the player that can follow, each with the step to it.

        All that one reply leads to are among them. An opponent with many extra turns has more ways
        than are looked at.
        """
        side, looked_at = position.to_move, 0
        level: dict[Position, tuple[int, ...]] = {position.play(branch.move): ()}
        while level and looked_at < MAX_REPLY_POSITIONS:
            deeper: dict[Position, tuple[int, ...]] = {}
            for after, replies in level.items():
                if after.to_move != side:
                    for move in after.legal_moves():
                        deeper.setdefault(after.play(move), (*replies, move))
                elif after in self._branches:
                    yield after, PlannedTurn(position, branch, replies)
            looked_at += len(level)
            level = deeper

    def __iter__(self) -> Iterator[list[PlannedTurn]]:
        targets = list(self._waiting)
        self._rng.shuffle(targets)
        for position, branch in targets:
            if (position, branch) in self._waiting:
                plan = [*self._way_to(position), *self._from(position, branch)]
                self._waiting -= {(step.position, step.branch) for step in plan}
                yield plan

    def _way_to(self, position: Position) -> list[PlannedTurn]:
        steps: list[PlannedTurn] = []
        while position in self._before:
            steps.append(self._before[position])
            position = steps[-1].position
        return steps[::-1]

    def _from(self, position: Position, branch: Branch) -> Iterator[PlannedTurn]:
        """Continue a game by branches that are still missing, where there are any."""
        while True:
            turns = list(self._next_turns(position, branch))
            if not turns:
                yield PlannedTurn(position, branch)
                return
            position, step = self._rng.choice(turns)
            yield step
            branches = self._branches[position]
            branch = self._rng.choice(
                [b for b in branches if (position, b) in self._waiting] or branches
            )


def _play(player: PlayerInfo, game: Game, plan: Sequence[PlannedTurn]) -> None:
    """Play a planned game as far as a stream's bits reach, and the rest position by position."""
    number, length = _number_for(plan)
    stream = Stream()
    stream.begin(number)
    side = Side(plan[0].position.to_move)
    try:
        seat = sit(player, game, side, stream)
    except BaseException as error:
        raise fault_of(error) from error
    for step in plan[:length]:
        move, draws = ask_seat(seat, step.position, is_planned=True)
        if (move, draws) != (step.branch.move, step.branch.plain_draws):
            raise about(CannotEnumerate(DIFFERS), player, step.position)
        if seat.observe is not None:
            for reply in step.replies:
                seat.observe(reply)
    outcome = plan[-1].position.play(plan[-1].branch.move).outcome()
    if outcome is not None and length == len(plan):
        leave_seats([seat], outcome)
    for step in plan[length:]:
        _ask_again(player, step.position, step.branch)


def _number_for(plan: Sequence[PlannedTurn]) -> tuple[int, int]:
    """Return a stream for the draws of a plan, and the number of steps that it has bits for."""
    for length in range(len(plan), 0, -1):
        drawn = [
            pair
            for step in plan[:length]
            for pair in zip(step.branch.draws, step.branch.values, strict=True)
        ]
        try:
            return stream_number(drawn), length
        except CannotEnumerate:
            continue
    raise AssertionError(f"each branch has at most {READY_BITS} bits")


def _ask_again(player: PlayerInfo, info_state: InfoState, branch: Branch) -> None:
    if not is_repeated(player, info_state, branch):
        raise about(CannotEnumerate(DIFFERS), player, info_state)
