"""The input snapshot of a turn: what was asked and how, kept by content so that its name is its proof.

Two submissions with the same reference are the same submission, and a queued turn can be run by the next
process from its reference alone.
"""

import msgspec

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.protocol.wire import WireModel


class InputSnapshot(WireModel):
    """What a turn was given."""

    input: TurnInput
    options: RuntimeOptions


def keep_input(store: ContentStore, turn_input: TurnInput, options: RuntimeOptions) -> str:
    """Store the snapshot and return its reference. Blocks until it is on disk.

    Raises:
        InvalidInput: a field looks like a key; those belong in the provider store alone.
    """
    snapshot = InputSnapshot(input=turn_input, options=options).to_wire()
    if found := tuple(key_like_paths(snapshot)):
        raise InvalidInput.at_fields((path, "key_like") for path in found)
    return store.put("input", msgspec.json.encode(snapshot, order="deterministic"))


def read_input(store: ContentStore, reference: str) -> InputSnapshot:
    """The snapshot behind a reference. Blocks."""
    return InputSnapshot.model_validate_json(store.read(reference))
