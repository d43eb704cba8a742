"""A tool server for tests, well-behaved or not: ``python a_server.py BEHAVIOUR [FOLDER]``.

It imports nothing of the product. FOLDER is where it leaves what a test wants to see.
"""

import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import anyio
import uvicorn
from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import ToolAnnotations
from pydantic import BaseModel

FOLDER = Path(sys.argv[2]) if len(sys.argv) > 2 else Path()
server = MCPServer("test-server", version="1.0")


class Colour(BaseModel):
    colour: str


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def echo(text: str) -> str:
    """Say the same again."""
    return text


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def destroy(what: str) -> str:
    """Destroy something."""
    (FOLDER / "destroyed").write_text(what)
    return "gone"


@server.tool()
async def count(steps: int, ctx: Context) -> str:
    """Count, and tell how far."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
    return "counted"


def which_colour() -> Elicit[Colour]:
    return Elicit("Which colour?", Colour)


@server.tool()
def ask(colour: Annotated[ElicitationResult[Colour], Resolve(which_colour)]) -> str:
    """Ask a person for a colour."""
    return f"{colour.action} {getattr(colour, 'data', None)}"


@server.tool()
async def hang() -> str:
    """Never end, and leave a note when it is cancelled."""
    (FOLDER / "hanging").touch()
    try:
        await anyio.sleep_forever()
    finally:
        (FOLDER / "cancelled").touch()
    return "never"


@server.tool()
def forget_hanging() -> str:
    """Take the notes of earlier hangs away."""
    for note in ("hanging", "cancelled"):
        (FOLDER / note).unlink(missing_ok=True)
    return "forgotten"


@server.tool()
def crash() -> str:
    """End the process."""
    os._exit(9)


@server.tool()
def big(characters: int) -> str:
    """Say much."""
    return "x" * characters


@server.tool()
def fail() -> str:
    """Fail."""
    message = "It was not possible."
    raise ValueError(message)


@server.tool()
def picture() -> Image:
    """Give a picture."""
    return Image(data=b"\x89PNG", format="png")


@server.tool()
def environment() -> str:
    """Name the environment's variables."""
    return " ".join(sorted(os.environ))


@server.tool()
def noise() -> str:
    """Write lines that are no messages."""
    sys.stdout.write("this is a log line\n{\n")
    sys.stdout.flush()
    return "after the noise"


def live_once() -> None:
    """Crash at the first start, work at the second."""
    marker = FOLDER / "started"
    if not marker.exists():
        marker.touch()
        sys.exit(5)
    server.run("stdio")


def main(behaviour: str) -> None:
    match behaviour:
        case "well":
            server.run("stdio")
        case "http":
            serve_http()
        case "once":
            live_once()
        case _:
            sys.exit(64)


def serve_http() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    (FOLDER / "port.new").write_text(str(listening.getsockname()[1]))
    (FOLDER / "port.new").rename(FOLDER / "port")
    config = uvicorn.Config(server.streamable_http_app(), log_level="error")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1])
