"""A process that writes facts as fast as it can and says which ones it was told are durable.

Run by `test_crash_recovery`, which kills it. Every line it manages to print is a promise.
"""

import asyncio
import contextlib
import json
import os
import random
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.scripted import Script, ScriptedEngine
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.protocol.calls.sessions import AppendEventsParams, StartSessionParams
from lime_desktop.protocol.calls.turns import StartTurnParams, TurnInput
from lime_desktop.protocol.errors import TurnQueueFull
from lime_desktop.protocol.ids import AppId, SessionId, ToolCallId, TraceId
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent

SESSIONS = 8
TURNS = 200
CONTEXT = CallContext(trace_id=TraceId("crash"))


def scripts() -> dict[str, Script]:
    deltas = [ProposedEvent(type="model.delta", payload={"delta": f"word {n} "}) for n in range(40)]
    return {
        f"work {number}": [
            ProposedEvent(type="model.requested", payload={"model": "m"}),
            *deltas,
            *tool(ToolCallId(f"call_{number}")),
            ProposedEvent(type="model.completed", payload={"text": "done"}),
            ProposedEvent(type="turn.completed"),
        ]
        for number in range(TURNS)
    }


def tool(call: ToolCallId) -> Script:
    return [
        ProposedEvent(type="tool.started", tool_call_id=call, payload={"toolName": "t"}),
        ProposedEvent(
            type="tool.result", tool_call_id=call, payload={"output": f"{call} " * 2_000}
        ),
    ]


def promise(_app_id: str, events: Sequence[RuntimeEvent]) -> None:
    lines = [
        json.dumps([e.session_id, e.sequence, e.event_id, zlib.crc32(e.to_json().encode())])
        for e in events
    ]
    os.write(1, ("\n".join(lines) + "\n").encode())


async def live(core: RuntimeCore, session_id: SessionId, chance: random.Random) -> None:
    texts = iter(range(TURNS))
    while True:
        if chance.random() < 0.3:
            turn = StartTurnParams(
                session_id=session_id,
                input=TurnInput(text=f"work {next(texts, 0)}"),
                queue_if_busy=True,
            )
            with contextlib.suppress(TurnQueueFull):
                await core.turns.start(turn, CONTEXT)
        count = chance.randint(1, 5)
        batch = [ProposedEvent(type="runtime.warning", payload={"code": "n"}) for _ in range(count)]
        params = AppendEventsParams(session_id=session_id, runtime_events=tuple(batch))
        await core.sessions.append(params, CONTEXT)


async def main(folder: Path, seed: int) -> None:
    core = await open_core(folder, ScriptedEngine(scripts()), is_product=False)
    core.subscribe(promise)
    chance = random.Random(seed)  # noqa: S311 - a schedule, not a secret
    lives: list[asyncio.Task[None]] = []
    for number in range(SESSIONS):
        started = await core.sessions.start(
            StartSessionParams(app_id=AppId("app"), session_id=SessionId(f"{seed}-{number}")),
            CONTEXT,
        )
        lives.append(asyncio.create_task(live(core, started.session.session_id, chance)))
    await asyncio.gather(*lives)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
