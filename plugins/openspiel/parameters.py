"""Read ``NAME(parameter=value,...)`` with suspicion: the library takes a board of size -3.

A value that the library does not expect may end the process, so arena lets through what is listed
here. Parameters that change how the library prints a position, and not the game, are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from arena.errors import UnknownName, UsageError, quoted
from arena.plugins.openspiel.library import check_kind
from arena.seats import MAX_SEATS

_NAME = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.ASCII)


class Between(NamedTuple):
    """A number with a fraction, such as komi."""

    least: float
    most: float


#: The kind of a parameter: an int of a range, one of some ints, a fraction, a bool, or a text.
GameOptionKind = range | tuple[int, ...] | Between | type[bool] | re.Pattern[str]

_TO_EIGHT = (*range(2, MAX_SEATS + 1),)

_PILES = re.compile(r"\d{1,2}(;\d{1,2}){0,7}", re.ASCII)

#: The parameter that says how many players a game has.
SEATS_PARAMETER = "players"

#: The numbers of players that some games may have, with the usual one first. It is 2 where it can
#: be, and else that of the library. A number that the library does not expect may end the process.
_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "chinese_checkers": (2, 3, 4, 6),
    "cribbage": (2, 3, 4),
    "hanabi": (2, 3, 4, 5),
    "maedn": (2, 3, 4),
    "oh_hell": (3, 4, 5, 6, 7),
    "quoridor": (2, 3, 4),
    "snake": (2, 4),
    "social_deduction": (6, 3, 4, 5, 7, 8),
    **dict.fromkeys(("blotto", "coin_game", "crazy_eights", "first_sealed_auction"), _TO_EIGHT),
    **dict.fromkeys(("go_fish", "goofspiel", "kuhn_poker", "leduc_poker", "pig"), _TO_EIGHT),
    **dict.fromkeys(("repeated_leduc_poker", "universal_poker", "yacht"), _TO_EIGHT),
}

#: The parameters of games, beside the number of players. Larger boards take unreasonably long to
#: play on.
PARAMETERS: Mapping[str, Mapping[str, GameOptionKind]] = {
    "amazons": {"board_size": (6, 8, 10)},
    "blotto": {"coins": range(1, 21), "fields": range(1, 6)},
    "bridge": {
        "dealer": range(4),
        "dealer_vul": bool,
        "non_dealer_vul": bool,
        "use_double_dummy_result": bool,
    },
    "breakthrough": {"columns": range(2, 27), "rows": range(3, 27)},
    "checkers": {"columns": range(3, 21), "rows": range(5, 21)},
    "chinese_checkers": {"max_moves": range(1, 10_001)},
    "clobber": {"columns": range(2, 21), "rows": range(2, 21)},
    "connect_four": {
        "columns": range(1, 21),
        "rows": range(1, 21),
        "x_in_row": range(1, 21),
    },
    "crazyhouse": {"insanity": range(3), "king_of_hill": bool, "sticky_promotions": bool},
    "cursor_go": {
        "board_size": range(2, 20),
        "handicap": range(10),
        "komi": Between(-400, 400),
        "max_cursor_moves": range(1, 1001),
    },
    "dots_and_boxes": {
        "num_cols": range(1, 21),
        "num_rows": range(1, 21),
        "utility_margin": bool,
    },
    "euchre": {"stick_the_dealer": bool},
    "first_sealed_auction": {"max_value": range(2, 101)},
    "go": {
        "board_size": range(2, 20),
        "handicap": range(10),
        "komi": Between(-400, 400),
        "max_game_length": range(1, 10_001),
    },
    "gomoku": {
        "anti": bool,
        "connect": range(1, 21),
        "dims": range(1, 4),
        "size": range(1, 21),
        "wrap": bool,
    },
    "goofspiel": {"num_cards": range(2, 14)},
    "havannah": {"board_size": range(2, 11), "swap": bool},
    "hearts": {
        "avoid_all_tricks_bonus": bool,
        "can_lead_any_club": bool,
        "can_lead_hearts_instead_of_qs": bool,
        "jd_bonus": bool,
        "must_break_hearts": bool,
        "no_pts_on_first_trick": bool,
        "qs_breaks_hearts": bool,
    },
    "hex": {
        "board_size": range(1, 27),
        "num_cols": range(1, 27),
        "num_rows": range(1, 27),
        "swap": bool,
    },
    "hive": {"uses_ladybug": bool, "uses_mosquito": bool, "uses_pillbug": bool},
    "lines_of_action": {"max_game_length": range(1, 10_001)},
    "maedn": {"twoPlayersOpposite": bool},
    "mnk": {"k": range(1, 21), "m": range(1, 21), "n": range(1, 21)},
    "nim": {"is_misere": bool, "pile_sizes": _PILES},
    "oh_hell": {"off_bid_penalty": bool, "points_per_trick": range(1, 11)},
    "oware": {"num_houses_per_player": range(1, 13), "num_seeds_per_house": range(1, 13)},
    "pig": {
        "diceoutcomes": range(2, 21),
        "horizon": range(1, 10_001),
        "piglet": bool,
        "winscore": range(1, 1001),
    },
    "quoridor": {"board_size": range(3, 26), "wall_count": range(1, 101)},
    "repeated_leduc_poker": {"num_hands": range(1, 101)},
    "social_deduction": {"max_rounds": range(1, 51)},
    "twixt": {"board_size": range(5, 25)},
    "y": {"board_size": range(1, 20)},
}


def read(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the parameters in ``NAME(parameter=value,...)``.

    Raises UsageError that names what is wrong, before the library sees any of it.
    """
    match = _NAME.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"game {quoted('openspiel:' + text)} is not NAME or NAME(KEY=VALUE,...)")
    name, inside = match[1], (match[2] or "").strip()
    check_kind(name)
    kinds, values = parameters_of(name), dict[str, Any]()
    for part in inside.split(",") if inside else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if key not in kinds:
            raise UnknownName(f"parameter of 'openspiel:{name}'", key, kinds)
        if not equals or key in values:
            problem = "is given twice" if key in values else "has no value"
            raise UsageError(f"game {quoted('openspiel:' + text)}: {key} {problem}")
        try:
            values[key] = _value(value, kinds[key])
        except ValueError as error:
            raise UsageError(f"game {quoted('openspiel:' + text)}: {key} {error}") from None
    if name == "checkers" and values.get("columns", 8) > values.get("rows", 8):
        problem = "more columns than rows, of which OpenSpiel mistakes some for others"
        raise UsageError(f"game {quoted('openspiel:' + text)}: there are {problem}")
    if values.get(SEATS_PARAMETER) == usual_players(name):  # one game has one name
        values.pop(SEATS_PARAMETER, None)
    return name, values


def parameters_of(name: str) -> dict[str, GameOptionKind]:
    """Return what the parameters of a game may be, by their names."""
    kinds = dict(PARAMETERS.get(name, {}))
    if name in _NUMBERS:
        kinds[SEATS_PARAMETER] = tuple(sorted(_NUMBERS[name]))
    return kinds


def usual_players(name: str) -> int | None:
    """Return the usual number of players where a game may have several, None for another game."""
    return _NUMBERS[name][0] if name in _NUMBERS else None


def library_parameters(name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters in the words of the library, with the number of players.

    >>> library_parameters("kuhn_poker", {})
    {'players': 2}
    """
    players = parameters.get(SEATS_PARAMETER, usual_players(name))
    if players is None:
        return dict(parameters)
    if name == "universal_poker":  # everybody has the blind and the stack of the usual two
        chips = {"blind": ["100"] * players, "stack": ["1200"] * players}
        return {"numPlayers": players, **{key: " ".join(each) for key, each in chips.items()}}
    return {**parameters, SEATS_PARAMETER: players}


def _value(text: str, kind: GameOptionKind) -> Any:
    """Return the value of a parameter. Raises ValueError with what it must be."""
    value: Any = None
    if kind is bool:
        value = {"true": True, "false": False}.get(text.lower())
    elif isinstance(kind, re.Pattern):
        value = text if kind.fullmatch(text) else None
    elif isinstance(kind, Between):
        number = float(text) if re.fullmatch(r"-?\d{1,4}(\.\d{1,3})?", text, re.ASCII) else None
        value = number if number is not None and kind.least <= number <= kind.most else None
    elif isinstance(kind, range | tuple) and re.fullmatch(r"\d{1,9}", text, re.ASCII):
        value = int(text) if int(text) in kind else None
    if value is None:
        raise ValueError(f"is {described(kind)}, not {quoted(text)}")
    return value


def described(kind: GameOptionKind) -> str:
    """Return what a parameter may be, in words."""
    if isinstance(kind, Between):
        return f"{kind.least:g} to {kind.most:g}"
    if isinstance(kind, range):
        return f"{kind[0]} to {kind[-1]}"
    if isinstance(kind, tuple) and len(kind) > 2 and kind == (*range(kind[0], kind[-1] + 1),):
        return f"{kind[0]} to {kind[-1]}"
    if isinstance(kind, tuple):
        return f"{', '.join(map(str, kind[:-1]))} or {kind[-1]}"
    return "true or false" if kind is bool else "sizes up to 99 of 8 piles at most"
