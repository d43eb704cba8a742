"""Where the app keeps its own data."""

from typing import Literal

from pydantic import Field

from lime_desktop.app_package.manifest.values import FreeObject, ManifestModel, Text


class Database(ManifestModel):
    """Hints for the engine; the host decides."""

    engine: Literal["sqlite", "postgresql", "indexeddb", "host-managed", "other"] | None = None
    wal: bool | None = None
    schema_name: str | None = Field(default=None, alias="schema")
    migration_owner: Literal["app", "host"] | None = None


class Storage(ManifestModel):
    """The app's own namespace, its data model and its migrations."""

    namespace: Text
    schema_path: str | None = Field(default=None, alias="schema")
    migrations: str | None = None
    placement: (
        Literal[
            "local-sqlite",
            "local-indexeddb",
            "host-managed",
            "server-postgresql",
            "server-managed",
            "external",
        ]
        | None
    ) = None
    isolation: (
        Literal[
            "per-app-database",
            "per-app-schema",
            "per-app-namespace",
            "per-tenant-schema",
            "dedicated-database",
        ]
        | None
    ) = None
    physical_sharing: (
        Literal["none", "host-managed", "shared-engine-isolated-namespace", "dedicated"] | None
    ) = None
    local_default: bool | None = None
    database: Database | None = None
    retention: FreeObject | None = None
    uninstall_policy: Literal["retain", "delete", "export-then-delete", "ask"] | None = None
