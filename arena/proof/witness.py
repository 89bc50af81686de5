"""Check that players play in real games as their tables say.

A table can prove something, but the player behind it remains a black box. So arena looks up the
moves of real games. A move without a probability in the table refutes that the table is the
player's, and so do frequencies that the table makes all but impossible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from arena.errors import PlayerFault, VoidGame, Withdrawn
from arena.game import CHANCE, Game, Position
from arena.games.display import Line
from arena.games.info_state import InfoState
from arena.match import play_game
from arena.match.record import GameRecord, PlayedPair
from arena.player import PlayerInfo
from arena.records.deviations import Deviation
from arena.records.proofs import Agreement
from arena.rng import Stream, path_of
from arena.stats.binomial import tail_p

#: Looks up the probability of each move that a player may make after a line to a position; None
#: where the table is empty.
TableLookup = Callable[[Position, Line], Mapping[int, Fraction] | None]

#: Plays pairs against an opponent in a way of its own; None if it does not have one for it.
PlayAgainst = Callable[[PlayerInfo, int], Iterable[PlayedPair] | None]

#: Attempts at a game that the machine voids.
MAX_GAME_ATTEMPTS = 3


class Witness:
    """A witness that looks up the moves of games in the tables of A and B."""

    def __init__(
        self, game: Game, names: tuple[str, str], tables: Sequence[TableLookup | None]
    ) -> None:
        self._game, self._names, self._tables = game, names, tables
        self.games = 0
        #: First move of A and of B that is not in its table.
        self.deviations: list[Deviation | None] = [None, None]
        #: For each player: how often it made each move, by what it was asked with several moves.
        self._moves: tuple[Counter[tuple[InfoState, int]], ...] = (Counter(), Counter())
        self._counts: tuple[Counter[InfoState], ...] = (Counter(), Counter())
        self._chances: dict[tuple[int, InfoState], Mapping[int, Fraction]] = {}

    def watch(self, pairs: Iterable[PlayedPair], path: str) -> Iterator[PlayedPair]:
        """Pass on pairs from the start of the game, and look up those that were played.

        ``path`` is the start of the ids of their games.
        """
        start = self._game.start()
        for played in pairs:
            if not played.void and played.withdrawn is None:
                for half, record in enumerate(played.records):
                    self.see(f"{path}/{played.pair}.{half + 1}", record, bool(half), start)
            yield played

    def see(self, name: str, record: GameRecord, swapped: bool, start: Position) -> None:
        """Look up a game of that name, which is ``swapped`` if B moved first.

        After a player has left its table, the other's table need not have the position.
        """
        self.games += 1
        position, line = start, list[int]()
        for move in record.moves:
            seat = position.to_move
            if seat != CHANCE and not self._has(seat ^ swapped, position, tuple(line), move):
                self._note(seat ^ swapped, name, position, line, self._game.format_move(move))
                return
            line.append(move)
            position = position.play(move)
        if record.forfeit is not None:
            player = record.forfeit.side ^ swapped
            if self._tables[player] is not None:
                self._note(player, name, position, line, record.forfeit.message)

    def _has(self, player: int, position: Position, line: Line, move: int) -> bool:
        table = self._tables[player]
        if table is None:
            return True
        chances = table(position, line) or {}
        if len(chances) > 1:
            seen = position.observation(position.to_move)
            self._counts[player][seen] += 1
            self._moves[player][seen, move] += 1
            self._chances[player, seen] = chances
        return move in chances

    def _note(
        self, player: int, name: str, position: Position, line: Sequence[int], did: str
    ) -> None:
        if self.deviations[player] is None:
            moves = tuple(map(self._game.format_move, line))
            self.deviations[player] = Deviation(
                self._names[player], name, str(position), did, moves
            )

    def agreement(self, player: int, seed: int) -> Agreement:
        """Return how the games of that seed agree with the table of a player, A (0) or B (1)."""
        return Agreement(self.games, seed, self.deviations[player], self.p_value(player))

    def p_value(self, player: int) -> float:
        """Bound the probability of frequencies at least as far from the table's.

        The bound is the least of the exact two-sided binomial p-values of all moves at all
        positions, times their number (Bonferroni).
        """
        p_values = [
            tail_p(self._moves[player][seen, move], times, float(chance))
            for seen, times in self._counts[player].items()
            for move, chance in self._chances[player, seen].items()
        ]
        return min(1.0, max(1, len(p_values)) * min(p_values, default=1.0))


def watch_games(
    player: PlayerInfo,
    game: Game,
    table: TableLookup,
    opponents: Sequence[PlayerInfo],
    pairs: int,
    seed: int,
    elsewhere: PlayAgainst | None,
) -> Agreement:
    """Play ``pairs`` pairs against each opponent in turn, and look up the moves.

    Do not play here what ``elsewhere`` plays. Raises PlayerFault if the player cannot be started.
    """
    witness = Witness(game, (player.name, ""), (table, None))
    for opponent in opponents:
        start = path_of(game.name, player.name, opponent.name, seed=seed)
        played = None if elsewhere is None else elsewhere(opponent, pairs)
        if played is None:
            played = _play_pairs(game, player, opponent, start, pairs)
        for _ in witness.watch(played, start):
            pass  # it only watches
    return witness.agreement(0, seed)


def _play_pairs(
    game: Game, player: PlayerInfo, opponent: PlayerInfo, path: str, pairs: int
) -> Iterator[PlayedPair]:
    for number in range(1, pairs + 1):
        records = (
            played(game, (player, opponent), f"{path}/{number}.1"),
            played(game, (opponent, player), f"{path}/{number}.2"),
        )
        yield PlayedPair(number, records, (0.0, 0.0))


def played(game: Game, players: tuple[PlayerInfo, PlayerInfo], name: str) -> GameRecord:
    """Play a game of that name. Raises PlayerFault for a player that cannot be started, and
    VoidGame if the machine keeps it from playing.
    """
    for attempts_left in reversed(range(MAX_GAME_ATTEMPTS)):
        try:
            return play_game(game, players, name, (Stream(), Stream()))
        except Withdrawn as error:
            raise PlayerFault(str(error)) from error
        except VoidGame:
            if not attempts_left:
                raise
    raise AssertionError("the last attempt returns or raises")
