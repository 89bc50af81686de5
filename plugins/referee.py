"""Games that another program plays as a whole: ``referee:COMMAND`` and its kin.

``paid-referee:RANGE:COMMAND`` takes scores for payoffs. ``codingame:COMMAND`` is a referee with the
command line of CodinGame's.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from pathlib import Path
from shlex import join
from typing import NamedTuple

from arena.errors import GameFault, UsageError, quoted
from arena.game import Payoffs, as_seat
from arena.match.refereed import RefereedGame, Verdict
from arena.player import PlayerInfo
from arena.sandbox.settings import read_command
from arena.sandbox.shared_box import MAX_KEPT_BYTES, CannotRun, ProgramEnd, run_together
from arena.seats import MAX_SEATS

logger = logging.getLogger(__name__)

#: The most of its output that is read, in KiB.
MAX_OUTPUT = MAX_KEPT_BYTES >> 10

#: The most of a player's error output that the log shows, in characters.
MAX_LOGGED = 4000

#: A score: a decimal number of at most this many digits, which a float keeps apart.
MAX_SCORE_DIGITS = 15
_SCORE = r"([+-]?\d+(?:\.\d+)?)"
_IS_SCORE = re.compile(_SCORE, re.ASCII)
_FORFEIT = re.compile(r"ERR\s+(\d+)(?:\s+(.*))?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)

#: These words in a complaint say that a file was missing, which isolation may have hidden.
_MISSING = ("FileNotFoundError", "PermissionError", "ModuleNotFoundError", "No such file")

#: The least and the most payoff, before the command; the number of players, if it is not two.
_RANGE = re.compile(rf"{_SCORE}\.\.{_SCORE}:(.*)", re.ASCII)
_PLAYERS = re.compile(r"players=([^:]*)(?::(.*))?", re.ASCII)

#: Where the seed goes, in a command that says so.
SEED = "{seed}"


class Convention(NamedTuple):
    """How a referee is given the seed, and how its output is read.

    ``read`` gets the lines that are not blank and the number of seats. It raises ValueError for
    lines without a verdict.
    """

    seed_options: tuple[str, ...]
    read: Callable[[list[str], int], Verdict]
    #: Whether it takes the last line alone in a game for two.
    reads_last: bool


class CommandGame(RefereedGame):
    """The game of a referee that a command starts. Other content of its files is another version.

    Raises UsageError if there is no such program.
    """

    def __init__(
        self,
        name: str,
        command: str,
        convention: Convention,
        seats: int = 2,
        payoffs: Payoffs | None = None,
    ) -> None:
        super().__init__(name, seats, payoffs)
        self.convention = convention
        self.argv = read_command("game", name, command)
        files = [Path(word) for word in self.argv if os.path.isfile(word)]  # of any length
        digest = blake2b(digest_size=3)
        for file in files[1:] or files:  # of `python referee.py` not the interpreter
            digest.update(file.read_bytes())
        self.version = int.from_bytes(digest.digest(), "big")

    def referee(self, players: tuple[PlayerInfo, ...], seed: int) -> Verdict:
        """Run the referee once. Raises GameFault if it does not keep to the convention."""
        try:
            command = partial(self._command, seed, self.options(players))
            ended = run_together(command, players)
        except CannotRun as error:
            raise self._fault(str(error), seed) from error
        try:
            verdict = self._verdict(ended)
        except ValueError as error:
            problem = f"{error}{_last_output(ended.complaint, players[0].isolation)}"
            raise self._fault(problem, seed) from None
        for seat, reason in verdict.out:
            _log(players[seat], reason, ended.complaints[seat])
        return verdict

    def options(self, players: Sequence[PlayerInfo]) -> list[str]:
        """Return what else the command line says of a game of these players: nothing."""
        return []

    def _verdict(self, ended: ProgramEnd) -> Verdict:
        """Read how the referee ended. Raises ValueError if it has no verdict."""
        if ended.problem:
            raise ValueError(ended.problem)
        if ended.is_cut and not (self.seats == 2 and self.convention.reads_last):
            raise ValueError(f"it printed {MAX_OUTPUT} KiB or more, and arena reads all of it")
        # At "\n" alone: an answer that a referee prints may have what else ends a line for Python.
        lines = [line.strip() for line in ended.output.split("\n") if line.strip()]
        if not lines:
            raise ValueError("nothing printed")
        return self.convention.read(lines, self.seats)

    def _command(
        self, seed: int, options: Sequence[str], players: Sequence[Sequence[str]]
    ) -> list[str]:
        """Return the referee's command line for a game of players with these commands."""
        argv = [word.replace(SEED, str(seed)) for word in self.argv]
        for number, command in enumerate(players, start=1):
            argv += [f"-p{number}", join(command)]
        if list(self.argv) == argv[: len(self.argv)]:
            argv += [word.replace(SEED, str(seed)) for word in self.convention.seed_options]
        return [*argv, *options]

    def _fault(self, problem: str, seed: int) -> GameFault:
        return GameFault(f"the referee of {quoted(self.name)} failed with seed {seed}: {problem}")


def _log(player: PlayerInfo, reason: str, errors: str) -> None:
    """Log a forfeit with the player's error output.

    The result does not have that, because it may depend on how soon a player hears of the end.
    """
    output = f":\n{errors[-MAX_LOGGED:]}" if errors else ""
    fault = {"fault": f"{player.name} {reason}"}
    logger.info("%s forfeits (referee): %s%s", player.name, reason, output, extra=fault)


def _last_output(complaint: str, tier: str) -> str:
    """Return the last line of a referee's standard error, with what it may be about."""
    remark = f"; its last error output: {complaint[:200]!r}" if complaint else ""
    if tier == "process" or not any(word in complaint for word in _MISSING):
        return remark
    return f"{remark} (isolated, it reads only the files of the commands: see --readable)"


def read_verdict(lines: list[str], seats: int) -> Verdict:
    """Read the output of a referee: the scores are its last line.

    In a game for two, ``ERR 2 REASON`` in its place says that one forfeits. In a game for more,
    such lines stand anywhere before it. Raises ValueError that says what the last line is instead.
    """
    last = lines[-1]
    if seats == 2:
        if (forfeit := _forfeit_in(last, seats)) is not None:
            return Verdict(forfeits=as_seat(forfeit[0]), reason=forfeit[1])
        return Verdict(_scores_in(last, seats))
    forfeits: dict[int, str] = {}
    for line in lines[:-1]:
        if (forfeit := _forfeit_in(line, seats)) is not None:
            forfeits.setdefault(*forfeit)
    return _verdict(_scores_in(last, seats), forfeits)


def _verdict(scores: tuple[float, ...], forfeits: dict[int, str]) -> Verdict:
    if not forfeits:
        return Verdict(scores)
    (seat, reason), *later = [(as_seat(seat), reason) for seat, reason in forfeits.items()]
    return Verdict(scores, seat, reason, tuple(later))


def _forfeit_in(line: str, seats: int) -> tuple[int, str] | None:
    """Return the seat that a line says to forfeit, and why. None for another line.

    Raises ValueError for a line that begins so and names no seat.
    """
    if line.split(maxsplit=1)[0] != "ERR":
        return None
    match = _FORFEIT.fullmatch(line)
    if match is None:
        raise ValueError(f"it says {_short_line(line)!r}, not 'ERR 1 REASON'")
    if not 1 <= int(match[1][:3]) <= seats:
        raise ValueError(f"it says {_short_line(line)!r}, and there are players 1 to {seats}")
    return int(match[1]) - 1, (match[2] or "no reason given")[:200]


def _scores_in(line: str, seats: int) -> tuple[float, ...]:
    words = line.split()
    if len(words) != seats or not all(map(_IS_SCORE.fullmatch, words)):
        form = "'SCORE1 SCORE2' or 'ERR 1 REASON'" if seats == 2 else f"{seats} scores"
        raise ValueError(f"the last line is {_short_line(line)!r}, not {form}")
    return tuple(map(_number, words))


def _short_line(line: str) -> str:
    return line if len(line) <= 60 else f"{line[:59]}…"


def read_codingame(lines: list[str], seats: int) -> Verdict:
    """Read the output of a referee of CodinGame: a whole number a line, a score of each player.

    They are the first such lines, behind what else it says. A negative score is a forfeit. Raises
    ValueError if there are too few.
    """
    first = next((n for n, line in enumerate(lines) if _WHOLE.fullmatch(line)), len(lines))
    words = lines[first : first + seats]
    if len(words) < seats or not all(map(_WHOLE.fullmatch, words)):
        raise ValueError(f"it printed no {seats} lines in a row that each have a whole number")
    scores = tuple(map(_number, words))
    out = {seat: f"score {score}" for seat, score in enumerate(scores) if score < 0}
    if seats > 2:
        return _verdict(scores, out)
    if len(out) == 1:
        [(seat, reason)] = out.items()
        return Verdict(forfeits=as_seat(seat), reason=reason)
    return Verdict(scores)


def _number(text: str) -> float:
    if (digits := sum(map(str.isdigit, text))) > MAX_SCORE_DIGITS:
        raise ValueError(f"a score has at most {MAX_SCORE_DIGITS} digits, not {digits}")
    return float(text) if "." in text else int(text)


#: The convention of docs/referee.md, and that of the referees that follow the command line of
#: https://github.com/dreignier/cg-brutaltester.
USUAL_CONVENTION = Convention(("-s", SEED), read_verdict, reads_last=True)
CODINGAME_CONVENTION = Convention(("-d", f"seed={SEED}"), read_codingame, reads_last=False)


def refereed_game(text: str) -> CommandGame:
    """Return the game of a referee whose scores say who has won."""
    name = _printable(f"referee:{text}")
    seats, command = _seats_in(name, text)
    return CommandGame(name, command, USUAL_CONVENTION, seats)


def codingame_game(text: str) -> CommandGame:
    """Return the game of a referee of CodinGame."""
    name = _printable(f"codingame:{text}")
    seats, command = _seats_in(name, text)
    return CommandGame(name, command, CODINGAME_CONVENTION, seats)


def paid_game(text: str) -> CommandGame:
    """Return the game of a referee whose scores are payoffs, such as ``0..5:python3 pig.py``."""
    name = _printable(f"paid-referee:{text}")
    if (match := _RANGE.fullmatch(text)) is None:
        raise UsageError(
            f"game {quoted(name)} must be paid-referee:LEAST..MOST:COMMAND, as in"
            " 'paid-referee:0..5:python3 referee.py'"
        )
    seats, command = _seats_in(name, match[3])
    if not command.strip():
        raise UsageError(f"game {quoted(name)} names no program")
    try:
        least, most = (Fraction(str(_number(text))) for text in match.group(1, 2))
    except ValueError as error:
        raise UsageError(f"game {quoted(name)}: {error}") from None
    if least >= most:
        raise UsageError(f"game {quoted(name)}: the least payoff must be below the most")
    return CommandGame(name, command, USUAL_CONVENTION, seats, Payoffs(least, most, "points", None))


def _seats_in(name: str, text: str) -> tuple[int, str]:
    """Return the number of players that stands before a command, or two, and the command."""
    match = _PLAYERS.fullmatch(text)
    if match is None:
        return 2, text
    number, command = match[1], match[2] or ""
    if number not in map(str, range(2, MAX_SEATS + 1)):
        raise UsageError(f"game {quoted(name)}: players is a number from 2 to {MAX_SEATS}")
    if not command.strip():
        raise UsageError(f"game {quoted(name)} names no program")
    return int(number), command


def _printable(name: str) -> str:
    if not name.isprintable():
        raise UsageError(f"game {quoted(name)}: not all of the name can be printed")
    return name
