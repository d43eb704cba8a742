"""Which form must a task's output have? The request says it, or the app's package does for it."""

from typing import cast

import msgspec

from lime_desktop.app_package.manifest.agent_runtime import StructuredOutput as ManifestOutput
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_server.answer_guards.output_schema import OutputSchema
from lime_desktop.protocol.agent_tasks import ExpectedOutput, Materializer, OutputFormat
from lime_desktop.protocol.calls.turns import StructuredOutput
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject

_SCHEMA_REF = "expectedOutput.outputFormat.schemaRef"


def structured_output(
    expected: ExpectedOutput | None, package: AppPackage
) -> StructuredOutput | None:
    """What the turn is held to; None where words are enough. Reads the package.

    Raises:
        InvalidInput: the schema cannot be used, or is not where the request says.
    """
    wanted = expected.output_format if expected else None
    if expected is None or wanted is None or wanted.type == "none":
        return None
    usual = _usual(package)
    schema = _schema(wanted, usual, package)
    OutputSchema(schema)  # refused now rather than when the agent has worked
    return StructuredOutput.model_validate(
        {
            "schema": schema,
            "max_validation_retries": _retries(wanted, usual),
            "failure_subtype": usual.failure_subtype if usual else None,
            "materializer": _materializer(expected, usual),
        }
    )


def _usual(package: AppPackage) -> ManifestOutput | None:
    runtime = package.manifest.agent_runtime
    task = runtime.agent_task if runtime else None
    return task.structured_output if task else None


def _materializer(expected: ExpectedOutput, usual: ManifestOutput | None) -> JsonObject | None:
    if expected.materializer is not None:
        return expected.materializer.to_wire()
    by_app = usual.materializer if usual else None
    if by_app is None or by_app.kind is None:
        return None
    return Materializer(kind=by_app.kind, accepted_keys=tuple(by_app.accepted_keys)).to_wire()


def _retries(wanted: OutputFormat, usual: ManifestOutput | None) -> int:
    stated = "max_validation_retries" in wanted.model_fields_set
    by_app = usual.max_validation_retries if usual else None
    return wanted.max_validation_retries if stated or by_app is None else by_app


def _schema(wanted: OutputFormat, usual: ManifestOutput | None, package: AppPackage) -> JsonObject:
    if wanted.schema_ is not None:
        return wanted.schema_
    if wanted.schema_ref is not None:
        return _read(wanted.schema_ref, package)
    if usual and usual.inline_schema is not None:
        return cast("JsonObject", dict(usual.inline_schema))
    if usual and usual.schema_ref is not None:
        return _read(usual.schema_ref, package)
    raise InvalidInput.at_fields([("expectedOutput.outputFormat.schema", "missing")])


def _read(ref: str, package: AppPackage) -> JsonObject:
    path = ref.removeprefix("./")
    # Only what the package lists: a path that leads elsewhere is not among its files.
    if path not in package.tree.files:
        raise InvalidInput.at_fields([(_SCHEMA_REF, "not_in_package")])
    try:
        return cast("JsonObject", msgspec.json.decode(package.tree.read(path), type=dict))
    except (OSError, msgspec.DecodeError):
        raise InvalidInput.at_fields([(_SCHEMA_REF, "not_a_schema")]) from None
