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
from arena.plugins.web.security import Refused
from arena.records.base import Json

#: Seconds that an answer may take.
MAX_CLERK_SECONDS = 120.0

#: Seconds for which a page of games is not made again, and most pages that are kept.
MAX_PAGE_AGE_SECONDS = 10.0
MAX_KEPT_PAGES = 100

_COMMAND = (sys.executable, "-m", "arena.plugins.web.contest.clerk")


class Office:
    """Asks the clerk of a store. Every method may be called from any thread, and takes long."""

    def __init__(self, store: str, plugins: Sequence[str] = ()) -> None:
        self._setting = {"store": store, "plugins": list(plugins)}
        self._lock = Lock()
        self._clerk: subprocess.Popen[str] | None = None

    def ask(self, **asked: Any) -> Json:
        """Return an answer. Raises UsageError without one, StoreError if no clerk answers."""
        with self._lock:
            found = self._asked(json.dumps(asked))
        if "problem" in found:
            raise UsageError(found["problem"])
        return found

    def close(self) -> None:
        """End the clerk, also one that works."""
        if self._clerk is not None:
            self._clerk.kill()

    def _asked(self, text: str) -> Json:
        clerk = self._running()
        assert clerk.stdin is not None
        assert clerk.stdout is not None
        too_long = Timer(MAX_CLERK_SECONDS, clerk.kill)
        too_long.daemon = True
        too_long.start()
        try:
            clerk.stdin.write(text + "\n")
            clerk.stdin.flush()
            answer: Json = json.loads(clerk.stdout.readline())
        except (OSError, ValueError) as error:  # it has ended, or is ended
            clerk.kill()
            raise StoreError("the page could not be made now: try again") from error
        finally:
            too_long.cancel()
        return answer

    def _running(self) -> subprocess.Popen[str]:
        """Return the clerk, started again if it has ended."""
        if self._clerk is None or self._clerk.poll() is not None:
            self._clerk = subprocess.Popen(  # noqa: S603 - arena's own
                _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
            assert self._clerk.stdin is not None
            self._clerk.stdin.write(json.dumps(self._setting) + "\n")
        return self._clerk


class Pages:
    """Keeps pages for a while; each asker has one in the making at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, tuple[float, str]] = OrderedDict()
        self._making: set[object] = set()

    def get(self, key: object) -> str | None:
        """Return a page that is not too old."""
        made, text = self._kept.get(key, (0.0, None))
        return text if text is not None and now() - made < MAX_PAGE_AGE_SECONDS else None

    def keep(self, key: object, text: str) -> None:
        """Keep a page."""
        self._kept[key] = now(), text
        self._kept.move_to_end(key)
        while len(self._kept) > MAX_KEPT_PAGES:
            self._kept.popitem(last=False)

    def begin(self, who: object) -> None:
        """Note that a page is made for somebody. Raises Refused if one is already."""
        if who in self._making:
            raise Refused(429, "a page is being made for you already: wait for it")
        self._making.add(who)

    def end(self, who: object) -> None:
        """Note that it is made."""
        self._making.discard(who)
