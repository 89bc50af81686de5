"""Call functions that take long, in threads that do not keep the server from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


async def aside(function: Callable[..., T], *arguments: Any) -> T:
    """Return what a function returns that another thread calls.

    The interpreter waits at its end for the threads of usual executors. It does not for these.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def work() -> None:
        try:
            result = function(*arguments)
        except BaseException as error:
            deliver: Callable[[], None] = lambda error=error: _tell(future, error=error)  # type: ignore[misc]  # noqa: E731
        else:
            deliver = lambda: _tell(future, result)  # noqa: E731
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(deliver)

    Thread(target=work, daemon=True).start()
    return await future


def _tell(
    future: asyncio.Future[T], result: Any = None, error: BaseException | None = None
) -> None:
    if future.done():  # it is not waited for any more
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
