"""Change one thing at a time in a room of arena, and list the changes that no quick test notices.

``python -m benchmarks.mutants [ROOM...] [--sample N] [--seed S] [--at FILE[:LINE]]`` works in a
copy. It tries a sample of the changes in each room, which the seed decides: all of them take hours.
``--at`` tries every change in one file, or in one of its lines, instead.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tabulate import tabulate

from benchmarks.mutations import Mutant, mutants

ROOT = Path(__file__).parent.parent

#: The files that change in each room, and the tests that run.
ROOMS = {
    "match": ("arena/match/*.py", "match"),
    "regress": ("arena/features/regress/*.py", "features/regress/test_[!c]*.py"),
    "counts": ("arena/fights/counts.py", "fights/test_c*.py fights/test_b*.py records"),
    "stats": ("arena/stats/*.py", "stats"),
    "wire": ("arena/sandbox/wire/*.py", "sandbox/wire"),
    "rng": ("arena/rng.py", "test_rng*.py"),
    "supervision": ("arena/executors/supervision.py", "executors/test_supervision.py"),
}

#: Seconds that a run of the tests may take, or this many times its time without a change.
MIN_LIMIT, LIMIT_RATIO = 20.0, 5

#: The options of every run of the tests.
OPTIONS = ("-n0", "-q", "-x", "-p", "no:cacheprovider", "--hypothesis-seed=0")


class Copy:
    """A copy of the project, whose code may change."""

    def __init__(self, folder: str, tests: str) -> None:
        self.root, self.limit, self._turn, begun = Path(folder) / "copy", 600.0, 0, monotonic()
        ignored = shutil.ignore_patterns(".git", ".*_cache", ".venv", "__pycache__", "*.egg-info")
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=ignored)
        paths = (self.root.glob(f"tests/{name}") for name in tests.split())
        self.tests = sorted(map(str, chain.from_iterable(paths)))
        if not self.passes():
            raise SystemExit(f"without a change, {tests} does not pass")
        self.limit = max(MIN_LIMIT, LIMIT_RATIO * (monotonic() - begun))

    def passes(self) -> bool:
        """Return whether the tests pass, in time."""
        ran = subprocess.Popen(
            [sys.executable, "-m", "pytest", *OPTIONS, *self.tests],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return ran.wait(self.limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            with suppress(ProcessLookupError):
                os.killpg(ran.pid, signal.SIGKILL)
            ran.wait()

    def survives(self, mutant: Mutant) -> bool:
        """Return whether the tests pass in spite of a change."""
        code = (self.root / mutant.file).read_bytes()
        try:
            self._write(mutant, code[: mutant.start] + mutant.after.encode() + code[mutant.stop :])
            return self.passes()
        finally:
            self._write(mutant, code)

    def _write(self, mutant: Mutant, code: bytes) -> None:
        (self.root / mutant.file).write_bytes(code)
        self._turn += 1  # Python takes a file of the same size and second for the same code
        os.utime(self.root / mutant.file, (self._turn, self._turn))


def main() -> None:
    """Try the changes, and print the table and the survivors."""
    arguments = _arguments()
    rows, survivors = [], []
    for room in arguments.rooms or ROOMS:
        found = [
            mutant
            for file in sorted(ROOT.glob(ROOMS[room][0]))
            for mutant in mutants(str(file.relative_to(ROOT)), file.read_text())
        ]
        if arguments.at:
            tried = [m for m in found if arguments.at in (m.file, f"{m.file}:{m.line}")]
        else:
            chance = random.Random(f"{arguments.seed}/{room}")
            tried = sorted(chance.sample(found, min(arguments.sample, len(found))))
        if not tried:
            continue
        with TemporaryDirectory() as folder:
            copy, alive = Copy(folder, ROOMS[room][1]), list[Mutant]()
            for number, mutant in enumerate(tried, start=1):
                print(f"{number} of {len(tried)}: {mutant}", file=sys.stderr)
                alive += [mutant] if copy.survives(mutant) else []
        survivors += alive
        rows.append((room, len(found), len(tried), len(tried) - len(alive), len(alive)))
    print(tabulate(rows, ("room", "mutants", "tried", "killed", "survived"), tablefmt="github"))
    print("", *survivors, sep="\n")


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"some of {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=80, metavar="N", help="changes in each room")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides the sample")
    parser.add_argument("--at", metavar="FILE[:LINE]", help="try every change there instead")
    arguments = parser.parse_args()
    unknown = [room for room in arguments.rooms if room not in ROOMS]
    if unknown:
        parser.error(f"unknown room {unknown[0]!r}: use {', '.join(ROOMS)}")
    if arguments.sample < 1:
        parser.error(f"--sample must be at least 1, not {arguments.sample}")
    if arguments.at and not (ROOT / arguments.at.partition(":")[0]).is_file():
        parser.error(f"--at: there is no file {arguments.at.partition(':')[0]!r}")
    return arguments


if __name__ == "__main__":
    main()
