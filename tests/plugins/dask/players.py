"""Players for a cluster, in files, and what they played."""

from __future__ import annotations

import json
from typing import Any

#: A player that takes a while, so that there is a middle in which something can happen.
SLOW = """
import time

def choose(position, rng):
    time.sleep(0.002)
    return rng.choice(position.legal_moves())
"""
IMPORTS = (
    "from helper import first\n\ndef choose(position, rng):\n    return first(position, rng)\n"
)
HELPER = "def first(position, rng):\n    return rng.choice(position.legal_moves())\n"
KILLS = """
import os

def choose(position, rng):
    os._exit(7)
"""


def bytes_of(record: Any) -> str:
    return json.dumps(record.as_json(), sort_keys=True)
