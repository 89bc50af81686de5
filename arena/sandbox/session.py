"""Be a Python player in a process of its own: do what the arena says, and answer."""

from __future__ import annotations

import pickle
import random
from base64 import b64decode
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from arena.sandbox.side_effects import Heard, NullSightings, Sightings

if TYPE_CHECKING:
    from arena.errors import Unavailable
    from arena.sandbox.wire.protocol import AnswerFields

#: Characters of a text about itself that are kept, from its start.
MAX_TEXT = 1000


#: Exceptions of a player that is watched which are logged with their tracebacks.
MAX_LOGGED_EXCEPTIONS = 10

_UNWATCHED = NullSightings()


class PlayerSession:
    """A player, and the game that it is in.

    The arena says at any time whether it watches, as it does in a check: ``listen`` hears the
    prints then. The player's code is called from the same place in either case.
    """

    def __init__(
        self, info: Any, listen: Callable[[], AbstractContextManager[Heard]] | None = None
    ) -> None:
        from arena.errors import IllegalMove, as_move
        from arena.game import Observation
        from arena.player.faults import name_of
        from arena.rng import GLOBAL_RANDOM, Stream
        from arena.sandbox.wire.protocol import draws_text

        self._draws_text, self._global_random = draws_text, GLOBAL_RANDOM
        self._as_move, self._illegal = as_move, IllegalMove  # an import at every move takes time
        self._observation = Observation
        self.info = info
        self._function = name_of(info.player)
        self._player = info.player
        self._global = random.getstate()
        self._has_drawn_elsewhere = False
        self._sightings = Sightings(listen)
        self._watch: Sightings | NullSightings = _UNWATCHED
        self._failures = 0
        self._rules: dict[str, Any] = {}
        self._plain = Stream()
        self.stream = self._plain
        self.rng: Any = self.stream
        self.game: Any = None
        self.instance: Any = None
        #: The fault where no answer was due; said with the next answer.
        self.trouble: list[str] | None = None

    def hear(self, message: dict[str, Any]) -> AnswerFields | None:
        """Do what a message says. Return the answer if it wants one."""
        kind = message["type"]
        if kind == "distribution":
            return self._distribution(message)
        if kind == "load":
            return self._reload()
        if kind == "rules":
            return self._load_rules(message["pickled"])
        if kind == "move":
            return self._move_by_clock(message)
        if kind == "block":
            return self._block(message)
        if kind == "watch":
            self._watch = self._sightings if message["on"] else _UNWATCHED
            return None
        try:
            if kind == "start":
                self.trouble = None
                self._start(message)
            elif kind == "observe" and hasattr(self.instance, "observe"):
                self._observe(self.game.parse_move(message["move"]))
            elif kind == "finish" and self.instance is not None:
                self._finish(message)
        except BaseException as error:
            self.trouble = self._raised(error)
        return None

    def _observe(self, move: int) -> None:
        with self._watch.during(f"the opponent's move {move}"):
            self.instance.observe(move)

    def _finish(self, message: dict[str, Any]) -> None:
        from arena.game import Outcome

        instance, self.instance = self.instance, None
        if hasattr(instance, "finish"):
            with self._watch.during("the end"):
                instance.finish(Outcome(message["outcome"]))

    def _start(self, message: dict[str, Any]) -> None:
        from arena.game import as_seat

        self._look_at_global_random()
        self.rng = self.stream = self._traced() if "traced" in message else self._plain
        self.stream.begin(int(message["stream"], 16))
        self.game = self._game(message["pickled"])
        self.instance = None
        if not self.info.stateless:
            with self._watch.during("the start"):
                self.instance = self._player()
                number = message["seat"]
                side = as_seat(number, self.game.seats)
                self.instance.start(self.game, side, self.rng)

    def _traced(self) -> Any:
        """Return a stream that traces what the player does with its draws."""
        from arena.tracing import TracedStream

        return TracedStream()

    def _game(self, rules: str) -> Any:
        """Return the game that the arena has pickled, one object for all of a player's games."""
        if rules not in self._rules:
            self._rules[rules] = pickle.loads(b64decode(rules))  # noqa: S301 (the arena's)
        return self._rules[rules]

    def _load_rules(self, rules: str) -> AnswerFields:
        """Load the rules of a game, so that no move waits for that."""
        try:
            self._game(rules)
        except BaseException as error:
            return not_loaded(error)
        return {"ready": 1}

    def _reload(self) -> AnswerFields:
        """Execute the player's file again, and forget what it was."""
        self._look_at_global_random()
        remembers = self.info.remembers[:MAX_TEXT]
        self._player = self.instance = None  # so that the file's last module is not in use any more
        try:
            self._player = self.info.fresh()
        except BaseException as error:
            return not_loaded(error)
        self._global = random.getstate()
        return {"ready": 1, "remembers": remembers or self.info.remembers[:MAX_TEXT]}

    def _look_at_global_random(self) -> None:
        """Note if the player drew from the generator that is not its own. Arena asks after each
        game.
        """
        state = random.getstate()
        if state != self._global:
            self._global = state
            self._has_drawn_elsewhere = True

    def _distribution(self, message: dict[str, Any]) -> AnswerFields:
        from arena.errors import CannotEnumerate, PlayerFault, describe
        from arena.proof.distribution import declared_distribution

        game = self._game(message["pickled"])
        try:
            distribution = declared_distribution(
                self.info, game.parse_observation(message["position"])
            )
        except PlayerFault as error:
            return {"error": ["exception", str(error)]}
        except CannotEnumerate as error:
            return {"refused": str(error)}
        except BaseException as error:
            return {"error": ["exception", describe(error)]}
        return {"moves": {game.format_move(move): str(p) for move, p in distribution.items()}}

    def move(self, text: str) -> AnswerFields:
        """Return the move at a position, or what went wrong, and what is newly seen."""
        if self.trouble is not None:
            answer: AnswerFields = {"error": self.trouble}
        else:
            answer = self._answer(self.game.parse_observation(text))
        if news := self._watch.news:
            answer["seen"] = news
        return answer

    def _block(self, message: dict[str, Any]) -> AnswerFields:
        """Return the moves at a block of positions, or what went wrong."""
        from arena.sandbox.wire.blocks import answer

        try:
            return answer(self.info.choose_batch, message, self._game(message["pickled"]))
        except BaseException as error:
            return {"error": self._raised(error)}

    def _move_by_clock(self, message: dict[str, Any]) -> AnswerFields:
        """Tell a player that wants to know it what the clocks show, and return its move."""
        if self.trouble is None and hasattr(self.instance, "see_clocks"):
            from arena.player.clocks import Clocks

            try:
                self.instance.see_clocks(Clocks.from_json(message["clock"]))
            except BaseException as error:
                self.trouble = self._raised(error)
        return self.move(message["position"])

    def _answer(self, position: Any) -> AnswerFields:
        try:
            choice = self._choose(position)
        except BaseException as error:
            self.trouble = self._raised(error)
            return {"error": self.trouble, "draws": self._take_draws()}
        answer = self._verdict(choice, position)
        answer["draws"] = self._take_draws()  # last, as a number may draw when it is looked at
        return answer

    def _raised(self, error: BaseException) -> list[str]:
        """Return what the player raised.

        One that is watched may raise thousands of times, so few of these are logged.
        """
        self._failures += self._watch is not _UNWATCHED
        return _raised(error, self._failures <= MAX_LOGGED_EXCEPTIONS)

    def _verdict(self, choice: Any, position: Any) -> AnswerFields:
        """Return the move, or what is wrong with it, in words that know what was returned."""
        try:
            move = self._as_move(choice)
            if not isinstance(position, self._observation):
                position.play(move)
            elif not position.is_legal(move):
                raise self._illegal
            return {"move": self.game.format_move(move)}
        except self._illegal:
            pass
        except Exception:
            return {"move": self.game.format_move(move)}  # the rules raise: the arena looks at them
        from arena.player.faults import returned

        fault = returned(choice, position, self._function, self._player)
        return {"error": ["illegal", *fault, "", ""]}

    def _choose(self, position: Any) -> Any:
        with self._watch.during_choice(position) as look:
            if self.instance is not None:
                look.answer = move = self.instance.choose(position)
            else:
                look.answer = move = self._player(position, self.rng)
        return move

    def _take_draws(self) -> str:
        """Return what the player drew since the last question, as JSON. The result is empty if
        nothing.
        """
        draws: Any = getattr(self.stream, "draws", None)
        if self._has_drawn_elsewhere and isinstance(draws, list):
            self._has_drawn_elsewhere = False
            draws.append(self._global_random)
        if draws == []:
            return ""
        try:
            text = self._draws_text(draws)
            draws.clear()
        except Exception:  # whatever a player did to its generator
            return '["it changes the generator it is given"]'
        return text


def _raised(error: BaseException, is_logged: bool) -> list[str]:
    """Return what the player raised, where, what to do about it, its own frames, what is barred.

    One that is not logged has neither place nor frames.
    """
    from arena.errors import describe, unavailability
    from arena.player.faults import barred, player_frames, raised

    if (absence := unavailability(error)) is not None:
        return _unavailable(absence)
    if not is_logged:
        return ["exception", describe(error), "", "", "", barred(error)]
    return ["exception", *raised(error), player_frames(error), barred(error)]


def _unavailable(absence: Unavailable) -> list[str]:
    """Return that the player cannot play now, and after how many seconds to try again."""
    return ["unavailable", str(absence), str(absence.retry_after), "", "", ""]


def not_loaded(error: BaseException) -> AnswerFields:
    """Say why there is no player."""
    from arena.errors import ArenaError, PlayerFileError, describe, unavailability
    from arena.player.faults import barred

    if (absence := unavailability(error)) is not None:
        return {"error": _unavailable(absence)}
    if isinstance(error, PlayerFileError):
        cause = error.__cause__ or error
        return {"failed": error.problem[:MAX_TEXT], "barred": barred(cause)}
    failed = str(error)[:MAX_TEXT] if isinstance(error, ArenaError) else describe(error)
    return {"failed": failed, "barred": barred(error)}
