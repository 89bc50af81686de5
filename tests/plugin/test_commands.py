"""Commands that plugins add: those that fail, and those that two add."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run
from tests.golden import Wording
from tests.plugin.sites import COMMAND, Site, offering

PERCENT = """
import arena

def configure(parser):
    parser.add_argument("--share", help="100 % or %(less)s")

@arena.hookimpl
def arena_add_command(commands):
    commands.add("percent", "plays 50 % of the games, %(or) more, %d", configure, lambda a, c: 0)
"""


def test_percent_signs_in_a_plugin_harm_its_own_help_alone(site: Site, run: Run) -> None:
    site.install("percent", "percent", percent=PERCENT)
    helped = run("--help")
    assert (helped.code, helped.err) == (0, "")
    assert "plays 50 % of the games, %(or) more, %d" in " ".join(helped.out.split())
    assert run("fight", "--help").code == 0
    own = run("percent", "--help")
    assert (own.code, own.err.count("\n")) == (4, 1)
    assert "percent" in own.err


def test_a_command_that_two_plugins_add_is_refused_and_both_are_named(
    site: Site, run: Run, wording: Wording
) -> None:
    site.install("thief", "thief", thief=COMMAND)
    site.install("rightful", "rightful", rightful=COMMAND)
    ran = run("hello")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'hello'", "rightful 1.0", "thief 1.0")
    ran = run("players")
    assert (ran.code, ran.err) == (0, "")
    assert "'hello' " in " ".join(ran.out.split())


@pytest.mark.parametrize("name", ["games", "plugins"])
def test_a_command_of_arena_keeps_its_name(site: Site, run: Run, name: str) -> None:
    before = run(name, "--format", "json")
    site.install("thief", "thief", thief=COMMAND.replace('"hello"', repr(name)))
    ran = run(name, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert before.code == 0
    assert "thief" in run("plugins").out


def test_a_plugin_that_fails_to_add_its_command_is_left_out_as_a_whole(
    site: Site, run: Run
) -> None:
    site.install("half", "half", half=offering("of-half") + COMMAND + "    1 / 0\n")
    ran = run("hello")
    assert ran.code == 2
    assert "unknown command 'hello'" in ran.err
    listing = json.loads(run("players", "--format", "json").out)
    assert [broken["plugin"] for broken in listing["broken"]] == ["half"]
    assert "of-half" not in {player["name"] for player in listing["players"]}
    plugins = json.loads(run("plugins", "--format", "json").out)["plugins"]
    assert "half" not in {plugin["name"] for plugin in plugins}


def test_a_failing_command_hides_no_other_complaint(site: Site, run: Run) -> None:
    site.install("half", "half", half=COMMAND + "    1 / 0\n")
    site.install("twin-a", "twin_a", twin_a=offering("twin"))
    site.install("twin-b", "twin_b", twin_b=offering("twin"))
    site.install("odd", "odd", odd="@arena.hookimpl\ndef arena_unheard_of(): ...")
    broken = json.loads(run("plugins", "--format", "json").out)["broken"]
    assert {fault["plugin"] for fault in broken} == {"half", "odd", ""}


@pytest.mark.parametrize(
    "line",
    ["1 / 0", "raise SystemExit(7)", "parser.add_argument('-v')", "parser.add_argument('bad name'"],
    ids=["raises", "exits", "takes -v", "syntax"],
)
def test_a_command_that_cannot_be_configured_does_not_stop_the_others(
    site: Site, run: Run, line: str
) -> None:
    code = COMMAND.replace('parser.add_argument("--times", type=int, default=1)', line)
    site.install("half", "half", half=code)
    ran = run("games")
    assert (ran.code, "mnk-{m}-{n}-{k}" in ran.out) == (0, True)


@pytest.mark.parametrize("make", ["lambda n: 1 // n", "lambda n: n"])
def test_a_maker_that_breaks_its_contract_is_told_without_a_traceback(
    site: Site, run: Run, make: str
) -> None:
    code = f"@arena.hookimpl\ndef arena_register_games(register): register('odd-{{n}}', {make})\n"
    site.install("odd-dist", "odd", odd=code)
    ran = run("fight", "monkey", "monkey", "--game", "odd-0")
    assert ran.code in (2, 4)
    assert ran.err.startswith("arena: ")
    assert len(ran.err.splitlines()) == 1
    assert "odd-0" in ran.err
