"""The session of a player that is checked: it answers many questions at once, and is looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from arena.clock import now
from arena.errors import describe
from arena.player.faults import barred
from arena.sandbox.session import Answer, Session
from arena.sandbox.sightings import Sightings
from arena.sandbox.watched import watched_call

#: Exceptions that are logged with their tracebacks.
MAX_LOGGED_EXCEPTIONS = 10


class CheckedSession(Session):
    """A session whose answers say what the player was seen to do besides its moves."""

    def __init__(self, info: Any) -> None:
        super().__init__(info)
        self._sightings = Sightings()
        self._told = self._failures = 0
        self._watch(info.player)

    def _watch(self, made: Callable[..., Any]) -> None:
        self._plain = made
        self._anew = self._watched = watched_call(made, self.info.stateless, self._sightings)

    def hear(self, message: dict[str, Any]) -> Answer | None:
        """Do what a message says; the answer if it wants one."""
        if message["type"] == "ask":
            return self._with_sightings(self._ask(message))
        answer = super().hear(message)
        if message["type"] == "load":
            self._watch(self._anew)
        return answer

    def move(self, text: str) -> Answer:
        """Return the move at a position, or what went wrong, and what was seen."""
        return self._with_sightings(super().move(text))

    def _ask(self, message: dict[str, Any]) -> Answer:
        """Return the answers of a function, each at a position with a stream of its own."""
        self.game, self.instance, self.rng = self._game(message["pickled"]), None, self.stream
        self._anew = self._watched if message["watch"] else self._plain
        try:
            answers = [self._asked(*question) for question in message["questions"]]
        finally:
            self._anew = self._watched
        self._look_at_global_random()
        if draws := self._drawn():  # a look at every answer would take longer than most of them
            answers = [{**answer, "draws": draws} for answer in answers]
        return {"answers": answers}

    def _asked(self, text: str, stream: str) -> Answer:
        is_watched = self._anew is self._watched
        position = self.game.parse(text) if is_watched else _parsed(self.game, text)
        self.stream.begin(int(stream, 16))
        begin = now()
        answer = self._answer(position)
        return {**answer, "seconds": now() - begin}

    def _raised(self, error: BaseException) -> list[str]:
        """Log the first exceptions only: a player that always raises does so thousands of times."""
        self._failures += 1
        if self._failures <= MAX_LOGGED_EXCEPTIONS:
            return super()._raised(error)
        return ["exception", describe(error), "", "", "", barred(error)]

    def _with_sightings(self, answer: Answer) -> Answer:
        """Return the answer with what was seen for the first time."""
        found = self._sightings.found
        if len(found) > self._told:
            answer["seen"] = dict(list(found.items())[self._told :])
            self._told = len(found)
        return answer


@lru_cache(100)
def _parsed(game: Any, text: str) -> Any:
    """Return a position; it is asked about again and again while draws are enumerated."""
    return game.parse(text)
