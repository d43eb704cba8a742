"""Whom the person at this machine trusts: publishers, their keys, identities and domains.

A YAML or JSON file, by default ``trust.yaml`` in the user's configuration folder::

    publishers:
      lime-official:                                  # the publisherId
        name: Lime Official
        keys: ["ed25519:…"]                           # as `lime-desktop sign --new-key` prints them
        sigstore:                                     # who may sign by sigstore, and who vouches for them
          - {identity: release@limecloud.example, issuer: https://accounts.example}
        domains: [limecloud.example]
    sigstoreTrustRoot: trusted_root.json              # optional; beside this file

Whether a publisher is verified is decided here and nowhere else: a package can't say it of itself.
"""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeGuard

import platformdirs
from pydantic import AfterValidator, ConfigDict, Field, StrictStr, ValidationError

from lime_desktop.app_package.problem_kinds import trust
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.plain_text import MAX_TEXT_BYTES, ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.app_package.trust.publisher_key import parse_public_key
from lime_desktop.protocol.wire import WireModel


def _checked_key(text: str) -> str:
    if parse_public_key(text) is None:
        raise ValueError("not an ed25519 public key")
    return text


class _TrustModel(WireModel):
    # A misspelt key would silently trust less, or more, than was meant.
    model_config = ConfigDict(extra="forbid")


class SigstoreIdentity(_TrustModel):
    """Someone who signs by sigstore: who they are, and who vouches for that."""

    identity: Annotated[StrictStr, Field(min_length=1)]
    # The library takes an empty issuer for «any».
    issuer: Annotated[StrictStr, Field(min_length=1)]


class TrustedPublisher(_TrustModel):
    """A publisher, and how to recognise what is theirs."""

    name: StrictStr | None = None
    keys: tuple[Annotated[StrictStr, AfterValidator(_checked_key)], ...] = ()
    sigstore: tuple[SigstoreIdentity, ...] = ()
    domains: tuple[StrictStr, ...] = ()


class TrustStore(_TrustModel):
    """Everyone who is trusted; an empty store trusts nobody."""

    publishers: Mapping[str, TrustedPublisher] = {}
    sigstore_trust_root: Path | None = None
    """None: the one that comes with the sigstore library."""


def default_trust_file() -> Path:
    """Where the user's own trust file lies."""
    return platformdirs.user_config_path("lime-desktop", appauthor=False) / "trust.yaml"


def load_trust_store(path: Path) -> TrustStore | Problem:
    """Read a trust file; every mistake in it is a refusal, for half a trust file is none."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(MAX_TEXT_BYTES)
    except OSError as error:
        return trust.TRUST_FILE_INVALID.found(f"{path} could not be read: {error.strerror}.")
    if os.name != "nt" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        return trust.TRUST_FILE_WRITABLE_BY_OTHERS.found(f"Others may write {path}.")
    return _parse(data, path)


def _parse(data: bytes, path: Path) -> TrustStore | Problem:
    parsed = parse_yaml(data, path.name, ReadingBudget())
    if parsed.problems:
        first = parsed.problems[0]
        return trust.TRUST_FILE_INVALID.found(f"{path}, line {first.line}: {first.message}")
    if not _is_mapping(parsed.value):
        return trust.TRUST_FILE_INVALID.found(f"{path} holds no `publishers`.")
    try:
        store = TrustStore.model_validate(parsed.value)
    except ValidationError as error:
        wrong = sorted({".".join(map(str, each["loc"])) for each in error.errors()})
        return trust.TRUST_FILE_INVALID.found(f"{path}: not valid: {', '.join(wrong)}.")
    root = store.sigstore_trust_root
    return (
        store
        if root is None
        else store.model_copy(update={"sigstore_trust_root": path.parent / root})
    )


def _is_mapping(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
