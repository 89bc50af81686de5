"""Files of weights: what is written is read, and what is wrong is said in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena import train
from arena.errors import UsageError
from arena.learning.weights import named_weights, read_weights
from tests.golden import Wording


@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    return train(games=20, seed=1, features=["fork", "square-5"]).as_json()


def test_what_is_written_is_read(good: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(good))
    hypothesis = read_weights(path)
    assert hypothesis.features.names == ("fork-mine", "fork-theirs", "square-5")
    assert named_weights(hypothesis) == (good["first"], good["second"])


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "arena.fight/1"},
        {"schema": None},
        {"game": "connect4"},
        {"game": ["x"]},
        {"first": None},
        {"first": [1, 2, 3]},
        {"second": {}},
        {"second": {"constant": 1.0}},
        {"first": {"fork-mine": 1.0, "constant": 1.0}},
        {"first": {"constant": 1.0, "frok-mine": 1.0}},
    ],
)
def test_a_file_that_is_wrong_is_refused_in_one_line(
    good: dict[str, Any], tmp_path: Path, change: dict[str, Any], wording: Wording
) -> None:
    wording(refused(tmp_path, json.dumps(good | change)))


@pytest.mark.parametrize(
    "weight",
    ["NaN", "Infinity", "-Infinity", "1e400", "1e7", "true", "null", '"1"', "[]", "9" * 99],
)
def test_a_weight_that_is_no_number_is_named(
    good: dict[str, Any], tmp_path: Path, weight: str
) -> None:
    text = json.dumps(good | {"first": good["first"] | {"fork-mine": "HERE"}})
    refused(tmp_path, text.replace('"HERE"', weight), "fork-mine")


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "\x00", "{'a': 1}"])
def test_what_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    refused(tmp_path, text, "is not JSON")
    refused(tmp_path, "", "is empty")


@pytest.mark.parametrize("text", ["[]", "null", "7", "9" * 5000, '"arena.train/1"'])
def test_json_of_another_kind_is_refused(tmp_path: Path, text: str) -> None:
    refused(tmp_path, text, "its schema is")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path, wording: Wording) -> None:
    path = tmp_path / "weights.json"
    path.write_bytes(b"\xff\xfe\x00")
    with wording.raises(UsageError):
        read_weights(path)


@pytest.mark.parametrize("name", ["missing.json", ".", "a/b.json", "nul\0.json", "x" * 300])
def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as refusal:
        read_weights(f"{tmp_path}/{name}")
    assert "\n" not in str(refusal.value)


def refused(folder: Path, text: str, fact: str = "") -> str:
    path = folder / "weights.json"
    path.write_text(text)
    with pytest.raises(UsageError) as refusal:
        read_weights(path)
    assert fact in str(refusal.value)
    assert str(refusal.value).startswith("weights ")
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400
    return str(refusal.value)
