"""Run a program in a terminal, with a person who types and waits for what is shown."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena.clock import now

#: Takes the terminal that it is given, so that Ctrl-C in it is a signal, and becomes a program.
IN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " os.execvp(sys.argv[1], sys.argv[1:])"
)


class Typist:
    """A person at a terminal."""

    def __init__(self, folder: Path, env: Mapping[str, str] | None, *command: str) -> None:
        self.terminal, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", IN_TERMINAL, *command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=env,
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, text: str) -> str:
        """Return what is shown until the text is."""
        end, begun = now() + 30, len(self.seen)
        while text not in self.seen[begun:]:
            assert now() < end, f"waited for {text!r}: {self.seen}"
            if select.select([self.terminal], [], [], 1)[0]:
                try:
                    self.seen += os.read(self.terminal, 4096).decode().replace("\r\n", "\n")
                except OSError:  # the other end is closed
                    break
        return self.seen[begun:]

    def type(self, text: str) -> None:
        """Type a text, which need not be a line."""
        os.write(self.terminal, text.encode())

    def leave(self) -> int:
        """Return the exit code, when all is shown."""
        self.wait_for("\0")
        return self.process.wait(30)


@contextmanager
def terminal(*command: str, folder: Path, env: Mapping[str, str] | None = None) -> Iterator[Typist]:
    """Sit a human before a program in a folder, and kill that at the end."""
    person = Typist(folder, env, *command)
    try:
        yield person
    finally:
        person.process.kill()
        person.process.wait()
        os.close(person.terminal)
