"""Start a command that ends when the process does that began it, even if that is killed.

It stands alone and starts in milliseconds: ``python launcher.py PARENT NICE COMMAND...``, with
the number of the process that begins it.
"""

import ctypes
import os
import signal
import sys

#: From <sys/prctl.h>: have a signal sent when the parent ends.
PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the command."""
    parent, nice, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != int(parent):  # it ended meanwhile
            sys.exit(128 + signal.SIGTERM)
    os.nice(int(nice))
    os.execv(command[0], command)  # noqa: S606 - the command is the server's own


if __name__ == "__main__":
    main()
