"""Take games that were played elsewhere into a store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO

from arena.errors import ArenaError, UsageError, quoted
from arena.features.import_.record import ImportReport
from arena.fights.pairing import GameId
from arena.files import naming, open_file
from arena.inputs.resolve import StoreLike
from arena.notation.pgn import OUTCOMES, PgnGame
from arena.notation.pgn_reading import PgnError, read_pgn
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.urls import is_url, without_passwords

if TYPE_CHECKING:
    from arena.store.imports import ImportedGame
    from arena.store.sql import Store

#: A fight by its game, its players A and B, and its seed.
Fight = tuple[str, str, str, int]

#: The length of the longest name of a player.
MAX_PLAYER_NAME = 200

#: Problems that a report names; it counts the others.
MAX_NAMED_PROBLEMS = 100


def import_games(
    file: str | os.PathLike[str], store: StoreLike, catalogue: Catalogue | None = None
) -> ImportReport:
    """Take the games of a PGN file into a store, which is made if there is none.

    Every move is checked by the rules, and the result where they end the game. A game that breaks
    them, has no result, or was played by a run of this store, is left out; the report names its
    line. Raises UsageError for a file that is not PGN or ends within a game, and one that the store
    has already; then the store takes nothing.
    """
    from arena.store.imports import keep_games, require_new, spool
    from arena.store.sql import Store

    name = os.fspath(file)
    existing = Store(store, create=True) if is_url(store) or os.path.exists(store) else None
    run_fights = set[Fight]() if existing is None else _fights_of_runs(existing)
    reader = _GameImporter(catalogue or load_catalogue(), run_fights)
    with _open_file(name) as opened, TemporaryFile("w+", encoding="utf-8") as lines:
        digest = _digest(opened)
        if existing is not None:
            require_new(existing, name, digest)
        try:
            spool(reader.read(opened), lines)
        except PgnError as error:
            raise UsageError(f"games {quoted(name)}, {error}") from error
        if not reader.games and not reader.left_out:
            raise UsageError(f"games {quoted(name)}: there are no games in it")
        number = None
        if reader.games:
            number = keep_games(existing or Store(store, create=True), name, digest, lines)
    players, problems = tuple(sorted(reader.players)), tuple(reader.problems)
    return ImportReport(
        without_passwords(os.fspath(store)),
        name,
        number,
        reader.games,
        players,
        reader.left_out,
        problems,
    )


def _open_file(name: str) -> BinaryIO:
    with naming("games", name):
        return open_file(name, most=None)


def _digest(file: BinaryIO) -> str:
    digest = blake2b(digest_size=16)
    while part := file.read(1 << 20):
        digest.update(part)
    file.seek(0)
    return digest.hexdigest()


def _require_name(player: str) -> None:
    """Raise UsageError for a text that is not the name of a player."""
    if player in ("", "?"):
        raise UsageError("its tags White and Black do not name its players")
    if len(player) > MAX_PLAYER_NAME or not player.isprintable():
        raise UsageError(f"{quoted(player)} is not the name of a player")


def _fights_of_runs(store: Store) -> set[Fight]:
    """Return the fights of all runs of a store."""
    from arena.store.reading import read_runs

    with store.read() as connection:
        return {
            (run.game, run.players[fight.a].name, run.players[fight.b].name, run.seed)
            for run in read_runs(connection)
            for fight in (*run.fights, *run.past)
        }


class _GameImporter:
    """Reads games and checks them by the rules. It counts what it takes and notes the rest."""

    def __init__(self, catalogue: Catalogue, run_fights: set[Fight]) -> None:
        self._catalogue, self._run_fights = catalogue, run_fights
        self.games = 0
        self.players: set[str] = set()
        self.left_out = 0
        self.problems: list[tuple[int, str]] = []

    def read(self, file: BinaryIO) -> Iterator[ImportedGame]:
        """Yield the games that keep to the rules."""
        for game in read_pgn(file):
            try:
                imported = self._imported_game(game)
            except ArenaError as error:
                self.left_out += 1
                if self.left_out <= MAX_NAMED_PROBLEMS:
                    self.problems.append((game.line, str(error)))
                continue
            self.games += 1
            self.players.update(imported.players)
            yield imported

    def _is_own(self, pgn: PgnGame) -> bool:
        """Return whether a fight of this store has the game, by its id."""
        try:
            named = GameId.parse(pgn.tags.get("GameId", ""))
        except UsageError:
            return False
        return (named.game, named.a, named.b, named.seed) in self._run_fights

    def _imported_game(self, pgn: PgnGame) -> ImportedGame:
        """Return the game. Raises ArenaError for one that is not taken."""
        from arena.store.imports import ImportedGame, problem_of_end

        if self._is_own(pgn):
            raise UsageError("a run of this store has played it")
        game = self._catalogue.game(pgn.game)
        players = pgn.tags.get("White", "?"), pgn.tags.get("Black", "?")
        for player in players:
            _require_name(player)
        outcome = OUTCOMES[pgn.result]
        if outcome is None:
            raise UsageError("it has no result")
        begin = position = pgn.begin(game)
        moves = []
        for number, text in enumerate(pgn.moves, start=1):
            try:
                moves.append(position.read_move(text))
                position = position.play(moves[-1])
            except ArenaError as error:
                raise UsageError(f"ply {number}: {error}") from error
        problem = problem_of_end(position, outcome)
        if problem is not None:
            raise UsageError(problem)
        opening = begin if "FEN" in pgn.tags else None
        return ImportedGame(
            *(pgn.line, game, players, opening, tuple(moves), outcome, pgn.tags, pgn.comments)
        )
