"""``arena exam``, as its user sees it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from tests.conftest import Run
from tests.golden import Wording


@pytest.mark.slow
def test_an_exam_shows_the_worst_answers(run: Run, wording: Wording) -> None:
    ran = run("exam", "tictactoe2", "--seed", "1", "--questions", "20")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)


@pytest.mark.slow
def test_two_players_sit_the_same_exam(run: Run, wording: Wording) -> None:
    ran = run("exam", "monkey", "tictactoe3", "minimax", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)
    record = json.loads(run("exam", "monkey", "minimax", "--seed", "1", "--format", "json").out)
    assert record["schema"] == "arena.exams/1"
    best, worst = record["exams"]
    assert (best["player"], best["regret"], best["worst"]) == ("minimax", 0.0, [])
    [difference] = record["differences"]
    assert difference["difference"] == pytest.approx(worst["regret"])
    assert difference["low"] > 0


@pytest.mark.slow
def test_perfect_players_regret_nothing() -> None:
    exam = arena.exam("minimax", questions=10_000)
    assert exam.is_whole
    assert (exam.regret, exam.low, exam.high, exam.right) == (0, 0, 0, 1)
    assert exam.questions == exam.distinct == 3191


@pytest.mark.slow
def test_the_same_seed_is_the_same_exam_and_the_interval_has_the_mean() -> None:
    one, same, other = (arena.exam("monkey", seed=seed, questions=40) for seed in (4, 4, 5))
    assert one == same != other
    for exam in (one, other):
        assert exam.low < exam.regret < exam.high
        assert exam.regret == float(exam.exact)


@pytest.mark.slow
def test_a_player_that_is_asked_once_answers_with_a_move(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    exam = arena.exam(str(bot), seed=1)
    first = arena.exam(lambda position, rng: position.legal_moves()[0], seed=1)
    assert exam.exact == first.exact
    assert all(answer.chance is None for answer in exam.worst)
    assert {answer.regret for answer in exam.worst} <= {Fraction(1), Fraction(1, 2)}


@pytest.mark.slow
def test_faults_count_as_the_worst_move(tmp_path: Path, run: Run, wording: Wording) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def choose(position, rng):\n"
        "    if position.ply > 4:\n        raise ValueError('tired')\n"
        "    return position.legal_moves()[0]\n"
    )
    exam = arena.exam(str(bot), seed=1, questions=12)
    assert 0 < exam.faults < exam.distinct
    assert any("tired" in answer.fault and answer.move is None for answer in exam.worst)
    illegal = tmp_path / "illegal.py"
    illegal.write_text("def choose(position, rng):\n    return 99\n")
    ran = run("exam", str(illegal), "--seed", "1", "--questions", "3")
    assert ran.code == 0
    wording.line(ran.out, "3 questions")


@pytest.mark.needs("highspy")
def test_a_game_with_secrets_is_examined_by_its_equilibrium(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.jsonl"
    assert run("solve", "kuhn", "--certificate", str(file)).code == 0
    solved = arena.exam("monkey", game="kuhn", seed=1)
    by_file = arena.exam("monkey", game="kuhn", seed=1, certificate=file)
    assert solved == by_file
    assert solved.is_whole
    assert solved.unit == "chips"
    assert arena.exam(f"solved:{file}", game="kuhn").exact == 0
    # With the king it passes a bet half the time, which loses 3 chips.
    assert (solved.worst[0].observation, solved.worst[0].regret) == (
        "0: K pass bet | pass bet",
        Fraction(3, 2),
    )


@pytest.mark.slow
def test_a_page_has_the_boards(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "exam.html"
    assert run("exam", "monkey", "--seed", "1", "--output", str(page)).code == 0
    text = page.read_text()
    assert text.count("<img") == text.count("<figure") == 10
    assert "is best" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("monkey", "--game", "prisoners-dilemma-5"), 2),
        (("monkey", "--game", "pig-5"), 3),
        (("monkey", "--game", "phantom-tictactoe"), 3),
        (("monkey", "--game", "chess", "--questions", "1", "--max-seconds", "0.2"), 3),
        (("monkey", "monkey"), 2),
        (("monkey", "--questions", "0"), 2),
        (("monkey", "--certificate", "nothing.jsonl"), 2),
        (("monkey", "--game", "kuhn", "--certificate", "nothing.jsonl"), 2),
        (("nobody",), 2),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, argv: tuple[str, ...], code: int, wording: Wording
) -> None:
    ran = run("exam", *argv, *([] if "--seed" in argv else ["--seed", "1"]))
    assert (ran.code, ran.out) == (code, "")
    wording(ran.err)


def test_functions_refuse_what_is_no_list(wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.exams("monkey")
    with wording.raises(UsageError):
        arena.exams([])
