"""Describe parts of a run as data, so that a machine can play them without trusting the server.

A volunteer gets no pickle and no path: it gets names of installed players, options, and, where the
contest's file allows that, WebAssembly modules. So it runs nothing of the server's outside of the
walls of WebAssembly, and every game can be repeated byte for byte on any machine.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from importlib.metadata import version
from json import dumps
from pathlib import Path
from typing import Any

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.fights.chunks import Chunk
from arena.fights.pairing import BATCH, COMMON_OPTIONS, Pairing, options_from
from arena.game import Game
from arena.player import PlayerInfo
from arena.player.names import NamedSpec, names_a_file
from arena.plugin.catalogue import Catalogue
from arena.plugins.dask.facts import facts
from arena.records.base import Json, Record
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.words import WASM

#: The version of the messages between a server and its volunteers.
WORK_PROTOCOL = "arena.work/1"

#: The key of a contest's file that allows the server to send modules.
SEND_CODE = "send-code"

#: Names of games that name no file and no program. A library's game takes no options, which may.
_GAME = re.compile(r"(openspiel:)?[\w-]+", re.ASCII)

#: Names of installed players whose options name no path.
_SPEC = re.compile(r"[\w.:=,+ -]+")

#: The options of a pairing with which every machine repeats its games.
_OPTIONS = {*COMMON_OPTIONS, "openings", "adjudicate", "resign", "draw"}

#: Arena's own players that compute with floats.
_FLOATING = {"arena.players.cfr", "arena.players.mcts"}

#: The fact about the engine that counts fuel.
_ENGINE = "WebAssembly engine"


@dataclass(frozen=True)
class RunHead(Record):
    """The facts that all parts of a run have in common."""

    SCHEMA = WORK_PROTOCOL

    game: str
    game_version: int
    seed: int
    #: The options of its pairings, as a store has them.
    options: dict[str, Any]
    #: Modules outside of arena that a machine is asked for, and whether for the engine too.
    modules: tuple[str, ...]
    has_code: bool
    #: Whether a player computes with floats, which other processors and libraries may round
    #: otherwise.
    rounds: bool
    #: What the server has of what is asked for.
    facts: dict[str, str]


@dataclass(frozen=True)
class PartPlayer(Record):
    """A player of a part."""

    name: str
    #: How an installed player is named; empty for a module.
    spec: str
    #: The digest of a module, and its limits.
    module: str = ""
    fuel: int = 0
    game_fuel: int = 0
    memory: int = 0


@dataclass(frozen=True)
class Part(Record):
    """Some pairs of one fight: ``start`` to ``stop`` - 1 of ``pairs``, counted from 1."""

    players: tuple[PartPlayer, ...]
    pairs: int
    start: int
    stop: int
    #: The players that sit out at a table of more than two, and why they forfeit.
    out: tuple[tuple[int, str], ...] = ()


def digest_of(content: bytes) -> str:
    """Return the name of some content."""
    return blake2b(content, digest_size=16).hexdigest()


def machine_facts(modules: Sequence[str], has_code: bool, rounds: bool) -> dict[str, str]:
    """Return what this machine has that decides how games come out.

    Arena's own players play alike under every version of Python.
    """
    question = {"modules": [*modules], "programs": [], "tiers": [], "libraries": []}
    answers = facts(question)
    if not modules:
        del answers["Python"]
    if has_code:
        answers[_ENGINE] = _engine()
    if rounds:
        answers["processor"] = platform.machine()
        answers["C library"] = " ".join(platform.libc_ver())
        answers["NumPy"] = version("numpy")
    return answers


def _engine() -> str:
    try:
        from arena.sandbox.wasm.raw import engine_version
    except ImportError:
        return "missing"
    return engine_version()


class RunParts:
    """The parts of the run of some pairings, for machines that are not trusted.

    Raises UsageError for a run whose games not every machine can repeat.
    """

    def __init__(self, pairings: Sequence[Pairing], sends_code: bool) -> None:
        self._pairings, self.sends_code = pairings, sends_code
        first = pairings[0]
        for pairing in pairings:
            _require_repeatable_run(pairing)
        self._seated: dict[int, PartPlayer] = {}
        #: The modules by their digests.
        self.code: dict[str, bytes] = {}
        modules, rounds = set[str](), False
        for player in {id(p): p for pairing in pairings for p in pairing.players}.values():
            self._seated[id(player)] = self._seat(player)
            modules |= _modules_of(player)
            rounds = rounds or _rounds(player)
        modules |= _modules_of_game(first.game)
        named = tuple(sorted(modules))
        self.head = RunHead(
            game=first.game.name,
            game_version=first.game.version,
            seed=first.seed,
            options=first.options,
            modules=named,
            has_code=bool(self.code),
            rounds=rounds,
            facts=machine_facts(named, bool(self.code), rounds),
        )
        #: The name of the head.
        self.digest = digest_of(dumps(self.head.as_json(), sort_keys=True).encode())

    def pairing(self, chunk: Chunk) -> Pairing:
        """Return the pairing of a chunk."""
        return self._pairings[chunk.pairing]

    def part(self, chunk: Chunk) -> Part:
        """Return the part that a chunk is."""
        pairing = self.pairing(chunk)
        players = tuple(self._seated[id(player)] for player in pairing.players)
        return Part(players, pairing.pairs, chunk.start, chunk.stop, chunk.out)

    def _seat(self, player: PlayerInfo) -> PartPlayer:
        if player.isolation == WASM:
            if not self.sends_code:
                raise UsageError(
                    f"player {quoted(player.name)} is a module, and its code goes to volunteers"
                    f" only if the contest's file says {SEND_CODE} = true"
                )
            remote: Any = player.remote
            content: bytes = remote.module.content
            digest = digest_of(content)
            self.code[digest] = content
            bounds = remote.bounds
            return PartPlayer(player.name, "", digest, bounds.fuel, bounds.game_fuel, bounds.memory)
        if problem := _why_not(player):
            raise UsageError(
                f"volunteers cannot play {quoted(player.name)}: it {problem}; they play modules of"
                " WebAssembly and installed players that are functions"
            )
        return PartPlayer(player.name, player.spec or player.name)


def _why_not(player: PlayerInfo) -> str:
    """Return why no other machine can repeat a player's games, empty if it can."""
    if player.file:
        return "is a file in Python"
    if player.remote is not None:
        return "plays in a process of its own"
    if player.code:
        return "reads a file of this machine"
    if not _SPEC.fullmatch(player.spec or player.name):
        return "has options that may name a file"
    if not player.package:
        return "is not installed"
    return player.remembers and f"remembers games: {player.remembers}"


def _require_repeatable_run(pairing: Pairing) -> None:
    game = pairing.game
    problem = ""
    if game.is_refereed:
        problem = "a referee plays its games"
    elif not _GAME.fullmatch(game.name):
        problem = "its game is in a file, or has options of a library"
    elif pairing.plugins:
        problem = f"it needs the plugin {pairing.plugins[0]}"
    elif pairing.engine == BATCH:
        problem = "it is played by batches, which round as a machine does"
    elif pairing.luck is not None:
        problem = "it corrects luck"
    if problem:
        raise UsageError(f"volunteers cannot play this run: {problem}")


def _modules_of(player: PlayerInfo) -> set[str]:
    """Return the module of an installed player that is not arena's."""
    return set() if player.remote is not None else _outside(_module_of(player.player))


def _module_of(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__module__", None) or type(function).__module__)


def _rounds(player: PlayerInfo) -> bool:
    """Return whether an installed player may compute with floats: all but some of arena's own."""
    if player.remote is not None:
        return False
    module = _module_of(player.player)
    return module in _FLOATING or bool(_outside(module))


def _modules_of_game(game: Game) -> set[str]:
    """Return the modules of a game that is not arena's, and the library of one that is."""
    library = {"pyspiel"} if game.name.startswith("openspiel:") else set()
    return _outside(type(game.start()).__module__) | library


def _outside(module: str) -> set[str]:
    return set() if module.partition(".")[0] == "arena" else {module}


def require_head(head: RunHead, catalogue: Catalogue) -> Game:
    """Return the game of a head. Raises UsageError unless this machine has it."""
    if not _GAME.fullmatch(head.game):
        raise UsageError(f"the server names the game {quoted(head.game)}, which is not played here")
    if others := head.options.keys() - _OPTIONS:
        raise UsageError(f"the server names the option {quoted(min(others))}")
    game = catalogue.game(head.game)
    if game.version != head.game_version:
        raise UsageError(f"{quoted(head.game)} of the server is another game than here")
    _require_known(head.modules, game, catalogue)
    return game


def pairing_of(
    head: RunHead, part: Part, catalogue: Catalogue, modules: Mapping[str, Path]
) -> Pairing:
    """Return the pairing of a part on this machine. ``modules`` are the files by their digests.

    Raises UsageError for a part that this machine does not play.
    """
    game = require_head(head, catalogue)
    players = [_player(seated, catalogue, modules) for seated in part.players]
    if len(players) != game.seats:
        raise UsageError(f"the server seats {len(players)} players at {quoted(game.name)}")
    a, b, *others = players
    options = options_from(head.options, game)
    return Pairing(game, a, b, part.pairs, head.seed, others=tuple(others), **options)


def _require_known(modules: Iterable[str], game: Game, catalogue: Catalogue) -> None:
    """Raise UsageError for a module of no plugin that is installed: to ask for it may import it."""
    installed = _modules_of_game(game).union(
        *(_modules_of(player) for _, player in catalogue.players)
    )
    packages = {module.partition(".")[0] for module in installed}
    for module in modules:
        if module.partition(".")[0] not in packages:
            raise UsageError(f"the server asks for {quoted(module)}, which no plugin here has")


def _player(seated: PartPlayer, catalogue: Catalogue, modules: Mapping[str, Path]) -> PlayerInfo:
    name, spec = seated.name, seated.spec
    if seated.module:
        from arena.sandbox.players import renamed
        from arena.sandbox.wasm.player import wasm_player

        limits = PlayerLimits(
            tier=WASM, fuel=seated.fuel, game_fuel=seated.game_fuel, memory=seated.memory
        )
        file = str(modules[seated.module])
        return renamed(wasm_player(file, limits, file), name, f"{name}.wasm")
    is_path = not _SPEC.fullmatch(spec) or names_a_file(spec)
    if is_path or catalogue.protocol_of(spec) is not None:
        raise UsageError(f"the server names the player {quoted(spec)}, which is not installed here")
    player = catalogue.named_player(NamedSpec(name, spec))
    if problem := _why_not(player):
        raise UsageError(f"the server names the player {quoted(spec)}, which {problem}")
    return player


def read_object(value: object) -> Json:
    """Return a JSON value that is an object. Raises UsageError for another one."""
    if not isinstance(value, dict):
        raise UsageError("it is not an object")
    return value
