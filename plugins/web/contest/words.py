"""Say the states of a contest and of its hand-ins: pages and events take the words from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.features.hand_in.page import STATES
from arena.features.hand_in.record import PASSED, REFUSED

#: The state of the games, in words.
PLAYS: Mapping[str, str] = {
    "stopped": "The games are stopped.",
    "starting": "The games are starting.",
    "waiting": "The games begin with the second player.",
    "playing": "The games go on.",
    "complete": "All games are played; a new hand-in plays at once.",
    "failing": "The games stopped, and go on soon.",
}

#: The sign before the state of a hand-in, or before the level of a finding.
SIGNS: Mapping[str, str] = {
    PASSED: "✓",
    REFUSED: "✗",
    "pass": "✓",
    "fail": "✗",
    "warning": "!",
}

#: What every template of a contest may say.
WORDS: dict[str, Any] = {"states": STATES, "signs": SIGNS}
