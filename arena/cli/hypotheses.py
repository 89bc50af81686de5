"""Add the options of a sequential test, and define the exit code of its decision."""

from __future__ import annotations

from argparse import Namespace

from arena.cli.fields import Field, field, number
from arena.cli.running import UNDECIDED
from arena.errors import UsageError
from arena.inputs.options import DEFAULT_CAP

#: The exit code of each decision.
CODES = {"H1": 0, "H0": 1, "continue": UNDECIDED}

_NAMES = ("elo0", "elo1", "alpha", "beta", "model")


def hypotheses(elo0: float | None, elo1: float | None, asks: bool = False) -> dict[str, Field]:
    """Return ``--elo0`` to ``--model``. Both Elos are required where there is no default."""
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
    answer = ", or of a wrong answer to --until" * asks
    for name, wrongly, more in (("alpha", "H1", answer), ("beta", "H0", "")):
        fields[name] = field(
            f"--{name}",
            type=number,
            metavar="P",
            help=f"probability of accepting {wrongly} wrongly{more} (default: 0.05)",
        )
    fields["model"] = field(
        "--model",
        metavar="MODEL",
        help="what elo0 and elo1 are: logistic or normalized (default: logistic)",
    )
    return fields


def question() -> dict[str, Field]:
    """Return ``--until`` and ``--margin``."""
    return {
        "until": field(
            "--until",
            metavar="WHAT",
            help="play until the question is answered: ±2%% (the half-width of the interval), or"
            " better (which player is); -n is then the maximum number of pairs (default:"
            f" {DEFAULT_CAP})",
        ),
        "margin": field(
            "--margin",
            type=number,
            metavar="M",
            help="with --until: also stop once the score is known to lie within M of one half, in"
            " points per game",
        ),
    }


def refuse_rules(arguments: Namespace) -> None:
    """Raise UsageError if an option was given without the rule that it goes with."""
    if arguments.sprt and arguments.until is not None:
        raise UsageError("--sprt and --until are two rules: leave one of them out")
    if arguments.exact and (arguments.sprt or arguments.until is not None):
        rule = "--sprt" if arguments.sprt else "--until"
        raise UsageError(f"--exact needs no test: it takes the place of {rule}")
    if arguments.until is None and arguments.margin is not None:
        raise UsageError("--margin goes with --until")
    shared = ("alpha",) if arguments.until is not None else ()
    for name in _NAMES:
        if not arguments.sprt and name not in shared and getattr(arguments, name) is not None:
            raise UsageError(f"--{name} goes with --sprt{' or --until' * (name == 'alpha')}")
