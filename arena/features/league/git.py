"""Ask ``git`` about commits by its plumbing: no file of a commit is checked out, and none runs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.errors import UsageError, one_line, quoted

#: The modes of regular files, and of a file that is not there.
REGULAR_MODES, ABSENT = ("100644", "100755"), "000000"

#: The kinds of other files, by their modes.
KINDS_BY_MODE = {"120000": "a symbolic link", "160000": "a submodule"}

#: Most seconds that a question to git takes.
MAX_PLUMBING_SECONDS = 120

#: The oldest git that merges without files.
MIN_GIT = "2.38"


class ChangedFile(NamedTuple):
    """A file that differs between two trees."""

    path: str
    #: Its mode after the change, :data:`ABSENT` if it is gone.
    mode: str


class TreeFile(NamedTuple):
    """A file of a tree."""

    path: str
    mode: str
    size: int


class Repository:
    """The repository whose top is a folder."""

    def __init__(self, folder: Path) -> None:
        """Raise UsageError unless the folder is the top of a repository."""
        self._folder = folder
        prefix = self._ask("rev-parse", "--show-prefix")
        if prefix.strip():
            raise UsageError(f"{quoted(str(folder))} is not the top of its repository")

    def commit(self, revision: str) -> str:
        """Return the id of a commit. Raises UsageError for what is not one."""
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        code, out, _ = self._run(words)
        if code:
            raise UsageError(f"{quoted(revision)} is not a commit of the repository")
        return out.decode().strip()

    def merged(self, base: str, head: str) -> str | None:
        """Return the tree to which two commits merge, or None if they conflict or are unrelated."""
        code, out, err = self._run(("merge-tree", "--write-tree", "-z", base, head))
        if code and b"usage:" in err:
            raise UsageError(f"this git is too old: a league needs git {MIN_GIT}")
        tree = out.partition(b"\0")[0].decode(errors="replace").strip()
        return tree if code == 0 and re.fullmatch(r"[0-9a-f]{40,64}", tree) else None

    def changes(self, old: str, new: str) -> list[ChangedFile]:
        """Return the files that differ between two trees, by their paths."""
        out = self._ask("diff-tree", "-r", "-z", "--raw", "--no-renames", old, new)
        words = out.split(b"\0")[:-1]
        return [
            ChangedFile(_text(path), _text(about).split()[1])
            for about, path in zip(words[::2], words[1::2], strict=True)
        ]

    def files(self, tree: str, folder: str) -> list[TreeFile]:
        """Return the files below a folder of a tree."""
        out = self._ask("ls-tree", "-r", "-l", "-z", tree, "--", f"{folder}/")
        return [*_tree_files(out)]

    def content(self, tree: str, path: str) -> bytes:
        """Return the content of a file of a tree, whose path is one of this module's."""
        return self._ask("cat-file", "blob", f"{tree}:{path}")

    def _ask(self, *words: str) -> bytes:
        code, out, err = self._run(words)
        if code:
            raise UsageError(f"git: {one_line(_text(err)) or f'it ended with code {code}'}")
        return out

    def _run(self, words: tuple[str, ...]) -> tuple[int, bytes, bytes]:
        settings = {"LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_TERMINAL_PROMPT": "0"}
        command = ["git", "--no-pager", "-C", str(self._folder), *words]
        try:
            done = subprocess.run(  # noqa: S603 (its revisions are ids)
                command,
                env=os.environ | settings,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MAX_PLUMBING_SECONDS,
                check=False,
            )
        except FileNotFoundError as error:
            raise UsageError("a league needs git: apt-get install git") from error
        except subprocess.TimeoutExpired as error:
            raise UsageError(f"git {words[0]} took more than {MAX_PLUMBING_SECONDS} s") from error
        return done.returncode, done.stdout, done.stderr


def _tree_files(listed: bytes) -> Iterator[TreeFile]:
    for line in listed.split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, _, _, size = _text(about).split()
        yield TreeFile(_text(path), mode, int(size) if size.isdecimal() else 0)


def _text(words: bytes) -> str:
    return words.decode("utf-8", errors="surrogateescape")
