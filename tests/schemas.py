"""The JSON Schema of every record, as the documentation has it, without room for other keys."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FILE = Path(__file__).parents[1] / "docs" / "schemas.json"


@cache
def parts() -> dict[str, Any]:
    """Return the definitions; those of objects allow no key that they do not name."""
    definitions: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["$defs"]
    return {name: {"additionalProperties": False, **part} for name, part in definitions.items()}


@cache
def part_of() -> dict[str, str]:
    """Return the name of the definition of each schema."""
    rules = json.loads(FILE.read_text(encoding="utf-8"))["allOf"]
    return {
        rule["if"]["properties"]["schema"]["const"]: rule["then"]["$ref"].rpartition("/")[2]
        for rule in rules
    }


def problems(record: dict[str, Any], part: str = "") -> list[str]:
    """Return what a record says that its schema does not, or leaves out."""
    part = part or part_of()[record["schema"]]
    validator = Draft202012Validator({"$defs": parts(), "$ref": f"#/$defs/{part}"})
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(record)]
