"""The examples on a page of the documentation."""

from __future__ import annotations

import re

#: A file's name on a line of its own, and the file.
_FILE = re.compile(
    r"^`(\w+\.(?:py|toml))`:\n\n```(?:python|toml)\n(.*?)^```", re.DOTALL | re.MULTILINE
)


def console_examples(text: str) -> list[tuple[str, str]]:
    """Return command and expected output of every command in a console block."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    commands = (re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", b, re.MULTILINE) for b in blocks)
    return [example for found in commands for example in found]


def files(text: str) -> dict[str, str]:
    """Return the complete files that a page shows, by name."""
    return dict(_FILE.findall(text))
