"""``arena play``, as a person and as a pipe see it: whole games, typed line by line."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import arena
from arena.clock import now
from tests.conftest import Ran, Run
from tests.golden import Wording, kept
from tests.samples import few
from tests.terminals import Typist, terminal

GOLDEN = Path(__file__).parent / "golden"
BOTS = Path(__file__).parents[3] / "examples" / "bots"
ARENA = (sys.executable, "-c", "import sys; from arena.main import main; sys.exit(main())", "play")

#: Transcripts by name: the exit code, the arguments, and the lines that are typed.
GAMES = {
    "win": (0, "./first_free.py", "5 3 7"),
    "draw": (0, "-a --seed 4", "5 3 4 8 9"),
    "loss": (0, "minimax --side o --seed 2", "5 4 undo 4"),
    "people": (0, "", "5 1 3 7 4 6 8 2 9"),
    "size": (0, "-k 4", "1 5 2 6 3 7 4"),
    "wrong": (0, "./first_free.py --hints", "five|10||5|5|3|1|udno|hint now|save|7"),
    "undo": (0, "./first_free.py --side o", "undo|9|undo|5|3|undo|undo|5|3|7|undo|8|7"),
    "resign": (0, "triples --seed 1", "1 resign"),
    "quit": (3, "triples --seed 1", "1 quit 2"),
    "end-of-input": (3, "triples --seed 1", "1"),
    "nothing": (3, "triples --seed 1", ""),
    "watched": (0, "minimax triples --seed 1", ""),
    "connect4": (0, "./first_free.py --game connect4", "2 2 2 2"),
    "fault": (0, "./broken.py", "5 9"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two players, one of which ends its process."""
    (tmp_path / "first_free.py").write_text((BOTS / "first_free.py").read_text())
    (tmp_path / "broken.py").write_text(
        "import os\n"
        "def choose(position, rng):\n"
        "    return position.legal_moves()[0] if position.ply < 2 else os._exit(0)\n"
    )
    return tmp_path


def play(folder: Path, *argv: str, typed: str | bytes = "") -> Ran:
    typed = typed if isinstance(typed, bytes) else typed.encode()
    ran = subprocess.run([*ARENA, *argv], input=typed, capture_output=True, cwd=folder, check=False)
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


@pytest.fixture
def play_here(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Play as ``play`` does, but in this process."""
    monkeypatch.chdir(folder)

    def play_here(*argv: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return run("play", *argv)

    return play_here


def assert_is_gone(folder: Path) -> None:
    """Assert that the process whose number is in the file has ended."""
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text()), signal.SIGCONT)


def typed_at(name: str) -> str:
    lines = GAMES[name][2]
    return "".join(f"{line}\n" for line in (lines.split("|") if "|" in lines else lines.split()))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game(play_here: Callable[..., Ran], name: str) -> None:
    code, argv, _ = GAMES[name]
    ran = play_here(*argv.split(), typed=typed_at(name))
    assert (ran.code, ran.err) == (code, "")
    shown = re.sub(r"seed \d{3,}", "seed S", ran.out)
    assert shown == kept(GOLDEN / f"play-{name}.txt", shown)
    assert max(map(len, ran.out.splitlines())) <= 80
    assert ran.out.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["win", "end-of-input"])
def test_a_whole_game_through_a_pipe(folder: Path, name: str) -> None:
    code, argv, _ = GAMES[name]
    ran = play(folder, *argv.split(), typed=typed_at(name))
    shown = re.sub(r"seed \d{3,}", "seed S", ran.out)
    assert (ran.code, ran.err, shown) == (code, "", (GOLDEN / f"play-{name}.txt").read_text())


def test_every_kept_transcript_is_compared() -> None:
    assert {file.name for file in GOLDEN.glob("play-*.txt")} == {
        f"play-{name}.txt" for name in GAMES
    }


@pytest.mark.slow
@pytest.mark.parametrize("line", ["save g.json", "save  g.json "])
def test_a_game_is_saved_and_replayed(folder: Path, line: str, wording: Wording) -> None:
    ran = play(folder, "./first_free.py", typed=f"5\n3\n{line}\n7\n")
    wording.line(ran.out, "arena replay g.json")
    unfinished = arena.replay(str(folder / "g.json"))
    assert (unfinished.moves, unfinished.outcome) == (("5", "1", "3", "2"), None)
    assert "unfinished" in str(unfinished).splitlines()
    play(folder, "./first_free.py", "--output", "end.json", typed="5\n3\n7\n")
    saved = arena.replay(str(folder / "end.json"))
    assert saved.moves == (*unfinished.moves, "7")
    assert saved.winner == saved.players[0] == "person"


def test_with_a_format_the_record_alone_is_the_output(
    play_here: Callable[..., Ran], wording: Wording
) -> None:
    ran = play_here("triples", "--seed", "3", "--format", "json", typed="5\nresign\n")
    record = json.loads(ran.out)
    assert record["schema"] == "arena.replay/1"
    assert record["forfeit"]["reason"] == "resigned"
    wording.line(ran.err, "triples (o)")
    watched = play_here("triples", "monkey", "--seed", "3", "--format", "json")
    assert json.loads(watched.out) == arena.replay("tictactoe/triples/monkey/3/1.1").as_json()
    assert watched.err == ""


def test_the_same_seed_and_lines_give_the_same_bytes(play_here: Callable[..., Ran]) -> None:
    argv = ("monkey", "--seed", "5", "--game", "connect4")
    typed = "4\n" * 6 + "undo\n3\n2\n1\n" * 4
    assert play_here(*argv, typed=typed) == play_here(*argv, typed=typed)


@pytest.mark.slow
@pytest.mark.parametrize(
    "typed", few([b"\xff\xfe5\n", b"9" * 99999, b"\x00\n", b"\xef\xbb\xbf5\r\n1\r\n"], 2)
)
def test_any_bytes_are_answered(folder: Path, typed: bytes) -> None:
    ran = play(folder, "./first_free.py", typed=typed)
    assert ran.code == 3
    assert ran.err == ""
    assert "Traceback" not in ran.out


@pytest.mark.slow
def test_a_console_that_knows_few_letters_is_enough(folder: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "cp437"}
    (folder / "spieler_ж.py").write_text((BOTS / "first_free.py").read_text())
    ran = subprocess.run(
        [*ARENA, "./spieler_ж.py"],
        input="ж…\n5\n3\n7\n".encode("cp866", "replace"),
        capture_output=True,
        cwd=folder,
        check=False,
        env=env,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"spieler_\\u0436.py (o) plays 2" in ran.stdout


@pytest.mark.slow
def test_what_a_player_prints_is_not_in_the_conversation(
    folder: Path, play_here: Callable[..., Ran]
) -> None:
    (folder / "loud.py").write_text(
        "def choose(position, rng):\n    print('!')\n    return position.legal_moves()[0]\n"
    )
    ran = play_here("./loud.py", "--isolation", "none", typed="5\n3\n7\n")
    assert ran.code == 0
    assert "!" not in ran.out


@pytest.mark.slow
def test_a_player_that_hangs_forfeits_by_the_limit_that_is_given(
    folder: Path, play_here: Callable[..., Ran]
) -> None:
    (folder / "slow.py").write_text("import time\ndef choose(position, rng):\n    time.sleep(60)\n")
    ran = play_here("./slow.py", "--move-time", "0.2", typed="5\n")
    assert ran.code == 0
    assert re.search(r"\./slow\.py \(o\) .*\(timeout\)", ran.out)


@pytest.mark.slow
def test_a_program_plays_and_is_gone_afterwards(folder: Path) -> None:
    (folder / "program.py").write_text(
        "import json, os, sys\n"
        f"print(os.getpid(), file=open({str(folder / 'pid')!r}, 'w'), flush=True)\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if 'legal' in asked:\n"
        "        print(json.dumps({'id': asked['id'], 'move': asked['legal'][0]}), flush=True)\n"
    )
    name = f"cmd:{sys.executable} program.py"
    ran = play(folder, name, "--isolation", "process", typed="5\n3\n")
    assert ran.out.count(f"{name} (o) plays") == 2, ran.out
    assert_is_gone(folder)


@pytest.mark.slow
def test_a_file_plays_where_the_options_say(folder: Path) -> None:
    (folder / "where.py").write_text(
        "import os, sys\n"
        "def choose(position, rng):\n"
        "    print(f'in {os.path.basename(sys.argv[0])}', file=sys.stderr)\n"
        "    return position.legal_moves()[0]\n"
    )
    for options, here in (((), False), (("--isolation", "none"), True)):
        ran = play(folder, "./where.py", *options, typed="5\n3\n7\n")
        assert ran.code == 0
        assert ("in " in ran.err) is here


# In a terminal.


def typist(folder: Path, *argv: str) -> AbstractContextManager[Typist]:
    return terminal(*ARENA, *argv, folder=folder)


def test_a_game_in_a_terminal_with_second_thoughts(folder: Path, wording: Wording) -> None:
    with typist(folder, "./first_free.py") as person:
        person.wait_for("x to move> ")
        for line in ("5", "3", "1", "7"):
            person.type(f"{line}\n")
            person.wait_for("> ")
        wording("\n".join(person.seen.splitlines()[-2:]), "FILE")
        person.type("undo\n")
        assert person.wait_for("> ").endswith("x to move> ")
        person.type("7\n")
        person.wait_for("leave> ")
        person.type("save g.json\n")
        person.wait_for("leave> ")
        person.type("\n")
        assert person.leave() == 0
    assert "\x1b" not in re.sub(r"\x1b\[[0-9;]*m", "", person.seen)  # but for colours
    assert arena.replay(str(folder / "g.json")).winner == "person"


@pytest.mark.slow
def test_a_line_is_edited_and_an_earlier_one_comes_back(folder: Path) -> None:
    with typist(folder, "./first_free.py", "--side", "second", "--seed", "1") as person:
        person.wait_for("o to move> ")
        person.type("54\x7f\n")
        person.wait_for("o to move> ")
        person.type("undo\n")
        person.wait_for("o to move> ")
        person.type("\x1b[A\x1b[A\n")
        assert "plays 2" in person.wait_for("o to move> ")
        person.type("\x04")
        assert person.leave() == 3


def test_saving_twice_asks(play_here: Callable[..., Ran], wording: Wording) -> None:
    ran = play_here("./first_free.py", typed="save g.json\n5\nsave g.json\ny\n")
    wording.line(ran.out, "'g.json'")
    assert arena.replay("g.json").moves == ("5", "1")


@pytest.mark.slow
def test_two_players_are_watched_with_enter(folder: Path) -> None:
    with typist(folder, "minimax", "triples", "--seed", "1") as person:
        for _ in range(9):
            person.wait_for("Enter for the next move> ")
            person.type("\n")
        assert person.wait_for("leave> ").count("Draw.") == 1
        person.type("quit\n")
        assert person.leave() == 0


@pytest.mark.slow
def test_two_players_are_watched_with_a_delay_and_nothing_is_asked(folder: Path) -> None:
    with typist(folder, "minimax", "triples", "--delay", "0.01") as person:
        assert person.leave() == 0
    assert "> " not in person.seen
    assert person.seen.count(" plays ") == 9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "code", "said"),
    few(
        [
            ("\x04", 3, "x to move> \nThe game is left undecided.\n"),
            ("\x03", 130, "x to move> \narena: interrupted\n"),
        ]
    ),
)
def test_leaving_in_the_middle(folder: Path, key: str, code: int, said: str) -> None:
    with typist(folder, "./first_free.py", "--output", "g.json") as person:
        person.wait_for("x to move> ")
        person.type("5\n")
        person.wait_for("x to move> ")
        time.sleep(0.5)  # Python's readline loses a signal between its prompt and its waiting
        person.type(key)
        assert person.leave() == code
    assert person.seen.endswith(said)
    assert arena.replay(str(folder / "g.json")).moves == ("5", "1")


@pytest.mark.slow
def test_ctrl_c_while_a_player_thinks_ends_it_too(folder: Path) -> None:
    (folder / "slow.py").write_text(
        "import os\n"
        "def choose(position, rng):\n"
        f"    print(os.getpid(), file=open({str(folder / 'pid')!r}, 'w'), flush=True)\n"
        "    while True: pass\n"
    )
    with typist(folder, "./slow.py", "--isolation", "process", "--move-time", "60") as person:
        person.wait_for("x to move> ")
        person.type("5\n")
        end = now() + 30
        while not (folder / "pid").exists() or not (folder / "pid").read_text():
            assert now() < end
        person.type("\x03")
        assert person.leave() == 130
    assert_is_gone(folder)
