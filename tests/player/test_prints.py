"""What players print: kept by game and move, of bounded size, never in arena's output."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.fights.pair_counts import PairCounts
from arena.player.prints import (
    MAX_GAME_PRINTS,
    MAX_MOVE_PRINTS,
    LocalPrintCapture,
    PrintCapture,
    PrintedPiece,
    Prints,
    hear,
    printed_text,
    unheard,
)
from arena.records.prints import Printed
from arena.sandbox.wire.channel import Log
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few

BOT = """
import os, sys
print("loaded")
class Bot:
    def start(self, game, side, rng): print("starts")
    def choose(self, position):
        print("at", position)
        print("aside", file=sys.stderr, end="")
        return position.legal_moves()[0]
    def observe(self, move): print("sees", move)
    def finish(self, outcome): print("bye")
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    return "./bot.py"


def test_a_side_is_charged_with_what_waits_for_its_move() -> None:
    prints = Prints()
    prints.write("starts\n")
    prints.hold(1)
    prints.write("x\ny")
    prints.take(0, 4)
    assert prints.is_due
    prints.take(1, 5)
    assert prints.records == [Printed(0, 4, "x\ny", 2), Printed(1, 5, "starts\n", 1)]
    assert not prints.is_due


def test_a_flood_is_cut_by_move_and_by_game_and_counted(wording: Wording) -> None:
    prints = Prints()
    for ply in range(2 * MAX_GAME_PRINTS // MAX_MOVE_PRINTS):
        prints.write("line\n" * MAX_MOVE_PRINTS)
        prints.take(ply % 2, ply)
    assert sum(len(printed.text) for printed in prints.records) == MAX_GAME_PRINTS
    assert {(text.lines, text.is_cut) for text in prints.records} == {(MAX_MOVE_PRINTS, True)}
    wording(prints.records[-1].display_lines, f" {MAX_MOVE_PRINTS} ")


def test_a_log_gives_what_is_new_as_a_stream_does() -> None:
    log, pieces = Log(), ["a\nb", "c\n", "é" * 10, "x" * 5 * MAX_MOVE_PRINTS + "\n"]
    for piece in pieces:
        log.add(piece.encode())
        assert log.take() == printed_text(piece)
        assert log.take() == PrintedPiece()
    assert pieces[0] in str(log)


def test_streams_are_as_they_were_after_a_game() -> None:
    before = sys.stdin, sys.stdout, sys.stderr
    with LocalPrintCapture() as prints:
        print("hm")
        assert sys.stdin.readline() == ""
        with unheard():
            print("loaded")
        hear(printed_text("through a pipe\n"))
        hear(printed_text("of a program\n"), is_program=True)
        prints.take(0, 0)
    assert (sys.stdin, sys.stdout, sys.stderr) == before
    assert prints.records[0].text == "hm\nthrough a pipe\n"
    hear(printed_text("between games"))


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["none", "process"])
@pytest.mark.parametrize("executor", few(["processes", "serial"]))
def test_prints_are_the_same_in_every_isolation_and_never_in_the_output(
    run: Run, bot: str, isolation: str, executor: str
) -> None:
    words = ("--isolation", isolation, "--executor", executor, "--seed", "1", "-n", "1")
    ran = run("fight", bot, "monkey", *words, "--format", "json", "--store", "s.db")
    record = json.loads(ran.out)
    identity = "tictactoe/.%2Fbot.py/monkey/1/1.1"
    assert record["printed"] == {bot: {"lines": 22, "game_id": identity}}
    assert arena.show("s.db").as_json() == record
    game = arena.replay("tictactoe/.%2Fbot.py/monkey/1/1.2", isolation=isolation)
    (first, second, *_) = game.printed
    assert (first.side, first.ply) == (1, 1)
    sees = f"sees {int(game.moves[0]) - 1}"  # in Python moves count from 0
    assert [first.display_lines[0], first.display_lines[1], first.display_lines[3]] == [
        "starts",
        sees,
        "aside",
    ]
    assert second.ply == 3
    exported = json.loads(run("export", "--store", "s.db", "--format", "json").out)
    stored = exported["runs"][0]["fights"][0]["games"][1]
    assert stored["printed"] == game.as_json()["printed"]


@pytest.mark.slow
def test_the_page_says_how_many_lines_and_the_replay_shows_them(
    run: Run, bot: str, wording: Wording
) -> None:
    ran = run("fight", bot, "monkey", "--seed", "1", "-n", "1")
    wording.line(ran.out, "bot", " 22 ")
    assert ran.out.count("arena replay tictactoe/.%2Fbot.py/monkey/1/1.1") == 1
    replayed = run("replay", "tictactoe/.%2Fbot.py/monkey/1/1.2").out
    assert re.search(r"\n2\. \./bot\.py .*1\n   \| starts\n   \| sees ", replayed)
    assert replayed.count("\n   | aside\n") == replayed.count(". ./bot.py plays ")


@pytest.mark.slow
def test_a_saved_game_keeps_them(run: Run, bot: str) -> None:
    identity = "tictactoe/.%2Fbot.py/monkey/1/1.2"
    run("replay", identity, "--format", "json", "--output", "game.json")
    assert run("replay", "game.json").out == run("replay", identity).out


def test_prints_before_a_forfeit_are_shown_last(run: Run, bot: str, wording: Wording) -> None:
    Path("bot.py").write_text("def choose(position, rng):\n    print('hm')\n    return None\n")
    ran = run("replay", "tictactoe/.%2Fbot.py/monkey/1/1.1")
    wording(ran.out, "./bot.py")


def test_a_game_without_prints_has_no_key() -> None:
    game = arena.replay("tictactoe/monkey/triples/1/1.1")
    assert "printed" not in game.as_json()
    assert "printed" not in arena.fight("monkey", "triples", 1, seed=1).as_json()
    assert PairCounts().a.printed == 0


@pytest.mark.slow
def test_debug_shows_them_at_once_and_beside_the_moves(
    run: Run, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "def choose(position, rng):\n    print('hm')\n    return position.legal_moves()[0]\n"
    Path("bot.py").write_text(text)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    ran = run("debug", bot, "tictactoe/.%2Fbot.py/monkey/1/1.1")
    assert ran.out.startswith("hm\nhm\n")
    assert "\n1. ./bot.py plays 1\n   | hm\n" in ran.out


@pytest.mark.slow
def test_nothing_that_shares_the_process_writes_into_the_output(
    bot: str, capfd: pytest.CaptureFixture[str]
) -> None:
    body = (
        "    os.write(1, b'raw'); os.system('echo shell')\n    return position.legal_moves()[0]\n"
    )
    Path("bot.py").write_text(f"import os\ndef choose(position, rng):\n{body}")
    options: Any = {"isolation": "none", "executor": "serial", "seed": 1}
    arena.fight(bot, "monkey", 1, **options)
    result = capfd.readouterr()
    assert result.out == ""
    assert "raw" in result.err


def test_a_text_of_a_class_of_its_own_is_kept_as_a_text() -> None:
    class Text(str):
        __slots__ = ()

        def __getitem__(self, key: Any) -> Any:
            return self

        def __radd__(self, other: str) -> Any:
            return None

    prints = Prints()
    prints.write(Text("x" * (2 * MAX_GAME_PRINTS)))
    prints.take(0, 0)
    [record] = prints.records
    assert (type(record.text), len(record.text)) == (str, MAX_MOVE_PRINTS)
    with pytest.raises(TypeError):
        prints.write(b"x")  # type: ignore[arg-type]


def test_no_player_closes_the_output_of_the_other() -> None:
    with LocalPrintCapture() as prints:
        sys.stdout.close()
        print("hm", flush=True)
    assert prints.waiting.text == "hm\n"


def test_streams_are_restored_if_ctrl_c_comes_while_they_are_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = sys.stdin, sys.stdout, sys.stderr
    for moment in ("__enter__", "__exit__"):
        with monkeypatch.context() as patch:
            patch.setattr(PrintCapture, moment, interrupt)
            with pytest.raises(KeyboardInterrupt), LocalPrintCapture():
                pass
        result = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = before
        assert result == before


def test_a_breakpoint_says_where_it_works(bot: str, wording: Wording) -> None:
    body = "    breakpoint()\n    return position.legal_moves()[0]\n"
    Path("bot.py").write_text(f"def choose(position, rng):\n{body}")
    game = arena.fight(bot, "monkey", 1, seed=1).a.first_forfeit
    assert game is not None
    wording(game.message)
