"""Read and write a baseline as a file: JSON with one line per position, for diffs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, UsageError, quoted
from arena.features.regress.baseline import (
    Baseline,
    Frozen,
    FrozenGames,
    FrozenPolicy,
    GameBaseline,
    Recorded,
)
from arena.features.regress.policies import Table, format_moves, parse_moves, tabulate
from arena.files import field_of, read_json, require_schema, texts_of
from arena.game import Game
from arena.plugin.catalogue import Catalogue
from arena.rng import SEED_LIMIT

BASELINE_SCHEMA = "arena.baseline/1"

#: Pairs a line, for diffs.
PAIRS_A_LINE = 80


def to_text(baseline: Baseline) -> str:
    """Return the file's content: the same for equal baselines."""
    games = {name: _game_json(entry) for name, entry in sorted(baseline.games.items())}
    specs = {"specs": dict(sorted(baseline.specs.items()))} if baseline.specs else {}
    return json.dumps({"schema": BASELINE_SCHEMA, **specs, "games": games}, indent=1) + "\n"


def _game_json(entry: GameBaseline) -> dict[str, Any]:
    return {
        "version": entry.game.version,
        "panel": sorted(entry.panel),
        "players": {name: _player_json(f, entry) for name, f in sorted(entry.players.items())},
    }


def _player_json(frozen: Frozen, entry: GameBaseline) -> dict[str, Any]:
    if isinstance(frozen, FrozenPolicy):
        lines = {str(p): format_moves(entry.game, moves) for p, moves in frozen.table.items()}
        policy = dict(sorted(lines.items()))
        return {"version": frozen.version, "method": "policy", "policy": policy}
    against = {
        name: {"seed": recorded.seed, "points": _wrapped(recorded.points)}
        for name, recorded in sorted(frozen.against.items())
    }
    return {"version": frozen.version, "method": "games", "against": against}


def _wrapped(points: Sequence[int]) -> list[str]:
    digits = "".join(map(str, points))
    return [digits[start : start + PAIRS_A_LINE] for start in range(0, len(digits), PAIRS_A_LINE)]


def read_baseline(path: Path, catalogue: Catalogue, *, outdated: bool = False) -> Baseline:
    """Read the baseline in a file. Raises UsageError, in one line, for any error in it.

    A game whose rules have changed since is an error too, unless ``outdated`` entries may be there:
    then they are left out.
    """
    try:
        return _baseline(read_json(path), catalogue, outdated)
    except ArenaError as error:
        raise UsageError(f"baseline {quoted(str(path))}: {error}") from error


def _baseline(record: Any, catalogue: Catalogue, outdated: bool) -> Baseline:
    require_schema(record, BASELINE_SCHEMA)
    games = {}
    for name, entry in field_of(record, "games", dict).items():
        game = catalogue.game(name)
        if game.name != name:
            raise UsageError(f"game {quoted(name)} is called {game.name!r}")
        if field_of(entry, "version", int) == game.version:
            games[name] = _game(game, entry)
        elif not outdated:
            raise UsageError(
                f"it has version {entry['version']} of {name}, which is at {game.version} now;"
                " write it again with --update"
            )
    specs = field_of(record, "specs", dict) if "specs" in record else {}
    if not all(isinstance(spec, str) for spec in specs.values()):
        raise UsageError("its 'specs' are not texts")
    return Baseline(games, specs)


def _game(game: Game, entry: dict[str, Any]) -> GameBaseline:
    panel = texts_of(entry, "panel")
    if len(set(panel)) < len(panel):
        raise UsageError(f"the panel of {game.name} is not a list of different names")
    players = {}
    for name, player in field_of(entry, "players", dict).items():
        try:
            players[name] = _frozen(game, player)
        except ArenaError as error:
            raise UsageError(f"{name} at {game.name}: {error}") from error
    return GameBaseline(game, tuple(panel), players)


def _frozen(game: Game, record: Any) -> Frozen:
    version, method = field_of(record, "version", str), field_of(record, "method", str)
    if method == "policy":
        return FrozenPolicy(version, _table(game, field_of(record, "policy", dict)))
    if method == "games":
        against = field_of(record, "against", dict)
        return FrozenGames(version, {name: _recorded(r) for name, r in against.items()})
    raise UsageError(f"its method is {quoted(method)}, not 'policy' or 'games'")


def _table(game: Game, lines: Mapping[str, Any]) -> Table:
    """Return the policy. Raises UsageError unless it covers exactly its own positions."""
    table: Table = {}
    for text, moves in lines.items():
        position = game.parse(text)
        if position in table or position.outcome() is not None:
            reason = "the game is over" if position.outcome() is not None else "it is there twice"
            raise UsageError(f"position {quoted(text)}: {reason}")
        try:
            table[position] = parse_moves(moves, position)
        except ArenaError as error:
            raise UsageError(f"position {quoted(text)}: {error}") from error
    try:
        policy = tabulate(table.__getitem__, game, len(table))
    except KeyError as missing:
        raise UsageError(f"there are no moves for {str(missing.args[0])!r}") from missing
    for position in table:
        if position not in policy:
            raise UsageError(f"position {str(position)!r} cannot occur with these moves")
    return policy


def _recorded(record: Any) -> Recorded:
    seed, digits = field_of(record, "seed", int), "".join(texts_of(record, "points"))
    if not 0 <= seed < SEED_LIMIT:
        raise UsageError(f"seed {seed} is not between 0 and {SEED_LIMIT - 1}")
    if not digits or not set(digits) <= set("01234"):
        raise UsageError("the points of its pairs are not digits from 0 to 4")
    return Recorded(seed, tuple(map(int, digits)))
