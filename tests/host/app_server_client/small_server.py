"""A process that speaks just enough of the App Server's protocol to be kept, lost and found again.

Its behaviour is its first argument. It imports nothing of the product.
"""

import json
import os
import sys


def main(behaviour: str) -> None:
    print("ready to serve", file=sys.stderr, flush=True)
    if behaviour == "die":
        sys.exit(3)
    for line in sys.stdin:
        message = json.loads(line)
        answer = reply(behaviour, message)
        if answer is not None:
            print(json.dumps({"id": message["id"], **answer}), flush=True)


def reply(behaviour: str, message: dict[str, object]) -> dict[str, object] | None:
    match message["method"]:
        case "initialize":
            return {"result": INTRODUCTION}
        case "agentSession/read" | "app/unregister" | "app/call" if behaviour == "die-on-call":
            os._exit(9)
        case "agentSession/read":
            data = {
                "code": "APP_E110",
                "message": "No such session",
                "details": {"sessionId": "s1"},
            }
            return {"error": {"code": -32010, "message": "No such session", "data": data}}
        case "app/unregister" | "app/call":
            return {"result": {}}
        case "capability/list":
            return {"result": {"capabilities": "not a list"}}
        case _:
            return None


INTRODUCTION = {
    "serverInfo": {"name": "app-server", "version": "0.1.0", "protocolVersion": "appserver.v0"},
    "platform": {"family": "desktop", "os": "any"},
    "capabilities": dict.fromkeys(
        ("agentSession", "capabilityDiscovery", "artifact", "evidence"), True
    ),
}

if __name__ == "__main__":
    main(sys.argv[1])
