"""Import the library when it is needed, and make its environments."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from arena.errors import UsageError, describe, quoted
from arena.plugins.libraries import Library

PETTINGZOO = Library(
    "environments",
    "pettingzoo",
    "pettingzoo",
    "pettingzoo",
    (1, 27),  # has a registry of them
)


@cache
def library() -> Any:
    """Return the module ``pettingzoo``. Raises UsageError with the command that installs it."""
    with _unchanged_variables():
        return PETTINGZOO.load()


def make_environment(name: str, environment: str, parameters: Mapping[str, Any]) -> Any:
    """Return a new environment of the registry, or of ``module:function``.

    Raises UsageError, with the name of the game, if there is none.
    """
    module = library()
    path, _, function = environment.partition(":")
    with warnings.catch_warnings(), _unchanged_variables():
        warnings.simplefilter("ignore")
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "hide"  # nothing but results goes to the output
        try:
            if function:
                aec = getattr(import_module(path), function)(**parameters)
            else:
                aec = module.make("aec", environment, **parameters)
        except Exception as error:
            cause = _cause(error, environment)
            raise UsageError(f"game {quoted(name)} cannot be made: {cause}") from error
    if not isinstance(aec, module.AECEnv):
        kind = type(aec).__name__
        raise UsageError(f"game {quoted(name)} is no AECEnv, whose agents move in turn, but {kind}")
    return aec


@contextmanager
def _unchanged_variables() -> Iterator[None]:
    """Take back the environment variables that the library sets for the whole process."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in {*os.environ} - {*before}:
            del os.environ[name]
        os.environ.update(before)


def _cause(error: Exception, environment: str) -> str:
    """Describe an error without the list of all environments, or name the module that it misses."""
    missing = error.__cause__
    if isinstance(missing, ImportError) and missing.name:
        family = environment.partition("/")[0]
        return f"it needs {missing.name}: pip install 'pettingzoo[{family}]'"
    return describe(error).partition(" Available environments:")[0]
