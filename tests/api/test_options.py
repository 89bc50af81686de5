"""The keywords of the public functions, and the types of what they return."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import pytest

import arena
from arena import api

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(arena, name) for name in api.__all__ if name.islower()
}

#: Words of annotations that are not arena's.
OTHERS = {"Fraction", "Iterator", "None", "dict", "int", "str"}


def test_every_function_of_the_api_is_public() -> None:
    assert set(FUNCTIONS) <= set(arena.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_keyword_is_shown_one_by_one(name: str) -> None:
    kinds = {parameter.kind for parameter in signature(FUNCTIONS[name]).parameters.values()}
    assert not kinds & {Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_unknown_keyword_is_an_error_that_names_the_function(name: str) -> None:
    required = [
        parameter
        for parameter in signature(FUNCTIONS[name]).parameters.values()
        if parameter.default is Parameter.empty
    ]
    given = {parameter.name: "monkey" for parameter in required}
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected keyword argument 'gaem'"):
        FUNCTIONS[name](**given, gaem="tictactoe")


@pytest.mark.parametrize("name", ["fight", "tournament", "check", "plan", "resume"])
def test_options_mean_the_same_everywhere(name: str) -> None:
    everywhere = signature(arena.fight).parameters
    for parameter in signature(FUNCTIONS[name]).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and parameter.name in everywhere:
            assert parameter == everywhere[parameter.name]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_type_of_every_result_is_public(name: str) -> None:
    words = set(re.findall(r"\w+", str(signature(FUNCTIONS[name]).return_annotation)))
    assert words - OTHERS <= set(arena.__all__)
