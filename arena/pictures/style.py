"""The style of boards: light, and dark where the reader's system is."""

from __future__ import annotations

from collections.abc import Iterable

#: The rules of each class, in light and in dark. Sides differ in shape, not in colour alone.
#: Names differ in more than case, which counts for nothing in a page without a doctype.
_CLASSES = {
    "g": ("fill:none;stroke:#8a939c", "stroke:#6b747d"),
    "d": ("fill:#d9dee4", "fill:#3a424b"),
    "x": ("fill:none;stroke:#0b5cad;stroke-width:2.4", "stroke:#6cb6ff"),
    "o": ("fill:none;stroke:#b3440c;stroke-width:2.4", "stroke:#f69d50"),
    "dx": ("stroke:#0b5cad;stroke-width:15", "stroke:#6cb6ff"),
    "do": ("stroke:#b3440c;stroke-width:15", "stroke:#f69d50"),
    "dg": ("stroke:#8a939c;stroke-width:14.6", "stroke:#6b747d"),
    "dp": ("stroke:#fff;stroke-width:10", "stroke:#16191d"),
    "dh": ("stroke:#fff;stroke-width:13", "stroke:#16191d"),
    "l": ("fill:#ffe9a8;stroke:#8a6d00", "fill:#4b4014;stroke:#d8b94a"),
    "w": ("fill:none;stroke:#1d2126;stroke-opacity:.6;stroke-width:3", "stroke:#f0f3f6"),
    "m": ("paint-order:stroke;stroke:#fff;stroke-width:2.5", "stroke:#16191d"),
    "n": ("stroke:#1d2126;stroke-width:3.6", "stroke:#e6e9ec"),
    "q": ("fill:#b3261e", "fill:#ff9c94"),
    "r": ("fill:#59626b;font-size:7px", "fill:#9aa4ae"),
    "t": ("font:8px ui-monospace,monospace;text-anchor:start;white-space:pre", ""),
    "mw": ("fill:#fff;stroke:#1d2126;stroke-width:.6;font-size:17px", "fill:#f0f3f6;stroke:#000"),
    "mb": ("fill:#1d2126;font-size:17px", "fill:#08090a;stroke:#aab4be;stroke-width:.5"),
}
_PAPER = ("rect", "fill:#fff", "fill:#16191d")
_TEXT = ("text", "fill:#1d2126;text-anchor:middle;dominant-baseline:central", "fill:#e6e9ec")
_SHARED = "stroke-linecap:round;stroke-linejoin:round;font:8px system-ui,sans-serif"


def style_of(body: str | None = None) -> str:
    """Return the style sheet of a picture with this body, or of any picture without one."""
    used = [name for name in _CLASSES if body is None or f'class="{name}"' in body]
    rules = [_PAPER, *([_TEXT] if body is None or "<text" in body else [])]
    rules += [(f".{name}", *_CLASSES[name]) for name in used]
    light = _sheet((selector, declarations) for selector, declarations, _ in rules)
    dark = _sheet((selector, declarations) for selector, _, declarations in rules)
    return f".arena{{{_SHARED}}}{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _sheet(rules: Iterable[tuple[str, str]]) -> str:
    return "".join(
        f".arena {selector}{{{declarations}}}" for selector, declarations in rules if declarations
    )
