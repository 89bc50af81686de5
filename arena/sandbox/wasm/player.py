"""Be a player in the arena for a WebAssembly module: an instance of it plays one game.

What it may compute is counted in fuel, so it forfeits at the same move on every machine.
"""

from __future__ import annotations

import logging
import os
import random
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from arena.dataclass import dataclass
from arena.errors import Forfeited, PlayerFileError, UsageError, quoted
from arena.game import Game, Outcome, Position, Side
from arena.player import PlayerInfo
from arena.player.clocks import Clock
from arena.player_file import absolute, require_file
from arena.sandbox.settings import DEFAULT_MEMORY, PlayerLimits
from arena.sandbox.wasm.modules import code_of, compiled, read_module
from arena.sandbox.wasm.raw import Code, Instance, Trap, engine_version
from arena.sandbox.words import WASM

logger = logging.getLogger(__name__)

#: A module that exports one of these keeps something from move to move.
_STATEFUL = ("start", "observe")


def wasm_player(name: str, limits: PlayerLimits, file: str = "") -> PlayerInfo:
    """Return the player that a module is. Raises PlayerFileError for a file that is none.

    The module is compiled and instantiated once, which finds most of what is wrong with it.
    """
    path = require_file(name, file or absolute(name))
    if limits.clock:
        raise UsageError(
            f"player {quoted(name)}: a module is limited by --fuel, and takes no clock"
        )
    memory = DEFAULT_MEMORY if limits.memory is None else limits.memory
    bounds = Bounds(limits.fuel, limits.game_fuel, memory)
    module = read_module(name, path)
    bot = WasmBot(name, Module(module, limits.import_time), bounds)
    try:
        bot.instance()
    except Trap as error:
        raise PlayerFileError(name, f"cannot be instantiated: {error.problem}") from None
    is_stateful = any(map(bot.exports, _STATEFUL))
    return PlayerInfo(
        name,
        bot if is_stateful else WasmChoice(bot),
        version=engine_version(),
        stateless=not is_stateful,
        summary="a WebAssembly module",
        file=str(path),
        remote=bot,
        isolation=WASM,
        limits=(("tier", WASM), *asdict(bounds).items()),
        code=(str(path),),
    )


@dataclass(frozen=True)
class Bounds:
    """The limits of a module, by the names of PlayerLimits. Arena limits nothing else of it."""

    #: Fuel of a move, and of all moves of a game.
    fuel: int
    game_fuel: int
    #: MiB of memory.
    memory: int


class Module:
    """A module with its code, which each process makes for itself."""

    def __init__(self, content: bytes, seconds: float) -> None:
        self.content, self.seconds = content, seconds
        self._code: tuple[int, Code] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _module, (self.content, self.seconds)

    def code(self, name: str) -> Code:
        """Return its code in this process. Raises PlayerFileError if it does not compile."""
        process = os.getpid()
        if self._code is None or self._code[0] != process:
            made = compiled(name, self.content, self.seconds)
            self._code = process, code_of(made, process)
        return self._code[1]


@lru_cache(maxsize=64)
def _module(content: bytes, seconds: float) -> Module:
    """Return the module of these bytes, the same one for all that a process receives."""
    return Module(content, seconds)


class WasmBot:
    """Makes the players of a module: each plays one game with an instance of its own."""

    def __init__(self, name: str, module: Module, bounds: Bounds) -> None:
        self.name, self.module, self.bounds = name, module, bounds

    def __call__(self, fresh: bool = True) -> WasmGame:
        """Return a player for one game. It always begins anew."""
        return WasmGame(self)

    def named(self, name: str) -> WasmBot:
        """Return the same module under another name."""
        return WasmBot(name, self.module, self.bounds)

    @property
    def shares_core(self) -> bool:
        """Whether another process runs on arena's processor: there is none."""
        return False

    @property
    def remembers(self) -> str:
        """Nothing: an instance ends with its game."""
        return ""

    def close(self) -> None:
        """End nothing: it has no process."""

    def instance(self) -> Instance:
        """Return a new instance. Raises Trap if it does not come to its start."""
        code = self.module.code(self.name)
        made = code.instance(self.bounds.memory << 20, self.bounds.fuel)
        if code.exports("_initialize"):
            made.call("_initialize")
        return made

    def exports(self, function: str) -> bool:
        """Return whether the module has a function of that name."""
        return self.module.code(self.name).exports(function)


@dataclass(frozen=True)
class WasmChoice:
    """The function of a module that keeps nothing: each move has an instance of its own."""

    bot: WasmBot

    def __call__(self, position: Position, rng: random.Random) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        player = WasmGame(self.bot)
        player.start(position.game, position.to_move, rng)
        return player.choose(position)


class WasmGame:
    """One game of a module: a StatefulPlayer that raises only Forfeited."""

    def __init__(self, bot: WasmBot) -> None:
        self._bot, self._bounds = bot, bot.bounds
        #: Measures its moves in fuel.
        self.clock = Clock(None)
        self._left = bot.bounds.game_fuel
        #: What was wrong when it was told a move: it forfeits when it is asked for one.
        self._fault: Forfeited | None = None

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Begin the game with a new instance, and tell it which game and seat it has."""
        self._game, self._rng = game, rng
        try:
            self._instance = self._bot.instance()
        except Trap as error:
            raise self._forfeited(error, self._bounds.fuel) from None
        self._words = _words_of(game)
        self._instance.draw = rng.randrange
        if self._bot.exports("start"):
            self._call("start", f"{game.name} {int(side)} {game.seats}")

    def choose(self, position: Position) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        if self._fault is not None:
            raise self._fault
        legal = position.legal_moves()
        words = " ".join([self._words(move) for move in legal])
        answer, used = self._call("choose", f"{words}\n{position}")
        self.clock.charge(used)
        if not 0 <= answer < len(legal):
            error = Forfeited("illegal", f"chose move {answer} of {len(legal)}, counted from 0")
            logger.info("%s forfeits (%s): %s", self._bot.name, error.reason, error)
            raise error
        return legal[answer]

    def observe(self, move: int) -> None:
        """Tell it the opponent's move, if it wants to know."""
        if self._fault is None and self._bot.exports("observe"):
            try:
                self._call("observe", self._words(move))
            except Forfeited as error:
                self._fault = error

    def finish(self, outcome: Outcome) -> None:
        """End the instance."""
        del self._instance

    def _call(self, function: str, text: str) -> tuple[int, int]:
        """Call a function with a text, and return the result and the fuel that it took."""
        instance, data = self._instance, text.encode()
        limit = min(self._bounds.fuel, self._left)
        instance.refuel(limit)
        try:
            place = instance.call("buffer", len(data)) & 0xFFFFFFFF
            if not place:
                raise Trap(f"it has no room for a text of {len(data):,} bytes")
            instance.write(place, data)
            answer = instance.call(function, place, len(data))
        except Trap as error:
            forfeited = self._forfeited(error, limit)
            logger.info("%s forfeits (%s): %s", self._bot.name, forfeited.reason, forfeited)
            raise forfeited from None
        used = limit - instance.fuel
        self._left -= used
        return answer, used

    def _forfeited(self, error: Trap, limit: int) -> Forfeited:
        """Return the forfeit that a fault is."""
        if not error.is_out_of_fuel:
            return Forfeited("crash", error.problem)
        if limit < self._bounds.fuel:
            return Forfeited(
                "fuel", f"used all of its {self._bounds.game_fuel:,} fuel for the game"
            )
        return Forfeited("fuel", f"used all of its {limit:,} fuel for a move")


@lru_cache(maxsize=64)
def _words_of(game: Game) -> Any:
    """Return what writes the moves of a game, and remembers them."""
    return lru_cache(maxsize=4096)(game.format_move)
