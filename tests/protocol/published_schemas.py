"""The published Agent Runtime schemas as validators, for tests that hold our output against them."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, cast

import jsonschema_rs

_PUBLISHED_BASE = "https://limecloud.github.io/agentruntime/schemas/"


def _refuse(uri: str) -> NoReturn:
    message = f"a test may not fetch {uri}"
    raise LookupError(message)


def read_json(path: Path) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(path.read_text("utf-8")))


@cache
def lime_profile(upstream_data: Path, kind: str) -> jsonschema_rs.Draft202012Validator:
    """The strict schema of `event` or `snapshot`.

    It refers to its base under one address while the base calls itself by another: the base is
    registered under both, and nothing is ever fetched.
    """
    schemas = upstream_data / "agentruntime" / "schemas"
    base = read_json(schemas / f"agentruntime-{kind}.schema.json")
    return jsonschema_rs.Draft202012Validator(
        read_json(schemas / f"agentruntime-lime-profile-{kind}.schema.json"),
        registry=jsonschema_rs.Registry(
            [
                (base["$id"], base),
                (f"{_PUBLISHED_BASE}agentruntime-{kind}.schema.json", base),
            ],
            retriever=_refuse,
        ),
        retriever=_refuse,
        validate_formats=True,
    )
