"""storage/*: the keys and values of one app. Values travel as JSON text: a null inside must stay a null."""

from pydantic import Field

from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.capability_calls.storage import StorageKey
from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Method, WireModel


class StoredValue(WireModel):
    """One value as it is kept."""

    key: StorageKey
    value_json: str
    """The value as JSON text."""
    updated_at: Timestamp
    provenance: Provenance


class GetValueParams(OwnDataParams):
    """Read one value."""

    key: StorageKey


class GetValueResult(WireModel):
    """The value, where there is one."""

    entry: StoredValue | None = None


class SetValueParams(OwnDataParams):
    """Keep a value under a key; an earlier one is replaced."""

    key: StorageKey
    value_json: str
    """The value as JSON text."""
    provenance: Provenance
    """Who caused the write; it names the same app."""


class SetValueResult(WireModel):
    """The value as it is now kept."""

    entry: StoredValue


class ListValuesParams(OwnDataParams):
    """Read values in the order of their keys, page by page."""

    cursor: StorageKey | None = None
    """The `nextCursor` of the page before."""
    limit: int = Field(default=100, ge=1, le=1_000)


class ListValuesResult(WireModel):
    """One page; it may end before `limit` where values are large."""

    entries: tuple[StoredValue, ...]
    next_cursor: StorageKey | None = None


class DeleteValueParams(OwnDataParams):
    """Delete a value; deleting what is not there is no failure."""

    key: StorageKey


class DeleteValueResult(WireModel):
    """Whether there was something to delete."""

    was_stored: bool


GET_VALUE = Method("storage/get", GetValueParams, GetValueResult)
SET_VALUE = Method("storage/set", SetValueParams, SetValueResult)
LIST_VALUES = Method("storage/list", ListValuesParams, ListValuesResult)
DELETE_VALUE = Method("storage/delete", DeleteValueParams, DeleteValueResult)
