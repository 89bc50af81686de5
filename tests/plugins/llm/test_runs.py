"""Runs of models: many games in flight, money, and questions."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

import arena
from arena.errors import OutOfBudget
from arena.fights.play import Interrupted
from arena.player.purse import money, read_budget
from arena.reports.pages.spending import ASK_TO_RECORD
from tests.conftest import Run
from tests.golden import Wording
from tests.plugins.llm.conftest import NameModel
from tests.plugins.llm.server import Server

PRICES = ("price-in=500", "price-out=2000")


def without_times(text: str) -> str:
    return re.sub(r'"seconds": [0-9.e-]+', '"seconds": 0', text)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "kuhn", "mnk-3-3-3-x3"])
def test_the_bytes_are_the_same_however_many_games_are_in_flight(
    game: str, model: NameModel, run: Run
) -> None:
    players = [model("random"), "monkey", *["monkey2=monkey"] * (game[-2:] == "x3")]
    outs = set()
    one, nine = ("--in-flight", "1"), ("--in-flight", "9")
    for words in (one, nine, ("-j", "3"), ("--executor", "serial")):
        fight = ("fight", *players, "--game", game, "-n", "6", "--seed", "1", "--format", "json")
        ran = run(*fight, *words)
        assert ran.code == 0
        outs.add(without_times(ran.out))
    assert len(outs) == 1


@pytest.mark.slow
def test_games_wait_at_the_same_time(model: NameModel, server: Server, run: Run) -> None:
    name = model("slow-0.2", "temperature=0.125")
    assert run("fight", name, "monkey", "-n", "12", "--seed", "1", "--in-flight", "12").code == 0
    assert server.asked()["most"] >= 8


@pytest.mark.slow
def test_a_minute_has_no_more_requests_than_the_user_allows(model: NameModel) -> None:
    fight = arena.fight(model("last", "rpm=1200"), "monkey", n=2, seed=3, in_flight=4)
    [spent] = fight.by_player.spent.values()
    assert fight.a.forfeits == {}
    assert spent.requests > 8


def test_a_budget_ends_a_run_with_what_is_known(
    model: NameModel, run: Run, wording: Wording
) -> None:
    name = f"m={model('random', *PRICES)}"
    words = ("fight", name, "monkey", "-n", "50", "--seed", "1", "--budget", "10USD")
    ran = run(*words, "--format", "json", "--in-flight", "4")
    assert ran.code == 3
    wording(re.sub(r"[0-9.]+ of", "N of", ran.err))
    record = json.loads(ran.out)
    assert 8 <= Fraction(record["spent"]["m"]["cost"]) <= 10
    assert record["pairs"] >= 8
    assert record["interval"] == "anytime"


@pytest.mark.parametrize("command", ["fight", "tournament"])
def test_no_command_shows_games_whose_answers_nobody_kept(
    command: str, model: NameModel, run: Run
) -> None:
    words = (command, f"m={model('random')}", "monkey", "-n", "2", "--seed", "1")
    once = run(*words).out
    assert "arena replay" not in once
    assert ASK_TO_RECORD in once
    output = run(*words, "--record", "answers.jsonl").out
    assert ("arena replay" in output, ASK_TO_RECORD in output) == (command == "fight", False)


@pytest.mark.slow
def test_a_run_that_ended_by_its_budget_goes_on(model: NameModel, run: Run) -> None:
    name = f"m={model('random', *PRICES)}"
    words = ("fight", name, "monkey", "-n", "9", "--seed", "1", "--store", "s.db")
    ended = run(*words, "--budget", "3USD")
    assert ended.code == 3
    assert "arena resume s.db 1 --budget 3USD\n" in ended.err
    assert run("resume", "s.db", "--budget", "2USD").code == 3
    resumed = run("resume", "s.db", "--format", "json")
    assert resumed.code == 0
    whole = run(*words[:-2], "--format", "json")
    assert json.loads(resumed.out)["joint"] == json.loads(whole.out)["joint"]


def test_recorded_answers_cost_nothing_again(model: NameModel) -> None:
    name = model("random", *PRICES)
    arena.fight(name, "monkey", n=3, seed=1, record="a.answers")
    again = arena.fight(name, "monkey", n=3, seed=1, record="a.answers", budget="0.01USD")
    assert again.unfinished is None


def test_a_server_that_does_not_count_keeps_no_budget(
    model: NameModel, run: Run, wording: Wording
) -> None:
    words = ("-n", "2", "--budget", "1USD")
    ran = run("fight", model("no-usage", *PRICES), "monkey", *words)
    assert ran.code == 4
    wording(ran.err)


@pytest.mark.parametrize("name", ["free-usage", "negative-usage"])
def test_what_a_server_counts_wrong_is_not_counted(name: str, model: NameModel) -> None:
    fight = arena.fight(model(name, *PRICES), "monkey", n=1, seed=1)
    [spent] = fight.by_player.spent.values()
    assert (spent.tokens_in, spent.unpriced) == (0, spent.requests)
    assert not spent.cost


def test_a_budget_is_kept_in_one_process(model: NameModel, run: Run, wording: Wording) -> None:
    words = ("--executor", "dask", "--budget", "1USD", "-n", "1")
    ran = run("fight", model("first", *PRICES), "monkey", *words)
    assert ran.code in (2, 4)
    if "dask" not in ran.err:  # where the library is missing, that is said first
        wording(ran.err)


def test_money_is_taken_from_one_purse(model: NameModel) -> None:
    a, b = model("random", *PRICES), model("last", *PRICES)
    with pytest.raises(Interrupted) as caught:
        arena.fight(a, b, n=50, seed=1, budget="10 EUR")
    assert isinstance(caught.value.cause, OutOfBudget)
    spent = [player.spent for player in caught.value.results[0].entrants]
    assert 7 <= sum(each.cost for each in spent if each is not None) <= 10


def test_a_question_ends_a_run_of_models(model: NameModel, run: Run, wording: Wording) -> None:
    ran = run(
        "fight", model("random", "seed=game"), "heuristic", "--until", "better", "--seed", "1"
    )
    assert ran.code == 1
    wording(ran.out.splitlines()[0], "heuristic", "random")


@pytest.mark.parametrize(
    ("cheap", "dear", "code"),
    [("last", "random", 0), ("last", "first", 0), ("garbage", "first", 4)],
)
def test_the_cheapest_model_is_taken_unless_it_is_worse(
    cheap: str, dear: str, code: int, model: NameModel, run: Run, wording: Wording
) -> None:
    a, b = model(cheap, "price-in=5", "price-out=20"), model(dear, *PRICES)
    words = ("--until", "cheapest", "--margin", "0.2", "--seed", "1", "-n", "200")
    ran = run("fight", f"cheap={a}", f"dear={b}", *words, "--openings", "random:3", "--keep-going")
    assert ran.code == code
    wording(ran.out.splitlines()[:2])


def test_the_cheapest_needs_prices(model: NameModel, run: Run, wording: Wording) -> None:
    ran = run("fight", f"m={model('last')}", "monkey", "--until", "cheapest")
    assert ran.code == 2
    wording(ran.err)


def test_the_cheapest_needs_servers_that_count(
    model: NameModel, run: Run, wording: Wording
) -> None:
    ran = run("fight", f"m={model('no-usage', *PRICES)}", "monkey", "--until", "cheapest")
    assert ran.code == 4
    wording(ran.err)


def test_a_tournament_of_models(model: NameModel, run: Run) -> None:
    names = [f"a={model('random')}", f"b={model('last')}", "monkey"]
    ran = run("tournament", *names, "-n", "2", "--seed", "1", "-v")
    assert ran.code == 0
    assert re.search(r"^a: \d+ answers for \d+ moves", ran.out, re.MULTILINE)


@pytest.mark.parametrize(
    "text", ["5", "USD", "-1USD", "5 dollars and more", "1e3USD", "", "5\nUSD"]
)
def test_a_budget_is_an_amount_with_a_currency(text: str, wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        read_budget(text)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0"),
        (Fraction(1, 10**6), "0.000001"),
        (Fraction(12345, 1000), "12.35"),
        (10**6, "1000000"),
    ],
)
def test_money_is_written_shortly(amount: Fraction, text: str) -> None:
    assert money(Fraction(amount)) == text


@pytest.mark.slow
def test_a_plan_says_what_an_answer_will_cost(model: NameModel, run: Run) -> None:
    name = model("random", "seed=game", *PRICES)
    words = ("plan", name, "monkey", "-n", "10", "--seed", "1", "--record", "a.answers")
    planned = json.loads(run(*words, "--format", "json").out)
    trial = arena.fight(name, "monkey", n=10, seed=1, record="a.answers", replay_only=True)
    [spent] = trial.by_player.spent.values()
    assert Fraction(planned["cost"]) == spent.cost / 20
    for test in planned["plan"]:
        if test["games"] is not None:
            assert Fraction(test["cost"]) == Fraction(planned["cost"]) * test["games"]
    shown = run(*words, "--replay-only").out
    assert "cost" in shown.splitlines()[2]
    assert "cost" not in run("plan", "monkey", "heuristic", "-n", "10", "--seed", "1").out


@pytest.mark.slow
def test_a_page_shows_what_a_model_wrote_as_text(model: NameModel, run: Run) -> None:
    for name in ("markup", "ansi"):
        bot = f"bot={model(name)}"
        run("fight", bot, "monkey", "-n", "1", "--seed", "1", "--store", f"{name}.db")
        line = json.loads(run("export", f"{name}.db", "--format", "jsonl").out.split("\n")[0])
        shown = run("replay", "--store", f"{name}.db", line["game_id"], "--format", "html").out
        assert "<script>alert" not in shown
        output = run("replay", "--store", f"{name}.db", line["game_id"], "-v").out
        assert "\x1b" not in output
        assert "\x07" not in output


def test_a_budget_that_ends_a_trial_leaves_no_plan(model: NameModel, run: Run) -> None:
    name = f"m={model('random', *PRICES)}"
    ran = run("plan", name, "monkey", "-n", "9", "--seed", "1", "--budget", "0.5USD")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("arena: ")
    assert ran.err.count("\n") == 1


def test_an_exam_of_all_questions_says_that_each_was_answered_once(
    model: NameModel, run: Run, wording: Wording
) -> None:
    ran = run("exam", f"m={model('last')}", "monkey", "--game", "nim-1-2-3")
    assert ran.code == 0
    wording(re.sub(r"[0-9.]+ s ", "N s ", ran.out))


@pytest.mark.slow
def test_a_seat_at_a_table_reads_what_it_sees_and_not_how_arena_writes_it(
    model: NameModel, server: Server, run: Run
) -> None:
    name = model("first", "temperature=0.375")
    others = ("a=monkey", "b=monkey", "c=monkey")
    assert run("fight", name, *others, "-n", "1", "--seed", "1", "--game", "snakes").code == 0
    questions = [each for each in server.said() if each.get("temperature") == 0.375]
    prompt = questions[0]["messages"][0]["content"]
    [seen] = re.findall("turn=0 .*$", prompt, re.MULTILINE)
    assert seen.startswith("turn=0 size=11x11 ")
    assert seen.endswith("round=")
    assert " x, o, z, w" in prompt
