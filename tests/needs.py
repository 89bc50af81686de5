"""Optional programs and libraries, and tiers of isolation: tests skip where they are missing.

``@pytest.mark.needs("guile", "bwrap")`` skips a test, and ``require("cc")`` a part of one, with a
reason that names what is missing and the command that installs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.needs import LEAN, LIBRARIES, OUTSIDE, PACKAGES, USUAL, lack, programs_of_postgres

__all__ = [
    "LEAN",
    "LIBRARIES",
    "LZMA",
    "MOUNT",
    "OUTSIDE",
    "PACKAGES",
    "USUAL",
    "lack",
    "programs_of_postgres",
    "python_of_all",
    "require",
    "require_mounts",
    "tiers",
]

#: The package of Debian with lzma.h, for the checker in C.
LZMA = "liblzma-dev"

#: Mounts a small disk of size $1 at $2, in a world of mounts of the program's own.
MOUNT = 'mount -t tmpfs -o size="$1" none "$2"'


def require(name: str) -> None:
    """Skip the test that runs if this machine lacks a program, a library or a tier."""
    if reason := lack(name):
        pytest.skip(reason)


def tiers(*names: str) -> list[Any]:
    """Return parameters for tests that run in each of these tiers."""
    return [pytest.param(name, marks=pytest.mark.needs(name)) for name in names]


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
