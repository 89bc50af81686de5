"""Find the players of a run that was played before, to let them play again."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.errors import UnknownName, UsageError, quoted
from arena.inputs.resolve import named_entrant
from arena.player import PlayerInfo
from arena.player.names import NamedSpec, names_a_file
from arena.plugin.catalogue import Catalogue
from arena.sandbox.words import WASM

if TYPE_CHECKING:
    from arena.records.exports import StoredPlayer
    from arena.store.reading import StoredRun


def players_again(
    stored: StoredRun, catalogue: Catalogue, leaving: Container[int] = ()
) -> dict[int, PlayerInfo]:
    """Return the players of a run by their places, without those that leave it.

    A tournament goes on without players whose files do not load.
    """
    is_fight, players = stored.setting.schedule == "fight", {}
    for place in stored.seats:
        if place in leaving:
            continue
        player = stored.players[place]
        name = player.name
        named = NamedSpec(name, player.spec or name)
        try:
            if is_fight:
                players[place] = catalogue.named_player(named, player.file)
            else:
                players[place] = named_entrant(named, catalogue, player.file)
        except UnknownName as error:
            raise UsageError(
                f"player {quoted(name)} of run {stored.number} is not here: it came from"
                f" {_origin(player)}"
            ) from error
    return players


def _origin(player: StoredPlayer) -> str:
    """Return where a player is from that an installed plugin, or one in a file, offered."""
    if names_a_file(player.package):
        return f"the plugin {player.package}: add -p {player.package} before the command"
    return f"{player.package} {player.version}".strip()


def changed_players(stored: StoredRun, players: Mapping[int, PlayerInfo]) -> list[int]:
    """Return the places of the players with changed code."""
    from arena.store.code import code_digest

    return [
        place
        for place, player in players.items()
        if stored.players[place].digest != code_digest(player)
    ]


def what_changed(
    store: str, stored: StoredRun, changed: Sequence[int], players: Mapping[int, PlayerInfo]
) -> str:
    """Say which players have other code than in a run, or another engine for their fuel."""
    names = ", ".join(stored.players[place].name for place in changed)
    engines = {
        (stored.players[place].version, players[place].version)
        for place in changed
        if players[place].isolation == WASM
    }
    moved = "".join(f" (fuel of {old}, here {new})" for old, new in engines if old != new)
    since = f"since run {stored.number} of {quoted(store)} began"
    return f"the code of {names} has changed {since}{moved}"
