"""The notebook of the examples runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parent.parent / "examples" / "notebook.ipynb"


@pytest.mark.needs("nbclient", "pandas", "ipywidgets")
@pytest.mark.outside
@pytest.mark.slow
# The kernel's own libraries, not arena.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_the_notebook_runs(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=100, resources=resources).execute()
    shown = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    kinds = {kind for out in shown for kind in out.get("data", {})}
    assert {"text/html", "image/png", "text/plain"} <= kinds
    pages = [out["data"].get("text/html", "") for out in shown if "data" in out]
    assert sum(page.startswith('<div class="arena-record">') for page in pages) == 3
    assert sum("<table" in page and "dataframe" in page for page in pages) == 3
    assert sum("image/png" in out.get("data", {}) for out in shown) == 6
    text = "".join(out["text"] for out in shown if out.get("name") == "stdout")
    assert "Wins-draws-losses" in text
    assert "Warning" not in "".join(out["text"] for out in shown if out.get("name") == "stderr")


def test_the_notebook_is_kept_without_what_it_printed() -> None:
    import json

    cells = json.loads(NOTEBOOK.read_text())["cells"]
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]
