"""``--each OPTIONS``: options that every engine on a command line gets."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace

from arena.errors import UsageError, quoted
from arena.player.names import PROGRAM, NamedSpec, canonical, read_named, split_protocol
from arena.plugin.catalogue import Catalogue


def add_each(parser: ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--each",
        metavar="OPTIONS",
        help="options of every engine that does not set them itself, as in nodes=1000,Hash=16",
    )


def with_each(
    players: Sequence[str], options: str | None, catalogue: Catalogue
) -> tuple[list[str], Catalogue]:
    """Return the players with the options, and a catalogue in which they keep their limits.

    Raises UsageError for options that cannot be read, and if no player is an engine.
    """
    if options is None:
        return list(players), catalogue
    words = _words(options)
    named = [read_named(player) for player in players]
    changed = [_with_options(each, words, catalogue) for each in named]
    if changed == named:
        raise UsageError(f"--each {quoted(options)}: no player here is an engine without them")
    names = {before.name: after.name for before, after in zip(named, changed, strict=True)}
    isolation = catalogue.isolation
    limits = {names.get(name, name): limit for name, limit in isolation.players.items()}
    return list(map(str, changed)), catalogue.isolated(replace(isolation, players=limits))


def _words(options: str) -> dict[str, str]:
    """Return the options as they are written, by their names in lower case."""
    words = {}
    for word in options.split(","):
        name, equals, _ = word.partition("=")
        if not name or not equals or ":" in word:
            raise UsageError(
                f"--each: {quoted(word)} is not an option, write OPTION=VALUE, and %3A for a colon"
            )
        if name.lower() in words:
            raise UsageError(f"--each: option {quoted(name)} is given twice")
        words[name.lower()] = word
    return words


def _with_options(player: NamedSpec, words: dict[str, str], catalogue: Catalogue) -> NamedSpec:
    """Return an engine with the options that it does not set itself, another player as it is."""
    address = split_protocol(player.spec)
    engines = {name for name, protocol in catalogue.protocols if protocol.client is not None}
    if address is None or address.protocol not in engines - {PROGRAM.rstrip(":")}:
        return player
    given = {name.lower() for name in address.options}
    head, _, command = player.spec.partition(":")
    spec = canonical(
        ",".join([head, *(word for name, word in words.items() if name not in given)])
        + f":{command}"
    )
    return NamedSpec(spec if player.name == player.spec else player.name, spec)
