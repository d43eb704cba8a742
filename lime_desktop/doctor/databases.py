"""Is every database there whole, of a version that this program knows, and for its owner alone?

Runs in a process of its own (see `storage`): it loads what the doctor itself must do without.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from lime_desktop.app_server.app_evidence.rows import EVIDENCE
from lime_desktop.app_server.apps.spending import SPENDING
from lime_desktop.app_server.artifacts.rows import APP_ARTIFACTS
from lime_desktop.app_server.files.references import FILE_REFERENCES
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.providers.rows import PROVIDERS
from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.app_server.secrets.index import SECRET_INDEX
from lime_desktop.app_server.storage.files import APP_STORAGE
from lime_desktop.app_server.tools.webhooks.queue import WEBHOOKS
from lime_desktop.app_server.traffic import TRAFFIC
from lime_desktop.database.backups import databases_in, find_backups
from lime_desktop.database.integrity import Examined, Schemas, examine_file
from lime_desktop.doctor.finding import Finding, ill, poor, well
from lime_desktop.host.app_center.records.schema import HOST
from lime_desktop.host.proxy.ledger import NETWORK
from lime_desktop.protocol.errors import AppError, DatabaseDamaged

_CHECK = "databases"
_EACH_S = 5.0
_ALL_S = 20.0
"""A person waits for this: what is not read by then is said to be not read."""


def tell(data: str) -> None:
    """Print what is found, for whoever started this process."""
    print(json.dumps([finding.to_json() for finding in check_databases(Path(data))]))  # noqa: T201 - it is asked to


def check_databases(data: Path) -> Iterator[Finding]:
    """Look at every database for a bounded time; nothing is changed."""
    if not data.is_dir():
        return
    schemas, deadline = known_schemas(), time.monotonic() + _ALL_S
    paths = databases_in(data)
    worse: list[Finding] = []
    in_part = 0
    for path in paths:
        left = max(0.0, min(_EACH_S, deadline - time.monotonic()))
        examined = examine_file(path, schemas, check_s=left)
        in_part += not examined.is_whole
        worse.extend(_findings(examined, data))
    yield from worse
    if paths and not worse:
        partly = f", {in_part} of them only in part: they are large" if in_part else ""
        yield well(_CHECK, f"{len(paths)} read and sound{partly}")
    if paths:
        yield _backups(data)


def known_schemas() -> Schemas:
    """Every kind of file that this program writes, by what its header says."""
    known = (
        *(RUNTIME, HOST, NETWORK, EVIDENCE, SPENDING, TRAFFIC, WEBHOOKS, PROVIDERS, SECRET_INDEX),
        *(APP_ARTIFACTS, APP_STORAGE, FILE_REFERENCES, KNOWLEDGE_INDEX),
    )
    return {schema.application_id: schema for schema in known}


def _findings(examined: Examined, data: Path) -> Iterator[Finding]:
    place = examined.path.relative_to(data).as_posix()
    if examined.problem is not None:
        yield ill(_CHECK, f"{place}: {_sentence(examined.problem)}", _fix(examined.problem))
    if examined.missing_commits:
        message = f"{place}: {examined.missing_commits} promised commits are missing"
        yield poor(
            _CHECK, message, "Its log was taken away. Restore a backup: lime-desktop restore"
        )
    if os.name == "posix" and examined.path.exists() and examined.path.stat().st_mode & 0o077:
        fix = f"Run: chmod 600 '{examined.path}'"
        yield poor(_CHECK, f"{place} can be read by other users of this machine", fix)


def _sentence(problem: AppError) -> str:
    return f"{problem.code}: {problem.message}"


def _fix(problem: AppError) -> str:
    is_damaged = isinstance(problem, DatabaseDamaged)
    return "Restore a backup: lime-desktop restore" if is_damaged else problem.user_action


def _backups(data: Path) -> Finding:
    found = find_backups(data)
    if not found:
        return poor("backups", "there is none", "Make one: lime-desktop backup")
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(found[0].made_at_ms / 1_000))
    return well("backups", f"{len(found)}, the newest of {made}")
