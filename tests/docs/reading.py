"""The pages, and what their examples need."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: Pages whose examples need optional libraries and programs.
NEEDS = {
    "engines.md": ["stockfish", "gnugo", "open_spiel"],
    "environments.md": ["pettingzoo", "pygame", "rlcard"],
    "evaluate.md": ["highspy"],
    "openspiel.md": ["open_spiel"],
}


def needs_of(page: str) -> list[pytest.MarkDecorator]:
    """Return what the examples of a page need."""
    return [pytest.mark.needs(name) for name in NEEDS.get(page, ())]
