"""Run the workflows of a new league on a forge that this machine imitates, step by step."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest

import arena
from arena.features.new import scaffolds
from tests.features.league.forge import (
    ILLEGAL,
    LAST,
    Forge,
    env_of,
    git,
    history_of,
    job_of,
    steps_of,
    write_entrant,
)

WORKFLOWS = Path(scaffolds.__file__).parent
FILES = {
    name: (WORKFLOWS / f"league-{name}.yml.txt").read_text()
    for name in ("enter", "preview", "publish", "season")
}

#: The jobs that run the code of entrants.
PLAYING = (("enter", "play"), ("publish", "play"), ("season", "play"))


def jobs(name: str) -> list[str]:
    return re.findall(r"(?m)^  (\w+):\n", FILES[name].partition("\njobs:\n")[2])


@pytest.mark.parametrize(("workflow", "job"), PLAYING)
def test_a_job_that_runs_entrants_may_write_nothing(workflow: str, job: str) -> None:
    text = FILES[workflow]
    rights = re.findall(r"permissions: \{(.*)\}", text.partition("jobs:")[0] + job_of(text, job))
    assert {right for right in rights if right} == {"contents: read"}
    assert "github.token" not in job_of(text, job)
    for step in steps_of(job_of(text, job)):
        if step.action == "checkout":
            assert "persist-credentials: false" in step.text


@pytest.mark.parametrize("workflow", FILES)
def test_the_steps_that_the_tests_read_are_those_of_the_file(workflow: str) -> None:
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    for name, job in yaml.safe_load(FILES[workflow])["jobs"].items():
        text = job_of(FILES[workflow], name)
        for step, other in zip(steps_of(text), job["steps"], strict=True):
            assert dedent(step.command).strip() == other.get("run", "").strip()
            assert dict(env_of(step.text)) == other.get("env", {})
            assert other.get("uses", "").startswith(f"actions/{step.action}" * bool(step.action))
            options = other.get("with", {})
            assert all(step.option(key) == options.get(key, "") for key in ("name", "path"))


@pytest.mark.parametrize("workflow", FILES)
def test_no_other_job_runs_entrants(workflow: str) -> None:
    for job in jobs(workflow):
        plays = any(
            "arena league play" in s.command for s in steps_of(job_of(FILES[workflow], job))
        )
        assert plays == ((workflow, job) in PLAYING)


@pytest.mark.parametrize("workflow", FILES)
def test_no_command_has_an_expression_in_it(workflow: str) -> None:
    """What a stranger names goes into a command by the environment, which no shell reads again."""
    for job in jobs(workflow):
        assert not [s for s in steps_of(job_of(FILES[workflow], job)) if "${{" in s.command]


def test_only_the_season_sees_a_secret_and_no_pull_request_starts_it() -> None:
    assert [name for name, text in FILES.items() if "secrets." in text] == ["season"]
    assert "\non: workflow_dispatch\n" in FILES["season"]
    assert "\non: pull_request\n" in FILES["enter"]
    assert not any("pull_request_target" in text for text in FILES.values())
    steps = [*steps_of(job_of(FILES["season"], "play"))]
    plays = [step for step in steps if "arena league play" in step.command]
    assert [("secrets." in step.text) for step in plays] == [False]


def test_a_store_is_verified_before_it_is_published() -> None:
    for workflow, job in (("publish", "publish"), ("season", "archive")):
        commands = [step.command for step in steps_of(job_of(FILES[workflow], job))]
        verify, push = (
            next(place for place, command in enumerate(commands) if word in command)
            for word in ("arena verify", "git push")
        )
        assert verify < push


@pytest.mark.needs("git", "bwrap")
@pytest.mark.slow
def test_a_league_from_its_first_game_to_its_archive(forge: Forge) -> None:
    sealed = forge.work / "secret.json"
    arena.seal_season("spring", sealed, file=forge.work / "league.toml")
    secret = sealed.read_text()
    sealed.unlink()
    git(forge.work, "add", "season.toml")
    git(forge.work, "commit", "-q", "-m", "Begin the season")
    git(forge.work, "push", "-q", "origin", "main")
    assert [job.is_good for job in forge.publish()] == [True, True]
    assert forge.published("report.html") is not None

    entry = forge.open("alice", lambda folder: write_entrant(folder, "alice"))
    entered = forge.enter(entry)
    assert entered.is_good, entered.output
    assert "alice is new" in entered.output
    judged = forge.preview(entry)
    assert judged.is_good, judged.output
    assert "alice is new" in forge.comment(entry)
    assert forge.status() == "success"
    assert b"alice" not in (forge.published("index.html") or b"")

    commit = forge.merge(entry)
    played = forge.publish()
    assert [job.is_good for job in played] == [True, True], played[-1].output
    assert b"alice" in (forge.published("index.html") or b"")
    assert forge.published("players/alice.html") is not None
    history = history_of(forge.published("history.json"))
    assert [entry["commit"] for entry in history][-1] == commit
    assert [len(entry["standings"]) for entry in history] == [3, 4]  # type: ignore[arg-type]
    assert git(forge.bare, "rev-list", "--count", "pages") == "1"

    ended = forge.end_season(secret)
    assert [job.is_good for job in ended] == [True, True], ended[-1].output
    assert not any(json.loads(secret)["nonce"] in job.output for job in ended[:1])
    git(forge.work, "pull", "-q", "--no-rebase", "--no-edit", "origin", "season-over")
    git(forge.work, "push", "-q", "origin", "main")
    season = arena.open_season(forge.work / "archive" / "spring")
    assert (season.holds, season.seed) == (True, json.loads(secret)["seed"])
    assert not (forge.work / "entrants").exists()
    played = forge.publish()
    assert [job.is_good for job in played] == [True, True], played[-1].output
    assert forge.published("archive/spring/report.html") is not None
    assert b"Season spring" in (forge.published("index.html") or b"")
    assert b"alice" not in (forge.published("index.html") or b"")


@pytest.mark.needs("git", "bwrap")
@pytest.mark.slow
def test_a_pull_request_that_changes_its_workflow_gains_nothing(forge: Forge) -> None:
    """It says that all is well and uploads a store of its own; the main branch judges it."""

    def forged(folder: Path) -> None:
        write_entrant(folder, "mallory", owner="mallory")
        workflow = folder / ".github" / "workflows" / "enter.yml"
        text = workflow.read_text()
        workflow.write_text(
            re.sub(r"(?m)- run: arena league \w+.*$", "- run: touch league.db", text)
        )

    entry = forge.open("mallory", forged)
    assert forge.enter(entry).is_good
    assert not forge.preview(entry).is_good
    assert ".github/workflows/enter.yml" in forge.comment(entry)
    assert forge.status() == "failure"


@pytest.mark.needs("git", "bwrap")
@pytest.mark.slow
def test_an_artifact_that_does_not_hold_is_not_believed(forge: Forge) -> None:
    entry = forge.open("alice", lambda folder: write_entrant(folder, "alice", LAST))
    assert forge.enter(entry).is_good
    (forge.state / "league" / "league.db").write_bytes(b"no store")
    assert not forge.preview(entry).is_good
    assert "not accepted" in forge.comment(entry)
    assert forge.status() == "failure"


@pytest.mark.needs("git", "bwrap")
@pytest.mark.slow
def test_a_broken_player_is_told_and_does_not_pass(forge: Forge) -> None:
    entry = forge.open("alice", lambda folder: write_entrant(folder, "alice", ILLEGAL))
    entered = forge.enter(entry)
    assert not entered.is_good
    assert "alice forfeited" in entered.output
    assert not forge.preview(entry).is_good
    assert "alice forfeited" in forge.comment(entry)
    assert forge.status() == "failure"
