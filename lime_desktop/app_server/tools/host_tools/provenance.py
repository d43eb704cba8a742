"""What a record that an agent makes says of its origin."""

from lime_desktop.app_server.tools.host_tools.service_tool import Caller
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.protocol.ids import TaskId
from lime_desktop.protocol.provenance import Provenance


def provenance_of(caller: Caller) -> Provenance:
    """The app, its bytes, and the task that the agent works on."""
    app, request = caller.app, caller.request
    return Provenance(
        app_id=app.app_id,
        app_name=app.package.name,
        app_version=app.package.manifest.version,
        package_hash=app.registration.package_hash,
        manifest_hash=app.package.manifest_hash or "",
        standard_version=app.package.manifest.manifest_version or THIS_HOST.standard_version,
        workspace_id=request.workspace_id,
        run_id=request.run_id,
        task_id=TaskId(request.task_id),
    )
