"""Draw learning curves; this needs matplotlib, the extra ``plot``."""

from __future__ import annotations

import io
from typing import Any

from arena.errors import UsageError
from arena.records.training import Training

#: Kinds of pictures, by file suffix.
STYLES = (".png", ".svg")

#: Metadata to drop, by style, so that pictures of the same curve are equal: dates, versions, ids.
METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
}


def draw(training: Training, style: str) -> bytes:
    """Draw the learning curve as a picture of that style. Raises UsageError without matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError("a plot needs matplotlib: pip install 'proving-arena[plot]'") from error

    with rc_context({"svg.hashsalt": "arena", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.add_subplot()
        games = [point.games for point in training.curve]
        for name in training.curve[0].scores:
            scores = [100 * float(point.scores[name]) for point in training.curve]
            axes.plot(games, scores, marker="o", markersize=4, label=f"against {name}")
        axes.set_xscale("symlog", linthresh=1, linscale=0.4)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_ylim(-2, 102)  # with room for the markers at both ends
        axes.set_xlabel("games trained")
        axes.set_ylabel("exact score in %")
        axes.set_title(_title(training), parse_math=False)  # a $ in a name does not start a formula
        axes.grid(alpha=0.3)
        for text in axes.legend().get_texts():
            text.set_parse_math(False)
        picture = io.BytesIO()
        figure.savefig(picture, format=style[1:], dpi=150, metadata=METADATA[style])
    return picture.getvalue()


def _title(training: Training) -> str:
    course = training.course
    return (
        f"lms with {','.join(course.features)}, trained against {course.against}"
        f" from {course.start} boards"
    )
