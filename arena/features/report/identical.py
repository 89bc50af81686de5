"""Find entrants that play alike: copies of one program, maybe under changed names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.game import CHANCE, Game, Position
from arena.games.walk import walked
from arena.records.exports import ExportedFight, ExportedGame
from arena.records.reports import Identical

#: Fewer positions at which both had a choice are not evidence.
MIN_CHOICES = 10

#: The moves that an entrant was seen to play, by position.
MovesByPosition = dict[Position, set[str]]


def identical(fights: Sequence[ExportedFight], game: Game) -> list[Identical]:
    """Return the groups of entrants that played the same moves wherever two of them were to move.

    ``fights`` have their games, as an export has them. Two entrants count as alike if they share
    MIN_CHOICES positions with more than one legal move, and the moves seen of both are the same at
    each.
    """
    seen = _seen(fights, game)
    groups: list[list[str]] = []
    for name, moves in seen.items():
        alike = (group for group in groups if all(_shared(moves, seen[other]) for other in group))
        group = next(alike, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return [Identical(tuple(group), _least(group, seen)) for group in groups if len(group) > 1]


def _least(group: Sequence[str], seen: Mapping[str, MovesByPosition]) -> int:
    """Return how many positions the two of a group share that share the fewest."""
    pairs = ((a, b) for place, a in enumerate(group) for b in group[:place])
    return min(_shared(seen[a], seen[b]) for a, b in pairs)


def _shared(one: MovesByPosition, other: MovesByPosition) -> int:
    """Return the number of shared positions, or 0 if they are too few or the moves differ."""
    small, large = sorted((one, other), key=len)
    shared = 0
    for position, moves in small.items():
        if position in large:
            if moves != large[position]:
                return 0
            shared += 1
    return shared if shared >= MIN_CHOICES else 0


def _seen(fights: Sequence[ExportedFight], game: Game) -> dict[str, MovesByPosition]:
    steps = _MoveSteps(game)
    seen: dict[str, MovesByPosition] = {}
    for fight in fights:
        if len({*fight.players}) < len(fight.players):
            continue
        for name in fight.players:
            seen.setdefault(name, {})
        for played in fight.games:
            for side, position, move in steps.of(played):
                seen[played.players[side]].setdefault(position, set()).add(move)
    return seen


class _MoveSteps:
    """The moves of games, each step computed once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._cache: dict[tuple[Position, str], tuple[bool, Position]] = {}

    def of(self, played: ExportedGame) -> Iterator[tuple[int, Position, str]]:
        """Yield each move with its side and its position, if there was another move."""
        opening = played.opening
        position = self._game.start() if opening is None else self._game.parse(opening)
        for ply, text in enumerate(played.moves):
            position = walked(
                position, (), [(0, seat) for at, seat in played.departures if at == ply]
            )
            step = self._cache.get((position, text))
            if step is None:
                is_choice = len(position.legal_moves()) > 1
                step = is_choice, position.play(self._game.parse_move(text))
                self._cache[position, text] = step
            if step[0] and position.to_move != CHANCE:
                yield int(position.to_move), position, text
            position = step[1]
