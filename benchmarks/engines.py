"""Measure games of Stockfish against itself at one node a move, beside fastchess."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from arena.games.chess.rules import CHESS
from arena.sandbox.settings import GAMES
from benchmarks.table import Bar, Row, Sign, skipped, speed
from benchmarks.timing import minima

ROOT = Path(__file__).parent.parent

#: Pairs of games, each from an opening of so many random plies.
PAIRS, PLIES, SEED = 100, 8, 1

BAR = Bar(Sign.AT_LEAST, 1)

#: The second engine has another hash, so that the two have different names.
ENGINES = "uci,nodes=1:stockfish", "uci,nodes=1,Hash=17:stockfish"


def rows(quick: bool) -> list[Row]:
    """Return the speed of games in processes without walls, and isolated."""
    work = "games of Stockfish at nodes=1, against fastchess"
    fastchess = shutil.which("fastchess")
    stockfish = shutil.which("stockfish") or shutil.which("stockfish", path=GAMES)
    if fastchess is None or stockfish is None:
        missing = "Stockfish" if stockfish is None else "fastchess"
        return [skipped(work, f"{missing} is not installed", BAR)]
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder, "book.epd")
        book.write_text("".join(f"{line}\n" for line in openings(4 if quick else PAIRS)))
        works = [
            partial(_arena, book, "process"),
            partial(_arena, book, "auto"),
            partial(_fastchess, fastchess, stockfish, book),
        ]
        bare, isolated, theirs = minima(works, 1 if quick else 3)
    return [
        speed(f"{work}, in processes without walls", bare, theirs, BAR),
        speed(f"{work}, isolated", isolated, theirs),
    ]


def openings(count: int) -> list[str]:
    """Return so many positions after random moves, as EPD."""
    rng, found = random.Random(SEED), list[str]()
    while len(found) < count:
        position = CHESS.start()
        for _ in range(PLIES):
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            found.append(" ".join(str(position).split()[:4]))
    return found


def _arena(book: Path, tier: str) -> None:
    pairs = str(len(book.read_text().splitlines()))
    main = "from arena.main import main; raise SystemExit(main())"
    fight = ["fight", *ENGINES, "-n", pairs, "--game", "chess", "--openings", str(book)]
    own = [*fight, "--isolation", tier, "--seed", "1", "-j", "1"]
    subprocess.run([sys.executable, "-c", main, *own], cwd=ROOT, check=True, capture_output=True)


def _fastchess(fastchess: str, stockfish: str, book: Path) -> None:
    engines = [["-engine", f"cmd={stockfish}", f"name={name}"] for name in ENGINES]
    subprocess.run(
        [
            *(fastchess, *engines[0], *engines[1], "option.Hash=17"),
            *("-each", "tc=inf", "nodes=1", "proto=uci"),
            *("-rounds", str(len(book.read_text().splitlines())), "-games", "2"),
            *("-concurrency", "1", "-openings", f"file={book}", "format=epd"),
        ],
        cwd=book.parent,
        check=True,
        capture_output=True,
    )
