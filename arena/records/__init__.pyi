"""The records that functions of arena return, each with the module that defines it.

`arena.lazy` reads it at run time, type checkers as the stub that it is.
"""

from arena.features.check.record import Answers as Answers
from arena.features.check.record import CheckReport as CheckReport
from arena.features.copy.record import CopiedPart as CopiedPart
from arena.features.copy.record import CopyReport as CopyReport
from arena.features.doctor.record import Diagnosis as Diagnosis
from arena.features.evaluate.record import Evaluation as Evaluation
from arena.features.exam.record import Exam as Exam
from arena.features.exam.record import Exams as Exams
from arena.features.hand_in.record import HandIn as HandIn
from arena.features.import_.record import ImportReport as ImportReport
from arena.features.new.record import Scaffold as Scaffold
from arena.features.regress.record import RegressionReport as RegressionReport
from arena.features.solve.record import SolveReport as SolveReport
from arena.features.verify.record import VerifyReport as VerifyReport
from arena.features.watch.record import Watched as Watched
from arena.features.watch.record import WatchedGame as WatchedGame
from arena.features.watch.record import WatchedPlayer as WatchedPlayer
from arena.records.answers import Answered as Answered
from arena.records.answers import TournamentPlan as TournamentPlan
from arena.records.answers import VolunteerPlan as VolunteerPlan
from arena.records.base import Record as Record
from arena.records.base import Tally as Tally
from arena.records.equilibria import CheckedStrategies as CheckedStrategies
from arena.records.equilibria import Exploitability as Exploitability
from arena.records.equilibria import GameValue as GameValue
from arena.records.explanations import Explanation as Explanation
from arena.records.exports import Export as Export
from arena.records.fights import FightResult as FightResult
from arena.records.history import History as History
from arena.records.leaderboards import Leaderboard as Leaderboard
from arena.records.listings import Details as Details
from arena.records.listings import Listing as Listing
from arena.records.methods import Method as Method
from arena.records.methods import WithMethods as WithMethods
from arena.records.observers import GameResult as GameResult
from arena.records.observers import Progress as Progress
from arena.records.observers import Run as Run
from arena.records.played import Played as Played
from arena.records.proofs import Agreement as Agreement
from arena.records.proofs import Certificate as Certificate
from arena.records.proofs import CheckedCertificate as CheckedCertificate
from arena.records.proofs import CheckedFight as CheckedFight
from arena.records.proofs import ExactResult as ExactResult
from arena.records.proofs import ExactTournament as ExactTournament
from arena.records.proofs import MoveReport as MoveReport
from arena.records.ratings import Plan as Plan
from arena.records.ratings import RatingTable as RatingTable
from arena.records.replays import ReplayReport as ReplayReport
from arena.records.replays import SeenGame as SeenGame
from arena.records.reports import EntrantReport as EntrantReport
from arena.records.reports import Report as Report
from arena.records.sequential import SprtFight as SprtFight
from arena.records.sequential import SprtReport as SprtReport
from arena.records.spending import Spending as Spending
from arena.records.tables import TableRatingTable as TableRatingTable
from arena.records.tables import TableResult as TableResult
from arena.records.tables import TablesResult as TablesResult
from arena.records.theorems import PlayerTheorem as PlayerTheorem
from arena.records.theorems import ProvedClaim as ProvedClaim
from arena.records.theorems import Theorem as Theorem
from arena.records.theorems import WalkedSide as WalkedSide
from arena.records.tournaments import TournamentResult as TournamentResult
from arena.records.training import Training as Training
from arena.records.until import Choice as Choice
from arena.records.until import UntilFight as UntilFight
from arena.records.until import UntilReport as UntilReport

__all__: list[str]
