"""List the players, and describe one."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from arena.player import PlayerInfo, summary_of
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.listings import Details, Listing

if TYPE_CHECKING:
    from arena.player.clients import PlayerProtocol
    from arena.records.rows import PlayerEntry, ProtocolEntry


def installed_players(catalogue: Catalogue | None = None) -> Listing:
    """List the players, and the plugins that were left out.

    >>> "monkey" in [row["name"] for row in installed_players().rows]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple(_player(info) for _, info in catalogue.players)
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    protocols = tuple(_protocol(protocol) for _, protocol in catalogue.protocols)
    title = "Players that are not installed are named like this:"
    others = Listing("protocols", protocols, ("form", "summary"), title=title)
    return Listing("players", rows, ("name", "games", "summary"), broken, more=(others,))


def describe_player(player: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a player, without a game. Raises UsageError for an unknown one.

    >>> describe_player("triples").row["stateless"]
    True
    """
    catalogue = catalogue or load_catalogue()
    info = catalogue.player(player)
    row: PlayerEntry = {
        **_player(info),
        "only_named": info.only_named,
        "batch": info.choose_batch is not None,
        "from": f"{info.package} {info.version}".strip() or info.file,
    }
    columns = ("summary", "games", "options", "claims", "deterministic", "stateless")
    more = ("only_named", "batch", "from")
    return Details("players", row, (*columns, *more), title=info.name)


def _protocol(protocol: PlayerProtocol) -> ProtocolEntry:
    return {
        "name": protocol.name,
        "form": protocol.form,
        "games": list(protocol.games),
        "summary": protocol.summary,
    }


def _player(info: PlayerInfo) -> PlayerEntry:
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
