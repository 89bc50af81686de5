"""A contest in the browser from the first hand-in to the standings, against a server that runs."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from arena.features.hand_in.record import REFUSED, STATES
from benchmarks.contesting import FILE, RIGHT, TALKING, WRONG, Contest, contest, prepare, waited
from tests.golden import Wording

pytestmark = [pytest.mark.needs("starlette", "uvicorn", "locked"), pytest.mark.slow]

SECRET = "my secret plan"

#: A player that passes its check within so many seconds, and fails in every game that is later.
FAULTLESS = 20
FAULT = "my secret fault"
FAULTY = f"""
import time
def choose(position, rng):
    if time.time() > {{last}}:
        raise ValueError("{FAULT}")
    return rng.choice(position.legal_moves())
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """Serve a contest in which alice has handed in twice, and bob once; all games are played."""
    folder = tmp_path_factory.mktemp("contest")
    prepare(folder)
    with contest(folder) as served:
        assert served.own("start").status == 303
        served.passes("alice", RIGHT)
        served.passes("bob", RIGHT)
        served.over({"alice": 1, "bob": 1})
        served.passes("alice", TALKING)
        served.over({"alice": 2, "bob": 1})
        yield served


def seed_of(served: Contest) -> str:
    [run] = arena.stored_runs(served.folder / "contest.db").rows
    return str(run["seed"])


def texts(served: Contest, who: str) -> Iterator[tuple[str, str]]:
    """Yield all that an entrant can see, also what a page has packed."""
    yield "events", json.dumps(served.standings(who))
    for path in ("/", "/me", "/hand-ins", "/hand-ins/1", "/hand-ins/2", "/games/alice", "/nothing"):
        for accept in ("text/html", "application/json"):
            text = served.ask(who, path, headers={"Accept": accept}).text
            yield path, text
            yield path, unpacked(text)


def unpacked(page: str) -> str:
    """Return what a page has packed."""
    packed = re.search(r'id="games"[^>]*>([^<]+)<', page)
    return gzip.decompress(base64.b64decode(packed[1])).decode() if packed else ""


def test_the_standings_have_all_games_and_ranks_that_may_be_watched(played: Contest) -> None:
    status = played.over({"alice": 2, "bob": 1})
    shown = arena.show(played.folder / "contest.db")
    assert isinstance(shown, arena.records.TournamentResult)
    by_name = {row["player"]: row for row in status["rows"]}
    for standing in shown.standings:
        row = by_name[standing.player]
        assert (row["rank"], row["low"], row["high"]) == (
            *(standing.rank, standing.rank_low, standing.rank_high),
        )
        assert (row["games"], row["wins"]) == (standing.tally.games, standing.tally.wins)
    assert all(row["value_low"] <= row["value"] <= row["value_high"] for row in status["rows"])
    assert status["games"] == sum(fight.total.games for fight in shown.fights)
    page = played.ask("alice", "/me", headers={"Accept": "text/html"}).text
    for name in ("value", "score"):
        assert f"<dt>{name}</dt><dd>{100 * by_name['alice'][name]:.1f} %</dd>" in page


def test_nothing_that_an_entrant_sees_has_a_seed(played: Contest) -> None:
    seed = seed_of(played)
    assert len(seed) > 9
    results = [text for _, text in texts(played, "alice")]
    assert any("print" in text for text in results)
    for text in results:
        assert seed not in text
        assert str(played.folder) not in text
        assert not re.search(r"/\d{6,}/\d+\.[12]", text)  # the id of a game with its seed


def test_an_entrant_sees_its_games_its_output_and_its_earlier_games_marked(
    played: Contest,
    wording: Wording,
) -> None:
    page = played.ask("alice", "/games/alice", headers={"Accept": "text/html"}).text
    assert SECRET in page
    assert "(hand-in 2)" in page
    wording.line(page, "<h2>", "hand-in 1")
    assert re.findall(r"<title>alice, (hand-in \d): [\d.]+ %", page) == ["hand-in 1", "hand-in 2"]
    games = json.loads(unpacked(page))
    assert any(any(run["worths"]) for run in games["runs"])
    assert played.ask("bob", "/games/alice").status == 403
    others = played.ask("owner", "/games/alice").text
    assert SECRET not in others + unpacked(others)


def test_a_player_that_breaks_the_rules_is_told_where(played: Contest) -> None:
    played.hand_in("carol", WRONG)
    [refused, *_] = played.settled("carol")
    assert refused["state"] == "refused"
    page = played.ask("carol", f"/hand-ins/{refused['number']}", headers={"Accept": "text/html"})
    assert STATES[REFUSED] in page.text
    assert "-1" in page.text


def test_the_owner_reads_every_report(played: Contest) -> None:
    played.hand_in("carol", WRONG)
    [refused, *_] = played.settled("carol")
    number = refused["number"]
    page = played.ask("owner", "/owner", headers={"Accept": "text/html"}).text
    for entrant, last in (("alice", 2), ("bob", 1), ("carol", number)):
        for each in range(1, last + 1):
            assert f'href="/owner/hand-ins/{entrant}/{each}"' in page
    assert STATES[REFUSED] in page
    path = f"/owner/hand-ins/carol/{number}"
    report = played.ask("owner", path, headers={"Accept": "text/html"}).text
    assert STATES[REFUSED] in report
    assert 'href="/owner"' in report
    own = json.loads(played.ask("carol", f"/hand-ins/{number}").text)
    assert json.loads(played.ask("owner", path).text) == own
    assert own["report"]["findings"]
    assert played.ask("owner", "/owner/hand-ins/carol/999").status == 404
    assert played.ask("owner", "/owner/hand-ins/nobody/1").status == 404
    assert played.ask("alice", path).status == 403
    assert played.ask("carol", path).status == 403
    assert played.served.ask(path).status == 401


def test_the_terminal_hands_in_and_prints_the_verdict(
    played: Contest, tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "bot.py").write_text(WRONG)
    command = [sys.executable, "-m", "arena", "hand-in", played.served.url, "bot.py"]
    token = {**os.environ, "ARENA_TOKEN": played.tokens["dave"]}
    done = subprocess.run(
        command, cwd=tmp_path, env=token, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    wording.line(done.stdout, "hand-in 1 of dave")
    assert "is waiting" in done.stderr


def test_the_owner_withdraws_lets_in_and_closes(tmp_path: Path, wording: Wording) -> None:
    prepare(tmp_path)
    with contest(tmp_path) as served:
        assert served.own("withdraw", "alice").status == 303
        assert served.hand_in("alice", RIGHT).status == 422
        assert "Let in" in served.ask("owner", "/owner").text
        assert served.own("readmit", "alice").status == 303
        assert served.hand_in("alice", RIGHT).status == 201
        assert served.own("close", "at noon").status == 400
        assert served.own("close", "2026-01-01T00:00").status == 400
        refreshed = served.ask("owner", "/owner/close")
        assert (refreshed.status, refreshed.headers["location"]) == (303, "/owner")
        assert served.own("close", "2026-01-01T00:00Z").status == 303
        assert "closed" in served.hand_in("alice", RIGHT).text
        assert 'id="hand-in"' not in served.ask("alice", "/me").text
        assert served.own("close", "").status == 303
        assert 'id="hand-in"' in served.ask("alice", "/me").text
        assert served.own("withdraw", "nobody").status == 400
        assert served.own("destroy").status == 400
        served.settled("alice")
        assert served.own("start").status == 303
        assert served.own("stop").status == 303
        wording.line(served.ask("owner", "/owner").text, 'role="status"')
        served.passes("alice", TALKING)
        served.served.process.send_signal(signal.SIGINT)
        assert served.served.process.wait(60) == 130


def test_a_public_contest_shows_strangers_what_it_shows_all(tmp_path: Path) -> None:
    prepare(tmp_path, 'public = true\ngames = "all"\n')
    with contest(tmp_path) as served:
        assert served.served.ask("/").status == 200
        for path in ("/me", "/owner", "/hand-ins"):
            assert served.served.ask(path).status == 401
        served.passes("alice", TALKING)
        last = time.time() + FAULTLESS
        served.passes("bob", FAULTY.format(last=last))
        waited(lambda: time.time() > last or None)
        served.own("start")
        served.over({"alice": 1, "bob": 1})
        for entrant, message in (("alice", SECRET), ("bob", FAULT)):
            for who in ("carol", "owner", None):  # what it says is for its author
                known = {} if who is None else {"Authorization": f"Bearer {served.tokens[who]}"}
                page = served.served.ask(f"/games/{entrant}", headers=known)
                assert page.status == 200
                assert message not in page.text + unpacked(page.text)
            own = served.ask(entrant, f"/games/{entrant}").text
            assert message in own + unpacked(own)


def test_a_server_that_was_killed_goes_on(tmp_path: Path) -> None:
    prepare(tmp_path)
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        copy = [sys.executable, "-m", "arena", "copy", "contest.db", "backup.db"]
        subprocess.run(copy, cwd=tmp_path, capture_output=True, check=True)
        served.served.process.kill()
        served.served.process.wait()
    with contest(tmp_path) as served:
        served.passes("bob", RIGHT)
        served.over({"alice": 1, "bob": 1})
    hand_ins = arena.plugin.open_contest(
        tmp_path / "contest.toml", tmp_path / "backup.db"
    ).hand_ins()
    assert [(each.entrant, each.state) for each in hand_ins] == [("alice", "passed")]


@pytest.mark.parametrize(
    ("file", "arguments"),
    [
        (f"seed = 7\n{FILE}", []),
        (f'schedule = "knockout"\n{FILE}', []),
        (f'isolation = "none"\n{FILE}', []),
        (FILE, ["--player", "monkey"]),
        (f"{FILE}sise = 3\n", []),
    ],
)
def test_a_contest_that_cannot_be_is_one_line(
    tmp_path: Path, file: str, arguments: list[str], wording: Wording
) -> None:
    prepare(tmp_path, file=file)
    words = ["serve", "--contest", "contest.toml", "--tokens", "names.txt", "--port", "0"]
    command = [sys.executable, "-m", "arena", *words, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    wording(line)


@pytest.mark.parametrize(
    ("host", "is_told"),
    [("127.0.0.1", False), ("0.0.0.0", True)],
)
def test_it_has_an_address_for_others_if_it_listens_for_them(host: str, is_told: bool) -> None:
    from arena.plugins.web.server import outside_address

    with socket.create_server((host, 0)) as listening:
        address = outside_address(listening)
        if is_told and address is not None:  # a machine without a network has none
            with socket.create_connection((address, listening.getsockname()[1]), 5):
                assert address != host
        assert is_told or address is None


def test_two_servers_do_not_conduct_one_contest(played: Contest, wording: Wording) -> None:
    command = [sys.executable, "-m", "arena", "serve", "--contest", "contest.toml", "--port", "0"]
    done = subprocess.run(command, cwd=played.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    wording(done.stderr)
    assert done.stderr.count("\n") == 2
