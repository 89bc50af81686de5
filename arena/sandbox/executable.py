"""Say where this Python is, as a player's process finds it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def executable() -> str:
    """Return the path of this Python, which is the one that Python names unless that has a ``..``.

    ``../v/bin/python`` is ``/home/me/bots/../v/bin/python`` to Python. A box has no folder of
    ``bots``, so the path leads nowhere there.
    """
    folder, name = os.path.split(sys.executable)
    if os.pardir not in Path(folder).parts:
        return sys.executable
    return os.path.join(os.path.realpath(folder), name)
