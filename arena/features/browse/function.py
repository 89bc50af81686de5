"""List the games of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Unpack

from arena.errors import UnknownName, UsageError
from arena.features.browse.options import BrowseOptions
from arena.features.export.function import export
from arena.inputs.resolve import StoreLike
from arena.model.columns import keyed_rows
from arena.player.names import name_meant
from arena.records.base import Json
from arena.records.listings import Listing
from arena.reports.columns.games import IMPORTED, RunGame, game_columns, game_rows
from arena.seats import beaten
from arena.signatures import complete, takes


@takes(BrowseOptions)
def browse(store: StoreLike, runs: Sequence[int] = (), **options: Unpack[BrowseOptions]) -> Listing:
    """List the games of a store with their moves, by default those of every run.

    Keep those of a ``player``, by its name or the short one of tables, those that it ``won``, has
    ``drawn`` or ``lost``, and those that ended by a forfeit for a ``reason``, such as ``timeout``.
    The games of a player that has left a run are among them. Games that were played elsewhere are
    in a list of their own, if no run is named; they have no ids.
    """
    options = complete(browse, options)
    player, result, reason = options["player"], options["result"], options["reason"]
    if result is not None and player is None:
        raise UsageError(f"games that are {result} need a player: which one has {result} them?")
    exported = export(store, runs, options["catalogue"])
    games = [row for run in exported.runs for row in _rows(run)]
    elsewhere = [*_imported_rows(exported.imports)]
    players = [player_row for run in exported.runs for player_row in run["players"]]
    names = {name for row in (*games, *elsewhere) for name in _players_of(row)}
    names |= {player_row["name"] for player_row in players}
    if player is not None:
        player = name_meant(player, names)
        if player not in names:
            raise UnknownName("player", player, names)

    def is_asked_for(row: Json) -> bool:
        return (
            (player is None or player in _players_of(row))
            and (result is None or result == _result(row, str(player)))
            and (reason is None or reason == row.get("reason"))
        )

    imported = _imported_listing([*filter(is_asked_for, elsewhere)])
    rows = tuple({"n": n, **row} for n, row in enumerate(filter(is_asked_for, games), start=1))
    of_run = ["run"] if len({row["run"] for row in rows}) > 1 else []
    ended = ["reason", *["adjudicated"] * any(row["adjudicated"] for row in rows)]
    specs, limits = (_agreed_values(players, key) for key in ("spec", "limits"))
    return Listing(
        "games",
        rows,
        ("n", *of_run, "game", "result", *ended, "moves"),
        schema="arena.browse/1",
        specs=specs,
        limits=limits,
        more=(imported,) if elsewhere else (),
    )


def _rows(run: Json) -> Iterator[Json]:
    games = [*game_rows(run, (*run["fights"], *run.get("left_out", ())))]
    for row, values in zip(games, keyed_rows(game_columns(games), games), strict=True):
        yield {"run": run["run"], **values, **_seated(row.game), "seconds": row.game["seconds"]}


def _seated(game: Json) -> Json:
    """Return chance's moves and the payoffs of a game, who sat at a table and who forfeited."""
    names = game["players"]
    details: Json = {key: game[key] for key in ("chance", "payoffs") if key in game}
    if len(names) == 2:
        return details
    forfeited = [names[forfeit["seat"]] for forfeit in game.get("forfeits", ())]
    return {"players": names, **details, "forfeited": forfeited}


def _players_of(row: Json) -> Sequence[str]:
    """Return the players of a game, by seat."""
    players: Sequence[str] = row.get("players") or (row["first"], row["second"])
    return players


def _imported_rows(imports: Iterable[Mapping[str, Any]]) -> Iterator[Json]:
    for imported in imports:
        games = imported["games"]
        rows = keyed_rows(IMPORTED, [RunGame(game, {}) for game in games])
        for game, values in zip(games, rows, strict=True):
            place = {"import": imported["import"], "line": game["line"], "game": game["game"]}
            yield {**place, **values}


def _imported_listing(rows: Sequence[Json]) -> Listing:
    title = "Games that were played elsewhere, from files"
    columns = ("import", "line", "game", "first", "second", "result", "moves")
    return Listing("imported", tuple(rows), columns, title=title)


def _agreed_values(players: Iterable[Json], key: str) -> dict[str, Any]:
    """Return what players have under a key, by name, or nothing where two of one name differ."""
    values: dict[str, list[Any]] = {}
    for player in players:
        player_values = values.setdefault(player["name"], [])
        if player[key] not in player_values:
            player_values.append(player[key])
    return {name: value for name, (value, *others) in values.items() if value and not others}


def _result(row: Json, player: str) -> str:
    """Say what a game was for a player. One against itself is ``won``.

    At a table a player has lost if another was paid more.
    """
    if len(_players_of(row)) > 2 and player in beaten(row["players"], row["payoffs"]):
        return "lost"
    if row["winner"] is None:
        return "drawn"
    return "won" if row["winner"] == player else "lost"
