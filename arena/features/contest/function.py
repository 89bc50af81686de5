"""Open a contest whose entrants hand in, and give out its tokens."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from arena.errors import Forfeited, Unavailable, UsageError, Withdrawn, quoted
from arena.features.contest import hand_ins as stored
from arena.features.contest.hosted import UNLIMITED, HostedContest
from arena.features.contest.packages import unpack
from arena.features.contest.setup import FINAL_HEAD, UNTIL, ContestSetup
from arena.features.contest.tokens import TOKENS_FILE, Tokens, add_tokens, read_names
from arena.features.hand_in.record import PASSED, HandIn
from arena.features.tournament.function import TournamentSetup, arrange, warn_of_few_pairs
from arena.files import MAX_FILE_BYTES, read_bytes
from arena.game import CHANCE, Game
from arena.inputs.contest_file import Contest, read_contest
from arena.inputs.entrants import enter
from arena.inputs.options import TournamentOptions
from arena.inputs.resolve import DEFAULT_GAME, PlayerLike, StoreLike, get_game, open_catalogue
from arena.model.defaults import RAW_LUCK
from arena.player import PlayerInfo, stand_in
from arena.player.names import NamedSpec, read_named
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from arena.sandbox.players import AbsentPlayer
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Isolation
from arena.sandbox.words import WASM
from arena.store.sql import Store, open_to_read
from arena.urls import is_url

#: The tiers in which players of strangers may play.
STRONG = ("locked", "bwrap")

#: The value that each of these keys of a contest's file must have where strangers play, and why.
_ONLY = {
    "engine": ({"auto", "calls"}, "strangers play by calls, one move at a time"),
    "executor": ({"processes"}, "the walls of other machines are not tested"),
    "luck": ({RAW_LUCK}, "a run that corrects luck keeps the players that it has"),
}

#: Schedules in which a player takes the seat of another one, by their first words.
_GROWING = ("round-robin", "gauntlet")


def open_contest(
    file: str | os.PathLike[str],
    store: StoreLike | None = None,
    catalogue: Catalogue | None = None,
) -> HostedContest:
    """Open the contest of a file, whose entrants hand in to a store, by default that of the file.

    Nothing plays until a :class:`arena.plugin.ContestRunner` runs, and the contest is started. The
    file ``tokens.csv`` next to the contest's says who may enter; :func:`give_tokens` makes it.

    Raises UsageError, with what to do, for a contest that cannot be conducted: one with a seed, a
    schedule in which no player can be replaced, players that cannot be walled, or a machine on
    which no strong tier works.
    """
    catalogue = open_catalogue(catalogue)
    setup = _setup(os.fspath(file), store, catalogue)
    tokens = Tokens(Path(file).with_name(TOKENS_FILE))
    warn_of_few_pairs(_require_ready(setup, tokens.entrants, catalogue))
    return HostedContest(setup, Store(setup.store, create=True), tokens)


def give_tokens(
    file: str | os.PathLike[str],
    names: str | os.PathLike[str],
    catalogue: Catalogue | None = None,
) -> list[str]:
    """Give a token to every name of a file that has none, and to the owner. Return the new names.

    The tokens are in ``tokens.csv`` next to the contest's ``file``. No token is changed.
    Raises UsageError for a name that cannot be one, and for a contest that cannot be conducted.
    """
    catalogue = open_catalogue(catalogue)
    setup = _setup(os.fspath(file), None, catalogue)
    tokens, new_names = Path(file).with_name(TOKENS_FILE), read_names(names)
    entrants = Tokens(tokens).entrants if tokens.exists() else ()
    _require_ready(setup, [*dict.fromkeys((*entrants, *new_names))], catalogue)
    return add_tokens(tokens, new_names)


def similar_code(store: StoreLike, contest: int | None = None) -> list[list[HandIn]]:
    """Return groups of hand-ins of different entrants with the same code.

    Names that the author gives, comments, docstrings and layout do not count. It reads the hand-ins
    that passed their check in a contest of the store, by default in the last one. None of it runs.
    """
    from arena.features.contest.similar import same_code

    file = open_to_read(store)
    with file.read() as connection:
        number = stored.last_contest(connection) if contest is None else contest
        passed = stored.read_hand_ins(connection, number, states=[PASSED], brief=True)
        contents = [stored.content_of(connection, number, each) for each in passed]
    return same_code(
        (each, unpack(content, UNLIMITED)) for each, content in zip(passed, contents, strict=True)
    )


def _require_ready(
    setup: ContestSetup, entrants: Sequence[str], catalogue: Catalogue
) -> TournamentSetup:
    """Return the tournament of these entrants.

    Raises UsageError for what would end their contest before its first game.
    """
    _require_other_names(setup, entrants)
    with _named(setup.file):
        _require_room_for_final(setup)
        return _require_playable(setup, entrants, catalogue)


def _setup(file: str, store: StoreLike | None, catalogue: Catalogue) -> ContestSetup:
    with _named(file):
        contest = read_contest(file, catalogue)
        file_players = players_of_file(file, contest, catalogue)
        require_conductible(contest, file_players)
        game = contest.options.get("game", DEFAULT_GAME)
        the_game = get_game(game, catalogue)
        if the_game.is_refereed:
            raise UsageError("its game is played by a referee, which runs without walls")
        isolation = contest.isolation.updated(Isolation(tier=strong_tier(contest)))
        _require_readable(isolation)
    store_name = os.fspath(store or contest.options.get("store") or Path(file).with_suffix(".db"))
    return ContestSetup(
        file=file,
        text=contest.file.text,
        store=store_name,
        folder=_folder(store_name, file),
        game=str(game),
        file_players=file_players,
        isolation=isolation,
        rules=contest.hand_ins,
        title=contest.title,
        description=contest.rules,
        plugins=tuple(f"-p{plugin}" for plugin in catalogue.files),
        has_end="until" in contest.options
        or bool(contest.schedule or contest.gauntlet)
        or not _has_order(the_game),
        seats=the_game.seats,
        unit=the_game.payoffs.unit if the_game.is_paid else "",
        workers=contest.options.get("workers"),
    )


def _has_order(game: Game) -> bool:
    """Return whether ``--until order`` can end the games: of two, what one wins the other loses."""
    return game.seats == 2 and (not game.is_paid or game.payoffs.total is not None)


@contextmanager
def _named(file: str) -> Iterator[None]:
    """Begin the message of a UsageError with the contest's file."""
    try:
        yield
    except UsageError as error:
        start = f"contest {quoted(file)}: "
        raise UsageError(start + str(error).removeprefix(start)) from error


def players_of_file(file: str, contest: Contest, catalogue: Catalogue) -> tuple[NamedSpec, ...]:
    """Return the players of the contest's file itself, those of its folders too."""
    players = enter(file, catalogue).players if contest.players else ()
    return tuple(read_named(str(player)) for player in players)


def require_conductible(contest: Contest, file_players: Sequence[NamedSpec]) -> None:
    """Raise UsageError for what a contest of strangers cannot have."""
    if "seed" in contest.options:
        raise UsageError(
            "a seed tells an entrant all draws: leave it out, and a fresh one is drawn"
        )
    for key, (allowed, why) in _ONLY.items():
        value = contest.options.get(key)
        if value is not None and value not in allowed:
            wanted = " or ".join(sorted(allowed))
            raise UsageError(
                f"{key} = {quoted(str(value))}: {why}; leave it out, or write {wanted}"
            )
    word = (contest.schedule or _GROWING[0]).partition(":")[0]
    if word not in _GROWING:
        problem = "a new hand-in could not take the place of an old one"
        raise UsageError(f"schedule {quoted(word)}: {problem}; leave it out for a round robin")
    challenger = contest.gauntlet or (contest.schedule or "").partition(":")[2]
    words = {part for named in file_players for part in (*named, str(named))}
    if challenger and challenger not in words:
        raise UsageError(f"{quoted(challenger)} plays all others: add it to the file's players")


def _require_playable(
    setup: ContestSetup, entrants: Sequence[str], catalogue: Catalogue
) -> TournamentSetup:
    """Return the tournament of the file.

    Raises UsageError for what would end it before its first game. Each entrant is thought to have
    handed in, and others where too few have a token for a game.
    """
    missing = max(setup.seats - len(setup.file_players) - len(entrants), 1 - len(entrants))
    names = [*entrants, *(f"another entrant {number}" for number in range(missing))]
    players: list[PlayerLike] = [setup.file, *map(stand_in, names)]
    options: TournamentOptions = {
        "catalogue": catalogue.isolated(setup.isolation),
        "engine": "calls",  # as begin_command plays it
    }
    if not setup.has_end:
        options["until"] = UNTIL
    arranged = arrange(players, options=options)
    file_names = {named.name for named in setup.file_players}
    everyone = chain.from_iterable(pairing.players for pairing in arranged.pairings)
    for player in {
        player.name: player for player in everyone if player.name in file_names
    }.values():
        if problem := start_problem(player, arranged.pairings[0].game):
            raise UsageError(f"player {quoted(player.name)}: {problem}")
    return arranged


def strong_tier(contest: Contest) -> str:
    """Return the strong tier in which all play. Raises UsageError if there is none."""
    from arena.sandbox.choice import choose_tier, why_not

    limits = contest.isolation.resolved()
    if limits.tier == WASM:
        return WASM
    if limits.tier not in ("auto", *STRONG):
        choice = " or ".join(STRONG)
        raise UsageError(f"isolation {limits.tier} is not for strangers: leave it out, or {choice}")
    tier = choose_tier(limits.tier).name
    if tier not in STRONG:
        reasons = "".join(why_not(name) for name in STRONG)
        raise UsageError(f"strangers cannot be isolated here{reasons}; see: arena doctor")
    return tier


def _require_readable(isolation: Isolation) -> None:
    """Raise UsageError for a file that players may read by the contest's file, but cannot."""
    from arena.sandbox.players import require_readable

    for name in ("", *isolation.players):
        require_readable(isolation.limits(name))


def _folder(store: str, file: str) -> Path:
    """Return the folder for the files of hand-ins: next to the store, or else to the contest's."""
    neighbour = os.path.splitext(file)[0] if is_url(store) else store
    return Path(os.path.abspath(f"{neighbour}.hand-ins"))


def _require_room_for_final(setup: ContestSetup) -> None:
    """Raise UsageError if another file stands where that of the final goes."""
    if setup.final is not None:
        file = Path(setup.final.file)
        if file.exists() and not read_bytes(file, MAX_FILE_BYTES).startswith(FINAL_HEAD.encode()):
            raise UsageError(f"the final needs the name {quoted(file.name)}: move that file away")


def _require_other_names(setup: ContestSetup, entrants: Sequence[str]) -> None:
    """Raise UsageError for an entrant with the name of a player of the file itself."""
    names = {named.name.casefold() for named in setup.file_players}
    if both := next((name for name in entrants if name.casefold() in names), None):
        raise UsageError(f"entrant {quoted(both)} has the name of a player of the contest's file")


def start_problem(player: PlayerInfo, game: Game) -> str:
    """Return why a player cannot be started, or an empty string if it can.

    A program is asked for one move, because arena's own protocol has no greeting: a program that
    ends before it reads its first question looks like one that thinks.
    """
    remote = player.remote
    if isinstance(remote, AbsentPlayer):
        return remote.problem
    if not isinstance(remote, Remote) or remote.spec.is_python:
        return ""  # it was started when it was named
    try:
        _ask_once(remote, game)
    except Withdrawn as error:
        return f"it cannot be started: {error.problem}"
    except (Forfeited, Unavailable):
        return ""  # it starts, whatever it then plays
    finally:
        remote.close()
    return ""


def _ask_once(remote: Remote, game: Game) -> None:
    position = game.start()
    while position.to_move == CHANCE:
        position = position.play(position.chance_moves()[0][0])
    side, program = position.to_move, remote()
    program.start(game, side, Stream())
    # Its process is given back when the game's player is forgotten.
    info_state: Any = position.observation(side) if game.features else position
    program.choose(info_state)
