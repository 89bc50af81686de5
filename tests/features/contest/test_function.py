"""Open a contest for strangers: what its file may say, and on which machines."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.sandbox import choice
from arena.sandbox.selftest.probes import Probe
from arena.sandbox.tiers import orders
from tests.golden import Wording

HAND_INS = """
[hand-ins]
size = 1000
a-day = 7
seconds-a-day = 60
closes = 2026-12-01T18:00:00+01:00
public = true
games = "all"
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in a folder with tokens, on a machine on which every tier works."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(choice, "_failed", lambda name: ())
    Path("names.txt").write_text("alice\nbob\n")
    Path("loads_not.py").write_text("x = \n")
    Path("c.toml").write_text("")
    assert arena.plugin.give_tokens("c.toml", "names.txt") == ["owner", "alice", "bob"]


def opened(text: str) -> arena.plugin.HostedContest:
    Path("c.toml").write_text(text)
    return arena.plugin.open_contest("c.toml")


def refusal_of(text: str) -> str:
    with pytest.raises(arena.UsageError) as refused:
        opened(text)
    assert "\n" not in str(refused.value)
    assert str(refused.value).count("contest 'c.toml'") <= 1
    return str(refused.value)


def test_a_contest_needs_no_file_but_its_own() -> None:
    contest = opened("")
    assert contest.rules == arena.plugin.HandInRules()
    assert (contest.name, contest.entrants, contest.run) == ("c", ["alice", "bob"], None)
    setup = contest.setup
    assert (setup.store, setup.game) == ("c.db", "tictactoe")
    assert (setup.file_players, setup.has_end) == ((), False)
    assert setup.isolation.tier == "bwrap"
    assert setup.folder == Path("c.db.hand-ins").resolve()
    assert contest.status().play == "stopped"


@pytest.mark.parametrize(
    ("game", "facts"),
    [
        ("leduc", (2, "chips", False)),
        ("snakes-3", (3, "points", True)),
        ("pig-20", (2, "", False)),
        ("prisoners-dilemma-3", (2, "points", True)),
        ("phantom-mnk-3-3-3", (2, "", False)),
    ],
)
def test_a_contest_is_at_any_game_that_players_play(
    game: str, facts: tuple[int, str, bool]
) -> None:
    setup = opened(f'game = "{game}"\nplayers = ["monkey"]\n').setup
    assert (setup.seats, setup.unit, setup.has_end) == facts


def test_the_file_says_what_may_be_handed_in() -> None:
    contest = opened(f'players = ["monkey"]\n[limits]\nmemory = 64\n{HAND_INS}')
    assert contest.rules == arena.plugin.HandInRules(
        size=1000,
        a_day=7,
        seconds_a_day=60,
        closes="2026-12-01T17:00:00Z",
        public=True,
        games="all",
    )
    assert contest.setup.isolation.limits("alice").memory == 64
    assert [named.name for named in contest.setup.file_players] == ["monkey"]
    for text in ('until = "best"', 'schedule = "round-robin"', 'gauntlet = "monkey"'):
        assert opened(f'players = ["monkey"]\n{text}').setup.has_end


def test_a_tournament_of_such_a_file_is_played_as_ever() -> None:
    Path("c.toml").write_text(f'players = ["monkey", "triples"]\npairs = 1\n{HAND_INS}')
    assert arena.tournament("c.toml", seed=1) == arena.tournament(["monkey", "triples"], 1, seed=1)


@pytest.mark.parametrize(
    "text",
    [
        "[hand-ins]\na-dya = 3",
        "[hand-ins]\nsize = 0",
        "[hand-ins]\ncloses = 2026-12-01",
        '[hand-ins]\ngames = "some"',
        "hand-ins = 3",
        "seed = 7",
        'engine = "batch"',
        'executor = "serial"',
        'schedule = "swiss:3"',
        'schedule = "knockout"',
        'isolation = "none"',
        'isolation = "process"',
        'gauntlet = "triples"',
        '[entrants.Alice]\nplayer = "monkey"',
        'players = ["./nobody"]\nschedule = "swiss:1"',
        'players = ["heuristic"]\ngame = "connect4"',
        'players = ["./no_such.py"]',
        'players = ["monkey"]\nopenings = "random:99"',
        'players = ["monkey"]\nuntil = "top:9"',
        'game = "tictactoo"',
    ],
)
def test_what_strangers_cannot_have_is_refused_with_what_to_do(text: str, wording: Wording) -> None:
    wording(refusal_of(text))


@pytest.mark.needs("bwrap")
def test_a_player_of_the_file_that_does_not_load_is_refused(wording: Wording) -> None:
    wording(refusal_of('players = ["./loads_not.py"]'), "SyntaxError in line 1")


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize("player", ["cmd:false", "cmd:./no_such"])
def test_a_program_of_the_file_that_cannot_start_is_refused_before_tokens_are_written(
    player: str, wording: Wording
) -> None:
    text = f'players = ["monkey", "{player}"]'
    wording(refusal_of(text), player)
    Path("tokens.csv").unlink()
    with pytest.raises(arena.UsageError, match=player):
        arena.plugin.give_tokens("c.toml", "names.txt")
    assert not Path("tokens.csv").exists()


@pytest.mark.needs("bwrap")
def test_an_engine_of_the_file_that_cannot_start_is_refused_before_tokens_are_written() -> None:
    Path("c.toml").write_text('players = ["monkey", "uci:false"]')
    Path("tokens.csv").unlink()
    with pytest.raises(arena.ArenaError, match="'uci:false'"):
        arena.plugin.give_tokens("c.toml", "names.txt")
    assert not Path("tokens.csv").exists()


@pytest.mark.needs("bwrap")
def test_a_program_that_starts_may_play_badly() -> None:
    assert opened('players = ["cmd:cat"]').setup.file_players[0].spec == "cmd:cat"


def test_a_machine_without_walls_is_refused(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    probe = Probe("play at all", False, "no Landlock", "upgrade")
    failed = {"locked": (probe,), "bwrap": (probe,)}
    monkeypatch.setattr(choice, "_failed", lambda name: failed.get(name, ()))
    wording(refusal_of(""))
    assert "arena doctor" in refusal_of("")
    wording(refusal_of('isolation = "bwrap"'))


@pytest.mark.parametrize("table", ["[limits]", "[entrants.monkey.limits]"])
def test_a_folder_that_players_may_not_enter_is_refused(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "identity", lambda: 1_900_000_000)
    Path("book").mkdir(mode=0o700)
    entrant = '[entrants.monkey]\nplayer = "monkey"\n'
    refusal = refusal_of(f'{entrant}{table}\nreadable = ["book"]\n')
    assert refusal.endswith(f"chmod o+rx {Path('book').resolve()}")


def test_a_game_of_a_referee_is_refused(wording: Wording) -> None:
    Path("referee.py").write_text(
        "import arena\n\n\nclass Mine(arena.plugin.RefereedGame):\n    version = 1\n\n"
        "    def referee(self, players, seed):\n        return None\n\n\n"
        "@arena.hookimpl\ndef arena_register_games(register):\n"
        "    register('mine', lambda: Mine('mine'))\n"
    )
    catalogue = arena.plugin.load_catalogue(plugins=["referee.py"])
    Path("c.toml").write_text('game = "mine"\n')
    with wording.raises(arena.UsageError):
        arena.plugin.open_contest("c.toml", catalogue=catalogue)


def test_without_tokens_nobody_enters(wording: Wording) -> None:
    Path("tokens.csv").unlink()
    wording(refusal_of(""), "--contest", "--tokens")


@pytest.mark.parametrize("text", ["# my class", "carol\nCarol", "owner", "carol\ndan,x", "a<b"])
def test_a_line_that_is_no_new_name_is_named_with_its_place(text: str, wording: Wording) -> None:
    before = Path("tokens.csv").read_bytes()
    Path("more.txt").write_text(f"anna\n{text}\n")
    with wording.raises(arena.UsageError, match="'more.txt', line"):
        arena.plugin.give_tokens("c.toml", "more.txt")
    assert Path("tokens.csv").read_bytes() == before


def test_nobody_gets_a_token_for_a_contest_that_is_refused(wording: Wording) -> None:
    before = Path("tokens.csv").read_bytes()
    Path("c.toml").write_text('game = "leduc"\nluck = "corrected"\n')
    Path("more.txt").write_text("anna\n")
    with wording.raises(arena.UsageError):
        arena.plugin.give_tokens("c.toml", "more.txt")
    assert Path("tokens.csv").read_bytes() == before


def test_a_time_to_close_has_its_zone(wording: Wording) -> None:
    wording(refusal_of("[hand-ins]\ncloses = 2026-12-01T18:00:00\n"))
