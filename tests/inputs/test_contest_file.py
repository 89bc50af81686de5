"""A contest in a file, and the entrants of a folder."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.tournament import command as tournament
from arena.inputs.contest_file import LIMIT_KEYS, OPTION_KEYS, OTHER_KEYS
from arena.inputs.toml import line_of
from arena.plugin.catalogue import Catalogue
from arena.sandbox.choice import NotIsolated
from tests.golden import Wording

BOT = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"

#: The one of DESIGN, as far as there is what it names.
CONTEST = """\
game = "connect4"            # everything that the command line can say
pairs = 20
seed = 7
openings = "random:4"
gauntlet = "alice"
store = "contest.db"
[limits]
move-time = 0.5
[entrants.alice]
player = "./subs/alice.py"
[entrants.bob]
player = "cmd:node bob.js -q"
limits = { move-time = 1.0, memory = 64 }
[entrants.fish]
player = "minimax"
options = { depth = 3 }
"""

#: Options of the command that are not of the contest.
OF_THE_COMMAND = {
    "--as",
    "--help",
    "-h",
    "--again",
    "--explain",
    "--color",
    "--each",
    "--log-protocol",
    "--pgn",
}
#: Options under another name in a contest.
RENAMED = {"-n": "pairs", "-j": "workers"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("subs").mkdir()
    Path("subs/alice.py").write_text(BOT)
    Path("bob.js").touch()


def contest_of(text: str, file: str = "contest.toml") -> arena.plugin.Contest:
    Path(file).write_text(text)
    return arena.read_contest(file)


def test_a_contest_says_what_the_function_takes() -> None:
    contest = contest_of(CONTEST)
    assert contest.players == (
        "alice=./subs/alice.py",
        "bob=cmd:node bob.js -q",
        "fish=minimax:depth=3",
    )
    assert (contest.n, contest.gauntlet) == (20, "alice")
    options = {"game": "connect4", "seed": 7, "openings": "random:4", "store": "contest.db"}
    assert contest.options == options
    limits = {name: contest.isolation.limits(name) for name in ("alice", "bob", "fish")}
    assert {name: own.move_time for name, own in limits.items()} == {
        "alice": 0.5,
        "bob": 1.0,
        "fish": 0.5,
    }
    assert (limits["bob"].memory, limits["alice"].memory) == (64, None)
    assert contest.file == ("contest.toml", CONTEST)


def test_every_option_of_the_command_is_a_key() -> None:
    parser = ArgumentParser()
    tournament.configure(parser)
    written = {option for action in parser._actions for option in action.option_strings}
    keys = {RENAMED.get(option, option.removeprefix("--")) for option in written - OF_THE_COMMAND}
    assert keys | {"players", "limits", "entrants", "hand-ins", "title", "rules", "send-code"} == {
        *OPTION_KEYS,
        *OTHER_KEYS,
        *LIMIT_KEYS,
    }


def test_a_schedule_names_an_entrant_or_a_player_from_the_folder() -> None:
    entrants = CONTEST.partition("[limits]")[2]
    for player, result in (("alice", "alice"), ("ann.py", "subs/ann.py"), ("monkey", "monkey")):
        text = f'schedule = "gauntlet:{player}"\n[limits]\n{entrants.replace("./subs", ".")}'
        assert contest_of(text, "subs/contest.toml").schedule == f"gauntlet:{result}"


def test_a_schedule_is_what_its_words_say(wording: Wording) -> None:
    def play(**how: Any) -> arena.records.TournamentResult:
        return arena.tournament(["monkey", "lines", "tree"], 1, seed=1, executor="serial", **how)

    assert play(schedule="round-robin") == play()
    assert play(schedule="gauntlet:lines") == play(gauntlet="lines") != play()
    with wording.raises(arena.UsageError):
        play(schedule="round-robin", gauntlet="lines")
    contest_of(
        'seed = 1\npairs = 1\nplayers = ["monkey", "lines", "tree"]\nschedule = "gauntlet:tree"'
    )
    assert arena.tournament(["contest.toml"]).schedule == "gauntlet"
    assert arena.tournament(["contest.toml"], schedule="round-robin").fights == play().fights
    assert arena.tournament(["contest.toml"], gauntlet="lines").fights[0].players[0] == "lines"


def test_a_contest_without_entrants_is_refused(wording: Wording) -> None:
    for text in ("", "pairs = 1\n", "players = []\n"):
        contest_of(text)
        with wording.raises(arena.UsageError, match="'contest.toml'"):
            arena.enter(["contest.toml"])
    contest_of("pairs = 1\n")
    assert arena.enter(["contest.toml", "monkey"]).players == ("monkey",)


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest_of(CONTEST + 'limits = { readable = "bob.js" }\n')
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    contest = arena.read_contest("../contest.toml")
    assert contest.players[:2] == ("alice=../subs/alice.py", "bob=cmd:node ../bob.js -q")
    assert contest.options["store"] == "../contest.db"
    assert contest.isolation.limits("fish").readable == (str(tmp_path / "bob.js"),)


@pytest.mark.parametrize(
    "text",
    [
        "sede = 7",
        'seed = 7\n[limits]\nmove_time = "x"',
        'seed = "7"',
        "seed = 2020-01-01",
        "pairs = true",
        "pairs = 0",
        "game = 4",
        "isolate = 1",
        "players = [1]",
        'adjudicate = "no"',
        'isolation = "bubble"',
        "limits = 3",
        "[limits]\n\nmemory = 64.5",
        '[limits]\nreadable = "x"',
        "[entrants]\nal = 3",
        "[entrants.al]\nlimits = {}",
        '[entrants."s/al"]\nplayer = "x.py"',
        '[entrants."a:b"]\nplayer = "x.py"',
        '[entrants.""]\nplayer = "x.py"',
        '[entrants.al]\nplayer = "x.py"\noptions = {a = 1}',
        '[entrants.al]\nplayer = "m"\noptions.a = [1]',
        '[entrants.al]\nplayer = "m"\nlimits = {memory = "1"}',
        f"seed = 0x{'f' * 5000}",
        f"game.{'.'.join('a' * 3000)} = 1",
        f'[entrants.al]\nplayer = "m"\noptions.{".".join("a" * 3000)} = 1',
        f"seed = {'9' * 5000}",
        'schedule = "swis:5"',
        'schedule = "gauntlt:a"',
        'schedule = "gauntlet"',
        'schedule = "round-robin:"',
        'schedule = "gauntlet:=x"',
        "seed = ",
        "seed = 1\nseed = 2",
    ],
)
def test_a_mistake_is_one_line_with_its_place(text: str, wording: Wording) -> None:
    with pytest.raises(arena.UsageError) as refused:
        contest_of(text)
    message = str(refused.value)
    wording(message)
    assert "\n" not in message


@pytest.mark.parametrize("content", [None, b"\xff", b"[" * 10**5])
def test_a_file_that_cannot_be_read_is_one_line(content: bytes | None, wording: Wording) -> None:
    if content is not None:
        Path("c.toml").write_bytes(content)
    with wording.raises(arena.UsageError, match=r"'c\.toml'") as refused:
        arena.read_contest("c.toml")
    wording(str(refused.value).lower())
    assert "\n" not in str(refused.value)


def test_options_stand_where_the_player_reads_them() -> None:
    text = '[entrants.al]\nplayer = "{}"\noptions = {{ nodes = 1000, "Skill Level" = 3, x = true }}'
    written = "nodes=1000,Skill Level=3,x=true"
    for player, spec in (
        ("uci:fish", f"uci,{written}:fish"),
        ("minimax", f"minimax:{written}"),
        ("minimax:depth=2", f"minimax:depth=2,{written}"),
    ):
        assert contest_of(text.format(player)).players == (f"al={spec}",)
    huge = f'[entrants.al]\nplayer = "m"\noptions.a = 0x{"f" * 5000}'
    assert contest_of(huge).players == ("al=m:a=a number of 20000 bits",)


def test_a_required_isolation_is_held_against_what_is_set() -> None:
    contest = contest_of('isolation = "process"\nrequire-isolation = "process"')
    assert contest.isolated(arena.Isolation(memory=64)).resolved().memory == 64
    with pytest.raises(NotIsolated):
        contest.isolated(arena.Isolation(tier="none"))


def test_a_key_is_found_on_its_line() -> None:
    text = '# c\na.b = 1\n["x".y]\nz = [\n 1]\n[[t]]\nk = """\na = 2\n"""\n'
    places = {("a",): 2, ("a", "b"): 2, ("x",): 3, ("x", "y", "z"): 4, ("t", "k"): 7, ("q",): None}
    assert {path: line_of(text, path) for path in places} == places


def test_a_folder_is_its_entrants_by_name(catalogue: Catalogue, wording: Wording) -> None:
    for name in (
        "bo b.py",
        "kim.js",
        "_help.py",
        ".hidden.py",
        "notes.txt",
        "zoe/main.py",
        "two/a.py",
        "two/b.py",
        "none/x.txt",
        "leo.sh",
        "leo.py",
        "monkey.py",
    ):
        (file := Path("subs", name)).parent.mkdir(exist_ok=True)
        file.touch(0o755 if name == "leo.sh" else 0o644)
    entered = arena.enter(["monkey", "subs/"], catalogue)
    assert entered.players == (
        "monkey",
        "alice=./subs/alice.py",
        "bo b=./subs/bo b.py",
        "kim=cmd:node subs/kim.js",
        "./subs/leo.py",
        "cmd:./subs/leo.sh",
        "./subs/monkey.py",
        "zoe=./subs/zoe/main.py",
    )
    wording(entered.left_out, "subs/_help.py", "subs/none", "subs/notes.txt", "subs/two", "2")


def test_what_has_no_entrant_is_refused(catalogue: Catalogue) -> None:
    Path("empty").mkdir()
    for players, problem in (
        (["empty"], "'empty'"),
        (["a.toml", "b.toml"], "'a.toml'.*'b.toml'"),
    ):
        with pytest.raises(arena.UsageError, match=problem):
            arena.enter(players, catalogue)


def test_a_contest_has_a_title_and_rules_for_humans() -> None:
    rules = 'rules = """\nOne.\n\n\tTwo: ünter.\n"""'
    contest = contest_of(f'title = " Cup of class 10b "\n{rules}\nplayers = ["monkey"]\n')
    assert contest.title == "Cup of class 10b"
    assert contest.rules == "One.\n\n    Two: ünter."
    bare = contest_of('players = ["monkey"]')
    assert (bare.title, bare.rules) == ("", "")


@pytest.mark.parametrize(
    "text",
    [
        "title = 7",
        'title = ""',
        'rules = "   "',
        'title = "one\\ntwo"',
        f'title = "{"a" * 101}"',
        'title = "\\u001b[31m"',
        'rules = "\\u202e"',
        f'rules = "{"a" * 10_001}"',
        'rules = ["one", "two"]',
    ],
)
def test_a_title_or_rules_that_cannot_be_are_one_line(text: str, wording: Wording) -> None:
    with wording.raises(arena.UsageError, match="line 1") as refused:
        contest_of(text)
    assert "\n" not in str(refused.value)
