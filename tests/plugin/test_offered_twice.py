"""Names that two plugins offer: they are refused, and both plugins are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arena
from arena.errors import AmbiguousName, did_you_mean
from arena.plugin.manager import DISABLE, load_catalogue
from tests.conftest import Run
from tests.golden import Wording
from tests.plugin.sites import Site, check_the_rest, names, offering, the_broken


def test_a_player_of_two_distributions_is_refused_and_both_are_named(site: Site, run: Run) -> None:
    site.install("twin-a", "twin_a", "1.5", twin_a=offering("twin", "only-a"))
    site.install("twin-b", "twin_b", "2.5", twin_b=offering("twin", "only-b"))
    catalogue = load_catalogue()
    with pytest.raises(AmbiguousName) as caught:
        catalogue.player("twin")
    assert "twin-a 1.5" in str(caught.value)
    assert "twin-b 2.5" in str(caught.value)
    assert "twin" not in names(catalogue)
    assert {"only-a", "only-b"} <= names(catalogue)
    assert the_broken(catalogue).error == str(caught.value)
    check_the_rest(catalogue)
    ran = run("fight", "twin", "monkey")
    assert (ran.code, ran.out, ran.err) == (2, "", f"arena: {caught.value}\n")
    ran = run("fight", "twin-a:twin", "twin-b:twin", "-n", "1")
    assert (ran.code, ran.err) == (0, "")
    assert "twin-a:twin" in ran.out
    listed = json.loads(run("players", "--format", "json").out)["players"]
    assert "twin" not in {player["name"] for player in listed}


@pytest.mark.slow
def test_a_plugin_cannot_pass_for_a_built_in_player(site: Site, run: Run) -> None:
    site.install("impostor", "impostor", impostor=offering("monkey"))
    catalogue = load_catalogue()
    assert catalogue.player("monkey").package == "proving-arena"
    impostor = catalogue.player("impostor:monkey")
    assert (impostor.name, impostor.package) == ("impostor:monkey", "impostor")
    assert "write impostor:monkey" in the_broken(catalogue).error
    ran = run("fight", "impostor:monkey", "monkey", "-n", "2", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    loss, *_ = [line for line in ran.out.splitlines() if " arena replay " in line]
    again = run(*loss.partition("arena ")[2].split())
    assert (again.code, again.err) == (0, "")
    assert "impostor:monkey" in run("plugins").out + run("players").out


def test_a_file_without_the_name_that_it_offers_is_named(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wording: Wording,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("late.py").write_text(f"import arena\n{offering('monkey')}")
    assert run("-p", "./late.py", "fight", "lms", "triples", "-n", "1").code == 0
    assert caplog.messages == []
    assert run("-p", "./late.py", "fight", "monkey", "triples", "-n", "1").code == 0
    (message,) = caplog.messages
    wording(message, "'monkey'", "proving-arena", "./late.py")


def test_a_player_that_a_distribution_does_not_have_gets_the_nearest(site: Site, run: Run) -> None:
    site.install("boxes", "boxes", boxes=offering("greedy"))
    ran = run("fight", "boxes:greddy", "monkey")
    assert (ran.code, ran.out) == (2, "")
    assert f"'greddy'{did_you_mean('greddy', ['greedy'])}" in ran.err


def test_options_stand_after_the_name_in_a_distribution(site: Site) -> None:
    assert load_catalogue().player("proving-arena:minimax:depth=3").name.endswith("depth=3")


def test_leaving_one_of_two_out_gives_the_name_to_the_other(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.install("twin-a", "twin_a", twin_a=offering("twin"))
    site.install("twin-b", "twin_b", twin_b=offering("twin"))
    monkeypatch.setenv(DISABLE, "twin_a")
    assert load_catalogue().player("twin").package == "twin-b"
    monkeypatch.setenv(DISABLE, "twin_b")
    assert load_catalogue().player("twin").package == "twin-a"


@pytest.mark.parametrize(
    ("hook", "register", "option"),
    [
        ("arena_register_games", "lambda: None", "--game"),
        ("arena_register_executors", "lambda workers: None", "--executor"),
        ("arena_register_reports", "str", "--format"),
    ],
)
def test_other_names_that_two_offer_are_refused_as_well(
    site: Site, run: Run, hook: str, register: str, option: str
) -> None:
    code = f"@arena.hookimpl\ndef {hook}(register): register('twin', {register})\n"
    site.install("twin-a", "twin_a", twin_a=code)
    site.install("twin-b", "twin_b", twin_b=code)
    broken = the_broken(load_catalogue())
    assert "twin-a 1.0 and by twin-b 1.0" in broken.error
    if option != "--game":
        ran = run("fight", "monkey", "monkey", option, "twin")
        assert (ran.code, ran.err.splitlines()[-1]) == (2, f"arena: {broken.error}")
    check_the_rest(load_catalogue())


def test_a_game_that_two_distributions_offer_is_refused(site: Site) -> None:
    code = """
        from arena.games.mnk import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("twin-{n}", lambda n: mnk_game(n, n, n))
        """
    site.install("twin-a", "twin_a", twin_a=code)
    site.install("twin-b", "twin_b", twin_b=code)
    with pytest.raises(AmbiguousName, match="twin-a"):
        arena.get_game("twin-3")


def test_a_game_of_arenas_keeps_its_name(site: Site) -> None:
    code = """
        from arena.games.mnk import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("mnk-{a}-{b}-{c}", lambda *numbers: mnk_game(1, 1, 1))
        """
    site.install("impostor", "impostor", impostor=code)
    assert arena.get_game("mnk-5-4-4").name == "mnk-5-4-4"


def test_two_distributions_with_one_plugin_name_are_both_loaded(site: Site) -> None:
    site.install("same-a", "same = arena_test_sa", sa=offering("from-a"))
    site.install("same-b", "same = arena_test_sb", sb=offering("from-b"))
    catalogue = load_catalogue()
    assert {"from-a", "from-b"} <= names(catalogue)
    assert catalogue.broken == []
    loaded = [info for info in catalogue.plugins if info.package.startswith("same-")]
    assert len({info.name for info in loaded}) == 2
    assert all("same" in info.name for info in loaded)


def test_two_plugins_of_one_name_are_told_apart_when_one_fails(site: Site) -> None:
    site.install("same-a", "same = arena_test_sa", sa=offering("from-a"))
    site.install("same-b", "same = arena_test_sb", sb="1 / 0")
    catalogue = load_catalogue()
    assert the_broken(catalogue).package == "same-b"
    assert "from-a" in names(catalogue)


def test_two_plugins_of_one_object_do_no_harm(site: Site) -> None:
    site.install("echo", "echo, echo2 = arena_test_echo", echo=offering("echo"))
    catalogue = load_catalogue()
    assert catalogue.player("echo").package == "echo"
    check_the_rest(catalogue)


def test_an_unknown_name_tells_which_plugin_was_left_out(site: Site, run: Run) -> None:
    site.install("boxes", "boxes", boxes="1 / 0")
    for words in (
        ["census"],
        ["fight", "boxbot", "monkey"],
        ["move", "monkey", "_", "--game=b"],
    ):
        ran = run(*words)
        assert ran.code == 2
        assert "; boxes " in ran.err.splitlines()[-1]
    ran = run("plugins", "boxes")
    assert (ran.code, ran.out) == (2, "")
    assert "plugin 'boxes' " in ran.err


def test_a_plugin_that_was_left_out_goes_by_its_distribution_too(site: Site, run: Run) -> None:
    site.install("arena-broken", "boxes = arena_test_boxes", boxes="1 / 0")
    for name in ("boxes", "arena-broken"):
        ran = run("plugins", name)
        assert (ran.code, ran.out) == (2, "")
        assert "plugin 'boxes' " in ran.err.splitlines()[-1]
    ran = run("plugins", "crates")
    assert ran.code == 2
    assert "unknown plugin 'crates'" in ran.err.splitlines()[-1]
    assert "; boxes " in ran.err.splitlines()[-1]
