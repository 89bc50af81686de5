"""Write what language models were asked in games, and what they answered, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from arena.errors import UsageError
from arena.model.codec import encode
from arena.records.base import Json, Record
from arena.records.exports import Export
from arena.records.replays import ReplayReport


def jsonl(record: Record) -> str:
    """Return a line for each request. Raises UsageError for a record without games."""
    if isinstance(record, ReplayReport):
        games = iter([_of_replay(record)])
    elif isinstance(record, Export):
        games = _of_runs(record)
    else:
        raise UsageError("format jsonl is for single games: arena export --format jsonl")
    return "\n".join(json.dumps(line) for line in _lines(games))


def _of_replay(replay: ReplayReport) -> Json:
    completions = encode(replay.move_completions)
    return {"game_id": replay.game_id, "game": replay.game, "completions": completions}


def _of_runs(export: Export) -> Iterator[Json]:
    for run in export.runs:
        for fight in (*run["fights"], *run.get("left_out", ())):
            yield from ({**game, "game": run["game"]} for game in fight["games"])


def _lines(games: Iterable[Json]) -> Iterator[Json]:
    for game in games:
        for completion in encode(game.get("completions", ())):
            yield {"game_id": game["game_id"], "game": game["game"], **completion}
