"""Play with chess engines: ``uci:stockfish``, ``uci,nodes=1000,Hash=16:stockfish``.

The Universal Chess Interface (Huber and Meyer-Kahlen, 2000) is a conversation in lines of text. The
options ``nodes``, ``depth`` and ``movetime`` (milliseconds) are limits of ``go``. Every other one
must be an option that the engine declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, cast

from arena.errors import Forfeited, UsageError, did_you_mean, quoted
from arena.game import Game, Position, Side
from arena.player.clients import ENGINE_MEMORY, Client, Demand, ProtocolStep, Talk, Turn
from arena.player.clocks import Clocks
from arena.records.thoughts import Thought

if TYPE_CHECKING:
    from arena.plugins.openspiel.position import OpenSpielPosition

#: The limits of a move, which ``go`` takes.
_LIMITS = ("nodes", "depth", "movetime")

#: Most digits of a limit.
MAX_LIMIT_DIGITS = 12

#: The part of its time that an engine is told to use if nothing limits it: it answers in time.
SHARE = 0.9

#: MiB of memory for each of its threads.
THREAD_MEMORY = 64

#: The game whose starts have the rooks anywhere, and a variant of OpenSpiel's.
_CHESS960, _CRAZYHOUSE = "chess960", "openspiel:crazyhouse"

#: The option, and its value, by which an engine plays a game.
_GAME_OPTIONS = {_CHESS960: ("UCI_Chess960", "true"), _CRAZYHOUSE: ("UCI_Variant", "crazyhouse")}

#: The fields of FEN; a position's text may have more.
FEN = 6

#: The options that change nothing in arena's games, with their value, and the reason.
WITHOUT_EFFECT = {
    ("ponder", "true"): "arena stops an engine while its opponent thinks",
    ("uci_chess960", "true"): "arena sets it in games of chess960",
}

#: Most moves that arena keeps of the line that an engine expects, and how one may be written.
MAX_PV_MOVES = 12
_MOVE_OF_PV = re.compile(r"[A-Za-z0-9@]{1,8}", re.ASCII)

#: Of so many moves at most arena remembers what an engine said in one search.
MAX_MOVES = 300

#: The answers of an engine that has no move.
NO_MOVE = ("(none)", "0000", "NULL")


@dataclass(frozen=True)
class UciOption:
    """An option that an engine declares."""

    name: str
    kind: str
    least: float = -inf
    most: float = inf
    words: tuple[str, ...] = ()

    def problem(self, value: str) -> str:
        """Return why the option cannot have the value. The result is empty if it can."""
        if self.kind == "check":
            return "" if value in ("true", "false") else "must be true or false"
        if self.kind == "combo":
            return "" if value in self.words else f"must be {' or '.join(self.words)}"
        if self.kind == "button":
            return "takes no value" if value else ""
        if self.kind != "spin":
            return ""
        number = _whole(value)
        if number is not None and self.least <= number <= self.most:
            return ""
        return f"must be a whole number from {self.least:.0f} to {self.most:.0f}"


class Uci(Client):
    """Speaks with one process of a chess engine."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._limits = {name: options[name] for name in _LIMITS if name in options}
        for name, value in self._limits.items():
            is_number = value.isascii() and value.isdigit() and len(value) <= MAX_LIMIT_DIGITS
            if not (is_number and int(value)):  # an engine searches without end by 0
                raise UsageError(f"{name} must be a whole number from 1, not {quoted(value)}")
        self._options = {key: value for key, value in options.items() if key not in _LIMITS}
        self._is_new = True
        #: What the engine says of itself: its author and its options.
        self._author = ""
        self._option_lines: list[str] = []
        #: Lines of options that the game needs.
        self._game_options: list[str] = []

    def demand(self) -> Demand:
        """Ask for memory by the user's ``Hash`` and ``Threads``."""
        values = {name.lower(): _whole(value) for name, value in self._options.items()}
        hash_size, threads = max(0, values.get("hash") or 0), max(1, values.get("threads") or 1)
        return Demand(ENGINE_MEMORY + hash_size + THREAD_MEMORY * threads, threads)

    def greet(self, talk: Talk) -> None:
        """Learn which options the engine declares, and set the user's."""
        talk.say("uci")
        declared = self._declared = {option.name.lower(): option for option in self._read(talk)}
        _require_effect(self._options)
        for name, value in self._options.items():
            talk.say(_setting(declared, name, value))
        _sync(talk)

    def begin(self, talk: Talk, game: Game, side: Side, seed: int) -> None:
        """Note that the engine should forget the last game.

        Raises UsageError if the engine does not declare the option that the game needs.
        """
        self._is_new = True
        if game.name in _GAME_OPTIONS:
            try:
                self._game_options = [_setting(self._declared, *_GAME_OPTIONS[game.name])]
            except UsageError as error:
                raise UsageError(f"it does not play {game.name}: {error}") from error

    def choose(self, talk: Talk, turn: Turn) -> int:
        """Show the engine the position, and wait for its move."""
        if self._is_new:
            talk.say(*self._game_options, "ucinewgame")
            self._is_new = False
        _sync(talk, _position(turn), f"go {self._go(turn)}")
        move, thought = _best_move(talk)
        if thought is not None:
            talk.note(thought)
        if turn.game.name == _CRAZYHOUSE:
            from arena.plugins.openspiel import engine_moves

            return engine_moves.read(cast("OpenSpielPosition", turn.position), move)
        return turn.game.parse_move(move)

    def steps(self, game: Game) -> Iterable[ProtocolStep]:
        """Return the steps of a walk through the protocol with an engine that plays chess."""
        if game.name != "chess":
            return ()
        from arena.plugins.uci_walk import steps  # games take no such walk

        return steps(game, self.version, self._author, self._option_lines)

    def _read(self, talk: Talk) -> Iterator[UciOption]:
        """Yield the options that an engine declares, up to its ``uciok``. Note its name."""
        while (line := talk.hear().strip()) != "uciok":
            if line.startswith("id name "):
                self.version = line.removeprefix("id name ").strip()
            if line.startswith("id author "):
                self._author = line.removeprefix("id author ").strip()
            if line.startswith("option name "):
                self._option_lines.append(line)
                yield _option(line.removeprefix("option name "))

    def _go(self, turn: Turn) -> str:
        """Return the limits of the engine's search: the user's, the clocks, or the move's."""
        limits = dict(self._limits)
        if turn.clocks is not None:
            limits |= _times(turn.clocks, turn.side)
        elif not limits:
            limits["movetime"] = str(max(1, int(1000 * SHARE * turn.seconds)))
        return " ".join(f"{name} {value}" for name, value in limits.items())


def _option(text: str) -> UciOption:
    """Read ``Skill Level type spin default 20 min 0 max 20``."""
    name, _, rest = text.partition(" type ")
    words = rest.split()
    numbers = {word: _whole(value) for word, value in pairwise(words)}
    least, most = (numbers.get(word) for word in ("min", "max"))
    choices = tuple(part.strip() for part in f" {rest} ".split(" var ")[1:])
    return UciOption(
        name,
        words[0] if words else "",
        -inf if least is None else least,
        inf if most is None else most,
        choices,
    )


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    is_one = digits.isascii() and digits.isdigit() and len(digits) <= MAX_LIMIT_DIGITS
    return int(text) if is_one else None


def _setting(declared: Mapping[str, UciOption], name: str, value: str) -> str:
    """Return the line that sets an option. Raises UsageError if the engine would not take it."""
    option = declared.get(name.lower())
    if option is None:
        names = [*_LIMITS, *(option.name for option in declared.values())]
        hint = did_you_mean(name, names) or f" (it has: {', '.join(names)})"
        raise UsageError(f"the engine has no option {quoted(name)}{hint}")
    if problem := option.problem(value):
        raise UsageError(f"option {option.name} {problem}, not {quoted(value)}")
    if not value.isprintable():
        raise UsageError(f"option {option.name} has a character that cannot be printed")
    given = "" if option.kind == "button" else f" value {value}"
    return f"setoption name {option.name}{given}"


def _require_effect(options: Mapping[str, str]) -> None:
    """Raise UsageError for an option that an engine would take and that would change nothing."""
    values = {name.lower(): value for name, value in options.items()}
    for name in options:
        remedy = WITHOUT_EFFECT.get((name.lower(), values[name.lower()]))
        if remedy is not None:
            raise UsageError(f"option {name}={options[name]} would change nothing: {remedy}")
    if "uci_elo" in values and values.get("uci_limitstrength") != "true":
        raise UsageError("option UCI_Elo changes nothing without UCI_LimitStrength=true")


def _sync(talk: Talk, *then: str) -> None:
    """Wait until the engine has read everything. Earlier lines belong to no question.

    More lines are sent at once, which saves a wait.
    """
    talk.say("isready", *then)
    while talk.hear().strip() != "readyok":
        pass


def _position(turn: Turn) -> str:
    """Return the line that shows a position: where the game began, and the moves since."""
    if turn.game.name == _CRAZYHOUSE:
        from arena.plugins.openspiel import engine_moves

        line = " ".join(engine_moves.line_to(cast("OpenSpielPosition", turn.position)))
        return f"position startpos{line and ' moves '}{line}"
    moves = " ".join(map(turn.game.format_move, turn.moves))
    return f"position {_begin(turn.game, turn.start)}{moves and ' moves '}{moves}"


@lru_cache(maxsize=2)
def _begin(game: Game, start: Position) -> str:
    """Return how to say where a game began, which is said at every move of the game."""
    if start == game.start() and game.name != _CHESS960:
        return "startpos"
    return f"fen {' '.join(str(start).split()[:FEN])}"


def _times(clocks: Clocks, side: Side) -> dict[str, str]:
    """Return what the clocks show, in milliseconds. The opponent may have none."""
    readings = {side: clocks.own, side.other: clocks.opponent or clocks.own}
    times = {}
    for colour, clock in (("w", readings[Side.FIRST]), ("b", readings[Side.SECOND])):
        times[f"{colour}time"] = str(max(1, int(1000 * clock.remaining)))
        times[f"{colour}inc"] = str(int(1000 * clock.increment))
    if clocks.own.moves_to_go is not None:
        times["movestogo"] = str(clocks.own.moves_to_go)
    return times


def _best_move(talk: Talk) -> tuple[str, Thought | None]:
    """Return the move of the engine's ``bestmove``, and what it said of it.

    Raises Forfeited if it has none.
    """
    info: list[str] = []
    by_move: dict[str, list[str]] = {}  # its last line about each move
    while (words := talk.hear().split())[:1] != ["bestmove"]:
        if words[:1] == ["info"] and _has_score(words):
            info, move = words, next(_expected(words), "")
            if move in by_move or len(by_move) < MAX_MOVES:
                by_move[move] = info
    if len(words) < 2 or words[1] in NO_MOVE:
        raise Forfeited("protocol", f"answered {quoted(' '.join(words))}, which is not a move")
    own_info = by_move.get(words[1])
    thought = _thought(own_info or info)
    # An engine that ends its search on another move says nothing of that one.
    return words[1], thought and (thought if own_info else thought._replace(pv=""))


def _has_score(info: list[str]) -> bool:
    """Return whether a line has a score of the best move, and not a bound of it."""
    if "score" not in info or info[1] == "string":
        return False
    if "lowerbound" in info or "upperbound" in info:
        return False
    return ("multipv", "1") in pairwise(info) if "multipv" in info else True


def _thought(info: list[str]) -> Thought | None:
    """Read ``info depth 12 score cp 13 nodes 5000 time 50``. The result is None without a score."""
    fields = dict(pairwise(info))
    score, mate, depth, nodes, milliseconds = (
        _whole(fields.get(name, "")) for name in ("cp", "mate", "depth", "nodes", "time")
    )
    if score is None and mate is None:
        return None
    return Thought(
        score,
        mate if score is None else None,
        None if depth is None else max(0, depth),
        None if nodes is None else max(0, nodes),
        None if milliseconds is None else max(0, milliseconds) / 1000,
        " ".join(_expected(info)),
    )


def _expected(info: list[str]) -> Iterator[str]:
    """Yield the first moves of the line that the engine expects."""
    if "pv" not in info:
        return
    place = info.index("pv") + 1
    for word in info[place : place + MAX_PV_MOVES]:
        if not _MOVE_OF_PV.fullmatch(word):
            return
        yield word
