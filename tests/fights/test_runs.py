"""Runs: played, kept, gone on with and shown again, with the same record every time."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import PlayerFileError, StoreError, UsageError
from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.fights import FightResult
from arena.records.played import Played
from arena.records.sequential import Hypotheses, SprtFight
from arena.records.tournaments import TournamentResult
from arena.records.until import Until, UntilFight
from arena.sandbox.settings import Isolation
from arena.store.journal import StoreJournal
from arena.store.reading import find_run
from arena.store.sql import Store
from tests.golden import Wording
from tests.samples import few
from tests.simple import clumsy

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
REMEMBERS = str(EXAMPLES / "remembers.py")


Play = Callable[..., Played]
KINDS: dict[str, Play] = {
    "fight": partial(arena.fight, "monkey", "tictactoe2", 12, seed=3),
    "fight of one": partial(arena.fight, "monkey", "monkey", 12, seed=3),
    "stateful": partial(arena.fight, REMEMBERS, "monkey", 12, seed=3, isolation="none"),
    "isolated": partial(arena.fight, REMEMBERS, "monkey", 12, seed=3),
    "forfeits": partial(arena.fight, clumsy, "monkey", 12, seed=3),
    "another game": partial(arena.fight, "monkey", "minimax", 4, seed=3, game="mnk-11-2-2"),
    "round robin": partial(
        arena.tournament, ["monkey", REMEMBERS, clumsy], 5, seed=2**63 - 1, isolation="none"
    ),
    "gauntlet": partial(arena.tournament, ["monkey", "triples"], 5, gauntlet="minimax", seed=3),
    "openings": partial(
        arena.fight, "monkey", REMEMBERS, 12, seed=3, openings="random:3", isolation="none"
    ),
    "all openings": partial(
        arena.tournament, ["monkey", clumsy, "triples"], 5, seed=3, openings="all:1"
    ),
    "adjudicated": partial(arena.fight, "minimax", "monkey", 12, seed=3, adjudicate="draws"),
    "sprt": partial(
        arena.sprt_fight, "triples", REMEMBERS, 30, elo0=-9, elo1=9, seed=3, isolation="none"
    ),
    "until": partial(
        arena.until_fight, "triples", REMEMBERS, 60, until="±10%", seed=3, isolation="none"
    ),
}


@pytest.fixture(params=KINDS)
def play(request: pytest.FixtureRequest) -> Play:
    return KINDS[request.param]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "S"


@pytest.mark.slow
def test_keeping_the_games_changes_nothing(play: Play, path: Path) -> None:
    plain = play(executor="serial")
    stored = [play(store=path, workers=3), play(store=path, executor="serial", again=True)]
    assert all(record == plain for record in stored)
    assert {repr(record.as_json()) for record in stored} == {repr(plain.as_json())}
    for number in (1, 2):
        assert arena.show(path, number) == plain
    assert arena.verify(path).divergence is None
    assert len(arena.export(path).as_json()["runs"]) == 2


@pytest.mark.slow
def test_a_complete_run_is_gone_on_with_by_doing_nothing(path: Path) -> None:
    for name in ("stateful", "round robin", "sprt", "until"):
        path.unlink(missing_ok=True)
        players = ["monkey", REMEMBERS, "triples"]
        if name == "round robin":
            played: Played = arena.tournament(players, 4, seed=2, store=path)
        else:
            played = KINDS[name](store=path)
        before = path.read_bytes()
        assert arena.resume(path, 1, changed_players="replay") == played
        assert path.read_bytes() == before
        assert arena.resume(path) == played


@pytest.mark.slow
def test_the_record_is_of_the_kind_that_was_asked_for(path: Path) -> None:
    kinds = {"sprt": SprtFight, "until": UntilFight, "gauntlet": TournamentResult}
    for name, kind in {"fight": FightResult, **kinds}.items():
        KINDS[name](store=path, executor="serial")
        assert type(arena.show(path)) is kind
        assert type(arena.resume(path, find_run(Store(path), None).number)) is kind


class Flaky(SerialExecutor):
    """Is interrupted after some tasks."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, work: Any, tasks: Any) -> Any:
        for number, done in enumerate(super().run(work, tasks)):
            if number == self.after:
                raise KeyboardInterrupt
            yield done


@pytest.fixture
def pairings(catalogue: Catalogue) -> list[Pairing]:
    game = catalogue.game("tictactoe")
    a, b, c = (catalogue.player(name) for name in ("monkey", "triples", "minimax"))
    return [Pairing(game, one, other, 12, 5) for one, other in ((a, b), (a, c), (b, c))]


@pytest.mark.slow
@pytest.mark.parametrize("after", few([3, 0, 1, 6]))
def test_an_interrupted_run_has_the_record_that_is_shown(
    path: Path, pairings: list[Pairing], after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.fights.plain.MAX_CHUNK_PAIRS", 1)
    setting = RunSetting("round robin")
    engines = [CallsEngine(pairing) for pairing in pairings]
    whole = runs.play(setting, engines, SerialExecutor())
    with (
        StoreJournal.begin(Store(path, create=True), setting, pairings) as journal,
        pytest.raises(Interrupted) as caught,
    ):
        runs.play(setting, engines, Flaky(after), journal=journal)
    assert caught.value.run == f"{path} 1"
    assert caught.value.partial == arena.show(path)
    assert find_run(Store(path), None, unfinished=True).finished is None
    assert arena.verify(path).divergence is None
    assert arena.resume(path, workers=2) == whole
    assert find_run(Store(path), 1).finished is not None
    assert arena.show(path) == whole


@pytest.mark.slow
def test_what_is_recounted_is_what_was_played(pairings: list[Pairing]) -> None:
    engines = [CallsEngine(pairing) for pairing in pairings]
    pairs = [list(engine.pairs(1, 13)) for engine in engines]
    for setting in (RunSetting("round robin"), RunSetting("gauntlet")):
        assert runs.recount(setting, pairings, pairs) == runs.play(
            setting, engines, SerialExecutor()
        )
    until = RunSetting("fight", until=Until("better"))
    for setting in (RunSetting("fight"), RunSetting("fight", Hypotheses(0, 5)), until):
        assert runs.recount(setting, pairings[:1], pairs[:1]) == runs.play(
            setting, engines[:1], SerialExecutor()
        )


def write_bot(folder: Path, name: str, move: int) -> str:
    file = folder / f"{name}.py"
    file.write_text(f"def choose(position, rng):\n    return position.legal_moves()[{move}]\n")
    return str(file)


def kept(path: Path) -> list[Any]:
    (run,) = arena.export(path).as_json()["runs"]
    return [fight["games"] for fight in run["fights"]]


def forget_modules() -> None:
    """Have players' files loaded again, as a new process does."""
    import sys

    for name in [name for name in sys.modules if name.startswith("arena_file_")]:
        del sys.modules[name]


@pytest.fixture
def changed(path: Path, tmp_path: Path) -> dict[str, Any]:
    """Return a tournament whose first player has changed since."""
    bots = [write_bot(tmp_path, name, 0) for name in ("one", "other")]
    played = arena.tournament([*bots, "monkey"], 3, seed=1, store=path)
    games = kept(path)
    write_bot(tmp_path, "one", -1)
    forget_modules()
    return {"bots": bots, "played": played, "games": games}


@pytest.mark.slow
def test_a_player_whose_code_has_changed_is_refused(path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        arena.resume(path, 1)
    message = str(caught.value)
    assert changed["bots"][0] in message
    assert changed["bots"][1] not in message
    assert "--changed-players keep" in message
    assert "replay" in message
    assert "\n" not in message
    assert kept(path) == changed["games"]


@pytest.mark.slow
def test_a_player_whose_code_has_changed_can_keep_its_games(
    path: Path, changed: dict[str, Any]
) -> None:
    assert arena.resume(path, 1, changed_players="keep") == changed["played"]
    assert kept(path) == changed["games"]


@pytest.mark.slow
def test_a_player_whose_code_has_changed_can_play_its_fights_anew(
    path: Path, changed: dict[str, Any]
) -> None:
    again = arena.resume(path, 1, changed_players="replay")
    forget_modules()
    assert isinstance(again, TournamentResult)
    anew = arena.tournament([*changed["bots"], "monkey"], 3, seed=1)
    assert replace(again, left_out=()) == anew
    games = kept(path)
    assert [games[n] == changed["games"][n] for n in range(3)] == [False, False, True]
    assert [len(fight) for fight in games] == [6, 6, 6]
    assert arena.verify(path).divergence is None
    assert arena.resume(path, 1) == again, "its code of now is the one that is known now"


@pytest.mark.slow
def test_the_other_players_of_an_interrupted_run_need_not_be_asked(
    path: Path, changed: dict[str, Any], wording: Wording
) -> None:
    assert arena.show(path) == changed["played"]
    assert arena.verify(path).divergence is None
    for bot in changed["bots"]:
        Path(bot).unlink()
    forget_modules()
    assert arena.show(path) == changed["played"]
    assert arena.verify(path).divergence is None
    with wording.raises(PlayerFileError):
        arena.resume(path, 1)


@pytest.mark.slow
def test_a_player_that_cannot_be_found_again_is_named(path: Path, wording: Wording) -> None:
    arena.fight(clumsy, "monkey", 5, seed=1, store=path)
    with wording.raises(UsageError, match="'clumsy'"):
        arena.resume(path, 1)


def test_a_player_of_another_persons_name_is_not_taken_for_it(path: Path, wording: Wording) -> None:
    def monkey(position: arena.Position, rng: random.Random) -> int:
        return position.legal_moves()[0]

    arena.fight(monkey, "triples", 5, seed=1, store=path)
    with wording.raises(UsageError):
        arena.resume(path, 1)


@pytest.mark.slow
def test_a_file_is_found_again_from_another_folder(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(tmp_path, "bot", 0)
    monkeypatch.chdir(tmp_path)
    played = arena.fight("./bot.py", "monkey", 5, seed=1, store="S")
    monkeypatch.chdir("/")
    assert arena.resume(path, 1) == played
    assert played.players == ("./bot.py", "monkey")


def test_rules_of_another_version_are_not_mixed(
    path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    arena.fight("monkey", "triples", 5, seed=1, store=path)
    monkeypatch.setattr("arena.games.mnk.MnkGame.version", 2, raising=False)
    for look in (arena.show, arena.resume):
        with wording.raises(UsageError):
            look(path, 1)
    divergence = arena.verify(path).divergence
    assert divergence is not None
    wording(divergence.problem)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [3])
def test_a_player_that_ends_its_process_is_cut_short_and_tried_again(
    tmp_path: Path, path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the games depend on what the player is called
    bot = Path("bot.py")
    bot.write_text(
        "import os\n"
        "from pathlib import Path\n"
        "CURED = Path(__file__).with_name('cured')\n"
        "def choose(position, rng):\n"
        "    if rng.random() < 0.02 and not CURED.exists():\n"
        "        os._exit(3)\n"
        "    return rng.choice(position.legal_moves())\n"
    )
    players = ["./bot.py", "monkey", "triples"]
    catalogue = load_catalogue().isolated(Isolation(tier="none"))
    plain = arena.tournament(players, 12, seed=1, catalogue=catalogue)
    played = arena.tournament(players, 12, seed=1, store=path, workers=workers, catalogue=catalogue)
    assert played == plain
    voided, other, fine = played.fights
    assert "exit code 3" in (voided.unfinished or "")
    assert voided.void > 0
    assert fine.unfinished is None
    before = kept(path)
    assert [len(games) for games in before] == [24 - voided.void, 24 - other.void, 24]
    assert arena.verify(path).divergence is None
    assert arena.resume(path, workers=workers) == plain
    assert kept(path) == before
    (tmp_path / "cured").touch()
    cured = arena.resume(path, workers=workers)
    assert cured == arena.tournament(players, 12, seed=1, catalogue=catalogue)
    assert isinstance(cured, TournamentResult)
    assert cured.unfinished == []
    assert find_run(Store(path), 1).finished is not None
    after = kept(path)
    assert all(game in after[n] for n in range(3) for game in before[n])


def test_tables_have_no_games_to_keep(path: Path, wording: Wording) -> None:
    with wording.raises(UsageError, match="'table'"):
        arena.fight("monkey", "triples", 9000, engine="table", store=path)
    assert not path.exists()
    result = arena.fight("monkey", "triples", 6, seed=1, engine="auto", store=path)
    assert result.engine == "calls"


def test_a_mistake_makes_no_store(path: Path) -> None:
    for mistake in ({"workers": 0}, {"executor": "nobody"}, {"game": "draughts"}, {"seed": -1}):
        with pytest.raises(UsageError):
            arena.fight("monkey", "triples", 5, store=path, **mistake)
    with pytest.raises(UsageError):
        arena.fight("monkey", "nobody", 5, store=path)
    assert not path.exists()


@pytest.mark.parametrize(
    "look",
    [arena.show, arena.export, arena.stored_runs, arena.verify, arena.resume],
    ids=lambda f: f.__name__,
)
def test_looking_at_a_store_does_not_make_one(
    path: Path, look: Callable[[Path], object], wording: Wording
) -> None:
    with wording.raises(UsageError):
        look(path)
    assert os.listdir(path.parent) == []


def test_changed_players_is_one_of_three_words(path: Path, wording: Wording) -> None:
    with wording.raises(UsageError, match="'maybe'"):
        arena.resume(path, changed_players="maybe")


def test_a_store_that_fails_says_so_and_the_rest_can_be_played(
    path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    whole = arena.fight("monkey", "triples", 30, seed=1)
    write, calls = StoreJournal.write, []

    def fails(self: StoreJournal, *arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) > 3:
            raise StoreError("store 'S': database or disk is full")
        write(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr("arena.fights.plain.MAX_CHUNK_PAIRS", 1)
        patch.setattr(StoreJournal, "write", fails)
        with wording.raises(StoreError):
            arena.fight("monkey", "triples", 30, seed=1, store=path)
    assert len(calls) == 4
    assert 6 <= len(kept(path)[0]) < 60
    assert arena.resume(path) == whole
