"""Play with engines that speak the Go Text Protocol: ``gtp:gnugo``.

Version 2 of the protocol (Farnebäck, 2002): arena sends a command a line, the engine answers ``=``
or ``?`` and text up to an empty line. The engine must know every move, so a game that begins
elsewhere than at its start can be played only if its positions know their history.
"""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import Forfeited, UsageError, quoted
from arena.game import Game, Position, Side
from arena.player.clients import ENGINE_MEMORY, Client, Demand, Talk, Turn

#: The colours of the sides: black moves first.
_COLOURS = ("black", "white")


class Gtp(Client):
    """Speaks with one process of an engine."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._komi = options.get("komi")
        if unknown := [name for name in options if name != "komi"]:
            raise UsageError(f"gtp has no option {quoted(unknown[0])} (it has: komi)")
        self._history: tuple[int, ...] | None = None
        self._seconds = 0.0

    def demand(self) -> Demand:
        """Ask for the memory of an engine."""
        return Demand(ENGINE_MEMORY)

    def greet(self, talk: Talk) -> None:
        """Make sure that the engine speaks the protocol, and learn its name."""
        _ask(talk, "protocol_version")
        name, version = (_ask(talk, command, must=False) for command in ("name", "version"))
        self.version = f"{name} {version}".strip()

    def begin(self, talk: Talk, game: Game, side: Side, seed: int) -> None:
        """Note that the engine's board has to be cleared."""
        self._history = None

    def choose(self, talk: Talk, turn: Turn) -> int:
        """Tell the moves that the engine does not know, and ask for its own."""
        history = turn.history
        if history is None:
            raise Forfeited("protocol", "GTP needs every move from the start of the game")
        if self._history is None or history[: len(self._history)] != self._history:
            self._clear(talk, turn.game)
            self._history = ()
        self._catch_up(talk, turn, history)
        self._allow(talk, turn.seconds)
        answer = _ask(talk, f"genmove {_COLOURS[turn.side]}")
        if answer.lower() == "resign":
            raise Forfeited("resigned", "it resigns")
        move = _move(turn.position, answer)
        self._history = (*history, move)
        return move

    def _clear(self, talk: Talk, game: Game) -> None:
        if game.columns:
            _ask(talk, f"boardsize {game.columns}")
        _ask(talk, "clear_board")
        if self._komi is not None:
            _ask(talk, f"komi {self._komi}")

    def _catch_up(self, talk: Talk, turn: Turn, history: tuple[int, ...]) -> None:
        moves, position = self._history or (), turn.game.start()
        for ply, move in enumerate(history):
            if ply >= len(moves):
                _ask(talk, f"play {_COLOURS[position.to_move]} {_vertex(turn.game, move)}")
            position = position.play(move)

    def _allow(self, talk: Talk, seconds: float) -> None:
        """Say how long a move may take, in whole seconds as the protocol has them."""
        whole = max(1, int(seconds))
        if whole != self._seconds:
            self._seconds = whole
            _ask(talk, f"time_settings 0 {whole} 1", must=False)


def _ask(talk: Talk, command: str, must: bool = True) -> str:
    """Return the answer to a command. Raises Forfeited if it is a refusal and ``must`` is set.

    The answer to another command that is refused is empty.
    """
    talk.say(command)
    while not (line := talk.hear().strip()):
        pass
    lines = [line]
    while more := talk.hear().strip():
        lines.append(more)
    if line[0] not in "=?":
        raise Forfeited("protocol", f"answered {quoted(line)} to {quoted(command)}, without = or ?")
    if line[0] == "?" and must:
        raise Forfeited("protocol", f"refused {quoted(command)}: {quoted(line[1:].strip())}")
    if line[0] == "?":
        return ""
    return " ".join(lines)[1:].strip()


def _vertex(game: Game, move: int) -> str:
    """Return a move as the protocol has it: ``d4``, ``pass``, the last word of its text."""
    return game.format_move(move).split()[-1].lower()


def _move(position: Position, vertex: str) -> int:
    """Return the move that a vertex means. Raises Forfeited for one that is not legal."""
    for move in position.legal_moves():
        if _vertex(position.game, move) == vertex.lower():
            return move
    game = position.game.name
    problem = f"is not a legal move of {game}: does the engine play {game}?"
    raise Forfeited("illegal", f"answered {quoted(vertex)}, which {problem}")
