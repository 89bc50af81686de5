"""Notice that a browser is gone: a page was closed while the server waits for news."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

T = TypeVar("T")


async def departure(request: Request) -> None:
    """Wait until the browser has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """Return what the work returns. Cancel it and return None if the browser leaves before."""
    leaves, works = asyncio.create_task(departure(request)), asyncio.create_task(work)
    try:
        await asyncio.wait((leaves, works), return_when=asyncio.FIRST_COMPLETED)
        return works.result() if works.done() else None
    finally:
        leaves.cancel()
        works.cancel()
