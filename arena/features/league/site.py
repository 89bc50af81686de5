"""Write the pages of a league: standings with their history, entrants, replays and old seasons."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from arena.clock import timestamp
from arena.errors import UsageError, quoted
from arena.features.league.acceptance import problems_of_store
from arena.features.league.comparison import value_of
from arena.features.league.files import League, read_league
from arena.features.league.index import ENTRANT_PAGES, REPORT_PAGE, index_html
from arena.features.league.options import LeagueOptions
from arena.features.league.publication import (
    HISTORY_FILE,
    MAX_COMMITS,
    PUBLISHED_STORE,
    LeagueFolder,
    read_published,
)
from arena.features.league.record import LeagueSite
from arena.features.league.season import ARCHIVE_FOLDER, SEASON_FILE, read_season
from arena.features.report.function import report
from arena.features.report.pages import entrant_pages
from arena.features.show.function import show
from arena.files import new_folder, write_atomically
from arena.inputs.resolve import open_catalogue
from arena.plugin.catalogue import Catalogue
from arena.records.base import Json
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.records.tournaments import TournamentResult

#: The first page.
INDEX_PAGE = "index.html"


@takes(LeagueOptions)
def write_league_site(
    store: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    published: str | os.PathLike[str] | None = None,
    *,
    commit: str,
    **options: Unpack[LeagueOptions],
) -> LeagueSite:
    """Write the pages of a league into a new folder, with the store and the standings by commit.

    ``published`` is the folder of before, whose history goes on with this ``commit``. If the store
    may not be published, nothing is written, and the ``problems`` of the result say why. The folder
    is there as a whole or not at all. No player runs.

    Raises UsageError for a folder that is there.
    """
    options = complete(write_league_site, options)
    catalogue = open_catalogue(options["catalogue"])
    league = read_league(options["file"], catalogue)
    season, before = read_season(league.folder).season, read_published(published)
    target = Path(folder)
    if os.path.lexists(target):
        raise UsageError(f"{quoted(str(folder))} is there already")
    problems = problems_of_store(store, league, before, catalogue, season=season)
    if problems:
        return LeagueSite(str(folder), season, commit, (), tuple(problems))
    with new_folder(target) as beside:
        _SiteFolder(beside, league, catalogue).write(Path(store), season, commit, before)
    files = sorted(p.relative_to(target).as_posix() for p in target.rglob("*") if p.is_file())
    return LeagueSite(str(folder), season, commit, tuple(files))


class _SiteFolder:
    """The folder of the pages, as it is written."""

    def __init__(self, folder: Path, league: League, catalogue: Catalogue) -> None:
        self._folder, self._league, self._catalogue = folder, league, catalogue

    def write(self, store: Path, season: str, commit: str, before: LeagueFolder) -> None:
        """Write all files."""
        standings = cast("TournamentResult", show(store, catalogue=self._catalogue))
        entry = _entry(standings, season, commit)
        history = [each for each in before.history if not _is_same(each, entry)]
        history = [*history, entry][-MAX_COMMITS:]
        shutil.copyfile(store, self._folder / PUBLISHED_STORE)
        text = json.dumps({"history": history}, indent=1) + "\n"
        write_atomically(self._folder / HISTORY_FILE, text)
        write_atomically(self._folder / ".nojekyll", "")
        addresses = self._pages(self._folder, store)
        archives = list(self._archives())
        text = index_html(self._league, standings, history, addresses, archives)
        write_atomically(self._folder / INDEX_PAGE, text + "\n")

    def _pages(self, folder: Path, store: Path) -> dict[str, str]:
        """Write the page of all games and those of the entrants, and return their addresses."""
        gathered = report(store, catalogue=self._catalogue)
        page = self._catalogue.reports.get("html")
        write_atomically(folder / REPORT_PAGE, page(gathered) + "\n")
        (folder / ENTRANT_PAGES).mkdir()
        addresses = {}
        for player, name, text in entrant_pages(gathered, self._catalogue):
            write_atomically(folder / ENTRANT_PAGES / name, text)
            addresses[player] = f"{ENTRANT_PAGES}/{name}"
        return addresses

    def _archives(self) -> Iterator[str]:
        """Write the pages of the seasons that are over, and yield their names, the last first."""
        archive = self._league.folder / ARCHIVE_FOLDER
        stores = archive.glob(f"*/{PUBLISHED_STORE}") if archive.is_dir() else ()
        for store in sorted(stores, reverse=True):
            season = store.parent.name
            folder = self._folder / ARCHIVE_FOLDER / season
            folder.mkdir(parents=True)
            shutil.copyfile(store, folder / PUBLISHED_STORE)
            shutil.copyfile(store.parent / SEASON_FILE, folder / SEASON_FILE)
            self._pages(folder, store)
            yield season


def _entry(standings: TournamentResult, season: str, commit: str) -> Json:
    """Return the standings of a commit, as the history keeps them."""
    rows = [
        {"rank": row.shown_rank, "player": row.player, "value": value_of(row)}
        for row in standings.standings
    ]
    return {
        "season": season,
        "commit": commit,
        "date": timestamp(),
        "unit": standings.unit,
        "standings": rows,
    }


def _is_same(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    return (one["season"], one["commit"]) == (other["season"], other["commit"])
