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
from arena.errors import Forfeited, PlayerFileError, UsageError, VoidGame, quoted
from arena.game import Game, Outcome, Position, Side
from arena.player import NoProcess, PlayerInfo
from arena.player.clocks import Clock
from arena.player_file import absolute, require_file
from arena.sandbox.settings import DEFAULT_MEMORY, PlayerLimits
from arena.sandbox.wasm.modules import code_of, read_module
from arena.sandbox.wasm.raw import Code, Instance, NoRoom, Trap, engine_version
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
    bounds = ModuleLimits(limits.fuel, limits.game_fuel, memory)
    module = read_module(name, path)
    bot = WasmBot(name, Module(module, limits.import_time), bounds)
    try:
        bot.instance(bounds.fuel).close()
    except (Trap, NoRoom) as error:
        raise PlayerFileError(name, f"cannot be instantiated: it {error}") from None
    return PlayerInfo(
        name,
        WasmChoice(bot) if bot.is_stateless else bot,
        version=engine_version(),
        stateless=bot.is_stateless,
        summary="a WebAssembly module",
        file=str(path),
        remote=bot,
        isolation=WASM,
        limits=(("tier", WASM), *asdict(bounds).items()),
        code=(str(path),),
    )


@dataclass(frozen=True)
class ModuleLimits:
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
            self._code = process, code_of(name, self.content, self.seconds)
        return self._code[1]


@lru_cache(maxsize=64)
def _module(content: bytes, seconds: float) -> Module:
    """Return the module of these bytes, the same one for all that a process receives."""
    return Module(content, seconds)


class WasmBot(NoProcess):
    """Makes the players of a module: each plays one game with an instance of its own."""

    def __init__(self, name: str, module: Module, bounds: ModuleLimits) -> None:
        self.name, self.module, self.bounds = name, module, bounds

    def __call__(self, fresh: bool = True) -> WasmGame:
        """Return a player for one game. It always begins afresh."""
        return WasmGame(self)

    def named(self, name: str) -> WasmBot:
        """Return the same module under another name."""
        return WasmBot(name, self.module, self.bounds)

    @property
    def is_stateless(self) -> bool:
        """Whether it keeps nothing from move to move, so that each move has an instance."""
        return not any(map(self.exports, _STATEFUL))

    def instance(self, fuel: int) -> Instance:
        """Return a new instance that may use this much fuel to come to its start.

        Raises Trap if it does not, and NoRoom.
        """
        code = self.module.code(self.name)
        instance = code.instance(self.bounds.memory << 20, fuel)
        if code.exports("_initialize"):
            try:
                instance.call("_initialize")
            except BaseException:
                instance.close()
                raise
        return instance

    def exports(self, function: str) -> bool:
        """Return whether the module has a function of that name."""
        return self.module.code(self.name).exports(function)


@dataclass(frozen=True)
class WasmChoice:
    """The function of a module that keeps nothing: each move has an instance of its own."""

    remote: WasmBot

    def __call__(self, position: Position, rng: random.Random) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        player = WasmGame(self.remote)
        player.start(position.game, position.to_move, rng)
        return player.choose(position)


#: What a module does with its fuel in each function, for messages.
_DOING = {"choose": "for a move", "start": "to begin", "observe": "to note a move"}


class WasmGame:
    """One game of a module: a StatefulPlayer that raises only Forfeited and VoidGame."""

    def __init__(self, bot: WasmBot) -> None:
        self._bot, self._bounds = bot, bot.bounds
        #: Measures its moves in fuel.
        self.clock = Clock(None, in_fuel=True)
        self._fuel_left = bot.bounds.game_fuel
        self._instance: Instance | None = None
        #: What was wrong when it was told a move: it forfeits when it is asked for one.
        self._fault: Forfeited | None = None

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Begin the game, and tell the module which game and seat it has."""
        self._game, self._rng = game, rng
        self._words = _words_of(game)
        if not self._bot.is_stateless:
            self._begin("start")
            if self._bot.exports("start"):
                self._call("start", f"{game.name} {int(side)} {game.seats}")

    def choose(self, position: Position) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        if self._fault is not None:
            raise self._fault
        before = self._fuel_left
        if self._bot.is_stateless:
            self._begin("choose")
        legal = position.legal_moves()
        words = " ".join([self._words(move) for move in legal])
        answer = self._call("choose", f"{words}\n{position}")
        self.clock.charge(before - self._fuel_left)
        if not 0 <= answer < len(legal):
            raise self._noted(
                Forfeited("illegal", f"chose move {answer} of {len(legal)}, counted from 0")
            )
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
        self._end()

    def _end(self) -> None:
        """Free the memory of its instance, if it has one."""
        instance, self._instance = self._instance, None
        if instance is not None:
            instance.close()

    def _begin(self, function: str) -> None:
        """Make a new instance. What that takes counts for the function."""
        self._end()
        limit = min(self._bounds.fuel, self._fuel_left)
        try:
            self._instance = self._bot.instance(limit)
        except Trap as error:
            raise self._forfeited(error, function, limit) from None
        except NoRoom as error:
            raise self._no_room(error) from None
        self._fuel_left -= limit - self._instance.fuel
        self._instance.draw = self._rng.randrange

    def _call(self, function: str, text: str) -> int:
        """Call a function with a text, and return the result."""
        instance, data = self._instance, text.encode()
        assert instance is not None
        limit = min(self._bounds.fuel, self._fuel_left)
        instance.refuel(limit)
        try:
            place = instance.call("buffer", len(data)) & 0xFFFFFFFF
            if not place:
                raise Trap(f"has no room for a text of {len(data):,} bytes")
            instance.write(place, data)
            answer = instance.call(function, place, len(data))
        except Trap as error:
            raise self._forfeited(error, function, limit) from None
        except NoRoom as error:
            self._end()
            raise self._no_room(error) from None
        self._fuel_left -= limit - instance.fuel
        return answer

    def _forfeited(self, error: Trap, function: str, limit: int) -> Forfeited:
        """End the instance, and return the forfeit that a fault is."""
        self._end()
        bounds = self._bounds
        if not error.is_out_of_fuel:
            return self._noted(Forfeited("crash", error.problem))
        if limit < bounds.fuel:
            of_game = f"used all of its {bounds.game_fuel:,} fuel for the game"
            return self._noted(Forfeited("fuel", of_game))
        doing = _DOING[function]
        return self._noted(Forfeited("fuel", f"used all of its {bounds.fuel:,} fuel {doing}"))

    def _no_room(self, error: NoRoom) -> VoidGame:
        return VoidGame(f"this machine has no room for {self._bot.name}: {error}")

    def _noted(self, error: Forfeited) -> Forfeited:
        logger.info("%s forfeits (%s): %s", self._bot.name, error.reason, error)
        return error


@lru_cache(maxsize=64)
def _words_of(game: Game) -> Any:
    """Return what writes the moves of a game, and remembers them."""
    return lru_cache(maxsize=4096)(game.format_move)
