"""The program that a Python player runs in when it has a process of its own.

It speaks the protocol on two descriptors that the player does not get, so that what the player
prints is its log. Whatever the player does to this process it does to itself alone.
"""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from arena.sandbox.session import MAX_TEXT, PlayerSession, not_loaded
from arena.sandbox.side_effects import OutputTap
from arena.sandbox.wire.frames import DRAWS, MOVE, frame, read_frames, send

if TYPE_CHECKING:
    from arena.sandbox.wire.protocol import AnswerFields


def _load(name: str, file: str, messages: Iterator[tuple[int, bytes]]) -> Any:
    """Return the player in a file, or the installed one that the arena sends first, pickled."""
    if not file:
        _, installed = next(messages)
        return pickle.loads(installed)  # noqa: S301 (the arena's)
    from arena.player_file import load_file_player

    sys.path.append(os.path.dirname(file))  # modules next to it belong to this player alone
    return load_file_player(name, file)


def main() -> None:
    """``shim NAME FILE FROM TO``: be that player until there is nothing more to read."""
    from arena.player_file.code import hide_command_line

    _, name, file, *descriptors = sys.argv
    hide_command_line()
    questions, answers = map(int, descriptors)
    sys.stdout = output = OutputTap(sys.stdout)
    for number in (questions, answers):
        os.set_inheritable(number, False)
    if hasattr(faulthandler, "register"):  # the arena asks a player that is late where it is
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    messages = read_frames(questions)
    _serve(lambda: PlayerSession(_load(name, file, messages), output.listened), messages, answers)


def _serve(
    begin: Callable[[], PlayerSession], messages: Iterator[tuple[int, bytes]], answers: int
) -> None:
    dumps, loads = json.dumps, json.loads  # whatever the player does to the module

    def say(number: int, answer: AnswerFields) -> None:
        text = answer.get("move")
        if text is None or "seen" in answer:
            reply = dumps(answer).encode()
        else:
            draws = answer["draws"]
            reply = MOVE + (f"{text}{DRAWS}{draws}" if draws else text).encode()
        send(answers, frame(number, reply))

    try:
        session = begin()
    except BaseException as error:
        say(0, not_loaded(error))
        return
    info = session.info
    about = {"summary": info.summary[:MAX_TEXT], "remembers": info.remembers[:MAX_TEXT]}
    batch = info.choose_batch is not None
    say(0, {"ready": 1, "stateless": info.stateless, "batch": batch, **about})
    for number, payload in messages:
        if payload.startswith(MOVE):
            say(number, session.move(payload[len(MOVE) :].decode()))
        elif (answer := session.hear(loads(payload))) is not None:
            say(number, answer)


if __name__ == "__main__":
    main()
