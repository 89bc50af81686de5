"""Add players to a run and withdraw them, before it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import UnknownName, UsageError, quoted
from arena.game import Game
from arena.inputs.resolve import get_entrant
from arena.player import PlayerInfo
from arena.player.names import canonical, name_meant
from arena.plugin.catalogue import Catalogue
from arena.sandbox.settings import BY_CLOCK, Isolation, PlayerLimits
from arena.sandbox.words import WASM

if TYPE_CHECKING:
    from arena.records.exports import StoredPlayer
    from arena.store.player_changes import Arrival
    from arena.store.reading import StoredRun
    from arena.store.sql import Store


class PlayerChanges(NamedTuple):
    """The players that come to a run, and those that leave it."""

    #: The specs of new players, each with the place of the player that it replaces, if any.
    arriving: Sequence[tuple[str, int | None]]
    #: Places of the players that are withdrawn.
    withdrawn: Sequence[int]

    @property
    def any(self) -> bool:
        """Whether a player comes or leaves."""
        return bool(self.arriving or self.withdrawn)

    @property
    def leaving(self) -> set[int]:
        """The places of all that leave."""
        replaced = {place for _, place in self.arriving if place is not None}
        return {*self.withdrawn, *replaced}


def player_changes_of(
    stored: StoredRun, added: Sequence[str], texts: Sequence[str], withdrawn: Sequence[str]
) -> PlayerChanges:
    """Return the players to add, to replace by ``OLD=NEW``, and to withdraw, by their places.

    Raises UsageError for a run that does not grow, UnknownName for a player that it does not have.
    """
    if added or texts or withdrawn:
        _require_growing(stored, texts)
    replaced = [_replacement(stored, text) for text in texts]
    places = [_place(stored, name) for name in withdrawn]
    leaving = [*places, *(place for _, place in replaced)]
    if twice := [place for place, times in Counter(leaving).items() if times > 1]:
        name = stored.players[twice[0]].name
        raise UsageError(f"player {quoted(name)} leaves run {stored.number} twice")
    return PlayerChanges([*((name, None) for name in added), *replaced], places)


def _require_growing(stored: StoredRun, replaced: Sequence[str]) -> None:
    """Raise UsageError for a run whose players cannot come and leave like this."""
    number, kind = stored.number, stored.setting.schedule
    if kind == "fight":
        raise UsageError(f"run {number} is a {kind}: players come and leave in tournaments")
    if not stored.setting.is_scheduled:
        return
    if replaced:
        raise UsageError(
            f"run {number} is a {kind}: its rounds went by the results of the old player"
        )
    if stored.finished is not None:
        raise UsageError(f"run {number} is a {kind}, and over: no player comes or leaves any more")


def _place(stored: StoredRun, name: str) -> int:
    """Return the place of the player of that name, or short form, among those that play."""
    name = name_meant(name, stored.names)
    if name in stored.names and name not in stored.times.withdrawn:
        return stored.names[name]
    if name in {player.name for player in stored.players}:
        raise UsageError(f"player {quoted(name)} has left run {stored.number} already")
    raise UnknownName(f"player of run {stored.number}", name, stored.names)


def _replacement(stored: StoredRun, text: str) -> tuple[str, int]:
    """Return the new player of ``OLD=NEW``, and the place of the old one. Both may have a =."""
    names = [name for name in stored.names if text.startswith(f"{name}=")]
    if names:
        old = max(names, key=len)
    else:
        old, equals, new = text.partition("=")
        if not equals or not new:
            raise UsageError(
                f"{quoted(text)} does not say which player replaces which, as in OLD=NEW"
            )
    return text[len(old) + 1 :], _place(stored, old)


def isolated_as_before(
    stored: StoredRun, catalogue: Catalogue, arriving: Sequence[str] = ()
) -> Catalogue:
    """Return the catalogue with the isolation and limits of the run's earlier games.

    A player that arrives gets the limits that most files and programs of the run have. If the
    catalogue sets a tier, it gets the catalogue's limits alone. It never gets what another player
    may read. The settings of the catalogue take precedence. Raises UnknownName for a limit of a
    player that the run does not have, and UsageError for another fuel.
    """
    requested = catalogue.isolation
    names = [canonical(name) for name in stored.names]
    for name in requested.players:
        if name not in names and not any(_is_named(name, spec) for spec in arriving):
            raise UnknownName(f"player of run {stored.number}", name, names)
    for player in stored.players:
        if player.isolation == WASM and requested.of(player.name).fuels:
            reason = "its games depend on it, so a run keeps that with which it began"
            raise UsageError(f"the fuel of {quoted(player.name)} cannot change: {reason}")
    old = {
        player.name: isolation_of(player, requested.of(player.name))
        for player in (stored.players[place] for place in stored.names.values())
    }
    updated = {name: isolation.updated(requested.of(name)) for name, isolation in old.items()}
    isolated = [old[p.name] for p in stored.players if p.name in old and (p.file or p.isolation)]
    counts = Counter(repr(isolation) for isolation in isolated)
    commonest = max(isolated, key=lambda isolation: counts[repr(isolation)], default=Isolation())
    base = replace(requested, players={}) if arriving else Isolation()
    if arriving and requested.tier is None:
        base = replace(commonest, readable=None).updated(base)
    return catalogue.isolated(replace(base, players={**requested.players, **updated}))


def isolation_of(player: StoredPlayer, requested: Isolation) -> Isolation:
    """Return the isolation that a player had. A clock takes the place of usual limits of time."""
    limits, defaults = dict(player.limits), PlayerLimits()
    if requested.clock and not limits.get("clock"):
        for name in BY_CLOCK:
            if limits.get(name) == getattr(defaults, name):
                del limits[name]
    return Isolation.from_limits({"tier": player.isolation or "none", **limits})


def _is_named(name: str, spec: str) -> bool:
    return spec == name or spec.startswith(f"{name}=")


def arrivals_of(
    stored: StoredRun, changes: PlayerChanges, catalogue: Catalogue, game: Game
) -> list[Arrival]:
    """Return the players that arrive. One whose file does not load is withdrawn.

    Raises UsageError if one plays already, or cannot play.
    """
    from arena.store.player_changes import Arrival

    staying = {name for name, place in stored.names.items() if place not in changes.leaving}
    arrivals: list[Arrival] = []
    for spec, place in changes.arriving:
        player = get_entrant(spec, catalogue)
        player.require(game)
        _require_new(stored, player.name, {*staying, *(each.player.name for each in arrivals)})
        arrivals.append(Arrival(player, place))
    return arrivals


def _require_new(stored: StoredRun, name: str, names: Container[str]) -> None:
    if name in names:
        problem = f"plays in run {stored.number} already; without it, resume plays what is missing"
        raise UsageError(f"player {quoted(name)} {problem}")


def record_changes(
    file: Store,
    stored: StoredRun,
    arrivals: Sequence[Arrival],
    withdrawn: Sequence[int],
    rounds: int | None,
) -> StoredRun:
    """Record which players come and leave, and return the changed run. ``rounds`` have begun."""
    from arena.store.player_changes import change
    from arena.store.reading import find_run

    if not arrivals and not withdrawn:
        return stored
    change(file, stored.number, arrivals, withdrawn, stored.setting.schedule == "gauntlet", rounds)
    return find_run(file, stored.number)


def players_by_place(stored: StoredRun, players: Iterable[PlayerInfo]) -> dict[int, PlayerInfo]:
    """Return these players of a run by their places."""
    named = {player.name: player for player in players}
    return {place: named[stored.players[place].name] for place in stored.seats}
