"""Play one game of a fight again, or read one that was saved."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from arena.errors import UnknownName, UsageError, did_you_mean, quoted
from arena.features.replay.options import ReplayOptions
from arena.fights.choosing import by_batch
from arena.fights.openings import Openings
from arena.fights.pairing import BATCH, SLASH_HINT, GameId, Pairing
from arena.fights.play import play_one
from arena.fights.replays import PlayedGame, read_replay, report_of
from arena.inputs.resolve import guarded, open_catalogue
from arena.player import PlayerInfo
from arena.player.names import NamedSpec
from arena.player.prints import PrintCapture
from arena.plugin.catalogue import Catalogue
from arena.records.replays import ReplayReport
from arena.runs.services import take_recorded
from arena.signatures import complete, takes


@takes(ReplayOptions)
def replay(game: str, **options: Unpack[ReplayOptions]) -> ReplayReport:
    """Play one game of a fight again, from its id, or read one that was saved from its file.

    ``players`` say where players come from that the id has under a name: ``alice=./alice.py``.
    ``FILE:LINE`` is a game of a file that has one per line. With a ``store`` the game of that id is
    shown as it was played, in a run or by :func:`arena.regress`, and no player is asked. There "3"
    is the third game of the last run. Language models are not asked: ``record`` is the file with
    their answers.

    >>> replay("tictactoe/triples/minimax/7/12.2").players
    ('minimax', 'triples')
    """
    options = complete(replay, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    if (store := options["store"]) is not None:
        from arena.features.replay.stored_game import replay_stored

        report = replay_stored(store, game, catalogue)
    else:
        report = guarded(partial(_replay, game, options["players"], catalogue, options["record"]))
    return replace(report, rules=catalogue.game(report.game))


def _replay(
    game: str,
    players: Sequence[str],
    catalogue: Catalogue,
    record: str | os.PathLike[str] | None,
) -> ReplayReport:
    if os.path.lexists(game):  # a folder or a device is reported, too
        return read_replay(Path(game), catalogue)
    file, colon, line = game.rpartition(":")
    if colon and line.isascii() and line.isdigit() and os.path.lexists(file):
        return read_replay(Path(file), catalogue, int(line[:20]))
    named, pairing = named_game(game, players, catalogue)
    take_recorded(pairing.players, record)
    return replay_of(game, named, pairing)


def named_game(
    game_id: str, players: Sequence[str], catalogue: Catalogue
) -> tuple[GameId, Pairing]:
    """Return what a game's id says, and the pairing that the game is of.

    ``players`` are as for :func:`replay`. Raises UsageError for one that the id does not have.
    """
    named = GameId.parse(game_id)
    names = named.players
    specs = dict(catalogue.read_named(player) for player in players)
    for name in specs:
        if name not in names:
            raise UsageError(
                f"{quoted(name)} does not play in {game_id}{did_you_mean(name, names)}"
            )
    game = catalogue.game(named.game)
    if len(names) != game.seats:
        hint = SLASH_HINT if len(names) > game.seats else ""
        wrong = f"names {len(names)} players, and {game.name} has {game.seats}{hint}"
        raise UsageError(f"{quoted(game_id)} {wrong}")
    catalogue = catalogue.for_game(game)
    a, b, *others = (
        _player_in(NamedSpec(name, specs.get(name, name)), catalogue) for name in names
    )
    pairing = Pairing(
        game,
        a,
        b,
        named.pair,
        named.seed,
        others=tuple(others),
        deals=named.deals,
        seatings=named.seatings,
    )
    if named.engine == BATCH:
        [pairing] = by_batch([pairing], BATCH)
    if named.opening:
        start = pairing.game.parse(named.opening)
        pairing = replace(pairing, openings=Openings(named.opening, (start,)))
    return named, pairing


def _player_in(named: NamedSpec, catalogue: Catalogue) -> PlayerInfo:
    try:
        return catalogue.named_player(named)
    except UnknownName as error:
        if named.name != named.spec:
            raise
        advice = f"if it is in a file, add --player {named.name}=FILE"
        raise UsageError(f"{error}; {advice}") from error


def replay_of(
    game_id: str, named: GameId, pairing: Pairing, prints: PrintCapture | None = None
) -> ReplayReport:
    """Play that one game. ``prints`` is as for :func:`arena.match.play_game`."""
    record = play_one(pairing, named.engine, named.pair, named.half, prints)
    return report_of(
        pairing.game,
        [pairing.all_names[place] for place in pairing.seating(named.half)],
        PlayedGame.of(record),
        game_id=game_id,
        seed=named.seed,
        opening=pairing.opening(named.pair),
    )
