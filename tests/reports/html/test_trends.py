"""Pictures of scores over time: every point is where its value is."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from arena.reports.html.report import html
from arena.reports.html.trends import Point, trend
from tests.reports.fixed import RECORDS
from tests.reports.html.markup import Page

SVG = "{http://www.w3.org/2000/svg}"


def circles(markup: str) -> list[tuple[float, float]]:
    drawn = ElementTree.fromstring(markup)
    return [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in drawn.iter("circle")]


def test_higher_scores_are_higher_and_later_ones_further_right() -> None:
    values = [0.5, 0.9, 0.1, 0.1]
    result = circles(trend([("a", [Point(str(at), value) for at, value in enumerate(values)])]))
    across, down = zip(*result, strict=True)
    assert list(across) == sorted(across)
    assert len(set(across)) == 4
    assert down[1] < down[0] < down[2] == down[3]
    assert down[0] - down[1] == pytest.approx(down[2] - down[0], abs=0.2)


def test_an_interval_is_drawn_around_its_value() -> None:
    drawn = trend([("<a>", [Point("x", 0.5, 0.25, 0.75)])])
    [(low, high)] = re.findall(r'd="M[\d.]+ ([\d.]+)V([\d.]+)"', drawn)
    [(_, middle)] = circles(drawn)
    assert float(low) - middle == pytest.approx(middle - float(high), abs=0.2)
    assert "&lt;a&gt;, x: 50.00 % (25.00 to 75.00)" in drawn


def test_one_point_and_level_points_can_be_drawn() -> None:
    assert len(circles(trend([("a", [Point("x", 1.0)])]))) == 1
    assert len(circles(trend([("a", [Point("x", 0.0), Point("y", 0.0)]), ("b", [])]))) == 2


def test_histories_and_curves_have_a_picture() -> None:
    for name, points in (("history", 3), ("trained-with-a-curve", None)):
        page = Page(html(RECORDS[name]))
        drawn = [v for tag, key, v in page.attributes if (tag, key) == ("svg", "class")]
        assert drawn == ["trend"]
        assert points in (None, page.elements["circle"])
    assert Page(html(RECORDS["history-of-nothing"])).elements["svg"] == 0
    assert Page(html(RECORDS["trained"])).elements["svg"] == 0
