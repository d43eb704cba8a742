"""Field documentation is read from the source, and only there."""

from lime_desktop.protocol.capability_calls.settings import SetSettingParams, SettingKeyParams
from lime_desktop.protocol.errors import ErrorData
from lime_desktop.protocol.export.schemas import definitions, field_texts
from lime_desktop.protocol.export.tables import Shape
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.protocol.wire import WireModel


class Outer(WireModel):
    """A class of no module of ours."""

    field: int = 0
    """Never read: only the product's own modules are."""


def test_the_text_below_a_field_is_its_documentation() -> None:
    """Ours: one place to write it."""
    assert field_texts(AgentTaskEvent)["sequence"] == (
        "Contiguous within the task, so that a reader sees a gap."
    )
    assert "type" not in field_texts(AgentTaskEvent)


def test_inherited_fields_keep_their_text() -> None:
    """Ours."""
    assert field_texts(SetSettingParams).keys() >= field_texts(SettingKeyParams).keys()


def test_typed_dicts_are_documented_too() -> None:
    """Ours: the error's form is one."""
    shape = definitions([Shape(ErrorData, "serialization")])["ErrorData"]
    assert shape["properties"]["traceId"]["description"] == "Finds the call in logs and evidence."


def test_classes_from_elsewhere_have_no_text() -> None:
    """Ours: nothing outside the product is parsed."""
    assert field_texts(Outer) == {}
