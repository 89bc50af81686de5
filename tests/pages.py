"""The examples on a page of the documentation."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

#: A file's name on a line of its own, and the file.
_FILE = re.compile(
    r"^`([\w-]+\.(?:py|toml|json))`:\n\n```(?:python|toml|json)\n(.*?)^```",
    re.DOTALL | re.MULTILINE,
)


def console_examples(text: str) -> list[tuple[str, str]]:
    """Return command and expected output of every command in a console block."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    commands = (re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", b, re.MULTILINE) for b in blocks)
    return [example for result in commands for example in result]


def files(text: str) -> dict[str, str]:
    """Return the complete files that a page shows, by name."""
    return dict(_FILE.findall(text))


#: In place of the command: notes its words and, from a pipe, its input.
_NOTING = r"""
arena() { printf '%s\0' "$@" >&3; if [ -p /dev/stdin ]; then cat >&4; fi; }
"""


def typed_and_words(line: str, folder: Path) -> tuple[str, list[str]]:
    """Return what a line in a folder has arena read, and the words of arena's command.

    A shell reads the line exactly as it stands: bash, or else that of the system.
    """
    words, typed = folder.with_name("words"), folder.with_name("typed")
    words.write_text("")
    typed.write_text("")
    shell = shutil.which("bash") or "/bin/sh"
    script = f'exec 3>"{words}" 4>"{typed}"\n{_NOTING}\n{line}\n'
    ran = subprocess.run(
        [shell, "-c", script],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", ""), line
    assert words.read_text(), f"an example is a command of arena's: {line}"
    return typed.read_text(), words.read_text().removesuffix("\0").split("\0")
