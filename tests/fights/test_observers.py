"""Observers hear the same of a run in the same order, whoever plays it, and change nothing."""

from __future__ import annotations

import json
import logging
import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import ArenaError
from arena.executors.base import TaskList
from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.engines import CallsEngine
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.fights.schedule import in_rounds
from arena.plugin.observers import Observers
from arena.records.played import Played
from arena.records.sequential import Hypotheses
from tests.fights.executors import Interrupting
from tests.golden import Wording
from tests.observing import Ends, Recorder, observed_by
from tests.simple import clumsy

Play = Callable[..., Played]


def deadly(position: arena.Position, rng: random.Random) -> int:
    """End its process now and then, always in the same games."""
    if rng.random() < 0.03:
        os._exit(3)
    return rng.choice(position.legal_moves())


KINDS: dict[str, Play] = {
    "fight": partial(arena.fight, "monkey", "triples", 70, seed=3),
    "forfeits": partial(arena.fight, clumsy, "monkey", 70, seed=3),
    "openings": partial(arena.fight, "monkey", "triples", 70, seed=3, openings="random:3"),
    "round robin": partial(arena.tournament, ["monkey", clumsy, "triples"], 20, seed=3),
    "gauntlet": partial(arena.tournament, ["monkey", "triples"], 20, gauntlet=clumsy, seed=3),
    "sprt": partial(arena.sprt_fight, "triples", "monkey", 200, elo0=-9, elo1=9, seed=3),
}


@pytest.fixture(params=KINDS)
def play(request: pytest.FixtureRequest) -> Play:
    return KINDS[request.param]


def heard(play: Play, **options: Any) -> tuple[Recorder, Played]:
    recorder = Recorder()
    return recorder, play(catalogue=observed_by(recorder), **options)


@pytest.mark.slow
def test_the_sequence_changes_nothing_and_is_that_of_any_number_of_workers(play: Play) -> None:
    plain = play(executor="serial")
    for options in ({"executor": "serial"}, {"workers": 1}, {"workers": 2}):
        recorder, played = heard(play, **options)
        assert played == plain
        assert json.dumps(played.as_json()) == json.dumps(plain.as_json())
        if options == {"executor": "serial"}:
            first = recorder.heard
        assert recorder.heard == first
    kinds = [kind for kind, _ in first]
    assert (kinds[0], kinds[-1]) == ("start", "end")
    assert {"start", "end"}.isdisjoint(kinds[1:-1])


@pytest.mark.slow
def test_games_come_by_pair_round_and_half_and_fights_end_in_order(play: Play) -> None:
    recorder, played = heard(play, workers=2)
    fights = runs.fights_of(played)
    expected: list[tuple[str, Any]] = []
    counts, ended = [0] * len(fights), 0
    for pair in range(1, max(fight.pairs for fight in fights) + 1):
        for number in in_rounds([fight.players for fight in fights]):
            a, b = fights[number].players
            expected += [("game", (number, pair, (a, b))), ("game", (number, pair, (b, a)))]
            counts[number] = pair
            while ended < len(fights) and counts[ended] == fights[ended].pairs:
                expected.append(("fight", fights[ended]))
                ended += 1
    results = [
        (kind, (thing.fight, thing.pair, thing.players) if kind == "game" else thing)
        for kind, thing in recorder.heard[1:-1]
    ]
    assert results == expected
    assert recorder.of("end") == [played]
    planned = recorder.of("start")[0]["fights"]
    assert [tuple(fight["players"]) for fight in planned] == [
        fight.players for fight in runs.fights_of(played)
    ]


@pytest.mark.slow
def test_what_is_told_of_games_is_what_the_record_counts(play: Play) -> None:
    recorder, played = heard(play, workers=2)
    for number, fight in enumerate(runs.fights_of(played)):
        games = [game for game in recorder.of("game") if game.fight == number]
        winners = [game.winner for game in games]
        a, b = fight.players
        total = fight.total
        assert (winners.count(a), winners.count(None), winners.count(b)) == (
            total.wins, total.draws, total.losses
        )  # fmt: skip
        forfeits = [game.forfeit for game in games if game.forfeit]
        assert len(forfeits) == sum(sum(own.forfeits.values()) for own in fight.both)
        assert {game.forfeit.player for game in games if game.forfeit} <= {a, b}


@pytest.mark.slow
@pytest.mark.parametrize("openings", [None, "random:3"])
def test_a_game_that_is_told_is_the_game_that_its_id_replays(
    tmp_path: Path, openings: str | None
) -> None:
    recorder, _ = heard(partial(arena.fight, "monkey", "minimax", 4, seed=8, openings=openings))
    for number, game in enumerate(recorder.of("game")):
        again = arena.replay(game.game_id)
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(game.as_json()))
        for result in (again, arena.replay(str(file))):
            assert (result.players, result.moves, result.outcome, result.opening) == (
                game.players, game.moves, game.outcome, game.opening
            )  # fmt: skip
            assert result.as_json() == game.as_json()


class Reversed:
    """An executor that plays the last task first."""

    def run(self, work: Any, tasks: Any) -> Any:
        while out := list(iter(tasks.next_task, None)):
            for task in reversed(out):
                yield task, work(task)


@pytest.fixture
def pairings(catalogue: Any) -> list[Pairing]:
    game = catalogue.game("tictactoe")
    a, b, c = (catalogue.player(name) for name in ("monkey", "triples", "minimax"))
    return [Pairing(game, one, other, 12, 5) for one, other in ((a, b), (a, c), (b, c))]


def run_with(
    pairings: list[Pairing], executor: Any, *, journal: Any = None, setting: Any = None
) -> tuple[Recorder, Played | Interrupted]:
    recorder = Recorder()
    observers = observed_by(recorder).observers
    engines = [CallsEngine(pairing) for pairing in pairings]
    setting = setting or RunSetting("round robin")
    try:
        return recorder, runs.play(setting, engines, executor, None, journal, observers)
    except Interrupted as interrupted:
        return recorder, interrupted


@pytest.mark.slow
def test_an_executor_that_plays_backwards_is_observed_forwards(pairings: list[Pairing]) -> None:
    forwards, one = run_with(pairings, SerialExecutor())
    backwards, other = run_with(pairings, Reversed())
    assert backwards.heard == forwards.heard
    assert one == other
    sprt = RunSetting("fight", Hypotheses(-9, 9))
    forwards, _ = run_with(pairings[:1], SerialExecutor(), setting=sprt)
    backwards, _ = run_with(pairings[:1], Reversed(), setting=sprt)
    assert backwards.heard == forwards.heard


def test_games_beyond_the_decision_of_a_test_are_not_told(pairings: list[Pairing]) -> None:
    pairing = Pairing(pairings[0].game, pairings[0].b, pairings[0].a, 300, 5)
    sprt = RunSetting("fight", Hypotheses(-50, 50))
    recorder, played = run_with([pairing], ProcessExecutor(3), setting=sprt)
    [fight] = runs.fights_of(played)  # type: ignore[arg-type]
    assert fight.pairs < 300
    assert [game.pair for game in recorder.of("game")[::2]] == list(range(1, fight.pairs + 1))


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1, 2, 7, 20])
@pytest.mark.parametrize(
    "setting", [RunSetting("round robin"), RunSetting("fight", Hypotheses(-9, 9))]
)
def test_an_interrupted_run_is_told_the_beginning_and_its_record(
    pairings: list[Pairing], after: int, setting: RunSetting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.fights.plain.MAX_CHUNK_PAIRS", 1)
    monkeypatch.setattr("arena.fights.engines.MIN_CHUNKS", 90)
    if setting.sprt is not None:
        pairings = [Pairing(pairings[0].game, pairings[0].a, pairings[0].a, 90, 5)]
    whole, _ = run_with(pairings, SerialExecutor(), setting=setting)
    part, interrupted = run_with(pairings, Interrupting(after), setting=setting)
    assert isinstance(interrupted, Interrupted)
    assert part.heard[:-1] == whole.heard[: len(part.heard) - 1]
    [partial_result] = part.of("end")
    assert partial_result == interrupted.partial
    assert len(part.of("game")) == 2 * sum(f.pairs for f in runs.fights_of(partial_result))


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 3, 11])
def test_a_resumed_run_tells_what_a_whole_one_tells(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.fights.plain.MAX_CHUNK_PAIRS", 1)
    games: dict[str, Play] = {
        "tournament": partial(arena.tournament, ["monkey", "minimax", "triples"], 20, seed=3),
        "sprt": partial(arena.sprt_fight, "monkey", "monkey", 200, elo0=-9, elo1=9, seed=3),
    }
    for name, play in games.items():
        whole, played = heard(play, executor="serial")
        store = tmp_path / f"{name}{after}"
        seen: list[object] = []

        def stop(*_: object, seen: list[object] = seen) -> None:
            seen.append(None)
            if len(seen) > after:
                raise KeyboardInterrupt

        with pytest.raises(Interrupted):
            play(store=store, executor="serial", on_progress=stop)
        for _ in range(2):  # the second time, there is nothing left to play
            recorder = Recorder()
            catalogue = observed_by(recorder)
            assert arena.resume(store, 1, catalogue=catalogue) == played
            assert recorder.heard[1:] == whole.heard[1:]


@pytest.mark.slow
def test_void_pairs_are_left_out_and_hold_nothing_back() -> None:
    play = partial(arena.tournament, [deadly, "monkey", "triples"], 30, seed=3)
    recorder, played = heard(play, workers=2)
    again, _ = heard(play, workers=1)
    fights = runs.fights_of(played)
    assert fights[0].void
    assert [len([g for g in recorder.of("game") if g.fight == n]) for n in range(3)] == [
        2 * fight.pairs for fight in fights
    ]
    assert recorder.heard == again.heard
    assert recorder.of("fight") == list(fights)


@pytest.mark.slow
def test_a_withdrawn_player_does_not_keep_other_fights_from_observers(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("1 +")
    play = partial(arena.tournament, [str(tmp_path / "bad.py"), "monkey", "triples"], 5, seed=3)
    recorder, played = heard(play, workers=2)
    assert [game.fight for game in recorder.of("game")] == [2] * 10
    assert recorder.of("fight") == list(runs.fights_of(played))


@pytest.mark.slow
def test_a_table_tells_once_that_it_has_no_games(
    caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    plain = arena.fight("tictactoe3", "monkey", 6000, seed=2)
    assert plain.engine == "table"
    recorder, ends = Recorder(), Ends()
    with caplog.at_level(logging.WARNING):
        played = arena.fight(
            "tictactoe3", "monkey", 6000, seed=2, catalogue=observed_by(recorder, ends)
        )
    assert played == plain
    assert recorder.heard == ends.heard
    assert [kind for kind, _ in ends.heard] == ["start", "fight", "end"]
    assert recorder.of("start")[0]["fights"][0]["engine"] == "table"
    [line] = caplog.messages
    wording(line)


def test_workers_send_games_only_if_an_observer_wants_them(pairings: list[Pairing]) -> None:
    sent: list[type] = []

    class Noting(SerialExecutor):
        def run(self, work: Any, tasks: Any) -> Any:
            for task, result in super().run(work, tasks):
                sent.append(type(result))
                yield task, result

    engines = [CallsEngine(pairing) for pairing in pairings]
    for observer, kind in ((Ends(), PairCounts), (Recorder(), list)):
        sent.clear()
        observers = observed_by(observer).observers
        runs.play(RunSetting("round robin"), engines, Noting(), observers=observers)
        assert set(sent) == {kind}
    sent.clear()
    runs.play(RunSetting("round robin"), engines, Noting(), observers=Observers())
    assert set(sent) == {PairCounts}


def test_an_error_ends_the_run_without_a_record(pairings: list[Pairing], wording: Wording) -> None:
    class Broken:
        def run(self, work: Any, tasks: Any) -> Any:
            yield from SerialExecutor().run(work, TaskList([tasks.next_task()]))
            raise ArenaError("the machine")

    recorder = Recorder()
    engines = [CallsEngine(pairing) for pairing in pairings]
    with wording.raises(ArenaError):
        runs.play(
            RunSetting("round robin"), engines, Broken(), observers=observed_by(recorder).observers
        )
    assert recorder.heard[-1] == ("end", None)


@pytest.mark.slow
@pytest.mark.parametrize("at", ["game", "fight", "end"])
def test_a_user_may_interrupt_an_observer(at: str) -> None:
    class Stopped(Recorder):
        @property
        def heard(self) -> Any:
            return self

        @heard.setter
        def heard(self, value: Any) -> None:
            self.noted: list[Any] = value

        def append(self, item: tuple[str, Any]) -> None:
            self.noted.append(item)
            if item[0] == at:
                raise KeyboardInterrupt

    observer = Stopped()
    with pytest.raises(Interrupted) as caught:
        arena.fight("monkey", "triples", 30, seed=1, catalogue=observed_by(observer), workers=1)
    partial_result = caught.value.partial
    assert observer.noted[-1] == ("end", partial_result)
    if at != "game":
        assert partial_result == arena.fight("monkey", "triples", 30, seed=1)


@pytest.mark.slow
def test_a_certificate_is_compared_with_games_that_are_observed(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    record = {**arena.certify("tictactoe3", games=0).with_moves(), "player": "heuristic"}
    file.write_text(json.dumps(record))
    play = partial(arena.fight, "monkey", "heuristic", 200, seed=3, certificates=[file])
    recorder, played = heard(play, workers=2)
    [fight] = runs.fights_of(played)
    deviation = fight.b.deviation
    assert deviation is not None
    assert played == play(workers=1)
    assert len(recorder.of("game")) == 400
    assert deviation.game_id in {game.game_id for game in recorder.of("game")}
