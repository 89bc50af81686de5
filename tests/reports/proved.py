"""Fixed records of moves, games, checks and proofs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from arena.features.check.record import Answers, CheckReport, Finding, Level
from arena.features.exam.record import Answer, Difference, Exam, Exams
from arena.features.solve.record import SolveReport
from arena.records.base import Record
from arena.records.equilibria import (
    CheckedStrategies,
    Exploitability,
    GameValue,
    ResponseGames,
)
from arena.records.explanations import ExplainedMove, Explanation
from arena.records.proofs import (
    Agreement,
    Certificate,
    CheckedCertificate,
    CheckedSide,
    LineStep,
    MoveReport,
    SideCertificate,
)
from arena.records.replays import ReplayReport, SeenGame, View
from arena.records.theorems import PlayerTheorem, ProvedClaim, Theorem, WalkedSide

HALF = Fraction(1, 2)

EXAM = Exam(
    player="anna",
    game="kuhn",
    game_version=1,
    unit="chips",
    seed=7,
    questions=20,
    distinct=4,
    is_whole=False,
    regret=0.25,
    low=0.125,
    high=0.5,
    exact=Fraction(1, 4),
    right=0.75,
    faults=1,
    worst=(
        Answer(
            "0: K pass bet | pass", "pass", "bet", Fraction(3, 2), Fraction(1, 2), Fraction(1, 2)
        ),
        Answer("0: J | pass bet", "bet", "pass", Fraction(1, 2), Fraction(0)),
        Answer("0: Q | pass bet", None, "pass", Fraction(1, 6), Fraction(0), None, "it raises"),
    ),
)

PROVED: dict[str, Record] = {
    "move": MoveReport(
        game="tictactoe",
        player="anna",
        position="____x____",
        picture=" 1 | 2 | 3\n---+---+---\n 4 | x | 6\n---+---+---\n 7 | 8 | 9",
        moves={"1": Fraction(2, 3), "9": Fraction(1, 3)},
        values={"1": "draw", "2": "loss in 4", "9": "win in 3"},
    ),
    "unsolved-move": MoveReport(
        game="mnk-2-1-1",
        player="anna",
        position="__",
        picture=" 1 | 2",
        moves={"1": Fraction(1)},
        values={},
    ),
    "answers": Answers(
        game="mnk-2-1-1",
        player="anna",
        position="__",
        picture=" 1 | 2",
        seed=1,
        moves={"1": 3, "2": 1},
        faults={"it raises ValueError: no book at __": 1},
        noticed=("it prints 'hm' at __",),
    ),
    "certificate": Certificate(
        game="mnk-2-1-1",
        game_version=1,
        player="anna",
        keyed_by="position",
        first=SideCertificate(
            True, 3, None, Fraction(0), {"__": {"1": Fraction(1, 2), "2": Fraction(1, 2)}}
        ),
        second=SideCertificate(
            False,
            3,
            (
                LineStep("1", False, " x | 2", "a draw"),
                LineStep("2", True, " x | o", None),
            ),
            Fraction(3, 4),
            {},
        ),
        proved_by="arena 9",
        assumes="nothing",
    ),
    "theorem": Theorem(
        game="mnk-2-1-1",
        game_version=1,
        start="__",
        value="win",
        claims=(ProvedClaim("first wins", 1, 0),),
        checked_by="arena 9",
        source="anna",
        program="arena 8",
        assumes="nothing",
    ),
    "player-theorem": PlayerTheorem(
        game="mnk-2-1-1",
        game_version=1,
        player="anna",
        account="move by move",
        first=WalkedSide(3, None),
        second=WalkedSide(2, ("1",)),
        proved_by="arena 9",
        assumes="nothing",
    ),
    "player-theorem-with-a-certificate": PlayerTheorem(
        game="mnk-3-1-2",
        game_version=1,
        player="anna",
        account="by its choose_batch",
        first=WalkedSide(3, None),
        second=WalkedSide(5, None),
        proved_by="arena 9",
        assumes="nothing",
        certificate="anna.cert",
        claims=(ProvedClaim("first does not lose", 3, 1),),
    ),
    "checked-certificate": CheckedCertificate(
        game="mnk-2-1-1",
        named="anna",
        first=CheckedSide(3, None, None),
        second=CheckedSide(3, ("1", "2"), Fraction(3, 4)),
        checked_by="arena 9",
    ),
    "checked-certificate-of-a-player": CheckedCertificate(
        game="mnk-2-1-1",
        named="anna",
        first=CheckedSide(3, None, Fraction(0)),
        second=CheckedSide(2, None, Fraction(1, 2)),
        checked_by="arena 9",
        source="anna",
        program="arena 8",
        assumes="nothing",
        player="./anna.py",
        agreement=Agreement(games=200, seed=7, deviation=None, p_value=0.5),
    ),
    "replay": ReplayReport(
        game_id="mnk-2-1-1/anna/bert/7/1.1",
        game="mnk-2-1-1",
        game_version=1,
        seed=7,
        players=("anna", "bert"),
        moves=("2",),
        pictures=(" 1 | 2", " 1 | x"),
        movers=(0, 1),
        outcome="first",
    ),
    "solved": SolveReport(
        game="mnk-2-1-1",
        game_version=1,
        position="__",
        to_move="first",
        value="win",
        plies=1,
        move="1",
        method="a look at it",
        positions=3,
        certificate="proof.cert",
        claims=(ProvedClaim("first wins", 2, 0),),
    ),
    "solved_draw": SolveReport(
        game="mnk-2-1-2",
        game_version=1,
        position="__",
        to_move="first",
        value="draw",
        plies=None,
        move="1",
        method="a look at it",
        positions=4,
    ),
    "explained": Explanation(
        ReplayReport(
            game_id=None,
            game="mnk-3-1-2",
            game_version=1,
            seed=None,
            players=("anna", "bert"),
            moves=("1", "3"),
            pictures=(" 1 | 2 | 3", " x | 2 | 3", " x | 2 | o"),
            outcome=None,
        ),
        (
            ExplainedMove("anna", "1", "win in 3", "draw", "a win", ("2",)),
            ExplainedMove("bert", "3", None, None, None, ()),
        ),
        budget=1000,
    ),
    "checked": CheckReport(
        player="./anna.py",
        game="mnk-2-1-1",
        game_version=1,
        seed=7,
        extent="all 2 positions, 10 games against monkey",
        findings=(
            Finding("kind", Level.PASS, "a function of position and rng"),
            Finding(
                "position", Level.FAIL, "it changes " + "one thing after another, " * 5, "arena"
            ),
            Finding("output", Level.WARNING, "it prints 'a|b' at __", "arena move ./anna.py __"),
            Finding("games", Level.SKIPPED, "no other game is declared"),
            Finding("symmetric", Level.INFO, "no: at 1 of 2 positions, such as __"),
        ),
    ),
    "exam": EXAM,
    "whole-exam": replace(EXAM, is_whole=True, faults=0, worst=(), low=0.25, high=0.25),
    "exams": Exams(
        (EXAM, replace(EXAM, player="bert", regret=0.5, worst=())),
        (Difference("anna", "bert", 0.25, 0.0, 0.5),),
    ),
    "seen-game": SeenGame(
        game_id="kuhn/anna/bert/7/1.1",
        game="kuhn",
        game_version=1,
        players=("anna", "bert"),
        seat=1,
        views=(View(0, "1: |"), View(2, "1: Q |", "a queen")),
        outcome="first",
        payoffs=(Fraction(1), Fraction(-1)),
    ),
    "exploitability": Exploitability(
        game="kuhn",
        game_version=1,
        player="anna",
        unit="chips",
        exploitability=Fraction(11, 24),
        best_response=(Fraction(5, 12), Fraction(1, 2)),
        histories=(58, 55),
        is_declared=True,
        real_games=ResponseGames(Agreement(400, 7, None, 0.25), 0.5, "chi-square"),
        at_most=Fraction(1, 3),
        file="anna.jsonl",
        proved_by="arena",
        assumes="much",
    ),
    "game-value": GameValue(
        game="kuhn",
        game_version=1,
        unit="chips",
        low=Fraction(-1, 18),
        high=Fraction(-1, 18),
        histories=58,
        sets=(6, 5),
        method="linear program",
        certificate="kuhn.jsonl",
    ),
    "game-bracket": GameValue(
        game="kuhn",
        game_version=1,
        unit="chips",
        low=Fraction(-1, 18),
        high=Fraction(-1, 19),
        histories=58,
        sets=(6, 5),
        method="linear program",
    ),
    "checked-strategies": CheckedStrategies(
        game="kuhn",
        game_version=1,
        unit="chips",
        low=Fraction(-1, 18),
        high=Fraction(-1, 19),
        sets=(6, 5),
        checked_by="arena",
        source="arena solve kuhn",
        program="arena",
        player="anna",
        agreement=Agreement(400, 7, None, 0.25),
    ),
    "checked-game": CheckReport(
        player=None,
        game="mnk-2-1-1",
        game_version=1,
        seed=7,
        extent="all 3 positions",
        findings=(Finding("picture", Level.PASS, "There is a picture"),),
    ),
}
