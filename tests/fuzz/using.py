"""Commands that use a plugin with faults."""

from __future__ import annotations

PLAY = "-n 2 --seed 1 -j 1"
LISTS = ("players", "games", "plugins", "--help")
OF_A_PLAYER = (
    f"fight fuzzed monkey {PLAY}",
    f"fight triples fuzzed {PLAY} --format json",
    f"tournament fuzzed monkey triples {PLAY}",
    "check fuzzed --positions 5 --patience 2 --seed 1",
    "exact fuzzed monkey --max-positions 300",
    "move fuzzed _________",
    "certify fuzzed --max-positions 300 --games 2 --seed 1",
    "replay tictactoe/fuzzed/monkey/1/1.1",
    "regress fuzzed --panel monkey --update --baseline new.json --game tictactoe -n 2 -j 1",
    f"fight fuzzed monkey {PLAY} --isolate",
    "train lms --games 2 --seed 1 --against fuzzed",
    "plan fuzzed monkey -n 2 --seed 1 -j 1",
    "fight fuzzed monkey -n 2 --store new.db -j 1",
)
OF_A_GAME = (
    "fight monkey minimax",
    "fight monkey monkey --openings all:1",
    "exact monkey minimax --max-positions 300",
    "move monkey ______",
    "certify monkey --max-positions 300 --games 2 --seed 1",
    "check monkey --positions 5 --patience 2 --seed 1",
    "play monkey minimax --seed 1",
    "fight monkey monkey --adjudicate draws",
    "regress monkey --update --baseline new.json -n 2 -j 1",
    "play monkey --hints --seed 1",
)
COMMANDS = {
    "player": (
        *OF_A_PLAYER,
        "play fuzzed monkey --seed 1",
        f"fight fuzzed monkey {PLAY} --executor serial",
    ),
    "game": tuple(
        f"{line} --game fuzzed{' ' + PLAY if line.startswith('fight') else ''}"
        for line in OF_A_GAME
    ),
    "executor": tuple(
        f"{line} --executor fuzzed"
        for line in (
            f"fight monkey triples {PLAY}",
            f"tournament monkey triples tictactoe1 {PLAY}",
            f"fight monkey triples --sprt {PLAY}",
            "fight monkey triples -n 2 --store new.db",
        )
    ),
    "report": tuple(
        # Not doctor: its modules trap on purpose, in a process that all tests share.
        f"{line} --format fuzzed"
        for line in (f"fight monkey triples {PLAY}", "games", "exact monkey triples", "players")
    ),
    "command": ("fuzzed", "fuzzed", "fuzzed --help", "--help"),
    "hook": ("players", "--help", "fight monkey triples -n 1 --executor serial"),
}
