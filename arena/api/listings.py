"""What is installed: games, players and plugins."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arena.player import PlayerInfo, summary_of
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.listings import Details, Listing


def installed_games(catalogue: Catalogue | None = None) -> Listing:
    """List the families of games.

    >>> "connect4" in [row["name"] for row in installed_games().rows]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple({"name": name, "summary": family.summary} for name, family in catalogue.families)
    return Listing("games", rows, ("name", "summary"))


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
    rows = tuple(
        {**asdict(plugin), "from": f"{plugin.package} {plugin.version}".strip()}
        for plugin in catalogue.plugins
    )
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    return Listing("plugins", rows, ("name", "offers", "from"), broken)


def describe_player(player: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a player, without a game. Raises UsageError for an unknown one.

    >>> describe_player("triples").row["stateless"]
    True
    """
    row = _player((catalogue or load_catalogue()).player(player))
    return Details("players", row, tuple(row)[1:], title=row["name"])


def describe_game(game: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a game, with the players of it and their claims.

    >>> describe_game("tictactoe").row["version"]
    1
    """
    catalogue = catalogue or load_catalogue()
    found = catalogue.game(game)
    start = found.start()
    players = [info for _, info in catalogue.players if info.plays(found)]
    claims = [f"{info.name} {claim}" for info in players for claim in info.claims]
    summaries = (own.summary for own, _ in catalogue.families.offers() if own.match(game))
    row = {
        "name": found.name,
        "summary": next((s for s in summaries), ""),
        "version": found.version,
        "first_moves": [start.write_move(move) for move in start.legal_moves()],
        "players": [info.name for info in players],
        "claims": [claim for claim in claims if claim.endswith(f":{found.name}")],
    }
    return Details("games", row, tuple(row)[1:], title=found.name, picture=start.picture())


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
