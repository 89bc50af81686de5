"""Write what language models were asked in games, and what they answered, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from arena.errors import UsageError
from arena.records.base import Json, Record
from arena.records.completions import MoveCompletion
from arena.records.exports import Export, ExportedGame
from arena.records.replays import ReplayReport


def jsonl(record: Record) -> str:
    """Return a line for each request. Raises UsageError for a record without games."""
    if isinstance(record, ReplayReport):
        lines = _lines(record, record.written_notes.completions, record.game)
    elif isinstance(record, Export):
        lines = _of_runs(record)
    else:
        raise UsageError("format jsonl is for single games: arena export --format jsonl")
    return "\n".join(json.dumps(line) for line in lines)


def _of_runs(export: Export) -> Iterator[Json]:
    for run in export.runs:
        number, name = run.number, run.game
        specs = {player.name: player.spec for player in run.players}
        for fight in run.all_fights:
            for game in fight.games:
                yield from _lines(game, game.completions, name, number, specs)


def _lines(
    game: ReplayReport | ExportedGame,
    completions: Iterable[MoveCompletion],
    name: str,
    run: int | None = None,
    specs: Mapping[str, str] | None = None,
) -> Iterator[Json]:
    """Yield a line for each request, with what a table needs of its run and its game.

    Its ``chosen`` is the move that the game has there, None if the answer has none. Its ``cost`` is
    a number, which rounds.
    """
    for completion in completions:
        cost = completion.cost
        yield {
            "run": run,
            "game_id": game.game_id,
            "game": name,
            "seat": game.players.index(completion.player) + 1,
            "spec": (specs or {}).get(completion.player, ""),
            **completion.as_json(),
            "chosen": None if completion.fault else game.moves[completion.move - 1],
            "cost": None if cost is None else float(cost),
        }
