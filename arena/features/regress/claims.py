"""Check the claims of players: prove them by walking every line, or bound them by games."""

from __future__ import annotations

from dataclasses import replace

from arena.dataclass import dataclass
from arena.features.regress.record import ClaimCheck, LostLine, RegressionVerdict
from arena.features.regress.series import SeriesPairs
from arena.fights.pairing import Pairing
from arena.game import Game
from arena.records.commands import command_line
from arena.records.proofs import Agreement, Certificate, SideCertificate
from arena.stats.binomial import loss_bound

#: Pairs that bound a claim, over the whole panel; half of them with --quick.
CLAIM_PAIRS = 500

_CLAIM = "never-loses:"


def game_of(claim: str) -> str | None:
    """Return the game of a claim, or None for an unknown claim."""
    return claim.removeprefix(_CLAIM) if claim.startswith(_CLAIM) else None


def prove(certificate: Certificate, game: Game, claim: str) -> ClaimCheck:
    """Return whether the player of the certificate never loses, by every line of its table.

    A player that has played real games otherwise than its table says has proved nothing.
    """
    positions = certificate.first.positions + certificate.second.positions
    agreement = certificate.agreement
    check = ClaimCheck(
        certificate.player,
        game.name,
        claim,
        RegressionVerdict.HOLDS,
        f"every line was walked, {positions} positions",
        "proof",
        positions=positions,
        games=0 if agreement is None else agreement.games,
    )
    if agreement is not None and not agreement.holds:
        return replace(check, verdict=RegressionVerdict.BROKEN, message=otherwise(agreement))
    if certificate.never_loses:
        agree = f"; {check.games} real games agree" * bool(check.games)
        return replace(check, message=check.message + agree)
    name, side = _shortest_loss(certificate)
    assert side.losing_line is not None
    line = LostLine(name, side.losing_line, command_line("certify", check.player, game=game.name))
    message = f"it loses moving {name}, by {line.moves}"
    return replace(check, verdict=RegressionVerdict.BROKEN, message=message, line=line)


def otherwise(agreement: Agreement) -> str:
    """Return the message about a player that refuted its table by its own games."""
    return f"did not play as certified: {agreement.refutation}"


def _shortest_loss(certificate: Certificate) -> tuple[str, SideCertificate]:
    sides = {"first": certificate.first, "second": certificate.second}
    losing = {name: side for name, side in sides.items() if side.losing_line is not None}
    return min(losing.items(), key=lambda item: len(item[1].losing_line or ()))


@dataclass(frozen=True)
class Bound:
    """Games that bound a claim in the place of a proof."""

    #: The claim, with the reason why it cannot be proved.
    unproved: ClaimCheck
    pairings: tuple[Pairing, ...]

    def is_decided(self, played: SeriesPairs) -> bool:
        """Return whether a game was lost: one loss is enough."""
        return played.first_lost() is not None

    def conclude(self, played: SeriesPairs) -> ClaimCheck:
        """Return a broken claim after a loss, else a bound of its loss rate."""
        games = played.games
        check = replace(
            self.unproved,
            verdict=RegressionVerdict.FAULT,
            message=played.failure,
            method="",
            games=games,
        )
        lost = played.first_lost()
        if lost is None and played.failure:
            return check
        check = replace(check, method="games")
        if lost is not None:
            line = played.line(*lost)
            message = f"it lost to {played.opponent(lost[0])}, by {line.moves}"
            return replace(check, verdict=RegressionVerdict.BROKEN, message=message, line=line)
        bound = loss_bound(games)
        message = (
            f"not proved ({self.unproved.message}), but no loss in {games} games: at 95 %, it"
            f" loses less than {100 * bound:.2f} % against this panel"
        )
        return replace(check, verdict=RegressionVerdict.BOUNDED, message=message, loss_bound=bound)
