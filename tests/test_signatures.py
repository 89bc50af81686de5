"""Keywords that are declared once, and shown and checked in every function that takes them."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import TypedDict, Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.signatures import complete, takes
from tests.golden import Wording


class Options(TypedDict, total=False):
    colour: str
    size: int | None


class MoreOptions(Options, total=False):
    weight: float


USUAL: dict[str, object] = {"colour": "red", "size": None, "weight": 1.5, "unused": 0}


@takes(MoreOptions, USUAL)
def paint(name: str, *, coats: int = 2, **options: Unpack[MoreOptions]) -> MoreOptions:
    """Paint."""
    return complete(paint, options)


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


def test_help_shows_every_keyword() -> None:
    import pydoc

    text = pydoc.plain(pydoc.render_doc(paint))
    assert all(word in text for word in ("colour: 'str' = 'red'", "weight: 'float' = 1.5"))


@given(
    st.fixed_dictionaries(
        {}, optional={"colour": st.text(), "size": st.integers(), "weight": st.floats(0, 1)}
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
