"""The benchmarks run and report everything; how fast anything is, no test says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from arena.core import compiled
from benchmarks import builds, cluster, mutations
from tests.golden import Wording

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

#: What the rows of the group ``calls`` compare, and the bars.
CALLS = [
    ("monkey against monkey", "a bare loop", "at least 0.5"),
    ("monkey against monkey", "the style of the exercise", "-"),
    ("monkey against monkey", "OpenSpiel", "above 1"),
    ("tictactoe3 against monkey", "a bare loop", "at least 0.5"),
]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


def rows_of(ran: subprocess.CompletedProcess[str]) -> list[list[str]]:
    """Return the cells of each row of the table."""
    lines = [line for line in ran.stdout.splitlines() if line.startswith("|")]
    header, rule, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
    assert header == ["work", "measured", "ratio", "bar", "met?"]
    assert all(set(cell) == {"-"} for cell in rule)
    return rows


def test_a_quick_run_prints_a_table_from_which_no_row_is_missing() -> None:
    ran = benchmarks("--quick", "--only", "calls")
    assert ran.returncode == 0, ran.stderr
    rows = rows_of(ran)
    assert len(rows) == len(CALLS)
    for (work, measured, ratio, bar, met), (players, against, asked) in zip(
        rows, CALLS, strict=True
    ):
        assert players in work
        assert against in work
        assert bar == asked
        if measured.startswith("skipped: "):
            assert (ratio, met) == ("-", "-")
        else:
            assert float(ratio) > 0
            assert met in (["-"] if bar == "-" else ["yes", "no"])


def test_an_unknown_group_is_refused() -> None:
    ran = benchmarks("--only", "nothing")
    assert ran.returncode == 2
    assert "calls" in ran.stderr


def test_a_quick_run_measures_isolation() -> None:
    ran = benchmarks("--quick", "--only", "isolation")
    assert ran.returncode == 0, ran.stderr
    assert "monkey in tier process" in ran.stdout
    assert "Python program in tier process, JSON lines: a move, against a call" in ran.stdout


def test_a_quick_run_measures_the_wire() -> None:
    ran = benchmarks("--quick", "--only", "wire")
    assert ran.returncode == 0, ran.stderr
    for part in ("across two cores", "with stop and continue", "a move of monkey in tier process"):
        assert part in ran.stdout


def test_a_quick_run_measures_referees() -> None:
    ran = benchmarks("--quick", "--only", "refereed")
    assert ran.returncode == 0, ran.stderr
    for game in ("pig", "goofspiel"):
        assert f"a game of {game} by a referee, tier process" in ran.stdout


def test_a_quick_run_measures_the_search() -> None:
    ran = benchmarks("--quick", "--only", "search")
    assert ran.returncode == 0, ran.stderr
    for game in ("mnk-5-5-4", "connect4"):
        assert ran.stdout.count(f"plies of {game}, against alpha-beta") == 1
        assert ran.stdout.count(f"a monkey at {game}") == 1


def test_a_quick_run_measures_mcts() -> None:
    ran = benchmarks("--quick", "--only", "mcts")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("at connect4, against OpenSpiel's Python bot") == 1


def test_a_quick_run_measures_both_builds() -> None:
    ran = benchmarks("--quick", "--only", "builds")
    assert ran.returncode == 0, ran.stderr
    assert len(rows_of(ran)) == (1 if compiled("lines") is None else len(builds.COMPARED))


@pytest.mark.needs("open_spiel")
def test_a_quick_run_measures_games_of_openspiel() -> None:
    ran = benchmarks("--quick", "--only", "openspiel")
    assert ran.returncode == 0, ran.stderr
    for loop in ("a loop that clones states and checks moves", "a bare loop"):
        assert ran.stdout.count(f"`openspiel:hex`: time against {loop}") == 1


@pytest.mark.needs("pettingzoo", "pygame")
def test_a_quick_run_measures_an_environment_of_pettingzoo() -> None:
    ran = benchmarks("--quick", "--only", "pettingzoo")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("time against the library's loop") == 1


def test_a_quick_run_measures_the_store() -> None:
    ran = benchmarks("--quick", "--only", "store")
    assert ran.returncode == 0, ran.stderr
    server = "writing games to a PostgreSQL server"  # skipped with a reason where there is none
    for part in ("every game in a store", "resuming the finished run", "arena regress", server):
        assert ran.stdout.count(part) == 1


def test_a_quick_run_measures_the_tables() -> None:
    ran = benchmarks("--quick", "--only", "table")
    assert ran.returncode == 0, ran.stderr
    for part in ("a bare NumPy loop over the same tables", "-n 1000000000", "all exact pairings"):
        assert ran.stdout.count(part) == 1


def test_a_quick_run_measures_games_for_more_than_two() -> None:
    ran = benchmarks("--quick", "--only", "seats")
    assert ran.returncode == 0, ran.stderr
    [row] = [row for row in rows_of(ran) if "`calls`, 12 monkeys" in row[0]]
    assert row[3] == "at least 0.5"
    assert ran.stdout.count("with standings and ratings") == 1


def test_a_quick_run_measures_batches() -> None:
    ran = benchmarks("--quick", "--only", "batch")
    assert ran.returncode == 0, ran.stderr
    bare, called, train = "against a bare NumPy loop", "speed against `calls`", "`--at-once 256`"
    for part, bar in ((bare + " over it", "at most 1.5"), (called, "at least 20"), (train, "-")):
        [row] = [row for row in rows_of(ran) if part in row[0]]
        assert row[3] == bar
    [row] = [row for row in rows_of(ran) if "at connect4" in row[0] and "NumPy loop" in row[0]]
    assert row[3] == "at most 1.5"


@pytest.mark.needs("distributed")
def test_a_quick_run_measures_a_cluster_and_simulates_larger_ones() -> None:
    ran = benchmarks("--quick", "--only", "cluster")
    assert ran.returncode == 0, ran.stderr
    speed = "speed of 2 Dask workers against 1"
    for part, bar in ((speed, "at least 1.8"), ("against 2 processes", "at most 1.1")):
        [row] = [row for row in rows_of(ran) if part in row[0]]
        assert row[3] == bar
    for workers in (10, 100, 1000):
        assert ran.stdout.count(f"| simulated: {workers} workers") == 2


@pytest.mark.parametrize(
    ("costs", "seconds", "limit"),
    [
        (cluster.Costs(task=0.0, write=0.0), 60, "nothing"),
        (cluster.Costs(task=0.0, write=0.0), 2, "the slowest task"),
        (cluster.Costs(task=0.0, write=0.001), 60, "the store"),
        (cluster.Costs(task=0.5, write=0.0), 60, "tasks"),
    ],
)
def test_the_simulation_of_a_cluster_names_what_keeps_workers_waiting(
    costs: cluster.Costs, seconds: float, limit: str
) -> None:
    load = cluster.simulate(10, 1.0, costs, seconds)
    assert load.limit == limit
    assert (load.workers > 0.9) == (limit == "nothing")


@pytest.mark.nightly
def test_a_quick_run_measures_the_coverage_of_every_section() -> None:
    rows = coverage_rows("--quick")
    printed = {row[0] for row in rows}
    assert printed >= {
        "score interval of a fight",
        "Elo +- error",
        "normalised Elo of a fight",
        "probably stronger over 95%",
        "loss bound after no loss",
        "H1 is accepted",
        "H0 is accepted",
        "Elo after a test",
        "interval that may be watched, ever wrong",
        "until better: score",
        "rating",
        "p-value at most 0.01",
        "regress says weaker",
        "regress says not weaker",
        "fall of regress",
        "all ranks of the standings",
        "all ranks of the ratings",
        "a cycle is named",
        "one scale is rejected",
        "all ranks are distinct",
        "rating at tables",
    }
    assert {row[-1] for row in rows} <= {"ok", "wide", "low", "FALSE", ""}


def test_a_section_of_the_coverage_is_the_same_every_time() -> None:
    assert coverage_rows("--quick", "fixed") == coverage_rows("--quick", "fixed")


def test_an_unknown_section_of_the_coverage_is_refused(wording: Wording) -> None:
    ran = coverage("nothing")
    assert ran.returncode == 2
    wording(ran.stderr, "'nothing'")


def coverage(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.coverage", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)


def coverage_rows(*arguments: str) -> list[list[str]]:
    ran = coverage(*arguments)
    assert ran.returncode == 0, ran.stderr
    lines = [line for line in ran.stdout.splitlines() if line.startswith("|")]
    header, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
    assert header == ["printed", "under", "replicates", "claimed", "measured", "median bias", ""]
    return rows


def test_a_quick_run_measures_rounds_and_prints() -> None:
    ran = benchmarks("--quick", "--only", "rounds")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("against its fights one after the other") == 1
    assert ran.stdout.count("prints a line a move, against one that does not") == 2


#: Keeps modules out, as if they were not installed, and imports every benchmark.
ALONE = """
import importlib, pkgutil, sys

class Without:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("pytest", "_pytest", "hypothesis", "tests"):
            raise ModuleNotFoundError(f"no module named {name}", name=name)

sys.meta_path.insert(0, Without())
import benchmarks
for module in pkgutil.walk_packages(benchmarks.__path__, "benchmarks."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from benchmarks.__main__ import main
sys.exit(main())
"""


def test_no_benchmark_needs_the_tests_or_pytest() -> None:
    command = [sys.executable, "-c", ALONE, "--quick", "--only", "report"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert rows_of(ran)


SOURCE = '''"""Text, 1 < 2."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    N = 1

def f(a: int = 3) -> bool:
    while a and not a < 10:
        print(a, "ö", 0.5)
        break
    return f"{1}" == x.other
'''


def test_one_thing_changes_at_a_time() -> None:
    code = SOURCE.encode()
    results = []
    for mutant in mutations.mutants("x.py", SOURCE):
        assert code[mutant.start : mutant.stop].decode() == mutant.before
        ast.parse(code[: mutant.start] + mutant.after.encode() + code[mutant.stop :])
        results.append(str(mutant).removeprefix("x.py:"))
    assert sorted(results) == [
        "10: break -> continue",
        "11: f\"{1}\" == x.other -> (f'{1}' != x.other)",
        "11: x.other -> (x)",
        "7: 3 -> 4",
        "8: 10 -> 11",
        "8: a < 10 -> (a <= 10)",
        "8: a < 10 -> (a >= 10)",
        "8: a and not a < 10 -> (a or not a < 10)",
        "8: not a < 10 -> (a < 10)",
        "9: 0.5 -> 1.0",
        "9: print(a, \"ö\", 0.5) -> (print('ö', a, 0.5))",
        '9: print(a, "ö", 0.5) -> pass',
    ]


def test_a_change_that_a_test_notices_is_killed() -> None:
    lines = (ROOT / "arena" / "rng.py").read_text().splitlines()
    place = f"arena/rng.py:{lines.index('MAX_POOL = 4096') + 1}"
    command = [sys.executable, "-m", "benchmarks.mutants", "rng", "--at", place]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stderr
    [row] = [line for line in ran.stdout.splitlines() if line.startswith("| rng ")]
    assert [cell.strip() for cell in row[1:-1].split("|")][2:] == ["1", "1", "0"]


def test_the_codec_is_compared_with_msgspec_or_skipped() -> None:
    command = [sys.executable, "-m", "benchmarks.codec", "--rounds", "1"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "| import" in ran.stdout or ran.stdout.startswith("skipped: msgspec")
