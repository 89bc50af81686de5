"""The options of players in processes of their own: how they are kept apart, what they may use."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena.errors import UnknownName, quoted
from arena.plugin import Catalogue
from arena.sandbox.settings import Isolation

#: What ``--isolation`` and ``--require-isolation`` may name, from weakest to strongest.
TIERS = ("none", "process", "locked", "bwrap")

#: A limit, and whom it is for; everybody if nobody is named.
Limit = tuple[str | None, float]


def add_isolation(
    parser: ArgumentParser,
    who: str = "Programs play in processes of their own, and so do files if --isolation says so.",
    files: str = "none",
) -> None:
    """``--isolation`` to ``--memory``; who has a process without being asked, and files' tier."""
    group = parser.add_argument_group(
        "strangers' code",
        f"{who} A limit of these may be for one player alone, as in --move-time ./bot.py=0.5.",
    )
    group.add_argument(
        "--isolation",
        metavar="TIER",
        help=f"how they are kept apart: {', '.join(TIERS)}, or auto for the strongest that works"
        f" here, as arena doctor tells (default: {files} for files, auto for programs)",
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
    ):
        group.add_argument(
            f"--{name}",
            action="append",
            type=_limit(16 if name == "memory" else 0.001),
            default=[],
            metavar=unit.upper(),
            help=f"{unit} {what} (default: {default:g})",
        )


def apply(arguments: Namespace, catalogue: Catalogue) -> None:
    """Have the catalogue's players kept apart as the options say, if the command has them.

    UnknownName for what is no tier; NotIsolated if what is required cannot be had.
    """
    if not hasattr(arguments, "require_isolation"):
        return
    required = arguments.require_isolation
    tier = arguments.isolation or ("none" if required is None else "auto")
    if tier not in ("auto", *TIERS):
        raise UnknownName("isolation", tier, ("auto", *TIERS))
    if required is not None:
        from arena.sandbox.tiers import choose_tier, require

        require("none" if tier == "none" else choose_tier(tier).name, required)
    limits: dict[str | None, dict[str, Any]] = {}
    for name in ("move_time", "game_time", "import_time", "memory"):
        for player, number in getattr(arguments, name):
            limits.setdefault(player, {})[name] = int(number) if name == "memory" else number
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
