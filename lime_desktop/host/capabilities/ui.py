"""lime.ui and lime.branding: the app's own place in the window, what the window shows for it, and how the product looks."""

from pydantic import BaseModel

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, LaterHandler
from lime_desktop.host.view.downloads import Downloads
from lime_desktop.host.view.shell_port import AppRoute
from lime_desktop.host.view.shown_artifact import shown_artifact
from lime_desktop.protocol.bridge.from_app import NavigatePayload, OpenExternalPayload, ToastPayload
from lime_desktop.protocol.calls.agent_tasks import READ_AGENT_TASK, AppTaskParams
from lime_desktop.protocol.calls.artifacts import READ_ARTIFACT, ReadArtifactParams
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.capability_calls.call import Acknowledged
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.capability_calls.ui import (
    AgentRunParams,
    BrandingSnapshot,
    CloseAgentRunResult,
    GetLocaleResult,
    NavigateResult,
    OpenAgentRunResult,
    OpenArtifactParams,
    OpenedResult,
    RegisterRouteParams,
    RegisterRouteResult,
    SelectDirectoryParams,
    SelectDirectoryResult,
    UpdateAgentRunResult,
)
from lime_desktop.protocol.errors import (
    EntryNotFound,
    InvalidInput,
    RateLimited,
    SessionNotFound,
    TaskNotFound,
)
from lime_desktop.protocol.ids import SessionId, TaskId
from lime_desktop.protocol.wire import Empty

_MOST_ROUTES = 64
"""What a person can still find their way in."""
_STILL_OPEN = "The chooser is still open: call again for the choice"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    downloads = Downloads(services.app, services.bodies, services.shell, services.call)
    return {
        "lime.ui.download": downloads.download,
        "lime.ui.selectDirectory": _folder_chooser(services),
        **_facts(services),
        **_places(services),
        **_runs(services),
    }


def _facts(services: HandlerServices) -> Handlers:
    def get_locale(_: Empty) -> BaseModel:
        place = services.locale_context()
        return GetLocaleResult(locale=place.locale, timezone=place.timezone)

    def get_snapshot(_: Empty) -> BaseModel:
        return services.snapshot()

    return {"lime.ui.getLocale": get_locale, "lime.ui.getSnapshot": get_snapshot}


def _places(services: HandlerServices) -> Handlers:
    actions = services.actions
    offered: set[str] = set()

    def toast(params: ToastPayload) -> BaseModel:
        actions.toast(params)
        return Acknowledged()

    def navigate(params: NavigatePayload) -> BaseModel:
        return NavigateResult(navigated_to=actions.navigate(params)["navigatedTo"])

    def open_external(params: OpenExternalPayload) -> BaseModel:
        actions.open_external(params)
        return OpenedResult()

    def register_route(params: RegisterRouteParams) -> BaseModel:
        path = actions.own_route(params.path)
        entry_key = params.entry_key or services.provenance.entry_key or ""
        if services.app().projection.entry(entry_key) is None:
            raise EntryNotFound("This app has no entry of that key")
        if len(offered | {path}) > _MOST_ROUTES:
            raise RateLimited("A view can make so many of its pages known, and no more")
        offered.add(path)
        services.shell.offer_route(AppRoute(path, params.title or path, entry_key))
        return RegisterRouteResult(path=path)

    async def open_artifact(params: OpenArtifactParams) -> BaseModel:
        asked = ReadArtifactParams(app_id=services.app_id, artifact_id=params.id)
        found = await services.call(READ_ARTIFACT, asked)
        services.shell.show_artifact(shown_artifact(found.artifact, services.call))
        return OpenedResult()

    return {
        "lime.ui.toast": toast,
        "lime.ui.navigate": navigate,
        "lime.ui.openExternal": open_external,
        "lime.ui.registerRoute": register_route,
        "lime.ui.openArtifact": open_artifact,
    }


def _folder_chooser(services: HandlerServices) -> LaterHandler:
    questions = DeferredPrompts[tuple[FileRef, ...]]()

    async def select(params: SelectDirectoryParams) -> BaseModel:
        chosen = await questions.ask(
            (params.title, params.persist),
            lambda: services.choose_folder(params.title or "", is_persistent=params.persist),
        )
        if chosen is None:
            return SelectDirectoryResult(path=None, cancelled=False, message=_STILL_OPEN)
        if not chosen:
            return SelectDirectoryResult(path=None, cancelled=True)
        return SelectDirectoryResult(path=chosen[0].name, ref=chosen[0].ref, cancelled=False)

    return select


def _runs(services: HandlerServices) -> Handlers:
    """The drawer shows what the App Server knows of a run; what a page says of it beside is not shown."""
    shell = services.shell

    async def open_(params: AgentRunParams) -> BaseModel:
        shell.show_run(await _session_of(services, params))
        return OpenAgentRunResult(mode="drawer", task_id=params.task_id)

    async def update(params: AgentRunParams) -> BaseModel:
        session_id = await _session_of(services, params)
        is_open = shell.shown_run is not None
        if is_open:
            shell.show_run(session_id)
        return UpdateAgentRunResult(updated=is_open, mode="drawer", task_id=params.task_id)

    def close(params: AgentRunParams) -> BaseModel:
        is_open = shell.shown_run is not None
        if is_open:
            shell.close_run()
        return CloseAgentRunResult(closed=is_open, mode="drawer", task_id=params.task_id)

    return {
        "lime.ui.openAgentRun": open_,
        "lime.ui.updateAgentRun": update,
        "lime.ui.closeAgentRun": close,
    }


async def _session_of(services: HandlerServices, params: AgentRunParams) -> str:
    """The session of a task, or the session itself, if it is the app's own: the App Server knows, never a page.

    Raises:
        InvalidInput: neither was named.
        TaskNotFound: the app has no such task.
        SessionNotFound: the app has no such session.
    """
    if params.task_id:
        asked = AppTaskParams(app_id=services.app_id, task_id=TaskId(params.task_id))
        task = (await services.call(READ_AGENT_TASK, asked)).task
        if task is None:
            raise TaskNotFound("This app has no task of that id")
        return task.session_id
    if not params.session_id:
        raise InvalidInput.at_fields([("taskId", "missing")])
    wanted = ReadSessionParams(session_id=SessionId(params.session_id), history_limit=0)
    if (await services.call(READ_SESSION, wanted)).session.app_id != services.app_id:
        raise SessionNotFound("This app has no session of that id")
    return params.session_id


def branding_handlers(services: HandlerServices) -> Handlers:
    """The handlers of lime.branding: how this product calls itself and looks."""

    def get_snapshot(_: Empty) -> BaseModel:
        brand, snapshot = services.branding(), services.snapshot()
        vendor_or_nobody = "unbranded" if brand.is_own else "branded"
        return BrandingSnapshot(
            state="customized" if brand.organisation else vendor_or_nobody,
            brand_name=brand.brand_name,
            product_name=brand.product_name,
            channel="stable",
            theme=snapshot.theme.effective_theme_mode,
            primary_color=snapshot.theme.tokens.get("--lime-accent", ""),
            logo_text=brand.brand_name,
            updated_at=snapshot.host.sent_at,
        )

    return {"lime.branding.getSnapshot": get_snapshot}
