"""Define what the arena and an isolated player say to each other: JSON objects.

Everything is text as people write it: positions and moves in the notation of the game. Nothing
here reads or writes. Programs are spoken to in :mod:`arena.sandbox.wire.json_lines`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from arena import escape
from arena.errors import (
    MAX_REPEATED_MESSAGE,
    CannotEnumerate,
    Forfeited,
    MoveError,
    Unavailable,
    UsageError,
    one_line,
    quoted,
)
from arena.game import Game, Outcome, Side
from arena.player.clocks import Clocks
from arena.player_file.plugin import dumps
from arena.rng import READY_BITS, Draw, SeenPart
from arena.sandbox.outside_modules import places_of_game

if TYPE_CHECKING:
    from fractions import Fraction

    from arena.games.info_state import InfoState

#: Reasons that a player's own process may give for not making a move.
ADMITTED = ("exception", "illegal")

#: The names of the sightings of a player that is checked.
SIGHTINGS = ("position", "global random", "plain ints", "output")

#: The values of a draw: the bits that it may have, less than zero, or their number.
_DRAWS = range(-READY_BITS, (1 << READY_BITS) + 1)

#: The reminder for an author whose program writes anything but answers.
ONLY_ANSWERS = ": only answers belong there, notes on standard error"


#: How many texts of draws are remembered with what they say, and their most characters.
CACHED_DRAWS, MAX_CACHED = 256, 100

#: Characters of a sighting, which names a position, perhaps of a large board.
MAX_SIGHTING = 1000

Message = Mapping[str, Any]

#: An answer of a player's process, by its keys.
AnswerFields = dict[str, Any]

#: Sightings by the name of the check, each a message and the text of a position.
SightingsByName = dict[str, tuple[str, str]]


def start(game: Game, side: Side, stream: int, is_traced: bool = False) -> Message:
    """Tell arena's shim that a game begins. It makes the stream of that number itself.

    With ``is_traced`` it makes a :class:`arena.tracing.TracedStream`.
    """
    rules = {"pickled": pickled(game), "stream": hex(stream)}
    traced = {"traced": True} if is_traced else {}
    return {"type": "start", **seat_of(game, side), **rules, **traced}


def seat_of(game: Game, side: int) -> Message:
    """Name the seat of a player: by its side in a game for two, and by its number from 0."""
    named = {"side": Side(side).name.lower()} if game.seats == 2 else {}
    return {**named, "seat": int(side), "seats": game.seats}


def move(number: int, position: InfoState, clocks: Clocks) -> Message:
    """Ask a Python player that keeps state for a move, and tell it the time."""
    facts = {"position": str(position), "clock": clocks.as_json()}
    return {"type": "move", "id": number, **facts}


def distribution(number: int, position: InfoState) -> Message:
    """Ask a Python player that keeps no state for the probabilities of its moves."""
    text = {"pickled": pickled(position.game), "position": str(position)}
    return {"type": "distribution", "id": number, **text}


def watch(is_on: bool) -> Message:
    """Tell arena's shim whether to look at what the player does besides its moves."""
    return {"type": "watch", "on": is_on}


def pickled(game: Game) -> str:
    """Return a game as a text: pickled here, where it is trusted, in base 64."""
    return b64encode(dumps(game, places_of_game(game))).decode("ascii")


def rules(game: Game) -> Message:
    """Return the message by which the shim loads the rules of a game before its positions."""
    return {"type": "rules", "pickled": pickled(game)}


def observe(game: Game, move: int) -> Message:
    """Tell that the opponent has moved."""
    return {"type": "observe", "move": game.format_move(move)}


def finish(outcome: Outcome) -> Message:
    """Tell that the game is over."""
    return {"type": "finish", "outcome": outcome.value}


def read_move(answer: Message, game: Game) -> int:
    """Return the move that is answered. Raises Forfeited for anything else.

    The rules decide whether the move is legal.
    """
    text = answer.get("move")
    if not isinstance(text, str):
        _refuse(f'answered {_json(answer)}, which has no "move" that is a text')
    try:
        return game.parse_move(text)
    except MoveError as error:
        raise Forfeited("illegal", str(error)) from None


def draws_text(draws: object) -> str:
    """Return what was drawn for a move, as :attr:`arena.rng.Stream.draws` has it, as JSON."""
    assert isinstance(draws, list)
    if {*map(type, draws)} == {int}:  # as nearly always: str() writes what JSON does, and quicker
        return str(draws)
    from arena.tracing import noted

    return json.dumps([_draw_as_json(draw) for draw in noted(draws)])


def _draw_as_json(draw: Draw) -> object:
    if isinstance(draw, SeenPart):
        return [*draw]
    return [str(weight) for weight in draw] if isinstance(draw, tuple) else draw


def read_draws(answer: Message) -> list[Draw]:
    """Read what :func:`draws_text` wrote. Raises Forfeited for anything else."""
    text = answer.get("draws", "")
    if text == "":
        return []
    try:
        return [*(_short_draws if len(text) <= MAX_CACHED else _draws)(text)]
    except (ValueError, TypeError, ZeroDivisionError, RecursionError):
        quoted_draws = quoted(text) if isinstance(text, str) else _json(text)
        _refuse(f"wrote {quoted_draws}, which does not say what was drawn")


def _draws(text: str) -> tuple[Draw, ...]:
    entries = _PLAIN.decode(text)
    if not isinstance(entries, list):
        raise TypeError("draws are a list")
    return tuple(map(_draw, entries))


#: It remembers short texts: players draw alike again and again.
_short_draws = lru_cache(CACHED_DRAWS)(_draws)


def _draw(entry: object) -> Draw:
    """Return a draw. Raises ValueError for what no generator draws: the player forged it."""
    if isinstance(entry, list):
        if [*map(type, entry)] == [int] * 3:
            return _part(*entry)
        weights = tuple(map(_chance, entry))
        if weights and min(weights) >= 0 and max(weights) > 0:
            return weights
    if type(entry) is int and entry in _DRAWS:
        return entry
    if isinstance(entry, str) and (sentence := one_line(entry)):
        return sentence
    raise ValueError(f"{entry!r} is not a draw")


def _part(draw: int, low: int, high: int) -> SeenPart:
    """Return a range of a draw. Raises ValueError for one that the draw does not have."""
    if draw in _DRAWS and draw and 0 <= low < high <= (draw if draw > 0 else 1 << -draw):
        return SeenPart(draw, low, high)
    raise ValueError(f"{low} to {high} is not a range of {draw}")


def read_sightings(answer: Message) -> SightingsByName:
    """Read what was seen of a player that is checked. Raises Forfeited for anything else."""
    seen = answer.get("seen", {})
    if not isinstance(seen, dict):
        _refuse(f"wrote {_json(seen)}, which does not say what was seen")
    sightings = {}
    for check, sighting in seen.items():
        is_text = isinstance(sighting, list) and list(map(type, sighting)) == [str, str]
        if check not in SIGHTINGS or not is_text:
            _refuse(f"wrote {_json(sighting)}, which does not say what was seen")
        sightings[check] = (escape.line(sighting[0][:MAX_SIGHTING]), sighting[1])
    return sightings


def read_distribution(answer: Message, game: Game) -> dict[int, Fraction]:
    """Return the probabilities that are answered. Raises Forfeited for anything else.

    Raises CannotEnumerate if the player says why it does not have them.
    """
    refused = answer.get("refused")
    if isinstance(refused, str) and (reason := one_line(refused)):
        raise CannotEnumerate(reason)
    moves = answer.get("moves")
    if not isinstance(moves, dict):
        _refuse(f'answered {_json(answer)}, which has no "moves"')
    try:
        chances = {game.parse_move(move): _chance(chance) for move, chance in moves.items()}
    except (MoveError, ValueError) as error:
        raise Forfeited("protocol", f"answered {_json(answer)}: {error}") from None
    if sum(chances.values()) != 1 or min(chances.values()) < 0:
        _refuse(f"answered {_json(answer)}, whose moves are not probabilities that add up to 1")
    return chances


def _chance(text: object) -> Fraction:
    from arena.fractions import fraction_of

    if not isinstance(text, str):
        raise ValueError("a probability is a text such as 1/3")
    return fraction_of(text)


def numbered(answer: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the answer to the request of that number. Raises Forfeited for another one."""
    if "id" not in answer:
        _refuse(f'answered {_json(answer)}, which has no "id": it is the number of the request')
    if type(answer["id"]) is not int or answer["id"] != number:
        answered = _json(answer.get("id"))
        _refuse(f"answered request {answered} when {number} was asked: one answer a request")
    return answer


def admitted(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the same. Raises what the player's process says went wrong."""
    if "unavailable" in answer:
        _cannot_play(answer["unavailable"], answer.get("retry_after", 0))
    if "error" in answer:
        try:
            _admit(answer["error"])
        except Forfeited as error:
            error.draws, error.seen = read_draws(answer), read_sightings(answer)
            raise
    return answer


def read_object(text: bytes, remark: str = ONLY_ANSWERS) -> dict[str, Any]:
    """Return the JSON object in a text. Raises Forfeited for anything else, with a remark."""
    try:
        answer = _OBJECTS.decode(text.decode("utf-8"))
    except UnicodeDecodeError:
        _refuse(f"wrote {answer_text(text)}, which is not UTF-8")
    except _Twins as error:
        _refuse(f"wrote {answer_text(text)}, which has the key {quoted(str(error))} twice")
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        _refuse(f"wrote {answer_text(text)}, which is not a JSON object{remark}")
    return answer


class _Twins(Exception):
    """An object has a key twice: readers differ in which of the values they take."""


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twins(next(name for name in names if names.count(name) > 1))
    return result


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON's")


#: Made once: ``json.loads`` makes a decoder for every text.
_PLAIN = json.JSONDecoder(parse_constant=_no_number)
_OBJECTS = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_without_twins)


def _admit(error: object) -> NoReturn:
    """Raise what the player's own process says went wrong. It can only accuse itself.

    It gives a reason and a message, and may add where, a remedy, its own frames, and what is
    barred to it.
    """
    if isinstance(error, list) and len(error) in (2, 6) and all(isinstance(x, str) for x in error):
        reason, message, *details = error
        if reason == "unavailable" and details:
            _cannot_play(message, details[0])
        if reason in ADMITTED and (problem := one_line(message)):
            failure = Forfeited(reason, problem)
            if details:
                failure.where, failure.remedy = map(one_line, details[:2])
                failure.frames, failure.barred = escape.block(details[2]), details[3]
            raise failure
    _refuse(f"wrote the error {_json(error)}")


def _cannot_play(problem: object, seconds: object) -> NoReturn:
    """Raise that the player cannot play now. Raises Forfeited if it does not say so properly."""
    try:
        text = one_line(problem) if isinstance(problem, str) else ""
        raise Unavailable(text or Unavailable().problem, _seconds(seconds))
    except UsageError as error:
        raise Forfeited("protocol", str(error)) from None


def _seconds(value: object) -> Any:
    """Return a number of seconds, which arena's shim writes as a text."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _json(value: object) -> str:
    try:
        return quoted(json.dumps(value))
    except RecursionError:  # what could be read may be too deep to be written
        return f"a {type(value).__name__} of many levels"


def _refuse(problem: str) -> NoReturn:
    raise Forfeited("protocol", problem)


def answer_text(answer: bytes) -> str:
    """Return what a player said, fit to be shown."""
    return quoted(
        answer[: 4 * MAX_REPEATED_MESSAGE].decode("utf-8", errors="backslashreplace").strip()
    )


def text(answer: Message, key: str) -> str:
    """Return a text in an answer, fit to be shown. The result is empty if there is none."""
    value = answer.get(key)
    return one_line(value) if isinstance(value, str) else ""
