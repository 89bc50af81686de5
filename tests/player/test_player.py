"""Players with options, ``minimax:depth=3``: what names mean, and what is wrong with them."""

from __future__ import annotations

import json
import os
import pickle
import random
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import ArenaError, PluginError, UnknownName, UsageError
from arena.kinds import one_of, read_options, whole
from arena.player import PlayerInfo
from arena.player.names import names_a_file
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.plugin.registers import PlayerRegister
from arena.sandbox.players import isolated
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.store.code import code_digest
from tests.golden import Wording
from tests.simple import lowest

KNOWN: Any = {"depth": whole(1, 40), "decay": one_of("on", "off")}


def choose(position: arena.Position, rng: random.Random, place: int = 0) -> int:
    """Return the move at this place of the list."""
    moves = position.legal_moves()
    return moves[place % len(moves)]


def place(info: PlayerInfo, text: str) -> PlayerInfo:
    """place=N

    More about it.
    """  # noqa: D400, D415 - the first line is an option
    chosen = read_options(info.name, text, {"place": whole(0, 8)})
    return replace(info, player=partial(choose, **chosen), deterministic=True)


def from_file(info: PlayerInfo, text: str) -> PlayerInfo:
    """FILE"""  # noqa: D400, D415 - an option
    if text == "fail":
        raise RuntimeError("no such luck")
    if text == "nothing":
        return None  # type: ignore[return-value]
    path = Path(text.removeprefix("file="))
    return replace(
        info, name="another", player=partial(choose, place=int(path.read_text())), code=(str(path),)
    )


def with_players(**options: Any) -> Catalogue:
    """Return a catalogue that has players of these names too, each with such options."""
    catalogue, register = load_catalogue(), PlayerRegister("p", "d")
    for name, make in options.items():
        register(
            name,
            choose,
            options=make,
            claims=("never-loses:tictactoe",),
            distribution=lambda position: {choose(position, random.Random(1)): Fraction(1)},
        )
    for name, info in register.offers:
        catalogue.players.add(name, info, "a test")
    return catalogue


# -- what a name means -------------------------------------------------------------------------


def test_options_make_another_player_with_the_name_as_it_was_written() -> None:
    catalogue = with_players(placed=place)
    plain, third = (arena.get_player(n, catalogue) for n in ("placed", "placed:place=2"))
    assert third.name == "placed:place=2"
    start = arena.get_game("tictactoe").start()
    assert [i.player(start, random.Random(1)) for i in (plain, third)] == [0, 2]
    # What was said of the player without options is not said of this one.
    assert plain.claims
    assert plain.distribution
    assert (third.claims, third.distribution, third.options) == ((), None, None)
    assert (third.deterministic, third.package, third.summary) == (True, "d", plain.summary)
    there = pickle.loads(pickle.dumps(third))
    assert there == third or there.player(start, random.Random(1)) == 2


@pytest.mark.slow
def test_a_player_with_options_plays_wherever_a_player_is_named() -> None:
    catalogue = with_players(placed=place)
    exact = arena.exact("placed:place=1", "placed:place=0", catalogue=catalogue)
    fought = arena.fight("placed:place=1", "placed:place=0", n=1, seed=1, catalogue=catalogue)
    assert fought.players == ("placed:place=1", "placed:place=0")
    wins = exact.total.win
    assert fought.total.wins == 2 * wins
    assert arena.check("placed:place=1", positions=20, seed=1, catalogue=catalogue).conforms


@pytest.mark.parametrize(
    ("name", "is_file"),
    [
        ("./bot.py", True),
        ("./bot.py:function", True),
        ("bot.py:function", True),
        ("bot.py", True),
        ("folder/bot", True),
        ("./odd:name.py", True),
        ("cmd:./bot.py", False),
        ("monkey", False),
        ("lms:weights.json", False),
        ("lms:folder/weights.json", False),
        ("lms:/folder/weights.py", False),
        ("minimax:depth=3", False),
    ],
)
def test_options_are_told_from_files_and_functions_in_them(name: str, is_file: bool) -> None:
    assert names_a_file(name) == is_file


# -- what is wrong with a name -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "dept=3",
        "depth=x",
        "depth=0",
        "depth=41",
        "depth=03",
        "depth=+3",
        "depth=3 ",
        "depth=3_0",
        "depth=٣",
        "depth=",
        "depth",
        "=3",
        "depth=3,",
        "depth=3,depth=3",
        "decay=of",
    ],
)
def test_wrong_options_are_refused_in_one_line(text: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        read_options(f"who:{text}", text, KNOWN)
    wording(caught.value, f"'who:{text}': ")


@given(st.text() | st.from_regex(r"(depth|decay|x)=[\w,=]*", fullmatch=True))
def test_any_text_is_read_or_refused_in_one_short_line(text: str) -> None:
    refused = ""
    try:
        chosen = read_options("who", text, KNOWN)
    except UsageError as error:
        refused = str(error)
    if refused:
        assert "\n" not in refused
        assert len(refused) < 250
    else:
        assert ",".join(f"{key}={value}" for key, value in chosen.items()) == text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("monkey:depth=3", UsageError),
        ("placed:", UsageError),
        ("plaecd:place=1", UnknownName),
        ("filed:nowhere", UsageError),
        ("filed:.", UsageError),
        ("filed:fail", PluginError),
        ("filed:nothing", PluginError),
    ],
)
def test_other_names_are_refused(name: str, kind: type[ArenaError], wording: Wording) -> None:
    with pytest.raises(kind) as caught:
        arena.get_player(name, with_players(placed=place, filed=from_file))
    wording(str(caught.value))


def test_a_register_refuses_options_that_are_no_function(wording: Wording) -> None:
    with wording.raises(PluginError, match="'x'"):
        PlayerRegister("p", "d")("x", choose, options=3)  # type: ignore[arg-type]


# -- files that options name -------------------------------------------------------------------


def test_what_is_in_the_file_makes_another_player(tmp_path: Path) -> None:
    catalogue, file = with_players(filed=from_file), tmp_path / "weights"
    digests = []
    for content in ("1", "2", "1"):
        file.write_text(content)
        player = arena.get_player(f"filed:{file}", catalogue)
        assert player.name == f"filed:{file}"
        digests.append(code_digest(player))
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.parametrize("words", ["{}", "file={}", "a=1,file={},b=1"])
def test_a_process_of_its_own_may_read_the_file_wherever_it_runs(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").touch()  # a file that has the name of something else
    info = PlayerInfo(f"filed:{words.format('weights')}", choose, code=("weights",))
    remote = isolated(info, PlayerLimits(tier="process")).remote
    assert isinstance(remote, Remote)
    assert remote.spec.readable == (Path(os.path.join(tmp_path, "weights")),)
    assert remote.spec.name == info.name
    assert pickle.loads(remote.spec.installed) == info


# -- in a terminal -----------------------------------------------------------------------------


def test_the_command_line_takes_options_in_names(run: Any, wording: Wording) -> None:
    ran = run("exact", "minimax:depth=1", "monkey", "--format", "json")
    assert ran.code == 0
    assert '"players": ["minimax:depth=1", "monkey"]' in ran.out
    ran = run("fight", "minimax:dept=1", "monkey")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    wording(ran.err, "'depth'")


def test_players_are_listed_with_how_their_options_are_written(run: Any, wording: Wording) -> None:
    wording.line(run("players").out, "minimax", "depth=")
    rows = json.loads(run("players", "--format", "json").out)["players"]
    options = {row["name"]: row["options"] for row in rows}
    assert options["monkey"] is None
    assert "depth=" in options["minimax"]


@pytest.mark.slow
def test_a_process_of_its_own_has_the_options_too(run: Any) -> None:
    def moves(*more: str) -> str:
        out: str = run("move", "minimax:depth=1", "xx_oo____", "--format", "json", *more).out
        return out

    assert moves() == moves("--isolate", "--isolation", "process")
    assert '"moves": {"3": "1"}' in moves()


@pytest.mark.slow
def test_runs_with_options_are_kept_and_gone_on_with(run: Any, tmp_path: Path) -> None:
    store = str(tmp_path / "store.sqlite")
    ran = run("fight", "minimax:depth=1", "monkey", "-n", "3", "--seed", "1", "--store", store)
    assert ran.code == 0
    assert run("resume", store).out == ran.out


@pytest.mark.parametrize("games", [("hex-*",), ()])
def test_a_player_made_by_options_plays_the_games_of_its_plugin_unless_it_names_others(
    games: tuple[str, ...],
) -> None:
    def options(info: PlayerInfo, text: str) -> PlayerInfo:
        fresh = PlayerInfo(info.name, lowest)
        return replace(fresh, games=games) if games else fresh

    info = PlayerInfo("net", lowest, games=("tictactoe",), options=options)
    assert info.configured("weights.npz").games == (games or ("tictactoe",))
