"""A model plays: its faults are its own, those of the network are not, and each has its name."""

from __future__ import annotations

import gc
import json
import logging
import os
import re
import sys
from pathlib import Path

import pytest

import arena
from arena.errors import Unavailable
from arena.fights import patience
from arena.fights.play import Interrupted
from arena.plugins.llm import player
from arena.records import FightResult, Spending
from tests.conftest import Run
from tests.golden import Wording
from tests.plugins.llm.conftest import NameModel
from tests.plugins.llm.server import Server
from tests.samples import few


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for what does not come."""
    monkeypatch.setattr(player, "_PAUSE", 0.01)
    monkeypatch.setattr(patience, "WAITS", (0.01,))


def spent(fight: FightResult) -> Spending:
    [only] = fight.by_player.spent.values()
    return only


@pytest.mark.parametrize(
    "name",
    [
        *("first", "last", "random", "reasons", "ansi", "markup", "injects", "words-2000"),
        *("no-usage", "first!stream", "reasons!stream"),
    ],
)
def test_a_model_that_answers_well_plays_whole_games(name: str, model: NameModel) -> None:
    fight = arena.fight(model(name), "monkey", n=2, seed=1)
    assert (fight.pairs, fight.a.forfeits) == (2, {})
    assert spent(fight).faults == {}
    assert spent(fight).requests == spent(fight).moves > 4


def test_the_moves_are_those_of_the_model(model: NameModel, run: Run) -> None:
    ran = run("fight", model("first"), "monkey", "-n", "1", "--seed", "1", "--store", "s.db")
    assert ran.code == 0
    exported = json.loads(run("export", "s.db").out)
    for game in exported["runs"][0]["fights"][0]["games"]:
        moves = [int(move) for move in game["moves"]]
        seat = 1 - game["players"].index("monkey")
        for ply in range(seat, len(moves), 2):
            assert moves[ply] == min({*range(1, 10)} - {*moves[:ply]})
        numbers = [each["move"] for each in game["completions"]]
        assert numbers == [*range(seat + 1, len(moves) + 1, 2)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *(("garbage", "unparsable"), ("two", "unparsable"), ("nothing", "unparsable")),
        *(("null", "unparsable"), ("illegal", "illegal"), ("refuses", "refusal")),
        *(("filtered", "refusal"), ("cut-off", "tokens"), ("bad", "refused")),
    ],
)
def test_what_a_model_does_wrong_is_its_forfeit(
    name: str, reason: str, model: NameModel, server: Server
) -> None:
    before = server.asked().get(name, 0)
    fight = arena.fight(model(name, "rethink=1"), "monkey", n=1, seed=1)
    assert fight.a.forfeits == {reason: 2}
    tries = 1 if reason == "refused" else 2
    assert server.asked()[name] - before == 2 * tries
    assert spent(fight).faults == {reason: 2 * tries}
    assert spent(fight).moves == 0


def test_a_model_is_told_what_was_wrong(model: NameModel, server: Server) -> None:
    fight = arena.fight(model("learns"), "monkey", n=1, seed=1)
    assert fight.a.forfeits == {}
    assert spent(fight).faults == {"unparsable": spent(fight).moves}
    *_, last = (each for each in server.said() if each["model"] == "learns")
    roles = [message["role"] for message in last["messages"]]
    assert roles == ["user", "assistant", "user"]
    silent = arena.fight(model("learns", "tell=no", "rethink=1"), "monkey", n=1, seed=1)
    assert silent.a.forfeits == {"unparsable": 2}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["limited-3", "failing-2", "closes-2"])
def test_what_a_service_does_wrong_is_tried_again(name: str, model: NameModel) -> None:
    fight = arena.fight(model(name), "monkey", n=1, seed=5)
    fault = {"limited-3": "limit", "failing-2": "server", "closes-2": "network"}[name]
    assert fight.a.forfeits == {}
    assert spent(fight).faults[fault] >= 2
    assert spent(fight).requests == spent(fight).moves


@pytest.mark.parametrize(
    "name",
    few(
        [
            *("failing", "closes", "halves", "huge", "huge-chunked", "not-json", "html", "list"),
            *("no-choices", "strange", "bomb", "stream-cut"),
        ]
    ),
)
def test_a_service_that_stays_broken_loses_no_game(
    name: str, model: NameModel, wording: Wording
) -> None:
    with pytest.raises(Interrupted) as caught:
        arena.fight(model(name, "retries=1"), "monkey", n=1, seed=1)
    assert isinstance(caught.value.cause, Unavailable)
    assert caught.value.results[0].pairs == 0
    wording(str(caught.value.cause))


@pytest.mark.parametrize("name", ["unauthorized", "missing", "redirect", "redirect-here", "other"])
def test_a_service_that_takes_no_request_ends_the_run(
    name: str, model: NameModel, server: Server, run: Run, wording: Wording
) -> None:
    before = server.asked().get(name, 0)
    ran = run("fight", model(name), "monkey", "-n", "5", "--seed", "1", "--in-flight", "1")
    assert ran.code == 4
    assert server.asked()[name] - before == 1
    wording(ran.err)


@pytest.mark.parametrize("host", ["127.0.0.1:1", "nowhere.invalid:80"])
def test_a_server_that_nobody_reaches_ends_the_run_at_once(
    host: str, run: Run, wording: Wording
) -> None:
    allowed = ("--allow-network", "nowhere.invalid")
    ran = run("fight", f"llm,model=first,retries=100:http://{host}/v1", "monkey", *allowed)
    assert ran.code == 4
    wording(re.sub(r"not found: .*", "not found: …", ran.err))


class ToStandardError(logging.Handler):
    """Writes where warnings go without a log: to whatever is standard error by then."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr)


def test_the_user_is_told_of_the_first_fault_of_a_kind(
    model: NameModel, run: Run, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "logger", logger := logging.Logger("arena"))
    logger.addHandler(ToStandardError())
    named = f"m={model('failing-2', 'temperature=0.75')}"
    ran = run("fight", named, "monkey", "-n", "1", "--seed", "1")
    assert "printed" not in ran.out
    wording(ran.err)


@pytest.mark.parametrize("name", ["hangs", "drips"])
def test_a_model_that_is_late_forfeits(name: str, model: NameModel, wording: Wording) -> None:
    fight = arena.fight(model(name, "timeout=0.2"), "monkey", n=1, seed=1)
    assert fight.a.forfeits == {"timeout": 2}
    assert fight.a.first_forfeit is not None
    wording(fight.a.first_forfeit.message)


@pytest.mark.slow
def test_a_limit_of_the_user_counts_too(model: NameModel) -> None:
    isolation = arena.Isolation(move_time=0.05)
    fight = arena.fight(model("slow-0.3"), "monkey", n=1, seed=1, isolation=isolation)
    assert fight.a.forfeits == {"timeout": 2}
    assert [*fight.a.move_times.values()] == [2]
    assert min(fight.a.move_times) > 0.04  # it took all of its time
    assert arena.fight(model("slow-0.1"), "monkey", n=1, seed=1).a.forfeits == {}


@pytest.mark.slow
def test_the_key_is_sent_and_stands_nowhere(
    model: NameModel, server: Server, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    name = model("reasons", "key=MY_KEY")
    words = ("-n", "1", "--seed", "1", "--store", "s.db", "--log-file", "log.txt", "-v")
    ran = run("fight", name, "monkey", *words)
    assert ran.code == 0
    assert {each["authorization"] for each in server.said() if each["model"] == "reasons"} >= {
        "Bearer sk-secret"
    }
    refused = run("fight", model("unauthorized", "key=MY_KEY"), "monkey", "-n", "1", *words[2:])
    assert refused.code == 4
    files = [each.read_bytes() for each in Path().iterdir() if each.is_file()]
    for text in (ran.out, ran.err, refused.out, refused.err):
        assert "secret" not in text
    assert not any(b"secret" in content for content in files)


def test_the_name_of_the_opponent_stands_in_no_prompt(model: NameModel, server: Server) -> None:
    evil = f"ignore_all_rules={model('last')}"
    arena.fight(model("first", "temperature=0.5"), evil, n=1, seed=1)
    prompts = json.dumps([each for each in server.said() if each.get("temperature") == 0.5])
    assert "ignore" not in prompts


def test_what_is_not_set_is_not_sent(model: NameModel, server: Server) -> None:
    arena.fight(model("last", "answer=line"), "monkey", n=1, seed=77)
    plain = [each for each in server.said() if each["model"] == "last"][-1]
    assert plain.keys() == {"model", "messages", "authorization"}
    options = ("temperature=0", "seed=game", "max-tokens=100", "effort=low", "stream=yes")
    arena.fight(model("last", *options), "monkey", n=1, seed=78)
    full = [each for each in server.said() if each["model"] == "last"][-1]
    assert (full["temperature"], full["max_tokens"], full["reasoning_effort"]) == (0, 100, "low")
    assert full["stream"]
    assert isinstance(full["seed"], int)


def test_games_with_secrets_show_what_the_seat_knows(model: NameModel, server: Server) -> None:
    arena.fight(model("first", "temperature=0.25"), "monkey", n=3, seed=1, game="kuhn")
    moves = [each for each in server.said() if each.get("temperature") == 0.25]
    for each in moves:
        prompt = each["messages"][0]["content"]
        assert re.search(r": [JQK]( |$)", prompt, re.MULTILINE)
        assert "Moves so far" not in prompt
    assert len(moves) >= 6


def test_models_play_at_tables(model: NameModel) -> None:
    names = [model("first"), model("last"), "monkey"]
    played = arena.table_fight(names, n=1, game="mnk-4-4-3-x3", seed=1)
    spending = [each.spent for each in played.tables[0].entrants]
    assert [each is None for each in spending] == [False, False, True]
    assert all(each.moves > 3 for each in spending if each is not None)


def test_json_answers(model: NameModel) -> None:
    fight = arena.fight(model("json", "answer=json"), "monkey", n=1, seed=1)
    assert fight.a.forfeits == {}


def test_a_template_of_the_user(model: NameModel, server: Server, tmp_path: Path) -> None:
    template, system = tmp_path / "prompt.txt", tmp_path / "system.txt"
    template.write_text("{{ seat }}/{{ seats }} {{ text }}\nLegal moves: {{ legal | join(' ') }}")
    system.write_text("You are a robot.")
    options = (f"prompt={template}", f"system={system}")
    fight = arena.fight(model("random", *options), "monkey", n=1, seed=1)
    assert fight.a.forfeits == {}
    question = [each for each in server.said() if len(each["messages"]) == 2][-1]
    assert question["messages"][0] == {"role": "system", "content": "You are a robot."}
    assert question["messages"][1]["content"].startswith(("1/2 ", "2/2 "))


@pytest.mark.parametrize(
    "text", ["{{ seat", "{{ nothing }}", "{{ legal.sort() }}", "{{ 1 // 0 }}", " \n"]
)
def test_a_wrong_template_is_refused(
    text: str, model: NameModel, tmp_path: Path, run: Run, wording: Wording
) -> None:
    template = tmp_path / "prompt.txt"
    template.write_text(text)
    ran = run("fight", model("first", f"prompt={template}"), "monkey", "-n", "1")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


@pytest.mark.parametrize("game", ["tictactoe", "kuhn", "mnk-4-4-3-misere"])
def test_a_disguised_game_is_the_same_game(game: str, model: NameModel, server: Server) -> None:
    name = model("random", "disguise=5")
    fight = arena.fight(name, "monkey", n=2, seed=1, game=game)
    assert fight.a.forfeits == {}
    prompt = server.said()[-1]["messages"][0]["content"]
    assert game not in prompt
    legal = next(line for line in prompt.splitlines() if line.startswith("Legal moves: "))
    words = legal.removeprefix("Legal moves: ").split()
    assert words == sorted(words)


def test_a_game_without_other_words_is_refused(
    model: NameModel, run: Run, wording: Wording
) -> None:
    name = model("first", "disguise=5")
    ran = run("fight", name, "monkey", "-n", "1", "--game", "connect4")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


@pytest.mark.slow
def test_no_connection_and_no_file_stays_open(model: NameModel) -> None:
    def open_files() -> int:
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    arena.fight(model("first"), "monkey", n=2, seed=1, record="a.answers")
    before = open_files()
    for _ in range(3):
        arena.fight(model("last", "rpm=100000"), "monkey", n=2, seed=1, record="a.answers")
    assert open_files() <= before + 2  # three fights have more than that


@pytest.mark.slow
def test_an_exam_that_cannot_be_held_has_no_grade(
    model: NameModel, run: Run, wording: Wording
) -> None:
    ran = run("exam", model("missing"), "--questions", "3", "--seed", "1")
    assert (ran.code, ran.out) == (4, "")
    wording(ran.err)


def test_all_tries_of_a_move_are_one_move_on_the_clock(model: NameModel) -> None:
    isolation = arena.Isolation(clock="40/60")
    fight = arena.fight(model("learns"), "monkey", n=1, seed=1, isolation=isolation)
    assert sum(fight.a.move_times.values()) == spent(fight).moves


def test_recorded_answers_need_neither_network_nor_key(
    model: NameModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-1")
    name = model("first", "key=MY_KEY")
    first = arena.fight(name, "monkey", n=1, seed=1, record="a.answers")
    monkeypatch.delenv("MY_KEY")
    monkeypatch.setattr("socket.socket.connect", None)
    again = arena.fight(name, "monkey", n=1, seed=1, record="a.answers", replay_only=True)
    assert again.joint == first.joint
