"""Add and read the options of isolated players: their sandbox, limits and readable files."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from argparse import _ArgumentGroup as Group
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena.cli.help import ISOLATION
from arena.errors import UsageError, did_you_mean, quoted
from arena.player.clocks import read_control
from arena.player.names import NamedSpec, canonical, read_named
from arena.plugin.catalogue import Catalogue
from arena.sandbox.hosts import read_host
from arena.sandbox.settings import LIMIT_KINDS, Isolation, LimitKind
from arena.sandbox.words import WASM

#: Commands whose players are those of a store, a game's id, a baseline, a contest or a folder.
NAMED_ELSEWHERE = ("resume", "replay", "explain", "regress", "tournament")

#: A limit, and the player that it is for; all players if none is named.
NamedLimit = tuple[str | None, float]


def add_isolation(parser: ArgumentParser) -> None:
    """Add ``--isolation`` to ``--allow-network``."""
    group = parser.add_argument_group(
        ISOLATION,
        "Files and programs are sandboxed. Limits can be set per player: --move-time ./bot.py=0.5.",
    )
    group.add_argument(
        "--isolation",
        metavar="TIER",
        help="the sandbox: process, locked, bwrap, or auto, the strongest that works on this"
        " machine (see: arena doctor); none is faster, for your own files; wasm takes modules"
        " (.wasm) alone (default: auto)",
    )
    group.add_argument("--isolate", action="store_true", help="sandbox installed players too")
    group.add_argument(
        "--require-isolation", metavar="TIER", help="refuse to play in a weaker sandbox than this"
    )
    group.add_argument(
        "--clock",
        action="append",
        type=_clock,
        default=[],
        metavar="CLOCK",
        help="a clock for each player: 60+0.5 is 60 seconds for a game and 0.5 more after each"
        " move, 40/60 is 60 seconds for every 40 moves (default: none)",
    )
    for name, limit in LIMIT_KINDS.items():
        default = (
            f"{limit.help_default:,}"
            if isinstance(limit.help_default, int)
            else f"{limit.help_default:g}"
        )
        group.add_argument(
            f"--{name.replace('_', '-')}",
            action="append",
            type=_limit(limit),
            default=[],
            metavar=limit.unit.upper(),
            help=f"{limit.unit} {limit.words} (default: {default}{limit.but})",
        )
    _add_what_is_reached(group)


def _add_what_is_reached(group: Group) -> None:
    """Add the options of what players may read, and of what arena reaches and writes for them."""
    group.add_argument(
        "--log-protocol",
        metavar="FILE",
        help="write what arena says to programs and engines, and what they answer, to a file",
    )
    group.add_argument(
        "--readable",
        action="append",
        type=_readable,
        default=[],
        metavar="PATH",
        help="a file or folder that they may read too, such as weights; may be given again",
    )
    group.add_argument(
        "--allow-network",
        action="append",
        type=_host,
        default=[],
        metavar="HOST",
        help="HOST or HOST:PORT of a server that may play as http://HOST; repeatable"
        " (default: this machine alone)",
    )


def isolation_of(arguments: Namespace, catalogue: Catalogue) -> Isolation:
    """Return the isolation of players that the options set.

    Raises UnknownName for a wrong tier, UsageError for a limit of a player that takes no part, and
    NotIsolated if the required tier is not available.
    """
    settings: dict[str | None, dict[str, Any]] = {None: {}}
    for name, limit in LIMIT_KINDS.items():
        for player, number in getattr(arguments, name):
            settings.setdefault(player, {})[name] = type(limit.least)(number)
    for player, clock in arguments.clock:
        settings.setdefault(player, {})["clock"] = clock
    for name in ("readable", "allow_network"):
        for player, text in getattr(arguments, name):
            player_settings = settings.setdefault(player, {})
            player_settings[name] = (*player_settings.get(name, ()), text)
    common = settings.pop(None)
    if arguments.isolation or arguments.require_isolation:  # the tier of a run that is resumed too
        is_wasm = arguments.require_isolation == WASM
        common["tier"] = arguments.isolation or (WASM if is_wasm else "auto")
    if arguments.isolate:
        common["installed"] = True
    base = Isolation(**common)
    if arguments.require_isolation is not None:
        from arena.sandbox.choice import require  # the tiers take a while to import

        limits = base.resolved()
        require(limits.tier_name, arguments.require_isolation)
    players = {}
    for player, player_settings in settings.items():
        assert player is not None
        _require_limited(player, arguments, catalogue)
        players[player] = Isolation(**player_settings)
    return replace(base, players=players)


def _require_limited(player: str, arguments: Namespace, catalogue: Catalogue) -> None:
    """Raise UsageError for a limit whose player takes no part: catch typos before any game."""
    if arguments.command.name in NAMED_ELSEWHERE:
        return
    specs = dict(_read_word(word) for value in vars(arguments).values() for word in _words(value))
    if player not in specs:
        hint = did_you_mean(player, specs)
        raise UsageError(f"a limit is for player {quoted(player)}{hint}, which is not named")
    spec = specs[player]
    if not (arguments.isolate or catalogue.is_isolated(spec)):
        raise UsageError(
            f"a limit is for player {quoted(player)}, which is installed: add --isolate"
        )


def _words(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [word for word in values if isinstance(word, str)]


def _read_word(word: str) -> NamedSpec:
    """Return the player that a word names. Arena later refuses a word that it cannot read."""
    try:
        return read_named(word)
    except UsageError:
        return NamedSpec(word, word)


def _limit(limit: LimitKind) -> Callable[[str], NamedLimit]:
    least, most = limit.least, limit.most

    def parse(text: str) -> NamedLimit:
        player, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = 0.0
        if not least <= value <= most:
            raise ArgumentTypeError(
                f"must be a number from {least:g} to {most}, not {quoted(number)}"
            )
        return (canonical(player) if equals else None), value

    return parse


def _clock(text: str) -> tuple[str | None, str]:
    player, equals, clock = text.rpartition("=")
    try:
        return (canonical(player) if equals else None), str(read_control(clock))
    except UsageError as error:
        raise ArgumentTypeError(str(error)) from None


def _host(text: str) -> tuple[str | None, str]:
    player, equals, host = text.rpartition("=")
    try:
        return (canonical(player) if equals else None), str(read_host(host))
    except UsageError as error:
        raise ArgumentTypeError(str(error)) from None


def _readable(text: str) -> tuple[str | None, str]:
    player, equals, path = text.rpartition("=")
    if os.path.exists(text):
        player, equals, path = "", "", text
    if not os.path.exists(path):
        raise ArgumentTypeError(f"there is no file or folder {quoted(path)}")
    return (canonical(player) if equals else None), os.path.abspath(path)
