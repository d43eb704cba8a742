"""The shell's own pages, made once and joined to the window that they lead about in."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.runs.eval_runs import EvalRuns
from lime_desktop.host.runs.workflow_runs import WorkflowRuns
from lime_desktop.protocol.capability_calls.workflow import WorkflowRun
from lime_desktop.shell.app_center.flow import CenterFlow
from lime_desktop.shell.app_center.in_place import PackagesInPlace
from lime_desktop.shell.app_center.manage_card import ManageLinks, manage_card
from lime_desktop.shell.dialogs.questions import ask_about_link
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.pages.app_page import AppLinks, AppPage, ReadCards
from lime_desktop.shell.pages.benchmarks_card import BenchmarkCards
from lime_desktop.shell.pages.browser_sign_in import BrowserSignIn
from lime_desktop.shell.pages.fixing import Fixes, FixLinks
from lime_desktop.shell.pages.given_card import GivenCards, GivenLinks
from lime_desktop.shell.pages.home.home import HomeLinks, HomePage, HomeServices
from lime_desktop.shell.pages.home.work import WorkLinks
from lime_desktop.shell.pages.measures_card import MeasureCards
from lime_desktop.shell.pages.overlays_page import OverlaysPage
from lime_desktop.shell.pages.recovering import Recovering
from lime_desktop.shell.pages.schedule_card import ScheduleCards, ScheduleLinks
from lime_desktop.shell.pages.skills_card import SkillCards, SkillLinks
from lime_desktop.shell.pages.trigger_card import TriggerCards
from lime_desktop.shell.pages.trouble_page import TroubleLinks, TroublePage
from lime_desktop.shell.pages.webhook_card import WebhookCards, WebhookLinks
from lime_desktop.shell.pages.welcome_page import WelcomeLinks, WelcomePage
from lime_desktop.shell.settings.page import SettingsLinks, SettingsPage
from lime_desktop.shell.settings.section import EngineFacts, SettingsServices
from lime_desktop.shell.widgets.run_news import RunNews
from lime_desktop.shell.widgets.work import Work
from lime_desktop.shell.window.navigation import Navigation
from lime_desktop.shell.window.services import WindowServices


@dataclass(frozen=True, slots=True)
class WindowPages:
    """Every page but the open entries and those of the plan."""

    welcome: WelcomePage
    home: HomePage
    app: AppPage
    overlays: OverlaysPage
    flow: CenterFlow
    settings: SettingsPage
    trouble: TroublePage
    removals: Removals
    """What the person removed on them and can still bring back."""


def make_pages(
    window: Navigation,
    parent: QWidget,
    services: WindowServices,
    server: AppServerSupervisor,
    engine: EngineFacts,
    notices: Notices,
) -> WindowPages:
    """Make the pages; where each leads is the window's to know."""
    removals = Removals(parent, notices)
    in_place = PackagesInPlace(services.registry, services.settings)
    flow = CenterFlow(services.look, services.registry, in_place, window.close_app)
    work_links = WorkLinks(
        window.open_entry,
        window.open_session,
        window.show_run,
        window.show_questions,
        window.open_workflow_run,
        _retrying(parent, services, server, notices),
    )
    home_links = HomeLinks(
        window.open_app,
        window.show_details,
        flow.install,
        flow.install_offer,
        flow.uninstall,
        window.app_menu,
        window.show_settings,
        work_links,
    )
    settings_links = SettingsLinks(
        server.call,
        notices.toast,
        notices.problem,
        window.show_details,
        window.close_app,
        notices.offer_undo,
        removals,
    )
    welcome_links = WelcomeLinks(
        flow.install_offer,
        window.open_app,
        window.show_settings,
        window.end_welcome,
        notices.problem,
    )
    return WindowPages(
        welcome=WelcomePage(
            services.look,
            services.settings,
            services.brand,
            services.registry,
            server.call,
            welcome_links,
        ),
        home=HomePage(
            HomeServices(
                services.look,
                services.settings,
                services.brand,
                services.registry,
                services.approvals,
                services.recent,
                services.models,
            ),
            server,
            home_links,
        ),
        app=_app_page(window, parent, services, server, notices, flow),
        overlays=OverlaysPage(
            services.look.texts,
            services.registry,
            window.show_details,
            notices.toast,
            notices.problem,
            notices.offer_undo,
        ),
        flow=flow,
        settings=SettingsPage(services.look, _settings_services(services), engine, settings_links),
        trouble=_trouble_page(window, services, server, notices),
        removals=removals,
    )


def _settings_services(services: WindowServices) -> SettingsServices:
    return SettingsServices(
        services.settings,
        services.brand,
        services.folders,
        services.registry,
        services.setup,
        services.models,
        services.unkept,
        services.network_ledger,
        services.updates,
    )


def _retrying(
    parent: QWidget, services: WindowServices, server: AppServerSupervisor, notices: Notices
) -> Callable[[WorkflowRun], None]:
    """Tries a run of a workflow again that has no page where that is offered."""
    work, locale = Work(parent, notices.problem), services.look.texts.locale

    async def retry(run: WorkflowRun) -> None:
        app = services.registry.app(run.provenance.app_id)
        if app is not None:
            runs = WorkflowRuns(server.call, app, None, run.key, locale)
            await runs.retry(run.workflow_run_id)

    return lambda run: work.start(retry(run))


def _trouble_page(
    window: Navigation, services: WindowServices, server: AppServerSupervisor, notices: Notices
) -> TroublePage:
    recovering = Recovering(server, services.folders.data, window.open_center)
    links = TroubleLinks(
        recovering.retry,
        recovering.restore,
        recovering.begin_anew,
        notices.toast,
        notices.problem,
    )
    return TroublePage(services.look.texts, services.folders, links)


def _app_page(
    window: Navigation,
    parent: QWidget,
    services: WindowServices,
    server: AppServerSupervisor,
    notices: Notices,
    flow: CenterFlow,
) -> AppPage:
    work = Work(parent, notices.problem)
    fix_links = FixLinks(
        server.call,
        notices.toast,
        window.show_settings,
        window.show_overlays,
        flow.install,
        window.show_permissions,
        window.install_named,
        partial(ask_about_link, parent, services.look.texts),
        BrowserSignIn(services.look.texts, notices, parent),
    )
    fixes = Fixes(services.look.texts, services.registry, services.setup, parent, fix_links, work)
    given = GivenCards(services.look.texts, GivenLinks(server.call, fixes.replace, fixes.take_back))
    evals = EvalRuns(services.registry, server.call)
    parent.destroyed.connect(evals.end_soon)
    manage_links = ManageLinks(
        flow.install,
        flow.uninstall,
        flow.roll_back,
        window.show_overlays,
        window.take_off_list,
        window.install_named,
    )
    links = AppLinks(
        window.show_home,
        window.open_entry,
        fixes.carry_out,
        partial(
            manage_card, services.look.texts, services.brand, services.registry, manage_links, work
        ),
        window.install_named,
        window.show_settings,
        lambda app_id: services.setup.read_soon(server.call, app_id),
        partial(ask_about_link, parent, services.look.texts),
        notices.offer_undo,
        window.show_run,
        evals,
        window.take_off_list,
    )
    skills = SkillCards(services.look.texts, SkillLinks(server.call, fixes.install_skill))
    texts = services.look.texts
    webhook_links = WebhookLinks(server.call, fixes.switch_webhook, notices.toast)
    settings = services.settings
    schedule_links = ScheduleLinks(
        server.call,
        parent,
        window.open_workflow_run,
        window.show_run,
        lambda: settings.current.stays_in_tray,
    )
    read = ReadCards(
        given,
        skills,
        MeasureCards(texts, server.call),
        BenchmarkCards(texts, server.call),
        WebhookCards(texts, webhook_links),
        ScheduleCards(texts, schedule_links),
        TriggerCards(texts, schedule_links),
    )
    page = AppPage(services.look, services.registry, services.models, links, read, notices.problem)
    RunNews(page, server, page.look_at_starts)
    return page
