"""Every JSON-RPC method and notification of the App Server, one row each.

The routes, the generated schemas and the reference page are built from these tables.
"""

from lime_desktop.protocol.app_call import APP_CALL, APP_UNDO
from lime_desktop.protocol.calls.actions import (
    READ_REVIEW,
    READ_REVIEW_CONTENT,
    RESPOND_ACTION,
)
from lime_desktop.protocol.calls.agent_tasks import (
    READ_AGENT_TASK,
    READ_AGENT_TRAFFIC,
    READ_TASK_EVENTS,
)
from lime_desktop.protocol.calls.app_data import (
    APPLY_RETENTION,
    DESCRIBE_APP_DATA,
    EXPORT_APP_DATA,
    KEEP_SNAPSHOTS,
    REMOVE_APP_DATA,
    RESTORE_APP_DATA,
    SNAPSHOT_APP_DATA,
)
from lime_desktop.protocol.calls.approvals import FORGET_APPROVAL, LIST_APPROVALS, LIST_GIVEN
from lime_desktop.protocol.calls.apps import REGISTER_APP, UNREGISTER_APP
from lime_desktop.protocol.calls.artifacts import (
    JUDGE_ARTIFACT,
    READ_ARTIFACT,
    READ_ARTIFACTS,
)
from lime_desktop.protocol.calls.browser import ANSWER_BROWSER_STEP, NEXT_BROWSER_STEP
from lime_desktop.protocol.calls.capabilities import LIST_CAPABILITIES
from lime_desktop.protocol.calls.checkpoints import (
    LIST_CHECKPOINTS,
    PREVIEW_ROLLBACK,
    ROLL_BACK,
)
from lime_desktop.protocol.calls.data_incidents import DATA_INCIDENT_FOUND, LIST_DATA_INCIDENTS
from lime_desktop.protocol.calls.evals import RUN_EVAL
from lime_desktop.protocol.calls.evidence import (
    EXPORT_EVIDENCE,
    EXPORT_REPLAY_CASE,
)
from lime_desktop.protocol.calls.external_agents import (
    ADD_AGENT,
    CHECK_AGENT,
    LIST_AGENTS,
    REMOVE_AGENT,
)
from lime_desktop.protocol.calls.files import GRANT_FILES, LOCATE_FILE, TAKE_FILE
from lime_desktop.protocol.calls.handshake import INITIALIZE, INITIALIZED
from lime_desktop.protocol.calls.knowledge import (
    BIND_KNOWLEDGE,
    LIST_KNOWLEDGE,
    UNBIND_KNOWLEDGE,
)
from lime_desktop.protocol.calls.lifecycle_hooks import RUN_HOOK
from lime_desktop.protocol.calls.local_models import (
    CANCEL_LOCAL_MODEL,
    INSTALL_LOCAL_MODEL,
    LIST_LOCAL_MODELS,
    LOCAL_MODEL_CHANGED,
    REMOVE_LOCAL_MODEL,
)
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    LIST_MCP_SERVERS,
    REMOVE_MCP_SERVER,
    TEST_MCP_SERVER,
)
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    DELETE_PROVIDER,
    FETCH_MODELS,
    FIND_SERVERS,
    LIST_PROVIDERS,
    TEST_CONNECTION,
    UPDATE_PROVIDER,
    UPDATE_PROVIDER_KEY,
)
from lime_desktop.protocol.calls.models import LIST_MODELS, MODELS_CHANGED, PREFER_MODEL
from lime_desktop.protocol.calls.secrets import (
    BEGIN_SIGN_IN,
    BIND_SECRET,
    FINISH_SIGN_IN,
    LIST_SECRETS,
    SIGN_OUT,
    UNBIND_SECRET,
)
from lime_desktop.protocol.calls.sessions import (
    APPEND_RUNTIME_EVENTS,
    COMPACT_SESSION,
    FOLLOW_SESSION,
    LIST_SESSIONS,
    READ_SESSION,
    RESUME_THREAD,
    SESSION_EVENT,
    SESSION_GAP,
    START_SESSION,
)
from lime_desktop.protocol.calls.skills import INSTALL_SKILL, LIST_APP_SKILLS, SWITCH_SKILL
from lime_desktop.protocol.calls.storage_tables import (
    LIST_MIGRATIONS,
    RUN_MIGRATIONS,
    STORAGE_CHANGED,
)
from lime_desktop.protocol.calls.tools import (
    DESCRIBE_TOOL,
    GIVE_INPUT,
    INVOKE_TOOL,
    LIST_APP_TOOLS,
    READ_SANDBOX,
)
from lime_desktop.protocol.calls.turns import (
    CANCEL_TURN,
    START_TURN,
)
from lime_desktop.protocol.calls.webhooks import LIST_WEBHOOKS, SWITCH_WEBHOOK, WEBHOOK_RECEIVED
from lime_desktop.protocol.calls.workflow_runs import (
    FAIL_STATE,
    FORCE_BRANCH,
    HOLD_RUN,
    LEAVE_EARLIER_RUNS,
    LIST_OPEN_RUNS,
    PLAN_RUNS,
    READ_DEVELOPED_RUN,
    SKIP_WAIT,
    STEP_RUN,
    WORKFLOW_RUN_CHANGED,
)
from lime_desktop.protocol.schedules import SCHEDULE_METHODS
from lime_desktop.protocol.triggers import TOPIC_TOLD, TRIGGER_METHODS

METHODS = (
    INITIALIZE,
    START_SESSION,
    LIST_SESSIONS,
    READ_SESSION,
    START_TURN,
    CANCEL_TURN,
    RESPOND_ACTION,
    RESUME_THREAD,
    COMPACT_SESSION,
    APPEND_RUNTIME_EVENTS,
    EXPORT_REPLAY_CASE,
    LIST_CAPABILITIES,
    READ_ARTIFACTS,
    EXPORT_EVIDENCE,
    APP_CALL,
    APP_UNDO,
    LIST_MIGRATIONS,
    RUN_MIGRATIONS,
    GRANT_FILES,
    TAKE_FILE,
    LOCATE_FILE,
    BIND_SECRET,
    UNBIND_SECRET,
    LIST_SECRETS,
    BEGIN_SIGN_IN,
    FINISH_SIGN_IN,
    SIGN_OUT,
    LIST_WEBHOOKS,
    SWITCH_WEBHOOK,
    LIST_OPEN_RUNS,
    PLAN_RUNS,
    LEAVE_EARLIER_RUNS,
    READ_DEVELOPED_RUN,
    HOLD_RUN,
    STEP_RUN,
    SKIP_WAIT,
    FORCE_BRANCH,
    FAIL_STATE,
    *SCHEDULE_METHODS,
    *TRIGGER_METHODS,
    TOPIC_TOLD,
    NEXT_BROWSER_STEP,
    ANSWER_BROWSER_STEP,
    LIST_GIVEN,
    LIST_APPROVALS,
    FORGET_APPROVAL,
    READ_AGENT_TRAFFIC,
    LIST_DATA_INCIDENTS,
    BIND_KNOWLEDGE,
    UNBIND_KNOWLEDGE,
    LIST_KNOWLEDGE,
    LIST_APP_SKILLS,
    SWITCH_SKILL,
    INSTALL_SKILL,
    READ_ARTIFACT,
    JUDGE_ARTIFACT,
    RUN_EVAL,
    REGISTER_APP,
    UNREGISTER_APP,
    RUN_HOOK,
    LIST_MCP_SERVERS,
    ADD_MCP_SERVER,
    REMOVE_MCP_SERVER,
    TEST_MCP_SERVER,
    DESCRIBE_TOOL,
    GIVE_INPUT,
    INVOKE_TOOL,
    LIST_APP_TOOLS,
    READ_SANDBOX,
    LIST_CHECKPOINTS,
    PREVIEW_ROLLBACK,
    ROLL_BACK,
    DESCRIBE_APP_DATA,
    SNAPSHOT_APP_DATA,
    RESTORE_APP_DATA,
    REMOVE_APP_DATA,
    APPLY_RETENTION,
    EXPORT_APP_DATA,
    KEEP_SNAPSHOTS,
    LIST_LOCAL_MODELS,
    INSTALL_LOCAL_MODEL,
    CANCEL_LOCAL_MODEL,
    REMOVE_LOCAL_MODEL,
    LIST_AGENTS,
    ADD_AGENT,
    REMOVE_AGENT,
    CHECK_AGENT,
    READ_AGENT_TASK,
    READ_TASK_EVENTS,
    READ_REVIEW,
    READ_REVIEW_CONTENT,
    LIST_MODELS,
    PREFER_MODEL,
    LIST_PROVIDERS,
    CREATE_PROVIDER,
    UPDATE_PROVIDER,
    DELETE_PROVIDER,
    TEST_CONNECTION,
    FETCH_MODELS,
    FIND_SERVERS,
    UPDATE_PROVIDER_KEY,
)
"""Methods any client may call once the handshake is done."""

CLIENT_NOTIFICATIONS = (INITIALIZED, FOLLOW_SESSION)
SERVER_NOTIFICATIONS = (
    SESSION_EVENT,
    SESSION_GAP,
    MODELS_CHANGED,
    LOCAL_MODEL_CHANGED,
    STORAGE_CHANGED,
    WEBHOOK_RECEIVED,
    WORKFLOW_RUN_CHANGED,
    DATA_INCIDENT_FOUND,
)
NOTIFICATIONS = (*CLIENT_NOTIFICATIONS, *SERVER_NOTIFICATIONS)
