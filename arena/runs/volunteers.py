"""Prepare a run that volunteers play."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from arena.executors.base import Executor
from arena.fights.pairing import Setting

if TYPE_CHECKING:
    from arena.store.journal import Journal


def keeping_parts(executor: Executor, setting: Setting, journal: Journal) -> Executor:
    """Return the executor. Have one whose workers are not trusted keep who plays what.

    The code of players leaves this machine only if the file of the contest says so.
    """
    keep_in = getattr(executor, "keep_in", None)
    if keep_in is not None:
        from arena.store.parts import Parts

        keep_in(Parts(journal), _sends_code(setting))
    return executor


def _sends_code(setting: Setting) -> bool:
    from arena.volunteers.parts import SEND_CODE

    if setting.contest is None:
        return False
    return tomllib.loads(setting.contest.text).get(SEND_CODE) is True
