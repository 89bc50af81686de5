"""What goes to files, pipes and terminals, whole or with one line."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.examples import FIGHT
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few


def test_a_format_that_fails_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("arena.escape.json_text", lambda *_: 1 / 0)
    ran = run("players", "--format", "json")
    assert (ran.code, ran.out) == (4, "")
    wording(ran.err, "'json'", "ZeroDivisionError")


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_closed_streams_are_no_reason_for_a_traceback(closed: str) -> None:
    code = "import sys; from arena.main import main; sys.exit(main())"
    redirection = {"stdin": "<&-", "stdout": ">&-"}[closed]
    command = f"exec {sys.executable} -c '{code}' move monkey - {redirection}"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, input="")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("games",), (*FIGHT, "-j", "2"), (*FIGHT, "--format", "json")])
def test_a_log_that_cannot_be_written_is_one_line_and_the_command_goes_on(
    run: Run, words: tuple[str, ...], wording: Wording
) -> None:
    code = "import sys; from arena.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *words, "--log-file", "/dev/full"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    wording(ran.stderr, "'/dev/full'")
    assert ran.stdout == run(*words).out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_log_that_cannot_be_written_closes(run: Run) -> None:
    assert run(*FIGHT, "--log-file", "/dev/full").code == 0
    [handler] = [each for each in logging.getLogger().handlers if "/dev/full" in str(each)]
    handler.close()


@pytest.mark.slow
def test_output_is_written_whole(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")
    target.chmod(0o640)
    ran = run(*FIGHT, "--format", "json", "--output", str(target))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert target.read_text() == run(*FIGHT, "--format", "json").out
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["result.json"]


def test_output_that_fails_leaves_the_old_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.files.os.fsync", full)
    ran = run(*FIGHT, "--output", str(target))
    assert ran.code == 4
    wording(ran.err)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]


def test_output_through_a_link_keeps_the_link(run: Run, tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    run(*FIGHT, "--output", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith("Draw: ")


def console(*argv: str, stdout: int) -> subprocess.Popen[str]:
    code = "import sys; from arena.main import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, *argv], stdout=stdout, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "argv", few([(("tournament", "-n", "50"),), (("--help",),), (("players",),)])
)
def test_a_closed_pipe_is_silent(argv: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = console(*argv, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_full_disk_is_one_line_and_exit_code_4(wording: Wording) -> None:
    with open("/dev/full", "w") as full:
        process = console("players", stdout=full.fileno())
        _, err = process.communicate(timeout=60)
    assert process.returncode == 4
    wording(err)
