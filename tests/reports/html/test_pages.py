"""Records as pages: safe whatever the names are, usable without eyes, and true to the JSON."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.model.codec import decode
from arena.plugin.manager import load_catalogue
from arena.records.base import Record
from arena.records.reports import Report, ReportPart
from arena.reports.html.report import html
from tests.golden import Wording, kept
from tests.reports.fixed import RECORDS as FIXED
from tests.reports.html.markup import Page
from tests.samples import few

GOLDEN = Path(__file__).parent / "golden"

#: Fixed records whose pages are kept without style and script.
KEPT = (
    "entrant",
    "fight-in-trouble",
    "knockout",
    "regression",
    "sprt-fight",
    "tables",
    "tournament",
)

#: Names and messages that a page must not take for markup; the third turns text around.
HOSTILE = ("<script>alert(1)<script>", "\"'><img src=x onerror=alert(1)>", "evil\u202egnp.\x07")


@cache
def tournament() -> arena.records.TournamentResult:
    def broken(position: arena.Position, rng: object) -> int:
        raise ValueError(HOSTILE[0])

    result = arena.tournament(["monkey", "triples", broken], n=3, seed=1, keep_going=True)
    assert isinstance(result, arena.records.TournamentResult)
    return result


def renamed(record: Record) -> Record:
    """Return a tournament's record as a file has it, under hostile names."""
    facts = copy.deepcopy(record.as_json())
    text = json.dumps(facts)
    for name, hostile in zip(("monkey", "triples", "broken"), HOSTILE, strict=True):
        text = re.sub(rf'"{name}"(?!:)', lambda _: json.dumps(hostile), text)  # noqa: B023
    return decode(arena.records.TournamentResult, json.loads(text))


def played(**options: Any) -> arena.records.TournamentResult:
    return arena.tournament(["monkey", "triples", "tictactoe1"], seed=1, **options)


RECORDS: Mapping[str, Callable[[], Record]] = {
    "tournament": tournament,
    "swiss": lambda: played(schedule="swiss:2", n=1),
    "knockout": lambda: played(schedule="knockout", n=1),
    "best": lambda: played(until="best", margin=0.2),
    "fight": lambda: arena.fight("monkey", "triples", n=3, seed=1),
    "sprt": lambda: arena.sprt_fight("triples", "monkey", elo0=0, elo1=30, n=10, seed=1),
    "until": lambda: arena.until_fight("triples", "monkey", until="±20%", seed=1),
    "replay": lambda: arena.replay("tictactoe/monkey/triples/1/1.1"),
    "explanation": lambda: arena.explain("tictactoe/monkey/triples/1/1.1"),
    "exact": lambda: arena.exact("triples", "monkey"),
    "certificate": lambda: arena.certify("triples"),
    "refuted": lambda: arena.certify("monkey"),
    "players": arena.installed_players,
    "move": lambda: arena.move("triples", "____x____"),
    "tables": lambda: arena.table_tournament(
        ["monkey", "a=monkey", "b=monkey", "c=monkey"], 1, game="mnk-3-3-3-x3", seed=1
    ),
    "report": lambda: Report((ReportPart("a", tournament()), ReportPart("b", tournament()))),
}
each_record = pytest.mark.parametrize("name", few(RECORDS, 8))


@cache
def page_of(name: str) -> str:
    return html(RECORDS[name]())


@pytest.mark.parametrize("name", KEPT)
def test_a_page_is_what_it_was(name: str) -> None:
    [main] = re.findall(r"<main.*</main>\n", html(FIXED[name]), flags=re.DOTALL)
    assert main == kept(GOLDEN / f"{name}.html", main)


@pytest.mark.slow
@each_record
def test_a_page_needs_nothing_from_elsewhere(name: str) -> None:
    page = Page(page_of(name))
    # What is shown as text may name an address; nothing else of the page may.
    others = [value or "" for _, _, value in page.attributes] + list(page.raw.values())
    assert not [text for text in others if re.search(r"https?:(?!//www\.w3\.org/2000/svg)", text)]
    assert page.elements.keys().isdisjoint({"link", "iframe", "object", "embed", "base"})
    pictures = [value or "" for _, key, value in page.attributes if key == "src"]
    assert all(address.startswith("data:image/svg+xml;base64,") for address in pictures)
    links = [value or "" for _, key, value in page.attributes if key in ("href", "action")]
    assert all(link.startswith("#") for link in links)
    assert not [key for _, key, _ in page.attributes if key.startswith("on")]


@pytest.mark.slow
@each_record
def test_only_the_script_of_arena_may_run(name: str) -> None:
    page = Page(page_of(name))
    [policy] = [v or "" for tag, key, v in page.attributes if (tag, key) == ("meta", "content")][:1]
    digest = base64.b64encode(sha256(page.raw["script"].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    games = [value for tag, key, value in page.attributes if (tag, key) == ("script", "id")]
    assert games == ["games"] * (name in ("replay", "explanation"))
    assert page.elements["script"] == 1 + len(games)
    assert len(page.raw["script"]) < 30_000


@pytest.mark.slow
@each_record
def test_tables_are_tables_with_headers_that_say_of_what(name: str) -> None:
    page = Page(page_of(name))
    for table in page.tables:
        assert all(header.get("scope") for header in table.headers)
        assert all(text for kind, text in table.rows[0] if kind == "th")
        assert len({len(row) for row in table.rows if len(row) > 1}) == 1
    assert page.elements["h1"] == page.elements["main"] == 1
    identities = [value for _, key, value in page.attributes if key == "id"]
    assert len(identities) == len(set(identities))


@pytest.mark.slow
def test_a_lost_line_is_shown_as_boards() -> None:
    certificate = RECORDS["refuted"]()
    assert isinstance(certificate, arena.records.Certificate)
    page = Page(page_of("refuted"))
    addresses = [value or "" for tag, key, value in page.attributes if (tag, key) == ("img", "src")]
    drawn = [base64.b64decode(address.partition(",")[2]).decode() for address in addresses]
    lines = [certificate.first.losing_line or (), certificate.second.losing_line or ()]
    position = arena.get_game("tictactoe").start()
    for step in lines[0]:
        move = position.game.parse_move(step.move)
        position = position.play(move)
        assert drawn.pop(0) == position.svg(last=move)
    assert len(drawn) == len(lines[1])
    assert all(value for tag, key, value in page.attributes if (tag, key) == ("img", "alt"))
    assert page.elements["pre"] == 0


def test_an_exact_result_has_its_lost_lines_as_boards(wording: Wording) -> None:
    record = RECORDS["exact"]()
    assert isinstance(record, arena.records.ExactResult)
    page = Page(page_of("exact"))
    addresses = [value or "" for tag, key, value in page.attributes if (tag, key) == ("img", "src")]
    drawn = [base64.b64decode(address.partition(",")[2]).decode() for address in addresses]
    assert drawn == [step.svg for line in record.losing_lines for step in line.moves]
    wording.line(page_of("exact"), "<h2>", "monkey")


def test_a_sequential_test_has_its_path() -> None:
    record = RECORDS["sprt"]()
    assert isinstance(record, arena.records.SprtFight)
    pairs, ratio = record.path[-1]
    assert (pairs, ratio) == (record.fight.pairs, record.test.llr)
    matches = re.findall(r'<path class="line0" d="M([^"]*)"', page_of("sprt"))
    assert [len(path.split()) for path in matches] == [2 + 2 * len(record.path)]


def test_names_are_texts_whatever_they_are() -> None:
    text = html(renamed(tournament()))
    page = Page(text)
    assert page.elements["img"] == 0
    assert page.elements["script"] == 1
    assert not re.search("[\u202e\x07]", text)
    names = [row["player"] for row in page.table_with("rank")]
    assert sorted(names) == sorted([*HOSTILE[:2], "evil\\u202egnp.\\x07"])
    assert HOSTILE[0] in page.text  # the message of a forfeit


def test_the_standings_are_those_of_the_json() -> None:
    record = tournament().as_json()
    rows = Page(page_of("tournament")).table_with("rank")
    ratings = {row["player"]: row["elo"] for row in record["ratings"]["players"]}
    assert [row["player"] for row in rows] == [row["player"] for row in record["standings"]]
    for row, standing in zip(rows, record["standings"], strict=True):
        for key in ("wins", "draws", "losses"):
            assert int(row[key]) == standing[key]
        assert row["score"] == f"{100 * standing['score']:.2f} %"
        elo = ratings[row["player"]]["value"]
        assert float(row["Elo"].replace("\u2212", "-")) == pytest.approx(elo, abs=0.51)


def test_every_pairing_has_its_pairs_and_its_interval() -> None:
    result = tournament()
    rows = Page(page_of("tournament")).table_with("LL")
    for row, fight in zip(rows, result.fights, strict=True):
        assert (row["A"], row["B"]) == fight.players
        pairs = tuple(int(row[key]) for key in ("LL", "LD", "DD or WL", "WD", "WW"))
        assert pairs == fight.pentanomial
        assert re.fullmatch(r"[\d.]+ to [\d.]+ %, fixed n", row["95 % interval"])


def test_forfeits_have_their_reasons() -> None:
    rows = Page(page_of("tournament")).table_with("games by reason")
    assert {row["player"] for row in rows} == {"broken"}
    assert all(row["games by reason"] == "exception 6" for row in rows)


def test_players_who_cannot_be_compared_stand_apart() -> None:
    record = tournament().as_json()
    for place, row in enumerate(record["ratings"]["players"]):
        row["group"] = 1 + place // 2
    page = Page(html(decode(arena.records.TournamentResult, json.loads(json.dumps(record)))))
    assert "Group 1" in page.text
    assert "Group 2" in page.text


def test_a_game_is_shown_with_its_blunders() -> None:
    record = RECORDS["explanation"]()
    assert isinstance(record, arena.records.Explanation)
    text = page_of("explanation")
    [packed] = re.findall(r'<script id="games" type="text/plain">([^<]*)', text)
    [run] = json.loads(gzip.decompress(base64.b64decode(packed)))["runs"]
    [game] = run["fights"][0]["games"]
    assert game[3].split() == [move.move for move in record.moves]
    worths = [run["worths"][int(at)] for at in game[8].split()]
    plies = {ply for ply, message in enumerate(worths, 1) if message.startswith("?? gives ")}
    assert plies == {number for number, _ in record.blunders}
    assert plies
    assert 'data-open="#g/1/1"' in text
    assert "---+---" not in text


def test_html_is_a_format_like_the_others() -> None:
    report = load_catalogue().reports.get("html")
    assert report(RECORDS["fight"]()) == page_of("fight")


@pytest.mark.parametrize(
    ("name", "shown", "hidden"),
    few(
        [
            ("best", (">value</th>", "<h2>Answer</h2>", "best: "), "The line on the right"),
            ("swiss", (">buchholz</th>", "<h2>Rounds</h2>", "(bye)", "95 % interval"), "Answer"),
            ("knockout", (">out in</th>", "<h2>Rounds</h2>", "<pre>monkey"), "Answer"),
        ]
    ),
)
def test_a_tournament_shows_what_its_schedule_goes_by(
    name: str, shown: tuple[str, ...], hidden: str
) -> None:
    page = page_of(name)
    assert [text for text in shown if text not in page] == []
    assert hidden not in page
