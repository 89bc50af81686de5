"""Find the entrants of a contest: players, folders of players, and files with contests."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.files import naming
from arena.inputs.contest_file import CONTEST_ENDING, Contest, read_contest
from arena.inputs.resolve import PlayerLike, open_catalogue
from arena.player.names import PROGRAM, NamedSpec, as_program, canonical, interpreter_of
from arena.plugin.catalogue import Catalogue

#: Beginnings of the names of files that are not players, and that no message names.
IGNORED = (".", "__pycache__")


@dataclass(frozen=True)
class Entrants:
    """The entrants of a tournament, each with its name, and their contest if it has a file."""

    players: tuple[PlayerLike, ...]
    #: Files of a folder that are not players, each with the reason.
    left_out: tuple[str, ...] = ()
    contest: Contest | None = None


def enter(
    players: Sequence[PlayerLike] | str | os.PathLike[str], catalogue: Catalogue | None = None
) -> Entrants:
    """Return the players. Those in a folder or in a contest's file take its place.

    A path alone is a contest's file or a folder. A text that ends in ``.toml`` is a contest. A
    folder is its entrants, by name: Python files, programs, and folders with one of these, as
    ``alice=subs/alice.py`` if that can be a name. Raises UsageError for a second contest, for one
    that names no entrant, and for a folder without one.
    """
    catalogue = open_catalogue(catalogue)
    if isinstance(players, str | os.PathLike):
        players = [os.fspath(players)]
    contest = _contest(players, catalogue)
    others = [p for p in players if not _is_contest(p)]
    named = [*(contest.players if contest else ()), *others]
    entrants: list[PlayerLike] = []
    left_out: list[str] = []
    for player in named:
        if isinstance(player, str) and _is_folder(player, catalogue):
            inside, ignored = _players_in(player, catalogue)
            entrants += inside
            left_out += ignored
        else:
            entrants.append(player)
    if contest and not entrants:
        advice = "add [entrants.NAME] or players = [...]"
        raise UsageError(f"contest {quoted(contest.file.name)} names no entrants: {advice}")
    return Entrants(tuple(entrants), tuple(left_out), contest)


def _is_contest(player: PlayerLike) -> bool:
    return (
        isinstance(player, str)
        and player.endswith(CONTEST_ENDING)
        and not player.startswith(PROGRAM)
    )


def _contest(players: Iterable[PlayerLike], catalogue: Catalogue) -> Contest | None:
    files = [str(player) for player in players if _is_contest(player)]
    if len(files) > 1:
        raise UsageError(f"one contest at a time, not {quoted(files[0])} and {quoted(files[1])}")
    return read_contest(files[0], catalogue) if files else None


def _is_folder(name: str, catalogue: Catalogue) -> bool:
    return os.path.isdir(name) and all(name != installed for installed, _ in catalogue.players)


def _players_in(folder: str, catalogue: Catalogue) -> tuple[list[str], list[str]]:
    """Return the players in a folder, and the other files with reasons.

    Raises UsageError for a folder without a player.
    """
    players: list[NamedSpec] = []
    left_out = []
    for entry in _entries(folder):
        specs = _players_of(entry)
        if len(specs) == 1:
            players.append(NamedSpec(entry.stem, specs[0]))
        else:
            left_out.append(f"{entry} is left out: {_reason(entry, len(specs))}")
    if not players:
        raise UsageError(f"folder {quoted(folder)} has no player")
    return _names_or_specs(players, catalogue), left_out


def _names_or_specs(players: Sequence[NamedSpec], catalogue: Catalogue) -> list[str]:
    """Return the words for the players of a folder: with the name of the file if it can be one."""
    names = Counter(name for name, _ in players)
    return [
        str(named) if names[named.name] == 1 and _is_name(named, catalogue) else named.spec
        for named in players
    ]


def _is_name(named: NamedSpec, catalogue: Catalogue) -> bool:
    try:
        return catalogue.read_named(str(named)) == named
    except UsageError:
        return False


def _reason(path: Path, players: int) -> str:
    if path.is_dir():
        return f"it has {players} players, not one" if players else "it has no player"
    if path.name.startswith("_"):
        return "its name begins with _"
    return "it is neither a Python file, a WebAssembly module nor a program"


def _entries(folder: str | Path) -> list[Path]:
    with naming("folder", folder):
        return [p for p in sorted(Path(folder).iterdir()) if not p.name.startswith(IGNORED)]


def _players_of(path: Path) -> list[str]:
    """Return the spec of the player that a file is, or those in a folder."""
    if path.is_dir():
        return [spec for entry in _entries(path) for spec in _player_of(entry)]
    return _player_of(path)


def _player_of(path: Path) -> list[str]:
    spec = canonical(f".{os.sep}{path}" if not path.is_absolute() else str(path))
    if not path.is_file() or path.name.startswith("_"):
        return []
    if path.suffix in (".py", ".wasm"):
        return [spec]
    if os.access(path, os.X_OK):
        return [PROGRAM + shlex.quote(spec)]
    return [as_program(spec)] if interpreter_of(spec) else []
