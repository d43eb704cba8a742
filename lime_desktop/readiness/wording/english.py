"""Findings in English."""

from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.wording import Language, Words

ENGLISH = Language(
    passed="{key}: ready.",
    ran="The quality check {key} passed on {date}: {cases} cases as expected.",
    superseded="Its successor is {successor}.",
    not_superseded="It has no successor.",
    quoted="“{}”",
    checks={
        "sdk_version": "the SDK version",
        "host_version": "the Lime Desktop version",
        "storage_migrated": "the version of its data",
        "storage_quota": "the space for its data",
        "agent_cost_budget": "the budget of its agents",
        "workspace_available": "the workspace",
    },
    scopes={
        "filesystem": "use files",
        "network": "use the network",
        "model": "use a model",
        "tool": "use tools",
        "secret": "use a secret",
        "storage": "keep data on this computer",
        "workflow": "run workflows",
        "artifact": "create documents",
        "tenant": "access your organization",
        "workspace": "access your workspace",
        "export": "export",
    },
    findings={
        Code.PACKAGE_INVALID: Words(
            "The package is not valid: {problem}", "Ask the publisher for a corrected package"
        ),
        Code.PACKAGE_HASH_MISMATCH: Words(
            "The package differs from what its publisher signed.",
            "Get the package again from its publisher",
        ),
        Code.PACKAGE_REVOKED: Words(
            "This version was revoked and no longer runs. {reason}",
            "Update or uninstall it. Its data stays and can be exported",
        ),
        Code.PACKAGE_UNSIGNED: Words(
            "This package is not signed, so its publisher can't be verified.",
            "Decide whether to trust this package",
        ),
        Code.PACKAGE_HASH_MISSING: Words(
            "The package's signature is not verified yet.",
            "Verify the package's signature",
        ),
        Code.PACKAGE_INCOMPLETE: Words(
            "The package declares {key} but does not contain it: {path}",
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
            "This version of Lime Desktop can't read manifest version {demand}.",
            "Update Lime Desktop",
        ),
        Code.RUNTIME_TARGET_UNSUPPORTED: Words(
            "The app runs only as {demand}; Lime Desktop runs {offered}.",
            "Ask the publisher for a version that runs here",
        ),
        Code.HOST_VERSION_UNSUPPORTED: Words(
            "The app needs {key} {demand}. Available: {offered}.", "Update Lime Desktop"
        ),
        Code.SDK_VERSION_UNSUPPORTED: Words(
            "The app needs the SDK {key} {demand}. Available: {offered}.",
            "Update Lime Desktop",
        ),
        Code.APP_OUTDATED: Words(
            "The app is too old: it was made for {key} {demand}, and Lime Desktop has {offered} and newer.",
            "Ask the publisher for a newer version of the app",
        ),
        Code.VERSION_RANGE_UNREADABLE: Words(
            "The version range for {key} is not valid.", "Tell the publisher about the range"
        ),
        Code.INSTALL_MODE_UNSUPPORTED: Words(
            "The app can't be installed as {key}; it supports {offered}.",
            "Ask the publisher for another install mode",
        ),
        Code.PLATFORM_UNSUPPORTED: Words(
            "The app does not support {key}; it supports {offered}.",
            "Ask the publisher for a version for this system",
        ),
        Code.RUNTIME_BRIDGE_UNSUPPORTED: Words(
            "The app needs the agent runtime {key}, which Lime Desktop does not have.",
            "Ask the publisher for a version that runs here",
        ),
        Code.CAPABILITY_MISSING: Words(
            "The app needs {key}, which this version of Lime Desktop does not offer.",
            "Update Lime Desktop",
        ),
        Code.CAPABILITY_VERSION_UNSUPPORTED: Words(
            "The app needs {key} {demand}. Available: {offered}.", "Update Lime Desktop"
        ),
        Code.CAPABILITY_UNAVAILABLE: Words(
            "{key} is not available: {reason}", "Make {key} available"
        ),
        Code.STANDARD_UNSUPPORTED: Words(
            "The app uses {key}, which this version of Lime Desktop does not support.",
            "Update Lime Desktop",
        ),
        Code.STORAGE_DECLARED_BUT_DISABLED: Words(
            "The app keeps data in {key}, but storage is not available.", "Update Lime Desktop"
        ),
        Code.STORAGE_PLACEMENT_UNSUPPORTED: Words(
            "The app prefers to keep its data in {demand}; here it is in {offered}.",
            "The data stays where it is kept here",
        ),
        Code.STORAGE_MIGRATION_REQUIRED: Words(
            "The app's data in {key} needs an update: {pending}",
            "Update the app's data",
        ),
        Code.PERMISSION_REQUIRED: Words(
            "The app needs the permission {key}.",
            "Allow {key}",
        ),
        Code.PERMISSION_OPTIONAL: Words(
            "Without the permission {key}, a part of the app is off in: {entries}.",
            "Allow {key}",
        ),
        Code.PERMISSION_DENIED: Words(
            "A rule doesn't allow the permission {key}, which the app needs.", "View the rule"
        ),
        Code.KNOWLEDGE_BINDING_REQUIRED: Words(
            "No knowledge is chosen for {key}.", "Choose knowledge for {key}"
        ),
        Code.KNOWLEDGE_INCOMPATIBLE: Words(
            "The knowledge for {key} has the type {offered}; the app needs {demand}.",
            "Choose other knowledge for {key}",
        ),
        Code.SKILL_REQUIRED: Words("The skill {key} is not available.", "Add the skill {key}"),
        Code.SKILL_VERSION_UNSUPPORTED: Words(
            "The app needs the skill {key} {demand}; available is {offered}.",
            "Update the skill {key}",
        ),
        Code.TOOL_REQUIRED: Words("The tool {key} is not available.", "Install the tool {key}"),
        Code.TOOL_SERVER_REQUIRED: Words(
            "{key} needs the tool server {server}, which is not set up here or does not work.",
            "Set up the tool server {server}",
        ),
        Code.TOOL_UNSUPPORTED: Words(
            "The tool {key} comes from {reason}, which Lime Desktop can't reach.",
            "Nothing on this computer can provide the tool {key}",
        ),
        Code.ARTIFACT_TYPE_REQUIRED: Words(
            "Lime Desktop has no viewer for documents of type {key}.", "Choose a viewer for {key}"
        ),
        Code.EVAL_REQUIRED: Words(
            "The app's quality check {key} can't be run: the package does not say what is checked.",
            "Ask the publisher for a version that says what is checked",
        ),
        Code.EVAL_NOT_RUN: Words(
            "The quality check {key} was not run on this version.", "Run the quality check {key}"
        ),
        Code.EVAL_FAILED: Words(
            "The quality check {key} failed on {date}: of {cases} cases {wrong} not as expected, {worse} worse than before;"
            " lowest score {score}, threshold {threshold}.",
            "Run the quality check {key} again",
        ),
        Code.EVAL_WITHOUT_CASES: Words(
            "The quality check {key} brings no cases to be run on: it judges each document once there is one.",
            "Ask the publisher for cases",
        ),
        Code.SECRET_REQUIRED: Words("The secret {key} is not set.", "Enter the secret {key}"),
        Code.OVERLAY_REQUIRED: Words("The setting {key} is not filled in.", "Fill in {key}"),
        Code.SERVICE_REQUIRED: Words(
            "Lime Desktop can't run the app's service {key}: {reason}",
            "Nothing on this computer can run the service {key}",
        ),
        Code.SERVICE_PROGRAM_REQUIRED: Words(
            "The app's service {key} needs the program {program}, which isn't on this computer.",
            "Install {program}",
        ),
        Code.WORKFLOW_REQUIRED: Words(
            "The workflow {key} is not in the package.", "Ask the publisher for a complete package"
        ),
        Code.WORKFLOW_NOT_EXECUTABLE: Words(
            "The workflow {key} is described, but something that running it needs is missing.",
            "Ask the publisher for a version whose workflow can run",
        ),
        Code.PERSONA_REQUIRED: Words(
            "The persona {key} is not in the package.", "Ask the publisher for a complete package"
        ),
        Code.INTEGRATION_REQUIRED: Words("{key} is not connected.", "Connect {key}"),
        Code.INTEGRATION_ADAPTER_REQUIRED: Words(
            "The program that connects {key} is not installed.",
            "Install the program that connects {key}",
        ),
        Code.COMMAND_SANDBOX_REQUIRED: Words(
            "The program of {key} can't run without a sandbox. {reason}",
            "Install a sandbox (bubblewrap), or allow this app to run without one in its permissions",
        ),
        Code.INTEGRATION_BLOCKED: Words(
            "{key} can't be connected: Lime Desktop does not offer {reason}.", "Update Lime Desktop"
        ),
        Code.INTEGRATION_UNDESCRIBED: Words(
            "{key} needs a connection that the package does not describe: it has no OpenAPI document for it.",
            "Ask the publisher for a version that describes the connection",
        ),
        Code.INTEGRATION_UNSUPPORTED: Words(
            "{key} needs a connection of the kind {reason}, which Lime Desktop can't make.",
            "Nothing on this computer can connect {key}",
        ),
        Code.OPERATION_UNAVAILABLE: Words(
            "The action {key} can't run until {integration} is connected.",
            "Connect {integration}",
        ),
        Code.WORKSPACE_REQUIRED: Words("No workspace is open.", "Open a workspace"),
        Code.HEALTH_STARTUP_FAILED: Words(
            "The health check {key} failed at the last start.", "Try again"
        ),
        Code.HEALTH_RUNTIME_FAILED: Words(
            "The health check {key} fails now. It is tried again by itself.",
            "Try again",
        ),
        Code.HEALTH_NOT_TRIED: Words("The health check {key} was not tried.", "Try again"),
        Code.APP_DISABLED: Words(
            "This app is disabled by you or your organization.", "View who disabled it"
        ),
        Code.ENTRY_DISABLED: Words("A setting disables the entry {key}.", "View who disabled it"),
        Code.ENTRY_UNAVAILABLE: Words("The entry {key} can't open: {reason}", "View the setup"),
        Code.ENTRY_ROUTE_REFUSED: Words(
            "The entry {key} points outside the app, which is not allowed.",
            "Ask the publisher for a corrected package",
        ),
        Code.STORAGE_QUOTA_LOW: Words(
            "The app asks for {demand} of storage; {offered} is available.", "Free up storage"
        ),
        Code.COST_BUDGET_LOW: Words(
            "The app asks for a budget of {demand}; {offered} is available.", "Raise the budget"
        ),
        Code.CHECK_UNKNOWN: Words(
            "The app needs the check {key}, which Lime Desktop does not support.",
            "Tell the publisher about the check",
        ),
        Code.CHECK_INCOMPLETE: Words(
            "The app's check {key} is not complete.",
            "Tell the publisher about the check",
        ),
        Code.EXPECTATION_UNREADABLE: Words(
            "Lime Desktop can't compare {key} with what the app expects: {demand}",
            "Tell the publisher about the check",
        ),
        Code.FACT_UNKNOWN: Words(
            "Lime Desktop can't check this right now: {key}.",
            "Try again",
        ),
    },
)
