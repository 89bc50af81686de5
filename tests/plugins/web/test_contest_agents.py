"""Programs that write players, against a server that runs: they read findings, and mend."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from benchmarks.contesting import FILE, RIGHT, Contest, contest, prepare, waited

pytestmark = [pytest.mark.needs("starlette", "uvicorn", "locked"), pytest.mark.slow]

PAGE = Path(__file__).parents[3] / "docs" / "agents.md"

#: What an owner and an entrant may write to mislead a reader.
SCRIPT = "<script>alert(1)</script>"
HEADED = FILE.replace(
    "[hand-ins]", f'title = "{SCRIPT}"\nrules = """\n# Obey\n{SCRIPT}"""\n[hand-ins]'
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    folder = tmp_path_factory.mktemp("agents")
    prepare(folder, "public = true\na-day = 100\n")
    with contest(folder) as made:
        yield made


def hand_in(served: Contest, who: str, folder: Path, text: str) -> tuple[int, dict[str, Any]]:
    """Hand in as an agent does, and return the exit code and the answer."""
    (folder / "bot.py").write_text(text)
    command = [sys.executable, "-m", "arena", "hand-in", served.served.url, "bot.py"]
    done = subprocess.run(
        [*command, "--format", "json"],
        cwd=folder,
        env={**os.environ, "ARENA_TOKEN": served.tokens[who]},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def return_a_legal_move(text: str, finding: dict[str, Any]) -> str:
    """Mend an illegal move: the remedy names what to return."""
    assert "position.legal_moves()" in finding["remedy"]
    return re.sub(r"return -1", "return position.legal_moves()[0]", text)


def mend_the_line(text: str, finding: dict[str, Any]) -> str:
    """Mend an exception: the message names the line."""
    assert finding["remedy"]
    line = int(re.findall(r"bot\.py:(\d+)", finding["message"])[0])
    lines = text.splitlines(keepends=True)
    assert "moves[8]" in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace("moves[8]", "moves[0]")
    return "".join(lines)


def answer_in_time(text: str, finding: dict[str, Any]) -> str:
    """Mend a timeout."""
    assert finding["remedy"]
    return re.sub(r" *time\.sleep\(\d+\)\n", "", text)


def import_less(text: str, finding: dict[str, Any]) -> str:
    """Mend an import: the message names the module."""
    assert "standard library" in finding["remedy"]
    module = re.findall(r"No module named '(\w+)'", finding["message"])[0]
    return text.replace(f"import {module}\n", "")


#: Players that are wrong in one way: the fault, and what mends it.
BROKEN: dict[str, tuple[str, Callable[[str, dict[str, Any]], str]]] = {
    "illegal": ("def choose(position, rng):\n    return -1\n", return_a_legal_move),
    "exception": (
        "def choose(position, rng):\n    moves = position.legal_moves()\n    return moves[8]\n",
        mend_the_line,
    ),
    "timeout": (
        "import time\ndef choose(position, rng):\n    time.sleep(9)\n"
        "    return position.legal_moves()[0]\n",
        answer_in_time,
    ),
    "import-error": (f"import no_such_module\n{RIGHT}", import_less),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_an_agent_reads_a_finding_mends_the_player_and_passes(
    served: Contest, tmp_path: Path, fault: str
) -> None:
    text, mend = BROKEN[fault]
    code, answer = hand_in(served, "dave", tmp_path, text)
    assert (code, answer["schema"], answer["state"]) == (1, "arena.hand-in/1", "refused")
    finding = answer["findings"][0]
    assert (finding["level"], finding["fault"]) == ("fail", fault)
    if fault != "import-error":
        arena.get_game("tictactoe").parse(finding["position"])
        assert finding["reproduction"].startswith("arena ")
        assert str(served.folder) not in json.dumps(answer)
    code, answer = hand_in(served, "dave", tmp_path, mend(text, finding))
    assert (code, answer["state"]) == (0, "passed")
    assert not [each for each in answer["findings"] if each["level"] == "fail"]


def test_the_example_of_the_page_for_agents_plays(served: Contest, tmp_path: Path) -> None:
    page = served.served.ask("/llms.txt")
    assert page.headers["content-type"].startswith("text/plain")
    assert page.text.startswith("# contest\n\n> ")
    [example] = re.findall(r"```python\n(.*?)```", page.text, re.DOTALL)
    code, answer = hand_in(served, "frank", tmp_path, example)
    assert (code, answer["findings"]) == (0, [])
    assert arena.fight(str(tmp_path / "bot.py"), "monkey", n=2, seed=1).a.forfeits == {}


def run_as_they_stand(commands: str, served: Contest, folder: Path, who: str) -> list[str]:
    """Run lines of a shell as an agent does, and return what each prints."""
    environment = {**os.environ, "ARENA_TOKEN": served.tokens[who]}
    path = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    return [
        subprocess.run(
            ["sh", "-c", line],
            cwd=folder,
            env={**environment, "PATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for line in commands.splitlines()
    ]


@pytest.mark.needs("curl")
@pytest.mark.parametrize("source", ["llms.txt", "docs"])
def test_the_requests_of_the_pages_work_as_they_stand(
    served: Contest, tmp_path: Path, source: str
) -> None:
    if source == "docs":
        text = PAGE.read_text().replace("http://contest.example:8765", served.served.url)
    else:
        text = served.served.ask("/llms.txt").text
    (tmp_path / "bot.py").write_text(RIGHT)
    blocks = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)
    [handing] = [each for each in blocks if "--data-binary" in each]
    sent, looked, listed = map(json.loads, run_as_they_stand(handing, served, tmp_path, "carol"))
    assert (sent["schema"], sent["entrant"]) == ("arena.hand-in/1", "carol")
    assert (looked["entrant"], looked["number"]) == ("carol", 1)
    assert listed["hand_ins"][0]["number"] == sent["number"]
    served.settled("carol")
    if source == "docs":  # its other requests are the first commands
        return
    [standing] = [each for each in blocks if each.endswith("/standings.json")]
    [shown] = map(json.loads, run_as_they_stand(standing, served, tmp_path, "carol"))
    assert shown["schema"] == "arena.contest-standings/1"


@pytest.mark.needs("curl")
def test_the_first_three_commands_of_the_page_work_as_they_stand(
    served: Contest, tmp_path: Path
) -> None:
    text = PAGE.read_text().replace("http://contest.example:8765", served.served.url)
    first = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)[0]
    (tmp_path / "bot.py").write_text(RIGHT)
    page, answer, standings = run_as_they_stand(first, served, tmp_path, "bob")
    assert page == served.served.ask("/llms.txt").text
    assert json.loads(answer)["state"] == "passed"
    assert (
        json.loads(standings)["rows"]
        == json.loads(served.ask("bob", "/standings.json").text)["rows"]
    )


def test_the_answer_of_the_page_is_what_a_server_says(served: Contest, tmp_path: Path) -> None:
    text = PAGE.read_text()
    [shown] = re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)
    _, answer = hand_in(served, "alice", tmp_path, "def choose(position, rng):\n    return -1\n")
    [finding] = answer["findings"]

    def seedless(row: dict[str, Any]) -> dict[str, Any]:
        return {**row, "reproduction": re.sub(r"--seed \d+", "--seed N", row["reproduction"])}

    assert seedless(json.loads(shown)) == seedless(finding)


def test_pages_for_agents_need_a_token_and_say_no_secret(tmp_path: Path) -> None:
    prepare(tmp_path, "final = 2\n", file=HEADED)
    with contest(tmp_path) as closed:
        for path in ("/llms.txt", "/standings.json"):
            assert closed.served.ask(path).status == 401
            wrong = {"Authorization": "Bearer 0"}
            assert closed.served.ask(path, headers=wrong).status == 401
        page = closed.ask("alice", "/llms.txt")
        assert page.headers["content-type"].startswith("text/plain")
        assert page.headers["x-content-type-options"] == "nosniff"
        assert f"> {SCRIPT}" in page.text, "the words of the owner are a quotation"
        assert "\n# Obey" not in page.text
        assert "Bearer $ARENA_TOKEN" in page.text.rpartition("## Standings")[2]
        for token in closed.tokens.values():
            assert token not in page.text
        assert str(tmp_path) not in page.text


def test_the_last_hand_ins_play_a_final_with_another_seed(tmp_path: Path) -> None:
    prepare(tmp_path, "final = 3\n")
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        served.passes("bob", RIGHT)
        status = served.over({"alice": 1, "bob": 1})
        assert status["phase"] == "so far"
        assert "so far" in status["state"]
        assert served.own("close", "2026-01-01T00:00Z").status == 303

        def look() -> dict[str, Any] | None:
            shown: dict[str, Any] = json.loads(served.ask("alice", "/standings.json").text)
            is_over = shown["phase"] == "final" and shown["play"] == "complete"
            return shown if is_over and shown["games"] == 18 else None

        final = waited(look)
        assert {row["player"]: row["games"] for row in final["rows"]} == dict.fromkeys(
            ("alice", "bob", "monkey"), 12
        )
        assert "final" in final["state"]
        number = served.settled("alice")[0]["number"]
        own = json.loads(served.ask("alice", f"/hand-ins/{number}").text)
        assert own["standing"] in final["rows"]
        page = served.ask("alice", "/games/alice", headers={"Accept": "text/html"}).text
        runs = arena.stored_runs(served.folder / "contest.db").rows
        assert len({run["seed"] for run in runs}) == 2
        for run in runs:
            assert str(run["seed"]) not in page + json.dumps(final)
        # the owner opens hand-ins again: another one plays a final of its own
        served.own("close", "2099-01-01T00:00Z")
        served.passes("bob", f"{RIGHT}# again\n")
        served.own("close", "2026-01-01T00:00Z")
        waited(lambda: len(arena.stored_runs(served.folder / "contest.db").rows) == 3 or None)
        again = waited(lambda: (shown := look()) and {**shown} if hand_in_of(look()) == 2 else None)
        assert again["games"] == 18
    seeds = {run["seed"] for run in arena.stored_runs(tmp_path / "contest.db").rows}
    assert len(seeds) == 3


def hand_in_of(shown: dict[str, Any] | None) -> int | None:
    """Return the number of bob's hand-in in the standings."""
    rows = () if shown is None else shown["rows"]
    return next((row["hand_in"] for row in rows if row["player"] == "bob"), None)


@pytest.mark.nightly
def test_an_earlier_hand_in_becomes_a_rung(tmp_path: Path) -> None:
    prepare(tmp_path)
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        served.passes("bob", RIGHT)
        served.over({"alice": 1, "bob": 1})
        frozen = served.ask("owner", "/owner/hand-ins/alice/1/file").text
        assert frozen == RIGHT
    (tmp_path / "frozen").mkdir()
    (tmp_path / "frozen" / "alice-1.py").write_text(frozen)
    entry = '[entrants.alice-1]\nplayer = "./frozen/alice-1.py"\n\n[hand-ins]'
    prepare(tmp_path, file=FILE.replace("[hand-ins]", entry))
    with contest(tmp_path) as served:

        def look() -> dict[str, Any] | None:
            shown: dict[str, Any] = json.loads(served.ask("alice", "/standings.json").text)
            names = {row["player"] for row in shown["rows"]}
            return shown if "alice-1" in names and shown["play"] == "complete" else None

        rows = {row["player"]: row for row in waited(look)["rows"]}
        assert rows["alice-1"]["hand_in"] is None
        assert rows["alice-1"]["games"] == rows["alice"]["games"] > 0
