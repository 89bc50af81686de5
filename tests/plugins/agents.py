"""Agents in files, for the tests of Kaggle and TextArena, and what starts them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

from arena.plugins import agent_file

#: Agents that fail, by how: ``agent(observation, configuration)``.
FAILING = {
    "raises": "def agent(o, c):\n    raise KeyError('board')\n",
    "exits": "import os\n\n\ndef agent(o, c):\n    os._exit(3)\n",
    "leaves": "import sys\n\n\ndef agent(o, c):\n    sys.exit('enough')\n",
    "sleeps": "import time\n\n\ndef agent(o, c):\n    time.sleep(60)\n",
    "empty": "answer = 42\n",
    "broken": "def agent(o, c:\n",
    "object": "def agent(o, c):\n    return object()\n",
}

#: An agent that prints, reads its input, and answers by the game's seed.
CHATTY = """
import random
import sys

print("loading")

def agent(observation, configuration):
    print("thinking", file=sys.stderr)
    print("a line that is not for the referee")
    assert sys.stdin.read() == ""
    columns = range(configuration.columns)
    return random.choice([c for c in columns if observation.board[c] == 0])
"""

#: An agent of TextArena, which is an object. It takes one of the moves that it reads in brackets.
TAKES = """
import random
import re

class Agent:
    def __call__(self, observation):
        _, _, text = observation.lower().rpartition("moves:")
        moves = re.findall(r"\\[[^\\]]*\\]", text)
        return "I have thought [a lot], so " + WHICH
"""
LAST_LEGAL, FIRST_LEGAL, ANY_LEGAL = (
    TAKES.replace("WHICH", which) for which in ("moves[-1]", "moves[0]", "random.choice(moves)")
)


def written(folder: Path, name: str, text: str) -> str:
    """Write an agent's file and return its whole path."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def command_of(path: str) -> str:
    """Return the command that starts the agent in a file."""
    return shlex.join([sys.executable, "-P", agent_file.__file__, path])


def kaggle_make() -> Any:
    """Return the function of Kaggle's package that makes an environment.

    Imported, the package adds its own games to OpenSpiel, whose games other tests list. So it finds
    no OpenSpiel here.
    """
    library = sys.modules.get("pyspiel")
    sys.modules["pyspiel"] = None  # type: ignore[assignment]
    try:
        from kaggle_environments import make
    finally:
        del sys.modules["pyspiel"]
        if library is not None:
            sys.modules["pyspiel"] = library
    return make
