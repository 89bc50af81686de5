"""Evaluate the players of a store by the whole matrix of their results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from arena.errors import UsageError, counted, quoted
from arena.features.evaluate.opponent_results import NamePair, OpponentResults, seen_in, span_of
from arena.features.evaluate.options import BY_GAME, WAYS, EvaluateOptions
from arena.features.evaluate.record import Evaluation
from arena.features.rate.stored_ratings import (
    imported_statements,
    imported_tallies,
    merged_results,
    paid_games,
    read_fights,
)
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.signatures import complete, takes
from arena.stats.ranks import ERROR, critical_value
from arena.urls import without_passwords

#: Alpha-rank of more takes minutes.
MAX_EVALUATED_PLAYERS = 50

#: A sentence names at most this many pairings.
MAX_NAMED_GAPS = 3


class _Results(NamedTuple):
    """The results of one game, by the names of two players."""

    seen: Mapping[NamePair, OpponentResults]
    statements: tuple[str, ...]

    @property
    def players(self) -> list[str]:
        """All players, by name."""
        return sorted({name for names in self.seen for name in names})


@takes(EvaluateOptions)
def evaluate_store(
    stores: Sequence[StoreLike] | StoreLike,
    game: str | None = None,
    by: str = WAYS[0],
    count_forfeits: str | None = None,
    catalogue: Catalogue | None = None,
) -> Evaluation:
    """Evaluate the players of all runs of a store, or of several, by the matrix of their results.

    The methods are Nash averaging, alpha-rank, maximal lotteries and ranked pairs. Every answer has
    the interval of all matrices in a band whose entries hold together at 95 %. ``by`` is ``player``
    for a matrix of players, or ``game`` for one of players and games, each game a task that votes.
    Results count as for :func:`arena.rate_stores`. Raises UsageError if the runs are of several
    games, by player, and for fewer than two players or more than 50.
    """
    from arena.stats.highs import highs

    complete(evaluate_store, EvaluateOptions(game=game, by=by, count_forfeits=count_forfeits))
    highs("arena evaluate")
    stores = [stores] if isinstance(stores, str | os.PathLike) else stores
    if by == BY_GAME and game is not None:
        raise UsageError("--by game takes all games of the runs, so --game does not go with it")
    results = _results(stores, game, count_forfeits, catalogue, as_payoffs=by == BY_GAME)
    if not results:
        of_game = f" of {game}" if game else ""
        where = ", ".join(quoted(without_passwords(str(store))) for store in stores)
        raise UsageError(f"there are no games{of_game} to evaluate in {where}")
    return _by_game(results) if by == BY_GAME else _by_player(results)


def _results(
    stores: Sequence[StoreLike],
    game: str | None,
    count_forfeits: str | None,
    catalogue: Catalogue | None,
    *,
    as_payoffs: bool,
) -> dict[str, _Results]:
    """Return the results by game, of the games that have any."""
    fights = [fight for store in stores for fight in read_fights(store, game, catalogue)]
    _, imported = imported_tallies(stores, game)
    paid, results = paid_games(fights, imported, catalogue), {}
    for name in sorted({fight.game.name for fight in fights} | imported):
        played = [fight for fight in fights if fight.game.name == name]
        if played and played[0].game.seats > 2:
            raise UsageError(
                f"{name} is for more than two, and its results are no matrix: arena rate rates them"
            )
        merged, statements = merged_results(played, count_forfeits)
        singles, _ = imported_tallies(stores, name)
        if singles and name in paid:
            # An outcome says who got more, and not how much.
            games = counted(sum(tally.games for tally in singles.values()), "game")
            statements = (
                *statements,
                f"without {games} played elsewhere: their payoffs are unknown",
            )
            singles = {}
        is_chosen = any(fight.is_chosen for fight in played)
        seen = seen_in(merged, singles, is_chosen=is_chosen, as_payoffs=as_payoffs)
        if seen:
            results[name] = _Results(seen, (*statements, *imported_statements(singles)))
    return results


def _by_player(results: Mapping[str, _Results]) -> Evaluation:
    from arena.features.evaluate.answers import by_player  # here, for NumPy takes long to import
    from arena.stats.band import band_of

    if len(results) > 1:
        raise UsageError(
            f"the runs are of {', '.join(results)}: choose one with --game, or take each as a task"
            " with --by game"
        )
    ((game, result),) = results.items()
    names = result.players
    _check_number(names)
    pairs = [*combinations(range(len(names)), 2)]
    seen = {(i, j): result.seen.get((names[i], names[j])) for i, j in pairs}
    unplayed = [(names[i], names[j]) for (i, j), each in seen.items() if not each]
    open_ended = sum(not each.is_fixed for each in seen.values() if each)
    # Where results chose who meets, each two players could have met.
    entries = len(pairs) if open_ended else len(pairs) - len(unplayed)
    spans = {two: span_of([each], entries) for two, each in seen.items() if each}
    answers = by_player(names, band_of(len(names), spans), frozenset(spans))
    statements = (*result.statements, *_gaps(unplayed), *_watched(open_ended, "pairing"))
    return Evaluation(
        WAYS[0],
        (game,),
        *answers,
        error=ERROR,
        entries=entries,
        critical_value=round(critical_value(entries), 4),
        statements=statements,
    )


def _by_game(results: Mapping[str, _Results]) -> Evaluation:
    from arena.features.evaluate.answers import by_game
    from arena.features.evaluate.tasks import agents_of, band_of_tasks, task_scores

    if len(results) < 2:
        raise UsageError(
            f"--by game takes runs of two games or more, and these are of {next(iter(results))}"
        )
    names = agents_of({game: result.players for game, result in results.items()})
    _check_number(names)
    entries = len(names) * len(results)
    matrix = {game: task_scores(game, names, result.seen) for game, result in results.items()}
    open_ended = sum(
        not all(each.is_fixed for each in samples)
        for by_agent in matrix.values()
        for samples in by_agent
    )
    statements = dict.fromkeys(line for each in results.values() for line in each.statements)
    left_out = {name for each in results.values() for name in each.players} - {*names}
    if left_out:
        are = "is" if len(left_out) == 1 else "are"
        statements[
            f"{counted(len(left_out), 'player')} that did not play every game {are} left out"
        ] = None
    answers = by_game(names, [*results], band_of_tasks([*matrix.values()], entries))
    return Evaluation(
        BY_GAME,
        tuple(results),
        *answers,
        error=ERROR,
        entries=entries,
        critical_value=round(critical_value(entries), 4),
        statements=(*statements, *_watched(open_ended, "score")),
    )


def _check_number(names: Sequence[str]) -> None:
    if len(names) > MAX_EVALUATED_PLAYERS:
        raise UsageError(
            f"there are {len(names)} players, and arena evaluate takes {MAX_EVALUATED_PLAYERS} at"
            " most: arena rate rates them"
        )


def _gaps(unplayed: Sequence[NamePair]) -> list[str]:
    """Say which pairings are not known."""
    if not unplayed:
        return []
    named = [f"{a} and {b}" for a, b in unplayed[:MAX_NAMED_GAPS]]
    more = len(unplayed) - len(named)
    listed = ", ".join([*named, *([f"{more} more"] if more else [])])
    were = "pairing was" if len(unplayed) == 1 else "pairings were"
    return [
        f"{len(unplayed)} {were} never played ({listed}): the estimates take the score 1/2, and the"
        " intervals any from 0 to 1"
    ]


def _watched(number: int, thing: str) -> list[str]:
    if not number:
        return []
    have, its = (
        ("has a wider interval, which holds", "its")
        if number == 1
        else (
            "have wider intervals, which hold",
            "their",
        )
    )
    return [
        f"{counted(number, thing)} {have} at every look, because results may have ended or chosen"
        f" {its} games"
    ]
