"""The desk believes nobody: leases run out, and one wrong game dismisses a worker."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from arena.errors import UsageError
from arena.executors.base import TaskFailed
from arena.fights.engines import NO_RECORDS
from arena.fights.pairing import Pairing
from arena.match.record import GameRecord, PlayedPair
from arena.model.codec import encode
from arena.volunteers import desk
from arena.volunteers.desk import OWN_WORKER
from tests.golden import Wording
from tests.volunteers.runs import Bench, chunks, forged, pairing, played


def test_parts_go_out_and_come_in() -> None:
    bench = Bench(chunks(2, 5))
    first, second = bench.ask("anna"), bench.ask("ben")
    assert (first["part"]["start"], second["part"]["start"]) == (2, 5)
    assert "wait" in bench.ask("anna")
    assert bench.deliver("ben", second) == {"taken": True}
    assert bench.deliver("anna", first) == {"taken": True}
    assert bench.settled() == chunks(5, 2)
    assert bench.notes.noted == [("ben", 0, 5, 8), ("anna", 0, 2, 5)]
    assert bench.desk.is_idle
    assert not bench.desk.fetch()


def test_the_owner_hears_once_who_plays(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(chunks(2, 5, 8))
    for name in ("anna", "anna", "ben", OWN_WORKER):
        bench.ask(name)
    assert caplog.messages == ["arena: volunteer anna plays", "arena: volunteer ben plays"]


def test_what_was_taken_once_is_not_taken_again() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    assert bench.deliver("ben", taken) == {"taken": False}
    assert bench.deliver("anna", taken) == {"taken": True}
    assert bench.deliver("anna", taken) == {"taken": False}
    assert len(bench.settled()) == 1


def test_the_first_pairs_and_a_random_share_are_played_again_here() -> None:
    bench = Bench(chunks(1, 4, 7), share=0.3)
    for draw in (0.9, 0.31, 0.29):
        bench.draws.append(draw)
        bench.deliver("anna", bench.ask("anna"))
    assert bench.settled() == chunks(4)
    assert [bench.ask(OWN_WORKER)["part"]["start"] for _ in range(2)] == [1, 7]


def test_what_agrees_counts_and_is_that_of_the_server() -> None:
    bench = Bench(chunks(2), share=1)
    bench.deliver("anna", bench.ask("anna"))
    assert bench.settled() == []
    bench.moment = 9
    assert bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER)) == {"taken": True}
    assert bench.settled() == chunks(2)
    assert bench.notes.noted == []


def test_one_wrong_game_dismisses(wording: Wording) -> None:
    bench = Bench(chunks(2, 5, 8))
    bench.deliver("mallory", bench.ask("mallory"))
    assert bench.settled() == chunks(2)
    bench.desk.share = 1
    taken, held = bench.ask("mallory"), bench.ask("mallory")
    bench.deliver("mallory", taken, forged(bench.pairing, 5, 8))
    assert bench.desk.restart_reason == ""
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    wording(bench.desk.restart_reason)
    for message in ({"kind": "done", "lease": held["lease"]}, {"kind": "ask"}, {"kind": "alive"}):
        answer = bench.desk.answer("mallory", message)
        assert answer["status"] == 403
    wording(answer["problem"])
    assert bench.notes.noted == []
    assert "wait" in bench.ask("ben")  # until the run begins again


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("moves", [0, 1, 2], "not over"),
        ("moves", [0, 0], "move 2"),
        ("moves", [99], ""),
        ("moves", [-1], ""),
        ("outcome", "first", ""),
        ("payoffs", ["1", "0"], "pays"),
    ],
)
def test_a_game_against_the_rules_is_wrong_at_once(field: str, value: Any, problem: str) -> None:
    place = GameRecord._fields.index(field)
    bench = Bench(chunks(2))
    taken = bench.ask("mallory")
    pairs = forged(bench.pairing, 2, 5)
    pairs[1][1][0][place] = "second" if value == pairs[1][1][0][place] else value
    assert bench.deliver("mallory", taken, pairs) == {"taken": False}
    assert problem in bench.notes.gone["mallory"]
    assert bench.desk.restart_reason


@pytest.mark.parametrize(
    "pairs",
    [None, [], "x", 7, [[]], [[2]], [["2", [], [], "", None, "", []]], {"a": 1}, [[None] * 7]],
    ids=str,
)
def test_what_is_no_answer_is_refused_and_played_by_another(pairs: Any) -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    message = {"kind": "done", "lease": taken["lease"], "pairs": pairs}
    if pairs == []:
        assert bench.desk.answer("anna", message) == {"taken": False}
        assert "other pairs" in bench.desk.restart_reason
    else:
        with pytest.raises(UsageError):
            bench.desk.answer("anna", message)
        assert bench.ask("ben")["part"]["start"] == 2


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"kind": None},
        {"kind": ["ask"]},
        {"kind": "explode"},
        {"kind": "done"},
        {"kind": "done", "lease": ["x"]},
        {"kind": "back", "lease": {}},
        {"kind": "alive", "leases": 7},
        {"kind": "alive", "leases": [None, {}, "x"] * 99},
        {"kind": "code"},
        {"kind": "code", "digest": "../../etc/passwd"},
        {"kind": "ask", "head": {}, "facts": []},
    ],
    ids=str,
)
def test_nonsense_changes_nothing(message: dict[str, Any]) -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    with suppress(UsageError):
        assert isinstance(bench.desk.answer("ben", message), dict)
    assert bench.deliver("anna", taken) == {"taken": True}


def test_a_silent_worker_loses_its_part_and_waits() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    bench.wait(desk.LEASE_SECONDS - 1)
    assert bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]}) == {"gone": []}
    bench.wait(desk.LEASE_SECONDS - 1)
    assert bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]}) == {"gone": []}
    bench.wait(desk.LEASE_SECONDS + 1)
    assert bench.ask("anna")["wait"] == desk.MIN_PENALTY_SECONDS
    assert bench.ask("ben")["part"] == taken["part"]
    assert bench.deliver("anna", taken) == {"taken": False}
    gone = bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]})
    assert gone == {"gone": [taken["lease"]]}


def test_a_part_that_nobody_plays_is_played_here() -> None:
    bench = Bench(chunks(2))
    for name in ("anna", "ben", "cleo"):
        assert "wait" in bench.ask(OWN_WORKER)
        assert "part" in bench.ask(name)
        bench.wait(desk.LEASE_SECONDS + 1)
    assert "wait" in bench.ask("dora")
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    assert bench.settled() == chunks(2)


def test_a_worker_that_says_it_plays_on_is_overtaken() -> None:
    bench = Bench(chunks(2))
    slow = bench.ask("anna")
    bench.moment += desk.SLOW_SECONDS + 1
    assert "wait" in bench.ask("anna")
    second = bench.ask("ben")
    assert second["part"] == slow["part"]
    assert "wait" in bench.ask("cleo")
    assert bench.deliver("ben", second) == {"taken": True}
    assert bench.deliver("anna", slow) == {"taken": False}
    assert bench.settled() == chunks(2)


def test_a_worker_that_never_comes_to_an_end_loses_its_part() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    for _ in range(40):
        bench.wait(10)
        bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]})
    assert bench.deliver("anna", taken) == {"taken": False}


def test_a_part_that_is_given_back_goes_to_the_next() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    assert bench.desk.answer("anna", {"kind": "back", "lease": taken["lease"]}) == {"taken": True}
    assert bench.ask("anna")["wait"] == desk.MIN_PENALTY_SECONDS
    assert bench.ask("ben")["part"] == taken["part"]


def test_machines_with_other_code_play_nothing(
    wording: Wording, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(chunks(2))
    facts = dict(bench.desk.parts.head.facts, arena="0.9 (00000000)")
    for _ in range(2):
        answer = bench.ask("anna", facts=facts)
    assert answer["status"] == 409
    [message] = caplog.messages
    assert "anna plays nothing" in message
    wording(answer["problem"].replace(bench.desk.parts.head.facts["arena"], "OURS"))
    assert bench.ask("anna", facts=None)["status"] == 409
    assert bench.ask("anna", facts={"arena": 7})["status"] == 409
    assert "part" in bench.ask("anna")


def test_a_worker_may_hold_some_parts_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MIN_LEASES", 2)
    monkeypatch.setattr(desk, "MAX_UNSETTLED", 2)
    bench = Bench(chunks(*range(2, 38, 3)), share=1)
    taken = [bench.ask("anna") for _ in range(2)]
    assert "wait" in bench.ask("anna")
    for each in taken:
        bench.deliver("anna", each)
    assert "wait" in bench.ask("ben")  # the server has enough to play again
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    assert "part" in bench.ask("ben")


def honest(of: Pairing, start: int = 2, stop: int = 5) -> Any:
    return json.loads(json.dumps(encode(played(of, start, stop))))


def test_a_void_pair_accuses_nobody_and_is_that_of_the_server() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    void = encode(PlayedPair(3, NO_RECORDS, (0.0, 0.0), "the machine is too busy"))
    pairs = [honest(bench.pairing)[0], json.loads(json.dumps(void)), honest(bench.pairing)[2]]
    assert bench.deliver("anna", taken, pairs) == {"taken": True}
    assert bench.settled() == []
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    [(_, settled)] = bench.desk.settled()
    assert [pair.void for pair in settled] == [""] * 3  # type: ignore[union-attr]
    assert bench.notes.gone == {}


def test_a_void_pair_of_the_server_accuses_nobody() -> None:
    bench = Bench(chunks(2), share=1)
    bench.deliver("anna", bench.ask("anna"))
    void = encode(PlayedPair(3, NO_RECORDS, (0.0, 0.0), "the machine is too busy"))
    pairs = [honest(bench.pairing)[0], json.loads(json.dumps(void)), honest(bench.pairing)[2]]
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER), pairs)
    assert bench.settled() == chunks(2)
    assert bench.notes.gone == {}


def test_games_of_void_pairs_are_not_looked_at() -> None:
    bench = Bench(chunks(2), of=pairing("monkey", "a=monkey", game="kuhn"))
    taken = bench.ask("mallory")
    pairs = honest(bench.pairing)
    pairs[1][3], pairs[1][1][0][0] = "busy", [99]
    assert bench.deliver("mallory", taken, pairs) == {"taken": True}
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    assert bench.settled() == chunks(2)


#: What no game of installed players has, by the field.
ODDITIES: list[tuple[str, Any]] = [
    *(("move_times", times) for times in ([[float("nan")], [1.0]], [], [[1]] * 4)),
    *(("move_times", times) for times in ([[-5], [1]], [[5], []])),
    *(("luck", "1/3"), ("ended", float("inf"))),
    *(("notes", {"referee": {"seed": 3}}), ("notes", {"thoughts": [[0, {}]]})),
    *(("notes", {"adjudicated": "draw"}), ("notes", {"printed": [[0, 0, "x"]]}), ("notes", [])),
    ("later", [[0, "illegal", "\udcff", "", "", None]]),
    ("forfeit", [0, "illegal", "", "", "", None]),
]


@pytest.mark.parametrize(("field", "value"), ODDITIES, ids=str)
def test_what_no_game_has_never_counts(field: str, value: Any) -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("mallory")
    pairs = honest(bench.pairing)
    pairs[0][1][0][GameRecord._fields.index(field)] = value
    with suppress(UsageError):
        bench.deliver("mallory", taken, pairs)
    assert bench.settled() == []
    if not bench.desk.restart_reason:
        name = OWN_WORKER if bench.desk._retries else "ben"
        bench.deliver(name, bench.ask(name))
        assert bench.settled() == chunks(2)


def test_who_gives_parts_back_again_and_again_waits_for_them() -> None:
    bench = Bench(chunks(2))
    for _ in range(3):
        taken = bench.ask("mallory")
        bench.desk.answer("mallory", {"kind": "back", "lease": taken["lease"]})
        assert bench.ask("mallory")["wait"] >= desk.MIN_PENALTY_SECONDS
        bench.wait(desk.MAX_PENALTY_SECONDS)
    assert "wait" in bench.ask("mallory")
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    assert bench.settled() == chunks(2)


@pytest.mark.parametrize("is_again", [False, True])
def test_a_part_that_ends_processes_is_given_up(is_again: bool) -> None:
    bench = Bench(chunks(2), share=is_again)
    if is_again:
        bench.deliver("anna", bench.ask("anna"))
    else:
        for name in ("anna", "ben", "cleo"):
            lease = bench.ask(name)["lease"]
            bench.desk.answer(name, {"kind": "back", "lease": lease, "why": "killed"})
    for _ in range(3):
        lease = bench.ask(OWN_WORKER)["lease"]
        bench.desk.answer(OWN_WORKER, {"kind": "back", "lease": lease, "why": "killed by SIGSEGV"})
    [(chunk, failed)] = bench.desk.settled()
    assert (chunk, failed) == (*chunks(2), TaskFailed("killed by SIGSEGV"))
    assert bench.desk.is_idle


def test_failures_without_end_make_no_number_too_large() -> None:
    bench = Bench(chunks(2))
    bench.desk._worker("mallory").failures = 5000
    bench.ask("mallory")
    bench.wait(desk.LEASE_SECONDS + 1)
    assert bench.ask("mallory")["wait"] <= desk.MAX_PENALTY_SECONDS


def test_time_in_which_the_desk_heard_nobody_ends_no_lease() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    bench.moment += 100
    bench.desk.expire()
    assert bench.deliver("anna", taken) == {"taken": True}


def test_huge_facts_are_cut(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(chunks(2))
    for letter in "abc":
        answer = bench.ask("anna", facts={"arena": letter * 100_000})
    assert len(answer["problem"]) < 1000
    assert len(caplog.text) < 1000
    assert len(caplog.messages) == 1


def test_a_worker_of_an_earlier_run_stays_dismissed() -> None:
    bench = Bench(chunks(2))
    bench.notes.dismiss("mallory", "it lied")
    again = Bench(chunks(2))
    again.notes = bench.notes
    again.desk.ledger = bench.notes
    again.desk.__post_init__()
    assert again.ask("mallory")["status"] == 403
