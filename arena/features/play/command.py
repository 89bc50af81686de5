"""``arena play``: people and players at one board, in the terminal or through a pipe."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout, suppress
from io import TextIOWrapper
from typing import TextIO

import arena
from arena import escape
from arena.cli.fields import add_fields, options_of, reader, shared
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, screen_of
from arena.cli.running import UNDECIDED
from arena.clock import sleep
from arena.errors import ArenaError, UsageError, quoted
from arena.features.play.dialogue import Dialogue, Proofs, no_proofs
from arena.features.play.hints import Hint
from arena.features.play.session import Session
from arena.features.play.words import proved_lines
from arena.game import Game, Position
from arena.games.board import MAX_SIDE
from arena.kinds import Number, Whole
from arena.player.human import HUMAN
from arena.plugin.catalogue import Catalogue
from arena.proof import progress

#: The opponent of a human who asks for a player and names none.
USUAL_OPPONENT = "minimax"

#: Positions that a solver looks at for the worth of a move: a second.
HINT_POSITIONS = 4_000_000

#: Characters of a line that are read; what is longer is several lines.
MAX_LINE = 1000


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help=f"your opponent; or all sides in the order of their first moves:"
        f" {HUMAN.name} is a person (default: people alone)",
    )
    parser.add_argument(
        "-a",
        "--ai",
        action="store_true",
        help=f"play against {USUAL_OPPONENT} if you name no PLAYER",
    )
    parser.add_argument(
        "--side",
        choices=("x", "o", "first", "second"),
        help="your side against one PLAYER: x, which moves first (the default), or o; or first and"
        " second, which mean the same",
    )
    add_fields(parser, shared("game"))
    parser.add_argument(
        "-k",
        dest="game",
        type=_game_of_size,
        metavar="N",
        help="short for --game tictactoe-N",
    )
    add_fields(parser, shared("seed"))
    parser.add_argument("--hints", action="store_true", help="show the value of each of your moves")
    parser.add_argument(
        "--certificate", metavar="FILE", help="add to hints what this certificate proves"
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="count",
        default=0,
        help="show every position as text, the chances of a player's moves and its time; -vv logs"
        " everything to standard error",
    )
    parser.add_argument(
        "--delay",
        type=reader(Number(0, 3600)),
        metavar="SECONDS",
        help="when you watch two players: wait this long after each move (default: until Enter in a"
        " terminal, otherwise 0)",
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help="print the finished game as table, markdown, csv or json; the conversation is then on"
        " standard error",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="save the finished game, for: arena replay FILE"
    )
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play. Return 0 when the game is over, by whatever end, 3 when it was left before."""
    names = _names(arguments, catalogue.game(arguments.game).seats)
    is_watched = HUMAN.name not in names
    if arguments.delay is not None and not is_watched:
        raise UsageError("--delay is for two players that a human watches")
    output = _output(arguments.format or "json", arguments.output, catalogue)
    stream = sys.stdout if arguments.format is None else None if is_watched else sys.stderr
    terminal = _Terminal(stream)

    def save(file: str, session: Session, over: bool) -> None:
        if not over and os.path.exists(file):
            raise FileExistsError(file)
        _output("json", file, catalogue).write(session.report())

    with redirect_stdout(sys.stderr):  # what players print is not a part of the conversation
        sitting = arena.plugin.sit(*names, catalogue=catalogue, **options_of(arguments))
        proved = _proofs(arguments.certificate, sitting.session.game, catalogue)
        shows = {"hints": arguments.hints, "verbose": arguments.verbose > 0, "proved": proved}
        dialogue = Dialogue(sitting, save, plugins=catalogue.files, **shows)
        stopped: BaseException | None = None
        try:
            _converse(dialogue, terminal, arguments.delay)
        except (ArenaError, KeyboardInterrupt) as error:
            terminal.end_line()
            stopped = error
    if arguments.output is not None or arguments.format is not None:
        output.write(dialogue.session.report())
    if stopped is not None:
        raise stopped
    return UNDECIDED if dialogue.session.record is None else 0


def _proofs(file: str | None, game: Game, catalogue: Catalogue) -> Proofs:
    """Return what says what the certificate in a file proves, and what a solver finds besides."""
    if file is None:
        return no_proofs
    from arena.features.certify.certificates import certified
    from arena.solver.values import Solver

    proved, solver = certified(file, game, catalogue).value, Solver(game, HINT_POSITIONS)

    def proofs(position: Position, hint: Hint) -> list[str]:
        with progress.display():
            return list(proved_lines(proved, solver, position, hint))

    return proofs


def _converse(dialogue: Dialogue, terminal: _Terminal, delay: float | None) -> None:
    """Play, and answer what is typed, until the user leaves."""
    asks = not dialogue.session.is_watched or (terminal.is_looked_at and delay is None)
    terminal.show(dialogue.greeting())
    while not dialogue.has_left:
        session = dialogue.session
        if asks and (session.record is not None or session.asks_person or session.is_watched):
            if dialogue.must_pass:
                terminal.clear()
            line = terminal.ask(dialogue.prompt)
            if line is None:
                break
            terminal.show(dialogue.answer(line))
        elif session.record is None:
            terminal.show(dialogue.let_play())
            sleep(delay or 0)
        else:
            break
    terminal.show(dialogue.closing())


class _Terminal:
    """The source of lines and the target of answers, or nowhere if that is None."""

    def __init__(self, out: TextIO | None) -> None:
        self._in, self._out = sys.stdin, out
        #: Whether a human types, and whether the same terminal shows what is answered.
        self.is_interactive = self._in is not None and self._in.isatty()
        self.is_looked_at = self.is_interactive and out is not None and out.isatty()
        if isinstance(self._in, TextIOWrapper):
            self._in.reconfigure(errors="replace")

    def show(self, text: str, end: str = "\n") -> None:
        """Print what there is to show."""
        if text and self._out is not None:
            text = screen_of(out=self._out).board(escape.block(text))
            print(text, end=end, file=self._out, flush=True)

    def clear(self) -> None:
        """Clear a screen with what it showed before, so that no human scrolls back to it."""
        if self.is_looked_at:
            print("\x1b[3J\x1b[2J\x1b[H", end="", file=self._out, flush=True)

    def ask(self, prompt: str) -> str | None:
        """Return the line that is typed, None when there are no more. Show one from a pipe."""
        if self._in is None:
            return None
        if self.is_looked_at:
            return self._edited(prompt)
        if self.is_interactive:
            self.show(prompt, end="")
        line = self._in.readline(MAX_LINE)
        if not line:
            self.end_line()
        elif not self.is_interactive:
            self.show(prompt + line.rstrip("\r\n"))
        return line or None

    def _edited(self, prompt: str) -> str | None:
        """Return the line that is typed and edited. Arrows up and down bring back earlier ones."""
        with suppress(ImportError):  # not every Python has it
            import readline

            readline.parse_and_bind("set enable-bracketed-paste off")
        with redirect_stdout(self._out):  # readline is for the terminal itself
            try:
                return input(escape.line(prompt)) + "\n"
            except EOFError:
                self.end_line()
                return None

    def end_line(self) -> None:
        """Leave the line of a prompt to which nothing was typed."""
        if self.is_interactive:
            self.show("\n", end="")


def _names(arguments: Namespace, seats: int) -> list[str]:
    """Return the players, that of the first side first. One alone has all sides but yours."""
    names: list[str] = arguments.players or [USUAL_OPPONENT if arguments.ai else HUMAN.name]
    if len(names) > seats:
        number = "two" if seats == 2 else seats
        raise UsageError(f"a game has {number} sides, and {quoted(names[seats])} is one more")
    if arguments.side is not None and (len(names) > 1 or seats > 2):
        raise UsageError(
            "--side is for one PLAYER: of two, the first that is named is x"
            if seats == 2
            else f"--side is for games of two: write {HUMAN.name} among the PLAYERs where you sit"
        )
    if len(names) == 1:
        names *= seats - 1
        return [*names, HUMAN.name] if arguments.side in ("o", "second") else [HUMAN.name, *names]
    if len(names) < seats:
        raise UsageError(f"{arguments.game} has {seats} sides: name one PLAYER, or one for each")
    return names


def _output(style: str, file: str | None, catalogue: Catalogue) -> Output:
    return Output(Namespace(format=style, output=file), catalogue)


def _game_of_size(text: str) -> str:
    return f"tictactoe-{reader(Whole(1, MAX_SIDE))(text)}"
