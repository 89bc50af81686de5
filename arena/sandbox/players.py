"""Players in processes of their own, as the arena knows players.

Their code never runs where the arena keeps the score, not even to find out what they are.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from arena.dataclass import dataclass
from arena.errors import (
    ArenaError,
    CannotLoad,
    Forfeited,
    PlayerFileError,
    PluginError,
    UsageError,
    Withdrawn,
    describe,
    one_line,
    quoted,
)
from arena.player import NoProcess, PlayerInfo, Renamable, StatefulPlayer
from arena.player.clients import Client, PlayerProtocol
from arena.player.names import PROGRAM, split_protocol
from arena.player_file import absolute, require_file
from arena.player_file.plugin import dumps
from arena.sandbox.denied_hints import with_hint
from arena.sandbox.outside_modules import places_of
from arena.sandbox.remote import Remote, RemoteChoice, RemoteDistribution
from arena.sandbox.settings import DEFAULT_MEMORY, PlayerLimits, Spec, program
from arena.sandbox.side_modules import find_side_modules, register_player, with_folder_told
from arena.sandbox.wire import protocol
from arena.sandbox.words import WASM

if TYPE_CHECKING:
    from arena.game import Game
    from arena.player.batches import ChooseElsewhere

T = TypeVar("T")


def protocol_player(
    name: str, protocol: PlayerProtocol, limits: PlayerLimits, plugins: tuple[str, ...] = ()
) -> PlayerInfo:
    """Return the player of a spec with a protocol: a program or a file.

    The game of a file of data may come from one of the ``plugins`` in files. Raises UsageError if
    it is not there, or its options are wrong.
    """
    if protocol.client is not None:
        info = program_player(name, limits, protocol)
    elif protocol.data is not None:
        info = data_player(name, protocol, plugins)
    elif protocol.address is not None:
        info = address_player(name, protocol, limits)
    else:
        info = agent_player(name, protocol, limits)
    return replace(info, package=protocol.plugin or info.package)


def program_player(name: str, limits: PlayerLimits, protocol: PlayerProtocol) -> PlayerInfo:
    """Return the player that a program is.

    Starts and greets it once if its protocol has a greeting. Raises CannotLoad if that fails.
    """
    address = split_protocol(name)
    assert address is not None
    assert protocol.client is not None
    make = partial(protocol.client, address.options)
    client = _make(name, make)
    needs_more = client.demand().memory is not None
    remote = _remote(program(name, make), limits if needs_more else _with_memory(limits))
    version = ""
    if type(client).greet is not Client.greet:
        try:
            process = _make(name, remote.start)
            version = "" if process.client is None else one_line(process.client.version)
            remote.give_back(process)
        except Forfeited as error:
            raise CannotLoad(name, with_hint(error, remote.tier, remote.spec).problem) from None
        remote.close()
    info = PlayerInfo(
        name,
        remote,
        protocol.games,
        version,
        stateless=False,
        summary=protocol.summary or "a program",
        command=remote.spec.argv,
        refuses=protocol.refuses,
    )
    return _played_by(info, remote)


def agent_player(name: str, protocol: PlayerProtocol, limits: PlayerLimits) -> PlayerInfo:
    """Return the player that a protocol makes of a file."""
    assert protocol.file is not None
    file = _file_of_protocol(name, protocol)
    arguments: list[Any] = [file, limits.tier != "none"]
    others: tuple[str, ...] = ()
    if protocol.files is not None:
        options = _options_of(name)
        others = _make(name, partial(protocol.files, options))
        arguments += [options, others]
    info = PlayerInfo(
        name,
        partial(protocol.file, *arguments),
        protocol.games,
        stateless=False,
        summary=protocol.summary,
        code=(file, *others),
        file=file,
        refuses=protocol.refuses if protocol.needs_guide else None,
    )
    return info if limits.tier == "none" else isolated(info, limits)


def started_agent(
    name: str, protocol: PlayerProtocol, program: PlayerProtocol, limits: PlayerLimits
) -> PlayerInfo:
    """Return the player that a referee starts for a file, by the protocol's command.

    ``program`` is the protocol of programs.
    """
    assert protocol.command is not None
    file = _file_of_protocol(name, protocol)
    info = program_player(PROGRAM + shlex.join(protocol.command(file)), limits, program)
    return replace(renamed(info, name, ""), file=file)


def data_player(name: str, protocol: PlayerProtocol, plugins: tuple[str, ...]) -> PlayerInfo:
    """Return the player that a protocol makes from a file of data. It plays here."""
    assert protocol.data is not None
    file = _file_of_protocol(name, protocol)
    info = _make(name, partial(protocol.data, name, file, plugins))
    return replace(info, name=name, code=(file,))


#: The limits of a player at an address. Arena cannot limit anything else there.
OF_ADDRESSES = (
    "clock",
    "move_time",
    "game_time",
    "import_time",
    "time_margin",
    "allow_network",
)


def address_player(name: str, protocol: PlayerProtocol, limits: PlayerLimits) -> PlayerInfo:
    """Return the player at an address. Arena starts no process for it."""
    assert protocol.address is not None
    applied = PlayerLimits(tier="none", **{limit: getattr(limits, limit) for limit in OF_ADDRESSES})
    info = _make(name, partial(protocol.address, name, applied))
    shown_limits = tuple(pair for pair in applied.as_pairs() if pair[0] in OF_ADDRESSES)
    return replace(
        info,
        name=name,
        games=protocol.games,
        summary=info.summary or protocol.summary,
        refuses=partial(_refused, (protocol.refuses, info.refuses)),
        limits=shown_limits,
    )


def _refused(askers: Sequence[Callable[[Game], str] | None], game: Game) -> str:
    """Return the first reason why a game is not played, empty if there is none."""
    return next((reason for refuses in askers if refuses and (reason := refuses(game))), "")


def _file_of_protocol(name: str, protocol: PlayerProtocol) -> str:
    """Return the file that a name has after its protocol. Raises UsageError for options."""
    address = split_protocol(name)
    assert address is not None
    if address.options and protocol.files is None:
        raise UsageError(f"player {quoted(name)}: {protocol.name} takes no options")
    return str(require_file(name, absolute(address.text)))


def _options_of(name: str) -> dict[str, str]:
    """Return the options in a name after its protocol."""
    address = split_protocol(name)
    return address.options if address else {}


def _make(name: str, make: Callable[[], T]) -> T:
    """Return what a plugin's client makes. Raises UsageError and PluginError with the player."""
    try:
        return make()
    except Forfeited:
        raise
    except UsageError as error:
        raise UsageError(f"player {quoted(name)}: {error}") from None
    except ArenaError:
        raise
    except Exception as error:
        raise PluginError(f"player {quoted(name)} cannot be made: {describe(error)}") from error


def file_player(name: str, limits: PlayerLimits, file: str = "") -> PlayerInfo:
    """Return the player in a file. Raises PlayerFileError if there is none.

    It is loaded once to be asked what it is, in a process of its own.
    """
    where = file or absolute(name)
    path = require_file(name, where)
    register_player(str(path))
    if problem := _denial(limits, [str(path)]):
        raise PlayerFileError(name, problem)
    spec = Spec(name, file=where, files=find_side_modules(path))
    remote = _remote(spec, _with_memory(limits))
    try:
        process = remote.start()
    except Forfeited as error:
        if error.reason == "import-error":
            problem = with_folder_told(with_hint(error, remote.tier, spec).problem, path)
            raise PlayerFileError(name, problem) from None
        raise CannotLoad(name, str(error)) from None
    facts = process.facts
    remote.give_back(process)
    remote.close()
    info = PlayerInfo(
        name,
        remote,
        choose_batch=_batch(remote) if facts.get("batch") is True else None,
        summary=protocol.text(facts, "summary"),
        file=spec.file,
    )
    return _played_by(replace(info, stateless=facts.get("stateless") is True), remote)


@dataclass(frozen=True)
class AbsentPlayer(NoProcess):
    """Stands in games for the player of a file that does not load: Withdrawn at every call."""

    name: str
    problem: str

    def __call__(self, fresh: bool = True) -> StatefulPlayer:
        """Raise Withdrawn."""
        raise Withdrawn(self.name, "import-error", self.problem)

    def named(self, name: str) -> AbsentPlayer:
        """Return the same under another name."""
        return AbsentPlayer(name, self.problem)


def is_absent(player: PlayerInfo) -> bool:
    """Return whether a player stands in for one whose file does not load."""
    return isinstance(player.remote, AbsentPlayer)


def unloadable_player(name: str, limits: PlayerLimits, problem: str, file: str) -> PlayerInfo:
    """Return the player of a file that does not load: it is withdrawn before its first game.

    It is isolated and limited as it would be if it did, which a run that is resumed asks for.
    """
    spec = Spec(name, file=file or os.path.abspath(name))
    absent = AbsentPlayer(name, problem)
    info = PlayerInfo(name, absent, stateless=False, remote=absent, file=spec.file)
    if limits.tier == "none":
        return info
    remote = Remote(spec, _with_memory(limits))
    return replace(_played_by(info, remote), player=absent, remote=absent)


def renamed(info: PlayerInfo, name: str, spec: str) -> PlayerInfo:
    """Return a player of a spec that was just made under a name, which its process has, too."""
    remote = info.remote
    if isinstance(remote, Remote):
        remote.spec = replace(remote.spec, alias=name)
    elif isinstance(remote, Renamable):
        other = remote.named(name)
        function: Any = info.player
        player = replace(function, remote=other) if info.stateless else other
        info = replace(info, player=player, remote=other)
    return replace(info, name=name, spec=spec)


def isolated(info: PlayerInfo, limits: PlayerLimits) -> PlayerInfo:
    """Return an installed player that gets a process of its own."""
    files = tuple(os.path.abspath(file) for file in info.code)
    modules = places_of(info)
    try:
        installed = dumps(info, modules)
    except Exception as error:
        problem = f"cannot be sent to a process of its own: {describe(error)}"
        raise PluginError(f"player {quoted(info.name)} {problem}") from error
    spec = Spec(info.name, files=files, installed=installed, modules=modules)
    return _played_by(info, _remote(spec, _with_memory(limits)))


def with_checks(info: PlayerInfo, hash_seed: str = "0") -> PlayerInfo:
    """Return the same player, looked at in its process if that is arena's. Another is as it was.

    The order of its sets goes by ``hash_seed``.
    """
    remote = info.remote
    if not isinstance(remote, Remote) or not remote.spec.is_python:
        return info
    spec = replace(remote.spec, is_checked=True, hash_seed=hash_seed)
    return _played_by(info, Remote(spec, remote.limits))


def is_checked(info: PlayerInfo) -> bool:
    """Return whether a player is looked at in a process of its own."""
    return isinstance(info.remote, Remote) and info.remote.spec.is_checked


def _denial(limits: PlayerLimits, paths: Iterable[str]) -> str:
    """Return why a player may not read the first of these paths that it may not. The result is
    empty if it may.

    Each should be an existing file or folder.
    """
    tier = limits.process_tier
    return next(filter(None, (tier.denied(Path(os.path.abspath(path))) for path in paths)), "")


def require_readable(limits: PlayerLimits) -> None:
    """Raise UsageError if a player may not read what ``--readable`` lets it, which names that."""
    if limits.tier != WASM and (problem := _denial(limits, limits.readable)):
        raise UsageError(problem)


def _remote(spec: Spec, limits: PlayerLimits) -> Remote:
    """Return what starts a player. Raises UsageError if it may not read what the user lets it."""
    require_readable(limits)
    return Remote(spec, limits)


def _with_memory(limits: PlayerLimits) -> PlayerLimits:
    """Return the same limits with the usual one of memory, if the user sets none."""
    return limits if limits.memory is not None else replace(limits, memory=DEFAULT_MEMORY)


def _batch(remote: Remote) -> ChooseElsewhere:
    """Return what asks a player in another process for many moves at once."""
    from arena.sandbox.blocks import RemoteBatch  # batches alone need NumPy

    return RemoteBatch(remote)


def _played_by(info: PlayerInfo, remote: Remote) -> PlayerInfo:
    """Return the same player, played by that process in every way."""
    files = (*map(str, remote.spec.readable), *remote.limits.readable)
    code = files or info.code
    limits = replace(remote.limits, tier=remote.tier).as_pairs()
    remote_info = replace(
        info,
        player=remote,
        choose_batch=None if info.choose_batch is None else _batch(remote),
        remote=remote,
        isolation=remote.tier,
        limits=limits,
        code=code,
    )
    if not info.stateless:
        return remote_info
    declared = None if info.distribution is None else RemoteDistribution(remote)
    return replace(remote_info, player=RemoteChoice(remote), distribution=declared)
