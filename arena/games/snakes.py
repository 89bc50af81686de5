"""Snakes: two to eight snakes move at once on a grid, and the last one alive wins.

The source of the rules is https://docs.battlesnake.com/rules, the standard game. This game differs
from it in three things: the snakes begin on fixed squares, one piece of food for each snake lies on
squares that chance draws, and a game ends after 300 turns.

The seats choose in a row, and no seat sees a choice before the turn is over. The text of a position
has a word for each turn and for each event of chance: ``f5,7.f1,2.ud.n.l`` is food on two squares,
a turn of ``up`` and ``down``, no new food, and the first choice of the next turn. ``x1`` stands
where seat 1 left the game.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, numeral, quoted
from arena.game import (
    CHANCE,
    Observation,
    Outcome,
    Payoffs,
    Position,
    Side,
    as_seat,
    outcome_of,
)
from arena.games.sealed import SealedGame
from arena.games.snakes_rules import DELTAS, DIRECTIONS, MAX_TURNS, UP, SnakesBoard, start_board
from arena.seats import MAX_SEATS, SEAT_LETTERS

if TYPE_CHECKING:
    from arena.pictures.diagram import Diagram

#: The seats, columns and rows of the usual game, and the least and the most columns and rows.
USUAL = (4, 11, 11)
MIN_GRID, MAX_GRID = 5, 25

#: The kind of all games of snakes.
SNAKES = "snakes"

#: The move of chance that brings no food. The squares, row by row from the lowest, follow it.
NO_FOOD = 4
_FOOD = NO_FOOD + 1

#: The probability that food appears after a turn, while there is some on the board.
FOOD_SHARE = Fraction(15, 100)

#: The words of the moves but those of food, and the text of the position before the first move.
_WORDS = ("up", "down", "left", "right", "none")
_START = "start"

#: In place of a move: the seat leaves the game.
_LEAVES = -1

#: An event in a text, and a text of events.
_EVENT = r"[udlrn]|f\d{1,2},\d{1,2}|x\d"
_EVENTS, _PAST = re.compile(_EVENT, re.ASCII), re.compile(rf"(?:{_EVENT}|\.)*", re.ASCII)

_SEEN = re.compile(r"(\d): [^|]* history=(\S*) round=(\S*) \|(.*)", re.ASCII)

_RULES = """\
{seats} snakes live on a board of {columns} columns and {rows} rows. A square is written COLUMN,ROW,
from 0, and row 0 is the lowest. A snake begins with 3 squares in one place and 100 health. One food
for each snake lies on free squares at random. In each turn all snakes choose up, down, left or
right, and none sees a choice before all have chosen. Then each snake moves its head one square, its
body follows, and it loses 1 health. A head on food eats it: health is 100 again, and the snake is
one square longer, with its last square twice in its tail until it moves on. A snake without health
or beyond the edge is eliminated. After these, every snake is eliminated whose head is on a body
square that is not a head, its own or another's. Where heads meet, only a snake that is longer than
all others there survives. The squares of an eliminated snake are free. After each turn food appears
on a free square at random: with probability 15/100, or surely if there is none. The game ends when
one snake is left at most, or after {turns} turns. Each seat gets the share of the other snakes that
its own outlived. Snakes that are eliminated in the same turn share their places, and so do
survivors.

An observation is one line:
SEAT: turn=TURNS size=COLUMNSxROWS snake0=HEALTH:HEAD;...;TAIL snake1=out:TURN food=SQUARE;SQUARE
history=WORDS round=OWN | MOVES
There is a snake for each seat. history has words with dots between them. A word is a turn, with the
first letters of the moves by seat, or chance: n for no food, f5,7 for food on that square. x1 in it
says that seat 1 left the game. round has the seat's own choice in a turn that is not over."""


class _SnakesObservationFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: SnakesGame
    seat: int
    #: The state of the game, without the choices of a turn that is not over.
    board: SnakesBoard
    #: The turns that are over and the events of chance, as in the text of a position.
    past: str
    #: What the seat did and saw since: its own choice, and the seats that left the game.
    now: str = ""
    #: Whether the seat is to choose.
    is_to_move: bool = False


class SnakesView(_SnakesObservationFields, Observation):
    """The board, and all that a seat saw. A player needs ``board`` and ``seat``."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        """Return the four directions, or none while the seat is not to choose."""
        return DIRECTIONS if self.is_to_move else ()

    def picture(self) -> str:
        """Draw the board, with a line about each snake."""
        return self.board.picture()

    def diagram(self) -> Diagram:
        """Return the board."""
        return _diagram(self.board)

    def __hash__(self) -> int:
        return hash((self.seat, self.past, self.now, self.is_to_move))

    def __str__(self) -> str:
        board = self.board
        snakes = (
            f"snake{seat}={snake.health}:{_squares(snake.body)}"
            if snake.is_alive
            else f"snake{seat}=out:{snake.eliminated}"
            for seat, snake in enumerate(board.snakes)
        )
        state = f"turn={board.turn} size={board.columns}x{board.rows} {' '.join(snakes)}"
        events = f"food={_squares(board.food)} history={self.past} round={self.now}"
        moves = "".join(f" {_WORDS[move]}" for move in self.legal_moves())
        return f"{self.seat}: {state} {events} |{moves}"

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}>"


def _squares(squares: tuple[tuple[int, int], ...]) -> str:
    return ";".join(f"{column},{row}" for column, row in squares)


class _SnakesFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: SnakesGame
    board: SnakesBoard
    #: The turns that are over and the events of chance, as the text has them.
    past: str = ""
    #: The events since, each by its seat and its move, which is _LEAVES where the seat left.
    now: tuple[tuple[int, int], ...] = ()
    #: The seats that are still to choose in this turn.
    waiting: tuple[int, ...] = ()
    #: Whether chance moves. The game is over if it does not and no seat is waiting.
    is_luck: bool = False
    ply: int = 0


class SnakesPosition(_SnakesFields, Position):
    """The board, the choices of a turn that is not over, and all that happened before."""

    __slots__ = ()

    @property
    def to_move(self) -> Side:
        """The next seat that is alive, or chance before the first turn and after each."""
        if self.is_luck:
            return CHANCE
        number = self.waiting[0] if self.waiting else 0
        return as_seat(number, self.game.seats)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the four directions, or what chance may do."""
        if self.is_luck:
            return tuple(move for move, _ in self.chance_moves())
        return DIRECTIONS if self.waiting else ()

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return no food, where it may stay away, and food on every free square."""
        occupied = self.board.taken()
        free = [move for square, move in self.game.food_moves.items() if square not in occupied]
        if not free:
            return ((NO_FOOD, Fraction(1)),)
        if self._is_setup() or not self.board.food:
            share = Fraction(1, len(free))
            return tuple((move, share) for move in free)
        share = FOOD_SHARE / len(free)
        return (NO_FOOD, 1 - FOOD_SHARE), *((move, share) for move in free)

    def _is_setup(self) -> bool:
        """Return whether the food of the start is missing."""
        return self.board.turn == 0 and len(self.board.food) < self.game.seats

    def play(self, move: int) -> Self:
        """Return the position after a choice, which ends the turn if it is the last, or chance."""
        if move not in self.legal_moves():
            raise IllegalMove(
                f"move {quoted(self._written(move))} is not legal in {quoted(str(self))}"
            )
        if self.is_luck:
            return self._after_luck(move)
        game, board, past, now, (seat, *others), _, ply = self
        now, waiting = (*now, (seat, move)), tuple(others)
        position = type(self)(game, board, past, now, waiting, False, ply + 1)
        return position if waiting else position._after_turn()

    def _written(self, move: int) -> str:
        words = self.game.words
        return words[move] if type(move) is int and 0 <= move < len(words) else numeral(move)

    def _after_luck(self, move: int) -> Self:
        board = self.board if move == NO_FOOD else self.board.fed(self.game.squares[move - _FOOD])
        past = _joined(self.past, self._events() + self.game.letters[move])
        after = type(self)(self.game, board, past, ply=self.ply + 1)
        if after._is_setup():
            return after._replace(is_luck=True)
        return after._replace(waiting=board.alive)

    def _after_turn(self) -> Self:
        moves = dict(self.now)
        board = self.board.after({seat: to for seat, to in moves.items() if to != _LEAVES})
        past = _joined(self.past, self._events())
        return type(self)(self.game, board, past, is_luck=not board.is_over, ply=self.ply)

    def _events(self, seat: int | None = None) -> str:
        """Write the events of a turn that is not over, as a seat knows them, or all for None."""
        return "".join(
            f"x{mover}" if move == _LEAVES else self.game.letters[move]
            for mover, move in self.now
            if move == _LEAVES or seat in (None, mover)
        )

    def without(self, seat: int) -> Self:
        """Return the position after the snake of the seat is eliminated, at once.

        Its choice in this turn, if it made one, does not count. The turn is over if all others have
        chosen. A snake that is eliminated already, and a game that is over, stay as they are.
        """
        if not self.board.snakes[seat].is_alive or self.payoffs() is not None:
            return self
        board, now = self.board.without(seat), (*self.now, (seat, _LEAVES))
        if board.is_over:
            return self._replace(board=board, now=now, waiting=(), is_luck=False)
        waiting = tuple(other for other in self.waiting if other != seat)
        position = self._replace(board=board, now=now, waiting=waiting)
        return position if waiting or self.is_luck else position._after_turn()

    def observation(self, seat: int) -> SnakesView:
        """Return the board and what happened, without the others' choices in this turn."""
        is_mine = self.waiting[:1] == (seat,)
        return SnakesView(self.game, seat, self.board, self.past, self._events(seat), is_mine)

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the share of the other snakes that each outlived. Equal places share a point."""
        return None if self.waiting or self.is_luck else self.board.payoffs()

    def outcome(self) -> Outcome | None:
        """Return that the game is over, or of two seats the winner. None while it goes on."""
        return outcome_of(self.payoffs())

    def picture(self) -> str:
        """Draw the board, with a line about each snake."""
        return self.board.picture()

    def diagram(self) -> Diagram:
        """Return the board."""
        return _diagram(self.board)

    def move_squares(self, move: int, is_played: bool = False) -> tuple[int, ...]:
        """Return the square of the food, or the square where the snake to move goes.

        Nothing shows a choice that was made.
        """
        if move >= _FOOD:
            return (self.board.place(self.game.squares[move - _FOOD]),)
        if is_played or move == NO_FOOD or not self.waiting:
            return ()
        (column, row), (across, up) = self.board.snakes[self.waiting[0]].head, DELTAS[move]
        square = (column + across, row + up)
        return (self.board.place(square),) if self.board.has(square) else ()

    def history(self) -> tuple[int, ...] | None:
        """Return the moves from the start, or None if a seat has left the game."""
        events = _EVENTS.findall(_joined(self.past, self._events()))
        return None if any(event[0] == "x" for event in events) else self.game.moves_of(events)

    def __hash__(self) -> int:
        return hash((self.past, self.now))

    def __str__(self) -> str:
        return _joined(self.past, self._events()) or _START


def _joined(past: str, events: str) -> str:
    return f"{past}.{events}" if past and events else past or events


def _diagram(board: SnakesBoard) -> Diagram:
    """Return the board, with a line along each body."""
    from arena.pictures.diagram import Diagram

    across, down = range(board.columns), range(board.rows - 1, -1, -1)
    names, lines = (tuple(map(str, across)), tuple(map(str, down))), tuple(board.strokes())
    return Diagram(board.columns, board.rows, tuple(board.cells()), "marks", *names, lines)


class SnakesGame(SealedGame):
    """The rules of snakes on a board. Get a game from :func:`snakes_game`."""

    kinds = (SNAKES,)
    transposes = False

    def __init__(self, seats: int, columns: int, rows: int) -> None:
        size = f"-{columns}-{rows}" if (columns, rows) != USUAL[1:] else ""
        self.name = SNAKES if (seats, columns, rows) == USUAL else f"{SNAKES}-{seats}{size}"
        self.seats, self.columns, self.rows = seats, columns, rows
        self.payoffs = Payoffs(0, 1, "points", Fraction(seats, 2))
        self.max_plies = seats + MAX_TURNS * (seats + 1)
        self.rules = _RULES.format(seats=seats, columns=columns, rows=rows, turns=MAX_TURNS)
        #: The squares row by row, and the move of chance that puts food on each.
        self.squares = tuple((column, row) for row in range(rows) for column in range(columns))
        self.food_moves = {square: _FOOD + i for i, square in enumerate(self.squares)}
        foods = tuple(f"f{column},{row}" for column, row in self.squares)
        #: The words of the moves, and how a position's text writes them.
        self.words = (*_WORDS, *foods)
        self.letters = (*(word[0] for word in _WORDS), *foods)
        self._moves = {word: move for move, word in enumerate(self.words)}
        self._by_letter = {word: move for move, word in enumerate(self.letters)}
        board = start_board(seats, columns, rows)
        self._start = SnakesPosition(self, board, is_luck=True)
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"{self.seats} snakes are on a grid of {self.columns} columns and {self.rows} rows. In"
            " each turn all move at once by one square: up, down, left or right. A snake has 3"
            " squares at the start and a health of 100, of which each turn takes 1. Food gives the"
            " whole health back and makes the snake one square longer. A snake is out when it has"
            " no health, leaves the grid, or its head meets a body, its own too. Where heads meet,"
            " all are out but one that is longer than all the others. Food comes on squares that"
            f" chance draws. The game ends when one snake is left at most, or after {MAX_TURNS}"
            " turns. Each player gets the share of the other snakes that its own outlived, and half"
            " of one that ended with it. A square is its column and its row, and 0,0 is at the"
            " bottom left. A picture shows the snakes of the players, from the first on, as"
            f" {', '.join(SEAT_LETTERS[: self.seats])}, heads as capitals, and food as *. A text"
            " counts the snakes from 0."
        )

    def start(self) -> SnakesPosition:
        """Return the position before chance places the food."""
        return self._start

    def parse(self, text: str) -> SnakesPosition:
        """Read a position, such as ``start`` or ``f5,7.f1,2.ud.n``."""
        position = self._read("" if text == _START else text)
        if str(position) != text:
            raise PositionError(f"position {quoted(text)} is written {quoted(str(position))}")
        return position

    def parse_observation(self, text: str) -> SnakesView:
        """Read what a seat knows, as :attr:`rules` describes it."""
        match = _SEEN.fullmatch(text)
        if match is None or int(match[1]) >= self.seats:
            raise PositionError(
                f"observation {quoted(text)} is not like {quoted(str(self._start.observation(0)))}"
            )
        seat, past, now = int(match[1]), match[2], match[3]
        position = _with_events(self._read(past), seat, now)
        if match[4]:
            position = _until(position, seat)
        if str(seen := position.observation(seat)) != text:
            raise PositionError(f"observation {quoted(text)} is written {quoted(str(seen))}")
        return seen

    def _read(self, text: str) -> SnakesPosition:
        """Return the position after these events, from the last one if it is the beginning."""
        before = _last_read.get(self, self._start)
        if not f"{text}.".startswith(f"{before.past}."):
            before = self._start
        events = text[len(before.past) :]
        if not _PAST.fullmatch(events):
            raise PositionError(f"position {quoted(text)} is not like 'f5,7.f1,2.ud.n.l'")
        position = _with_events(before, None, events)
        if not position.now:
            _last_read[self] = position
        return position

    def moves_of(self, events: list[str]) -> tuple[int, ...]:
        """Return the moves of events as the text of a position has them."""
        return tuple(self._by_letter[event] for event in events)

    def format_move(self, move: int) -> str:
        """Return the word of the move: a direction, ``none`` or ``f5,7``."""
        return self.words[move]

    def parse_move(self, text: str) -> int:
        """Return the move of a word."""
        if (move := self._moves.get(text)) is None:
            raise MoveError(f"move {quoted(text)} is not one of {', '.join(_WORDS)}, f0,0, …")
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        return snakes_game, (self.seats, self.columns, self.rows)


#: The position without hidden choices that each game read last: a text mostly goes on from it.
_last_read: dict[SnakesGame, SnakesPosition] = {}


def _with_events(position: SnakesPosition, seat: int | None, text: str) -> SnakesPosition:
    """Return the position after the events of a text.

    They are all events for None, or those that a seat knows of a turn that is not over. The choices
    of the others before it can then be any.
    """
    game = position.game
    try:
        for event in _EVENTS.findall(text):
            if event[0] == "x":
                position = position.without(int(event[1]))
                continue
            if seat is not None:
                position = _until(position, seat)
            position = position.play(*game.moves_of([event]))
    except (IllegalMove, KeyError) as error:
        raise PositionError(f"a position of {game.name}: {error}") from None
    except IndexError:
        raise PositionError(f"a position of {game.name} has seats 0 to {game.seats - 1}") from None
    return position


def _until(position: SnakesPosition, seat: int) -> SnakesPosition:
    """Return the position in which the seat is to choose, after any choices of those before it."""
    if seat not in position.waiting:
        raise PositionError(f"seat {seat} is not to choose after {quoted(str(position))}")
    while position.waiting[0] != seat:
        position = position.play(UP)
    return position


def snakes_game(seats: int = USUAL[0], columns: int = USUAL[1], rows: int = USUAL[2]) -> SnakesGame:
    """Return snakes for this number of seats on a board of this size.

    >>> position = snakes_game(2, 5, 5).parse("f0,4.f2,2.u")
    >>> position.observation(0).now, position.observation(1).now
    ('u', '')
    """
    for what, number, least, most in (
        ("seats", seats, 2, MAX_SEATS),
        ("columns", columns, MIN_GRID, MAX_GRID),
        ("rows", rows, MIN_GRID, MAX_GRID),
    ):
        if not least <= number <= most:
            raise UsageError(f"snakes with {number} {what}: must be {least} to {most}")
    return _snakes_game(seats, columns, rows)


@cache  # of all three numbers: each game is one object, however it is asked for
def _snakes_game(seats: int, columns: int, rows: int) -> SnakesGame:
    return SnakesGame(seats, columns, rows)
