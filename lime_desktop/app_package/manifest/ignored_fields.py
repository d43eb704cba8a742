"""The fields of a manifest that do nothing on this host, each with the reason; every other one is among the used ones.

An author is told of each when the package is read. What lies inside an ignored field is ignored with it. Who makes one
do something takes its row away here and names its user in ``used_fields``.
"""

from collections.abc import Mapping

from lime_desktop.protocol.hook_points import HOOK_POINTS

_HOSTS_OWN_WAY = "The host decides itself how its window reaches its App Server."
_OWN_SERVER = "This host brings its own App Server, and takes none from a package."
_BUNDLE = "A page is served as it lies in its folder, beginning with index.html."
_NOT_STARTED = "What is started of a package on this computer stands in `services`."
_ITS_WORDS = "What is started is said by `command`, `binary` or `path`."
_STORED_HERE = "Each app has an SQLite file of its own here, whatever is written."
_HERE = "Integrations are run and reached from this computer."
_ENTRIES = "What `entries` names is shown."
_SHOWN_NOWHERE = "It is shown nowhere yet."

IGNORED: Mapping[str, Mapping[str, str]] = {
    "Access": {"read": "Whoever may call a connection may read through it."},
    "AgentTask": {
        "observability": "The person's settings decide what is reported, and content stays out of it.",
    },
    "ArtifactType": {"standard": "Artifacts have one form here."},
    "Bridge": {
        "transport": _HOSTS_OWN_WAY,
        "protocol_version": _HOSTS_OWN_WAY,
        "client_surface": _HOSTS_OWN_WAY,
        "host_boundary": _HOSTS_OWN_WAY,
        "runtime_owner": _HOSTS_OWN_WAY,
        "methods": _HOSTS_OWN_WAY,
        "events": _HOSTS_OWN_WAY,
    },
    "CheckpointScope": {
        "conversation": "A conversation is resumed or forked, and never rewound.",
    },
    "Distribution": {"visibility": "A catalog shows what its owner lists."},
    "Eval": {"evidence_required": "What a quality gate says is always kept as evidence."},
    "InstallContract": {"compatibility": "The versions under `requires` decide."},
    "InstallRuntime": {"protocol_version": _OWN_SERVER, "client_package": _OWN_SERVER},
    "Integration": {
        "execution_plane": _HERE,
        "fallback_plane": _HERE,
        "cloud_capability": _HERE,
    },
    "KnowledgeTemplate": {
        "runtime_mode": "Knowledge is always searched, and its passages given to the agent.",
        "path": "What is in the package is not searched: a person binds documents, or `source` names a table.",
    },
    "Manifest": {
        "compatibility": "The versions under `requires` decide.",
    },
    "Operation": {"type": "What an operation does is its `sideEffect`."},
    "PackageRef": {
        "hash": "The signature covers every file of the package.",
        "entry": _BUNDLE,
        "module": _BUNDLE,
        "format": _BUNDLE,
    },
    "Plane": {"optional": _SHOWN_NOWHERE},
    "Publisher": {
        "kind": _SHOWN_NOWHERE,
        "did": "No such proof is looked up.",
        "logo_url": _SHOWN_NOWHERE,
    },
    "Recovery": {
        "save_checkpoint": "Every state that a run comes through is kept, whatever is written."
    },
    "ReleaseManifest": {
        "allow_env_override_in_production": "No variable leads a product to another runtime, whatever is written."
    },
    "Repository": {"type": _SHOWN_NOWHERE, "directory": _SHOWN_NOWHERE},
    "RuntimeBacked": {"client_package": _OWN_SERVER},
    "RuntimeCheck": {
        "critical": "A check that fails while the app runs warns, and blocks nothing."
    },
    "RuntimeDistribution": {"standalone": "A product is this host under the app's name."},
    "RuntimePackage": {
        "worker": _NOT_STARTED,
        "tools": _NOT_STARTED,
        "lockfile": "The signature covers every file of the package.",
        "hash": "The signature covers every file of the package.",
    },
    "SecretSlot": {
        "provider": _SHOWN_NOWHERE,
        "scope": "A secret is kept for the app, on this computer.",
    },
    "Service": {
        "language": _ITS_WORDS,
        "runtime": _ITS_WORDS,
        "entry": _ITS_WORDS,
        "endpoint": "The host itself decides how it reaches a program, and calls none elsewhere.",
        "sandbox": "A program of an app always runs in the one sandbox there is.",
    },
    "Sidecar": {"packaged_resource": _OWN_SERVER},
    "SessionPolicy": {"compaction_events": "That a conversation was shortened is always told."},
    "Standalone": {
        "shell": "A product is this host under the app's name.",
        "auto_update": "`install.standalone.updates` names where a product's updates come from.",
    },
    "Storage": {
        "isolation": _STORED_HERE,
        "physical_sharing": _STORED_HERE,
        "local_default": _STORED_HERE,
        "database": _STORED_HERE,
    },
    "StructuredOutput": {"type": "A task's own request says whether it wants structured output."},
    "ToolDiscovery": {
        "query_from": "Tools are found by the input, and by what the agent asks for."
    },
    "Ui": {
        "routes": _ENTRIES,
        "settings": _ENTRIES,
    },
    "ToolRef": {"permissions": "The permissions that the manifest declares hold for every tool."},
    "Workflow": {
        "entry": "An entry names its workflow, and a workflow none.",
        "diagram": "The host draws the states itself.",
        "human_review": "A state of the kind `human-review` asks a person, and this alone asks nobody.",
    },
}
"""Model → field → why nothing happens here because of it."""

_HOOKS = "The standard has hooks for `install`, `activate`, `upgrade`, `disable` and `uninstall`."

AS_IT_IS: Mapping[str, tuple[object, ...]] = {
    "Access.read": (True,),
    "ReleaseManifest.allow_env_override_in_production": (False,),
    "Bridge.client_surface": ("capability-sdk", "host-bridge"),
    "Bridge.host_boundary": ("desktop-host-ipc",),
    "Bridge.runtime_owner": ("runtime-core",),
    "Bridge.transport": ("host-mediated", "stdio-jsonl", "local-socket"),
    "Eval.evidence_required": (True,),
    "Integration.execution_plane": ("host",),
    "KnowledgeTemplate.runtime_mode": ("retrieval",),
    "PackageRef.entry": ("index.html", "./index.html"),
    "PackageRef.format": ("static", "esm"),
    "Recovery.save_checkpoint": (True,),
    "SessionPolicy.compaction_events": (True,),
    "Storage.isolation": ("per-app-database", "dedicated-database"),
    "Storage.local_default": (True,),
    "Storage.physical_sharing": ("none", "dedicated"),
    "StructuredOutput.type": ("json_schema",),
}
"""Values of ignored fields that say what happens here anyway: nobody needs to be told of those."""

IGNORED_KEYS: Mapping[str, tuple[frozenset[str], str]] = {
    "Manifest.lifecycle": (frozenset(HOOK_POINTS), _HOOKS),
    "Manifest.presentation": (
        frozenset({"icon", "category", "categoryI18n", "order", "summary", "summaryI18n"}),
        "Of `presentation`, the host shows `icon`, `category`, `order` and `summary`; the name is `displayName`.",
    ),
    "Manifest.policy": (
        frozenset({"riskBoundaries", "costLimit", "defaultModel"}),
        "Of `policy`, the host obeys `riskBoundaries`, `costLimit` and `defaultModel`.",
    ),
}
"""Objects whose keys the standard leaves open: which of them are used here, and what is said of any other."""
