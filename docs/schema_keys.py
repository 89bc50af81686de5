"""Name the keys of JSON that are not the attributes of a record, for ``docs/schemas.py``.

A line has names of attributes of the class, whose types and comments are read there; or a key with
its type, and its meaning after two dashes. A key with ``?`` is there only if there is something to
say.
"""

from __future__ import annotations

TALLY = """
games: int -- Games that count
wins: int
draws: int
losses: int
score: float | None -- Points per game, from 0 to 1; null without games
"""
TIMES = """
clocks?: dict[str, str] -- The time control of each player that has one, such as `60+0.5`
time_use?: dict[str, TimeUse] -- The seconds that players took for their moves
"""
METHODS = """
methods?: list[Method] -- How the numbers were computed, with `--methods`
"""
GAME = """
game_id game game_version seed players
moves: list[str] -- In the game's notation
opening: str | None -- The text of the position that it began from; null for the start
outcome winner forfeit
printed?: list[PrintedText] -- What the players printed, by move
referee?: Refereed -- What a referee said of a game that it played
adjudicated?: str -- `resign` or `draw`, if the engines' scores ended the game
thoughts?: list[MoveThought] -- What engines said of their moves
"""
RUN = """
run: int -- Its number in the store, from 1
started: str -- UTC
finished: str | None -- Null while it goes on
state: str -- `complete`, or why it is not
schedule: str -- `fight`, `round robin`, `gauntlet`, or another schedule such as `swiss:5`
game: str
game_version: int
seed: int
contest: str | None -- The contest that it belongs to
played: int -- Games in the store
games: int | None -- Games that it will have; null if only its rounds tell
arena_version: str
python_version: str
machine: str
"""
PLAYED = """
first: str -- The player that moved first
second: str
winner: str | None -- Null for a draw
result: str -- In words
opening: str | None -- The position that it began from; null for the start
plies: int -- Moves
moves: str -- In the game's notation, with blanks between
"""
ROW = f"""
game: str -- The id of the game
a: str
b: str
pair: int -- From 1
{PLAYED}
reason: str | None -- Why it was forfeited; null if it was not
message: str | None
adjudicated: str | None -- `resign` or `draw`, if the engines' scores ended the game
"""

#: The keys of records whose JSON is not their fields, or their ``KEYS``.
OWN: dict[str, str] = {
    "FightResult": f"""
game game_version seed engine sampler engine_reason called_pairs players
planned_pairs: int -- Pairs that were asked for
pairs
games: int -- Games of these pairs
total first second pentanomial joint
a b
isolation: dict[str, str] -- The tier of each player; `none` if it plays in a worker
forfeits: dict[str, dict[str, int]] -- Games that each player forfeited, by reason
count_forfeits
counted_pairs: int -- The pairs that statistics count
forfeited_pairs: int -- Pairs with a forfeit
forfeited_joint
pairs_forfeited: dict[str, int] -- In how many pairs each player forfeited a game
void void_pairs not_played
withdrawn: dict[str, str | None] -- Why a player plays no more; null if it plays
certified: list[str] -- Players whose moves were looked up in a certificate
deviations: list[Deviation] -- Their first moves that are not in it
openings: str | None -- The name of the openings; null for the start
different_openings
observations: float -- Independent observations in the pairs that count
interval: str | None -- `fixed n`, `after a sequential stop` or `anytime`; null without one
score: float | None -- A's mean score per game, from 0 to 1
score_low: float | None -- The ends of its 95 % interval
score_high: float | None
adjudicate
resign?: str -- The rules of `--resign` and `--draw`
draw?: str
distinct_games by_opening first_met listed is_shuffled is_sequential
forfeited: list[ForfeitedGame] -- The first game that each player forfeited
first_lost: dict[str, str | None] -- The id of the first game that each player lost
unfinished
specs?
remembers?: dict[str, str] -- Why something of a player outlives a game
printed?: dict[str, PrintedLines] -- The lines that players printed
{TIMES}
exact?: ExactResult -- The exact result, with `--exact`
p_value?: float -- Probability of a sample at least as far from the exact result
p_value_test?: str -- The test that it is of
sprt?: SprtOfFight -- The sequential test, with `--sprt`
decision?: str -- `better`, `worse` or `undecided`, with `--until`
until?: UntilOfFight -- The question and its answer, with `--until`
{METHODS}
""",
    "ExactResult": """
game game_version players total first second
openings?: str -- The name of the openings
watched?: list[str] -- Players whose real games agree with their tables
declared?: list[str] -- Players whose tables are their own declaration
agreeing_games?: int -- The number of these games
losing_lines?: list[LosingLine] -- Shortest games that a player loses, on each side on which it does
""",
    "LosingLine": """
player side
opening: str | None -- The text of the position that it began from; null for the start
moves: list[str] -- In the game's notation
""",
    "SideCertificate": """
never_loses positions
losing_line: list[str] | None -- The shortest line that loses; null without any
best_reply
""",
    "Certificate": """
game game_version player never_loses exploitability keyed_by
account: str -- `declared` if the table is the player's own, else `asked`
agreement proved_by assumes first second
""",
    "LostLine": """
side
moves: list[str] -- In the game's notation
forfeit command game
""",
    "ClaimCheck": """
player game claim verdict message method positions games loss_bound
losing_line: LostLine | None -- A game that refutes the claim
""",
    "RatedPlayer": f"player\n{TALLY}\nelo group rank rank_low rank_high",
    "RatingTable": f"""
players advantage draws statements method prior rank_intervals compared_by scale connection
replicates: int -- Always 0: arena no longer makes a bootstrap
{METHODS}
""",
    "PlannedTest": """
aim pairs seconds accepts_h1 reason pairings
games: int | None -- Twice the pairs
""",
    "Plan": """
game players counts score variance
games_a_second: float | None -- In the trial; null if the counts were given
plan: list[PlannedTest] -- The games that each aim needs
settings
""",
    "Standing": f"""
rank player
{TALLY}
forfeits
missing_pairs: int -- Pairs that it lacks compared with complete players
rank_low rank_high
marks?: dict[str, str | float] -- The marks of the schedule, such as `points` and `buchholz`
""",
    "TournamentResult": f"""
game game_version seed engine schedule count_forfeits
withdrawn left_out standings rank_intervals cycles ratings fights
until?: Answered -- The answer to the question that ended it, with `--until`
rounds?: list[list[RoundPairing]] -- The pairings of each round, if a schedule chose them
byes?: list[list[str]] -- The players without an opponent, by round
left_after?: dict[str, int] -- After how many rounds a player was withdrawn
known?: TournamentState -- These rounds with exact points
fault?: str -- Why it stopped early, by no fault of a player
{TIMES}{METHODS}
""",
    "SolveReport": """
game game_version position to_move value plies move method positions
certificate?: str -- The certificate that was written
claims?: list[ProvedClaim] -- The claims that it proves
""",
    "ReplayReport": GAME,
    "GameResult": GAME,
    "Diagnosis": """
available
auto: str | None -- The tier that `--isolation auto` takes
strong: bool -- Whether a tier isolates untrusted players by more than a process
attempts
""",
    "Training": """
learner: str -- `lms`
game game_version
command: str -- The command that repeats this training
features: list[str] -- Sets of features or single ones, as the user named them
against: str -- The opponent's name, or `self`
start: str -- Start of games: `empty` or `random`
rate: float -- The learning rate
games: int
seed: int
at_once?: int -- Games that were played by the same weights
first second
curve?
""",
    "Report": "results: list[ReportedResult]\nleft_out",
    "EntrantReport": "player\nresults: list[ReportedResult]",
    "WatchedPlayer": f"player\n{TALLY}\nforfeits",
    # Objects that have no class of their own.
    "PrintedText": """
player: str
move: int -- The number of the move that it was asked for, from 1
text: str -- The start of it
lines: int -- All its lines
cut: bool -- Whether `text` is not all of it
""",
    "PrintedLines": """
lines: int -- All lines that it printed in the games
game_id: str | None -- The first game in which it did
""",
    "MoveThought": """
move: int -- The number of the move, from 1
score: int | None -- Centipawns from the engine's own view; null if it says a mate
mate: int | None -- Moves to the mate, negative where the engine is mated; null if it says a score
depth: int | None
nodes: int | None
seconds: float | None -- As the engine says
""",
    "TournamentState": """
entrants: list[str] -- All entrants, in the order of entering
pairs: int -- Number of pairs of a pairing
seed: int -- For a schedule that draws lots
rounds: list[list[list]] -- The pairings of each round, as players, pairs and points, and its byes
withdrawn: dict[str, int] -- After how many rounds a player was withdrawn
""",
    "RoundPairing": """
players: list[str]
pairs: int
points: list[float] -- Of both players
""",
    "ReportedResult": """
from: str -- Such as `run 2`, or a file
result: dict -- The result as its own schema says, or `arena.entrant-result/1`
identical?: list[Identical] -- Entrants that play alike
""",
    "Game": """
name: str -- A template if all games are listed, such as `mnk-{m}-{n}-{k}`
summary: str
board?: str -- Such as `7 by 6`; this key and those below only if one game is named
longest_game?: int -- Its most moves
first_moves?: list[str]
start?: str -- The text of the first position
players?: list[str] -- The installed players of it
claims?: list[str] -- Such as `triples never-loses:tictactoe`
template?: str -- The template that its name is of
version?: int -- Of the rules
from?: str -- The distribution and its version, or the file
""",
    "Player": """
name: str
version: str
distribution: str -- The distribution of Python that it comes with
games: list[str] -- Patterns of games that it plays
deterministic: bool | None
stateless: bool | None -- Whether it keeps nothing from one move to the next
claims: list[str] -- Such as `never-loses:tictactoe`
summary: str
options: str | None -- Null if it takes none
only_named?: bool -- If it is out of "all players"; this key and those below only if one is named
batch?: bool -- Whether it offers many moves at once
from?: str -- The distribution and its version, or the file
""",
    "Plugin": """
name: str
package: str -- The distribution of Python that it comes with
version: str
file: str
hooks: list[str]
offers: list[str] -- Such as `player minimax`
from: str -- The distribution and its version
""",
    "BrokenPlugin": """
plugin: str
package: str
error: str
""",
    "ListedRun": RUN + "players: int -- How many",
    "ListedNight": """
night: int -- Its number in the store, from 1
date: str -- UTC
verdict: str
*: object
""",
    "ListedImport": """
import: int -- Its number in the store, from 1
date: str -- UTC
file: str
games: int -- Games that were taken
""",
    "BrowsedGame": f"n: int -- From 1\nrun: int\n{ROW}\nseconds: float | None",
    "ImportedRow": f"import: int\nline: int -- In the file\ngame: str\n{PLAYED}",
    "StandingRow": """
rank: int | None
player: str
*: object -- The other columns of `--format csv`
""",
    "PairingRow": """
a: str
b: str
*: object -- The other columns of `--format csv`
""",
    "GameRow": ROW,
    "NightRow": """
night: int
date: str -- UTC
commit: str
version: str
game: str
check: str
verdict: str
outcome: str
score: Fraction | None
strength: str -- In words
interval: str
change: float | None -- Of the score, since the night before
other_panel: bool -- Whether the opponents are others than the night before
message: str
low?: float | None -- The ends of the 95 % interval of the score
high?: float | None
code?: str -- The digest of its code
arena_version?: str
""",
    "StoredPlayer": """
name: str
version: str
package: str
file: str
digest: str -- Of its code
isolation: str -- Its tier; empty if it plays in a worker
limits: dict -- The limits of its process, by name
spec: str -- Where it comes from, if its name is another
""",
    "StoredGame": """
pair: int -- From 1
game_id: str
opening: str | None -- The text of the position that it began from; null for the start
players: list[str] -- The first and the second side
moves: list[str] -- In the game's notation
outcome: str -- `first`, `second` or `draw`
forfeit_side: int | None -- 0 or 1; null without a forfeit
reason: str | None
message: str | None
seconds: float | None
where?: str -- The innermost frame of the player's own code, after a forfeit
remedy?: str
printed?: list[PrintedText] -- What the players printed, by move
move_seconds?: list -- The seconds of the moves of each side
referee?: Refereed -- What a referee said of a game that it played
adjudicated?: str -- `resign` or `draw`, if the engines' scores ended the game
thoughts?: list[MoveThought] -- What engines said of their moves
""",
    "StoredFight": """
players: list[str] -- A and B
pairs: int -- Pairs that were asked for
void_pairs: list[VoidPairs]
withdrawn: dict[str, str | None] -- Why a player plays no more; null if it plays
games: list[StoredGame]
""",
    "StoredRun": f"""
{RUN}
contest_text: str | None -- The contest file
options: dict -- What was chosen for it
players: list[StoredPlayer]
fights: list[StoredFight]
changes?: list -- Who entered, was replaced or withdrawn
left_out?: list[StoredFight] -- Fights that do not count any more
""",
    "Imported": """
import: int
date: str -- UTC
file: str
games: list[dict] -- Each with `line`, `game`, `players`, `moves`, `outcome`, `tags` and `comments`
*: object
""",
    "Runs": "runs: list[ListedRun]\nnights: list[ListedNight]\nimports?: list[ListedImport]",
    "Browsed": """
games: list[BrowsedGame]
imported?: list[ImportedRow] -- Games that were played elsewhere
specs?: dict[str, str] -- Where the players come from whose names do not say it
""",
    "Sheet": """
standings?: list[StandingRow] -- One of the three, as `--table` asks
pairings?: list[PairingRow]
games?: list[GameRow]
""",
    "Games": "games: list[Game]",
    "Players": "players: list[Player]\nbroken?: list[BrokenPlugin] -- Plugins that were left out",
    "Plugins": "plugins: list[Plugin]\nbroken?: list[BrokenPlugin] -- Plugins that were left out",
}
