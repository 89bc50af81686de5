"""Say how a run is resumed."""

from __future__ import annotations

import shlex
from dataclasses import replace

from arena.inputs.options import PGN
from arena.inputs.service_options import ServiceOptions
from arena.plugin.observers import Observers


class _RerunOptions(ServiceOptions, total=False):
    """The options that ``arena resume`` must be given again."""

    pgn: PGN


def resumed_alike(observers: Observers, options: _RerunOptions) -> Observers:
    """Return the observers of a run that know the options with which ``arena resume`` goes on.

    A store does not keep them: they are for one command.
    """
    given: dict[str, object] = {
        "--pgn": options["pgn"],
        "--in-flight": options["in_flight"],
        "--budget": options["budget"],
        "--record": options["record"],
    }
    words = [
        f"{name} {shlex.quote(str(value))}" for name, value in given.items() if value is not None
    ]
    if options["replay_only"]:
        words.append("--replay-only")
    return replace(observers, resume_options=tuple(words))
