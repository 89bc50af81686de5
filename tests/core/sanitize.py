"""Attack the compiled core, built with gcc's sanitizers of addresses and undefined behaviour.

``python tests/core/sanitize.py`` copies the checkout to a temporary folder, builds it there, and
has :mod:`tests.core.hostile` call everything, with several seeds. A finding ends it with a report.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLAGS = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
MODULES = ("lines", "stream", "loop", "search", "tree", "chess")
SEEDS = range(1, 3)


def main() -> None:
    """Build and attack. Raises CalledProcessError at a finding."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "arena"
        skipped = shutil.ignore_patterns(".git", "*.so", "build", "__pycache__")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=skipped)
        environment = {**os.environ, "CFLAGS": FLAGS, "LDFLAGS": FLAGS}
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(build, cwd=copy, env=environment, check=True)
        result = subprocess.run(
            ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
        )
        environment = {
            **os.environ,
            "LD_PRELOAD": result.stdout.strip(),
            "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps what it needs until it ends
            "PYTHONMALLOC": "malloc",  # so that every object has walls of its own
            "PYTHONPATH": str(copy),
        }
        for module in MODULES:
            for seed in SEEDS:
                code = f"import tests.core.hostile as h; h.attack({module!r}, {seed})"
                subprocess.run([sys.executable, "-c", code], cwd=copy, env=environment, check=True)
            print(f"{module}: nothing found")


if __name__ == "__main__":
    main()
