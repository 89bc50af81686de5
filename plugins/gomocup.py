"""Play with gomoku engines: ``gomocup:./pbrain-embryo`` at ``mnk-15-15-5``.

Lines of the protocol of the Gomocup tournament (Pisqpipe, Hostak 2002). Its free style rule is that
of m,n,k games: five or more in a row win. A square is ``column,row``, from 0 at the top left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from arena.errors import Forfeited, UsageError, quoted
from arena.game import Game, Side
from arena.player.clients import ENGINE_MEMORY, Client, Demand, Talk, Turn

#: Remarks that an engine may make at any time, besides its answer.
REMARKS = ("MESSAGE", "DEBUG", "SUGGEST", "UNKNOWN")

_SQUARE = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")


class Gomocup(Client):
    """Speaks with one process of a gomoku engine."""

    def __init__(self, options: Mapping[str, str]) -> None:
        if options:
            raise UsageError(f"gomocup takes no options, such as {quoted(next(iter(options)))}")
        self._history: tuple[int, ...] | None = None

    def demand(self) -> Demand:
        """Ask for the memory of an engine."""
        return Demand(ENGINE_MEMORY)

    def begin(self, talk: Talk, game: Game, side: Side, seed: int) -> None:
        """Note that the engine has to begin again."""
        self._history = None

    def choose(self, talk: Talk, turn: Turn) -> int:
        """Show the engine the board, or the opponent's move if it knows the rest."""
        if self._history is None:
            self._start(talk, turn)
        talk.say(f"INFO timeout_turn {int(1000 * turn.seconds)}")
        if self._history is not None and turn.moves[:-1] == self._history:
            talk.say(f"TURN {_square(turn.game, turn.moves[-1])}")
        elif turn.position.ply == 0:
            talk.say("BEGIN")
        else:
            talk.say("BOARD", *_stones(turn), "DONE")
        move = _move(turn.game, _answer(talk))
        self._history = (*turn.moves, move)
        return move

    def _start(self, talk: Talk, turn: Turn) -> None:
        """Tell the engine the size of the board. Raises Forfeited if it does not take it."""
        columns, rows = turn.game.columns, turn.game.rows
        talk.say(f"START {columns}" if columns == rows else f"RECTSTART {columns},{rows}")
        if (answer := _answer(talk)) != "OK":
            raise Forfeited("protocol", f"does not take the board: {quoted(answer)}")
        talk.say("INFO rule 0", "INFO game_type 1")


def _answer(talk: Talk) -> str:
    """Return the next line that is not a remark."""
    while (line := talk.hear().strip()).split(" ", 1)[0].upper() in ("", *REMARKS):
        pass
    return line


def _square(game: Game, move: int) -> str:
    row, column = divmod(move, game.columns)
    return f"{column},{row}"


def _move(game: Game, answer: str) -> int:
    """Return the move that ``column,row`` means. Raises Forfeited for another text."""
    match = _SQUARE.fullmatch(answer)
    if match is None:
        raise Forfeited("protocol", f"answered {quoted(answer)}, which is not a square")
    column, row = map(int, match.groups())
    if column >= game.columns or row >= game.rows:
        raise Forfeited("illegal", f"answered {quoted(answer)}, which is not on the board")
    return row * game.columns + column


def _stones(turn: Turn) -> list[str]:
    """Return every stone as ``column,row,whose``: 1 for the engine's own, 2 for the opponent's."""
    letter_of_engine = turn.side.letter
    return [
        f"{_square(turn.game, square)},{1 if letter == letter_of_engine else 2}"
        for square, letter in enumerate(str(turn.position))
        if letter != "_"
    ]
