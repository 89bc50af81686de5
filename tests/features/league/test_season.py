"""Hide the seed of a season, play by it, open it, and find out who cheated with it."""

from __future__ import annotations

import json
import shutil
from hashlib import blake2b
from pathlib import Path

import pytest

import arena
from arena.features.league.acceptance import last_run
from arena.rng import FRESH_SEED_LIMIT, MIN_FRESH_SEED
from tests.conftest import Run
from tests.features.league.forge import LAST, write_entrant
from tests.golden import Wording


@pytest.fixture
def sealed(league: Path) -> dict[str, object]:
    """Return the secret of a season that goes on."""
    arena.seal_season("spring", "secret.json")
    secret: dict[str, object] = json.loads(Path("secret.json").read_text())
    return secret


def test_a_season_is_committed_to_and_its_seed_is_nowhere_else(
    league: Path, sealed: dict[str, object]
) -> None:
    seed, nonce = sealed["seed"], str(sealed["nonce"])
    assert isinstance(seed, int)
    assert MIN_FRESH_SEED <= seed < FRESH_SEED_LIMIT
    assert len(bytes.fromhex(nonce)) == 16
    assert Path("secret.json").stat().st_mode & 0o777 == 0o600
    text = Path("season.toml").read_text()
    assert str(seed) not in text
    assert nonce not in text
    words = f"arena league\nspring\n{seed}\n{nonce}\n".encode()
    assert blake2b(words, digest_size=32).hexdigest() in text


@pytest.mark.slow
def test_a_season_is_played_archived_and_opened(league: Path, sealed: dict[str, object]) -> None:
    write_entrant(league, "alice", LAST)
    arena.play_league("league.db")
    arena.play_league("season.db", secret="secret.json")
    assert (last_run("league.db").seed, last_run("season.db").seed) == (1, sealed["seed"])
    assert not arena.write_league_site("season.db", "site", commit="1").written
    season = arena.archive_season("season.db", "secret.json")
    assert (season.holds, season.seed, season.nonce) == (True, sealed["seed"], sealed["nonce"])
    assert not Path("entrants").exists()
    assert not Path("season.toml").exists()
    archive = Path("archive/spring")
    assert sorted(path.relative_to(archive).as_posix() for path in archive.rglob("*.*")) == [
        "entrants/alice/bot.py",
        "entrants/example/bot.py",
        "league.db",
        "league.toml",
        "season.toml",
    ]
    assert arena.open_season(archive) == season
    arena.play_league("next.db")
    site = arena.write_league_site("next.db", "site", commit="2")
    assert {"archive/spring/players/alice.html", "archive/spring/league.db"} <= {*site.files}
    assert "archive/spring/report.html" in Path("site/index.html").read_text()


def test_an_archive_that_is_not_what_was_committed_to_does_not_hold(
    league: Path, sealed: dict[str, object], run: Run, wording: Wording
) -> None:
    arena.play_league("season.db", secret="secret.json")
    arena.archive_season("season.db", "secret.json")
    assert run("league", "open", "archive/spring").code == 0
    file = Path("archive/spring/season.toml")
    right = file.read_text()
    seed = str(sealed["seed"])
    for wrong in (
        right.replace(seed, "5"),
        right.replace('season = "spring"', 'season = "autumn"'),
        right.replace(str(sealed["nonce"]), "0" * 32),
        right.replace(str(sealed["nonce"]), "0"),
    ):
        file.write_text(wrong)
        ran = run("league", "open", "archive/spring")
        assert ran.code == 1
        wording(ran.out.replace(seed, "SEED"))
    file.write_text(right)
    Path("archive/spring/entrants/example/bot.py").write_text("def choose(position): return 0\n")
    ran = run("league", "open", "archive/spring")
    assert (ran.code, "example" in ran.out) == (1, True)
    file.write_text(right.partition("seed")[0] + "\n")
    assert run("league", "open", "archive/spring").code == 2


@pytest.mark.slow
def test_a_store_of_another_seed_ends_no_season(
    league: Path, sealed: dict[str, object], wording: Wording
) -> None:
    arena.play_league("league.db")
    season = arena.archive_season("league.db", "secret.json")
    [problem] = season.problems
    wording(problem)
    assert Path("entrants").exists()
    assert not Path("archive").exists()


def test_a_message_about_a_secret_repeats_none_of_it(
    league: Path, sealed: dict[str, object], run: Run, wording: Wording
) -> None:
    right = Path("secret.json").read_text()
    for wrong in (
        right.replace("spring", "autumn"),
        right.replace(str(sealed["seed"]), "7"),
        right.replace(str(sealed["seed"]), "-7"),
        right.replace(str(sealed["nonce"]), "0" * 32),
        right[:-5],
        "[]",
        "{}",
        "",
    ):
        Path("wrong.json").write_text(wrong)
        ran = run("league", "play", "season.db", "--secret", "wrong.json")
        assert (ran.code, ran.out) == (2, "")
        assert str(sealed["seed"]) not in ran.err
        assert str(sealed["nonce"]) not in ran.err
        wording(ran.err)
    assert not Path("season.db").exists()


def test_a_season_begins_once_and_writes_over_nothing(
    league: Path, run: Run, wording: Wording
) -> None:
    for name in ("Spring", "", "a/b", "../up", "x" * 40):
        ran = run("league", "seal", name, "--secret", "secret.json")
        assert ran.code == 2
        wording(ran.err)
    assert not Path("secret.json").exists()
    ran = run("league", "seal", "spring", "--secret", "secret.json")
    assert (ran.code, "secret.json" in ran.out) == (0, True)
    before = Path("season.toml").read_text(), Path("secret.json").read_text()
    wording(run("league", "seal", "autumn", "--secret", "other.json").err, "goes on")
    Path("season.toml").unlink()
    wording(run("league", "seal", "spring", "--secret", "secret.json").err, "'secret.json'")
    assert not Path("season.toml").exists()
    Path("season.toml").write_text(before[0])
    assert before[1] == Path("secret.json").read_text()
    shutil.rmtree("entrants")
    arena.play_league("season.db", secret="secret.json")
    arena.archive_season("season.db", "secret.json")
    wording(run("league", "seal", "spring", "--secret", "again.json").err, "is over")


@pytest.mark.parametrize(
    "text", ["season = 3\n", 'season = "a"\n', "x = 1\n", "season = ", 'season = "a"\nseed = "1"\n']
)
def test_a_file_of_a_season_that_is_not_one_is_refused(
    text: str, league: Path, wording: Wording
) -> None:
    Path("season.toml").write_text(text)
    with wording.raises(arena.UsageError, "season"):
        arena.play_league("one.db")


def test_a_run_by_the_hidden_seed_that_is_interrupted_shows_nothing(
    league: Path,
    sealed: dict[str, object],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object, **__: object) -> object:
        stopped = arena.Interrupted([], KeyboardInterrupt())
        stopped.resume = f"arena tournament --seed {sealed['seed']}"
        raise stopped

    monkeypatch.setattr(arena, "play_league", interrupted)
    ran = run("league", "play", "season.db", "--secret", "secret.json")
    assert ran.code == 130
    assert str(sealed["seed"]) not in ran.out + ran.err


@pytest.mark.slow
def test_nothing_tells_the_hidden_seed_before_the_last_game(
    league: Path, sealed: dict[str, object], run: Run
) -> None:
    """Players that fail in every way have messages on their way, which a forge shows to all."""
    for name, move in (("alice", "99"), ("bob", "1 / 0"), ("carol", "__import__('os')._exit(1)")):
        write_entrant(league, name, move)
    (write_entrant(league, "dora") / "bot.py").write_text("x = \n")
    ran = run("league", "play", "season.db", "--secret", "secret.json", "--output", "table.txt")
    assert ran.code in (0, 4)
    assert str(sealed["seed"]) not in ran.out + ran.err


SPY = """\
import os
import sys


def seen():
    yield from os.environ.values()
    yield from sys.argv
    for place in ("/proc/self/environ", "/proc/1/environ", "/proc/1/cmdline", {secret!r}):
        try:
            yield open(place, errors="replace").read()
        except OSError:
            pass
    for number in range(1, 70000):
        try:
            yield open(f"/proc/{{number}}/environ", errors="replace").read()
        except OSError:
            pass


FOUND = any({nonce!r} in text for text in seen())


def choose(position, rng):
    return None if FOUND else position.legal_moves()[0]
"""


@pytest.mark.needs("bwrap")
def test_a_player_sees_neither_the_secret_nor_its_variable(
    league: Path, sealed: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that finds it resigns by an illegal move; in tier process it does."""
    from arena.features.league import playing

    secret = str((league / "secret.json").resolve())
    monkeypatch.setenv("LEAGUE_SECRET", Path("secret.json").read_text())
    spy = write_entrant(league, "spy")
    (spy / "bot.py").write_text(SPY.format(secret=secret, nonce=sealed["nonce"]))
    forfeits = {}
    for tier in ("process", "bwrap"):
        monkeypatch.setattr(playing, "strong_tier", lambda _, tier=tier: tier)
        result = arena.play_league(f"{tier}.db", secret="secret.json")
        assert isinstance(result, arena.records.TournamentResult)
        forfeits[tier] = {row.player: row.forfeits > 0 for row in result.standings}["spy"]
    assert forfeits == {"process": True, "bwrap": False}
