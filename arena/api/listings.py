"""List what is installed: games, players and plugins."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arena.errors import UnknownName
from arena.player import PlayerInfo, summary_of
from arena.plugin.catalogue import Catalogue, PluginInfo
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.records.listings import Details, Listing

#: A longer text of a position is not in the page of its game, whose picture shows it.
MAX_START = 60


def installed_games(catalogue: Catalogue | None = None, details: bool = False) -> Listing:
    """List the families of games; ``details`` of single games are in its page, not in its JSON.

    >>> "connect4" in [row["name"] for row in installed_games().rows]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple({"name": name, "summary": family.summary} for name, family in catalogue.families)
    known = _details(catalogue) if details else {}
    return Listing("games", rows, ("name", "summary"), details=known)


def _details(catalogue: Catalogue) -> dict[str, Json]:
    """Return the size of each game that has no parameters, and its players."""
    found = {}
    for name, family in catalogue.families:
        if family.blanks:
            continue
        game = catalogue.game(name)
        found[name] = {
            "first moves": len(game.start().legal_moves()),
            "longest game": f"{game.max_plies} plies",
            "players": [info.name for _, info in catalogue.players if info.plays(game)],
        }
    return found


def installed_players(catalogue: Catalogue | None = None) -> Listing:
    """List the players, and the plugins that were left out.

    >>> "monkey" in [row["name"] for row in installed_players().rows]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple(_player(info) for _, info in catalogue.players)
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    return Listing("players", rows, ("name", "games", "summary"), broken)


def installed_plugins(catalogue: Catalogue | None = None) -> Listing:
    """List the plugins with their hooks, and those that were left out.

    >>> "hooks" in installed_plugins().rows[0]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple(map(_plugin, catalogue.plugins))
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    return Listing("plugins", rows, ("name", "offers", "from"), broken)


def describe_plugin(plugin: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a plugin. Raises UsageError for an unknown one.

    >>> describe_plugin("minimax").row["offers"]
    ['player minimax']
    """
    found = {own.name: own for own in (catalogue or load_catalogue()).plugins}
    if plugin not in found:
        raise UnknownName("plugin", plugin, found)
    columns = ("offers", "hooks", "from", "file")
    return Details("plugins", _plugin(found[plugin]), columns, title=plugin)


def describe_player(player: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a player, without a game. Raises UsageError for an unknown one.

    >>> describe_player("triples").row["stateless"]
    True
    """
    catalogue = catalogue or load_catalogue()
    info = catalogue.player(player)
    more = {
        "only_named": info.only_named,
        "batch": info.choose_batch is not None,
        "from": f"{info.package} {info.version}".strip() or info.file,
    }
    columns = ("summary", "games", "options", "claims", "deterministic", "stateless", *more)
    return Details("players", {**_player(info), **more}, columns, title=info.name)


def describe_game(game: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a game, with the players of it and their claims.

    >>> describe_game("connect4").row["board"]
    '7 by 6'
    """
    catalogue = catalogue or load_catalogue()
    found = catalogue.game(game)
    start = found.start()
    players = [info for _, info in catalogue.players if info.plays(found)]
    claims = [f"{info.name} {claim}" for info in players for claim in info.claims]
    offers = catalogue.families.offers()
    family, source = next(own for own in offers if own[0].match(game) is not None)
    row = {
        "name": found.name,
        "summary": family.summary,
        "board": f"{found.columns} by {found.rows}" if found.columns else "",
        "longest_game": found.max_plies,
        "first_moves": [start.write_move(move) for move in start.legal_moves()],
        "start": str(start),
        "players": [info.name for info in players],
        "claims": [claim for claim in claims if claim.endswith(f":{found.name}")],
        "template": family.template,
        "version": found.version,
        "from": source,
    }
    hidden = {"name"} if len(str(start)) <= MAX_START else {"name", "start"}
    columns = tuple(column for column in row if column not in hidden)
    return Details("games", row, columns, title=found.name, picture=start.picture())


def _plugin(plugin: PluginInfo) -> dict[str, Any]:
    return {
        "name": plugin.name,
        "package": plugin.package,
        "version": plugin.version,
        "file": plugin.file,
        "hooks": list(plugin.hooks),
        "offers": list(plugin.offers),
        "from": f"{plugin.package} {plugin.version}".strip(),
    }


def _player(info: PlayerInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "version": info.version,
        "distribution": info.package,
        "games": list(info.games),
        "deterministic": info.deterministic,
        "stateless": info.stateless,
        "claims": list(info.claims),
        "summary": info.summary,
        "options": None if info.options is None else summary_of(info.options),
    }
