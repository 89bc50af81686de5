"""Players that play otherwise when they think that nobody proves anything: none is certified."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

import arena
from arena.errors import CannotEnumerate, PlayerFault
from arena.player import PlayerInfo
from arena.players import triples
from arena.proof.certificate_file import read_certificate
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

#: Each cheat decides in ``is_a_game`` whether to play the last legal move instead of a perfect one.
CHEATS = {
    "the class of the generator": """
def is_a_game(position, rng):
    return type(rng).__name__ == "Stream"
""",
    "an attribute of the generator": """
def is_a_game(position, rng):
    return not hasattr(rng, "refusal")
""",
    "the stack": """
def is_a_game(position, rng):
    frame = sys._getframe()
    while frame is not None:
        if "enumerat" in frame.f_code.co_name or "distribution" in frame.f_code.co_name:
            return False
        frame = frame.f_back
    return True
""",
    "a position asked twice in a row": """
last = []
def is_a_game(position, rng):
    last.append(position)
    return len(last) > 1 and last[-2] != position
""",
    "two plies after the position before": """
last = []
def is_a_game(position, rng):
    last.append(position.ply)
    return len(last) > 1 and last[-2] + 2 == position.ply
""",
    "a counter": """
count = [0]
def is_a_game(position, rng):
    count[0] += 1
    return count[0] > 2 and count[0] < 6
""",
    "a generator that was kept": """
kept = []
def is_a_game(position, rng):
    kept.append(rng)
    return len(kept) > 1 and kept[-2] is rng
""",
    "the names of modules on the stack": """
def is_a_game(position, rng):
    frame = sys._getframe()
    while frame is not None:
        if "arena/proof/" in frame.f_code.co_filename:
            return False
        frame = frame.f_back
    return True
""",
    "the bits of the generator": """
def is_a_game(position, rng):
    return bin(rng._bits).count("1") > 100
""",
}

#: These see what a process of arena's does. In a process of its own none of them sees a game.
CHEATS_LOADED_HERE = {
    "the stack of a fight": """
def is_a_game(position, rng):
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.endswith(("engines.py", "fights.py")):
            return True
        frame = frame.f_back
    return False
""",
    "the number of a worker": """
from multiprocessing import current_process
def is_a_game(position, rng):
    return current_process().name.endswith(("2", "3"))
""",
    "the command": """
def is_a_game(position, rng):
    with open("/proc/self/cmdline", "rb") as file:
        return b"\\0fight\\0" in file.read()
""",
}

HEAD = "import sys\nfrom arena.players.triples import choose as perfect\n"
TAIL = """
def choose(position, rng):
    return position.legal_moves()[-1] if is_a_game(position, rng) else perfect(position, rng)
"""


#: The fast tests try these, and the slow ones all.
FAST = {
    ("the class of the generator", "process"),
}


@pytest.mark.parametrize(
    ("cheat", "isolation"),
    [
        pytest.param(
            cheat,
            isolation,
            id=f"{name}-{isolation}",
            marks=[pytest.mark.slow] * ((name, isolation) not in FAST),
        )
        for name, cheat in CHEATS.items()
        for isolation in ("process", "none")
    ],
)
def test_a_cheat_is_not_certified(tmp_path: Path, cheat: str, isolation: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HEAD + cheat + TAIL)
    try:
        certificate = arena.certify(str(bot), seed=1, isolation=isolation)
    except CannotEnumerate:
        return
    assert not certificate.never_loses
    agreement = certificate.agreement
    assert agreement is not None
    # Refuted by its own games, or seen through: the proof asks what a game asks.
    assert agreement.deviation is not None or not certificate.table_never_loses


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS_LOADED_HERE.values(), ids=CHEATS_LOADED_HERE)
def test_a_cheat_that_is_loaded_here_meets_a_fight_like_any_other(
    tmp_path: Path, cheat: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HEAD + cheat + TAIL)
    certificate = arena.certify(str(bot), seed=1, isolation="none")
    assert not certificate.never_loses
    game_id = f"tictactoe/{quote(str(bot), safe='')}/monkey/1/1."
    assert certificate.agreement is not None
    # Seen through where the proof itself runs in a worker of that number; else a game refutes it.
    seen_through = not certificate.table_never_loses
    assert seen_through or game_id in certificate.agreement.refutation


@pytest.mark.slow
def test_real_fights_refute_a_false_proof_about_a_loaded_player(
    tmp_path: Path,
    wording: Wording,
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HEAD + CHEATS["the names of modules on the stack"] + TAIL)
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(arena.certify("triples", games=0).with_moves()))
    game = arena.get_game("tictactoe")
    certificate = read_certificate(file, lambda _: game)
    assert not arena.plugin.keeps_to(certificate, str(bot), seed=1, isolation="none").holds
    with wording.raises(PlayerFault):
        arena.exact(str(bot), "monkey", isolation="none")
    long = arena.fight(str(bot), "monkey", 5000, seed=1, isolation="none")
    assert (long.engine, long.total.losses > 1000) == ("calls", True)
    wording(long.engine_reason)
    with wording.raises(PlayerFault):
        arena.fight(str(bot), "monkey", 300, seed=1, engine="table", isolation="none")


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["process", "none"])
def test_an_honest_player_in_a_file_is_certified(tmp_path: Path, isolation: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HEAD + "def choose(position, rng):\n    return perfect(position, rng)\n")
    certificate = arena.certify(str(bot), seed=1, isolation=isolation)
    assert certificate.never_loses
    assert certificate.agreement is not None
    assert certificate.agreement.games == 400


def _first_of(position: arena.Position) -> Mapping[int, Fraction]:
    """Declare a single perfect move."""
    return arena.distribution(PlayerInfo("triples", triples.choose), position)


@pytest.mark.slow
def test_its_own_games_refute_a_false_declared_distribution() -> None:
    liar = PlayerInfo("liar", lambda p, rng: p.legal_moves()[-1], distribution=_first_of)
    certificate = arena.certify(liar, seed=1)
    assert certificate.is_declared
    assert certificate.table_never_loses
    assert not certificate.never_loses
    assert certificate.agreement is not None
    deviation = certificate.agreement.deviation
    assert deviation is not None
    assert deviation.game_id.startswith("tictactoe/liar/monkey/1/")
    assert certificate.as_json()["agreement"]["deviation"]["position"] == deviation.position


@pytest.mark.slow
def test_frequencies_that_are_not_the_declared_ones_refute_too() -> None:
    def uniform(position: arena.Position) -> Mapping[int, Fraction]:
        legal = position.legal_moves()
        return dict.fromkeys(legal, Fraction(1, len(legal)))

    lazy = PlayerInfo("lazy", lambda p, rng: p.legal_moves()[0], distribution=uniform)
    agreement = arena.certify(lazy, seed=1).agreement
    assert agreement is not None
    assert agreement.deviation is None
    assert not agreement.holds


@pytest.mark.slow
def test_a_global_remembers_nothing_of_earlier_games(tmp_path: Path) -> None:
    bot = tmp_path / "learn.py"
    bot.write_text(
        "seen = []\n"
        "def choose(position, rng):\n"
        "    seen.append(position)\n"
        "    return position.legal_moves()[len(seen) % len(position.legal_moves())]\n"
    )
    for isolation in ("process", "none"):
        results = [
            arena.fight(str(bot), "monkey", 20, seed=1, workers=n, isolation=isolation)
            for n in (1, 2)
        ]
        assert results[0].as_json() == results[1].as_json()


@pytest.mark.slow
def test_a_file_is_checked_with_the_player_that_it_is_said_to_be_of(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    file = str(tmp_path / "triples.json")
    assert run("certify", "triples", "--output", file).code == 0
    ran = run("certify", "--check", file, "triples", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out, "400")
    broken = run("certify", "--check", file, "monkey", "--seed", "1")
    assert (broken.code, broken.err) == (1, "")
    wording(broken.out)
    assert "in game tictactoe/monkey/monkey/1/1." in broken.out
    game = arena.get_game("tictactoe")
    certificate = read_certificate(Path(file), lambda _: game)
    assert arena.plugin.keeps_to(certificate, "triples", seed=1).holds
    assert not arena.plugin.keeps_to(certificate, "monkey", seed=1).holds
    alone = run("certify", "--check", file)
    assert alone.code == 0
    wording(alone.out)
    nothing = run("certify")
    assert (nothing.code, nothing.err.count("\n")) == (2, 1)


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_player_that_left_a_note_is_still_executed_anew(tmp_path: Path, isolation: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "sys.note = 1\n"
        "games = []\n"
        "def choose(position, rng):\n"
        "    if position.ply < 2:\n"
        "        games.append(position)\n"
        "    return position.legal_moves()[len(games) > 1]\n"
    )
    fight = arena.fight(str(bot), "triples", 5, seed=1, workers=1, isolation=isolation)
    assert fight.a.remembers == "sys.note is added"
    assert fight.distinct_games == 2


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["none", "process", "auto"])
def test_a_player_does_not_find_its_name_on_the_command_line(
    tmp_path: Path, isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "def choose(position, rng):\n"
        "    assert sys.argv == sys.orig_argv == ['arena']\n"
        "    return position.legal_moves()[0]\n"
    )
    monkeypatch.setattr(sys, "argv", ["arena", "fight", str(bot), "monkey", "--seed", "7"])
    fight = arena.fight(str(bot), "monkey", 2, seed=7, workers=1, isolation=isolation)
    assert fight.a.forfeits == fight.b.forfeits == {}
