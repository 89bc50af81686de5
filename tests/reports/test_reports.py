"""Reports: what is printed of fixed records, compared with files that one can read."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.fights.standings import exact_tournament_of, tournament_of
from arena.plugin.catalogue import Catalogue
from arena.records.answers import Answered, TournamentPlan, Valued
from arena.records.base import Record, Tally
from arena.records.checks import Answers, CheckReport, Finding, Level
from arena.records.copies import Copied, CopyReport
from arena.records.explanations import ExplainedMove, Explanation
from arena.records.fights import FightResult, ForfeitedGame, PlayerResult
from arena.records.hand_ins import HandIn
from arena.records.history import History
from arena.records.intervals import ANYTIME, FIXED, STOPPED
from arena.records.joint import Joint
from arena.records.listings import Details, Listing
from arena.records.methods import Explained, Method
from arena.records.proofs import (
    Agreement,
    Certificate,
    Chances,
    CheckedCertificate,
    CheckedFight,
    CheckedSide,
    ExactResult,
    LineStep,
    MoveReport,
    SideCertificate,
)
from arena.records.ranks import RankIntervals
from arena.records.ratings import (
    Estimated,
    Plan,
    PlannedTest,
    RatedPlayer,
    RatingTable,
    ScaleFit,
)
from arena.records.regression import (
    ChangedPosition,
    ClaimCheck,
    Comparison,
    Fall,
    LostLine,
    PanelScore,
    RegressionReport,
    Verdict,
)
from arena.records.replays import ReplayReport
from arena.records.reports import EntrantReport, ReadResult, Report, ReportPart
from arena.records.runs import Divergence, Export, ImportReport, VerifyReport
from arena.records.scaffolds import Scaffold
from arena.records.sequential import SprtFight, SprtReport
from arena.records.solutions import SolveReport
from arena.records.theorems import PlayerTheorem, ProvedClaim, Theorem, WalkedSide
from arena.records.training import Course, CurvePoint, Training
from arena.records.until import UntilFight, UntilReport
from arena.records.void import VoidPairs

GOLDEN = Path(__file__).parent / "golden"


def a_fight(a: str | PlayerResult, b: str | PlayerResult, **changes: object) -> FightResult:
    lost = "tictactoe/anna/bert/7/4.2"
    fields: dict[str, object] = {
        "game": "tictactoe",
        "game_version": 1,
        "seed": 7,
        "engine": "calls",
        "a": PlayerResult(a, first_lost=lost) if isinstance(a, str) else a,
        "b": PlayerResult(b) if isinstance(b, str) else b,
        "planned": 10,
        "joint": Joint(dl=1, dd=2, dw=1, wl=1, wd=3, ww=2),
        "void": 0,
        "distinct_games": 17,
    }
    return FightResult(**{**fields, **changes})  # type: ignore[arg-type]


#: Three openings with the ten pairs of a fight.
BY_OPENING = (
    (Joint(wl=1, wd=3), 1),
    (Joint(dw=1, ww=2), 1),
    (Joint(dl=1, dd=2), 1),
)
SHORT = a_fight(
    "anna",
    PlayerResult(
        "./bot.py:play",
        forfeits={"illegal": 1, "exception": 2},
        first_forfeit=ForfeitedGame(
            "tictactoe/anna/.%2Fbot.py%3Aplay/7/2.1",
            "./bot.py:play",
            "exception",
            "KeyError: 'x________'",
            "bot.py:3 in play: return TABLE[str(position)]",
            "put a remedy here",
            "x________",
        ),
        forfeited_alone=Joint(dw=1, ww=1),
    ),
    joint=Joint(dw=1, ww=2),
    void=14,
    void_pairs=(VoidPairs(4, 10, "killed by SIGSEGV", killed=True),),
    forfeited_joint=Joint(dw=1, ww=1),
    count_forfeits="none",
    unfinished="workers died again and again while they played pairs 4 to 10: killed by SIGSEGV",
)
WITHDRAWN = a_fight(
    "anna",
    PlayerResult("./bot.py", withdrawn="ended with exit code 3"),
    joint=Joint(dw=1, ww=2),
    void=2,
    void_pairs=(VoidPairs(2, 2, "it waited 6.00 s for a processor, of 6 s"),),
    unfinished="./bot.py is withdrawn, it cannot be started: ended with exit code 3",
)
EXACT = ExactResult(
    game="tictactoe",
    game_version=1,
    players=("anna", "bert"),
    first=Chances(Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    second=Chances(Fraction(0), Fraction(7, 9), Fraction(2, 9)),
)
SPRT = SprtReport(
    counts=(1, 2, 3, 4, 5),
    scores=(0.0, 0.25, 0.5, 0.75, 1.0),
    model="logistic",
    elo0=0,
    elo1=5,
    alpha=0.05,
    beta=0.1,
    llr=3.25,
    lower=-2.25,
    upper=2.89,
    decision="H1",
    estimate=FIXED,
    score=0.625,
    score_low=0.5,
    score_high=1.0,
    elo=88.7,
    elo_low=0.0,
    elo_high=None,
    elo_error=None,
    nelo=None,
    nelo_low=None,
    nelo_high=None,
    nelo_error=None,
    los=0.875,
    reasons={"elo": "too few results for an error"},
)
RATINGS = RatingTable(
    players=(
        RatedPlayer("anna", Tally(9, 1, 0), Estimated(210.4, 99.5, None, "won"), 1, 1, 1, 1),
        RatedPlayer("bert", Tally(0, 1, 9), Estimated(-210.4, -300.2, -99.5), 1, 2, 2, 2),
        RatedPlayer("dora", Tally(1, 0, 1), Estimated(0.0, -90.1, 90.1, "compares"), 2, 1, 1, 2),
        RatedPlayer("emil", Tally(1, 0, 1), Estimated(0.0, -90.1, 90.1, "compares"), 2, 1, 1, 2),
        RatedPlayer("cleo", Tally(), Estimated(None, reason="did not play"), 3),
    ),
    advantage=Estimated(12.3, -3.2, 33.3),
    draws=Estimated(0.5, 0.25, 1.0, "few games"),
    statements=("cleo did not play: " + "there is nothing to say of such a player " * 3,),
    method="profile",
    rank_intervals=RankIntervals(0.05, 2, 2.2414, 1, 11),
    compared_by="likelihood ratio",
    scale=ScaleFit(12.3, 2, 0.0021, 0.034),
)
STORED_GAME = {
    "game_id": "mnk-2-1-1/anna/bert/7/1.2",
    "players": ["bert", "anna"],
    "moves": ["2"],
    "outcome": "first",
    "forfeit_side": 1,
    "reason": "illegal",
    "message": "square 2 is taken",
    "seconds": 0.25,
}
NIGHT = RegressionReport(
    baseline="arena-baseline.json",
    claims=(
        ClaimCheck(
            "anna", "tictactoe", "never-loses:tictactoe", Verdict.BOUNDED, "no loss in 1000 games",
            method="games", games=1000, loss_bound=0.003,
        ),
        ClaimCheck(
            "bert", "tictactoe", "never-loses:tictactoe", Verdict.BROKEN,
            "it loses moving second, by 1", method="proof", positions=7,
            line=LostLine("second", (LineStep("1", False, " x | 2", ""),), "arena certify bert"),
        ),
    ),
    comparisons=(
        Comparison(
            "anna", "tictactoe", Verdict.NO_WEAKER, "3 of 150 pairs ended differently", "games",
            panel=(PanelScore("bert", Fraction(1, 2), Fraction(2, 3)),),
            pairs=150, differing=3, llr=3.02, margin=0.02, fall=Fall(-0.012, -0.031, 0.006),
        ),
        Comparison(
            "bert", "tictactoe", Verdict.WEAKER, "2 of 9 positions changed", "policy",
            panel=(PanelScore("anna", Fraction(1, 2), Fraction(1, 3)),),
            positions=9, changed=2, exploitability=(Fraction(0), Fraction(1, 4)),
            examples=(
                ChangedPosition(
                    "__", " 1 | 2", {"1": Fraction(1)}, {"1": Fraction(1, 3), "2": Fraction(2, 3)},
                    {"2": "a draw"}, "arena move bert __",
                ),
            ),
        ),
        Comparison("cleo", "tictactoe", Verdict.FAULT, "unknown player 'cleo'"),
        Comparison("dora", "tictactoe", Verdict.NEW, "it is not in the baseline"),
    ),
    broken=("plugin emil: ImportError",),
)  # fmt: skip
HISTORY = tuple(
    {
        "night": night, "date": f"2026-11-2{night}T02:00:00Z", "commit": commit, "version": version,
        "game": "connect4", "check": check, "verdict": "same", "outcome": "same", "score": score,
        "strength": strength, "interval": interval, "change": change,
        "other_panel": False, "message": "=1",
    }
    for night, check, commit, version, score, strength, interval, change in (
        (1, "games", "unknown", "unknown", "4/5", "80.00 %", "unknown", None),
        (1, "never-loses:connect4", "unknown", "unknown", None, "", "", None),
        (2, "games", "0123456789abcdef", "1.2", "0", "0.00 %", "0.00 to 9.30 %", -0.8),
        (3, "games", "0123456789abcdef+", "1.2", "3/5", "60.00 %", "50.00 to 70.00 %", 0.6),
    )
)  # fmt: skip
UNTIL = UntilReport(
    rule="better",
    margin=None,
    alpha=0.05,
    answered=True,
    decision="better",
    within_margin=False,
    interval=ANYTIME,
    score=0.625,
    score_low=0.5125,
    score_high=0.75,
    elo=88.74,
    elo_low=8.69,
    elo_high=190.85,
)

ANSWERED = Answered(
    rule="best",
    margin=0.02,
    alpha=0.05,
    cap=500,
    decision="decided",
    reason="",
    answer=("anna",),
    groups=(("anna",), (), ("bert", "carl")),
    repeating=(),
    out=(),
    rounds=12,
    games=3456,
    players=(
        Valued("anna", 0.7, 0.61, 0.78),
        Valued("bert", 0.5, 0.4, 0.6),
        Valued("carl", 0.3, 0.22, 0.39),
    ),
)


def scheduled(schedule: str) -> Record:
    """Return a tournament by rounds of three players who differ: with a bye."""
    names = ("minimax", "triples", "monkey")
    return arena.tournament(names, n=2, seed=7, schedule=schedule, engine="calls")


RECORDS: dict[str, Record] = {
    **{schedule.partition(":")[0]: scheduled(schedule) for schedule in ("swiss:2", "knockout")},
    "answered": ANSWERED,
    "tournament-plan": TournamentPlan(
        rule="best",
        margin=0.02,
        alpha=0.05,
        cap=500,
        elos=(60.0, 40.0, 0.0),
        draws=0.5,
        seed=7,
        tournaments=20,
        decided=19,
        games=2400,
        games_low=1200,
        games_high=4800,
        rounds=31,
    ),
    "exact-watched": replace(EXACT, watched=("anna", "bert"), games=200, declared=("bert",)),
    "fight": a_fight("anna", "bert"),
    "fight-in-trouble": SHORT,
    "fight-with-a-withdrawn-player": WITHDRAWN,
    "tournament": replace(
        tournament_of(
            [a_fight("anna", "bert"), a_fight("anna", "cleo"), a_fight("bert", "cleo")],
            "round robin",
        ),
        ratings=RATINGS,
    ),
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
    "exact": EXACT,
    "exact-tournament": exact_tournament_of(
        [EXACT, replace(EXACT, players=("anna", "cleo")), replace(EXACT, players=("bert", "cleo"))]
    ),
    "checked-fight": CheckedFight(a_fight("anna", "bert", sampler="counts"), EXACT, 0.25),
    "fight-that-repeats": a_fight("anna", "bert", joint=Joint(dw=10), distinct_games=2),
    "fight-from-openings": a_fight(
        "anna", "bert", openings="all:1", distinct_games=9, by_opening=BY_OPENING
    ),
    "fight-with-a-reason": a_fight("anna", "bert", engine_reason="the tree is too large"),
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
    "sprt": SPRT,
    "sprt-fight": SprtFight(a_fight("anna", "bert"), replace(SPRT, estimate=STOPPED), 20_000),
    "sprt-fight-undecided": SprtFight(
        a_fight("anna", "bert"), replace(SPRT, estimate=STOPPED, decision="continue"), 10
    ),
    "sprt-fight-repeated": SprtFight(
        a_fight("anna", "bert", joint=Joint(dd=10), distinct_games=2),
        replace(SPRT, estimate=STOPPED, decision="continue", los=None),
        10,
    ),
    "until-better": UntilFight(a_fight("anna", "bert"), UNTIL, 20_000),
    "until-width": UntilFight(
        a_fight("anna", "bert"), replace(UNTIL, rule="±20%", decision="undecided"), 20_000
    ),
    "until-cannot-be-told-apart": UntilFight(
        a_fight("anna", "bert"),
        replace(UNTIL, margin=0.1, within_margin=True, decision="undecided", alpha=0.01),
        20_000,
    ),
    "until-the-cap": UntilFight(
        a_fight("anna", "bert"), replace(UNTIL, answered=False, decision="undecided"), 10
    ),
    "ratings": RATINGS,
    "with-methods": Explained(
        a_fight("anna", "bert"),
        (
            Method("score", "points per game", "", {}),
            Method("interval", "a normal one " * 8, "Wald (1943)", {"z": 1.96, "fit": None}),
        ),
    ),
    "plan": Plan(
        players=("anna", "bert"),
        game="tictactoe",
        counts=(0, 1, 2, 1, 0),
        score=0.5,
        variance=0.125,
        rate=1234.5,
        tests=(
            PlannedTest("test, if it is 0 Elo", 5000, 8.1, 0.05),
            PlannedTest("Elo to +- 0.001", 10**10, 1.7e7, None),
            PlannedTest("fewer losses than 0.1 %, by having none", None, None, None, "too many"),
        ),
        settings={"elo0": 0, "elo1": 10, "alpha": 0.05, "beta": 0.1, "error": 10, "loss_rate": 0.1},
    ),
    "entrant": EntrantReport(
        "bert",
        (
            ReportPart(
                "run 1",
                ReadResult(
                    {
                        "schema": "arena.entrant-result/1",
                        "game": "tictactoe",
                        "seed": 7,
                        "schedule": "round robin",
                        "entrants": 2,
                        "standing": None,
                        "elo": None,
                        "fights": [a_fight("anna", "bert").as_json()],
                    }
                ),
            ),
        ),
    ),
    "report": Report(
        (
            ReportPart("run 1", a_fight("anna", "bert")),
            ReportPart("f.json", ReadResult(a_fight("anna", "cleo").as_json())),
        ),
        ("run 2: its game is not installed",),
    ),
    "read-result": ReadResult(a_fight("anna", "cleo").as_json()),
    "export": Export(
        (
            {
                "run": 1,
                "schedule": "fight",
                "game": "mnk-2-1-1",
                "started": "2026-11-21T17:00:00Z",
                "seed": 7,
                "players": [],
                "fights": [{"players": ["anna", "bert"], "pairs": 1, "games": [STORED_GAME]}],
            },
        )
    ),
    "imported": ImportReport(
        "arena.db", "games.pgn", 1, 3, ("anna", "bert"), 1, ((12, "it has no result"),)
    ),
    "scaffold": Scaffold("player", "anna", ("anna/README.md",), ("cd anna", "pytest | less")),
    "copied": CopyReport(
        "arena.db",
        "postgresql://anna@host/games",
        (
            Copied("run", 1, 3, "copied", 40),
            Copied("run", 2, 2, "known", 40),
            Copied("run", 4, 4, "copied", 12, is_played=True),
        ),
    ),
    "handed-in": HandIn(
        entrant="anna",
        number=3,
        received="2026-11-21T17:00:00Z",
        filename="bot.py",
        digest="0f",
        size=83,
        state="refused",
        report={
            "findings": [{"check": "legal moves", "level": "fail", "message": "it moves to -1"}]
        },
        problem="it does not keep the contract",
    ),
    "verified": VerifyReport("arena.db", 2, 40, None),
    "diverged": VerifyReport("arena.db", 1, 40, Divergence(1, "a/b/c/7/1.1", "move 2: taken")),
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
    "regression": NIGHT,
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
    "checked-game": CheckReport(
        player=None,
        game="mnk-2-1-1",
        game_version=1,
        seed=7,
        extent="all 3 positions",
        findings=(Finding("picture", Level.PASS, "There is a picture"),),
    ),
    "trained": Training(
        course=Course(("fork", "square-5"), "./anna bot.py", "empty", 0.01, 20, 7),
        game="tictactoe",
        game_version=1,
        first={"constant": 1.25, "fork-mine": 30.0, "fork-theirs": -2e-7, "square-5": 0.0},
        second={"constant": -1.0, "fork-mine": 1 / 3, "fork-theirs": 0.0, "square-5": 100.0},
    ),
    "trained-with-a-curve": Training(
        course=Course(("rules",), "self", "random", 0.01, 20, 7),
        game="tictactoe",
        game_version=1,
        first={"constant": 1.25},
        second={"constant": -1.0},
        curve=(
            CurvePoint(0, {"monkey": Fraction(1, 2), "minimax": Fraction(7, 110)}),
            CurvePoint(20, {"monkey": Fraction(19, 20), "minimax": Fraction(1, 2)}),
        ),
    ),
    "listing": Listing(
        "players",
        (
            {
                "name": "anna",
                "games": ["tictactoe", "mnk-*"],
                "deterministic": True,
                "summary": "a|b",
            },
        ),
        ("name", "games", "deterministic"),
        ({"plugin": "carl", "error": "ImportError: no module named 'x'"},),
    ),
    "details": Details(
        "games",
        {"name": "mnk-2-1-1", "version": 1, "players": ["anna", "bert"], "summary": ""},
        ("version", "players", "summary"),
        title="mnk-2-1-1",
        picture="x o",
    ),
    "history": History("anna", HISTORY),
    "history-of-nothing": History("anna", ()),
    "runs-and-nights": Listing(
        "runs",
        (),
        ("run", "state"),
        more=(
            Listing(
                "nights", ({"night": 1, "players": ["anna"]},), ("night", "players"), title="N"
            ),
            Listing("nothing", (), ("left out",)),
        ),
    ),
    "empty-listing": Listing("players", (), ("name", "games")),
}


@pytest.mark.parametrize("style", ["table", "markdown", "csv", "json"])
@pytest.mark.parametrize("name", RECORDS)
def test_a_report_is_what_it_was(catalogue: Catalogue, name: str, style: str) -> None:
    """To accept a change, delete the file and run the test twice."""
    text = catalogue.reports.get(style)(RECORDS[name]) + "\n"
    golden = GOLDEN / f"{name}.{style}.txt"
    if not golden.exists():
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} was missing and has been written: read it, then commit it")
    assert text == golden.read_text(encoding="utf-8")


def test_every_kept_report_is_compared() -> None:
    kept = {path.name for path in GOLDEN.iterdir()}
    styles = ("table", "markdown", "csv", "json")
    assert kept == {f"{name}.{style}.txt" for name in RECORDS for style in styles}


def test_a_tournament_of_untrusted_players_warns_of_a_short_seed(
    catalogue: Catalogue,
) -> None:
    text = catalogue.reports.get("table")
    for seed, isolation, said in (
        (2**32 - 1, ("none", "locked"), True),
        (2**32, ("none", "locked"), False),
        (7, ("none", "none"), False),
    ):
        players = map(PlayerResult, ("anna", "./bot.py"), isolation)
        fight = a_fight(*players, seed=seed)
        shown = text(tournament_of([fight], "round robin"))
        assert ("a player can guess it" in shown) is said
