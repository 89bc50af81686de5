"""Environments of Kaggle and of TextArena as games, and whole fights there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.errors import UsageError
from arena.plugins.agent_games import AgentsGame, kaggle_game, textarena_game
from arena.plugins.libraries import Library
from tests.golden import Wording
from tests.plugins.agents import CHATTY, FAILING, FIRST_LEGAL, LAST_LEGAL, written

if TYPE_CHECKING:
    from tests.conftest import Run

KAGGLE = pytest.mark.needs("kaggle_environments")
TEXTARENA = pytest.mark.needs("textarena")

#: An agent that takes the first column that is free.
FIRST_COLUMN = "def agent(o, c):\n    return [n for n in range(c.columns) if not o.board[n]][0]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (FAILING | {"chatty": CHATTY, "first": FIRST_COLUMN}).items():
        written(tmp_path, name, text)
    written(tmp_path, "last_legal", LAST_LEGAL)
    written(tmp_path, "first_legal", FIRST_LEGAL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("release", [None, (0, 6, 9)])
@pytest.mark.parametrize("name", ["kaggle:connectx", "textarena:TicTacToe-v0"])
def test_a_package_that_is_missing_or_too_old_is_one_line(
    monkeypatch: pytest.MonkeyPatch, wording: Wording, name: str, release: tuple[int, ...] | None
) -> None:
    monkeypatch.setattr(Library, "release", lambda _: release)
    with wording.raises(UsageError):
        arena.get_game(name)


@pytest.mark.parametrize(
    "name",
    [
        "kaggle:",
        "kaggle:connect x",
        "kaggle:players=9:connectx",
        "kaggle:connectx(columns)",
        "textarena:players=1:TicTacToe-v0",
    ],
)
def test_a_name_that_cannot_be_read_is_one_line(wording: Wording, name: str) -> None:
    with wording.raises(UsageError):
        arena.get_game(name)


@KAGGLE
@pytest.mark.parametrize(
    "name",
    [
        "kaggle:players=3:connectx",
        "kaggle:connectx(column=9)",
        "kaggle:conectx",
    ],
)
def test_what_kaggle_does_not_have_is_one_line(wording: Wording, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        arena.get_game(name)
    wording(str(caught.value).partition(" (known: ")[0])


@TEXTARENA
@pytest.mark.parametrize("name", ["textarena:TicTacToe", "textarena:TicTacToe-v0-raw"])
def test_what_textarena_does_not_have_is_one_line(wording: Wording, name: str) -> None:
    with wording.raises(UsageError):
        arena.get_game(name)


@KAGGLE
@pytest.mark.parametrize(
    ("text", "name", "seats"),
    [
        ("connectx", "kaggle:connectx", 2),
        ("hungry_geese", "kaggle:hungry_geese", 4),
        ("players=4:hungry_geese", "kaggle:hungry_geese", 4),
        ("players=2:hungry_geese", "kaggle:players=2:hungry_geese", 2),
        ("connectx(rows=7, columns=8)", "kaggle:connectx(columns=8,rows=7)", 2),
    ],
)
def test_a_game_has_one_name_and_the_seats_of_its_environment(
    text: str, name: str, seats: int
) -> None:
    game = kaggle_game(text)
    assert (game.name, game.seats, game.is_refereed) == (name, seats, True)


@KAGGLE
def test_another_release_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = []
    for release in ((1, 33, 2), (1, 34, 0)):
        monkeypatch.setattr(Library, "release", lambda _, release=release: release)
        versions.append(kaggle_game("connectx").version)
    assert versions == [13302, 13400]


@KAGGLE
def test_a_folder_named_as_an_environment_is_no_word_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kaggle_game("connectx").argv
    (tmp_path / "connectx").mkdir()
    (tmp_path / "kaggle:connectx").mkdir()
    monkeypatch.chdir(tmp_path)
    assert kaggle_game("connectx").argv == before


@KAGGLE
def test_agents_have_the_least_time_that_a_player_is_given(folder: Path) -> None:
    game = kaggle_game("connectx")
    catalogue = arena.plugin.load_catalogue().isolated(arena.Isolation(game_time=7.5))
    players = [catalogue.for_game(game).player("kaggle:./first.py")] * 2
    assert game.options(players) == ["--seconds=7.5"]


@KAGGLE
@pytest.mark.parametrize(
    "tier", [pytest.param("bwrap", marks=pytest.mark.needs("bwrap")), "process"]
)
def test_agents_fight_in_boxes_and_the_same_seed_is_the_same_fight(
    folder: Path, run: Run, tier: str
) -> None:
    words = ("fight", "kaggle:./chatty.py", "first=kaggle:./first.py", "-n", "2", "--seed", "1")
    command = (*words, "--game", "kaggle:connectx", "--isolation", tier, "--format", "json")
    ran = run(*command, "--store", "games.db")
    assert (ran.code, ran.err) == (0, "")
    fight = json.loads(ran.out)
    assert fight["forfeits"] == {"kaggle:./chatty.py": {}, "first": {}}
    assert run(*command).out == ran.out
    names = [row["game"] for row in arena.browse("games.db").rows]
    stored = [arena.replay(name, store="games.db") for name in names]
    specs = ["first=kaggle:./first.py"]
    again = [arena.replay(name, isolation=tier, players=specs) for name in names]
    assert [game.referee for game in again] == [game.referee for game in stored]


@KAGGLE
@pytest.mark.parametrize(
    "player", ["kaggle:./raises.py", "kaggle:./exits.py", "./first.py", "cmd:echo hello"]
)
def test_a_player_that_fails_forfeits_with_the_reason(
    folder: Path, run: Run, wording: Wording, player: str
) -> None:
    words = ("fight", f"bad={player}", "good=kaggle:./first.py", "-n", "1", "--seed", "1")
    ran = run(*words, "--game", "kaggle:connectx", "--isolation", "process", "-j", "1")
    assert ran.code == 4
    wording(ran.out.partition("\n\n")[0])


@KAGGLE
def test_what_no_referee_starts_is_one_line(folder: Path, run: Run, wording: Wording) -> None:
    for player in ("monkey", "kaggle:./nobody.py", "kaggle,a=1:./first.py"):
        words = ("fight", player, "good=kaggle:./first.py", "-n", "1", "--seed", "1")
        ran = run(*words, "--game", "kaggle:connectx")
        assert ran.code == 2
        wording(ran.err, player)


@TEXTARENA
def test_agents_of_textarena_fight(folder: Path, run: Run) -> None:
    assert isinstance(textarena_game("TicTacToe-v0"), AgentsGame)
    words = ("fight", "textarena:./first_legal.py", "textarena:./last_legal.py", "-n", "1")
    game = "textarena:TicTacToe-v0"
    ran = run(*words, "--game", game, "--isolation", "process", "--format", "json")
    fight = json.loads(ran.out)
    # Each wins when it begins: 0 1 2 before 6 7 8, and the other way round.
    assert (fight["first"]["wins"], fight["second"]["wins"]) == (1, 0)
    assert not any(fight["forfeits"].values())
