"""Look at the signatures of functions, and give them keywords that are declared once.

:func:`misfit` tells whether a stranger's function can be called as it is meant to be, without
calling it.

A key of a TypedDict, ``Annotated`` with an :class:`Option`, declares an option: its flag, keyword,
key in a contest's file, default, bounds and help. A function takes the options as
``**options: Unpack[PlayOptions]`` under :func:`takes`, which has ``help()`` and
``inspect.signature`` show the keywords one by one. It reads them with :func:`complete`, which
checks them and adds the defaults.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from types import CodeType, FunctionType
from typing import Any, ForwardRef, TypeVar, cast

from arena.dataclass import dataclass
from arena.errors import class_name, did_you_mean, one_line
from arena.kinds import FILE, FINITE, SWITCH, TEXT, Kind, check_value

Function = TypeVar("Function", bound=Callable[..., Any])
Options = TypeVar("Options", bound=Mapping[str, object])

#: The topics of the help, in their order.
TOPICS = (
    "what is played",
    "when it is over",
    "how it is played",
    "what is kept",
    "what is shown",
)
TOPIC_PLAYED, TOPIC_OVER, TOPIC_HOW, TOPIC_KEPT, TOPIC_SHOWN = TOPICS

#: The kinds of values that types mean. A whole number has bounds, so its option declares them.
_KINDS = {"float": FINITE, "str": TEXT, "bool": SWITCH, "StoreLike": FILE}


#: What a keyword is called elsewhere, with the keyword that it means here and where it is so.
_OTHER_WORDS = {"pairs": ("n", "pairs is the key of contest files")}


@dataclass(frozen=True)
class Option:
    """A declaration of an option: the keyword, the flag and the key of a contest follow from it."""

    #: The default. None also means that a value of None is allowed.
    default: object = None
    #: The flag of the commands and its value, as in ``--seed S``; empty for a keyword alone.
    usage: str = ""
    #: The help, without a default that ``text`` can add.
    help: str = ""
    #: The title in the help that the flag stands under, one of ``TOPICS``.
    topic: str = ""
    #: The key in a contest's file, if it is not the word of the flag; None without a key.
    key: str | None = ""
    #: The values that are allowed, by default those of the type. None if no kind says it.
    kind: Kind | None = None

    @property
    def flag(self) -> str:
        """The flag of the commands."""
        return self.usage.partition(" ")[0]

    @property
    def metavar(self) -> str:
        """The name of the flag's value in the help, or empty for a switch."""
        return self.usage.partition(" ")[2]

    @property
    def contest_key(self) -> str:
        """The key in a contest's file, if tournaments have the option, or empty without one."""
        return "" if self.key is None else self.key or self.flag.removeprefix("--")

    @property
    def text(self) -> str:
        """The help, with the default unless it says that itself."""
        if isinstance(self.default, bool | tuple | None) or "default" in self.help:
            return self.help
        default = self.default
        return f"{self.help} (default: {f'{default:g}' if type(default) is float else default})"

    def check(self, name: str, value: object) -> object:
        """Return the value of the keyword of this name. Raises UsageError for a bad one."""
        if self.kind is None or (value is None and self.default is None):
            return value
        return check_value(name, self.kind, value)


@cache
def declared(options: type) -> dict[str, Option]:
    """Return the options that a TypedDict declares, by keyword. Do not change the answer."""
    return {
        name: _with_kind(getattr(annotation, "__metadata__", (Option(),))[0], annotation)
        for name, annotation in options.__annotations__.items()
    }


def _with_kind(option: Option, annotation: object) -> Option:
    if option.kind is not None:
        return option
    return replace(option, kind=_KINDS.get(type_text(annotation).removesuffix(" | None")))


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


def takes(options: type) -> Callable[[Function], Function]:
    """Show the options that a TypedDict declares as a function's keywords.

    A parameter of the function that has the name of one stays where it is, with its own default.
    The function itself is returned, so that no call grows by a frame.
    """
    annotations = options.__annotations__
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=type_text(annotations[name]),
        )
        for name, option in declared(options).items()
    ]

    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        parameters = [
            p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        others = [p for p in keywords if p.name not in signature.parameters]
        vars(function)["__signature__"] = signature.replace(parameters=[*parameters, *others])
        vars(function)["options"] = options
        return function

    return show


def complete(function: Callable[..., Any], options: Options) -> Options:
    """Return the options that a function was called with, and the defaults of the others.

    Raises TypeError for a keyword that it does not take, with the nearest that it does, and
    UsageError for a value that the declaration does not allow.
    """
    declarations = declared(vars(function)["options"])
    for name in options:
        if name not in declarations:
            nearest = _meant(name, inspect.signature(function).parameters)
            raise TypeError(
                f"{function.__qualname__}() got an unexpected keyword argument {name!r}{nearest}"
            )
    values = {
        name: option.check(name, options[name]) if name in options else option.default
        for name, option in declarations.items()
    }
    return cast("Options", values)


def _meant(name: str, parameters: Iterable[str]) -> str:
    """Return a hint at the parameter that a caller means, or an empty text."""
    word, reason = _OTHER_WORDS.get(name, ("", ""))
    if word in parameters:
        return f", did you mean {word!r}? ({reason})"
    return did_you_mean(name, parameters)


def type_text(annotation: object) -> str:
    """Return the type in an annotation as text."""
    kind: Any = getattr(annotation, "__origin__", annotation)
    if isinstance(kind, ForwardRef):
        return kind.__forward_arg__
    return kind.__name__ if isinstance(kind, type) else str(kind)
