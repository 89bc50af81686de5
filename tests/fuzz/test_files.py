"""Any spoilt file: refused in one line, or right; never believed where it is wrong."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.fuzz import oracle
from tests.fuzz.files import mutate
from tests.fuzz.harness import Try, chance, seeds

PLAY = "-n 2 --seed 1 --executor serial"
STORE = "--store store.db"

#: Commands that read a file of a kind, all of which are run; see also :func:`check`.
READERS = {
    "certificate.json": [],
    "saved.json": ["replay saved.json"],
    "results.csv": ["rate results.csv --format markdown"],
    "openings.txt": [f"fight monkey triples {PLAY} --openings openings.txt"],
    "weights.json": ["move lms:weights.json xo_______"],
    "rules.lines": [f"fight monkey monkey {PLAY} --game lines:rules.lines"],
    "store.db": [],
    "baseline.json": ["regress --game tictactoe --baseline baseline.json triples --quick"],
    "bot.py": ["fight ./bot.py monkey -n 1 --seed 1 -j 1"],
}
KINDS = tuple(READERS)

#: Commands of which one in three is run.
MORE = {
    "certificate.json": [
        "certify --check certificate.json triples --games 2 --seed 1",
        f"fight triples monkey {PLAY} --certificate certificate.json",
    ],
    "openings.txt": ["exact monkey triples --openings openings.txt"],
    "weights.json": [f"fight lms:weights.json monkey {PLAY}"],
    "rules.lines": ["exact minimax monkey --max-positions 2000 --game lines:rules.lines"],
    "store.db": [
        f"runs {STORE}",
        f"export {STORE}",
        f"export --format csv {STORE}",
        f"history monkey {STORE}",
        f"fight monkey triples {PLAY} {STORE}",
        "resume store.db 1 --executor serial",
        "resume store.db 2 --executor serial --changed-players keep",
    ],
    "bot.py": ["check ./bot.py --seed 1 --positions 20", "move ./bot.py xo_______"],
}


@seeds(2 * len(KINDS), 250 * len(KINDS))
def test_a_spoilt_file_is_refused_or_right(attempted: Try, place: Path, seed: int) -> None:
    rng = Random(f"files {seed}")
    name = KINDS[seed % len(KINDS)]
    path = place / name
    mutate(rng, path)
    check(attempted, path)
    for command in READERS[name]:
        attempted(*command.split())
    for command in MORE.get(name, []):
        if chance(rng, 1 / 3):
            attempted(*command.split())


def check(attempted: Try, path: Path) -> None:
    """Read a file; where the arena accepts it, compare with what the rules say."""
    if path.name == "certificate.json":
        if attempted("certify", "--check", path.name).code == 0:
            oracle.check_certificate(path)
    elif path.name == "saved.json":
        ran = attempted("replay", path.name, "--format", "json")
        if ran.code == 0:
            oracle.check_saved(path, ran.out)
    elif path.name == "results.csv":
        ran = attempted("rate", path.name, "--format", "json")
        if ran.code == 0:
            oracle.check_results(path, ran.out)
        attempted("rate", "-", stdin=path.read_text(errors="replace"))
    elif path.name == "store.db":
        holds = attempted("verify", path.name).code == 0
        for run in (1, 2):
            ran = attempted("show", str(run), "--store", path.name, "--format", "json")
            if holds and ran.code == 0:
                oracle.check_store(path, run, ran.out)
