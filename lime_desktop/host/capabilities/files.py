"""lime.files: the person's choice is the grant. The window asks, the App Server holds the references."""

import asyncio
from pathlib import Path

from pydantic import BaseModel

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import (
    Handlers,
    HandlerServices,
    LaterHandler,
    Source,
)
from lime_desktop.host.view.opened_files import fault_of
from lime_desktop.host.view.shell_port import FileQuestion
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.capability_calls.files import (
    OPENED_TOPIC,
    TAKE_DROPPED,
    FileRef,
    OpenedFiles,
    PickFilesParams,
    PickFilesResult,
    TakeDroppedParams,
    TakeDroppedResult,
)
from lime_desktop.protocol.errors import FileReferenceUnknown, InvalidInput, SubscriptionUnknown
from lime_desktop.protocol.ids import JsonObject


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    return {
        "lime.files.pick": _picker(services),
        "lime.files.takeDropped": _dropped_taker(services),
    }


def _picker(services: HandlerServices) -> LaterHandler:
    call, app_id = services.call, services.app_id
    questions = DeferredPrompts[tuple[FileRef, ...]]()

    async def choose(params: PickFilesParams) -> tuple[FileRef, ...]:
        question = FileQuestion(accept=params.accept, is_multiple=params.multiple)
        paths = await services.shell.choose_files(question)
        if not paths:
            return ()
        granted = GrantFilesParams(
            app_id=app_id, paths=tuple(map(str, paths)), is_persistent=params.persist
        )
        return (await call(GRANT_FILES, granted)).files

    async def pick(params: PickFilesParams) -> BaseModel:
        files = await questions.ask(params.to_json(), lambda: choose(params))
        if files is None:
            return PickFilesResult(status="pending")
        if not files:
            return PickFilesResult(status="cancelled", cancelled=True)
        return PickFilesResult(status="chosen", files=files)

    return pick


def _dropped_taker(services: HandlerServices) -> LaterHandler:
    call, app_id = services.call, services.app_id

    async def take(params: TakeDroppedParams) -> BaseModel:
        # Asked even where nothing was dropped: whoever hears “nothing” must be able to rely on it.
        paths = tuple(map(str, services.shell.take_dropped()))
        granted = GrantFilesParams(app_id=app_id, paths=paths, is_persistent=params.persist)
        return TakeDroppedResult(files=(await call(GRANT_FILES, granted)).files)

    return take


def source(services: HandlerServices) -> Source:
    """Files that the person opened with the app from outside, under the rules of those that they drop."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.topic != OPENED_TOPIC:
            raise SubscriptionUnknown("lime.files tells of opened files alone")
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])
        persist = TAKE_DROPPED.check_params(wish.input).persist

        async def tell(paths: tuple[Path, ...]) -> None:
            # They may have waited for long: what has become another thing since is not what the person opened.
            if any(await asyncio.to_thread(lambda: [fault_of(path) for path in paths])):
                raise FileReferenceUnknown("What was opened is not there any more")
            granted = GrantFilesParams(
                app_id=services.app_id, paths=tuple(map(str, paths)), is_persistent=persist
            )
            files = (await services.call(GRANT_FILES, granted)).files
            subscription.publish("opened", payload=OpenedFiles(files=files).to_wire())

        view = (services.app_id, services.provenance.entry_key or "")
        subscription.feed(services.opened_files.hand_over(view, tell))
        return {}

    return Source(TAKE_DROPPED.method, start)
