"""``--log-protocol``: what arena says to programs, and what they answer."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from arena.cli import logs
from tests.conftest import Run
from tests.golden import Wording
from tests.needs import python_of_all

PROGRAM = Path(__file__).parents[2] / "examples" / "programs" / "any_move.py"
#: A line of the file: its time, the player, its process, the direction, and what is said.
LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}) (cmd:.*) \((\d+)\) ([<>]) (.*)")


def program(path: Path = PROGRAM) -> str:
    return f"cmd:{shlex.join([python_of_all(), str(path)])}"


def fight(run: Run, log: Path, *words: str) -> list[re.Match[str]]:
    ran = run("fight", program(), "monkey", "-n", "2", "--log-protocol", str(log), *words)
    assert ran.code == 0
    assert not ran.err
    return [match for line in log.read_text().splitlines() if (match := LINE.fullmatch(line))]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_file_has_every_line_with_its_time(run: Run, tmp_path: Path, workers: str) -> None:
    log = tmp_path / "said.log"
    log.write_text("of an earlier command\n")
    lines = fight(run, log, "-j", workers)
    assert len(lines) == len(log.read_text().splitlines())
    messages = [line[5] for line in lines if line[4] == "<"]
    assert sum('"type": "start"' in line for line in messages) == 4
    count = sum('"type": "move"' in line for line in messages)
    assert count == sum(line[4] == ">" for line in lines) > 4
    by_process = [[line for line in lines if line[3] == pid] for pid in {line[3] for line in lines}]
    assert all(times == sorted(times) for times in ([m[1] for m in ms] for ms in by_process))


@pytest.mark.slow
def test_the_log_of_the_command_has_none_of_it(run: Run, tmp_path: Path) -> None:
    log, other = tmp_path / "said.log", tmp_path / "arena.log"
    assert fight(run, log, "--log-file", str(other))
    assert "arena fight begins" in other.read_text()
    assert '"type"' not in other.read_text()
    assert "arena fight begins" not in log.read_text()


def test_the_file_ends_where_it_is_full(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(logs, "MAX_PROTOCOL_CHARACTERS", 1000)
    log = tmp_path / "said.log"
    assert fight(run, log)
    wording(log.read_text().splitlines()[-1])
    assert 500 < log.stat().st_size < 1100


@pytest.mark.slow
def test_a_program_cannot_write_lines_of_its_own(run: Run, tmp_path: Path) -> None:
    liar = tmp_path / "liar.py"
    liar.write_text("input()\ninput()\nprint('\\x1b[2J\\r2026' + 'x' * 9999, flush=True)\ninput()")
    log = tmp_path / "said.log"
    run("fight", program(liar), "monkey", "-n", "1", "--log-protocol", str(log))
    answers = [m[5] for line in log.read_text().splitlines() if (m := LINE.fullmatch(line))]
    answer = next(text for text in answers if "xxx" in text)
    assert answer.isprintable()
    assert len(answer) < 600


@pytest.mark.parametrize("file", ["/no/such/file", "."])
def test_a_file_that_does_not_open_is_one_line(run: Run, file: str, wording: Wording) -> None:
    ran = run("fight", "monkey", "monkey", "--log-protocol", file)
    assert ran.code == 2
    wording(ran.err, file)
