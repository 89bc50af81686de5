"""Read the league of a folder: its contest file, its season, and the entrants below ``entrants``.

Nothing of an entrant runs here.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.features.contest.function import players_of_file, require_conductible
from arena.features.contest.packages import BOT, MODULE, player_of
from arena.files import naming, read_bytes
from arena.inputs.contest_file import Contest, read_contest
from arena.inputs.options import TournamentOptions
from arena.inputs.resolve import DEFAULT_GAME, get_game
from arena.player.names import NamedSpec
from arena.plugin.catalogue import Catalogue
from arena.sandbox.words import WASM

#: The files of a league: its contest, and the folder with a folder for each entrant.
LEAGUE_FILE, ENTRANTS_FOLDER = "league.toml", "entrants"

#: The file in an entrant's folder that names the accounts that may change it.
OWNERS_FILE = "OWNER"

#: Why an entrant without that file is refused.
NO_OWNERS = f"it has no file {OWNERS_FILE}, which names the accounts that may change it"

#: The rule for the name of an entrant, in words.
NAME_RULE = "a name has 1 to 39 letters, digits, - and _ of ASCII, and begins with no sign"

#: The name of an entrant: no file system, page or command reads anything else into it.
_ENTRANT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}")

#: The names of folders and modules in an entrant's folder.
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.py)?")

#: The account of a forge, such as ``alice`` or ``helper[bot]``.
_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}(\[bot\])?")

#: Most accounts that own an entrant, bytes of the file, and folders in each other.
MAX_ACCOUNTS, MAX_OWNERS_BYTES, MAX_ENTRANT_DEPTH = 20, 4096, 8


@dataclass(frozen=True)
class League:
    """A league as its folder has it."""

    #: The path of the contest's file.
    file: str
    contest: Contest
    #: The players of the file itself.
    file_players: tuple[NamedSpec, ...]
    #: The specs of the entrants by their names, in order.
    entrants: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """The folder of the league."""
        return Path(self.file).parent

    @property
    def specs(self) -> dict[str, str]:
        """The specs of all that play, by their names: those of the file first."""
        return {**dict(self.file_players), **self.entrants}


def read_league(file: str | os.PathLike[str], catalogue: Catalogue) -> League:
    """Read the league of a contest's file, with the entrants next to it.

    Raises UsageError for a contest that strangers cannot play, and for an entrant that is not as
    the rules of a league say.
    """
    name = os.fspath(file)
    contest = read_contest(name, catalogue)
    with naming("league", name):
        file_players = players_of_file(name, contest, catalogue)
        options = {key: value for key, value in contest.options.items() if key != "seed"}
        unseeded = replace(contest, options=cast("TournamentOptions", options))
        require_conductible(unseeded, file_players)
        _require_two_seats(contest, catalogue)
    entrants = _entrants(Path(name).parent, contest)
    names = {named.name.casefold() for named in file_players}
    for entrant in entrants:
        problem = problem_of_name(entrant, catalogue) or _problem_of_case(entrant, names)
        if problem:
            raise UsageError(f"entrant {quoted(entrant)}: {problem}")
        names.add(entrant.casefold())
    return League(name, contest, file_players, entrants)


def _require_two_seats(contest: Contest, catalogue: Catalogue) -> None:
    game = get_game(contest.options.get("game", DEFAULT_GAME), catalogue)
    if game.seats != 2:
        raise UsageError(f"a league is for games of two, and {game.name} has {game.seats} seats")
    if game.is_refereed:
        raise UsageError("its game is played by a referee, which runs without walls")


def _problem_of_case(entrant: str, names: Iterable[str]) -> str:
    is_taken = entrant.casefold() in names
    return "another player has this name, but for upper and lower case" if is_taken else ""


def is_entrant_name(name: str) -> bool:
    """Return whether a text may be the name of an entrant, if no other player has it."""
    return _ENTRANT_NAME.fullmatch(name) is not None


def problem_of_name(name: str, catalogue: Catalogue) -> str:
    """Return why an entrant cannot have a name, or an empty text if it can."""
    if not is_entrant_name(name):
        return NAME_RULE
    if any(name == installed for installed, _ in catalogue.players):
        return "an installed player has this name"
    return ""


def problem_of_file(path: str) -> str:
    """Return why an entrant cannot have a file of that path below its folder, or an empty text."""
    parts = path.split("/")
    if path in (OWNERS_FILE, MODULE):
        return ""
    if len(parts) > MAX_ENTRANT_DEPTH:
        return f"more than {MAX_ENTRANT_DEPTH} folders lie in each other"
    is_named = all(_FILE_NAME.fullmatch(part) and len(part) <= 100 for part in parts)
    if not is_named or not parts[-1].endswith(".py") or any("." in part for part in parts[:-1]):
        allowed = f"{BOT}, other modules of Python, {MODULE} and {OWNERS_FILE}"
        return f"an entrant has {allowed}, named by letters and digits of ASCII, - and _"
    return ""


def problem_of_files(sizes: Mapping[str, int], contest: Contest) -> str:
    """Return why an entrant cannot have these files, by their paths with their bytes.

    The result is empty if it can.
    """
    if OWNERS_FILE not in sizes:
        return NO_OWNERS
    rules = contest.hand_ins
    if len(sizes) > rules.files:
        return f"it has {len(sizes)} files, and may have {rules.files}"
    if (size := sum(sizes.values())) > rules.size:
        return f"its files have {size} bytes, and may have {rules.size}"
    if contest.isolation.tier == WASM and MODULE not in sizes:
        return f"it has no {MODULE}: this league plays modules of WebAssembly alone"
    folded = [path.casefold() for path in sizes]
    if len({*folded}) < len(folded):
        return "two of its files differ in upper and lower case alone"
    try:
        own_player(sizes, contest)
    except UsageError as error:
        return str(error)
    return ""


def own_player(sizes: Mapping[str, int], contest: Contest) -> str:
    """Return the path of the player among an entrant's files. Raises UsageError unless clear."""
    if contest.isolation.tier == WASM:
        return MODULE
    return player_of(dict.fromkeys(sizes, b""))


def read_owners(content: bytes) -> list[str]:
    """Return the accounts in the content of an entrant's file, one a line, in lower case.

    Raises UsageError for what is not such a file.
    """
    words = content.decode("utf-8", errors="replace").split()
    if not 1 <= len(words) <= MAX_ACCOUNTS or not all(map(_ACCOUNT.fullmatch, words)):
        raise UsageError(f"{OWNERS_FILE} names 1 to {MAX_ACCOUNTS} accounts, one on a line")
    return [word.casefold() for word in words]


def _entrants(folder: Path, contest: Contest) -> dict[str, str]:
    """Return the specs of the entrants by their names. Raises UsageError for what is not one."""
    entrants = {}
    for path in _listed(folder / ENTRANTS_FOLDER):
        with naming("entrant", path.name):
            sizes = dict(_sizes(path, ""))
            if problem := problem_of_files(sizes, contest):
                raise UsageError(problem)
            read_owners(read_bytes(path / OWNERS_FILE, MAX_OWNERS_BYTES))
            player = path / own_player(sizes, contest)
        entrants[path.name] = str(player) if player.is_absolute() else f".{os.sep}{player}"
    return entrants


def _listed(folder: Path) -> list[Path]:
    """Return what is in a folder, in order. What Python leaves there does not count."""
    paths: list[Path] = []
    with naming("folder", folder), suppress(FileNotFoundError):  # git keeps no empty folder
        paths = sorted(folder.iterdir())
    return [path for path in paths if path.name not in ("__pycache__", ".gitkeep")]


def _sizes(folder: Path, prefix: str) -> Iterable[tuple[str, int]]:
    """Yield the paths below an entrant's folder with their bytes. Raises UsageError for others."""
    if not stat.S_ISDIR(folder.lstat().st_mode):
        raise UsageError("it is not a folder")
    for path in _listed(folder):
        name, status = f"{prefix}{path.name}", path.lstat()
        if stat.S_ISDIR(status.st_mode):
            yield from _sizes(path, f"{name}/")
        elif not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{quoted(name)} is not a regular file")
        elif problem := problem_of_file(name):
            raise UsageError(f"{quoted(name)} is not a file of an entrant: {problem}")
        else:
            yield name, status.st_size
