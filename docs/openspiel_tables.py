"""Write the tables of the page about OpenSpiel: which of its games arena plays, and how."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from markdown_tables import markdown

import arena
from arena.features.check.secrets import find_leaks
from arena.games.search import is_small
from arena.games.walk import walk

HERE = Path(__file__).parent

#: So many histories of a game show what its information state forgets, and these are drawn.
HISTORIES, SEED = 500, 1

#: A board of each game of OpenSpiel on which proofs finish soon, where there is one.
FINISH = {
    "breakthrough": "columns=2,rows=4",
    "clobber": "columns=3,rows=3",
    "connect_four": "columns=3,rows=3,x_in_row=3",
    "dots_and_boxes": "num_cols=1,num_rows=2",
    "go": "board_size=2,max_game_length=4",
    "gomoku": "connect=3,size=3",
    "havannah": "board_size=2",
    "hex": "board_size=3",
    "lines_of_action": "max_game_length=3",
    "mnk": "k=3,m=3,n=3",
    "nim": "pile_sizes=1;2;3",
    "oware": "num_houses_per_player=2,num_seeds_per_house=1",
    "tic_tac_toe": "",
    "y": "board_size=3",
}


def page() -> str:
    """Return the page with its tables. Raises UsageError where the library is not installed."""
    from arena.plugins.openspiel.library import library

    library()
    text = (HERE / "openspiel.md").read_text(encoding="utf-8")
    for name, table in TABLES.items():
        before, begin, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- end of {name} -->")
        text = f"{before}{begin}\n{table()}\n\n{end}{after}"
    return text


def _plain() -> str:
    from arena.plugins.openspiel.library import playable

    columns = ["game", "seats", "parameters", "longest", "a move", "equal", "finishes at"]
    return markdown([*columns, "positions", "minimax"], map(_row_of_openspiel, playable()))


def _world() -> str:
    from arena.plugins.openspiel.library import worldly

    columns = ["game", "seats", "parameters", "has", "longest", "a payoff", "what a seat knows"]
    return markdown(columns, map(_row_of_world, worldly()))


def _refused() -> str:
    from arena.plugins.openspiel.library import kind_of, refused, seats_of

    rows = ([f"`{name}`", seats_of(kind_of(name)), trait] for name, trait in refused().items())
    return markdown(["game", "seats", "why not"], rows)


def _forgetful() -> str:
    from arena.plugins.openspiel.world import UNFAITHFUL

    columns = ["game", "seat", "after", "and after", "it knows the same"]
    return markdown(columns, map(_row_of_leak, sorted(UNFAITHFUL)))


def _row_of_leak(name: str) -> list[object]:
    from arena.plugins.openspiel.world import WorldGame

    game = WorldGame(name)
    leak, *_ = find_leaks(game, random.Random(SEED), HISTORIES).leaks
    position = game.start()
    for move in leak.history:
        position = position.play(game.parse_move(move))
    lines = [f"`{' '.join(history)}`" for history in (leak.history, leak.other)]
    words = " ".join(position.observation(leak.seat).text.split())
    return [f"`{name}`", leak.seat, *lines, f"`{words}`"]


def _row_of_world(name: str) -> list[object]:
    from arena.plugins.openspiel.world import world_game

    game = world_game(name)
    least, most, unit, _ = game.payoffs
    paid = f"{least} to {most} {unit}" if game.is_paid else "win, draw, loss"
    words = {"luck": game.start().has_luck, "secrets": game.start().has_secrets}
    has = ", ".join(word for word, is_there in words.items() if is_there)
    row = [f"`{name}`", game.seats, _parameters(name, game.seats)]
    return [*row, has, game.max_plies, paid, game.knowledge]


def _row_of_openspiel(name: str) -> list[object]:
    from arena.plugins.openspiel.game import OpenSpielGame

    game = arena.get_game(f"openspiel:{name}")
    assert isinstance(game, OpenSpielGame)
    move = game.format_move(game.start().legal_moves()[0])
    row = [f"`{name}`", game.seats, _parameters(name, game.seats), game.max_plies, f"`{move}`"]
    return [*row, "stones" if game.merges else "moves", *_finishes(name)]


def _parameters(name: str, seats: int) -> str:
    """Return the parameters of a game, each with its default and what it may be."""
    from arena.plugins.openspiel.library import kind_of
    from arena.plugins.openspiel.parameters import SEATS_PARAMETER, described, parameters_of

    usual = {**kind_of(name).parameter_specification, SEATS_PARAMETER: seats}
    known = (f"{key} {usual[key]}: {described(kind)}" for key, kind in parameters_of(name).items())
    return "; ".join(known)


def _finishes(name: str) -> list[object]:
    """Return a board on which proofs of a game finish, its positions, and how minimax plays it."""
    if name not in FINISH:
        return ["", "", "looks ahead"]
    inside = f"({FINISH[name]})" if FINISH[name] else ""
    game = arena.get_game(f"openspiel:{name}{inside}")
    positions = sum(1 for _ in walk(game.start(), lambda position: position.legal_moves()))
    solves = "solves it" if is_small(game) else "looks ahead"
    return [f"`{inside or name}`", positions, solves]


#: The tables of the page, by their names there.
TABLES: dict[str, Callable[[], str]] = {
    "forgetful": _forgetful,
    "games of the world": _world,
    "refused": _refused,
    "games": _plain,
}
