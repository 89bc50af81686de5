"""Leave most cases of a long test to the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], fast: int = 1) -> list[Any]:
    """Return the cases for ``parametrize``: so many first ones are fast, the others slow.

    A case that is a tuple has the values of the arguments, one or several. What ``pytest.param``
    made keeps its marks.
    """
    return [_param(case, number >= fast) for number, case in enumerate(cases)]


def _param(case: Any, is_slow: bool) -> Any:
    if type(case) is tuple:
        case = pytest.param(*case)
    elif not hasattr(case, "marks"):
        case = pytest.param(case)
    return pytest.param(
        *case.values, marks=[*case.marks, *[pytest.mark.slow] * is_slow], id=case.id
    )
