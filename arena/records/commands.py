"""Write the commands that a record tells its reader to run."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

#: The game that is meant when none is named.
DEFAULT_GAME = "tictactoe"


def command_line(*words: str, game: str = "", options: Iterable[str] = ()) -> str:
    """Return a command of arena's as a shell takes it.

    >>> command_line("move", "./my bot.py", "_________", game="tictactoe")
    "arena move './my bot.py' _________ --game tictactoe"
    """
    return shlex.join(["arena", *words, *(["--game", game] if game else []), *options])
