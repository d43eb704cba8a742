"""Takes the steps of agents in web pages: each in the window of its session, shown as it is taken, and given up after a while."""

import asyncio
import base64
import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, Qt, QUrl
from PySide6.QtWebEngineCore import QWebEngineScript
from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.bundle import domain_grants
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.wording.texts import Texts
from lime_desktop.network.hosts import parse_host
from lime_desktop.policy.domain_grants import NO_DOMAINS, DomainGrants
from lime_desktop.protocol.calls.browser import (
    AnswerBrowserStepParams,
    BrowserFailure,
    BrowserStep,
)
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.app_view.agent_browser.guards import (
    BrowserPage,
    BrowserProfile,
    is_granted,
)
from lime_desktop.shell.app_view.agent_browser.window import BrowserWindow

_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
_STEP_S = 60.0
_LOAD_S = 45.0
_SETTLE_S = 0.4
"""How long a click may take before a page begins to load."""
_WIDEST = 1_280


class StepFailed(Exception):
    """A step that could not be taken, by its stable word."""

    def __init__(self, failure: BrowserFailure) -> None:
        super().__init__(failure)
        self.failure: BrowserFailure = failure


@dataclass(slots=True)
class _Session:
    window: BrowserWindow
    page: BrowserPage
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    loading: "asyncio.Future[bool] | None" = None
    names: dict[str, str] = field(default_factory=dict[str, str])
    """What the elements of the page are called, as it was last read."""


class AgentBrowsers:
    """The browser windows of all agents."""

    def __init__(
        self,
        texts: Texts,
        registry: AppRegistry,
        access: ProxyAccess,
        script: str,
        parent: QWidget,
    ) -> None:
        self._texts = texts
        self._registry = registry
        self._access = access
        self._script = script
        self._parent = parent
        self._sessions: dict[str, _Session] = {}
        self._stopped: set[str] = set()
        """Sessions that the person ended: nothing more is done in them."""

    async def take(self, step: BrowserStep) -> AnswerBrowserStepParams:
        """Take one step, and say what the page is then."""
        try:
            async with asyncio.timeout(_STEP_S):
                return await self._unless_stopped(step)
        except TimeoutError:
            return _failed(step, "step_timed_out")
        except StepFailed as failed:
            return _failed(step, failed.failure)

    def close(self) -> None:
        """Close every window."""
        for browser_id in tuple(self._sessions):
            self._end(browser_id)

    async def _unless_stopped(self, step: BrowserStep) -> AnswerBrowserStepParams:
        if step.browser_id in self._stopped:
            raise StepFailed("stopped_by_person")
        if step.action == "close":
            self._end(step.browser_id)
            return AnswerBrowserStepParams(step_id=step.step_id)
        session = self._session(step)
        session.window.tell(self._words(session, step))
        doing = asyncio.ensure_future(self._do(session, step))
        stopping = asyncio.ensure_future(session.stopped.wait())
        try:
            await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if session.stopped.is_set():
                raise StepFailed("stopped_by_person")
            return await doing
        finally:
            doing.cancel()
            stopping.cancel()

    def _words(self, session: _Session, step: BrowserStep) -> str:
        """A step in words; never what was typed."""
        host = parse_host(step.url) if step.url else step.host
        name = session.names.get(step.element or "") or step.element or ""
        return self._texts(
            f"browser.step.{step.action}",
            site=host or "",
            element=plain_name(name),
            secret=step.secret_name or "",
        )

    def _session(self, step: BrowserStep) -> _Session:
        session = self._sessions.get(step.browser_id)
        if session is not None:
            return session
        if step.action != "open":
            raise StepFailed("no_page")
        return self._open(step)

    def _open(self, step: BrowserStep) -> _Session:
        app = self._registry.app(step.app_id)
        title = app.title(self._texts.locale) if app else step.app_id
        window = BrowserWindow(self._texts, title, step.provider, self._parent)

        def grants() -> DomainGrants:
            now = self._registry.app(step.app_id)
            return domain_grants(now) if now is not None else NO_DOMAINS

        credentials = self._access.admit_browser(step.app_id, grants())
        # Not the window's: it would be gone before the page that stands on it.
        profile = BrowserProfile(grants, credentials, self._parent)
        page = BrowserPage(profile, grants, window)
        page.destroyed.connect(profile.deleteLater)
        session = self._sessions[step.browser_id] = _Session(window, page)
        page.loadFinished.connect(partial(_loaded, session))
        page.loadStarted.connect(partial(_loading, session))
        window.carry(page)
        window.stopped.connect(lambda: self._stop(step.browser_id))
        window.show()
        return session

    def _stop(self, browser_id: str) -> None:
        self._stopped.add(browser_id)
        if (session := self._sessions.get(browser_id)) is not None:
            session.stopped.set()
        self._end(browser_id)

    def _end(self, browser_id: str) -> None:
        session = self._sessions.pop(browser_id, None)
        if session is not None:
            session.window.is_over = True
            session.window.close()
            session.page.deleteLater()
            session.window.deleteLater()

    async def _do(self, session: _Session, step: BrowserStep) -> AnswerBrowserStepParams:
        page = session.page
        if step.host is not None and parse_host(page.url().toString()) != step.host:
            raise StepFailed("page_changed")
        match step.action:
            case "open":
                await self._load(session, step.app_id, step.url or "")
            case "follow":
                link = await self._call(page, "link", step.element or "")
                await self._load(session, step.app_id, str(link.get("url") or ""))
            case "click":
                await self._call(page, "click", step.element or "")
                await _settle(session)
            case "type":
                await self._call(page, "type", step.element or "", step.text or "")
            case "typeSecret":
                value = step.secret.get_secret_value() if step.secret else ""
                await self._call(page, "typeSecret", step.element or "", value)
            case "back":
                page.triggerAction(page.WebAction.Back)
                await _settle(session)
            case _:
                pass
        return await self._answer(session, step)

    async def _load(self, session: _Session, app_id: str, address: str) -> None:
        url, app = QUrl(address), self._registry.app(app_id)
        if app is None or not is_granted(url, domain_grants(app)):
            raise StepFailed("site_not_granted")
        loading = _loading(session)
        session.page.load(url)
        await _settled(loading)

    async def _answer(self, session: _Session, step: BrowserStep) -> AnswerBrowserStepParams:
        page = session.page
        seen = await self._call(page, "read")
        elements: list[dict[str, str]] = seen.get("elements", [])
        session.names = {each["element"]: each["name"] for each in elements}
        return AnswerBrowserStepParams.model_validate(
            {
                "step_id": step.step_id,
                "url": page.url().toString()[:4_000],
                "title": page.title()[:1_000],
                "text": seen.get("text", ""),
                "elements": [] if step.action == "screenshot" else elements,
                "picture": _picture(session.window) if step.action == "screenshot" else None,
            }
        )

    async def _call(self, page: BrowserPage, name: str, *given: object) -> dict[str, Any]:
        """Have the host's own script in the page do something, in a world that the page does not see."""
        arguments = ", ".join(json.dumps(each) for each in given)
        # By a function of ours: an element of the page that has this name must not pass for it.
        found = await _evaluate(page, "typeof globalThis.limeBrowser?.typeSecret")
        if found != "function":
            await _evaluate(page, self._script)
        said = await _evaluate(page, f"limeBrowser.{name}({arguments})")
        if not isinstance(said, str):
            raise StepFailed("load_failed")
        told: dict[str, Any] = json.loads(said)
        if failure := told.get("failure"):
            raise StepFailed(failure)
        return told


async def _evaluate(page: BrowserPage, script: str) -> object:
    done: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    def take(value: object) -> None:
        if not done.done():
            done.set_result(value)

    page.runJavaScript(script, _WORLD, take)
    return await done


def _loading(session: _Session) -> "asyncio.Future[bool]":
    if session.loading is None or session.loading.done():
        session.loading = asyncio.get_running_loop().create_future()
    return session.loading


def _loaded(session: _Session, is_well: bool) -> None:  # noqa: FBT001 - Qt's own signal
    if session.loading is not None and not session.loading.done():
        session.loading.set_result(is_well)


async def _settle(session: _Session) -> None:
    """Wait for the page that a click or a step back may lead to."""
    await asyncio.sleep(_SETTLE_S)
    if session.loading is not None and not session.loading.done():
        await _settled(session.loading)


async def _settled(loading: "asyncio.Future[bool]") -> None:
    try:
        async with asyncio.timeout(_LOAD_S):
            is_well = await asyncio.shield(loading)
    except TimeoutError:
        raise StepFailed("step_timed_out") from None
    if not is_well:
        raise StepFailed("load_failed")


def _failed(step: BrowserStep, failure: BrowserFailure) -> AnswerBrowserStepParams:
    return AnswerBrowserStepParams(step_id=step.step_id, failure=failure)


def _picture(window: BrowserWindow) -> str:
    picture = window.view.grab()
    if picture.width() > _WIDEST:
        picture = picture.scaledToWidth(_WIDEST, Qt.TransformationMode.SmoothTransformation)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return base64.b64encode(bytes(buffer.data().data())).decode()
