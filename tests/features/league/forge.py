"""Imitate a forge on this machine: its repository, pull requests, jobs, artifacts, and comments.

The steps of a job are read from the workflow's file, so what the tests run is what the scaffold
has. Imitated are checkouts, artifacts, expressions, `gh`, and the order of steps. Not imitated are
the forge's permissions and the walls between jobs: see docs/league.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

BOT = "def choose(position, rng):\n    return {}\n"

#: A player in one expression: the first free square, the last one, and one that is illegal.
FIRST, LAST, ILLEGAL = "position.legal_moves()[0]", "position.legal_moves()[-1]", "99"

#: Commands that set up a machine of the forge.
SET_UP = ("pip install ", "sudo ")

GH = """\
#!/bin/sh
# Imitate the three calls of gh: find a pull request, comment on it, set a status.
case "$*" in
  *"/pulls "*) cat "$FORGE/pull";;
  "pr comment"*) cp comment.md "$FORGE/comment-$3";;
  *"/statuses/"*) echo "$*" | sed 's/.*state=//' > "$FORGE/status";;
  *) exit 1;;
esac
"""


def write_entrant(folder: Path, name: str, move: str = FIRST, owner: str = "alice") -> Path:
    """Write the folder of an entrant into that of a league."""
    entrant = folder / "entrants" / name
    entrant.mkdir(parents=True, exist_ok=True)
    (entrant / "bot.py").write_text(BOT.format(move))
    (entrant / "OWNER").write_text(f"{owner}\n")
    return entrant


def git(folder: Path, *words: str) -> str:
    """Return what a command of git prints."""
    identity = ("-c", "user.name=test", "-c", "user.email=test@invalid")
    done = subprocess.run(
        ["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout.strip()


class Pull(NamedTuple):
    """A pull request."""

    number: int
    author: str
    head: str


class Job(NamedTuple):
    """What a job came to: whether all steps went well, and what they printed."""

    is_good: bool
    output: str


class Forge:
    """A bare repository with what a forge keeps beside it."""

    def __init__(self, folder: Path, first: Path) -> None:
        self._folder, self._pulls, self._jobs = folder, 0, 0
        self.bare, self.state = folder / "forge.git", folder / "forge"
        self.state.mkdir()
        git(folder, "init", "-q", "--bare", "-b", "main", str(self.bare))
        git(first, "init", "-q", "-b", "main", ".")
        git(first, "add", "--all", ".")
        git(first, "commit", "-q", "-m", "Begin the league")
        git(first, "remote", "add", "origin", str(self.bare))
        git(first, "push", "-q", "origin", "main")
        self.work = first
        tools = folder / "tools"
        tools.mkdir()
        python = f'#!/bin/sh\nexec "{sys.executable}" -m arena "$@"\n'
        for name, text in (("arena", python), ("gh", GH)):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self._tools = tools

    def open(self, author: str, change: Callable[[Path], object], base: str = "main") -> Pull:
        """Open a pull request: a branch from the base with a change, as a fork would have it."""
        self._pulls += 1
        number, where = self._pulls, self._folder / f"fork-{self._pulls}"
        git(self._folder, "clone", "-q", str(self.bare), str(where))
        git(where, "checkout", "-q", "-b", "entry", f"origin/{base}" if base == "main" else base)
        change(where)
        git(where, "add", "--all", "--force", ".")
        git(where, "commit", "-q", "--allow-empty", "-m", "Enter")
        git(where, "push", "-q", "origin", f"HEAD:refs/pull/{number}/head")
        return Pull(number, author, git(where, "rev-parse", "HEAD"))

    def update(self, pull: Pull, change: Callable[[Path], object]) -> Pull:
        """Add a commit to a pull request."""
        where = self._folder / f"fork-{pull.number}"
        change(where)
        git(where, "add", "--all", "--force", ".")
        git(where, "commit", "-q", "-m", "Change the entry")
        git(where, "push", "-q", "origin", f"HEAD:refs/pull/{pull.number}/head")
        return pull._replace(head=git(where, "rev-parse", "HEAD"))

    def merge(self, pull: Pull) -> str:
        """Merge a pull request into the main branch, and return the commit."""
        git(self.work, "fetch", "-q", "origin", "main", f"refs/pull/{pull.number}/head")
        git(self.work, "checkout", "-q", "-B", "main", "origin/main")
        git(self.work, "merge", "-q", "--no-ff", "--no-edit", pull.head)
        git(self.work, "push", "-q", "origin", "main")
        return git(self.work, "rev-parse", "HEAD")

    def main(self) -> str:
        """Return the last commit of the main branch."""
        return git(self.bare, "rev-parse", "main")

    def published(self, name: str) -> bytes | None:
        """Return a file of the branch with the pages, or None without one."""
        words = ["git", "-C", str(self.bare), "show", f"pages:{name}"]
        done = subprocess.run(words, capture_output=True, check=False)
        return None if done.returncode else done.stdout

    def comment(self, pull: Pull) -> str:
        """Return the last comment on a pull request."""
        return (self.state / f"comment-{pull.number}").read_text()

    def status(self) -> str:
        """Return the status that was set last."""
        return (self.state / "status").read_text().strip()

    # The workflows, as the forge starts them.

    def enter(self, pull: Pull) -> Job:
        """Start the workflow of a pull request, on what it would merge to."""
        where = self._checkout("main")
        git(where, "fetch", "-q", "origin", f"refs/pull/{pull.number}/head")
        git(where, "merge", "-q", "--no-ff", "--no-edit", pull.head)
        shutil.rmtree(self.state / "league", ignore_errors=True)
        values = {"github.event.pull_request.user.login": pull.author}
        return self._run(where / ".github/workflows/enter.yml", "play", where, values)

    def preview(self, pull: Pull) -> Job:
        """Start what comments on a pull request, from the main branch."""
        (self.state / "pull").write_text(f"number={pull.number}\nauthor={pull.author}\n")
        values = {
            "github.event.workflow_run.head_sha": pull.head,
            "github.event.workflow_run.head_branch": "entry",
            "github.event.workflow_run.head_repository.owner.login": pull.author,
        }
        shutil.rmtree(self.state / "comment", ignore_errors=True)
        where = self._checkout("main")
        file = where / ".github/workflows/preview.yml"
        judged = self._run(file, "judge", where, values)
        result = "success" if judged.is_good else "failure"
        values |= {
            "needs.judge.outputs.number": str(pull.number),
            "needs.judge.result == 'success' && 'success' || 'failure'": result,
        }
        commented = self._run(file, "comment", self._empty(), values)
        assert commented.is_good, commented.output
        return judged

    def publish(self) -> list[Job]:
        """Start what plays and publishes the main branch. The second job waits for the first."""
        return self._jobs_of("publish", ("play", "publish"), {})

    def end_season(self, secret: str) -> list[Job]:
        """Start what ends a season."""
        return self._jobs_of("season", ("play", "archive"), {"secrets.LEAGUE_SECRET": secret})

    def _jobs_of(
        self, workflow: str, jobs: tuple[str, ...], values: Mapping[str, str]
    ) -> list[Job]:
        done: list[Job] = []
        for job in jobs:
            where = self._checkout("main")
            file = where / ".github" / "workflows" / f"{workflow}.yml"
            done.append(self._run(file, job, where, values))
            if not done[-1].is_good:
                break
        return done

    def _checkout(self, branch: str) -> Path:
        where = self._empty()
        git(where, "clone", "-q", "-b", branch, str(self.bare), ".")
        git(where, "config", "user.name", "runner")
        git(where, "config", "user.email", "runner@invalid")
        return where

    def _empty(self) -> Path:
        self._jobs += 1
        where = self._folder / f"job-{self._jobs}"
        where.mkdir()
        return where

    def _run(self, file: Path, job: str, where: Path, values: Mapping[str, str]) -> Job:
        temporary = self._folder / f"runner-{self._jobs}"
        temporary.mkdir()
        variables = ("PATH", "HOME", "LANG", "XDG_STATE_HOME", "PYTHONDONTWRITEBYTECODE")
        outputs = temporary / "outputs"
        outputs.write_text("")
        common = {name: os.environ[name] for name in variables if name in os.environ} | {
            "PATH": f"{self._tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(Path(__file__).parents[3]),
            "FORGE": str(self.state),
            "RUNNER_TEMP": str(temporary),
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_REPOSITORY": "owner/cup",
            "GITHUB_SHA": self.main(),
        }
        text, is_good, output = job_of(file.read_text(), job), True, ""
        common |= {
            name: _filled(value, values) for name, value in env_of(text.partition("steps:")[0])
        }
        for step in steps_of(text):
            if not is_good and "if: always()" not in step.text:
                continue
            outputs_so_far = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
            filled = {**values, **{f"steps.pull.outputs.{k}": v for k, v in outputs_so_far.items()}}
            code, printed = self._step(step, where, common, filled)
            output += printed
            is_good &= code == 0
        return Job(is_good, output)

    def _step(
        self, step: Step, where: Path, common: Mapping[str, str], values: Mapping[str, str]
    ) -> tuple[int, str]:
        if step.action == "upload-artifact":
            source = where / step.option("path")
            (self.state / step.option("name")).mkdir(exist_ok=True)
            if source.exists():
                shutil.copy(source, self.state / step.option("name"))
        elif step.action == "download-artifact":
            artifact = self.state / step.option("name")
            if not artifact.exists():
                return 1, f"no artifact {artifact.name}\n"
            shutil.copytree(artifact, where / (step.option("path") or "."), dirs_exist_ok=True)
        if not step.command or step.command.startswith(SET_UP):
            return 0, ""
        own = {name: _filled(value, values) for name, value in env_of(step.text)}
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step.command],
            cwd=where,
            env={**common, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, f"$ {step.command}\n{done.stdout}{done.stderr}"


class Step(NamedTuple):
    """A step of a job."""

    text: str
    #: The action that it uses, without its version, and the command that it runs.
    action: str
    command: str

    def option(self, name: str) -> str:
        """Return an option of the action, empty without it."""
        match = re.search(rf"[{{ ]{name}: ([^,}}]+)", self.text)
        return match[1].strip() if match else ""


def job_of(workflow: str, name: str) -> str:
    """Return the text of a job."""
    jobs = workflow.partition("\njobs:\n")[2]
    (match,) = re.findall(rf"(?ms)^  {name}:\n(.*?)(?=^  \w|\Z)", jobs)
    return str(match)


def steps_of(job: str) -> Iterator[Step]:
    """Yield the steps of a job."""
    for text in re.split(r"(?m)^      - ", job.partition("    steps:\n")[2])[1:]:
        action = re.search(r"uses: actions/([\w-]+)@", text)
        line = re.search(r"(?m)^ *run: (.*)$", text)
        command = line[1] if line else ""
        if command == "|":
            block = text[text.index("run: |") :].split("\n")[1:]
            command = "\n".join(each for each in block if each.startswith(" " * 10))
        yield Step(text, action[1] if action else "", command)


def env_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the variables of a step, or of a job, with their values as they are written."""
    match = re.search(r"(?m)^ *env: \{(.*)\}$", text)
    yield from re.findall(r'(\w+): "(.*?)"(?:, |$)', match[1]) if match else ()


def _filled(value: str, values: Mapping[str, str]) -> str:
    """Return a value whose expressions are replaced. The token of a job is not a secret here."""
    known = {"github.token": "token", **values}
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: known[found[1]], value)


def history_of(content: bytes | None) -> list[dict[str, object]]:
    """Return the standings by commit that were published."""
    assert content is not None
    entries: list[dict[str, object]] = json.loads(content)["history"]
    return entries
