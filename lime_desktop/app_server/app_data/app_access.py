"""Answers given/*: what a person gave an app, read from the services that keep it."""

import asyncio
from collections.abc import AsyncIterator

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.files.references import FileReferences
from lime_desktop.app_server.knowledge.indexes import KnowledgeIndexes
from lime_desktop.app_server.secrets.service import owner_of
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.protocol.calls.approvals import GivenThing, ListGivenParams, ListGivenResult
from lime_desktop.protocol.calls.webhooks import RECEIVER_SLOT
from lime_desktop.protocol.ids import AppId


class AppAccess:
    """What every app holds of its person's."""

    def __init__(
        self, secrets: SecretStore, knowledge: KnowledgeIndexes, references: FileReferences
    ) -> None:
        self._secrets = secrets
        self._knowledge = knowledge
        self._references = references

    async def list(self, params: ListGivenParams, context: CallContext) -> ListGivenResult:
        """Name everything, and where it lies; no secret's value is read."""
        del context
        return ListGivenResult(things=tuple([each async for each in self._things(params.app_id)]))

    async def _things(self, app_id: AppId) -> AsyncIterator[GivenThing]:
        for record in await self._secrets.list(owner_of(app_id)):
            # The address of a receiver is the host's own, and is switched off where it is shown.
            if not record.slot.startswith(RECEIVER_SLOT):
                yield GivenThing(kind="secret", key=record.slot)
        if await asyncio.to_thread(self._knowledge.path_of(app_id).exists):
            for binding in (await self._knowledge.bindings(app_id)).values():
                # Without a place the app fills it itself.
                if binding.sources:
                    yield GivenThing(kind="knowledge", key=binding.key, places=binding.sources)
        written = self._references.written_folder(app_id)
        for held in await self._references.list(app_id):
            if not held.path.is_relative_to(written):
                yield GivenThing(
                    kind="file",
                    key=held.ref,
                    places=(str(held.path),),
                    is_lasting=held.is_persistent,
                )
