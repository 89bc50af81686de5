"""Small pictures beside numbers, as SVG: each repeats what the table says."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from arena.reports.html.trusted import own

#: Units of the width of a bar.
BAR_WIDTH = 160


def results(wins: int, draws: int, losses: int) -> Markup:
    """Draw wins, draws and losses as parts of a bar."""
    games, at, parts = wins + draws + losses, 0.0, []
    for kind, number in (("win", wins), ("draw", draws), ("loss", losses)):
        width = BAR_WIDTH * number / games if games else 0.0
        if width:
            parts.append(f'<rect class="{kind}" x="{at:.4g}" width="{width:.4g}" height="10"/>')
        at += width
    return _svg("wdl", 10, parts)


def interval(value: float | None, low: float | None, high: float | None, scale: Scale) -> Markup:
    """Draw a value and its interval on a scale; an end that is None has an arrow."""
    begin = 0.0 if low is None else scale.at(low)
    end = float(BAR_WIDTH) if high is None else scale.at(high)
    parts = [f'<path class="axis" d="M{scale.at(scale.middle):.4g} 0v14"/>']
    if (low, value, high) != (None, None, None):
        parts.append(f'<path class="range" d="M{begin:.4g} 7H{end:.4g}"/>')
    ends = [(begin, low, 5), (end, high, -5)]
    for at, bound, back in ends:
        shape = "m0-4v8" if bound is not None else f"m{back}-4l{-back} 4l{back} 4"
        if (low, value, high) != (None, None, None):
            parts.append(f'<path class="range" d="M{at:.4g} 7{shape}"/>')
    if value is not None:
        parts.append(f'<circle class="value" cx="{scale.at(value):.4g}" cy="7" r="3.5"/>')
    return _svg("interval", 14, parts)


def pentanomial(counts: Sequence[int]) -> Markup:
    """Draw the pairs by their points as five bars."""
    most = max(counts, default=0) or 1
    kinds = ("loss", "loss", "draw", "win", "win")
    parts = [
        f'<rect class="{kind}" x="{32 * at + 2}" y="{20 - 20 * n / most:.4g}" width="28"'
        f' height="{20 * n / most:.4g}"/>'
        for at, (kind, n) in enumerate(zip(kinds, counts, strict=False))
    ]
    return _svg("pairs", 20, [*parts, f'<path class="axis" d="M0 20h{BAR_WIDTH}"/>'])


def between(value: float, lower: float, upper: float) -> Markup:
    """Draw where a value is between two bounds, or beyond one of them."""
    scale = Scale([lower, upper, value], 0.0)
    parts = [f'<path class="axis" d="M{scale.at(0):.4g} 0v14"/>']
    parts += [f'<path class="range" d="M{scale.at(bound):.4g} 0v14"/>' for bound in (lower, upper)]
    parts.append(f'<path class="range" d="M{scale.at(lower):.4g} 7H{scale.at(upper):.4g}"/>')
    parts.append(f'<circle class="value" cx="{scale.at(value):.4g}" cy="7" r="3.5"/>')
    return _svg("between", 14, parts)


class Scale:
    """Where values lie in a picture; ``middle`` has a line, and what is beyond lies at an end."""

    def __init__(self, values: Sequence[float | None], middle: float) -> None:
        known = [value for value in values if value is not None]
        self.low, self.high = min([*known, middle]), max([*known, middle])
        self.middle = middle

    def at(self, value: float) -> float:
        """Return the place of a value from left to right, with room for what is drawn there."""
        span = self.high - self.low or 1.0
        value = min(max(value, self.low), self.high)
        return 8 + (BAR_WIDTH - 16) * (value - self.low) / span


def level(score: float) -> str:
    """Return the class of a score's colour, from h0 for none of the points to h10 for all."""
    return f"h{round(10 * score)}"


def _svg(kind: str, height: int, parts: Sequence[str]) -> Markup:
    # A reader that does not see it has the numbers beside it.
    return own(
        f'<svg class="{kind}" viewBox="0 0 {BAR_WIDTH} {height}" preserveAspectRatio="none"'
        f' aria-hidden="true">{"".join(parts)}</svg>'
    )
