"""Draw small pictures next to numbers as SVG. Each repeats what the table says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from arena.records.base import Tally
from arena.records.ratings import Estimated
from arena.reports.figures import BEYOND
from arena.reports.html.markup import trusted

#: Units of the width of a bar.
BAR_WIDTH = 160


def results(tally: Tally) -> Markup:
    """Draw wins, draws and losses as parts of a bar."""
    begin, parts = 0.0, []
    for kind, number in (("win", tally.wins), ("draw", tally.draws), ("loss", tally.losses)):
        width = BAR_WIDTH * number / tally.games if tally.games else 0.0
        if width:
            parts.append(f'<rect class="{kind}" x="{begin:.4g}" width="{width:.4g}" height="10"/>')
        begin += width
    return _svg("wdl", 10, parts)


def intervals(estimates: Sequence[Estimated | None]) -> list[Markup]:
    """Draw values and their intervals on one scale. An end that is None has an arrow."""
    numbers = [estimate or Estimated(None) for estimate in estimates]
    scale = _rating_scale(numbers)
    return [_interval(number, scale) for number in numbers]


def _rating_scale(numbers: Sequence[Estimated]) -> ChartScale:
    """Return the scale of values and of their intervals, without the ends that are far off."""
    values = [number.value for number in numbers if number.value is not None]
    least, most = min(values, default=0.0), max(values, default=0.0)
    beyond = BEYOND * (most - least or 100.0)
    bounds = [end for number in numbers for end in (number.low, number.high) if end is not None]
    near = [min(max(end, least - beyond), most + beyond) for end in bounds]
    return ChartScale([*values, *near], 0.0)


def _interval(number: Estimated, scale: ChartScale) -> Markup:
    value, low, high = number.value, number.low, number.high
    begin = 0.0 if low is None else scale.at(low)
    end = float(BAR_WIDTH) if high is None else scale.at(high)
    parts = [f'<path class="axis" d="M{scale.at(scale.middle):.4g} 0v14"/>']
    if (low, value, high) != (None, None, None):
        parts.append(f'<path class="range" d="M{begin:.4g} 7H{end:.4g}"/>')
        for place, bound, back in ((begin, low, 5), (end, high, -5)):
            shape = "m0-4v8" if bound is not None else f"m{back}-4l{-back} 4l{back} 4"
            parts.append(f'<path class="range" d="M{place:.4g} 7{shape}"/>')
    if value is not None:
        parts.append(f'<circle class="value" cx="{scale.at(value):.4g}" cy="7" r="3.5"/>')
    return _svg("interval", 14, parts)


def pentanomial(counts: Sequence[int]) -> Markup:
    """Draw the pairs by their points as five bars."""
    most = max(counts, default=0) or 1
    kinds = ("loss", "loss", "draw", "win", "win")
    parts = [
        f'<rect class="{kind}" x="{32 * place + 2}" y="{20 - 20 * n / most:.4g}" width="28"'
        f' height="{20 * n / most:.4g}"/>'
        for place, (kind, n) in enumerate(zip(kinds, counts, strict=False))
    ]
    return _svg("pairs", 20, [*parts, f'<path class="axis" d="M0 20h{BAR_WIDTH}"/>'])


#: The function that draws the values of a column and the class of its cells, by the name of the
#: picture that the column declares.
PICTURES: Mapping[str, tuple[Callable[[Sequence[Any]], Iterable[Markup]], str]] = {
    "results": (partial(map, results), "picture"),
    "intervals": (intervals, "picture"),
    "pentanomial": (partial(map, pentanomial), "picture narrow"),
}


def between(value: float, lower: float, upper: float) -> Markup:
    """Draw where a value is between two bounds, or beyond one of them."""
    scale = ChartScale([lower, upper, value], 0.0)
    parts = [f'<path class="axis" d="M{scale.at(0):.4g} 0v14"/>']
    parts += [f'<path class="range" d="M{scale.at(bound):.4g} 0v14"/>' for bound in (lower, upper)]
    parts.append(f'<path class="range" d="M{scale.at(lower):.4g} 7H{scale.at(upper):.4g}"/>')
    parts.append(f'<circle class="value" cx="{scale.at(value):.4g}" cy="7" r="3.5"/>')
    return _svg("between", 14, parts)


class ChartScale:
    """The places of values in a picture. ``middle`` has a line. Values beyond lie at an end."""

    def __init__(self, values: Sequence[float | None], middle: float) -> None:
        numbers = [middle, *(value for value in values if value is not None)]
        self.low, self.high = min(numbers), max(numbers)
        self.middle = middle

    def at(self, value: float) -> float:
        """Return the place of a value from left to right, with room for its mark."""
        span = self.high - self.low or 1.0
        value = min(max(value, self.low), self.high)
        return 8 + (BAR_WIDTH - 16) * (value - self.low) / span


def level(score: float) -> str:
    """Return the class of a score's colour, from h0 for none of the points to h10 for all."""
    return f"h{round(10 * score)}"


def _svg(kind: str, height: int, parts: Sequence[str]) -> Markup:
    # A reader that does not see it has the numbers next to it.
    return trusted(
        f'<svg class="{kind}" viewBox="0 0 {BAR_WIDTH} {height}" preserveAspectRatio="none"'
        f' aria-hidden="true">{"".join(parts)}</svg>'
    )
