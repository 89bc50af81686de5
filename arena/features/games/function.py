"""List the games, and describe one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.records.listings import Details, Listing

if TYPE_CHECKING:
    from arena.records.rows import GameEntry

#: A longer text of a position is not in the page of its game, whose picture shows it.
MAX_START = 60

PATTERNS_TITLE = "Patterns of players' games, by name or kind; arena games GAME has its kinds"


def installed_games(catalogue: Catalogue | None = None, details: bool = False) -> Listing:
    """List the families of games, and the patterns of names that players declare.

    ``details`` of single games are in its page, not in its JSON.

    >>> "connect4" in [row["name"] for row in installed_games().rows]
    True
    """
    catalogue = catalogue or load_catalogue()
    rows = tuple({"name": name, "summary": family.summary} for name, family in catalogue.families)
    sizes = _details(catalogue) if details else {}
    patterns = _patterns(catalogue)
    return Listing("games", rows, ("name", "summary"), details=sizes, more=(patterns,))


def _patterns(catalogue: Catalogue) -> Listing:
    """List the patterns by which players declare games, as ``lines-*``, but not that of all."""
    players = [(info.name, info.games) for _, info in catalogue.players]
    protocols = [(f"{name}:", protocol.games) for name, protocol in catalogue.protocols]
    names: dict[str, list[str]] = {}
    for name, games in (*players, *protocols):
        for pattern in games:
            if "*" in pattern and pattern != "*":
                names.setdefault(pattern, []).append(name)
    rows = tuple({"pattern": key, "players": names[key]} for key in sorted(names))
    return Listing("patterns", rows, ("pattern", "players"), title=PATTERNS_TITLE)


def _details(catalogue: Catalogue) -> dict[str, Json]:
    """Return the size of each game that has no parameters, and its players."""
    details = {}
    for name, family in catalogue.families:
        if family.blanks:
            continue
        game = catalogue.game(name)
        details[name] = {
            "first moves": len(game.start().legal_moves()),
            "longest game": f"{game.max_plies} plies",
            "players": [info.name for _, info in catalogue.players if info.plays(game)],
        }
    return details


def describe_game(game: str, catalogue: Catalogue | None = None) -> Details:
    """Return all that is known of a game, with the players of it and their claims.

    >>> describe_game("connect4").row["board"]
    '7 by 6'
    """
    catalogue = catalogue or load_catalogue()
    the_game = catalogue.game(game)
    start = the_game.start()
    players = [info for _, info in catalogue.players if info.plays(the_game)]
    claims = [f"{info.name} {claim}" for info in players for claim in info.claims]
    offer = catalogue.family(game)
    row: GameEntry = {
        "name": the_game.name,
        "summary": offer.item.summary,
        "guide": the_game.guide,
        "board": f"{the_game.columns} by {the_game.rows}" if the_game.columns else "",
        "seats": the_game.seats,
        "longest_game": the_game.max_plies,
        "kinds": list(the_game.kinds),
        "first_moves": [start.write_move(move) for move in start.legal_moves()],
        "start": str(start),
        "players": [info.name for info in players],
        "claims": [claim for claim in claims if claim.endswith(f":{the_game.name}")],
        "template": offer.item.template,
        "version": the_game.version,
        "from": offer.source,
    }
    hidden = {"name"} if len(str(start)) <= MAX_START else {"name", "start"}
    columns = tuple(column for column in row if column not in hidden)
    return Details("games", row, columns, title=the_game.name, picture=start.picture())
