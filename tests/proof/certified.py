"""Certificates for tests as the JSON of their files, and the truth about them by recursion."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import arena
from arena.game import Game, Outcome, Position, Side
from arena.plugin.manager import load_catalogue

Json = dict[str, Any]


class Alternates:
    """Takes the first free square, then the last, then the first: a player that keeps state."""

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.turns = 0

    def choose(self, position: Any) -> int:
        self.turns += 1
        return int(position.legal_moves()[-(self.turns % 2)])

    def observe(self, move: int) -> None:
        pass

    def finish(self, outcome: Outcome) -> None:
        pass


#: Player and game: certain and random moves, lost and not, by position and by line.
CERTIFIED: tuple[tuple[Any, str], ...] = (
    ("triples", "tictactoe"),
    ("tictactoe2", "tictactoe"),
    ("tictactoe3", "tictactoe"),
    ("monkey", "mnk-3-2-2"),
    ("minimax", "mnk-4-1-2"),
    (Alternates, "tictactoe"),
    (Alternates, "mnk-4-1-2"),
)


@cache
def _text(player: Any, game: str) -> str:
    return json.dumps(arena.certify(player, game=game, catalogue=load_catalogue()).with_moves())


def record(player: Any, game: str = "tictactoe") -> Json:
    """Return the certificate of a player as JSON, a new copy each time."""
    facts: Json = json.loads(_text(player, game))
    return facts


class Truth(NamedTuple):
    """What is true of one side's moves."""

    never_loses: bool
    positions: int
    losing_line: list[str] | None
    best_reply: Fraction


def truth(facts: Json, side: Side, game: Game) -> Truth:
    """Find it out by recursion over all lines; KeyError, ValueError if moves are missing or wrong.

    AssertionError if there are moves that are never asked for.
    """
    listed, chances = (facts[side.name.lower()][key] for key in ("moves", "chances"))
    seen: set[Position] = set()
    positions: set[str] = set()

    @cache
    def follow(position: Position, key: str) -> tuple[Fraction, tuple[int, ...] | None]:
        """Return the opponent's score, and the first of the shortest lost lines from here."""
        seen.add(position)
        outcome = position.outcome()
        if outcome is not None:
            lost = outcome.winner == side.other
            score = Fraction(1, 2) if outcome is Outcome.DRAW else Fraction(lost)
            return score, () if lost else None
        moves: dict[int, Fraction | None] = dict.fromkeys(position.legal_moves())
        if position.to_move == side:
            positions.add(key)
            own = zip(listed[key], chances[key], strict=True)
            moves = {game.parse_move(move): Fraction(chance) for move, chance in own}
        return best(position, key, moves)

    def best(
        position: Position, key: str, moves: dict[int, Fraction | None]
    ) -> tuple[Fraction, tuple[int, ...] | None]:
        scores, lines = [], []
        for move, chance in moves.items():
            after = position.play(move)
            score, line = follow(after, key_of(key, move, after))
            scores.append(score if chance is None else score * chance)
            lines += [(move, *line)] if line is not None else []
        own = position.to_move == side
        return (
            sum(scores, Fraction(0)) if own else max(scores),
            min(lines, key=lambda line: (len(line), line), default=None),
        )

    def key_of(key: str, move: int, after: Position) -> str:
        by_line = facts["keyed_by"] == "line"
        return f"{key} {game.format_move(move)}".strip() if by_line else str(after)

    start = game.start()
    score, line = follow(start, "" if facts["keyed_by"] == "line" else str(start))
    assert positions == set(listed)
    named = None if line is None else [game.format_move(move) for move in line]
    return Truth(line is None, len(seen), named, score)
