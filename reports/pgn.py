"""Write the games of a store as PGN, by :mod:`arena.notation.pgn`."""

from __future__ import annotations

from arena.clock import moment
from arena.game import CHANCE
from arena.notation.pgn import CHESS_NAME, RESULTS, PgnGame, opening_tags, write_game
from arena.player.clocks import Clock, read_control
from arena.records.base import Record
from arena.records.thoughts import Thought
from arena.reports.single_games import SingleGame, Timing, single_games

#: The value of the tag Termination by the reason of a forfeit. For others it is "abandoned".
_TERMINATIONS = {
    "timeout": "time forfeit",
    "illegal": "rules infraction",
    "protocol": "rules infraction",
    "budget": "rules infraction",
    "off-turn": "rules infraction",
}


def pgn(record: Record) -> str:
    """Return the games one after the other. Raises UsageError for a record without games."""
    texts = [written(one) for one in single_games(record, "pgn")]
    return "".join(texts)[:-1]  # whatever prints it ends the last line


def written(game: SingleGame) -> str:
    """Return one game as text that ends with an empty line."""
    begin = game.begin
    return write_game(_game(game), 0 if begin.has_luck else begin.ply)


def _game(played: SingleGame) -> PgnGame:
    steps = [(position, move) for position, move, _ in played.steps()]
    moves = tuple(position.write_move(move) for position, move in steps)
    movers = tuple(int(position.to_move) for position, _ in steps)
    result = RESULTS[played.outcome]
    if played.tags is not None:
        return PgnGame(played.tags, moves, played.comments, result, movers=movers)
    return PgnGame(_tags(played), moves, _comments(played), result, movers=movers)


def _tags(played: SingleGame) -> dict[str, str]:
    first, second = played.players
    tags = {"Event": played.event, "Date": played.date.replace("-", "."), "Round": played.round}
    tags |= {"White": first, "Black": second}
    engines, times = _timing_tags(played.timing) if played.timing else ({}, {})
    tags = {**tags, **engines}
    if played.game.name != CHESS_NAME:
        tags["Variant"] = played.game.name
    if played.is_opening:
        tags |= opening_tags(played.begin)
    tags |= {**times, "PlyCount": str(len(played.moves)), "Termination": _termination(played)}
    return tags | ({"GameId": played.game_id} if played.game_id else {})


def _timing_tags(timing: Timing) -> tuple[dict[str, str], dict[str, str]]:
    """Return the tags of the engines and those of the times, as fastchess names them."""
    sides = ("White", "Black")
    engines = {
        f"Engine{side}Name": name for side, name in zip(sides, timing.engines, strict=True) if name
    }
    minutes, seconds = divmod(round(timing.seconds), 60)
    times = {"GameDuration": f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"}
    if timing.ended is not None:
        times["GameStartTime"] = f"{moment(max(0, timing.ended - timing.seconds))} UTC"
        times["GameEndTime"] = f"{moment(timing.ended)} UTC"
    first, second = timing.controls
    if first == second:  # PGN has a dash for a game without a clock, as one by nodes is
        return engines, times | {"TimeControl": first or "-"}
    controls = zip(sides, timing.controls, strict=True)
    return engines, times | {f"{side}TimeControl": control or "-" for side, control in controls}


def _comment(thought: Thought, seconds_left: float | None) -> str:
    """Return the words on a move, as fastchess writes them if it tracks everything of these."""
    words = [str(thought)]
    if seconds_left is not None:
        words.append(f"tl={round(seconds_left, 3):g}s")
    if thought.nodes is not None:
        words.append(f"n={thought.nodes}")
        if thought.seconds:
            words.append(f"nps={round(thought.nodes / thought.seconds)}")
    if thought.pv:
        words.append(f'pv="{thought.pv}"')
    return ", ".join(words)


def _clocks(played: SingleGame) -> dict[int, float]:
    """Return the seconds on the mover's clock after each move, by the place of the move."""
    timing, seconds_left = played.timing, {}
    if timing is None or not any(timing.controls):
        return {}
    clocks = [Clock(read_control(text) if text else None) for text in timing.controls]
    times = [iter(moves) for moves in timing.moves]
    for place, (position, _, _) in enumerate(played.steps()):
        side = position.to_move
        if side == CHANCE:
            continue
        seconds = next(times[side], None)
        clocks[side].charge(seconds or 0.0)
        if timing.controls[side] and seconds is not None:
            seconds_left[place] = clocks[side].remaining
    return seconds_left


def _termination(played: SingleGame) -> str:
    if played.outcome is None:
        return "unterminated"
    if played.forfeit is not None:
        return _TERMINATIONS.get(played.forfeit[1], "abandoned")
    return "adjudication" if played.end().outcome() is None else "normal"


def _comments(played: SingleGame) -> tuple[tuple[int, str], ...]:
    clocks = _clocks(played)
    comments = [
        (place + 1, _comment(thought, clocks.get(place)))
        for place, thought in played.notes.thoughts
    ]
    if played.forfeit is not None:
        side, reason, message = played.forfeit
        text = f"{played.players[side]} forfeits ({reason}): {message}"
        comments.append((len(played.moves), text))
    return tuple(comments)
