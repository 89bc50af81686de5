"""A mistake is one line that names it, and an exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.mark.parametrize(
    ("argv", "fact"),
    [
        (("figth", "monkey", "monkey"), "'fight'"),
        (("--verson",), "'--version'"),
        (("fight", "monkey"), "B"),
        (("fight", "a", "b", "c"), "'c'"),
        (("fight", "a", "b", "--sed", "1"), "'--seed'"),
        (("fight", "monke", "monkey"), "'monkey'"),
        (("fight", "monkey", "TRIPLE"), "'triples'"),
        (("fight", "monkey", "monkey", "--game", "tictacto"), "'tictactoe'"),
        (("fight", "monkey", "monkey", "--game", "tictactoe-0"), "0 columns"),
        (("fight", "monkey", "triples", "--game", "connect4"), "connect4"),
        (("fight", "monkey", "monkey", "-n", "0"), "'0'"),
        (("fight", "monkey", "monkey", "-n", "-5"), "'-5'"),
        (("fight", "monkey", "monkey", "-n", "many"), "'many'"),
        (("fight", "monkey", "monkey", "-n", "1.5"), "'1.5'"),
        (("fight", "monkey", "monkey", "-n", "9" * 40), "9" * 40),
        (("fight", "monkey", "monkey", "-j", "0"), "'0'"),
        (("fight", "monkey", "monkey", "-j", "x"), "'x'"),
        (("fight", "monkey", "monkey", "--seed", "-1"), "'-1'"),
        (("fight", "monkey", "monkey", "--engine", "fast"), "'fast'"),
        (("fight", "monkey", "monkey", "--executor", "serail"), "'serial'"),
        (("fight", "monkey", "monkey", "--format", "jsn"), "'json'"),
        (("players", "--format", "tabel"), "'table'"),
        (("fight", "monkey", "monkey", "--output", "/no/such/file"), "'/no/such'"),
        (("fight", "monkey", "monkey", "--output", "/"), "'/'"),
        (("fight", "monkey", "monkey", "--log-file", "/no/such/file"), "/no/such"),
        (("tournament", "monkey"), "two"),
        (("tournament", "monkey", "monkey"), "'monkey'"),
        (("move", "monkey", "xo"), "2 squares"),
        (("fight", "minimax:dpth=3", "monkey"), "'depth'"),
        (("fight", "bot", "monkey"), "'bot'"),
        (("fight", "tree", "monkey", "--game", "connect4"), "tictactoe"),
        (("fight", "minimax", "lines", "--output", "b.foo"), "'foo'"),
        (("move", "monkey", "xxxoo____"), "xxxoo____"),
        (("move", "monkey", "abcdefghi"), "'a'"),
        (("play", "a", "b", "c"), "'c'"),
        (("play", "monkey", "triples", "--side", "o"), "--side"),
        (("play", "monkey", "--side", "z"), "'z'"),
        (("play", "monkee"), "'monkey'"),
        (("play", "triples", "-k", "4"), "tictactoe-4"),
        (("play", "-k", "21"), "20"),
        (("play", "-k", "x"), "'x'"),
        (("play", "monkey", "--delay", "1"), "--delay"),
        (("play", "monkey", "monkey", "--delay", "-1"), "3600"),
        (("play", "monkey", "--format", "jsn"), "'json'"),
        (("play", "monkey", "--output", "/no/such/file"), "'/no/such'"),
        (("replay", "nonsense"), "'nonsense'"),
        (("exact", "monkey"), "two"),
        (("exact", "monkey", "nobody"), "'nobody'"),
        (("exact", "monkey", "monkey", "--max-positions", "0"), "'0'"),
        (("exact", "monkey", "monkey", "--game", "connect5"), "'connect4'"),
        (("sprt", "--counts", "1,2", "--elo0", "0", "--elo1", "5"), "3 or 5"),
        (("sprt", "--counts", "1,-2,3", "--elo0", "0", "--elo1", "5"), "3 or 5"),
        (("sprt", "--counts", "1,2,3", "--elo0", "5", "--elo1", "5"), "5"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "nan"), "nan"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "1e9"), "4000"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "5", "--alpha", "0"), "0"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "5", "--model", "x"), "'x'"),
        (("certify",), "--check FILE"),
        (("certify", "monkey", "--check", "x"), "x"),
        (("certify", "triples", "--output", "/no/such/file"), "'/no/such'"),
        (("certify", "--check", "/no/such/file"), "/no/such/file"),
        (("certify", "--check", "/dev/null"), "/dev/null"),
        (("replay", "tictactoe/monkey/nobody/1/1.1"), "'nobody'"),
        (("fight", "./missing.py", "monkey"), "missing.py"),
    ],
)
def test_a_mistake_is_one_line_that_names_what_is_wrong_or_meant(
    run: Run, argv: tuple[str, ...], fact: str
) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("arena: ")
    assert fact in ran.err


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def choose(position, rng)\n    pass", "SyntaxError"),
        ("x = 1", "choose(position, rng)"),
        ("x = 1\n1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_players_file_that_cannot_be_used(
    run: Run, tmp_path: Path, source: str, message: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    ran = run("fight", str(bot), "monkey")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert message in ran.err


@pytest.mark.parametrize(
    ("player", "remedy"),
    [
        ("bot", "./bot.py"),
        ("cmd:leo.sh", "cmd:./leo.sh"),
        ("./kim.js", "cmd:node kim.js"),
        ("./two.py", "./two.py:First"),
        ("./helped.py", "arena.StatefulPlayer"),
    ],
)
def test_a_file_named_in_another_way_is_answered_with_the_way_to_name_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, player: str, remedy: str
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = "class {}:\n    def choose(self, position):\n        return position.legal_moves()[0]\n"
    files = {
        "bot.py": "def choose(position, rng):\n    return position.legal_moves()[0]\n",
        "helped.py": "class Helper:\n    pass\n" + bot.format("Bot"),
        "kim.js": "",
        "leo.sh": "#!/bin/sh\n",
        "two.py": bot.format("First") + bot.format("Second"),
    }
    for name, text in files.items():
        Path(name).write_text(text)
    Path("leo.sh").chmod(0o755)
    ran = run("fight", player, "monkey", "--isolation", "none")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert remedy in ran.err
