"""Sentences that new users stumbled over, each with the one that took its place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.features.commands import COMMANDS

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[2]
SCAFFOLDS = sorted((ROOT / "arena" / "scaffolds").glob("*.txt"))
DOCS = (ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md")))

#: What no page and no help says any more.
GONE = (
    "wished certainty",
    "there is no need to guess",
    "walks every line\\b(?! that| again)",
    "play quicker",
    "says anything but",
    "within its sight",
    "ends in the same bytes",
    "what it does to values",
    "in those of a bare loop",
    "kept apart here",
    "rate players by",
    "ended too early",
    "night by night",
    "processes that play at once",
    "one a core",
    "a letter a square, as",
    "to a file, whole or not at all",
    "strangers' code",
    "of these may be for one player alone",
    "points a game",
    "pairs a pairing",
    "who starts at the second",
    "who won everything has no",
    "games of chance between players",
    "two players without chance",
    "met nobody",
    "say no more than one",
    "which command\\?",
    "in a process of its own \\(",
    "it was still at it",
)

#: What the help of a command says.
HELP = {
    "": (
        "compute how many games you need for the confidence you want",
        "compute ratings from stores, or from a CSV of results",
        "continue an interrupted run",
        "show a player's strength over time",
        "show which sandboxes work on this machine",
    ),
    "fight": (
        "number of game pairs, each player moving first once",
        "number of games to play in parallel (default: one per core)",
        "write to FILE (atomically)",
        "untrusted players:",
        "Limits can be set per player: --move-time ./bot.py=0.5",
        "none is faster, for your own files",
    ),
    "move": ("one letter per square, as in _xo_x_o__",),
}

#: What pages say, by their names.
SAID = {
    "README.md": (
        "Players meet in pairs of games, each moving first once. Every move is checked, and a seed"
        " reproduces the result exactly, on one core or sixteen.",
        "how many games you need for the confidence you want",
        "If the game is small enough you need not guess: arena can play out every line",
        "For your own files, `--isolation none`",
        "A program that hangs, crashes or prints anything but moves loses that game",
        "an interrupted run resumes and ends with byte-identical results",
        "`arena doctor` shows which sandboxes work on a machine",
        "games per second",
    ),
    "features.md": (
        "never misses a forced win within its search depth",
        "how they change the value of the game and who still plays perfectly",
    ),
    "results.md": ("A player that starts on the second or third attempt forfeits only that game.",),
    "strength.md": ("A player that won every game has a finite rating",),
    "proofs.md": ("Matches between randomised players can only be sampled",),
    "openings.md": ("Two deterministic players have only two games to play",),
}

#: Commands with their exit code and a part of what they print.
PRINTED = (
    ("fight monkey triples --sed 1", 2, "unknown argument '--sed', did you mean '--seed'?"),
    ("fight minimax:dpth=3 monkey", 2, "no option 'dpth', did you mean 'depth'? (it has: depth,"),
    ("fight bot monkey", 2, "unknown player 'bot', did you mean './bot.py'?"),
    ("fight cmd:leo.sh monkey", 2, "'leo.sh' is not on the PATH, did you mean 'cmd:./leo.sh'?"),
    ("fight ./kim.js monkey", 2, "can be loaded; for a program: cmd:node kim.js"),
    ("fight ./helped.py monkey --isolation none", 2, "has no start: inherit arena.StatefulPlayer"),
    ("fight ./two.py monkey --isolation none", 2, "say which function, as in ./two.py:First"),
    ("fight tree monkey --game connect4", 2, "tree does not play connect4 (it plays: tictactoe)"),
    ("move minimax xo", 2, "position 'xo' has 2 squares; tictactoe has 9"),
    ("fight monkey triples -n 1 --seed 1", 0, "\n1 pair of tictactoe, 2 distinct games"),
    ("fight monkey triples -n 1 --seed 1", 0, "\nmonkey's first loss: arena replay"),
    ("fight minimax lines -n 9 --seed 1 --output b.foo", 2, "no format is called 'foo'; say"),
    ("tournament lines ./broken.py triples -n 1 --seed 1", 4, "withdrawn: broken, it cannot"),
    ("tournament lines ./broken.py triples -n 1 --seed 1", 4, "; not played: 4 games"),
    (
        "fight ./bot.py ./last.py -n 10 --seed 1 --isolation none",
        0,
        "all 10 pairs carry the information of one",
    ),
    ("rate none.csv", 0, "carol played no game that counts"),
    ("train lms --games 1 --seed 1", 0, "lms learned from 1 game against self:"),
    ("rate won.csv", 0, "carol won every game: only the prior gives its rating an upper bound"),
    ("rate apart.csv", 0, "Group 2, whose ratings compare only with each other:"),
    ("doctor", 0, "Untrusted players play in tier "),
    ("", 0, "usage: arena COMMAND"),
    ("play triples --side first", 3, "you (x) against triples (o)"),
    ("history triples --store one.db", 2, "arena runs lists its 1 other run"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with what the commands name."""
    monkeypatch.chdir(tmp_path)
    played = "    def choose(self, position):\n        return position.legal_moves()[0]\n"
    files = {
        "bot.py": "def choose(position, rng):\n    return position.legal_moves()[0]\n",
        "broken.py": "def choose(position, rng)\n",
        "helped.py": f"class Helper:\n    pass\n\n\nclass Bot:\n{played}",
        "last.py": "def choose(position, rng):\n    return position.legal_moves()[-1]\n",
        "kim.js": "",
        "leo.sh": "#!/bin/sh\n",
        "two.py": f"class Helper:\n    pass\n\n\nclass First:\n{played}\n\nclass Second:\n{played}",
        "none.csv": "a,b,wins,draws,losses\ncarol,dave,0,0,0\nanna,dave,1,0,1\n",
        "won.csv": "a,b,wins,draws,losses\ncarol,dave,20,0,0\n",
        "apart.csv": "a,b,wins,draws,losses\ncarol,dave,1,2,3\nanna,bert,1,2,3\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "leo.sh").chmod(0o755)
    return tmp_path


def flat(text: str) -> str:
    """Return the text with single blanks."""
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(("line", "code", "part"), PRINTED)
@pytest.mark.usefixtures("folder")
def test_a_command_says_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str, code: int, part: str
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    if "one.db" in line:
        run("fight", "monkey", "triples", "-n", "1", "--store", "one.db")
    ran = run(*line.split())
    assert ran.code == code, ran
    assert part in ran.out + ran.err
    assert code != 2 or ran.err.count("\n") == 1


def test_the_help_says_it_and_not_what_it_said(run: Run) -> None:
    helps = {"": run().out}
    helps |= {name: run(name, "--help-all").out or run(name, "--help").out for name in COMMANDS}
    for name, sentences in HELP.items():
        assert [said for said in sentences if said not in flat(helps[name])] == []
    every = flat(" ".join(helps.values()))
    assert [gone for gone in GONE if re.search(gone, every, re.IGNORECASE)] == []


def test_pages_say_it_and_not_what_they_said() -> None:
    pages = {page.name: flat(page.read_text()) for page in DOCS}
    for name, sentences in SAID.items():
        assert [said for said in sentences if said not in pages[name]] == []
    every = " ".join(pages.values())
    assert [gone for gone in GONE if re.search(gone, every, re.IGNORECASE)] == []


def test_what_a_project_is_given_does_not_say_what_pages_said() -> None:
    every = " ".join(flat(scaffold.read_text()) for scaffold in SCAFFOLDS)
    assert "each isolated while it plays" in every
    gone = (*GONE, "kept apart")
    assert [said for said in gone if re.search(said, every, re.IGNORECASE)] == []


def test_pages_count_the_lines_of_the_tutorials_player() -> None:
    tutorial = (ROOT / "docs" / "tutorial.md").read_text()
    found = re.search(r"`hunch.py`:\n\n```python\n(.*?)```", tutorial, re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) == 5
    assert "a file of five lines" in tutorial
    assert "a player of five lines" in (ROOT / "README.md").read_text()
