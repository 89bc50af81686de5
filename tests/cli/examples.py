"""An example of every command, and what its JSON promises."""

from __future__ import annotations

from pathlib import Path

FIGHT = ("fight", "tictactoe3", "monkey", "-n", "50", "--seed", "7")

BASELINE = Path(__file__).parents[2] / "arena-baseline.json"

#: What the command line promises of its JSON, by command.
PROMISED = {
    "fight": {
        "schema", "game", "seed", "engine", "players", "pairs", "games", "total", "first",
        "second", "pentanomial", "forfeits", "void", "distinct_games",
    },
    "tournament": {"schema", "game", "seed", "standings", "fights"},
    "exact": {"schema", "game", "players", "total", "first", "second"},
    "certify": {"schema", "game", "player", "never_loses", "first", "second"},
    "browse": {"schema", "games"},
    "check": {"schema", "player", "game", "seed", "extent", "conforms", "findings"},
    "sprt": {
        "schema", "llr", "lower", "upper", "decision", "estimate", "score", "score_low",
        "score_high", "scores", "elo", "elo_low", "elo_high", "elo_error", "nelo", "nelo_error",
        "los",
    },
    "move": {"schema", "player", "position", "moves"},
    "players": {"schema", "players", "broken"},
    "solve": {
        "schema", "game", "game_version", "position", "to_move", "value", "plies", "move",
        "method", "positions",
    },
    "games": {"schema", "games"},
    "plugins": {"schema", "plugins", "broken"},
    "regress": {"schema", "verdict", "exit_code", "baseline", "claims", "comparisons", "broken"},
    "replay": {"schema", "game_id", "game", "players", "moves", "outcome"},
    "exam": {"schema", "player", "game", "seed", "questions", "regret", "low", "high", "worst"},
    "explain": {"schema", "game_id", "game", "players", "moves", "outcome", "budget"},
    "debug": {"schema", "game_id", "game", "players", "moves", "outcome"},
    "play": {"schema", "game", "seed", "players", "moves", "outcome", "winner"},
    "plan": {"schema", "players", "counts", "score", "variance", "games_a_second", "plan"},
    "rate": {"schema", "players", "advantage", "draws", "statements"},
    "evaluate": {"schema", "by", "games", "players", "pairings", "told_apart", "cycles"},
    "train": {"schema", "learner", "game", "command", "seed", "first", "second"},
    "resume": {"schema", "game", "seed", "players", "pairs"},
    "runs": {"schema", "runs"},
    "show": {"schema", "game", "seed", "players", "pairs"},
    "export": {"schema", "runs", "imports"},
    "import": {"schema", "store", "file", "number", "games", "players", "left_out", "problems"},
    "history": {"schema", "history"},
    "doctor": {"schema", "available", "auto", "strong", "attempts"},
    "report": {"schema", "results"},
    "new": {"schema", "kind", "name", "files", "next"},
    "copy": {"schema", "source", "target", "whole", "parts"},
    "verify": {"schema", "store", "runs", "games", "holds", "divergence"},
}  # fmt: skip
EXAMPLES = {
    "fight": FIGHT,
    "tournament": ("tournament", "monkey", "triples", "tictactoe1", "-n", "5", "--seed", "7"),
    "exact": ("exact", "tictactoe3", "monkey"),
    "certify": ("certify", "tictactoe3"),
    "check": ("check", "triples", "--seed", "7", "--positions", "20"),
    "sprt": ("sprt", "--counts", "10,50,200,90,30", "--elo0", "0", "--elo1", "10"),
    "move": ("move", "tictactoe3", "____x____"),
    "players": ("players",),
    "solve": ("solve", "mnk-4-3-3"),
    "games": ("games",),
    "plugins": ("plugins",),
    "replay": ("replay", "tictactoe/tictactoe3/monkey/7/3.2"),
    "regress": ("regress", "triples", "--baseline", str(BASELINE)),
    "exam": ("exam", "monkey", "--questions", "5", "--seed", "1"),
    "explain": ("explain", "tictactoe/tictactoe3/monkey/7/3.2"),
    "debug": ("debug", "monkey", "tictactoe/tictactoe3/monkey/7/3.2"),
    "browse": ("browse", "--store", "{folder}/arena.db"),
    "play": ("play", "triples", "monkey", "--seed", "7"),
    "plan": ("plan", "tictactoe3", "monkey", "-n", "20", "--seed", "7"),
    "rate": ("rate", "{folder}/results.csv"),
    "evaluate": ("evaluate", "{folder}/arena.db"),
    "train": ("train", "lms", "--games", "2", "--seed", "7"),
    "resume": ("resume", "{folder}/arena.db", "1"),
    "runs": ("runs", "--store", "{folder}/arena.db"),
    "show": ("show", "--store", "{folder}/arena.db"),
    "export": ("export", "--store", "{folder}/arena.db"),
    "history": ("history", "triples", "--store", "{folder}/arena.db"),
    "doctor": ("doctor",),
    "import": ("import", "{folder}/games.pgn", "--store", "{folder}/{new}.db"),
    "report": ("report", "{folder}/arena.db"),
    "new": ("new", "player", "bot-{new}", "--folder", "{folder}"),
    "copy": ("copy", "{folder}/arena.db", "{folder}/{new}.db"),
    "verify": ("verify", "{folder}/arena.db"),
}
SCHEMAS = {
    "debug": "arena.replay/1",
    "new": "arena.scaffold/1",
    "exam": "arena.exam/1",
    "explain": "arena.explanation/1",
    "certify": "arena.certificate/1",
    "play": "arena.replay/1",
    "resume": "arena.fight/1",
    "show": "arena.fight/1",
}
