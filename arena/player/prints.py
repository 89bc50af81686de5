"""Keep what players print, by game and move, and away from arena's own output.

While games are played, an object of this module stands for standard output and standard error of
the process: that is for players that play here. Proxies of isolated players add what came through
the pipes. Prints of a player before it is asked for a move, when a game begins or while it
observes, belong to its next move. Arena does not keep what its file prints when it is loaded. What
language models were asked for their moves, and what they answered, is kept in the same way.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TextIO

from arena.errors import Abandoned
from arena.records.completions import Completion
from arena.records.prints import Printed

#: Most characters that are kept of what a player prints for one move, and of a whole game.
MAX_MOVE_PRINTS = 2_000
MAX_GAME_PRINTS = 8_000


class PrintedPiece(NamedTuple):
    """A text that a player printed: the start of it, and how long it was."""

    text: str = ""
    #: How often it has the end of a line.
    ends: int = 0
    #: Whether it ends in mid-line.
    is_open: bool = False
    is_cut: bool = False

    def __bool__(self) -> bool:
        return bool(self.text or self.ends)

    def plus(self, more: PrintedPiece) -> PrintedPiece:
        """Return both, one after the other."""
        room = MAX_MOVE_PRINTS - len(self.text)
        is_cut = self.is_cut or more.is_cut or len(more.text) > room
        text, ends = self.text + more.text[:room], self.ends + more.ends
        return PrintedPiece(text, ends, more.is_open, is_cut)


NO_PRINTS = PrintedPiece()


def printed_text(text: str) -> PrintedPiece:
    """Return a text as printed at once."""
    return PrintedPiece(
        text[:MAX_MOVE_PRINTS],
        text.count("\n"),
        not text.endswith("\n"),
        len(text) > MAX_MOVE_PRINTS,
    )


class Prints(io.TextIOBase):
    """The prints of one game's players: a stream that they write to, and the texts it keeps."""

    __slots__ = ("is_due", "is_used", "records")  # which are looked at again and again

    def __init__(self, programs: bool = False) -> None:
        #: Whether to keep what programs write to standard error. They may do so at any time, so it
        #: is only kept of a game that is replayed alone.
        self.programs = programs
        #: Where arena writes what it has to say itself.
        self.outside: TextIO = sys.stderr
        self.begin()

    def begin(self) -> None:
        """Forget the game before."""
        self.records: list[Printed] = []
        #: What language models were asked, by seat and move, and what for the move that is due.
        self.completions: list[tuple[int, int, Completion]] = []
        self._due_completions: list[Completion] = []
        #: The last print.
        self.waiting = NO_PRINTS
        #: Whether there is anything that no player is charged with yet: asked at every move.
        self.is_due = False
        #: Whether anything was printed at all.
        self.is_used = False
        self._held: dict[int, PrintedPiece] = {}
        self._room = MAX_GAME_PRINTS

    def writable(self) -> bool:
        """Return True: one can write."""
        return True

    def write(self, text: str) -> int:
        """Take a text of a player in this process. Raises TypeError for anything else."""
        plain = str.__str__(text)  # a subclass may do anything when it is cut
        if plain:
            self.add(printed_text(plain))
        return len(plain)

    def close(self) -> None:
        """Stay open: the other player prints here, too."""

    def add(self, more: PrintedPiece) -> None:
        """Take what an isolated player printed."""
        self.waiting = self.waiting.plus(more)
        self.is_due = self.is_used = True

    def ask(self, completion: Completion) -> None:
        """Take what a language model was asked for the move that is due."""
        self._due_completions.append(completion)
        self.is_due = self.is_used = True

    def hold(self, side: int) -> None:
        """Keep what waits for the next move of that side."""
        self._held[side] = self._held.get(side, NO_PRINTS).plus(self.waiting)
        self.waiting = NO_PRINTS

    def take(self, side: int, ply: int) -> None:
        """Charge a side with what waits, when it was asked for its move after this many."""
        self.completions += [(side, ply, each) for each in self._due_completions]
        self._due_completions = []
        prints = self._held.pop(side, NO_PRINTS).plus(self.waiting)
        self.waiting = NO_PRINTS
        self.is_due = any(self._held.values())
        if prints:
            text = prints.text[: self._room]
            self._room -= len(text)
            is_cut = prints.is_cut or len(text) < len(prints.text)
            self.records.append(Printed(side, ply, text, prints.ends + prints.is_open, is_cut))


#: Standard input of players.
_EMPTY: TextIO = io.StringIO()

#: The taker of the prints of the games that this process plays; None when it plays none.
_current: Prints | None = None


class PrintCapture:
    """Has what isolated players print taken by an object. Games are played meanwhile."""

    def __init__(self, prints: Prints) -> None:
        self._prints = prints
        self._before: Prints | None = None

    def __enter__(self) -> Prints:
        global _current
        self._before, _current = _current, self._prints
        return self._prints

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        global _current
        if kind is not Abandoned:  # then it has been given to others
            _current = self._before


class LocalPrintCapture(PrintCapture):
    """Has what players of this process print taken as well. They read nothing meanwhile.

    So a debugger that a player starts ends at once: its words would not be seen.
    """

    def __init__(self, prints: Prints | None = None) -> None:
        super().__init__(prints or Prints())

    def __enter__(self) -> Prints:
        self._streams = sys.stdin, sys.stdout, sys.stderr
        if sys.stderr is not self._prints:
            self._prints.outside = sys.stderr
        try:
            sys.stdin, sys.stdout, sys.stderr = _EMPTY, self._prints, self._prints
            return super().__enter__()
        except BaseException:  # Ctrl-C: what is not entered is not left
            self.__exit__()
            raise

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        try:
            super().__exit__(kind)
        finally:
            if kind is not Abandoned:
                sys.stdin, sys.stdout, sys.stderr = self._streams


class StreamOwner(NamedTuple):
    """The owner of the standard streams of the process, which takes what isolated players print."""

    streams: tuple[TextIO, TextIO, TextIO]
    prints: Prints | None


def replace_standing(standing: StreamOwner | None) -> StreamOwner:
    """Give the streams and the prints to others, or to no other. Return who had them."""
    global _current
    before = StreamOwner((sys.stdin, sys.stdout, sys.stderr), _current)
    if standing is not None:
        (sys.stdin, sys.stdout, sys.stderr), _current = standing
    return before


def hear(more: PrintedPiece, is_program: bool = False) -> None:
    """Take what an isolated player printed, in a game."""
    if more and _current is not None and (_current.programs or not is_program):
        _current.add(more)


def hear_completion(completion: Completion) -> None:
    """Take what a language model was asked in a game, and its answer."""
    if _current is not None:
        _current.ask(completion)


@contextmanager
def aside() -> Iterator[None]:
    """Let arena itself write in a turn of a player, to where it writes outside of one.

    Nothing may wait meanwhile.
    """
    before = sys.stderr
    while isinstance(sys.stderr, Prints):
        sys.stderr = sys.stderr.outside
    try:
        yield
    finally:
        sys.stderr = before


@contextmanager
def unheard() -> Iterator[None]:
    """Forget what is printed meanwhile."""
    before = None if _current is None else _current.waiting
    try:
        yield
    finally:
        if _current is not None and before is not None:
            _current.waiting = before
