"""``arena serve``: a store in the browser, and games against its players."""

from __future__ import annotations

from arena.plugins.web import configure, run

__all__ = ["configure", "run"]
