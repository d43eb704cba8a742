"""The engine for external agents behind a real RuntimeCore, with an agent that does what it is told."""

import json
import sys
from pathlib import Path

from lime_desktop.app_server.execution.acp.agents import agents_in
from lime_desktop.app_server.execution.acp.engine import AcpEngine
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.tools.tooling import Tooling
from lime_desktop.app_server.traffic import CountTraffic, count_nothing
from tests.app_server.execution.model_runtime import Offered
from tests.app_server.runtime_core.runtime import Runtime, open_runtime_on

ECHO = (sys.executable, str(Path(__file__).with_name("echo_agent.py")))


async def open_agent(
    folder: Path,
    *arguments: str,
    tooling: Tooling | None = None,
    count: CountTraffic = count_nothing,
) -> tuple[Runtime[EngineRouter], AcpEngine]:
    data = folder / "data"
    data.mkdir(exist_ok=True)
    agent = {"agentId": "echo", "title": "Echo", "command": [*ECHO, *arguments]}
    (data / "external-agents.json").write_text(json.dumps([agent]), encoding="utf-8")
    states = TurnStates(folder / "turn-states")
    box = tooling or Offered()
    engine = AcpEngine(agents_in(data), folder / "work", states, box, count=count)
    router = EngineRouter([engine], states)
    return await open_runtime_on(router, data), engine
