"""Ask the process that reads the store for the pages of a contest, one thing at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock, Timer
from typing import Any

from arena.clock import now
from arena.errors import StoreError, UsageError
from arena.plugins.web.security import RequestRefused
from arena.records.base import Json

#: Seconds that the process may take for an answer.
MAX_PAGE_SECONDS = 120.0

#: Seconds for which a page of games is not made again, and most pages that are kept.
MAX_PAGE_AGE_SECONDS = 10.0
MAX_KEPT_PAGES = 100

_COMMAND = (sys.executable, "-m", "arena.plugins.web.contest.page_process")


class PageClient:
    """Asks the page process of a store. Any thread may call a method, which takes long."""

    def __init__(self, store: str, plugins: Sequence[str] = ()) -> None:
        self._setting = {"store": store, "plugins": list(plugins)}
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None

    def ask(self, **question: Any) -> Json:
        """Return an answer. Raises UsageError without one, StoreError if the process is silent."""
        with self._lock:
            answer = self._answer(json.dumps(question))
        if "problem" in answer:
            raise UsageError(answer["problem"])
        return answer

    def close(self) -> None:
        """End the process, even while it works."""
        if self._process is not None:
            self._process.kill()

    def _answer(self, text: str) -> Json:
        process = self._running_process()
        assert process.stdin is not None
        assert process.stdout is not None
        too_long = Timer(MAX_PAGE_SECONDS, process.kill)
        too_long.daemon = True
        too_long.start()
        try:
            process.stdin.write(text + "\n")
            process.stdin.flush()
            answer: Json = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:  # it has ended, or is ended
            process.kill()
            raise StoreError("the page could not be made now: try again") from error
        finally:
            too_long.cancel()
        return answer

    def _running_process(self) -> subprocess.Popen[str]:
        """Return the process, started again if it has ended."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603 - arena's own
                _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(self._setting) + "\n")
        return self._process


class PageCache:
    """Keeps pages for a while; each reader has one in the making at a time."""

    def __init__(self) -> None:
        self._pages: OrderedDict[object, tuple[float, str]] = OrderedDict()
        self._making: set[object] = set()

    def get(self, key: object) -> str | None:
        """Return a page that is not too old."""
        created, text = self._pages.get(key, (0.0, None))
        return text if text is not None and now() - created < MAX_PAGE_AGE_SECONDS else None

    def keep(self, key: object, text: str) -> None:
        """Keep a page."""
        self._pages[key] = now(), text
        self._pages.move_to_end(key)
        while len(self._pages) > MAX_KEPT_PAGES:
            self._pages.popitem(last=False)

    def begin(self, reader: object) -> None:
        """Note that a page is being made for a reader. Raises RequestRefused if one is already."""
        if reader in self._making:
            raise RequestRefused(429, "a page is being made for you already: wait for it")
        self._making.add(reader)

    def end(self, reader: object) -> None:
        """Note that the page of a reader is made."""
        self._making.discard(reader)
