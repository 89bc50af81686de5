"""What the owner of a contest takes home."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

import arena
from arena.features.hand_in.record import _PLAY_WORDS
from arena.records.contests import ContestRow
from benchmarks.contesting import FILE, RIGHT, WRONG, Contest, contest, prepare
from tests.features.contest.packages import zipped
from tests.golden import Wording

pytestmark = pytest.mark.needs("starlette", "uvicorn", "locked")

#: The owner's downloads.
PATHS = ("grades.csv", "hand-ins.zip", "report.html", "similar", "hand-ins/alice/1/file")


@pytest.mark.parametrize("value", [None, 0.5])
def test_grades_have_a_row_for_each_entrant_and_no_formula(value: float | None) -> None:
    from arena.plugins.web.contest.downloads import grades_csv

    limits = (2, 1, 3, value, None, None)
    row = ContestRow("=anna", *limits, 4, 1, 0, 3, score=0.25, forfeits=0, hand_in=2)
    hand_in = arena.records.HandIn("=anna", 2, "2026-11-23T01:02:03Z", "bot.py", "0", 7, "passed")
    text = grades_csv(["=anna", "ben"], {"=anna": row}, [hand_in])
    anna, ben = csv.DictReader(io.StringIO(text))
    assert anna["entrant"] == "'=anna"
    assert (anna["rank"], anna["rank_low"], anna["rank_high"], anna["score"]) == (
        *("2", "1", "3", "0.25"),
    )
    assert anna["value"] == ("0.25" if value is None else "0.5")
    assert (anna["hand_ins"], anna["last_received"]) == ("2", "2026-11-23T01:02:03Z")
    assert (ben["entrant"], ben["rank"], ben["score"], ben["hand_ins"]) == ("ben", "", "", "0")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """Serve a contest in which alice and bob have one code, and carol has not passed.

    The zip of dave has a file that Python cannot read, which its player does not use.
    """
    folder = tmp_path_factory.mktemp("downloads")
    prepare(folder, "closes = 2099-12-01T18:00:00Z\n")
    with contest(folder) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        served.passes("bob", f"# mine\n{RIGHT}")
        served.hand_in("carol", WRONG)
        served.hand_in("dave", zipped({"bot.py": RIGHT.encode(), "deep.py": b"(" * 90_000}))
        served.settled("carol")
        served.settled("dave")
        served.over({"alice": 1, "bob": 1, "dave": 1})
        yield served


@pytest.mark.slow
def test_the_downloads_are_of_the_contest_that_was_played(played: Contest) -> None:
    rows = csv.DictReader(io.StringIO(played.ask("owner", "/owner/grades.csv").text))
    grades = {row["entrant"]: row for row in rows}
    shown = {row["player"]: row for row in played.standings()["rows"]}
    assert list(grades) == ["alice", "bob", "carol", "dave", "frank"]
    for name in ("alice", "bob"):
        assert int(grades[name]["rank"]) == shown[name]["rank"]
        assert float(grades[name]["score"]) == shown[name]["score"]
        assert float(grades[name]["value"]) == shown[name]["value"]
        assert int(grades[name]["games"]) == shown[name]["games"]
    assert (grades["carol"]["rank"], grades["carol"]["last_state"]) == ("", "refused")
    file = played.ask("owner", "/owner/hand-ins/alice/1/file")
    assert file.text == RIGHT
    assert "attachment" in file.headers["content-disposition"]
    page = played.ask("owner", "/owner/similar", headers={"Accept": "text/html"}).text
    assert 'href="/owner/hand-ins/bob/1"' in page
    assert 'href="/owner/hand-ins/carol/' not in page
    assert 'href="/owner/hand-ins/dave/' not in page
    [run] = arena.stored_runs(played.folder / "contest.db").rows
    report = played.ask("owner", "/owner/report.html").text
    assert "alice" in report
    assert str(run["seed"]) not in report
    with played.served.connect() as connection:
        head = "GET /owner/hand-ins.zip HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        token = f"Authorization: Bearer {played.tokens['owner']}\r\n\r\n"
        connection.sendall((head + token).encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    with ZipFile(io.BytesIO(answer[answer.index(b"PK\x03\x04") :])) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {
            "alice",
            "bob",
            "carol",
            "dave",
        }


@pytest.mark.slow
def test_no_entrant_and_no_stranger_gets_what_is_the_owners(played: Contest) -> None:
    for path in PATHS:
        assert played.ask("alice", f"/owner/{path}").status == 403
        assert played.served.ask(f"/owner/{path}").status == 401
    assert played.ask("owner", "/owner/hand-ins/alice/9/file").status == 404
    assert played.ask("owner", "/owner/hand-ins/nobody/1/file").status == 404


@pytest.mark.slow
def test_a_closing_time_of_the_page_is_shown_beside_that_of_the_file(
    tmp_path: Path, wording: Wording
) -> None:
    prepare(tmp_path, file=f'title = "Cup"\n{FILE}closes = 2099-12-01T18:00:00Z\n')
    with contest(tmp_path) as served:
        assert "contest.toml says" not in served.ask("owner", "/owner").text
        served.own("close", "2098-01-01T00:00Z")
        page = served.ask("owner", "/owner").text
        wording.line(page, "contest.toml says")
        assert "2098-01-01 00:00:00 UTC" in page
    with contest(tmp_path) as served:
        assert served.own("close-by-file").status == 303
        page = served.ask("owner", "/owner").text
        assert "contest.toml says" not in page
        assert "2099-12-01 18:00:00 UTC" in page
        assert "<h1>Cup</h1>" in page


@pytest.mark.slow
def test_the_games_have_started_on_the_page_that_answers_the_button(tmp_path: Path) -> None:
    prepare(tmp_path)
    with contest(tmp_path) as served:
        for _ in range(3):
            served.own("start")
            page = served.ask("owner", "/owner").text
            assert "Stop the games" in page
            assert _PLAY_WORDS["starting"] in page or _PLAY_WORDS["waiting"] in page
            served.own("stop")
            page = served.ask("owner", "/owner").text
            assert "Start the games" in page
            assert _PLAY_WORDS["stopped"] in page
