"""The desk believes nobody: leases run out, and one wrong game dismisses a worker."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from arena.errors import UsageError
from arena.volunteers import desk
from arena.volunteers.desk import OWN_WORKER
from tests.golden import Wording
from tests.volunteers.runs import Bench, chunks, forged


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


def test_one_wrong_game_dismisses(wording: Wording, caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(chunks(2, 5, 8))
    bench.deliver("mallory", bench.ask("mallory"))
    assert bench.settled() == chunks(2)
    bench.desk.share = 1
    taken, held = bench.ask("mallory"), bench.ask("mallory")
    bench.deliver("mallory", taken, forged(bench.pairing, 5, 8))
    assert bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER)) == {"taken": True}
    assert bench.settled() == chunks(5)  # as the server played it
    wording([bench.desk.spoilt, caplog.messages[-1]])
    for message in ({"kind": "done", "lease": held["lease"]}, {"kind": "ask"}, {"kind": "alive"}):
        answer = bench.desk.answer("mallory", message)
        assert answer["status"] == 403
    wording(answer["problem"])
    assert bench.notes.noted == []


def test_what_had_not_counted_yet_is_played_by_others() -> None:
    bench = Bench(chunks(2, 5, 8))
    forgery = bench.ask("mallory")
    bench.deliver("mallory", bench.ask("mallory"))  # it has not come to the journal
    bench.desk.share = 1
    bench.deliver("mallory", forgery, forged(bench.pairing, 2, 5))
    held = bench.ask("mallory")
    assert held["part"]["start"] == 8
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    assert bench.settled() == chunks(2)
    bench.desk.share = 0
    assert {bench.ask("ben")["part"]["start"] for _ in range(2)} == {5, 8}


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
    fields = ("moves", "outcome", "forfeit", "printed", "times", "referee", "thoughts", "how")
    place = (*fields, "payoffs").index(field)
    bench = Bench(chunks(2))
    taken = bench.ask("mallory")
    pairs = forged(bench.pairing, 2, 5)
    pairs[1][1][0][place] = "second" if value == pairs[1][1][0][place] else value
    assert bench.deliver("mallory", taken, pairs) == {"taken": False}
    assert problem in bench.notes.gone["mallory"]
    assert bench.ask("ben")["part"]["start"] == 2


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
    bench.moment += desk.LEASE_SECONDS - 1
    assert bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]}) == {"gone": []}
    bench.moment += desk.LEASE_SECONDS - 1
    bench.desk.expire()
    assert bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]}) == {"gone": []}
    bench.moment += desk.LEASE_SECONDS + 1
    bench.desk.expire()
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
        bench.moment += desk.LEASE_SECONDS + 1
        bench.desk.expire()
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
        bench.moment += 10
        bench.desk.answer("anna", {"kind": "alive", "leases": [taken["lease"]]})
        bench.desk.expire()
    assert bench.deliver("anna", taken) == {"taken": False}


def test_a_part_that_is_given_back_goes_to_the_next() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    assert bench.desk.answer("anna", {"kind": "back", "lease": taken["lease"]}) == {"taken": True}
    assert bench.ask("anna")["part"] == taken["part"]


def test_machines_with_other_code_play_nothing(
    wording: Wording, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(chunks(2))
    facts = dict(bench.desk.parts.head.facts, arena="0.9 (00000000)")
    for _ in range(2):
        answer = bench.ask("anna", facts=facts)
    assert answer["status"] == 409
    assert len(caplog.messages) == 1
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


def test_void_pairs_and_the_words_of_a_player_are_those_of_the_server() -> None:
    bench = Bench(chunks(2))
    taken = bench.ask("anna")
    pairs = forged(bench.pairing, 2, 5)
    pairs[0][1], pairs[0][2], pairs[0][3] = [], [], "the machine is too busy"
    assert bench.deliver("anna", taken, pairs) == {"taken": True}
    bench.deliver(OWN_WORKER, bench.ask(OWN_WORKER))
    assert "anna" in bench.notes.gone  # for the other pairs; a void one tells nothing


def test_a_worker_of_an_earlier_run_stays_dismissed() -> None:
    bench = Bench(chunks(2))
    bench.notes.dismiss("mallory", "it lied")
    again = Bench(chunks(2))
    again.notes = bench.notes
    again.desk.ledger = bench.notes
    again.desk.__post_init__()
    assert again.ask("mallory")["status"] == 403
