"""Optional programs and libraries, and tiers of isolation: tests skip where they are missing.

``@pytest.mark.needs("guile", "bwrap")`` skips a test, and ``require("cc")`` a part of one, with a
reason that names what is missing and the command that installs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.choice import TIERS, why_not
from arena.sandbox.settings import GAMES

#: Programs of others, by the package of Debian that has them. Their tests are marked `outside`.
OUTSIDE = {
    "bwrap": "bubblewrap",
    "cc": "gcc",
    "guile": "guile-3.0",
    "fish": "fish",
    "node": "nodejs",
    "zsh": "zsh",
    "stockfish": "stockfish",
    "ethereal-chess": "ethereal-chess",
    "gnuchess": "gnuchess",
    "gnugo": "gnugo",
    "chromium": "chromium",
    "postgres": "postgresql",
}

#: The package of Debian with lzma.h, for the checker in C.
LZMA = "liblzma-dev"

#: Libraries of others, by the extra of arena that has them. Their tests are marked `outside` too.
LIBRARIES = {
    "axe_playwright_python": "browser",
    "open_spiel": "openspiel",
    "distributed": "dask",
    "ipywidgets": "notebook",
    "mkdocs": "docs",
    "nbclient": "notebook",
    "pandas": "notebook",
    "playwright": "browser",
    "numba": "solve",
    "psycopg": "postgres",
    "starlette": "web",
    "uvicorn": "web",
}

#: Programs that nearly every Linux has.
USUAL = {"git": "git", "python3": "python3", "setpriv": "util-linux"}

#: Mounts a small disk of size $1 at $2, in a world of mounts of the program's own.
MOUNT = 'mount -t tmpfs -o size="$1" none "$2"'


def require(name: str) -> None:
    """Skip the test that runs if this machine lacks a program, a library or a tier."""
    if reason := lack(name):
        pytest.skip(reason)


def lack(name: str) -> str:
    """Return why a program, a library or a tier cannot be had here; empty if it can."""
    if name in LIBRARIES:
        install = f"pip install 'proving-arena[{LIBRARIES[name]}]'"
        return "" if find_spec(name) else f"needs {name}: {install}"
    package = (OUTSIDE | USUAL).get(name)
    if package and not _is_installed(name):
        return f"needs {package}: apt-get install {package}"
    return f"needs tier {name}{reason}" if (reason := why_not(name)) else ""


def tiers(*names: str) -> list[Any]:
    """Return parameters for tests that run in each of these tiers."""
    return [pytest.param(name, marks=pytest.mark.needs(name)) for name in names]


def programs_of_postgres() -> str:
    """Return the folder with the programs of PostgreSQL, of the newest version; empty without."""
    found = [file.parent for file in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return str(max(found, key=lambda folder: int(folder.parent.name), default=""))


def require_mounts(folder: Path) -> None:
    """Skip the test that runs if it may not mount a disk of its own."""
    command = ["unshare", "-m", "sh", "-ec", MOUNT, "sh", "64k", str(folder)]
    if shutil.which("unshare") is None or subprocess.run(command, check=False).returncode:
        pytest.skip("needs unshare -m and mount, which root may use outside most containers")


def python_of_all() -> str:
    """Return a Python that every user may run, for the tests' own may be where only root reads."""
    python = "/usr/bin/python3"
    enough = "import sys, venv; sys.exit(sys.version_info < (3, 11))"
    if not os.path.exists(python):
        pytest.skip("needs python3: apt-get install python3")
    if subprocess.run([python, "-c", enough], check=False).returncode:
        pytest.skip(f"{python} is older than 3.11")
    return python


def _is_installed(name: str) -> bool:
    if name == "postgres":
        return bool(programs_of_postgres())
    if shutil.which(name, path=GAMES):
        return True
    if shutil.which(name) is None:
        return False
    # A player finds others by this path, nothing of the user's; a tier is started outside of it.
    return name in TIERS or shutil.which(name, path="/usr/local/bin:/usr/bin:/bin") is not None
