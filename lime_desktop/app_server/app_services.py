"""The services that keep things for apps, put together: opened once, led to by routes, closed in order."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.agent_tasks.background import AppBackgroundTasks
from lime_desktop.app_server.agent_tasks.document_summaries import DocumentSummaries
from lime_desktop.app_server.agent_tasks.search import AppSearch, SearchedServices
from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.agent_tasks.skills import AppSkills
from lime_desktop.app_server.agent_tasks.usage import AppUsage
from lime_desktop.app_server.app_data.app_access import AppAccess
from lime_desktop.app_server.app_data.retention import AppRetention
from lime_desktop.app_server.app_data.service import AppDataService
from lime_desktop.app_server.app_data.service_parts import (
    ArtifactsPart,
    FilesPart,
    KnowledgePart,
    SecretsPart,
    StoragePart,
)
from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.apps.data_holder import DataHolder
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.artifacts.service import AppArtifacts, open_artifacts
from lime_desktop.app_server.checkpoints.parts import CheckpointPart, scopes_of
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.files.document_transforms import AppDocuments
from lime_desktop.app_server.files.references import FileReferences, open_references
from lime_desktop.app_server.files.service import AppFilesService
from lime_desktop.app_server.knowledge.indexes import KnowledgeIndexes
from lime_desktop.app_server.knowledge.service import AppKnowledge
from lime_desktop.app_server.quality.eval_runs import EvalRuns
from lime_desktop.app_server.quality.service import QualityGates
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.secrets.service import AppSecrets
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.server.fan_out import FanOut
from lime_desktop.app_server.skills.library import SkillLibrary
from lime_desktop.app_server.storage.export_import import DataExportImport
from lime_desktop.app_server.storage.files import QUOTA_BYTES, AppFiles
from lime_desktop.app_server.storage.happenings import Happenings
from lime_desktop.app_server.storage.prepared import PreparedFiles, clear_rehearsals
from lime_desktop.app_server.storage.searching import DataSearch
from lime_desktop.app_server.storage.service import AppStorage
from lime_desktop.app_server.storage.table_service import AppTableStorage
from lime_desktop.app_server.tools.host_tools.app_service_tools import AgentServices
from lime_desktop.background.tasks import close_all
from lime_desktop.protocol.calls.agent_tasks import READ_AGENT_TASK, READ_TASK_EVENTS
from lime_desktop.protocol.calls.app_data import (
    APPLY_RETENTION,
    DESCRIBE_APP_DATA,
    EXPORT_APP_DATA,
    KEEP_SNAPSHOTS,
    REMOVE_APP_DATA,
    RESTORE_APP_DATA,
    SNAPSHOT_APP_DATA,
)
from lime_desktop.protocol.calls.approvals import LIST_GIVEN
from lime_desktop.protocol.calls.artifacts import JUDGE_ARTIFACT, READ_ARTIFACT
from lime_desktop.protocol.calls.files import GRANT_FILES, LOCATE_FILE, TAKE_FILE
from lime_desktop.protocol.calls.knowledge import (
    BIND_KNOWLEDGE,
    LIST_KNOWLEDGE,
    UNBIND_KNOWLEDGE,
)
from lime_desktop.protocol.calls.secrets import (
    BIND_SECRET,
    LIST_SECRETS,
    UNBIND_SECRET,
)
from lime_desktop.protocol.calls.storage_tables import (
    LIST_MIGRATIONS,
    RUN_MIGRATIONS,
)


@dataclass(frozen=True, slots=True)
class AppServices:
    """What keeps things for apps."""

    folder: Path
    apps: RegisteredApps
    fan_out: FanOut
    secrets: SecretStore
    """Opened and closed by whoever made it: model providers keep their keys in it too."""
    files: AppFiles
    happenings: Happenings
    prepared: PreparedFiles
    storage: AppStorage
    references: FileReferences
    parsing: DocumentParsing
    opened_files: AppFilesService
    indexes: KnowledgeIndexes
    knowledge: AppKnowledge
    artifacts: AppArtifacts
    quality: QualityGates
    documents: AppDocuments
    evidence: AppEvidence
    """Opened and closed by whoever made it: tasks record in it too."""

    @property
    def for_agents(self) -> AgentServices:
        """What agents reach of it."""
        return AgentServices(
            self.storage,
            self.tables,
            self.opened_files,
            self.artifacts,
            self.knowledge,
            self.evidence,
        )

    @property
    def checkpoint_parts(self) -> tuple[CheckpointPart, ...]:
        """What of it a checkpoint can hold."""
        return scopes_of(self.files, self.artifacts, self.references)

    @property
    def tables(self) -> AppTableStorage:
        """The apps' tables."""
        announce = self.fan_out.announce_storage_changes
        return AppTableStorage(self.files, self.prepared, now, announce, happenings=self.happenings)

    def serve_tasks(
        self, routes: Routes, calls: AppCalls, tasks: AgentTasks, skills: SkillLibrary
    ) -> None:
        """Lead what is asked of tasks, and the calls that need an agent as well, to their services."""
        tasks.serve(calls)
        routes.add(READ_AGENT_TASK, tasks.read)
        routes.add(READ_TASK_EVENTS, tasks.read_events)
        AppBackgroundTasks(tasks).serve(calls)
        AppUsage(tasks, self.apps).serve(calls)
        AppSkills(tasks, self.apps, skills).serve(routes, calls)
        kept = SearchedServices(
            self.knowledge, DataSearch(self.files), self.artifacts, self.opened_files
        )
        AppSearch(tasks, self.apps, kept).serve(calls)
        DocumentSummaries(tasks, self.documents).serve(calls)

    def serve(self, routes: Routes, calls: AppCalls, of_agents: tuple[DataHolder, ...]) -> None:
        """Lead every call to its service.

        Args:
            routes: The table of methods.
            calls: The table of what apps call.
            of_agents: What an app's agents leave: what people agreed to for them, where they sent something.
        """
        self._serve_storage(routes, calls)
        self._serve_app_data(routes, of_agents)
        routes.add(LIST_GIVEN, AppAccess(self.secrets, self.indexes, self.references).list)
        self._serve_files(routes, calls)
        self._serve_secrets(routes, calls)
        self._serve_knowledge(routes, calls)
        self._serve_artifacts(routes, calls)
        self.evidence.serve(calls)

    async def close(self) -> None:
        """Close what is open, each after the writes it was given."""
        await close_all(
            self.indexes.close,
            self.parsing.close,
            self.artifacts.close,
            self.files.close,
            self.references.close,
        )

    def _serve_storage(self, routes: Routes, calls: AppCalls) -> None:
        announce, tables = self.fan_out.announce_storage_changes, self.tables
        tables.serve(calls)
        self.storage.serve(calls, tables.setting, tables.deleting)
        routes.add(LIST_MIGRATIONS, tables.list_migrations)
        routes.add(RUN_MIGRATIONS, tables.migrate)
        whole = DataExportImport(self.files, self.prepared, self.references, now, announce)
        whole.serve(calls)

    def _serve_app_data(self, routes: Routes, of_agents: tuple[DataHolder, ...]) -> None:
        holders = [
            StoragePart(self.files),
            ArtifactsPart(self.artifacts),
            KnowledgePart(self.indexes),
            FilesPart(self.references),
            SecretsPart(self.secrets),
            self.evidence.part,
            *of_agents,
        ]
        data = AppDataService(holders, self.folder / "app-snapshots")
        routes.add(DESCRIBE_APP_DATA, data.describe)
        routes.add(SNAPSHOT_APP_DATA, data.snapshot)
        routes.add(RESTORE_APP_DATA, data.restore)
        routes.add(REMOVE_APP_DATA, data.remove)
        routes.add(APPLY_RETENTION, self._retention.apply)
        routes.add(EXPORT_APP_DATA, data.export)
        routes.add(KEEP_SNAPSHOTS, data.keep_snapshots)

    @property
    def _retention(self) -> AppRetention:
        announce, clock = self.fan_out.announce_storage_changes, self.folder / "retention-clock"
        return AppRetention(self.files, self.artifacts, self.evidence.keep, announce, clock)

    def _serve_files(self, routes: Routes, calls: AppCalls) -> None:
        files = self.opened_files
        files.serve(calls)
        routes.add(GRANT_FILES, files.grant)
        routes.add(TAKE_FILE, files.take)
        routes.add(LOCATE_FILE, files.locate)
        self.documents.serve(calls)

    def _serve_secrets(self, routes: Routes, calls: AppCalls) -> None:
        secrets = AppSecrets(self.apps, self.secrets)
        secrets.serve(calls)
        routes.add(BIND_SECRET, secrets.bind)
        routes.add(UNBIND_SECRET, secrets.unbind)
        routes.add(LIST_SECRETS, secrets.list)

    def _serve_knowledge(self, routes: Routes, calls: AppCalls) -> None:
        knowledge = self.knowledge
        knowledge.serve(calls)
        routes.add(BIND_KNOWLEDGE, knowledge.bind)
        routes.add(UNBIND_KNOWLEDGE, knowledge.unbind)
        routes.add(LIST_KNOWLEDGE, knowledge.list)

    def _serve_artifacts(self, routes: Routes, calls: AppCalls) -> None:
        self.artifacts.serve(calls)
        routes.add(READ_ARTIFACT, self.artifacts.read)
        routes.add(JUDGE_ARTIFACT, self.artifacts.decide)
        EvalRuns(self.apps).serve(routes)


def open_app_services(
    data_dir: Path,
    apps: RegisteredApps,
    secrets: SecretStore,
    evidence: AppEvidence,
    fan_out: FanOut,
) -> AppServices:
    """Open the folders of the services."""
    clear_rehearsals(data_dir / "apps")
    references = open_references(data_dir)
    parsing = DocumentParsing()
    files = AppFiles(data_dir / "apps")
    happenings = Happenings(files, fan_out.storage_changed)
    prepared = PreparedFiles(apps, files, QUOTA_BYTES)
    indexes = KnowledgeIndexes(data_dir / "knowledge", parsing)
    artifacts = open_artifacts(data_dir, apps, references)
    knowledge = AppKnowledge(apps, indexes, references, prepared)
    quality = QualityGates(apps, knowledge.search, evidence)
    artifacts.judge_by(quality)
    return AppServices(
        folder=data_dir,
        apps=apps,
        fan_out=fan_out,
        secrets=secrets,
        files=files,
        happenings=happenings,
        prepared=prepared,
        storage=AppStorage(files, now, fan_out.announce_storage_changes, happenings=happenings),
        references=references,
        parsing=parsing,
        opened_files=AppFilesService(references, parsing),
        indexes=indexes,
        knowledge=knowledge,
        artifacts=artifacts,
        quality=quality,
        documents=AppDocuments(references, parsing, artifacts.export),
        evidence=evidence,
    )
