"""A mistake is one line that names it, and an exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("figth", "monkey", "monkey"), "unknown command 'figth', did you mean 'fight'?"),
        (("--verson",), "unknown argument '--verson', did you mean '--version'?"),
        (("fight", "monkey"), "the following arguments are required: B"),
        (("fight", "a", "b", "c"), "unknown argument 'c'"),
        (("fight", "a", "b", "--sed", "1"), "did you mean '--seed'?"),
        (("fight", "monke", "monkey"), "unknown player 'monke', did you mean 'monkey'?"),
        (("fight", "monkey", "TRIPLE"), "unknown player 'TRIPLE', did you mean 'triples'?"),
        (("fight", "monkey", "monkey", "--game", "tictacto"), "did you mean 'tictactoe'?"),
        (("fight", "monkey", "monkey", "--game", "tictactoe-0"), "a board of 0 columns"),
        (("fight", "monkey", "triples", "--game", "connect4"), "triples does not play connect4"),
        (("fight", "monkey", "monkey", "-n", "0"), "at least 1, not '0'"),
        (("fight", "monkey", "monkey", "-n", "-5"), "at least 1, not '-5'"),
        (("fight", "monkey", "monkey", "-n", "many"), "at least 1, not 'many'"),
        (("fight", "monkey", "monkey", "-n", "1.5"), "at least 1, not '1.5'"),
        (("fight", "monkey", "monkey", "-n", "9" * 40), "must be at most"),
        (("fight", "monkey", "monkey", "-j", "0"), "at least 1, not '0'"),
        (("fight", "monkey", "monkey", "-j", "x"), "at least 1, not 'x'"),
        (("fight", "monkey", "monkey", "--seed", "-1"), "at least 0, not '-1'"),
        (("fight", "monkey", "monkey", "--engine", "fast"), "unknown engine 'fast'"),
        (("fight", "monkey", "monkey", "--executor", "serail"), "did you mean 'serial'?"),
        (("fight", "monkey", "monkey", "--format", "jsn"), "did you mean 'json'?"),
        (("players", "--format", "tabel"), "did you mean 'table'?"),
        (("fight", "monkey", "monkey", "--output", "/no/such/file"), "'/no/such' does not exist"),
        (("fight", "monkey", "monkey", "--output", "/"), "is a folder"),
        (("fight", "monkey", "monkey", "--log-file", "/no/such/file"), "log file"),
        (("tournament", "monkey"), "needs two players"),
        (("tournament", "monkey", "monkey"), "'monkey' is named twice"),
        (("move", "monkey", "xo"), "has 2 squares; tictactoe has 9"),
        (("move", "monkey", "xxxoo____"), "the game is over"),
        (("move", "monkey", "abcdefghi"), "has 'a' at square 1"),
        (("play", "a", "b", "c"), "a game has two sides, and 'c' is one more"),
        (("play", "monkey", "triples", "--side", "o"), "--side is for one PLAYER"),
        (("play", "monkey", "--side", "z"), "invalid choice: 'z'"),
        (("play", "monkee"), "unknown player 'monkee', did you mean 'monkey'?"),
        (("play", "triples", "-k", "4"), "triples does not play tictactoe-4"),
        (("play", "-k", "21"), "must be at most 20, not '21'"),
        (("play", "-k", "x"), "at least 1, not 'x'"),
        (("play", "monkey", "--delay", "1"), "--delay is for two players"),
        (("play", "monkey", "monkey", "--delay", "-1"), "a number from 0 to 3600, not '-1'"),
        (("play", "monkey", "--format", "jsn"), "did you mean 'json'?"),
        (("play", "monkey", "--output", "/no/such/file"), "'/no/such' does not exist"),
        (("replay", "nonsense"), "'nonsense' is neither a file nor a game id"),
        (("exact", "monkey"), "needs two players"),
        (("exact", "monkey", "nobody"), "unknown player 'nobody'"),
        (("exact", "monkey", "monkey", "--max-positions", "0"), "at least 1, not '0'"),
        (("exact", "monkey", "monkey", "--game", "connect5"), "did you mean 'connect4'?"),
        (("sprt", "--counts", "1,2", "--elo0", "0", "--elo1", "5"), "3 or 5 whole numbers"),
        (("sprt", "--counts", "1,-2,3", "--elo0", "0", "--elo1", "5"), "3 or 5 whole numbers"),
        (("sprt", "--counts", "1,2,3", "--elo0", "5", "--elo1", "5"), "must be less than"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "nan"), "must be a number"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "1e9"), "both within 4000"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "5", "--alpha", "0"), "alpha 0"),
        (("sprt", "--counts", "1,2,3", "--elo0", "0", "--elo1", "5", "--model", "x"), "'x'"),
        (("certify",), "certify needs a PLAYER, or --check FILE"),
        (("certify", "monkey", "--check", "x"), "there is no such file"),
        (("certify", "triples", "--output", "/no/such/file"), "'/no/such' does not exist"),
        (("certify", "--check", "/no/such/file"), "there is no such file"),
        (("certify", "--check", "/dev/null"), "is not a file"),
        (("replay", "tictactoe/monkey/nobody/1/1.1"), "unknown player 'nobody'"),
        (("fight", "./missing.py", "monkey"), "there is no such file"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    run: Run, argv: tuple[str, ...], message: str
) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("arena: ")
    assert message in ran.err


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def choose(position, rng)\n    pass", "SyntaxError in line 1"),
        ("x = 1", "no function choose(position, rng)"),
        ("x = 1\n1 / 0", "ZeroDivisionError in line 2"),
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
