"""The examples of programs play as they say, and the page about programs is true."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.game import Game, Outcome, Position, Side
from arena.player.names import canonical
from arena.plugin.catalogue import Catalogue
from arena.sandbox.settings import DEFAULT_MEMORY, PlayerLimits
from arena.sandbox.wire import json_lines, protocol
from arena.testing import turn_at
from tests.golden import Wording
from tests.sandbox.conftest import Make
from tests.sandbox.programs import EXAMPLES, FILES, PAGE, ROOT, play, play_pairs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts")


def line(message: protocol.Message) -> bytes:
    """Return a message as a line to a program."""
    return json.dumps(message).encode() + b"\n"


def positions_to_move(game: Game) -> list[Position]:
    """All positions that can occur in which there is a move to make."""
    positions, new = {game.start()}, [game.start()]
    while new:
        position = new.pop()
        for move in position.legal_moves():
            after = position.play(move)
            if after not in positions and after.outcome() is None:
                positions.add(after)
                new.append(after)
    return list(positions)


def converse(name: str, folder: Path, messages: list[bytes]) -> list[dict[str, Any]]:
    """Return what a program answers to lines that it gets all at once."""
    ran = subprocess.run(
        shlex.split(name.removeprefix("cmd:")),
        input=b"".join(messages),
        stdout=subprocess.PIPE,
        cwd=folder,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def ask_everywhere(name: str, folder: Path, game: Game) -> dict[Position, int]:
    """Return the move that a program makes in every position."""
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


def test_every_example_is_here_and_says_how_it_is_run() -> None:
    files = {path.name for path in (ROOT / "examples" / "programs").iterdir()}
    assert files - {"__pycache__"} == EXAMPLES.keys()
    for file, name in EXAMPLES.items():
        text = (ROOT / "examples" / "programs" / file).read_text()
        quoted = f'"{name}"' if " " in name else name
        assert f"arena fight {quoted} monkey" in text
        assert f"`{name}`" in PAGE.read_text()


@pytest.mark.slow
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
    catalogue: Catalogue, programs: Path, make: Make, wording: Wording
) -> None:
    record = play(
        catalogue.game("connect4"),
        make(EXAMPLES["triples.scm"]),
        catalogue.player("monkey"),
    )
    assert record.forfeit is not None
    assert record.forfeit.reason == "crash"
    wording(record.forfeit.message)


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
        """Value a win the more, the more squares it leaves free."""
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


def blocks(page: Path, heading: str, language: str) -> list[str]:
    """Return the blocks of a language under a heading."""
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


@pytest.mark.needs("guile")
def test_the_conversation_on_the_page_is_what_is_said(catalogue: Catalogue, programs: Path) -> None:
    game, limits = catalogue.game("tictactoe"), PlayerLimits()
    [block] = blocks(PAGE, "A conversation", "text")
    lines = [line.split(" ", 1) for line in block.splitlines()]
    heard = [json.loads(line) for arrow, line in lines if arrow == "->"]
    record = [json.loads(line) for arrow, line in lines if arrow == "<-"]
    messages = [json_lines.start(game, Side.FIRST, heard[0]["seed"])]
    position, moves = game.start(), [message["move"] for message in record]
    for number, text in enumerate(moves, 1):
        messages.append(json_lines.move(number, turn_at(position, seconds=limits.move_time)))
        position = position.play(game.parse_move(text))
        if (outcome := position.outcome()) is not None:
            messages.append(protocol.finish(outcome))
            break
        reply = next(
            message["move"]
            for message in heard
            if message not in messages + record and message["type"] == "observe"
        )
        messages.append(protocol.observe(game, game.parse_move(reply)))
        position = position.play(game.parse_move(reply))
    assert heard == messages
    assert converse(EXAMPLES["triples.scm"], programs, [*map(line, messages)]) == record


@pytest.mark.needs("cc")
def test_what_the_page_has_one_say_by_hand(programs: Path) -> None:
    for block in blocks(PAGE, "By hand", "sh"):
        quick = block.replace("sleep 5", "sleep 0")
        assert subprocess.check_output(["sh", "-c", quick]) == b'{"id": 1, "move": "3"}\n'


def test_the_limits_on_the_page_are_the_ones_there_are() -> None:
    section = PAGE.read_text().split("\n## Limits\n")[1]
    shown = dict(re.findall(r"^\| `--([\w-]+) (?:SECONDS|MB)` \| (\d+) \|", section, re.MULTILINE))
    own = PlayerLimits(memory=DEFAULT_MEMORY)
    assert shown == {
        name: f"{getattr(own, name.replace('-', '_')):g}"
        for name in ("move-time", "game-time", "time-margin", "import-time", "memory")
    }
