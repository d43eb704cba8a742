"""Findings in English."""

from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.wording import Language, Words

ENGLISH = Language(
    passed="{key}: in place.",
    superseded="It is superseded by {successor}.",
    not_superseded="No successor is named.",
    quoted="“{}”",
    checks={
        "sdk_version": "the SDK's version",
        "host_version": "Lime Desktop's version",
        "storage_migrated": "the state of its data",
        "storage_quota": "how much room there is for its data",
        "agent_cost_budget": "how much its agents may spend",
        "workspace_available": "the workspace",
    },
    scopes={
        "filesystem": "use files",
        "network": "reach the network",
        "model": "ask language models",
        "tool": "use tools",
        "secret": "use a stored secret",
        "storage": "keep data of its own",
        "workflow": "run workflows",
        "artifact": "make documents",
        "tenant": "know your organisation",
        "workspace": "know your workspace",
        "export": "export",
    },
    findings={
        Code.PACKAGE_INVALID: Words(
            "The package is not valid: {problem}", "Ask the publisher for a corrected package"
        ),
        Code.PACKAGE_HASH_MISMATCH: Words(
            "The package is not what its publisher released: its hash or signature does not match.",
            "Get the package again from its publisher",
        ),
        Code.PACKAGE_REVOKED: Words(
            "The publisher has revoked this package.", "Get a newer package from its publisher"
        ),
        Code.PACKAGE_UNSIGNED: Words(
            "Nobody has signed this package, so its origin cannot be checked.",
            "Decide whether to trust this package",
        ),
        Code.PACKAGE_HASH_MISSING: Words(
            "The package has not been checked against a signature or a pinned hash.",
            "Check the package's signature",
        ),
        Code.PACKAGE_INCOMPLETE: Words(
            "{key} is declared but is not in the package: {path}",
            "Ask the publisher for a complete package",
        ),
        Code.END_OF_LIFE: Words(
            "This version reached its end of life on {date}. {successor_note}",
            "Move to the successor",
        ),
        Code.APP_ARCHIVED: Words(
            "This app is archived and no longer runs. {successor_note}", "Move to the successor"
        ),
        Code.APP_DEPRECATED: Words(
            "This app is deprecated. {successor_note}", "Plan the move to the successor"
        ),
        Code.SUPPORT_ENDED: Words(
            "The publisher's support ended on {date}. {successor_note}",
            "Plan the move to the successor",
        ),
        Code.MANIFEST_VERSION_UNSUPPORTED: Words(
            "The app is written for manifest version {demand}, which this host does not read.",
            "Update Lime Desktop",
        ),
        Code.RUNTIME_TARGET_UNSUPPORTED: Words(
            "The app runs only as {demand}; this host runs {offered}.",
            "Ask the publisher for a version that runs here",
        ),
        Code.HOST_VERSION_UNSUPPORTED: Words(
            "The app needs {key} {demand}; this host has {offered}.", "Update Lime Desktop"
        ),
        Code.SDK_VERSION_UNSUPPORTED: Words(
            "The app needs the SDK {key} {demand}; this host serves {offered}.",
            "Update Lime Desktop",
        ),
        Code.VERSION_RANGE_UNREADABLE: Words(
            "The version range for {key} cannot be read.", "Tell the publisher about the range"
        ),
        Code.INSTALL_MODE_UNSUPPORTED: Words(
            "The app cannot be installed as {key}; it offers {offered}.",
            "Ask the publisher for another way to install it",
        ),
        Code.PLATFORM_UNSUPPORTED: Words(
            "The app is not made for {key}; it runs on {offered}.",
            "Ask the publisher for a version for this system",
        ),
        Code.RUNTIME_BRIDGE_UNSUPPORTED: Words(
            "The app expects an agent runtime of kind {key}, which this host does not have.",
            "Ask the publisher for a version that runs here",
        ),
        Code.CAPABILITY_MISSING: Words(
            "The app needs {key}, which this host does not offer.", "Update Lime Desktop"
        ),
        Code.CAPABILITY_VERSION_UNSUPPORTED: Words(
            "The app needs {key} {demand}; this host has {offered}.", "Update Lime Desktop"
        ),
        Code.CAPABILITY_UNAVAILABLE: Words(
            "{key} cannot be used right now: {reason}", "Make {key} available"
        ),
        Code.STANDARD_UNSUPPORTED: Words(
            "The app builds on {key}, which this host does not know.", "Update Lime Desktop"
        ),
        Code.STORAGE_DECLARED_BUT_DISABLED: Words(
            "The app keeps data in {key}, but this host offers no storage.", "Update Lime Desktop"
        ),
        Code.STORAGE_PLACEMENT_UNSUPPORTED: Words(
            "The app would rather keep its data in {demand}; here it is kept in {offered}.",
            "See where the app's data is kept",
        ),
        Code.STORAGE_MIGRATION_REQUIRED: Words(
            "The app's data in {key} must be brought up to date first: {pending}",
            "Bring the app's data up to date",
        ),
        Code.PERMISSION_REQUIRED: Words(
            "The app needs the permission {key}, which nobody has granted.",
            "Grant the permission {key}",
        ),
        Code.PERMISSION_DENIED: Words(
            "A policy denies the permission {key}, which the app needs.", "See the policy"
        ),
        Code.KNOWLEDGE_BINDING_REQUIRED: Words(
            "No knowledge is bound to {key}.", "Bind knowledge to {key}"
        ),
        Code.KNOWLEDGE_INCOMPATIBLE: Words(
            "The knowledge bound to {key} is of type {offered}; the app needs {demand}.",
            "Bind other knowledge to {key}",
        ),
        Code.SKILL_REQUIRED: Words("The skill {key} is not available.", "Add the skill {key}"),
        Code.SKILL_VERSION_UNSUPPORTED: Words(
            "The app needs the skill {key} {demand}; available is {offered}.",
            "Update the skill {key}",
        ),
        Code.TOOL_REQUIRED: Words("The tool {key} is not available.", "Install the tool {key}"),
        Code.ARTIFACT_TYPE_REQUIRED: Words(
            "Nothing here can show artifacts of type {key}.", "Choose a viewer for {key}"
        ),
        Code.EVAL_REQUIRED: Words("The evaluation {key} is not available.", "Add the evaluation"),
        Code.SECRET_REQUIRED: Words(
            "The secret {key} has not been configured.", "Configure the secret {key}"
        ),
        Code.OVERLAY_REQUIRED: Words(
            "The settings layer {key} has not been filled in.", "Fill in {key}"
        ),
        Code.SERVICE_REQUIRED: Words(
            "This host cannot run the app's service {key}: {reason}",
            "Ask the publisher for a version that runs here",
        ),
        Code.WORKFLOW_REQUIRED: Words(
            "The workflow {key} is not in the package.", "Ask the publisher for a complete package"
        ),
        Code.PERSONA_REQUIRED: Words(
            "The persona {key} is not in the package.", "Ask the publisher for a complete package"
        ),
        Code.INTEGRATION_REQUIRED: Words("{key} is not connected.", "Connect {key}"),
        Code.INTEGRATION_ADAPTER_REQUIRED: Words(
            "The program that connects {key} is not installed.", "Install what connects {key}"
        ),
        Code.COMMAND_SANDBOX_REQUIRED: Words(
            "The program behind {key} does not run: nothing would wall it off. {reason}",
            "Get a sandbox for programs, or allow this app to do without under its permissions",
        ),
        Code.INTEGRATION_BLOCKED: Words(
            "{key} cannot be connected: this host does not offer {reason}.", "Update Lime Desktop"
        ),
        Code.OPERATION_UNAVAILABLE: Words(
            "The operation {key} cannot run until {integration} is connected.",
            "Connect {integration}",
        ),
        Code.WORKSPACE_REQUIRED: Words("No workspace is open.", "Open a workspace"),
        Code.HEALTH_STARTUP_FAILED: Words(
            "The health check {key} failed at the last start.", "Look at the diagnostics"
        ),
        Code.APP_DISABLED: Words(
            "This app is switched off, by you or by your organisation.", "See who switched it off"
        ),
        Code.ENTRY_DISABLED: Words(
            "The entry {key} is switched off by a setting.", "See who switched it off"
        ),
        Code.ENTRY_UNAVAILABLE: Words(
            "The entry {key} cannot start: {reason}", "See what is missing"
        ),
        Code.ENTRY_ROUTE_REFUSED: Words(
            "The entry {key} points outside of the app, which is refused.",
            "Ask the publisher for a corrected package",
        ),
        Code.STORAGE_QUOTA_LOW: Words(
            "The app asks for {demand} of storage; {offered} is available.", "Make room"
        ),
        Code.COST_BUDGET_LOW: Words(
            "The app asks for a budget of {demand}; {offered} is available.", "Raise the budget"
        ),
        Code.CHECK_UNKNOWN: Words(
            "The app asks for the check {key}, which this host does not know.",
            "Tell the publisher about the check",
        ),
        Code.CHECK_INCOMPLETE: Words(
            "The app's check {key} does not say what it is about.",
            "Tell the publisher about the check",
        ),
        Code.EXPECTATION_UNREADABLE: Words(
            "What the app expects of {key} cannot be compared: {demand}",
            "Tell the publisher about the check",
        ),
        Code.FACT_UNKNOWN: Words(
            "One thing is not known right now, so its check is open: {key}.",
            "Look at the diagnostics",
        ),
    },
)
