"""Plugins with faults: what may go wrong, and the code of a plugin in which it goes wrong."""

from __future__ import annotations

from random import Random

#: What every plugin begins with.
PROLOGUE = """
import os, random, signal, sys, threading
from arena.games.mnk import mnk_game

class Odd(int):
    __class__ = property(lambda self: 1 / 0)
    def __eq__(self, other): return True
    def __hash__(self): raise KeyError("hash")
    def __repr__(self): raise KeyError("repr")
    def __index__(self): raise KeyError("index")
    def __lt__(self, other): raise KeyError("lt")

class Liar:
    @property
    def __class__(self): return int
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return self
    def __repr__(self): return "\\x1b[31m\\u202e\\n"

class Mute(Exception):
    def __str__(self): raise ValueError("str")
    __repr__ = __str__

Named = type("new\\nline\\x1b[2J", (Exception,), {})
"""

RAISING = [
    "raise ValueError('x' * 9000)",
    "raise KeyError",
    "raise StopIteration(1)",
    "raise MemoryError",
    "raise GeneratorExit",
    "raise BaseException('\\ud800\\x1b[2J\\n')",
    "raise Mute",
    "raise Named('%s {x}')",
    "return fault()",
    "raise OSError",
    "raise OSError(2, 'no such thing', 'file')",
    "raise arena.ArenaError('of arena')",
    "raise EOFError",
    "raise BrokenPipeError",
    "raise UnicodeDecodeError('a', b'', 0, 1, 'b')",
    "raise AssertionError",
    "raise ExceptionGroup('many', [ValueError(1), KeyError(2)])",
    "raise NotImplementedError",
]
ENDING = [
    "raise SystemExit",
    "raise SystemExit('text')",
    "raise SystemExit(3)",
    "raise KeyboardInterrupt",
]
RETURNING = [
    f"return {value}"
    for value in (
        "None",
        "True",
        "-1",
        "10**5000",
        "1.0",
        "float('nan')",
        "'1'",
        "b'1'",
        "[]",
        "()",
        "{}",
        "object()",
        "Odd(1)",
        "Liar()",
        "fault",
        "(i for i in [1])",
        "[None]",
        "('a', 1)",
        "[Odd(0), Odd(1)]",
        "range(10**12)",
        "int",
        "'\\ud800'",
        "'a\\nb\\x1b[2J'",
        "print('printed') or 0",
        "sys.stderr and 4",
    )
]
#: What a player writes to all descriptors that it has, its own standard error among them.
GARBAGE = "\0\1garbage"
#: What may spoil the process that does it.
HARSH = [
    "os.fork(); return 0",
    "os.closerange(0, 300)",
    "os.closerange(3, 300); return 0",
    "os._exit(0)",
    "os._exit(3)",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "signal.raise_signal(signal.SIGTERM)",
    "os.abort()",
    "signal.raise_signal(signal.SIGSEGV)",
    "sys.modules.clear(); return 0",
    "os.chdir('/'); return 0",
    "os.environ.clear(); return 0",
    "sys.setrecursionlimit(60); return fault()",
    "sys.stdout = sys.stderr = None",
    f"[os.write(int(n), {GARBAGE.encode()!r} * 999) for n in os.listdir('/proc/self/fd')]",
    "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (4, 4)); return 0",
    "import resource as r; r.setrlimit(r.RLIMIT_AS, (9999, 9999)); return [0] * 10**7",
    "threading.Thread(target=fault).start() if threading.active_count() < 5 else None",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN); raise KeyError",
    "import gc; gc.disable(); return 0",
    "os.dup2(os.open('/dev/full', os.O_WRONLY), 2); raise KeyError",
    "sys.exit(3)",
    "random.seed(1); return 0",
]

#: Methods of positions and games in which something may go wrong.
OF_POSITIONS = (
    "legal_moves",
    "play",
    "outcome",
    "picture",
    "__str__",
    "canonical",
    "images",
    "can_win",
    "is_dead_draw",
    "plies_to_win",
    "estimate",
    "search_moves",
    "to_move",
    "ply",
    "game",
    "__eq__",
    "__hash__",
    "is_legal",
)
OF_GAMES = (
    "start",
    "parse",
    "format_move",
    "parse_move",
    "max_plies",
    "name",
    "version",
    "rules",
    "kinds",
    "__repr__",
)
PROPERTIES = ("to_move", "ply", "game", "max_plies", "name", "version", "rules", "kinds")


def faulty(body: str, after: int = 0) -> str:
    """Return a function ``fault`` that does it from the call of that number on, and before nothing.

    ``going_wrong()`` tells whether it is time.
    """
    return f"""
calls = 0

def going_wrong():
    global calls
    calls += 1
    return calls > {after}

def fault(*args, **kwargs):
    {body}
"""


def player(rng: Random, body: str) -> str:
    """Return a plugin whose player ``fuzzed`` goes wrong in one of its methods."""
    method = rng.choice(
        ["choose", "choose", "start", "observe", "finish", "__init__", "function", "distribution"]
    )
    stateful = method not in ("function", "distribution")
    options = rng.choice(
        ["", ", deterministic=True", ", games='tictactoe'", ", claims=['never-loses:tictactoe']"]
    )
    if method == "distribution":
        options += ", distribution=fault"
    return (
        PROLOGUE
        + faulty(body, rng.choice([0, 0, 1, 3, 9]))
        + f"""
class Player:
    def __init__(self, *args): {"return fault()" if method == "__init__" else "pass"}
    def start(self, game, side, rng): self.rng = rng
    def choose(self, position): return self.rng.choice(position.legal_moves())
    def observe(self, move): pass
    def finish(self, outcome): pass

def function(position, rng):
    return rng.choice(position.legal_moves())

def wrapped(function):
    return lambda *args: fault(*args) if going_wrong() else function(*args)

if {method!r} in ("choose", "start", "observe", "finish"):
    setattr(Player, {method!r}, wrapped(getattr(Player, {method!r})))
if {method!r} == "function":
    function = wrapped(function)

@arena.hookimpl
def arena_register_players(register):
    register("fuzzed", {"Player" if stateful else "function"}{options})
"""
    )


def game(rng: Random, body: str) -> str:
    """Return a plugin whose game ``fuzzed`` goes wrong in one of its methods or properties."""
    method = rng.choice([*OF_POSITIONS, *OF_GAMES])
    return (
        PROLOGUE
        + faulty(body, rng.choice([0, 0, 2, 20, 200]))
        + f"""
from arena.game import Game, Position, Outcome

class Spot(Position):
    def __init__(self, of, inner): self.of, self.inner = of, inner
    game = property(lambda self: self.of)
    ply = property(lambda self: self.inner.ply)
    def legal_moves(self): return self.inner.legal_moves()
    def play(self, move): return Spot(self.of, self.inner.play(move))
    def outcome(self): return self.inner.outcome()
    def picture(self): return self.inner.picture()
    def __str__(self): return str(self.inner)
    def __eq__(self, other): return isinstance(other, Spot) and self.inner == other.inner
    def __hash__(self): return hash(self.inner)

class Fuzzed(Game):
    name, max_plies = "fuzzed", 6
    inner = mnk_game(3, 2, 2)
    def start(self): return Spot(self, self.inner.start())
    def parse(self, text): return Spot(self, self.inner.parse(text))
    def format_move(self, move): return self.inner.format_move(move)
    def parse_move(self, text): return self.inner.parse_move(text)
    def __eq__(self, other): return isinstance(other, Fuzzed)
    def __hash__(self): return 1

def wrapped(owner, name):
    found = getattr(owner, name)
    def method(self, *args):
        if going_wrong():
            return fault()
        if isinstance(found, property):
            return found.fget(self)
        return found(self, *args) if callable(found) else found
    return property(method) if name in {PROPERTIES!r} else method

owner = Spot if {method in OF_POSITIONS} else Fuzzed
setattr(owner, {method!r}, wrapped(owner, {method!r}))

@arena.hookimpl
def arena_register_games(register):
    register("fuzzed", Fuzzed)
"""
    )


#: Bodies of ``run(self, work, tasks)``, which take tasks off ``queue``.
RUNS = (
    "return fault()",
    "yield fault()",
    "for task in queue: yield task, fault()",
    "for task in queue: yield fault(), work(task)",
    "for task in queue: yield task, work(task); yield task, work(task)",
    "yield from ()",
    "while True: yield from ((t, work(t)) for t in iter(tasks.next_task, None))",
    "for task in queue: yield task, work(task); fault()",
    "for task in queue: yield task, TaskFailed(fault())",
    "for task in queue: yield work(task), task",
    "list(queue); yield from ()",
    "for task in queue: yield (task,)",
    "yield from reversed([(t, work(t)) for t in queue])",
)


def executor(rng: Random, body: str) -> str:
    """Return a plugin whose executor ``fuzzed`` breaks its contract, or keeps it oddly."""
    making = rng.choice(["Executor()", "Executor()", "Executor()", "fault()"])
    return (
        PROLOGUE
        + faulty(body)
        + f"""
from arena.executors.base import TaskFailed

class Executor:
    def run(self, work, tasks):
        queue = iter(tasks.next_task, None)
        {rng.choice(RUNS)}

def make(workers):
    return {making}

@arena.hookimpl
def arena_register_executors(register):
    register("fuzzed", make)
"""
    )


def report(rng: Random, body: str) -> str:
    """Return a plugin whose format ``fuzzed`` goes wrong."""
    return (
        PROLOGUE
        + faulty(body)
        + """
@arena.hookimpl
def arena_register_reports(register):
    register("fuzzed", fault)
"""
    )


def command(rng: Random, body: str) -> str:
    """Return a plugin whose command ``fuzzed`` goes wrong when it is configured or run."""
    configure, run = rng.choice([("fault", "passing"), ("passing", "fault"), ("passing", "fault")])
    summary = rng.choice(["does it", "100 % of it", "%(prog)s %s", "\\x1b[2Ja\\nb", "", "\\ud800"])
    return (
        PROLOGUE
        + faulty(body)
        + f"""
def passing(*args): pass

@arena.hookimpl
def arena_add_command(commands):
    commands.add("fuzzed", "{summary}", {configure}, {run})
"""
    )


HOOKS = ("games", "players", "executors", "reports")


def hook(rng: Random, body: str) -> str:
    """Return a plugin that goes wrong when it is loaded."""
    name = f"arena_register_{rng.choice(HOOKS)}"
    called = rng.choice(
        [
            "fault()",
            "register(fault(), fault)",
            "register('fuzzed', fault())",
            "register()",
            "register('fuzzed', fault, fault())",
            "register('monkey', fault)",
            "register('a b\\n', fault)",
        ]
    )
    text = rng.choice(
        [
            f"def {name}(register): {called}",
            f"def {name}(wrong): {called}",
            f"def {name}(): {called}",
            "def arena_add_command(commands): commands.add(fault())",
            "def arena_no_such_hook(register): pass",
            f"def {name}(register, other): {called}",
            f"def {name}(*register): {called}",
            f"{name} = fault()",
            f"async def {name}(register): {called}",
            f"def {name}(register): yield {called}",
        ]
    )
    mark = "" if " = " in text.split("(")[0] else "@arena.hookimpl\n"
    late = rng.choice(["", "", "fault()\n"])
    return f"{PROLOGUE}{faulty(body)}\n{late}{mark}{text}\n"


KINDS = (player, game, executor, report, command, hook)
