"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import arena

MODULES = [
    "arena",
    *(
        module.name
        for module in pkgutil.walk_packages(arena.__path__, "arena.")
        if module.ispkg or not module.name.startswith("arena.core.")  # compiled
    ),
]


def source_of(name: str) -> str:
    """Return the text of a module, which is not imported: some need optional libraries."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text()


WITH_EXAMPLES = [name for name in MODULES if ">>> " in source_of(name)]


#: What examples need that few machines have, by module.
NEEDS = {
    "arena.features.solve.valuing": "highspy",
    "arena.stats.entropy": "highspy",
    "arena.stats.equilibrium": "highspy",
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.needs(NEEDS[name])] if name in NEEDS else [])
        for name in WITH_EXAMPLES
    ],
)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
