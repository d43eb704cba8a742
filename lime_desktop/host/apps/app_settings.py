"""An app's settings as it may see and change them: every value that applies, and the fields that are its own.

Its own are the fields of the overlay templates that its manifest declares. What else applies to it (its model, its
budget, what it may not reach) it reads; changing that is for the person and whoever governs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from lime_desktop.app_package.value_schema import fits, properties_of, read_schema
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.overlay.layers import LayerName
from lime_desktop.overlay.surface import TemplateScope
from lime_desktop.protocol.errors import InvalidInput, PolicyDenied, SettingLocked
from lime_desktop.protocol.ids import JsonObject

PersonsLayer = Literal["user", "workspace"]

_KEPT_IN: Mapping[TemplateScope, PersonsLayer] = {
    "user": "user",
    "workspace": "workspace",
    "customer": "workspace",
}
"""Where an app's own value is kept; a template for the organisation is filled by nobody else."""


@dataclass(frozen=True, slots=True)
class AppliedSetting:
    """A value, who said it, and who keeps it from being changed."""

    key: str
    value: JsonValue
    source: LayerName
    locked_by: LayerName | None = None


@dataclass(frozen=True, slots=True)
class OwnField:
    """A field of one of the app's templates."""

    scope: TemplateScope
    schema: JsonObject | None

    @property
    def layer(self) -> PersonsLayer | None:
        """Where its value is kept; None where only whoever governs fills it."""
        return _KEPT_IN.get(self.scope)


class AppSettings:
    """The settings of one app as it stands."""

    def __init__(self, app: RegisteredApp) -> None:
        self._resolved = app.governing.overlays
        self._templates = app.package.manifest.overlay_templates
        self.fields: Mapping[str, OwnField] = _declared_fields(app)
        """The fields that its templates name, by key."""

    def all(self) -> tuple[AppliedSetting, ...]:
        """Everything that applies, by key."""
        said = {
            key: AppliedSetting(key, each.value, each.source, each.locked_by)
            for key, each in self._resolved.values.items()
        }
        defaults = {
            key: AppliedSetting(key, field.schema["default"], "app", self._resolved.locked_by(key))
            for key, field in self.fields.items()
            if key not in said and field.schema is not None and "default" in field.schema
        }
        return tuple(each for _, each in sorted({**defaults, **said}.items()))

    def find(self, key: str) -> AppliedSetting | None:
        """What applies under one key."""
        return next((each for each in self.all() if each.key == key), None)

    def layer_for(self, key: str, value: JsonValue) -> PersonsLayer:
        """Where a new value of the app's goes.

        Raises:
            SettingLocked: somebody who governs locked it.
            PolicyDenied: it is not the app's to change.
            InvalidInput: the value has not the form that the app itself declares.
        """
        if (locked_by := self._resolved.locked_by(key)) is not None:
            details = {"lockedBy": locked_by, "key": key}
            raise SettingLocked(f"The {locked_by} locked this setting", details=details)
        field = self.fields.get(key) or self._undeclared_field(key)
        layer = None if field is None else field.layer
        if field is None or layer is None:
            raise PolicyDenied(
                "An app changes the fields of its own templates; this one is changed by the person or whoever governs",
                details={"rule": "settings.own", "key": key},
            )
        if value is not None and field.schema is not None and not fits(field.schema, value):
            raise InvalidInput.at_fields([("value", "not_as_declared")])
        return layer

    def _undeclared_field(self, key: str) -> OwnField | None:
        """A field of a template that has no schema may be anything; one that has a schema names its fields."""
        for template in self._templates:
            prefix = f"templates.{template.key}."
            is_named = any(each.startswith(prefix) for each in self.fields)
            if key.startswith(prefix) and not is_named:
                return OwnField(template.scope, None)
        return None


def _declared_fields(app: RegisteredApp) -> dict[str, OwnField]:
    found: dict[str, OwnField] = {}
    for template in app.package.manifest.overlay_templates:
        schema = read_schema(app.package.tree, template.schema_path)
        for name, each in properties_of(schema or {}).items():
            found[f"templates.{template.key}.{name}"] = OwnField(template.scope, each)
    return found
