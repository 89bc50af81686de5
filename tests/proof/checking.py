"""Check a certificate, and whether what is accepted is true."""

from __future__ import annotations

from fractions import Fraction

from arena.game import Side
from arena.plugin.manager import load_catalogue
from arena.proof.certificate_file import CertificateFile, parse_certificate
from arena.proof.checker import check_certificate
from tests.proof.certified import Json, truth

GAMES = load_catalogue()


def check(facts: object) -> CertificateFile:
    certificate = parse_certificate(facts, GAMES.game)
    check_certificate(certificate, 10**6)
    return certificate


def assert_true(facts: Json) -> None:
    """Every claim of a certificate is what recursion over all its lines finds."""
    game = GAMES.game(facts["game"])
    truths = [truth(facts, side, game) for side in Side]
    for side, true in zip(Side, truths, strict=True):
        side_facts = facts[side.name.lower()]
        assert side_facts["never_loses"] is true.never_loses
        assert side_facts["positions"] == true.positions
        assert side_facts["losing_line"] == true.losing_line
        assert side_facts["best_reply"] == str(true.best_reply)
    assert facts["never_loses"] is all(true.never_loses for true in truths)
    above = sum(true.best_reply for true in truths) / 2 - Fraction(1, 2)
    assert facts["exploitability"] == str(above)
