"""Programs at games with luck and secrets: what they are told, and what they cannot find out."""

from __future__ import annotations

import json
import shlex
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import CannotPlay
from arena.games.kuhn import kuhn_game
from tests.golden import Wording
from tests.needs import python_of_all
from tests.sandbox.programs import EXAMPLES, PAGE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts")

#: Answers by the observation alone, and writes whatever it reads into a file.
SPY = """
import json, sys, zlib
with open(sys.argv[1], "w") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        message = json.loads(line)
        if message["type"] == "move":
            legal = message["legal"]
            choice = legal[zlib.crc32(message["observation"].encode()) // 7 % len(legal)]
            print(json.dumps({"id": message["id"], "move": choice}), flush=True)
"""


def games_in(log: Path) -> list[list[Any]]:
    """Return the messages of each game, without the seed."""
    games: list[list[Any]] = []
    for line in log.read_text().splitlines():
        message = json.loads(line)
        message.pop("seed", None)
        if message["type"] == "start":
            games.append([])
        games[-1].append(message)
    return games


@pytest.mark.slow
@pytest.mark.parametrize("game_name", ["kuhn", "phantom-tictactoe"])
def test_what_is_hidden_changes_nothing_that_a_program_reads(
    tmp_path: Path, game_name: str
) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    log, store = tmp_path / "log", str(tmp_path / "games.db")
    spy = f"cmd:{shlex.join([python_of_all(), str(tmp_path / 'spy.py'), str(log)])}"
    pairs = 150 if game_name == "kuhn" else 20
    arena.fight(
        spy, "monkey", pairs, game=game_name, seed=1, store=store, isolation="process", workers=1
    )
    game = arena.get_game(game_name)
    heard: dict[Any, list[Any]] = {}
    hidden = defaultdict(set)
    [run] = arena.export(store).as_json()["runs"]
    played = [each for fight in run["fights"] for each in fight["games"]]
    # The end of the last game comes to a program that is stopped already.
    for stored, messages in zip(played[:-1], games_in(log)[:-1], strict=True):
        seat = stored["players"].index(spy)
        position, seen = game.start(), []
        for move in stored["moves"]:
            if position.to_move == seat:
                seen.append(str(position.observation(seat)))
            position = position.play(game.parse_move(move))
        questions = [message["observation"] for message in messages if message["type"] == "move"]
        assert questions == seen
        key = seat, tuple(seen), stored["outcome"]
        assert heard.setdefault(key, messages) == messages
        hidden[key].add(tuple(stored["moves"]))
    assert max(map(len, hidden.values())) > 1  # some games differ in what is hidden alone


@pytest.mark.needs("cc")
def test_the_example_in_c_plays_an_equilibrium(programs: Path) -> None:
    """It loses no more than a third of the stakes moving first, and no player wins from it."""
    paid = arena.fight(EXAMPLES["poker.c"], "monkey", 1000, game="kuhn", seed=1).paid
    assert paid is not None
    first, second = (float(side.mean(1000)) for side in paid.sides[0])
    assert first > -1 / 18 - 0.2
    assert (first + second) / 2 > 0


@pytest.mark.needs("node")
@pytest.mark.parametrize("game_name", ["kuhn", "pig-20"])
def test_the_example_in_javascript_forfeits_no_game(programs: Path, game_name: str) -> None:
    fight = arena.fight(EXAMPLES["cautious.js"], "monkey", 20, game=game_name, seed=1)
    assert dict(fight.a.forfeits) == {}
    assert fight.a.isolation != "none"


@pytest.mark.parametrize("answer", ["raise", "K", ""])
def test_a_move_that_is_not_legal_is_a_forfeit(
    tmp_path: Path, answer: str, wording: Wording
) -> None:
    script = tmp_path / "bad.py"
    script.write_text(SPY.replace('"move": choice', f'"move": {answer!r}'))
    name = f"bad=cmd:{shlex.join([python_of_all(), str(script), '/dev/null'])}"
    fight = arena.fight(name, "monkey", 1, game="kuhn", seed=1, isolation="process")
    assert dict(fight.a.forfeits) == {"illegal": 2}
    assert fight.paid is not None
    assert fight.paid.mean == -2
    assert fight.a.first_forfeit is not None
    wording(fight.a.first_forfeit.message)


def test_engines_have_no_words_for_such_games() -> None:
    engine = Path(__file__).parents[1] / "plugins" / "engines" / "gtp.py"
    gtp = f"gtp:{shlex.join([python_of_all(), str(engine)])}"
    with pytest.raises(CannotPlay, match="gtp: "):
        arena.fight(gtp, "monkey", 1, game="kuhn")


def test_the_conversation_on_the_page_is_what_is_said() -> None:
    _, _, section = PAGE.read_text().partition("## Games with luck and secrets")
    block = section.partition("```text\n")[2].partition("```")[0]
    questions = [json.loads(line[3:]) for line in block.splitlines() if '"move", ' in line]
    observation = kuhn_game().parse("K J bet").observation(1)
    assert [message["observation"] for message in questions] == [str(observation)]
    assert questions[0]["legal"] == ["pass", "bet"]
