"""Settings for apps in layers: which value applies, who set it, and whether somebody locked it."""

import asyncio
from collections.abc import Mapping
from typing import Literal

from pydantic import JsonValue

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.app_center.governance.membership import Membership
from lime_desktop.host.app_center.governance.workspaces import Workspaces
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.records import StoredOverlay
from lime_desktop.host.app_center.records.rows import put_overlay
from lime_desktop.overlay.app_defaults import app_defaults
from lime_desktop.overlay.credentials import slot_named
from lime_desktop.overlay.effects import credential_of
from lime_desktop.overlay.layers import OverlayLayer, check_layer, open_up
from lime_desktop.overlay.resolve import Resolved, resolve
from lime_desktop.overlay.surface import surface_of
from lime_desktop.protocol.errors import InvalidInput, SettingLocked
from lime_desktop.protocol.ids import AppId


class AppOverlays:
    """What the organisation, the person and the workspace set for each app."""

    def __init__(self, ledger: Ledger, membership: Membership, workspaces: Workspaces) -> None:
        self._ledger = ledger
        self._membership = membership
        self._workspaces = workspaces
        self._turn = asyncio.Lock()

    def layers(self, app_id: str) -> tuple[OverlayLayer, ...]:
        """The layers above the app's own defaults."""
        user = OverlayLayer(name="user", values=self.values(app_id, "user"))
        own = open_up(self.values(app_id, "workspace"))
        workspace = OverlayLayer(name="workspace", values={**own, **self.values_of_files(app_id)})
        organisation = self._membership.organisation
        tenant = () if organisation is None else (organisation.layer_for(app_id),)
        return (*tenant, user, workspace)

    def values_of_files(self, app_id: str) -> Mapping[str, JsonValue]:
        """What the open workspace's own file says; it goes before what a person set for the workspace."""
        current = self._workspaces.current
        return {} if current is None else current.values_for(app_id)

    def resolved(self, manifest: Manifest) -> Resolved:
        """Every value with its source and lock; what lost its place in the app is kept apart for review."""
        layers = [app_defaults(manifest), *self.layers(manifest.name)]
        return resolve(layers, surface_of(manifest))

    def values(self, app_id: str, layer: Literal["user", "workspace"]) -> Mapping[str, JsonValue]:
        """What the person said in one layer, used or not."""
        stored = self._ledger.state.overlays.get(app_id, ())
        nothing: Mapping[str, JsonValue] = {}
        meant = (layer, self._workspace_of(layer))
        found = (each.values for each in stored if (each.layer, each.workspace_id) == meant)
        return next(found, nothing)

    def flat_values(
        self, manifest: Manifest, layer: Literal["user", "workspace"]
    ) -> dict[str, JsonValue]:
        """What one layer says key by key, with what has lost its place in the app."""
        said = OverlayLayer(name=layer, values=self.values(manifest.name, layer))
        checked = check_layer(said, surface_of(manifest))
        return {**checked.values, **{each.key: each.value for each in checked.orphans}}

    async def put(
        self,
        manifest: Manifest,
        layer: Literal["user", "workspace"],
        values: Mapping[str, JsonValue],
    ) -> None:
        """Make these the values of a layer; none at all forgets it. Values that refer to nothing are kept as orphans.

        Raises:
            InvalidInput: naming the keys that no overlay may set, never their values.
        """
        async with self._turn:
            await self._put(manifest, layer, values)

    async def change_value(
        self,
        manifest: Manifest,
        layer: Literal["user", "workspace"],
        key: str,
        value: JsonValue,
    ) -> None:
        """Change one value of a layer and leave the others; None takes it away.

        Raises:
            InvalidInput: no overlay may set it, or it names a secret that the app sends elsewhere.
            SettingLocked: the workspace's file says it, and would go before this.
        """
        if (
            layer == "workspace"
            and value is not None
            and key in self.values_of_files(manifest.name)
        ):
            raise SettingLocked("The workspace's file sets this", details={"key": key})
        _require_fit_credential(manifest, key, value)
        async with self._turn:
            values = self.flat_values(manifest, layer)
            values.pop(key, None)
            if value is not None:
                values[key] = value
            await self._put(manifest, layer, values)

    async def _put(
        self,
        manifest: Manifest,
        layer: Literal["user", "workspace"],
        values: Mapping[str, JsonValue],
    ) -> None:
        wanted = OverlayLayer(name=layer, values=values)
        if refusals := check_layer(wanted, surface_of(manifest)).refusals:
            raise InvalidInput.at_fields(
                [(each.key, each.code.lower()) for each in refusals[:20]],
                message=" ".join(f"{each.key}: {each.reason}" for each in refusals[:5]),
            )
        overlay = StoredOverlay(
            app_id=AppId(manifest.name),
            layer=layer,
            workspace_id=self._workspace_of(layer),
            values=dict(values),
        )
        await self._ledger.change(lambda connection: put_overlay(connection, overlay))

    def _workspace_of(self, layer: Literal["user", "workspace"]) -> str | None:
        current = self._workspaces.current
        return current.workspace_id if layer == "workspace" and current is not None else None


def _require_fit_credential(manifest: Manifest, key: str, value: JsonValue) -> None:
    """Refuse at once what would leave the tool without a credential; what others set is refused when it is called."""
    slots = surface_of(manifest).credentials.get(credential_of(key) or "")
    slot = slot_named(value)
    if slots is not None and slot is not None and slot not in slots:
        known = ", ".join(slots) or "none"
        message = f"{key}: The app sends no secret of this name there. It sends: {known}."
        raise InvalidInput.at_fields([(key, "credential_unfit")], message=message)
