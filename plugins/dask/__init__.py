"""Play on many machines: ``--executor dask``, ``dask:tcp://host:8786``, ``dask:scheduler.json``.

The library is optional. Arena imports it when the user names this executor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registers import ExecutorRegister

if TYPE_CHECKING:
    from arena.plugins.dask.executor import DaskExecutor


def make(workers: int, address: str) -> DaskExecutor:
    """Return an executor on a cluster of its own, or on that of an address or a scheduler file.

    Raises UsageError if the library is missing, or the address cannot be one.
    """
    from arena.plugins.dask.cluster import require_address, require_library

    require_library()
    from arena.plugins.dask.executor import DaskExecutor

    return DaskExecutor(workers, require_address(address) if address else "")


@hookimpl
def arena_register_executors(register: ExecutorRegister) -> None:
    register("dask", make, argument="ADDRESS")
