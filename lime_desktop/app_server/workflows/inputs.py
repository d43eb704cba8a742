"""What a run is given: what was asked for, with what somebody set for the app's workflows; and whether its workflow takes it."""

from collections.abc import Mapping

from pydantic import JsonValue

from lime_desktop.app_package.value_schema import fits, misfits
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.workflows.defaults import with_defaults
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.workflow_model.definition import WorkflowDefinition
from lime_desktop.workflow_model.states import Schema

_MOST_WORDED = 5


def given_to(
    app: RegisteredApp, key: str, asked: JsonValue, definition: WorkflowDefinition
) -> tuple[JsonValue, Mapping[str, str]]:
    """What a run is given, and who set which part of it.

    Raises:
        InvalidInput: the workflow takes no such input.
    """
    given, set_by = with_defaults(app.registration.settings, key, asked, definition.inputs)
    require_fit(definition.inputs, given)
    return given, set_by


def require_fit(schema: Schema | None, given: JsonValue) -> None:
    """Go on only with an input that the workflow takes.

    Raises:
        InvalidInput: it names each part that does not fit, and what is wanted there.
    """
    if schema is None or fits(schema, given):
        return
    found = misfits(schema, given)
    fields = [
        {"path": ".".join(("input", *each.path)), "problem": each.rule, "wanted": each.wanted}
        for each in found
    ]
    if not fields:
        raise InvalidInput.at_fields([("input", "schema")])
    message = f"The input does not fit. {' '.join(each.words for each in found[:_MOST_WORDED])}"
    raise InvalidInput(message, details={"fields": fields})
