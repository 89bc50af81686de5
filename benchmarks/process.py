"""Measure whole processes, from start to end, against ``import numpy``."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import minima

#: A folder without an ``arena``, so that Python imports the one that is installed.
ELSEWHERE = Path(sys.executable).parent

FIGHT = ("fight", "tictactoe3", "monkey", "-n", "1000")
PLAYERS = ("players",)
HELP = ("--help",)

#: Commands to time, and the bars of their times.
COMMANDS = {
    FIGHT: Bar(Sign.AT_MOST, 2),
    (*FIGHT, "-j", "1"): Bar(Sign.AT_MOST, 2),
    PLAYERS: Bar(Sign.AT_MOST, 1.2),
    HELP: Bar(Sign.AT_MOST, 1),
}
IMPORT = Bar(Sign.AT_MOST, 0.33)

#: Modules too slow to import for a command that does not play.
HEAVY = {"numpy", "sqlalchemy"}

#: The list of commands imports fewer of arena's modules than this.
MAX_MODULES = 60

_ARENA = "from arena.__main__ import main; raise SystemExit(main())"
_IMPORTED = """\
import sys
from arena.main import main
code = main()
print(*sys.modules, file=sys.stderr)
raise SystemExit(code)"""


def rows(quick: bool) -> list[Row]:
    """Measure the times of commands, and the imports of the quick ones."""
    return [*_times(2 if quick else 25), _imports(PLAYERS), _imports(HELP), _modules(HELP)]


def _times(rounds: int) -> list[Row]:
    timed = {_shown(command): partial(_python, _ARENA, *command) for command in COMMANDS}
    timed["`import arena`"] = partial(_python, "import arena")
    works = [f"{shown}: time against `import numpy`" for shown in timed]
    bars = [*COMMANDS.values(), IMPORT]
    if find_spec("numpy") is None:
        why = "NumPy is not installed"
        return [skipped(work, why, bar) for work, bar in zip(works, bars, strict=True)]
    numpy, *times = minima([partial(_python, "import numpy"), *timed.values()], rounds)
    return [
        cost(work, seconds, numpy, bar)
        for work, seconds, bar in zip(works, times, bars, strict=True)
    ]


def _imports(command: tuple[str, ...]) -> Row:
    heavy = sorted(HEAVY & set(_python(_IMPORTED, *command).split()))
    return Row(
        f"{_shown(command)}: heavy modules imported",
        ", ".join(heavy) or "none",
        bar=f"neither {' nor '.join(sorted(HEAVY))}",
        met=not heavy,
    )


def _modules(command: tuple[str, ...]) -> Row:
    imported = _python(_IMPORTED, *command).split()
    own = [name for name in imported if name.partition(".")[0] == "arena"]
    return Row(
        f"{_shown(command)}: arena's modules imported",
        str(len(own)),
        bar=f"under {MAX_MODULES}",
        met=len(own) < MAX_MODULES,
    )


def _python(code: str, *arguments: str) -> str:
    """Run code in a new interpreter, which may keep bytecode; return its standard error."""
    command = [sys.executable, "-c", code, *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        command,
        cwd=ELSEWHERE,
        env=environment,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ).stderr


def _shown(command: tuple[str, ...]) -> str:
    return f"`arena {' '.join(command)}`"
