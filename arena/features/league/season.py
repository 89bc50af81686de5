"""Keep the hidden seed of a season: commit to it, play by it, open it, and check that it was so."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.features.league.acceptance import problems_of_store
from arena.features.league.files import ENTRANTS_FOLDER, LEAGUE_FILE, League, read_league
from arena.features.league.options import LeagueFileOption, LeagueOptions
from arena.features.league.publication import NOTHING_PUBLISHED, PUBLISHED_STORE
from arena.features.league.record import Season
from arena.files import naming, new_folder, read_json, write_atomically
from arena.inputs.resolve import StoreLike, open_catalogue
from arena.inputs.toml import read_toml
from arena.model.codec import decode, fields_of
from arena.plugin.catalogue import Catalogue
from arena.rng import SEED_LIMIT, fresh_seed
from arena.signatures import complete, takes

#: The file with the season of a league, and the folder of those that are over.
SEASON_FILE, ARCHIVE_FOLDER = "season.toml", "archive"

#: Bytes of the nonce, which hides the seed in the commitment, and of the commitment.
NONCE_BYTES, COMMITMENT_BYTES = 16, 32

#: The mode of the file with the secret: its user's alone.
_SECRET_MODE = 0o600

_SEASON_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,38}")
_NONCE = re.compile(rf"[0-9a-f]{{{2 * NONCE_BYTES}}}")

_HEAD = """\
# The season of this league. Its last games are played by a seed that only its owner knows: the
# commitment is the BLAKE2b digest of the season, the seed and a nonce. Both are opened after it.
"""


class Secret(NamedTuple):
    """The hidden seed of a season, and the nonce that hides it."""

    season: str
    seed: int
    nonce: str

    @property
    def commitment(self) -> str:
        """The digest that is published before the season.

        >>> Secret("spring", 7, "0" * 32).commitment[:16]
        'c0988090938a5233'
        """
        text = f"arena league\n{self.season}\n{self.seed}\n{self.nonce}\n"
        return blake2b(text.encode(), digest_size=COMMITMENT_BYTES).hexdigest()


@takes(LeagueFileOption)
def seal_season(
    season: str, secret: str | os.PathLike[str], **options: Unpack[LeagueFileOption]
) -> Season:
    """Begin a season: draw its hidden seed, and commit to it in ``season.toml``.

    The ``secret`` is a new file with the seed and the nonce, which only its user may read. Raises
    UsageError for a season that goes on, for one that is over, and for a file that is there.
    """
    folder = Path(complete(seal_season, options)["file"]).parent
    hidden = Path(secret)
    if not _SEASON_NAME.fullmatch(season):
        problem = "it has 1 to 39 letters from a to z, digits and hyphens, with no hyphen first"
        raise UsageError(f"{quoted(season)} is not the name of a season: {problem}")
    going_on = read_season(folder)
    if going_on.season:
        raise UsageError(f"season {quoted(going_on.season)} goes on: archive it first")
    if (folder / ARCHIVE_FOLDER / season).exists():
        raise UsageError(f"season {quoted(season)} is over: a season has a name of its own")
    drawn = Secret(season, fresh_seed(), secrets.token_hex(NONCE_BYTES))
    _write_secret(hidden, drawn)
    write_atomically(folder / SEASON_FILE, _text_of(season, drawn.commitment))
    return Season(season, drawn.commitment, hint=str(secret))


def _write_secret(file: Path, secret: Secret) -> None:
    text = json.dumps(secret._asdict()) + "\n"
    with naming("secret", file):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _SECRET_MODE)
    with open(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)


def _text_of(season: str, commitment: str, more: Mapping[str, object] | None = None) -> str:
    values = {"season": season, "commitment": commitment, **(more or {})}
    return _HEAD + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def read_season(folder: Path) -> Season:
    """Read the season of a league. One without a name is there where no season goes on.

    Raises UsageError for a file that is not one of a season.
    """
    file = folder / SEASON_FILE
    if not file.exists():
        return Season("", "")
    with naming("season", file):
        values, _ = read_toml(file)
        return _season_of(values)


@dataclass(frozen=True)
class _SeasonFile:
    """The keys of ``season.toml``: the last two open the commitment."""

    season: str
    commitment: str
    seed: int | None = None
    nonce: str | None = None


def _season_of(values: Mapping[str, Any]) -> Season:
    keys, _ = fields_of(_SeasonFile)
    if unknown := [key for key in values if key not in keys]:
        raise UsageError(f"{quoted(unknown[0])} is not a key of a season")
    file = decode(_SeasonFile, values)
    return Season(file.season, file.commitment, file.seed, file.nonce)


def read_secret(file: str | os.PathLike[str], season: Season) -> Secret:
    """Read the secret of a season. Raises UsageError if it is not what was committed to.

    No message repeats any of it.
    """
    with naming("secret", file):
        record = read_json(file)
    values = [record.get(name) for name in Secret._fields] if isinstance(record, dict) else record
    try:
        secret = decode(Secret, values)
    except UsageError:  # its message would repeat a value
        raise UsageError(f"secret {quoted(str(file))}: it is not the secret of a season") from None
    if not season.season:
        raise UsageError("no season goes on: arena league seal NAME --secret FILE begins one")
    if problem := _problem_of(secret, season):
        raise UsageError(f"secret {quoted(str(file))}: {problem}")
    return secret


def _problem_of(secret: Secret, season: Season) -> str:
    """Return why a secret is not what a season committed to, or an empty text if it is."""
    if not 0 <= secret.seed < SEED_LIMIT or not _NONCE.fullmatch(secret.nonce):
        return f"it has a seed or a nonce that arena does not draw: {NONCE_BYTES} bytes in hex"
    if secret.season != season.season:
        return "it is that of another season"
    if secret.commitment != season.commitment:
        return "its digest is not the commitment"
    return ""


@takes(LeagueOptions)
def archive_season(
    store: StoreLike,
    secret: str | os.PathLike[str],
    **options: Unpack[LeagueOptions],
) -> Season:
    """End a season: move its entrants and its last store to ``archive/SEASON``, and open its seed.

    The store is that of all games under the hidden seed. If it does not hold, is not complete, or
    is of other entrants or another seed, nothing changes and the ``problems`` of the result say
    why. The archive is there as a whole or not at all.
    """
    options = complete(archive_season, options)
    catalogue = open_catalogue(options["catalogue"])
    league = read_league(options["file"], catalogue)
    season = read_season(league.folder)
    opened = read_secret(secret, season)
    problems = problems_of_store(store, league, NOTHING_PUBLISHED, catalogue, seed=opened.seed)
    if problems:
        return Season(season.season, season.commitment, problems=tuple(problems))
    target = league.folder / ARCHIVE_FOLDER / season.season
    if os.path.lexists(target):
        raise UsageError(f"{quoted(str(target))} is there already")
    _move(league, Path(os.fspath(store)), opened, target)
    return Season(season.season, season.commitment, opened.seed, opened.nonce)


def _move(league: League, store: Path, secret: Secret, target: Path) -> None:
    """Write the archive of a season, then remove what it took."""
    target.parent.mkdir(exist_ok=True)
    entrants = league.folder / ENTRANTS_FOLDER
    with new_folder(target) as beside:
        if entrants.exists():
            unlisted = shutil.ignore_patterns("__pycache__", ".gitkeep")
            shutil.copytree(entrants, beside / ENTRANTS_FOLDER, ignore=unlisted)
        shutil.copyfile(league.file, beside / LEAGUE_FILE)
        shutil.copyfile(store, beside / PUBLISHED_STORE)
        more = {"seed": secret.seed, "nonce": secret.nonce}
        text = _text_of(secret.season, secret.commitment, more)
        write_atomically(beside / SEASON_FILE, text)
    if entrants.exists():
        shutil.rmtree(entrants)
    (league.folder / SEASON_FILE).unlink()


def open_season(folder: str | os.PathLike[str], catalogue: Catalogue | None = None) -> Season:
    """Check a season that is over, in its folder ``archive/SEASON``.

    The seed and the nonce must be what the season committed to, and the store must hold, be
    complete, of this seed and of these entrants. The ``problems`` of the result say what is not so.
    Compare the commitment with the one that was published before the season.
    """
    catalogue = open_catalogue(catalogue)
    where = Path(folder)
    season = read_season(where)
    if season.seed is None or season.nonce is None:
        raise UsageError(f"season {quoted(str(folder))}: it is not opened")
    secret = Secret(season.season, season.seed, season.nonce)
    problems = [problem] if (problem := _problem_of(secret, season)) else []
    league = read_league(where / LEAGUE_FILE, catalogue)
    problems += problems_of_store(
        where / PUBLISHED_STORE, league, NOTHING_PUBLISHED, catalogue, seed=season.seed
    )
    return Season(season.season, season.commitment, season.seed, season.nonce, tuple(problems))
