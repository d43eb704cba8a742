"""Which tests of the product show a demand? Read from a list that ships with it; the tests themselves do not."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter

SHOWN_BY = "conformance/shown_by.json"
_TESTS: TypeAdapter[dict[str, tuple[str, ...]]] = TypeAdapter(dict[str, tuple[str, ...]])


def read_shown_by(resources: Path) -> Mapping[str, tuple[str, ...]]:
    """Demand → its tests, as pytest names them."""
    return _TESTS.validate_json((resources / SHOWN_BY).read_bytes())
