"""Sets right what keeps an app from running: one way for each kind of step that readiness names."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.app_access import take_back
from lime_desktop.host.apps.fix_places import (
    AGAIN,
    OVERLAYS,
    PERMISSIONS,
    REVIEW,
    SKILLS,
    UPDATE,
    place_of,
    receiver_of,
    sign_in_of,
)
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.view.shell_port import FileQuestion, SecretQuestion
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.approvals import GivenThing
from lime_desktop.protocol.calls.knowledge import BIND_KNOWLEDGE, BindKnowledgeParams
from lime_desktop.protocol.calls.secrets import (
    BEGIN_SIGN_IN,
    BIND_SECRET,
    FINISH_SIGN_IN,
    SIGN_IN_SLOT,
    BeginSignInParams,
    BindSecretParams,
    FinishSignInParams,
)
from lime_desktop.protocol.calls.skills import INSTALL_SKILL, InstallSkillParams
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.calls.webhooks import SWITCH_WEBHOOK, SwitchWebhookParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.readiness.codes import NOBODY_NAMED
from lime_desktop.readiness.naming import declared_name
from lime_desktop.readiness.result import SetupAction
from lime_desktop.shell.dialogs.choosers import ask_secret, choose_files
from lime_desktop.shell.pages.browser_sign_in import BrowserSignIn
from lime_desktop.shell.widgets.work import Work

_BROWSER_S = 330.0
"""Longer than the server waits for the person to come back from their browser."""


@dataclass(frozen=True, slots=True)
class FixLinks:
    """What a fix needs of the window it is made in."""

    call: CallServer
    say: Callable[[str, str], None]
    show_settings: Callable[[str], None]
    show_overlays: Callable[[str], None]
    review: Callable[[Path], None]
    show_permissions: Callable[[str], None]
    install_named: Callable[[str], None]
    offer_link: Callable[[str, str], None]
    sign_in: BrowserSignIn


def is_successor(action: SetupAction) -> bool:
    """Whether a step leads to another app, by its id, and not to an address."""
    return (
        action.kind == "external" and action.target != NOBODY_NAMED and "://" not in action.target
    )


class Fixes:
    """Carries out the steps of one window. What has changed is read back, never assumed."""

    def __init__(
        self,
        texts: Texts,
        registry: AppRegistry,
        setup: SetupReading,
        window: QWidget,
        links: FixLinks,
        work: Work,
    ) -> None:
        self._texts = texts
        self._registry = registry
        self._setup = setup
        self._window = window
        self._links = links
        self._work = work

    def carry_out(self, app: RegisteredApp, action: SetupAction) -> None:
        """Take one step."""
        match action.kind:
            case "grant-permission":
                self._registry.grant(app.app_id, action.target)
            case "configure-secret":
                self._work.start(self._fill_secret(app, action.target))
            case "run-migration":
                self._work.start(self._migrate(app))
            case "external":
                self._lead_outside(app, action)
            case "bind-knowledge":
                self._work.start(self._bind_knowledge(app, action.target))
            case "install-tool":
                self._links.show_settings("tools")
            case "open-settings":
                self._set_up(app, action)

    async def replace(self, app: RegisteredApp, thing: GivenThing) -> None:
        """Ask once more for something that the person gave."""
        if thing.kind == "secret" and thing.key.startswith(SIGN_IN_SLOT):
            await self._sign_in(app, thing.key.removeprefix(SIGN_IN_SLOT))
            return
        ask = self._fill_secret if thing.kind == "secret" else self._bind_knowledge
        await ask(app, thing.key)

    async def take_back(self, app: RegisteredApp, thing: GivenThing) -> None:
        """Take back something that the person gave."""
        await take_back(self._links.call, app.app_id, thing)
        await self._done(app, self._texts("given.taken-back"))

    def _lead_outside(self, app: RegisteredApp, action: SetupAction) -> None:
        if is_successor(action):
            self._links.install_named(action.target)
        else:
            self._links.offer_link(app.title(self._texts.locale), action.target)

    def _set_up(self, app: RegisteredApp, action: SetupAction) -> None:
        if (connector_id := sign_in_of(app, action)) is not None:
            self._work.start(self._sign_in(app, connector_id))
        elif (connector_id := receiver_of(app, action)) is not None:
            app_id = AppId(app.app_id)
            asked = SwitchWebhookParams(app_id=app_id, connector_id=connector_id, is_on=True)
            self._work.start(self.switch_webhook(app, asked))
        else:
            self._lead_to(app, place_of(app, action))

    def _lead_to(self, app: RegisteredApp, place: str | None) -> None:
        if place == OVERLAYS:
            self._links.show_overlays(app.app_id)
        elif place == UPDATE:
            self._links.install_named(app.app_id)
        elif place == REVIEW:
            self._links.review(app.path)
        elif place == PERMISSIONS:
            self._links.show_permissions(app.app_id)
        elif place == AGAIN:
            self._work.start(self._try_again(app))
        elif place == SKILLS:
            self._work.start(self.install_skill(app))
        elif place is not None:
            self._links.show_settings(place)

    async def _fill_secret(self, app: RegisteredApp, slot: str) -> None:
        texts = self._texts
        name = declared_name("secret", slot, app.package.manifest, texts.locale)
        question = SecretQuestion(name)
        value = await ask_secret(self._window, texts, app.title(texts.locale), question)
        if value is None:
            return
        app_id = AppId(app.app_id)
        asked = BindSecretParams(app_id=app_id, slot=slot, value=value.get_secret_value())
        await self._links.call(BIND_SECRET, asked)
        await self._done(app, texts("fix.secret.done"))

    async def _sign_in(self, app: RegisteredApp, connector_id: str) -> None:
        """Have the person sign in with their browser, and wait until they are back."""
        texts, call = self._texts, self._links.call
        app_id = AppId(app.app_id)
        asked = BeginSignInParams(app_id=app_id, connector_id=connector_id)
        begun = await call(BEGIN_SIGN_IN, asked)
        waited_for = FinishSignInParams(app_id=app_id, connector_id=connector_id)
        coming_back = call(FINISH_SIGN_IN, waited_for, timeout_s=_BROWSER_S)
        title = app.title(texts.locale)
        done = await self._links.sign_in.wait(title, begun.authorization_url, coming_back)
        if done is None:
            # The person gave it up, and knows.
            return
        if done.status == "connected":
            await self._done(app, texts("fix.sign-in.done"))
        else:
            self._links.say(texts("fix.sign-in.denied"), "warning")

    async def switch_webhook(self, app: RegisteredApp, asked: SwitchWebhookParams) -> None:
        """Let messages for an app be received from now on, or no more."""
        await self._links.call(SWITCH_WEBHOOK, asked)
        await self._done(app, self._texts("webhooks.on" if asked.is_on else "webhooks.off"))

    async def _bind_knowledge(self, app: RegisteredApp, key: str) -> None:
        texts = self._texts
        question = FileQuestion(is_either=True)
        chosen = await choose_files(self._window, texts, app.title(texts.locale), question)
        if not chosen:
            return
        paths = tuple(str(path) for path in chosen)
        asked = BindKnowledgeParams(app_id=AppId(app.app_id), key=key, paths=paths)
        await self._links.call(BIND_KNOWLEDGE, asked)
        await self._done(app, texts("fix.knowledge.done"))

    async def install_skill(self, app: RegisteredApp) -> None:
        """Have the person choose the folder of a skill, and keep it for every app that refers to it."""
        texts = self._texts
        question = FileQuestion(is_folder=True, title=texts("skills.title"))
        chosen = await choose_files(self._window, texts, app.title(texts.locale), question)
        if not chosen:
            return
        await self._links.call(INSTALL_SKILL, InstallSkillParams(path=str(chosen[0])))
        await self._setup.read_all(self._links.call)
        self._links.say(texts("skills.added"), "success")

    async def _migrate(self, app: RegisteredApp) -> None:
        ran = await self._links.call(RUN_MIGRATIONS, RunMigrationsParams(app_id=AppId(app.app_id)))
        await self._done(app, self._texts("fix.migration.done", count=len(ran.applied)))

    async def _try_again(self, app: RegisteredApp) -> None:
        """Have everything looked at anew; what is still so stays on the page."""
        await self._setup.read(self._links.call, app.app_id)
        now = self._registry.app(app.app_id)
        steps = {each.key for each in now.readiness.setup_actions} if now else set[str]()
        is_better = steps < {each.key for each in app.readiness.setup_actions}
        words, kind = ("fix.again.done", "success") if is_better else ("fix.again.same", "warning")
        self._links.say(self._texts(words), kind)

    async def _done(self, app: RegisteredApp, words: str) -> None:
        await self._setup.read(self._links.call, app.app_id)
        self._links.say(words, "success")
