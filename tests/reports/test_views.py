"""Records as Python and notebooks see them: a text, a part of a page, a table, figures."""

from __future__ import annotations

import csv
import io
import re
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot

import arena
from arena.errors import UsageError
from arena.features.rate.function import Result
from arena.plugin.catalogue import Catalogue
from arena.records.base import Tally
from arena.records.joint import Joint
from arena.reports import frames
from arena.reports.page import has_page
from arena.reports.plots import figures_of
from tests.golden import Wording
from tests.reports.fixed import RECORDS
from tests.reports.html.markup import Page
from tests.reports.played import a_fight
from tests.reports.test_foreign import ALL, nasty

#: Kinds of records that no command prints.
PARTS = {
    "Agreement", "Choice", "ContestRow", "ContestStandings", "CopiedPart",
    "ExportedFight", "ExportedGame", "ExportedRun", "GameResult", "Leaderboard",
    "LeaguePairing", "LeagueRow", "Method", "Progress",
    "ProvedClaim",
    "Record", "Run", "Spending", "StepRow", "TableResult", "Tally", "UntilReport", "WalkedSide",
    "Watched", "WatchedGame", "WatchedPlayer",
}  # fmt: skip


def kinds() -> dict[str, type]:
    """Return every kind of record that is exported."""
    result = {name: getattr(arena.records, name) for name in arena.records.__all__}
    return {n: k for n, k in result.items() if isinstance(k, type)}


def test_every_exported_record_has_a_page_or_is_a_part_of_one() -> None:
    assert {name for name, kind in kinds().items() if not has_page(kind)} == PARTS


@pytest.mark.parametrize("name", ALL)
def test_str_is_the_table_of_the_command(catalogue: Catalogue, name: str) -> None:
    table = catalogue.reports.get("table")(ALL[name])
    assert str(ALL[name]) == re.sub(r"(\n\n|\n)\d+ more lines? with -v$", "", table)
    assert all(c.isprintable() or c == "\n" for c in str(nasty(ALL[name])))


def test_a_part_of_a_record_shows_its_fields() -> None:
    tally = Tally(1, 2, 3)
    assert str(tally) == repr(tally) == "Tally(wins=1, draws=2, losses=3)"
    assert tally._repr_html_() is None


@pytest.mark.parametrize("name", ALL)
def test_repr_is_one_line_that_names_the_record(name: str) -> None:
    for record in (ALL[name], nasty(ALL[name])):
        line = repr(record)
        assert type(record).__name__ in line
        assert line.isprintable()
        assert len(line) <= 100


def test_the_line_of_a_result_has_its_headline() -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    assert repr(fight) == f"<FightResult {fight.headline}>"
    assert repr(fight.a).startswith("PlayerResult(name='anna', isolation='none', ")
    tournament: Any = RECORDS["tournament"]
    best = tournament.standings[0]
    assert f": {best.player} {100 * best.tally.score:.2f} %" in repr(tournament)


@pytest.mark.parametrize("name", ALL)
def test_dir_fits_on_a_screen(name: str) -> None:
    assert {"as_json", "save"} <= set(dir(ALL[name]))
    assert len(dir(ALL[name])) <= 34
    assert all(hasattr(ALL[name], attribute) for attribute in dir(ALL[name]))


def test_dir_lists_what_users_read() -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    methods = {"as_json", "plot", "save", "to_csv", "to_dataframe"}
    assert methods | {"score", "total", "headline", "players"} <= set(dir(fight))
    assert len(dir(fight)) <= 30
    assert all(hasattr(fight, name) for name in dir(fight))
    assert methods | {"scores", "standings"} <= set(dir(RECORDS["tournament"]))


def test_a_result_has_the_score_of_its_table() -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    assert fight.score == fight.total.score == 0.5
    exact: Any = RECORDS["exact"]
    assert exact.score == exact.total.score
    tournament: Any = RECORDS["tournament"]
    assert list(tournament.scores) == [row.player for row in tournament.standings]


@pytest.mark.parametrize(
    ("file", "first"),
    [("a.json", '{"schema": "arena.fight/1"'), ("a.csv", "a_moves,a,b,games"), ("a", "Draw: 4")],
)
def test_save_writes_the_format_of_the_ending(tmp_path: Path, file: str, first: str) -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    for path in (tmp_path / file, str(tmp_path / file)):
        fight.save(path)
        assert (tmp_path / file).read_text().startswith(first)
    fight.save(tmp_path / file, "")
    assert len(list(tmp_path.iterdir())) == 1


def test_to_csv_returns_the_rows_and_writes_them() -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    header, *rows = csv.reader(io.StringIO(fight.to_csv()))
    assert header[:3] == ["a_moves", "a", "b"]
    assert len(rows) == 3


def test_to_csv_writes_a_file_of_any_ending(tmp_path: Path) -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    assert fight.to_csv(tmp_path / "a.txt") + "\n" == (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize(
    ("path", "file_format"),
    [("a.xyz", ""), ("a.csv", "json"), ("a", "nope"), ("no/a.csv", ""), (3, ""), ("a.csv", 3)],
)
def test_what_cannot_be_saved_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Any, file_format: Any, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    with wording.raises(UsageError, match=r"^[^\n]+$"):
        RECORDS["fight"].save(path, file_format)
    assert [*tmp_path.iterdir()] == []


def test_a_part_that_no_command_prints_has_no_rows() -> None:
    with pytest.raises(UsageError, match="as_json"):
        Tally().to_csv()


@pytest.mark.parametrize("figure", ["rating", "ratings", "curve", "zzz"])
def test_a_figure_of_other_records_names_them(figure: str, wording: Wording) -> None:
    with wording.raises(UsageError) as refused:
        RECORDS["fight"].plot(figure)
    names = {"rating": "TournamentResult, RatingTable", "curve": "Training"}
    assert names.get(figure.removesuffix("s"), "results") in str(refused.value)


def test_a_record_of_a_plugin_prints_as_its_page() -> None:
    class Mine(arena.records.Record):
        pass

    mine = Mine()
    assert str(mine) == repr(mine) == "Mine()"
    arena.plugin.page.register(Mine, lambda _: ["mine"])
    assert str(mine) == "mine"


@pytest.mark.parametrize("name", ALL)
def test_html_is_one_element_without_scripts_and_markup_of_others(name: str) -> None:
    text = nasty(ALL[name])._repr_html_()
    page = Page(text)
    assert text.startswith('<div class="arena-record">')
    assert page.elements["style"] == 1
    assert not page.elements.keys() & {"html", "body", "script", "h1", "h2"}
    assert not [key for _, key, _ in page.attributes if key.startswith("on")]
    for _, key, value in page.attributes:
        if key == "srcdoc":
            assert Page(str(value)).elements["script"] == 1  # arena's own, in its frame
            assert ("iframe", "sandbox", "allow-scripts") in page.attributes


def test_no_rule_of_the_style_reaches_beyond_the_fragment() -> None:
    style = Page(str(RECORDS["fight"]._repr_html_())).raw["style"]
    assert style.startswith(".arena-record.arena-record.arena-record{")
    depths = [0]
    for letter in style:
        depths.append(depths[-1] + {"{": 1, "}": -1}.get(letter, 0))
    assert depths.count(0) == len(re.match("[^{]*", style)[0]) + 2  # type: ignore[index]
    assert not re.search(r"[{}](:root|html|body)\{(?!max)", style.replace("body{", "body{max"))


def as_number(cell: Any) -> float | str:
    """Return the number that a cell has, else its text; neither for no value."""
    text = "" if cell is None or cell != cell else str(cell)
    try:
        return float(Fraction(text))
    except ValueError:
        return text


@pytest.mark.needs("pandas")
@pytest.mark.outside
@pytest.mark.parametrize("name", RECORDS)
def test_a_table_of_pandas_has_the_numbers_of_csv(catalogue: Catalogue, name: str) -> None:
    record = RECORDS[name]
    table = record.to_dataframe()
    if frames.tidy.dispatch(type(record)) is frames.tidy.dispatch(object):
        header, *rows = csv.reader(io.StringIO(catalogue.reports.get("csv")(record)))
        assert list(table.columns) == header
        for row, result in zip(rows, table.itertuples(index=False), strict=True):
            plain = [cell.removeprefix("'") for cell in row]
            assert [*map(as_number, result)] == pytest.approx([*map(as_number, plain)])


@pytest.mark.needs("pandas")
@pytest.mark.outside
def test_tables_are_tidy_and_their_numbers_are_numbers() -> None:
    curve = RECORDS["trained-with-a-curve"].to_dataframe()
    assert list(curve.columns) == ["games", "opponent", "score"]
    points = RECORDS["trained-with-a-curve"].as_json()["curve"]
    assert len(curve) == sum(len(point["scores"]) for point in points)
    for record, column in (("exact", "win"), ("fight", "score"), ("history", "score")):
        assert RECORDS[record].to_dataframe()[column].dtype.kind == "f"
    one = Tally(1, 2, 3).to_dataframe()
    assert one.to_dict("records") == [{"wins": 1, "draws": 2, "losses": 3}]


@pytest.mark.parametrize(
    ("library", "method", "extra"),
    [("pandas", "to_dataframe", "notebook"), ("matplotlib", "plot", "plot")],
)
def test_without_its_library_a_record_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, library: str, method: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=rf" {library}: pip install 'proving-arena\[{extra}\]'"):
        getattr(RECORDS["fight"], method)()


#: A record for each figure of each kind.
DRAWN = {
    (type(record), figure): name for name, record in ALL.items() for figure in figures_of(record)
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "figure"), [(name, key[1]) for key, name in DRAWN.items()])
def test_every_figure_is_drawn_with_the_names_as_they_are(name: str, figure: str) -> None:
    pyplot.switch_backend("agg")
    nasty(ALL[name]).plot(figure)
    drawn = pyplot.gcf()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # of scripts that the font lacks
        drawn.canvas.draw()
    pyplot.close(drawn)


def test_a_cross_table_has_the_scores_of_the_fights() -> None:
    tournament: Any = RECORDS["tournament"]
    axes = tournament.plot("cross-table")
    cells = axes.images[0].get_array()
    names = [standing.player for standing in tournament.standings]
    for fight in tournament.fights:
        a, b = map(names.index, fight.players)
        assert cells[a, b] == pytest.approx(100 * fight.total.score)
        assert cells[a, b] + cells[b, a] == pytest.approx(100)
    pyplot.close()


def test_the_parts_of_a_bar_are_the_results() -> None:
    fight = a_fight("anna", "bert", joint=Joint(ww=1, dd=2, ll=1))
    axes = fight.plot("results")
    widths = [[bar.get_width() for bar in part] for part in axes.containers]
    assert widths == [[25] * 3, [50] * 3, [25] * 3]
    pyplot.close()


@pytest.mark.slow
def test_the_path_of_a_test_is_what_the_test_says_of_the_pairs_so_far() -> None:
    played = arena.sprt_fight("heuristic", "monkey", 100, elo0=100, elo1=150, seed=3, workers=1)
    looks = [pairs for pairs, _ in played.path]
    assert looks == [*range(10, played.fight.pairs + 1, 10)]
    assert played.path[-1] == (played.fight.pairs, played.test.llr)
    for pairs, llr in played.path[:2]:
        so_far = arena.fight("heuristic", "monkey", pairs, seed=3, engine="calls").pentanomial
        assert arena.sprt(so_far, elo0=100, elo1=150).llr == pytest.approx(llr)
    assert played.as_json()["sprt"]["path"] == [list(look) for look in played.path]
    axes: Any = played.plot()
    assert list(axes.lines[0].get_xdata()) == [0, *looks]
    pyplot.close()


def test_a_figure_goes_where_it_is_told() -> None:
    figure, both = pyplot.subplots(ncols=2)
    assert RECORDS["fight"].plot(ax=both[1]) is both[1]
    pyplot.close(figure)


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("tournament", "rating"),
        ("listing", ""),
        ("history-of-nothing", ""),
    ],
)
def test_a_figure_that_is_not_there_is_told(name: str, figure: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        RECORDS[name].plot(figure)


def test_checkpoints_have_a_figure_of_their_ratings_over_steps(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(
        "a,b,wins,draws,losses\nnet-500,net-1000,10,20,70\nnet-1000,net-20000,30,20,50\n"
        "net-20000,fish,5,10,85\n"
    )
    table = arena.rate(file, anchor=("fish", 3600))
    axes: Any = table.plot("steps")
    line = axes.get_lines()[0]
    assert list(line.get_xdata()) == [500, 1000, 20000]
    elos = {row.player: row.elo.value for row in table.players}
    assert list(line.get_ydata()) == [elos["net-500"], elos["net-1000"], elos["net-20000"]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["net-N"]
    assert 3600 in {end for line in axes.get_lines() for end in line.get_ydata()}
    pyplot.close()


def test_ratings_without_checkpoints_have_no_steps() -> None:
    assert "steps" not in figures_of(arena.rate([Result("anna", "bert", Tally(1, 2, 3))]))
