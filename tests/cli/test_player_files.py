"""Files of players in commands: what they raise, print and end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.golden import Wording


@pytest.mark.slow
def test_a_players_file_works_wherever_a_player_is_named(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def last(position, rng):\n    return position.legal_moves()[-1]\n")
    for name in (str(bot), f"{bot}:last"):
        assert run("fight", name, "monkey", "-n", "2").code == 0
        assert run("tournament", name, "monkey", "triples", "-n", "2").code == 0
        out = run("move", name, "_________", "--format", "json").out
        assert json.loads(out)["moves"] == {"9": "1"}


def test_a_player_that_kills_its_workers_is_a_fault(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(position, rng):\n    os._exit(1)\n")
    ran = run("tournament", str(bot), "monkey", "triples", "-n", "2", "--isolation", "none")
    assert ran.code == 4
    assert "rank" in ran.out
    wording(ran.err, f"{bot}")
    assert "monkey against triples" not in ran.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "argv",
    [
        ("fight", "BOT", "monkey", "-n", "5000"),
        ("move", "BOT", "xo_______"),
        ("exact", "BOT", "monkey"),
        ("certify", "BOT"),
        ("replay", "tictactoe/BOT/monkey/1/1.1"),
    ],
)
@pytest.mark.parametrize("when", ["played", "loaded"])
def test_a_player_that_ends_its_process_ends_nothing_else(
    run: Run, tmp_path: Path, argv: tuple[str, ...], when: str, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    ending = "import os\nos._exit(0)\n" if when == "loaded" else ""
    bot.write_text(f"import os\n{ending}def choose(position, rng):\n    os._exit(0)\n")
    name = str(bot) if argv[0] != "replay" else str(bot).replace("/", "%2F")
    words = [word.replace("BOT", name) for word in argv]
    ran = run(*words, "--isolation", "none")
    assert ran.code == 4
    assert ran.err.count("\n") == 1
    ran = run(*(word.replace("5000", "2") for word in words), "--isolation", "process")
    if when == "played" and argv[0] in ("fight", "replay"):  # it is its own process that it ends
        is_fight = argv[0] == "fight"
        assert (ran.code, "every game" in ran.err) == (4 if is_fight else 0, is_fight)
        assert "forfeit" in ran.out
        return
    assert ran.code == 4
    assert ran.err.count("\n") == 1
    wording(ran.err)


@pytest.mark.slow
def test_what_a_player_prints_is_not_the_commands_output(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "print('loaded')\n"
        "def choose(position, rng):\n"
        "    print('asked')\n"
        "    return position.legal_moves()[0]\n"
    )
    for argv in (
        ("fight", str(bot), "triples", "-n", "30", "--engine", "table"),
        ("move", str(bot), "_________"),
        ("exact", str(bot), "monkey"),
    ):
        ran = run(*argv, "--format", "json", "--isolation", "none")
        assert ran.code == 0
        json.loads(ran.out)
        assert "asked" in ran.err
        alone = run(*("5" if word == "30" else word for word in argv), "--format", "json")
        assert (alone.code, alone.err) == (0, "")
        json.loads(alone.out)


@pytest.mark.slow
def test_the_log_tells_of_a_players_exception_in_a_worker(run: Run, tmp_path: Path) -> None:
    bot, log = tmp_path / "bot.py", tmp_path / "log"
    bot.write_text("def choose(position, rng):\n    raise ZeroDivisionError('oh no')\n")
    ran = run("fight", str(bot), "monkey", "-n", "1", "--log-file", str(log))
    assert (ran.code, "every game" in ran.err) == (4, True)
    assert log.read_text().count("Traceback") == 2
    assert 'bot.py", line 2, in choose' in log.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["auto", "none"])
def test_the_first_fault_is_logged_with_the_players_own_frames(
    run: Run, tmp_path: Path, isolation: str, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    raise ZeroDivisionError('oh no')\n")
    words = ("fight", str(bot), "monkey", "-n", "3", "--isolation", isolation, "-j", "2")
    once = run(*words, "-v").err
    assert once.count("Traceback") == once.count("  File ") == 1
    wording(once, f"{bot}")
    assert once.splitlines()[-2].endswith("ZeroDivisionError: oh no")
    assert run(*words, "-vv").err.count("Traceback") == 6
