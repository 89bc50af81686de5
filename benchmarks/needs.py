"""Programs, libraries and tiers that benchmarks and tests may lack, and what installs them."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

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
    "fairy-stockfish": "fairy-stockfish",
    "gnuchess": "gnuchess",
    "gnugo": "gnugo",
    "chromium": "chromium",
    "postgres": "postgresql",
}

#: Libraries of others, by the extra of arena that has them. Their tests are marked `outside` too.
LIBRARIES = {
    "axe_playwright_python": "browser",
    "open_spiel": "openspiel",
    "distributed": "dask",
    "highspy": "solve",
    "ipywidgets": "notebook",
    "material": "docs",
    "mkdocs": "docs",
    "nbclient": "notebook",
    "pandas": "notebook",
    "playwright": "browser",
    "numba": "solve",
    "pettingzoo": "pettingzoo",
    "psycopg": "postgres",
    "starlette": "web",
    "uvicorn": "web",
}

#: Libraries of others that no extra of arena has, by their packages. Their tests are marked so too.
PACKAGES = {
    "torch": "torch==2.13.0",  # before axelrod, which would take a build for GPUs
    "axelrod": "axelrod",
    "pygame": "pygame-ce",
    "rlcard": "rlcard",
}

#: Libraries that ask for far more than the tests need, by what is installed: the package alone, and
#: the little without which it cannot do.
LEAN = {
    "kaggle_environments": "kaggle-environments,jsonschema,requests",
    "textarena": "textarena,nltk,python-dotenv,requests,rich,websockets",
}

#: Programs that nearly every Linux has.
USUAL = {
    "curl": "curl",
    "git": "git",
    "openssl": "openssl",
    "python3": "python3",
    "setpriv": "util-linux",
}


def lack(name: str) -> str:
    """Return why a program, a library or a tier is not available here; empty if it is."""
    if name in LEAN:
        alone, *others = LEAN[name].split(",")
        commands = f"pip install --no-deps {alone} && pip install {' '.join(others)}"
        return "" if find_spec(name) else f"needs {name}: {commands}"
    if name in LIBRARIES or name in PACKAGES:
        wanted = PACKAGES.get(name) or f"'proving-arena[{LIBRARIES[name]}]'"
        return "" if find_spec(name) else f"needs {name}: pip install {wanted}"
    package = (OUTSIDE | USUAL).get(name)
    if package and not _is_installed(name):
        return f"needs {package}: apt-get install {package}"
    return f"needs tier {name}{reason}" if (reason := why_not(name)) else ""


def programs_of_postgres() -> str:
    """Return the folder with the programs of PostgreSQL, of the newest version; empty without."""
    found = [file.parent for file in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return str(max(found, key=lambda folder: int(folder.parent.name), default=""))


def _is_installed(name: str) -> bool:
    if name == "postgres":
        return bool(programs_of_postgres())
    if shutil.which(name, path=GAMES):
        return True
    if shutil.which(name) is None:
        return False
    # A player finds others by this path, nothing of the user's; a tier is started outside of it.
    return name in TIERS or shutil.which(name, path="/usr/local/bin:/usr/bin:/bin") is not None
