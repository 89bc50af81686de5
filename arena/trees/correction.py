"""Take luck out of payoffs: subtract what a draw brought beyond its mean.

A value function says what a history is worth to the first seat. Where chance moves, or a player
whose probabilities are known, the value of what was drawn less the mean value of what could have
been is luck. Its own mean is 0, whatever the value function is, so the corrected payoff has the
mean of the payoff itself. It varies less the better the value function is. The terms are those of
Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games" (2018).

Here the value of a history is the mean payoff if known players go on as they do and the others by
strategies that are given, or what the game says that it is worth. It is computed in floats and then
rounded. What follows from it is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

from arena.errors import CannotEnumerate, PlayerFault, UsageError
from arena.game import CHANCE, Game, Position
from arena.games.contract import endless, payoffs_of
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.proof.limit import Limit
from arena.proof.policy import Policy
from arena.records.luck import CHANCE_TERM, LuckBounds

#: The probability of each move, by the text of what a seat knows.
Strategies = Mapping[str, Mapping[int, Fraction]]

#: Strategies, or None for what the game says that a position is worth.
Value = Strategies | None

#: A corrected game has no more histories than these: each has its correction in memory.
MAX_CORRECTED_HISTORIES = 400_000

#: Values are multiples of one over this.
GRID = 1 << 20


def digest_of(game: Game, strategies: Value) -> str:
    """Return a digest of a value function: of the strategies in any order, or of all values."""
    digest = blake2b(digest_size=16)
    if strategies is None:
        luck = LuckOfGame(game, (None, None), None)
        for line, number in sorted(luck.values.items()):
            digest.update(f"{line}\t{number}\n".encode())
        return digest.hexdigest()
    for seen, moves in sorted(strategies.items()):
        digest.update(f"{seen}\t{sorted((m, str(p)) for m, p in moves.items())}\n".encode())
    return digest.hexdigest()


class Corrector:
    """Corrects the games of two players.

    It is sent to workers without its tables: each process makes those that it needs.
    """

    def __init__(self, game: Game, players: tuple[PlayerInfo, PlayerInfo], value: Value):
        self._game, self._players, self._value = game, players, value

    def __reduce__(self) -> tuple[Any, ...]:
        return Corrector, (self._game, self._players, self._value)

    def luck(self, record: GameRecord, swapped: bool) -> Fraction:
        """Return what luck brought the first seat of a game. It is ``swapped`` if B moved first.

        Raises PlayerFault if a player moved as it cannot by its own probabilities.
        """
        of_moves = self._orders[swapped].luck.get(record.moves)
        if of_moves is None:
            moves = " ".join(map(self._game.format_move, record.moves))
            names = " or ".join(player.name for player in self._players)
            raise PlayerFault(f"{names} did not move by its probabilities: {moves}")
        return of_moves

    def bounds(self, names: tuple[str, str]) -> LuckBounds:
        """Return the bounds of the corrected payoffs of the players, which have these names."""
        terms = [CHANCE_TERM] if self._game.start().has_luck else []
        terms += [
            name for name, policy in zip(names, self._policies, strict=True) if policy is not None
        ]
        by_rules, by_forfeit = zip(*(each.reach for each in self._orders), strict=True)
        return LuckBounds(names, tuple(terms), max(by_rules), max(*by_rules, *by_forfeit))

    @cached_property
    def _policies(self) -> tuple[Policy | None, Policy | None]:
        """The policies of A and of B, None where one is not known."""
        return self._walked[0]

    @cached_property
    def _orders(self) -> tuple[LuckOfGame, LuckOfGame]:
        """The luck of games in which A moves first, and of those in which B does."""
        return self._walked[1]

    @cached_property
    def _walked(self) -> _Walked:
        a, b = (_trusted_policy(player, self._game) for player in self._players)
        while True:
            try:
                first = LuckOfGame(self._game, (a, b), self._value)
                second = LuckOfGame(self._game, (b, a), self._value)
                return (a, b), (first, second)
            except CannotEnumerate:  # a player whose moves cannot be enumerated is a black box
                refused = [policy is not None and policy.refusal is not None for policy in (a, b)]
                if not any(refused):
                    raise  # the tree is too large
                a, b = None if refused[0] else a, None if refused[1] else b


#: What is known of A and of B, and the luck of the games in which each of them moves first.
_Walked = tuple[tuple[Policy | None, Policy | None], tuple["LuckOfGame", "LuckOfGame"]]


def _trusted_policy(player: PlayerInfo, game: Game) -> Policy | None:
    """Return the probabilities of a player's moves, None for a black box.

    What a player says of itself is taken for true only of an installed one: another could say what
    makes its luck look like skill.
    """
    return Policy(player, game) if player.stateless and player.is_trusted else None


class _HistoryNode(NamedTuple):
    """A history in a tree, and the moves that may follow."""

    moves: tuple[int, ...]
    seat: int
    #: The payoff of the first seat at the end, None before.
    paid: Fraction | None
    #: Each move with its probability, and whether these are known.
    shares: list[tuple[int, Fraction]]
    is_known: bool
    #: The numbers of the histories after the moves.
    after: list[int]
    #: What the game says that it is worth to the first seat, if that is the value.
    worth: float = 0.0


class LuckOfGame:
    """The luck of each history of a game in which a seat is known, or both, or neither."""

    def __init__(
        self, game: Game, policies: tuple[Policy | None, Policy | None], value: Value
    ) -> None:
        self._game, self._policies, self._strategies = game, policies, value
        self._nodes = self._grown()
        values = self._values()
        #: The value of each history to the first seat, by its moves.
        self.values = {node.moves: v for node, v in zip(self._nodes, values, strict=True)}
        #: What the draws of a history brought the first seat beyond their mean, by its moves.
        self.luck = self._luck(values)
        #: How far corrected payoffs are at most from an even share: by the rules, and by forfeit.
        self.reach = self._reach()
        del self._nodes

    def _grown(self) -> list[_HistoryNode]:
        """Return all histories, each after the one that leads to it."""
        limit = Limit(MAX_CORRECTED_HISTORIES)
        nodes: list[_HistoryNode] = []
        waiting: list[tuple[Position, tuple[int, ...], int]] = [(self._game.start(), (), -1)]
        while waiting:
            position, moves, before = waiting.pop()
            if before >= 0:
                nodes[before].after.append(len(nodes))
            nodes.append(self._node(position, moves))
            limit.require(len(nodes), f"the tree of {self._game.name}")
            index = len(nodes) - 1
            for move, _ in reversed(nodes[index].shares):
                waiting.append((position.play(move), (*moves, move), index))
        return nodes

    def _node(self, position: Position, moves: tuple[int, ...]) -> _HistoryNode:
        if position.outcome() is not None:
            return _HistoryNode(moves, CHANCE, payoffs_of(position)[0], [], False, [])
        if position.ply >= self._game.max_plies:
            raise endless(self._game, position)
        seat = int(position.to_move)
        if seat == CHANCE:
            shares = [*position.chance_moves()]
            return _HistoryNode(moves, seat, None, shares, True, [], self._worth(position))
        policy, seen = self._policies[seat], position.observation(seat)
        if policy is not None:
            shares = [*policy(seen).items()]
            return _HistoryNode(moves, seat, None, shares, True, [], self._worth(position))
        legal = position.legal_moves()
        listed = None if self._strategies is None else self._strategies.get(str(seen))
        if listed is None:  # a seat that plays by these strategies is never here
            listed = dict.fromkeys(legal, Fraction(1, len(legal)))
        shares = [(move, listed.get(move, Fraction(0))) for move in legal]
        return _HistoryNode(moves, seat, None, shares, False, [], self._worth(position))

    def _worth(self, position: Position) -> float:
        """Return what the game says that a position is worth, 0 where strategies say it."""
        if self._strategies is not None:
            return 0.0
        worth = position.worth()
        if worth is None:
            raise UsageError(
                f"{self._game.name} does not say what a position is worth: its worth() returns None"
            )
        return float(worth)

    def _values(self) -> list[Fraction]:
        """Return the value of each history to the first seat."""
        values = [0.0] * len(self._nodes)
        for number in reversed(range(len(self._nodes))):
            node = self._nodes[number]
            if node.paid is not None:
                values[number] = float(node.paid)
            elif self._strategies is None:
                values[number] = node.worth
            else:
                pairs = zip(node.shares, node.after, strict=True)
                values[number] = sum(float(share) * values[after] for (_, share), after in pairs)
        return [Fraction(round(value * GRID), GRID) for value in values]

    def _luck(self, values: list[Fraction]) -> dict[tuple[int, ...], Fraction]:
        luck: dict[tuple[int, ...], Fraction] = {(): Fraction(0)}
        for node in self._nodes:
            before = luck[node.moves]
            mean = Fraction(0)
            if node.is_known:
                pairs = zip(node.shares, node.after, strict=True)
                mean = sum((share * values[after] for (_, share), after in pairs), mean)
            for after in node.after:
                deviation = values[after] - mean if node.is_known else Fraction(0)
                luck[self._nodes[after].moves] = before + deviation
        return luck

    def _reach(self) -> tuple[Fraction, Fraction]:
        even = Fraction(self._game.payoffs.total or 0) / 2
        ends = (abs(n.paid - self.luck[n.moves] - even) for n in self._nodes if n.paid is not None)
        # A pair with a forfeit may count as lost whatever its games came to.
        lost = [self._game.forfeit_payoffs(seat)[0] for seat in (0, 1)]
        forfeits = (
            abs(paid - self.luck[node.moves] - even) for node in self._nodes for paid in lost
        )
        return max(ends), max(forfeits)


def require_correctable(game: Game) -> None:
    """Raise UsageError for a game whose luck cannot be taken out."""
    if not game.is_paid or game.seats != 2 or game.payoffs.total is None:
        raise UsageError(
            "--luck corrected is for games for two that pay chips or points of their own with a"
            f" constant sum, such as leduc, and {game.name} is none"
        )


def by_text(game: Game, tables: Iterable[Mapping[str, Mapping[str, Fraction]]]) -> Strategies:
    """Return the strategies of a file, with moves as numbers."""
    return {
        seen: {game.parse_move(name): share for name, share in moves.items()}
        for table in tables
        for seen, moves in table.items()
    }
