"""Have a contest take place at a moment of the test's."""

from __future__ import annotations

import pytest

from arena.features.contest import hand_ins, hosted


def at(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Have it be that moment for the contest and the store."""
    monkeypatch.setattr(hosted, "timestamp", lambda: moment)
    monkeypatch.setattr(hand_ins, "timestamp", lambda: moment)
