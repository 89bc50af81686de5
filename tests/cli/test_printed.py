"""Every command that arena prints runs as it stands, whatever plugin in a file it needs."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Ran, Run
from tests.golden import Wording
from tests.pages import typed_and_words

#: One plugin of each kind.
PLUGINS = {
    "player": """
def choose(position, rng):
    return position.legal_moves()[-1]

def wrong(position, rng):
    return 99

@arena.hookimpl
def arena_register_players(register):
    register("last", choose, claims=("never-loses:tictactoe",))
    register("wrong", wrong)
""",
    "game": """
class Count(arena.Position):
    game = ply = None

    def __init__(self, game, ply=0):
        self.game, self.ply = game, ply

    def __eq__(self, other):
        return isinstance(other, Count) and self.ply == other.ply

    def __hash__(self):
        return self.ply

    def legal_moves(self):
        return (0, 1) if self.ply < 3 else ()

    def play(self, move):
        if move not in self.legal_moves():
            raise arena.IllegalMove(f"no move {move!r}")
        return Count(self.game, self.ply + 1)

    def outcome(self):
        return arena.Outcome.FIRST_WINS if self.ply == 3 else None

    def picture(self):
        return str(self)

    def __str__(self):
        return f"at{self.ply}"

class Counting(arena.Game):
    name, max_plies = "count", 3

    def start(self):
        return Count(self)

    def parse(self, text):
        if text not in ("at0", "at1", "at2", "at3"):
            raise arena.PositionError(f"{text[:60]!r} is not like at0")
        return Count(self, int(text[2]))

    def format_move(self, move):
        return "ab"[move]

    def parse_move(self, text):
        if text not in ("a", "b"):
            raise arena.MoveError(f"{text[:60]!r} is not a or b")
        return "ab".index(text)

@arena.hookimpl
def arena_register_games(register):
    register("count", Counting)
""",
    "protocol": """
class Plain(arena.plugin.Client):
    def __init__(self, options):
        pass

    def choose(self, talk, turn):
        talk.say(" ".join(map(turn.game.format_move, turn.position.legal_moves())))
        return turn.game.parse_move(talk.hear())

@arena.hookimpl
def arena_register_protocols(register):
    register("plain", client=Plain)
""",
    "schedule": """
def once(known):
    return [] if known.rounds else [tuple(known.entrants[:2])]

@arena.hookimpl
def arena_register_schedules(register):
    register("once", lambda text: once, summary="two of them")
""",
    "executor": """
class Alone:
    def __init__(self, workers):
        pass

    def run(self, work, tasks):
        while (task := tasks.next_task()) is not None:
            yield task, work(task)

@arena.hookimpl
def arena_register_executors(register):
    register("alone", Alone)
""",
    "report": """
@arena.hookimpl
def arena_register_reports(register):
    register("lines", lambda record: "\\n".join(map(str, arena.plugin.page(record))))
""",
    "observer": """
@arena.hookimpl
def arena_fight_end(result):
    raise ValueError("no")
""",
    "command": """
def run(arguments, catalogue):
    result = arena.fight("monkey", "lines", 3, seed=1, catalogue=catalogue)
    arena.plugin.Output(arguments, catalogue).write(result)

@arena.hookimpl
def arena_add_command(commands):
    commands.add("both", "have two players meet", arena.plugin.add_output, run)
""",
}

#: Stops a run once, as Ctrl-C does.
STOPS = """
from pathlib import Path
import arena

@arena.hookimpl
def arena_game_end(game):
    if not Path("stopped").exists():
        Path("stopped").touch()
        raise KeyboardInterrupt
"""

#: A program that speaks the protocol, and makes the first move that it reads; a wrong player.
PROGRAM = 'while read -r move others; do echo "$move"; done\n'
WRONG = "def choose(position, rng):\n    return 99\n"
FIRST = "'first=plain:sh first.sh'"

#: What a user runs with each plugin, and how many commands arena then prints at least.
COMMANDS = [
    ("player", "fight last monkey -n 3", 1),
    ("player", "fight wrong last -n 3 --isolate", 1),
    ("player", "tournament last wrong monkey -n 2", 1),
    ("player", "check wrong", 1),
    ("player", "check wrong --format json", 1),
    ("player", "check last --positions 20 --format json", 2),
    ("player", "check last mnk-3-2-2", 2),
    pytest.param("player", "regress last", 2, marks=pytest.mark.slow),
    ("player", "train lms --against last --games 10 --format json", 1),
    ("game", "fight monkey minimax -n 2 --game count", 2),
    ("protocol", f"fight {FIRST} monkey -n 3 --processes 2", 2),
    ("schedule", "tournament monkey ./wrong.py -n 2 --schedule once", 1),
    ("executor", "fight monkey lines -n 2 --executor alone", 1),
    ("report", "fight monkey lines -n 2 --format lines", 1),
    ("observer", "fight monkey lines -n 2", 1),
    ("command", "both", 1),
]

#: What a user runs with a store until something stops it.
STORED = {
    "player": "fight last monkey -n 3",
    "game": "fight monkey minimax -n 3 --game count",
    "protocol": f"fight {FIRST} monkey -n 3 --processes 2",
    "schedule": "tournament monkey lines -n 3 --schedule once",
    "executor": "fight monkey lines -n 3 --executor alone",
}

_PRINTED = re.compile(
    r'(?:^ *|: |`|or |; |")(arena (?:-p \S+ )*[a-z]+ [^"`\n]*?)'
    r'(?= shows it| writes one|, or |["`]|$)',
    re.MULTILINE,
)


def commands_in(ran: Ran) -> list[str]:
    """Return the commands with arguments that arena has printed, but for those on its help."""
    matches = _PRINTED.findall(ran.out.replace('\\"', "'") + ran.err)
    return [command for command in dict.fromkeys(matches) if "--help" not in command]


def use(run: Run, command: str) -> Ran:
    """Run a command as a shell reads it; it must not be a mistake (2)."""
    _, words = typed_and_words(command, Path.cwd())
    ran = run(*words)
    assert ran.code in (0, 1, 3, 4), (command, ran.err)
    return ran


@pytest.fixture
def _plugins(in_a_folder_of_its_own: None) -> None:
    for kind, code in PLUGINS.items():
        Path(f"{kind}.py").write_text(f"import arena\n{code}")
    for name, text in {"stops.py": STOPS, "first.sh": PROGRAM, "wrong.py": WRONG}.items():
        Path(name).write_text(text)


@pytest.mark.slow
@pytest.mark.usefixtures("_plugins")
@pytest.mark.parametrize(("kind", "command", "least"), COMMANDS)
def test_a_printed_command_runs(run: Run, kind: str, command: str, least: int) -> None:
    seed = [] if kind == "command" else ["--seed", "1"]
    ran = run("-p", f"./{kind}.py", *shlex.split(command), *seed)
    result = commands_in(ran)
    assert len(result) >= least, ran
    for printed in result:
        use(run, printed)
        needs_plugin = kind in ("player", "game", "protocol")
        assert printed.startswith(f"arena -p ./{kind}.py ") == needs_plugin


@pytest.mark.slow
@pytest.mark.usefixtures("_plugins")
@pytest.mark.parametrize("kind", STORED)
def test_the_command_that_goes_on_with_a_run_loads_its_plugins(
    run: Run, kind: str, wording: Wording
) -> None:
    words = [*shlex.split(STORED[kind]), "--seed", "1"]
    whole = run("-p", f"./{kind}.py", *words)
    stopped = run("-p", f"./{kind}.py", "-p", "./stops.py", *words, "--store", "S.db")
    assert stopped.code == 130
    [hint] = [line for line in stopped.err.splitlines() if " resume " in line]
    command = hint[hint.rindex("arena ") :]
    wording(command, "./stops.py", f"{kind}")
    resumed = use(run, command)
    assert (resumed.code, resumed.out.splitlines()[0]) == (0, whole.out.splitlines()[0])
    for printed in commands_in(run("-p", f"./{kind}.py", "show", "S.db", "1")):
        use(run, printed)


@pytest.mark.usefixtures("_plugins")
@pytest.mark.parametrize("kind", ["player", "protocol"])
def test_a_run_of_a_store_names_the_plugin_of_its_players(
    run: Run, kind: str, wording: Wording
) -> None:
    run("-p", f"./{kind}.py", *shlex.split(STORED[kind]), "--seed", "1", "--store", "S.db")
    wording(run("resume", "S.db", "1").err, f"{kind}")
    result = commands_in(run("show", "S.db", "1"))
    assert result
    for printed in result:
        assert printed.startswith(f"arena -p ./{kind}.py replay ")
        use(run, printed)


@pytest.mark.usefixtures("_plugins")
def test_a_saved_game_of_a_plugins_game_is_shown_by_the_command_that_is_said(
    run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a\nsave my game.json\nquit\n"))
    ran = run("-p", "./game.py", "play", "minimax", "--game", "count", "--seed", "1")
    [printed] = commands_in(Ran(ran.code, ran.out.replace("saved; ", "\n"), ran.err))
    wording(printed, "./game.py", "'my game.json'")
    assert use(run, printed).code == 0
