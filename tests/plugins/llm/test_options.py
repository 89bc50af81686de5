"""The options of a model: each is read, and a wrong one is refused in one line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.inputs.resolve import get_player
from arena.plugins.llm.options import MODEL_OPTIONS, read_llm_options
from tests.conftest import Run
from tests.golden import Wording

URL = "http://127.0.0.1:9/v1"


def test_every_option_is_read(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("Hello")
    texts = {
        "model": "qwen2.5:7b",
        "temperature": "0.7",
        "seed": "game",
        "max-tokens": "500",
        "effort": "low",
        "system": str(file),
        "prompt": str(file),
        "history": "moves",
        "answer": "json",
        "rethink": "0",
        "tell": "no",
        "timeout": "9.5",
        "retries": "2",
        "price-in": "0.15",
        "price-out": "0.6",
        "key": "MY_KEY",
        "rpm": "60",
        "tpm": "9000",
        "stream": "yes",
        "disguise": "7",
    }
    assert texts.keys() | {"prices"} == MODEL_OPTIONS.keys()
    options = read_llm_options(texts)
    assert (options.model, options.temperature, options.seed) == ("qwen2.5:7b", 0.7, "game")
    assert options.system is not None
    assert options.system.text == "Hello"
    assert options.prices == (Fraction(15, 10**8), Fraction(6, 10**7))


@pytest.mark.parametrize(
    "text",
    [
        *("", "model=", "model=a\tb", "model=a,temprature=1", "model=a,temperature=hot"),
        *("model=a,seed=-1", "model=a,max-tokens=0", "model=a,answer=xml", "model=a,key=sk-1234"),
        *("model=a,price-in=1", "model=a,price-in=-1,price-out=1", "model=a,prompt=/no/such"),
        *("model=a,system=/dev/zero", "model=a,timeout=0", "model=a,key=NO_SUCH_KEY_HERE"),
    ],
)
def test_a_wrong_option_is_refused(text: str, run: Run, wording: Wording) -> None:
    comma = "," * bool(text)
    ran = run("fight", f"llm{comma}{text}:{URL}", "monkey")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
    assert "sk-1234" not in ran.err.replace("key=sk-1234", "")


@pytest.mark.parametrize(
    "name",
    [
        "llm,model=a:./model",
        "llm,model=qwen:7b:http://127.0.0.1:9/v1",
        "llm,model=a:http://192.0.2.1/v1",
    ],
)
def test_an_address_is_a_url_that_the_user_allows(name: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        get_player(name)


#: A plugin whose game has no rules in sentences.
SILENT = """
import arena

class Silent(arena.plugin.MnkGame):
    guide = ""

    def __init__(self):
        super().__init__("silent", 3, 3, [[0, 1, 2], [3, 4, 5]])

@arena.hookimpl
def arena_register_games(register):
    register("silent", Silent)
"""


@pytest.mark.parametrize("game", ["silent", "referee:true"])
def test_a_game_without_rules_in_sentences_is_refused(
    game: str, run: Run, wording: Wording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("silent.py").write_text(SILENT)
    ran = run("-p", "./silent.py", "fight", f"llm,model=a:{URL}", "monkey", "--game", game)
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.parametrize(
    "words",
    [
        *(["--budget", "5USD"], ["--budget", "five"], ["--budget", "0USD"], ["--in-flight", "3"]),
        *(["--record", "a.answers"], ["--replay-only"]),
    ],
)
def test_options_for_models_need_a_model(words: list[str], run: Run, wording: Wording) -> None:
    ran = run("fight", "monkey", "heuristic", "-n", "1", *words)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_a_budget_needs_prices(run: Run, wording: Wording) -> None:
    ran = run("fight", f"llm,model=a:{URL}", "monkey", "--budget", "1EUR")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_prices_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["qwen3:8b"]\nin = 0.15\nout = 0.6\n[other]\nin = 1\nout = 2\n')
    options = read_llm_options({"model": "qwen3:8b", "prices": str(file)})
    assert options.prices == (Fraction(15, 10**8), Fraction(6, 10**7))


@pytest.mark.parametrize(
    "content",
    ["", "[b]\nin = 1\nout = 1", "[a]\nin = 1", "[a]\nin = -1\nout = 1", "a = 1", "[a", "\0"],
)
def test_a_file_without_the_prices_is_refused(
    content: str, tmp_path: Path, wording: Wording
) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(content)
    with wording.raises(UsageError):
        read_llm_options({"model": "a", "prices": str(file)})
