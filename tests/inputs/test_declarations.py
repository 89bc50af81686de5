"""The declarations of options against the flags, keywords and keys that follow from them."""

from __future__ import annotations

import math
from argparse import ArgumentError, ArgumentParser
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena.cli.fields import add_fields, field_of
from arena.errors import UsageError
from arena.features.plan.options import TRIAL_OPTION
from arena.inputs.contest_file import OPTION_KEYS, QUOTED, read_contest
from arena.inputs.options import PARAMETER_OPTIONS, TournamentOptions
from arena.kinds import SWITCH, TEXTS, Kind, Number, OneOf, Whole
from arena.signatures import TOPICS, Option, complete, declared
from tests.test_public import FUNCTIONS

#: Every public function that takes declared options.
TAKERS: dict[str, Callable[..., Any]] = {
    name: function for name in FUNCTIONS if "options" in vars(function := getattr(arena, name))
}

#: Every option of every one of them, with a name for the test.
OPTIONS = [
    pytest.param(function, keyword, option, id=f"{name}-{keyword}")
    for name, function in TAKERS.items()
    for keyword, option in declared(vars(function)["options"]).items()
]
BOUNDED = [
    option
    for option in OPTIONS
    if isinstance(option.values[2].kind, Whole | Number | OneOf)  # type: ignore[union-attr]
]


def bad_values(kind: Kind) -> st.SearchStrategy[Any]:
    """Draw values that the kind excludes."""
    if isinstance(kind, OneOf):
        return st.text("abcdefgh", min_size=1).filter(lambda text: text not in kind.choices)
    if isinstance(kind, Whole):
        return st.integers(max_value=kind.least - 1) | st.integers(min_value=kind.most + 1)
    assert isinstance(kind, Number)
    ends = [end for end in (kind.least, kind.most) if kind.excludes_ends and math.isfinite(end)]
    return st.sampled_from([*ends, math.inf, -math.inf, math.nan]) | st.floats(
        max_value=kind.least, exclude_max=math.isfinite(kind.least)
    ).filter(lambda number: number < kind.least)


def good_values(kind: Kind) -> st.SearchStrategy[Any]:
    """Draw values that the kind allows, its ends among them."""
    if isinstance(kind, OneOf):
        return st.sampled_from(kind.choices)
    if isinstance(kind, Whole):
        return st.integers(kind.least, kind.most) | st.sampled_from([kind.least, kind.most])
    assert isinstance(kind, Number)
    least, most = max(kind.least, -1e9), min(kind.most, 1e9)
    return st.floats(least, most, exclude_min=kind.excludes_ends, exclude_max=kind.excludes_ends)


def flag_of(keyword: str, option: Option, value: object) -> Any:
    """Return what the flag of an option makes of a value."""
    parser = ArgumentParser(exit_on_error=False)
    add_fields(parser, {keyword: field_of(option)})
    joint = f"{option.flag}=" if option.flag.startswith("--") else option.flag
    return vars(parser.parse_args([f"{joint}{value}"]))[keyword]


def key_of(keyword: str, option: Option) -> str:
    """Return the key of an option in a contest's file; empty if no tournament has the option."""
    options = PARAMETER_OPTIONS | declared(TournamentOptions)
    return option.contest_key if options.get(keyword) == option else ""


def contest_of(folder: Path, key: str, value: object) -> Any:
    """Return what the key of a contest's file makes of a value."""
    file = folder / "contest.toml"
    written = repr(value) if not isinstance(value, str) else f'"{value}"'
    file.write_text(f"{key} = {written}\n", encoding="utf-8")
    return read_contest(file)


@pytest.mark.parametrize(("function", "keyword", "option"), OPTIONS)
def test_the_defaults_of_a_flag_and_of_a_keyword_are_the_declared_object(
    function: Callable[..., Any], keyword: str, option: Option
) -> None:
    assert signature(function).parameters[keyword].default is option.default
    assert signature(function).parameters[keyword].kind is not Parameter.POSITIONAL_ONLY
    values: dict[str, object] = {}
    assert complete(function, values)[keyword] is option.default
    if option.flag and option.kind is not TEXTS:  # argparse makes a list of its own
        assert field_of(option).settings["default"] is option.default


def test_a_contest_has_no_default_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "contest.toml").write_text("")
    contest = read_contest(tmp_path / "contest.toml")
    assert contest.options == {}
    assert (contest.n, contest.gauntlet, contest.schedule) == (None, None, None)


@pytest.mark.parametrize(("function", "keyword", "option"), OPTIONS)
def test_a_default_is_a_value_that_the_declaration_allows(
    function: Callable[..., Any], keyword: str, option: Option
) -> None:
    allowed = option.check(keyword, option.default)
    assert allowed is option.default or (option.kind is TEXTS and allowed == [])
    assert option.topic in ("", *TOPICS)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "keyword", "option"), BOUNDED)
@given(data=st.data())
@settings(max_examples=20)
def test_every_bound_is_refused_by_flag_keyword_and_contest_alike(
    function: Callable[..., Any],
    keyword: str,
    option: Option,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert option.kind is not None
    value = data.draw(bad_values(option.kind))
    with pytest.raises(UsageError) as refused:
        complete(function, {keyword: value})
    words = f"must be {option.kind.words}"
    assert str(refused.value).startswith(f"{keyword} {words}")
    if option.flag:
        with pytest.raises(ArgumentError, match="must be") as error:
            flag_of(keyword, option, value)
        assert str(error.value.message).startswith(words)
    if key := key_of(keyword, option):
        with pytest.raises(UsageError) as refused:
            contest_of(tmp_path_factory.getbasetemp(), key, value)
        assert f"line 1: {key} {words}" in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "keyword", "option"), BOUNDED)
@given(data=st.data())
@settings(max_examples=20)
def test_a_value_within_the_bounds_is_the_same_for_flag_keyword_and_contest(
    function: Callable[..., Any],
    keyword: str,
    option: Option,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert option.kind is not None
    value = data.draw(good_values(option.kind))
    assert complete(function, {keyword: value})[keyword] == value
    if option.flag:
        assert flag_of(keyword, option, value) == value
    if key := key_of(keyword, option):
        contest = contest_of(tmp_path_factory.getbasetemp(), key, value)
        assert contest.options == {keyword: value}


@pytest.mark.parametrize(
    ("option", "call"),
    [
        (PARAMETER_OPTIONS["n"], arena.fight),
        (PARAMETER_OPTIONS["n"], arena.sprt_fight),
        (TRIAL_OPTION, arena.plan),
    ],
)
def test_bounds_of_the_number_of_pairs_hold_everywhere(
    option: Option, call: Callable[..., Any], tmp_path: Path
) -> None:
    assert isinstance(option.kind, Whole)
    for number in (option.kind.least - 1, option.kind.most + 1):
        with pytest.raises(ArgumentError, match=option.kind.words):
            flag_of("n", option, number)
        with pytest.raises(UsageError, match=f"^n must be {option.kind.words}, not {number}$"):
            call("monkey", "triples", number)
        if key := key_of("n", option):
            with pytest.raises(UsageError, match=option.kind.words):
                contest_of(tmp_path, key, number)


def test_a_whole_number_has_bounds() -> None:
    """Without a kind, nothing would check it: the type alone does not say the bounds."""
    unbounded = [
        option.id
        for option in OPTIONS
        if "int" in str(signature(option.values[0]).parameters[option.values[1]].annotation).split()  # type: ignore[arg-type, index]
        and not isinstance(option.values[2].kind, Whole)  # type: ignore[union-attr]
    ]
    assert unbounded == []


def test_every_option_of_a_tournament_with_a_flag_has_a_key_but_two() -> None:
    options = PARAMETER_OPTIONS | declared(TournamentOptions)
    flags = {name for name, option in options.items() if option.flag}
    assert flags - {name for name, _ in OPTION_KEYS.values()} == {"again", "pgn"}
    for keyword, kind in OPTION_KEYS.values():
        assert keyword in signature(arena.tournament).parameters
        assert kind is (options[keyword].kind or QUOTED)


def test_a_switch_is_true_or_false_everywhere(tmp_path: Path) -> None:
    assert declared(TournamentOptions)["keep_going"].kind is SWITCH
    for value in (1, "yes"):
        with pytest.raises(UsageError, match="keep_going"):
            arena.fight("monkey", "triples", keep_going=value)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="keep-going"):
            contest_of(tmp_path, "keep-going", value)
