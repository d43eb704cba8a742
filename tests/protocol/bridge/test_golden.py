"""One real message per type: what is read is what is written, field by field."""

import json
from pathlib import Path

import pytest

from lime_desktop.protocol.bridge.from_app import APP_MESSAGES
from lime_desktop.protocol.bridge.from_host import HOST_MESSAGES, HostMessage, write_host_message
from lime_desktop.protocol.bridge.reading import parse_app_message

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "bridge"

APP_FILES = {
    f"{message.model_fields['type'].default.replace(':', '.')}.json": message
    for message in APP_MESSAGES
}
HOST_FILES = {
    f"{message.model_fields['type'].default.replace(':', '.')}.json": message
    for message in HOST_MESSAGES
}


def test_every_type_has_a_message_and_every_message_a_type() -> None:
    """Ours: a new type is not done until a reader can see one."""
    assert {path.name for path in GOLDEN.iterdir()} == APP_FILES.keys() | HOST_FILES.keys()


@pytest.mark.parametrize("name", APP_FILES)
def test_a_message_of_an_app_survives_reading_and_writing(name: str) -> None:
    """Host Bridge v1."""
    text = (GOLDEN / name).read_text("utf-8")
    message = parse_app_message(text)
    assert type(message) is APP_FILES[name]
    assert json.loads(message.model_dump_json(by_alias=True, exclude_unset=True)) == json.loads(
        text
    )


@pytest.mark.parametrize(("name", "model"), HOST_FILES.items())
def test_a_message_of_the_host_survives_reading_and_writing(
    name: str, model: type[HostMessage]
) -> None:
    """Host Bridge v1, and the superset that published SDKs read."""
    text = (GOLDEN / name).read_text("utf-8")
    assert json.loads(write_host_message(model.model_validate_json(text))) == json.loads(text)
