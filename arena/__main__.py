"""Start the command ``arena``: handle signals before importing the rest.

Until the command runs there is nothing to clean up, so a signal ends the process at once. The
command itself (:mod:`arena.main`) has signals raise exceptions instead.

Modules stay until the process ends: the garbage collector need not look through them, neither
while Python imports them nor when it ends, which takes a tenth of the time of a short command.
"""

import gc
import os
import signal
import sys
from types import FrameType

from arena.executors.endings import ENDINGS


def main() -> int:
    """Run a command and return the exit code, as the console script does."""
    minded = [number for number in ENDINGS if signal.getsignal(number) != signal.SIG_IGN]
    for number in minded:
        signal.signal(number, _end)
    gc.disable()
    from arena.main import main

    gc.freeze()
    gc.enable()
    code = main()
    gc.freeze()
    for number in minded:
        signal.signal(number, signal.SIG_IGN)  # the command is done
    return code


def _end(number: int, _: FrameType | None) -> None:
    os.write(2, f"arena: {ENDINGS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
