"""Where a user or the host enters the app: entries, their screens, and hints for the first start."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from lime_desktop.app_package.manifest.values import (
    ClosedManifestModel,
    FreeObject,
    Items,
    ManifestModel,
    Text,
    UniqueItems,
    UpTo32,
)

EntryKind = Literal[
    "page",
    "panel",
    "expert-chat",
    "command",
    "workflow",
    "artifact",
    "background-task",
    "settings",
]
LegacyEntryKind = Literal["scene", "home"]

REQUIRED_FIELD_BY_KIND = {
    "page": "route",
    "panel": "panel",
    "expert-chat": "persona",
    "command": "command",
    "workflow": "workflow",
}


class Entry(ManifestModel):
    """One way into the app."""

    key: Annotated[str, Field(min_length=1, pattern=r"^[a-zA-Z0-9_.:-]+$")]
    kind: Literal[EntryKind, LegacyEntryKind]
    """`scene` and `home` are read for old packages and reported."""
    title: Text
    description: str | None = None
    route: str | None = None
    panel: str | None = None
    command: str | None = None
    workflow: str | None = None
    """Key of a declared workflow, or the path of its file."""
    persona: str | None = None
    service: str | None = None
    artifact_types: UniqueItems[str] = ()
    required_capabilities: UniqueItems[str] = ()
    permissions: Items[str] = ()
    visibility: Literal["default", "hidden", "admin", "workspace", "tenant"] | None = None
    title_i18n: Annotated[dict[str, str], Field(alias="titleI18n")] = Field(
        default_factory=dict[str, str]
    )
    description_i18n: Annotated[dict[str, str], Field(alias="descriptionI18n")] = Field(
        default_factory=dict[str, str]
    )
    enabled_by_default: bool | None = None


class Ui(ManifestModel):
    """What the UI bundle offers to the host's frame."""

    routes: Items[FreeObject] = ()
    panels: Items[FreeObject] = ()
    cards: Items[FreeObject] = ()
    settings: Items[FreeObject] = ()
    artifact_viewers: Items[FreeObject] = ()


TriggerKeyword = Annotated[str, Field(min_length=1, max_length=64)]
Scenario = Annotated[str, Field(max_length=64, pattern=r"^[a-z0-9][a-z0-9_]*$")]


class Triggers(ClosedManifestModel):
    """How a request in plain language finds this app."""

    keywords: UpTo32[TriggerKeyword] = ()
    scenarios: UpTo32[Scenario] = ()


def _step_in_words(step: object) -> object:
    """Published apps write steps as a word each, `run_dry_run`: one that only a person can take and tell of."""
    if not isinstance(step, str):
        return step
    words = step.replace("_", " ").replace("-", " ").strip()
    return {"title": words[:1].upper() + words[1:]}


SetupStep = Annotated[FreeObject, BeforeValidator(_step_in_words)]


class Quickstart(ClosedManifestModel):
    """What to open first."""

    entry: Text | None = None
    sample_workflow: Text | None = None
    setup_steps: Items[SetupStep] = ()
