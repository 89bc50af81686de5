"""The figures about learning in the documentation are those that the study finds."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("features", "games"), [("squares", [10, 100]), ("line,wins", [10]), ("rules", [10, 100])]
)
def test_the_first_columns_of_the_figures_come_out_again(features: str, games: list[int]) -> None:
    """See what ten games and a hundred teach; the others take the study some minutes."""
    study = runpy.run_path(str(DOCS / "study_learning.py"))
    cells = study["by_games"](features, games)
    page = (DOCS / "learning-figures.md").read_text()
    assert f"| `{features}` | {' | '.join(cells)} | " in page


def test_the_answers_quote_the_figures() -> None:
    text = (DOCS / "learning.md").read_text()
    answers = text.split("answered\n")[1].split("\n## ")[0]
    quoted = set(re.findall(r"\b\d\d\.\d(?= %)", answers))
    assert len(quoted) >= 10
    assert quoted <= set(re.findall(r"\d\d\.\d", (DOCS / "learning-figures.md").read_text()))
