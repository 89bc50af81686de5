"""Games that another program plays as a whole: ``referee:COMMAND``, and ``paid-referee:RANGE``."""

from __future__ import annotations

import re
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from shlex import join

from arena.errors import GameFault, UsageError, quoted
from arena.game import Game, Payoffs, Side
from arena.match.refereed import RefereedGame, Verdict
from arena.player import PlayerInfo
from arena.sandbox.settings import read_command

#: A score: a decimal number of at most this many digits, which a float keeps apart.
MAX_SCORE_DIGITS = 15
_SCORE = r"([+-]?\d+(?:\.\d+)?)"
_SCORES = re.compile(rf"{_SCORE}\s+{_SCORE}", re.ASCII)
_FORFEIT = re.compile(r"ERR\s+([12])(?:\s+(.*))?", re.ASCII)

#: These words in a complaint say that a file was missing, which isolation may have hidden.
_MISSING = ("FileNotFoundError", "PermissionError", "ModuleNotFoundError", "No such file")

#: The least and the most payoff, before the command.
_RANGE = re.compile(rf"{_SCORE}\.\.{_SCORE}:(.*)", re.ASCII)


class CommandGame(RefereedGame):
    """The game of a referee that a command starts. Other content of its files is another version.

    Raises UsageError if there is no such program.
    """

    def __init__(self, name: str, command: str, payoffs: Payoffs = Game.payoffs) -> None:
        super().__init__(name)
        self.payoffs = payoffs
        self.argv = read_command("game", name, command)
        files = [Path(word) for word in self.argv if Path(word).is_file()]
        digest = blake2b(digest_size=3)
        for file in files[1:] or files:  # of `python referee.py` not the interpreter
            digest.update(file.read_bytes())
        self.version = int.from_bytes(digest.digest(), "big")

    def referee(self, players: tuple[PlayerInfo, PlayerInfo], seed: int) -> Verdict:
        """Run the referee once. Raises GameFault if it does not keep to the convention."""
        from arena.sandbox.shared_box import CannotRun, run_together  # not to list the games

        commands = [join(player.command) for player in players]
        options = ["-p1", commands[0], "-p2", commands[1], "-s", str(seed)]
        try:
            ended = run_together([*self.argv, *options], players)
            if ended.problem:
                raise ValueError(ended.problem)
            return read_verdict(ended.answer)
        except CannotRun as error:
            raise self._fault(str(error), seed) from error
        except ValueError as error:
            problem = f"{error}{_last_output(ended.complaint, players[0].isolation)}"
            raise self._fault(problem, seed) from None

    def _fault(self, problem: str, seed: int) -> GameFault:
        return GameFault(f"the referee of {quoted(self.name)} failed with -s {seed}: {problem}")


def _last_output(complaint: str, tier: str) -> str:
    """Return the last line of a referee's standard error, with what it may be about."""
    remark = f"; its last error output: {complaint[:200]!r}" if complaint else ""
    if tier == "process" or not any(word in complaint for word in _MISSING):
        return remark
    return f"{remark} (isolated, it reads only the files of the commands: see --readable)"


def read_verdict(line: str) -> Verdict:
    """Read the last line of a referee. Raises ValueError that says what it is instead."""
    if not line:
        raise ValueError("nothing printed")
    if forfeit := _FORFEIT.fullmatch(line):
        side, reason = forfeit.groups()
        return Verdict(forfeits=Side(int(side) - 1), reason=(reason or "no reason given")[:200])
    scores = _SCORES.fullmatch(line)
    if scores is None:
        shown = line if len(line) <= 60 else f"{line[:59]}…"
        raise ValueError(f"the last line is {shown!r}, not 'SCORE1 SCORE2' or 'ERR 1 REASON'")
    first, second = map(_number, scores.groups())
    return Verdict((first, second))


def _number(text: str) -> float:
    if sum(map(str.isdigit, text)) > MAX_SCORE_DIGITS:
        raise ValueError(f"a score has at most {MAX_SCORE_DIGITS} digits, not {len(text)}")
    return float(text) if "." in text else int(text)


def refereed_game(command: str) -> CommandGame:
    """Return the game of a referee whose scores say who has won."""
    return CommandGame(_printable(f"referee:{command}"), command)


def paid_game(text: str) -> CommandGame:
    """Return the game of a referee whose scores are payoffs, such as ``0..5:python3 pig.py``."""
    name = _printable(f"paid-referee:{text}")
    if (match := _RANGE.fullmatch(text)) is None:
        raise UsageError(
            f"game {quoted(name)} must be paid-referee:LEAST..MOST:COMMAND, as in"
            " 'paid-referee:0..5:python3 referee.py'"
        )
    if not match[3].strip():
        raise UsageError(f"game {quoted(name)} names no program")
    try:
        least, most = (Fraction(str(_number(text))) for text in match.group(1, 2))
    except ValueError as error:
        raise UsageError(f"game {quoted(name)}: {error}") from None
    if least >= most:
        raise UsageError(f"game {quoted(name)}: the least payoff must be below the most")
    return CommandGame(name, match[3], Payoffs(least, most, "points", None))


def _printable(name: str) -> str:
    if not name.isprintable():
        raise UsageError(f"game {quoted(name)}: not all of the name can be printed")
    return name
