"""How many calls lie between a command and the first move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Run

#: The command, the function of the API, the run, its fights, the executor, its work, the engine,
#: the counts, the pairs, a pair, the game, its moves. To list the pairs before they are counted
#: saves one of them and costs a thirtieth of the speed.
MAX_FRAMES = 12

BOT = """
import sys, traceback
def choose(position, rng):
    with open({file!r}, "a") as file:
        for frame in traceback.extract_stack()[:-1]:
            print(frame.filename, frame.name, file=file)
    raise SystemExit
"""


@pytest.mark.slow
def test_few_frames_lie_between_the_command_and_the_first_move(run: Run, tmp_path: Path) -> None:
    bot, stack = tmp_path / "bot.py", tmp_path / "stack"
    bot.write_text(BOT.format(file=str(stack)))
    here = ("--executor", "serial", "--isolation", "none")
    run("fight", str(bot), "monkey", "-n", "1", "--seed", "1", *here)
    frames = stack.read_text().splitlines()
    own = [frame for frame in frames if "/arena/" in frame]
    command = next(
        n for n, frame in enumerate(own) if frame.endswith("arena/features/fight/command.py run")
    )
    first = next(
        n for n, frame in enumerate(own) if frame.endswith("arena/match/__init__.py _play")
    )
    path = own[command : first + 1]
    assert len(path) <= MAX_FRAMES, "\n".join(path)
