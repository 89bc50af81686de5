"""The commands that check and play: what is walled, and what they do not tell."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.isolation import isolation_of
from arena.cli.parser import parse
from arena.features import commands
from arena.features.contest.hosted import HostedContest
from arena.features.contest.setup import (
    LAUNCHER,
    begin_command,
    check_command,
    difference,
    flags,
    resume_command,
)
from arena.player.names import NamedSpec, read_named
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import create_plugin_manager, load_plugins
from arena.sandbox.settings import Isolation

NAMES = st.sampled_from(["alice", "bob", "Zoë B.", "x y"])
SPECS = st.sampled_from(["monkey", "minimax:depth=3", "/a b/1/bot.py", "./a=b/2/bot.py"])
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "move_time": st.floats(0.001, 100),
        "memory": st.integers(16, 4096),
        "clock": st.sampled_from(["60+0.5", "40/60"]),
        "readable": st.just(("/", str(Path(__file__).resolve()))),
    },
)


def options_of(command: list[str]) -> Namespace:
    """Read a command as arena does."""
    manager = create_plugin_manager()
    manager.register(commands)
    return parse(command[command.index("arena") + 1 :], load_plugins(manager).commands, {})


@pytest.mark.slow
@given(LIMITS, st.dictionaries(NAMES, LIMITS.filter(bool), max_size=3), st.booleans())
def test_an_isolation_is_the_same_as_options(
    everybodys: dict[str, object], own: dict[str, dict[str, object]], everybody: bool
) -> None:
    players = {name: Isolation(**limits) for name, limits in own.items()}  # type: ignore[arg-type]
    isolation = Isolation(tier="locked", players=players, **everybodys)  # type: ignore[arg-type]
    if everybody:
        isolation = isolation.updated(Isolation(installed=True))
    read = options_of(["arena", "resume", "c.db", *flags(isolation)])
    assert isolation_of(read, Catalogue.__new__(Catalogue)) == isolation


@given(st.dictionaries(NAMES, SPECS), st.dictionaries(NAMES, SPECS))
def test_the_difference_makes_one_of_the_other(
    wanted: dict[str, str], playing: dict[str, str]
) -> None:
    change = difference(wanted, playing)
    after = {
        name: spec for name, spec in playing.items() if name not in change.get("--withdraw", ())
    }
    for text in change.get("--replace", ()):
        old, _, new = text.partition("=")
        assert old in after
        after |= [read_named(new)]
    added = [read_named(text) for text in change.get("--add", ())]
    assert not {name for name, _ in added} & {*after}
    assert {**after, **dict(added)} == wanted
    assert difference(wanted, wanted) == {}


def test_the_server_comes_before_checks_and_checks_before_games(contest: HostedContest) -> None:
    setup = contest.setup
    commands = (
        (check_command(setup, NamedSpec("alice", "/c/alice/1/bot.py"), ""), 5),
        (begin_command(setup, {}, []), 10),
        (resume_command(setup, 3, {}, []), 10),
    )
    for command, nice in commands:
        assert command[:6] == [sys.executable, "-I", "-S", LAUNCHER, str(os.getpid()), str(nice)]
    launcher, own = commands[0][0][:6], [sys.executable, "-c", "import os; print(os.nice(0))"]
    ran = subprocess.run([*launcher, *own], capture_output=True, check=True, text=True)
    assert int(ran.stdout) == min(os.nice(0) + 5, 19)


def test_commands_tell_no_seed_and_keep_the_walls(contest: HostedContest) -> None:
    wanted = {"monkey": "monkey", "alice": "/c/alice/1/bot.py"}
    data = ["alice=/"]
    began = options_of(begin_command(contest.setup, wanted, data))
    resumed = options_of(resume_command(contest.setup, 3, {"--add": ["bob=/b.py"]}, data))
    checked = options_of(check_command(contest.setup, NamedSpec("alice", "/c/alice/1/bot.py"), "/"))
    assert (began.players, began.until) == (["c.toml", "alice=/c/alice/1/bot.py"], "order")
    assert (began.store, began.engine) == ("c.db", "calls")
    assert (resumed.add, resumed.changed_players) == (["bob=/b.py"], "replay")
    assert (checked.player, checked.game) == ("alice=/c/alice/1/bot.py", "tictactoe")
    for read in (began, resumed, checked):
        assert read.isolation == "locked"
        assert getattr(read, "seed", None) is None
