"""Write the commands that a record tells its reader to run."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any


def command_line(*words: str, game: str = "", options: Iterable[str] = ()) -> str:
    """Return a command of arena's as a shell takes it.

    >>> command_line("move", "./my bot.py", "_________", game="tictactoe")
    "arena move './my bot.py' _________ --game tictactoe"
    """
    return shlex.join(["arena", *words, *(["--game", game] if game else []), *options])


def with_plugins(command: str, plugins: Iterable[str]) -> str:
    """Return a command of arena's with the plugins that it needs, as ``-p`` names them.

    Another text, such as a line of Python, is returned as it is.

    >>> with_plugins("arena move corner _________", ["./corner.py"])
    'arena -p ./corner.py move corner _________'
    """
    words = [word for plugin in plugins for word in ("-p", plugin)]
    program, space, rest = command.partition(" ")
    if not words or program != "arena":
        return command
    return f"{shlex.join([program, *words])}{space}{rest}"


def limit_options(limits: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the options that isolate players so. ``limits`` has all isolated ones by name.

    A limit that all of them share is for all players.

    >>> limit_options({"a": {"move_time": 0.5, "memory": 64}, "b": {"move_time": 0.5}})
    ['--move-time', '0.5', '--memory', 'a=64']
    """
    options = []
    for name in dict.fromkeys(name for each in limits.values() for name in each):
        set_for = {player: each[name] for player, each in limits.items() if name in each}
        if name == "installed":
            options.append("--isolate")
            continue
        values = list(set_for.values())
        is_shared = len(values) == len(limits) and values.count(values[0]) == len(values)
        by_player = {f"{player}=": value for player, value in set_for.items()}
        for prefix, value in ({"": values[0]} if is_shared else by_player).items():
            for text in value if isinstance(value, (list, tuple)) else [_written(value)]:
                options += [f"--{name.replace('_', '-')}", f"{prefix}{text}"]
    return options


def _written(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
