"""Be a player in the arena for a language model: each move is a request, or several.

What a model does wrong is its fault: no move, two moves, an illegal one, a refusal, no end. After
as many second tries as the user allows it forfeits. What the network or the server does wrong is
not: the request is sent again, and the game is void if that does not help.
"""

from __future__ import annotations

import logging
import os
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Any

from arena import escape
from arena.clock import now, sleep
from arena.errors import (
    MAX_RETRY_AFTER,
    Forfeited,
    IllegalMove,
    StoreError,
    Unavailable,
    Unusable,
    UsageError,
    one_line,
    quoted,
)
from arena.executors.turns import elsewhere
from arena.game import CHANCE, Game, Outcome, Position, Side
from arena.games.walk import walked
from arena.player import NoProcess, PlayerInfo
from arena.player.clocks import Clock
from arena.player.names import split_protocol
from arena.player.prints import aside, hear_completion
from arena.player.purse import Purse
from arena.player.time_left import TimeLeft, TimeLimits
from arena.plugins.http_bot.address import BotUrl, find, read_address
from arena.plugins.llm.answers import NotAMove, read_answer
from arena.plugins.llm.briefing import telling_of
from arena.plugins.llm.options import Options, read_llm_options
from arena.plugins.llm.prompts import correction, digest_of, prompt_of, require_template
from arena.plugins.llm.proxy import proxy_for, through_proxy
from arena.plugins.llm.recorded import ReplyFile
from arena.plugins.llm.recorded import digest_of as digest_of_request
from arena.plugins.llm.replies import ModelReply
from arena.plugins.llm.service import Service, ServiceError, key_in, service_of
from arena.records.completions import Completion
from arena.rng import Stream
from arena.sandbox.hosts import is_allowed
from arena.sandbox.remote_player import UNSEEN, seed_for
from arena.sandbox.words import ELSEWHERE

logger = logging.getLogger(__name__)

#: Seconds before a request is sent again, doubled each time, and the most of them.
_PAUSE, _MAX_PAUSE = 0.5, 30.0

#: Seconds after which a request that waits for money looks again.
_LOOK = 0.02

#: The largest seed that servers take.
_MAX_SEED = (1 << 31) - 1

#: Seconds after which arena waits no longer for a service that takes no request.
_MAX_BUSY = 600.0

#: Spreads requests that are sent again. No result depends on it.
_jitter = random.Random()


def player_of(name: str, limits: TimeLimits) -> PlayerInfo:
    """Return the player that a model is. Raises UsageError for wrong options or a forbidden host.

    Nothing connects before the first move.
    """
    named = split_protocol(name)
    assert named is not None
    options = read_llm_options(named.options)
    if not named.text.startswith(("http://", "https://")):
        hint = " (a colon in an option is written %3A)" if ":" in named.text else ""
        raise UsageError(f"write llm,model=NAME:http://HOST:8000/v1{hint}")
    address = read_address(named.text)
    if not is_allowed(address.host, address.port, limits.allow_network):
        find(address, ())  # this machine needs no permission
    require_template(options)
    proxy_for(address, limits.allow_network)  # refuses one that is no URL
    model = Model(name, options, address, limits)
    return PlayerInfo(
        name,
        model,
        version=f"prompt {digest_of(options)}",
        stateless=False,
        summary="a language model",
        remote=model,
        isolation=ELSEWHERE,
        refuses=model.refuses,
    )


class Model(NoProcess):
    """Makes the players of a language model: each plays one game."""

    def __init__(self, name: str, options: Options, address: BotUrl, limits: TimeLimits) -> None:
        self.name, self.options, self.address, self.limits = name, options, address, limits
        self.control, self.is_measured = limits.control, limits.is_measured
        self.purse = Purse()
        #: What needs the cost of each answer, empty if nothing does.
        self._needs_cost = ""
        #: The answers that a file has, and how the user names it; None and empty if they are not
        #: kept.
        self.recorded: ReplyFile | None = None
        self.answers = ""
        self._service: tuple[int, Service] | None = None
        #: The kinds of faults that the user was told of.
        self._warned_kinds: set[str] = set()
        #: The answers of games that may be played again, by the seeds of the games.
        self._unfinished: dict[int, dict[str, ModelReply]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"recorded": self.recorded, "answers": self.answers}
        return type(self), (self.name, self.options, self.address, self.limits), state

    def __call__(self, fresh: bool = True) -> LlmGame:
        """Return a player for one game. A model has no code that could be executed again."""
        return LlmGame(self)

    def refuses(self, game: Game) -> str:
        """Return why no prompt tells of a game, empty if one does."""
        position = game.start()
        while position.to_move == CHANCE:
            position = position.play(position.legal_moves()[0])
        seat, moves = position.to_move, None if game.features else ()
        try:
            telling = telling_of(game, self.options.disguise)
            prompt_of(self.options, telling, int(seat), position.observation(seat), moves)
        except UsageError as error:
            return str(error)
        return ""

    def named(self, name: str) -> Model:
        """Return the same model under another name."""
        return Model(name, self.options, self.address, self.limits)

    @property
    def is_waited_for(self) -> bool:
        """Whether arena mostly waits for it, so that many games can be in play at once."""
        return True

    @property
    def service(self) -> Service:
        """The server, as this process asks it: it is looked up when it is asked first.

        Raises ServiceError if it is not found, and Unusable without the key.
        """
        options = self.options
        if self._service is None or self._service[0] != os.getpid():
            self.require_key()
            allowed = self.limits.allow_network
            try:
                address = through_proxy(self.address, allowed) or find(self.address, allowed)
            except UsageError as error:
                kind = "unusable" if self._service is None else "network"
                raise ServiceError(kind, str(error)) from None
            service = service_of(address, options.key, options.rpm, options.tpm)
            self._service = os.getpid(), service
        return self._service[1]

    def require_key(self) -> None:
        """Raise Unusable if the environment has no key."""
        try:
            key_in(self.options.key)
        except UsageError as error:
            raise Unusable(f"{self.name}: {error}") from None

    def close(self) -> None:
        """Close the connections that no request has."""
        if self._service is not None and self._service[0] == os.getpid():
            self._service[1].close()

    def pay_from(self, purse: Purse) -> None:
        """Take money from a purse.

        Raises UsageError if it is limited and no prices are known, and without a key for a service
        that will be asked.
        """
        if self.recorded is None or not self.recorded.is_closed:
            key_in(self.options.key)
        if purse.budget is not None:
            self.require_prices("a budget")
        self.purse = purse

    def require_prices(self, what: str) -> None:
        """Raise UsageError that names what this is for if no prices are known."""
        if self.options.prices is None:
            named = "price-in=0.5,price-out=1.5"
            raise UsageError(
                f"{what} needs the prices of {quoted(self.name)}, per million tokens: {named}"
            )
        self._needs_cost = what

    def require_cost(self, reply: ModelReply) -> None:
        """Raise Unusable for an answer whose cost is not known if something needs it."""
        if self._needs_cost and self.cost(reply) is None:
            problem = f"its server does not count tokens, which {self._needs_cost} needs"
            raise Unusable(f"{self.name}: {problem}")

    def record(self, path: str, *, is_closed: bool) -> None:
        """Keep answers in a file, and take those that it has. See ReplyFile."""
        self.recorded, self.answers = ReplyFile(path, is_closed), path

    def cost(self, reply: ModelReply) -> Fraction | None:
        """Return what an answer costs, None if that is not known."""
        prices = self.options.prices
        if prices is None or reply.tokens_in is None or reply.tokens_out is None:
            return None
        return prices[0] * reply.tokens_in + prices[1] * reply.tokens_out

    def reply_of(self, seed: int, digest: str) -> ModelReply | None:
        """Return the answer to a request that was made before."""
        reply = self._unfinished.get(seed, {}).get(digest)
        if reply is None and self.recorded is not None:
            reply = self.recorded.get(digest)
        return reply

    def keep(self, seed: int, digest: str, reply: ModelReply) -> None:
        """Keep an answer before it is used."""
        if self.recorded is None:
            self._unfinished.setdefault(seed, {})[digest] = reply
        else:
            self.recorded.keep(digest, reply)

    def warn(self, fault: ServiceError, seconds: float) -> None:
        """Tell the user of the first fault of a kind, after which arena waits so many seconds."""
        if fault.kind not in self._warned_kinds:
            self._warned_kinds.add(fault.kind)
            hint = f"arena: {self.name}: {fault.problem}; arena asks again in {seconds:.1f} s"
            with aside():
                logger.warning("%s", escape.line(hint))

    def finished(self, seed: int) -> None:
        """Forget the answers of a game that is over."""
        self._unfinished.pop(seed, None)


class LlmGame:
    """One game of a model: a StatefulPlayer that raises Forfeited, VoidGame and what ends a run."""

    def __init__(self, model: Model) -> None:
        self._model, self._options = model, model.options
        #: Measures its moves; None where no limit needs their time.
        self.clock = Clock(model.control) if model.is_measured else None
        self._time = TimeLeft(model.limits, self.clock)
        self._moves: list[int] | None = []
        self._requests: Counter[str] = Counter()

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Begin the game. The stream notes that its draws are not seen."""
        self._game, self._side, self._seed = game, side, seed_for(rng)
        self._noted = rng.draws if isinstance(rng, Stream) else []
        try:
            self._telling = telling_of(game, self._options.disguise)
        except UsageError as error:
            raise Unusable(f"{self._model.name}: {error}") from None

    def choose(self, position: Position) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        self._seconds = 0.0
        try:
            move = self._ask(position)
        except Forfeited as error:
            logger.info("%s forfeits (%s): %s", self._model.name, error.reason, error)
            raise
        finally:
            if self._model.is_measured:
                self._time.charge(self._seconds, self._limit())
        self._noted.append(UNSEEN)
        if self._moves is not None:
            self._moves.append(move)
        return move

    def observe(self, move: int) -> None:
        """Note the opponent's move."""
        if self._moves is not None:
            self._moves.append(move)

    def finish(self, outcome: Outcome) -> None:
        """Forget the answers of the game."""
        self._model.finished(self._seed)

    def _ask(self, position: Position) -> int:
        """Ask for a move until there is one, and no more often than the options say."""
        options = self._options
        prompt = self._prompt(position)
        messages = [{"role": "user", "content": prompt}]
        if options.system is not None:
            messages.insert(0, {"role": "system", "content": options.system.text})
            if not self._requests:  # once in a game the transcript has it
                prompt = f"system: {options.system.text}\n\n{prompt}"
        for tries_left in range(options.rethink, -1, -1):
            reply, is_recorded = self._reply(messages, prompt)
            fault, problem = "", ""
            try:
                return self._move_in(reply, position)
            except NotAMove as error:
                fault, problem = error.fault, error.problem
            finally:
                self._note(prompt, reply, is_recorded, fault, problem)
            if not tries_left:
                break
            if options.tell == "yes":
                prompt = correction(problem, options)
                messages += [
                    {"role": "assistant", "content": reply.text},
                    {"role": "user", "content": prompt},
                ]
        tries = f" (asked {options.rethink + 1} times)" if options.rethink else ""
        raise Forfeited(fault, f"{problem}{tries}")

    def _prompt(self, position: Position) -> str:
        try:
            return prompt_of(
                self._options, self._telling, int(self._side), position, self._history(position)
            )
        except UsageError as error:
            raise Unusable(f"{self._model.name}: {error}") from None

    def _history(self, position: Position) -> tuple[int, ...] | None:
        """Return the moves so far, None where they are not known or not all are seen."""
        if self._game.features or not isinstance(position, Position):
            return None
        moves = position.history()
        if moves is None and self._moves is not None:
            with suppress(IllegalMove):
                if walked(self._game.start(), self._moves) == position:
                    return tuple(self._moves)
            self._moves = None  # it began elsewhere
        return moves

    def _move_in(self, reply: ModelReply, position: Position) -> int:
        """Return the move that a reply names. Raises NotAMove."""
        if reply.refusal or reply.finish == "content_filter":
            refusal = f": {quoted(one_line(reply.refusal))}" if reply.refusal else ""
            raise NotAMove("refusal", f"it refuses to answer{refusal}")
        if reply.finish == "length":  # even a move in it may be the beginning of another one
            raise NotAMove("tokens", "its answer was cut off, for it had no tokens left")
        return read_answer(reply.text, self._options.answer, position, self._telling)

    def _note(
        self, prompt: str, reply: ModelReply, is_recorded: bool, fault: str, problem: str
    ) -> None:
        hear_completion(
            Completion(
                prompt,
                reply.text or reply.refusal,
                reply.reasoning,
                fault,
                problem,
                reply.tokens_in,
                reply.tokens_out,
                self._model.cost(reply),
                round(reply.seconds, 6),
                is_recorded,
            )
        )

    def _reply(self, messages: list[dict[str, str]], prompt: str) -> tuple[ModelReply, bool]:
        """Return an answer, and whether it was recorded before. Raises Forfeited if it is late."""
        model, request = self._model, self._request(messages)
        url = model.address.url
        plain = digest_of_request(url, request, self._seed, 0)
        digest = digest_of_request(url, request, self._seed, self._requests[plain])
        self._requests[plain] += 1
        reply = model.reply_of(self._seed, digest)
        if reply is not None:
            self._used(reply)
            return reply, True
        if model.recorded is not None and model.recorded.is_closed:
            raise StoreError(
                f"{model.name} was not asked this before: the recorded answers are of other games,"
                " and no request is made"
            )

        def keep(reply: ModelReply) -> None:
            model.keep(self._seed, digest, reply)
            model.purse.pay(model.cost(reply) or Fraction(0))

        reply = self._sent(request, prompt, keep)
        model.require_cost(reply)
        self._used(reply)
        return reply, False

    def _used(self, reply: ModelReply) -> None:
        """Note the time and the worth of an answer."""
        self._seconds += reply.seconds
        self._model.purse.use(self._model.cost(reply) or Fraction(0))

    def _request(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        """Return the body of a request."""
        options = self._options
        seed = str(self._seed & _MAX_SEED) if options.seed == "game" else options.seed
        values = {
            "temperature": options.temperature,
            "seed": None if seed is None else int(seed),
            "max_tokens": options.max_tokens,
            "reasoning_effort": options.effort,
        }
        request: dict[str, Any] = {"model": options.model, "messages": list(messages)}
        request |= {name: value for name, value in values.items() if value is not None}
        if options.stream == "yes":
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        return request

    def _sent(
        self, request: dict[str, Any], prompt: str, keep: Callable[[ModelReply], None]
    ) -> ModelReply:
        """Send a request, and again if the network or the server fails."""
        model, start = self._model, now()
        failures = 0
        while True:
            while not model.purse.has_money():
                with elsewhere():
                    sleep(_LOOK)
            limit = min(self._options.timeout, self._limit() - self._seconds)
            if limit <= 0:
                late = Forfeited("timeout", "no time is left for another try")
                raise self._time.explained(late)
            try:
                with model.purse.requesting():
                    return model.service.ask(request, limit, keep)
            except ServiceError as error:
                fault = error
            hear_completion(Completion(prompt, fault=fault.kind, problem=fault.problem))
            if fault.kind == "timeout":
                self._seconds += limit
                raise self._time.explained(Forfeited("timeout", f"no answer within {limit:g} s"))
            if fault.kind == "refused":
                raise Forfeited("refused", fault.problem)
            if fault.kind == "unusable":
                raise Unusable(f"{model.name} cannot be asked: {fault.problem}")
            failures += fault.kind != "limit"
            if failures > self._options.retries or now() - start > _MAX_BUSY:
                raise Unavailable(
                    f"{model.address.url}: {fault.problem}",
                    min(fault.retry_after or 0.0, MAX_RETRY_AFTER),
                )
            pause = min(_PAUSE * 2**failures, _MAX_PAUSE)
            wait = pause if fault.retry_after is None else min(fault.retry_after, MAX_RETRY_AFTER)
            wait += _jitter.random() * pause / 2
            model.warn(fault, wait)
            with elsewhere():
                sleep(wait)

    def _limit(self) -> float:
        """Return the seconds that its limits leave for an answer."""
        limits = self._model.limits
        return self._time.of_move + limits.time_margin if self._model.is_measured else inf
