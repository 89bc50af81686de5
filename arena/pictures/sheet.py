"""The sheet of a picture: an SVG with a title, a background and its own style."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as escape_html

from arena import escape
from arena.pictures.style import style_of


def sheet(
    box: tuple[int, int, int, int],
    title: str,
    parts: Iterable[str],
    styled: bool,
    role: str = "img",
) -> str:
    """Return the parts as SVG in a box of ``x``, ``y``, width and height, in units."""
    x, y, width, height = box
    body = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>' + "".join(parts)
    style = f"<style>{style_of(body)}</style>" if styled else ""
    # Twice its units, but not wider than fits next to a text.
    pixels = min(2 * width, max(360, width))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="arena" role="{role}" width="'
        f'{pixels}" viewBox="{x} {y} {width} {height}"><title>{escaped(title)}</title>{style}{body}'
        "</svg>"
    )


def escaped(text: str) -> str:
    """Escape foreign text: characters with a meaning in SVG, and those that do not print."""
    return escape_html(escape.line(text))
