"""Verify by the rules alone what the strategies of both seats of a game prove.

What a strategy is worth is what the best response to it leaves. That is found here without a tree:
a list of histories that the responder cannot tell apart is followed to its next turns, where the
histories part by what it then knows, and each part goes on with the move that pays best. In a game
that hides nothing a position is valued once.

If the responder forgot something, this would let it remember: then it wins no less. So what is
proved holds whether or not the game has perfect recall. Nothing here is shared with what finds
strategies.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from arena.certificates.strategies import StrategyFile, StrategyTable
from arena.errors import UsageError, quoted
from arena.game import CHANCE, Game, Position
from arena.games.contract import endless, payoffs_of
from arena.games.info_state import InfoState
from arena.proof.certificate_file import bounded
from arena.proof.checker import CertificateError

#: A history or a position, and the probability that chance and the strategy lead there.
_Weighed = tuple[Position, Fraction]


def check_strategies(file: StrategyFile, max_histories: int) -> tuple[Fraction, Fraction]:
    """Return what the first seat is paid at least by its strategy, and at most by the other's.

    Raises CertificateError unless these are what the head says, and each line is needed. Raises
    UsageError for a game of more histories, or for one whose payoffs have no constant sum.
    """
    head, game = file.head, file.game
    if game.seats != 2 or game.payoffs.total is None:
        raise UsageError(f"{game.name} is no game for two with a constant sum")
    if head.low is None or head.high is None:
        raise UsageError("it has best responses to a player, which prove nothing by the rules")
    most = [
        _SeatResponse(game, seat, file.tables[1 - seat], max_histories).value() for seat in (0, 1)
    ]
    low, high = bounded(Fraction(game.payoffs.total) - most[1]), bounded(most[0])
    if (low, high) != (head.low, head.high):
        raise CertificateError(
            f"the file says {_bounds(head.low, head.high)}, but its strategies prove"
            f" {_bounds(low, high)}"
        )
    return low, high


def _bounds(low: Fraction, high: Fraction) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


class _SeatResponse:
    """The best response of a seat to the table of the other one."""

    def __init__(self, game: Game, seat: int, table: StrategyTable, max_histories: int) -> None:
        self._game, self._seat, self._table = game, seat, table
        self._most, self._histories = max_histories, 0
        #: The moves of each line of the table that was needed.
        self._used: dict[str, dict[int, Fraction]] = {}

    def value(self) -> Fraction:
        """Return what it is paid on average. Raises CertificateError for a line of no use."""
        start = self._game.start()
        value = self._by_knowledge(start) if start.has_secrets else self._by_position(start)
        if unused := self._table.keys() - self._used.keys():
            raise CertificateError(
                f"seat {1 - self._seat} has moves at {quoted(min(unused))}, where it never is"
            )
        return value

    def _by_knowledge(self, start: Position) -> Fraction:
        try:
            return self._respond([(start, Fraction(1))])
        except RecursionError:
            raise UsageError(f"a seat of {self._game.name} has too many turns to verify") from None

    def _respond(self, waiting: list[_Weighed]) -> Fraction:
        """Return what it gets on average from histories that it cannot tell apart, weighed."""
        paid = Fraction(0)
        turns: dict[InfoState, list[_Weighed]] = {}
        while waiting:
            position, weight = waiting.pop()
            if self._is_over(position):
                paid += weight * payoffs_of(position)[self._seat]
            elif position.to_move == self._seat:
                seen = position.observation(self._seat)
                turns.setdefault(seen, []).append((position, weight))
            else:
                for move, share in self._shares(position):
                    waiting.append((position.play(move), weight * share))
        for alike in turns.values():
            moves = alike[0][0].legal_moves()
            if any(position.legal_moves() != moves for position, _ in alike):
                raise CertificateError(
                    f"seat {self._seat} can tell histories apart by its moves at {alike[0][0]}"
                )
            paid += max(
                self._respond([(position.play(move), weight) for position, weight in alike])
                for move in moves
            )
        return paid

    def _by_position(self, start: Position) -> Fraction:
        """Return the value of the start. A position is valued after those that it leads to."""
        values: dict[Position, Fraction] = {}
        waiting = [start]
        while waiting:
            position = waiting[-1]
            if position in values:
                waiting.pop()
                continue
            over = self._is_over(position)
            after = [] if over else [(position.play(m), p) for m, p in self._every(position)]
            if missing := [each for each, _ in after if each not in values]:
                waiting += missing
                continue
            waiting.pop()
            if over:
                values[position] = payoffs_of(position)[self._seat]
            elif position.to_move == self._seat:
                values[position] = max(values[each] for each, _ in after)
            else:
                values[position] = sum((p * values[each] for each, p in after), Fraction(0))
        return values[start]

    def _every(self, position: Position) -> Iterator[tuple[int, Fraction]]:
        if position.to_move == self._seat:
            return ((move, Fraction(1)) for move in position.legal_moves())
        return self._shares(position)

    def _is_over(self, position: Position) -> bool:
        self._histories += 1
        if self._histories > self._most:
            raise UsageError(
                f"{self._game.name} has more than {self._most:,} histories: --max-positions"
            )
        if position.outcome() is not None:
            return True
        if position.ply >= self._game.max_plies:
            raise endless(self._game, position)
        return False

    def _shares(self, position: Position) -> Iterator[tuple[int, Fraction]]:
        """Return the moves that chance or the table makes, each with its probability."""
        if position.to_move == CHANCE:
            return iter(position.chance_moves())
        seen = str(position.observation(1 - self._seat))
        moves = self._used.get(seen)
        if moves is None:
            moves = self._used[seen] = self._look_up(seen, position)
        return iter(moves.items())

    def _look_up(self, seen: str, position: Position) -> dict[int, Fraction]:
        listed = self._table.get(seen)
        if listed is None:
            raise CertificateError(f"seat {1 - self._seat} has no moves at {quoted(seen)}")
        legal = {self._game.format_move(move): move for move in position.legal_moves()}
        if list(listed) != [name for name in legal if name in listed]:
            raise CertificateError(f"a move at {quoted(seen)} is not legal, or in another order")
        return {legal[name]: share for name, share in listed.items()}
