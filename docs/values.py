"""Solve every small board and write ``docs/values.md``: ``python docs/values.py`` from anywhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import arena

#: The longest other side of boards whose shorter side has so many squares.
LONGEST = {1: 16, 2: 8, 3: 5, 4: 4}

#: Values for the first side that others have published; the page names the sources.
PUBLISHED = {
    "mnk-3-3-3": "draw",
    "mnk-4-3-3": "win",
    "mnk-4-4-3": "win",
    "mnk-4-4-4": "draw",
    "mnk-4-3-4": "draw",
    "connect-4-4-4": "draw",
}

HEAD = """# Values of small boards

`python docs/values.py` writes this page. It solves every `mnk-M-N-K` and every `connect-M-N-K` on
boards of at most {sizes}, where a line wins and where it loses (`-misere`), as `arena solve` does.
It writes a certificate of each value, and verifies that, as `arena certify --check` does: of
{games} games all certificates hold.

A value is the side that wins, and after how many moves at best play. An m,n,k game has the value of
its board turned by a quarter, and discs on one row fall nowhere; each such game is solved once.

Published values agree with {agreed}; none differs.
Values of m,n,k games are from van den Herik, Uiterwijk and van Rijswijck, *Games solved: now and in
the future*, Artificial Intelligence 134, 2002, table 2; that of four in a row is from Tromp,
[John's connect four playground](https://tromp.github.io/c4/c4.html).

| columns | rows | in a row | mnk | mnk misere | connect | connect misere |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page() -> str:
    """Return the page. Raises AssertionError for a value that differs from a published one."""
    rows = list(rows_of(LONGEST))
    for name, value in PUBLISHED.items():
        found = solved(name).split()[0]
        assert {"first": "win"}.get(found, found) == value, name
    table = "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)
    return head_of(solved.cache_info().currsize) + table


def head_of(games: int) -> str:
    """Return what stands above the rows of a table of so many games."""
    agreed = ", ".join(f"`{name}` ({value})" for name, value in PUBLISHED.items())
    sizes = ", ".join(f"{short} by {long}" for short, long in LONGEST.items())
    return HEAD.format(sizes=sizes, games=games, agreed=agreed)


def rows_of(longest: Mapping[int, int]) -> Iterator[tuple[int | str, ...]]:
    """Yield the rows of the table."""
    for columns in range(1, max(longest.values()) + 1):
        for rows in range(1, max(longest.values()) + 1):
            if max(columns, rows) > longest.get(min(columns, rows), 0):
                continue
            for k in range(1, max(columns, rows) + 1):
                kinds = [
                    solved(_name(kind, columns, rows, k) + misere)
                    for kind in ("mnk", "connect")
                    for misere in ("", "-misere")
                ]
                yield columns, rows, k, *kinds
            print(f"{columns} by {rows}", file=sys.stderr)


def _name(kind: str, columns: int, rows: int, k: int) -> str:
    """Return the name of the game that stands for it and its like."""
    if kind == "mnk" or rows == 1:
        return f"mnk-{max(columns, rows)}-{min(columns, rows)}-{k}"
    return f"connect-{columns}-{rows}-{k}"


@cache
def solved(game: str) -> str:
    """Return the winner and the number of moves, after a certificate has proved the winner."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "value.cert"
        report = arena.solve(game, certificate=file, catalogue=CATALOGUE)
        theorem = arena.check_certificate(file, catalogue=CATALOGUE)
        assert isinstance(theorem, arena.records.Theorem)
        assert theorem.value == report.value, game
    if report.plies is None:
        return "draw"
    return f"{'first' if report.value == 'win' else 'second'} in {report.plies}"


CATALOGUE = arena.plugin.load_catalogue()


if __name__ == "__main__":
    Path(__file__).with_name("values.md").write_text(page(), encoding="utf-8")
