"""Check a pull request of a league: it changes one entrant, by its owner, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Unpack

from arena.errors import UsageError, quoted
from arena.features.league.files import (
    ENTRANTS_FOLDER,
    MAX_OWNERS_BYTES,
    NAME_RULE,
    NO_OWNERS,
    OWNERS_FILE,
    is_entrant_name,
    problem_of_file,
    problem_of_files,
    problem_of_name,
    read_owners,
)
from arena.features.league.git import ABSENT, KINDS_BY_MODE, REGULAR_MODES, ChangedFile, Repository
from arena.features.league.options import LeagueOptions
from arena.features.league.record import CHANGED_ENTRANT, NEW_ENTRANT, REMOVED_ENTRANT, LeagueEntry
from arena.inputs.contest_file import read_contest
from arena.inputs.resolve import open_catalogue
from arena.player.names import read_named
from arena.plugin.catalogue import Catalogue
from arena.signatures import complete, takes

#: Most sentences about one pull request.
MAX_ENTRY_PROBLEMS = 20


@takes(LeagueOptions)
def check_entry(
    base: str,
    head: str = "HEAD",
    *,
    author: str,
    **options: Unpack[LeagueOptions],
) -> LeagueEntry:
    """Check what the commit ``head`` would change in ``base``, by the rules of a league.

    The result of their merge counts, so an old branch cannot hide a change. An entry is new,
    changes or removes one entrant, below ``entrants/NAME``. Its ``author`` is an account in the
    file ``OWNER`` of that folder, as ``base`` has it if the entrant is there. No file is checked
    out, and none runs.

    Raises UsageError for what is not a commit, and without a repository.
    """
    options = complete(check_entry, options)
    file = str(options["file"])
    repository = Repository(Path(file).parent)
    old, new = repository.commit(base), repository.commit(head)
    tree = repository.merged(old, new)
    if tree is None:
        problem = "it cannot be merged: bring your branch up to date with the league"
        return LeagueEntry("", "", author, (), (problem,))
    changes = repository.changes(old, tree)
    files = tuple(change.path for change in changes)
    if problems := [*_problems_of_paths(changes)]:
        return LeagueEntry("", "", author, files, tuple(problems[:MAX_ENTRY_PROBLEMS]))
    entrant = changes[0].path.split("/")[1]
    place = f"{ENTRANTS_FOLDER}/{entrant}"
    was, is_there = (bool(repository.files(each, place)) for each in (old, tree))
    change = REMOVED_ENTRANT if not is_there else CHANGED_ENTRANT if was else NEW_ENTRANT
    check = _EntrantChecks(repository, file, entrant, open_catalogue(options["catalogue"]))
    problems = [*check.owners(old if was else tree, author)]
    if is_there:
        problems = [*dict.fromkeys([*problems, *check.content(tree)])]
    return LeagueEntry(entrant, change, author, files, tuple(problems[:MAX_ENTRY_PROBLEMS]))


def _problems_of_paths(changes: Sequence[ChangedFile]) -> Iterator[str]:
    """Yield what keeps changes of files from being those of one entrant."""
    if not changes:
        yield "it changes nothing"
    names = set()
    for path, mode in changes:
        folder, _, rest = path.partition("/")
        name, slash, inside = rest.partition("/")
        if folder != ENTRANTS_FOLDER or not slash:
            yield f"it changes {quoted(path)}, which is not below {ENTRANTS_FOLDER}/NAME/"
            continue
        names.add(name)
        if mode == ABSENT:
            continue
        if not is_entrant_name(name):
            yield f"{quoted(name)} cannot be the name of an entrant: {NAME_RULE}"
        elif mode not in REGULAR_MODES:
            kind = KINDS_BY_MODE.get(mode, f"a file of mode {mode}")
            yield f"{quoted(path)} is {kind}: an entrant has regular files alone"
        elif problem := problem_of_file(inside):
            yield f"{quoted(path)} is not a file of an entrant: {problem}"
    if len(names) > 1:
        listed = ", ".join(quoted(name) for name in sorted(names)[:3])
        yield f"it changes {len(names)} entrants, such as {listed}: an entry is about one"


class _EntrantChecks:
    """The checks of one entrant in a tree."""

    def __init__(
        self, repository: Repository, file: str, entrant: str, catalogue: Catalogue
    ) -> None:
        self._repository, self._file, self._entrant = repository, file, entrant
        self._catalogue = catalogue
        self._folder = f"{ENTRANTS_FOLDER}/{entrant}"

    def owners(self, tree: str, author: str) -> Iterator[str]:
        """Yield why the author may not change the entrant of a tree."""
        try:
            owners = self._owners(tree)
        except UsageError as error:
            yield f"entrant {quoted(self._entrant)}: {error}"
            return
        if author.casefold() not in owners:
            listed = ", ".join(owners)
            yield f"entrant {quoted(self._entrant)} is of {listed}, not of {quoted(author)}"

    def content(self, tree: str) -> Iterator[str]:
        """Yield what keeps the entrant of a tree from playing."""
        contest = read_contest(self._file, self._catalogue)
        problem = problem_of_name(self._entrant, self._catalogue)
        listed = self._repository.files(tree, self._folder)
        sizes = {file.path.removeprefix(f"{self._folder}/"): file.size for file in listed}
        others = {read_named(player).name for player in contest.players}
        others |= {
            file.path.split("/")[1] for file in self._repository.files(tree, ENTRANTS_FOLDER)
        } - {self._entrant}
        if self._entrant.casefold() in {name.casefold() for name in others}:
            problem = problem or "another player has this name, but for upper and lower case"
        problem = problem or problem_of_files(sizes, contest)
        if problem:
            yield f"entrant {quoted(self._entrant)}: {problem}"
            return
        try:
            self._owners(tree)
        except UsageError as error:
            yield f"entrant {quoted(self._entrant)}: {error}"

    def _owners(self, tree: str) -> list[str]:
        """Return the accounts that own the entrant of a tree. Raises UsageError without any."""
        path = f"{self._folder}/{OWNERS_FILE}"
        listed = {file.path: file for file in self._repository.files(tree, self._folder)}
        if path not in listed or listed[path].mode not in REGULAR_MODES:
            raise UsageError(NO_OWNERS)
        if listed[path].size > MAX_OWNERS_BYTES:
            raise UsageError(f"its file {OWNERS_FILE} is too large")
        return read_owners(self._repository.content(tree, path))
