"""The rows as a file that other tools read: HTTP archives (HAR 1.2), each exchange an entry, what HTTP has no word for under `_bridge`."""

import json
from collections.abc import Iterable

from pydantic import JsonValue

from lime_desktop import __version__
from lime_desktop.developer.inspection.exchanges import Exchange
from lime_desktop.host.web_content.origin import origin_of

_JSON = "application/json"


def to_har(app_id: str, rows: Iterable[Exchange]) -> str:
    """Write the rows of one app's view as an archive."""
    log: dict[str, JsonValue] = {
        "version": "1.2",
        "creator": {"name": "Lime Desktop", "version": __version__},
        "entries": [_entry(app_id, row) for row in rows],
    }
    return json.dumps({"log": log}, ensure_ascii=False, indent=1) + "\n"


def _entry(app_id: str, row: Exchange) -> JsonValue:
    asked = row.message if row.direction == "from-app" else None
    told = row.answer if row.direction == "from-app" else row.message
    duration_ms = row.duration_ms or 0.0
    return {
        "startedDateTime": row.at.isoformat(timespec="milliseconds"),
        "time": duration_ms,
        "request": _request(f"{origin_of(app_id)}/__bridge__/{row.name}", asked),
        "response": _response(row, told),
        "cache": {},
        "timings": {"send": 0, "wait": duration_ms, "receive": 0},
        "_bridge": {
            "direction": row.direction,
            "type": row.type,
            "call": row.call,
            "decision": row.decision,
            "rule": row.rule.id if row.rule else None,
            "ruleText": row.rule.text if row.rule else None,
            "outcome": row.outcome,
            "traceId": row.trace_id,
            "evidenceId": row.evidence_id,
        },
    }


def _request(url: str, asked: JsonValue) -> JsonValue:
    text = _text(asked)
    made: dict[str, JsonValue] = {
        "method": "POST",
        "url": url,
        "httpVersion": "lime.agentApp.bridge/1",
        "cookies": [],
        "headers": [],
        "queryString": [],
        "headersSize": -1,
        "bodySize": len(text),
    }
    return {**made, "postData": {"mimeType": _JSON, "text": text}} if text else made


def _response(row: Exchange, told: JsonValue) -> JsonValue:
    text = _text(told)
    # HAR wants a number; the code that counts is in `_bridge`.
    status = 0 if told is None else 403 if row.is_refused else 200
    return {
        "status": status,
        "statusText": row.outcome or "",
        "httpVersion": "lime.agentApp.bridge/1",
        "cookies": [],
        "headers": [],
        "content": {"size": len(text), "mimeType": _JSON, "text": text},
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": len(text),
    }


def _text(value: JsonValue) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)
