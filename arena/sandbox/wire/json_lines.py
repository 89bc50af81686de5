"""Speak arena's own protocol for programs: JSON objects, one per line.

The client says ``start``, ``observe`` and ``finish``, which want no answer, and ``move``:

    {"type": "move", "id": 3, "position": "xo_______", "legal": ["3", "4"], "seconds": 1.0}
    {"id": 3, "move": "4"}

``docs/programs.md`` describes the protocol for those who write players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from arena.errors import UsageError, quoted
from arena.game import Game, Outcome, Side
from arena.player.clients import Client, PlayerProtocol, Talk, Turn
from arena.sandbox.wire import protocol

#: The version of the protocol. Version 2 says the ``seat`` and the number of ``seats``; a program
#: that was written for version 1 reads the ``side`` of a game for two as before.
PROTOCOL_VERSION = 2

#: The largest seed that a program gets: a number of JavaScript's holds it.
MAX_SEED = (1 << 53) - 1


class JsonLines(Client):
    """Speaks with a program in lines of JSON."""

    def __init__(self, options: Mapping[str, str]) -> None:
        if options:
            raise UsageError(f"it takes no options, such as {quoted(next(iter(options)))}")
        self._number = 0

    def begin(self, talk: Talk, game: Game, side: Side, seed: int) -> None:
        """Say which game begins. The program may seed its own generator."""
        self._number = 0
        talk.say(line(start(game, side, seed)))

    def choose(self, talk: Talk, turn: Turn) -> int:
        """Ask for the move. The answer has the number of the question."""
        self._number += 1
        talk.require_silence()
        talk.say(line(move(self._number, turn)))
        answer = protocol.read_object(talk.hear().encode("utf-8", "surrogateescape"))
        answer = protocol.admitted(protocol.numbered(answer, self._number))
        return protocol.read_move(answer, turn.game)

    def observe(self, talk: Talk, game: Game, move: int) -> None:
        """Say how the opponent has moved."""
        talk.say(line(protocol.observe(game, move)))

    def finish(self, talk: Talk, outcome: Outcome) -> None:
        """Say how the game ended."""
        talk.say(line(protocol.finish(outcome)))


#: The protocol ``cmd:COMMAND``.
COMMAND = PlayerProtocol("cmd", ("*",), "a program", client=JsonLines, takes_observations=True)


def start(game: Game, side: Side, seed: int) -> protocol.Message:
    """Tell that a game begins, and its rules if the name does not say them."""
    rules = {"rules": game.rules} if game.rules else {}
    named = {"game": game.name, **rules, **protocol.seat_of(game, side)}
    return {"type": "start", "protocol": PROTOCOL_VERSION, **named, "seed": seed & MAX_SEED}


def move(number: int, turn: Turn) -> protocol.Message:
    """Ask the player for a move, for which it has so much time."""
    position, notation = turn.position, turn.game.format_move
    return {
        "type": "move",
        "id": number,
        "observation" if turn.game.features else "position": str(position),
        "legal": [notation(move) for move in position.legal_moves()],
        "seconds": round(turn.seconds, 3),
        **({} if turn.clocks is None else {"clock": turn.clocks.as_json()}),
    }


def line(message: protocol.Message) -> str:
    """Return a message as a line, in ASCII."""
    return json.dumps(message)
