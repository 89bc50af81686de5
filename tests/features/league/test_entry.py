"""Check pull requests by git alone: honest ones, and every cheat."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.features.league.files import problem_of_file, problem_of_name, read_owners
from arena.plugin.catalogue import Catalogue
from arena.records import LeagueEntry
from tests.conftest import Run
from tests.features.league.forge import LAST, Forge, Pull, git, write_entrant
from tests.golden import Wording
from tests.samples import few

pytestmark = pytest.mark.needs("git")


def checked(forge: Forge, pull: Pull) -> LeagueEntry:
    """Check a pull request in a clone of the main branch, which has none of its files."""
    git(forge.work, "fetch", "-q", "origin", f"refs/pull/{pull.number}/head")
    file = forge.work / "league.toml"
    return arena.check_entry("HEAD", pull.head, author=pull.author, file=file)


def merged(forge: Forge, name: str, owner: str) -> None:
    """Have an entrant in the league."""
    forge.merge(forge.open(owner, lambda folder: write_entrant(folder, name, owner=owner)))


@pytest.mark.slow
def test_an_entry_is_new_then_changes_then_is_removed(forge: Forge) -> None:
    entry = checked(forge, forge.open("alice", lambda folder: write_entrant(folder, "Bot-1")))
    assert (entry.entrant, entry.change, entry.accepted) == ("Bot-1", "new", True)
    assert entry.files == ("entrants/Bot-1/OWNER", "entrants/Bot-1/bot.py")
    merged(forge, "Bot-1", "alice")
    change = forge.open("ALICE", lambda folder: write_entrant(folder, "Bot-1", LAST))
    assert checked(forge, change).change == "changed"
    assert checked(forge, change).accepted
    removal = forge.open("alice", lambda folder: git(folder, "rm", "-rq", "entrants/Bot-1"))
    assert checked(forge, removal).change == "removed"
    assert checked(forge, removal).accepted


@pytest.mark.slow
def test_an_entrant_has_modules_and_other_owners(forge: Forge) -> None:
    def enter(folder: Path) -> None:
        entrant = write_entrant(folder, "pair", owner="alice\nbob\nhelper[bot]")
        (entrant / "tools").mkdir()
        (entrant / "tools" / "__init__.py").write_text("")

    assert checked(forge, forge.open("bob", enter)).accepted
    assert not checked(forge, forge.open("carol", enter)).accepted


def put(path: str, text: str = "x = 1\n") -> Callable[[Path], object]:
    """Return what writes a file beside an entry that is right."""

    def change(folder: Path) -> None:
        write_entrant(folder, "mallory", owner="mallory")
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return change


def link(path: str, target: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        write_entrant(folder, "mallory", owner="mallory")
        (folder / path).unlink(missing_ok=True)
        (folder / path).symlink_to(target)

    return change


def submodule(folder: Path) -> None:
    write_entrant(folder, "mallory", owner="mallory")
    git(folder, "add", "--all", ".")
    commit = git(folder, "rev-parse", "HEAD")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},entrants/mallory/more")
    git(folder, "commit", "-q", "-m", "Add a module")
    (folder / "entrants" / "mallory" / "more").mkdir()


def with_content(content: bytes, path: str = "bot.py") -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        entrant = write_entrant(folder, "mallory", owner="mallory")
        (entrant / path).write_bytes(content)

    return change


def many_files(folder: Path) -> None:
    entrant = write_entrant(folder, "mallory", owner="mallory")
    for number in range(100):
        (entrant / f"part{number}.py").write_text("")


def without(path: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        (write_entrant(folder, "mallory", owner="mallory") / path).unlink()

    return change


CHEATS: dict[str, Callable[[Path], object]] = {
    "workflow": put(".github/workflows/enter.yml", "on: push\n"),
    "new workflow": put(".github/workflows/mine.yml", "on: push\n"),
    "league file": put("league.toml", "seed = 2\n"),
    "season": put("season.toml", "season = 'mine'\n"),
    "archive": put("archive/spring/season.toml"),
    "file at the top": put("bot.py"),
    "file beside entrants": put("entrants/bot.py"),
    "attributes": put("entrants/mallory/.gitattributes", "* filter=lfs\n"),
    "attributes at the top": put(".gitattributes", "* filter=lfs\n"),
    "modules of git": put(".gitmodules", "[submodule]\n"),
    "another entrant": put("entrants/example/bot.py", "x = 2\n"),
    "a file in another entrant": put("entrants/example/more.py"),
    "a page": put("entrants/mallory/index.html", "<script>"),
    "a name of an option": put("entrants/mallory/-rf.py"),
    "a name with a quote": put("entrants/mallory/a'b.py"),
    "a name with a line": put("entrants/mallory/a\nb.py"),
    "a name with markup": put("entrants/mallory/<b>.py"),
    "a name beyond ASCII": put("entrants/mallory/b\u00f6t.py"),
    "a name that is cut": put("entrants/mallory/" + "x" * 101 + ".py"),
    "a deep folder": put("entrants/mallory/a/b/c/d/e/f/g/h/i.py"),
    "a name not of UTF-8": put(os.fsdecode(b"entrants/mallory/\xff.py")),
    "a link out": link("entrants/mallory/bot.py", "../../../secret.json"),
    "a link to a folder": link("entrants/mallory/more.py", "../example"),
    "a link as the owner": link("entrants/mallory/OWNER", "../example/OWNER"),
    "a submodule": submodule,
    "a huge file": with_content(b"#" * (1 << 20) + b"#"),
    "a huge owner": with_content(b"mallory\n" * 1000, "OWNER"),
    "an owner of markup": with_content(b"<img>\n", "OWNER"),
    "no owner": without("OWNER"),
    "no player": without("bot.py"),
    "many files": many_files,
    "two cases of a name": put("entrants/mallory/BOT.py"),
    "an installed name": lambda folder: write_entrant(folder, "minimax", owner="mallory"),
    "a name of the league": lambda folder: write_entrant(folder, "Triples", owner="mallory"),
    "a name in upper case": lambda folder: write_entrant(folder, "EXAMPLE", owner="mallory"),
    "a name of an entrant": lambda folder: write_entrant(folder, "a;rm", owner="mallory"),
    "a long name": lambda folder: write_entrant(folder, "x" * 40, owner="mallory"),
    "somebody else's entrant": lambda folder: write_entrant(folder, "example", LAST, "mallory"),
    "nothing": lambda folder: None,
}


@pytest.mark.parametrize("cheat", few(CHEATS, 12))
def test_a_cheat_is_refused_in_a_sentence(cheat: str, forge: Forge, wording: Wording) -> None:
    entry = checked(forge, forge.open("mallory", CHEATS[cheat]))
    assert not entry.accepted
    assert all(problem.isprintable() for problem in entry.problems)
    wording(entry.problems)


@pytest.mark.slow
def test_an_entrant_is_not_taken_over_by_a_branch_from_before_it_was_there(forge: Forge) -> None:
    """A folder of other files would merge without a conflict."""
    before = forge.main()

    def more(folder: Path) -> None:
        entrant = folder / "entrants" / "alice"
        entrant.mkdir()
        (entrant / "tools.py").write_text("x = 1\n")

    pull = forge.open("mallory", more, base=before)
    merged(forge, "alice", "alice")
    entry = checked(forge, pull)
    assert (entry.entrant, entry.change) == ("alice", "changed")
    assert entry.problems == ("entrant 'alice' is of alice, not of 'mallory'",)


@pytest.mark.slow
def test_a_branch_that_conflicts_is_sent_back(forge: Forge, wording: Wording) -> None:
    before = forge.main()
    pull = forge.open("alice", lambda folder: write_entrant(folder, "alice", LAST), base=before)
    merged(forge, "alice", "alice")
    (problem,) = checked(forge, pull).problems
    wording(problem)


def test_a_branch_without_a_common_commit_is_sent_back(forge: Forge, wording: Wording) -> None:
    def orphan(folder: Path) -> None:
        git(folder, "checkout", "-q", "--orphan", "fresh")
        write_entrant(folder, "alice")

    (problem,) = checked(forge, forge.open("alice", orphan)).problems
    wording(problem)


@pytest.mark.parametrize("name", ["..", ".git", ".", "entrants"])
def test_a_tree_that_no_git_would_make_is_refused(name: str, forge: Forge) -> None:
    """A stranger writes objects as it likes, and git on this machine may read them."""
    work = forge.work
    blob = git(work, "hash-object", "-w", "league.toml")
    inner = made(work, f"100644 blob {blob}\tbot.py")
    entrants = git(work, "ls-tree", "HEAD:entrants")
    folder = made(work, f"040000 tree {inner}\t{name}\n{entrants}")
    top = git(work, "ls-tree", "HEAD").replace(git(work, "rev-parse", "HEAD:entrants"), folder)
    commit = git(work, "commit-tree", made(work, top), "-p", "HEAD", "-m", "Enter")
    try:
        entry = arena.check_entry("HEAD", commit, author="mallory", file=work / "league.toml")
    except arena.UsageError:
        return
    assert not entry.accepted


def made(folder: Path, entries: str) -> str:
    """Write a tree."""
    done = subprocess.run(
        ["git", "mktree"],
        cwd=folder,
        input=f"{entries}\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_a_branch_is_judged_by_what_it_adds_to_the_league_of_now(forge: Forge) -> None:
    """Others were merged since: their files are no change of this one."""
    before = forge.main()
    pull = forge.open("bob", lambda folder: write_entrant(folder, "bob", owner="bob"), base=before)
    merged(forge, "alice", "alice")
    assert checked(forge, pull).files == ("entrants/bob/OWNER", "entrants/bob/bot.py")


@pytest.mark.slow
def test_the_owner_may_give_an_entrant_away_and_nobody_may_take_it(forge: Forge) -> None:
    merged(forge, "alice", "alice")
    give = forge.open("alice", lambda folder: write_entrant(folder, "alice", owner="bob"))
    assert checked(forge, give).accepted
    take = forge.open("bob", lambda folder: write_entrant(folder, "alice", owner="bob"))
    assert not checked(forge, take).accepted


def test_no_file_of_a_pull_request_is_written(forge: Forge) -> None:
    pull = forge.open("mallory", link("entrants/mallory/bot.py", "/etc/passwd"))
    before = {path for path in forge.work.rglob("*") if ".git" not in path.parts}
    checked(forge, pull)
    assert {path for path in forge.work.rglob("*") if ".git" not in path.parts} == before


def test_a_mistake_of_the_command_is_one_line(
    forge: Forge, run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(forge.work)
    for words in (
        ("--base", "nowhere", "--author", "a"),
        ("--base", "--output=x", "--author", "a"),
        ("--base", "HEAD", "--head", "HEAD:league.toml", "--author", "a"),
        ("--base", "HEAD"),
    ):
        ran = run("league", "check", *words)
        assert (ran.code, ran.out) == (2, "")
        wording(ran.err)
    monkeypatch.chdir(forge.work / "entrants")
    ran = run("league", "check", "--base", "HEAD", "--author", "a", "--league", "league.toml")
    assert ran.code == 2
    wording(ran.err, "top")


@pytest.mark.slow
def test_the_command_says_the_verdict_by_its_code(
    forge: Forge, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(forge.work)
    for author, code in (("alice", 0), ("mallory", 1)):
        pull = forge.open(author, lambda folder: write_entrant(folder, "alice"))
        git(forge.work, "fetch", "-q", "origin", f"refs/pull/{pull.number}/head")
        ran = run("league", "check", "--base", "main", "--head", pull.head, "--author", author)
        assert (ran.code, "alice" in ran.out) == (code, True)


PATHS = st.text(st.sampled_from("ab.pyB_-/~ \0\n\u00e9")) | st.text()


@given(PATHS)
def test_a_path_that_is_taken_means_nothing_to_a_shell_a_page_or_git(path: str) -> None:
    if not problem_of_file(path):
        assert re.fullmatch(r"([A-Za-z0-9_][A-Za-z0-9_-]*/)*[A-Za-z0-9_][A-Za-z0-9_.-]*", path)
        assert path.endswith((".py", ".wasm")) or path == "OWNER"
        assert ".." not in path.split("/")


@given(st.text())
def test_a_name_that_is_taken_is_a_word(catalogue: Catalogue, name: str) -> None:
    if not problem_of_name(name, catalogue):
        assert re.fullmatch(r"[A-Za-z0-9][\w-]*", name, re.ASCII)


@given(st.binary(max_size=200))
def test_owners_are_accounts_or_refused(content: bytes) -> None:
    try:
        owners = read_owners(content)
    except arena.UsageError:
        return
    assert owners
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_.-]*(\[bot\])?", owner) for owner in owners)
