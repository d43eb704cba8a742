"""A client as somebody else would write it: from ``resources/protocol/*.md`` and nothing else.

It imports nothing of the product. It knows lines of JSON, the handshake, the methods it needs, and
that unknown things are to be ignored.
"""

import json
import subprocess
import threading
from collections.abc import Callable, Sequence
from queue import Empty, Queue
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

TERMINALS = ("turn.completed", "turn.failed", "turn.canceled")


class Refused(Exception):
    """The server said no, with the stable code of its error page."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.rpc_code: int = error["code"]
        self.code: str = error["data"]["code"]
        self.is_retryable: bool = error["data"]["retryable"]


class AgentClient:
    """Drives one App Server over its standard streams."""

    def __init__(self, command: Sequence[str], wait_s: float = 30.0) -> None:
        self._wait_s = wait_s
        self._server = subprocess.Popen(  # noqa: S603 - the caller's own command
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._answers: dict[int, Queue[Json]] = {}
        self._events: Queue[Json] = Queue()
        self._last_id = 0
        self._last_sequence = 0
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.server: Json = {}

    # Lines.

    def _read(self) -> None:
        assert self._server.stdout is not None
        for line in self._server.stdout:
            message: Json = json.loads(line)
            if "method" not in message:
                self._answers[message["id"]].put(message)
            elif message["method"] == "agentSession/event":
                self._events.put(message["params"]["event"])

    def _send(self, message: Json) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message).encode() + b"\n")
        self._server.stdin.flush()

    def call(self, method: str, **params: Any) -> Json:
        """Ask; give the result or raise what the server said instead."""
        self._last_id += 1
        answers = self._answers[self._last_id] = Queue()
        self._send({"id": self._last_id, "method": method, "params": params})
        answer = answers.get(timeout=self._wait_s)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    # The conversation.

    def connect(self) -> None:
        """Introduce ourselves and open the gate."""
        self.server = self.call("initialize", clientInfo={"name": "third-party", "version": "1"})
        assert self.server["serverInfo"]["protocolVersion"] == "appserver.v0"
        self._send({"method": "initialized"})

    def disconnect(self) -> int:
        """Close our side; the server ends by itself."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        code = self._server.wait(self._wait_s)
        self._reader.join(self._wait_s)
        self._server.stdout.close()
        return code

    def run_turn(
        self, session_id: str, text: str, decide: Callable[[Json], str], **options: Any
    ) -> tuple[str, list[Json]]:
        """Give an input, answer the questions it raises, and follow it to its end."""
        turn = self.call(
            "agentSession/turn/start", sessionId=session_id, input={"text": text}, **options
        )
        turn_id: str = turn["turn"]["turnId"]
        events: list[Json] = []
        while not (events and events[-1]["type"] in TERMINALS):
            event = self._next_event(session_id)
            events.append(event)
            if event["type"] == "action.required":
                self.call(
                    "agentSession/action/respond",
                    sessionId=session_id,
                    requestId=event["actionId"],
                    actionType="tool_confirmation",
                    decision=decide(event["payload"]),
                )
        return turn_id, events

    def _next_event(self, session_id: str) -> Json:
        """The next event in order; a hole is filled by reading, a repetition is passed over."""
        while True:
            try:
                event = self._events.get(timeout=self._wait_s)
            except Empty:
                raise AssertionError("the turn never ended") from None
            if event["sequence"] == self._last_sequence + 1:
                self._last_sequence += 1
                return event
            if event["sequence"] > self._last_sequence:
                self._catch_up(session_id)

    def _catch_up(self, session_id: str) -> None:
        missed = self.call(
            "agentSession/read", sessionId=session_id, afterSequence=self._last_sequence
        )
        for event in missed["events"]:
            self._events.put(event)

    def answer_of(self, session_id: str) -> str:
        """What the agent said last, from the read model alone."""
        read = self.call("agentSession/read", sessionId=session_id)
        messages: list[Json] = read["snapshot"]["history"]["messages"]
        return next(m["text"] for m in reversed(messages) if m["role"] == "assistant")

    def artifacts_of(self, session_id: str, turn_id: str) -> list[Json]:
        """What a turn produced, page by page."""
        found: list[Json] = []
        cursor: Json = {}
        while True:
            page = self.call("artifact/read", sessionId=session_id, turnId=turn_id, **cursor)
            found += page["artifacts"]
            if "nextCursor" not in page:
                return found
            cursor = {"cursor": page["nextCursor"]}

    def evidence_of(self, session_id: str) -> Json:
        """The session's evidence, with everything that joins it."""
        return self.call(
            "evidence/export", sessionId=session_id, includeEvents=True, includeArtifacts=True
        )
