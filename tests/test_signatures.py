"""Keywords that are declared once, and shown and checked in every function that takes them."""

# Annotations are read at run time, so they are not postponed here.
from inspect import Parameter, signature
from typing import Annotated, TypedDict, Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.kinds import Whole
from arena.signatures import Option, complete, takes
from tests.golden import Wording


class Options(TypedDict, total=False):
    colour: Annotated[str, Option("red")]
    size: Annotated[int | None, Option(kind=Whole(1, 9))]


class MoreOptions(Options, total=False):
    weight: Annotated[float, Option(1.5)]


@takes(MoreOptions)
def paint(name: str, *, coats: int = 2, **options: Unpack[MoreOptions]) -> MoreOptions:
    """Paint."""
    return complete(paint, options)


@takes(Options)
def mix(colour: str = "red", size: int | None = None) -> Options:
    """Mix."""
    return complete(mix, Options(colour=colour, size=size))


def test_a_parameter_with_the_name_of_an_option_stays_where_it_is() -> None:
    shown = signature(mix).parameters
    assert list(shown) == ["colour", "size"]
    assert all(p.kind is Parameter.POSITIONAL_OR_KEYWORD for p in shown.values())
    assert mix("blue", 9) == {"colour": "blue", "size": 9}
    with pytest.raises(UsageError, match=r"size .* 1 .* 9.* 10"):
        mix("blue", 10)


def test_the_signature_shows_every_keyword_with_its_type_and_usual_value(wording: Wording) -> None:
    shown = signature(paint).parameters
    assert list(shown) == ["name", "coats", "colour", "size", "weight"]
    assert all(p.kind is Parameter.KEYWORD_ONLY for p in list(shown.values())[1:])
    assert {n: shown[n].default for n in ("colour", "size", "weight")} == {
        "colour": "red",
        "size": None,
        "weight": 1.5,
    }
    wording(str(shown["size"]), "'int | None'")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("colour", 3), ("colour", None), ("size", 0), ("size", True)),
        *(("weight", "x"), ("weight", float("nan"))),
    ],
)
def test_a_value_that_the_declaration_does_not_allow_is_refused(
    name: str, value: object, wording: Wording
) -> None:
    with wording.raises(UsageError, match=f"^{name} .* {value!r}$"):
        paint("door", **{name: value})  # type: ignore[arg-type]


def test_help_shows_every_keyword() -> None:
    import pydoc

    text = pydoc.plain(pydoc.render_doc(paint))
    assert all(word in text for word in ("colour: 'str' = 'red'", "weight: 'float' = 1.5"))


@pytest.mark.slow
@given(
    st.fixed_dictionaries(
        {}, optional={"colour": st.text(), "size": st.integers(1, 9), "weight": st.floats(0, 1)}
    )
)
def test_what_is_given_goes_before_what_is_usual(given: MoreOptions) -> None:
    plain: dict[str, object] = {"colour": "red", "size": None, "weight": 1.5}
    assert paint("door", **given) == plain | dict(given)


@pytest.mark.parametrize(
    "wrong",
    [
        "color",
        "cots",
        "zzz",
    ],
)
def test_an_unknown_keyword_is_refused_with_the_nearest(wrong: str, wording: Wording) -> None:
    with wording.raises(TypeError):
        paint("door", **{wrong: 1})  # type: ignore[arg-type]


def test_a_call_grows_by_no_frame() -> None:
    assert paint.__name__ == paint.__qualname__ == "paint"
    assert not hasattr(paint, "__wrapped__")
