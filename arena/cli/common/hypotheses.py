"""The options of a sequential test, and what its decision means as an exit code."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError, Namespace

from arena.cli.common.fields import Field, field
from arena.errors import UsageError, quoted
from arena.stats.sprt import MODELS

#: The exit code of each decision.
CODES = {"H1": 0, "H0": 1, "continue": 3}

_NAMES = ("elo0", "elo1", "alpha", "beta", "model")


def hypotheses(elo0: float | None, elo1: float | None) -> dict[str, Field]:
    """Return ``--elo0`` to ``--model``; both Elos must be given where there is no default."""
    fields = {}
    for name, default, which in (("elo0", elo0, "H0"), ("elo1", elo1, "H1")):
        shown = "" if default is None else f" (default: {default:g})"
        fields[name] = field(
            f"--{name}",
            type=number,
            required=default is None,
            metavar="ELO",
            help=f"the difference in Elo if {which} is true{shown}",
        )
    for name, wrongly in (("alpha", "H1"), ("beta", "H0")):
        fields[name] = field(
            f"--{name}",
            type=number,
            metavar="P",
            help=f"probability of accepting {wrongly} wrongly (default: 0.05)",
        )
    fields["model"] = field(
        "--model",
        metavar="MODEL",
        help=f"what elo0 and elo1 are: {' or '.join(MODELS)} (default: logistic)",
    )
    return fields


def refuse_hypotheses(arguments: Namespace) -> None:
    """UsageError if one was given although there is no test."""
    for name in _NAMES:
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} goes with --sprt")


def number(text: str) -> float:
    """Return an argument type: a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"must be a number, not {quoted(text)}")
    return value
