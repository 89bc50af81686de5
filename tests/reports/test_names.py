"""Tables show files and programs under short names; ids and JSON keep what leads back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.player.names import short_names
from tests.conftest import Run
from tests.golden import Wording
from tests.needs import python_of_all

BOT = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
OPTIONS = ("-n", "2", "--seed", "1", "--isolation", "none")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py", "s1/bot.py", "s2/bot.py"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(BOT)


@pytest.mark.slow
def test_tables_show_short_names_and_ids_lead_back(run: Run) -> None:
    words = ("fight", "./bot.py", "triples", *OPTIONS)
    page = run(*words).out
    assert page.startswith("Draw: ")
    assert "bot wins" in page
    assert "./bot.py" not in page
    command = next(line for line in page.splitlines() if line.startswith("bot's first loss: "))
    assert "tictactoe/.%2Fbot.py/triples/1/" in command
    assert json.loads(run(*words, "--format", "json").out)["players"] == ["./bot.py", "triples"]
    assert run("replay", command.split()[-1], "--isolation", "none").code == 0


@pytest.mark.slow
def test_a_tournament_shows_as_much_of_the_path_as_tells_players_apart(run: Run) -> None:
    words = ("tournament", "s1/bot.py", "s2/bot.py", "lines:depth=1", *OPTIONS)
    out = run(*words, "--format", "markdown").out
    assert "| s1/bot" in out
    assert "./s1" not in out
    assert run(*words, "--format", "csv").out.splitlines()[1].startswith("./s1/bot.py,./s2/bot.py,")


def test_a_second_self_keeps_its_mark(run: Run, wording: Wording) -> None:
    wording.line(run("fight", "bot.py", "./bot.py", *OPTIONS).out, "bot#2 ")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["fight", "tournament"])
def test_the_command_of_a_replay_has_the_file_under_its_own_name_too(
    run: Run, command: str
) -> None:
    Path("bad.py").write_text("def choose(position, rng):\n    return 99\n")
    words = ("a=./bad.py", "./bad.py", "-n", "1", "--seed", "3", "--isolation", "none")
    assert run(command, *words).out.count("--player a=./bad.py") == 2


ENGINE = Path(__file__).parents[1] / "plugins" / "engines" / "chess.py"


@pytest.mark.slow
def test_an_engine_has_the_name_of_its_program_and_the_spec_below(run: Run) -> None:
    Path("fish").write_text(f"#!{python_of_all()}\n{ENGINE.read_text()}")
    Path("fish").chmod(0o755)
    words = ("--game", "chess", "-n", "1", "--seed", "1")
    page = run("fight", "uci,Hash=2:./fish", "monkey", *words).out.splitlines()
    assert page[0].startswith("Draw: ")
    assert ", fish wins: " in page[0]
    assert page[-1] == "fish: uci,Hash=2:./fish"
    page = run("fight", "uci,Hash=2:./fish", "uci,Hash=9:./fish", *words).out.splitlines()
    assert ", fish Hash=2 wins: " in page[0]
    assert page[-2:] == ["fish Hash=2: uci,Hash=2:./fish", "fish Hash=9: uci,Hash=9:./fish"]
    ran = run("fight", "uci,Hash=2:./fish", "monkey", *words, "--format", "json")
    assert json.loads(ran.out)["players"] == ["uci,Hash=2:./fish", "monkey"]
    html = run("fight", "uci,Hash=2:./fish", "monkey", *words, "--format", "html").out
    assert "fish: uci,Hash=2:./fish" in html


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["gtp:gnugo --mode gtp", "gtp:gnugo"], ["gtp:gnugo --mode gtp", "gtp:gnugo"]),
        (["minimax:depth=3", "kaggle:./a.py"], ["minimax:depth=3", "kaggle:./a.py"]),
        (["uci:", "uci,x=1:"], ["uci:", "uci,x=1:"]),
        (["uci:/a/fish.exe", "cmd:./fish"], ["uci:/a/fish.exe", "cmd:./fish"]),
        (["uci:/a/fish.exe", "new,Book=./b.bin:./fish2 -q"], ["fish", "fish2"]),
    ],
)
def test_only_a_name_that_is_of_one_player_is_short(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short
