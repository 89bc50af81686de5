"""How signals end the command."""

import signal

#: The signals that end the command, and what it says then; its exit code is 128 and the number.
ENDINGS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
if hasattr(signal, "SIGHUP"):
    ENDINGS[signal.SIGHUP] = "hung up"
