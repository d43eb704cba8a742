"""What overlays may change of one app: everything its manifest names, and nothing beyond."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.overlay.credentials import credential_slots

TemplateScope = Literal["tenant", "workspace", "user", "customer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A slot for settings that the app offers to be filled."""

    key: str
    scope: TemplateScope
    schema: str | None = None
    required: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlaySurface:
    """The names that an overlay's keys may refer to."""

    entries: frozenset[str] = frozenset()
    knowledge: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    workflows: frozenset[str] = frozenset()
    evals: frozenset[str] = frozenset()
    templates: tuple[Template, ...] = ()
    credentials: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The tools that can be shown secrets of the app, each with the slots that the manifest sends there."""

    parameters: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Of each workflow that says what its input is: the parts of it. Known where the package's files were read."""

    def template(self, key: str) -> Template | None:
        """Find a template by its key."""
        return next((template for template in self.templates if template.key == key), None)

    def has(self, kind: str, name: str) -> bool:
        """Tell whether the app has an entry, tool, template and so on of that name."""
        if kind == "templates":
            return self.template(name) is not None
        return name in getattr(self, kind)


def surface_of(manifest: Manifest, workflows: Iterable[WorkflowFile] = ()) -> OverlaySurface:
    """Collect the names from a manifest, and from the files of its workflows, where they were read."""
    return OverlaySurface(
        entries=frozenset(entry.key for entry in manifest.entries),
        knowledge=frozenset(template.key for template in manifest.knowledge_templates),
        tools=frozenset(tool.key for tool in manifest.tool_refs)
        | frozenset(integration.key for integration in manifest.integrations),
        workflows=frozenset(workflow.key for workflow in manifest.workflows),
        evals=frozenset(each.key for each in manifest.evals),
        credentials=credential_slots(manifest),
        parameters=dict(_parameters(workflows)),
        templates=tuple(
            Template(
                key=template.key,
                scope=template.scope,
                schema=template.schema_path,
                required=template.required is True,
                description=template.description or "",
            )
            for template in manifest.overlay_templates
        ),
    )


def _parameters(workflows: Iterable[WorkflowFile]) -> Iterator[tuple[str, frozenset[str]]]:
    for each in workflows:
        definition = each.described.definition
        if definition is None:
            # Nobody runs it, so nothing that is set for it is given to anything.
            yield each.key, frozenset()
        elif definition.inputs is not None:
            properties = definition.inputs.get("properties")
            if isinstance(properties, Mapping):
                yield each.key, frozenset(cast("Mapping[str, object]", properties))
