"""Players in other languages: the examples play, and bad programs lose as the page says."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.errors import Spoilt, UsageError, Withdrawn
from arena.game import Game, Outcome, Position, Side
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.player.names import canonical
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from arena.sandbox.players import program_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wire import json_lines, protocol
from arena.sandbox.wire.json_lines import COMMAND
from arena.testing import turn_at
from tests import needs
from tests.samples import few

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the bad programs are scripts")

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "programs.md"

#: The examples: how they are named as players.
EXAMPLES = {
    "any_move.py": "cmd:python3 any_move.py",
    "shadow.js": "cmd:node shadow.js",
    "perfect.c": "cmd:./perfect",
    "triples.scm": "cmd:guile --no-auto-compile triples.scm",
}
#: Each with its file, for the tests of all, and of those for any game.
FILES = [
    pytest.param(file, marks=pytest.mark.needs(program), id=file)
    for file, program in zip(EXAMPLES, ("python3", "node", "cc", "guile"), strict=True)
]


def line(message: protocol.Message) -> bytes:
    """A message as a line to a program."""
    return json.dumps(message).encode() + b"\n"


Make = Callable[..., PlayerInfo]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All examples, the one in C compiled if there is a compiler."""
    folder = tmp_path_factory.mktemp("examples") / "programs"
    shutil.copytree(ROOT / "examples" / "programs", folder)
    if not needs.lack("cc"):
        strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
        subprocess.run(["cc", "-O2", *strict, "-o", "perfect", "perfect.c"], cwd=folder, check=True)
    return folder


@pytest.fixture
def programs(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the examples, which is the current one."""
    monkeypatch.chdir(copied)
    return copied


@pytest.fixture
def make() -> Iterator[Make]:
    """Make a player of a program, whose processes end with the test."""
    made: list[Remote] = []

    def make(name: str, **isolation: object) -> PlayerInfo:
        info = program_player(name, PlayerLimits(**isolation), COMMAND)  # type: ignore[arg-type]
        assert isinstance(info.remote, Remote)
        made.append(info.remote)
        return info

    yield make
    for remote in made:
        remote.close()


def play(game: Game, first: PlayerInfo, second: PlayerInfo, name: str = "1") -> GameRecord:
    return play_game(game, (first, second), name, (Stream(), Stream()))


def play_pairs(game: Game, player: PlayerInfo, opponent: PlayerInfo) -> list[GameRecord]:
    return [
        play(game, *players, f"{number}.{players[0].name}")
        for number in range(3)
        for players in ((player, opponent), (opponent, player))
    ]


def positions_to_move(game: Game) -> list[Position]:
    """All positions that can occur in which there is a move to make."""
    found, new = {game.start()}, [game.start()]
    while new:
        position = new.pop()
        for move in position.legal_moves():
            after = position.play(move)
            if after not in found and after.outcome() is None:
                found.add(after)
                new.append(after)
    return list(found)


def converse(name: str, folder: Path, messages: list[bytes]) -> list[dict[str, Any]]:
    """What a program answers to lines that it gets all at once."""
    ran = subprocess.run(
        shlex.split(name.removeprefix("cmd:")),
        input=b"".join(messages),
        stdout=subprocess.PIPE,
        cwd=folder,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def ask_everywhere(name: str, folder: Path, game: Game) -> dict[Position, int]:
    """The move that a program makes in every position."""
    positions = positions_to_move(game)
    questions = [
        line(json_lines.move(number, turn_at(position)))
        for number, position in enumerate(positions)
    ]
    start = line(json_lines.start(game, Side.FIRST, 1))
    answers = converse(name, folder, [start, *questions])
    assert [answer["id"] for answer in answers] == list(range(len(positions)))
    moves = (game.parse_move(answer["move"]) for answer in answers)
    return dict(zip(positions, moves, strict=True))


# The examples


def test_every_example_is_here_and_says_how_it_is_run() -> None:
    files = {path.name for path in (ROOT / "examples" / "programs").iterdir()}
    assert files - {"__pycache__"} == EXAMPLES.keys()
    for file, name in EXAMPLES.items():
        text = (ROOT / "examples" / "programs" / file).read_text()
        quoted = f'"{name}"' if " " in name else name
        assert f"arena fight {quoted} monkey" in text
        assert f"`{name}`" in PAGE.read_text()


@pytest.mark.parametrize("tier", ["auto", "process"])
@pytest.mark.parametrize("file", FILES)
def test_examples_play_whole_fights_and_the_same_again(
    catalogue: Catalogue, programs: Path, make: Make, file: str, tier: str
) -> None:
    name = EXAMPLES[file]
    game, monkey = catalogue.game("tictactoe"), catalogue.player("monkey")
    records = play_pairs(game, make(name, tier=tier), monkey)
    assert [record.forfeit for record in records] == [None] * 6
    assert play_pairs(game, make(name, tier=tier), monkey) == records


@pytest.mark.parametrize("game_name", ["tictactoe-4", "mnk-3-3-2", "connect4"])
@pytest.mark.parametrize("file", FILES[:-1])
def test_examples_for_any_game_play_others(
    catalogue: Catalogue, programs: Path, make: Make, file: str, game_name: str
) -> None:
    monkey = catalogue.player("monkey")
    records = play_pairs(catalogue.game(game_name), make(EXAMPLES[file]), monkey)
    assert [record.forfeit for record in records] == [None] * 6


@pytest.mark.needs("guile")
def test_one_that_knows_a_single_game_says_so(
    catalogue: Catalogue, programs: Path, make: Make
) -> None:
    record = play(
        catalogue.game("connect4"),
        make(EXAMPLES["triples.scm"]),
        catalogue.player("monkey"),
    )
    assert record.forfeit is not None
    assert record.forfeit.reason == "crash"
    assert record.forfeit.message.endswith("printed: this player knows tictactoe alone")


@pytest.mark.needs("python3")
def test_chance_is_that_of_the_seed(catalogue: Catalogue, programs: Path, make: Make) -> None:
    game, player = catalogue.game("tictactoe"), make(EXAMPLES["any_move.py"])
    firsts = {play(game, player, player, str(n)).moves[0] for n in range(40)}
    assert len(firsts) > 5


@pytest.mark.needs("guile")
def test_the_scheme_program_plays_the_triple_strategy(catalogue: Catalogue, programs: Path) -> None:
    choose = catalogue.player("triples").player
    moves = ask_everywhere(EXAMPLES["triples.scm"], programs, catalogue.game("tictactoe"))
    assert len(moves) == 4520
    assert moves == {position: choose(position, None) for position in moves}


@pytest.mark.needs("cc")
def test_the_c_program_plays_perfectly(catalogue: Catalogue, programs: Path) -> None:
    moves = ask_everywhere(EXAMPLES["perfect.c"], programs, catalogue.game("tictactoe"))
    worth: dict[Position, int] = {}

    def value(position: Position) -> int:
        """A win is worth the more, the more squares it leaves free."""
        if position not in worth:
            outcome = position.outcome()
            if outcome is Outcome.DRAW:
                worth[position] = 0
            elif outcome is not None:
                worth[position] = position.ply - 10
            else:
                worth[position] = max(-value(position.play(m)) for m in position.legal_moves())
        return worth[position]

    assert len(moves) == 4520
    for position, move in moves.items():
        assert -value(position.play(move)) == value(position)


@pytest.mark.parametrize(
    "line",
    [
        '{"id":12,"type":"move","legal":["3"],"seconds":1,"position":"xx_oo____"}',
        '{"type": "move", "legal": [ "3" ], "new": {"a": [1]}, "position": "xx_oo____", "id": 12}',
        '{"note": "\\"type\\": \\"finish\\" \\\\", "type" : "move" , "id" : 12,'
        ' "position" : "xx_oo____", "legal" : ["3"]}',
    ],
)
@pytest.mark.needs("cc")
def test_the_c_program_reads_json_however_it_is_written(programs: Path, line: str) -> None:
    start = b'{"game":"tictactoe","type":"start"}\n{"type":"news","id":1,"legal":["1"]}\n\n'
    for begin in (start, b""):
        answers = converse("./perfect", programs, [begin, line.encode(), b"\n"])
        assert answers == [{"id": 12, "move": "3"}]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type": "move"}',
        b'{"type": "move", "id": 1, "legal": []}',
        b'{"type": "move", "id": 1, "legal": ["1',
        b'{"type": "move", "id": 1, "legal": ["%s"]}' % (b"1" * 99),
        b'{"type": "start", "game": "tictactoe"}\n'
        b'{"type": "move", "id": 1, "legal": ["1"], "position": "x"}',
    ],
)
@pytest.mark.needs("cc")
def test_the_c_program_leaves_when_it_does_not_understand(programs: Path, line: bytes) -> None:
    ran = subprocess.run(["./perfect"], input=line + b"\n", capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.startswith(b"not understood: ")


@pytest.mark.needs("python3")
def test_a_player_of_several_files_is_a_folder(
    catalogue: Catalogue, tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my bot"
    folder.mkdir()
    text = (ROOT / "examples" / "programs" / "any_move.py").read_text()
    (folder / "__main__.py").write_text(text.replace("import json", "import json, helper", 1))
    (folder / "helper.py").touch()
    monkeypatch.chdir(tmp_path)
    record = play(
        catalogue.game("tictactoe"), make("cmd:python3 'my bot'"), catalogue.player("monkey")
    )
    assert record.forfeit is None


# Bad programs

SHELL = "#!/bin/sh\n"
PYTHON = "#!/usr/bin/env python3\n"

#: Waits for a question, now and whenever it is called.
ASKED = """
asked() { while read -r line; do case $line in *'"type": "move"'*) return;; esac; done; exit; }
asked
"""

LATE = (ROOT / "examples/programs/any_move.py").read_text().replace(", flush=True)", ")")
FLOOD = PYTHON + "import sys, time\nsys.stderr.write('spam\\n' * 10**6)\ntime.sleep(60)\n"

#: What a program does, the verdicts that may follow (of which the tier decides), and the message.
BAD = {
    "a banner": (SHELL + "echo Welcome\nexec sleep 60", "protocol", "wrote 'Welcome"),
    "a banner after the question": (
        SHELL + ASKED + "echo thinking; exec sleep 60",
        "protocol",
        "wrote 'thinking', which is not a JSON object: only answers belong there",
    ),
    "yes": (SHELL + "exec yes", "protocol", "wrote 'y"),
    "no flush": (LATE, "timeout", "no answer within .* s.*; is every answer flushed[?]"),
    "two answers": (
        SHELL + ASKED + """printf '{"id": 1, "move": "1"}\\n{"id": 2, "move": "2"}\\n'; asked""",
        "protocol",
        """wrote '{"id": 2, "move": "2"}' without being asked""",
    ),
    "an answer to another question": (
        SHELL + ASKED + """echo '{"id": 7, "move": "1"}'; asked""",
        "protocol",
        "answered request '7' when 1 was asked",
    ),
    "a number": (
        SHELL + ASKED + """echo '{"id": 1, "move": 1}'; asked""",
        "protocol",
        'which has no "move" that is a text',
    ),
    "no such square": (
        SHELL + ASKED + """echo '{"id": 1, "move": "10"}'; asked""",
        "illegal",
        "move '10' is not a square of tictactoe: use 1 to 9",
    ),
    "invalid UTF-8": (
        SHELL + ASKED + "printf '\\377\\376\\n'; asked",
        "protocol",
        r"wrote '\\\\xff\\\\xfe', which is not UTF-8",
    ),
    "an endless line": (
        SHELL + "exec awk 'BEGIN { while (1) printf \"aaaaaaaaaaaaaaaa\" }'",
        "protocol",
        "a line of more than 65536 bytes|wrote 'aaa",
    ),
    "half a line": (
        SHELL + ASKED + """printf '{"id": 1, "move": "1"}'; asked""",
        "timeout",
        "no answer within",
    ),
    "exit code 0": (SHELL + ASKED + "exit 0", "crash", "ended with exit code 0"),
    "exit code 3": (
        SHELL + ASKED + "echo no book >&2; exit 3",
        "crash",
        "ended with exit code 3; the last that it printed: no book",
    ),
    "SIGSEGV": (SHELL + ASKED + "kill -SEGV $$", "crash", "killed by SIGSEGV"),
    "closes its output": (SHELL + "exec sleep 60 >&-", "timeout crash", "answer|closed its output"),
    "never reads": (SHELL + "exec sleep 60", "timeout", "no answer within"),
    "stops itself": (SHELL + "kill -STOP $$; exec sleep 60", "timeout", "no answer within"),
    "floods its log": (FLOOD, "timeout", "no answer within"),
}


NEVER_BEGIN = {
    "exit code 0": (SHELL + "exit 0", "ended with exit code 0"),
    "exit code 3": (
        SHELL + "echo no weights >&2; exit 3",
        "ended with exit code 3; the last that it printed: no weights",
    ),
    "a missing interpreter": (
        "#!/nowhere/python\n",
        "its interpreter '/nowhere/python' does not exist$",
    ),
    "no program at all": ("\0", "does not run the program: Exec format"),
    "SIGSEGV": (SHELL + "kill -SEGV $$", "killed by SIGSEGV"),
}


@pytest.mark.parametrize("tier", ["auto", "process"])
@pytest.mark.parametrize("what", NEVER_BEGIN)
def test_a_program_that_never_begins_is_withdrawn(
    catalogue: Catalogue, tmp_path: Path, make: Make, what: str, tier: str
) -> None:
    source, message = NEVER_BEGIN[what]
    bot = tmp_path / "bot"
    bot.write_text(source)
    bot.chmod(0o755)
    player, monkey = make(f"cmd:{bot}", tier=tier), catalogue.player("monkey")
    for players in ((player, monkey), (monkey, player)):
        with pytest.raises(Withdrawn, match=f"^cmd:{bot} cannot be started: .*{message}"):
            play(catalogue.game("tictactoe"), *players)


@pytest.mark.needs("python3")
def test_a_program_that_begins_late_forfeits_that_game_alone(
    catalogue: Catalogue, programs: Path, tmp_path: Path, make: Make
) -> None:
    bot = tmp_path / "bot"
    mark = tmp_path / "mark"
    fails_once = f"[ -e {mark} ] || {{ : > {mark}; exit 5; }}"
    bot.write_text(f"{SHELL}{fails_once}\nexec python3 {programs}/any_move.py")
    bot.chmod(0o755)
    player, monkey = make(f"cmd:{bot}", tier="process"), catalogue.player("monkey")
    late = play(catalogue.game("tictactoe"), player, monkey)
    assert late.forfeit is not None
    assert late.forfeit[1:3] == ("crash", "ended with exit code 5")
    assert play(catalogue.game("tictactoe"), player, monkey).forfeit is None


def play_soon(catalogue: Catalogue, make: Make, reasons: str) -> GameRecord:
    """A game against monkey; who will not answer is waited for no longer than the machine needs."""
    game, monkey = catalogue.game("tictactoe"), catalogue.player("monkey")
    for seconds in (0.2, 1.0) if "timeout" in reasons else ():
        with suppress(Spoilt):
            return play(game, make(move_time=seconds, import_time=seconds), monkey)
    return play(game, make(), monkey)


@pytest.mark.parametrize("tier", ["auto", "process"])
@pytest.mark.parametrize("what", few(BAD, 9))
def test_bad_programs_lose_for_a_reason_that_helps(
    catalogue: Catalogue, tmp_path: Path, make: Make, what: str, tier: str
) -> None:
    source, reasons, message = BAD[what]
    if "env python3" in source:
        needs.require("python3")
    bot = tmp_path / "bot"
    bot.write_text(source)
    bot.chmod(0o755)
    record = play_soon(catalogue, lambda **limits: make(f"cmd:{bot}", tier=tier, **limits), reasons)
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None
    assert record.forfeit.side is Side.FIRST
    assert record.forfeit.reason in reasons.split()
    assert re.search(message.replace("{", "[{]"), record.forfeit.message), record.forfeit.message


@pytest.mark.needs("python3")
def test_every_verdict_that_a_program_gets_is_on_the_page(
    catalogue: Catalogue, programs: Path, make: Make
) -> None:
    slow = make(EXAMPLES["any_move.py"], move_time=5.0, import_time=5.0, game_time=0.001)
    record = play(catalogue.game("tictactoe"), slow, catalogue.player("monkey"))
    assert record.forfeit is not None
    assert record.forfeit[1:3] == ("budget", "used all of its 0.001 s for the game")
    explained = PAGE.read_text().split("## What loses a game")[1].split("\n## ")[0]
    verdicts = {reason for _, reasons, _ in BAD.values() for reason in reasons.split()}
    assert set(re.findall(r"^\| `(\w+)`", explained, re.MULTILINE)) == verdicts | {"budget"}


@pytest.mark.needs("python3")
def test_lines_may_end_as_windows_ends_them(
    catalogue: Catalogue, programs: Path, make: Make, tmp_path: Path
) -> None:
    bot = tmp_path / "bot"
    bot.write_text((programs / "any_move.py").read_text().replace("flush=", 'end="\\r\\n", flush='))
    bot.chmod(0o755)
    game, monkey = catalogue.game("tictactoe"), catalogue.player("monkey")
    with_cr, without = make(f"cmd:{bot}"), make("cmd:./any_move.py")
    assert play(game, with_cr, monkey) == play(game, without, monkey)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("cmd:./missing", "there is no such program './missing'"),
        ("cmd:./plain.txt", "'./plain.txt' is not executable, which chmod +x makes it"),
        ("cmd:leo.sh -q", "'leo.sh' is not on the PATH, did you mean 'cmd:./leo.sh -q'?"),
        ("cmd:", "names no program, as in cmd:./bot"),
        ("cmd:./bot 'unfinished", "No closing quotation"),
    ],
)
def test_what_is_no_program_is_no_player(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, name: str, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.txt").touch()
    (tmp_path / "leo.sh").touch(0o755)
    with pytest.raises(UsageError, match=re.escape(problem)):
        program_player(name, PlayerLimits(), COMMAND)
    code, out, err = run("fight", name, "monkey")
    assert (code, out) == (2, "")
    assert err.startswith("arena: player ")
    assert err.endswith(f"{problem}\n")


# The command line


@pytest.mark.parametrize("options", [["-j", "1"], ["--isolation", "process"]])
@pytest.mark.needs("node")
def test_a_fight_by_command(programs: Path, run: Any, options: list[str]) -> None:
    fight = ["fight", "cmd:node shadow.js", "monkey", "-n", "4", "--seed", "1", "--format", "json"]
    code, out, err = run(*fight, *options)
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["players"] == ["cmd:node shadow.js", "monkey"]
    assert result["forfeits"] == {"cmd:node shadow.js": {}, "monkey": {}}
    assert result["total"] == {"wins": 2, "draws": 1, "losses": 5}
    code, out, _ = run("replay", result["first_lost"]["monkey"])
    assert code == 0
    assert out.endswith("\ncmd:node shadow.js wins\n")


@pytest.mark.slow
def test_a_forfeit_by_command(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = tmp_path / "bot"
    bot.write_text(SHELL + "echo no weights >&2; exit 3")
    bot.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("fight", "cmd:./bot", "monkey", "-n", "2", "--seed", "1")
    problem = "ended with exit code 3; the last that it printed: no weights"
    assert (code, err.count("\n")) == (4, 1)
    assert f"withdrawn: bot, it cannot be started: {problem}\n" in out
    assert "forfeit" not in out
    assert out.endswith("\nnot played: 4 games\n")
    bot.write_text(SHELL + ASKED + "echo no book >&2; exit 3")
    code, out, err = run("fight", "cmd:./bot", "monkey", "-n", "2", "--seed", "1")
    assert (code, err) == (0, "")
    assert "bot forfeited 4 games (crash 4)" in out
    assert "ended with exit code 3; the last that it printed: no book" in out


@pytest.mark.parametrize(
    "command",
    [
        "fight",
        *(pytest.param(c, marks=pytest.mark.slow) for c in ("fight --sprt", "tournament triples")),
    ],
)
def test_who_is_withdrawn_is_named_and_no_game_is_dropped(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "bot").write_text(SHELL + "exit 3")
    (tmp_path / "bot").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    words = [*command.split(), "cmd:./bot", "monkey", "-n", "6", "--seed", "1"]
    found = [run(*words, "-j", n, "--format", "json") for n in ("1", "2")]
    assert found[0] == found[1]  # whoever finds out first
    code, out, err = found[0]
    assert code == 4
    assert "cmd:./bot is withdrawn, it cannot be started: ended with exit code 3" in err
    fights = json.loads(out).get("fights", [json.loads(out)])
    for fight in fights:
        played = fight["games"] + fight["void"] + fight["not_played"]
        assert played == 2 * fight["planned_pairs"] == 12
        assert fight["games"] == (0 if "cmd:./bot" in fight["players"] else 12)
        assert fight["withdrawn"].get("cmd:./bot") in (None, "ended with exit code 3")
        assert not any(fight["forfeits"].values())
    kept = run(*words, "--store", "S", "--format", "json")
    assert kept == (code, out, err)
    assert run("show", "--store", "S", "--format", "json")[1] == out
    assert run("verify", "S")[0] == 0
    (tmp_path / "bot").write_text(SHELL + "exit 4")
    found = run("resume", "S", "--changed-players", "keep", "--format", "json")
    assert found == tuple(t.replace("code 3", "code 4") if t != 4 else 4 for t in found)
    assert "exit code 4" in found[1]
    assert run("show", "--store", "S", "--format", "json")[1] == found[1]


def blocks(page: Path, heading: str, language: str) -> list[str]:
    """The blocks of a language under a heading."""
    section = page.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


@pytest.mark.needs("cc")
def test_the_contest_of_the_readme(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    [block] = blocks(ROOT / "README.md", "A contest", "sh")
    compilation, contest = map(shlex.split, block.splitlines())
    subprocess.run(compilation, check=True)
    assert contest[0] == "arena"
    code, out, err = run(*contest[1:], "-n", "2", "--seed", "1", "--format", "json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert {row["player"] for row in result["standings"]} == set(map(canonical, contest[2:5]))
    assert not any(any(fight["forfeits"].values()) for fight in result["fights"])


# The page


@pytest.mark.needs("guile")
def test_the_conversation_on_the_page_is_what_is_said(catalogue: Catalogue, programs: Path) -> None:
    game, limits = catalogue.game("tictactoe"), PlayerLimits()
    [block] = blocks(PAGE, "A conversation", "text")
    lines = [line.split(" ", 1) for line in block.splitlines()]
    heard = [json.loads(line) for arrow, line in lines if arrow == "->"]
    said = [json.loads(line) for arrow, line in lines if arrow == "<-"]
    messages = [json_lines.start(game, Side.FIRST, heard[0]["seed"])]
    position, moves = game.start(), [message["move"] for message in said]
    for number, text in enumerate(moves, 1):
        messages.append(json_lines.move(number, turn_at(position, seconds=limits.move_time)))
        position = position.play(game.parse_move(text))
        if (outcome := position.outcome()) is not None:
            messages.append(protocol.finish(outcome))
            break
        reply = next(
            message["move"]
            for message in heard
            if message not in messages + said and message["type"] == "observe"
        )
        messages.append(protocol.observe(game, game.parse_move(reply)))
        position = position.play(game.parse_move(reply))
    assert heard == messages
    assert converse(EXAMPLES["triples.scm"], programs, [*map(line, messages)]) == said


@pytest.mark.needs("cc")
def test_what_the_page_has_one_say_by_hand(programs: Path) -> None:
    for block in blocks(PAGE, "By hand", "sh"):
        quick = block.replace("sleep 5", "sleep 0")
        assert subprocess.check_output(["sh", "-c", quick]) == b'{"id": 1, "move": "3"}\n'


def test_the_limits_on_the_page_are_the_ones_there_are() -> None:
    section = PAGE.read_text().split("\n## Limits\n")[1]
    shown = dict(re.findall(r"^\| `--([\w-]+) (?:SECONDS|MB)` \| (\d+) \|", section, re.MULTILINE))
    own = PlayerLimits()
    assert shown == {
        name: f"{getattr(own, name.replace('-', '_')):g}"
        for name in ("move-time", "game-time", "import-time", "memory")
    }
