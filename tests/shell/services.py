"""What the window's parts are given, made as the program makes it. Shared by tests."""

from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.app_view.opened_tabs import OpenedTabs
from lime_desktop.shell.app_view.sandbox_consent import SandboxConsent
from lime_desktop.shell.developer.services import DeveloperServices
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.surroundings import Surroundings
from lime_desktop.shell.window.tab_services import TabServices


class Services:
    """One of each, joined as in the program."""

    def __init__(self, folders: Folders, settings: HostSettings) -> None:
        self.folders = folders
        self.around = around = Surroundings(folders, settings)
        self.settings = around.store
        self.brand = around.brand
        self.look = around.look
        self.texts = around.texts
        self.appearance = around.appearance
        self.registry = around.shelf
        self.unkept = around.unkept
        self.approvals = around.approvals
        self.recent = around.recent
        self.models = around.models
        self.topics = around.topics
        self.storage_news = around.storage_news
        self.setup = around.setup
        self.sandbox = SandboxConsent(self.settings)
        self.opened_tabs = OpenedTabs()

    @property
    def tab(self) -> TabServices:
        """What a view of an app stands on."""
        return TabServices(
            look=self.look,
            settings=self.settings,
            brand=self.brand,
            resources=self.folders.resources,
            registry=self.registry,
            approvals=self.approvals,
            models=self.models,
            topics=self.topics,
            storage_news=self.storage_news,
            sandbox=self.sandbox,
            opened_tabs=self.opened_tabs,
        )

    @property
    def developer(self) -> DeveloperServices:
        """What the developer's loop stands on."""
        return DeveloperServices(
            self.texts, self.folders.resources, self.registry, self.setup, self.opened_tabs
        )
