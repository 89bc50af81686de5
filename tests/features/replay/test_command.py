"""``arena replay``, as its user sees it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.examples import EXAMPLES
from tests.conftest import Run
from tests.golden import Wording


def test_replay_shows_every_board(run: Run) -> None:
    out = run(*EXAMPLES["replay"]).out
    record = json.loads(run(*EXAMPLES["replay"], "--format", "json").out)
    assert record["players"] == ["monkey", "tictactoe3"]
    assert out.count("---+---+---") == 2 * (len(record["moves"]) + 1)
    assert out.rstrip().endswith("wins" if record["winner"] else "Draw")


def test_a_forfeit_says_how_to_see_it_and_the_replay_does(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return 0\n")
    out = run("fight", str(bot), "triples", "-n", "3", "--seed", "1").out
    wording.line(out, "(illegal 6)")
    game_id = out.partition("see it with:")[2].split("replay ")[1].split()[0]
    assert out.count(game_id) == 1
    replayed = run("replay", game_id).out
    assert f"{bot} forfeits (illegal) at x" in replayed
    wording.line(replayed, "choose returned 0")
