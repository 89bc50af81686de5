"""Look at the signatures of functions, and give them some.

:func:`misfit` tells whether a stranger's function can be called as it is meant to be, without
calling it.

Functions take keywords that several share as ``**options: Unpack[Options]``, where ``Options`` is
a TypedDict, so that type checkers know them. A key may be ``Annotated`` with an :class:`Option`,
which declares all else of it. :func:`takes` has ``help()`` and ``inspect.signature`` show the
keywords one by one, and :func:`complete` refuses an unknown one, or a value of another type, and
adds the defaults.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from types import CodeType, FunctionType
from typing import Any, ForwardRef, Literal, TypeVar, cast

from arena.errors import UsageError, class_name, did_you_mean, one_line

Function = TypeVar("Function", bound=Callable[..., Any])
Options = TypeVar("Options", bound=Mapping[str, object])


@dataclass(frozen=True)
class Option:
    """A declaration of an option: the keyword, the flag and the key of a contest follow from it."""

    default: object = None
    #: The flag of the commands; empty for an option that is only a keyword.
    flag: str = ""
    help: str = ""
    metavar: str | None = None
    #: The title in the help that the flag stands under.
    topic: str = ""
    #: The key in a contest's file; empty if a contest cannot set it.
    key: str = ""
    #: The values that may be written. Bounds and choices say it all where there are some.
    kind: Literal["text", "texts", "switch", "share", "resign", "draw", "question"] = "text"
    bounds: tuple[int, int] | None = None
    choices: tuple[str, ...] = ()


def declared(options: type) -> dict[str, Option]:
    """Return the options that a TypedDict declares, by keyword."""
    pairs = {
        name: getattr(kind, "__metadata__", (None,))[0]
        for name, kind in options.__annotations__.items()
    }
    return {name: option for name, option in pairs.items() if isinstance(option, Option)}


def misfit(function: Any, *arguments: str, named: Iterable[str] = ()) -> str:
    """Return why a function cannot be called with these arguments, and its line.

    The text is empty if it can, or if its signature cannot be read, as with some built-in ones.
    ``arguments`` are what the caller passes by position, ``named`` what it passes by name.

    >>> misfit(lambda position: 0, "position", "rng").partition(":")[2]
    ' too many positional arguments'
    """
    if not named and _takes_just(function, len(arguments)):
        return ""
    try:
        # Not that of a function which it wraps: its wrapper may take other arguments.
        signature = inspect.signature(function, follow_wrapped=False)
    except Exception:  # whatever a stranger's class makes of being looked at
        return ""
    try:
        signature.bind(*arguments, **dict.fromkeys(named))
    except TypeError as error:
        call = f"{_name(function)}{_bare(signature)}{_line(function)}"
        wanted = ", ".join([*arguments, *(f"{name}=..." for name in named)])
        return one_line(f"{call} cannot be called with ({wanted}): {error}")
    return ""


def _takes_just(function: Any, count: int) -> bool:
    """Return whether it is a plain function of this many parameters. Its signature takes longer."""
    if type(function) is not FunctionType or hasattr(function, "__signature__"):
        return False
    code = function.__code__
    return code.co_argcount == count and not code.co_kwonlyargcount


def misfit_of_method(owner: type, name: str, *arguments: str) -> str:
    """Return the same of a method of a class, without an instance."""
    method = inspect.getattr_static(owner, name)
    if isinstance(method, (staticmethod, classmethod)):
        return misfit(getattr(owner, name), *arguments)
    return misfit(method, "self", *arguments) if inspect.isfunction(method) else ""


def _name(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else class_name(function)


def _bare(signature: inspect.Signature) -> str:
    """Return the signature as text, without its types."""
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    try:
        return str(inspect.Signature(parameters))
    except Exception:  # of a default value that does not want to be shown
        return "(...)"


def _line(function: Any) -> str:
    """Return where the function stands in its file, if it has one."""
    while isinstance(function, partial):
        function = function.func
    if isinstance(function, type):
        function = inspect.getattr_static(function, "__init__")
    elif not inspect.isroutine(function):
        function = inspect.getattr_static(type(function), "__call__", None)
    code = getattr(function, "__code__", None)
    return f" in line {code.co_firstlineno}" if isinstance(code, CodeType) else ""


def takes(
    options: type, defaults: Mapping[str, object] | None = None
) -> Callable[[Function], Function]:
    """Show the keys of a TypedDict as a function's keywords.

    Their defaults are those that the TypedDict declares, unless ``defaults`` has others. A keyword
    without either has None. The function itself is returned, so that no call grows by a frame.
    """
    usual = {name: option.default for name, option in declared(options).items()}
    usual.update(defaults or {})

    def show(function: Function) -> Function:
        plain = inspect.signature(function)
        positional = [
            p for p in plain.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=usual.get(name),
                annotation=type_text(kind),
            )
            for name, kind in options.__annotations__.items()
        ]
        vars(function)["__signature__"] = plain.replace(parameters=[*positional, *named])
        vars(function)["usual"] = {parameter.name: parameter.default for parameter in named}
        vars(function)["kinds"] = {parameter.name: parameter.annotation for parameter in named}
        return function

    return show


def complete(function: Callable[..., Any], options: Options) -> Options:
    """Return the keywords that a function was given, and the usual values of the others.

    Raises TypeError for a keyword that it does not take, with the nearest that it does, and
    UsageError for a value of another type.
    """
    usual: dict[str, object] = vars(function)["usual"]
    kinds: dict[str, str] = vars(function)["kinds"]
    for name in options:
        if name not in usual:
            nearest = did_you_mean(name, inspect.signature(function).parameters)
            raise TypeError(
                f"{function.__qualname__}() got an unexpected keyword argument {name!r}{nearest}"
            )
    given = {name: plain(name, value, kinds[name]) for name, value in options.items()}
    return cast("Options", {**usual, **given})


def plain(name: str, value: object, kind: str) -> object:
    """Return the value of an argument of a kind such as ``int | None``. Others are read elsewhere.

    A whole number of another library becomes an int. Raises UsageError for a value of another type.

    >>> plain("n", 5, "int"), plain("seed", None, "int | None"), plain("game", "hex-5", "GameLike")
    (5, None, 'hex-5')
    """
    base = kind.removesuffix(" | None")
    if base not in _PLAIN or (value is None and base != kind):
        return value
    types, words = _PLAIN[base]
    if base == "int" and not isinstance(value, bool) and hasattr(value, "__index__"):
        return operator.index(value)
    if not isinstance(value, types) or (isinstance(value, bool) and base != "bool"):
        raise UsageError(f"{name} must be {words}, not {one_line(repr(value))}")
    return value


#: The plain types, and what they are called.
_PLAIN: dict[str, tuple[tuple[type, ...], str]] = {
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "str": ((str,), "a text"),
    "bool": ((bool,), "True or False"),
    "StoreLike": ((str, PathLike), "the name of a file"),
}


def type_text(annotation: object) -> str:
    """Return the type in an annotation as text."""
    kind: Any = getattr(annotation, "__origin__", annotation)
    if isinstance(kind, ForwardRef):
        return kind.__forward_arg__
    return kind.__name__ if isinstance(kind, type) else str(kind)
