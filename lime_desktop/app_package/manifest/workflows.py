"""Recoverable business state machines, as declared in the manifest or in a workflow's own file."""

from typing import Annotated

from pydantic import Field, Tag

from lime_desktop.app_package.manifest.values import (
    FreeObject,
    Items,
    ManifestModel,
    Text,
    by_shape,
)

NextForm = Annotated[
    Annotated[str, Tag("text")]
    | Annotated[Items[str], Tag("list")]
    | Annotated[FreeObject, Tag("object")],
    by_shape,
]
"""An object says where each decision of a person leads; that form is ours."""


class WorkflowState(ManifestModel):
    """One step of a workflow."""

    key: Text
    kind: Text
    """Any text: the specification's own examples go beyond the kinds a host must know."""
    next: NextForm | None = None
    uses: Items[str] = ()
    entry: str | None = None
    timeout: str | None = None
    on_error: str | None = None


class Recovery(ManifestModel):
    """What happens after a time-out or an error; the specification requires it."""

    on_timeout: str | None = None
    on_error: str | None = None
    max_retries: Annotated[int, Field(ge=0)] | None = None
    save_checkpoint: bool | None = None


class Workflow(ManifestModel):
    """A workflow; overview and diagram are for people and are never executed."""

    key: Text
    path: str | None = None
    entry: str | None = None
    title: str | None = None
    overview: str | None = None
    diagram: str | None = None
    states: Items[WorkflowState] = ()
    recovery: Recovery | None = None
    inputs: FreeObject | None = None
    outputs: FreeObject | None = None
    human_review: bool | None = None
    retry_policy: FreeObject | None = None
    timeout_ms: Annotated[int, Field(ge=1)] | None = None
    artifact_outputs: Items[str] = ()
    triggers: object = None
    """Ours: the standard has no form for what starts a workflow when something happens."""
