"""The keywords of the public functions, and the types of what they return."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from tests.golden import Wording
from tests.test_public import FUNCTIONS as NAMES

FUNCTIONS: dict[str, Callable[..., Any]] = {name: getattr(arena, name) for name in NAMES}

PAIRS = "a whole number from 1 to 1000000000000000"
SEEDS = "a whole number from 0 to 9223372036854775807"

#: Words of annotations that are not arena's.
OTHERS = {"Any", "Callable", "Fraction", "Iterator", "None", "dict", "int", "list", "str"}


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
    with pytest.raises(TypeError, match=rf"{name}\(\) .*'gaem'"):
        FUNCTIONS[name](**given, gaem="tictactoe")


@pytest.mark.parametrize("name", ["fight", "tournament", "check", "plan", "resume"])
def test_options_mean_the_same_everywhere(name: str) -> None:
    everywhere = signature(arena.fight).parameters
    for parameter in signature(FUNCTIONS[name]).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and parameter.name in everywhere:
            assert parameter == everywhere[parameter.name]


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (arena.fight, {"n": "x"}),
        (arena.fight, {"n": True}),
        (arena.sprt_fight, {"n": 1.5}),
        (arena.fight, {"seed": "a"}),
        (arena.checked_fight, {"seed": True}),
        (arena.plan, {"workers": 1.5}),
        (arena.fight, {"game": 3}),
        (arena.fight, {"openings": 3}),
        (arena.exact, {"openings": []}),
        (arena.fight, {"engine": 1}),
        (arena.fight, {"resign": 600}),
        (arena.fight, {"n": -1}),
        (arena.fight, {"workers": 0}),
        (arena.plan, {"n": 0}),
        (arena.fight, {"store": 3}),
        (arena.fight, {"keep_going": "no"}),
        (arena.sprt_fight, {"elo0": "x"}),
        (arena.sprt_fight, {"alpha": True}),
    ],
)
def test_a_value_of_another_type_is_a_usage_error_on_one_line(
    function: Callable[..., Any], given: dict[str, Any], wording: Wording
) -> None:
    with wording.raises(UsageError, match=r"^[^\n]+$"):
        function("monkey", "triples", **given)


def test_a_tournament_of_no_pairs_is_refused(wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.tournament(["monkey", "triples"], 0)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_type_of_every_result_is_public(name: str) -> None:
    words = set(re.findall(r"\w+", str(signature(FUNCTIONS[name]).return_annotation)))
    assert words - OTHERS <= {*arena.__all__, *arena.records.__all__, *arena.plugin.__all__}
