"""``--each``: options that every engine on a command line gets."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import arena
from arena.cli.each import with_each
from arena.errors import UsageError
from arena.plugin.catalogue import Catalogue
from tests.conftest import Run
from tests.golden import Wording
from tests.needs import python_of_all

ENGINE = Path(__file__).parents[1] / "plugins" / "engines" / "chess.py"
COMMAND = shlex.join([python_of_all(), str(ENGINE)])


def test_every_engine_gets_the_options_that_it_does_not_set(catalogue: Catalogue) -> None:
    isolation = arena.Isolation(players={"uci:a b": arena.Isolation(memory=99)})
    players = ["uci:a b", "fish=uci,nodes=5,hash=1:c", "monkey", "cmd:node x.js", "gtp:gnugo"]
    changed, limited = with_each(players, "Hash=16,MultiPV=2", catalogue.isolated(isolation))
    assert changed == [
        "uci,Hash=16,MultiPV=2:a b",
        "fish=uci,nodes=5,hash=1,MultiPV=2:c",
        *("monkey", "cmd:node x.js", "gtp,Hash=16,MultiPV=2:gnugo"),
    ]
    assert limited.isolation.limits("uci,Hash=16,MultiPV=2:a b").memory == 99


@pytest.mark.parametrize("options", ["", "Hash", "=1", "Hash=a:b", "Hash=1,hash=2", "Hash=1,"])
def test_what_is_not_an_option_is_refused(
    options: str, catalogue: Catalogue, wording: Wording
) -> None:
    with wording.raises(UsageError, match="--each"):
        with_each(["uci:x"], options, catalogue)


@pytest.mark.parametrize("players", [["monkey", "cmd:x"], ["uci,Hash=9:x", "triples"], []])
def test_options_that_no_player_takes_are_refused(players: list[str], catalogue: Catalogue) -> None:
    with pytest.raises(UsageError, match="no player"):
        with_each(players, "Hash=9", catalogue)


@pytest.mark.slow
def test_a_fight_and_a_tournament_take_it(run: Run) -> None:
    shared = ("--game", "chess", "--each", "Hash=8", "-n", "1", "--format", "json")
    ran = run("fight", f"uci:{COMMAND}", "monkey", *shared)
    assert json.loads(ran.out)["players"] == [f"uci,Hash=8:{COMMAND}", "monkey"]
    ran = run("tournament", f"few=uci:{COMMAND}", "monkey", *shared)
    assert json.loads(ran.out)["fights"][0]["specs"]["few"] == f"uci,Hash=8:{COMMAND}"
    ran = run("fight", f"uci:{COMMAND}", "monkey", "--game", "chess", "--each", "Hsh=8")
    assert (ran.code, "'Hash'" in ran.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--gauntlet", "--schedule"])
@pytest.mark.parametrize("whole", [True, False])
def test_the_player_of_a_gauntlet_has_the_options_too(run: Run, option: str, whole: bool) -> None:
    engine = f"uci:{COMMAND}"
    player = engine if whole else Path(python_of_all()).name
    schedule = f"gauntlet:{player}" if option == "--schedule" else player
    shared = ("--game", "chess", "--each", "Hash=8", "-n", "1", "--format", "json")
    ran = run("tournament", engine, "monkey", option, schedule, *shared)
    [fight] = json.loads(ran.out)["fights"]
    assert fight["players"] == [f"uci,Hash=8:{COMMAND}", "monkey"]


@pytest.mark.slow
@pytest.mark.parametrize("gauntlet", [("--gauntlet", "{}"), ("--schedule", "gauntlet:{}")])
def test_the_player_of_a_gauntlet_need_not_be_among_the_others(
    run: Run, gauntlet: tuple[str, str]
) -> None:
    option, value = gauntlet[0], gauntlet[1].format(f"uci:{COMMAND}")
    shared = ("--game", "chess", "--each", "Hash=8", "-n", "1", "--format", "json")
    ran = run("tournament", "monkey", option, value, *shared)
    [fight] = json.loads(ran.out)["fights"]
    assert fight["players"] == [f"uci,Hash=8:{COMMAND}", "monkey"]
