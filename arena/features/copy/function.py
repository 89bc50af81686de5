"""Copy what one store has to another one."""

from __future__ import annotations

from arena.features.copy.record import CopyReport
from arena.inputs.resolve import StoreLike


def copy_store(source: StoreLike, target: StoreLike) -> CopyReport:
    """Copy all that a store has to another, as it is at one moment.

    These are its runs, regression runs, imports and contests. It makes the other one if need be.

    Each is written in one transaction, under the next number there, and read back before that
    ends. Nothing is overwritten: a part that is there already, identical, is not copied again, so
    an interrupted copy goes on. A run that a process plays is copied as far as it is. Raises
    UsageError and StoreError for a store that cannot be used.
    """
    from arena.features.copy.copying import copy
    from arena.store.sql import Store, open_to_read

    first = open_to_read(source)
    second = Store(target, create=True)
    return CopyReport(first.name, second.name, tuple(copy(first, second)))
