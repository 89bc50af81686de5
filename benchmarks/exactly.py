"""Measure what is exact in games with luck and secrets, and how many games corrected luck saves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import arena
from arena.player import PlayerInfo
from benchmarks.needs import lack
from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import minima

#: Games, and the seconds in which a whole process should solve each, and verify that.
SOLVED = {"kuhn": (5, 10), "leduc": (5, 10), "liars-dice-1-6": (120, 10)}

#: The program that verifies a certificate with the standard library alone.
SEALED = Path(__file__).parents[1] / "examples" / "checkers" / "sealed.py"

#: GiB within which liar's dice with six sides should be solved.
MOST_MEMORY = 2

WITHIN = Bar(Sign.AT_MOST, 1)
SEED = 1


def rows(quick: bool) -> list[Row]:
    """Measure whole processes, and the variance of payoffs at Leduc poker."""
    return [*_solved(quick), *_saved(100 if quick else 2000)]


def _solved(quick: bool) -> list[Row]:
    works = {name: f"`arena solve {name} --certificate FILE`" for name in SOLVED}
    if why := lack("highspy"):
        return [skipped(work, why, WITHIN) for work in works.values()]
    found: list[Row] = []
    with TemporaryDirectory() as folder:
        for name, (most, most_checked) in SOLVED.items():
            if quick and name != "kuhn":
                continue
            file = str(Path(folder) / name)
            solve = partial(_run, "-m", "arena", "solve", name, "--certificate", file)
            check = partial(_run, "-m", "arena", "certify", "--check", file)
            sealed = partial(_run, str(SEALED), file)
            seconds, checked, elsewhere = minima([solve, check, sealed], 1 if quick else 3)
            verified = f"`arena certify --check FILE` of {name}, against {most_checked} s"
            if name == "liars-dice-1-6":
                found.append(_memory(name, file))
            found += [
                cost(f"{works[name]}, against {most} s", seconds, most, WITHIN),
                cost(verified, checked, most_checked, WITHIN),
                cost(f"the same by `sealed.py`, against {most_checked} s", elsewhere, most_checked),
            ]
    return found


def _memory(name: str, file: str) -> Row:
    """Measure the most memory of the process that solves a game, as the system says."""
    script = (
        "import resource, sys; from arena.__main__ import main; main();"
        " print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    words = [sys.executable, "-c", script, "solve", name, "--certificate", file]
    ran = subprocess.run(words, check=True, capture_output=True, text=True)
    most = int(ran.stderr.split()[-1]) / (1 << 20)
    work = f"memory of `arena solve {name}`, against {MOST_MEMORY} GiB"
    measured = f"{most:.2f} GiB against {MOST_MEMORY} GiB"
    return Row(work, measured, most / MOST_MEMORY, str(WITHIN), WITHIN.holds(most / MOST_MEMORY))


def _run(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)


def _saved(pairs: int) -> list[Row]:
    """Compare the games that it takes at Leduc poker with those of independent deals."""
    black_boxes = [_as_black_box(name) for name in ("cfr", "cfr:iterations=5")]
    known = ("cfr", "cfr:iterations=5")
    one_known = (black_boxes[0], "cfr:iterations=5")
    return [
        _row("both players known", known, pairs, Bar(Sign.AT_LEAST, 30)),
        _row("one player known", one_known, pairs, None),
        _row("both black boxes", black_boxes, pairs, Bar(Sign.AT_LEAST, 2.5)),
    ]


def _as_black_box(name: str) -> PlayerInfo:
    """Return a player that arena does not trust, so that its probabilities are unknown."""
    return replace(arena.get_player(name), name=f"unknown-{name}", file=__file__)


def _row(what: str, players: Sequence[str | PlayerInfo], pairs: int, bar: Bar | None) -> Row:
    a, b = players
    fight = arena.fight(a, b, pairs, game="leduc", seed=SEED, luck="corrected", executor="serial")
    assert fight.corrected is not None
    saved = fight.corrected.saved
    work = f"Leduc poker, cfr against its five iterations, {pairs} pairs, {what}: games saved"
    if saved is None or bar is None:
        return Row(work, "by the variance of pairs", saved)
    return Row(work, "by the variance of pairs", min(saved, 9999.0), str(bar), bar.holds(saved))
