"""Draw lines over time or effort as SVG: the strength of a player, or a learning curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape as escape_html
from typing import NamedTuple

from markupsafe import Markup

from arena import escape
from arena.reports.html.markup import trusted

#: Units of the picture, and of the room around it for its labels.
_WIDTH, _HEIGHT = 720, 240
_LEFT, _BELOW, _ABOVE = 46, 28, 12

#: The number of classes of lines. Further lines begin again.
LINE_KINDS = 4


class Point(NamedTuple):
    """A score from 0 to 1 with its label, and its 95 % interval if it has one."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


def trend(lines: Sequence[tuple[str, Sequence[Point]]]) -> Markup:
    """Draw named lines of scores, their points at equal distances."""
    most = max((len(points) for _, points in lines), default=0)
    all_points = [point for _, points in lines for point in points]
    ends = [end for p in all_points for end in (p.value, p.low, p.high) if end is not None]
    step, low, high = _steps(min(ends, default=0.0), max(ends, default=1.0))

    def across(place: int) -> float:
        return _LEFT + 12 + (_WIDTH - _LEFT - 24) * (place / (most - 1) if most > 1 else 0.5)

    def up(value: float) -> float:
        return _HEIGHT - _BELOW - (_HEIGHT - _BELOW - _ABOVE) * (100 * value - low) / (high - low)

    parts = [_rule(value / 100, up) for value in range(low, high + 1, step)]
    for number, (name, points) in enumerate(lines):
        kind = f"line{number % LINE_KINDS}"
        path = " ".join(f"{across(place):.1f} {up(p.value):.1f}" for place, p in enumerate(points))
        parts.append(f'<path class="{kind}" d="M{path}"/>' if len(points) > 1 else "")
        for place, point in enumerate(points):
            parts.append(_point(kind, name, point, across(place), up))
    for place in sorted({0, most // 2, most - 1} & set(range(most))):
        longest = max((points for _, points in lines), key=len)
        parts.append(_label(longest[place].label, across(place), _HEIGHT - 8, _anchor(place, most)))
    names = ", ".join(name for name, _ in lines)
    return trusted(
        f'<svg class="trend" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{_escaped(names)}">{"".join(parts)}</svg>'
    )


def _steps(least: float, most: float) -> tuple[int, int, int]:
    """Return the step of the rules in percent, and the lowest and the highest of them.

    >>> _steps(0.52, 0.77), _steps(0.5, 0.5)
    ((5, 50, 80), (1, 50, 51))
    """
    for step in (1, 2, 5, 10, 20, 25):
        low, high = math.floor(100 * least / step) * step, math.ceil(100 * most / step) * step
        if high - low <= 6 * step:
            break
    return step, low, max(high, low + step)


def _rule(value: float, up: Callable[[float], float]) -> str:
    y = up(value)
    return f'<path class="axis" d="M{_LEFT} {y:.1f}H{_WIDTH}"/>' + _label(
        f"{100 * value:.0f} %", _LEFT - 6, y + 4, "end"
    )


def _point(kind: str, name: str, point: Point, x: float, up: Callable[[float], float]) -> str:
    label = f"{name}, {point.label}: {100 * point.value:.2f} %"
    bar = ""
    if point.low is not None and point.high is not None:
        bar = f'<path class="{kind}" d="M{x:.1f} {up(point.low):.1f}V{up(point.high):.1f}"/>'
        label += f" ({100 * point.low:.2f} to {100 * point.high:.2f})"
    y = up(point.value)
    return (
        f'{bar}<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5">'
        f"<title>{_escaped(label)}</title></circle>"
    )


def _anchor(place: int, most: int) -> str:
    return "middle" if most == 1 or 0 < place < most - 1 else "start" if place == 0 else "end"


def _label(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return escape_html(escape.line(text))
