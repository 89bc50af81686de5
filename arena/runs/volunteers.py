"""Prepare a run that volunteers play."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from arena.executors.base import Executor
from arena.fights.pairing import RunSetting

if TYPE_CHECKING:
    from arena.store.journal import StoreJournal


def keeping_parts(executor: Executor, setting: RunSetting, journal: StoreJournal) -> Executor:
    """Return the executor. Have one whose workers are not trusted keep who plays what.

    The code of players leaves this machine only if the file of the contest says so.
    """
    keep_in = getattr(executor, "keep_in", None)
    if keep_in is not None:
        from arena.store.parts import Parts

        keep_in(Parts(journal), setting.contest is not None and sends_code(setting.contest.text))
    return executor


def sends_code(text: str) -> bool:
    """Return whether the text of a contest's file lets the code of players leave this machine."""
    from arena.volunteers.parts import SEND_CODE

    return tomllib.loads(text).get(SEND_CODE) is True
