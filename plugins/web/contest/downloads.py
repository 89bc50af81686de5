"""Give the owner of a contest its grades, its hand-ins, its report, and what is similar."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

import arena
from arena import escape
from arena.errors import UsageError, quoted
from arena.plugins.web.aside import aside
from arena.plugins.web.contest.entry import require_owner
from arena.plugins.web.contest.standings import PageClient, Standings
from arena.plugins.web.site import Site
from arena.records.contests import ContestRow

#: The columns of the grades, and the keys of a row of standings that some have.
GRADES = {
    "rank": "rank",
    "rank_low": "low",
    "rank_high": "high",
    "score": "score",
    "value": "worth",
    **{key: key for key in ("value_low", "value_high")},
    **{key: key for key in ("games", "wins", "draws", "losses", "forfeits", "hand_in")},
}

#: Bytes of a zip in memory, and those that are sent at a time.
MAX_BYTES_IN_MEMORY, CHUNK_BYTES = 1 << 23, 1 << 16


class Downloads:
    """The files that the owner takes home."""

    def __init__(
        self, site: Site, contest: arena.plugin.HostedContest, standings: Standings
    ) -> None:
        self._site, self._contest, self._standings = site, contest, standings
        # A report takes long: the standings have a process of their own.
        self._client = PageClient(contest.store, site.catalogue.files)

    def routes(self) -> list[BaseRoute]:
        """Return the routes to the files, and to the page of what is similar."""
        return [
            Route("/owner/grades.csv", self.grades),
            Route("/owner/hand-ins.zip", self.archive),
            Route("/owner/report.html", self.report),
            Route("/owner/similar", self.similar),
            Route("/owner/hand-ins/{entrant}/{number:number}/file", self.file),
        ]

    def close(self) -> None:
        """End the process that reads the store."""
        self._client.close()

    async def grades(self, request: Request) -> Response:
        """Send a table of all entrants, those that have not handed in too."""
        require_owner(request)
        hand_ins = await aside(partial(self._contest.hand_ins, brief=True))
        standings = (await self._standings.latest()).by_player
        text = grades_csv(self._contest.entrants, standings, hand_ins, self._contest.setup.seats)
        return _attached(text.encode(), f"{self._contest.name}-grades.csv", "text/csv")

    async def archive(self, request: Request) -> Response:
        """Send all hand-ins as a zip."""
        require_owner(request)
        file = cast("IO[bytes]", SpooledTemporaryFile(MAX_BYTES_IN_MEMORY))  # noqa: SIM115
        await aside(self._contest.write_archive, file)
        headers = _attachment(f"{self._contest.name}-hand-ins.zip")
        return StreamingResponse(_chunks(file), 200, headers, "application/zip")

    async def report(self, request: Request) -> Response:
        """Send the page of the whole contest. It has no seed as long as hand-ins are open."""
        require_owner(request)
        status = await aside(self._contest.status)
        if status.run is None:
            raise UsageError("no game was played yet")
        ask = partial(self._client.ask, run=status.run, hides_seed=not status.closed)
        text: str = (await aside(partial(ask, ask="report")))["html"]
        return _attached(text.encode(), f"{self._contest.name}.html", "text/html; charset=utf-8")

    async def similar(self, request: Request) -> Response:
        """Show which hand-ins of different entrants are similar."""
        require_owner(request)
        question = {"contest": self._contest.number, "run": self._contest.run}
        answer = await aside(partial(self._client.ask, ask="similar", **question))
        return self._site.page(request, "contest/similar.html", "Similar hand-ins", **answer)

    async def file(self, request: Request) -> Response:
        """Send a hand-in as its author has sent it."""
        require_owner(request)
        entrant, number = request.path_params["entrant"], request.path_params["number"]
        hand_ins = await aside(partial(self._contest.hand_ins, entrant, brief=True))
        hand_in = next((each for each in hand_ins if each.number == number), None)
        if hand_in is None:
            raise UsageError(f"{quoted(entrant)} has no hand-in {number}")
        content = await aside(self._contest.content, hand_in)
        return _attached(content, f"{entrant}-{number}-{hand_in.filename}")


def grades_csv(
    entrants: Sequence[str],
    standings: Mapping[str, ContestRow],
    hand_ins: Sequence[arena.records.HandIn],
    seats: int = 2,
) -> str:
    """Return a row for each entrant in their order. ``hand_ins`` are the newest first.

    The score is points over games, or the payoff per game in a game that has payoffs. Entrants are
    ranked by the value: the mean of the scores against each other player where the contest ranks by
    that, and else the score. A game with more than two ``seats`` has places.
    """
    keys = {**GRADES, "place": "place"} if seats > 2 else GRADES
    last: dict[str, arena.records.HandIn] = {}
    for hand_in in hand_ins:
        last.setdefault(hand_in.entrant, hand_in)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["entrant", *keys, "hand_ins", "last_received", "last_state"])
    for name in entrants:
        row = standings.get(name)
        cells: list[Any] = [name, *(getattr(row, key, None) for key in keys.values())]
        if name in last:
            cells += [last[name].number, last[name].received, last[name].state]
        else:
            cells += [0, None, None]
        writer.writerow(map(escape.csv_cell, cells))
    return out.getvalue()


def _attachment(name: str) -> dict[str, str]:
    """Return the header that has a browser save an answer under a name."""
    return {"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def _attached(content: bytes, name: str, kind: str = "application/octet-stream") -> Response:
    return Response(content, 200, _attachment(name), kind)


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Yield the content of a file from its beginning, and close it."""
    with file:
        file.seek(0)
        while chunk := await aside(file.read, CHUNK_BYTES):
            yield chunk
