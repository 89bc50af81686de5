"""Hold the conversation about a game: answer each typed line. No input, no output."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Mapping

from arena.clock import now
from arena.errors import (
    ArenaError,
    CannotEnumerate,
    MoveError,
    Spoilt,
    UsageError,
    did_you_mean,
    quoted,
)
from arena.executors.base import ATTEMPTS
from arena.game import Position, Side
from arena.games.effort import scaled_budget
from arena.play.session import PERSON, RESIGNED, Session
from arena.proof import distribution, values
from arena.proof.explaining import Proved, Worth, worths

#: Positions to search for a hint in a game that is not small: a second or two.
BUDGET = 30_000

#: Columns of a terminal.
WIDTH = 80

#: Largest number of free moves in a message.
MAX_LISTED = 20

#: Commands with their help.
HELP = {
    "undo": "take your last move back, even when the game is over",
    "hint": "what every move is worth; win in 3 counts the moves of both sides",
    "board": "show the board again",
    "save FILE": "save the game; arena replay FILE shows it",
    "resign": "give the game up",
    "help": "this",
    "quit": "leave",
}


class Dialogue:
    """A session in words. ``save(file)`` writes the session's report to a file that the user names.

    ``hints`` shows the values of the moves at every turn of a human. ``verbose`` shows the
    position's text with every board, and what a player thinks with its move. ``proved`` tells what
    a certificate proves of a position.
    """

    def __init__(
        self,
        session: Session,
        save: Callable[[str, Session], None],
        *,
        hints: bool = False,
        verbose: bool = False,
        proved: Proved | None = None,
    ) -> None:
        self.session = session
        self._write, self._hints, self._verbose = save, hints, verbose
        self._proved = proved
        self._commands: dict[str, Callable[[str], str]] = {
            "undo": self._undo,
            "hint": self._hint,
            "board": self._board,
            "save": self._save,
            "resign": self._resign,
            "help": self._help,
            "quit": self._quit,
        }
        #: Whether the human wants to leave.
        self.has_left = False

    @property
    def prompt(self) -> str:
        """The text before a typed line."""
        session = self.session
        if session.record is not None:
            return "undo, save FILE, or Enter to leave> "
        if session.is_watched:
            return "Enter for the next move> "
        return f"{session.position.to_move.letter} to move> "

    def greeting(self) -> str:
        """Return the players, how to begin, and the board."""
        session = self.session
        first, second = (self._who(side) for side in Side)
        players = f"{session.game.name}: {first} against {second}"
        if not all(player is PERSON for player in session.players):
            players += f", seed {session.seed}"
        how = [] if session.is_watched else ["Type a move as it is on the board, or help."]
        return "\n".join([players, *how, self._state()])

    def let_play(self) -> str:
        """Have the player to move make its move. Raises Spoilt if the machine is too busy."""
        before, begun = self.session.position, now()
        self._have_played()
        took = now() - begun
        session = self.session
        if session.forfeit is not None:
            return self._state()
        said = f"{self._who(before.to_move)} plays {before.write_move(session.moves[-1])}"
        if not self._verbose:
            return f"{said}\n{self._state()}"
        # Timed before the thoughts: a player that caches its thoughts would seem to take no time.
        return "\n".join([*self._thoughts(before), f"{said} after {took:.2f} s", self._state()])

    def _have_played(self) -> None:
        # A turn that the machine voids is played again, as in a fight.
        for left in reversed(range(ATTEMPTS)):
            try:
                self.session.let_play()
            except Spoilt as spoilt:
                if not left:
                    raise
                try:
                    self.session = self.session.again(len(self.session.moves))
                except UsageError:  # it cannot repeat the game to its turn
                    raise spoilt from None
            else:
                return

    def answer(self, line: str) -> str:
        """Execute a typed line and return the text to show, perhaps empty."""
        word, _, rest = line.strip(" \t\r\n\ufeff").partition(" ")
        command = word.lower()
        if command not in self._commands:
            return self._move(word, rest) if word else self._enter()
        if rest and command != "save":
            return f"{command} stands alone, without {quoted(rest)}"
        try:
            return self._commands[command](rest.strip())
        except (ArenaError, OSError) as error:
            said = str(error) if isinstance(error, ArenaError) else error.strerror
            return f"{command}: {said}"

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
        return f"Type a move, such as {self._free(1)}, or help."

    def _move(self, word: str, rest: str) -> str:
        session = self.session
        if session.record is not None:
            return "The game is over: undo, save FILE, or Enter to leave."
        if session.is_watched:
            return f"{quoted(word)} is not a command{did_you_mean(word, self._commands)}; try help"
        text = f"{word} {rest}".strip()
        try:
            move = session.position.read_move(text)
        except MoveError:
            hint = did_you_mean(word, self._commands)
            if hint:
                return f"{quoted(text)} is not a command{hint}"
            return f"{quoted(text)} is not a move. Free: {self._free()}. Or type help."
        if move not in session.position.legal_moves():
            return f"{text} is not free. Free: {self._free()}."
        session.make(move)
        return self._state() if session.asks_person or session.record else ""

    def _undo(self, _rest: str) -> str:
        self.session = self.session.taken_back()
        return self._state()

    def _hint(self, _rest: str) -> str:
        return "The game is over." if self.session.record else "\n".join(self._values())

    def _board(self, _rest: str) -> str:
        return self._state()

    def _save(self, file: str) -> str:
        if not file:
            return "save where? For example: save game.json"
        self._write(file, self.session)
        return f"saved; arena replay {shlex.quote(file)} shows it"

    def _resign(self, _rest: str) -> str:
        if not self.session.asks_person:
            return "There is nothing to resign."
        self.session.resign()
        return self._verdict()

    def _help(self, _rest: str) -> str:
        moves = [] if self.session.is_watched else [("a move", "as it is on the board")]
        width = max(map(len, HELP))
        return "\n".join(f"{name:{width}}  {does}" for name, does in [*moves, *HELP.items()])

    def _quit(self, _rest: str) -> str:
        self.has_left = True
        return ""

    def _state(self) -> str:
        """Return the board, and its meaning for the human."""
        session = self.session
        lines = ["", session.position.picture(), ""]
        if self._verbose:
            lines.insert(0, f"position {session.position}")
        if session.record is not None:
            lines.append(self._verdict())
        elif self._hints and session.asks_person:
            lines += self._values()
        return "\n".join(lines)

    def _verdict(self) -> str:
        record = self.session.record
        assert record is not None
        winner = record.outcome.winner
        if winner is None:
            return "Draw."
        won = "You win." if self._is_you(winner) else f"{self._who(winner)} wins."
        forfeit = record.forfeit
        if forfeit is None:
            return won
        loser = self._who(forfeit.side)
        if forfeit.reason == RESIGNED:
            verb = "resign" if self._is_you(forfeit.side) else "resigns"
            return f"{loser[0].upper()}{loser[1:]} {verb}. {won}"
        return f"{won[:-1]}: {loser} forfeits ({forfeit.reason}): {forfeit.message}"

    def _who(self, side: Side) -> str:
        letter, names = side.letter, self.session.names
        if self._is_you(side):
            return f"you ({letter})"
        return letter if names[side] == letter else f"{names[side]} ({letter})"

    def _is_you(self, side: Side) -> bool:
        """Return whether the side is that of the only human."""
        players = self.session.players
        return players[side] is PERSON and players[side.other] is not PERSON

    def _free(self, most: int = MAX_LISTED) -> str:
        free = self.session.position.legal_moves()
        more = f" and {len(free) - most} more" if len(free) > most > 1 else ""
        return " ".join(map(self.session.position.write_move, free[:most])) + more

    def _values(self) -> list[str]:
        """Return the moves by their value, the best first."""
        budget = scaled_budget(BUDGET, self.session.game)
        found = worths(self.session.position, budget, self._proved)
        if all(worth is None for worth in found.values()):
            return ["The values of the moves are not known: the end is too far away."]
        ordered = sorted(found, key=lambda move: _preference(found[move]))
        return self._grouped(
            {
                move: "not known" if (worth := found[move]) is None else worth.text
                for move in ordered
            }
        )

    def _thoughts(self, position: Position) -> list[str]:
        """Return what the player thought in a position, as far as arena can enumerate it."""
        player = self.session.players[position.to_move]
        try:
            chances = distribution.distribution(player, position)
        except CannotEnumerate as error:
            return _wrapped(f"chances: {error}")
        known = values.move_values(position)
        labels = {
            move: f"chance {chance}" + (f", {values.describe(known[move])}" if known else "")
            for move, chance in sorted(chances.items(), key=lambda item: -item[1])
        }
        return self._grouped(labels)

    def _grouped(self, labels: Mapping[int, str]) -> list[str]:
        """Return a line for every label with the moves that have it."""
        groups: dict[str, list[str]] = {}
        for move, label in labels.items():
            groups.setdefault(label, []).append(self.session.game.format_move(move))
        return [
            line
            for label, moves in groups.items()
            for line in _wrapped(f"{label}: {' '.join(moves)}")
        ]


def _preference(worth: Worth | None) -> tuple[int, int]:
    """Sort quick wins first, then slow ones, draws, unknown values, slow losses, quick ones."""
    if worth is None:
        return 2, 0
    return {1: 0, 0: 1, -1: 3}[worth.sign], worth.sign * worth.plies


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH - 1, subsequent_indent="  ")
