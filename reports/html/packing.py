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
from arena.game import CHANCE, Game, Position
from arena.games.worth import Worths
from arena.pictures.boards import PIECES, board, men_of, middle, shape_of_square
from arena.pictures.diagram import FREE, Diagram
from arena.records.base import Json
from arena.reports.single_games import FightGames, SingleGame
from arena.seats import Departure

#: Most games of a page. Forfeited and lost ones come first.
MAX_PAGE_GAMES = 10_000

#: A square of a text has one letter, else its changes would need quotes.
_SEPARATORS = frozenset(" ,@0123456789")


def packed(runs: Sequence[Json]) -> str:
    """Return runs of games, as :func:`packed_run` makes them, as a text for a page."""
    return compressed({"runs": runs})


def compressed(value: Any) -> str:
    """Return a value as JSON that a browser unpacks."""
    text = json.dumps(value, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)  # gzip, without a date
    return base64.b64encode(packer.compress(text) + packer.flush()).decode()


def packed_run(game: Game, fights: Iterable[FightGames]) -> Json:
    """Return a run: each fight by the names to show and its games."""
    folder = _Folder(game)
    packed_fights = [
        {"players": list(names), "games": [folder.folded(single) for single in games]}
        for names, games in fights
    ]
    return {**folder.board(), "fights": packed_fights, "worths": folder.worths}


class _PackedPosition(NamedTuple):
    """A position, and the letters on its squares, which are empty for a game without a board."""

    position: Position
    cells: str

    @classmethod
    def of(cls, position: Position, start: Diagram | None) -> _PackedPosition:
        """Return a position of a game whose first one has this board, if it has one.

        Raises GameFault if the position has another board.
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
        self._steps: dict[tuple[Position, int], tuple[_PackedPosition, str]] = {}
        self._begins: dict[str, int] = {}
        self._pictures: dict[str, int] = {}
        self._seen: dict[Any, int] = {}
        self._values, self._worths = Worths(game), dict[str, int]()
        self._is_table = game.seats > 2
        start = game.start()
        #: Each seat's view of a game is a picture, so with secrets there are pictures alone.
        self._seats = range(game.seats) if start.has_secrets else range(0)
        has_board = type(start).svg is Position.svg and not self._seats
        self._diagram = _simple(start) if has_board else None
        has_drawing = type(start).svg is not Position.svg or start.tabletop() is not None
        self._draws = has_drawing or bool(self._seats)

    def board(self) -> Json:
        """Return the values from which a browser draws boards."""
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

    def folded(self, single: SingleGame) -> list[Any]:
        """Return one game: number, result, opening, moves, changes, lines, forfeit, thoughts,
        worths, who made each move, and the pictures of each seat where there are secrets. Of more
        than two seats the players and their payoffs follow.
        """
        place = self._without(_PackedPosition.of(single.begin, self._diagram), 0, single.departures)
        begin, changes, worths = self._begin(place), [], []
        movers, views = list[int](), [self._views(place.position)]
        for ply, move in enumerate(single.moves, start=1):
            movers.append(place.position.to_move)
            worths.append(self._values.text(place.position, move))
            place, change = self._step(place, move)
            place = self._without(place, ply, single.departures)
            changes.append(change)
            views.append(self._views(place.position))
        worths = worths if single.worths is None else [*single.worths]
        has_movers = self._game.features  # in other games the page does not need it
        diagram = place.position.diagram() if self._diagram is not None else None
        forfeit = single.forfeit
        return [
            single.round if single.game_id else "",
            single.outcome.value if single.outcome else "",
            begin,
            " ".join(map(self._game.format_move, single.moves)),
            " ".join(changes) if self._diagram is not None else [*map(self._picture, changes)],
            [list(line) for line in diagram.lines] if diagram is not None else [],
            [forfeit[1], forfeit[2], int(forfeit[0])] if forfeit else [*single.forfeits] or 0,
            [[ply, thought.short] for ply, thought in single.notes.thoughts],
            " ".join(str(self._worths.setdefault(text, len(self._worths))) for text in worths)
            if any(worths)
            else "",
            "".join("c" if mover == CHANCE else str(mover) for mover in movers)
            if has_movers
            else "",
            [*map(list, zip(*views, strict=True))],
            *([single.players, [*map(str, single.payoffs or ())]] if self._is_table else []),
        ]

    def _without(
        self, place: _PackedPosition, ply: int, departures: Sequence[Departure]
    ) -> _PackedPosition:
        """Return a place after the seats that leave the game there, if it goes on without them."""
        for _, seat in (each for each in departures if each[0] == ply):
            rest = place.position.without(seat)
            place = place if rest is None else _PackedPosition.of(rest, self._diagram)
        return place

    def _views(self, position: Position) -> list[int]:
        """Return the picture of what each seat knows, if there are secrets."""
        return [self._view(position.observation(seat)) for seat in self._seats]

    def _view(self, observation: Any) -> int:
        if observation not in self._seen:  # most games of a page begin alike
            self._seen[observation] = self._picture(observation.svg())
        return self._seen[observation]

    def _begin(self, place: _PackedPosition) -> int:
        if self._diagram is None:
            return self._picture(self._drawing(place.position))
        return self._begins.setdefault(place.cells, len(self._begins))

    def _step(self, before: _PackedPosition, move: int) -> tuple[_PackedPosition, str]:
        step = self._steps.get((before.position, move))
        if step is None:
            after = _PackedPosition.of(before.position.play(move), self._diagram)
            step = after, self._change(before, move, after)
            self._steps[before.position, move] = step
        return step

    def _change(self, before: _PackedPosition, move: int, after: _PackedPosition) -> str:
        """Return the squares with other letters, as ``4x,9_``, and ``@`` where the move went."""
        if self._diagram is None:
            return self._drawing(after.position, move)
        both = enumerate(zip(before.cells, after.cells, strict=True))
        changed = [(square, new) for square, (old, new) in both if old != new]
        squares = after.position.move_squares(move, is_played=True)
        text = ",".join(f"{square}{letter}" for square, letter in changed)
        if [square for square, _ in changed] == sorted(squares):
            return text
        return f"{text}@{','.join(map(str, squares))}"

    def _drawing(self, position: Position, last: int | None = None) -> str:
        return position.svg(last=last) if self._draws else position.picture()

    def _picture(self, picture: str) -> int:
        return self._pictures.setdefault(picture, len(self._pictures))


def _simple(position: Position) -> Diagram | None:
    """Return the board, if each of its squares has one letter that a change can name."""
    diagram = position.diagram()
    if diagram is None or any(len(c) != 1 or c in _SEPARATORS for c in diagram.cells):
        return None
    return diagram
