"""Read ``OPTION=VALUE,...:ENVIRONMENT(parameter=value,...)``, the name of an environment."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from typing import Any, NamedTuple

from arena.errors import UsageError, quoted
from arena.game import MAX_MOVE

#: The most moves of a game unless the name says otherwise. An environment tells no number.
USUAL_PLIES = 10_000

#: The most moves that a name may say.
MOST_PLIES = 1_000_000

#: The number of seeds, each a move of chance, of an environment whose games differ by the seed.
USUAL_SEEDS = 1_000

#: An id of the library's registry, or a module and a function of it, with parameters.
_ENVIRONMENT = re.compile(r"([\w.-]+/[\w.-]+|[\w.]+:\w+)\s*(?:\((.*)\))?", re.ASCII)
_OPTIONS = re.compile(r"((?:open|(?:pays|plies|seeds)=[^:,]*)(?:,[^:,]*)*):(.*)", re.ASCII)
_PARAMETER = re.compile(r"\s*(\w+)\s*=\s*([^,\s][^,]*?)\s*", re.ASCII)
_PAYS = re.compile(r"([+-]?\d+(?:\.\d+)?)\.\.([+-]?\d+(?:\.\d+)?)", re.ASCII)
_COUNT = re.compile(r"[1-9]\d{0,8}", re.ASCII)


class EnvironmentName(NamedTuple):
    """The name of an environment, read."""

    #: The id in the library's registry, or ``module:function``.
    environment: str
    #: The arguments of the function that makes the environment.
    parameters: tuple[tuple[str, Any], ...] = ()
    #: Whether every seat sees all: then an observation is the position.
    is_open: bool = False
    #: The least and the most sum of a seat's rewards, which are its payoffs then.
    pays: tuple[Fraction, Fraction] | None = None
    plies: int = USUAL_PLIES
    #: The number of seeds; None to find out whether games differ by the seed.
    seeds: int | None = None

    @property
    def name(self) -> str:
        """The name of the game, always the same for the same rules."""
        options = ["open"] if self.is_open else []
        if self.pays:
            options.append(f"pays={'..'.join(map(_decimal, self.pays))}")
        if self.plies != USUAL_PLIES:
            options.append(f"plies={self.plies}")
        if self.seeds is not None:
            options.append(f"seeds={self.seeds}")
        before = f"{','.join(options)}:" if options else ""
        return f"pettingzoo:{before}{self.environment}{in_brackets(self.parameters)}"


def read(text: str) -> EnvironmentName:
    """Return what ``pettingzoo:TEXT`` says. Raises UsageError with what is wrong.

    >>> read("pays=-7..7,seeds=9:classic/leduc_holdem_v4(num_players=3)").name
    'pettingzoo:pays=-7..7,seeds=9:classic/leduc_holdem_v4(num_players=3)'
    """
    name = f"pettingzoo:{text}"
    options, environment = "", text
    if match := _OPTIONS.fullmatch(text):
        options, environment = match.group(1, 2)
    match = _ENVIRONMENT.fullmatch(environment)
    if match is None:
        raise UsageError(
            f"game {quoted(name)} names no environment: write an id, as in"
            " 'pettingzoo:classic/connect_four_v3', or a module and its function, as in"
            " 'pettingzoo:my_package.my_env:env'"
        )
    named = EnvironmentName(match[1], read_parameters(name, match[2] or ""))
    for option in filter(None, options.split(",")):
        named = _with(named, name, option)
    return named


def _with(named: EnvironmentName, name: str, option: str) -> EnvironmentName:
    """Return what is said with one more option. Raises UsageError for a wrong one."""
    key, _, value = option.partition("=")
    if option == "open":
        return named._replace(is_open=True)
    if key == "pays" and (match := _PAYS.fullmatch(value)):
        least, most = map(Fraction, match.group(1, 2))
        if least < most:
            return named._replace(pays=(least, most))
    if key == "plies" and _COUNT.fullmatch(value) and int(value) <= MOST_PLIES:
        return named._replace(plies=int(value))
    if key == "seeds" and _COUNT.fullmatch(value) and int(value) <= MAX_MOVE:
        return named._replace(seeds=int(value))
    raise UsageError(
        f"game {quoted(name)}: option {quoted(option)} is none of open, pays=LEAST..MOST,"
        f" plies=1 to {MOST_PLIES}, seeds=1 to {MAX_MOVE}"
    )


def read_parameters(name: str, text: str) -> tuple[tuple[str, Any], ...]:
    """Return the parameters in ascending order. Raises UsageError for one without a value."""
    parameters: dict[str, Any] = {}
    for part in text.split(",") if text.strip() else ():
        match = _PARAMETER.fullmatch(part)
        if match is None or match[1] in parameters:
            raise UsageError(f"game {quoted(name)}: {quoted(part)} is no parameter=value")
        parameters[match[1]] = _value(match[2])
    return tuple(sorted(parameters.items()))


def _value(text: str) -> Any:
    """Return a number, True, False or None, or else the text itself.

    >>> _value("3"), _value("false"), _value("fast")
    (3, False, 'fast')
    """
    if text in ("true", "false"):
        return text == "true"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, int | float | str | None) else text


def in_brackets(parameters: tuple[tuple[str, Any], ...]) -> str:
    """Return parameters as a name has them, empty without any."""
    values = ",".join(f"{key}={_written(value)}" for key, value in parameters)
    return f"({values})" if values else ""


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _decimal(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.15g}"
