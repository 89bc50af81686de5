"""The one door for markup that is not escaped: what arena itself has written."""

from __future__ import annotations

from markupsafe import Markup


def trusted(markup: str) -> Markup:
    """Return markup that templates take as it is. No foreign text may be in it unescaped."""
    return Markup(markup)  # noqa: S704
