"""What is installed: games, players and plugins."""

from __future__ import annotations

from dataclasses import asdict

from arena.player import summary_of
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.listings import Listing


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
    rows = tuple(
        {
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
        for _, info in catalogue.players
    )
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    return Listing("players", rows, ("name", "games", "summary"), broken)


def installed_plugins(catalogue: Catalogue | None = None) -> Listing:
    """List the plugins with their hooks, and those that were left out.

    >>> "hooks" in installed_plugins().rows[0]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple(asdict(plugin) for plugin in catalogue.plugins)
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    return Listing("plugins", rows, ("name", "package", "version", "hooks"), broken)
