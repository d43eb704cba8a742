"""An app's settings as a person looks at them: what applies, who said it, who locked it, and what could be set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.value_schema import properties_of
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.app_settings import AppSettings, OwnField, PersonsLayer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.overlay.credentials import reference_to
from lime_desktop.overlay.effects import IgnoredBecause, credential_of, parameter_of, why_ignored
from lime_desktop.overlay.keys import Form, family_of, names_in
from lime_desktop.overlay.layers import LayerName
from lime_desktop.overlay.offered import offered_keys
from lime_desktop.overlay.surface import surface_of
from lime_desktop.protocol.ids import JsonObject

ANY_CHECK = "any"
"""The kind of a check of which no kind is known."""
LAYERS: tuple[PersonsLayer, ...] = ("user", "workspace")
_FORMS: Mapping[str, Form] = {
    "boolean": "switch",
    "integer": "number",
    "number": "number",
    "string": "text",
    "array": "words",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One setting."""

    key: str
    shape: str
    """Which kind of setting it is; the words for it are found by this."""
    names: tuple[str, ...]
    """What it is about, as the app calls it; of a check its kind, and which one it is where there are several of that."""
    title: str | None
    """What the app's author calls it, for fields of the app's own."""
    form: Form
    value: JsonValue
    source: LayerName | None
    """Who said what applies; None where nobody has."""
    locked_by: LayerName | None
    said: Mapping[PersonsLayer, JsonValue]
    """What the person's own layers say, whether it applies or not."""
    layers: tuple[PersonsLayer, ...]
    """Where it may be said; nowhere, where the workspace's own file says it."""
    ignored: IgnoredBecause | None = None
    """Why nobody obeys it here, where nobody does."""
    options: tuple[str, ...] = ()
    """What there is to choose among, where that is all there is."""


def setting_rows(app: RegisteredApp, center: AppCenter, locale: str) -> tuple[SettingRow, ...]:
    """Everything that applies or could be set, what applies first."""
    rows = tuple(_rows(app, center, locale))
    return tuple(sorted(rows, key=lambda each: each.source is None))


def _rows(app: RegisteredApp, center: AppCenter, locale: str) -> Iterator[SettingRow]:
    settings = AppSettings(app)
    applied = {each.key: each for each in settings.all()}
    said: dict[PersonsLayer, dict[str, JsonValue]] = {
        layer: center.overlays.flat_values(app.package.manifest, layer) for layer in LAYERS
    }
    surface = surface_of(app.package.manifest, app.package.workflows)
    offered = (*offered_keys(surface), *settings.fields)
    resolved = app.governing.overlays
    of_files = center.overlays.values_of_files(app.app_id)
    for key in dict.fromkeys((*applied, *offered)):
        family = family_of(key)
        if family is None:
            continue
        found, own = applied.get(key), settings.fields.get(key)
        yield SettingRow(
            key=key,
            shape=family.shape,
            names=_names(app, key, locale),
            title=_title(app, key, own, locale),
            form=_form_of(app, key, family.form) if own is None else _form(own),
            value=None if found is None else found.value,
            source=None if found is None else found.source,
            locked_by=resolved.locked_by(key),
            said=_said(said, key),
            layers=() if key in of_files else _layers(own),
            ignored=why_ignored(key, surface),
            options=tuple(map(reference_to, surface.credentials.get(credential_of(key) or "", ()))),
        )


def _said(
    layers: Mapping[PersonsLayer, Mapping[str, JsonValue]], key: str
) -> dict[PersonsLayer, JsonValue]:
    return {layer: values[key] for layer, values in layers.items() if key in values}


def _names(app: RegisteredApp, key: str, locale: str) -> tuple[str, ...]:
    family = family_of(key)
    names = names_in(key, family) if family else ()
    if family is not None and family.refers_to == "entries":
        return tuple(app.entry_title(name, locale) for name in names)
    if family is not None and family.refers_to == "evals":
        return _check_names(app, *names)
    return names


def _check_names(app: RegisteredApp, key: str) -> tuple[str, ...]:
    """A check has no title in the manifest, and its key is a word for developers."""
    checks = app.package.manifest.evals
    kind = next((each.kind for each in checks if each.key == key), None)
    alike = [each.key for each in checks if each.kind == kind and each.threshold is not None]
    is_one_of_many = len(alike) > 1 and key in alike
    return (kind or ANY_CHECK, *([str(alike.index(key) + 1)] if is_one_of_many else []))


def _title(app: RegisteredApp, key: str, own: OwnField | None, locale: str) -> str | None:
    """Of a field of the app's own, in the person's language where a translation file says it."""
    if own is None:
        return None
    written = own.schema.get("title") if own.schema else None
    translated = app.setting_title(key, locale)
    return translated or (written if isinstance(written, str) else None)


def _form(own: OwnField) -> Form:
    kind = own.schema.get("type") if own.schema else None
    return _FORMS.get(kind, "anything") if isinstance(kind, str) else "anything"


def _layers(own: OwnField | None) -> tuple[PersonsLayer, ...]:
    if own is None:
        return LAYERS
    return () if own.layer is None else (own.layer,)


def _form_of(app: RegisteredApp, key: str, otherwise: Form) -> Form:
    """Of a part of a workflow's input, as its schema says; of everything else, as its family does."""
    parameter = parameter_of(key)
    workflows = app.package.workflows if parameter is not None else ()
    for each in workflows:
        definition = each.described.definition
        if parameter is not None and each.key == parameter[0] and definition is not None:
            inputs = cast("JsonObject", definition.inputs or {})
            schema = properties_of(inputs).get(parameter[1])
            kind = schema.get("type") if schema else None
            return _FORMS.get(kind, otherwise) if isinstance(kind, str) else otherwise
    return otherwise
