"""Declare keywords that several functions take once, and still show them in every signature.

A function takes them as ``**options: Unpack[Options]``, where ``Options`` is a TypedDict, so that
type checkers know them. :func:`takes` has ``help()`` and ``inspect.signature`` show them one by
one, and :func:`complete` refuses an unknown one and adds the usual values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

from arena.errors import did_you_mean

Function = TypeVar("Function", bound=Callable[..., Any])
Options = TypeVar("Options", bound=Mapping[str, object])


def takes(options: type, usual: Mapping[str, object]) -> Callable[[Function], Function]:
    """Show the keys of a TypedDict as a function's keywords, with their usual values.

    The function itself is returned, so that no call grows by a frame.
    """

    def show(function: Function) -> Function:
        plain = signature(function)
        own = [p for p in plain.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        named = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=usual[name], annotation=_text(kind))
            for name, kind in options.__annotations__.items()
        ]
        vars(function)["__signature__"] = plain.replace(parameters=[*own, *named])
        vars(function)["usual"] = {parameter.name: parameter.default for parameter in named}
        return function

    return show


def complete(function: Callable[..., Any], options: Options) -> Options:
    """Return the keywords that a function was given, and the usual values of the others.

    Raises TypeError for a keyword that it does not take, with the nearest that it does.
    """
    usual: dict[str, object] = vars(function)["usual"]
    for name in options:
        if name not in usual:
            nearest = did_you_mean(name, signature(function).parameters)
            raise TypeError(
                f"{function.__qualname__}() got an unexpected keyword argument {name!r}{nearest}"
            )
    return cast("Options", {**usual, **options})


def _text(annotation: object) -> object:
    """Return an annotation as it is written in the source, where it is kept so."""
    return getattr(annotation, "__forward_arg__", annotation)
