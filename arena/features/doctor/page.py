"""Lay out the self-test of the isolation tiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from arena.features.doctor.record import Attempt, Diagnosis
from arena.reports.cells import Tone, TonedText
from arena.reports.page import Fine, Note, Page, Rows, Table, flat, page


@page.register
def _diagnosis_page(diagnosis: Diagnosis) -> Page:
    tiers = list(dict.fromkeys(attempt.tier for attempt in diagnosis.attempts))
    attempts = {(attempt.name, attempt.tier): attempt for attempt in diagnosis.attempts}
    names = list(dict.fromkeys(attempt.name for attempt in diagnosis.attempts))
    rows = [[name, *(_word(attempts.get((name, tier))) for tier in tiers)] for name in names]
    strongest = diagnosis.available[-1] if diagnosis.available else "none"
    verdict = f"Untrusted players play in tier {strongest} here"
    troubles = [
        line
        for a in diagnosis.attempts
        if a.promised and not a.refused
        for line in (f"{a.tier}: {a.name}: {a.detail}", a.fix)
        if line
    ]
    if diagnosis.is_strong:
        usual = f"they do so by default; --require-isolation {strongest} insists"
        advice = [usual if troubles else f"nothing is to be done: {usual}"]
    else:
        verdict += ", which does not stop anything: use it only for code that you trust"
        advice = []
    if "process" in tiers:
        advice.append("tier process limits time and memory alone, for code that you trust")
    return [
        TonedText(verdict, Tone.GOOD if diagnosis.is_strong else Tone.BAD),
        *map(Note, troubles),
        *map(Note, advice),
        *([Note(f"this arena is {diagnosis.build}")] if diagnosis.build else []),
        Table(["attempt", *tiers], rows),
        *_modules(diagnosis.modules),
        *(Fine(f"{a.tier}: {a.name}: {a.detail}") for a in diagnosis.attempts + diagnosis.modules),
    ]


def _modules(attempts: Sequence[Attempt]) -> Page:
    """Say how modules are walled in. Without wasmtime the first attempt says what installs it."""
    if not attempts:
        return []
    first = attempts[0]
    if not first.refused and first.fix:
        return [Note(first.detail)]
    rows = [[attempt.name, _word(attempt)] for attempt in attempts]
    return [Table(["attempt of a WebAssembly module", "wasm"], rows)]


def _word(attempt: Attempt | None) -> str:
    if attempt is None:
        return "-"
    if attempt.refused:
        return TonedText("ok", Tone.GOOD)
    return TonedText("FAILS", Tone.BAD) if attempt.promised else "not stopped"


@flat.register
def _diagnosis_rows(diagnosis: Diagnosis) -> Rows:
    header = ["tier", "name", "refused", "promised", "detail", "fix"]
    return [header, *([asdict(attempt)[key] for key in header] for attempt in diagnosis.attempts)]
