"""``arena certify``, as its user sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.golden import Wording


def test_certify_says_by_its_exit_code_whether_a_player_never_loses(
    run: Run, wording: Wording
) -> None:
    assert run("certify", "triples").code == 0
    ran = run("certify", "tictactoe2")
    assert ran.code == 1
    assert ran.err == ""
    wording.line(ran.out, "1 3 4 7 5 6 9")
    wording.line(ran.out, "2. tictactoe2", "3,")


@pytest.mark.slow
def test_a_certificate_is_written_and_verified_without_the_player(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    bot, file = tmp_path / "bot.py", tmp_path / "certificate.json"
    bot.write_text("from arena.players.triples import choose\n")
    assert run("certify", str(bot), "--output", str(file)).code == 0
    bot.unlink()
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[0])
    assert "never loses" not in ran.out
    wording(ran.out)
    record = json.loads(file.read_text())
    record["second"]["moves"]["x________"] = ["2"]
    file.write_text(json.dumps(record))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
