"""Leave most cases of a long test to the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], fast: int = 1) -> list[Any]:
    """Return the cases for ``parametrize``: so many first ones are fast, the others slow.

    A case that is a tuple has the values of the arguments, one or several.
    """
    found = [case if type(case) is tuple else (case,) for case in cases]
    marks = [[pytest.mark.slow] * (number >= fast) for number in range(len(found))]
    return [pytest.param(*case, marks=own) for case, own in zip(found, marks, strict=True)]
