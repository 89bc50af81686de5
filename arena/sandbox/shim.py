"""The program that a Python player runs in when it has a process of its own.

It speaks the protocol on two descriptors that are none of the player's, so that what the player
prints is its log. Whatever the player does to this process it does to itself alone.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO

Answer = dict[str, Any]

#: Of a longer text about itself the start is enough.
LONGEST = 1000


class Session:
    """A player, and the game that it is in."""

    def __init__(self, name: str, file: str) -> None:
        from arena.plugin import load_catalogue
        from arena.rng import Stream

        self.catalogue = load_catalogue()
        if file:
            from arena.files import load_file_player

            self.info = load_file_player(name, file)
        else:
            self.info = self.catalogue.players.get(name)
        self.stream = Stream()
        self.rng: Any = self.stream
        self.game: Any = None
        self.instance: Any = None
        #: What went wrong where no answer was due; said with the next answer.
        self.trouble: list[str] | None = None

    def hear(self, message: dict[str, Any]) -> Answer | None:
        """Do what a message says; the answer if it wants one."""
        kind = message["type"]
        if kind == "move":
            return {"id": message["id"], **self._move(message)}
        if kind == "distribution":
            return {"id": message["id"], **self._distribution(message)}
        if kind == "start":
            self.trouble = None
            self._try(self._start, message)
        elif kind == "observe" and self.instance is not None:
            self._try(lambda m: self.instance.observe(self.game.parse_move(m["move"])), message)
        elif kind == "finish" and self.instance is not None:
            from arena.game import Outcome

            self._try(lambda m: self.instance.finish(Outcome(m["outcome"])), message)
            self.instance = None
        return None

    def _start(self, message: dict[str, Any]) -> None:
        from arena.game import Side

        self.rng = self._generator(message.get("stream"))
        self.game = self._game(message)
        self.instance = None
        if not self.info.stateless:
            self.instance = self.info.player()
            self.instance.start(self.game, Side[message["side"].upper()], self.rng)

    def _game(self, message: dict[str, Any]) -> Any:
        from arena.games.lines import line_game

        if "rules" in message:  # the file that they are from may not be there to be read
            return line_game(message["game"], message["rules"])
        return self.catalogue.game(message["game"])

    def _generator(self, stream: list[str] | None) -> Any:
        if stream is None:
            from arena.proof.distribution import NoRandom

            return NoRandom()
        ready, twister = (int(text, 16) for text in stream)
        self.stream.restore(ready, twister)
        return self.stream

    def _distribution(self, message: dict[str, Any]) -> Answer:
        from arena.errors import CannotEnumerate, PlayerFault, describe
        from arena.proof.distribution import find_distribution

        game = self._game(message)
        try:
            found = find_distribution(self.info, game.parse(message["position"]))
        except PlayerFault as error:
            return {"error": ["exception", str(error)]}
        except CannotEnumerate as error:
            return {"error": ["refused", str(error)]}
        except BaseException as error:
            return {"error": ["exception", describe(error)]}
        return {"moves": {game.format_move(move): str(p) for move, p in found.items()}}

    def _move(self, message: dict[str, Any]) -> Answer:
        from arena.errors import IllegalMove, as_move

        if self.trouble is not None:
            return {"error": self.trouble}
        position = self.game.parse(message["position"])
        made: list[Any] = []
        self._try(lambda _: made.append(self._choose(position)), message)
        if (refusal := getattr(self.rng, "refusal", None)) is not None:
            return {"error": ["refused", str(refusal)]}
        if not made:
            return {"error": self.trouble}
        try:
            return {"move": self.game.format_move(as_move(made[0]))}
        except IllegalMove as error:
            return {"error": ["illegal", str(error)]}
        except Exception:  # a number that is no move at all cannot be written as one
            return {"error": ["illegal", "answered with a number that is no move"]}

    def _choose(self, position: Any) -> Any:
        if self.instance is not None:
            return self.instance.choose(position)
        return self.info.player(position, self.rng)

    def _try(self, work: Callable[[dict[str, Any]], Any], message: dict[str, Any]) -> None:
        from arena.errors import CannotEnumerate, describe

        try:
            work(message)
        except CannotEnumerate as error:
            self.trouble = ["refused", str(error)]
        except BaseException as error:
            self.trouble = ["exception", describe(error)]
            if sys.stderr is not None:
                import traceback

                traceback.print_exception(error)


def main() -> None:
    """``shim NAME FILE FROM TO``: be that player until there is nothing more to read."""
    name, file, questions, answers = sys.argv[1:]
    for number in (questions, answers):
        os.set_inheritable(int(number), False)
    with open(int(questions)) as there, open(int(answers), "w") as here:
        _serve(name, file, there, here)


def _serve(name: str, file: str, questions: TextIO, answers: TextIO) -> None:
    dumps, loads = json.dumps, json.loads  # whatever the player does to the module
    session: list[Session] = []
    _say(answers, dumps(_ready(name, file, session)))
    for line in questions if session else ():
        answer = session[0].hear(loads(line))
        if answer is not None:
            _say(answers, dumps(answer))


def _ready(name: str, file: str, session: list[Session]) -> Answer:
    """What the player is, or why there is none; it then is in the list."""
    from arena.errors import ArenaError, describe

    try:
        session.append(Session(name, file))
    except ArenaError as error:
        return {"failed": str(error)[:LONGEST]}
    except BaseException as error:
        return {"failed": describe(error)}
    info = session[0].info
    return {"ready": 1, "stateless": info.stateless, "summary": info.summary[:LONGEST]}


def _say(pipe: TextIO, line: str) -> None:
    pipe.write(line + "\n")
    pipe.flush()


if __name__ == "__main__":
    main()
