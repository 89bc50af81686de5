"""Write what language models were asked in games, and what they answered, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction

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
    game = encode(replay)
    return {
        **game,
        "run": None,
        "specs": {},
        "completions": encode(replay.written_notes.completions),
    }


def _of_runs(export: Export) -> Iterator[Json]:
    for run in export.runs:
        specs = {player["name"]: player["spec"] for player in run["players"]}
        for fight in (*run["fights"], *run.get("left_out", ())):
            for game in fight["games"]:
                yield {**game, "run": run["run"], "game": run["game"], "specs": specs}


def _lines(games: Iterable[Json]) -> Iterator[Json]:
    """Yield a line for each request, with what a table needs of its run and its game.

    Its ``chosen`` is the move that the game has there, None if the answer has none. Its ``cost`` is
    a number, which rounds.
    """
    for game in games:
        players, moves = game["players"], game["moves"]
        for completion in encode(game.get("completions", ())):
            player, move, cost = completion["player"], completion["move"], completion["cost"]
            yield {
                "run": game["run"],
                "game_id": game["game_id"],
                "game": game["game"],
                "seat": players.index(player) + 1,
                "spec": game["specs"].get(player, ""),
                **completion,
                "chosen": None if completion["fault"] else moves[move - 1],
                "cost": None if cost is None else float(Fraction(cost)),
            }
