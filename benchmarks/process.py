"""Whole processes, from the start of the interpreter to its end, against ``import numpy``."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import minima

ROOT = Path(__file__).parent.parent
AT_MOST_3 = Bar(Sign.AT_MOST, 3)

FIGHT = ("fight", "tictactoe3", "monkey", "-n", "1000")
PLAYERS = ("players",)
HELP = ("--help",)

#: What is timed, and what is asked of its time.
COMMANDS = {FIGHT: AT_MOST_3, (*FIGHT, "-j", "1"): AT_MOST_3, PLAYERS: None, HELP: None}

#: Modules too slow to import for a command that plays nothing.
HEAVY = {"numpy", "sqlalchemy"}

_ARENA = "from arena.cli import main; raise SystemExit(main())"
_IMPORTED = """\
import sys
from arena.cli import main
code = main()
print(*sys.modules, file=sys.stderr)
raise SystemExit(code)"""


def rows(quick: bool) -> list[Row]:
    """Times of commands, and what the quick ones import."""
    return [*_times(2 if quick else 25), _imports(PLAYERS), _imports(HELP)]


def _times(rounds: int) -> list[Row]:
    works = {f"{_shown(command)}: time against `import numpy`": command for command in COMMANDS}
    if find_spec("numpy") is None:
        why = "NumPy is not installed"
        return [skipped(work, why, COMMANDS[command]) for work, command in works.items()]
    timed = [partial(_python, _ARENA, *command) for command in COMMANDS]
    numpy, *times = minima([partial(_python, "import numpy"), *timed], rounds)
    return [
        cost(work, seconds, numpy, COMMANDS[command])
        for (work, command), seconds in zip(works.items(), times, strict=True)
    ]


def _imports(command: tuple[str, ...]) -> Row:
    heavy = sorted(HEAVY & set(_python(_IMPORTED, *command).split()))
    return Row(
        f"{_shown(command)}: heavy modules imported",
        ", ".join(heavy) or "none",
        bar=f"neither {' nor '.join(sorted(HEAVY))}",
        met=not heavy,
    )


def _python(code: str, *arguments: str) -> str:
    """Run code in a new interpreter; what it writes to standard error."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ).stderr


def _shown(command: tuple[str, ...]) -> str:
    return f"`arena {' '.join(command)}`"
