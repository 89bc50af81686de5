"""Texts in files, for tests of the product's wording: a second run heals every file."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

Error = TypeVar("Error", bound=BaseException)

ROOT = Path(__file__).parents[1]

#: How many characters of a test's name and values the file has.
MAX_NAME = 160

#: A text in quotes, which stays, or a number that may change with the machine, the process, the
#: versions, chance, or the file of a test: a measured or a large one, an address, a line of code.
NUMBER = re.compile(
    r"('[^']*')|0x[0-9a-f]+|\d+(?:[.,]\d+)+|\d{5,}|(?<=\.py:)\d{2,}|(?<= in line )\d{2,}"
)

#: A port of this machine, or a database of a test's server, which stand in quotes.
SERVER = re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=/store)\d+|(?<=localhost:)\d+")

#: What chance, load, versions, or the folder of a test decide, and what a file has for it.
CHANCE = {
    r", not counting [\d.]+ s of waiting for a CPU| \(stuck at [^)]*\)": "",
    r"\b(arena|NumPy|Python) \d[\w.]*": r"\1 N",
    re.escape(sys.executable): "PYTHON",
    r"(?<='isolation': ')(bwrap|locked|process)": "TIER",
    r"(?<=an estimate finds ).*": "N",
    r"(?<= in game )\S+": "ID",
    r"(?<=it played )\d+ at [xo_]+": "N",
    r"(?<=plays )\d+(?=\. You)": "N",
}

#: The names that are known at the end of a message. What registers them is their one list.
KNOWN = re.compile(
    r"(unknown (?:command|format|game|key|learner|player|plugin) (?:'[^']*'|\d+)[^(\n]*\(known: )"
    r"[^)\n]*|(\bthe format is one of ).*"
)

#: How a line of a text begins in the file of a `Wording`.
BAR = "  | "


def kept(file: Path, text: str) -> str:
    """Read the text of a file, and write the given text into it for the next run.

    Fails if the file is missing. To accept a change, read the difference and commit the file.
    """
    before = file.read_text(encoding="utf-8") if file.exists() else None
    if text != before:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    if before is None:
        pytest.fail(f"{file.name} was missing and has been written: read it, then commit it")
    return before


def without_numbers(text: str) -> str:
    """Return a text with N in place of measured and of large numbers, but for those in quotes.

    A list of known names is an ellipsis.

    >>> without_numbers("it took 1.9 s, and 3 in line 4, not '1.5'")
    "it took N s, and 3 in line 4, not '1.5'"
    """
    text = KNOWN.sub(lambda match: f"{match[1] or match[2]}…", text)
    for pattern, word in CHANCE.items():
        text = re.sub(pattern, word, text)
    return NUMBER.sub(lambda match: match[1] or "N", SERVER.sub("N", text))


class Wording:
    """The texts that the product prints in one test.

    The file `golden/test_x.txt` beside `test_x.py` has the texts of all its tests. A text that
    differs is written for the next run, and fails this one when the test has ended. A folder that
    pytest makes is `TMP` in it, and a file of it in quotes is `'TMP…'`.
    """

    def __init__(self, test: Path, name: str, folders: Path) -> None:
        self.file = test.parent / "golden" / f"{test.stem}.txt"
        self._name = name[:MAX_NAME]
        self._folder = re.compile(re.escape(str(folders)) + r"/\w+")
        # A message cuts a long name short.
        self._quoted = re.compile(r"'([^'/]*)" + re.escape(str(folders)[:24]) + r"[^']*'")
        self._calls: Counter[str] = Counter()
        #: The texts that differ: before, and now.
        self.changes: list[tuple[str | None, str]] = []

    def __call__(self, text: object, *facts: str) -> None:
        """Assert that the text has the facts, and compare it with that of the file.

        Several texts are one with a line for each.
        """
        if isinstance(text, (list, tuple)):
            text = "\n".join(map(str, text))
        self._calls[self._name] += 1
        call = self._calls[self._name]
        key = self._name if call == 1 else f"{self._name} ({call})"
        assert [fact for fact in facts if fact not in str(text)] == [], text
        shown = self._quoted.sub(r"'\1TMP…'", str(text))
        shown = self._folder.sub("TMP", shown).replace(f"{ROOT}/", "")
        shown = without_numbers(printable(shown))
        texts = texts_of(self.file)
        if shown != texts.get(key):
            self.changes.append((texts.get(key), shown))
            write(self.file, {**texts, key: shown})

    def line(self, text: str, *facts: str) -> None:
        """Compare the lines of the text that have the facts with those of the file."""
        lines = [line for line in text.splitlines() if all(fact in line for fact in facts)]
        assert lines != [], text
        self("\n".join(lines))

    @contextmanager
    def raises(
        self, error: type[Error] | tuple[type[Error], ...], match: str | None = None
    ) -> Iterator[pytest.ExceptionInfo[Error]]:
        """Assert that the block raises the error, and compare its message with the file's."""
        with pytest.raises(error, match=match) as raised:
            yield raised
        self(raised.value)


def printable(text: str) -> str:
    """Escape control characters, and remove blanks at the ends of lines."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join(
        "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line.rstrip()) for line in lines
    )


def texts_of(file: Path) -> dict[str, str]:
    """Read the texts of a file by the names of their tests."""
    texts: dict[str, list[str]] = {}
    name = ""
    for line in file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else ():
        if line.startswith(BAR.rstrip()):
            texts[name].append(line[len(BAR) :])
        else:
            name = line
            texts[name] = []
    return {name: "\n".join(lines) for name, lines in texts.items()}


def write(file: Path, texts: dict[str, str]) -> None:
    """Write texts by the names of their tests, in the order of the names."""
    file.parent.mkdir(exist_ok=True)
    with file.open("w", encoding="utf-8") as out:
        for name, text in sorted(texts.items()):
            lines = (f"{BAR}{line}".rstrip() for line in text.split("\n"))
            out.write("\n".join([name, *lines]) + "\n")
