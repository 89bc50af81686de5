"""A workflow of GitHub shows a failure at the player's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.features.regress.github import workflow_commands
from arena.features.regress.record import (
    ClaimCheck,
    Comparison,
    Origin,
    RegressionReport,
    RegressionVerdict,
)
from tests.golden import Wording


def annotated(
    workspace: Path, origin: Origin | None, message: str = "it fell", player: str = "mybot"
) -> str:
    """Return the one annotation of a night in which the player got weaker."""
    comparison = Comparison(player, "connect4", RegressionVerdict.WEAKER, message)
    players = {} if origin is None else {player: origin}
    (line,) = workflow_commands(
        RegressionReport("b", (), (comparison,), players=players), workspace
    )
    return line


def test_a_failure_stands_at_the_file_of_the_player(tmp_path: Path, wording: Wording) -> None:
    line = annotated(tmp_path, Origin("1", str(tmp_path / "mybot.py"), 7))
    wording(line, "file=mybot", "line=7", "title=arena")


def test_text_is_escaped_as_github_reads_it(tmp_path: Path, wording: Wording) -> None:
    origin = Origin("", str(tmp_path / "a,b:c%.py"), 0)
    line = annotated(tmp_path, origin, "100 %: \r\n::error::x\x1b[31m", "p%1")
    wording(line, "file=a", "25", "line=1", "title=arena", "251", "100")


@pytest.mark.parametrize("source", ["", "src"])
def test_an_installed_file_is_annotated_where_it_came_from(tmp_path: Path, source: str) -> None:
    copy = tmp_path / "work" / source / "pkg" / "bot.py"
    copy.parent.mkdir(parents=True)
    copy.touch()
    origin = Origin("", str(tmp_path / "lib" / "site-packages" / "pkg" / "bot.py"), 3)
    named = "/".join(filter(None, (source, "pkg", "bot.py")))
    assert f"file={named},line=3" in annotated(tmp_path / "work", origin)
    copy.unlink()
    assert annotated(tmp_path / "work", origin).startswith("::error title=")


@pytest.mark.parametrize("origin", [None, Origin("", "", 0), Origin("", "/elsewhere/bot.py", 1)])
def test_a_player_that_is_not_in_the_workspace_is_annotated_without_a_file(
    tmp_path: Path, origin: Origin | None, wording: Wording
) -> None:
    wording(annotated(tmp_path, origin), "title=arena")


def test_what_passed_or_was_accepted_is_not_annotated(tmp_path: Path, wording: Wording) -> None:
    holds = ClaimCheck("mybot", "connect4", "never-loses:connect4", RegressionVerdict.HOLDS, "")
    weaker = Comparison("mybot", "connect4", RegressionVerdict.WEAKER, "")
    for report in (
        RegressionReport("b", (holds,), ()),
        RegressionReport("b", (), (weaker,), written=True),
    ):
        assert list(workflow_commands(report, tmp_path)) == []
    (line,) = workflow_commands(RegressionReport("b", (), (), broken=("plugin x",)), tmp_path)
    wording(line, "title=arena")
