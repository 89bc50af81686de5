"""Pack games into a page: compressed, and as short as a browser can unfold to boards again.

A game is the squares that each move changed, so that a thousand games are a few kilobytes. A game
that does not describe its board (:meth:`arena.Position.diagram`) has its pictures instead.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from arena.errors import GameFault, quoted
from arena.game import Game, Position
from arena.games.worth import Worths
from arena.pictures.boards import PIECES, board, men_of, middle, shape_of_square
from arena.pictures.diagram import FREE, Diagram
from arena.records.base import Json
from arena.records.thoughts import thoughts_from

#: Most games of a page. Forfeited and lost ones come first.
MAX_PAGE_GAMES = 10_000

#: A square of a text has one letter, else its changes would need quotes.
_SEPARATORS = frozenset(" ,@0123456789")


def packed(runs: Sequence[Json]) -> str:
    """Return runs of games, as :func:`run_of` makes them, as a text for a page."""
    return compressed({"runs": runs})


def compressed(value: Any) -> str:
    """Return a value as JSON that a browser unpacks."""
    text = json.dumps(value, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)  # gzip, without a date
    return base64.b64encode(packer.compress(text) + packer.flush()).decode()


def run_of(game: Game, fights: Iterable[tuple[Sequence[str], Sequence[Json]]]) -> Json:
    """Return a run: each fight by the names to show and its games, as a store has them."""
    folder = _Folder(game)
    found = [
        {"players": list(names), "games": [folder.game_of(played) for played in games]}
        for names, games in fights
    ]
    return {**folder.board_of(), "fights": found, "worths": folder.worths}


class _At(NamedTuple):
    """A position, and the letters on its squares; none for a game without a board."""

    position: Position
    cells: str

    @classmethod
    def of(cls, position: Position, start: Diagram | None) -> _At:
        """Return a position of a game whose first one has this board, if it has one.

        Raises GameFault if the board is another one now.
        """
        if start is None:
            return cls(position, "")
        diagram = _simple(position)
        if diagram is None or len(diagram.cells) != len(start.cells):
            problem = f"diagram() at {quoted(str(position))} is not that of the start"
            raise GameFault(f"game {quoted(position.game.name)} broke its contract: {problem}")
        return cls(position, "".join(diagram.cells))


class _Folder:
    """Folds games of one kind: boards that came before are not drawn again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._steps: dict[tuple[Position, int], tuple[_At, str]] = {}
        self._begins: dict[str, int] = {}
        self._pictures: dict[str, int] = {}
        self._values, self._worths = Worths(game), dict[str, int]()
        start = game.start()
        self._diagram = _simple(start) if type(start).svg is Position.svg else None
        self._draws = type(start).svg is not Position.svg

    def board_of(self) -> Json:
        """Return what a browser draws boards from."""
        if self._diagram is None:
            return {"pictures": list(self._pictures), "drawn": self._draws}
        squares = range(len(self._diagram.cells))
        free = Diagram(**{**vars(self._diagram), "cells": FREE * len(squares), "lines": ()})
        return {
            "svg": board(free, self._game.name, styled=False),
            "middle": [middle(free, square) for square in squares],
            "pieces": PIECES[free.look],
            "men": men_of(free.look),
            "square": shape_of_square(free.look),
            "begins": list(self._begins),
        }

    @property
    def worths(self) -> list[str]:
        """The worth of moves, which games have by numbers."""
        return list(self._worths)

    def game_of(self, played: Json) -> list[Any]:
        """Return one game: number, result, opening, moves, changes, lines, forfeit, thoughts,
        worths.
        """
        game, opening = self._game, played["opening"]
        at = _At.of(game.start() if opening is None else game.parse(opening), self._diagram)
        begin, changes, said = self._begin(at), [], []
        for text in played["moves"]:
            move = game.parse_move(text)
            said.append(self._values.text(at.position, move))
            at, change = self._step(at, move)
            changes.append(change)
        said = played.get("worths", said)
        found = at.position.diagram() if self._diagram is not None else None
        number = str(played.get("game_id") or "").rpartition("/")[2]
        forfeit = played.get("reason")
        return [
            number,
            played["outcome"] or "",
            begin,
            " ".join(played["moves"]),
            " ".join(changes) if self._diagram is not None else [*map(self._picture, changes)],
            [list(line) for line in found.lines] if found is not None else [],
            [forfeit, played.get("message") or "", played.get("forfeit_side")] if forfeit else 0,
            [[ply, thought.short] for ply, thought in thoughts_from(played.get("thoughts", []))],
            " ".join(str(self._worths.setdefault(text, len(self._worths))) for text in said)
            if any(said)
            else "",
        ]

    def _begin(self, at: _At) -> int:
        if self._diagram is None:
            return self._picture(self._drawn(at.position))
        return self._begins.setdefault(at.cells, len(self._begins))

    def _step(self, at: _At, move: int) -> tuple[_At, str]:
        known = self._steps.get((at.position, move))
        if known is None:
            after = _At.of(at.position.play(move), self._diagram)
            known = after, self._change(at, move, after)
            self._steps[at.position, move] = known
        return known

    def _change(self, before: _At, move: int, after: _At) -> str:
        """Return the squares with other letters, as ``4x,9_``, and ``@`` where the move went."""
        if self._diagram is None:
            return self._drawn(after.position, move)
        both = enumerate(zip(before.cells, after.cells, strict=True))
        changed = [(square, new) for square, (old, new) in both if old != new]
        squares = after.position.move_squares(move, made=True)
        text = ",".join(f"{square}{letter}" for square, letter in changed)
        if [square for square, _ in changed] == sorted(squares):
            return text
        return f"{text}@{','.join(map(str, squares))}"

    def _drawn(self, position: Position, last: int | None = None) -> str:
        return position.svg(last=last) if self._draws else position.picture()

    def _picture(self, picture: str) -> int:
        return self._pictures.setdefault(picture, len(self._pictures))


def _simple(position: Position) -> Diagram | None:
    """Return the board if each square of it has one letter that a change can name."""
    diagram = position.diagram()
    if diagram is None or any(len(c) != 1 or c in _SEPARATORS for c in diagram.cells):
        return None
    return diagram
