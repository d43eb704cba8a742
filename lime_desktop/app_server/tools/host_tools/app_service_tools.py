"""Every service of apps that their agents have as tools."""

from dataclasses import dataclass

from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.files.service import AppFilesService
from lime_desktop.app_server.knowledge.service import AppKnowledge
from lime_desktop.app_server.storage.service import AppStorage
from lime_desktop.app_server.storage.table_service import AppTableStorage
from lime_desktop.app_server.tools.host_tools.artifact_tools import artifact_tools
from lime_desktop.app_server.tools.host_tools.file_tools import file_tools
from lime_desktop.app_server.tools.host_tools.knowledge_tools import knowledge_tools
from lime_desktop.app_server.tools.host_tools.service_tool import ServiceTools
from lime_desktop.app_server.tools.host_tools.storage_tools import storage_tools


@dataclass(frozen=True, slots=True)
class AgentServices:
    """What agents reach of what is kept for their app."""

    storage: AppStorage
    tables: AppTableStorage
    files: AppFilesService
    artifacts: AppArtifacts
    knowledge: AppKnowledge
    evidence: AppEvidence


def app_service_tools(services: AgentServices) -> ServiceTools:
    """The tools over these services."""
    return ServiceTools(
        (
            *storage_tools(services.storage, services.tables),
            *file_tools(services.files),
            *artifact_tools(services.artifacts),
            *knowledge_tools(services.knowledge),
        )
    )
