"""``arena train`` as its user sees it."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

ARENA = (sys.executable, "-c", "import sys; from arena.main import main; sys.exit(main())")
TRAIN = ("train", "lms", "--games", "40", "--seed", "3")
#: A curve of few points.
SHORT = ("train", "lms", "--games", "2", "--seed", "3")


@pytest.mark.slow
def test_what_is_written_is_a_player_and_the_output_says_how_it_was_made(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "weights.json"
    argv = (*TRAIN, "--against", "heuristic", "--features", "fork,squares", "--output", str(file))
    ran = run(*argv)
    assert (ran.code, ran.err) == (0, "")
    record = json.loads(file.read_text())
    assert list(record["first"]) == ["constant", "fork-mine", "fork-theirs"] + [
        f"square-{s}" for s in range(1, 10)
    ]
    assert all(fact in ran.out for fact in ("lms", "40 games", "heuristic", "seed 3"))
    assert run("exact", f"lms:{file}", "monkey").code == 0
    again = json.loads(run(*record["command"].split()[1:], "--format", "json").out)
    assert again == record


@pytest.mark.slow
def test_json_and_the_file_are_the_same_but_for_the_curve(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    printed = json.loads(run(*SHORT, "--curve", "--output", str(file), "--format", "json").out)
    curve = printed.pop("curve")
    assert printed == json.loads(file.read_text())
    assert [point["games"] for point in curve] == [0, 1, 2]
    assert curve[0]["scores"]["monkey"] == "1/2"
    rows = list(csv.DictReader(io.StringIO(run(*SHORT, "--curve", "--format", "csv").out)))
    assert [row["monkey"] for row in rows] == [point["scores"]["monkey"] for point in curve]


@pytest.mark.nightly
@pytest.mark.parametrize("style", ["png", "svg"])
def test_a_plot_of_the_same_curve_has_the_same_bytes(run: Run, tmp_path: Path, style: str) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / f"{name}.{style}" for name in ("a", "b")]
    outputs = [run(*SHORT, "--plot", str(file)).out for file in files]
    one, two = (file.read_bytes() for file in files)
    assert one == two
    assert one.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[style])
    assert outputs[0] == outputs[1] == run(*SHORT, "--curve").out
    if style == "svg":
        assert b"against minimax" in one
        assert b"games trained" in one


def test_without_matplotlib_one_line_says_what_to_install_before_training(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    file = tmp_path / "weights.json"
    ran = run("train", "lms", "--plot", str(tmp_path / "a.png"), "--output", str(file))
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "pip install 'proving-arena[plot]'")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "argv",
    [
        ("lsm",),
        ("lms", "--against", "heuristc"),
        ("lms", "--against", "cmd:true"),
        ("lms", "--features", "forx"),
        ("lms", "--features", ""),
        ("lms", "--start", "emtpy"),
        ("lms", "--rate", "fast"),
        ("lms", "--rate", "0"),
        ("lms", "--rate", "nan"),
        ("lms", "--rate", "1", "--seed", "1"),
        ("lms", "--games", "0"),
        ("lms", "--seed", "x"),
        ("lms", "--plot", "a.pdf"),
        ("lms", "--plot", "/no/such/a.png"),
        ("lms", "--output", "/no/such/a.json"),
        ("lms", "--format", "jsn"),
    ],
)
def test_a_mistake_is_one_line(run: Run, argv: tuple[str, ...], wording: Wording) -> None:
    ran = run("train", *argv)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.slow
def test_an_opponent_that_ends_its_process_ends_no_other(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(position, rng):\n    os._exit(3)\n")
    ran = run(*TRAIN, "--against", str(bot), "--output", str(tmp_path / "weights.json"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


@pytest.mark.slow
def test_interrupted_it_leaves_the_old_weights_and_nothing_else(tmp_path: Path) -> None:
    """And on a terminal it shows a bar meanwhile."""
    file = tmp_path / "weights.json"
    file.write_text("old")
    terminal, stderr = pty.openpty()
    termios.tcsetwinsize(stderr, (24, 80))
    argv = ("train", "lms", "--games", "100000000", "--seed", "1", "--output", str(file))
    program = subprocess.Popen(
        [*ARENA, *argv], stdout=subprocess.PIPE, stderr=stderr, start_new_session=True
    )
    os.close(stderr)
    try:
        seen = b""
        while b" games/s" not in seen:
            seen += os.read(terminal, 1000)
        os.killpg(program.pid, signal.SIGINT)
        with suppress(OSError):  # nobody has the other end any more
            while more := os.read(terminal, 1000):
                seen += more
        out, _ = program.communicate(timeout=20)
    finally:
        program.kill()
        program.communicate()
        os.close(terminal)
    assert (program.returncode, out) == (130, b"")
    assert seen.rstrip().endswith(b"arena: interrupted")
    assert b"Traceback" not in seen
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["weights.json"]


@pytest.mark.parametrize("command", [("train", "lms", "--games", "2"), ("certify", "triples")])
@pytest.mark.parametrize(("name", "called"), [("x.html", "html"), ("X.MD", "markdown")])
def test_data_are_not_written_into_a_file_of_another_format(
    run: Run, tmp_path: Path, command: tuple[str, ...], name: str, called: str, wording: Wording
) -> None:
    ran = run(*command, "--output", str(tmp_path / name))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err, "--output", f"{called}")
    assert list(tmp_path.iterdir()) == []
