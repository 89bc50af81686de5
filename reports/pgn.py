"""Write the games of a store as PGN, by :mod:`arena.notation.pgn`."""

from __future__ import annotations

from arena.notation.pgn import CHESS_NAME, RESULTS, PgnGame, opening_tags, write_game
from arena.records.base import Record
from arena.reports.single_games import SingleGame, single_games

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
    texts = [write_game(_game(one), one.begin.ply) for one in single_games(record, "pgn")]
    return "".join(texts)[:-1]  # whatever prints it ends the last line


def _game(played: SingleGame) -> PgnGame:
    moves = tuple(position.write_move(move) for position, move, _ in played.steps())
    result = RESULTS[played.outcome]
    if played.tags is not None:
        return PgnGame(played.tags, moves, played.comments, result)
    return PgnGame(_tags(played), moves, _comments(played), result)


def _tags(played: SingleGame) -> dict[str, str]:
    first, second = played.players
    tags = {"Event": played.event, "Date": played.date.replace("-", "."), "Round": played.round}
    tags |= {"White": first, "Black": second}
    if played.game.name != CHESS_NAME:
        tags["Variant"] = played.game.name
    if played.is_opening:
        tags |= opening_tags(played.begin)
    tags["Termination"] = _termination(played)
    return tags | ({"GameId": played.game_id} if played.game_id else {})


def _termination(played: SingleGame) -> str:
    if played.outcome is None:
        return "unterminated"
    if played.forfeit is not None:
        return _TERMINATIONS.get(played.forfeit[1], "abandoned")
    return "adjudication" if played.end().outcome() is None else "normal"


def _comments(played: SingleGame) -> tuple[tuple[int, str], ...]:
    comments = [(place + 1, str(thought)) for place, thought in played.thoughts]
    if played.forfeit is not None:
        side, reason, message = played.forfeit
        text = f"{played.players[side]} forfeits ({reason}): {message}"
        comments.append((len(played.moves), text))
    return tuple(comments)
