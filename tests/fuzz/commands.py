"""Command lines made from the parsers of the commands: any options, with good and odd values."""

from __future__ import annotations

from argparse import Action, ArgumentParser
from random import Random

from arena.cli.logs import add_logging
from arena.plugin.commands import Command
from tests.fuzz.harness import chance

PLAYERS = ["monkey", "triples", "tictactoe1", "minimax", "heuristic", "lms", "./bot.py"]
GAMES = ["tictactoe", "tictactoe-3", "tictactoe-corners", "mnk-3-2-3", "lines:rules.lines"]
FILES = [
    "certificate.json", "saved.json", "weights.json", "baseline.json", "store.db", "results.csv",
    "openings.txt", "rules.lines", "bot.py",
]  # fmt: skip
NO_FILES = [
    "folder", "empty", "loop", "dangling", "binary", "missing", "missing/file", "empty/file", "",
    ".", "..", "-", "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem", "x" * 300, "a\0b",
    "new\nline", "\u202ename", "\ud800", "\udcff", "~", "store.db-wal",
]  # fmt: skip
#: Nobody waits for what is written into a pipe, and reading a device is another case.
OUTPUTS = ["new.out", "folder", "loop", "missing/file", "/dev/full", "/dev/null", "empty", "\ud800"]
NUMBERS = [
    "-1", "0", "1.5", "1e3", "1e999", "nan", "inf", "-inf", "٣", "²", "0x10", "1_0", " 1", "+1", "",
    "9" * 30, "9" * 5000, "1" + "\0", "one", "1e-320", "0.1", "-0", "1,2,3", "99999999999999999999",
]  # fmt: skip
WORDS = [
    "", "x", "--", "-", "none", "all", "auto", "table", "serial", "processes", "a" * 300, "%s%n",
    "\x1b[31m", "\u202e", "\ud800", "a\nb", "*", "lms:", "lms:missing", "minimax:depth=-1", "cmd:",
    "minimax:depth=1e9", "cmd:missing", "./missing.py", "./bot.py:x", "lines:", "lines:/dev/zero",
    "tictactoe-0", "tictactoe-99999999", "mnk-3-3-9", "mnk-1-1-1", "random:2", "all:1", "all:99",
    "random:-1", "json", "csv", "markdown", "=1+1", "locked", "process", "monkey,triples", "self",
]  # fmt: skip
POSITIONS = ["_________", "x________", "xxxxxxxxx", "xo_x_o__", "-", "", "\ud800", "x" * 5000, "٣"]
IDS = ["tictactoe/monkey/triples/1/1.1", "tictactoe/triples/monkey/1/table/501.2", "saved.json"]
#: What is typed, or piped into a command.
LINES = [
    "1",
    "5",
    "9",
    "help",
    "undo",
    "quit",
    "save",
    "save x",
    "_________",
    "\ud800",
    "-1",
    "a,b",
]

#: Values that make sense, by the names of the arguments. None of them takes long.
_GOOD: list[tuple[str, list[str]]] = [
    ("a b player players against gauntlet", PLAYERS),
    ("alpha beta level margin loss_rate rate", ["0.01", "0.2"]),
    ("baseline", ["baseline.json"]),
    ("certificate check", ["certificate.json"]),
    ("changed_players", ["keep", "refuse", "replay"]),
    ("counts", ["1,2,3,4,5", "7,8,9", "0,0,1"]),
    ("delay", ["0", "0.01"]),
    ("elo0 elo1 error", ["-400", "0", "12.5", "300"]),
    ("engine", ["calls", "table", "auto"]),
    ("executor", ["serial", "processes"]),
    ("features", ["rules", "squares,counts", "list"]),
    ("format", ["table", "markdown", "csv", "json"]),
    ("game", GAMES),
    ("id", IDS),
    ("isolation require_isolation", ["auto", "none", "process", "locked"]),
    ("learner", ["lms"]),
    ("max_positions", ["1", "300", "6000"]),
    ("max_seconds", ["5"]),
    ("memory", ["512", "./bot.py=256"]),
    ("model", ["logistic", "normalized"]),
    ("move_time game_time import_time time_margin", ["5", "./bot.py=3", "monkey=9"]),
    ("openings", ["openings.txt", "random:2", "all:1"]),
    ("output junit write_test plot log_file", OUTPUTS),
    ("pairs games positions workers", ["1", "2", "3"]),
    ("panel", ["monkey", "tictactoe1,monkey"]),
    ("patience", ["2"]),
    ("position", POSITIONS),
    ("processes", ["8"]),
    ("readable", ["weights.json", "."]),
    ("results", ["results.csv", "-"]),
    ("run runs", ["1", "2"]),
    ("seed", ["1", "12345678901234567890"]),
    ("start", ["empty", "random"]),
    ("store", ["store.db", "new.db"]),
]
GOOD = {name: values for names, values in _GOOD for name in names.split()}

#: What takes minutes if nobody says less: given whenever the command knows the option.
SHORT = {"pairs": "2", "games": "3", "max_positions": "300", "positions": "9", "patience": "5"}


def actions(command: Command) -> list[Action]:
    """Return the arguments that a command's parser knows, without ``--help``."""
    parser = ArgumentParser(add_help=False)
    command.configure(parser)
    add_logging(parser)
    return list(parser._actions)


def value(rng: Random, action: Action) -> str:
    """Return a value for an argument: most often a good one."""
    name = "id" if action.dest == "game" and action.metavar == "ID" else action.dest
    good = GOOD.get(name) or list(action.choices or ())
    if good and chance(rng, 0.75):
        return rng.choice(good)
    if good is OUTPUTS:  # no other name is written to
        return rng.choice(good)
    return rng.choice(rng.choice([NUMBERS, WORDS, FILES, NO_FILES, PLAYERS, GAMES]))


def how_many(rng: Random, action: Action) -> int:
    """Return how many values an argument gets: sometimes not as many as it must."""
    if action.nargs == 0:
        return 0
    if action.nargs == "*":
        return rng.choice([1, 2, 2, 3])
    return rng.choice([0, 2]) if chance(rng, 0.04) else 1


def command_line(rng: Random, command: Command) -> list[str]:
    """Return a command line with some of the command's options."""
    argv: list[str] = []
    for action in actions(command):
        short = SHORT.get(action.dest)
        needed = action.required or not action.option_strings
        if not (needed or short or chance(rng, 0.12)):
            continue
        values = [value(rng, action) for _ in range(how_many(rng, action))]
        if short and (not values or chance(rng, 0.7)):
            values = [short]
        if action.option_strings and values and chance(rng, 0.3):
            option = max(action.option_strings, key=len)
            argv += [f"{option}={values[0]}" if option.startswith("--") else option + values[0]]
        else:
            argv += [*action.option_strings[:1], *values]
    if chance(rng, 0.05):
        argv.insert(rng.randrange(len(argv) + 1), rng.choice(WORDS))
    return [command.name, *argv]


def typed(rng: Random) -> str:
    """Return lines for standard input."""
    return "".join(f"{rng.choice(LINES)}\n" for _ in range(rng.randrange(6)))
