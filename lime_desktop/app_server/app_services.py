"""The services that keep things for apps, put together: opened once, led to by routes, closed in order."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.app_data.given import GivenThings
from lime_desktop.app_server.app_data.holders import DataHolder
from lime_desktop.app_server.app_data.service import AppDataService
from lime_desktop.app_server.app_data.service_parts import (
    ArtifactsPart,
    FilesPart,
    KnowledgePart,
    SecretsPart,
)
from lime_desktop.app_server.app_data.storage_part import StoragePart
from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.artifacts.service import AppArtifacts, open_artifacts
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.documents.service import AppDocuments
from lime_desktop.app_server.files.references import FileReferences, open_references
from lime_desktop.app_server.files.service import AppFilesService
from lime_desktop.app_server.knowledge.indexes import KnowledgeIndexes
from lime_desktop.app_server.knowledge.service import AppKnowledge
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.secrets.service import AppSecrets
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.server.fan_out import FanOut
from lime_desktop.app_server.server.routes import Routes
from lime_desktop.app_server.storage.carrying import DataCarrying
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.prepared import PreparedFiles, clear_rehearsals
from lime_desktop.app_server.storage.service import AppStorage
from lime_desktop.app_server.storage.table_service import AppTableStorage
from lime_desktop.app_server.storage.values import QUOTA_BYTES
from lime_desktop.background.closing import close_all
from lime_desktop.protocol.calls.app_artifacts import (
    CREATE_ARTIFACT,
    EXPORT_ARTIFACT,
    LIST_ARTIFACTS,
    READ_ARTIFACT,
)
from lime_desktop.protocol.calls.app_data import (
    DESCRIBE_APP_DATA,
    EXPORT_APP_DATA,
    KEEP_SNAPSHOTS,
    REMOVE_APP_DATA,
    RESTORE_APP_DATA,
    SNAPSHOT_APP_DATA,
)
from lime_desktop.protocol.calls.documents import (
    EXPORT_DATA,
    IMPORT_DATA,
    SEARCH_DATA,
    TRANSFORM_DOCUMENT,
)
from lime_desktop.protocol.calls.files import (
    GRANT_FILES,
    LIST_FILES,
    LOCATE_FILE,
    PARSE_FILE,
    READ_FILE,
    READ_FOLDER,
    RELEASE_FILE,
)
from lime_desktop.protocol.calls.given import LIST_GIVEN
from lime_desktop.protocol.calls.knowledge import (
    BIND_KNOWLEDGE,
    EXPORT_KNOWLEDGE,
    LIST_KNOWLEDGE,
    REFRESH_KNOWLEDGE,
    SEARCH_KNOWLEDGE,
    UNBIND_KNOWLEDGE,
)
from lime_desktop.protocol.calls.secrets import (
    BIND_SECRET,
    LIST_SECRETS,
    READ_SECRET_PLACE,
    UNBIND_SECRET,
)
from lime_desktop.protocol.calls.storage import DELETE_VALUE, GET_VALUE, LIST_VALUES, SET_VALUE
from lime_desktop.protocol.calls.storage_tables import (
    CHANGE_DATA,
    GET_ROW,
    LIST_MIGRATIONS,
    QUERY_ROWS,
    READ_USAGE,
    RUN_MIGRATIONS,
    STORAGE_CHANGED,
    StorageChange,
    StorageChangedNotification,
)
from lime_desktop.protocol.ids import AppId


@dataclass(frozen=True, slots=True)
class AppServices:
    """What keeps things for apps."""

    folder: Path
    apps: RegisteredApps
    fan_out: FanOut
    secrets: SecretStore
    """Opened and closed by whoever made it: model providers keep their keys in it too."""
    files: AppFiles
    references: FileReferences
    parsing: DocumentParsing
    knowledge: KnowledgeIndexes
    artifacts: AppArtifacts
    evidence: AppEvidence
    """Opened and closed by whoever made it: tasks record in it too."""
    of_agents: tuple[DataHolder, ...]
    """What its agents leave: what people agreed to for them, where they sent something."""

    def serve(self, routes: Routes) -> None:
        """Lead every call to its service."""
        prepared = PreparedFiles(self.apps, self.files, QUOTA_BYTES)
        self._serve_storage(routes, prepared)
        self._serve_app_data(routes)
        routes.add(LIST_GIVEN, GivenThings(self.secrets, self.knowledge, self.references).list)
        self._serve_files(routes)
        self._serve_secrets(routes)
        self._serve_knowledge(routes, prepared)
        self._serve_artifacts(routes)

    async def close(self) -> None:
        """Close what is open, each after the writes it was given."""
        await close_all(
            self.knowledge.close,
            self.parsing.close,
            self.artifacts.close,
            self.files.close,
            self.references.close,
        )

    def _serve_storage(self, routes: Routes, prepared: PreparedFiles) -> None:
        values = AppStorage(self.files, now, self._announce_change)
        routes.add(GET_VALUE, values.get)
        routes.add(SET_VALUE, values.set)
        routes.add(LIST_VALUES, values.list)
        routes.add(DELETE_VALUE, values.delete)
        tables = AppTableStorage(self.files, prepared, now, self._announce_change)
        routes.add(GET_ROW, tables.get_row)
        routes.add(QUERY_ROWS, tables.query_rows)
        routes.add(CHANGE_DATA, tables.change)
        routes.add(READ_USAGE, tables.read_usage)
        routes.add(LIST_MIGRATIONS, tables.list_migrations)
        routes.add(RUN_MIGRATIONS, tables.migrate)
        whole = DataCarrying(self.files, prepared, self.references, now, self._announce_change)
        routes.add(EXPORT_DATA, whole.export)
        routes.add(IMPORT_DATA, whole.import_)
        routes.add(SEARCH_DATA, whole.search)

    def _serve_app_data(self, routes: Routes) -> None:
        holders = [
            StoragePart(self.files),
            ArtifactsPart(self.artifacts),
            KnowledgePart(self.knowledge),
            FilesPart(self.references),
            SecretsPart(self.secrets),
            self.evidence.part,
            *self.of_agents,
        ]
        data = AppDataService(holders, self.folder / "app-snapshots")
        routes.add(DESCRIBE_APP_DATA, data.describe)
        routes.add(SNAPSHOT_APP_DATA, data.snapshot)
        routes.add(RESTORE_APP_DATA, data.restore)
        routes.add(REMOVE_APP_DATA, data.remove)
        routes.add(EXPORT_APP_DATA, data.export)
        routes.add(KEEP_SNAPSHOTS, data.keep_snapshots)

    def _serve_files(self, routes: Routes) -> None:
        files = AppFilesService(self.references, self.parsing)
        routes.add(GRANT_FILES, files.grant)
        routes.add(READ_FILE, files.read)
        routes.add(PARSE_FILE, files.parse)
        routes.add(LIST_FILES, files.list)
        routes.add(READ_FOLDER, files.read_folder)
        routes.add(RELEASE_FILE, files.release)
        routes.add(LOCATE_FILE, files.locate)
        documents = AppDocuments(self.references, self.parsing)
        routes.add(TRANSFORM_DOCUMENT, documents.transform)

    def _serve_secrets(self, routes: Routes) -> None:
        secrets = AppSecrets(self.apps, self.secrets)
        routes.add(BIND_SECRET, secrets.bind)
        routes.add(UNBIND_SECRET, secrets.unbind)
        routes.add(LIST_SECRETS, secrets.list)
        routes.add(READ_SECRET_PLACE, secrets.read_place)

    def _serve_knowledge(self, routes: Routes, prepared: PreparedFiles) -> None:
        knowledge = AppKnowledge(self.apps, self.knowledge, self.references, prepared)
        routes.add(BIND_KNOWLEDGE, knowledge.bind)
        routes.add(UNBIND_KNOWLEDGE, knowledge.unbind)
        routes.add(REFRESH_KNOWLEDGE, knowledge.refresh)
        routes.add(LIST_KNOWLEDGE, knowledge.list)
        routes.add(SEARCH_KNOWLEDGE, knowledge.search)
        routes.add(EXPORT_KNOWLEDGE, knowledge.export)

    def _serve_artifacts(self, routes: Routes) -> None:
        routes.add(CREATE_ARTIFACT, self.artifacts.create)
        routes.add(READ_ARTIFACT, self.artifacts.read)
        routes.add(LIST_ARTIFACTS, self.artifacts.list)
        routes.add(EXPORT_ARTIFACT, self.artifacts.export)

    def _announce_change(self, app_id: AppId, changes: tuple[StorageChange, ...]) -> None:
        told = StorageChangedNotification(app_id=app_id, changes=changes)
        self.fan_out.announce(STORAGE_CHANGED, told, app_id)


def open_app_services(
    data_dir: Path,
    apps: RegisteredApps,
    secrets: SecretStore,
    evidence: AppEvidence,
    of_agents: tuple[DataHolder, ...],
    fan_out: FanOut,
) -> AppServices:
    """Open the folders of the services."""
    clear_rehearsals(data_dir / "apps")
    references = open_references(data_dir)
    parsing = DocumentParsing()
    return AppServices(
        folder=data_dir,
        apps=apps,
        fan_out=fan_out,
        secrets=secrets,
        files=AppFiles(data_dir / "apps"),
        references=references,
        parsing=parsing,
        knowledge=KnowledgeIndexes(data_dir / "knowledge", parsing),
        artifacts=open_artifacts(data_dir, apps, references),
        evidence=evidence,
        of_agents=of_agents,
    )
