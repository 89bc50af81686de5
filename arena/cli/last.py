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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena import escape
from arena.dataclass import dataclass
from arena.errors import ArenaError, UsageError, quoted
from arena.fights.pairing import GameId, fight_path, game_id
from arena.fights.runs import fights_of
from arena.files import GONE, problem_of, read_json, write_atomically
from arena.model.codec import decode, encode
from arena.player.names import meant_by, name_meant
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.all_tables import tables_of
from arena.records.fights import CALLED_PAIRS, FightResult
from arena.records.fought import Fought
from arena.rng import without_self
from arena.sandbox.settings import Isolation
from arena.seats import beaten
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
    RememberedResult = Played | CheckedFight | Listing

#: The most folders, fights of a result, and games of a listing that are remembered.
MAX_FOLDERS = 50
MAX_FIGHTS = 100
MAX_LISTED_GAMES = 1000

LAST = "last"
#: The short ids of an entry, each with the problem of a result that has no such game.
NAMED = {"last-loss": "no player lost a game", "last-forfeit": "no player forfeited a game"}


def remember(result: RememberedResult, arguments: Namespace, isolation: Isolation) -> None:
    """Remember the games of a result for the current folder, or say that this is impossible."""
    try:
        folder, file = os.getcwd(), _file()
        entry = {**_context(arguments, isolation), **_games(result)}
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        with _locked(file):
            folders = _read_or_empty(file)
            folders.pop(folder, None)
            folders[folder] = entry
            newest = dict(list(folders.items())[-MAX_FOLDERS:])
            write_atomically(file, json.dumps(encode(LastResults(newest))) + "\n")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(where + problem_of(error))
    except UsageError as error:
        _complain(str(error))


@dataclass(frozen=True)
class LastResults:
    """The last result that was shown in each folder, as a file has them."""

    SCHEMA = "arena.last/1"

    #: The settings and the games of a result by folder, the newest last.
    folders: Mapping[str, Any]


class NamedGame(NamedTuple):
    """A game that was named on the command line."""

    game: str
    #: Where players come from that the id has under a name: ``alice=./alice.py``.
    players: Sequence[str]
    catalogue: Catalogue


def named_game(
    word: str, arguments: Namespace, catalogue: Catalogue, player: str | None = None
) -> NamedGame:
    """Find the game that a word is short for, and the catalogue under which it was played.

    Any other word is returned as it is. ``player`` is the one that has lost, or forfeited, the
    game. Raises UsageError where the last result in this folder has no such game.
    """
    number, specs = int(word) if is_number(word) else None, arguments.players or ()
    if number is None and word != LAST and word not in NAMED:
        if word.startswith(LAST) and "/" not in word and not os.path.lexists(word):
            raise UsageError(f"{quoted(word)} is not a game (known: {', '.join([LAST, *NAMED])})")
        return NamedGame(word, specs, catalogue)
    try:
        entry = _read(_file()).get(os.getcwd())
    except FileNotFoundError as error:
        raise UsageError(GONE) from error
    if entry is None:
        advice = "as by arena fight, tournament, show or browse"
        raise UsageError(f"game {quoted(word)}: no result was shown in this folder yet, {advice}")
    try:
        catalogue = _restored_catalogue(entry, arguments, catalogue)
        game = (
            _first_game(entry, word, player)
            if word in NAMED
            else _numbered_game(entry, number, catalogue)
        )
        return NamedGame(game, _specs(entry, game, specs), catalogue)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, ArenaError):
            raise
        raise UsageError(
            f"{quoted(str(_file()))} does not have what it should: delete it"
        ) from error


def is_number(word: str) -> bool:
    """Return whether a word is the number of a game."""
    return word.isascii() and word.isdigit() and len(word) <= 16


def _complain(problem: str) -> None:
    print(escape.line(f"arena: this result's games have no short ids: {problem}"), file=sys.stderr)


def _state_folder() -> str:
    folder = os.environ.get("XDG_STATE_HOME", "")
    return folder if os.path.isabs(folder) else os.path.join("~", ".local", "state")


def _file() -> Path:
    """Return the file that remembers results. Raises UsageError if it has no folder."""
    place = Path(os.path.expanduser(_state_folder()))
    if not place.is_absolute():
        raise UsageError("there is neither a home folder nor XDG_STATE_HOME")
    return place / "arena" / "last.json"


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Let other processes that remember a result wait. Each takes a moment."""
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
        return dict(decode(LastResults, read_json(file)).folders)
    except UsageError as error:
        raise UsageError(f"{file} {error}") from error


def _read_or_empty(file: Path) -> dict[str, Any]:
    """Return the entries by folder, none of a broken file: new results soon replace them."""
    try:
        return _read(file)
    except UsageError:
        return {}


def _context(arguments: Namespace, isolation: Isolation) -> Json:
    """Return the settings that a replay needs besides the id of a game."""
    store, run = (vars(arguments).get(name) for name in ("store", "run"))
    players = {name: limits.settings for name, limits in isolation.players.items()}
    return {
        "command": arguments.command.name,
        "plugins": list(arguments.p or ()),
        "isolation": {**isolation.settings, "players": players},
        "store": store and (passwordless(store) if is_url(store) else os.path.abspath(store)),
        "run": run,
    }


def _games(result: RememberedResult) -> Json:
    if not isinstance(result, FightResult):
        from arena.records.listings import Listing  # a fight lists nothing

        if isinstance(result, Listing):
            return _listed(result)
    fights: Sequence[Fought] = fights_of(result) or tables_of(result)
    players = [player for fight in reversed(fights) for player in reversed(fight.entrants)]
    lost = {player.name: player.first_lost for player in players if player.first_lost}
    forfeits = [player.first_forfeit for player in players if player.first_forfeit]
    forfeited = {forfeit.player: forfeit.game_id for forfeit in forfeits}
    total = sum(fight.games_a_pair * _pairs(fight) for fight in fights)
    first_fights = fights[:MAX_FIGHTS]
    addresses = list(map(_fight, first_fights))
    specs = {name: spec for fight in first_fights for name, spec in fight.specs.items()}
    limits = {player.name: dict(player.limits) for player in players if player.limits}
    setup = {"specs": specs, "limits": limits}
    return {"total": total, "fights": addresses, **setup, **_games_by_loser(lost, forfeited)}


def _listed(listing: Listing) -> Json:
    rows = listing.rows[:MAX_LISTED_GAMES]
    lost, forfeited = _firsts(rows, _losers), _firsts(rows, _forfeiters)
    games = [row["game"] for row in rows]
    limits = {
        name: Isolation.unusual_of(player_limits) for name, player_limits in listing.limits.items()
    }
    setup = {"specs": dict(listing.specs), "limits": limits}
    return {"total": len(listing.rows), "games": games, **setup, **_games_by_loser(lost, forfeited)}


def _firsts(
    rows: Sequence[Mapping[str, Any]], names_in: Callable[[Any], Iterable[str]]
) -> dict[str, str]:
    """Return the first game that names each player, the last of these games first."""
    firsts: dict[str, str] = {}
    for row in rows:
        for name in names_in(row):
            firsts.setdefault(name, row["game"])
    return dict(reversed(firsts.items()))


def _losers(row: Json) -> list[str]:
    """Return the players that lost a listed game."""
    if "first" not in row:  # a table has players by seat
        return beaten(row["players"], row["payoffs"])
    if not row["winner"]:
        return []
    return [row["second"] if row["winner"] == row["first"] else row["first"]]


def _forfeiters(row: Json) -> list[str]:
    """Return the players that forfeited a listed game."""
    if "first" not in row:
        return list(row["forfeited"])
    return _losers(row) if row["reason"] else []


def _specs(entry: Json, game: str, players: Sequence[str]) -> list[str]:
    """Return the specs of a game's players. Those of the command take precedence."""
    named = GameId.parse(game)
    specs = {name: entry["specs"][name] for name in named.players if name in entry["specs"]}
    replaced = {text.partition("=")[0] for text in players}
    return [*players, *(f"{name}={spec}" for name, spec in specs.items() if name not in replaced)]


def _games_by_loser(lost: Mapping[str, str | None], forfeited: Mapping[str, str | None]) -> Json:
    """Return the first of these games of each player. The arguments have the last one first."""
    return {
        name: dict(list(games.items())[: -MAX_FIGHTS - 1 : -1])
        for name, games in zip(NAMED, (lost, forfeited), strict=True)
    }


def _fight(fight: Fought) -> Json:
    openings = fight.openings if isinstance(fight, FightResult) else ""
    return {
        "path": _path(fight),
        "game": fight.game,
        "seed": fight.seed,
        "openings": openings,
        "pairs": _pairs(fight),
        "games_a_pair": fight.games_a_pair,
        "called": _called(fight),
    }


def _path(fight: Fought) -> str:
    """Return the start of the ids of the games of a fight, whose names leave selves out."""
    names = fight.players
    plain = [without_self(name) if without_self(name) in names else name for name in names]
    deals = fight.deals
    return fight_path(fight.game, plain, fight.seed, fight.engine, deals, fight.seatings)


def _pairs(fight: Fought) -> int:
    """Return how many pairs of a fight can be played again one by one."""
    pairs = fight.pairs + fight.void // fight.games_a_pair
    is_counted = isinstance(fight, FightResult) and fight.sampler == "counts"
    return min(pairs, CALLED_PAIRS) if is_counted else pairs


def _called(fight: Fought) -> int:
    """Return how many of these were played by calls."""
    if isinstance(fight, FightResult) and fight.engine == "table":
        return fight.called_pairs
    return _pairs(fight)


def _restored_catalogue(entry: Json, arguments: Namespace, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the plugins and the isolation of the result.

    Settings of this command take precedence.
    """
    plugins: Sequence[str] = arguments.p or ()
    isolation = catalogue.isolation
    if set(entry["plugins"]) - set(plugins):
        with redirect_stdout(sys.stderr):  # what plugins print is not the command's output
            catalogue = load_catalogue([*dict.fromkeys([*entry["plugins"], *plugins])])
    settings = entry["isolation"]
    limits, current = entry.get("limits", {}), replace(isolation, players={})
    players = {
        name: Isolation.from_limits({**player_settings, **limits.get(name, {})}).updated(current)
        for name, player_settings in ({name: {} for name in limits} | settings["players"]).items()
    }
    restored = replace(Isolation.from_limits(settings), players=players)
    return catalogue.isolated(restored.updated(isolation))


def _first_game(entry: Json, word: str, player: str | None) -> str:
    games: dict[str, str] = entry[word]
    player = None if player is None else name_meant(player, games)
    if player is not None and player not in games:
        hint = meant_by(player, games)
        raise UsageError(
            f"game {quoted(word)}: {quoted(player)} has none in the last result here{hint}"
        )
    if not games:
        raise UsageError(f"game {quoted(word)}: {NAMED[word]} in the last result here")
    return games[player] if player is not None else next(iter(games.values()))


def _numbered_game(entry: Json, number: int | None, catalogue: Catalogue) -> str:
    """Return the id of the game of that number, counted from 1, or of the last one for None."""
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
    remaining = place
    for fight in entry.get("fights", ()):
        games = fight.get("games_a_pair", 2)
        if remaining <= games * fight["pairs"]:
            pair, half = divmod(remaining - 1, games)
            return _id(fight, pair + 1, half, catalogue)
        remaining -= games * fight["pairs"]
    raise UsageError(f"game {place} of the last result here is beyond those that have short ids")


def _id(fight: Json, pair: int, half: int, catalogue: Catalogue) -> str:
    path = fight["path"] if pair <= fight["called"] else f"{fight['path']}/table"
    opening = None
    if fight["openings"]:
        from arena.fights.openings import openings_of  # few results have any

        game = catalogue.game(fight["game"])
        opening = openings_of(fight["openings"], game).of_pair(game, fight["seed"], pair)
    return game_id(path, opening, pair, half)
