"""Foreign text in a record does no harm, whatever the record is and wherever it goes out."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
import arena.features
from arena import escape
from arena.features.doctor.record import Attempt, Diagnosis
from arena.main import main
from arena.plugin.catalogue import Catalogue
from arena.records.base import Record, Tally
from arena.records.listings import Details
from arena.reports.page import HOMES, page
from arena.reports.plots import draw
from tests.reports.fixed import RECORDS
from tests.reports.html.markup import Page

#: A formula, a mark of direction, a surrogate, an escape of a terminal, markup, ends of blocks.
NASTY = (
    "=1|+\x1b[31m\x00\x7f\x9b\u202e\u2066\ud800\ufffe<script>`*_[a](b)\r\n# head\n```\n|x|\n---\n"
)

#: Fields whose texts are arena's own words, which pages look up.
WORDS = {
    "adjudicate", "columns", "count_forfeits", "decision", "engine", "estimate", "isolation",
    "keyed_by", "kind", "method", "model", "outcome", "p_value_test", "sampler", "schema",
    "score", "settings",
}  # fmt: skip

ALL: dict[str, Record] = {
    **RECORDS,
    "diagnosis": Diagnosis(
        (Attempt("locked", "reads a file", False, "it read it", "use bwrap", True),), ("locked",)
    ),
}


def nasty(thing: Any) -> Any:
    """Return the same thing with NASTY before every text, also before the keys of mappings."""
    if isinstance(thing, str) and not isinstance(thing, Enum):
        return NASTY + thing
    if is_dataclass(thing) and not isinstance(thing, type):
        own = {f.name: getattr(thing, f.name) for f in fields(thing) if f.init}
        changed = {key: nasty(value) for key, value in own.items() if key not in WORDS}
        for key, value in changed.items():
            # Keys of JSON stay.
            if isinstance(value, dict) and not isinstance(thing, Details):
                changed[key] = {NASTY + name: part for name, part in value.items()}
        return replace(thing, **changed)
    if isinstance(thing, tuple):
        made = [nasty(part) for part in thing]
        return type(thing)(*made) if hasattr(thing, "_fields") else tuple(made)
    if isinstance(thing, list):
        return [nasty(part) for part in thing]
    if isinstance(thing, dict):
        return {k: v if k in WORDS else nasty(v) for k, v in thing.items()}
    return thing


def texts(thing: Any) -> Iterator[str]:
    """Every text in a thing of JSON's types."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from texts(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from texts(value)


def without_fences(text: str) -> str:
    """Markdown less its fenced blocks, each of which ends where its own fence does."""
    lines, fence = [], ""
    for line in text.split("\n"):
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opened := re.match("(`{3,})text$", line):
            fence = opened[1]
        else:
            lines.append(line)
    assert not fence
    return "\n".join(lines)


def test_every_kind_of_record_is_here() -> None:
    for file in Path(str(arena.features.__file__)).parent.glob("*/page.py"):
        import_module(f"arena.features.{file.parent.name}.page")
    own = {kind.__name__ for kind in page.registry if kind.__module__.startswith("arena.features.")}
    assert own | set(HOMES) == {type(record).__name__ for record in ALL.values()}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("style", ["table", "markdown", "csv", "json"])
def test_nothing_that_a_terminal_obeys_comes_out(
    catalogue: Catalogue, name: str, style: str
) -> None:
    text = catalogue.reports.get(style)(nasty(ALL[name]))
    assert all(c.isprintable() or c == "\n" for c in text)
    text.encode()


@pytest.mark.parametrize("name", ALL)
def test_markdown_has_no_markup_of_others(catalogue: Catalogue, name: str) -> None:
    markdown = without_fences(catalogue.reports.get("markdown")(nasty(ALL[name])))
    assert not re.search(r"[<>]|(?<!\\)[`*_]|(?<!\\)\[", markdown)
    rows = [re.findall(r"(?<!\\)\|", line) for line in markdown.split("\n")]
    for line, bars in zip(markdown.split("\n"), rows, strict=True):
        assert not bars or (line.startswith("|") and line.endswith("|")), line
        assert not re.match(r"\s*(#|---|===)", line), line


@pytest.mark.parametrize("name", ALL)
def test_no_cell_is_a_formula(catalogue: Catalogue, name: str) -> None:
    text = catalogue.reports.get("csv")(nasty(ALL[name]))
    header, *rows = csv.reader(text.split("\n"))
    for row in rows:
        assert len(row) == len(header)
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "\t", "\r")), cell
            assert not cell.startswith("-") or next(map(Fraction, cell.split(" "))) < 0, cell


@pytest.mark.parametrize("name", ALL)
def test_json_keeps_the_text_as_it_is(catalogue: Catalogue, name: str) -> None:
    record = nasty(ALL[name])
    facts = json.loads(catalogue.reports.get("json")(record))
    assert facts == json.loads(json.dumps(record.as_json()))
    has_words = "empty" not in name and name != "volunteer-plan"  # which has numbers alone
    assert any(NASTY in text for text in texts(facts)) == has_words


@pytest.mark.parametrize("name", ALL)
def test_html_has_no_markup_of_others(catalogue: Catalogue, name: str) -> None:
    text = catalogue.reports.get("html")(nasty(ALL[name]))
    page = Page(text)
    assert page.elements["script"] == 1
    assert escape.line(text.replace("\n", "")) == text.replace("\n", "")
    assert not [key for _, key, _ in page.attributes if key.startswith("on")]
    assert "script-src 'sha256-" in str([value for _, key, value in page.attributes[:4]])


def test_junit_is_xml(catalogue: Catalogue) -> None:
    text = catalogue.reports.get("junit")(nasty(ALL["regression"]))
    suite = ElementTree.fromstring(text)[0]
    assert "<script>" not in text
    assert any("<script>" in (case.get("classname") or "") for case in suite)


@given(st.text(st.characters(exclude_categories=())))
def test_an_escape_prints_and_is_the_same_when_it_is_escaped_again(text: str) -> None:
    for escaped in (escape.line(text), escape.block(text)):
        assert escape.line(escape.line(text)) == escape.line(text)
        assert all(c.isprintable() or c in "\n\t" for c in escaped)
    assert escape.line(text).isprintable()
    assert json.loads(escape.json_text([text])) == json.loads(json.dumps([text]))
    assert text in escape.fenced(text) or not text.replace("\n", "").isprintable()


@pytest.mark.slow
def test_an_exception_of_a_player_is_one_line_that_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At its import and in a game, in a process of its own and without one."""
    kind = NASTY.translate(dict.fromkeys(map(ord, "\0\ud800")))  # which no class's name may have
    named = f"type({kind!r}, (Exception,), {{}})({NASTY!r})"
    at_import, in_game = tmp_path / "a.py", tmp_path / "b.py"
    at_import.write_text(f"raise {named}\n")
    in_game.write_text(f"def choose(position, rng):\n    raise {named}\n")
    written = tmp_path / "out.txt"
    for options in (["--isolation", "none"], ["--isolation", "process"]):
        for file in (at_import, in_game):
            main(["fight", str(file), "monkey", "-n", "1", *options, "--output", str(written)])
            shown = capsys.readouterr()
            parts = [shown.out, shown.err]
            if written.exists():
                parts.append(written.read_text(encoding="utf-8"))
            for text in parts:
                assert all(c.isprintable() or c == "\n" for c in text), text


def test_a_surrogate_of_a_report_of_a_plugin_is_written_as_its_escape(tmp_path: Path) -> None:
    from arena.files import write_atomically

    write_atomically(tmp_path / "x", "a\ud800b")
    assert (tmp_path / "x").read_bytes() == rb"a\ud800b"


def test_a_record_keeps_the_text_of_others() -> None:
    """The escapes are for what goes out."""
    table = arena.rate([arena.Result(NASTY, "b", Tally(1, 0, 1))])
    assert table.players[0].player == NASTY or table.players[1].player == NASTY


@pytest.mark.slow
def test_a_name_is_no_formula_in_a_plot() -> None:
    """Have matplotlib not read what stands between two dollars, where it fails."""
    pytest.importorskip("matplotlib")
    trained = nasty_names(ALL["trained-with-a-curve"], r"./$\frac$.py")
    picture = draw(trained, ".svg").decode()
    assert picture.count(r"$\frac$") == 3


def nasty_names(training: Any, name: str) -> Any:
    """Return the same with this name for who it is trained against, and for all who it plays."""
    curve = [replace(p, scores={name + k: v for k, v in p.scores.items()}) for p in training.curve]
    return replace(training, course=replace(training.course, against=name), curve=tuple(curve))
