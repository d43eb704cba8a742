from collections.abc import Generator
from pathlib import Path

import pytest

from tests.shipping.vendors import Served, Vendor, serve


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    (tmp_path / "web").mkdir()
    with serve(tmp_path / "web") as served:
        yield served


@pytest.fixture
def vendor(tmp_path: Path, served: Served) -> Vendor:
    """A vendor with keys, whose folder a real server serves."""
    made = Vendor(tmp_path, served.url)
    made.keys.create()
    return made
