"""A game that a referee plays, with each player in its box, against the same without arena."""

from __future__ import annotations

import shlex
import subprocess
from functools import partial
from pathlib import Path

from arena.player import PlayerInfo
from arena.plugins.referee import CommandGame, refereed_game
from arena.sandbox.players import program_player
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wire.json_lines import COMMAND
from benchmarks.isolation import available, python
from benchmarks.table import Row, cost
from benchmarks.timing import minima

#: The referees and the players of the examples.
EXAMPLES = Path(__file__).parent.parent / "examples" / "referee"

#: A seed with a game of some length.
SEED = 7


def rows(quick: bool) -> list[Row]:
    """Measure games of two and of four."""
    rounds = 1 if quick else 20
    found = []
    for referee, names in (
        ("pig", ["bots/bold", "bots/careful"]),
        ("goofspiel", ["bidders/same", "bidders/above", "bidders/high", "bidders/low"]),
    ):
        commands = [f"{python()} {EXAMPLES / name}.py" for name in names]
        game = refereed_game(f"players={len(names)}:{python()} {EXAMPLES / referee}.py")
        tiers = [tier for tier in available() if tier != "locked"]
        works = [partial(_bare, game, commands)]
        for tier in tiers:
            limits = PlayerLimits(tier=tier)
            players = tuple(program_player(f"cmd:{each}", limits, COMMAND) for each in commands)
            works.append(partial(_refereed, game, players))
        bare, *ours = minima(works, rounds)
        found += [
            cost(f"a game of {referee} by a referee, tier {tier}: time against it alone", s, bare)
            for tier, s in zip(tiers, ours, strict=True)
        ]
    return found


def _bare(game: CommandGame, commands: list[str]) -> None:
    argv = [*game.argv, "-s", str(SEED)]
    for number, command in enumerate(commands, start=1):
        argv += [f"-p{number}", shlex.join(shlex.split(command))]
    subprocess.run(argv, check=True, capture_output=True)


def _refereed(game: CommandGame, players: tuple[PlayerInfo, ...]) -> None:
    game.referee(players, SEED)
