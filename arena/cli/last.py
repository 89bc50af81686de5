"""Remember the games of the last result that was shown in a folder, and name them shortly.

``3`` is the third game of that result, ``last`` its last one; ``last-loss`` and ``last-forfeit``
are the first that a player lost, or forfeited. Whatever takes a game's id takes these, too.

One file holds an entry a folder, the latest at the end: ``$XDG_STATE_HOME/arena/last.json``.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena import escape
from arena.errors import ArenaError, UsageError, did_you_mean, quoted
from arena.fights.pairing import GameId, fight_path, game_id
from arena.fights.runs import fights_of
from arena.files import GONE, field_of, problem_of, read_json, require_schema, write_atomically
from arena.player.names import meant_by
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.fights import CALLED_PAIRS, FightResult
from arena.rng import SECOND_SELF
from arena.sandbox.settings import Isolation
from arena.urls import is_url, passwordless

try:
    import fcntl
except ImportError:  # a system without such locks: of two commands at once one may be forgotten
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from arena.records.base import Json
    from arena.records.listings import Listing
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight

    #: The records that :func:`remember` takes.
    Result = Played | CheckedFight | Listing

LAST_SCHEMA = "arena.last/1"

#: The most folders, fights of a result, and games of a listing that are remembered.
MAX_FOLDERS = 50
MAX_FIGHTS = 100
MAX_LISTED_GAMES = 1000

LAST = "last"
#: The short ids that are kept in an entry, and what its result lacks where there is none.
NAMED = {"last-loss": "no player lost a game", "last-forfeit": "no player forfeited a game"}


def remember(result: Result, arguments: Namespace, isolation: Isolation) -> None:
    """Remember the games of a result for the current folder, or say that this is impossible."""
    try:
        folder, file = os.getcwd(), _file()
        entry = {**_context(arguments, isolation), **_games(result)}
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        with _locked(file):
            folders = _kept(file)
            folders.pop(folder, None)
            folders[folder] = entry
            kept = dict(list(folders.items())[-MAX_FOLDERS:])
            write_atomically(file, json.dumps({"schema": LAST_SCHEMA, "folders": kept}) + "\n")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(where + problem_of(error))
    except UsageError as error:
        _complain(str(error))


class Found(NamedTuple):
    """A game that was named on the command line."""

    game: str
    #: Where players come from that the id has under a name: ``alice=./alice.py``.
    players: Sequence[str]
    catalogue: Catalogue


def named_game(
    word: str, arguments: Namespace, catalogue: Catalogue, player: str | None = None
) -> Found:
    """Find the game that a word is short for, and the catalogue under which it was played.

    Any other word is returned as it is. ``player`` is the one that has lost, or forfeited, the
    game. Raises UsageError where the last result in this folder has no such game.
    """
    number = int(word) if word.isascii() and word.isdigit() and len(word) <= 16 else None
    if number is None and word != LAST and word not in NAMED:
        hint = did_you_mean(word, [LAST, *NAMED]) if word.startswith(LAST) else ""
        if hint and not os.path.lexists(word):
            raise UsageError(f"{quoted(word)} is not a game{hint}")
        return Found(word, arguments.players, catalogue)
    try:
        entry = _read(_file()).get(os.getcwd())
    except FileNotFoundError as error:
        raise UsageError(GONE) from error
    if entry is None:
        shown = "as by arena fight, tournament, show or browse"
        raise UsageError(f"game {quoted(word)}: no result was shown in this folder yet, {shown}")
    try:
        catalogue = _as_it_was(entry, arguments, catalogue)
        game = _first(entry, word, player) if word in NAMED else _game(entry, number, catalogue)
        return Found(game, _specs(entry, game, arguments.players), catalogue)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, ArenaError):
            raise
        raise UsageError(
            f"{quoted(str(_file()))} does not have what it should: delete it"
        ) from error


def _complain(problem: str) -> None:
    print(escape.line(f"arena: this result's games have no short ids: {problem}"), file=sys.stderr)


def _place() -> str:
    found = os.environ.get("XDG_STATE_HOME", "")
    return found if os.path.isabs(found) else os.path.join("~", ".local", "state")


def _file() -> Path:
    """Return where results are remembered. Raises UsageError if there is no such place."""
    place = Path(os.path.expanduser(_place()))
    if not place.is_absolute():
        raise UsageError("there is neither a home folder nor XDG_STATE_HOME")
    return place / "arena" / "last.json"


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Keep other processes waiting that remember a result. Each does so for a moment."""
    lock = os.open(f"{file}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _read(file: Path) -> dict[str, Any]:
    """Return the entries by folder. Raises UsageError if there is something else in the file."""
    if not os.path.lexists(file):
        return {}
    try:
        found = read_json(file)
        require_schema(found, LAST_SCHEMA)
        return field_of(found, "folders", dict)
    except UsageError as error:
        raise UsageError(f"{file} {error}") from error


def _kept(file: Path) -> dict[str, Any]:
    """Return the entries by folder; none if the file is broken, for they are soon made again."""
    try:
        return _read(file)
    except UsageError:
        return {}


def _context(arguments: Namespace, isolation: Isolation) -> Json:
    """Return what a game is replayed under that its id does not say."""
    store, run = (vars(arguments).get(name) for name in ("store", "run"))
    own = {name: found.settings for name, found in isolation.players.items()}
    return {
        "command": arguments.command.name,
        "plugins": list(arguments.p or ()),
        "isolation": {**isolation.settings, "players": own},
        "store": store and (passwordless(store) if is_url(store) else os.path.abspath(store)),
        "run": run,
    }


def _games(result: Result) -> Json:
    if not isinstance(result, FightResult):
        from arena.records.listings import Listing  # a fight lists nothing

        if isinstance(result, Listing):
            return _listed(result)
    fights = fights_of(result)
    players = [player for fight in reversed(fights) for player in reversed(fight.both)]
    lost = {player.name: player.first_lost for player in players if player.first_lost}
    forfeits = [player.first_forfeit for player in players if player.first_forfeit]
    forfeited = {forfeit.player: forfeit.game_id for forfeit in forfeits}
    total = 2 * sum(map(_pairs, fights))
    kept_fights = fights[:MAX_FIGHTS]
    kept = list(map(_fight, kept_fights))
    specs = {name: spec for fight in kept_fights for name, spec in fight.specs.items()}
    limits = {player.name: dict(player.limits) for player in players if player.limits}
    known = {"specs": specs, "limits": limits}
    return {"total": total, "fights": kept, **known, **_both(lost, forfeited)}


def _listed(listing: Listing) -> Json:
    rows = listing.rows[:MAX_LISTED_GAMES]
    lost = {_loser(row): row["game"] for row in reversed(rows) if row["winner"]}
    forfeited = {_loser(row): row["game"] for row in reversed(rows) if row["reason"]}
    games = [row["game"] for row in rows]
    limits = {name: Isolation.unusual_of(own) for name, own in listing.limits.items()}
    known = {"specs": dict(listing.specs), "limits": limits}
    return {"total": len(listing.rows), "games": games, **known, **_both(lost, forfeited)}


def _loser(row: Json) -> str:
    return str(row["second"] if row["winner"] == row["first"] else row["first"])


def _specs(entry: Json, game: str, given: Sequence[str]) -> list[str]:
    """Return where the players of a game come from, but for those that the command names again."""
    named = GameId.parse(game)
    known = {name: entry["specs"][name] for name in (named.a, named.b) if name in entry["specs"]}
    anew = {text.partition("=")[0] for text in given}
    return [*given, *(f"{name}={spec}" for name, spec in known.items() if name not in anew)]


def _both(lost: Mapping[str, str | None], forfeited: Mapping[str, str | None]) -> Json:
    """Return the first of these games for each player; they come from the last to the first."""
    return {
        name: dict(list(games.items())[: -MAX_FIGHTS - 1 : -1])
        for name, games in zip(NAMED, (lost, forfeited), strict=True)
    }


def _fight(fight: FightResult) -> Json:
    a, b = fight.players
    opponent = a if b == f"{a}{SECOND_SELF}" else b
    return {
        "path": fight_path(fight.game, (a, opponent), fight.seed, fight.engine),
        "game": fight.game,
        "seed": fight.seed,
        "openings": fight.openings,
        "pairs": _pairs(fight),
        "called": fight.called_pairs if fight.engine == "table" else _pairs(fight),
    }


def _pairs(fight: FightResult) -> int:
    """Return how many pairs of a fight can be played again one by one."""
    pairs = fight.pairs + fight.void // 2
    return min(pairs, CALLED_PAIRS) if fight.sampler == "counts" else pairs


def _as_it_was(entry: Json, arguments: Namespace, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the plugins and the isolation of the result, and what is given."""
    plugins: Sequence[str] = arguments.p or ()
    isolation = catalogue.isolation
    if set(entry["plugins"]) - set(plugins):
        with redirect_stdout(sys.stderr):  # what plugins print is not the command's output
            catalogue = load_catalogue([*dict.fromkeys([*entry["plugins"], *plugins])])
    settings = entry["isolation"]
    own, anew = entry.get("limits", {}), replace(isolation, players={})
    players = {
        name: Isolation.from_limits({**given, **own.get(name, {})}).updated(anew)
        for name, given in ({name: {} for name in own} | settings["players"]).items()
    }
    before = replace(Isolation.from_limits(settings), players=players)
    return catalogue.isolated(before.updated(isolation))


def _first(entry: Json, word: str, player: str | None) -> str:
    games: dict[str, str] = entry[word]
    if player is not None and player not in games:
        hint = meant_by(player, games)
        raise UsageError(
            f"game {quoted(word)}: {quoted(player)} has none in the last result here{hint}"
        )
    if not games:
        raise UsageError(f"game {quoted(word)}: {NAMED[word]} in the last result here")
    return games[player] if player is not None else next(iter(games.values()))


def _game(entry: Json, number: int | None, catalogue: Catalogue) -> str:
    """Return the id of the game of that number, counted from 1; of the last one if it is None."""
    command, total = entry["command"], entry["total"]
    place = total if number is None else number
    if not total:
        raise UsageError(f"the last result here (arena {command}) has no games")
    if not 1 <= place <= total:
        raise UsageError(
            f"there is no game {place}: the last result here (arena {command}) has {total}"
        )
    if "games" in entry and place <= len(entry["games"]):
        return str(entry["games"][place - 1])
    left = place
    for fight in entry.get("fights", ()):
        if left <= 2 * fight["pairs"]:
            return _id(fight, (left + 1) // 2, left % 2 == 0, catalogue)
        left -= 2 * fight["pairs"]
    raise UsageError(f"game {place} of the last result here is beyond those that have short ids")


def _id(fight: Json, pair: int, swapped: bool, catalogue: Catalogue) -> str:
    path = fight["path"] if pair <= fight["called"] else f"{fight['path']}/table"
    opening = None
    if fight["openings"]:
        from arena.fights.openings import openings_of  # few results have any

        game = catalogue.game(fight["game"])
        opening = openings_of(fight["openings"], game).of_pair(game, fight["seed"], pair)
    return game_id(path, opening, pair, swapped)
