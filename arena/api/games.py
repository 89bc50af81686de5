"""List the games of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.api.common import StoreLike
from arena.api.runs import export
from arena.errors import UnknownName, UsageError
from arena.plugin.catalogue import Catalogue
from arena.records.base import Json
from arena.records.listings import Listing

#: What a game may have been for a player.
RESULTS = ("won", "drawn", "lost")


def browse(
    store: StoreLike,
    runs: Sequence[int] = (),
    *,
    player: str | None = None,
    result: str | None = None,
    reason: str | None = None,
    catalogue: Catalogue | None = None,
) -> Listing:
    """List the games of a store with their moves, by default those of every run.

    Keep those of a ``player``, those that it ``won``, has ``drawn`` or ``lost``, and those that
    ended by a forfeit for a ``reason``, such as ``timeout``.
    """
    if result not in (None, *RESULTS):
        raise UnknownName("result", str(result), RESULTS)
    if result is not None and player is None:
        raise UsageError(f"games that are {result} need a player: who has {result} them?")
    found = [row for run in export(store, runs, catalogue).runs for row in _rows(run)]
    _require("player", player, {name for row in found for name in (row["first"], row["second"])})
    _require("reason of a forfeit", reason, {row["reason"] for row in found if row["reason"]})
    rows = [
        row
        for row in found
        if (player is None or player in (row["first"], row["second"]))
        and (result is None or result == _result(row, str(player)))
        and (reason is None or reason == row["reason"])
    ]
    numbered = tuple({"n": n, **row} for n, row in enumerate(rows, start=1))
    columns = ("n", "run", "game", "winner", "reason", "moves")
    return Listing("stored-games", numbered, columns)


def _rows(run: Json) -> Iterator[Json]:
    for fight in run["fights"]:
        for game in fight["games"]:
            first, second = game["players"]
            winner = {"first": first, "second": second}.get(game["outcome"])
            yield {
                "run": run["run"],
                "game": game["game_id"],
                "first": first,
                "second": second,
                "winner": winner,
                "result": "draw" if winner is None else f"{winner} wins",
                "reason": game["reason"],
                "message": game["message"],
                "plies": len(game["moves"]),
                "moves": " ".join(game["moves"]),
                "seconds": game["seconds"],
            }


def _result(row: Json, player: str) -> str:
    """Say what a game was for a player; one against itself is ``won``."""
    if row["winner"] is None:
        return "drawn"
    return "won" if row["winner"] == player else "lost"


def _require(kind: str, name: str | None, known: set[str]) -> None:
    if name is not None and name not in known:
        raise UnknownName(kind, name, known)
