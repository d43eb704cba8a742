"""storage/search: an app's data, found."""

from pydantic import Field

from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.wire import Method, WireModel


class SearchDataParams(OwnDataParams):
    """Find keys and rows that hold a text."""

    query: str = Field(min_length=1, max_length=4_000)
    limit: int = Field(default=20, ge=1, le=100)


class FoundValue(WireModel):
    """A key or a row."""

    id: str
    title: str
    snippet: str


class SearchDataResult(WireModel):
    """What was found, in the order of keys and ids."""

    found: tuple[FoundValue, ...]


SEARCH_DATA = Method("storage/search", SearchDataParams, SearchDataResult)
