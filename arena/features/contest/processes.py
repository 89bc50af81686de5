"""Start the processes that check and play, and end them with all that they have started."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from subprocess import DEVNULL
from tempfile import TemporaryFile
from typing import IO

from arena import escape

#: Signals that end a process, and the seconds that it has after each to end by itself.
ENDING_SIGNALS = ((signal.SIGINT, 10.0), (signal.SIGTERM, 5.0))

#: The most bytes that are read of what a process wrote.
MAX_OUTPUT_BYTES = 8 << 20
MAX_COMPLAINT_BYTES = 1 << 16

#: The most characters of its last complaint: paths of the server, which its author does not see,
#: and a sentence with its remedy.
MAX_COMPLAINT = 1000


class Process:
    """A command in a session of its own, and what it wrote. Make one with :meth:`start`."""

    def __init__(
        self, process: asyncio.subprocess.Process, out: IO[bytes], err: IO[bytes] | None
    ) -> None:
        self._process, self._out, self._err = process, out, err
        #: Its output, and the last line of its complaints, when it has ended.
        self.output, self.complaint = b"", ""

    @classmethod
    async def start(
        cls, command: Sequence[str], lock: int | None = None, is_heard: bool = False
    ) -> Process:
        """Start a command. It keeps the lock of the server, if there is one, until it ends.

        A command that is heard writes its complaints where the server does.
        """
        out = TemporaryFile()  # noqa: SIM115 - they last as long as it
        err = None if is_heard else TemporaryFile()  # noqa: SIM115 - as above
        inherited = [] if lock is None else [lock]
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            pass_fds=inherited,
        )
        return cls(process, out, err)

    @property
    def code(self) -> int | None:
        """The exit code, negative for a signal, or None while it runs."""
        return self._process.returncode

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait until it ends, and return whether it does in this many seconds."""
        try:
            await asyncio.wait_for(self._process.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def end(self) -> None:
        """End it, at last with all processes of its session, and read what it wrote."""
        try:
            for number, patience in ENDING_SIGNALS:
                if self.code is None:
                    with suppress(ProcessLookupError):
                        self._process.send_signal(number)
                    await self.wait(patience)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        with self._out:
            self._out.seek(0)
            self.output = self._out.read(MAX_OUTPUT_BYTES)
        if self._err is not None:
            with self._err:
                self._err.seek(max(0, self._err.seek(0, os.SEEK_END) - MAX_COMPLAINT_BYTES))
                lines = self._err.read().decode(errors="replace").strip().splitlines()
            self.complaint = escape.line(_cut(lines[-1])) if lines else ""


def _cut(text: str) -> str:
    """Return a text, or its start if it is too long, which then ends with a word."""
    if len(text) <= MAX_COMPLAINT:
        return text
    start = text[: MAX_COMPLAINT - 2]
    return f"{start.rpartition(' ')[0] or start} …"
