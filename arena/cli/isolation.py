"""The options of players in processes of their own: how they are kept apart, what they may use."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena.errors import UnknownName, quoted
from arena.plugin import Catalogue
from arena.sandbox.settings import Isolation

#: What ``--isolation`` and ``--require-isolation`` may name, from weakest to strongest.
TIERS = ("none", "process", "locked", "bwrap")

#: The least of a limit that is not in seconds.
LEAST = {"memory": 16, "processes": 1}

#: A limit, and whom it is for; everybody if nobody is named.
Limit = tuple[str | None, float]


def add_isolation(parser: ArgumentParser) -> None:
    """``--isolation`` to ``--memory``."""
    group = parser.add_argument_group(
        "strangers' code",
        "Files and programs play in processes of their own. A limit of these may be for one player"
        " alone, as in --move-time ./bot.py=0.5.",
    )
    group.add_argument(
        "--isolation",
        metavar="TIER",
        help=f"how they are kept apart: {', '.join(TIERS[1:])}, or auto, the strongest that works"
        " here, as arena doctor tells; none plays files like installed players, which is quicker,"
        " if they are your own (default: auto)",
    )
    group.add_argument(
        "--isolate", action="store_true", help="give installed players processes of their own too"
    )
    group.add_argument(
        "--require-isolation", metavar="TIER", help="play only if they are kept apart so well"
    )
    own = Isolation()
    for name, unit, default, what in (
        ("move-time", "seconds", own.move_time, "for a move"),
        ("game-time", "seconds", own.game_time, "for all moves of a game"),
        ("import-time", "seconds", own.import_time, "to be loaded"),
        ("memory", "MB", own.memory, "of memory"),
        ("processes", "number", own.processes, "of processes that a program may have at once"),
    ):
        group.add_argument(
            f"--{name}",
            action="append",
            type=_limit(LEAST.get(name, 0.001)),
            default=[],
            metavar=unit.upper(),
            help=f"{unit} {what} (default: {default:g})",
        )

    group.add_argument(
        "--readable",
        action="append",
        type=_readable,
        default=[],
        metavar="PATH",
        help="a file or folder that they may read beside their own file, such as weights",
    )


def apply(arguments: Namespace, catalogue: Catalogue) -> None:
    """Have the catalogue's players kept apart as the options say, if the command has them.

    UnknownName for what is no tier; NotIsolated if what is required cannot be had.
    """
    if not hasattr(arguments, "require_isolation"):
        return
    required = arguments.require_isolation
    tier = arguments.isolation or "auto"
    if tier not in ("auto", *TIERS):
        raise UnknownName("isolation", tier, ("auto", *TIERS))
    if required is not None:
        from arena.sandbox.tiers import choose_tier, require

        require("none" if tier == "none" else choose_tier(tier).name, required)
    limits: dict[str | None, dict[str, Any]] = {}
    for name in ("move_time", "game_time", "import_time"):
        for player, seconds in getattr(arguments, name):
            limits.setdefault(player, {})[name] = seconds
    for name in ("memory", "processes"):
        for player, number in getattr(arguments, name):
            limits.setdefault(player, {})[name] = int(number)
    for player, path in arguments.readable:
        own = limits.setdefault(player, {})
        own["readable"] = (*own.get("readable", ()), path)
    base = Isolation(tier=tier, everybody=arguments.isolate, **limits.pop(None, {}))
    catalogue.isolation = base
    catalogue.isolations = {
        player: replace(base, **own) for player, own in limits.items() if player is not None
    }


def _limit(least: float) -> Callable[[str], Limit]:
    def parse(text: str) -> Limit:
        player, named, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = 0.0
        if not least <= value <= 1e6:
            raise ArgumentTypeError(
                f"must be a number from {least:g} to 1000000, not {quoted(number)}"
            )
        return (player if named else None), value

    return parse


def _readable(text: str) -> tuple[str | None, str]:
    player, named, path = text.rpartition("=")
    if os.path.exists(text):
        player, named, path = "", "", text
    if not os.path.exists(path):
        raise ArgumentTypeError(f"there is no file or folder {quoted(path)}")
    return (player if named else None), os.path.abspath(path)
