"""Draw the path of a sequential test between its bounds as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from arena.reports.html.markup import trusted

#: Units of the picture, and of the room around it for its labels.
_WIDTH, _HEIGHT = 720, 220
_LEFT, _BELOW, _ABOVE = 40, 28, 12


def path(points: Sequence[Sequence[float | None]], lower: float, upper: float) -> Markup:
    """Draw log-likelihood ratios over numbers of pairs, with the bounds of the test.

    A point is the number of pairs and the ratio, or None. The path begins at 0, 0.
    """
    looks = [(pairs, ratio) for pairs, ratio in points if pairs is not None and ratio is not None]
    line = [(0.0, 0.0), *looks]
    most = line[-1][0] or 1.0
    low = min(lower, *(ratio for _, ratio in line))
    high = max(upper, *(ratio for _, ratio in line))

    def across(pairs: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 12) * pairs / most

    def up(ratio: float) -> float:
        return _HEIGHT - _BELOW - (_HEIGHT - _BELOW - _ABOVE) * (ratio - low) / (high - low)

    drawn_line = " ".join(f"{across(pairs):.1f} {up(ratio):.1f}" for pairs, ratio in line)
    last_pairs, last = line[-1]
    parts = [
        f'<path class="axis" d="M{_LEFT} {up(0):.1f}H{_WIDTH}"/>',
        _label("0", _LEFT - 6, up(0) + 4, "end"),
        *_bound(upper, "H1 is accepted", up(upper), 13),
        *_bound(lower, "H0 is accepted", up(lower), -5),
        f'<path class="line0" d="M{drawn_line}"/>',
        f'<circle class="line0" cx="{across(last_pairs):.1f}" cy="{up(last):.1f}" r="3.5"/>',
        _label("0 pairs", _LEFT, _HEIGHT - 8, "start"),
        _label(f"{last_pairs:.0f} pairs", _WIDTH - 12, _HEIGHT - 8, "end"),
    ]
    label = f"log-likelihood ratio: {last:.2f} after {last_pairs:.0f} pairs"
    return trusted(
        f'<svg class="trend" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{label}">{"".join(parts)}</svg>'
    )


def _bound(ratio: float, name: str, y: float, below: int) -> list[str]:
    return [
        f'<path class="line1" d="M{_LEFT} {y:.1f}H{_WIDTH}"/>',
        _label(f"{ratio:.2f}", _LEFT - 6, y + 4, "end"),
        _label(name, _WIDTH / 2, y + below, "middle"),
    ]


def _label(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
