"""Limit what one stranger can hold of the server: its connections, and how slowly it may ask."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Most connections, of all and of one address. A browser opens up to six.
MAX_CONNECTIONS = 400
MAX_CONNECTIONS_OF_ADDRESS = 100

#: How many times as many a contest has: a school has one address.
CROWD = 3

#: Most seconds from the first byte of a request, or from the connection, to its last header.
MAX_REQUEST_SECONDS = 10

_open: Counter[str] = Counter()


class Connection(H11Protocol):  # type: ignore[misc]
    """A connection that is closed if its request does not come, or if its address has too many."""

    #: How many times as many connections as usual an address may have.
    times = 1
    _timer: asyncio.TimerHandle | None = None
    _from = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override, unused-ignore]
        """Count the connection and wait for its request."""
        self._from = str((transport.get_extra_info("peername") or ("",))[0])
        _open[self._from] += 1
        super().connection_made(transport)
        if _open[self._from] > self.times * MAX_CONNECTIONS_OF_ADDRESS:
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, error: Exception | None) -> None:
        """Count it no more."""
        _open[self._from] -= 1
        if not _open[self._from]:
            del _open[self._from]
        self._stop()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; wait on if it is not whole."""
        super().data_received(data)
        if self._is_answering():
            self._stop()
        elif self._timer is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request, or its rest."""
        super().on_response_complete()
        if not self._is_answering() and self._timer is None:
            self._wait()

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(MAX_REQUEST_SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if not self._is_answering():
            self.transport.abort()


class CrowdedConnection(Connection):
    """A connection to a contest."""

    times = CROWD
