"""Import the library when it is needed, and say which of its games arena plays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from arena.errors import UnknownName, UsageError
from arena.plugins.libraries import Library
from arena.seats import MAX_SEATS

OPENSPIEL = Library("games of OpenSpiel", "open_spiel", "pyspiel", "openspiel", (2, 0))

#: The games of which something else is wrong.
_WRONG = {"pathfinding": "is for 1 player on the board of the library"}

#: What the types of games do that are none without parameters.
_INCOMPLETE = {
    "add_noise": "adds noise to the payoffs of another game",
    "cached_tree": "keeps the tree of another game in memory",
    "coop_to_1p": "makes another game, in which players cooperate, one for 1 player",
    "efg_game": "reads its tree from a file of Gambit's",
    "misere": "reverses the payoffs of another game",
    "nfg_game": "reads its matrix from a file of Gambit's",
    "normal_form_extensive_game": "makes a matrix of all plans of another game",
    "repeated_game": "repeats another game, a matrix",
    "repeated_poker": "repeats a game of poker that its parameters describe",
    "restricted_nash_response": "has a player of another game keep to one strategy at times",
    "start_at": "begins another game after some of its moves",
    "turn_based_simultaneous_game": "puts the simultaneous moves of another game in a row",
    "zerosum": "shifts the payoffs of another game so that their sum is 0",
}

#: A parameter of some games: their texts have the colours of a terminal.
_COLOURS = "ansi_color_output"


@cache
def library() -> Any:
    """Return the module ``pyspiel``. Raises UsageError with the command that installs it."""
    return OPENSPIEL.load()


@cache
def playable() -> tuple[str, ...]:
    """Return the names of the games for two without luck, secrets and payoffs, ascending."""
    types = library().registered_games()
    return tuple(sorted(kind.short_name for kind in types if is_plain(kind) and not excluded(kind)))


@cache
def worldly() -> tuple[str, ...]:
    """Return the names of the other games that arena may play, ascending."""
    types = library().registered_games()
    others = (kind.short_name for kind in types if not is_plain(kind))
    return tuple(sorted(name for name in others if name not in refused()))


@cache
def refused() -> dict[str, str]:
    """Return the traits of the games that arena does not play, by their names, ascending."""
    types = sorted(library().registered_games(), key=lambda kind: str(kind.short_name))
    traits = {kind.short_name: excluded(kind) or _WRONG.get(kind.short_name) for kind in types}
    return {name: trait for name, trait in traits.items() if trait}


def kind_of(name: str) -> Any:
    """Return the library's type of the game that has this name."""
    return {kind.short_name: kind for kind in library().registered_games()}[name]


def check_kind(name: str) -> None:
    """Raise UsageError with the trait that excludes a game of the library.

    Raises UnknownName with the nearest game that arena plays if the library has no such game.
    """
    if all(kind.short_name != name for kind in library().registered_games()):
        raise UnknownName("game of OpenSpiel", name, sorted((*playable(), *worldly())))
    if trait := refused().get(name):
        raise UsageError(f"game 'openspiel:{name}' {trait}, which arena does not play")


def excluded(kind: Any) -> str:
    """Return the trait that keeps a type of game out of arena. The result is empty if none does."""
    if not kind.default_loadable:
        return _INCOMPLETE.get(kind.short_name, "needs parameters that have no usual value")
    if kind.dynamics.name not in ("SEQUENTIAL", "SIMULTANEOUS"):
        return "has no turns"
    if kind.chance_mode.name not in ("DETERMINISTIC", "EXPLICIT_STOCHASTIC"):
        return "draws its luck inside the library and tells no probabilities"
    if kind.max_num_players < 2 or kind.min_num_players > MAX_SEATS:
        return f"is for {seats_of(kind)} {'player' if kind.max_num_players == 1 else 'players'}"
    return ""


def seats_of(kind: Any) -> str:
    """Return how many players a type of game has, in words."""
    fewest, most = kind.min_num_players, kind.max_num_players
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def is_plain(kind: Any) -> bool:
    """Return whether a type of game may be for two, without luck and secrets, to win or lose."""
    traits = kind.dynamics, kind.chance_mode, kind.information, kind.utility
    plain = ["SEQUENTIAL", "DETERMINISTIC", "PERFECT_INFORMATION", "ZERO_SUM"]
    return kind.min_num_players <= 2 and [trait.name for trait in traits] == plain


def load(name: str, parameters: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the library's game and its first state. Raises UsageError if it refuses.

    Nothing of what it prints meanwhile comes through.
    """
    module = library()
    plain = {key: False for key in kind_of(name).parameter_specification if key == _COLOURS}
    with _hushed():
        try:
            game = module.load_game(name, {**plain, **parameters})
            return game, game.new_initial_state()
        except Exception as error:
            words = str(error).splitlines()[0] if str(error) else type(error).__name__
            words_of = ", ".join(f"{key} {value}" for key, value in parameters.items())
            raise UsageError(
                f"OpenSpiel refuses game 'openspiel:{name}' with {words_of}: {words}"
            ) from error


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep what the library writes to standard error from the user: it warns at every start."""
    try:
        stderr = os.dup(2)
    except OSError:  # it is closed, and nothing comes through
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)
