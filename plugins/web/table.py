"""The process of one table: it holds a sitting and its players, and answers messages in JSON.

The first line on its input says who plays what. Every further one asks for something. Each answer
is a line with all that the page shows. The process ends when its input does. Players are started
from its main thread, which lasts as long as it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import TextIO

import arena
from arena.errors import ArenaError, GameFault, MoveError, Terminated, describe, is_stop, quoted
from arena.games.contract import move_of_text
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.sandbox.settings import Isolation


def main() -> None:
    """Serve the table whose setting stands in the first line of the input."""
    signal.signal(signal.SIGTERM, _terminate)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what players print is not an answer
    with suppress(KeyboardInterrupt):
        SittingServer(json.loads(sys.stdin.readline()), answers).serve(_lines(sys.stdin))


class SittingServer:
    """A sitting that is asked for one thing after another."""

    def __init__(self, setting: Json, answers: TextIO) -> None:
        self._answers = answers
        self._sitting = self._sit(setting)

    def _sit(self, setting: Json) -> arena.plugin.Sitting | None:
        """Return the sitting. Report why if it cannot be, and return None."""
        try:
            catalogue = load_catalogue(setting["plugins"]).isolated(_isolation(setting))
            first, second = setting["players"]
            return arena.plugin.sit(
                first,
                second,
                game=setting["game"],
                seed=setting["seed"],
                moves=setting["moves"],
                winners=setting["winners"],
                catalogue=catalogue,
            )
        except BaseException as error:
            self._tell({"failed": _message(error)})
            return None

    def serve(self, lines: Iterator[str]) -> None:
        """Answer until there are no more lines, or the sitting cannot go on."""
        if self._sitting is None:
            return
        try:
            self._go_on(self._sitting)
            for line in lines:
                self._answer(self._sitting, json.loads(line))
        except BaseException as error:
            self._tell({"failed": _message(error)})

    def _answer(self, sitting: arena.plugin.Sitting, question: Json) -> None:
        """Do what is asked. A mistake of the human's changes nothing."""
        try:
            if question["act"] == "hint":
                self._tell(sitting.view(sitting.hint()))
                return
            _act(sitting, question["act"], question.get("move", ""))
        except (arena.UsageError, arena.IllegalMove) as error:
            self._tell(sitting.view() | {"problem": str(error)})
        else:
            self._go_on(sitting)

    def _go_on(self, sitting: arena.plugin.Sitting) -> None:
        """Show the board, and let a player move that plays against a human."""
        while not sitting.session.is_watched and _waits_for_player(sitting):
            self._tell(sitting.view() | {"thinking": True})
            sitting.let_play()
        self._tell(sitting.view())

    def _tell(self, answer: Json) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()


def _act(sitting: arena.plugin.Sitting, act: str, move: str) -> None:
    """Do what is asked. Raises UsageError for what cannot be done now, and IllegalMove."""
    if act == "move":
        _move(sitting, move)
    elif act == "step" and sitting.session.is_watched and sitting.session.record is None:
        sitting.let_play()
    elif act == "undo":
        sitting.undo()
    elif act == "resign":
        sitting.resign()
    elif act == "again":
        sitting.rematch()
    else:
        raise arena.UsageError(f"there is nothing to {act} now")


def _move(sitting: arena.plugin.Sitting, text: str) -> None:
    session = sitting.session
    if not session.asks_person:
        raise arena.UsageError("it is not your turn")
    try:
        move = move_of_text(session.position, text)
    except MoveError:
        raise arena.UsageError(f"{quoted(text)} is not a move here") from None
    except GameFault as fault:
        raise arena.UsageError(f"{quoted(text)} is not a move here: {fault}") from fault
    sitting.make(move)


def _waits_for_player(sitting: arena.plugin.Sitting) -> bool:
    return sitting.session.record is None and not sitting.session.asks_person


def _isolation(setting: Json) -> Isolation:
    players = {name: Isolation(**limits) for name, limits in setting["limits_of"].items()}
    return Isolation(**setting["limits"], players=players)


def _message(error: BaseException) -> str:
    """Say why the table ends. Raises the error if no browser is to hear of it."""
    if is_stop(error):
        raise error
    return str(error) if isinstance(error, ArenaError) else describe(error)


def _lines(source: TextIO) -> Iterator[str]:
    """Yield the lines of a stream, and end the process when it ends, also while a player thinks."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in source:
            lines.put(line)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def _terminate(number: int, _frame: object) -> None:
    raise Terminated(number)


if __name__ == "__main__":
    main()
