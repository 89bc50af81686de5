"""Hold the conversation about a game: answer each typed line. No input, no output."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence

from arena.clock import now
from arena.errors import (
    ArenaError,
    CannotEnumerate,
    GameFault,
    MoveError,
    did_you_mean,
    quoted,
)
from arena.features.play.hints import Hint
from arena.features.play.session import Session
from arena.features.play.sitting import Sitting
from arena.features.play.words import MAX_MOVES_A_LINE, grouped, hinted, written
from arena.game import Position, Side
from arena.games.contract import move_of_text, picture_of
from arena.games.worth import describe
from arena.player.human import HUMAN
from arena.proof import distribution, values
from arena.records.commands import command_line, with_plugins
from arena.reports.screen import DEFAULT_WIDTH
from arena.seats import SEAT_LETTERS

#: The commands that are left when the game is over.
AFTER_THE_END = "again, undo, save FILE, or Enter to leave"

#: Commands with their help.
HELP = {
    "undo": "take your last move back, even when the game is over",
    "hint": "what every move is worth; win in 3 counts the moves of both sides",
    "board": "show the board again",
    "save FILE": "save the game; arena replay FILE shows it",
    "resign": "give the game up",
    "again": "when the game is over: play another with the sides swapped",
    "help": "this",
    "quit": "leave",
}

#: Letters that stand for one command although others begin with them too, and what is often typed.
SHORT_COMMANDS = {"h": "hint", "?": "help", "exit": "quit"}


#: Returns what is proved of a position beyond its hint, a line each.
Proofs = Callable[[Position, Hint], Iterable[str]]


def no_proofs(_position: Position, _hint: Hint) -> Iterable[str]:
    """Say nothing."""
    return ()


class Dialogue:
    """A sitting in words.

    ``save(file, session, over)`` writes the session's report to a file that the user names. Unless
    ``over`` it raises FileExistsError for a file that is there.
    ``hints`` shows the values of the moves at every turn of a human. ``verbose`` shows the
    position's text with every board, and what a player thinks with its move. ``proved`` returns
    what a certificate proves of a position beyond its hint, a line each.
    """

    def __init__(
        self,
        sitting: Sitting,
        save: Callable[[str, Session, bool], None],
        *,
        hints: bool = False,
        verbose: bool = False,
        proved: Proofs = no_proofs,
        plugins: Sequence[str] = (),
    ) -> None:
        self.sitting = sitting
        self._write, self._hints, self._verbose = save, hints, verbose
        self._proved, self._plugins = proved, plugins
        self._commands: dict[str, Callable[[str], str]] = {
            "undo": self._undo,
            "hint": self._hint,
            "board": self._board,
            "save": self._save,
            "resign": self._resign,
            "again": self._again,
            "help": self._help,
            "quit": self._quit,
        }
        #: The file that the human is asked about: whether to overwrite it.
        self._unconfirmed = ""
        #: Whether the human wants to leave.
        self.has_left = False
        #: The side whose view was shown last.
        self._viewer: Side | None = None

    @property
    def session(self) -> Session:
        """The game that is being played."""
        return self.sitting.session

    @property
    def must_pass(self) -> bool:
        """Whether the screen has to go to another human, who alone may see what comes."""
        session = self.session
        hides = session.record is None and session.position.has_secrets and self._viewer is not None
        return hides and len(session.people) > 1 and session.position.to_move != self._viewer

    @property
    def prompt(self) -> str:
        """The text before a typed line."""
        session = self.session
        if self._unconfirmed:
            return f"{quoted(self._unconfirmed)} exists: overwrite it? yes or no> "
        if session.record is not None:
            return f"{AFTER_THE_END}> "
        if session.is_watched:
            return "Enter for the next move> "
        letter = SEAT_LETTERS[session.position.to_move]
        if self.must_pass:
            return f"Give the screen to {letter}, then press Enter> "
        return f"{letter} to move> "

    def greeting(self) -> str:
        """Return the players, how to begin, and the board."""
        session = self.session
        first, *others = map(self.sitting.who, self.sitting.sides)
        players = f"{session.game.name}: {first} against {', '.join(others)}"
        if not all(player is HUMAN for player in session.players):
            players += f", seed {session.seed}"
        how = [] if session.is_watched else ["Type a move as it is on the board, or help."]
        return "\n".join([players, *how, self._state()])

    def let_play(self) -> str:
        """Make the move of the player to move. Raises VoidGame if the machine is too busy."""
        before, start, forfeits = self.session.position, now(), len(self.session.forfeits)
        self.sitting.let_play()
        seconds = now() - start
        session = self.session
        if len(session.forfeits) > forfeits:
            return self._gone()
        who, move = self.sitting.who(before.to_move), session.moves[-1 - len(session.drawn)]
        # What a human may know of a hidden move stands in its observation.
        did = "has moved" if before.has_secrets else f"plays {before.write_move(move)}"
        sentence = f"{who} {did}"
        if not self._verbose or session.game.features:
            return f"{sentence}\n{self._state()}"
        # Timed before the thoughts: a player that caches its thoughts would seem to take no time.
        return "\n".join(
            [*self._thoughts(before), f"{sentence} after {seconds:.2f} s", self._state()]
        )

    def answer(self, line: str) -> str:
        """Execute a typed line and return the text to show, perhaps empty."""
        text = line.strip(" \t\r\n\ufeff")
        if self._unconfirmed:
            file, self._unconfirmed = self._unconfirmed, ""
            if text.lower() in ("y", "yes"):
                return self._reply("save", lambda: self._saved(file, over=True))
            if text.lower() in ("", "n", "no"):
                return "not saved"
        if self.must_pass and self._command(text) != "quit":
            self._viewer = self.session.position.to_move
            return self._state()
        word, _, rest = text.partition(" ")
        command = self._command(word)
        if command is None:
            return self._move(word, rest) if word else self._enter()
        if rest and command != "save":
            return f"{command} stands alone, without {quoted(rest)}"
        return self._reply(command, lambda: self._commands[command](rest.strip()))

    def _command(self, word: str) -> str | None:
        """Return the command that a word means: its name, a short one, or the only one that begins
        so. A move goes first.
        """
        word = word.lower()
        if word in self._commands:
            return word
        if not word or self._reads(word):
            return None
        matches = [name for name in self._commands if name.startswith(word)]
        return SHORT_COMMANDS.get(word) or (matches[0] if len(matches) == 1 else None)

    def _reads(self, word: str) -> bool:
        """Return whether the word is a move here, legal or not."""
        try:
            move_of_text(self.session.position, word)
        except (MoveError, GameFault):
            return False
        return self.session.asks_person

    def _reply(self, command: str, act: Callable[[], str]) -> str:
        try:
            return act()
        except (ArenaError, OSError) as error:
            problem = str(error) if isinstance(error, ArenaError) else error.strerror
            return f"{command}: {problem}"

    def closing(self) -> str:
        """Return the last words to a human that leaves."""
        return "" if self.session.record is not None else "The game is left undecided."

    def _enter(self) -> str:
        session = self.session
        if session.record is not None:
            self.has_left = True
            return ""
        if session.is_watched:
            return self.let_play()
        return f"Type a move, such as {self._legal(1)}, or help."

    def _move(self, word: str, rest: str) -> str:
        session = self.session
        if session.record is not None:
            return f"The game is over: {AFTER_THE_END}."
        if session.is_watched:
            return f"{quoted(word)} is not a command{did_you_mean(word, self._commands)}; try help"
        text = f"{word} {rest}".strip()
        try:
            move = move_of_text(session.position, text)
        except MoveError:
            hint = did_you_mean(word, self._commands)
            if hint:
                return f"{quoted(text)} is not a command{hint}"
            return self._refused(f"{quoted(text)} is not a move", ". Or type help.")
        except GameFault as fault:
            return self._refused(f"{quoted(text)} is not a move: {fault}", ".")
        if move not in session.position.legal_moves():
            return self._refused(f"{text} is not legal here", ".")
        session.make(move)
        return self._state() if session.asks_person or session.record else self._luck()

    def _refused(self, why: str, end: str) -> str:
        """Say why a move cannot be made, and which ones can."""
        return "\n".join(_wrapped([f"{why}. Legal: {self._legal()}{end}"]))

    def _undo(self, _rest: str) -> str:
        self.sitting.undo()
        return self._state()

    def _again(self, _rest: str) -> str:
        self.sitting.rematch()
        return f"\n{self.greeting()}"

    def _hint(self, _rest: str) -> str:
        return "The game is over." if self.session.record else "\n".join(self._values())

    def _board(self, _rest: str) -> str:
        return self._state()

    def _save(self, file: str) -> str:
        if not file:
            return "save where? For example: save game.json"
        if self.session.record is None and self.session.position.has_secrets:
            return "save it when it is over: the file has what your side does not see"
        try:
            return self._saved(file)
        except FileExistsError:
            self._unconfirmed = file
            return ""

    def _saved(self, file: str, over: bool = False) -> str:
        self._write(file, self.session, over)
        return f"saved; {with_plugins(command_line('replay', file), self._plugins)} shows it"

    def _resign(self, _rest: str) -> str:
        if not self.session.asks_person:
            return "There is nothing to resign."
        self.sitting.resign()
        return self._gone() if len(self.session.players) > 2 else self._ending()

    def _gone(self) -> str:
        """Say who left the game, and how it stands. In a game for two the end says both."""
        session = self.session
        lines = [self.sitting.departure(session.forfeits[-1])] if len(session.players) > 2 else []
        return "\n".join([*lines, self._state()])

    def _help(self, _rest: str) -> str:
        moves = [] if self.session.is_watched else [("a move", "as it is on the board")]
        width = max(map(len, HELP))
        without = ("hint",) if self.session.game.features else ()
        commands = [(name, does) for name, does in HELP.items() if name not in without]
        return "\n".join(f"{name:{width}}  {does}" for name, does in [*moves, *commands])

    def _quit(self, _rest: str) -> str:
        self.has_left = True
        return ""

    def _state(self) -> str:
        """Return the board, and its meaning for the human."""
        session = self.session
        if self.must_pass:
            return ""
        seen, last = session.seen, session.moves[-1] if session.moves else None
        self._viewer = session.position.to_move
        lines = ["", picture_of(seen, last), ""]
        text = f"{'position' if isinstance(seen, Position) else 'observation'} {seen}"
        if luck := self._luck():
            lines.insert(0, luck)
        if self._verbose:
            lines.insert(0, text)
        if session.record is not None:
            lines.append(self._ending())
        elif self._hints and session.asks_person:
            lines += self._values()
        return "\n".join(lines)

    def _luck(self) -> str:
        """Say what chance has done, in a game that hides nothing."""
        session = self.session
        if session.position.has_secrets or not session.drawn:
            return ""
        return f"chance: {', '.join(map(session.game.format_move, session.drawn))}"

    def _ending(self) -> str:
        ending = [self.sitting.verdict(), self._paid(), self.sitting.standing()]
        return "\n".join(filter(None, ending))

    def _paid(self) -> str:
        """Say what a game paid that is over, in a game that pays."""
        session = self.session
        if session.record is None or not session.game.is_paid:
            return ""
        forfeit, game = session.forfeit, session.game
        paid = session.record.payoffs or session.position.payoffs()
        if game.seats == 2 and forfeit is not None:
            paid = game.forfeit_payoffs(forfeit.side)
        each = zip(self.sitting.sides, paid or (), strict=False)
        words = ", ".join(f"{self.sitting.who(side)} {payoff}" for side, payoff in each)
        return f"{game.payoffs.unit}: {words}"

    def _legal(self, most: int = MAX_MOVES_A_LINE) -> str:
        position = self.session.position
        return written(position, position.legal_moves(), most)

    def _values(self) -> list[str]:
        """Return the moves by their value, the best first, and what minimax would play."""
        position = self.session.position
        hint = self.sitting.hint()
        return _wrapped(hinted(position, hint)) + _wrapped(self._proved(position, hint))

    def _thoughts(self, position: Position) -> list[str]:
        """Return what the player thought in a position, as far as arena can enumerate it."""
        player = self.session.players[position.to_move]
        try:
            chances = distribution.distribution(player, position)
        except CannotEnumerate as error:
            return _wrapped([f"chances: {error}"])
        values_by_move = values.move_values(position)
        labels = {
            move: f"chance {chance}"
            + (f", {describe(values_by_move[move])}" if values_by_move else "")
            for move, chance in sorted(chances.items(), key=lambda item: -item[1])
        }
        return _wrapped(grouped(position, labels))


def _wrapped(lines: Iterable[str]) -> list[str]:
    wrapped = (textwrap.wrap(line, DEFAULT_WIDTH - 1, subsequent_indent="  ") for line in lines)
    return [line for lines in wrapped for line in lines]
