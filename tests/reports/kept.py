"""Fixed records of what is stored, of regressions and of lists."""

from __future__ import annotations

from fractions import Fraction

from arena.features.copy.record import CopiedPart, CopyReport
from arena.features.hand_in.record import HandIn
from arena.features.import_.record import ImportReport
from arena.features.league.record import (
    LeagueComparison,
    LeagueEntry,
    LeaguePairing,
    LeagueRow,
    LeagueSite,
    Season,
)
from arena.features.new.record import Scaffold
from arena.features.regress.record import (
    ChangedPosition,
    ClaimCheck,
    Comparison,
    Fall,
    LostLine,
    PanelScore,
    RegressionReport,
    RegressionVerdict,
)
from arena.features.verify.record import Divergence, VerifyReport
from arena.records.base import Record
from arena.records.exports import Export, ExportedFight, ExportedGame, ExportedRun
from arena.records.history import History, StepHistory, StepRow
from arena.records.listings import Details, Listing
from arena.records.proofs import LineStep
from arena.records.ratings import Estimated
from arena.records.reports import EntrantFight, EntrantReport, EntrantResult, Report, ReportPart
from arena.records.training import Course, CurvePoint, Training
from tests.reports.played import a_fight

STORED_GAME = ExportedGame(
    pair=1,
    game_id="mnk-2-1-1/anna/bert/7/1.2",
    opening=None,
    players=("bert", "anna"),
    moves=("2",),
    outcome="first",
    forfeit_side=1,
    reason="illegal",
    message="square 2 is taken",
    seconds=0.25,
)
STORED_RUN = ExportedRun(
    number=1,
    started="2026-11-21T17:00:00Z",
    finished=None,
    state="complete",
    schedule="fight",
    game="mnk-2-1-1",
    game_version=1,
    seed=7,
    contest=None,
    played=1,
    games=2,
    arena_version="1",
    python_version="3",
    machine="x",
    contest_text=None,
    options={},
    players=(),
    fights=(ExportedFight(("anna", "bert"), 1, (), {}, (STORED_GAME,)),),
)
NIGHT = RegressionReport(
    baseline="arena-baseline.json",
    claims=(
        ClaimCheck(
            "anna", "tictactoe", "never-loses:tictactoe", RegressionVerdict.BOUNDED,
            "no loss in 1000 games", method="games", games=1000, loss_bound=0.003,
        ),
        ClaimCheck(
            "bert", "tictactoe", "never-loses:tictactoe", RegressionVerdict.BROKEN,
            "it loses moving second, by 1", method="proof", positions=7,
            line=LostLine("second", (LineStep("1", False, " x | 2", ""),), "arena certify bert"),
        ),
    ),
    comparisons=(
        Comparison(
            "anna", "tictactoe", RegressionVerdict.NO_WEAKER,
            "3 of 150 pairs ended differently", "games",
            panel=(PanelScore("bert", Fraction(1, 2), Fraction(2, 3)),),
            pairs=150, differing=3, llr=3.02, margin=0.02, fall=Fall(-0.012, -0.031, 0.006),
        ),
        Comparison(
            "bert", "tictactoe", RegressionVerdict.WEAKER, "2 of 9 positions changed", "policy",
            panel=(PanelScore("anna", Fraction(1, 2), Fraction(1, 3)),),
            positions=9, changed=2, exploitability=(Fraction(0), Fraction(1, 4)),
            examples=(
                ChangedPosition(
                    "__", " 1 | 2", {"1": Fraction(1)}, {"1": Fraction(1, 3), "2": Fraction(2, 3)},
                    {"2": "a draw"}, "arena move bert __",
                ),
            ),
        ),
        Comparison("cleo", "tictactoe", RegressionVerdict.FAULT, "unknown player 'cleo'"),
        Comparison("dora", "tictactoe", RegressionVerdict.NEW, "it is not in the baseline"),
    ),
    broken=("plugin emil: ImportError",),
)  # fmt: skip
HISTORY = tuple(
    {
        "run": night, "date": f"2026-11-2{night}T02:00:00Z", "commit": commit, "version": version,
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

FIGHT = a_fight("anna", "bert")

KEPT: dict[str, Record] = {
    "entrant": EntrantReport(
        "bert",
        (
            ReportPart(
                "run 1",
                EntrantResult(
                    "tictactoe",
                    7,
                    "round robin",
                    2,
                    None,
                    None,
                    (EntrantFight(FIGHT, FIGHT.interval),),
                ),
            ),
        ),
    ),
    "report": Report(
        (
            ReportPart("run 1", a_fight("anna", "bert")),
            ReportPart("f.json", a_fight("anna", "cleo")),
        ),
        ("run 2: its game is not installed",),
    ),
    "export": Export((STORED_RUN,)),
    "imported": ImportReport(
        "arena.db", "games.pgn", 1, 3, ("anna", "bert"), 1, ((12, "it has no result"),)
    ),
    "scaffold": Scaffold("player", "anna", ("anna/README.md",), ("cd anna", "pytest | less")),
    "copied": CopyReport(
        "arena.db",
        "postgresql://anna@host/games",
        (
            CopiedPart("run", 1, 3, "copied", 40),
            CopiedPart("run", 2, 2, "present", 40),
            CopiedPart("run", 4, 4, "copied", 12, is_played=True),
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
    "entry": LeagueEntry("anna", "new", "Anna", ("entrants/anna/OWNER", "entrants/anna/bot.py")),
    "refused-entry": LeagueEntry("", "", "bert", ("a|b",), ("it changes 'a|b'", "it is large")),
    "league": LeagueComparison(
        "tictactoe",
        "",
        {"anna": "new", "cleo": "removed"},
        (
            LeagueRow("anna", None, 1, None, 0.75),
            LeagueRow("bert", 1, 2, 0.5, 0.25),
            LeagueRow("cleo", 2, None, 0.5, None),
        ),
        (LeaguePairing(("bert", "anna"), 4, 0.25, 0.05, 0.6),),
        ("anna forfeited 1 game (timeout 1)",),
    ),
    "paid-league": LeagueComparison(
        "kuhn",
        "chips",
        {},
        (LeagueRow("anna", 1, 1, 0.5, -0.25),),
        (LeaguePairing(("bert", "anna"), 0, None, None, None),),
    ),
    "refused-league": LeagueComparison("kuhn", "", {}, (), (), (), ("its run is not complete",)),
    "league-site": LeagueSite("site", "spring", "0123abc", ("index.html", "league.db")),
    "refused-site": LeagueSite("site", "", "0123abc", (), ("its run has another seed",)),
    "sealed-season": Season("spring", "0f", hint="secret.json"),
    "opened-season": Season("spring", "0f", 7, "ab"),
    "broken-season": Season("spring", "0f", 7, "ab", ("its digest is not the commitment",)),
    "verified": VerifyReport("arena.db", 2, 40, None),
    "diverged": VerifyReport("arena.db", 1, 40, Divergence(1, "a/b/c/7/1.1", "move 2: taken")),
    "regression": NIGHT,
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
    "steps": StepHistory(
        (
            StepRow(100, "step-100", 40, Estimated(-80.4, -150.2, -20.0), None),
            StepRow(200, "step-200", 40, Estimated(110.6, 40.1, 190.3), 191.0),
            StepRow(300, "step-300", 40, Estimated(None, reason="won all"), None),
            StepRow(1000, "step-1000", 20, Estimated(60.0, -40.0, 150.5), -50.6),
        ),
        ("monkey", "minimax:depth=2"),
        "step-200",
        ("without the games of kuhn, because payoffs have no Elo",),
    ),
    "runs-and-regression-runs": Listing(
        "runs",
        (),
        ("run", "state"),
        more=(
            Listing(
                "regression_runs", ({"run": 1, "players": ["anna"]},), ("run", "players"), title="R"
            ),
            Listing("nothing", (), ("left out",)),
        ),
    ),
    "empty-listing": Listing("players", (), ("name", "games")),
}
